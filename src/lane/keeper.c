// Purpose: the lane keeper: from the hits of rays to controls.
// Idea:    Each frame the hit of the edge beside P_Ahead, with its normal, gives a point of the
//          lane and the lane's direction there. The window of stations ahead keeps them, and the
//          laws of room track drive along it as a follower drives its path. Work of every frame is
//          in headers, so that compilers make one function of it; work of some frames is in files:
//
//     edges    which edge tells where the lane is
//     line     the remembered lane, also while edges are missing
//     window   the lane in the window of stations ahead, along which room track steers
//     pedals   the speed, and gear for it; room track presses the pedals
//     decide   where in the road to drive
//     yield    which of two gives way where both do not fit
//     lookout  the bends ahead
//     ahead    points of the lane from edges ahead: in whose lane another vehicle is
//     stands   the remembered vehicle at standstill ahead
//     recover  getting out where it makes no progress
//     rays     which rays are asked, and what they met
//     place    where the vehicle is, by floats that may be far from the world's origin
//
// Cost:    O(rays).
// Source:  N. Augustin, "The simple maths behind bot cars" (2019). Its picture of the steering
//          formula is lost; the law of cosines gives R = L/sqrt(2 - 2 cos 2δ).
#include "line.h"
#include "lookout.h"
#include "yield.h"

#include "../base/shared.h"
#include "../estimate/shared.h"
#include "../vehicle/shared.h"
#include "scale.h"
#include "shared.h"

#include <string.h>

#define NO_CAP 1.0e6f // [m/s]

// Work of every frame is in the headers of the parts, so that compilers make one function of it:
// between files all values go through memory. Work of some frames is called.

void kerb_lane_keeper_init(kerb_lane_keeper* keeper, const kerb_vehicle* vehicle) {
    KERB_ASSERT(keeper && vehicle);
    const kerb_vehicle own = *vehicle; // which may lie in the keeper
    memset(keeper, 0, sizeof *keeper);
    keeper->settings = kerb_lane_settings_of(&own);
    keeper->vehicle = own;
}

kerb_lane_keeper kerb_lane_keeper_make(const kerb_vehicle* vehicle) {
    kerb_lane_keeper keeper;
    kerb_lane_keeper_init(&keeper, vehicle);
    return keeper;
}

size_t kerb_lane_keeper_bytes(void) {
    _Static_assert(_Alignof(kerb_lane_keeper) <= KERB_IN_SAVED_ALIGNMENT, "as hosts are promised");
    return sizeof(kerb_lane_keeper);
}

size_t kerb_lane_keeper_save(const kerb_lane_keeper* keeper, void* block, size_t capacity) {
    return kerb_in_save("kerb_lane_keeper", keeper, sizeof *keeper, block, capacity);
}

kerb_result kerb_lane_keeper_load(kerb_lane_keeper* keeper, const void* block, size_t size,
                                  kerb_error* error) {
    return kerb_in_load("kerb_lane_keeper", keeper, sizeof *keeper, block, size, error);
}

void kerb_lane_keeper_set_direction(kerb_lane_keeper* keeper, kerb_vec3 direction) {
    const float scale = keeper->memory.scale;
    memset(&keeper->memory, 0, offsetof(kerb_lane_keeper_memory, track));
    keeper->memory.scale = scale;
    float size = kerb_sqrt(direction.x * direction.x + direction.y * direction.y);
    if (!(size > 1.0e-6f && kerb_is_finite(size)))
        return;
    keeper->memory.way_meant = kerb_vec2_make(direction.x / size, direction.y / size);
}

kerb_vec3 kerb_lane_target_point(kerb_vec3 hit, kerb_vec3 normal, float distance) {
    float size = kerb_sqrt(normal.x * normal.x + normal.y * normal.y);
    float scale = size > 1.0e-6f ? distance / size : 0.0f;
    return kerb_vec3_make(hit.x + normal.x * scale, hit.y + normal.y * scale, hit.z);
}

// --------------------------------------------------------------------------- one frame

