// Purpose: the plan driver: drives a vehicle along a plan.
// Idea:    It commands the curvature and the acceleration of the plan ahead of their time, and
//          corrections. The steering is in course.c and steer.c, speed and pedals in pedals.c. This
//          file joins them: the place on the plan, legs and the standstills between them, and the
//          clock of the plan.
// Cost:    O(pieces of a leg) per frame, O(length) for a plan that is new to the driver, and while
//          the vehicle is lost.
#include "frame.h"

#include "../base/shared.h"
#include "../control/shared.h"
#include "../estimate/shared.h"
#include "../vehicle/shared.h"
#include "shared.h"

#include <string.h>

#define DRIVER_PART(field) offsetof(kerb_plan_driver_settings, field)
#define DRIVER_ROW(field, ...) KERB_IN_SETTING(kerb_plan_driver_settings, field, __VA_ARGS__)
static const kerb_setting driver_rows[] = {
    DRIVER_ROW(response_time, "s", 0.05f, 5.0f, 0.2f,
               "time over which lateral errors decay at speed"),
    DRIVER_ROW(response_distance, "m", 0.1f, 50.0f, 0.4f,
               "distance over which lateral errors decay at low speed"),
    DRIVER_ROW(catch_up, "1", 0.0f, 0.5f, 0.1f,
               "greatest change of speed to be in time, by the planned"),
    DRIVER_ROW(catch_up_time, "s", 0.05f, 60.0f, 1.5f, "time over which time errors decay"),
    DRIVER_ROW(time_error_max, "s", 0.0f, 600.0f, 2.0f,
               "greatest lateness; beyond it the rest is postponed"),
    DRIVER_ROW(arrival_distance, "m", 0.001f, 1.0f, 0.05f,
               "this near to the end of a leg it has arrived"),
    DRIVER_ROW(lost_distance, "m", 0.1f, 1000.0f, 3.0f,
               "cross-track error at which it waits for another plan"),
    DRIVER_ROW(lost_angle, "rad", 0.1f, 3.2f, 1.0f,
               "heading error at which it waits for another plan"),
    CONTROL_SPEED_ROWS("speed_control.", DRIVER_PART(speed_control), ""),
};
const kerb_settings_table kerb_plan_driver_settings_table = {
    "kerb_plan_driver_settings", sizeof(kerb_plan_driver_settings), driver_rows,
    (int32_t)(sizeof driver_rows / sizeof driver_rows[0])};

kerb_plan_driver_settings kerb_plan_driver_settings_default(void) {
    kerb_plan_driver_settings settings;
    kerb_settings_set_defaults(&kerb_plan_driver_settings_table, &settings);
    return settings;
}

void kerb_plan_driver_init(kerb_plan_driver* driver, const kerb_vehicle* vehicle) {
    KERB_ASSERT(driver && vehicle);
    KERB_ASSERT_VALID(kerb_vehicle_validate, vehicle);
    const kerb_vehicle own = *vehicle; // which may lie in the driver
    memset(driver, 0, sizeof *driver);
    driver->settings = kerb_plan_driver_settings_default();
    driver->vehicle = own;
    driver->memory.slowing = kerb_in_plan_slowing_make(&own);
    driver->memory.pull = kerb_in_plan_pull_make(&own);
    driver->memory.answers = own.throttle_delay;
    kerb_in_wheels_begin(&driver->memory.wheels, &own);
    driver->memory.slip = kerb_in_plan_slip_make(&own);
}

kerb_plan_driver kerb_plan_driver_make(const kerb_vehicle* vehicle) {
    kerb_plan_driver driver;
    kerb_plan_driver_init(&driver, vehicle);
    return driver;
}

size_t kerb_plan_driver_bytes(void) {
    _Static_assert(_Alignof(kerb_plan_driver) <= KERB_IN_SAVED_ALIGNMENT, "as hosts are promised");
    return sizeof(kerb_plan_driver);
}

size_t kerb_plan_driver_save(const kerb_plan_driver* driver, void* block, size_t capacity) {
    return kerb_in_save("kerb_plan_driver", driver, sizeof *driver, block, capacity);
}

