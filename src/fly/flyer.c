// Flying with wings: from the desired bend of the flight path to stick, pedals and throttle.
//
// A wing pushes in one direction only, along the lift. So the desired acceleration minus gravity
// decides the bank (where the lift must point) and the load factor (how long it must be). The load
// factor is measured along the present lift, so that nothing is pulled that a bank in progress
// would waste. Body rates control both. Roll: by the bank error. Pitch: by the desired rate of the
// path's bend plus the part that is missing, measured from frame to frame, so that no lift slope
// needs to be known. Yaw: by the rate of the turn minus the sideslip. The gains follow from the
// delay of the rates: each loop is slower than the one inside it, by so much that none overshoots.
//
// Limits: the bank; the load factor, by strength and by the stall with a margin; the angle of
// attack; and the climb, as energy: gravity along the path may take only the speed that is to
// spare, and may give only the speed that the airframe bears. Height has priority: only what lift
// the height leaves is used for the turn. O(1).
// Source: B. L. Stevens, F. L. Lewis, "Aircraft Control and Simulation" (turn coordination); S.
// Park, J. Deyst, J. P. How, "A new nonlinear guidance logic for trajectory tracking" (2004).
#include "flight.h"

#include "../base/shared.h"

#include <string.h>

// Smallest load factor that counts when the bank is chosen. In a push-over there is hardly any
// lift, and the smallest turn would demand a steep bank. [1]
#define BANK_LIFT_LEAST 0.5f
// Smallest load factor that is commanded, if the aircraft allows it: a gentle push. [1]
#define FLYER_PUSH_LEAST (-0.5f)
// Share of the greatest load factor that is commanded; the rest is for errors. [1]
#define PULL_SHARE 0.9f
// Share of the stall angle of attack that is flown; the rest is for errors. [1]
#define ANGLE_SHARE 0.9f
// Rate of the return from a limit of speed or angle of attack, chosen by trial. [1/s]
#define SPEED_LIMIT_GAIN 0.5f
#define ANGLE_LIMIT_GAIN 3.0f
// Pitch rate per missing rate of the path's bend. Below 1, so that an aircraft whose path follows
// its nose at once does not oscillate. [1]
#define BEND_GAIN 0.8f
// Delay from a pull to the bend of the path, in addition to the delay of the rates. [s]
#define PULL_LAG 0.1f
// Yaw rate per sideslip, chosen by trial. [1/s]
#define SLIP_GAIN 1.0f

#define FLYER_ROW(field, ...) KERB_IN_SETTING(kerb_flyer_settings, field, __VA_ARGS__)
static const kerb_setting flyer_rows[] = {
    FLYER_ROW(turn_time_factor, "1", 0.5f, 10.0f, 1.0f,
              "factor on the time to correct the direction of flight"),
    FLYER_ROW(stall_margin, "1", 1.0f, 3.0f, 1.15f,
              "lowest speed over the stall speed at its load factor"),
    FLYER_ROW(planned_bank_share, "1", 0.1f, 1.0f, 0.75f,
              "share of the greatest bank for planned turns"),
    FLYER_ROW(final_approach_time, "s", 0.0f, 60.0f, 3.0f, "time of straight flight before a goal"),
    FLYER_ROW(speed.proportional, "1/s", 0.0f, 20.0f, 0.5f, "desired acceleration per speed error"),
    FLYER_ROW(speed.integral, "1/s^2", 0.0f, 20.0f, 0.05f,
              "desired acceleration per integral of the speed error"),
};
const kerb_settings_table kerb_flyer_settings_table = {
    "kerb_flyer_settings", sizeof(kerb_flyer_settings), flyer_rows,
    (int32_t)(sizeof flyer_rows / sizeof flyer_rows[0])};

kerb_flyer_settings kerb_flyer_settings_default(void) {
    kerb_flyer_settings settings;
    kerb_settings_set_defaults(&kerb_flyer_settings_table, &settings);
    return settings;
}

void kerb_flyer_init(kerb_flyer* flyer, const kerb_aircraft* aircraft) {
    KERB_ASSERT(flyer && aircraft);
    const kerb_aircraft own = *aircraft; // which may lie in the flyer
    memset(flyer, 0, sizeof *flyer);
    flyer->aircraft = own;
    flyer->settings = kerb_flyer_settings_default();
    flyer->controls.gear = 1;
}

