// Random courses, drawn with a pen: one function for each kind, in the order of the list at the
// end.
//
// They contain what makes paths of games hard: corners without radius and waypoints far apart, as
// navigation meshes have; waypoints that jitter or repeat, as recordings have; limits that jump;
// hills, ice, stops and changes of direction. Bends are as tight as roads of that kind have them,
// whatever the vehicle.
#include "scene/course/course.h"
#include "scene/course/pen.h"
#include "scene/course/unseen.h"

#include <stdio.h>
#include <string.h>

typedef struct sketch {
    pen p;
    kerb_random* random;
    course_draft* draft;
    bool closed;
    float speed; // that somebody might ask for [m/s]
} sketch;

static float between(sketch* s, float least, float most) {
    return kerb_random_between(s->random, least, most);
}

static float side(sketch* s) {
    return kerb_random_below(s->random, 2) == 0 ? -1.0f : 1.0f;
}

static void unseen_courses_begin(sketch* s, float spacing, float half_width) {
    s->p = kerb_scene_pen_make(s->draft, spacing, half_width);
    s->p.heading = between(s, -KERB_PI, KERB_PI);
}

// Bends of random radius to either side, with short straights between them.
static void unseen_courses_wind(sketch* s, int32_t bends, float radius_least, float radius_most) {
    kerb_scene_pen_straight(&s->p, between(s, 15.0f, 40.0f));
    for (int32_t i = 0; i < bends; i++) {
        kerb_scene_pen_arc(&s->p, between(s, radius_least, radius_most),
                           side(s) * between(s, 0.4f, 1.8f));
        kerb_scene_pen_straight(&s->p, between(s, 5.0f, 40.0f));
    }
}

// --------------------------------------------------------------------------- what is done to them

static float level_step(const course_draft* draft, int32_t i) {
    kerb_vec3 from = draft->waypoints[i - 1].position, to = draft->waypoints[i].position;
    return kerb_vec2_length(kerb_vec2_make(to.x - from.x, to.y - from.y));
}

// Hills: the slope changes every so often, and gradually.
static void raise(sketch* s, float steepest) {
    float slope = 0.0f, wanted = 0.0f, left = 0.0f, height = 0.0f;
    for (int32_t i = 1; i < s->draft->count; i++) {
        float step = level_step(s->draft, i);
        left -= step;
        if (left < 0.0f) {
            wanted = between(s, -steepest, steepest);
            left = between(s, 30.0f, 120.0f);
        }
        slope += kerb_clamp(wanted - slope, -0.01f * step, 0.01f * step);
        height += slope * step;
        s->draft->waypoints[i].position.z = height;
    }
}

// Leaves out all but some waypoints, so that the rest is unevenly far apart, and moves them.
static void record_badly(sketch* s, float jitter) {
    course_draft* draft = s->draft;
    int32_t kept = 1;
    for (int32_t i = 1; i < draft->count; i++) {
        bool last = i == draft->count - 1;
        if (!last && kerb_random_below(s->random, 3) == 0)
            continue;
        draft->waypoints[kept] = draft->waypoints[i];
        draft->waypoints[kept].position.x += last ? 0.0f : between(s, -jitter, jitter);
        draft->waypoints[kept].position.y += last ? 0.0f : between(s, -jitter, jitter);
        kept++;
    }
    draft->count = kept;
}

// Every waypoint may come twice, as from recorders that do not look whether anything moved.
static void repeat_some(sketch* s) {
    course_draft* draft = s->draft;
    for (int32_t i = 1; i < draft->count - 1; i++) {
        if (kerb_random_below(s->random, 6) == 0) {
            bool stops = draft->waypoints[i].stop > 0.0f;
            if (!stops)
                draft->waypoints[i].position = draft->waypoints[i - 1].position;
        }
    }
}

// Limits that jump from stretch to stretch.
static void limit_speeds(sketch* s, float least, float most) {
    float left = 0.0f, limit = most;
    for (int32_t i = 0; i < s->draft->count; i++) {
        left -= i > 0 ? level_step(s->draft, i) : 0.0f;
        if (left <= 0.0f) {
            limit = between(s, least, most);
            left = between(s, 20.0f, 120.0f);
        }
        s->draft->waypoints[i].speed_limit = limit;
    }
}