kerb_result kerb_plan_driver_load(kerb_plan_driver* driver, const void* block, size_t size,
                                  kerb_error* error) {
    return kerb_in_load("kerb_plan_driver", driver, sizeof *driver, block, size, error);
}

// --------------------------------------------------------------------------- one frame

enum { PHASE_NEW, DRIVER_PHASE_DRIVE, DRIVER_PHASE_STAND, DRIVER_PHASE_ARRIVED, PHASE_SET_OFF };

// A vehicle this near to the start of a plan that begins with a standstill stands for all of it.
// [m] Larger than the error of a pose, smaller than a movement that matters.
#define AT_START 0.05f
// A vehicle farther from its last place than this share of its length, beyond what its speed
// explains, was put there by the host: parking is a matter of decimetres. [1]
#define DRIVER_JUMP 0.11f
// A vehicle that is put elsewhere for a moment and back, so near to its leg and facing so (cosine),
// goes on as before. [m], [1]
#define BACK_NEAR 1.0f
#define BACK_FACING 0.95f
// A lost vehicle is back within this share of lost_distance and lost_angle: at the whole of them it
// would stop and go in turns. [1]
#define DRIVER_BACK_SHARE 0.5f
// Greatest delay from pressing the throttle to rolling that is believed. [s]
#define ANSWERS_MOST 0.2f
// Share of this delay, beyond the throttle's own, by which the driver starts earlier. A vehicle
// that answers late then accelerates faster. Chosen by trial. [1]
#define ANSWERS_SHARE 0.65f

static kerb_pose rear_axle(const kerb_plan_driver* driver, const kerb_motion* motion) {
    kerb_vec3 facing = kerb_quat_forward(motion->rotation);
    float level = kerb_sqrt(facing.x * facing.x + facing.y * facing.y);
    kerb_pose pose = {.forward = {1.0f, 0.0f}};
    if (level > 1e-6f)
        pose.forward = kerb_vec2_make(facing.x / level, facing.y / level);
    float back = driver->vehicle.reference_to_rear_axle - driver->axle;
    back *= kerb_max(level, 1e-6f);
    pose.position = kerb_vec2_make(motion->position.x - back * pose.forward.x,
                                   motion->position.y - back * pose.forward.y);
    return pose;
}

