// Purpose: the lookout: one ray that finds the bend ahead.
//
// It turns away from the edge that it meets, left from the right edge and right from the left one,
// and so comes to point where the road goes out of sight: as far as one ray can see. A hit there
// gives, by its normal, the angle θ by which the road has turned, and by its place the lateral
// offset y. A bend of one radius has κ = (1 - cos θ)/y, and begins x - sin θ/κ ahead. The rays
// along the lane give the same for a nearer bend, past which the lookout may see. That is the
// mildest bend that explains the hit: a short one with a straight behind it is sharper. Estimates
// are stored in stretches of road: long arcs only sharpen what is remembered there, short ones and
// free sight are blended in. The stretches limit the speed by the braking distance.
//
// A short bend may leave a straight line of sight through the road, although the lane beside its
// edge bends: rays that see past it find nothing. So one more ray scans the edges. Where it met an
// edge at two places, the directions there say how the road turns between them, whatever lies
// beyond, and free sight does not remove that. The sharper of both counts.
//
// Cost:    O(stretches).
#include "lookout.h"

#include <string.h>

#define STRETCH LANE_STRETCH
// Share of a new estimate in what is remembered: a sharper bend is believed sooner. [1]
#define NEWS_SHARPER 0.66f
#define NEWS_MILDER 0.17f
// A shorter arc is taken as it is; of a longer one only the mean curvature is known. [m]
#define ARC_SHORT 25.0f
// Smaller turns are noise of edges made of straight pieces. [rad]
#define LOOKOUT_TURN_LEAST 0.03f
// Sharpest bend that is believed. [1/m]
#define LOOKOUT_BEND_MOST 0.2f
// The bend that limits the speed is looked for once per this distance. [m]
#define FIND_EVERY (0.5f * STRETCH)
// Added to y, because places are not known better. [m]
#define LOOKOUT_ASIDE_LEAST 0.15f

// The scanning ray looks at the two edges in turns, from beyond where the vehicle could stop, each
// time nearer by a factor. It follows the lane's bend by a share and up to an angle. [m], [1], [1],
// [rad]
#define SCAN_BEYOND 24.0f
#define SCAN_NEARER 0.8f
#define SCAN_BENT 0.5f
// Two places tell about the road between them if their distance is within these bounds, the road
// turns by no more, and one lies where an arc from the other leads. [m], [m], [sine], [1]
#define SCAN_APART_LEAST 4.0f
#define SCAN_APART_MOST 45.0f
#define SCAN_TURN_MOST 0.75f
#define SCAN_OFF 0.1f
// Share of a milder estimate from the scan. [1]
#define SCAN_MILDER 0.4f

static void move_on(float* bends, int32_t passed) {
    int32_t left = passed < KERB_LANE_BENDS ? KERB_LANE_BENDS - passed : 0;
    memmove(bends, bends + KERB_LANE_BENDS - left, (size_t)left * sizeof *bends);
    memset(bends + left, 0, (size_t)(KERB_LANE_BENDS - left) * sizeof *bends);
}

void kerb_in_lane_bends_pass(kerb_lane_keeper* keeper) {
    int32_t passed = (int32_t)(-keeper->memory.bend_start / STRETCH);
    keeper->memory.bend_start += (float)passed * STRETCH;
    move_on(keeper->memory.bends, passed);
    move_on(keeper->memory.edge_bends, passed);
}

static int32_t stretch_at(const kerb_lane_keeper* keeper, float ahead) {
    float stretch = (kerb_max(ahead, 0.0f) - keeper->memory.bend_start) / STRETCH;
    return (int32_t)kerb_min(stretch, (float)KERB_LANE_BENDS);
}

// All loops over stretches take four at a time, the last four as a whole, with a share of 0 for
// those beyond the end: otherwise processors mispredict the ends of the loops.
static int32_t last_stretch(const kerb_lane_keeper* keeper, float to) {
    int32_t last = stretch_at(keeper, to);
    return last < KERB_LANE_BENDS ? last : KERB_LANE_BENDS - 1;
}