static bool keeper_bad_frame(kerb_lane_keeper* keeper, kerb_reason fault) {
    if (fault == KERB_REASON_BAD_MOTION)
        keeper->controls = kerb_controls_safe(fault);
    keeper->controls.reason = fault;
    keeper->decision.reason = fault;
    return false;
}

// Takes what the host says, in metres. `posed`: memory.pose is of this motion already. False: the
// controls are decided already.
static bool keeper_take_frame(kerb_lane_keeper* keeper, const kerb_motion* motion, float time_step,
                              kerb_in_frame_input* input, bool* posed) {
    const kerb_motion_memory before = keeper->memory.last;
    // The same bits as in the call for the rays give the same pose.
    *posed = keeper->memory.asked && lane_are_same(&keeper->memory.motion, motion);
    keeper->memory.asked = false; // what it was found from is about to change
    *input = kerb_in_frame_take_vehicle(&keeper->memory.last, &keeper->vehicle, motion, time_step);
    input->motion.gear =
        kerb_in_vehicle_gear(&keeper->vehicle, input->motion.gear, keeper->controls.gear);
    keeper->bad_frames += input->counts ? 1 : 0;
    if (input->fault != KERB_REASON_NONE)
        return keeper_bad_frame(keeper, input->fault);
    const bool was_placed = keeper->memory.placed;
    const kerb_in_jump jump =
        kerb_in_jump_judge(&keeper->memory.left, &before, input, keeper->controls.reason);
    if (jump == KERB_IN_JUMP_DOUBTFUL)
        return false;
    if (jump == KERB_IN_JUMP_ELSEWHERE)
        kerb_in_lane_forget(keeper);
    *posed = *posed && was_placed == keeper->memory.placed;
    return true;
}

// Sets memory.pose, in the keeper's units.
static inline void keeper_take_place(kerb_lane_keeper* keeper, const kerb_motion* motion,
                                     bool posed) {
    if (!keeper->memory.placed)
        kerb_in_lane_keep_origin_near(keeper, motion->position);
    if (!posed)
        keeper->memory.pose = kerb_in_lane_pose_of(keeper, motion);
    keeper->memory.placed = true;
    keeper->memory.place = keeper->memory.pose.position;
    keeper->memory.place_moves = lane_level(motion->velocity);
}

static void note_sight(kerb_lane_keeper* keeper, const lane_seen* seen, float moved) {
    // The road is clear up to a vehicle ahead; other rays may have looked past it.
    float free = seen->vehicle ? keeper->vehicle.reference_to_front + seen->gap : seen->sight;
    const float remembered = keeper->memory.seen_free - moved;
    if (free >= remembered)
        keeper->memory.free_until =
            seen->vehicle || seen->hidden ? KERB_REASON_FOLLOWING : KERB_REASON_END;
    free = kerb_max(remembered, free);
    // A ray that looked past a wall, through a gap beside it, saw no road.
    keeper->memory.seen_free = seen->head_on == 2 ? kerb_min(free, seen->across) : free;
    if (keeper->memory.seen_free < free)
        keeper->memory.free_until = KERB_REASON_END;
}

// What kerb_in_lane_decide would do where nothing is to be decided.
static void keeper_stay(kerb_lane_keeper* keeper, float time_step) {
    keeper->memory.ask_pause = kerb_max(keeper->memory.ask_pause - time_step, 0.0f);
    keeper->memory.wait_gap = keeper->memory.blocked_side = 0.0f;
    keeper->memory.too_near = keeper->memory.no_room = false;
    lane_lose_who_waits(keeper, time_step);
}

static void keeper_think(kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    kerb_lane_decision* thoughts = &keeper->decision;
    const kerb_vec2 origin = keeper->memory.origin, ahead = pose->ahead.place;
    thoughts->lookahead_point =
        kerb_vec3_make(origin.x + ahead.x, origin.y + ahead.y, pose->height);
    thoughts->lane_curvature = keeper->memory.line_curvature;
    thoughts->edge_distance = lane_offset_at(keeper, 0.0f);
    thoughts->road_width = keeper->memory.width;
    thoughts->changing = keeper->memory.change_for > 0.0f;
    thoughts->avoiding = keeper->memory.aside != 0.0f;
}

