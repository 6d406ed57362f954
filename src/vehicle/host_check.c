// The host check: sums what the host tells over windows of 0.15 s.
//
// Frames are first put together to samples of at least 25 ms, which is cheaper and loses nothing.
// One sample alone is too noisy to judge: positions are rounded, physics runs at another rate than
// the frames. So every sample adds to the sums
// of a window, in the world of the positions: what was driven, what the velocity told says, which
// way the rotation pointed, what the controls should have done. A window that is long enough in
// time, frames and distance is judged (host_check_judge.c) and begins anew. A jump begins one anew
// unjudged. O(1) a frame.
#include "host_check.h"

#include "../base/shared.h"

#include <string.h>

// A window is judged when it has this many samples and lasts so long: jitter between frames and
// steps of the physics is then a small part of it, and three seconds have 18 windows. [1], [s]
#define HOST_WINDOW_FRAMES 5
#define HOST_WINDOW_TIME 0.15f
// A window that tells less time than that has this many samples: the time step is told too short.
#define HOST_WINDOW_FRAMES_ENOUGH 60
// Least displacement in a window: a hundred times what positions are known to. [m]
#define HOST_WINDOW_PATH 0.25f
// The vehicle is at standstill, or nearly, when a window of so many samples does not get there.
#define HOST_WINDOW_FRAMES_MAX 240

// Beyond these numbers a host tells no vehicle's motion; squares and sums below stay finite. [m],
// [m/s], [s]
#define HOST_POSITION_MAX 1e7f
#define HOST_VELOCITY_MAX 1e5f
#define HOST_STEP_MAX 1e4f
// Length² of a quaternion that is a rotation.
#define HOST_ROTATION_MIN 1e-12f
#define HOST_ROTATION_MAX 1e12f

// The host put the vehicle elsewhere when it moved farther in one frame than this, and farther than
// twice what any speed explains. [m]
#define HOST_JUMP 5.0f

// Least duration of a sample. [s]
#define HOST_SAMPLE_TIME 0.025f
// Distance in time of the past steering that is kept. [s]
#define HOST_PAST_STEP 0.05f

// Delays of the controls that are compared: 0, 0.2, 0.35, 0.5 and 0.7 s, in steps of the past.
static const int32_t host_delays[KERB_HOST_CHECK_DELAYS] = {0, 4, 7, 10, 14};

// --------------------------------------------------------------------------- making

static kerb_host_check_vehicle host_check_vehicle_of(const kerb_vehicle* vehicle) {
    const bool wheels = vehicle->kind == KERB_VEHICLE_WHEELED;
    const float tangent = kerb_tan(vehicle->steering_angle_max);
    kerb_host_check_vehicle known = {
        .kind = vehicle->kind,
        .gear_count = vehicle->drive_train.gear_count,
        .gear_told = vehicle->drive_train.gear_told,
        .wheelbase = vehicle->wheelbase,
        .rear_axle = vehicle->reference_to_rear_axle,
        .steering_gain = wheels ? tangent : vehicle->yaw_rate_max,
        .steering_rate = wheels ? vehicle->steering_rate_max * tangent / vehicle->steering_angle_max
                                : vehicle->yaw_acceleration_max,
        .steering_delay = vehicle->steering_delay,
        .shift_time = vehicle->drive_train.shift_time,
        .speed_max = kerb_max(vehicle->speed_max, vehicle->reverse_speed_max),
    };
    return known;
}

// Log odds before the first window of mistakes that pushes and slides can look like: one host in
// twenty makes such a mistake. Where kinematics decide, no such start is needed.
#define HOST_PRIOR (-3.0f)

static void host_check_doubt(kerb_host_check* check) {
    kerb_host_check_memory* memory = &check->memory;
    for (int32_t i = 0; i < KERB_HOST_CHECK_AXES; i++)
        memory->rotation_axes[i] = HOST_PRIOR;
    memory->w_first = memory->backwards = memory->steering_applied = HOST_PRIOR;
    check->evidence[KERB_HOST_HEADING_IN_DEGREES] = HOST_PRIOR;
}

void kerb_host_check_init(kerb_host_check* check, const kerb_vehicle* vehicle) {
    KERB_ASSERT(check && vehicle);
    const kerb_host_check_vehicle known = host_check_vehicle_of(vehicle);
    memset(check, 0, sizeof *check);
    check->memory.vehicle = known;
    host_check_doubt(check);
}

kerb_host_check kerb_host_check_make(const kerb_vehicle* vehicle) {
    kerb_host_check check;
    kerb_host_check_init(&check, vehicle);
    return check;
}

size_t kerb_host_check_bytes(void) {
    _Static_assert(_Alignof(kerb_host_check) <= KERB_IN_SAVED_ALIGNMENT, "as hosts are promised");
    return sizeof(kerb_host_check);
}

