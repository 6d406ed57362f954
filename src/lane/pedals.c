// Purpose: the speed, and the pedals and gear for it.
// Idea:    The speed is the smallest of what bends, sight, other vehicles and a lost edge allow,
//          braked for in time. In an emergency it brakes with what the bend leaves of the grip.
// Cost:    O(1).
#include "frame.h"

#include "../control/shared.h"

// Braking for what is out of sight may be this many times as hard as for what is in sight. [1]
#define SIGHT_BRAKING 1.4f
#define TURNS_ROUND 2.0f // on the spot [m/s]
// No bend is planned with more than this share of the vehicle's grip. [1]
#define GRIP_WANTED 0.5f
// Share of its brakes from which stopping is an emergency; gap that is left then; and least closing
// speed. [1], [m], [m/s]
#define EMERGENCY 0.6f
#define PEDALS_SPARE 1.0f
#define CLOSES 0.5f
// In a bend that uses this share of its grip it does not brake hard at all: measured on sim/'s race
// car, which spins when braked harder. [1]
#define BRAKES_NONE 0.45f
// In an emergency it keeps this multiple of what the bend takes of the grip, plus a share of the
// grip. With less, the rear wheels begin to slip, which takes more braking than it gives. [1]
#define SWINGS 1.5f
#define SWINGS_LEAST 0.1f
// Braking takes grip from the rear wheels. From LEAST slip on, more than in any bend that it
// drives, the pedal is eased, to EASED_LEAST at MOST: otherwise the car spins. [rad], [rad], [1]
#define PEDALS_SLIP_LEAST 0.05f
#define SLIP_MOST 0.12f
#define EASED_LEAST 0.1f
// Pedals and gear are computed again after this time, every other frame of a game of 60 Hz, because
// no engine or brake responds sooner. At once where more is needed. [s]
#define PEDALS_FOR 0.02f

// The slip angle of the rear tyres per lateral acceleration is averaged over this time, above this
// lateral acceleration; and its greatest value. [s], [m/s²], [rad s²/m]
#define PEDALS_SLIP_TIME 0.5f
#define SLIP_FROM 1.0f
#define SLIP_TYRES_MOST 0.02f

typedef struct lane_wish {
    float speed;
    kerb_reason reason;
} lane_wish;

static void pedals_limit(lane_wish* wish, float speed, kerb_reason reason) {
    if (speed >= wish->speed)
        return;
    wish->speed = kerb_max(speed, 0.0f);
    wish->reason = reason;
}