// What the frame tells of the vehicle. Returns what the laws see of it; `here` is its motion, with
// the place from the local origin.
static kerb_in_track_frame keeper_watch(kerb_lane_keeper* keeper, const kerb_in_frame_input* input,
                                        const kerb_surroundings* surroundings,
                                        const kerb_motion* here) {
    kerb_track_memory* track = &keeper->memory.track;
    if (track->gain == 0.0f ||
        memcmp(&track->estimate.vehicle, &keeper->vehicle, sizeof keeper->vehicle) != 0) {
        kerb_in_track_begin(track, &keeper->vehicle);
        keeper->memory.turning_radius =
            kerb_max(kerb_vehicle_turning_radius(&keeper->vehicle), 0.01f);
        kerb_in_pedals_start(&keeper->memory.pedals, kerb_max(keeper->memory.pose.speed, 0.0f));
    }
    kerb_in_estimate_feed(&track->estimate, input, &keeper->controls, surroundings);
    if (!keeper->memory.follows)
        kerb_in_track_start(track, keeper->memory.curvature);
    const bool teaches = kerb_in_estimate_may_learn(surroundings) && !input->counts &&
                         keeper->settings.steering == KERB_LANE_BICYCLE && keeper->memory.follows &&
                         !kerb_in_player_drives(surroundings) && !keeper->controls.handbrake;
    // Without surroundings as kerb_surroundings_default has them.
    const float grip = surroundings ? kerb_max(surroundings->grip, 0.01f) : 1.0f;
    const kerb_in_track_frame frame = kerb_in_lane_track_frame(keeper, &keeper->memory.pose, here,
                                                               grip, input->time_step, teaches);
    kerb_in_track_watch(track, &frame);
    return frame;
}

// Drives by a motion that was taken. All is in the keeper's units.
static inline kerb_controls keeper_drive(kerb_lane_keeper* keeper, const kerb_lane_ray* rays,
                                         const kerb_lane_hit* hits, int32_t count,
                                         const kerb_in_frame_input* input,
                                         const kerb_surroundings* surroundings, bool posed) {
    const kerb_motion* motion = &input->motion;
    const float time_step = input->time_step;
    keeper_take_place(keeper, motion, posed);
    const kerb_lane_pose* const pose = &keeper->memory.pose;
    float moved = kerb_max(pose->speed, 0.0f) * time_step;
    keeper->memory.unnoted += moved;
    lane_seen seen;
    kerb_in_lane_look(keeper, pose, rays, hits, count, &seen);
    if (keeper->memory.way_meant.x != 0.0f || keeper->memory.way_meant.y != 0.0f)
        kerb_in_lane_end_turning_round(keeper, pose);
    if (!keeper->memory.started)
        kerb_in_lane_start(keeper, pose, &seen);
    note_sight(keeper, &seen, moved);
    lane_bends_move(keeper, moved);
    lane_see_line(keeper, pose, &seen, time_step);
    if (lane_takes_notes(keeper))
        keeper->memory.unnoted = 0.0f;
    const float sudden = seen.vehicle ? kerb_in_lane_emergency(keeper, pose, &seen) : 0.0f;
    if (lane_is_settled(keeper, &seen))
        keeper_stay(keeper, time_step);
    else
        kerb_in_lane_decide(keeper, pose, &seen, sudden > 0.0f, time_step);
    kerb_motion here = *motion;
    here.position = kerb_vec3_make(pose->position.x, pose->position.y, pose->height);
    const kerb_in_track_frame frame = keeper_watch(keeper, input, surroundings, &here);
    lane_pedals pedals;
    kerb_in_lane_drive_pedals(keeper, pose, &seen, &frame, sudden,
                              surroundings ? surroundings->speed_cap : NO_CAP, &pedals);
    const float steering = kerb_in_lane_steer(keeper, &frame, pedals.round);
    kerb_controls controls = pedals.controls;
    if (!pedals.recovers)
        controls.steering = steering;
    keeper->memory.follows = !pedals.recovers && pedals.round == 0.0f;
    if (!keeper->memory.follows)
        kerb_in_track_start(&keeper->memory.track, 0.0f);
    keeper_think(keeper, pose);
    controls.reason = kerb_in_host_reason(keeper->decision.host_mistake, controls.reason);
    keeper->decision.reason = controls.reason;
    kerb_in_lane_keep_origin_near(keeper, motion->position);
    return keeper->controls = controls;
}

