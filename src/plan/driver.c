// Drives a movement: the plan's curvature and acceleration, begun in time, and corrections.
//
// Aside. How the wheels turn in the next seconds so that the rear axle, which goes where the body
// points, is as near to the plan as it can be, with the wheels' rate and lock: driver_steer.c. That
// begins where the vehicle will be when what is told to the wheels has become a course: on tyres
// after v·(1 + inertia)/(stiffness·grip). Tracks slip: how their hull turns is taken as measured.
//
// Along. The speed is the plan's at this place, not at this time: so it stops where the plan stops.
// Who is late by τ drives faster by up to a share c: τ' = -clamp(τ/T, -c, c).
//
// O(pieces of a leg). The law of the speed is the follower's (src/follow/kerb.c).
#include "driver.h"

#include "../base/assertion.h"
#include "../control/setting_rows.h"

#include <string.h>

#define PART(field) offsetof(kerb_plan_driver_settings, field)
#define ROW(field, unit, least, most, standard, meaning)                                           \
    {                                                                                              \
#field, offsetof(kerb_plan_driver_settings, field), KERB_SETTING_FLOAT, unit, least, most, \
            standard, NULL, meaning                                                                \
    }
static const kerb_setting rows[] = {
    ROW(response_time, "s", 0.05f, 5.0f, 0.2f, "errors aside fade over this time at speed"),
    ROW(response_distance, "m", 0.1f, 50.0f, 0.4f,
        "errors aside fade over this distance when slow"),
    ROW(catch_up, "1", 0.0f, 0.5f, 0.1f, "faster or slower than planned at most, to be in time"),
    ROW(catch_up_time, "s", 0.05f, 60.0f, 1.5f, "being late fades over this time"),
    ROW(late_most, "s", 0.0f, 600.0f, 2.0f, "later than this, the rest is put off"),
    ROW(stop_distance, "m", 0.001f, 1.0f, 0.05f, "so near the end of a leg it has arrived"),
    ROW(lost_distance, "m", 0.1f, 1000.0f, 3.0f, "so far aside it waits for another plan"),
    ROW(lost_angle, "rad", 0.1f, 3.2f, 1.0f, "turned by so much it waits for another plan"),
    CONTROL_SPEED_ROWS("speed_control.", PART(speed_control), ""),
};
const kerb_settings_table kerb_plan_driver_settings_table = {
    "kerb_plan_driver_settings", sizeof(kerb_plan_driver_settings), rows,
    (int32_t)(sizeof rows / sizeof rows[0])};

kerb_plan_driver_settings kerb_plan_driver_settings_default(void) {
    kerb_plan_driver_settings settings;
    kerb_settings_set_defaults(&kerb_plan_driver_settings_table, &settings);
    return settings;
}

kerb_plan_driver kerb_plan_driver_make(const kerb_vehicle* vehicle) {
    KERB_ASSERT(vehicle && kerb_vehicle_validate(vehicle, NULL) == KERB_OK);
    kerb_plan_driver driver = {.settings = kerb_plan_driver_settings_default(),
                               .vehicle = *vehicle,
                               .controls = {.reason = KERB_REASON_NONE}};
    driver.memory.slowing = plan_slowing_make();
    driver.memory.pull = plan_pull_make();
    driver.memory.turn = plan_turn_make();
    return driver;
}

// --------------------------------------------------------------------------- one frame

enum { PHASE_NEW, PHASE_DRIVE, PHASE_STAND, PHASE_ARRIVED, PHASE_SET_OFF };

// Slower than this it stands. [m/s]
#define STANDS 0.05f
// So near its beginning a plan that begins with standing is stood from the beginning. [m]
#define AT_START 0.05f
// Of tyres: sideways force by angle of slip, as if it rose like that up to the grip. Tyres of all
// sorts, from a lorry's to slicks, have 10 to 20. [1/rad]
#define TYRE_STIFFNESS 12.0f
#define TYRE_SPEED_MOST 40.0f
// From here on the velocity says where the vehicle goes, below where it points does. [m/s]
#define COURSE_FROM 1.5f
#define COURSE_WHOLLY 4.0f

