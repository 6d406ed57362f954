// Purpose: one frame of the follower.
// Idea:    It finds the place on the path, decides whether to drive or to wait, asks the method
//          (KERB, PAPER or BASELINE) for a speed and a curvature, and turns both into pedals,
//          steering and gear.
// Cost:    O(1) a frame, plus what the windows of KERB need for a part of the path that comes in
//          view.
#include "../base/shared.h"
#include "../control/shared.h"
#include "../estimate/shared.h"
#include "../vehicle/shared.h"
#include "goal.h"
#include "stops.h"

#include <string.h>

// It aims at a point this far behind a stop, so that it ends past the last waypoint's normal and
// not before it. [m]
#define STOP_AIM 0.04f
// Within this distance a stop counts as reached. [m]
#define STOP_REACHED 0.1f
// It tries to creep over the last centimetres for this time. [s]
#define PATIENCE_AT_END 1.5f
// Stops are looked for no farther than this, also on ice. [m]
#define SIGHT_MOST 500.0f
// Cosine of the angle from the path beyond which a body goes elsewhere: more than what hovers turns
// off its line. [1]
#define PATH_AGREES (-0.4f)
// Rolling back faster than this along its path, it brakes first. [m/s]
#define ROLLS_BACK 0.5f
// Time at standstill at a change of direction, for gearboxes that need it. [s]
#define REVERSAL_PAUSE 0.25f

void kerb_follower_go(kerb_follower* follower) {
    follower->memory.waited = KERB_STOP_FOREVER;
}

void kerb_follower_init(kerb_follower* follower, const kerb_vehicle* vehicle) {
    KERB_ASSERT(follower && vehicle);
    const kerb_vehicle own = *vehicle; // which may lie in the follower
    memset(follower, 0, sizeof *follower);
    follower->settings = kerb_follower_settings_of(KERB_FOLLOWER_KERB, &own);
    follower->vehicle = own;
    follower->controls = kerb_controls_safe(KERB_REASON_NONE);
}

kerb_follower kerb_follower_make(const kerb_vehicle* vehicle) {
    kerb_follower follower;
    kerb_follower_init(&follower, vehicle);
    return follower;
}

size_t kerb_follower_bytes(void) {
    _Static_assert(_Alignof(kerb_follower) <= KERB_IN_SAVED_ALIGNMENT, "as hosts are promised");
    return sizeof(kerb_follower);
}

size_t kerb_follower_save(const kerb_follower* follower, void* block, size_t capacity) {
    return kerb_in_save("kerb_follower", follower, sizeof *follower, block, capacity);
}

kerb_result kerb_follower_load(kerb_follower* follower, const void* block, size_t size,
                               kerb_error* error) {
    return kerb_in_load("kerb_follower", follower, sizeof *follower, block, size, error);
}

void kerb_follower_shift_origin(kerb_follower* follower, kerb_vec3 new_origin) {
    KERB_ASSERT(follower != NULL);
    if (!kerb_vec3_is_finite(new_origin))
        return;
    kerb_follower_memory* memory = &follower->memory;
    kerb_in_motion_shift_origin(&memory->motion, new_origin);
    kerb_estimate_shift_origin(&memory->track.estimate, new_origin);
    kerb_host_check_shift_origin(&memory->host_check, new_origin);
    memory->left_stop_at = kerb_vec3_sub(memory->left_stop_at, new_origin);
    memory->path_start = kerb_vec3_sub(memory->path_start, new_origin);
    memory->pedals.hill = kerb_vec3_sub(memory->pedals.hill, new_origin);
    memory->goal_at = kerb_vec3_sub(memory->goal_at, new_origin);
    kerb_follower_decision* decision = &follower->decision;
    kerb_vec3* neighbour = &decision->neighbour.position;
    decision->nearest = kerb_vec3_sub(decision->nearest, new_origin);
    decision->target = kerb_vec3_sub(decision->target, new_origin);
    *neighbour = kerb_vec3_sub(*neighbour, new_origin);
    kerb_in_line_shift_origin(&memory->line, new_origin);
    for (int32_t i = 0; i < KERB_FOLLOWER_LINE_KNOTS; i++)
        memory->fill.raw[i] = kerb_vec3_sub(memory->fill.raw[i], new_origin);
}

// --------------------------------------------------------------------------- place on the path

static void forget_windows(kerb_follower* follower) {
    kerb_in_follow_line_reset(follower);
    kerb_in_follow_far_reset(follower);
}

// The stop that it has just left is on the new path too: it has been waited for.
static void pass_stop_left(kerb_follower* follower, const kerb_path* path) {
    if (!follower->memory.left_stop)
        return;
    kerb_in_follow_stops_look(follower, path,
                              follower->memory.distance +
                                  (double)follow_metres(follower, FOLLOWER_SAME_PLACE));
    if (follower->memory.stop_kind != STOP_WAIT)
        return;
    kerb_vec3 stop = path->points[follower->memory.stop_scan.segment].position;
    kerb_vec3 off = kerb_vec3_sub(stop, follower->memory.left_stop_at);
    if (kerb_vec3_length(off) < follow_metres(follower, FOLLOWER_SAME_PLACE))
        kerb_in_follow_stops_done(follower);
}

