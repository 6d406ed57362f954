// Purpose: the steering law: from a line to a curvature.
// Idea:    At the place where the vehicle will be when its wheels have turned, the lateral offset
//          from what is wanted is e and the angle to it is θ. The desired curvature is that of the
//          line, plus a correction that lets the error decay over a distance, critically damped. By
//          distance,
//              e' = θ,   θ' = κ - κ_line,   κ = κ_line + 2ω(θ_wanted - θ),   θ_wanted = -ω·e/2
//          gives e'' + 2ω e' + ω² e = 0. The law is in distance and not in time, so it is the same
//          at every speed; ω falls with speed because wheels and tyres need time. Pure pursuit is
//          this law with a damping of 0.71 and without κ_line.
// Cost:    O(1).
// Source:  Sorniotti, Barber and De Pinto, "Path tracking for automated driving" (2017), review
//          such laws.
#include "shared.h"

#include "kerb/control.h"

// Share of its measured grip that a driver uses in need; and the lateral acceleration above which
// it slides, as a share of the grip, with this gain of countersteering. [1]
#define LAW_GRIP_USED 0.85f
#define LAW_SLIDE_FROM 0.9f
#define LAW_SLIDE_GAIN 2.0f

// --------------------------------------------------------------------------- on the line

// How long wheels turn for a change of curvature, or the body for that of its yaw rate. [s m]
static float time_per_curvature(const kerb_vehicle* vehicle, float speed) {
    return vehicle->kind == KERB_VEHICLE_WHEELED ? vehicle->wheelbase / vehicle->steering_rate_max
                                                 : speed / vehicle->yaw_acceleration_max;
}

// Wheels take their time to turn: the curvature to ask for now is that of the place where the
// vehicle will be halfway through turning them.
static float curvature_to_begin(const kerb_in_track_drive* drive, const kerb_in_track_frame* frame,
                                double here, float speed, float delay) {
    const kerb_line* line = drive->line;
    float per_curvature = time_per_curvature(frame->vehicle, speed);
    float glance = delay + 0.5f * per_curvature / frame->radius;
    double knots = (here + (double)(speed * glance)) * line->per_metre + 0.5;
    int32_t last = line->knots - 1;
    int32_t knot = knots < (double)last ? (int32_t)knots : last;
    knot = knot > line->first ? knot : line->first;
    float there = line->curvature[kerb_in_line_slot(knot)];
    float turn = kerb_abs(there - drive->curvature);
    float halfway = delay + 0.5f * turn * per_curvature;
    return kerb_in_line_curvature(line, here + (double)(speed * halfway));
}

// The curvature that it asks for without errors.
static float law_line(const kerb_in_track_drive* drive, const kerb_in_track_frame* frame,
                      const kerb_in_track_aim* aim) {
    float speed = kerb_max(frame->speed, 0.0f);
    float ahead = curvature_to_begin(drive, frame, aim->acts - (double)(speed * aim->delay), speed,
                                     aim->delay);
    return ahead / kerb_max(1.0f - ahead * drive->offset, 0.2f) + drive->bow;
}

kerb_in_track_aim kerb_in_track_aim_of(const kerb_in_track_drive* drive,
                                       const kerb_in_track_frame* frame,
                                       const kerb_in_track_soon* soon) {
    // From where it was on the line, one step of Newton's method a frame keeps up.
    float speed = kerb_max(frame->speed, 0.0f), lead = speed * soon->time + frame->ahead;
    double guess = drive->station + (double)(speed * frame->time_step + lead);
    kerb_in_track_aim aim = {.place = kerb_in_line_at(drive->line, guess)};
    const kerb_line_place* place = &aim.place;
    aim.step = kerb_in_line_step(drive->line, place, soon->position);
    aim.here = guess + (double)(aim.step - lead);
    aim.error = (soon->position.y - place->position.y) * place->direction.x -
                (soon->position.x - place->position.x) * place->direction.y - drive->offset;
    // The guess will do here, and need not wait for the step.
    aim.acts = guess;
    aim.delay = soon->time;
    aim.curvature = law_line(drive, frame, &aim);
    return aim;
}

// From one direction to another, left positive, for b of about unit length. Small angles, the
// usual case, are cheaper by their sine: x + x³/6 is off by 3x⁵/40.
float kerb_in_track_angle_between(kerb_vec2 a, kerb_vec2 b) {
    float sine = kerb_vec2_cross(a, b), cosine = kerb_vec2_dot(a, b);
    if (cosine > 0.9f && kerb_abs(sine) < 0.3f)
        return sine + sine * sine * sine * (1.0f / 6.0f);
    return kerb_atan2(sine, cosine);
}

float kerb_in_track_unwinding(const kerb_in_track_drive* drive, const kerb_in_track_frame* frame,
                              float curvature) {
    const kerb_vehicle* vehicle = frame->vehicle;
    float speed = kerb_max(frame->speed, 0.0f);
    if (vehicle->kind != KERB_VEHICLE_WHEELED) {
        float excess = frame->motion->angular_velocity.z - speed * curvature;
        return 0.5f * excess * kerb_abs(excess) / vehicle->yaw_acceleration_max;
    }
    float turning = drive->curvature - curvature;
    float unwinding = kerb_abs(turning) * vehicle->wheelbase / vehicle->steering_rate_max;
    return 0.5f * speed * turning * unwinding;
}

