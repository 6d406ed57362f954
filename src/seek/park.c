// Parking: from any pose to an exact pose.
//
//     plan → turn the wheels at standstill → drive a stretch → stop → … the next … → arrived, or
//     plan
//
// While driving, the errors of the rear axle decay over the distance: with the cross-track error e
// and the heading error ψ, e'' = -2e'/L - e/L². For a bicycle and small angles this is the
// curvature of the path - 2ψ/L·travel - e/L². L is as short as wheels and frames allow, so that a
// metre is enough. O(1) a frame; O(words) to plan.
#include "kerb/seek.h"

#include "park.h"

#include "../base/shared.h"

#include <string.h>

// Lowest speed while it drives, so that it does not stop before the end. [m/s]
#define SEEK_PARK_CREEP 0.15f
// A stretch ends this far before its end, because the brakes need a little way. [m]
#define END_REACHED 0.015f
// Without progress for this time it plans another path. [s]
#define SEEK_PARK_PATIENCE 4.0f
// It has left the goal when it is this many tolerances away. Above 1, so that it does not start
// again at the edge of the tolerance. [1]
#define LEFT_BEHIND 3.0f

// clang-format off
#define SEEK_PARK_ROW(field, ...) KERB_IN_SETTING(kerb_parker_settings, field, __VA_ARGS__)
static const kerb_setting seek_park_rows[] = {
    SEEK_PARK_ROW(speed, "m/s", 0.2f, 20.0f, 3.0f, "greatest speed"),
    SEEK_PARK_ROW(acceleration, "m/s^2", 0.05f, 20.0f, 1.2f, "greatest acceleration"),
    SEEK_PARK_ROW(deceleration, "m/s^2", 0.05f, 20.0f, 1.0f, "deceleration before an end or a bend"),
    SEEK_PARK_ROW(radius_factor, "1", 1.0f, 10.0f, 1.15f, "planned turning radius over the tightest one"),
    SEEK_PARK_ROW(direction_change_cost, "m", 0.0f, 1000.0f, 5.0f, "cost of a direction change, in metres"),
    SEEK_PARK_ROW(reverse_cost_factor, "1", 0.01f, 100.0f, 1.3f, "metres that a metre in reverse counts as"),
    SEEK_PARK_ROW(position_tolerance, "m", 0.02f, 10.0f, 0.15f, "arrived within this distance of the goal"),
    SEEK_PARK_ROW(heading_tolerance, "rad", 0.005f, 1.0f, 0.026f, "arrived within this heading error"),
    SEEK_PARK_ROW(replan_distance, "m", 0.05f, 100.0f, 0.6f, "plans again at this cross-track error"),
    SEEK_PARK_ROW(speed_control.proportional, "1/s", 0.0f, 20.0f, 2.5f, "acceleration per speed error"),
    SEEK_PARK_ROW(speed_control.integral, "1/s^2", 0.0f, 20.0f, 1.0f, "acceleration per summed speed error"),
};
// clang-format on
const kerb_settings_table kerb_parker_settings_table = {
    "kerb_parker_settings", sizeof(kerb_parker_settings), seek_park_rows,
    (int32_t)(sizeof seek_park_rows / sizeof seek_park_rows[0])};

kerb_parker_settings kerb_parker_settings_default(void) {
    kerb_parker_settings settings;
    kerb_settings_set_defaults(&kerb_parker_settings_table, &settings);
    return settings;
}

void kerb_parker_init(kerb_parker* parker, const kerb_vehicle* vehicle) {
    KERB_ASSERT(parker && vehicle);
    const kerb_vehicle own = *vehicle; // which may lie in the parker
    memset(parker, 0, sizeof *parker);
    parker->settings = kerb_parker_settings_default();
    parker->vehicle = own;
}

kerb_parker kerb_parker_make(const kerb_vehicle* vehicle) {
    kerb_parker parker;
    kerb_parker_init(&parker, vehicle);
    return parker;
}

size_t kerb_parker_bytes(void) {
    _Static_assert(_Alignof(kerb_parker) <= KERB_IN_SAVED_ALIGNMENT, "as hosts are promised");
    return sizeof(kerb_parker);
}

size_t kerb_parker_save(const kerb_parker* parker, void* block, size_t capacity) {
    return kerb_in_save("kerb_parker", parker, sizeof *parker, block, capacity);
}