// Numbers by which the driver recognises a plan.
static void driver_key_of(const kerb_plan* plan, float key[8]) {
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

// Whether a place is where the plan begins: what stands there turns its wheels first.
static bool stands_first(const kerb_plan* plan, plan_place place) {
    return place.along < AT_START && place.piece == kerb_in_plan_leg_of(plan, 0).first;
}

static void take_plan(kerb_plan_driver* driver, const kerb_plan* plan, kerb_pose rear,
                      float speed) {
    float key[8];
    driver_key_of(plan, key);
    bool is_same = driver->memory.phase != PHASE_NEW;
    for (int32_t i = 0; i < 8; i++)
        is_same = is_same && key[i] == driver->memory.key[i];
    if (is_same)
        return;
    memcpy(driver->memory.key, key, sizeof key);
    driver->memory.top_speed = 0.0f;
    for (int32_t i = 0; i < plan->count; i++)
        driver->memory.top_speed =
            kerb_max(driver->memory.top_speed, kerb_abs(plan->pieces[i].speed));
    plan_place place = kerb_in_plan_place_found(plan, rear);
    driver->memory.piece = place.piece;
    driver->memory.along = place.along;
    driver->memory.phase = DRIVER_PHASE_DRIVE;
    driver->memory.clock = kerb_in_plan_place_time(plan, place);
    driver->memory.stood = 0.0f;
    driver->decision.postponed = 0.0f;
    driver->decision.lost = false;
    if (stands_first(plan, place) && kerb_abs(speed) < PLAN_STANDS) {
        driver->memory.phase = PHASE_SET_OFF;
        driver->memory.clock = 0.0f;
    }
}

// At standstill where a leg begins after another one, it is still at the end of that one, and
// stands.
static bool stands_between(const kerb_plan* plan, float speed, plan_place* place) {
    int32_t i = kerb_in_plan_leg_of(plan, place->piece).first;
    if (place->piece != i || place->along >= AT_START || kerb_abs(speed) >= 2.0f * PLAN_STANDS)
        return false;
    while (i > 0 && plan->pieces[i - 1].length <= 0.0f)
        i--;
    if (i == 0)
        return false;
    *place = (plan_place){i - 1, plan->pieces[i - 1].length};
    return true;
}

// Legs lie on one another at changes of direction. A vehicle that is back where it was soon after
// it was put elsewhere is on the leg on which it was, with the clock that it had.
static bool is_put_back(kerb_plan_driver* driver, const kerb_plan* plan, kerb_pose rear) {
    kerb_plan_driver_memory* m = &driver->memory;
    if (!kerb_in_jump_belongs(m->since_jump) || m->before_jump.phase == PHASE_NEW ||
        m->before_jump.piece >= plan->count)
        return false;
    plan_place before = {m->before_jump.piece, m->before_jump.along};
    plan_leg leg = kerb_in_plan_leg_of(plan, before.piece);
    if (before.piece < leg.first || before.piece > leg.last)
        before = (plan_place){leg.first, 0.0f};
    plan_place back = kerb_in_plan_place_near(plan, leg, before, rear.position);
    kerb_pose at = kerb_in_plan_place_pose(plan, back);
    kerb_vec2 off = kerb_vec2_sub(rear.position, at.position);
    if (kerb_vec2_dot(off, off) > BACK_NEAR * BACK_NEAR ||
        kerb_vec2_dot(at.forward, rear.forward) < BACK_FACING)
        return false;
    m->piece = back.piece;
    m->along = back.along;
    m->phase = m->before_jump.phase;
    m->clock = m->before_jump.clock + m->since_jump;
    driver->decision.postponed = m->before_jump.postponed;
    return true;
}

static void note_jump(kerb_plan_driver* driver) {
    kerb_plan_driver_memory* m = &driver->memory;
    if (kerb_in_jump_belongs(m->since_jump) && m->before_jump.phase != PHASE_NEW)
        return;
    m->before_jump.piece = m->piece;
    m->before_jump.along = m->along;
    m->before_jump.phase = m->phase;
    m->before_jump.clock = m->clock;
    m->before_jump.postponed = driver->decision.postponed;
    m->since_jump = 0.0f;
}

// The host put the vehicle elsewhere, or this is the first frame: nothing that was measured from
// frame to frame may outlast that. What it has learned of the vehicle stays. On the plan it goes on
// at the nearest place, as late or early as it was before.
static void driver_arrive_elsewhere(kerb_plan_driver* driver, const kerb_plan* plan, kerb_pose rear,
                                    const kerb_motion* motion) {
    kerb_plan_driver_memory* m = &driver->memory;
    m->speed = kerb_motion_forward_speed(motion);
    m->slip.rate = motion->angular_velocity.z;
    m->waits = m->stood = m->slowing.lifted = 0.0f;
    kerb_in_asked_start(&m->pushes, 0.0f);
    kerb_in_asked_start(&m->brakes, driver->controls.brake);
    kerb_in_asked_start(&m->pulls, driver->controls.throttle);
    // The sum of speed errors from there would hold the brakes here for half a minute.
    kerb_in_pedals_start(&m->pedals, kerb_abs(m->speed));
    if (m->phase == PHASE_NEW || m->piece >= plan->count)
        return; // take_plan finds the place
    driver->decision.lost = false;
    if (is_put_back(driver, plan, rear))
        return;
    note_jump(driver);
    plan_place place = kerb_in_plan_place_found(plan, rear);
    bool stands = stands_between(plan, m->speed, &place);
    float later = kerb_in_plan_place_time(plan, place) - m->place_time;
    m->piece = place.piece;
    m->along = place.along;
    bool sets_off = stands_first(plan, place) && kerb_abs(m->speed) < PLAN_STANDS;
    if (m->phase == PHASE_SET_OFF && sets_off)
        return; // its clock runs from the start of the plan
    m->clock += later;
    driver->decision.postponed -= later;
    m->phase = stands ? DRIVER_PHASE_STAND : DRIVER_PHASE_DRIVE;
}

// Where the vehicle is on the leg of the piece that is remembered.
static void driver_find_place(kerb_plan_driver* driver, driver_frame* f) {
    const kerb_plan* plan = f->plan;
    plan_place before = {driver->memory.piece, driver->memory.along};
    f->leg = kerb_in_plan_leg_of(plan, before.piece);
    if (before.piece < f->leg.first || before.piece > f->leg.last) // a standstill at the start
        before = (plan_place){f->leg.first, 0.0f};
    f->place = kerb_in_plan_place_near(plan, f->leg, before, f->rear.position);
    f->travel = (float)plan->pieces[f->place.piece].direction;
    f->speed = f->travel * kerb_motion_forward_speed(f->motion);
    f->climb = f->travel * kerb_quat_forward(f->motion->rotation).z;
    f->left = kerb_in_plan_place_left(plan, f->leg, f->place);
    f->time = kerb_in_plan_place_time(plan, f->place);
    if (driver->memory.phase == PHASE_SET_OFF)
        f->time = kerb_min(driver->memory.clock, f->time);
    driver->memory.place_time = f->time;
    driver->memory.piece = f->place.piece;
    driver->memory.along = f->place.along;
}

static driver_frame driver_frame_for(kerb_plan_driver* driver, const kerb_plan* plan,
                                     const kerb_in_frame_input* input,
                                     const kerb_surroundings* around) {
    const kerb_motion* motion = &input->motion;
    driver_frame f = {.plan = plan, .motion = motion, .time_step = input->time_step};
    f.rear = rear_axle(driver, motion);
    kerb_in_jump_pass(&driver->memory.since_jump, f.time_step);
    if (input->elsewhere)
        driver_arrive_elsewhere(driver, plan, f.rear, motion);
    take_plan(driver, plan, f.rear, kerb_motion_forward_speed(motion));
    driver_find_place(driver, &f);
    f.speed_cap = around ? kerb_max(around->speed_cap, 0.0f) : 1e6f;
    return f;
}

// --------------------------------------------------------------------------- legs
static bool is_standing(const kerb_plan_driver* driver) {
    return driver->memory.phase == DRIVER_PHASE_STAND || driver->memory.phase == PHASE_SET_OFF;
}

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

// Share of a leg that may be left at its end. [1]
#define LEG_LEFT 0.25f

// A small vehicle has short legs: of each it drives most, however near its ends are.
static bool is_at_the_end(const kerb_plan_driver* driver, const driver_frame* f) {
    if (!rests_at_the_end(f))
        return f->left <= 0.0f;
    float scale = kerb_min(kerb_vehicle_scale(&driver->vehicle), 1.0f);
    float length = kerb_in_plan_place_left(f->plan, f->leg, (plan_place){f->leg.first, 0.0f});
    float near = kerb_min(scale * driver->settings.arrival_distance, LEG_LEFT * length);
    float slow = f->left <= 0.2f * near ? 0.3f : PLAN_STANDS;
    return f->left <= near && f->speed < slow;
}

// What stands farther from the end of its plan than this, of a car, has not arrived. [m]
#define GOAL_REACHED 0.3f

static bool stands_at_goal(const kerb_plan_driver* driver, const driver_frame* f) {
    const kerb_plan_piece* last = &f->plan->pieces[f->leg.last];
    kerb_pose end = kerb_in_plan_place_pose(f->plan, (plan_place){f->leg.last, last->length});
    float there = GOAL_REACHED * kerb_vehicle_scale(&driver->vehicle);
    kerb_vec2 off = kerb_vec2_sub(f->rear.position, end.position);
    return kerb_vec2_dot(off, off) <= there * there;
}

// First piece of the next leg, at a standstill before it.
static int32_t next_leg(const kerb_plan_driver* driver, const driver_frame* f) {
    int32_t next = driver->memory.phase == PHASE_SET_OFF ? 0 : f->leg.last + 1;
    while (next + 1 < f->plan->count && f->plan->pieces[next].length <= 0.0f)
        next++;
    return next;
}

// Time after which the commanded direction counts as engaged, whatever the host tells: automatics
// tell 0 at rest, and some hosts tell nothing. Beyond two shifts where the driver shifts, as
// kerb_host_check waits before it names the gear as missing. [s]
#define GEAR_PATIENCE 0.5f

// True when the direction of travel is engaged, or was commanded at standstill for so long that it
// must be.
static bool is_in_gear(const kerb_plan_driver* driver, const driver_frame* f, int32_t direction) {
    const kerb_drive_train* train = &driver->vehicle.drive_train;
    float most = 2.0f * (train->gear_count > 0 ? train->shift_time : 0.0f) + GEAR_PATIENCE;
    return f->motion->gear * direction > 0 || driver->memory.stood > most;
}

// The standstill before a leg. It ends when the gear is engaged and the plan goes on, earlier by
// the delay of throttle and engine. Returns the curvature for which the wheels turn meanwhile.
// [1/m]
static float stand_before(kerb_plan_driver* driver, const driver_frame* f) {
    int32_t next = next_leg(driver, f);
    const kerb_plan_piece* first = &f->plan->pieces[next];
    driver->memory.stood += f->time_step;
    // Where the plan has no standstill at its beginning, the gear engages as it sets off.
    bool is_geared = next == 0 || is_in_gear(driver, f, first->direction);
    bool is_due = driver->memory.clock + driver->memory.answers >= first->time;
    bool is_still = kerb_abs(f->speed) < 2.0f * PLAN_STANDS;
    float curvature = kerb_in_plan_driver_steer_at_rest(driver, f, next);
    bool is_turned = kerb_in_plan_driver_is_turned(driver);
    if (is_geared && is_due && is_still && is_turned) {
        driver->memory.piece = next;
        driver->memory.along = 0.0f;
        driver->memory.phase = DRIVER_PHASE_DRIVE;
        kerb_in_pedals_start(&driver->memory.pedals, 0.0f);
    }
    return curvature;
}

// Learns the delay of throttle, engine and clutch from standstill. A start in reverse counts only
// if the gear had been engaged for longer than a shift, so that the change of gear is not counted.
static void learn_setting_off(kerb_plan_driver* driver, const driver_frame* f) {
    float delay = driver->vehicle.throttle_delay, waited = driver->memory.waits;
    bool rolls = f->speed > PLAN_STANDS, is_geared = (float)f->motion->gear * f->travel > 0.0f;
    bool coupled = f->motion->gear == driver->controls.gear && driver->controls.clutch <= 0.0f;
    driver->memory.coupled = coupled ? driver->memory.coupled + f->time_step : 0.0f;
    bool was_geared = f->travel > 0.0f ||
                      driver->memory.coupled > waited + driver->vehicle.drive_train.shift_time;
    bool drives = driver->memory.phase == DRIVER_PHASE_DRIVE && was_geared;
    // What delays all controls has passed by now. A delay of the steering that nobody told is
    // mostly that, and no longer.
    if (driver->memory.rolled <= 0.0f && rolls && drives && driver->controls.throttle > 0.0f) {
        driver->memory.rolled = waited + f->time_step;
        if (driver->vehicle.kind == KERB_VEHICLE_WHEELED && driver->vehicle.steering_delay <= 0.0f)
            kerb_in_wheels_bound_delay(&driver->memory.wheels, driver->memory.rolled);
    }
    if (waited > 0.0f && rolls && drives)
        driver->memory.answers =
            delay + ANSWERS_SHARE * (kerb_clamp(waited, delay, ANSWERS_MOST) - delay);
    bool wants = driver->controls.throttle > 0.0f && is_geared;
    driver->memory.waits = wants && !rolls ? waited + f->time_step : 0.0f;
}

static kerb_controls driver_held(const kerb_plan_driver* driver, kerb_reason reason) {
    kerb_controls controls = kerb_controls_safe(reason);
    controls.steering = driver->controls.steering;
    return controls;
}

// What is faster than this although its brakes are held slides, or was pushed. [m/s]
#define CREEPS_MOST 1.0f
// Brakes act within this time, beyond the delay of the throttle. [s]
#define BRAKES_ACT 0.3f

// Some automatics creep on however hard they are braked, and only the handbrake holds them. It is
// set at once where creep is told; otherwise where the vehicle moves although its brakes are held.
static void hold_against_creep(kerb_plan_driver* driver, const driver_frame* f,
                               kerb_controls* controls) {
    kerb_plan_driver_memory* m = &driver->memory;
    if (controls->brake < 1.0f || controls->throttle > 0.0f || m->phase == DRIVER_PHASE_DRIVE) {
        m->held = 0.0f;
        return;
    }
    float slow = kerb_abs(f->speed);
    m->held = kerb_min(m->held + f->time_step, 60.0f);
    bool acts = m->held > driver->vehicle.throttle_delay + BRAKES_ACT;
    if (acts && slow > PLAN_STANDS && slow < CREEPS_MOST)
        m->creeps = true;
    controls->handbrake = slow < CREEPS_MOST && (m->creeps || driver->vehicle.creep_speed > 0.0f);
}

// --------------------------------------------------------------------------- driving

static kerb_reason driver_reason_of(const driver_frame* f, float target, float known) {
    if (target >= f->speed_cap)
        return KERB_REASON_SPEED_CAP;
    if (known < 0.0f && rests_at_the_end(f))
        return is_last_leg(f) ? KERB_REASON_END : KERB_REASON_REVERSAL;
    return known < 0.0f   ? KERB_REASON_CURVE
           : known > 0.0f ? KERB_REASON_ACCELERATE
                          : KERB_REASON_CRUISE;
}

// Too far from the plan.
// Farther from a place of the plan than `share` of the distance and the angle at which it is lost.
static bool driver_is_off(const kerb_plan_driver* driver, const driver_frame* f, plan_place place,
                          float share) {
    kerb_pose at = kerb_in_plan_place_pose(f->plan, place);
    kerb_vec2 off = kerb_vec2_sub(f->rear.position, at.position);
    float most = share * driver->settings.lost_distance;
    float turned = plan_angle_from(at.forward, f->rear.forward);
    return kerb_abs(kerb_vec2_cross(at.forward, off)) > most ||
           kerb_vec2_dot(off, off) > 4.0f * most * most ||
           kerb_abs(turned) > share * driver->settings.lost_angle;
}

// A vehicle that is off the plan was perhaps put elsewhere by less than its length: to another leg.
// One that was lost and is near the plan again, anywhere, was put back, or its pose was a glitch.
static bool driver_may_be_elsewhere(const kerb_plan_driver* driver, const driver_frame* f) {
    if (!driver->decision.lost)
        return driver_is_off(driver, f, f->place, 1.0f);
    return !driver_is_off(driver, f, kerb_in_plan_place_found(f->plan, f->rear), DRIVER_BACK_SHARE);
}

static void driver_think(kerb_plan_driver* driver, const driver_frame* f) {
    kerb_plan_driver_decision* t = &driver->decision;
    t->planned = kerb_plan_at(f->plan, f->time);
    t->rear_axle = f->rear.position;
    kerb_pose at = kerb_in_plan_place_pose(f->plan, f->place);
    kerb_vec2 off = kerb_vec2_sub(f->rear.position, at.position);
    t->cross_track_error = f->travel * kerb_vec2_cross(at.forward, off);
    t->heading_error = plan_angle_from(at.forward, f->rear.forward);
    t->lost = t->lost || driver_is_off(driver, f, f->place, 1.0f);
}

// Advances the clock of the plan. It waits for a vehicle that is too late, and it jumps forward for
// a vehicle that is too early.
static void run_clock(kerb_plan_driver* driver, driver_frame* f) {
    float late_most = driver->settings.time_error_max;
    float clock = driver->memory.clock + f->time_step;
    if (driver->memory.phase == DRIVER_PHASE_ARRIVED)
        clock = f->time;
    float most = is_standing(driver) ? clock : f->time + late_most;
    float held = kerb_clamp(clock, f->time - late_most, most);
    driver->decision.postponed += clock - held;
    driver->memory.clock = held;
    driver->decision.time_error = f->late = held - f->time;
    f->clock = held;
}

static kerb_controls driver_drive(kerb_plan_driver* driver, driver_frame* f) {
    if (driver->decision.lost || kerb_plan_drivable(&driver->vehicle, NULL) != KERB_OK)
        return driver_held(driver, KERB_REASON_GIVEN_UP);
    bool last = is_last_leg(f);
    if (driver->memory.phase == DRIVER_PHASE_DRIVE && is_at_the_end(driver, f)) {
        driver->memory.phase = last ? DRIVER_PHASE_ARRIVED : DRIVER_PHASE_STAND;
        driver->memory.stood = 0.0f;
    }
    if (driver->memory.phase == DRIVER_PHASE_ARRIVED && rests_at_the_end(f))
        return driver_held(driver,
                           stands_at_goal(driver, f) ? KERB_REASON_ARRIVED : KERB_REASON_GIVEN_UP);
    bool stands = is_standing(driver);
    bool rolls_on = driver->memory.phase == DRIVER_PHASE_ARRIVED;
    const kerb_plan_piece* end = &f->plan->pieces[f->leg.last];
    float curvature = rolls_on ? end->curvature + end->curvature_change : 0.0f;
    if (stands)
        curvature = stand_before(driver, f);
    else if (!rolls_on)
        curvature = kerb_in_plan_driver_steer(driver, f);
    if (stands && !is_standing(driver)) { // it sets off in this frame
        stands = false;
        driver_find_place(driver, f);
        f->late = f->clock - f->time;
    }
    kerb_controls controls = kerb_controls_safe(KERB_REASON_REVERSAL);
    float target = 0.0f;
    if (!stands) {
        const driver_frame soon = kerb_in_plan_driver_foresee(driver, f);
        target = kerb_in_plan_driver_speed(driver, &soon);
        float known = kerb_in_plan_driver_known(driver, &soon);
        if (rolls_on) {
            target = kerb_min(kerb_in_plan_place_speed(f->plan, f->place), f->speed_cap);
            known = 0.0f;
        }
        if (target >= f->speed_cap) // held by the cap, it must not accelerate as planned
            known = kerb_min(known, kerb_max(target - soon.speed, 0.0f));
        controls = (kerb_controls){.reason = driver_reason_of(f, target, known)};
        kerb_in_plan_driver_press(driver, f, &soon, target, known, &controls);
        if (rolls_on)
            controls.reason = KERB_REASON_ARRIVED;
    }
    driver->decision.commanded_curvature = curvature;
    driver->decision.target_speed = target;
    controls.steering = kerb_in_plan_driver_command(driver, f, curvature);
    return controls;
}

static kerb_controls driver_bad_frame(kerb_plan_driver* driver, kerb_reason reason) {
    if (reason == KERB_REASON_BAD_MOTION)
        driver->controls = kerb_controls_safe(reason);
    driver->controls.reason = driver->decision.reason = reason;
    return driver->controls;
}

// Before it has commanded anything, only the host may know how the wheels stand.
static void find_wheels(kerb_plan_driver* driver, const kerb_motion* motion) {
    kerb_wheels_memory* wheels = &driver->memory.wheels;
    bool begins = driver->memory.phase == PHASE_NEW;
    kerb_in_wheels_start(wheels, begins ? kerb_clamp(motion->steering, -1.0f, 1.0f)
                                        : driver->controls.steering);
    driver->controls.steering = wheels->asked.now;
}

// Direction of the present leg; at a standstill before a leg, of that one.
static int32_t driver_direction_of(const kerb_plan_driver* driver, const driver_frame* f) {
    int32_t piece = is_standing(driver) ? next_leg(driver, f) : driver->memory.piece;
    return f->plan->pieces[piece].direction;
}

kerb_controls kerb_plan_driver_drive(kerb_plan_driver* driver, const kerb_plan* plan,
                                     const kerb_motion* motion,
                                     const kerb_surroundings* surroundings, float time_step) {
    KERB_ASSERT(driver && plan && motion);
    KERB_ASSERT_SETTINGS(&kerb_plan_driver_settings_table, &driver->settings);
    const bool given_back =
        kerb_in_hand_over_begin(&driver->memory.hand_over, &driver->controls, surroundings);
    driver->decision.host_mistake = kerb_in_host_watch(&driver->memory.host_check, &driver->vehicle,
                                                       motion, &driver->controls, time_step);
    kerb_in_frame_input input = kerb_in_frame_take_vehicle_beyond(
        &driver->memory.motion, &driver->vehicle, motion, 0.0f, DRIVER_JUMP, time_step);
    input.motion.gear =
        kerb_in_vehicle_gear(&driver->vehicle, input.motion.gear, driver->controls.gear);
    driver->bad_frames += input.counts ? 1 : 0;
    if (input.fault != KERB_REASON_NONE)
        return driver_bad_frame(driver, input.fault);
    if (driver->memory.phase == PHASE_NEW || given_back)
        find_wheels(driver, &input.motion);
    const bool teaches = kerb_in_estimate_may_learn(surroundings) && !input.counts &&
                         !input.elsewhere && !kerb_in_player_drives(surroundings) &&
                         !driver->controls.handbrake;
    input.elsewhere = input.elsewhere || given_back;
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    driver->memory.brakes.now = driver->controls.brake;
    kerb_in_asked_run(&driver->memory.brakes, input.time_step);
    driver->memory.pulls.now = driver->controls.throttle;
    kerb_in_asked_run(&driver->memory.pulls, input.time_step);
    kerb_in_asked_run(&driver->memory.pushes, input.time_step);
    driver->memory.pushes.now = 0.0f; // unless the pedals are pressed
    if (plan->count > 0 && plan->length > 0.0f) {
        driver_frame f = driver_frame_for(driver, plan, &input, surroundings);
        if (!input.elsewhere && driver_may_be_elsewhere(driver, &f)) {
            input.elsewhere = true;
            f = driver_frame_for(driver, plan, &input, surroundings);
        }
        f.teaches = teaches;
        run_clock(driver, &f);
        driver_think(driver, &f);
        kerb_in_plan_learn_turning(driver, &f);
        learn_setting_off(driver, &f);
        controls = driver_drive(driver, &f);
        controls.gear = kerb_gearbox_drive(&driver->memory.gearbox, &driver->vehicle, &input.motion,
                                           driver_direction_of(driver, &f), controls.throttle,
                                           input.time_step, &controls.clutch);
        hold_against_creep(driver, &f, &controls);
    }
    controls.reason = kerb_in_host_reason(driver->decision.host_mistake, controls.reason);
    kerb_in_hand_over_end(&driver->memory.hand_over, &controls, input.time_step);
    driver->decision.reason = controls.reason;
    driver->controls = controls;
    return controls;
}

void kerb_plan_driver_shift_origin(kerb_plan_driver* driver, kerb_vec3 new_origin) {
    KERB_ASSERT(driver != NULL && kerb_vec3_is_finite(new_origin));
    const kerb_vec2 by = {new_origin.x, new_origin.y};
    // As kerb_plan_shift_origin does it: to the same bits.
    for (int32_t i = 3; i < 7; i += 2) {
        driver->memory.key[i] -= by.x;
        driver->memory.key[i + 1] -= by.y;
    }
    kerb_in_motion_shift_origin(&driver->memory.motion, new_origin);
    kerb_host_check_shift_origin(&driver->memory.host_check, new_origin);
    driver->memory.pedals.hill = kerb_vec3_sub(driver->memory.pedals.hill, new_origin);
    driver->decision.rear_axle = kerb_vec2_sub(driver->decision.rear_axle, by);
    driver->decision.planned.pose.position =
        kerb_vec2_sub(driver->decision.planned.pose.position, by);
}

// What the axle's place is known to, in wheelbases, when it is believed. [1]
#define AXLE_KNOWN 0.15f

float kerb_plan_driver_axle(const kerb_plan_driver* driver) {
    KERB_ASSERT(driver != NULL);
    const kerb_wheels_memory* wheels = &driver->memory.wheels;
    float wheelbase = driver->vehicle.wheelbase, known = AXLE_KNOWN * wheelbase;
    if (driver->vehicle.kind != KERB_VEHICLE_WHEELED || wheels->axle_doubt > known * known)
        return driver->axle;
    return wheels->axle > 0.5f * wheelbase ? wheelbase : 0.0f;
}

bool kerb_in_plan_driver_has_decided(const kerb_plan_driver* driver) {
    return driver->memory.phase != 0;
}