size_t kerb_host_check_save(const kerb_host_check* check, void* block, size_t capacity) {
    return kerb_in_save("kerb_host_check", check, sizeof *check, block, capacity);
}

kerb_result kerb_host_check_load(kerb_host_check* check, const void* block, size_t size,
                                 kerb_error* error) {
    return kerb_in_load("kerb_host_check", check, sizeof *check, block, size, error);
}

// --------------------------------------------------------------------------- one frame

// What one frame tells, and what changed since the last one.
typedef struct host_check_frame {
    kerb_vec3 position, velocity, turned_velocity, forward, left;
    kerb_quat rotation;
    bool no_rotation;
    float time_step;
    kerb_vec3 moved; // [m]
    float distance;  // [m]
} host_check_frame;

// Of vectors within the limits above: squares neither overflow nor matter where they underflow.
static float host_length(kerb_vec3 v) {
    return kerb_sqrt(kerb_vec3_dot(v, v));
}

// False for NaN, too.
static bool host_within(kerb_vec3 v, float limit) {
    return kerb_abs(v.x) <= limit && kerb_abs(v.y) <= limit && kerb_abs(v.z) <= limit;
}

static bool host_check_possible(const kerb_motion* motion, float time_step) {
    const kerb_quat q = motion->rotation;
    return host_within(motion->position, HOST_POSITION_MAX) &&
           host_within(motion->velocity, HOST_VELOCITY_MAX) &&
           q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w <= HOST_ROTATION_MAX && time_step > 0.0f &&
           time_step <= HOST_STEP_MAX;
}