static uint32_t whole_fours(int32_t last) {
    return ((uint32_t)last & ~3u) + 4u;
}

// Blends an estimate into the stretches between two distances from here, and a straight into those
// before.
static void lookout_remember(kerb_lane_keeper* keeper, float from, float to, float bend) {
    const int32_t last = last_stretch(keeper, to), first = stretch_at(keeper, from);
    const int32_t straight = from > 0.0f ? last_stretch(keeper, from - STRETCH) : -1;
    const float milder = bend > 0.0f && to - from > ARC_SHORT ? 0.0f : NEWS_MILDER;
    const uint32_t count = whole_fours(last > straight ? last : straight);
    for (uint32_t n = 0; n < count; n++) {
        const int32_t i = (int32_t)n;
        float held = keeper->memory.bends[n];
        held -= (i <= straight ? NEWS_MILDER : 0.0f) * held;
        float share = bend > held ? NEWS_SHARPER : milder;
        share = i < first || i > last ? 0.0f : share;
        keeper->memory.bends[n] = held + share * (bend - held);
    }
}

// Road that a ray found free up to a distance is not sharper than would have led its edge across
// the ray: an arc that begins there leaves `room` beside it for sqrt(2·room/bend). Near the vehicle
// that is nearly straight; towards the ray's end, on a wide road, it says little.
static void remember_free(kerb_lane_keeper* keeper, float to) {
    float offset = lane_offset_at(keeper, 0.0f) - keeper->memory.settle;
    const float twice = 2.0f * kerb_max(offset, keeper->memory.width - offset);
    const int32_t last = last_stretch(keeper, to);
    const float start = to - keeper->memory.bend_start;
    const uint32_t count = whole_fours(last);
    for (uint32_t n = 0; n < count; n++) {
        const int32_t i = (int32_t)n;
        float way = kerb_max(start - STRETCH * (float)i, STRETCH);
        float held = keeper->memory.bends[n];
        float free = kerb_min(twice / (way * way), held);
        keeper->memory.bends[n] = held + (i <= last ? NEWS_MILDER : 0.0f) * (free - held);
    }
}

// From the place that was met, in the lane's axes, and the road's direction there.
static void lookout_estimate(kerb_lane_keeper* keeper, kerb_vec2 at, kerb_vec2 direction) {
    float far = kerb_sqrt(at.x * at.x + at.y * at.y);
    float sine = kerb_abs(direction.y);
    if (at.x <= 1.0f)
        return;
    if (sine < LOOKOUT_TURN_LEAST && direction.x > 0.0f) {
        remember_free(keeper, at.x);
        return;
    }
    // An arc along the straight way to it: 2 sin(θ/2) over the chord.
    float least = kerb_sqrt(2.0f * (1.0f - direction.x)) / far;
    float aside = direction.y < 0.0f ? -at.y : at.y;
    float bend = 2.0f * least; // an S: the second half has all of the turn
    if (aside > 0.0f)
        bend = (1.0f - direction.x) / (aside + LOOKOUT_ASIDE_LEAST);
    bend = kerb_clamp(bend, least, LOOKOUT_BEND_MOST);
    float begins = at.x - sine / bend;
    lookout_remember(keeper, begins, at.x, bend);
}

