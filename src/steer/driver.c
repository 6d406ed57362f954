// From a desired steering to pedals, steering and gear.
//
// Steering: the heading error shall decay as exp(-t/T). Wheels turn at a finite rate, so the
// curvature is also limited to what can be turned back before the error is gone. Turning κ back at
// the rate κ' takes the time κ/κ', in which the heading still turns by v·κ²/2κ'. Hence κ² <=
// 2·κ'·error/v, the time-optimal law of a double integrator. Near the goal the exponential law
// gives the smaller curvature.
//
// Speed: a turn by an angle e at the lateral acceleration a takes the time e·v/a. To end within the
// time T, the speed must be at most a·T/e. Below sqrt(a·R), where R is the smallest turning radius,
// a lower speed makes no turn tighter. O(1).
#include "driver.h"

#include "../base/shared.h"
#include "../control/shared.h"
#include "../vehicle/shared.h"

#include <string.h>

// A heading error above this keeps the side on which the turn began, so that it does not change at
// π. [rad]
#define ASTERN 2.8f
// When it moves faster than this against the desired direction of travel, it first brakes to
// standstill. [m/s]
#define DRIVER_WRONG_WAY 0.3f
// A vehicle that shall stand but moves more slowly than DRIVER_PUSHED is being pushed [m/s]. The
// brakes then grow by HOLDING for each metre. [1/s²]
#define DRIVER_PUSHED 2.0f
#define HOLDING 8.0f

// Tyres hold up to the slip angle HOLDS. From there over LETS_GO the pedals are released. [rad]
#define HOLDS 0.08f
#define LETS_GO 0.1f
// A vehicle that is too fast for its turn brakes and turns with less grip. BRAKES_FIRST is the
// greatest share of grip that braking takes, DRIVER_TOO_FAST the relative excess of speed at which
// it takes that. Chosen by trial.
#define BRAKES_FIRST 0.3f
#define DRIVER_TOO_FAST 0.2f
// Below this speed the slip angle is too noisy and counts as 0. [m/s]
#define SLIDES_FROM 3.0f

// clang-format off
#define STEER_DRIVER_ROW(field, ...) KERB_IN_SETTING(kerb_steering_driver_settings, field, __VA_ARGS__)
static const kerb_setting steer_driver_rows[] = {
    STEER_DRIVER_ROW(acceleration, "m/s^2", 0.01f, 200.0f, 6.0f, "greatest acceleration used"),
    STEER_DRIVER_ROW(deceleration, "m/s^2", 0.01f, 200.0f, 6.0f, "greatest deceleration used"),
    STEER_DRIVER_ROW(grip_share, "1", 0.01f, 2.0f, 0.85f, "share of the grip used in turns"),
    STEER_DRIVER_ROW(response_time, "s", 0.02f, 20.0f, 0.35f, "time in which a small heading error fades"),
    STEER_DRIVER_ROW(turn_time, "s", 0.05f, 1000.0f, 2.0f, "slows down to turn within this time"),
    STEER_DRIVER_ROW(speed_control.proportional, "1/s", 0.0f, 20.0f, 2.0f, "acceleration per speed error"),
    STEER_DRIVER_ROW(speed_control.integral, "1/s^2", 0.0f, 20.0f, 0.5f, "acceleration per summed speed error"),
};
// clang-format on
const kerb_settings_table kerb_steering_driver_settings_table = {
    "kerb_steering_driver_settings", sizeof(kerb_steering_driver_settings), steer_driver_rows,
    (int32_t)(sizeof steer_driver_rows / sizeof steer_driver_rows[0])};

kerb_steering_driver_settings kerb_steering_driver_settings_default(void) {
    kerb_steering_driver_settings settings;
    kerb_settings_set_defaults(&kerb_steering_driver_settings_table, &settings);
    return settings;
}

void kerb_steering_driver_init(kerb_steering_driver* driver, const kerb_vehicle* vehicle) {
    KERB_ASSERT(driver && vehicle);
    const kerb_vehicle own = *vehicle; // which may lie in the driver
    memset(driver, 0, sizeof *driver);
    driver->settings = kerb_steering_driver_settings_default();
    driver->vehicle = own;
}

kerb_steering_driver kerb_steering_driver_make(const kerb_vehicle* vehicle) {
    kerb_steering_driver driver;
    kerb_steering_driver_init(&driver, vehicle);
    return driver;
}

size_t kerb_steering_driver_bytes(void) {
    _Static_assert(_Alignof(kerb_steering_driver) <= KERB_IN_SAVED_ALIGNMENT,
                   "as hosts are promised");
    return sizeof(kerb_steering_driver);
}