static lane_wish wish_speed(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                            const lane_seen* seen, float cap, float grip, bool round, float moved) {
    const kerb_lane_settings* settings = &keeper->settings;
    lane_wish wish = {kerb_min(settings->speed, keeper->vehicle.speed_max), KERB_REASON_CRUISE};
    float braking = settings->deceleration * kerb_min(grip, 1.0f);
    pedals_limit(&wish, cap, KERB_REASON_SPEED_CAP);
    float lateral = kerb_min(settings->lateral_acceleration,
                             GRIP_WANTED * keeper->vehicle.lateral_acceleration_max);
    lateral *= kerb_min(grip, 1.0f);
    float bend;
    pedals_limit(&wish, kerb_in_lane_bend_speed(keeper, lateral, wish.speed, moved, &bend),
                 KERB_REASON_CURVE);
    float here = kerb_speed_in_curve(keeper->memory.line_curvature, lateral, wish.speed);
    pedals_limit(&wish, here, KERB_REASON_CURVE);
    keeper->decision.limiting_curvature = bend;
    keeper->memory.free_speed = wish.speed;

    float sight = kerb_min(keeper->memory.seen_free, settings->sight);
    keeper->decision.sight = sight;
    float room = sight - keeper->vehicle.reference_to_front - settings->gap_min;
    // The rays may miss for some frames what ended the sight before.
    const bool behind = keeper->memory.free_until == KERB_REASON_FOLLOWING;
    if (!seen->vehicle && !round) // that takes less room, and goes to where sight ends
        pedals_limit(&wish, kerb_approach_speed(0.0f, room, SIGHT_BRAKING * braking),
                     behind ? KERB_REASON_FOLLOWING : KERB_REASON_END);
    if (seen->vehicle && !keeper->memory.hurries)
        pedals_limit(&wish,
                     kerb_gap_speed(seen->gap, seen->vehicle_speed, settings->gap_time,
                                    settings->gap_min + keeper->memory.wait_gap, braking),
                     KERB_REASON_FOLLOWING);
    keeper->decision.gap = seen->vehicle ? seen->gap : -1.0f;
    // A vehicle that only comes in hides no edge from P_Ahead, which stays where it meets it.
    keeper->memory.gap = seen->comes_in ? -1.0f : keeper->decision.gap;
    const float front = keeper->vehicle.reference_to_front;
    if (round) {
        float edge = seen->edge_ahead - front - settings->margin;
        pedals_limit(&wish, TURNS_ROUND, KERB_REASON_WRONG_WAY);
        pedals_limit(&wish, kerb_approach_speed(0.0f, edge, braking), KERB_REASON_END);
    } else if (seen->edges_ahead == 2 && lane_is_askew(keeper, pose))
        // It would drive along that edge, were it not askew.
        pedals_limit(&wish,
                     kerb_approach_speed(0.0f, seen->free_ahead - front - PEDALS_SPARE, braking),
                     KERB_REASON_END);
    if (keeper->memory.lost > 0.0f || !keeper->memory.started) {
        float left = settings->edge_loss_distance - keeper->memory.lost;
        // Where vehicles stand before the edges, they are what it slows for.
        bool hides = seen->vehicle || seen->hidden || behind || seen->edges[0].hidden ||
                     seen->edges[1].hidden;
        if (!round)
            pedals_limit(&wish, kerb_approach_speed(0.0f, left, braking),
                         hides ? KERB_REASON_FOLLOWING : KERB_REASON_END);
    }
    return wish;
}

// Deceleration needed not to hit the vehicle ahead, if that brakes as hard as this vehicle can; 0
// while it is less than an emergency. [m/s²]
float kerb_in_lane_emergency(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                             const lane_seen* seen) {
    float hard = keeper->vehicle.braking_max;
    if (!seen->vehicle || keeper->memory.hurries || pose->speed - seen->vehicle_speed < CLOSES)
        return 0.0f;
    float theirs = seen->vehicle_speed;
    float room = seen->gap - PEDALS_SPARE + theirs * kerb_abs(theirs) / (2.0f * hard);
    float need = pose->speed * pose->speed / (2.0f * kerb_max(room, 0.1f));
    return need > EMERGENCY * hard ? kerb_min(need, hard) : 0.0f;
}

// Tyres that hold a bend have less left for braking, the rear ones first. In an emergency that is
// what the circle of grip leaves, with some for swings.
static float hardest_braking(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                             bool sudden) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    float all = vehicle->braking_max;
    float used = pose->lateral / vehicle->lateral_acceleration_max;
    used = kerb_min(sudden ? SWINGS * used + SWINGS_LEAST : used, 0.95f);
    float hard = all * kerb_sqrt(1.0f - used * used);
    if (!sudden) {
        float comfortable = kerb_min(1.3f * keeper->settings.deceleration, all);
        hard = kerb_min(hard, kerb_max(all * (1.0f - used / BRAKES_NONE), comfortable));
    }
    float eased =
        kerb_clamp((SLIP_MOST - pose->slip) / (SLIP_MOST - PEDALS_SLIP_LEAST), EASED_LEAST, 1.0f);
    return eased * hard;
}