// --------------------------------------------------------------------------- kinds

static void city_blocks(sketch* s) {
    unseen_courses_begin(s, between(s, 3.0f, 10.0f), between(s, 3.0f, 5.0f));
    s->speed = between(s, 8.0f, 14.0f);
    for (int32_t i = 0; i < 8; i++) {
        kerb_scene_pen_straight(&s->p, between(s, 20.0f, 80.0f));
        kerb_scene_pen_corner(&s->p, side(s) * 0.5f * KERB_PI);
    }
    kerb_scene_pen_straight(&s->p, 40.0f);
}

static void mountain_road(sketch* s) {
    unseen_courses_begin(s, between(s, 2.0f, 5.0f), between(s, 2.75f, 4.0f));
    s->speed = between(s, 10.0f, 20.0f);
    float turn = side(s);
    for (int32_t i = 0; i < 6; i++) {
        kerb_scene_pen_straight(&s->p, between(s, 20.0f, 60.0f));
        kerb_scene_pen_arc(&s->p, between(s, 25.0f, 60.0f), side(s) * between(s, 0.2f, 0.7f));
        kerb_scene_pen_straight(&s->p, between(s, 15.0f, 40.0f));
        kerb_scene_pen_arc(&s->p, between(s, 7.5f, 14.0f), turn * between(s, 2.5f, 3.4f));
        turn = -turn;
    }
    kerb_scene_pen_straight(&s->p, 30.0f);
    raise(s, 0.15f);
}

static void race_sweeps(sketch* s) {
    unseen_courses_begin(s, between(s, 3.0f, 6.0f), between(s, 4.5f, 7.0f));
    s->speed = between(s, 20.0f, 35.0f);
    kerb_scene_pen_straight(&s->p, 60.0f);
    for (int32_t i = 0; i < 10; i++) {
        kerb_scene_pen_arc(&s->p, between(s, 20.0f, 150.0f), side(s) * between(s, 0.5f, 2.2f));
        kerb_scene_pen_straight(&s->p, between(s, 0.0f, 100.0f));
    }
    kerb_scene_pen_straight(&s->p, 80.0f);
}

static void narrow_alley(sketch* s) {
    unseen_courses_begin(s, between(s, 2.0f, 5.0f), between(s, 1.6f, 2.4f));
    s->speed = between(s, 6.0f, 10.0f);
    for (int32_t i = 0; i < 6; i++) {
        kerb_scene_pen_straight(&s->p, between(s, 12.0f, 30.0f));
        if (kerb_random_below(s->random, 2) == 0)
            kerb_scene_pen_corner(&s->p, side(s) * between(s, 0.3f, 1.6f));
        else
            kerb_scene_pen_arc(&s->p, between(s, 8.0f, 20.0f), side(s) * between(s, 0.5f, 1.6f));
    }
    kerb_scene_pen_straight(&s->p, 20.0f);
}

static void recorded_drive(sketch* s) {
    unseen_courses_begin(s, between(s, 0.7f, 3.0f), 3.0f);
    s->speed = between(s, 8.0f, 15.0f);
    unseen_courses_wind(s, 7, 15.0f, 60.0f);
    record_badly(s, between(s, 0.05f, 0.4f));
    repeat_some(s);
}

static void navigation_mesh(sketch* s) {
    unseen_courses_begin(s, 100.0f, between(s, 2.5f, 5.0f));
    s->speed = between(s, 8.0f, 15.0f);
    for (int32_t i = 0; i < 9; i++) {
        kerb_scene_pen_straight(&s->p, between(s, 15.0f, 45.0f));
        kerb_scene_pen_corner(&s->p, side(s) * between(s, 0.5f, 2.6f));
    }
    kerb_scene_pen_straight(&s->p, 40.0f);
}