static void follower_join(kerb_follower* follower, const kerb_path* path, const kerb_motion* motion,
                          kerb_vec3 forward, bool elsewhere) {
    bool fresh = elsewhere || follower->memory.path_id == 0;
    bool standing = follower->memory.phase == PHASE_STAND;
    bool arrived = follower->memory.phase == PHASE_ARRIVED && !elsewhere;
    float stop_time = follower->memory.stop_time;
    double before = follower->memory.path_id != 0 ? follower->memory.distance : 0.0;
    double now;
    kerb_path_location here =
        kerb_in_follow_place_begin(follower, path, motion, forward, elsewhere, &now);
    // Being stuck is not forgotten with the path: its places keep their distance from here.
    kerb_in_follow_goal_shift(follower, now - before);
    follower->memory.goal_station += now - before;
    follower->memory.knot_looked = -FAR_AWAY;
    if (!elsewhere && kerb_in_follow_goal_stays(follower, path))
        follower->memory.goal_at = path->points[path->count - 1].position;
    else {
        kerb_in_follow_goal_end(follower, motion);
        follower->memory.goal_pieces = 0;
    }
    follower->memory.path_id = path->id;
    follower->memory.path_length = path->length;
    follower->memory.path_start = path->points[0].position;
    follower->memory.location = here;
    follower->memory.rounds = 0.0;
    follower->memory.distance = kerb_path_distance(path, here);
    follower->memory.line_distance = follower->memory.distance;
    follower->memory.rabbit = here;
    follower->memory.phase = PHASE_DRIVE;
    kerb_in_follow_stops_reset(follower);
    forget_windows(follower);
    if (fresh)
        follower->memory.left_stop = false;
    // A path may begin with a stop; and one that replaces another does not start a wait anew.
    bool at_start = follower->memory.distance < 0.5 && path->points[0].stop > 0.0f &&
                    !follower->memory.left_stop;
    if (at_start || standing) {
        follower->memory.phase = PHASE_STAND;
        // Where it stands for a change of direction, the new path changes it too.
        kerb_in_follow_stops_look(follower, path,
                                  follower->memory.distance +
                                      (double)follow_metres(follower, STOP_REACHED));
        bool reverses = standing && follower->memory.stop_kind == STOP_REVERSAL &&
                        follower->memory.stop_distance - follower->memory.distance < 0.5;
        if (!reverses) {
            kerb_in_follow_stops_reset(follower);
            follower->memory.stop_kind = STOP_WAIT;
            follower->memory.stop_distance = follower->memory.distance;
        }
        follower->memory.stop_time = standing ? stop_time : path->points[0].stop;
        if (!standing)
            follower->memory.waited = 0.0f;
    } else {
        pass_stop_left(follower, path);
    }
    // Whether it is at this path's end, too, is judged at once.
    if (arrived)
        follower->memory.phase = PHASE_ARRIVED;
}

// The knot is behind: the path goes on here.
static void skip_to(kerb_follower* follower, const kerb_path* path, const kerb_motion* motion,
                    kerb_path_location to) {
    double station = kerb_path_distance(path, to) + follower->memory.rounds;
    if (path->closed && station < follower->memory.distance) {
        follower->memory.rounds += path->length;
        station += path->length;
    }
    kerb_in_follow_goal_end(follower, motion);
    follower->memory.location = follower->memory.rabbit = to;
    follower->memory.distance = follower->memory.line_distance = station;
    kerb_in_follow_stops_reset(follower);
    forget_windows(follower);
}

// A host that moves the vehicle (a teleport, a respawn) means it to go on from there.
static kerb_in_frame_input follower_take_frame(kerb_follower* follower, const kerb_motion* motion,
                                               float time_step) {
    bool asked = follower->memory.stuck.phase == KERB_STUCK_TELEPORT ||
                 follower->memory.stuck.phase == KERB_STUCK_GIVEN_UP;
    float jump = asked ? KERB_IN_JUMP_LENGTHS_ASKED : KERB_IN_JUMP_LENGTHS;
    return kerb_in_frame_take_vehicle_beyond(&follower->memory.motion, &follower->vehicle, motion,
                                             0.0f, jump, time_step);
}

// What hovers drifts: the path's direction tells how fast it goes and how far up, as the body lies
// on the ground.
static void glide_along(follow_frame* frame, kerb_vec3 direction) {
    kerb_vec3 up = kerb_quat_up(frame->motion->rotation);
    frame->speed = kerb_vec3_dot(frame->motion->velocity, direction);
    frame->climb = -up.z * (up.x * direction.x + up.y * direction.y);
}

