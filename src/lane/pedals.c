// Purpose: the speed, and the pedals and gear for it.
// Idea:    The speed is the smallest of what bends, sight, other vehicles and a lost edge allow,
//          braked for in time. The pedal law of room track drives it, with what the bend leaves of
//          the grip.
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
#define NO_SPEED 1.0e6f // that is too high [m/s]

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

static void pedals_press_pedals(kerb_lane_keeper* keeper, const kerb_in_track_frame* frame,
                                const lane_wish* wish, float sudden, kerb_controls* controls) {
    const kerb_lane_settings* settings = &keeper->settings;
    const bool stands = wish->speed <= LANE_STANDS;
    kerb_in_pedals_wish pedals = {.speed = wish->speed,
                                  .soon = NO_SPEED,
                                  .knows = sudden > 0.0f,
                                  .known = -sudden,
                                  .acceleration = settings->acceleration,
                                  .deceleration =
                                      settings->deceleration * kerb_min(frame->grip, 1.0f),
                                  .shares_grip = true,
                                  .room = kerb_in_pedals_room_of(frame, 0.0f),
                                  .stands = stands && frame->speed < LANE_STANDS,
                                  .at_stop = stands,
                                  .rolls = LANE_STANDS,
                                  .controls = &keeper->controls};
    float hardest = kerb_in_pedals_hardest(&keeper->memory.track, frame);
    pedals.room.brake = sudden > 0.0f ? hardest : kerb_min(pedals.room.brake, hardest);
    kerb_in_pedals_force force =
        kerb_in_pedals_force_for(&keeper->memory.pedals, frame, &settings->speed_control, &pedals);
    kerb_pedals(frame->vehicle, force.force, force.capacity, controls);
    kerb_in_pedals_press(&keeper->memory.pedals, frame, &pedals, controls);
    if (stands)
        controls->throttle = 0.0f;
}

// At standstill behind a stopped vehicle that it would pass if there were room. A vehicle that was
// seen to drive waits for something itself.
static bool waits_for_room(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                           const lane_seen* seen) {
    return keeper->memory.no_room && kerb_abs(pose->speed) < LANE_CREEPS &&
           kerb_abs(seen->vehicle_speed) < LANE_OTHER_STANDS &&
           !(keeper->memory.other.waits > 0.0f);
}

void kerb_in_lane_drive_pedals(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                               const lane_seen* seen, const kerb_in_track_frame* frame,
                               float sudden, float cap, lane_pedals* result) {
    const float moved = kerb_max(pose->speed, 0.0f) * frame->time_step;
    result->round = kerb_in_lane_turns_round(keeper, pose);
    const lane_wish wish =
        wish_speed(keeper, pose, seen, cap, frame->grip, result->round != 0.0f, moved);
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
    kerb_stuck_phase stuck =
        kerb_in_lane_watch_stuck(keeper, pose, seen, wish.speed, frame->time_step);
    result->recovers = stuck != KERB_STUCK_FREE;
    kerb_controls pedals = {.reason = reason};
    if (!result->recovers)
        pedals_press_pedals(keeper, frame, &wish, sudden, &pedals);
    else
        pedals = kerb_in_lane_recover(keeper, pose, seen, stuck);
    if (pedals.reason == KERB_REASON_NONE)
        pedals.reason = reason;
    result->controls = pedals;
    result->controls.gear = kerb_in_control_gearbox_shift(
        &keeper->memory.gearbox, &keeper->vehicle, frame->motion->gear, pose->speed,
        stuck == KERB_STUCK_BACK_OUT ? -1 : 1, pedals.throttle, frame->time_step,
        &result->controls.clutch);
}