static void zig_zag(sketch* s) {
    unseen_courses_begin(s, between(s, 3.0f, 12.0f), between(s, 2.5f, 4.0f));
    s->speed = between(s, 6.0f, 12.0f);
    float angle = between(s, 0.7f, 2.0f), turn = side(s);
    kerb_scene_pen_straight(&s->p, 20.0f);
    kerb_scene_pen_corner(&s->p, 0.5f * turn * angle);
    for (int32_t i = 0; i < 8; i++) {
        kerb_scene_pen_straight(&s->p, between(s, 10.0f, 22.0f));
        turn = -turn;
        kerb_scene_pen_corner(&s->p, turn * angle);
    }
    kerb_scene_pen_straight(&s->p, 25.0f);
}

static void parking(sketch* s) {
    unseen_courses_begin(s, between(s, 0.7f, 2.0f), between(s, 2.0f, 3.5f));
    s->speed = between(s, 5.0f, 10.0f);
    kerb_scene_pen_straight(&s->p, between(s, 15.0f, 30.0f));
    for (int32_t i = 0; i < 2; i++) {
        kerb_scene_pen_arc(&s->p, between(s, 8.0f, 15.0f), side(s) * between(s, 0.3f, 1.2f));
        kerb_scene_pen_straight(&s->p, between(s, 3.0f, 10.0f));
        kerb_scene_pen_turn_back(&s->p);
        if (kerb_random_below(s->random, 2) == 0)
            kerb_scene_pen_stop(&s->p, between(s, 0.5f, 3.0f));
        kerb_scene_pen_straight(&s->p, between(s, 2.0f, 6.0f));
        float radius = between(s, 8.0f, 15.0f), angle = side(s) * between(s, 0.3f, 1.2f);
        kerb_scene_pen_arc(&s->p, radius, angle);
        if (kerb_random_below(s->random, 2) == 0)
            kerb_scene_pen_arc(&s->p, radius, -angle);
        kerb_scene_pen_straight(&s->p, between(s, 2.0f, 8.0f));
        kerb_scene_pen_turn_back(&s->p);
        kerb_scene_pen_straight(&s->p, between(s, 5.0f, 15.0f));
    }
    kerb_scene_pen_straight(&s->p, 15.0f);
}

static void bus_line(sketch* s) {
    unseen_courses_begin(s, between(s, 3.0f, 8.0f), 3.5f);
    s->speed = between(s, 8.0f, 16.0f);
    for (int32_t i = 0; i < 5; i++) {
        unseen_courses_wind(s, 1, 15.0f, 50.0f);
        kerb_scene_pen_stop(&s->p, between(s, 0.5f, 5.0f));
    }
    kerb_scene_pen_straight(&s->p, 40.0f);
    repeat_some(s);
}

static void ice_road(sketch* s) {
    unseen_courses_begin(s, between(s, 2.0f, 5.0f), 4.0f);
    s->speed = between(s, 8.0f, 15.0f);
    s->p.next.grip = between(s, 0.2f, 0.6f);
    s->draft->waypoints[0].grip = s->p.next.grip;
    unseen_courses_wind(s, 6, 15.0f, 60.0f);
    for (int32_t i = 0; i < s->draft->count / 2; i++)
        s->draft->waypoints[i].grip = 1.0f;
}

// Round a middle, at a distance that swells and shrinks.
static void closed_loop(sketch* s) {
    s->speed = between(s, 10.0f, 25.0f);
    s->closed = true;
    float radius = between(s, 40.0f, 150.0f), share = between(s, 0.05f, 0.2f);
    float phase = between(s, 0.0f, 6.0f);
    float lobes = (float)(2 + kerb_random_below(s->random, 3));
    int32_t count = (int32_t)(6.0f * radius / between(s, 2.0f, 8.0f));
    kerb_waypoint waypoint = kerb_waypoint_at(0, 0, 0);
    waypoint.left = waypoint.right = between(s, 3.0f, 6.0f);
    for (int32_t i = 0; i < count && i < DRAFT_WAYPOINTS; i++) {
        float angle = 2.0f * KERB_PI * (float)i / (float)count;
        float away = radius * (1.0f + share * kerb_cos(lobes * angle + phase));
        waypoint.position = kerb_vec3_make(away * kerb_cos(angle), away * kerb_sin(angle), 0.0f);
        s->draft->waypoints[s->draft->count++] = waypoint;
    }
}