float kerb_in_track_angle(const kerb_in_track_drive* drive, const kerb_in_track_frame* frame,
                          const kerb_in_track_soon* soon, const kerb_in_track_aim* aim) {
    const kerb_line_place* place = &aim->place;
    float angle = kerb_in_track_angle_between(place->direction, soon->course);
    angle += soon->lead * (place->curvature + drive->bow) - place->curvature * aim->step;
    angle -= drive->slope;
    return angle + kerb_in_track_unwinding(drive, frame, aim->curvature);
}

// --------------------------------------------------------------------------- the correction

float kerb_in_track_reach(const kerb_track_memory* track, const kerb_in_track_drive* drive,
                          const kerb_in_track_frame* frame, float error) {
    float fading = kerb_in_track_response(track, frame->time_step);
    float speed = kerb_max(frame->speed, 0.0f);
    float reach =
        kerb_max(drive->response_distance, kerb_max(drive->response_time, fading) * speed);
    return kerb_max(reach, 2.0f * frame->speed * kerb_sqrt(kerb_abs(error) / drive->lateral));
}

// With ω = 2 / reach.
float kerb_in_track_correction(float error, float angle, float reach, float steepest) {
    float approach = kerb_clamp(-error / reach, -steepest, steepest);
    return 4.0f * (approach - angle) / reach;
}

// --------------------------------------------------------------------------- limits

// What turns faster than its tyres can bend its course slides: its tail comes round. By how much,
// as a lateral acceleration to steer against. [m/s²]
static float slide_of(const kerb_in_track_frame* frame) {
    if (frame->vehicle->kind != KERB_VEHICLE_WHEELED)
        return 0.0f;
    float across = frame->motion->angular_velocity.z * frame->speed;
    float held = LAW_SLIDE_FROM * frame->vehicle->lateral_acceleration_max * frame->grip;
    return LAW_SLIDE_GAIN * (across - kerb_clamp(across, -held, held));
}

// The greatest change of a command in a frame. [1/m]
static float law_step(const kerb_in_track_frame* frame, const kerb_in_track_limits* limits) {
    const kerb_vehicle* vehicle = frame->vehicle;
    float speed = kerb_max(kerb_abs(frame->speed), 0.5f * frame->scale);
    float angle_per_curvature =
        vehicle->wheelbase + kerb_max(vehicle->understeer_gradient, 0.0f) * speed * speed;
    float by_wheels = limits->rate / angle_per_curvature;
    float by_ride = limits->jerk / (speed * speed);
    return kerb_min(by_wheels, by_ride) * frame->time_step;
}

float kerb_in_track_limited(const kerb_in_track_frame* frame, const kerb_in_track_limits* limits,
                            float before, float wanted) {
    const kerb_vehicle* vehicle = frame->vehicle;
    float speed = kerb_max(kerb_abs(frame->speed), 0.5f * frame->scale);
    float sharpest = 1.0f / frame->radius;
    if (vehicle->steering_lock.count > 0)
        sharpest =
            kerb_min(sharpest, kerb_curvature_of(vehicle, 1.0f, frame->travel * frame->speed));
    float grip = LAW_GRIP_USED * vehicle->lateral_acceleration_max * frame->grip;
    float per_square = 1.0f / (speed * speed);
    float most = kerb_min(sharpest, kerb_min(grip, limits->lateral) * per_square);
    wanted = kerb_clamp(wanted, -most, most) - slide_of(frame) * per_square;
    float step = law_step(frame, limits);
    return kerb_clamp(wanted, before - step, before + step);
}

// --------------------------------------------------------------------------- the law

// What a frame gives the law, but for where the wheels stand.
typedef struct law_case {
    const kerb_in_track_drive* drive;
    const kerb_in_track_frame* frame;
    const kerb_in_track_aim* aim;
    float angle, reach; // the angle without what wheels still turn
} law_case;

static kerb_in_track_asked law_from(const law_case* c, float curvature) {
    kerb_in_track_drive drive = *c->drive;
    drive.curvature = curvature;
    kerb_in_track_asked asked = {.line = law_line(&drive, c->frame, c->aim)};
    float angle = c->angle + kerb_in_track_unwinding(&drive, c->frame, asked.line);
    asked.correction =
        kerb_in_track_correction(c->aim->error, angle, c->reach, KERB_IN_TRACK_STEEPEST);
    return asked;
}

static float law_sum(const kerb_in_track_asked* asked) {
    return asked->line + asked->correction;
}

kerb_in_track_asked kerb_in_track_ask(const kerb_in_track_drive* drive,
                                      const kerb_in_track_frame* frame,
                                      const kerb_in_track_aim* aim,
                                      const kerb_in_track_limits* limits, float angle,
                                      float reach) {
    float before = drive->curvature, step = law_step(frame, limits);
    const law_case c = {drive, frame, aim,
                        angle - kerb_in_track_unwinding(drive, frame, aim->curvature), reach};
    const kerb_in_track_asked now = {
        aim->curvature, kerb_in_track_correction(aim->error, angle, reach, KERB_IN_TRACK_STEEPEST)};
    float wanted = law_sum(&now), end = kerb_clamp(wanted, before - step, before + step);
    const kerb_in_track_asked asked = law_from(&c, end);
    // The law falls where the wheels go on. Within a frame it is nearly straight, so one step by
    // the secant solves it.
    float more = wanted - before, less = law_sum(&asked) - end;
    if (more * less >= 0.0f)
        return now;
    return law_from(&c, before + (end - before) * more / (more - less));
}
