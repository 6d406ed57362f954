// Purpose: the steering of a frame: predicts where the rear axle will be when a command takes
//          effect, and the limits of the steering from there.
// Idea:    A command to the wheels becomes a course of the vehicle only after a delay. On tyres,
//          the course follows the wheels after about v·(1 + inertia)/(stiffness·grip). Tracks slip,
//          so the turning of a tracked hull is taken from the measured yaw rate. From the predicted
//          state, steer.c finds how the wheels must turn in the next seconds so that the rear axle
//          stays as near to the plan as possible. The rear axle is used because it goes where the
//          body points, but for vehicles that steer behind.
//          Where the wheels are follows from what was commanded, through the delay and the curve
//          that track/wheels.c learns: many hosts tell no angle, or one without trim.
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
// Shares of the doubt of the delay, and of a frame, in which errors fade at least. [1]
#define FADING_PER_DOUBT 4.0f
#define FADING_PER_STEP 3.0f
// Time of standstill that is always left for the wheels to turn. [s] Some steps of the preview.
#define SETS_OFF 0.3f
// Wheels that are turned by less than this share of what they can in this time stand as they
// should: at standstill there is no other reason to turn them slowly. [1], [s]
#define TURNED 0.5f
#define TURNED_WITHIN 0.1f
// How far the slip of the rear axle may be from what its softness says. [1]
#define SLIPS_DOUBT 0.5f
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

// The point that follows, ahead of that whose poses the plan has. [m]
static float course_axle(const kerb_plan_driver* driver) {
    return driver->memory.wheels.axle - driver->axle;
}

// Velocity of the point whose poses the plan has. [m/s]
static kerb_vec2 course_rear_velocity(const kerb_plan_driver* driver, const driver_frame* f) {
    float back = driver->vehicle.reference_to_rear_axle - driver->axle;
    float swing = f->motion->angular_velocity.z * back;
    return kerb_vec2_make(f->motion->velocity.x + swing * f->rear.forward.y,
                          f->motion->velocity.y - swing * f->rear.forward.x);
}

// Direction of motion of the rear axle, forwards along the pose. At speed it comes from the
// velocity, because tyres slip.
static kerb_vec2 plan_driver_course_of(const kerb_plan_driver* driver, const driver_frame* f) {
    float blend = kerb_smooth_step(f->speed, COURSE_FROM, COURSE_WHOLLY);
    if (blend <= 0.0f)
        return f->rear.forward;
    kerb_vec2 velocity = course_rear_velocity(driver, f);
    float scale = f->travel * blend / kerb_max(f->speed, 0.1f);
    return kerb_vec2_add(kerb_vec2_scale(f->rear.forward, 1.0f - blend),
                         kerb_vec2_scale(velocity, scale));
}

// Time by which a command is ahead of the state that is steered. That of wheels is the one in which
// the command begins to act, and a command holds for the whole time step. [s]
static float course_answer_of(const kerb_vehicle* v, float time_step) {
    return v->kind == KERB_VEHICLE_WHEELED ? time_step
                                           : kerb_max(HULL_ANSWERS + 0.5f * time_step, time_step);
}

// The shortest time in which errors fade with a margin: a delay of a standard deviation more than
// the known one, and frames, must not make the loop swing. Each takes ω·time of phase at the
// crossover, about 2 over the time of fading. [s]
static float course_fading_least(const kerb_plan_driver* driver, const driver_frame* f) {
    if (driver->vehicle.kind != KERB_VEHICLE_WHEELED)
        return 0.0f;
    return FADING_PER_DOUBT * kerb_in_wheels_delay_doubt(&driver->memory.wheels) +
           FADING_PER_STEP * f->time_step;
}

float kerb_in_plan_driver_rate(const kerb_plan_driver* driver, const driver_frame* f) {
    const kerb_vehicle* v = &driver->vehicle;
    float speed = kerb_max(f->speed, COURSE_SLOW * kerb_vehicle_scale(v));
    if (v->kind != KERB_VEHICLE_WHEELED)
        return v->yaw_acceleration_max / speed;
    float understeer = kerb_max(v->understeer_gradient, 0.0f) * speed * speed;
    return driver->memory.wheels.gain * v->steering_rate_max / (v->wheelbase + understeer);
}

