// Purpose: the steering of a frame: predicts where the rear axle will be when a command takes
//          effect, and the limits of the steering from there.
// Idea:    A command to the wheels becomes a course of the vehicle only after a delay. On tyres,
//          the course follows the wheels after about v·(1 + inertia)/(stiffness·grip). Tracks slip,
//          so the turning of a tracked hull is taken from the measured yaw rate. From the predicted
//          state, steer.c finds how the wheels must turn in the next seconds so that the rear axle
//          stays as near to the plan as possible. The rear axle is used because it goes where the
//          body points.
// Cost:    O(pieces of a leg), and one kerb_in_plan_steer.
#include "frame.h"

#include "../control/shared.h"

// Speed up to which the delays of tyres grow; beyond it they are not known. [m/s]
#define COURSE_TYRE_SPEED_MOST 40.0f
// Below the first speed the heading gives the direction of motion, above the second the velocity
// does. At low speed the direction of a measured velocity is mostly noise. [m/s]
#define COURSE_FROM 1.5f
#define COURSE_WHOLLY 4.0f

// Delay from a command to the tracks to the turning of the hull. [s] Chosen by trial.
#define HULL_ANSWERS 0.3f
// Time constant that separates a lasting drift from tyres that follow with their delay. [s] Chosen
// by trial.
#define DRIFT_SEEN 0.6f
// Least speed in the formulas of steering, which would divide by 0 at standstill. [m/s]
#define COURSE_SLOW 0.7f
// Share of the wheels' steering rate that is used; the rest is for errors of the model. Chosen by
// trial. [1]
#define COURSE_RATE_USED 0.92f
// Share of the lateral grip that is used, forwards and in reverse. In reverse a vehicle that turns
// with all of its grip spins. Chosen by trial. [1]
#define COURSE_GRIP_USED 0.85f
#define GRIP_REVERSE 0.65f
// Bounds of speed over planned speed, as far as it is expected to last for the next seconds. Chosen
// by trial. [1]
#define COURSE_PACE_LEAST 0.9f
#define PACE_MOST 1.2f
// Share of the present cross-track error that does not count as a reason to drive slower: slowing
// down does not remove it. [1] Chosen by trial.
#define OFF_ALREADY 0.6f

// Yaw inertia over that of the mass at both axles. Where it is not told, the body is a homogeneous
// box. Cars have 1 or a little more, a long hull on a short wheelbase 2.5. [1]
static float inertia_of(const kerb_vehicle* v) {
    float rear = kerb_clamp(v->reference_to_rear_axle, 0.1f * v->wheelbase, 0.9f * v->wheelbase);
    if (v->yaw_inertia > 0.0f)
        return kerb_clamp(v->yaw_inertia / (rear * (v->wheelbase - rear)), 0.1f, 10.0f);
    float box = (v->length * v->length + v->width * v->width) / 12.0f;
    return kerb_max(box / (rear * (v->wheelbase - rear)), 1.0f);
}

// Delay of an axle's course behind its wheels, because tyres under lateral load run at a slip
// angle. [s] (Gillespie, chapter 6: the slip of an axle decays with speed / (stiffness · gravity).)
static float tyres_delay(const kerb_plan_driver* driver, float speed) {
    return kerb_clamp(speed, 0.0f, COURSE_TYRE_SPEED_MOST) * driver->memory.slip.softness;
}

// Delay from the wheels to the turning of the body, of the bicycle model on such tyres. A greater
// inertia makes it longer, understeer makes it shorter, because the body then turns less in the
// end. [s]
static float body_delay(const kerb_plan_driver* driver, float speed) {
    const kerb_vehicle* v = &driver->vehicle;
    if (v->kind != KERB_VEHICLE_WHEELED)
        return 0.0f;
    float fast = kerb_clamp(speed, 0.0f, COURSE_TYRE_SPEED_MOST);
    float gives = kerb_max(v->understeer_gradient, 0.0f) * fast * fast / v->wheelbase;
    float sooner = kerb_max((inertia_of(v) + 1.0f) / (1.0f + gives) - 1.0f, 0.2f);
    return tyres_delay(driver, speed) * sooner;
}

// Direction of motion of the rear axle, forwards along the pose. At speed it comes from the
// velocity, because tyres slip.
static kerb_vec2 plan_driver_course_of(const kerb_plan_driver* driver, const driver_frame* f) {
    float blend = kerb_smooth_step(f->speed, COURSE_FROM, COURSE_WHOLLY);
    if (blend <= 0.0f)
        return f->rear.forward;
    float swing = f->motion->angular_velocity.z * driver->vehicle.reference_to_rear_axle;
    kerb_vec2 velocity = {f->motion->velocity.x + swing * f->rear.forward.y,
                          f->motion->velocity.y - swing * f->rear.forward.x};
    float scale = f->travel * blend / kerb_max(f->speed, 0.1f);
    return kerb_vec2_add(kerb_vec2_scale(f->rear.forward, 1.0f - blend),
                         kerb_vec2_scale(velocity, scale));
}

// Delay from a command to its effect. A command holds for the whole time step. [s]
static float course_answer_of(const kerb_vehicle* v, float time_step) {
    float delay = v->kind == KERB_VEHICLE_WHEELED ? v->steering_delay : HULL_ANSWERS;
    return kerb_max(delay + 0.5f * time_step, time_step);
}

