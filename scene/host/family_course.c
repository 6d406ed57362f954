// Purpose: courses for hosts of any size.
// Idea:    a pen that leaves waypoints; lengths are shares of the smallest turning radius and of
//          the wheelbase, so that the same course is as hard for a toy as for a lorry.
// Cost:    O(waypoints).
#include "scene/host/family_course.h"

#define COURSE_STREAM 81u
#define BEND_STEP 0.06f // of heading between waypoints of a bend at most [rad]

static void put_waypoint(kerb_family_course* course) {
    if (course->count >= KERB_FAMILY_WAYPOINTS)
        return;
    kerb_waypoint waypoint = kerb_waypoint_at(course->x, course->y, 0.0f);
    waypoint.left = waypoint.right = course->half_width;
    course->waypoints[course->count++] = waypoint;
}

void kerb_family_course_begin(kerb_family_course* course, kerb_vec3 place, float heading,
                              float spacing, float half_width) {
    course->count = 0;
    course->x = place.x;
    course->y = place.y;
    course->heading = heading;
    course->spacing = spacing;
    course->half_width = half_width;
    put_waypoint(course);
}

static void move_pen(kerb_family_course* course, float length) {
    float sine, cosine;
    kerb_sin_cos(course->heading, &sine, &cosine);
    course->x += length * cosine;
    course->y += length * sine;
    put_waypoint(course);
}

void kerb_family_course_straight(kerb_family_course* course, float length) {
    int32_t count = 1 + (int32_t)(length / course->spacing);
    for (int32_t i = 0; i < count; i++)
        move_pen(course, length / (float)count);
}

void kerb_family_course_arc(kerb_family_course* course, float radius, float angle) {
    float size = kerb_abs(angle);
    float step = kerb_min(BEND_STEP, course->spacing / radius);
    int32_t count = 1 + (int32_t)(size / step);
    float turn = angle / (float)count;
    for (int32_t i = 0; i < count; i++) {
        float grows = 1.0f + 0.02f * kerb_abs(turn) * (float)i / (2.0f * KERB_PI);
        course->heading += 0.5f * turn;
        move_pen(course, grows * radius * kerb_abs(turn));
        course->heading += 0.5f * turn;
    }
}

void kerb_family_course_corner(kerb_family_course* course, float angle) {
    course->heading += angle;
}

void kerb_family_course_jitter(kerb_family_course* course, float distance, uint64_t seed) {
    kerb_random random = kerb_random_make(seed, COURSE_STREAM + 1u);
    for (int32_t i = 1; i + 1 < course->count; i++) {
        course->waypoints[i].position.x += kerb_random_between(&random, -distance, distance);
        course->waypoints[i].position.y += kerb_random_between(&random, -distance, distance);
    }
}

bool kerb_family_course_path(const kerb_family_course* course, kerb_path* path) {
    kerb_host host = kerb_host_default();
    return kerb_path_create(path, course->waypoints, course->count, false, &host, NULL) == KERB_OK;
}

// --------------------------------------------------------------------------- the ten

static const char* const course_names[] = {"slalom",      "hairpin", "right angles", "S bends",
                                           "circle",      "eight",   "random bends", "block",
                                           "lane change", "polygon"};

const char* kerb_family_course_name(int32_t kind) {
    return course_names[kind];
}

// Turns of 70 degrees to alternate sides.
static void draw_slalom(kerb_family_course* c, float r) {
    kerb_family_course_straight(c, 2.0f * r);
    kerb_family_course_arc(c, 1.6f * r, 0.6f);
    for (int32_t i = 0; i < 8; i++)
        kerb_family_course_arc(c, 1.6f * r, i % 2 == 0 ? -1.2f : 1.2f);
    kerb_family_course_straight(c, 2.0f * r);
}

static void draw_hairpin(kerb_family_course* c, float r) {
    kerb_family_course_straight(c, 8.0f * r);
    kerb_family_course_arc(c, 1.3f * r, KERB_PI);
    kerb_family_course_straight(c, 5.0f * r);
    kerb_family_course_arc(c, 1.5f * r, -KERB_PI);
    kerb_family_course_straight(c, 5.0f * r);
}