static plan_wheels wheels_of(const kerb_plan_driver* driver, const driver_frame* f) {
    const kerb_plan_driver_settings* s = &driver->settings;
    const kerb_vehicle* v = &driver->vehicle;
    const float scale = kerb_vehicle_scale(v);
    float speed = kerb_max(f->speed, COURSE_SLOW * scale), least, most;
    if (v->kind == KERB_VEHICLE_WHEELED) {
        const kerb_wheels_memory* w = &driver->memory.wheels;
        float grip = f->travel < 0.0f ? GRIP_REVERSE : COURSE_GRIP_USED;
        grip *= v->lateral_acceleration_max / (speed * speed);
        most = kerb_min(kerb_in_wheels_curvature(w, v, 1.0f, f->travel * f->speed), grip);
        least = kerb_max(kerb_in_wheels_curvature(w, v, -1.0f, f->travel * f->speed), -grip);
    } else {
        most = kerb_vehicle_yaw_rate(v, f->travel * speed) / speed;
        least = -most;
    }
    // Errors decay with the rate (v²·stiffness)^(1/3); this stiffness gives the time in the
    // settings.
    float fading = kerb_max(s->response_time, scale * s->response_distance / speed);
    fading = kerb_max(fading, course_fading_least(driver, f));
    return (plan_wheels){.least = least,
                         .most = most,
                         .rate = COURSE_RATE_USED * kerb_in_plan_driver_rate(driver, f),
                         .answer = course_answer_of(v, f->time_step),
                         .axle = course_axle(driver),
                         .scale = scale,
                         .stiffness = 1.0f / (speed * speed * fading * fading * fading)};
}

// On wheels what was commanded gives the curvature. Tracks slip, so the measured yaw rate gives it.
float kerb_in_plan_curvature_now(const kerb_plan_driver* driver, const driver_frame* f) {
    float speed = f->travel * kerb_max(f->speed, COURSE_SLOW);
    if (driver->vehicle.kind != KERB_VEHICLE_WHEELED)
        return f->motion->angular_velocity.z / speed;
    const kerb_wheels_memory* wheels = &driver->memory.wheels;
    float acting = kerb_in_wheels_command_before(wheels, wheels->delay);
    return kerb_in_wheels_curvature(wheels, &driver->vehicle, acting, speed);
}

float kerb_in_plan_driver_command(const kerb_plan_driver* driver, const driver_frame* f,
                                  float curvature) {
    const kerb_vehicle* v = &driver->vehicle;
    float speed = f->travel * kerb_max(f->speed, 0.0f);
    if (v->kind != KERB_VEHICLE_WHEELED)
        return kerb_steering_for(v, curvature, speed);
    float command = kerb_in_wheels_command(&driver->memory.wheels, v, curvature, speed);
    float most = v->steering_rate_max / kerb_vehicle_steering_lock(v, speed) * f->time_step;
    float before = driver->controls.steering;
    return kerb_clamp(command, before - most, before + most);
}

// Whatever the delay is: the vehicle, which has to be set in motion, answers no sooner.
bool kerb_in_plan_driver_is_turned(const kerb_plan_driver* driver) {
    const kerb_wheels_memory* wheels = &driver->memory.wheels;
    const kerb_vehicle* v = &driver->vehicle;
    float before = kerb_in_wheels_command_before(wheels, TURNED_WITHIN);
    float most = TURNED * v->steering_rate_max / v->steering_angle_max * TURNED_WITHIN;
    return v->kind != KERB_VEHICLE_WHEELED || kerb_abs(before - wheels->asked.now) < most;
}

void kerb_in_plan_learn_turning(kerb_plan_driver* driver, const driver_frame* f) {
    const kerb_vehicle* v = &driver->vehicle;
    kerb_plan_driver_memory* m = &driver->memory;
    if (v->kind != KERB_VEHICLE_WHEELED)
        return;
    float rate = f->motion->angular_velocity.z, speed = f->travel * f->speed;
    kerb_vec2 velocity = course_rear_velocity(driver, f);
    float side = kerb_vec2_cross(f->rear.forward, velocity),
          slips = m->slip.softness * speed * rate;
    slips *= kerb_abs(speed);
    const kerb_in_wheels_frame frame = {.vehicle = v,
                                        .command = driver->controls.steering,
                                        .speed = speed,
                                        .yaw_rate = rate,
                                        .side = side + slips - driver->axle * rate,
                                        .side_doubt = SLIPS_DOUBT * kerb_abs(slips),
                                        .lag = body_delay(driver, f->speed),
                                        .time_step = f->time_step,
                                        .teaches = f->teaches};
    kerb_in_wheels_watch(&m->wheels, &frame);
    if (f->speed > COURSE_WHOLLY) {
        float angle = plan_angle_from(f->rear.forward, plan_driver_course_of(driver, f));
        angle += course_axle(driver) * rate / f->speed;
        kerb_in_plan_slip_learn(&m->slip, v, angle, f->speed, rate, f->time_step);
    }
}

// State of the rear axle at the time when a command of this frame has become a course. The wheels
// follow the command, the body follows the wheels, and the rear tyres follow the body, each with
// its delay.
typedef struct foreseen {
    kerb_vec2 position;
    float turned;    // angle from the present heading to the course then, left positive [rad]
    float curvature; // of the wheels then [1/m]
    float delay;     // time until then [s]
} foreseen;

