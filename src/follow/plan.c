// Purpose: how fast KERB may be at each knot of its line, so that the limits of later knots can be
//          met.
//
// Backwards from the last knot, speed² grows by the braking on the way to the next one:
//     u = min(allowed, u_next + 2·b·spacing).
// The deceleration b falls as a bend uses the tyres' grip. A driver brakes hard on the straight,
// eases off as the wheels turn, and does not brake where the bend is sharpest. The friction circle
// alone would allow more, but not for the rear axle, which braking unloads: half the mass on a
// third of the load slides out, and the vehicle spins. So the share of the bend and the share of
// the brake add up to one number, a straight line in the diagram of accelerations ("g-g diagram":
// Milliken and Milliken, "Race Car Vehicle Dynamics"). Ice and slopes count where they are.
//
// Cost:    O(1) for a knot that comes in view and changes nothing behind it, at most O(knots).
#include "frame.h"

#include <string.h>

#define FOLLOW_PLAN_KNOTS KERB_FOLLOWER_LINE_KNOTS
// Share of the brakes that is planned with, and greatest sum of the shares of bend and brake. [1]
#define BRAKES_PLANNED 0.5f
#define PLANNED_SUM 1.0f
// Wheels turn at most this many knots before the line does.
#define LEAD_KNOTS 8

void kerb_in_follow_plan_reset(kerb_follower* follower) {
    follower->memory.fill.plan_first = follower->memory.fill.plan_end = 0;
}

// Wheels turn before the line does: by their delay, and half the time for half of their range.
static float lead_of(const kerb_vehicle* vehicle) {
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return 0.0f;
    return vehicle->steering_delay +
           0.25f * vehicle->steering_angle_max / vehicle->steering_rate_max;
}

follow_planner kerb_in_follow_planner_for(const kerb_follower* follower, const follow_frame* frame,
                                          float deceleration) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    float tyres = kerb_max(vehicle->braking_max, vehicle->acceleration_max);
    float thrust = kerb_in_follow_thrust_back(vehicle);
    follow_planner planner = {
        .braking = BRAKES_PLANNED * (vehicle->braking_max - thrust) * frame->grip,
        .thrust = BRAKES_PLANNED * thrust,
        .wanted = deceleration,
        .tyres = kerb_max(tyres, vehicle->lateral_acceleration_max) * frame->grip,
        .per_lateral = vehicle->kind == KERB_VEHICLE_HOVER // which has no tyres
                           ? 0.0f
                           : 1.0f / (vehicle->lateral_acceleration_max * frame->grip),
        .lead = lead_of(vehicle) / follower->memory.line.spacing,
    };
    return planner;
}

float kerb_in_follow_before(const follow_planner* planner, float squared,
                            const follow_stretch* stretch) {
    float left =
        kerb_in_pedals_brake_left(squared * stretch->bend * planner->per_lateral, PLANNED_SUM);
    float level = kerb_min(planner->braking, planner->tyres * left) * stretch->grip;
    level += planner->thrust;
    float twice = 2.0f * stretch->length;
    float braked = twice * level - 2.0f * KERB_GRAVITY * kerb_max(stretch->fall, 0.0f);
    braked = kerb_max(braked, 0.1f * twice * level);
    return squared + kerb_min(braked, twice * planner->wanted);
}

static float before_knot(const kerb_follower* follower, const follow_planner* planner, int32_t knot,
                         int32_t last, float squared) {
    int32_t from = knot & (FOLLOW_PLAN_KNOTS - 1), to = (knot + 1) & (FOLLOW_PLAN_KNOTS - 1);
    int32_t lead = (int32_t)kerb_min(kerb_sqrt(squared) * planner->lead, (float)LEAD_KNOTS);
    lead = lead < last - knot ? lead : last - knot;
    int32_t wheels = (knot + lead) & (FOLLOW_PLAN_KNOTS - 1);
    float bend = kerb_max(follower->memory.line.bend[from], follower->memory.line.bend[to]);
    follow_stretch stretch = {
        .length = follower->memory.line.spacing,
        .fall = follower->memory.line.position[from].z - follower->memory.line.position[to].z,
        .grip = follower->memory.line.grip[from],
        .bend = kerb_max(bend, follower->memory.line.bend[wheels]),
    };
    return kerb_in_follow_before(planner, squared, &stretch);
}

static bool same_key(const kerb_follower* follower, const float* key) {
    return memcmp(key, follower->memory.fill.plan_key, sizeof follower->memory.fill.plan_key) == 0;
}

// What the new knots and those that they may have changed must be planned again.
static int32_t changed_from(kerb_follower* follower, const float* key, int32_t from, int32_t end) {
    bool all = !same_key(follower, key) || from < follower->memory.fill.plan_first ||
               end < follower->memory.fill.plan_end || from >= follower->memory.fill.plan_end;
    memcpy(follower->memory.fill.plan_key, key, sizeof follower->memory.fill.plan_key);
    follower->memory.fill.plan_first = from;
    return all ? end : follower->memory.fill.plan_end - FOLLOW_TURNING_KNOTS - 1;
}

void kerb_in_follow_plan_update(kerb_follower* follower, const follow_frame* frame,
                                float deceleration, int32_t from, int32_t end, float beyond) {
    const float key[4] = {deceleration, follower->memory.line.lateral, frame->grip, frame->travel};
    int32_t known = changed_from(follower, key, from, end);
    bool whole = known == end;
    if (!whole && end == follower->memory.fill.plan_end &&
        beyond == follower->memory.fill.plan_beyond)
        return;
    follow_planner planner = kerb_in_follow_planner_for(follower, frame, deceleration);
    follower->memory.fill.plan_end = end;
    follower->memory.fill.plan_beyond = beyond;
    int32_t to = (end - 1) & (FOLLOW_PLAN_KNOTS - 1);
    float squared = kerb_min(follower->memory.line.allowed_squared[to], beyond);
    follower->memory.fill.plan_squared[to] = squared;
    follower->memory.fill.plan_by[to] =
        squared < follower->memory.line.allowed_squared[to] ? FOLLOW_BY_BEYOND : (uint8_t)to;
    for (int32_t knot = end - 2; knot >= follower->memory.fill.plan_first; knot--) {
        int32_t at = knot & (FOLLOW_PLAN_KNOTS - 1);
        float allowed = follower->memory.line.allowed_squared[at];
        squared = before_knot(follower, &planner, knot, end - 1, squared);
        uint8_t by = squared < allowed ? follower->memory.fill.plan_by[to] : (uint8_t)at;
        squared = kerb_min(squared, allowed);
        if (!whole && knot < known && squared == follower->memory.fill.plan_squared[at])
            return;
        follower->memory.fill.plan_squared[at] = squared;
        follower->memory.fill.plan_by[at] = by;
        to = at;
    }
}

float kerb_in_follow_plan_at(const kerb_follower* follower, double distance, int32_t* by) {
    double knots = distance * follower->memory.line.per_metre;
    double whole = kerb_in_follow_floor(knots);
    int32_t from = (int32_t)whole & (FOLLOW_PLAN_KNOTS - 1),
            to = (from + 1) & (FOLLOW_PLAN_KNOTS - 1);
    float share = (float)(knots - whole);
    float a = follower->memory.fill.plan_squared[from], b = follower->memory.fill.plan_squared[to];
    *by = follower->memory.fill.plan_by[b < a ? to : from];
    return a + (b - a) * share;
}
