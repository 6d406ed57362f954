// Purpose: getting out where the vehicle makes no progress: askew before an edge, or pressing
//          against something that no ray meets.
// Idea:    Standstill in its lane, at the road's end or behind a vehicle, is intended. Standstill
//          askew, or without both edges, is not: then it drives in reverse as far as rays behind
//          leave clearance, turns its nose to the lane's direction, and looks again. kerb_stuck
//          decides the steps from one try to the next.
// Cost:    O(1).
#include "yield.h"

// Sine of the angle from straight back within which it counts as facing back. [1]
#define FACES_BACK 0.3f
#define FACES_ROUGHLY_BACK 0.6f
// Below this cosine of its angle it stands across the lane, if the lane bends less than this, so
// that driving does not explain it. [1], [1/m]
#define RECOVER_ACROSS 0.35f
#define RECOVER_STRAIGHT 0.05f
// Farther from its lane than this it is not in it. [m]
#define OFF_LANE 1.5f
// Farther in from its lane than this it has left it on purpose: more than keeping the lane errs by
// outside of hairpins, and less than the half width of a car that it goes round. [m]
#define LANE_BESIDE 0.5f
// In reverse from the other half of the road: steering per sine of the angle to the lane. [1]
#define STRAIGHTENS 3.0f
// In reverse: speed, and clearance kept behind. [m/s], [m]
#define RECOVER_BACK_SPEED 2.0f
#define BACK_ROOM 0.4f

// Side to which the nose comes round sooner. Facing back: away from the lane's own edge, where the
// road has more width, unless more was found on the other side.
static float side_of_lane(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    const kerb_vec2 lane = keeper->memory.line_direction;
    float turn = kerb_vec2_cross(pose->forward, lane);
    float roomy = keeper->memory.roomy_side;
    if (kerb_vec2_dot(pose->forward, lane) < 0.0f &&
        kerb_abs(turn) < (roomy != 0.0f ? FACES_ROUGHLY_BACK : FACES_BACK))
        return roomy != 0.0f ? roomy : -lane_inward(keeper);
    return turn < 0.0f ? -1.0f : 1.0f;
}

float kerb_in_lane_turns_round(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    bool wants =
        keeper->memory.turned_round || keeper->memory.across || keeper->memory.stuck.tries > 0;
    return wants && lane_is_askew(keeper, pose) ? side_of_lane(keeper, pose) : 0.0f;
}

static bool is_out_of_lane(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    float shift = lane_inward(keeper) * (keeper->memory.offset_to - keeper->memory.line_offset);
    return lane_is_askew(keeper, pose) || keeper->memory.lost > 0.0f ||
           keeper->memory.turned_round ||
           kerb_abs(lane_aside_of_line(keeper, pose->position) - shift) > OFF_LANE;
}

// It came to a standstill across a lane that is nearly straight: it spun, or was put there. In a
// hairpin the lane's direction is that of the road behind the bend.
static void recover_note_across(kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    bool straight = kerb_abs(keeper->memory.line_curvature) < RECOVER_STRAIGHT;
    float along = kerb_vec2_dot(pose->forward, keeper->memory.line_direction);
    keeper->memory.across =
        keeper->memory.started && (keeper->memory.across ? along < LANE_ASKEW
                                                         : straight && along < RECOVER_ACROSS &&
                                                               kerb_abs(pose->speed) < LANE_CREEPS);
}

// True: out of its lane to go round something, or where an oncoming vehicle drives. A lane that
// lies across the middle of a narrow road is its lane all the same.
static bool is_aside(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    if (keeper->memory.aside != 0.0f)
        return true;
    float middle = 0.5f * keeper->memory.width, offset = lane_offset_of(keeper, pose);
    return middle > 0.0f && keeper->settings.edge_distance < middle &&
           offset + 0.5f * keeper->vehicle.width > middle &&
           offset > lane_within_road(keeper, keeper->settings.edge_distance) + LANE_BESIDE;
}