// From tracks that are told to turn a hull to one that turns so; by it tracks are told more. [s]
#define HULL_ANSWERS 0.3f
// What brakes do in reverse, where the axle that does most of it carries least, and what is left of
// them in the tightest bend. [1]
#define BRAKES_IN_REVERSE 0.7f
#define BRAKES_KEPT 0.4f
// While it stands, wheels turn for what comes so far on. [m]
#define AHEAD_AT_REST 0.2f
// Drifting is told from tyres that follow by how long it lasts. [s]
#define DRIFT_SEEN 0.6f
// Slower than this, steering counts as if it were so fast. [m/s]
#define SLOW 0.7f
// Of the rate of the wheels; the rest is for what the model does not know. [1]
#define RATE_USED 0.92f
// Of the sideways grip: who turns with all of it in reverse is thrown round. [1]
#define GRIP_USED 0.85f
#define GRIP_REVERSE 0.65f
// How much slower or faster than planned counts as going on so for seconds. [1]
#define PACE_LEAST 0.9f
#define PACE_MOST 1.2f
// It is driven slower, by up to that share, where wheels too slow for it would get it far aside.
#define SLOWER_ASIDE 0.4f
#define ASIDE_FROM 0.06f
#define OFF_ALREADY 0.6f // of what it is aside now counts as no reason [1]
#define ASIDE_MUCH 0.4f
// Being late by so much is no reason to hurry. [s]
#define LATE_ENOUGH 0.03f

typedef struct driver_frame {
    const kerb_plan* plan;
    const kerb_motion* motion;
    plan_leg leg;
    plan_place place;
    kerb_pose rear;  // the rear axle, facing as the body does
    float travel;    // of the leg: 1 or -1
    float speed;     // of travel [m/s]
    float climb;     // along the travel [1]
    float left;      // of the leg [m]
    float time;      // of the plan, here [s]
    float speed_cap; // [m/s]
    float time_step;
} driver_frame;

static kerb_pose rear_axle(const kerb_plan_driver* driver, const kerb_motion* motion) {
    kerb_vec3 facing = kerb_quat_forward(motion->rotation);
    float level = kerb_sqrt(facing.x * facing.x + facing.y * facing.y);
    kerb_pose pose = {.forward = {1.0f, 0.0f}};
    if (level > 1e-6f)
        pose.forward = kerb_vec2_make(facing.x / level, facing.y / level);
    float back = driver->vehicle.reference_to_rear_axle * kerb_max(level, 1e-6f);
    pose.position = kerb_vec2_make(motion->position.x - back * pose.forward.x,
                                   motion->position.y - back * pose.forward.y);
    return pose;
}

// By these it knows a plan again.
static void key_of(const kerb_plan* plan, float key[8]) {
    const kerb_plan_piece *first = &plan->pieces[0], *last = &plan->pieces[plan->count - 1];
    key[0] = (float)plan->count;
    key[1] = plan->time;
    key[2] = plan->length;
    key[3] = first->start.position.x;
    key[4] = first->start.position.y;
    key[5] = last->start.position.x;
    key[6] = last->start.position.y;
    key[7] = first->curvature;
}

// Whether the plan stands before it drives from a place: for the wheels, or to let somebody by.
static bool stands_first(const kerb_plan* plan, plan_place place) {
    return plan->pieces[0].length <= 0.0f && place.along < AT_START &&
           place.piece == plan_leg_of(plan, 0).first;
}

static void take_plan(kerb_plan_driver* driver, const kerb_plan* plan, kerb_pose rear,
                      float speed) {
    float key[8];
    key_of(plan, key);
    bool is_same = driver->memory.phase != PHASE_NEW;
    for (int32_t i = 0; i < 8; i++)
        is_same = is_same && key[i] == driver->memory.key[i];
    if (is_same)
        return;
    memcpy(driver->memory.key, key, sizeof key);
    plan_place place = plan_place_found(plan, rear);
    driver->memory.piece = place.piece;
    driver->memory.along = place.along;
    driver->memory.phase = PHASE_DRIVE;
    driver->memory.clock = plan_place_time(plan, place);
    driver->memory.stood = 0.0f;
    driver->thoughts.put_off = 0.0f;
    driver->thoughts.lost = false;
    if (stands_first(plan, place) && kerb_abs(speed) < STANDS) {
        driver->memory.phase = PHASE_SET_OFF;
        driver->memory.clock = 0.0f;
    }
}

