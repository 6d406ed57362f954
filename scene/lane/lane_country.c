// A country road: straights and bends in turns. Each bend turns back towards the main direction of
// the road, so that the road stays within 60° of it and never meets itself. O(waypoints)
#include "scene/lane/lane_player.h"

#define LANE_COUNTRY_STEP 3.0f // from one waypoint to the next [m]
#define HALF_WIDTH 7.0f        // four lanes [m]
#define HEADING_MOST 1.05f
// Corners are drawn in by easements of this share of a bend, as engineers lay out roads.
#define EASED 0.3f

typedef struct country {
    kerb_waypoint* waypoints;
    int32_t count, capacity;
    float x, y, heading;
} country;

static void lane_country_put(country* c) {
    if (c->count == c->capacity)
        return;
    kerb_waypoint waypoint = kerb_waypoint_at(c->x, c->y, 0.0f);
    waypoint.left = waypoint.right = HALF_WIDTH;
    c->waypoints[c->count++] = waypoint;
}

static void go(country* c, float curvature) {
    float turn = 0.5f * curvature * LANE_COUNTRY_STEP;
    c->heading += turn;
    c->x += kerb_cos(c->heading) * LANE_COUNTRY_STEP;
    c->y += kerb_sin(c->heading) * LANE_COUNTRY_STEP;
    c->heading += turn;
    lane_country_put(c);
}

// Curvature grows and falls evenly at both ends.
static void lane_country_bend(country* c, float radius, float turn) {
    int32_t steps = (int32_t)(kerb_abs(turn) * radius / ((1.0f - EASED) * LANE_COUNTRY_STEP)) + 1;
    for (int32_t i = 0; i < steps; i++) {
        float at = ((float)i + 0.5f) / (float)steps;
        float end = kerb_min(at, 1.0f - at) / EASED;
        go(c, (turn < 0.0f ? -1.0f : 1.0f) * kerb_min(end, 1.0f) / radius);
    }
}

kerb_result kerb_scene_lane_country(uint64_t seed, float length, const kerb_host* host,
                                    kerb_waypoint** waypoints, int32_t* count, kerb_error* error) {
    country c = {.capacity = (int32_t)(length / LANE_COUNTRY_STEP) + 1};
    c.waypoints = host->allocator.allocate(host->allocator.context,
                                           (size_t)c.capacity * sizeof *c.waypoints, 16);
    if (!c.waypoints)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory");
    kerb_random random = kerb_random_make(seed, 3);
    lane_country_put(&c);
    while (c.count < c.capacity) {
        float straight = kerb_random_between(&random, 10.0f, 250.0f);
        for (int32_t i = 0; i < (int32_t)(straight / LANE_COUNTRY_STEP); i++)
            go(&c, 0.0f);
        float size = kerb_random_unit(&random);
        float radius = 80.0f + 720.0f * size * size;
        float to = kerb_random_between(&random, -HEADING_MOST, HEADING_MOST);
        lane_country_bend(&c, radius, to - c.heading);
    }
    *waypoints = c.waypoints;
    *count = c.count;
    return KERB_OK;
}
