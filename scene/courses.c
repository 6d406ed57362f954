// The built-in courses. Each builder lays waypoints end to end with a pen: a place, a heading, and
// three strokes (straight, arc, shift sideways), so that a course reads as one would describe it.
#include "scene/course.h"

#include <string.h>

#define WAYPOINTS_MAX 2048

// Draws a course: the pen's place and heading, and how far apart it leaves waypoints.
typedef struct pen {
    kerb_waypoint* waypoints;
    int32_t count;
    kerb_waypoint next; // what the next waypoint will be, apart from its position
    float x, y, heading, spacing;
} pen;

static void mark(pen* p) {
    if (p->count == WAYPOINTS_MAX)
        return;
    kerb_waypoint waypoint = p->next;
    waypoint.position = kerb_vec3_make(p->x, p->y, 0.0f);
    p->waypoints[p->count++] = waypoint;
}

static pen pen_make(kerb_waypoint* waypoints, float spacing, float half_width) {
    pen p = {.waypoints = waypoints, .spacing = spacing, .next = kerb_waypoint_at(0, 0, 0)};
    p.next.left = p.next.right = half_width;
    mark(&p);
    return p;
}

static int32_t steps_for(float length, float spacing) {
    int32_t steps = (int32_t)(length / spacing + 0.5f);
    return steps > 1 ? steps : 1;
}

static void straight(pen* p, float length) {
    int32_t steps = steps_for(length, p->spacing);
    float sine, cosine;
    kerb_sin_cos(p->heading, &sine, &cosine);
    float x = p->x, y = p->y;
    for (int32_t i = 1; i <= steps; i++) {
        float along = length * (float)i / (float)steps;
        p->x = x + cosine * along;
        p->y = y + sine * along;
        mark(p);
    }
}

// Turns by `angle` (left positive) on a circle of `radius`, with waypoints on the circle.
static void arc(pen* p, float radius, float angle) {
    int32_t steps = steps_for(radius * kerb_abs(angle), p->spacing);
    float side = angle > 0.0f ? 1.0f : -1.0f;
    float sine, cosine;
    kerb_sin_cos(p->heading, &sine, &cosine);
    float centre_x = p->x - side * radius * sine, centre_y = p->y + side * radius * cosine;
    float start = p->heading;
    for (int32_t i = 1; i <= steps; i++) {
        kerb_sin_cos(start + angle * (float)i / (float)steps, &sine, &cosine);
        p->x = centre_x + side * radius * sine;
        p->y = centre_y - side * radius * cosine;
        mark(p);
    }
    p->heading = start + angle;
}

// A corner without radius: waypoints say "turn here", as a navigation mesh's do.
static void corner(pen* p, float angle) {
    p->heading += angle;
}

// Moves sideways (left positive) over a length, by the quintic whose ends are straight.
static void shift(pen* p, float length, float offset) {
    int32_t steps = steps_for(length, p->spacing);
    float sine, cosine;
    kerb_sin_cos(p->heading, &sine, &cosine);
    float x = p->x, y = p->y;
    for (int32_t i = 1; i <= steps; i++) {
        float t = (float)i / (float)steps;
        float along = length * t;
        float aside = offset * t * t * t * (10.0f - 15.0f * t + 6.0f * t * t);
        p->x = x + cosine * along - sine * aside;
        p->y = y + sine * along + cosine * aside;
        mark(p);
    }
}

// --------------------------------------------------------------------------- the courses

static const float quarter = 0.5f * KERB_PI;

static int32_t city_corners(kerb_waypoint* waypoints) {
    pen p = pen_make(waypoints, 5.0f, 3.0f);
    static const float blocks[] = {60, 50, 40, 30, 50, 40, 60, 50};
    static const float turns[] = {1, -1, -1, 1, 1, 1, -1, 0};
    for (int32_t i = 0; i < 8; i++) {
        straight(&p, blocks[i]);
        corner(&p, turns[i] * quarter);
    }
    return p.count;
}