kerb_flyer kerb_flyer_make(const kerb_aircraft* aircraft) {
    kerb_flyer flyer;
    kerb_flyer_init(&flyer, aircraft);
    return flyer;
}

size_t kerb_flyer_bytes(void) {
    _Static_assert(_Alignof(kerb_flyer) <= KERB_IN_SAVED_ALIGNMENT, "as hosts are promised");
    return sizeof(kerb_flyer);
}

size_t kerb_flyer_save(const kerb_flyer* flyer, void* block, size_t capacity) {
    return kerb_in_save("kerb_flyer", flyer, sizeof *flyer, block, capacity);
}

kerb_result kerb_flyer_load(kerb_flyer* flyer, const void* block, size_t size, kerb_error* error) {
    return kerb_in_load("kerb_flyer", flyer, sizeof *flyer, block, size, error);
}

// --------------------------------------------------------------------------- how fast

// Gain of the lead on the missing roll rate. It shortens a long delay to less than half, and has
// almost no effect when the rates follow at once.
static float rate_lead(const kerb_aircraft* aircraft) {
    return aircraft->rate_delay / (aircraft->rate_delay + 0.1f);
}

// Two lags in series, gain and delay, have a damping of 1/(2·sqrt(gain·delay)): 0.8 at a product of
// 0.4. Each outer loop is again a second-order system with the lag of the loops inside it. An
// aircraft that rolls slowly has a lag of at least half the time of a full bank.
flyer_pace kerb_in_flyer_pace_of(const kerb_flyer* flyer, float time_step) {
    const kerb_aircraft* aircraft = &flyer->aircraft;
    float delay = aircraft->rate_delay / (1.0f + rate_lead(aircraft)) +
                  0.5f * kerb_min(time_step, 1.0f) + 0.02f;
    float rolling = 0.5f * aircraft->bank_max / aircraft->roll_rate_max;
    flyer_pace pace;
    pace.bank_gain = 0.4f / delay;
    pace.bank_lag = kerb_max(1.0f / pace.bank_gain, rolling) + delay;
    pace.turn_gain = 0.5f / (pace.bank_lag * flyer->settings.turn_time_factor);
    pace.path_gain = 0.25f * pace.turn_gain;
    return pace;
}

float kerb_in_flyer_pull_lag(const kerb_flyer* flyer, float time_step) {
    return flyer->aircraft.rate_delay + kerb_min(time_step, 1.0f) + PULL_LAG;
}

float kerb_flyer_horizon(const kerb_flyer* flyer) {
    KERB_ASSERT(flyer);
    flyer_pace pace = kerb_in_flyer_pace_of(flyer, 0.02f);
    return 1.0f / pace.turn_gain - pace.bank_lag;
}

// --------------------------------------------------------------------------- present flight

static const kerb_vec3 upwards = {0.0f, 0.0f, 1.0f};

// Horizontal, to the left of the path. When the path is vertical, the direction of the wings.
static kerb_vec3 level_left(kerb_vec3 path, kerb_vec3 wings) {
    kerb_vec3 left = kerb_vec3_cross(upwards, path);
    return kerb_vec3_length(left) > 1e-3f
               ? kerb_vec3_unit(left, wings)
               : kerb_vec3_unit(kerb_vec3_cross(kerb_vec3_cross(path, wings), path), wings);
}

static flight flight_of(const kerb_flyer* flyer, const kerb_motion* motion, float time_step) {
    flight now = {.motion = *motion, .time_step = time_step};
    kerb_vec3 wings = kerb_quat_left(motion->rotation), up = kerb_quat_up(motion->rotation);
    float speed = kerb_vec3_length(motion->velocity);
    now.speed = kerb_max(speed, 0.1f * flyer->aircraft.stall_speed);
    now.forward = kerb_quat_forward(motion->rotation);
    now.path = speed < now.speed ? now.forward : kerb_vec3_unit(motion->velocity, now.forward);
    now.left = level_left(now.path, wings);
    now.over = kerb_vec3_cross(now.path, now.left);
    now.climb = kerb_asin(now.path.z);
    now.lift = kerb_vec3_unit(kerb_vec3_cross(now.path, wings), up);
    return now;
}