// Whether the path goes about where the body does.
static bool path_agrees(const kerb_follower* follower, const kerb_path* path, kerb_vec3 heading) {
    const kerb_path_point* segment = &path->points[follower->memory.location.segment];
    return kerb_vec3_dot(segment->direction, heading) > PATH_AGREES;
}

static follow_frame follower_frame_for(const kerb_follower* follower, const kerb_path* path,
                                       const kerb_motion* motion, kerb_vec3 forward,
                                       const kerb_surroundings* surroundings, float time_step) {
    kerb_surroundings around = surroundings != NULL ? *surroundings : kerb_surroundings_default();
    float travel = (float)path->points[follower->memory.location.segment].travel;
    if (follower->memory.goal != 0)
        travel = (float)follower->memory.goal;
    follow_frame frame = {.path = path,
                          .motion = motion,
                          .speed_cap = kerb_max(around.speed_cap, 0.0f),
                          .grip = kerb_clamp(around.grip, 0.01f, 10.0f),
                          .time_step = time_step,
                          .travel = travel,
                          .heading = kerb_vec3_scale(forward, travel),
                          .climb = travel * forward.z,
                          .id = around.id,
                          .neighbours = around.neighbours,
                          .neighbour_count = around.neighbours != NULL ? around.neighbour_count : 0,
                          .distance = follower->memory.distance};
    frame.road = frame.grip;
    if (follower->vehicle.kind != KERB_VEHICLE_HOVER) // which has no tyres
        frame.road *= path->points[follower->memory.location.segment].grip;
    frame.speed = kerb_vec3_dot(motion->velocity, frame.heading);
    // But EA's speed is that along the forward vector.
    if (follower->vehicle.kind == KERB_VEHICLE_HOVER &&
        follower->settings.method == KERB_FOLLOWER_KERB && follower->memory.goal == 0 &&
        path_agrees(follower, path, frame.heading))
        glide_along(&frame, path->points[follower->memory.location.segment].direction);
    return frame;
}

// --------------------------------------------------------------------------- standing

static void arrive(kerb_follower* follower) {
    if (follower->memory.stop_kind == STOP_END) {
        follower->memory.phase = PHASE_ARRIVED;
        return;
    }
    follower->memory.phase = PHASE_STAND;
    follower->memory.waited = 0.0f;
    if (follower->memory.stop_kind == STOP_REVERSAL)
        follower->memory.stop_time = kerb_max(follower->memory.stop_time, REVERSAL_PAUSE);
}

static void follower_set_off(kerb_follower* follower, const kerb_path* path) {
    follower->memory.left_stop = true;
    follower->memory.left_stop_at = follower->memory.motion.position;
    if (follower->memory.stop_kind == STOP_REVERSAL) {
        int32_t next = follower->memory.location.segment + 1;
        if (next == path->segment_count) {
            next = 0;
            follower->memory.rounds += path->length;
        }
        follower->memory.location = (kerb_path_location){next, 0.0f};
        follower->memory.distance = follower->memory.stop_distance;
        follower->memory.line_distance = follower->memory.stop_distance;
        follower->memory.rabbit = follower->memory.location;
        // The same wheels turn the other way for travel the other way.
        follower->memory.curvature = -follower->memory.curvature;
        kerb_in_track_start(&follower->memory.track, follower->memory.curvature);
        forget_windows(follower);
    }
    follower->memory.phase = PHASE_DRIVE;
    kerb_in_pedals_start(&follower->memory.pedals, 0.0f);
    kerb_in_follow_stops_done(follower);
}

// Whether it stands at the stop, or at the end.
static bool stands_there(const kerb_follower* follower, const follow_frame* frame, float distance) {
    const float slow = follow_metres(follower, FOLLOWER_STANDING);
    if (follower->memory.stop_kind == STOP_NONE || kerb_abs(frame->speed) >= slow)
        return false;
    if (follower->memory.stop_kind != STOP_END)
        return distance < follow_metres(follower, STOP_REACHED);
    const kerb_vec3* moves = &frame->motion->velocity; // what hovers drifts
    follow_end end = kerb_in_follow_place_end(follower, frame);
    return kerb_in_follow_place_at_end(follower, &end, END_TOLERANCE) &&
           moves->x * moves->x + moves->y * moves->y < slow * slow;
}

// A vehicle that is taken away from its end is no longer there.
static void leave_end(kerb_follower* follower, const follow_frame* frame) {
    follow_end end = kerb_in_follow_place_end(follower, frame);
    if (follower->memory.phase == PHASE_ARRIVED &&
        !kerb_in_follow_place_at_end(follower, &end, END_LEFT))
        follower->memory.phase = PHASE_DRIVE;
}