void kerb_in_lane_look_out(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                           const kerb_lane_ray* ray, const kerb_lane_hit* hit) {
    bool lookout = ray->purpose == KERB_LANE_RAY_LOOKOUT;
    kerb_vec2 direction = lane_level(ray->direction);
    if (!lane_is_edge(hit)) {
        // Free all the way along the lane: straight. Free aside of it says only that it bends.
        float off = kerb_vec2_cross(pose->lane, direction);
        if (lookout && hit->kind == KERB_LANE_HIT_NOTHING && kerb_abs(off) < LOOKOUT_TURN_LEAST)
            remember_free(keeper, ray->length);
        return;
    }
    kerb_vec2 normal = lane_level(hit->normal);
    float squared = kerb_vec2_dot(normal, normal);
    if (!(squared > 1.0e-6f))
        return;
    normal = kerb_vec2_scale(normal, 1.0f / kerb_sqrt(squared));
    // The edge's own direction is forward for one of its two sides.
    int32_t side = lane_side_of(ray, hit);
    kerb_vec2 along = kerb_vec2_make(normal.y, -normal.x);
    if (side > 0)
        along = kerb_vec2_scale(along, -1.0f);

    bool own = (float)-side * lane_inward(keeper) > 0.0f;
    // As far off the edge as it is now: while it changes lanes the way to the next one is no bend.
    float offset = lane_offset_at(keeper, 0.0f) - keeper->memory.settle;
    float across = keeper->memory.width > 0.0f ? keeper->memory.width - offset : offset;
    kerb_vec2 place = lane_place_of(keeper, ray, hit);
    place = lane_along(place, normal, own ? offset : across);
    if (own || keeper->memory.width > 0.0f)
        kerb_in_lane_note_point(keeper, place, along, offset);
    place = kerb_vec2_sub(place, pose->position);
    kerb_vec2 at =
        kerb_vec2_make(kerb_vec2_dot(pose->lane, place), kerb_vec2_cross(pose->lane, place));
    lookout_estimate(
        keeper, at,
        kerb_vec2_make(kerb_vec2_dot(pose->lane, along), kerb_vec2_cross(pose->lane, along)));
}

// --------------------------------------------------------------------------- the scan

// How far off the lane an edge is: 0 its own, 1 the other. As far as it is now: while it changes
// lanes the way to the next one is no bend.
static float off_edge(const kerb_lane_keeper* keeper, int32_t edge) {
    float offset = lane_offset_at(keeper, 0.0f) - keeper->memory.settle;
    return edge == 0 ? offset : keeper->memory.width - offset;
}

bool kerb_in_lane_scans(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float* angle) {
    const int32_t turn = keeper->memory.scan / LANE_SCAN_EVERY, edge = turn % 2;
    if (keeper->memory.scan % LANE_SCAN_EVERY != 0 || !keeper->memory.started ||
        !(keeper->memory.width > 0.0f))
        return false;
    float speed = kerb_max(pose->speed, 0.0f);
    float far = speed * speed / (2.0f * keeper->settings.deceleration) + SCAN_BEYOND;
    far = kerb_min(far, keeper->settings.sight);
    for (int32_t i = turn / 2; i > 0; i--)
        far *= SCAN_NEARER;
    float aside = (edge == 0 ? -1.0f : 1.0f) * lane_inward(keeper) * off_edge(keeper, edge);
    float bend = kerb_clamp(0.5f * keeper->memory.line_curvature * far, -SCAN_BENT, SCAN_BENT);
    *angle = kerb_clamp(aside / far + bend, -LANE_LOOK_MOST, LANE_LOOK_MOST);
    return true;
}

static void remember_edge(kerb_lane_keeper* keeper, float from, float to, float bend) {
    const int32_t last = last_stretch(keeper, to), first = stretch_at(keeper, from);
    const uint32_t begin = (uint32_t)first & ~3u, count = whole_fours(last);
    for (uint32_t n = begin; n < count; n++) {
        const int32_t i = (int32_t)n;
        float held = keeper->memory.edge_bends[n];
        float share = bend > held ? NEWS_SHARPER : SCAN_MILDER;
        share = i < first || i > last ? 0.0f : share;
        keeper->memory.edge_bends[n] = held + share * (bend - held);
    }
}