kerb_result kerb_parker_load(kerb_parker* parker, const void* block, size_t size,
                             kerb_error* error) {
    return kerb_in_load("kerb_parker", parker, sizeof *parker, block, size, error);
}

// The values of a frame, and the set points.
typedef struct seek_park_frame {
    kerb_pose axle; // pose of the middle of the rear axle, now
    kerb_pose goal; // pose of the middle of the rear axle at the goal
    float speed;    // forward speed [m/s]
    float yaw_rate;
    float steering; // present steering of the wheels [-1 … 1]
    float time_step;
    float travel; // direction of travel of the stretch, 1 or -1
    // Set points.
    float wanted; // desired speed, signed [m/s]
    float known;  // feed-forward acceleration along the travel [m/s²]
    float steer;  // steering [-1 … 1]
    kerb_reason reason;
} seek_park_frame;

static kerb_pose axle_of(const kerb_vehicle* vehicle, kerb_pose reference) {
    float back = vehicle->kind == KERB_VEHICLE_WHEELED ? -vehicle->reference_to_rear_axle : 0.0f;
    reference.position =
        kerb_vec2_add(reference.position, kerb_vec2_scale(reference.forward, back));
    return reference;
}

static void seek_park_enter(kerb_parker* parker, kerb_parker_phase phase) {
    parker->phase = (int32_t)phase;
    parker->memory.waited = 0.0f;
}

static bool can_pivot(const kerb_parker* parker) {
    return parker->vehicle.kind != KERB_VEHICLE_WHEELED;
}

static bool rests(const seek_park_frame* f) {
    return kerb_abs(f->speed) < STEER_STANDING && kerb_abs(f->yaw_rate) < 0.05f;
}

// --------------------------------------------------------------------------- errors

// The pose on the present stretch. At its ends, where the direction of travel changes, the pose
// belongs to the stretch.
static kerb_pose way_pose(const kerb_parker* parker, float distance) {
    float held = kerb_clamp(distance, parker->memory.begin, parker->memory.end);
    kerb_pose pose = kerb_curve_at(&parker->path, held).pose;
    return pose;
}

// Moves `station` to the point of the stretch nearest to the axle, and measures the errors there.
static void locate(kerb_parker* parker, const seek_park_frame* f) {
    kerb_pose pose = way_pose(parker, parker->station);
    for (int32_t i = 0; i < 2; i++) {
        float held = kerb_clamp(parker->station, parker->memory.begin, parker->memory.end);
        kerb_vec2 offset = kerb_vec2_sub(f->axle.position, pose.position);
        float along = f->travel * kerb_vec2_dot(offset, pose.forward);
        parker->station = held + kerb_clamp(along, -2.0f, 2.0f);
        pose = way_pose(parker, parker->station);
    }
    kerb_vec2 offset = kerb_vec2_sub(f->axle.position, pose.position);
    parker->cross_track_error = kerb_vec2_cross(pose.forward, offset);
    parker->heading_error = kerb_in_steer_angle(pose.forward, f->axle.forward);
}

static bool is_there(const kerb_parker* parker, const seek_park_frame* f, float share) {
    kerb_vec2 off = kerb_vec2_sub(f->axle.position, f->goal.position);
    float turned = kerb_in_steer_angle(f->goal.forward, f->axle.forward);
    return kerb_vec2_length(off) <= share * parker->settings.position_tolerance &&
           kerb_abs(turned) <= share * parker->settings.heading_tolerance;
}

// --------------------------------------------------------------------------- steering

static float steering_on(const kerb_parker* parker, const seek_park_frame* f, float speed) {
    const kerb_vehicle* vehicle = &parker->vehicle;
    float fast = kerb_abs(speed);
    float delay = vehicle->steering_delay + 0.5f * f->time_step;
    float size = vehicle->kind == KERB_VEHICLE_WHEELED ? vehicle->wheelbase : vehicle->length;
    float reach = kerb_max(0.4f * size, fast * (0.4f + 2.0f * delay + f->time_step));
    float window = kerb_in_steer_park_window(parker, fast);
    float curvature = kerb_in_steer_park_curvature(parker, parker->station + fast * delay, window);
    // For large errors: it returns at an angle for which the law for small angles still holds.
    float offset = kerb_clamp(parker->cross_track_error, -reach, reach);
    curvature -= 2.0f * f->travel * parker->heading_error / reach + offset / (reach * reach);
    if (vehicle->kind == KERB_VEHICLE_WHEELED)
        return kerb_steering_for(vehicle, curvature, 0.0f);
    float going = f->travel * kerb_max(fast, SEEK_PARK_CREEP);
    return kerb_clamp(curvature * going / vehicle->yaw_rate_max, -1.0f, 1.0f);
}