// Decides between driving and standing. True while it stands.
static bool follower_stands(kerb_follower* follower, const follow_frame* frame, float distance) {
    bool still = stands_there(follower, frame, distance);
    // Other stops of a path that is found anew move while it brakes for them.
    if (still && follower->memory.stop_kind == STOP_END)
        kerb_in_pedals_stood(&follower->memory.pedals, follow_scale(follower),
                             distance + follow_metres(follower, STOP_AIM));
    follower->memory.stood = still ? follower->memory.stood + frame->time_step : 0.0f;
    // The end should be passed by a few centimetres; at standstill just before it is arrived, too.
    bool there = follower->memory.stop_kind != STOP_END || distance <= 0.0f ||
                 follower->memory.stood > PATIENCE_AT_END;
    if (follower->memory.phase == PHASE_DRIVE && still && there) {
        arrive(follower);
        kerb_in_follow_goal_end(follower, frame->motion);
        follower->memory.goal_pieces = 0;
    }
    if (follower->memory.phase == PHASE_STAND) {
        follower->memory.waited += frame->time_step;
        if (follower->memory.waited >= follower->memory.stop_time) {
            follower_set_off(follower, frame->path);
            return true; // the frame still is that of the stretch before
        }
    }
    return follower->memory.phase != PHASE_DRIVE;
}

static kerb_controls follower_stand(kerb_follower* follower) {
    kerb_reason reason = KERB_REASON_WAIT;
    if (follower->memory.phase == PHASE_ARRIVED)
        reason = KERB_REASON_ARRIVED;
    else if (follower->memory.stop_kind == STOP_REVERSAL)
        reason = KERB_REASON_REVERSAL;
    kerb_controls controls = kerb_controls_safe(reason);
    controls.handbrake = true; // some hosts' brakes do not hold against an engine that creeps
    controls.steering = follower->controls.steering; // wheels stay where they are
    kerb_in_pedals_start(&follower->memory.pedals, 0.0f);
    follower->decision.target_speed = 0.0f;
    follower->decision.acceleration = 0.0f;
    return controls;
}

// --------------------------------------------------------------------------- driving

float kerb_in_follow_thrust_back(const kerb_vehicle* vehicle) {
    if (vehicle->kind != KERB_VEHICLE_HOVER)
        return 0.0f;
    return kerb_min(vehicle->reverse_acceleration_max, vehicle->braking_max);
}

float kerb_in_follow_braking(const kerb_follower* follower, const follow_frame* frame) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    float downhill = KERB_GRAVITY * kerb_max(-frame->climb, 0.0f);
    float grip = frame->road;
    if (follower->memory.line.knots > 0) // it has looked ahead
        grip = kerb_min(grip, frame->grip * kerb_min(follower->memory.line.least_grip,
                                                     follower->memory.far_ahead.least_grip));
    float thrust = kerb_in_follow_thrust_back(vehicle);
    float most = thrust + (vehicle->braking_max - thrust) * grip;
    float brakes = BRAKING_USED * most - downhill;
    return kerb_min(follower->settings.deceleration, kerb_max(brakes, 0.1f * most));
}

static kerb_reason reason_of_stop(int32_t kind) {
    return kind == STOP_END        ? KERB_REASON_END
           : kind == STOP_REVERSAL ? KERB_REASON_REVERSAL
                                   : KERB_REASON_STOP;
}

// Slower than planned for a stop by this share of the braking, it need not brake yet. [1]
#define STOP_EARLY 0.4f
// From here on it is too near for that. [m]
#define STOP_EARLY_LEAST 1.5f
// … and what it gains it drives for this long at least, before it brakes. [s]
#define STOP_SOON 1.0f

// A stop ahead when the vehicle is slower than the plan to stop there, as behind ice: it rolls on,
// up to the speed that it can drive for a while before it brakes.
static void follower_roll_on(float aim, float braking, follow_wish* wish) {
    float root = kerb_sqrt(STOP_SOON * STOP_SOON + 2.0f * aim / braking);
    wish->soon = kerb_min(wish->soon, braking * (root - STOP_SOON));
}

// The stop ahead limits the speed by its braking distance. The braking that would end exactly
// there is known, whatever the speed: that is what makes it stop on the spot.
static void slow_for_stop(kerb_follower* follower, const follow_frame* frame, float distance,
                          follow_wish* wish) {
    wish->braking = 0.0f;
    if (follower->memory.stop_kind == STOP_NONE && follower->memory.goal == 0)
        return;
    const kerb_in_track_frame track = kerb_in_follow_track_frame(follower, frame);
    kerb_pedals_memory* pedals = &follower->memory.pedals;
    float aim = distance + follow_metres(follower, STOP_AIM);
    float braking = kerb_in_follow_braking(follower, frame);
    const kerb_in_pedals_stop stop = {aim, braking};
    float speed = kerb_in_pedals_stop_speed(pedals, &stop);
    if (speed >= wish->speed)
        return;
    wish->speed = speed;
    wish->reason = reason_of_stop(follower->memory.stop_kind);
    float needed =
        frame->speed * frame->speed / (2.0f * kerb_max(aim, 0.02f * follow_scale(follower)));
    if (needed < STOP_EARLY * braking && aim > follow_metres(follower, STOP_EARLY_LEAST)) {
        follower_roll_on(aim, braking, wish);
        return;
    }
    wish->braking = kerb_in_pedals_stop_braking(pedals, &track, &stop);
}

