// The built-in courses: drawn with a pen, one function each, in the order of the list at the end.
//
// Each course tests something else. None accounts for the size or the turning circle of a vehicle,
// because the paths in a game do not: large vehicles cannot drive some of them exactly (EA section
// III). Roads are 8 m wide, more than twice the widest reference vehicle.
#include "scene/course/course.h"
#include "scene/course/pen.h"

#include <string.h>

#define ROAD 4.0f   // half the width of a road [m]
#define WIDEST 3.5f // of the reference vehicles [m]

static const float courses_quarter = 0.5f * KERB_PI;

static float courses_radians(float degrees) {
    return degrees * (KERB_PI / 180.0f);
}

// --------------------------------------------------------------------------- roads

static void city_corners(course_draft* draft) {
    pen p = kerb_scene_pen_make(draft, 5.0f, ROAD);
    static const float blocks[] = {60, 50, 40, 30, 50, 40, 60, 50};
    static const float turns[] = {1, -1, -1, 1, 1, 1, -1, 0};
    for (int32_t i = 0; i < 8; i++) {
        kerb_scene_pen_straight(&p, blocks[i]);
        kerb_scene_pen_corner(&p, turns[i] * courses_quarter);
    }
    kerb_scene_pen_fence(&p, 4.5f);
}

static void figure_eight(course_draft* draft) {
    pen p = kerb_scene_pen_make(draft, 2.0f, ROAD);
    kerb_scene_pen_straight(&p, 20.0f);
    for (int32_t round = 0; round < 2; round++) {
        kerb_scene_pen_arc(&p, 20.0f, 4.0f * courses_quarter);
        kerb_scene_pen_arc(&p, 20.0f, -4.0f * courses_quarter);
    }
    kerb_scene_pen_straight(&p, 20.0f);
}

static void hairpins(course_draft* draft) {
    pen p = kerb_scene_pen_make(draft, 2.0f, ROAD);
    static const float radii[] = {14, 11, 9, 8};
    kerb_scene_pen_straight(&p, 50.0f);
    for (int32_t i = 0; i < 4; i++) {
        kerb_scene_pen_arc(&p, radii[i],
                           i % 2 == 0 ? 2.0f * courses_quarter : -2.0f * courses_quarter);
        kerb_scene_pen_straight(&p, 45.0f);
    }
}

// ISO 3888-1: sections of 15, 30, 25, 25, 15 and 15 m, 3.5 m aside; lanes 1.1, 1.2 and 1.3 times
// the vehicle's width plus 0.25 m, here for the widest of the reference vehicles. There is a run-up
// before it.
static void lane_change(course_draft* draft) {
    pen p = kerb_scene_pen_make(draft, 2.5f, 0.5f * (1.1f * WIDEST + 0.25f));
    kerb_scene_pen_straight(&p, 60.0f + 15.0f);
    p.next.left = p.next.right = 2.5f;
    kerb_scene_pen_shift(&p, 30.0f, 3.5f);
    p.next.left = p.next.right = 0.5f * (1.2f * WIDEST + 0.25f);
    kerb_scene_pen_straight(&p, 25.0f);
    p.next.left = p.next.right = 2.5f;
    kerb_scene_pen_shift(&p, 25.0f, -3.5f);
    p.next.left = p.next.right = 0.5f * (1.3f * WIDEST + 0.25f);
    kerb_scene_pen_straight(&p, 15.0f + 15.0f + 30.0f);
}

// A road without straights worth the name, for what may be laid on it.
static void courses_wind(pen* p, const float (*bends)[2], int32_t count) {
    kerb_scene_pen_straight(p, 25.0f);
    for (int32_t i = 0; i < count; i++) {
        kerb_scene_pen_arc(p, bends[i][0], courses_radians(bends[i][1]));
        kerb_scene_pen_straight(p, 12.0f);
    }
    kerb_scene_pen_straight(p, 13.0f);
}

// --------------------------------------------------------------------------- a hill

// How far a ramp has risen at x, per slope: from `start` on it bends upwards for `foot` metres, is
// straight for `face`, and bends back to level for `crest`.
static float ramp(float x, float start, float foot, float face, float crest) {
    float on_foot = kerb_clamp(x - start, 0.0f, foot);
    float on_face = kerb_clamp(x - start - foot, 0.0f, face);
    float on_crest = kerb_clamp(x - start - foot - face, 0.0f, crest);
    return 0.5f * on_foot * on_foot / foot + on_face + on_crest -
           0.5f * on_crest * on_crest / crest;
}

// A ridge, the same for all y: 20 % up, which the weakest reference vehicle just climbs from rest,
// and 30 % down on the other side.
static float hill_height(float x, float y) {
    (void)y;
    return 0.20f * ramp(x, 40.0f, 15.0f, 40.0f, 20.0f) -
           0.30f * ramp(x, 140.0f, 20.0f, 20.833f, 15.0f);
}

