// Purpose: lays out the places where vehicles meet.
// Idea:    A way is a polyline whose corners are rounded. Traffic keeps right; lanes are 4 m wide.
#include "scene/flow/flow.h"

#include <string.h>

#define FLOW_LANE 2.0f    // from the middle of the road to that of a lane [m]
#define FLOW_HALF 1.9f    // of a corridor [m]
#define FLOW_ARM 75.0f    // of a road, from the middle of the scene [m]
#define FLOW_STEP 1.0f    // between the points of a bend [m]
#define FLOW_PACE 10.0f   // that drivers desire [m/s]
#define FLOW_BEYOND 40.0f // a vehicle that drives on is gone so far before its end [m]

const char* kerb_scene_flow_kind_text(kerb_scene_flow_kind kind) {
    static const char* const texts[] = {"crossing", "merge",      "narrow bridge",
                                        "car park", "roundabout", "passing places"};
    return kind >= 0 && kind < FLOW_KINDS ? texts[kind] : "unknown";
}

// --------------------------------------------------------------------------- ways

static void flow_put(flow_way* way, kerb_vec2 at) {
    if (way->count >= FLOW_POINTS)
        return;
    kerb_waypoint* point = &way->points[way->count];
    *point = kerb_waypoint_at(at.x, at.y, 0.0f);
    point->left = point->right = FLOW_HALF;
    if (way->count > 0) {
        const kerb_vec3 before = way->points[way->count - 1].position;
        way->length += kerb_vec2_length(kerb_vec2_make(at.x - before.x, at.y - before.y));
    }
    way->count++;
}

// A corner, as a quadratic Bezier curve from `cut` before it to `cut` after it.
static void flow_round(flow_way* way, kerb_vec2 a, kerb_vec2 corner, kerb_vec2 b, float cut) {
    const kerb_vec2 in = kerb_vec2_sub(corner, a), out = kerb_vec2_sub(b, corner);
    const float before = kerb_vec2_length(in), after = kerb_vec2_length(out);
    cut = kerb_min(cut, 0.49f * kerb_min(before, after));
    const kerb_vec2 from = kerb_vec2_sub(corner, kerb_vec2_scale(in, cut / before));
    const kerb_vec2 to = kerb_vec2_add(corner, kerb_vec2_scale(out, cut / after));
    const int32_t steps = (int32_t)(2.0f * cut / FLOW_STEP) + 1;
    for (int32_t i = 0; i <= steps; i++) {
        const float t = (float)i / (float)steps, u = 1.0f - t;
        flow_put(way, kerb_vec2_make(u * u * from.x + 2.0f * u * t * corner.x + t * t * to.x,
                                     u * u * from.y + 2.0f * u * t * corner.y + t * t * to.y));
    }
}

// A polyline with rounded corners. It drives on at its end, unless it `stays`.
static void flow_lay(flow_way* way, const kerb_vec2* points, int32_t count, float cut, bool stays) {
    memset(way, 0, sizeof *way);
    flow_put(way, points[0]);
    for (int32_t i = 1; i + 1 < count; i++)
        flow_round(way, points[i - 1], points[i], points[i + 1], cut);
    flow_put(way, points[count - 1]);
    way->stays = stays;
    way->finish = way->length - (stays ? 1.0f : FLOW_BEYOND);
}

// A point of a road that comes from the direction `arm` (0: east, 1: north …): `along` from the
// middle outwards, `right` of the middle line for one that drives in.
static kerb_vec2 flow_at(int32_t arm, float along, float right) {
    switch (arm & 3) {
    case 0:
        return kerb_vec2_make(along, right);
    case 1:
        return kerb_vec2_make(-right, along);
    case 2:
        return kerb_vec2_make(-along, -right);
    default:
        return kerb_vec2_make(right, -along);
    }
}

// Vehicles come in rows of two, 12 m behind each other.
static float flow_row(int32_t index) {
    const int32_t row = index / 2;
    return 12.0f * (float)row;
}

static flow_vehicle* flow_add(kerb_scene_flow* flow, float start, kerb_random* random) {
    flow_vehicle* v = &flow->vehicles[flow->count++];
    v->start = start + kerb_random_between(random, 0.0f, 4.0f);
    v->way_count = 1;
    return v;
}

// --------------------------------------------------------------------------- the scenes