static void few_metres(sketch* s) {
    unseen_courses_begin(s, 100.0f, 2.0f);
    s->speed = between(s, 3.0f, 15.0f);
    int32_t legs = 1 + kerb_random_below(s->random, 3);
    for (int32_t i = 0; i < legs; i++) {
        kerb_scene_pen_straight(&s->p, between(s, 4.0f, 12.0f));
        kerb_scene_pen_corner(&s->p, between(s, -0.8f, 0.8f));
    }
}

static void country_road(sketch* s) {
    unseen_courses_begin(s, between(s, 5.0f, 10.0f), 3.5f);
    s->speed = between(s, 15.0f, 30.0f);
    unseen_courses_wind(s, 40, 25.0f, 200.0f);
    raise(s, 0.08f);
}

static void speed_zones(sketch* s) {
    unseen_courses_begin(s, between(s, 3.0f, 10.0f), 3.5f);
    s->speed = 30.0f;
    unseen_courses_wind(s, 12, 20.0f, 120.0f);
    limit_speeds(s, 2.0f, 30.0f);
}

typedef struct course_kind {
    const char* name;
    const char* about;
    void (*draw)(sketch* s);
    float radius;
} course_kind;

static const course_kind unseen_courses_kinds[] = {
    {"city-blocks", "right angles without radius, 20 to 80 m apart", city_blocks, 0},
    {"mountain-road", "hairpins of 7.5 to 14 m, slopes to 15 %", mountain_road, 7.5f},
    {"race-sweeps", "bends of 20 to 150 m at 20 to 35 m/s", race_sweeps, 20},
    {"narrow-alley", "bends and corners in a corridor 3.2 to 4.8 m wide", narrow_alley, 0},
    {"recorded-drive", "waypoints moved by up to 0.4 m, some twice", recorded_drive, 15},
    {"navigation-mesh", "corners of 30 to 150 degrees and nothing between", navigation_mesh, 0},
    {"zig-zag", "corners of 40 to 115 degrees, 10 to 22 m apart", zig_zag, 0},
    {"parking", "forwards and in reverse by turns", parking, 8},
    {"bus-line", "a road with stops", bus_line, 15},
    {"ice-road", "half of it has a grip of 0.2 to 0.6", ice_road, 15},
    {"closed-loop", "a round of 250 m to 1 km", closed_loop, 15},
    {"few-metres", "one to three legs of 4 to 12 m", few_metres, 0},
    {"country-road", "some 5 km, hilly", country_road, 25},
    {"speed-zones", "limits of 2 to 30 m/s that jump", speed_zones, 20},
};

int32_t kerb_scene_unseen_course_kinds(void) {
    return (int32_t)(sizeof unseen_courses_kinds / sizeof unseen_courses_kinds[0]);
}

const char* kerb_scene_unseen_course_kind(int32_t kind) {
    return unseen_courses_kinds[kind].name;
}

const char* kerb_scene_unseen_course_about(int32_t kind) {
    return unseen_courses_kinds[kind].about;
}

float kerb_scene_unseen_course_radius(int32_t kind) {
    return unseen_courses_kinds[kind].radius;
}

kerb_result kerb_scene_unseen_course(uint64_t seed, const kerb_host* host,
                                     kerb_scene_course* course, kerb_error* error) {
    memset(course, 0, sizeof *course);
    course_draft* draft = kerb_scene_course_draft_make(host, error);
    if (draft == NULL)
        return KERB_ERROR_OUT_OF_MEMORY;
    const course_kind* kind =
        &unseen_courses_kinds[seed % (uint64_t)kerb_scene_unseen_course_kinds()];
    kerb_random random = kerb_random_make(seed, 1);
    sketch s = {.draft = draft, .random = &random};
    kind->draw(&s);
    kerb_scene_course_draft_hand_out(draft, course);
    course->closed = s.closed;
    course->speed = s.speed;
    snprintf(course->name, sizeof course->name, "%s-%llu", kind->name, (unsigned long long)seed);
    snprintf(course->about, sizeof course->about, "%s", kind->about);
    return KERB_OK;
}