void kerb_in_lane_scan(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                       const kerb_lane_ray* ray, const kerb_lane_hit* hit) {
    kerb_vec2 normal = lane_level(hit->normal);
    float squared = kerb_vec2_dot(normal, normal);
    if (!lane_is_edge(hit) || !(squared > 1.0e-6f))
        return;
    normal = kerb_vec2_scale(normal, 1.0f / kerb_sqrt(squared));
    const float side = (float)lane_side_of(ray, hit);
    const int32_t edge = side * lane_inward(keeper) < 0.0f ? 0 : 1;
    kerb_vec2 met = lane_place_of(keeper, ray, hit);
    const kerb_lane_arc here = {lane_along(met, normal, off_edge(keeper, edge)),
                                kerb_vec2_make(-side * normal.y, side * normal.x)};
    // What the road does from here to the place before, farther on: an edge that leads from one to
    // the other as an arc does is the road's; one that does not is another's, or a corner. All at
    // once, because no processor foresees any of it.
    const kerb_lane_arc before = keeper->memory.scanned[edge];
    const kerb_vec2 way = kerb_vec2_sub(before.place, here.place);
    const float along = kerb_vec2_dot(here.direction, way);
    const float turn = kerb_vec2_cross(here.direction, before.direction);
    const float off = kerb_vec2_cross(here.direction, way) / along - 0.5f * turn;
    const float on = kerb_vec2_dot(here.direction, before.direction);
    const bool known = kerb_vec2_dot(before.direction, before.direction) > 0.0f;
    const bool beyond = known & (along > 0.0f), close = beyond & (along < SCAN_APART_LEAST);
    if (!close)
        keeper->memory.scanned[edge] = here;
    const float turned = kerb_abs(turn), aside = kerb_abs(off);
    const bool leads = beyond & !close & (along < SCAN_APART_MOST) & (on > 0.0f) &
                       (turned <= SCAN_TURN_MOST) & (aside <= SCAN_OFF);
    if (!leads)
        return;
    const float ahead = kerb_vec2_dot(kerb_vec2_sub(here.place, pose->position), pose->lane);
    remember_edge(keeper, ahead, ahead + along, turned / along);
}

// The square of the speed for each stretch, which allows for braking up to it: no roots, and
// written so that compilers take four stretches at a time. A straight gives infinity.
static void square_speeds(const kerb_lane_keeper* keeper, float lateral, int32_t count,
                          float squares[KERB_LANE_BENDS]) {
    const float twice = 2.0f * keeper->settings.deceleration;
    const float start = twice * keeper->memory.bend_start;
    for (int32_t i = 0; i < count; i++) {
        float braking = start + twice * STRETCH * (float)i;
        float bend = kerb_max(keeper->memory.bends[i], keeper->memory.edge_bends[i]);
        squares[i] = lateral / bend + (braking > 0.0f ? braking : 0.0f);
    }
}

// Looks for the stretch that allows least.
static void lookout_find_bend(kerb_lane_keeper* keeper, float lateral, float most) {
    float squares[KERB_LANE_BENDS];
    // Farther than it takes to come to rest no bend counts.
    int32_t count = stretch_at(keeper, 0.5f * most * most / keeper->settings.deceleration) + 1;
    count = count < KERB_LANE_BENDS ? count : KERB_LANE_BENDS;
    square_speeds(keeper, lateral, count, squares);
    float least = most * most;
    int32_t at = -1;
    for (int32_t i = 0; i < count; i++)
        if (squares[i] < least) {
            least = squares[i];
            at = i;
        }
    keeper->memory.slowest_bend =
        at < 0 ? 0.0f : kerb_max(keeper->memory.bends[at], keeper->memory.edge_bends[at]);
    keeper->memory.slowest_square = least;
    keeper->memory.slowest_ahead = at < 0 ? 0.0f : keeper->memory.bend_start + STRETCH * (float)at;
    keeper->memory.slowest_for = 0.0f;
}

float kerb_in_lane_bend_speed(kerb_lane_keeper* keeper, float lateral, float most, float moved,
                              float* bend) {
    keeper->memory.slowest_for += moved;
    if (keeper->memory.slowest_for > FIND_EVERY)
        lookout_find_bend(keeper, lateral, most);
    else if (keeper->memory.slowest_ahead > 0.0f) { // as much nearer to it
        float nearer = kerb_min(moved, keeper->memory.slowest_ahead);
        keeper->memory.slowest_ahead -= nearer;
        keeper->memory.slowest_square -= 2.0f * keeper->settings.deceleration * nearer;
    }
    *bend = keeper->memory.slowest_bend;
    float square = kerb_max(keeper->memory.slowest_square, 0.0f);
    return *bend > 0.0f ? kerb_min(kerb_sqrt(square), most) : most;
}