static void draw_right_angles(kerb_family_course* c, float r) {
    static const float sides[] = {5.0f, 6.0f, 4.0f, 7.0f, 5.0f, 4.0f};
    static const float corners[] = {1.0f, -1.0f, -1.0f, 1.0f, 1.0f, -1.0f};
    for (int32_t i = 0; i < 6; i++) {
        kerb_family_course_straight(c, sides[i] * r);
        kerb_family_course_corner(c, 0.5f * KERB_PI * corners[i]);
    }
    kerb_family_course_straight(c, 6.0f * r);
}

static void draw_s_bends(kerb_family_course* c, float r) {
    static const float radii[] = {2.0f, 3.0f, 1.5f, 4.0f, 2.0f};
    for (int32_t i = 0; i < 5; i++) {
        kerb_family_course_straight(c, 2.0f * r);
        kerb_family_course_arc(c, radii[i] * r, i % 2 == 0 ? 1.8f : -1.8f);
    }
    kerb_family_course_straight(c, 3.0f * r);
}

static void draw_circle(kerb_family_course* c, float r) {
    kerb_family_course_arc(c, 3.0f * r, 2.0f * KERB_PI);
    kerb_family_course_straight(c, 2.0f * r);
}

static void draw_eight(kerb_family_course* c, float r) {
    kerb_family_course_straight(c, 2.0f * r);
    kerb_family_course_arc(c, 2.5f * r, 2.0f * KERB_PI);
    kerb_family_course_arc(c, 2.0f * r, -2.0f * KERB_PI);
    kerb_family_course_straight(c, 2.0f * r);
}

static void draw_random_bends(kerb_family_course* c, float r, uint64_t seed) {
    kerb_random random = kerb_random_make(seed, COURSE_STREAM);
    for (int32_t i = 0; i < 12; i++) {
        float radius = kerb_random_between(&random, 1.4f, 6.0f);
        float angle = kerb_random_between(&random, 0.2f, 1.6f);
        bool left = kerb_random_below(&random, 2) == 0;
        if (kerb_random_below(&random, 3) == 0)
            kerb_family_course_straight(c, kerb_random_between(&random, 1.0f, 8.0f) * r);
        kerb_family_course_arc(c, radius * r, left ? angle : -angle);
    }
    kerb_family_course_straight(c, 2.0f * r);
}

static void draw_block(kerb_family_course* c, float r) {
    for (int32_t i = 0; i < 4; i++) {
        kerb_family_course_straight(c, (i % 2 == 0 ? 10.0f : 5.0f) * r);
        kerb_family_course_arc(c, 1.25f * r, 0.5f * KERB_PI);
    }
    kerb_family_course_straight(c, 3.0f * r);
}

// There and back, by two bends each.
static void draw_lane_change(kerb_family_course* c, float r) {
    kerb_family_course_straight(c, 8.0f * r);
    for (int32_t i = 0; i < 2; i++) {
        float side = i == 0 ? 1.0f : -1.0f;
        kerb_family_course_arc(c, 4.0f * r, 0.4f * side);
        kerb_family_course_arc(c, 4.0f * r, -0.4f * side);
        kerb_family_course_straight(c, 6.0f * r);
    }
}

static void draw_polygon(kerb_family_course* c, float r) {
    static const float corners[] = {0.9f, 0.5f, -1.2f, 0.7f, -0.6f};
    for (int32_t i = 0; i < 5; i++) {
        c->spacing = 10.0f * r;
        kerb_family_course_straight(c, 9.0f * r);
        kerb_family_course_corner(c, corners[i]);
    }
    kerb_family_course_straight(c, 9.0f * r);
}

void kerb_family_course_draw(kerb_family_course* course, int32_t kind, const kerb_vehicle* vehicle,
                             uint64_t seed) {
    float r = kerb_vehicle_turning_radius(vehicle);
    kerb_family_course_begin(course, (kerb_vec3){0}, 0.0f, 0.75f * vehicle->wheelbase,
                             vehicle->width);
    switch (kind) {
    case 0:
        draw_slalom(course, r);
        break;
    case 1:
        draw_hairpin(course, r);
        break;
    case 2:
        draw_right_angles(course, r);
        break;
    case 3:
        draw_s_bends(course, r);
        break;
    case 4:
        draw_circle(course, r);
        break;
    case 5:
        draw_eight(course, r);
        break;
    case 6:
        draw_random_bends(course, r, seed);
        break;
    case 7:
        draw_block(course, r);
        break;
    case 8:
        draw_lane_change(course, r);
        break;
    default:
        draw_polygon(course, r);
        break;
    }
}