static kerb_controls let_go(const kerb_flyer* flyer, kerb_reason reason) {
    kerb_controls controls = {.throttle = flyer->controls.throttle, .gear = 1, .reason = reason};
    return controls;
}

static kerb_in_frame_input flyer_take(kerb_motion_memory* memory, const kerb_aircraft* aircraft,
                                      const kerb_motion* motion, float time_step) {
    return kerb_in_frame_take(memory, motion, aircraft->speed_never_exceed, aircraft->length,
                              time_step);
}

// The aircraft was put elsewhere: what it was about to fly is no longer ahead of it.
static void flyer_forget(kerb_flyer* flyer) {
    const kerb_motion_memory last = flyer->memory.last;
    memset(&flyer->memory, 0, sizeof flyer->memory);
    flyer->memory.last = last;
}

bool kerb_in_flyer_begin(kerb_flyer* flyer, const kerb_motion* motion, float time_step,
                         flight* now) {
    const kerb_motion_memory before = flyer->memory.last;
    kerb_in_frame_input input =
        flyer_take(&flyer->memory.last, &flyer->aircraft, motion, time_step);
    flyer->bad_frames += input.counts ? 1 : 0;
    if (input.fault == KERB_REASON_BAD_MOTION) {
        flyer->controls = let_go(flyer, KERB_REASON_BAD_MOTION);
        flyer->memory.has_velocity = false;
        return false;
    }
    if (input.fault != KERB_REASON_NONE) {
        flyer->controls.reason = input.fault;
        return false;
    }
    const kerb_in_jump jump =
        kerb_in_jump_judge(&flyer->memory.left, &before, &input, flyer->controls.reason);
    if (jump == KERB_IN_JUMP_DOUBTFUL)
        return false;
    if (jump == KERB_IN_JUMP_ELSEWHERE)
        flyer_forget(flyer);
    *now = flight_of(flyer, &input.motion, input.time_step);
    return true;
}

void kerb_flyer_shift_origin(kerb_flyer* flyer, kerb_vec3 new_origin) {
    KERB_ASSERT(flyer && kerb_vec3_is_finite(new_origin));
    kerb_flyer_memory* memory = &flyer->memory;
    kerb_in_motion_shift_origin(&memory->last, new_origin);
    kerb_in_motion_shift_origin(&memory->left, new_origin);
    memory->goal.position = kerb_vec3_sub(memory->goal.position, new_origin);
    memory->approach.start.position =
        kerb_vec2_sub(memory->approach.start.position, kerb_vec2_make(new_origin.x, new_origin.y));
    memory->approach_start_height -= new_origin.z;
}

// --------------------------------------------------------------------------- directions

flight_bend kerb_in_flyer_towards(const flight* now, const flyer_pace* pace, kerb_vec3 direction) {
    flight_bend result = {0};
    float level = kerb_sqrt(kerb_max(1.0f - direction.z * direction.z, 0.0f));
    float path_level = kerb_sqrt(kerb_max(1.0f - now->path.z * now->path.z, 0.0f));
    kerb_vec3 ahead = kerb_vec3_cross(now->left, upwards);
    float turn = kerb_atan2(kerb_vec3_dot(direction, now->left), kerb_vec3_dot(direction, ahead));
    // A vertical direction has no heading.
    result.left = now->speed * path_level * pace->turn_gain * turn * kerb_min(10.0f * level, 1.0f);
    result.over = now->speed * pace->turn_gain * (kerb_asin(direction.z) - now->climb);
    return result;
}

// --------------------------------------------------------------------------- limits

static float floor_speed(const kerb_flyer* flyer) {
    float load = kerb_max(flyer->decision.target_load_factor, 1.0f);
    return flyer->settings.stall_margin * flyer->aircraft.stall_speed * kerb_sqrt(load);
}

// Steepest climb and dive that the speed allows. Gravity along the path may take the excess of
// thrust, and more only while the speed is above the lowest one. It may give what drag takes beyond
// the present thrust, and more only up to the greatest speed.
static void climb_limits(const kerb_flyer* flyer, const flight* now, float* least, float* most) {
    const kerb_aircraft* aircraft = &flyer->aircraft;
    float load = flyer->decision.target_load_factor;
    float drag = kerb_aircraft_drag(aircraft, now->speed, load);
    float excess = kerb_aircraft_thrust(aircraft, now->speed) - drag;
    float above = now->speed - floor_speed(flyer);
    float below = 0.95f * aircraft->speed_never_exceed - now->speed;
    float pulling = flyer->controls.throttle * kerb_aircraft_thrust(aircraft, now->speed);
    *most = kerb_asin((excess + SPEED_LIMIT_GAIN * above) / KERB_GRAVITY);
    *least = kerb_asin((pulling - drag - SPEED_LIMIT_GAIN * below) / KERB_GRAVITY);
    *least = kerb_min(*least, *most);
}

