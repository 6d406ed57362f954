// The lookout: one ray that finds the bend ahead.
//
// It turns away from the edge that it meets, left from the right edge and right from the left one,
// and so comes to point where the road goes out of sight: as far as one ray can see. A hit there
// tells by its normal how far the road has turned, θ, and by its place how far aside, y. A bend of
// one radius has κ = (1 - cos θ)/y, and begins x - sin θ/κ ahead. The rays along the lane tell the
// same of a nearer bend, past which the lookout may see. Estimates go into stretches of road, each
// the mean of what was seen last, and those limit the speed by what braking leaves. O(stretches).
#include "frame.h"

// Of one remembered stretch. [m]
#define STRETCH 4.0f
// The odometer begins anew after so many. A multiple of KERB_LANE_BENDS.
#define ROUND_STRETCHES (KERB_LANE_BENDS * 15625)
// The lookout turns at least and at most so far a frame. [rad]
#define STEP_LEAST 0.003f
#define STEP_MOST 0.06f
#define STEP_START 0.015f
// It never looks farther aside than this. [rad]
#define LOOK_MOST 1.2f
// Share of a new estimate in what is remembered: a sharper bend is believed sooner. [1]
#define NEWS_SHARPER 0.3f
#define NEWS_MILDER 0.06f
// Turns below this are noise of edges made of straight pieces. [rad]
#define TURN_LEAST 0.03f
// Sharpest bend that is believed. [1/m]
#define BEND_MOST 0.2f
// Added to y: places are not known better. [m]
#define ASIDE_LEAST 0.15f

static int32_t stretch_at(double odometer) {
    return (int32_t)(odometer / (double)STRETCH);
}

static float* bend_of(kerb_lane_keeper* keeper, int32_t stretch) {
    return &keeper->memory.bends[stretch % KERB_LANE_BENDS];
}

// Counts on from the start again before stretches have no number left: by whole rounds of the ring.
static void wrap_odometer(kerb_lane_keeper* keeper) {
    if (keeper->memory.odometer < (double)STRETCH * (double)ROUND_STRETCHES)
        return;
    keeper->memory.odometer -= (double)STRETCH * (double)ROUND_STRETCHES;
    keeper->memory.seen_until -= (double)STRETCH * (double)ROUND_STRETCHES;
    keeper->memory.bend_first -= ROUND_STRETCHES;
}

void lane_bends_move(kerb_lane_keeper* keeper) {
    wrap_odometer(keeper);
    int32_t here = stretch_at(keeper->memory.odometer);
    int32_t first = keeper->memory.bend_first;
    if (here - first > KERB_LANE_BENDS)
        first = here - KERB_LANE_BENDS;
    for (; first < here; first++)
        *bend_of(keeper, first + KERB_LANE_BENDS) = 0.0f;
    keeper->memory.bend_first = here;
}

// Written so that compilers take four at a time.
static void blend(float* bends, int32_t count, float bend) {
    for (int32_t i = 0; i < count; i++) {
        float held = bends[i];
        float share = bend > held ? NEWS_SHARPER : NEWS_MILDER;
        bends[i] = held + share * (bend - held);
    }
}

// Blends an estimate into the stretches between two distances from here.
static void remember(kerb_lane_keeper* keeper, float from, float to, float bend) {
    int32_t first = keeper->memory.bend_first;
    int32_t i = stretch_at(keeper->memory.odometer + (double)kerb_max(from, 0.0f));
    int32_t end = stretch_at(keeper->memory.odometer + (double)kerb_max(to, 0.0f)) + 1;
    end = end < first + KERB_LANE_BENDS ? end : first + KERB_LANE_BENDS;
    if (i >= end)
        return;
    // The ring in one piece or in two: most of a drive call's time is spent here.
    int32_t at = i % KERB_LANE_BENDS, count = end - i;
    int32_t straight = count < KERB_LANE_BENDS - at ? count : KERB_LANE_BENDS - at;
    blend(keeper->memory.bends + at, straight, bend);
    blend(keeper->memory.bends, count - straight, bend);
}