// Standing, with the wheels far from where they must be to set off: turn them first.
static bool turns_wheels_first(kerb_follower* follower, const follow_frame* frame, float wanted) {
    float off = kerb_abs(wanted - follower->memory.curvature) * follower->vehicle.wheelbase;
    bool standing = kerb_abs(frame->speed) < 0.1f * follow_scale(follower);
    bool far_off = off > 0.25f * follower->vehicle.steering_angle_max;
    follower->memory.turning =
        standing && far_off ? follower->memory.turning + frame->time_step : 0.0f;
    float most = 2.0f * follower->vehicle.steering_angle_max / follower->vehicle.steering_rate_max;
    return follower->memory.turning > 0.0f && follower->memory.turning <= most &&
           follower->vehicle.kind == KERB_VEHICLE_WHEELED;
}

// A hill that stays too steep is one for the host, in the end, as backing out does not make it less
// steep.
static void give_up_hill(kerb_follower* follower) {
    const kerb_stuck_settings* settings = &follower->settings.stuck;
    if (follower->memory.pedals.hill_tries > settings->tries &&
        settings->recovery != KERB_RECOVERY_NONE)
        kerb_stuck_request_teleport(&follower->memory.stuck);
}

static void follower_press_pedals(kerb_follower* follower, const follow_frame* frame,
                                  const follow_wish* wish, float distance,
                                  kerb_controls* controls) {
    const kerb_in_track_frame track = kerb_in_follow_track_frame(follower, frame);
    const bool to_goal = follower->memory.goal != 0;
    kerb_in_pedals_wish pedals = {
        .speed = wish->speed,
        .soon = wish->soon,
        .knows = wish->braking > 0.0f,
        .known = -wish->braking,
        .acceleration = follower->settings.acceleration,
        .deceleration = follower->settings.deceleration,
        .shares_grip = wish->shares_grip,
        .room = wish->room,
        .stands = turns_wheels_first(follower, frame, wish->wanted),
        .at_stop = wish->braking > 0.0f && distance < follow_metres(follower, STOP_REACHED),
        .rolls = to_goal ? follow_metres(follower, FOLLOWER_STANDING) : ROLLS_BACK,
        .controls = &follower->controls,
    };
    kerb_in_pedals_force force = kerb_in_pedals_force_for(
        &follower->memory.pedals, &track, &follower->settings.speed_control, &pedals);
    follower->decision.acceleration = force.acceleration;
    if (follower->vehicle.kind == KERB_VEHICLE_HOVER && wish->turns)
        kerb_in_follow_hover_pedals(follower, frame, wish, force.force, force.capacity, controls);
    else
        kerb_pedals(&follower->vehicle, force.force, force.capacity, controls);
    if (kerb_in_pedals_press(&follower->memory.pedals, &track, &pedals, controls))
        give_up_hill(follower);
}

// At the end, a path that is found anew from the vehicle points anywhere: wheels and nose stay.
static void hold_wheels_at_end(const kerb_follower* follower, const follow_frame* frame,
                               float before, follow_wish* wish) {
    follow_end end = kerb_in_follow_place_end(follower, frame);
    if (!kerb_in_follow_place_at_end(follower, &end, END_TOLERANCE) ||
        path_agrees(follower, frame->path, frame->heading))
        return;
    wish->curvature = wish->wanted = before;
    wish->yaw_rate = wish->aside = wish->drift = 0.0f;
}

// Reasons that only say what limits the speed.
static bool only_limits(kerb_reason reason) {
    return reason == KERB_REASON_CRUISE || reason == KERB_REASON_CURVE ||
           reason == KERB_REASON_SPEED_LIMIT || reason == KERB_REASON_STEERING;
}

// In reverse, left of the travel is right of the vehicle.
static float steering_for(kerb_follower* follower, const follow_frame* frame, float curvature) {
    if (kerb_in_follow_tracks(follower)) {
        kerb_in_track_frame track = kerb_in_follow_track_frame(follower, frame);
        return kerb_in_track_command(&follower->memory.track, &track, curvature);
    }
    return kerb_steering_for(&follower->vehicle, curvature * frame->travel,
                             frame->speed * frame->travel);
}

