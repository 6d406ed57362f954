// Purpose: the approximate length of the shortest path in both directions of travel, quickly, for a
//          search that only orders its nodes by it.
// Idea:    The path is longer than the straight line to the goal. Seen along that line, the
//          difference depends on two directions, at the start and at the goal, and less and less on
//          the distance. So a small table over both directions and over one divided by the distance
//          is enough, with linear interpolation. Mirrored paths are equally long, so the start's
//          direction needs only half of the circle. Nearer than two radii the length depends too
//          much on the position.
// Cost:    O(1), about an eighth of the instructions of kerb_reeds_shepp_length.
// Source:  AIPATH 4.2.3 for lookup tables.
#include "distant.h"

#include "kerb/curve.h"

// Distance that stands for infinity in the table; beyond it the difference hardly changes. [radii]
#define DISTANT_FAR_AWAY 500.0f

static kerb_vec2 distant_direction_of(float diamond) {
    float x = diamond <= 2.0f ? 1.0f - diamond : diamond - 3.0f;
    float y = diamond <= 1.0f ? diamond : diamond <= 3.0f ? 2.0f - diamond : diamond - 4.0f;
    return kerb_vec2_scale(kerb_vec2_make(x, y), 1.0f / kerb_sqrt(x * x + y * y));
}

// How much longer the path is than the straight line, for a goal on the x axis. [radii]
static float more_than_straight(int32_t range, int32_t bearing, int32_t heading) {
    kerb_vec2 seen =
        distant_direction_of(2.0f * (float)bearing / (float)(PLAN_DISTANT_BEARINGS - 1));
    kerb_vec2 there =
        distant_direction_of(4.0f * (float)heading / (float)(PLAN_DISTANT_HEADINGS - 1));
    float distance = range == 0
                         ? DISTANT_FAR_AWAY
                         : PLAN_DISTANT_LEAST * (float)(PLAN_DISTANT_RANGES - 1) / (float)range;
    kerb_pose from = {{0.0f, 0.0f}, {seen.x, -seen.y}}, to = {{distance, 0.0f}, there};
    return kerb_reeds_shepp_length(from, to, 1.0f) - distance;
}

void kerb_in_plan_distant_create(plan_distant* distant) {
    for (int32_t i = 0; i < PLAN_DISTANT_RANGES; i++)
        for (int32_t j = 0; j < PLAN_DISTANT_BEARINGS; j++)
            for (int32_t k = 0; k < PLAN_DISTANT_HEADINGS; k++)
                distant->more[i][j][k] = more_than_straight(i, j, k);
}

static float distant_between(float a, float b, float share) {
    return a + share * (b - a);
}

// Index of the lower one of the two values between which `at` lies. [0 … last - 1]
static int32_t distant_place_in(float at, int32_t last) {
    int32_t place = (int32_t)at;
    return place < last ? place : last - 1;
}

float kerb_in_plan_distant_length(const plan_distant* distant, kerb_pose from, kerb_pose to,
                                  float radius, float straight) {
    kerb_vec2 away = kerb_vec2_sub(to.position, from.position);
    kerb_vec2 seen = {kerb_vec2_dot(from.forward, away), kerb_vec2_cross(from.forward, away)};
    kerb_vec2 there = {kerb_vec2_dot(away, to.forward), kerb_vec2_cross(away, to.forward)};
    there.y = seen.y < 0.0f ? -there.y : there.y;
    seen.y = kerb_abs(seen.y);
    const int32_t ranges = PLAN_DISTANT_RANGES - 1, bearings = PLAN_DISTANT_BEARINGS - 1;
    const int32_t headings = PLAN_DISTANT_HEADINGS - 1;
    float range = kerb_min(PLAN_DISTANT_LEAST * radius / straight, 1.0f) * (float)ranges;
    float bearing = plan_diamond(seen) * (0.5f * (float)bearings);
    float heading = plan_diamond(there) * (0.25f * (float)headings);
    int32_t i = distant_place_in(range, ranges), j = distant_place_in(bearing, bearings);
    int32_t k = distant_place_in(heading, headings);
    float row[4];
    for (int32_t n = 0; n < 4; n++) {
        const float* pair = &distant->more[i + (n >> 1)][j + (n & 1)][k];
        row[n] = distant_between(pair[0], pair[1], heading - (float)k);
    }
    float low = distant_between(row[0], row[1], bearing - (float)j);
    float high = distant_between(row[2], row[3], bearing - (float)j);
    return straight + radius * distant_between(low, high, range - (float)i);
}