static float load_most(const kerb_flyer* flyer, float speed) {
    float slow = speed / flyer->settings.stall_margin;
    return kerb_min(kerb_aircraft_load_factor(&flyer->aircraft, slow),
                    PULL_SHARE * flyer->aircraft.load_factor_max);
}

// Acceleration that the wing shall produce: without gravity and within the limits.
typedef struct flyer_push {
    float over, left; // [m/s²]
} flyer_push;

static flyer_push push_for(const kerb_flyer* flyer, const flight* now, const flyer_pace* pace,
                           flight_bend wanted) {
    float least, most;
    climb_limits(flyer, now, &least, &most);
    float gain = pace->turn_gain * now->speed;
    float over = kerb_clamp(wanted.over, gain * (least - now->climb), gain * (most - now->climb));
    float strongest = load_most(flyer, now->speed) * KERB_GRAVITY;
    float weakest = kerb_max(FLYER_PUSH_LEAST, flyer->aircraft.load_factor_min) * KERB_GRAVITY;
    flyer_push result;
    result.over =
        kerb_clamp(over + KERB_GRAVITY * now->over.z, kerb_min(weakest, strongest), strongest);
    float banked = kerb_max(result.over, BANK_LIFT_LEAST * KERB_GRAVITY);
    float sideways = kerb_min(banked * kerb_tan(flyer->aircraft.bank_max),
                              kerb_sqrt(strongest * strongest - result.over * result.over));
    result.left = kerb_clamp(wanted.left, -sideways, sideways);
    return result;
}

// --------------------------------------------------------------------------- sticks

static kerb_vec3 flyer_across(const flight* now, float over, float left) {
    return kerb_vec3_along(kerb_vec3_scale(now->over, over), now->left, left);
}

// Angle from the present lift to the desired lift, about the path, positive with the right side
// down.
static float bank_error(const flight* now, kerb_vec3 wanted) {
    kerb_vec3 turn = kerb_vec3_cross(now->lift, wanted);
    return kerb_atan2(kerb_vec3_dot(turn, now->path), kerb_vec3_dot(now->lift, wanted));
}

// Direction of the lift at the time when a pull has an effect.
static kerb_vec3 lift_soon(const kerb_flyer* flyer, const flight* now) {
    float rolling = kerb_vec3_dot(now->motion.angular_velocity, now->path);
    float turn = kerb_clamp(rolling * kerb_in_flyer_pull_lag(flyer, now->time_step), -1.0f, 1.0f);
    float sine, cosine;
    kerb_sin_cos(turn, &sine, &cosine);
    kerb_vec3 right = kerb_vec3_cross(now->path, now->lift);
    return kerb_vec3_along(kerb_vec3_scale(now->lift, cosine), right, sine);
}

// Measured acceleration of the path along the lift, gravity included. Clamped, because two frames
// may not belong to the same flight (a teleport).
static float measured_bend(const kerb_flyer* flyer, const flight* now, float expected) {
    if (!flyer->memory.has_velocity)
        return expected;
    kerb_vec3 change = kerb_vec3_sub(now->motion.velocity, flyer->memory.velocity);
    float bent = kerb_vec3_dot(change, now->lift) / now->time_step;
    float most = 2.0f * flyer->aircraft.load_factor_max * KERB_GRAVITY;
    return kerb_clamp(bent, expected - most, expected + most);
}