static kerb_controls follower_drive(kerb_follower* follower, const follow_frame* frame,
                                    float distance) {
    kerb_controls own = {.throttle = 0.0f}; // of a hovercraft on its way to a point
    const bool to_goal = follower->memory.goal != 0;
    const float before = follower->memory.curvature;
    follow_wish wish = to_goal ? kerb_in_follow_goal_wish(follower, frame, &own)
                       : follower->settings.method == KERB_FOLLOWER_PAPER
                           ? kerb_in_follow_paper(follower, frame)
                       : follower->settings.method == KERB_FOLLOWER_BASELINE
                           ? kerb_in_follow_baseline(follower, frame)
                           : kerb_in_follow_kerb(follower, frame);
    if (to_goal)
        distance = kerb_in_follow_goal_left(follower, frame);
    else
        hold_wheels_at_end(follower, frame, before, &wish);
    slow_for_stop(follower, frame, distance, &wish);
    if (to_goal && wish.reason == KERB_REASON_END)
        wish.reason = KERB_REASON_MISSED_END;
    follower->memory.curvature = wish.curvature;
    follower->decision.target_speed = wish.speed;
    follower->decision.commanded_curvature = wish.curvature;
    if (to_goal && follower->vehicle.kind == KERB_VEHICLE_HOVER) {
        own.reason = wish.reason;
        return own;
    }

    const kerb_follower_settings* settings = &follower->settings;
    kerb_controls controls = {
        .reason = kerb_in_pace_reason(
            wish.reason, frame->speed, wish.speed,
            kerb_min(settings->acceleration, follower->vehicle.acceleration_max),
            1.0f / kerb_max(settings->speed_control.proportional, 1.0e-3f))};
    follower_press_pedals(follower, frame, &wish, distance, &controls);
    controls.steering = steering_for(follower, frame, wish.curvature);
    if (!to_goal && only_limits(wish.reason) && kerb_in_follow_place_far_off(follower, frame))
        controls.reason = KERB_REASON_OFF_PATH;
    if (wish.turns)
        controls.steering = kerb_clamp(wish.yaw_rate / follower->vehicle.yaw_rate_max, -1.0f, 1.0f);
    return controls;
}

// --------------------------------------------------------------------------- stuck

// Tries after the first go round the place where it got stuck, within the corridor.
static void plan_detour(kerb_follower* follower, const kerb_path* path) {
    const kerb_stuck* stuck = &follower->memory.stuck;
    kerb_path_sample road = kerb_path_sample_at(path, follower->memory.location);
    float room = stuck->side > 0.0f ? road.left : road.right;
    float most = kerb_max(room - 0.5f * follower->vehicle.width, 0.3f);
    float wanted = 0.5f * follower->vehicle.width * (float)(stuck->tries - 1);
    follower->memory.detour = stuck->side * kerb_min(wanted, most);
}

// A vehicle that has given up while others are near tries again after this time: as long as two
// or three vehicles take to leave a junction. [s]
#define TRIES_AGAIN 15.0f

static kerb_stuck_phase watch_stuck(kerb_follower* follower, const follow_frame* frame) {
    kerb_stuck* stuck = &follower->memory.stuck;
    const float scale = follow_scale(follower);
    // A hovercraft that leans on something with its nose across has to turn before its fan helps.
    const bool turns =
        follower->vehicle.kind == KERB_VEHICLE_HOVER && follower->controls.brake <= 0.0f;
    bool presses = follower->memory.phase == PHASE_DRIVE &&
                   (follower->controls.throttle > 0.1f || turns) &&
                   follower->decision.target_speed > 0.3f * scale;
    presses = presses && !follower->controls.handbrake; // until the engine pulls
    presses = presses || follower->memory.blocked != 0 || follower->memory.goal != 0;
    kerb_vec3 way = kerb_vec3_sub(follower->decision.target, frame->motion->position);
    float turn = frame->heading.x * way.y - frame->heading.y * way.x;
    int32_t before = stuck->phase;
    kerb_stuck_settings settings = follower->settings.stuck;
    if (stuck->still_time > 0.0f) // a lazy engine takes its time before anything moves
        settings.patience += 2.0f * follower->vehicle.throttle_delay +
                             kerb_sqrt(0.6f * scale / follower->vehicle.acceleration_max);
    if (stuck->phase == KERB_STUCK_GIVEN_UP && frame->neighbour_count > 0 &&
        stuck->phase_time >= TRIES_AGAIN)
        *stuck = (kerb_stuck){0};
    double progress = kerb_in_follow_goal_progress(follower, frame->motion);
    float speed = frame->speed;
    if (turns ||
        (follower->memory.goal != 0 && follower->vehicle.kind != KERB_VEHICLE_WHEELED)) // it pivots
        speed += 0.5f * follower->vehicle.length * kerb_abs(frame->motion->angular_velocity.z);
    if (scale != 1.0f) { // what is watched is in units of the vehicle
        settings.distance /= scale;
        progress /= (double)scale;
        speed /= scale;
    }
    kerb_stuck_phase phase =
        kerb_stuck_watch(stuck, &settings, progress, speed, presses, turn, frame->time_step);
    if (phase == KERB_STUCK_BACK_OUT && before != KERB_STUCK_BACK_OUT &&
        follower->memory.blocked == 0)
        plan_detour(follower, frame->path);
    if (stuck->tries == 0)
        follower->memory.detour = 0.0f;
    if (phase != KERB_STUCK_FREE) // from where it then is it looks anew
        kerb_in_follow_goal_end(follower, frame->motion);
    return phase;
}