static driver_frame frame_for(kerb_plan_driver* driver, const kerb_plan* plan,
                              const kerb_motion* motion, const kerb_surroundings* around,
                              float time_step) {
    driver_frame f = {.plan = plan, .motion = motion, .time_step = time_step};
    f.rear = rear_axle(driver, motion);
    take_plan(driver, plan, f.rear, kerb_motion_forward_speed(motion));
    plan_place before = {driver->memory.piece, driver->memory.along};
    f.leg = plan_leg_of(plan, before.piece);
    if (before.piece < f.leg.first || before.piece > f.leg.last) // it began with standing
        before = (plan_place){f.leg.first, 0.0f};
    f.place = plan_place_near(plan, f.leg, before, f.rear.position);
    f.travel = (float)plan->pieces[f.place.piece].travel;
    f.speed = f.travel * kerb_motion_forward_speed(motion);
    f.climb = f.travel * kerb_quat_forward(motion->rotation).z;
    f.left = plan_place_left(plan, f.leg, f.place);
    f.time = plan_place_time(plan, f.place);
    if (driver->memory.phase == PHASE_SET_OFF)
        f.time = kerb_min(driver->memory.clock, f.time);
    f.speed_cap = around ? around->speed_cap : 1e6f;
    driver->memory.piece = f.place.piece;
    driver->memory.along = f.place.along;
    return f;
}

// --------------------------------------------------------------------------- steering

// Yaw inertia, over that of the mass at both axles; the body is taken for an even box. Cars have 1
// or a little more, a long hull on a short wheelbase 2.5. [1]
static float inertia_of(const kerb_vehicle* v) {
    float rear = kerb_clamp(v->reference_to_rear_axle, 0.1f * v->wheelbase, 0.9f * v->wheelbase);
    float box = (v->length * v->length + v->width * v->width) / 12.0f;
    return kerb_max(box / (rear * (v->wheelbase - rear)), 1.0f);
}

// Tyres that are turned go another way after that, and again those of an axle behind them. [s]
// (Gillespie, chapter 6: an axle's slip fades with speed / (stiffness · gravity).)
static float tyres_delay(const kerb_vehicle* v, float speed) {
    return kerb_clamp(speed, 0.0f, TYRE_SPEED_MOST) /
           (TYRE_STIFFNESS * v->lateral_acceleration_max);
}

// The front tyres turn the body, a heavier one later. [s]
static float body_delay(const kerb_vehicle* v, float speed) {
    return v->kind == KERB_VEHICLE_WHEELED ? tyres_delay(v, speed) * inertia_of(v) : 0.0f;
}