size_t kerb_steering_driver_save(const kerb_steering_driver* driver, void* block, size_t capacity) {
    return kerb_in_save("kerb_steering_driver", driver, sizeof *driver, block, capacity);
}

kerb_result kerb_steering_driver_load(kerb_steering_driver* driver, const void* block, size_t size,
                                      kerb_error* error) {
    return kerb_in_load("kerb_steering_driver", driver, sizeof *driver, block, size, error);
}

// --------------------------------------------------------------------------- shared

void kerb_in_steer_forget_pedals(kerb_pedal_memory* memory) {
    memory->speed_control.integral_term = memory->held = 0.0f;
}

bool kerb_in_steer_is_finite_wish(const kerb_steering* wish) {
    return kerb_vec3_is_finite(wish->direction) && kerb_is_finite(wish->speed);
}

bool kerb_in_steer_take_pose(kerb_pose* pose) {
    kerb_vec3 forward = kerb_vec3_make(pose->forward.x, pose->forward.y, 0.0f);
    forward = kerb_vec3_unit(forward, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    pose->forward = kerb_vec2_make(forward.x, forward.y);
    return kerb_abs(pose->position.x) <= KERB_POSITION_MAX &&
           kerb_abs(pose->position.y) <= KERB_POSITION_MAX &&
           kerb_vec2_dot(pose->forward, pose->forward) > 0.0f;
}

kerb_vec2 kerb_in_steer_front(const kerb_motion* motion) {
    kerb_vec3 forward = kerb_quat_forward(motion->rotation);
    forward.z = 0.0f;
    forward = kerb_vec3_unit(forward, kerb_vec3_make(1.0f, 0.0f, 0.0f));
    return kerb_vec2_make(forward.x, forward.y);
}

float kerb_in_steer_angle(kerb_vec2 a, kerb_vec2 b) {
    return kerb_atan2(kerb_vec2_cross(a, b), kerb_vec2_dot(a, b));
}

float kerb_in_steer_yaw_rate(float error, float time, float slowing) {
    float size = kerb_min(kerb_abs(error) / time, kerb_sqrt(2.0f * slowing * kerb_abs(error)));
    return error < 0.0f ? -size : size;
}

// Brakes that act take 0.4 s from this speed to STEER_STANDING. What moves for longer, the delay of
// the brakes included, creeps against them, and needs the handbrake. [m/s], [s]
#define DRIVER_CREEPS 0.5f
#define DRIVER_CREEPS_TIME 0.7f

// Some automatics creep on however hard they are braked. True when the handbrake must hold: where
// creep is told, and where it was seen once.
static bool driver_creeps(kerb_pedal_memory* memory, const kerb_vehicle* vehicle, float speed,
                          float time_step) {
    float slow = kerb_abs(speed);
    if (slow > STEER_STANDING && slow < DRIVER_CREEPS)
        memory->pushed = kerb_min(memory->pushed + time_step, 60.0f);
    return slow < DRIVER_CREEPS &&
           (memory->pushed > DRIVER_CREEPS_TIME || vehicle->creep_speed > 0.0f);
}

// Brakes to standstill, or holds it there. When a slope or others push the vehicle, it brakes
// harder the longer it moves.
static void driver_stand(kerb_pedal_memory* memory, const kerb_vehicle* vehicle,
                         const steer_pace* pace, float speed, float time_step,
                         kerb_controls* controls) {
    memory->speed_control.integral_term = 0.0f;
    bool stands = kerb_abs(speed) < STEER_STANDING;
    float wanted = kerb_min(pace->deceleration, kerb_max(4.0f * kerb_abs(speed), 0.5f));
    if (pace->firm && kerb_abs(speed) < DRIVER_PUSHED)
        memory->held =
            kerb_min(memory->held + HOLDING * kerb_abs(speed) * time_step, vehicle->braking_max);
    wanted += memory->held + kerb_max(-kerb_coasting_deceleration(vehicle, speed), 0.0f);
    controls->throttle = 0.0f;
    controls->brake = stands ? 1.0f : kerb_min(wanted / vehicle->braking_max, 1.0f);
    if (pace->free && kerb_abs(speed) < 3.0f * STEER_STANDING)
        controls->brake = 0.0f;
    else if (driver_creeps(memory, vehicle, speed, time_step))
        controls->handbrake = true;
}

static void driver_drive_on(kerb_pedal_memory* memory, const kerb_vehicle* vehicle,
                            const kerb_speed_settings* settings, const steer_pace* pace,
                            float speed, float time_step, kerb_controls* controls) {
    bool reverse = memory->travel < 0;
    float along = reverse ? -speed : speed;
    // The gear limits the speed in reverse, not the drag. So the power is that of driving forwards.
    float capacity = kerb_full_throttle_acceleration(vehicle, speed, false);
    if (reverse)
        capacity = kerb_min(capacity, vehicle->reverse_acceleration_max);
    float coasting = kerb_coasting_deceleration(vehicle, speed);
    float most = kerb_min(capacity, pace->acceleration + coasting);
    float least = -kerb_min(vehicle->braking_max, pace->deceleration);
    float wanted =
        kerb_speed_control(&memory->speed_control, settings, kerb_abs(pace->speed) - along,
                           pace->known + coasting, least, most, time_step);
    kerb_pedals(vehicle, wanted, capacity, controls);
}

void kerb_in_steer_pedals(kerb_pedal_memory* memory, const kerb_vehicle* vehicle,
                          const kerb_speed_settings* settings, const steer_pace* pace,
                          const kerb_motion* motion, float time_step, kerb_controls* controls) {
    float speed = kerb_motion_forward_speed(motion);
    int32_t moving = speed < -STEER_STANDING ? -1 : 1;
    int32_t travel = pace->speed < 0.0f ? -1 : pace->speed > 0.0f ? 1 : moving;
    bool against = speed * (float)travel < -DRIVER_WRONG_WAY;
    if (memory->travel != travel)
        memory->speed_control.integral_term = 0.0f;
    memory->travel = travel;
    if (pace->speed != 0.0f)
        memory->held = 0.0f;
    if (pace->speed != 0.0f && memory->pushed < DRIVER_CREEPS_TIME)
        memory->pushed = 0.0f;
    if (against || pace->speed == 0.0f)
        driver_stand(memory, vehicle, pace, speed, time_step, controls);
    else
        driver_drive_on(memory, vehicle, settings, pace, speed, time_step, controls);
    int32_t gear = against ? -travel : travel;
    controls->gear = kerb_gearbox_drive(&memory->gearbox, vehicle, motion, gear, controls->throttle,
                                        time_step, &controls->clutch);
}

// --------------------------------------------------------------------------- by desired steering

// The values of a frame.
typedef struct steer_driver_frame {
    float speed;   // forward speed [m/s]
    float error;   // angle from the front to the desired direction, left positive [rad]
    float lateral; // lateral acceleration to use in turns [m/s²]
    float wanted;  // desired speed, signed [m/s]
    float turning; // share of the grip that turning takes [0 … 1]
    float slide;   // slip angle of the rear beyond what its tyres hold, left positive [rad]
    float time_step;
} steer_driver_frame;

static float driver_slide_of(const kerb_vehicle* vehicle, const kerb_motion* motion, float speed) {
    if (vehicle->kind != KERB_VEHICLE_WHEELED || speed < SLIDES_FROM)
        return 0.0f;
    kerb_vec2 velocity = kerb_vec2_make(motion->velocity.x, motion->velocity.y);
    float rear = kerb_vec2_cross(kerb_in_steer_front(motion), velocity) -
                 vehicle->reference_to_rear_axle * motion->angular_velocity.z;
    float slip = kerb_atan2(rear, speed);
    return slip - kerb_clamp(slip, -HOLDS, HOLDS);
}

// The share of the grip that turning and sliding leave for the pedals.
static float left_for_pedals(const steer_driver_frame* f) {
    float left = kerb_sqrt(1.0f - f->turning * f->turning);
    return left * kerb_max(1.0f - kerb_abs(f->slide) / LETS_GO, 0.0f);
}

// Angle that a hovercraft's nose must lead, so that it comes to slide along `direction`. The nose
// points against the lateral velocity, up to the angle at which thrust pushes sideways hardest.
static float nose_lead(const kerb_motion* motion, kerb_vec2 direction, float wanted) {
    kerb_vec2 velocity = kerb_vec2_make(motion->velocity.x, motion->velocity.y);
    float aside = kerb_vec2_cross(direction, velocity);
    float lead = kerb_atan2(aside, kerb_max(0.5f * kerb_abs(wanted), 1.5f));
    float most = 0.25f * KERB_PI;
    return kerb_clamp(wanted < 0.0f ? lead : -lead, -most, most);
}

static float driver_heading_error(const kerb_steering_driver* driver, const kerb_steering* wish,
                                  const kerb_motion* motion) {
    kerb_vec2 direction = kerb_vec2_make(wish->direction.x, wish->direction.y);
    float length = kerb_vec2_length(direction);
    if (length < 1e-6f)
        return 0.0f;
    float error = kerb_in_steer_angle(kerb_in_steer_front(motion), direction);
    // The angle that it still turns before the wheels respond counts as already turned.
    if (driver->vehicle.kind == KERB_VEHICLE_WHEELED)
        error -= motion->angular_velocity.z * driver->vehicle.steering_delay;
    if (driver->vehicle.kind == KERB_VEHICLE_HOVER)
        error = kerb_wrap_angle(
            error + nose_lead(motion, kerb_vec2_scale(direction, 1.0f / length), wish->speed));
    float turning = motion->angular_velocity.z;
    if (kerb_abs(error) > ASTERN && error * turning < 0.0f && kerb_abs(turning) > 0.05f)
        error = turning > 0.0f ? KERB_PI : -KERB_PI;
    return error;
}

static float wheel_curvature(const kerb_steering_driver* driver, const steer_driver_frame* f) {
    const kerb_vehicle* vehicle = &driver->vehicle;
    float fast = kerb_abs(f->speed);
    // In reverse the wheels turn the front to the other side.
    bool back = fast > DRIVER_WRONG_WAY ? f->speed < 0.0f : f->wanted < 0.0f;
    float time = driver->settings.response_time + 2.0f * vehicle->steering_delay;
    float reach = kerb_max(fast * time, 0.4f * vehicle->wheelbase);
    float understeer = kerb_max(vehicle->understeer_gradient, 0.0f) * fast * fast;
    float unwinding = vehicle->steering_rate_max / (vehicle->wheelbase + understeer);
    float size = kerb_abs(f->error) / reach;
    float slow = kerb_max(fast, 0.5f);
    size = kerb_min(size, kerb_sqrt(2.0f * unwinding * kerb_abs(f->error) / slow));
    size = kerb_min(size, f->lateral / (slow * slow));
    return (f->error < 0.0f) != back ? -size : size;
}

static float driver_steering_of(const kerb_steering_driver* driver, const steer_driver_frame* f) {
    const kerb_vehicle* vehicle = &driver->vehicle;
    if (vehicle->kind == KERB_VEHICLE_WHEELED) {
        float steering = kerb_steering_for(vehicle, wheel_curvature(driver, f), f->speed);
        float lock = kerb_vehicle_steering_lock(vehicle, f->speed);
        return kerb_clamp(steering + f->slide / lock, -1.0f, 1.0f);
    }
    // Less than the greatest yaw acceleration, because the response is late.
    float slowing = 0.35f * vehicle->yaw_acceleration_max;
    float rate = kerb_in_steer_yaw_rate(f->error, driver->settings.response_time, slowing);
    if (vehicle->kind == KERB_VEHICLE_TRACKED) {
        float most = f->lateral / kerb_max(kerb_abs(f->speed), 0.1f);
        rate = kerb_clamp(rate, -most, most);
    }
    return kerb_clamp(rate / vehicle->yaw_rate_max, -1.0f, 1.0f);
}

// The speed at which it turns by the error in time. No limit when turning needs no grip.
static float driver_turning_speed(const kerb_steering_driver* driver, const steer_driver_frame* f) {
    const kerb_vehicle* vehicle = &driver->vehicle;
    float most = f->lateral * driver->settings.turn_time / kerb_max(kerb_abs(f->error), 1e-3f);
    if (vehicle->kind == KERB_VEHICLE_WHEELED)
        return kerb_max(most, kerb_sqrt(f->lateral * kerb_vehicle_turning_radius(vehicle)));
    return most;
}

// Takes what the host says. False: the controls are decided already.
static bool steer_driver_take_frame(kerb_steering_driver* driver, const kerb_steering* desired,
                                    const kerb_motion* motion, float time_step,
                                    kerb_in_frame_input* input) {
    *input = kerb_in_frame_take_vehicle(&driver->memory.last, &driver->vehicle, motion, time_step);
    if (input->fault == KERB_REASON_NONE && input->elsewhere)
        kerb_in_steer_forget_pedals(&driver->memory);
    if (input->fault == KERB_REASON_NONE && !kerb_in_steer_is_finite_wish(desired)) {
        input->fault = KERB_REASON_BAD_MOTION;
        input->counts = true;
    }
    driver->bad_frames += input->counts ? 1 : 0;
    if (input->fault == KERB_REASON_BAD_MOTION)
        driver->controls = kerb_controls_safe(KERB_REASON_BAD_MOTION);
    if (input->fault != KERB_REASON_NONE) {
        driver->controls.reason = input->fault;
        return false;
    }
    return true;
}

void kerb_steering_driver_shift_origin(kerb_steering_driver* driver, kerb_vec3 new_origin) {
    KERB_ASSERT(driver && kerb_vec3_is_finite(new_origin));
    kerb_in_motion_shift_origin(&driver->memory.last, new_origin);
    kerb_host_check_shift_origin(&driver->host_check, new_origin);
}

static kerb_reason steer_driver_reason_of(float wanted, float allowed, float capped) {
    if (wanted == 0.0f)
        return KERB_REASON_WAIT;
    if (capped < kerb_min(kerb_abs(wanted), allowed))
        return KERB_REASON_SPEED_CAP;
    return allowed < kerb_abs(wanted) ? KERB_REASON_STEERING : KERB_REASON_CRUISE;
}

kerb_controls kerb_steering_driver_drive(kerb_steering_driver* driver, const kerb_steering* desired,
                                         const kerb_motion* motion,
                                         const kerb_surroundings* surroundings, float time_step) {
    KERB_ASSERT(driver && desired && motion);
    const bool given_back =
        kerb_in_hand_over_begin(&driver->memory.hand_over, &driver->controls, surroundings);
    const kerb_host_mistake wrong = kerb_in_host_watch(&driver->host_check, &driver->vehicle,
                                                       motion, &driver->controls, time_step);
    kerb_in_frame_input input;
    if (!steer_driver_take_frame(driver, desired, motion, time_step, &input))
        return driver->controls;
    if (given_back || kerb_in_player_drives(surroundings))
        kerb_in_steer_forget_pedals(&driver->memory);
    motion = &input.motion;
    time_step = input.time_step;
    kerb_surroundings around = surroundings ? *surroundings : kerb_surroundings_default();
    const kerb_vehicle* vehicle = &driver->vehicle;
    const kerb_steering_driver_settings* settings = &driver->settings;
    float grip = kerb_clamp(around.grip, 0.01f, 10.0f);
    steer_driver_frame f = {kerb_motion_forward_speed(motion),
                            driver_heading_error(driver, desired, motion),
                            settings->grip_share * vehicle->lateral_acceleration_max * grip,
                            desired->speed,
                            0.0f,
                            0.0f,
                            time_step};
    if (vehicle->kind == KERB_VEHICLE_WHEELED) {
        float aside = kerb_abs(f.speed * motion->angular_velocity.z);
        f.turning = kerb_min(aside / (vehicle->lateral_acceleration_max * grip), 1.0f);
        f.slide = driver_slide_of(vehicle, motion, f.speed);
    }
    float left = left_for_pedals(&f);
    float allowed = driver_turning_speed(driver, &f);
    if (vehicle->kind == KERB_VEHICLE_WHEELED && f.speed > allowed)
        f.lateral *=
            1.0f - BRAKES_FIRST * kerb_min((f.speed / allowed - 1.0f) / DRIVER_TOO_FAST, 1.0f);
    float capped = kerb_max(around.speed_cap, 0.0f);
    float top = desired->speed < 0.0f ? vehicle->reverse_speed_max : vehicle->speed_max;
    float speed = kerb_min(kerb_min(kerb_abs(desired->speed), top), kerb_min(allowed, capped));
    bool turns = vehicle->kind != KERB_VEHICLE_WHEELED && kerb_abs(f.error) > 0.02f;
    steer_pace pace = {desired->speed < 0.0f ? -speed : speed,
                       0.0f,
                       kerb_min(settings->acceleration, vehicle->acceleration_max * grip) * left,
                       settings->deceleration * left,
                       turns,
                       true};
    const float now = kerb_motion_forward_speed(motion) * (desired->speed < 0.0f ? -1.0f : 1.0f);
    kerb_controls controls = {.reason = kerb_in_pace_reason(
                                  steer_driver_reason_of(desired->speed, allowed, capped), now,
                                  speed, pace.acceleration,
                                  1.0f / kerb_max(settings->speed_control.proportional, 1.0e-3f))};
    kerb_in_steer_pedals(&driver->memory, vehicle, &settings->speed_control, &pace, motion,
                         time_step, &controls);
    controls.steering = driver_steering_of(driver, &f);
    controls.reason = kerb_in_host_reason(wrong, controls.reason);
    kerb_in_hand_over_end(&driver->memory.hand_over, &controls, time_step);
    return driver->controls = controls;
}