#define BACK_OUT_SPEED 2.0f

// Away from what it stands against, turning the nose to the chosen side.
static kerb_controls back_out(kerb_follower* follower, const follow_frame* frame) {
    kerb_controls controls = {.reason = KERB_REASON_BACKING_OUT};
    // For others it makes room straight back, in its own lane.
    const float scale = follow_scale(follower), speed = BACK_OUT_SPEED * scale;
    float side = follower->memory.avoid.hold_time > 0.0f ? 0.0f : follower->memory.stuck.side;
    // Against the travel, wheels turned to one side bring the nose to the other.
    controls.steering =
        follower->vehicle.kind == KERB_VEHICLE_WHEELED ? -frame->travel * side : 0.7f * side;
    follower->decision.commanded_curvature =
        -frame->travel *
        kerb_curvature_of(&follower->vehicle, controls.steering, -frame->travel * speed);
    follower->decision.lookahead = follower->settings.stuck.distance;
    follower->decision.target = kerb_vec3_along(frame->motion->position, frame->heading,
                                                -follower->settings.stuck.distance);
    kerb_in_follow_push_back(follower, frame, speed, &controls);
    return controls;
}

static kerb_controls recover(kerb_follower* follower, const follow_frame* frame,
                             kerb_stuck_phase phase) {
    kerb_in_pedals_start(&follower->memory.pedals, 0.0f);
    follower->memory.curvature = 0.0f;
    kerb_in_track_start(&follower->memory.track, 0.0f);
    follower->decision.commanded_curvature = 0.0f;
    kerb_in_follow_others_make_room(follower);
    follower->decision.target_speed = 0.0f;
    if (phase == KERB_STUCK_BACK_OUT)
        return back_out(follower, frame);
    return kerb_controls_safe(phase == KERB_STUCK_TELEPORT ? KERB_REASON_TELEPORT
                                                           : KERB_REASON_GIVEN_UP);
}

// Makes room for others that wait for it in a cycle.
static kerb_controls retreat(kerb_follower* follower, const follow_frame* frame) {
    kerb_in_pedals_start(&follower->memory.pedals, 0.0f);
    follower->memory.curvature = 0.0f;
    kerb_in_track_start(&follower->memory.track, 0.0f);
    follower->decision.target_speed = 0.0f;
    return kerb_in_follow_others_retreat(follower, frame);
}

static void follower_think(kerb_follower* follower, const follow_frame* frame) {
    kerb_follower_decision* thoughts = &follower->decision;
    thoughts->neighbour = (kerb_neighbour){.length = 0.0f};
    thoughts->nearest = kerb_path_position(frame->path, follower->memory.location);
    thoughts->cross_track_error =
        kerb_path_cross_track(frame->path, follower->memory.location, frame->motion->position);
    thoughts->distance = kerb_path_distance(frame->path, follower->memory.location);
}

// What the frame tells of the vehicle's steering.
static void follower_watch(kerb_follower* follower, follow_frame* frame,
                           const kerb_in_frame_input* input, const kerb_surroundings* surroundings,
                           bool begins) {
    kerb_track_memory* memory = &follower->memory.track;
    if (memory->gain == 0.0f ||
        memcmp(&memory->estimate.vehicle, &follower->vehicle, sizeof follower->vehicle) != 0)
        kerb_in_track_begin(memory, &follower->vehicle);
    const bool learns = follower->settings.steering == KERB_STEERING_LEARNED;
    if (learns)
        kerb_in_estimate_feed(&memory->estimate, input, &follower->controls, surroundings);
    if (begins || input->elsewhere)
        kerb_in_track_start(memory, follower->memory.curvature);
    frame->teaches = learns && kerb_in_estimate_may_learn(surroundings) && !input->counts &&
                     follower->memory.phase == PHASE_DRIVE &&
                     follower->memory.stuck.phase == KERB_STUCK_FREE &&
                     !kerb_in_player_drives(surroundings) && !follower->controls.handbrake;
    kerb_in_track_frame track = kerb_in_follow_track_frame(follower, frame);
    kerb_in_track_watch(memory, &track);
}

// An impossible motion stops it; after a bad time step it repeats its last controls.
static kerb_controls follower_bad_frame(kerb_follower* follower, kerb_reason fault) {
    if (fault == KERB_REASON_BAD_MOTION)
        follower->controls = kerb_controls_safe(fault);
    follower->controls.reason = follower->decision.reason = fault;
    return follower->controls;
}

// How far ahead stops are looked for: their braking distance with some to spare, which on ice may
// be long. [m]
static float follower_sight(const kerb_follower* follower, const follow_frame* frame) {
    float twice_energy = frame->speed * frame->speed / 1.6f;
    float wanted = twice_energy / follower->settings.deceleration;
    float slippery = twice_energy / kerb_in_follow_braking(follower, frame);
    return kerb_max(wanted, kerb_min(slippery, follow_metres(follower, SIGHT_MOST))) +
           20.0f * follow_scale(follower);
}