// Up, where it has to stop and start again; a double bend on the top; down, and a bend at the foot
// for whoever comes too fast.
static void steep_hill(course_draft* draft) {
    pen p = kerb_scene_pen_make(draft, 4.0f, ROAD);
    kerb_scene_pen_straight(&p, 70.0f);
    kerb_scene_pen_stop(&p, 3.0f);
    kerb_scene_pen_straight(&p, 44.0f);
    kerb_scene_pen_arc(&p, 25.0f, courses_radians(-30.0f));
    kerb_scene_pen_arc(&p, 25.0f, courses_radians(30.0f));
    kerb_scene_pen_straight(&p, 65.0f);
    kerb_scene_pen_arc(&p, 20.0f, courses_radians(50.0f));
    kerb_scene_pen_straight(&p, 30.0f);
    kerb_scene_pen_terrain(&p, 25.0f, 2.0f, hill_height);
}

// --------------------------------------------------------------------------- between solids

static void narrow_corridor(course_draft* draft) {
    pen p = kerb_scene_pen_make(draft, 3.0f, 2.25f);
    static const float bends[][2] = {{30, 60}, {12, -90}, {20, 45}, {20, -45}, {12, 90}, {12, -90}};
    kerb_scene_pen_straight(&p, 10.0f);
    for (int32_t i = 0; i < 6; i++) {
        kerb_scene_pen_straight(&p, 15.0f);
        kerb_scene_pen_arc(&p, bends[i][0], courses_radians(bends[i][1]));
    }
    kerb_scene_pen_straight(&p, 25.0f);
    kerb_scene_pen_fence(&p, 2.25f);
}

#define POST_SPACING 18.0f
#define POST_CLEARANCE 2.6f // from the course to a post's middle

static void slalom(course_draft* draft) {
    pen p = kerb_scene_pen_make(draft, 2.0f, 2.5f);
    float side = 1.0f;
    kerb_scene_pen_straight(&p, 30.0f);
    kerb_scene_pen_shift(&p, POST_SPACING, POST_CLEARANCE);
    for (int32_t i = 0; i < 10; i++) {
        kerb_scene_pen_post(&p, kerb_vec2_make(p.x, 0.0f), 0.3f);
        if (i < 9)
            kerb_scene_pen_swing(&p, POST_SPACING, -2.0f * POST_CLEARANCE * side);
        side = -side;
    }
    kerb_scene_pen_shift(&p, POST_SPACING, POST_CLEARANCE);
    kerb_scene_pen_straight(&p, 30.0f);
}

// In five stretches, forwards and in reverse by turns, each a piece of a circle of 8 m radius that
// keeps within 1.5 m of the street's middle. The cosines of the heading between them:
static const float turn_cosines[] = {1.0f, 0.5f, 0.125f, -0.25f, -0.625f, -1.0f};

static void many_point_turn(course_draft* draft) {
    pen p = kerb_scene_pen_make(draft, 2.0f, 3.0f);
    kerb_scene_pen_straight(&p, 45.0f);
    kerb_scene_pen_shift(&p, 20.0f, -2.5f);
    p.spacing = 1.0f;
    for (int32_t i = 0; i < 5; i++) {
        if (i > 0)
            kerb_scene_pen_turn_back(&p);
        kerb_scene_pen_arc(&p, 8.0f, kerb_acos(turn_cosines[i + 1]) - kerb_acos(turn_cosines[i]));
    }
    p.spacing = 2.0f;
    kerb_scene_pen_shift(&p, 20.0f, -1.0f);
    kerb_scene_pen_straight(&p, 45.0f);
    kerb_scene_pen_wall(&p, kerb_vec2_make(-10.0f, -6.2f), kerb_vec2_make(95.0f, -6.2f));
    kerb_scene_pen_wall(&p, kerb_vec2_make(-10.0f, 6.2f), kerb_vec2_make(95.0f, 6.2f));
}

// --------------------------------------------------------------------------- bad roads

// Leaves a waypoint every half to six metres and moves it by up to 0.4 m along x and y: what is
// left when somebody records a drive, or a tool that knows nothing of vehicles writes the path.
static void roughen(course_draft* draft) {
    kerb_random random = kerb_random_make(18, 5);
    float since = 0.0f, spacing = kerb_random_between(&random, 0.5f, 6.0f);
    int32_t kept = 1;
    for (int32_t i = 1; i < draft->count; i++) {
        kerb_waypoint waypoint = draft->waypoints[i];
        since +=
            kerb_vec3_length(kerb_vec3_sub(waypoint.position, draft->waypoints[i - 1].position));
        bool last = i == draft->count - 1;
        if (since < spacing && !last)
            continue;
        since = 0.0f;
        spacing = kerb_random_between(&random, 0.5f, 6.0f);
        waypoint.position.x += last ? 0.0f : kerb_random_between(&random, -0.4f, 0.4f);
        waypoint.position.y += last ? 0.0f : kerb_random_between(&random, -0.4f, 0.4f);
        draft->waypoints[kept++] = waypoint;
    }
    draft->count = kept;
}

