// Which way the wheels turn: where the rear axle will be when what is told to them has become a
// course, and what it can drive from there. How they turn in the next seconds so that the rear
// axle, which goes where the body points, is as near to the plan as it can be: driver_steer.c.
//
// On tyres a course follows the wheels after v·(1 + inertia)/(stiffness·grip). Tracks slip: how
// their hull turns is taken as measured. O(pieces of a leg), and kerb_in_plan_steer's few µs.
#include "frame.h"

// Faster than this, what tyres take is not known. [m/s]
#define COURSE_TYRE_SPEED_MOST 40.0f
// From here on the velocity says where the vehicle goes, below where it points does. [m/s]
#define COURSE_FROM 1.5f
#define COURSE_WHOLLY 4.0f

// From tracks that are told to turn a hull to one that turns so; by it tracks are told more. [s]
#define HULL_ANSWERS 0.3f
// Drifting is told from tyres that follow by how long it lasts. [s]
#define DRIFT_SEEN 0.6f
// Slower than this, steering counts as if it were so fast. [m/s]
#define COURSE_SLOW 0.7f
// Of the rate of the wheels; the rest is for what the model does not know. [1]
#define COURSE_RATE_USED 0.92f
// Of the sideways grip: who turns with all of it in reverse is thrown round. [1]
#define COURSE_GRIP_USED 0.85f
#define GRIP_REVERSE 0.65f
// How much slower or faster than planned counts as going on so for seconds. [1]
#define COURSE_PACE_LEAST 0.9f
#define PACE_MOST 1.2f
// Of what it is aside now so much counts as no reason to drive slower. [1]
#define OFF_ALREADY 0.6f

// Yaw inertia, over that of the mass at both axles; the body is taken for an even box. Cars have 1
// or a little more, a long hull on a short wheelbase 2.5. [1]
static float inertia_of(const kerb_vehicle* v) {
    float rear = kerb_clamp(v->reference_to_rear_axle, 0.1f * v->wheelbase, 0.9f * v->wheelbase);
    float box = (v->length * v->length + v->width * v->width) / 12.0f;
    return kerb_max(box / (rear * (v->wheelbase - rear)), 1.0f);
}

// Tyres that are pressed aside go at an angle: an axle's course follows what turns it by so much.
// [s] (Gillespie, chapter 6: an axle's slip fades with speed / (stiffness · gravity).)
static float tyres_delay(const kerb_plan_driver* driver, float speed) {
    return kerb_clamp(speed, 0.0f, COURSE_TYRE_SPEED_MOST) * driver->memory.slip.softness;
}

// From wheels that turn to a body that does, of a bicycle on such tyres: a heavier one later,
// one that understeers sooner, as it turns less in the end. [s]
static float body_delay(const kerb_plan_driver* driver, float speed) {
    const kerb_vehicle* v = &driver->vehicle;
    if (v->kind != KERB_VEHICLE_WHEELED)
        return 0.0f;
    float fast = kerb_clamp(speed, 0.0f, COURSE_TYRE_SPEED_MOST);
    float gives = kerb_max(v->understeer_gradient, 0.0f) * fast * fast / v->wheelbase;
    float sooner = kerb_max((inertia_of(v) + 1.0f) / (1.0f + gives) - 1.0f, 0.2f);
    return tyres_delay(driver, speed) * sooner;
}

// Which way the rear axle goes, along the pose: fast, the velocity says so, as tyres slip.
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

// What is told now holds for the whole step.
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
        most = v->yaw_rate_max / speed;
        rate = v->yaw_acceleration_max / speed;
    }
    // Left alone, errors would fade as (v²·stiffness)^(1/3) says: by that the times are those set.
    float fading = kerb_max(s->response_time, s->response_distance / speed);
    return (plan_wheels){.least = -most,
                         .most = most,
                         .rate = COURSE_RATE_USED * rate,
                         .answer = course_answer_of(v, f->time_step),
                         .stiffness = 1.0f / (speed * speed * fading * fading * fading)};
}

// Wheels say where it will go. Tracks slip: how it turns now says more.
float kerb_in_plan_curvature_now(const kerb_plan_driver* driver, const driver_frame* f) {
    float speed = f->travel * kerb_max(f->speed, COURSE_SLOW);
    if (driver->vehicle.kind != KERB_VEHICLE_WHEELED)
        return f->motion->angular_velocity.z / speed;
    return driver->memory.turn.gain *
           kerb_curvature_of(&driver->vehicle, f->motion->steering, speed);
}

void kerb_in_plan_learn_turning(kerb_plan_driver* driver, const driver_frame* f) {
    const kerb_vehicle* v = &driver->vehicle;
    if (v->kind != KERB_VEHICLE_WHEELED)
        return;
    float wheels = kerb_curvature_of(v, f->motion->steering, f->travel * kerb_max(f->speed, 0.0f));
    kerb_in_plan_turn_learn(&driver->memory.turn, wheels, body_delay(driver, f->speed), f->speed,
                            f->travel * f->motion->angular_velocity.z, f->time_step);
    float angle = plan_angle_from(f->rear.forward, plan_driver_course_of(driver, f));
    if (f->speed > COURSE_WHOLLY)
        kerb_in_plan_slip_learn(&driver->memory.slip, v, angle, f->speed,
                                f->motion->angular_velocity.z, f->time_step);
}

// Where the rear axle will be, and which way it goes, when what is told to the wheels now has
// become a course: the body follows the wheels, and the rear tyres the body, each fading in its
// time.
typedef struct foreseen {
    kerb_vec2 position;
    float turned; // of the course against where the body faces now, left positive [rad]
    float delay;  // until then [s]
} foreseen;

static foreseen course_foresee(kerb_plan_driver* driver, const driver_frame* f) {
    float speed = kerb_max(f->speed, 0.0f), rate = f->motion->angular_velocity.z;
    float half = 0.5f * f->time_step, tyres = tyres_delay(driver, f->speed);
    float body = body_delay(driver, f->speed), way = f->travel * speed;
    kerb_vec2 facing = f->rear.forward, course = plan_driver_course_of(driver, f),
              left = {-facing.y, facing.x};
    // The sum of both lags, wheels held: the course counts for the tyres' time, the heading for the
    // body's.
    float bend = 0.5f * speed * speed * kerb_in_plan_curvature_now(driver, f) *
                 (tyres * tyres + body * body);
    kerb_vec2 at = kerb_vec2_add(f->rear.position, kerb_vec2_scale(course, way * (tyres + half)));
    at = kerb_vec2_add(at, kerb_vec2_scale(facing, way * body));
    // Tyres that only follow go where the body has pointed; what lasts beside that is a drift.
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
    // What it is off already no slowness takes back.
    driver->memory.aside = kerb_max(steered.aside - OFF_ALREADY * kerb_abs(off.aside), 0.0f);
    return steered.curvature;
}