// Two vehicles from each of two arms that face each other, one from each of the others.
static void flow_make_crossing(kerb_scene_flow* flow, kerb_random* random) {
    const int32_t turned = kerb_random_below(random, 4);
    for (int32_t i = 0; i < 6; i++) {
        const int32_t arm = (i < 4 ? i : 2 * (i - 4)) + turned;
        const int32_t out = arm + 1 + kerb_random_below(random, 3);
        flow_vehicle* v = flow_add(flow, i < 4 ? 38.0f : 24.0f, random);
        kerb_vec2 corner = flow_at(arm, 0.0f, FLOW_LANE);
        const kerb_vec2 away = flow_at(out, 0.0f, -FLOW_LANE);
        corner =
            (arm & 1) != 0 ? kerb_vec2_make(corner.x, away.y) : kerb_vec2_make(away.x, corner.y);
        if (((out - arm) & 3) == 2)
            corner = kerb_vec2_scale(kerb_vec2_add(flow_at(arm, 0.0f, FLOW_LANE), away), 0.5f);
        const kerb_vec2 points[] = {flow_at(arm, FLOW_ARM, FLOW_LANE), corner,
                                    flow_at(out, FLOW_ARM, -FLOW_LANE)};
        flow_lay(&v->ways[0], points, 3, ((out - arm) & 3) == 1 ? 6.0f : 8.0f, false);
    }
}

static void flow_make_merge(kerb_scene_flow* flow, kerb_random* random) {
    for (int32_t i = 0; i < 6; i++) {
        flow_vehicle* v = flow_add(flow, 40.0f - flow_row(i), random);
        const kerb_vec2 points[] = {i % 2 == 0 ? kerb_vec2_make(-FLOW_ARM, 0.0f)
                                               : kerb_vec2_make(-70.0f, -26.0f),
                                    {0.0f, 0.0f},
                                    {FLOW_ARM, 0.0f}};
        flow_lay(&v->ways[0], points, 3, 15.0f, false);
    }
}

static void flow_make_bridge(kerb_scene_flow* flow, kerb_random* random) {
    for (int32_t i = 0; i < 6; i++) {
        flow_vehicle* v = flow_add(flow, 36.0f - flow_row(i), random);
        const int32_t arm = 2 * (i % 2);
        const kerb_vec2 points[] = {
            flow_at(arm, 85.0f, FLOW_LANE),  flow_at(arm, 24.0f, FLOW_LANE),
            flow_at(arm, 13.0f, 0.0f),       flow_at(arm, -13.0f, 0.0f),
            flow_at(arm, -24.0f, FLOW_LANE), flow_at(arm, -85.0f, FLOW_LANE)};
        flow_lay(&v->ways[0], points, 6, 5.0f, false);
    }
}

// An aisle along x with bays on both sides: two drive through, two out of bays, two into bays.
static void flow_make_car_park(kerb_scene_flow* flow, kerb_random* random) {
    for (int32_t i = 0; i < 6; i++) {
        const int32_t arm = 2 * (i % 2); // towards -x, or towards +x
        const float bay = kerb_random_between(random, -10.0f, 10.0f) + (i < 4 ? 12.0f : -12.0f);
        const float side = kerb_random_below(random, 2) != 0 ? 12.5f : -12.5f;
        const kerb_vec2 from = flow_at(arm, FLOW_ARM, FLOW_LANE);
        const kerb_vec2 to = flow_at(arm, -FLOW_ARM, FLOW_LANE);
        const kerb_vec2 in_bay = flow_at(arm, -bay, side), corner = flow_at(arm, -bay, FLOW_LANE);
        const kerb_vec2 through[] = {from, flow_at(arm, 0.0f, FLOW_LANE), to};
        const kerb_vec2 out[] = {in_bay, corner, to}, in[] = {from, corner, in_bay};
        flow_vehicle* v = flow_add(flow, i >= 2 && i < 4 ? 0.0f : i < 2 ? 36.0f : 24.0f, random);
        flow_lay(&v->ways[0], i < 2 ? through : i < 4 ? out : in, 3, 7.0f, i >= 4);
        if (i >= 2 && i < 4)
            v->start = 3.0f;
    }
}

#define FLOW_RING 13.0f       // radius of the lane of the roundabout [m]
#define FLOW_RING_PIECE 0.2f  // of its points [rad]
#define FLOW_RING_ENTRY 0.42f // angle between an arm and the end of its bend [rad]