static void noisy_waypoints(course_draft* draft) {
    pen p = kerb_scene_pen_make(draft, 0.25f, ROAD);
    static const float bends[][2] = {{30, 60}, {22, -100}, {40, 70}, {18, -90}, {25, 80}};
    courses_wind(&p, bends, 5);
    roughen(draft);
}

// The middle of each bend is wet (0.5) or frozen (0.25).
static void low_grip(course_draft* draft) {
    pen p = kerb_scene_pen_make(draft, 4.0f, ROAD);
    static const float bends[][2] = {{35, 70}, {30, -90}, {40, 80}, {25, -90}};
    kerb_scene_pen_straight(&p, 30.0f);
    for (int32_t i = 0; i < 4; i++) {
        kerb_scene_pen_arc(&p, bends[i][0], courses_radians(0.5f * bends[i][1]));
        kerb_scene_pen_slippery(&p, 14.0f, i % 2 == 0 ? 0.5f : 0.25f);
        kerb_scene_pen_arc(&p, bends[i][0], courses_radians(0.5f * bends[i][1]));
        kerb_scene_pen_straight(&p, 20.0f);
    }
    kerb_scene_pen_slippery(&p, 12.0f, 0.25f);
    kerb_scene_pen_straight(&p, 30.0f);
}

// --------------------------------------------------------------------------- the registry

typedef struct course_entry {
    const char* name;
    const char* about;
    void (*draw)(course_draft* draft);
    float speed;
} course_entry;

static const course_entry courses_registry[] = {
    {"city-corners", "right-angled corners between houses, waypoints 5 m apart", city_corners, 10},
    {"figure-eight", "two circles of 20 m radius that cross, driven twice", figure_eight, 10},
    {"hairpins", "four half turns, from 14 m down to 8 m radius", hairpins, 10},
    {"lane-change", "double lane change after ISO 3888-1", lane_change, 10},
    {"steep-hill", "up 20 % with a stop on it, down 30 % to a bend", steep_hill, 10},
    {"narrow-corridor", "gentle and sharp bends between walls 4.5 m apart", narrow_corridor, 10},
    {"slalom", "round ten posts, 18 m apart", slalom, 10},
    {"noisy-waypoints", "0.5 to 6 m apart, moved by up to 0.4 m", noisy_waypoints, 10},
    {"low-grip", "a winding road, wet and frozen in its bends", low_grip, 10},
    {"many-point-turn", "turns round between walls 12 m apart, in five stretches", many_point_turn,
     10},
};

int32_t kerb_scene_course_count(void) {
    return (int32_t)(sizeof courses_registry / sizeof courses_registry[0]);
}

const char* kerb_scene_course_name(int32_t index) {
    return courses_registry[index].name;
}

const char* kerb_scene_course_about(int32_t index) {
    return courses_registry[index].about;
}

static const course_entry* courses_find(const char* name) {
    for (int32_t i = 0; i < kerb_scene_course_count(); i++) {
        if (strcmp(courses_registry[i].name, name) == 0)
            return &courses_registry[i];
    }
    return NULL;
}

// Waypoints know the grip of the ground that they lie on.
static void learn_grip(course_draft* draft) {
    for (int32_t i = 0; i < draft->count; i++) {
        kerb_waypoint* waypoint = &draft->waypoints[i];
        for (int32_t k = 0; k < draft->zone_count; k++) {
            kerb_vec2 off = {waypoint->position.x - draft->zones[k].centre.x,
                             waypoint->position.y - draft->zones[k].centre.y};
            if (kerb_vec2_length(off) <= draft->zones[k].radius)
                waypoint->grip = draft->zones[k].grip;
        }
    }
}

kerb_result kerb_scene_course_make(const char* name, const kerb_host* host,
                                   kerb_scene_course* course, kerb_error* error) {
    memset(course, 0, sizeof *course);
    const course_entry* entry = courses_find(name);
    if (entry == NULL)
        return kerb_error_set(error, KERB_ERROR_UNKNOWN_FIELD, name, 0, -1,
                              "there is no built-in course of this name");
    course_draft* draft = kerb_scene_course_draft_make(host, error);
    if (draft == NULL)
        return KERB_ERROR_OUT_OF_MEMORY;
    entry->draw(draft);
    learn_grip(draft);
    kerb_scene_course_draft_hand_out(draft, course);
    course->speed = entry->speed;
    strncpy(course->name, entry->name, sizeof course->name - 1);
    strncpy(course->about, entry->about, sizeof course->about - 1);
    return KERB_OK;
}

void kerb_scene_course_free(kerb_scene_course* course, const kerb_host* host) {
    if (course->waypoints != NULL)
        host->allocator.release(host->allocator.context, course->waypoints, course->bytes);
    memset(course, 0, sizeof *course);
}