// Rate of the nose upwards, about the axis of the wings.
static float pitch_rate(const kerb_flyer* flyer, const flight* now, kerb_vec3 left,
                        float load_factor) {
    float wanted = KERB_GRAVITY * (load_factor - now->lift.z);
    float bent = measured_bend(flyer, now, wanted);
    float rate = (wanted + BEND_GAIN * (wanted - bent)) / now->speed;
    float angle =
        kerb_atan2(kerb_vec3_dot(now->forward, now->lift), kerb_vec3_dot(now->forward, now->path));
    float most = ANGLE_SHARE * flyer->aircraft.stall_angle;
    float turning = -kerb_vec3_dot(now->motion.angular_velocity, left);
    rate += rate_lead(&flyer->aircraft) * (rate - turning);
    float upper = bent / now->speed + ANGLE_LIMIT_GAIN * (most - angle);
    float lower = bent / now->speed - ANGLE_LIMIT_GAIN * (0.5f * most + angle);
    return kerb_clamp(rate, kerb_min(lower, upper), upper);
}

// Rate of the nose to the left: the turn that gravity makes of a bank, minus the sideslip.
static float yaw_rate(const flight* now, kerb_vec3 left) {
    float turn = -KERB_GRAVITY * left.z / now->speed;
    return turn - SLIP_GAIN * kerb_asin(kerb_vec3_dot(now->forward, left));
}

static float stick(float rate, float most) {
    return kerb_clamp(rate / most, -1.0f, 1.0f);
}

static void set_sticks(const kerb_flyer* flyer, const flight* now, float roll, float load_factor,
                       kerb_controls* controls) {
    const kerb_aircraft* aircraft = &flyer->aircraft;
    kerb_vec3 left = kerb_vec3_cross(now->lift, now->path);
    // The roll is about the path, so that the angle of attack does not become sideslip.
    kerb_vec3 turn = kerb_vec3_scale(now->path, roll);
    turn = kerb_vec3_along(turn, left, -pitch_rate(flyer, now, left, load_factor));
    turn = kerb_vec3_along(turn, now->lift, yaw_rate(now, left));
    turn = kerb_quat_rotate(kerb_quat_conjugate(now->motion.rotation), turn);
    controls->roll = stick(turn.x, aircraft->roll_rate_max);
    controls->pitch = stick(turn.y, aircraft->pitch_rate_max);
    controls->yaw = stick(turn.z, aircraft->yaw_rate_max);
}

// --------------------------------------------------------------------------- throttle

static float flyer_throttle_for(kerb_flyer* flyer, const flight* now, float wanted) {
    const kerb_aircraft* aircraft = &flyer->aircraft;
    float drag = kerb_aircraft_drag(aircraft, now->speed, flyer->decision.target_load_factor);
    float most =
        kerb_max(kerb_aircraft_thrust(aircraft, now->speed), 0.02f * aircraft->acceleration_max);
    float speed = kerb_clamp(wanted, floor_speed(flyer), aircraft->speed_never_exceed);
    float error = speed - kerb_vec3_length(now->motion.velocity);
    float known = drag + KERB_GRAVITY * now->path.z;
    flyer->decision.target_speed = speed;
    return kerb_speed_control(&flyer->memory.speed, &flyer->settings.speed, error, known, 0.0f,
                              most, now->time_step) /
           most;
}

kerb_controls kerb_in_flyer_fly(kerb_flyer* flyer, const flight* now, const flyer_pace* pace,
                                flight_bend wanted, kerb_reason reason) {
    kerb_controls controls = {.gear = 1, .reason = reason};
    flyer_push p = push_for(flyer, now, pace, wanted);
    float banked = kerb_max(p.over, BANK_LIFT_LEAST * KERB_GRAVITY);
    kerb_vec3 lift = kerb_vec3_unit(flyer_across(now, banked, p.left), now->over);
    float error = bank_error(now, lift);
    float roll = kerb_clamp(pace->bank_gain * error, -flyer->aircraft.roll_rate_max,
                            flyer->aircraft.roll_rate_max);
    float rolling = kerb_vec3_dot(now->motion.angular_velocity, now->path);
    roll += rate_lead(&flyer->aircraft) * (roll - rolling);
    float load =
        kerb_vec3_dot(flyer_across(now, p.over, p.left), lift_soon(flyer, now)) / KERB_GRAVITY;
    float low = kerb_max(FLYER_PUSH_LEAST, flyer->aircraft.load_factor_min);
    low = kerb_min(low * kerb_max(kerb_vec3_dot(lift, now->lift), 0.0f), 0.0f);
    flyer->decision.target_bank = kerb_atan2(-p.left, banked);
    flyer->decision.target_load_factor = kerb_max(load, low);
    set_sticks(flyer, now, roll, flyer->decision.target_load_factor, &controls);
    controls.throttle = flyer_throttle_for(flyer, now, wanted.speed);
    flyer->memory.velocity = now->motion.velocity;
    flyer->memory.has_velocity = true;
    flyer->controls = controls;
    return controls;
}