static host_check_frame host_check_read(const kerb_motion* motion, float time_step) {
    const kerb_quat q = motion->rotation, none = {0.0f, 0.0f, 0.0f, 1.0f};
    const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    host_check_frame frame = {.position = motion->position,
                              .velocity = motion->velocity,
                              .rotation = none,
                              .no_rotation = square < HOST_ROTATION_MIN,
                              .time_step = time_step};
    if (!frame.no_rotation) {
        // Most hosts tell unit quaternions; a root is dear.
        const float scale = kerb_abs(square - 1.0f) < 1e-5f ? 1.0f : 1.0f / kerb_sqrt(square);
        const kerb_quat unit = {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
        frame.rotation = unit;
    }
    frame.forward = kerb_quat_forward(frame.rotation);
    frame.left = kerb_quat_left(frame.rotation);
    const kerb_vec3 up = kerb_vec3_cross(frame.forward, frame.left), v = frame.velocity;
    frame.turned_velocity = kerb_vec3_along(
        kerb_vec3_along(kerb_vec3_scale(frame.forward, v.x), frame.left, v.y), up, v.z);
    return frame;
}

static void host_check_window_begin(kerb_host_check_memory* memory) {
    const kerb_host_check_window empty = {
        .velocity_first = memory->velocity,
        .rotation_first = memory->rotation,
        .velocity_constant = true,
        .rotation_constant = true,
        .no_rotation = true,
    };
    memory->window = empty;
}

static void host_check_remember(kerb_host_check_memory* memory, const host_check_frame* frame) {
    memory->position = frame->position;
    memory->velocity = frame->velocity;
    memory->turned_velocity = frame->turned_velocity;
    memory->rotation = frame->rotation;
    memory->forward = frame->forward;
    memory->left = frame->left;
}

static void host_check_restart(kerb_host_check_memory* memory) {
    memory->courses = 0;
    memory->reference_known = false;
    host_check_window_begin(memory);
}

static bool host_same_vector(kerb_vec3 a, kerb_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool host_same_rotation(kerb_quat a, kerb_quat b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

// Angle from one horizontal direction to another; their lengths do not matter.
static float host_angle_between(kerb_vec3 from, kerb_vec3 to) {
    const float cross = from.x * to.y - from.y * to.x;
    const float dot = from.x * to.x + from.y * to.y;
    // Nearly every frame turns by less than this, where two terms of the series are exact enough.
    if (kerb_abs(cross) < 0.2f * dot) {
        const float tangent = cross / dot;
        return tangent * (1.0f - tangent * tangent * (1.0f / 3.0f));
    }
    return kerb_atan2(cross, dot);
}

// The steering as the vehicle should have it: late and slow as described.
static void host_check_steer(kerb_host_check_memory* memory, float share, float time_step) {
    const kerb_host_check_vehicle* vehicle = &memory->vehicle;
    const float wanted = share * vehicle->steering_gain;
    const float lag = kerb_max(vehicle->steering_delay, time_step);
    const float reach = vehicle->steering_rate * time_step;
    const float change = (wanted - memory->steering) * (time_step / lag);
    memory->steering += kerb_clamp(change, -reach, reach);
    memory->past_time += time_step;
    if (memory->past_time >= HOST_PAST_STEP) {
        memory->past_time = 0.0f;
        memory->past_newest = (memory->past_newest + 1) % KERB_HOST_CHECK_PAST;
        memory->past_steering[memory->past_newest] = memory->steering;
    }
}

static float host_check_past(const kerb_host_check_memory* memory, int32_t delay) {
    const int32_t at = memory->past_newest + KERB_HOST_CHECK_PAST - host_delays[delay];
    return memory->past_steering[(uint32_t)at % KERB_HOST_CHECK_PAST];
}

static bool host_check_gear_wrong(const kerb_host_check_memory* memory, int32_t told) {
    const int32_t commanded = memory->gear_commanded;
    // Shifts take their time, in some hosts more than described.
    if (memory->vehicle.gear_told == KERB_GEAR_TOLD_NOTHING || commanded == 0 ||
        memory->gear_time < 0.5f + 2.0f * memory->vehicle.shift_time)
        return false;
    if (memory->vehicle.gear_count > 0)
        return told != commanded;
    return commanded > 0 ? told <= 0 : told >= 0;
}

static void host_check_controls(kerb_host_check_memory* memory, const kerb_motion* motion,
                                const kerb_controls* given, float steering,
                                const host_check_frame* frame) {
    kerb_host_check_window* window = &memory->window;
    const float step = frame->time_step;
    host_check_steer(memory, steering, step);
    window->driven_frames++;
    const bool open = given->throttle > 0.02f, braked = given->brake > 0.02f || given->handbrake;
    memory->coasting_frames = open ? 0 : memory->coasting_frames + (memory->coasting_frames < 1000);
    window->powered_frames += open && !braked;

    memory->gear_time += step;
    if (given->gear != memory->gear_commanded)
        memory->gear_time = 0.0f;
    memory->gear_commanded = given->gear;
    window->wrong_gear_frames += host_check_gear_wrong(memory, motion->gear);
    window->gear_changed |= motion->gear != memory->gear_told;

    const bool wheels = memory->vehicle.kind == KERB_VEHICLE_WHEELED;
    const float along =
        wheels ? kerb_vec3_dot(frame->moved, frame->forward) : memory->vehicle.wheelbase * step;
    window->by_controls[0] += memory->steering * along;
    for (int32_t i = 1; i < KERB_HOST_CHECK_DELAYS; i++)
        window->by_controls[i] += host_check_past(memory, i) * along;
    const float travel = given->gear < 0 ? -frame->distance : frame->distance;
    window->turn_by_controls +=
        wheels ? memory->steering * travel / memory->vehicle.wheelbase : memory->steering * step;
    window->share_by_controls += memory->steering * frame->distance / memory->vehicle.steering_gain;
    const float told = kerb_is_finite(motion->steering) ? motion->steering : 0.0f;
    window->share_told += kerb_clamp(told, -1.0f, 1.0f) * frame->distance;
}

static void host_check_add(kerb_host_check_memory* memory, const host_check_frame* frame) {
    kerb_host_check_window* window = &memory->window;
    const float step = frame->time_step, half = 0.5f * step;
    window->frames++;
    window->time += step;
    window->step_max = kerb_max(window->step_max, step);
    window->path += frame->distance;
    window->displacement = kerb_vec3_add(window->displacement, frame->moved);
    const kerb_vec3 velocities = kerb_vec3_add(memory->velocity, frame->velocity);
    window->path_told += half * host_length(velocities);
    window->by_velocity = kerb_vec3_along(window->by_velocity, velocities, half);
    const kerb_vec3 turned = kerb_vec3_add(memory->turned_velocity, frame->turned_velocity);
    window->by_turned = kerb_vec3_along(window->by_turned, turned, half);
    window->forward = kerb_vec3_along(window->forward, frame->forward, frame->distance);
    window->left = kerb_vec3_along(window->left, frame->left, frame->distance);
    window->velocity_constant &= host_same_vector(frame->velocity, window->velocity_first);
    window->no_rotation &= frame->no_rotation;
    if (!host_same_rotation(frame->rotation, memory->rotation)) {
        window->rotation_constant = false;
        const float turn = host_angle_between(memory->forward, frame->forward);
        window->turn += turn;
        window->turn_greatest = kerb_max(window->turn_greatest, kerb_abs(turn));
    }
}

static bool host_check_jumped(const kerb_host_check_memory* memory, const host_check_frame* frame) {
    if (frame->distance <= HOST_JUMP)
        return false;
    const float told = host_length(frame->velocity);
    const float speed = kerb_max(told, memory->vehicle.speed_max);
    return frame->distance > HOST_JUMP + 2.0f * speed * kerb_min(frame->time_step, 1.0f);
}

static void host_check_close(kerb_host_check* check) {
    kerb_host_check_memory* memory = &check->memory;
    const kerb_host_check_window* window = &memory->window;
    const bool lasted =
        window->frames >= HOST_WINDOW_FRAMES &&
        (window->time >= HOST_WINDOW_TIME || window->frames >= HOST_WINDOW_FRAMES_ENOUGH);
    // Of the displacement, because noise of the positions adds to the length of the path.
    const float square = kerb_vec3_dot(window->displacement, window->displacement);
    if (lasted && (square >= HOST_WINDOW_PATH * HOST_WINDOW_PATH || window->no_rotation)) {
        kerb_in_host_judge(check);
        host_check_window_begin(memory);
    } else if (window->frames >= HOST_WINDOW_FRAMES_MAX) {
        host_check_restart(memory);
    }
}

// Adds a frame to the sample. True when the sample is complete.
static bool host_check_gather(kerb_host_check_memory* memory, const kerb_controls* given,
                              float time_step) {
    memory->sample_time += time_step;
    if (given && kerb_is_finite(given->steering))
        memory->sample_steering += kerb_clamp(given->steering, -1.0f, 1.0f) * time_step;
    return memory->sample_time >= HOST_SAMPLE_TIME;
}

static void host_check_sample(kerb_host_check* check, const kerb_motion* motion,
                              const kerb_controls* given, float steering, float time_step) {
    kerb_host_check_memory* memory = &check->memory;
    host_check_frame frame = host_check_read(motion, time_step);
    frame.moved = kerb_vec3_sub(frame.position, memory->position);
    frame.distance = host_length(frame.moved);
    const bool jumped = host_check_jumped(memory, &frame);
    if (given)
        host_check_controls(memory, motion, given, steering, &frame);
    if (!jumped)
        host_check_add(memory, &frame);
    host_check_remember(memory, &frame);
    memory->gear_told = motion->gear;
    if (jumped)
        host_check_restart(memory);
    else
        host_check_close(check);
}

static void host_check_begin(kerb_host_check_memory* memory, const kerb_motion* motion) {
    const host_check_frame frame = host_check_read(motion, 0.0f);
    host_check_remember(memory, &frame);
    host_check_restart(memory);
    memory->gear_told = motion->gear;
    memory->begun = true;
}

void kerb_host_check_feed(kerb_host_check* check, const kerb_motion* motion,
                          const kerb_controls* given, float time_step) {
    KERB_ASSERT(check && motion);
    kerb_host_check_memory* memory = &check->memory;
    const bool possible = host_check_possible(motion, time_step);
    check->bad_frames += !possible && check->bad_frames < INT32_MAX;
    if (possible && memory->begun && !host_check_gather(memory, given, time_step))
        return;
    const float time = memory->sample_time;
    const float steering = time > 0.0f ? memory->sample_steering / time : 0.0f;
    memory->sample_time = memory->sample_steering = 0.0f;
    if (!possible)
        memory->begun = false;
    else if (!memory->begun)
        host_check_begin(memory, motion);
    else
        host_check_sample(check, motion, given, steering, time);
}

// --------------------------------------------------------------------------- answers

// Log odds for "wrong" and against it. By Wald's bound a host that tells the truth is called wrong
// at most once in a million times, and a wrong one fine once in a thousand times.
#define HOST_ODDS_WRONG 13.8f
#define HOST_ODDS_FINE (-6.9f)

kerb_host_verdict kerb_host_check_verdict(const kerb_host_check* check, kerb_host_mistake which) {
    KERB_ASSERT(check && which >= KERB_HOST_NO_MISTAKE && which < KERB_HOST_MISTAKE_COUNT);
    const float evidence = check->evidence[which];
    return evidence >= HOST_ODDS_WRONG  ? KERB_HOST_WRONG
           : evidence <= HOST_ODDS_FINE ? KERB_HOST_FINE
                                        : KERB_HOST_NOT_KNOWN;
}

void kerb_host_check_shift_origin(kerb_host_check* check, kerb_vec3 new_origin) {
    KERB_ASSERT(check != NULL);
    check->memory.position = kerb_vec3_sub(check->memory.position, new_origin);
}

kerb_host_mistake kerb_host_check_worst(const kerb_host_check* check) {
    for (int32_t i = KERB_HOST_NO_MISTAKE + 1; i < KERB_HOST_MISTAKE_COUNT; i++)
        if (kerb_host_check_verdict(check, (kerb_host_mistake)i) == KERB_HOST_WRONG)
            return (kerb_host_mistake)i;
    return KERB_HOST_NO_MISTAKE;
}