kerb_controls kerb_follower_drive(kerb_follower* follower, const kerb_path* path,
                                  const kerb_motion* motion, const kerb_surroundings* surroundings,
                                  float time_step) {
    KERB_ASSERT(follower != NULL && path != NULL && path->count >= 2 && motion != NULL);
    KERB_ASSERT_SETTINGS(&kerb_follower_settings_table, &follower->settings);
    KERB_ASSERT_VALID(kerb_vehicle_validate, &follower->vehicle);
    const bool given_back =
        kerb_in_hand_over_begin(&follower->memory.hand_over, &follower->controls, surroundings);
    follower->decision.host_mistake = kerb_in_host_watch(
        &follower->memory.host_check, &follower->vehicle, motion, &follower->controls, time_step);
    follower->memory.scale = kerb_vehicle_scale(&follower->vehicle);
    kerb_in_frame_input input = follower_take_frame(follower, motion, time_step);
    input.motion.gear =
        kerb_in_vehicle_gear(&follower->vehicle, input.motion.gear, follower->controls.gear);
    follower->bad_frames += input.counts;
    if (input.fault != KERB_REASON_NONE)
        return follower_bad_frame(follower, input.fault);
    motion = &input.motion;
    time_step = input.time_step;
    kerb_vec3 forward = kerb_quat_forward(motion->rotation);
    bool elsewhere = input.elsewhere || given_back;
    if (elsewhere || kerb_in_player_drives(surroundings)) {
        kerb_in_follow_goal_end(follower, motion);
        follower->memory.avoid.retreat = 0.0f;
        follower->memory.stuck = (kerb_stuck){0};
        follower->memory.pedals.hill_tries = 0;
        follower->memory.pedals.holding = 0.0f;
    }
    if (elsewhere) // whatever speed it has, it goes on from there
        kerb_in_pedals_start(&follower->memory.pedals, kerb_vec3_length(motion->velocity));
    if (elsewhere || follower->memory.path_id != path->id)
        follower_join(follower, path, motion, forward, elsewhere);
    else
        kerb_in_follow_place_track(follower, path, motion, forward);
    kerb_vec3 left = kerb_vec3_sub(motion->position, follower->memory.left_stop_at);
    const float same = follow_metres(follower, FOLLOWER_SAME_PLACE);
    if (kerb_vec3_dot(left, left) > 4.0f * same * same)
        follower->memory.left_stop = false;

    follow_frame frame =
        follower_frame_for(follower, path, motion, forward, surroundings, time_step);
    kerb_in_follow_stops_look(follower, path,
                              frame.distance + (double)follower_sight(follower, &frame));
    float distance = kerb_in_follow_place_to_stop(follower, &frame);
    frame.stop_at = follower->memory.stop_distance;
    leave_end(follower, &frame);
    const int32_t piece = follower->memory.goal;
    kerb_path_location on;
    bool skips = kerb_in_follow_goal_look(follower, &frame, distance, &on);
    if (skips)
        skip_to(follower, path, motion, on);
    if (skips || piece != follower->memory.goal)
        frame = follower_frame_for(follower, path, motion, forward, surroundings, time_step);
    frame.stop_at = follower->memory.stop_distance;

    follower_think(follower, &frame);
    if (kerb_in_follow_tracks(follower))
        follower_watch(follower, &frame, &input, surroundings, given_back);
    else
        follower->memory.track.gain = 0.0f; // it begins anew when it is asked to learn
    kerb_stuck_phase stuck = watch_stuck(follower, &frame);
    const bool retreats = stuck == KERB_STUCK_FREE && kerb_in_follow_others_retreats(follower);
    kerb_controls controls = stuck != KERB_STUCK_FREE ? recover(follower, &frame, stuck)
                             : retreats               ? retreat(follower, &frame)
                             : follower_stands(follower, &frame, distance)
                                 ? follower_stand(follower)
                                 : follower_drive(follower, &frame, distance);
    int32_t direction = path->points[follower->memory.location.segment].travel;
    follower->memory.travel = direction;
    if (follower->memory.goal != 0)
        direction = follower->memory.goal;
    const bool fan = follower->vehicle.kind == KERB_VEHICLE_HOVER; // which turns to push back
    if (stuck == KERB_STUCK_BACK_OUT || (retreats && !fan))
        direction = -direction;
    controls.gear = kerb_gearbox_drive(&follower->memory.gearbox, &follower->vehicle, motion,
                                       direction, controls.throttle, time_step, &controls.clutch);
    controls.reason = kerb_in_host_reason(follower->decision.host_mistake, controls.reason);
    kerb_in_hand_over_end(&follower->memory.hand_over, &controls, time_step);
    follower->decision.reason = controls.reason;
    follower->controls = controls;
    return controls;
}