static int32_t figure_eight(kerb_waypoint* waypoints) {
    pen p = pen_make(waypoints, 2.0f, 2.5f);
    straight(&p, 20.0f);
    for (int32_t round = 0; round < 2; round++) {
        arc(&p, 20.0f, 4.0f * quarter);
        arc(&p, 20.0f, -4.0f * quarter);
    }
    straight(&p, 20.0f);
    return p.count;
}

static int32_t hairpins(kerb_waypoint* waypoints) {
    pen p = pen_make(waypoints, 2.0f, 2.5f);
    static const float radii[] = {14, 11, 9, 8};
    straight(&p, 50.0f);
    for (int32_t i = 0; i < 4; i++) {
        arc(&p, radii[i], i % 2 == 0 ? 2.0f * quarter : -2.0f * quarter);
        straight(&p, 45.0f);
    }
    return p.count;
}

// ISO 3888-1: sections of 15, 30, 25, 25, 15 and 15 m, 3.5 m aside; lanes 1.1, 1.2 and 1.3 times
// the vehicle's width plus 0.25 m, here for a width of 1.9 m. There is a run-up before it.
static int32_t lane_change(kerb_waypoint* waypoints) {
    pen p = pen_make(waypoints, 2.5f, 0.5f * (1.1f * 1.9f + 0.25f));
    straight(&p, 60.0f + 15.0f);
    p.next.left = p.next.right = 1.75f;
    shift(&p, 30.0f, 3.5f);
    p.next.left = p.next.right = 0.5f * (1.2f * 1.9f + 0.25f);
    straight(&p, 25.0f);
    p.next.left = p.next.right = 1.75f;
    shift(&p, 25.0f, -3.5f);
    p.next.left = p.next.right = 0.5f * (1.3f * 1.9f + 0.25f);
    straight(&p, 15.0f + 15.0f + 30.0f);
    return p.count;
}

// --------------------------------------------------------------------------- the registry

typedef struct course_entry {
    const char* name;
    const char* about;
    int32_t (*lay)(kerb_waypoint* waypoints); // returns the number of waypoints
    float speed;
} course_entry;

static const course_entry registry[] = {
    {"city-corners", "right-angled street corners, waypoints 5 m apart", city_corners, 10.0f},
    {"figure-eight", "two circles of 20 m radius that cross, driven twice", figure_eight, 10.0f},
    {"hairpins", "four half turns, from 14 m down to 8 m radius", hairpins, 10.0f},
    {"lane-change", "double lane change after ISO 3888-1", lane_change, 10.0f},
};

int32_t scene_course_count(void) {
    return (int32_t)(sizeof registry / sizeof registry[0]);
}

const char* scene_course_name(int32_t index) {
    return registry[index].name;
}

const char* scene_course_about(int32_t index) {
    return registry[index].about;
}

static const course_entry* find(const char* name) {
    for (int32_t i = 0; i < scene_course_count(); i++) {
        if (strcmp(registry[i].name, name) == 0)
            return &registry[i];
    }
    return NULL;
}

kerb_result scene_course_make(const char* name, const kerb_host* host, scene_course* course,
                              kerb_error* error) {
    memset(course, 0, sizeof *course);
    const course_entry* entry = find(name);
    if (entry == NULL)
        return kerb_error_set(error, KERB_ERROR_UNKNOWN_FIELD, name, 0, -1,
                              "there is no built-in course of this name");
    size_t bytes = WAYPOINTS_MAX * sizeof(kerb_waypoint);
    course->waypoints = host->allocator.allocate(host->allocator.context, bytes, sizeof(double));
    if (course->waypoints == NULL)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "course", 0, -1,
                              "no memory for the waypoints");
    course->bytes = bytes;
    course->count = entry->lay(course->waypoints);
    course->speed = entry->speed;
    strncpy(course->name, entry->name, sizeof course->name - 1);
    strncpy(course->about, entry->about, sizeof course->about - 1);
    return KERB_OK;
}

void scene_course_free(scene_course* course, const kerb_host* host) {
    if (course->waypoints != NULL)
        host->allocator.release(host->allocator.context, course->waypoints, course->bytes);
    memset(course, 0, sizeof *course);
}