static float pivot_steering(const kerb_parker* parker, float error) {
    const kerb_vehicle* vehicle = &parker->vehicle;
    float slowing = 0.3f * vehicle->yaw_acceleration_max;
    float rate = kerb_in_steer_yaw_rate(-error, 0.6f, slowing);
    float most = 0.8f * vehicle->yaw_rate_max;
    return kerb_clamp(rate, -most, most) / vehicle->yaw_rate_max;
}

// --------------------------------------------------------------------------- phases

static void begin_stretch(kerb_parker* parker, int32_t piece) {
    float begin = 0.0f;
    for (int32_t i = 0; i < piece; i++)
        begin += kerb_abs(parker->path.length[i]);
    parker->memory.piece = piece;
    parker->memory.next = kerb_in_steer_park_stretch_end(&parker->path, piece);
    parker->memory.begin = begin;
    parker->memory.end = begin;
    for (int32_t i = piece; i < parker->memory.next; i++)
        parker->memory.end += kerb_abs(parker->path.length[i]);
    parker->station = begin;
    seek_park_enter(parker, can_pivot(parker) ? KERB_PARKER_PIVOTS : KERB_PARKER_TURNS_WHEELS);
}

static void seek_park_plan(kerb_parker* parker, seek_park_frame* f) {
    f->reason = KERB_REASON_REVERSAL;
    if (!rests(f))
        return;
    if (is_there(parker, f, 1.0f)) {
        seek_park_enter(parker, KERB_PARKER_ARRIVED);
        return;
    }
    parker->path = kerb_in_steer_park_plan(parker, f->axle, f->goal);
    parker->plan_count++;
    if (parker->path.count > 0)
        begin_stretch(parker, 0);
}

static void seek_park_turn_wheels(kerb_parker* parker, seek_park_frame* f) {
    f->reason = KERB_REASON_STEERING;
    f->steer = steering_on(parker, f, 0.0f);
    const kerb_vehicle* vehicle = &parker->vehicle;
    float all = 2.0f * vehicle->steering_angle_max / vehicle->steering_rate_max;
    // When the host does not report the steering, it waits for the time from lock to lock.
    parker->memory.waited += f->time_step;
    if (kerb_abs(f->steering - f->steer) < 0.04f ||
        parker->memory.waited > all + 2.0f * vehicle->steering_delay)
        seek_park_enter(parker, KERB_PARKER_DRIVES);
}

// Error of the heading: along the stretch, or at the goal after the last stretch.
static float pivot_error(const kerb_parker* parker, const seek_park_frame* f) {
    kerb_vec2 wanted = f->goal.forward;
    if (parker->memory.piece < parker->path.count)
        wanted = way_pose(parker, parker->memory.begin).forward;
    return kerb_in_steer_angle(wanted, f->axle.forward);
}

static void pivot(kerb_parker* parker, seek_park_frame* f) {
    f->reason = KERB_REASON_STEERING;
    float error = pivot_error(parker, f);
    bool last = parker->memory.piece >= parker->path.count;
    // Small errors are corrected on the way. At the goal none may remain.
    float enough = last ? 0.5f * parker->settings.heading_tolerance : 0.06f;
    f->steer = pivot_steering(parker, error);
    parker->memory.waited += f->time_step;
    bool done = kerb_abs(error) < enough && kerb_abs(f->yaw_rate) < 0.1f;
    if (done || parker->memory.waited > 30.0f)
        seek_park_enter(parker, last ? KERB_PARKER_PLANS : KERB_PARKER_DRIVES);
}

static bool is_off(const kerb_parker* parker) {
    return kerb_abs(parker->cross_track_error) > parker->settings.replan_distance ||
           kerb_abs(parker->heading_error) > 0.5f;
}