// From the place that was met, on the lane's line, and the road's direction there.
static void estimate(kerb_lane_keeper* keeper, kerb_vec2 at, kerb_vec2 direction) {
    float far = kerb_sqrt(at.x * at.x + at.y * at.y);
    float sine = kerb_abs(direction.y);
    if (at.x <= 1.0f)
        return;
    if (sine < TURN_LEAST && direction.x > 0.0f) {
        remember(keeper, 0.0f, at.x, 0.0f);
        return;
    }
    float size = kerb_atan2(sine, direction.x);
    float least = size / far; // it turned by so much in no less than this
    float aside = direction.y < 0.0f ? -at.y : at.y;
    float bend = 2.0f * least; // an S: the second half has all of the turn
    if (aside > 0.0f)
        bend = (1.0f - direction.x) / (aside + ASIDE_LEAST);
    bend = kerb_clamp(bend, least, BEND_MOST);
    float begins = at.x - sine / bend;
    if (begins > 0.0f)
        remember(keeper, 0.0f, begins - STRETCH, 0.0f);
    remember(keeper, begins, at.x, bend);
}

// The lookout's next direction, after an edge on a side was met: 1 left, -1 right, 0 none.
static void turn_look(kerb_lane_keeper* keeper, const lane_pose* pose, int32_t side) {
    float lane = kerb_atan2(pose->lane.y, pose->lane.x);
    float off = kerb_wrap_angle(keeper->memory.look - lane);
    float step = keeper->memory.look_step;
    if (side == 0) {
        off *= 0.95f; // sees all there is: back to the lane
        step = STEP_START;
    } else {
        step *= side == keeper->memory.look_side ? 1.3f : 0.5f;
        step = kerb_clamp(step, STEP_LEAST, STEP_MOST);
        off -= (float)side * step;
    }
    keeper->memory.look_step = step;
    keeper->memory.look_side = side;
    keeper->memory.look = kerb_wrap_angle(lane + kerb_clamp(off, -LOOK_MOST, LOOK_MOST));
}

void lane_look_out(kerb_lane_keeper* keeper, const lane_pose* pose, const kerb_lane_ray* ray,
                   const kerb_lane_hit* hit) {
    bool lookout = ray->purpose == KERB_LANE_RAY_LOOKOUT;
    if (hit->what != KERB_LANE_HIT_EDGE && hit->what != KERB_LANE_HIT_WALL) {
        // Free all the way along the lane: straight. Free aside of it says only that it bends.
        float off = kerb_vec2_cross(pose->lane, lane_level(ray->direction));
        if (lookout)
            turn_look(keeper, pose, 0);
        if (lookout && hit->what == KERB_LANE_HIT_NOTHING && kerb_abs(off) < TURN_LEAST)
            remember(keeper, 0.0f, ray->length, 0.0f);
        return;
    }
    kerb_vec2 direction = lane_level(ray->direction);
    kerb_vec2 normal = lane_level(hit->normal);
    float size = kerb_vec2_length(normal);
    if (!(size > 1.0e-3f))
        return;
    normal = kerb_vec2_scale(normal, 1.0f / size);
    // The edge's own direction is forward for one of its two sides.
    kerb_vec2 along = kerb_vec2_make(normal.y, -normal.x);
    int32_t side = kerb_vec2_dot(along, direction) >= 0.0f ? -1 : 1;
    if (side > 0)
        along = kerb_vec2_scale(along, -1.0f);
    if (lookout)
        turn_look(keeper, pose, side);

    bool own = (float)-side * lane_inward(keeper) > 0.0f;
    float offset = keeper->memory.offset_to;
    float across = keeper->memory.width > 0.0f ? keeper->memory.width - offset : offset;
    kerb_vec2 place = lane_along(lane_level(ray->origin), direction, hit->distance);
    place = kerb_vec2_sub(lane_along(place, normal, own ? offset : across), pose->position);
    kerb_vec2 at =
        kerb_vec2_make(kerb_vec2_dot(pose->lane, place), kerb_vec2_cross(pose->lane, place));
    estimate(keeper, at,
             kerb_vec2_make(kerb_vec2_dot(pose->lane, along), kerb_vec2_cross(pose->lane, along)));
}

// In squares of speeds, so that no stretch costs a root; most cost no division.
float lane_bend_speed(const kerb_lane_keeper* keeper, float lateral, float most, float* bend) {
    float square = most * most;
    *bend = 0.0f;
    int32_t first = keeper->memory.bend_first;
    float here = (float)((double)first * (double)STRETCH - keeper->memory.odometer);
    for (int32_t i = 0; i < KERB_LANE_BENDS; i++) {
        float braking = 2.0f * keeper->settings.deceleration * (here + (float)i * STRETCH);
        if (braking >= square)
            break; // farther than it takes to come to rest
        float held = keeper->memory.bends[(first + i) % KERB_LANE_BENDS];
        if (held * square <= lateral)
            continue;
        float now = lateral / held + kerb_max(braking, 0.0f);
        if (now >= square)
            continue;
        square = now;
        *bend = held;
    }
    return *bend > 0.0f ? kerb_sqrt(square) : most;
}