static plan_wheels wheels_of(const kerb_plan_driver* driver, const driver_frame* f) {
    const kerb_plan_driver_settings* s = &driver->settings;
    const kerb_vehicle* v = &driver->vehicle;
    float speed = kerb_max(f->speed, COURSE_SLOW), most, rate;
    if (v->kind == KERB_VEHICLE_WHEELED) {
        float understeer = kerb_max(v->understeer_gradient, 0.0f) * speed * speed;
        float gain = driver->memory.turn.gain;
        most = gain * kerb_curvature_of(v, 1.0f, f->speed);
        float grip = f->travel < 0.0f ? GRIP_REVERSE : COURSE_GRIP_USED;
        most = kerb_min(most, grip * v->lateral_acceleration_max / (speed * speed));
        rate = gain * v->steering_rate_max / (v->wheelbase + understeer);
    } else {
        most = kerb_vehicle_yaw_rate(v, f->travel * speed) / speed;
        rate = v->yaw_acceleration_max / speed;
    }
    // Errors decay with the rate (v²·stiffness)^(1/3); this stiffness gives the time in the
    // settings.
    float fading = kerb_max(s->response_time, s->response_distance / speed);
    return (plan_wheels){.least = -most,
                         .most = most,
                         .rate = COURSE_RATE_USED * rate,
                         .answer = course_answer_of(v, f->time_step),
                         .stiffness = 1.0f / (speed * speed * fading * fading * fading)};
}

// On wheels the steering angle gives the curvature. Tracks slip, so the measured yaw rate gives it.
float kerb_in_plan_curvature_now(const kerb_plan_driver* driver, const driver_frame* f) {
    float speed = f->travel * kerb_max(f->speed, COURSE_SLOW);
    if (driver->vehicle.kind != KERB_VEHICLE_WHEELED)
        return f->motion->angular_velocity.z / speed;
    return driver->memory.turn.gain *
           kerb_in_control_curvature_of_wheels(&driver->vehicle, f->motion->steering, speed);
}

void kerb_in_plan_learn_turning(kerb_plan_driver* driver, const driver_frame* f) {
    const kerb_vehicle* v = &driver->vehicle;
    if (v->kind != KERB_VEHICLE_WHEELED)
        return;
    float wheels = kerb_in_control_curvature_of_wheels(v, f->motion->steering,
                                                       f->travel * kerb_max(f->speed, 0.0f));
    kerb_in_plan_turn_learn(&driver->memory.turn, wheels, body_delay(driver, f->speed), f->speed,
                            f->travel * f->motion->angular_velocity.z, f->time_step);
    float angle = plan_angle_from(f->rear.forward, plan_driver_course_of(driver, f));
    if (f->speed > COURSE_WHOLLY)
        kerb_in_plan_slip_learn(&driver->memory.slip, v, angle, f->speed,
                                f->motion->angular_velocity.z, f->time_step);
}

// State of the rear axle at the time when a command of this frame has become a course. The body
// follows the wheels, and the rear tyres follow the body, each with its delay.
typedef struct foreseen {
    kerb_vec2 position;
    float turned; // angle from the present heading to the course then, left positive [rad]
    float delay;  // time until then [s]
} foreseen;

static foreseen course_foresee(kerb_plan_driver* driver, const driver_frame* f) {
    float speed = kerb_max(f->speed, 0.0f), rate = f->motion->angular_velocity.z;
    float half = 0.5f * f->time_step, tyres = tyres_delay(driver, f->speed);
    float body = body_delay(driver, f->speed), way = f->travel * speed;
    kerb_vec2 facing = f->rear.forward, course = plan_driver_course_of(driver, f),
              left = {-facing.y, facing.x};
    // Lateral movement during both delays with the wheels held. The vehicle moves along the course
    // for the tyres' delay and along the heading for the body's.
    float bend = 0.5f * speed * speed * kerb_in_plan_curvature_now(driver, f) *
                 (tyres * tyres + body * body);
    kerb_vec2 at = kerb_vec2_add(f->rear.position, kerb_vec2_scale(course, way * (tyres + half)));
    at = kerb_vec2_add(at, kerb_vec2_scale(facing, way * body));
    // Tyres that follow with their delay move where the body pointed before. A lasting difference
    // is a drift.
    float slips = plan_angle_from(facing, course) + rate * tyres;
    driver->memory.drift +=
        (slips - driver->memory.drift) * f->time_step / (DRIFT_SEEN + f->time_step);
    return (foreseen){kerb_vec2_add(at, kerb_vec2_scale(left, bend)),
                      rate * (body + half) + driver->memory.drift, body + tyres + half};
}

float kerb_in_plan_driver_steer(kerb_plan_driver* driver, const driver_frame* f) {
    foreseen s = course_foresee(driver, f);
    plan_place place = kerb_in_plan_place_near(f->plan, f->leg, f->place, s.position);
    kerb_pose planned = kerb_in_plan_place_pose(f->plan, place);
    plan_off off = {
        .aside = kerb_vec2_cross(planned.forward, kerb_vec2_sub(s.position, planned.position))};
    off.angle = plan_angle_from(planned.forward, f->rear.forward) + s.turned;
    off.curvature = kerb_in_plan_curvature_now(driver, f);
    plan_wheels wheels = wheels_of(driver, f);
    off.curvature = kerb_clamp(off.curvature, wheels.least, wheels.most);
    float planned_speed = kerb_in_plan_place_speed(f->plan, f->place);
    float pace = kerb_clamp(kerb_max(f->speed, 0.0f) / kerb_max(planned_speed, COURSE_SLOW),
                            COURSE_PACE_LEAST, PACE_MOST);
    plan_steered steered = kerb_in_plan_steer(f->plan, &wheels, off, f->time + s.delay, pace);
    // Driving slower does not remove the present error.
    driver->memory.aside = kerb_max(steered.aside - OFF_ALREADY * kerb_abs(off.aside), 0.0f);
    return steered.curvature;
}