static void pedals_press_pedals(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                const lane_wish* wish, float sudden, float grip, float time_step,
                                kerb_controls* controls) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    const kerb_lane_settings* settings = &keeper->settings;
    float capacity = kerb_full_throttle_acceleration(vehicle, pose->speed, false);
    float coasting = kerb_coasting_deceleration(vehicle, pose->speed);
    float most = kerb_min(capacity, settings->acceleration + coasting);
    float least = -grip * hardest_braking(keeper, pose, sudden > 0.0f);
    float wanted = kerb_speed_control(&keeper->memory.speed_control, &settings->speed_control,
                                      wish->speed - pose->speed, coasting, least, most, time_step);
    if (sudden > 0.0f)
        wanted = kerb_max(kerb_min(wanted, -sudden), least);
    kerb_pedals(vehicle, wanted, capacity, controls);
    if (wish->speed > LANE_STANDS)
        return;
    controls->throttle = 0.0f;
    keeper->memory.speed_control.integral_term = 0.0f;
    if (pose->speed < LANE_STANDS) // rolling back after it has backed out, too
        controls->brake = 1.0f;
}

// Learns how much the rear tyres slip.
static void pedals_learn_slip(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                              float time_step) {
    if (pose->lateral < SLIP_FROM || pose->speed < 2.0f * SLIP_FROM)
        return;
    float share = kerb_min(time_step / PEDALS_SLIP_TIME, 1.0f);
    float seen = kerb_min(pose->slip / pose->lateral, SLIP_TYRES_MOST);
    keeper->memory.slip += share * (seen - keeper->memory.slip);
}

// At standstill behind a stopped vehicle that it would pass if there were room. A vehicle that was
// seen to drive waits for something itself.
static bool waits_for_room(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                           const lane_seen* seen) {
    return keeper->memory.no_room && kerb_abs(pose->speed) < LANE_CREEPS &&
           kerb_abs(seen->vehicle_speed) < LANE_OTHER_STANDS &&
           !(keeper->memory.other.waits > 0.0f);
}

// Anew, `since` seconds after the last time.
void kerb_in_lane_drive_pedals(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                               const lane_seen* seen, const kerb_motion* motion, float sudden,
                               float cap, float grip, float time_step, lane_pedals* result) {
    const float held = keeper->memory.pedals_for; // how much longer they might have stayed
    const float since = held > 0.0f ? time_step + (PEDALS_FOR - held) : time_step;
    const float moved = kerb_max(pose->speed, 0.0f) * since;
    pedals_learn_slip(keeper, pose, since);
    result->round = kerb_in_lane_turns_round(keeper, pose);
    const lane_wish wish = wish_speed(keeper, pose, seen, cap, grip, result->round != 0.0f, moved);
    keeper->decision.target_speed = wish.speed;
    kerb_reason reason = wish.reason;
    if (keeper->memory.aside != 0.0f && reason == KERB_REASON_CRUISE)
        reason = KERB_REASON_AVOIDING;
    if (reason == KERB_REASON_FOLLOWING && waits_for_room(keeper, pose, seen))
        reason = KERB_REASON_NO_ROOM;
    const kerb_lane_settings* settings = &keeper->settings;
    reason = kerb_in_pace_reason(reason, pose->speed, wish.speed,
                                 kerb_min(settings->acceleration, keeper->vehicle.acceleration_max),
                                 1.0f / kerb_max(settings->speed_control.proportional, 1.0e-3f));
    kerb_stuck_phase stuck = kerb_in_lane_watch_stuck(keeper, pose, seen, wish.speed, time_step);
    result->recovers = stuck != KERB_STUCK_FREE;
    kerb_controls pedals;
    if (!result->recovers)
        pedals_press_pedals(keeper, pose, &wish, sudden, kerb_min(grip, 1.0f), since, &pedals);
    else {
        pedals = kerb_in_lane_recover(keeper, pose, seen, stuck);
        reason = pedals.reason;
        result->steering = pedals.steering;
    }
    result->throttle = pedals.throttle;
    result->brake = pedals.brake;
    result->reason = reason;
    result->gear = kerb_in_control_gearbox_shift(
        &keeper->memory.gearbox, &keeper->vehicle, motion->gear, pose->speed,
        stuck == KERB_STUCK_BACK_OUT ? -1 : 1, pedals.throttle, since, &result->clutch);
    keeper->memory.pedals_for = PEDALS_FOR;
    keeper->memory.pedals_gear = motion->gear;
}