// --------------------------------------------------------------------------- desired steering

float kerb_in_flyer_planned_radius(const kerb_flyer* flyer, float speed) {
    kerb_aircraft gentle = flyer->aircraft;
    gentle.bank_max *= flyer->settings.planned_bank_share;
    return kerb_aircraft_turning_radius(&gentle, speed);
}

// Predicts position and direction for the time when a bank commanded now bends the path. Until
// then, the present bank decides the turn.
static void flyer_foresee(const kerb_flyer* flyer, const flight* now, kerb_agent* agent) {
    flyer_pace pace = kerb_in_flyer_pace_of(flyer, 0.02f);
    float bank = kerb_atan2(-kerb_vec3_dot(now->lift, now->left),
                            kerb_max(kerb_vec3_dot(now->lift, now->over), 0.1f));
    float turn = -KERB_GRAVITY * kerb_tan(bank) / now->speed * pace.bank_lag;
    kerb_quat half = kerb_quat_from_heading(0.5f * turn);
    kerb_vec3 chord = kerb_quat_rotate(half, now->path);
    agent->position = kerb_vec3_along(now->motion.position, chord, pace.bank_lag * now->speed);
    agent->forward = kerb_quat_rotate(half, chord);
}

kerb_agent kerb_flyer_agent(const kerb_flyer* flyer, const kerb_motion* motion) {
    KERB_ASSERT(flyer && motion);
    const kerb_aircraft* aircraft = &flyer->aircraft;
    kerb_motion_memory nowhere = {0};
    const kerb_motion clean = flyer_take(&nowhere, aircraft, motion, KERB_TIME_STEP_MIN).motion;
    flight now = flight_of(flyer, &clean, 0.0f);
    kerb_agent agent;
    flyer_foresee(flyer, &now, &agent);
    agent.speed = kerb_vec3_length(clean.velocity);
    agent.radius = 0.5f * kerb_max(aircraft->length, aircraft->wingspan);
    agent.turning_radius = kerb_in_flyer_planned_radius(flyer, now.speed);
    agent.speed_max = aircraft->cruise_speed;
    float drag = kerb_aircraft_drag(aircraft, now.speed, 1.0f);
    agent.acceleration = kerb_max(kerb_aircraft_thrust(aircraft, now.speed) - drag, 0.01f);
    agent.braking = drag;
    return agent;
}

static bool is_wish(const kerb_steering* wish) {
    return wish && kerb_vec3_is_finite(wish->direction) && kerb_is_finite(wish->speed) &&
           kerb_vec3_length(wish->direction) > 0.0f;
}

kerb_controls kerb_in_flyer_fly_towards(kerb_flyer* flyer, const flight* now,
                                        const kerb_steering* desired) {
    flyer_pace pace = kerb_in_flyer_pace_of(flyer, now->time_step);
    kerb_vec3 ahead = kerb_vec3_cross(now->left, upwards);
    bool wishes = is_wish(desired);
    kerb_vec3 direction = wishes ? kerb_vec3_unit(desired->direction, ahead) : ahead;
    flight_bend wanted = kerb_in_flyer_towards(now, &pace, direction);
    float most = now->speed * now->speed / kerb_in_flyer_planned_radius(flyer, now->speed);
    wanted.left = kerb_clamp(wanted.left, -most, most);
    wanted.speed = wishes ? desired->speed : flyer->aircraft.cruise_speed;
    flyer->decision.cross_track_error = flyer->decision.remaining = 0.0f;
    flyer->memory.path_id = 0;
    flyer->memory.has_goal = false;
    return kerb_in_flyer_fly(flyer, now, &pace, wanted, KERB_REASON_CRUISE);
}

kerb_controls kerb_flyer_drive(kerb_flyer* flyer, const kerb_steering* desired,
                               const kerb_motion* motion, float time_step) {
    KERB_ASSERT(flyer && motion);
    flight now;
    if (!kerb_in_flyer_begin(flyer, motion, time_step, &now))
        return flyer->controls;
    return kerb_in_flyer_fly_towards(flyer, &now, desired);
}