static void seek_park_drive(kerb_parker* parker, seek_park_frame* f) {
    locate(parker, f);
    float left = parker->memory.end - parker->station;
    float along = f->travel * f->speed;
    parker->memory.waited =
        along > 0.3f * SEEK_PARK_CREEP ? 0.0f : parker->memory.waited + f->time_step;
    if (is_off(parker) || parker->memory.waited > SEEK_PARK_PATIENCE) {
        seek_park_enter(parker, KERB_PARKER_PLANS);
        return;
    }
    f->steer = steering_on(parker, f, f->speed);
    if (left < END_REACHED + kerb_max(along, 0.0f) * (f->time_step + 0.03f)) {
        seek_park_enter(parker, KERB_PARKER_STOPS);
        return;
    }
    float deceleration = parker->settings.deceleration;
    float ending = kerb_approach_speed(0.0f, left, deceleration);
    float bends = kerb_in_steer_park_speed(parker, parker->station);
    float speed = kerb_max(kerb_min(ending, bends), SEEK_PARK_CREEP);
    f->wanted = f->travel * speed;
    if (ending < parker->settings.speed && along > ending - 0.3f)
        f->known = -deceleration;
    f->reason = parker->memory.next < parker->path.count ? KERB_REASON_REVERSAL : KERB_REASON_END;
}

static void stop(kerb_parker* parker, seek_park_frame* f) {
    f->reason = KERB_REASON_REVERSAL;
    f->steer = steering_on(parker, f, f->speed);
    parker->memory.waited += f->time_step;
    if (!rests(f) || parker->memory.waited < 0.15f)
        return;
    if (parker->memory.next < parker->path.count)
        begin_stretch(parker, parker->memory.next);
    else if (can_pivot(parker)) {
        parker->memory.piece = parker->path.count;
        seek_park_enter(parker, KERB_PARKER_PIVOTS);
    } else
        seek_park_enter(parker, KERB_PARKER_PLANS);
}

static void seek_park_step(kerb_parker* parker, seek_park_frame* f) {
    if (parker->phase == KERB_PARKER_ARRIVED && !is_there(parker, f, LEFT_BEHIND))
        seek_park_enter(parker, KERB_PARKER_PLANS);
    if (parker->phase == KERB_PARKER_PLANS)
        seek_park_plan(parker, f);
    f->travel = parker->memory.piece < parker->path.count &&
                        parker->path.length[parker->memory.piece] < 0.0f
                    ? -1.0f
                    : 1.0f;
    switch (parker->phase) {
    case KERB_PARKER_TURNS_WHEELS:
        seek_park_turn_wheels(parker, f);
        break;
    case KERB_PARKER_PIVOTS:
        pivot(parker, f);
        break;
    case KERB_PARKER_DRIVES:
        seek_park_drive(parker, f);
        break;
    case KERB_PARKER_STOPS:
        stop(parker, f);
        break;
    case KERB_PARKER_ARRIVED:
        f->reason = KERB_REASON_ARRIVED;
        break;
    default:
        break;
    }
}

// --------------------------------------------------------------------------- the frame

static bool same_pose(kerb_pose a, kerb_pose b, float slack) {
    return kerb_abs(a.position.x - b.position.x) <= slack &&
           kerb_abs(a.position.y - b.position.y) <= slack && a.forward.x == b.forward.x &&
           a.forward.y == b.forward.y;
}

static void seek_park_take_goal(kerb_parker* parker, kerb_pose goal) {
    bool same =
        parker->memory.has_goal && same_pose(parker->memory.goal, goal, parker->memory.goal_slack);
    parker->memory.goal = goal;
    parker->memory.goal_slack = 0.0f;
    parker->memory.has_goal = true;
    if (same)
        return;
    parker->plan_count = 0;
    seek_park_enter(parker, KERB_PARKER_PLANS);
}

static seek_park_frame frame_of(const kerb_parker* parker, const kerb_motion* motion,
                                float time_step) {
    kerb_pose here = {{motion->position.x, motion->position.y}, kerb_in_steer_front(motion)};
    seek_park_frame f = {.axle = axle_of(&parker->vehicle, here),
                         .goal = axle_of(&parker->vehicle, parker->memory.goal),
                         .speed = kerb_motion_forward_speed(motion),
                         .yaw_rate = motion->angular_velocity.z,
                         .steering =
                             motion->steering / kerb_share_at(&parker->vehicle.steering_lock, 0.0f),
                         .time_step = time_step,
                         .travel = 1.0f,
                         .reason = KERB_REASON_REVERSAL};
    return f;
}