// Which way the rear axle goes, along the pose: fast, the velocity says so, as tyres slip.
static kerb_vec2 course_of(const kerb_plan_driver* driver, const driver_frame* f) {
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

static float angle_from(kerb_vec2 from, kerb_vec2 to) {
    return kerb_atan2(kerb_vec2_cross(from, to), kerb_vec2_dot(from, to));
}

// What is told now holds for the whole step.
static float answer_of(const kerb_vehicle* v, float time_step) {
    float delay = v->kind == KERB_VEHICLE_WHEELED ? v->steering_delay : HULL_ANSWERS;
    return kerb_max(delay + 0.5f * time_step, time_step);
}

static plan_wheels wheels_of(const kerb_plan_driver* driver, const driver_frame* f) {
    const kerb_plan_driver_settings* s = &driver->settings;
    const kerb_vehicle* v = &driver->vehicle;
    float speed = kerb_max(f->speed, SLOW), most, rate;
    if (v->kind == KERB_VEHICLE_WHEELED) {
        float understeer = kerb_max(v->understeer_gradient, 0.0f) * speed * speed;
        float gain = driver->memory.turn.gain;
        most = gain * kerb_curvature_of(v, 1.0f, f->speed);
        float grip = f->travel < 0.0f ? GRIP_REVERSE : GRIP_USED;
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
                         .rate = RATE_USED * rate,
                         .answer = answer_of(v, f->time_step),
                         .stiffness = 1.0f / (speed * speed * fading * fading * fading)};
}

// Wheels say where it will go. Tracks slip: how it turns now says more.
static float curvature_now(const kerb_plan_driver* driver, const driver_frame* f) {
    float speed = f->travel * kerb_max(f->speed, SLOW);
    if (driver->vehicle.kind != KERB_VEHICLE_WHEELED)
        return f->motion->angular_velocity.z / speed;
    return driver->memory.turn.gain *
           kerb_curvature_of(&driver->vehicle, f->motion->steering, speed);
}

static void learn_turning(kerb_plan_driver* driver, const driver_frame* f) {
    const kerb_vehicle* v = &driver->vehicle;
    if (v->kind != KERB_VEHICLE_WHEELED)
        return;
    float wheels = kerb_curvature_of(v, f->motion->steering, f->travel * kerb_max(f->speed, 0.0f));
    plan_turn_learn(&driver->memory.turn, wheels, body_delay(v, f->speed), f->speed,
                    f->travel * f->motion->angular_velocity.z, f->time_step);
}

static bool is_standing(const kerb_plan_driver* driver) {
    return driver->memory.phase == PHASE_STAND || driver->memory.phase == PHASE_SET_OFF;
}

// Where the rear axle will be, and which way it goes, when what is told to the wheels now has
// become a course: the body follows the wheels, and the rear tyres the body, each fading in its
// time.
typedef struct foreseen {
    kerb_vec2 position;
    float turned; // of the course against where the body faces now, left positive [rad]
    float delay;  // until then [s]
} foreseen;

static foreseen foresee(kerb_plan_driver* driver, const driver_frame* f) {
    float speed = kerb_max(f->speed, 0.0f), rate = f->motion->angular_velocity.z;
    float half = 0.5f * f->time_step, tyres = tyres_delay(&driver->vehicle, f->speed);
    float body = body_delay(&driver->vehicle, f->speed), way = f->travel * speed;
    kerb_vec2 facing = f->rear.forward, course = course_of(driver, f), left = {-facing.y, facing.x};
    // The sum of both lags, wheels held: the course counts for the tyres' time, the heading for the
    // body's.
    float bend = 0.5f * speed * speed * curvature_now(driver, f) * (tyres * tyres + body * body);
    kerb_vec2 at = kerb_vec2_add(f->rear.position, kerb_vec2_scale(course, way * (tyres + half)));
    at = kerb_vec2_add(at, kerb_vec2_scale(facing, way * body));
    // Tyres that only follow go where the body has pointed; what lasts beside that is a drift.
    float slips = angle_from(facing, course) + rate * tyres;
    driver->memory.drift +=
        (slips - driver->memory.drift) * f->time_step / (DRIFT_SEEN + f->time_step);
    return (foreseen){kerb_vec2_add(at, kerb_vec2_scale(left, bend)),
                      rate * (body + half) + driver->memory.drift, body + tyres + half};
}

// The curvature to steer, left positive. `time`: of the plan.
static float steer(kerb_plan_driver* driver, const driver_frame* f, float time) {
    foreseen s = foresee(driver, f);
    plan_place place = plan_place_near(f->plan, f->leg, f->place, s.position);
    kerb_pose planned = plan_place_pose(f->plan, place);
    plan_off off = {
        .aside = kerb_vec2_cross(planned.forward, kerb_vec2_sub(s.position, planned.position))};
    off.angle = angle_from(planned.forward, f->rear.forward) + s.turned;
    off.curvature = curvature_now(driver, f);
    plan_wheels wheels = wheels_of(driver, f);
    off.curvature = kerb_clamp(off.curvature, wheels.least, wheels.most);
    float planned_speed = plan_place_speed(f->plan, f->place);
    float pace =
        kerb_clamp(kerb_max(f->speed, 0.0f) / kerb_max(planned_speed, SLOW), PACE_LEAST, PACE_MOST);
    plan_steered steered = plan_steer(f->plan, &wheels, off, time + s.delay, pace);
    // What it is off already no slowness takes back.
    driver->memory.aside = kerb_max(steered.aside - OFF_ALREADY * kerb_abs(off.aside), 0.0f);
    return steered.curvature;
}

// --------------------------------------------------------------------------- speed

// The plan's acceleration in a moment; where the leg ends at rest, what stops there.
static float known_acceleration(const kerb_plan_driver* driver, const driver_frame* f) {
    float lead = driver->vehicle.throttle_delay + 0.5f * f->time_step;
    const kerb_plan_piece* last = &f->plan->pieces[f->leg.last];
    float left = kerb_max(f->left - 0.5f * f->speed * f->time_step, 0.02f);
    float needed = f->speed * f->speed / (2.0f * left);
    bool rests = last->acceleration < 0.0f &&
                 last->speed * last->speed + 2.0f * last->acceleration * last->length < 0.01f;
    kerb_plan_state soon = kerb_plan_at(f->plan, f->time + lead);
    // Before the plan brakes, only what would need more than it does.
    float share = soon.acceleration < 0.0f ? 0.7f : 1.0f;
    if (rests && needed > -share * last->acceleration)
        return -kerb_min(needed, -2.0f * last->acceleration);
    if ((float)soon.travel != f->travel)
        return last->acceleration;
    if (soon.acceleration >= 0.0f)
        return soon.acceleration;
    // Brakes answer at once. Who is slower by a share gets along the same places with its square.
    soon = kerb_plan_at(f->plan, f->time + 0.5f * f->time_step);
    float slower = f->speed / kerb_max(kerb_abs(soon.speed), STANDS);
    return soon.acceleration * kerb_clamp(slower * slower, 0.0f, 1.3f);
}

// What the plan drives here, and a little more or less by how late it is.
static float wanted_speed(const kerb_plan_driver* driver, const driver_frame* f, float late) {
    const kerb_plan_driver_settings* s = &driver->settings;
    float speed = plan_place_speed(f->plan, f->place);
    const kerb_plan_piece* piece = &f->plan->pieces[f->place.piece];
    // From rest no place says to go: the time does.
    if (piece->acceleration > 0.0f) {
        kerb_plan_state due = kerb_plan_at(f->plan, driver->memory.clock);
        float set_off = kerb_min(kerb_abs(due.speed), 0.4f * piece->acceleration);
        if (due.travel == piece->travel)
            speed = kerb_max(speed, set_off);
    }
    late -= kerb_clamp(late, -LATE_ENOUGH, LATE_ENOUGH);
    speed *= 1.0f + kerb_clamp(late / s->catch_up_time, -s->catch_up, s->catch_up);
    speed *= 1.0f - SLOWER_ASIDE * kerb_smooth_step(driver->memory.aside, ASIDE_FROM, ASIDE_MUCH);
    return kerb_min(speed, f->speed_cap);
}

// What tyres have left for brakes beside the bend that the wheels drive. [m/s²]
static float braking_left(const kerb_plan_driver* driver, const driver_frame* f) {
    const kerb_vehicle* v = &driver->vehicle;
    float bend = f->speed * f->speed * curvature_now(driver, f);
    float used = kerb_clamp(bend / v->lateral_acceleration_max, -1.0f, 1.0f);
    float share = f->travel < 0.0f ? BRAKES_IN_REVERSE : 1.0f;
    return v->braking_max * share * kerb_max(kerb_sqrt(1.0f - used * used), BRAKES_KEPT);
}

static void press_pedals(kerb_plan_driver* driver, const driver_frame* f, float target, float known,
                         kerb_controls* controls) {
    const kerb_vehicle* vehicle = &driver->vehicle;
    float capacity = kerb_throttle_capacity(vehicle, f->speed, f->travel < 0.0f);
    float resisting = KERB_GRAVITY * f->climb + kerb_coasting(vehicle, f->speed);
    float wanted = kerb_speed_control(
        &driver->memory.speed_control, &driver->settings.speed_control, target - f->speed, known,
        -braking_left(driver, f) - resisting, capacity - resisting, f->time_step);
    driver->thoughts.acceleration = wanted;
    float lost = (driver->memory.speed - f->speed) / f->time_step;
    driver->memory.speed = f->speed;
    plan_pull_learn(&driver->memory.pull, vehicle, &driver->controls, f->motion->gear, capacity,
                    resisting - lost, f->time_step);
    plan_slowing_learn(&driver->memory.slowing, vehicle, &driver->controls, f->speed,
                       lost - resisting, f->time_step);
    float pushed = wanted + resisting;
    if (pushed < 0.0f)
        pushed = plan_slowing_told(&driver->memory.slowing, pushed, f->speed);
    kerb_pedals(vehicle, pushed, driver->memory.pull.strength * capacity, controls);
}

// --------------------------------------------------------------------------- legs

static bool is_last_leg(const driver_frame* f) {
    for (int32_t i = f->leg.last + 1; i < f->plan->count; i++)
        if (f->plan->pieces[i].length > 0.0f)
            return false;
    return true;
}

static bool rests_at_the_end(const driver_frame* f) {
    const kerb_plan_piece* last = &f->plan->pieces[f->leg.last];
    return last->speed * last->speed + 2.0f * last->acceleration * last->length < 0.01f;
}

static bool is_at_the_end(const kerb_plan_driver* driver, const driver_frame* f) {
    if (!rests_at_the_end(f))
        return f->left <= 0.0f;
    float slow = f->left <= 0.01f ? 0.3f : STANDS;
    return f->left <= driver->settings.stop_distance && f->speed < slow;
}

// Of the next leg, while it stands before that.
static int32_t next_leg(const kerb_plan_driver* driver, const driver_frame* f) {
    int32_t next = driver->memory.phase == PHASE_SET_OFF ? 0 : f->leg.last + 1;
    while (next + 1 < f->plan->count && f->plan->pieces[next].length <= 0.0f)
        next++;
    return next;
}

// Of the plan, so far on a leg. [1/m]
static float curvature_ahead(const kerb_plan* plan, plan_leg leg, float along) {
    int32_t piece = leg.first;
    while (piece < leg.last && along > plan->pieces[piece].length)
        along -= plan->pieces[piece++].length;
    return plan->pieces[piece].curvature;
}

// Before a leg: until the plan goes on, and the gear is engaged. Wheels turn for it. What throttle
// and engine take to answer it sets off earlier.
static float stand_before(kerb_plan_driver* driver, const driver_frame* f) {
    int32_t next = next_leg(driver, f);
    const kerb_plan_piece* first = &f->plan->pieces[next];
    driver->memory.stood += f->time_step;
    bool is_geared = f->motion->gear * first->travel > 0;
    bool is_due = driver->memory.clock + driver->vehicle.throttle_delay >= first->time;
    bool is_still = kerb_abs(f->speed) < 2.0f * STANDS;
    if (is_geared && is_due && is_still) {
        driver->memory.piece = next;
        driver->memory.along = 0.0f;
        driver->memory.phase = PHASE_DRIVE;
        driver->memory.speed_control.sum = 0.0f;
    }
    return curvature_ahead(f->plan, plan_leg_of(f->plan, next), AHEAD_AT_REST);
}

static kerb_controls held(const kerb_plan_driver* driver, kerb_reason reason) {
    kerb_controls controls = kerb_controls_safe(reason);
    controls.steering = driver->controls.steering;
    return controls;
}

// --------------------------------------------------------------------------- driving

static kerb_reason reason_of(const driver_frame* f, float target, float known) {
    if (target >= f->speed_cap)
        return KERB_REASON_SPEED_CAP;
    if (known < 0.0f && rests_at_the_end(f))
        return is_last_leg(f) ? KERB_REASON_END : KERB_REASON_REVERSAL;
    return known < 0.0f ? KERB_REASON_CURVE : KERB_REASON_CRUISE;
}

static void think(kerb_plan_driver* driver, const driver_frame* f) {
    kerb_plan_driver_thoughts* t = &driver->thoughts;
    t->planned = kerb_plan_at(f->plan, f->time);
    t->rear_axle = f->rear.position;
    kerb_pose at = plan_place_pose(f->plan, f->place);
    kerb_vec2 off = kerb_vec2_sub(f->rear.position, at.position);
    t->cross_track_error = f->travel * kerb_vec2_cross(at.forward, off);
    t->heading_error = angle_from(at.forward, f->rear.forward);
    t->lost = t->lost || kerb_abs(t->cross_track_error) > driver->settings.lost_distance ||
              kerb_vec2_dot(off, off) >
                  4.0f * driver->settings.lost_distance * driver->settings.lost_distance ||
              kerb_abs(t->heading_error) > driver->settings.lost_angle;
}

// The plan's clock waits for who is too late, and does not run behind who is early.
static void run_clock(kerb_plan_driver* driver, const driver_frame* f) {
    float late_most = driver->settings.late_most;
    float clock = driver->memory.clock + f->time_step;
    if (driver->memory.phase == PHASE_ARRIVED)
        clock = f->time;
    float most = is_standing(driver) ? clock : f->time + late_most;
    float held = kerb_clamp(clock, f->time - late_most, most);
    driver->thoughts.put_off += clock - held;
    driver->memory.clock = held;
    driver->thoughts.late = held - f->time;
}

static kerb_controls drive(kerb_plan_driver* driver, driver_frame* f) {
    if (driver->thoughts.lost || kerb_plan_drivable(&driver->vehicle, NULL) != KERB_OK)
        return held(driver, KERB_REASON_GIVEN_UP);
    bool last = is_last_leg(f);
    if (driver->memory.phase == PHASE_DRIVE && is_at_the_end(driver, f)) {
        driver->memory.phase = last ? PHASE_ARRIVED : PHASE_STAND;
        driver->memory.stood = 0.0f;
    }
    if (driver->memory.phase == PHASE_ARRIVED && rests_at_the_end(f))
        return held(driver, KERB_REASON_ARRIVED);
    bool stands = is_standing(driver);
    bool rolls_on = driver->memory.phase == PHASE_ARRIVED;
    float curvature = rolls_on ? f->plan->pieces[f->leg.last].curvature : 0.0f;
    if (stands)
        curvature = stand_before(driver, f);
    else if (!rolls_on)
        curvature = steer(driver, f, f->time);
    kerb_controls controls = kerb_controls_safe(KERB_REASON_REVERSAL);
    float target = 0.0f;
    if (!stands) {
        target = wanted_speed(driver, f, driver->thoughts.late);
        float known = known_acceleration(driver, f);
        if (rolls_on) {
            target = kerb_min(plan_place_speed(f->plan, f->place), f->speed_cap);
            known = 0.0f;
        }
        if (target >= f->speed_cap) // who may not go as fast as planned gains nothing by the plan
            known = kerb_min(known, kerb_max(target - f->speed, 0.0f));
        controls = (kerb_controls){.reason = reason_of(f, target, known)};
        press_pedals(driver, f, target, known, &controls);
        if (rolls_on)
            controls.reason = KERB_REASON_ARRIVED;
    }
    driver->thoughts.curvature = curvature;
    driver->thoughts.target_speed = target;
    float wheels = curvature / driver->memory.turn.gain;
    controls.steering =
        kerb_steering_for(&driver->vehicle, wheels, f->travel * kerb_max(f->speed, 0.0f));
    return controls;
}

static kerb_controls bad_frame(kerb_plan_driver* driver) {
    driver->bad_frames++;
    driver->thoughts.reason = driver->controls.reason;
    return driver->controls;
}

// Of the leg that comes, while it stands before one.
static int32_t direction_of(const kerb_plan_driver* driver, const driver_frame* f) {
    int32_t piece = is_standing(driver) ? next_leg(driver, f) : driver->memory.piece;
    return f->plan->pieces[piece].travel;
}

kerb_controls kerb_plan_driver_drive(kerb_plan_driver* driver, const kerb_plan* plan,
                                     const kerb_motion* motion,
                                     const kerb_surroundings* surroundings, float time_step) {
    KERB_ASSERT(driver && plan && motion);
    KERB_ASSERT(kerb_settings_validate(&kerb_plan_driver_settings_table, &driver->settings, NULL) ==
                KERB_OK);
    if (!kerb_motion_is_finite(motion)) {
        driver->controls = kerb_controls_safe(KERB_REASON_BAD_MOTION);
        return bad_frame(driver);
    }
    if (!(time_step > 0.0f && time_step < 1000.0f)) {
        driver->controls.reason = KERB_REASON_BAD_STEP;
        return bad_frame(driver);
    }
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    if (plan->count > 0 && plan->length > 0.0f) {
        driver_frame f = frame_for(driver, plan, motion, surroundings, time_step);
        run_clock(driver, &f);
        think(driver, &f);
        learn_turning(driver, &f);
        controls = drive(driver, &f);
        controls.gear = kerb_gearbox_drive(&driver->memory.gearbox, &driver->vehicle, motion,
                                           direction_of(driver, &f), controls.throttle, time_step,
                                           &controls.clutch);
    }
    driver->thoughts.reason = controls.reason;
    driver->controls = controls;
    return controls;
}