static foreseen course_foresee(kerb_plan_driver* driver, const driver_frame* f) {
    const bool wheeled = driver->vehicle.kind == KERB_VEHICLE_WHEELED;
    float speed = kerb_max(f->speed, 0.0f), way = f->travel * speed;
    float rate = f->motion->angular_velocity.z, curvature = kerb_in_plan_curvature_now(driver, f);
    float tyres = tyres_delay(driver, f->speed), body = body_delay(driver, f->speed);
    kerb_in_wheels_pending pending = {.time = 0.5f * f->time_step, .from = curvature};
    pending.turn = rate * pending.time;
    pending.to = curvature;
    if (wheeled)
        pending = kerb_in_wheels_pending_of(&driver->memory.wheels, &driver->vehicle, way);
    pending.left += wheeled ? driver->axle * pending.turn : 0.0f;
    kerb_vec2 facing = f->rear.forward, course = plan_driver_course_of(driver, f),
              left = kerb_vec2_left(facing);
    // Tyres that follow with their delay move where the body pointed before. A lasting difference
    // is a drift.
    float slips = plan_angle_from(facing, course) + rate * tyres;
    if (wheeled)
        slips += course_axle(driver) * pending.from *
                 kerb_smooth_step(f->speed, COURSE_FROM, COURSE_WHOLLY);
    driver->memory.drift +=
        (slips - driver->memory.drift) * f->time_step / (DRIFT_SEEN + f->time_step);
    // Lateral movement during the delays of tyres and body with the wheels held. The vehicle moves
    // along the course for the tyres' delay and along the heading for the body's.
    float then = rate + way * (pending.to - pending.from);
    float bend = 0.5f * speed * speed * pending.to * (tyres * tyres + body * body);
    bend += pending.left + way * (tyres + body) * pending.turn;
    kerb_vec2 at =
        kerb_vec2_add(f->rear.position, kerb_vec2_scale(course, way * (tyres + pending.time)));
    at = kerb_vec2_add(at, kerb_vec2_scale(facing, way * body));
    return (foreseen){kerb_vec2_add(at, kerb_vec2_scale(left, bend)),
                      pending.turn + then * body + driver->memory.drift, pending.to,
                      pending.time + body + tyres};
}

float kerb_in_plan_driver_steer(kerb_plan_driver* driver, const driver_frame* f) {
    foreseen s = course_foresee(driver, f);
    plan_place place = kerb_in_plan_place_near(f->plan, f->leg, f->place, s.position);
    kerb_pose planned = kerb_in_plan_place_pose(f->plan, place);
    plan_off off = {
        .aside = kerb_vec2_cross(planned.forward, kerb_vec2_sub(s.position, planned.position))};
    off.angle = plan_angle_from(planned.forward, f->rear.forward) + s.turned;
    off.curvature = s.curvature;
    plan_wheels wheels = wheels_of(driver, f);
    off.curvature = kerb_clamp(off.curvature, wheels.least, wheels.most);
    float planned_speed = kerb_in_plan_place_speed(f->plan, f->place);
    float pace = kerb_clamp(kerb_max(f->speed, 0.0f) / kerb_max(planned_speed, COURSE_SLOW),
                            COURSE_PACE_LEAST, PACE_MOST);
    plan_steered steered = kerb_in_plan_steer(f->plan, &wheels, off, f->time + s.delay, 0.0f, pace);
    // Driving slower does not remove the present error.
    driver->memory.aside = kerb_max(steered.aside - OFF_ALREADY * kerb_abs(off.aside), 0.0f);
    driver->memory.swing = steered.swing;
    return steered.curvature;
}

// While it stands, the plan always goes on a little later: where the wheels then stay is where they
// are best as the vehicle sets off, whatever its error is.
float kerb_in_plan_driver_steer_at_rest(kerb_plan_driver* driver, const driver_frame* f,
                                        int32_t next) {
    const kerb_plan_piece* first = &f->plan->pieces[next];
    driver_frame at_rest = *f;
    at_rest.travel = (float)first->direction;
    at_rest.speed = 0.0f;
    kerb_vec2 from = kerb_vec2_sub(f->rear.position, first->start.position);
    plan_wheels wheels = wheels_of(driver, &at_rest);
    plan_off off = {.aside = kerb_vec2_cross(first->start.forward, from),
                    .angle = plan_angle_from(first->start.forward, f->rear.forward)};
    off.curvature = driver->vehicle.kind == KERB_VEHICLE_WHEELED
                        ? kerb_in_wheels_curvature(&driver->memory.wheels, &driver->vehicle,
                                                   driver->memory.wheels.asked.now, 0.0f)
                        : 0.0f;
    plan_steered steered =
        kerb_in_plan_steer(f->plan, &wheels, off, first->time - SETS_OFF, first->time, 1.0f);
    driver->memory.swing = steered.swing;
    return steered.curvature;
}