// The vehicle was put elsewhere: it plans from there.
static void seek_park_forget(kerb_parker* parker) {
    kerb_in_steer_forget_pedals(&parker->memory.pedals);
    parker->path.count = 0;
    parker->memory.piece = parker->memory.next = 0;
    parker->memory.begin = parker->memory.end = parker->station = 0.0f;
    seek_park_enter(parker, KERB_PARKER_PLANS);
}

// Takes what the host says. False: the controls are decided already.
static bool seek_park_take_frame(kerb_parker* parker, kerb_pose* goal, const kerb_motion* motion,
                                 float time_step, kerb_in_frame_input* input) {
    const kerb_motion_memory before = parker->memory.pedals.last;
    *input = kerb_in_frame_take_vehicle(&parker->memory.pedals.last, &parker->vehicle, motion,
                                        time_step);
    const bool has_goal = kerb_in_steer_take_pose(goal);
    kerb_in_jump jump = KERB_IN_JUMP_NONE;
    // A frame with an impossible goal brakes: it leaves no controls that are worth repeating.
    if (input->fault == KERB_REASON_NONE)
        jump = kerb_in_jump_judge(&parker->memory.left, &before, input,
                                  has_goal ? parker->controls.reason : KERB_REASON_BAD_MOTION);
    if (jump == KERB_IN_JUMP_ELSEWHERE)
        seek_park_forget(parker);
    if (input->fault == KERB_REASON_NONE && !has_goal) {
        input->fault = KERB_REASON_BAD_MOTION;
        input->counts = true;
    }
    parker->bad_frames += input->counts ? 1 : 0;
    if (input->fault == KERB_REASON_BAD_MOTION)
        parker->controls = kerb_controls_safe(KERB_REASON_BAD_MOTION);
    if (input->fault != KERB_REASON_NONE) {
        parker->controls.reason = input->fault;
        return false;
    }
    return jump != KERB_IN_JUMP_DOUBTFUL;
}

void kerb_parker_shift_origin(kerb_parker* parker, kerb_vec3 new_origin) {
    KERB_ASSERT(parker && kerb_vec3_is_finite(new_origin));
    const kerb_vec2 shift = kerb_vec2_make(new_origin.x, new_origin.y);
    kerb_in_motion_shift_origin(&parker->memory.pedals.last, new_origin);
    kerb_in_motion_shift_origin(&parker->memory.left, new_origin);
    parker->path.start.position = kerb_vec2_sub(parker->path.start.position, shift);
    kerb_vec2* goal = &parker->memory.goal.position;
    *goal = kerb_vec2_sub(*goal, shift);
    // The host rounds as well, perhaps in another order: a few float places of all numbers there.
    parker->memory.goal_slack +=
        0x1p-22f * (kerb_abs(goal->x) + kerb_abs(goal->y) + kerb_abs(shift.x) + kerb_abs(shift.y));
}

kerb_controls kerb_parker_drive(kerb_parker* parker, kerb_pose goal, const kerb_motion* motion,
                                const kerb_surroundings* surroundings, float time_step) {
    KERB_ASSERT(parker && motion);
    const bool given_back =
        kerb_in_hand_over_begin(&parker->memory.pedals.hand_over, &parker->controls, surroundings);
    kerb_in_frame_input input;
    if (!seek_park_take_frame(parker, &goal, motion, time_step, &input))
        return parker->controls;
    if (given_back)
        seek_park_forget(parker);
    motion = &input.motion;
    time_step = input.time_step;
    seek_park_take_goal(parker, goal);
    seek_park_frame f = frame_of(parker, motion, time_step);
    seek_park_step(parker, &f);
    kerb_surroundings around = surroundings ? *surroundings : kerb_surroundings_default();
    float cap = kerb_max(around.speed_cap, 0.0f);
    if (kerb_abs(f.wanted) > cap) {
        f.wanted = f.travel * cap;
        f.reason = KERB_REASON_SPEED_CAP;
    }
    bool pivots = parker->phase == KERB_PARKER_PIVOTS;
    steer_pace pace = {
        f.wanted, f.known, parker->settings.acceleration, 2.0f * parker->settings.deceleration,
        pivots,   false};
    kerb_controls controls = {.steering = f.steer, .reason = f.reason};
    kerb_in_steer_pedals(&parker->memory.pedals, &parker->vehicle, &parker->settings.speed_control,
                         &pace, motion, time_step, &controls);
    kerb_in_hand_over_end(&parker->memory.pedals.hand_over, &controls, time_step);
    return parker->controls = controls;
}