// A vehicle that is far from a car's size: it is driven in units of its own.
static kerb_controls keeper_drive_scaled(kerb_lane_keeper* keeper, const kerb_lane_ray* rays,
                                         const kerb_lane_hit* hits, int32_t count,
                                         const kerb_in_frame_input* input,
                                         const kerb_surroundings* surroundings, float scale,
                                         bool posed) {
    const float by = 1.0f / scale;
    kerb_lane_ray own_rays[KERB_LANE_RAYS_MAX];
    kerb_lane_hit own_hits[KERB_LANE_RAYS_MAX];
    for (int32_t i = 0; i < count; i++) {
        own_rays[i] = rays[i];
        own_hits[i] = hits[i];
    }
    kerb_in_lane_scale_rays(own_rays, count, by);
    kerb_in_lane_scale_hits(own_hits, count, by);
    kerb_in_frame_input own = *input;
    own.motion = kerb_in_motion_scaled(&input->motion, by);
    kerb_surroundings around = surroundings ? *surroundings : kerb_surroundings_default();
    around.speed_cap *= by;
    const lane_in_metres before = kerb_in_lane_to_units(keeper, scale);
    kerb_controls controls = keeper_drive(keeper, own_rays, own_hits, count, &own, &around, posed);
    kerb_in_lane_to_metres(keeper, &before);
    return controls;
}

kerb_controls kerb_lane_keeper_drive(kerb_lane_keeper* keeper, const kerb_lane_ray* rays,
                                     const kerb_lane_hit* hits, int32_t count,
                                     const kerb_motion* motion,
                                     const kerb_surroundings* surroundings, float time_step) {
    KERB_ASSERT(keeper != NULL && motion != NULL);
    KERB_ASSERT(count >= 0 && count <= KERB_LANE_RAYS_MAX);
    KERB_ASSERT(count == 0 || (rays != NULL && hits != NULL));
    KERB_ASSERT_SETTINGS(&kerb_lane_settings_table, &keeper->settings);
    KERB_ASSERT_VALID(kerb_vehicle_validate, &keeper->vehicle);
    const bool given_back =
        kerb_in_hand_over_begin(&keeper->memory.hand_over, &keeper->controls, surroundings);
    const float scale = kerb_vehicle_scale(&keeper->vehicle);
    lane_keep_units(keeper, scale == 1.0f ? 0.0f : scale);
    keeper->decision.host_mistake = kerb_in_host_watch(&keeper->memory.host_check, &keeper->vehicle,
                                                       motion, &keeper->controls, time_step);
    if (given_back)
        kerb_in_lane_forget(keeper);
    if (kerb_in_player_drives(surroundings))
        keeper->memory.stuck = (kerb_stuck){0};
    kerb_in_frame_input input;
    bool posed;
    // What is possible is judged in metres: the world and what hits a vehicle have no scale.
    if (!keeper_take_frame(keeper, motion, time_step, &input, &posed))
        return keeper->controls;
    kerb_controls controls =
        scale != 1.0f
            ? keeper_drive_scaled(keeper, rays, hits, count, &input, surroundings, scale, posed)
            : keeper_drive(keeper, rays, hits, count, &input, surroundings, posed);
    if (!keeper->memory.hand_over.back && !keeper->memory.hand_over.held &&
        keeper->memory.hand_over.left <= 0.0f)
        return controls;
    kerb_in_hand_over_end(&keeper->memory.hand_over, &controls, input.time_step);
    keeper->decision.reason = controls.reason;
    return keeper->controls = controls;
}

bool kerb_in_lane_has_decided(const kerb_lane_keeper* keeper) {
    return keeper->memory.started;
}