static void flow_make_roundabout(kerb_scene_flow* flow, kerb_random* random) {
    const int32_t turned = kerb_random_below(random, 4);
    for (int32_t i = 0; i < 6; i++) {
        const int32_t arm = ((i < 4 ? i : 2 * (i - 4)) + turned) & 3;
        const int32_t quarters = 1 + kerb_random_below(random, 3);
        flow_vehicle* v = flow_add(flow, i < 4 ? 30.0f : 16.0f, random);
        kerb_vec2 points[40];
        int32_t count = 0;
        points[count++] = flow_at(arm, FLOW_ARM, FLOW_LANE);
        points[count++] = flow_at(arm, 22.0f, FLOW_LANE + 0.5f);
        const float first = (float)arm * 0.5f * KERB_PI + FLOW_RING_ENTRY;
        const float angle = (float)quarters * 0.5f * KERB_PI - 2.0f * FLOW_RING_ENTRY;
        const int32_t pieces = (int32_t)(angle / FLOW_RING_PIECE) + 1;
        for (int32_t k = 0; k <= pieces; k++) {
            float sine, cosine;
            kerb_sin_cos(first + angle * (float)k / (float)pieces, &sine, &cosine);
            points[count++] = kerb_vec2_make(FLOW_RING * cosine, FLOW_RING * sine);
        }
        points[count++] = flow_at(arm + quarters, 22.0f, -FLOW_LANE - 0.5f);
        points[count++] = flow_at(arm + quarters, FLOW_ARM, -FLOW_LANE);
        flow_lay(&v->ways[0], points, count, 5.0f, false);
    }
}

#define FLOW_NARROW 1.5f     // half of the narrow lane [m]
#define FLOW_PLACE 3.2f      // a passing place is so much wider, on one side [m]
#define FLOW_PLACE_AT 18.0f  // from the middle of the scene to that of a place [m]
#define FLOW_PLACE_HALF 9.0f // of its length [m]

// Points each metre, with the width of the corridor; the places are on the right of who comes from
// the west.
static void flow_lay_narrow(flow_way* way, int32_t arm, int32_t place) {
    memset(way, 0, sizeof *way);
    for (int32_t i = 0; i < 140; i++) {
        const float along = 70.0f - (float)i;
        const kerb_vec2 at = flow_at(arm, along, 0.0f);
        const float from_place = kerb_abs(kerb_abs(at.x) - FLOW_PLACE_AT);
        // It swerves over the last 8 m before the place, and stands parallel in it.
        const float share = kerb_clamp((FLOW_PLACE_HALF + 4.0f - from_place) / 8.0f, 0.0f, 1.0f);
        const bool swerves = place != 0 && (float)place * at.x > 0.0f;
        const float aside = swerves ? FLOW_PLACE * share * share * (3.0f - 2.0f * share) : 0.0f;
        flow_put(way, kerb_vec2_make(at.x, at.y - aside));
        kerb_waypoint* point = &way->points[way->count - 1];
        point->left = point->right = FLOW_NARROW;
        if (place == 0 && from_place < FLOW_PLACE_HALF)
            *(arm == 2 ? &point->right : &point->left) += FLOW_PLACE;
    }
    way->finish = way->length - FLOW_BEYOND;
}

static void flow_make_passing(kerb_scene_flow* flow, kerb_random* random) {
    for (int32_t i = 0; i < 4; i++) {
        flow_vehicle* v = flow_add(flow, 14.0f - flow_row(i), random);
        for (int32_t way = 0; way < FLOW_WAYS; way++)
            flow_lay_narrow(&v->ways[way], 2 * (i % 2), way == 2 ? -1 : way);
        v->way_count = FLOW_WAYS;
    }
}

// --------------------------------------------------------------------------- all of them

static void flow_shuffle_ids(kerb_scene_flow* flow, kerb_random* random) {
    for (int32_t i = 0; i < flow->count; i++)
        flow->vehicles[i].id = (uint32_t)i + 1u;
    for (int32_t i = flow->count - 1; i > 0; i--) {
        const int32_t k = kerb_random_below(random, i + 1);
        const uint32_t id = flow->vehicles[i].id;
        flow->vehicles[i].id = flow->vehicles[k].id;
        flow->vehicles[k].id = id;
    }
}

void kerb_scene_flow_make(kerb_scene_flow* flow, kerb_scene_flow_kind kind, uint64_t seed) {
    static void (*const makers[])(kerb_scene_flow*, kerb_random*) = {
        flow_make_crossing, flow_make_merge,      flow_make_bridge,
        flow_make_car_park, flow_make_roundabout, flow_make_passing};
    memset(flow, 0, sizeof *flow);
    flow->kind = kind;
    flow->settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    flow->settings.speed = FLOW_PACE;
    kerb_sim_model_named("pickup", &flow->model);
    kerb_random random = kerb_random_make(seed, 1u + (uint64_t)kind);
    makers[kind](flow, &random);
    flow_shuffle_ids(flow, &random);
}