bool kerb_in_lane_recovers(const kerb_lane_keeper* keeper) {
    return keeper->memory.stuck.phase == KERB_STUCK_BACK_OUT;
}

// It backs out to face its lane, and does; or has come as far back as there is room.
static bool has_backed_out(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                           const lane_seen* seen) {
    if (keeper->memory.backs_askew && !lane_is_askew(keeper, pose))
        return true;
    return seen->behind < 2.0f * BACK_ROOM && kerb_abs(pose->speed) < LANE_STANDS &&
           keeper->memory.stuck.distance_moved > BACK_ROOM;
}

kerb_stuck_phase kerb_in_lane_watch_stuck(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                          const lane_seen* seen, float wish, float time_step) {
    keeper->memory.way += (double)(pose->speed * time_step);
    if (lane_gets_on(keeper, pose))
        return KERB_STUCK_FREE;
    bool pushes = wish > LANE_CREEPS && keeper->controls.throttle > 0.1f;
    bool stands = wish <= LANE_CREEPS && !seen->vehicle && seen->edges_ahead > 0 &&
                  is_out_of_lane(keeper, pose);
    // Face to face, or half out behind a stopped vehicle.
    stands = kerb_in_lane_is_its_turn_to_back_off(keeper, seen, is_aside(keeper, pose), wish,
                                                  time_step) ||
             stands;
    // So near behind a stopped vehicle that it cannot pull out although there is space beside it.
    // If backing off does not help, other vehicles are behind it.
    stands = stands || (keeper->memory.too_near && kerb_abs(pose->speed) < LANE_CREEPS &&
                        keeper->memory.stuck.tries < LANE_BACK_OFFS_MOST);
    recover_note_across(keeper, pose);
    if (kerb_in_lane_recovers(keeper))
        keeper->memory.lost = kerb_max(keeper->memory.lost + pose->speed * time_step, 0.0f);
    if (kerb_in_lane_recovers(keeper) && has_backed_out(keeper, pose, seen))
        keeper->memory.stuck.phase = KERB_STUCK_FREE;
    float turn = side_of_lane(keeper, pose);
    const bool free = keeper->memory.stuck.phase == KERB_STUCK_FREE;
    if (free)
        keeper->memory.backs_askew = lane_is_askew(keeper, pose);
    return kerb_stuck_watch(&keeper->memory.stuck, &keeper->settings.stuck, keeper->memory.way,
                            pose->speed, keeper->memory.started && (pushes || stands), turn,
                            time_step);
}

kerb_controls kerb_in_lane_recover(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                   const lane_seen* seen, kerb_stuck_phase phase) {
    kerb_in_pedals_start(&keeper->memory.pedals, 0.0f);
    if (phase != KERB_STUCK_BACK_OUT)
        return kerb_controls_safe(phase == KERB_STUCK_TELEPORT ? KERB_REASON_TELEPORT
                                                               : KERB_REASON_GIVEN_UP);
    kerb_controls controls = {.reason = KERB_REASON_BACKING_OUT};
    // Backwards, wheels turned to one side bring the nose to the other: askew always to the lane,
    // in as many moves as the road's width takes.
    float side = keeper->memory.stuck.side;
    controls.steering = lane_is_askew(keeper, pose) ? -side_of_lane(keeper, pose) : -side;
    if (is_aside(keeper, pose) || keeper->memory.too_near ||
        (seen->vehicle && keeper->memory.other.came))
        controls.steering =
            kerb_clamp(-STRAIGHTENS * kerb_vec2_cross(pose->forward, pose->lane), -1.0f, 1.0f);
    float wanted =
        kerb_approach_speed(0.0f, seen->behind - BACK_ROOM, keeper->settings.deceleration);
    wanted = kerb_min(wanted, RECOVER_BACK_SPEED);
    if (pose->speed > LANE_CREEPS || wanted < LANE_CREEPS || -pose->speed > wanted + LANE_CREEPS)
        controls.brake = 0.7f;
    else
        controls.throttle = kerb_clamp(0.6f * (wanted + pose->speed), 0.0f, 0.7f);
    return controls;
}
