// Purpose: drives a vehicle of any kind along a plan, or keeps it at a place that moves.
// Idea:    Planned control plus gains times the error of the state. The clock of the plan is slowed
//          by the distance that the vehicle is behind, so that a vehicle that cannot keep the
//          plan's pace still keeps its path.
// Cost:    O(1).
#include "kerb/kind_driver.h"

#include "../base/shared.h"

#include <string.h>

// Slowest and fastest pace of the clock. The fastest lets a vehicle that is ahead wait less. [1]
#define KIND_PACE_LEAST 0.2f
#define KIND_PACE_MOST 1.1f
// Error at which the vehicle is lost, over kerb_kind.error. [1]
#define KIND_LOST 10.0f
// Time after the end of a plan in which errors are still corrected, and errors over
// kerb_kind.tolerance that are left. [s], [1]
#define KIND_SETTLING 1.0f
#define KIND_SETTLED 5.0f
// Steps in which that time is simulated, and the share of the squared errors that some control must
// be able to leave for it. [1]
#define KIND_SETTLING_STEPS 8
#define KIND_WORTH 0.5f
// Time of the integral action of what keeps a place, over kerb_kind.step_max, which is a third of
// the shortest time constant: slower than all else. Its greatest part, over kerb_kind.error. [1]
#define KIND_LEARNING 60.0f
#define KIND_OFFSET_MOST 3.0f
// Errors of a place that is kept: the greatest one, and the greatest one that is fed back. [1]
#define KIND_KEEP_LOST 50.0f
#define KIND_REACH 3.0f
// Vehicles faster than any kind are an error of the host. [m/s]
#define KIND_SPEED_MOST 400.0f

kerb_kind_driver kerb_kind_driver_make(const kerb_kind* kind) {
    KERB_ASSERT(kind);
    kerb_kind_driver driver = {.kind = *kind, .clock = -1.0f};
    driver.controls = kerb_controls_safe(KERB_REASON_NONE);
    return driver;
}

// The vehicle's controls for the kind's; NULL: those that stop it and hold it.
static kerb_controls kind_driver_controls(const kerb_kind_driver* driver, const kerb_motion* motion,
                                          const float* control) {
    const kerb_kind* kind = &driver->kind;
    const float* state = driver->decision.state;
    return kind->space ? kind->space->controls_of(kind->vehicle, motion, state, control)
                       : kind->controls_of(kind->vehicle, state, control);
}

static kerb_controls kind_driver_stop(kerb_kind_driver* driver, const kerb_motion* motion,
                                      kerb_reason reason) {
    kerb_controls controls = kind_driver_controls(driver, motion, NULL);
    controls.reason = driver->decision.reason = reason;
    driver->controls = controls;
    return controls;
}

static void kind_driver_take_plan(kerb_kind_driver* driver, const kerb_kind_plan* plan) {
    const float* last = plan->states + (size_t)plan->count * KERB_KIND_STATES_MAX;
    float key[8] = {(float)plan->count, plan->time, plan->states[0], plan->states[1],
                    plan->states[2],    last[0],    last[1],         last[2]};
    bool is_same = driver->clock >= 0.0f;
    for (int32_t i = 0; i < 8; i++)
        is_same = is_same && key[i] == driver->key[i];
    if (is_same)
        return;
    memcpy(driver->key, key, sizeof key);
    driver->clock = 0.0f;
}

// Errors of the state against the plan. [error: of the kind's numbers]
static void kind_driver_errors(kerb_kind_driver* driver, float* error) {
    kerb_kind_driver_decision* d = &driver->decision;
    const kerb_kind_space* space = driver->kind.space;
    int32_t heading = space ? space->heading : 2;
    for (int32_t i = 0; i < driver->kind.states; i++)
        error[i] = d->state[i] - d->planned[i];
    if (heading >= 0)
        error[heading] = kerb_wrap_angle(error[heading]);
}

// Adds how far the vehicle still moves beside the plan until it has the speed of its goal.
static void kind_driver_add_slide(const kerb_kind_driver* driver, const kerb_kind_plan* plan,
                                  const kerb_motion* motion, float* error) {
    const kerb_kind* kind = &driver->kind;
    if (!kind->slide)
        return;
    const float* goal = plan->states + (size_t)plan->count * KERB_KIND_STATES_MAX;
    kerb_vec2 slide = kind->slide(kind->vehicle, motion, goal);
    error[0] += slide.x;
    error[1] += slide.y;
}

// Distances behind and beside the plan of a vehicle in the plane, seen along the planned heading.
static void kind_driver_compare(kerb_kind_driver* driver, const float* error) {
    kerb_kind_driver_decision* d = &driver->decision;
    float sine, cosine;
    kerb_sin_cos(d->planned[2], &sine, &cosine);
    d->behind = -(error[0] * cosine + error[1] * sine);
    d->cross_track = error[1] * cosine - error[0] * sine;
}

// Distance along the path by which the vehicle is behind, in the direction in which the plan moves.
static float kind_driver_lag(const kerb_kind* kind, const kerb_kind_driver_decision* d,
                             const float* control, const float* error) {
    float rates[KERB_KIND_STATES_MAX] = {0.0f};
    kind->rates(kind->vehicle, d->planned, control, rates);
    kerb_vec3 velocity = {rates[0], rates[1], kind->space ? rates[2] : 0.0f};
    kerb_vec3 off = {error[0], error[1], kind->space ? error[2] : 0.0f};
    float speed = kerb_vec3_length(velocity);
    return speed > 0.0f ? -kerb_vec3_dot(off, velocity) / speed : 0.0f;
}

// Distances behind and beside the plan of a vehicle in space, seen along the planned motion.
static void kind_driver_compare_in_space(kerb_kind_driver* driver, const float* control,
                                         const float* error) {
    kerb_kind_driver_decision* d = &driver->decision;
    kerb_vec3 off = {error[0], error[1], error[2]};
    float distance = kerb_vec3_length(off);
    d->behind = kind_driver_lag(&driver->kind, d, control, error);
    d->cross_track = kerb_sqrt(kerb_max(distance * distance - d->behind * d->behind, 0.0f));
}

// Planned controls plus gains times the errors, within the limits.
static void kind_driver_feed_back(kerb_kind_driver* driver, const float* gains,
                                  const float* planned, const float* error) {
    const kerb_kind* kind = &driver->kind;
    for (int32_t j = 0; j < kind->controls; j++) {
        float value = planned[j];
        for (int32_t i = 0; i < kind->states; i++)
            value += gains[j * KERB_KIND_STATES_MAX + i] * error[i];
        driver->decision.control[j] = kerb_clamp(value, kind->control_min[j], kind->control_max[j]);
    }
}

static void kind_driver_control(kerb_kind_driver* driver, const kerb_kind_plan* plan,
                                const float* planned, const float* error) {
    size_t piece = (size_t)kerb_kind_plan_piece(plan, driver->clock);
    kind_driver_feed_back(driver,
                          plan->gains + piece * KERB_KIND_CONTROLS_MAX * KERB_KIND_STATES_MAX,
                          planned, error);
}

// Planned controls, each as much earlier as the vehicle answers it later.
static void kind_driver_lead(const kerb_kind_driver* driver, const kerb_kind_plan* plan,
                             float* planned) {
    const kerb_kind* kind = &driver->kind;
    for (int32_t j = 0; j < kind->controls; j++) {
        size_t piece = (size_t)kerb_kind_plan_piece(plan, driver->clock + kind->delay[j]);
        planned[j] = plan->controls[piece * KERB_KIND_CONTROLS_MAX + (size_t)j];
    }
}

// Error of the position. [kerb_kind.error]
static float kind_driver_distance(const kerb_kind* kind, const float* error) {
    float x = error[0] / kind->error[0], y = error[1] / kind->error[1];
    float z = kind->space ? error[2] / kind->error[2] : 0.0f;
    return kerb_sqrt(x * x + y * y + z * z);
}

// Square of the errors of the pose. [tolerances²]
static float kind_driver_off(const kerb_kind* kind, const float* error) {
    float sum = 0.0f;
    for (int32_t i = 0; i < 3; i++)
        sum += error[i] / kind->tolerance[i] * error[i] / kind->tolerance[i];
    return sum;
}

// Whether some control makes the errors smaller within the time to settle: a motorcycle that stands
// beside its place cannot get there.
static bool kind_driver_can_correct(const kerb_kind_driver* driver, const float* error) {
    const kerb_kind* kind = &driver->kind;
    const float* from = driver->decision.state;
    float least = KIND_WORTH * kind_driver_off(kind, error);
    for (int32_t j = 0; j < 2 * kind->controls; j++) {
        float control[KERB_KIND_CONTROLS_MAX] = {0.0f}, state[KERB_KIND_STATES_MAX];
        control[j / 2] = j % 2 == 0 ? kind->control_min[j / 2] : kind->control_max[j / 2];
        memcpy(state, from, sizeof state);
        for (int32_t k = 0; k < KIND_SETTLING_STEPS; k++) {
            float rates[KERB_KIND_STATES_MAX] = {0.0f}, left[3];
            kind->rates(kind->vehicle, state, control, rates);
            for (int32_t i = 0; i < kind->states; i++)
                state[i] += rates[i] * KIND_SETTLING / (float)KIND_SETTLING_STEPS;
            for (int32_t i = 0; i < 3; i++)
                left[i] = error[i] + state[i] - from[i];
            if (kind_driver_off(kind, left) < least)
                return true;
        }
    }
    return false;
}

// Whether errors at a goal at rest are still to be corrected, for a short time; `planned` becomes
// the control that holds it.
static bool kind_driver_settles(const kerb_kind_driver* driver, const kerb_kind_plan* plan,
                                float* planned, const float* error) {
    const kerb_kind* kind = &driver->kind;
    float rates[KERB_KIND_STATES_MAX] = {0.0f};
    bool is_off = false, stands = true;
    for (int32_t j = 0; j < kind->controls; j++)
        planned[j] = 0.0f;
    kind->rates(kind->vehicle, driver->decision.planned, planned, rates);
    for (int32_t i = 0; i < 3; i++) {
        is_off = is_off || kerb_abs(error[i]) > KIND_SETTLED * kind->tolerance[i];
        stands = stands && kerb_abs(rates[i]) * KIND_SETTLING < kind->error[i];
    }
    return stands && is_off && driver->clock < plan->time + KIND_SETTLING &&
           kind_driver_can_correct(driver, error);
}

// Keeps a craft that hovers at the end of its plan; one that is to be under way goes on.
static kerb_controls kind_driver_hover(kerb_kind_driver* driver, const kerb_kind_plan* plan,
                                       const kerb_motion* motion, const float* error) {
    const kerb_kind* kind = &driver->kind;
    const float none[KERB_KIND_CONTROLS_MAX] = {0.0f};
    float rates[KERB_KIND_STATES_MAX] = {0.0f};
    kind->rates(kind->vehicle, driver->decision.planned, none, rates);
    for (int32_t i = 0; i < 3; i++)
        if (kerb_abs(rates[i]) * KIND_SETTLING >= kind->error[i])
            return kind_driver_stop(driver, motion, KERB_REASON_ARRIVED);
    kind_driver_control(driver, plan, none, error);
    driver->controls = kind_driver_controls(driver, motion, driver->decision.control);
    driver->controls.reason = driver->decision.reason = KERB_REASON_ARRIVED;
    return driver->controls;
}

static kerb_controls kind_driver_go(kerb_kind_driver* driver, const kerb_kind_plan* plan,
                                    const kerb_motion* motion, float time_step) {
    const kerb_kind* kind = &driver->kind;
    kerb_kind_driver_decision* d = &driver->decision;
    float planned[KERB_KIND_CONTROLS_MAX] = {0.0f}, error[KERB_KIND_STATES_MAX] = {0.0f};
    kerb_kind_plan_at(kind, plan, driver->clock, d->planned, planned);
    kind_driver_errors(driver, error);
    if (kind->space)
        kind_driver_compare_in_space(driver, planned, error);
    else
        kind_driver_compare(driver, error);
    d->time = driver->clock;
    if (!(kind_driver_distance(kind, error) < KIND_LOST))
        return kind_driver_stop(driver, motion, KERB_REASON_GIVEN_UP);
    kind_driver_add_slide(driver, plan, motion, error);
    if (driver->clock >= plan->time && !kind_driver_settles(driver, plan, planned, error))
        return kind->space && kind->space->hovers
                   ? kind_driver_hover(driver, plan, motion, error)
                   : kind_driver_stop(driver, motion, KERB_REASON_ARRIVED);
    float pace = 1.0f - kind_driver_lag(kind, d, planned, error) / kind->error[0];
    if (driver->clock < plan->time)
        kind_driver_lead(driver, plan, planned);
    kind_driver_control(driver, plan, planned, error);
    driver->clock += time_step * kerb_clamp(pace, KIND_PACE_LEAST, KIND_PACE_MOST);
    driver->controls = kind_driver_controls(driver, motion, d->control);
    driver->controls.reason = d->reason = KERB_REASON_CRUISE;
    return driver->controls;
}

// Reads the vehicle's state. False where the host's numbers are impossible: then driver->controls
// are the answer.
static bool kind_driver_begin_frame(kerb_kind_driver* driver, const kerb_motion* motion,
                                    const float* told, float time_step) {
    const kerb_kind* kind = &driver->kind;
    if (!(time_step >= KERB_TIME_STEP_MIN) || !kerb_is_finite(time_step)) {
        driver->bad_frames++;
        driver->controls.reason = KERB_REASON_BAD_STEP;
        return false;
    }
    if (kerb_motion_validate(motion, KIND_SPEED_MOST, NULL) != KERB_OK) {
        driver->bad_frames++;
        driver->controls = kerb_controls_safe(KERB_REASON_BAD_MOTION);
        return false;
    }
    kind->state_of(kind->vehicle, motion, told, driver->decision.state);
    return true;
}

kerb_controls kerb_kind_driver_drive(kerb_kind_driver* driver, const kerb_kind_plan* plan,
                                     const kerb_motion* motion, const float* told,
                                     float time_step) {
    KERB_ASSERT(driver && plan && motion);
    if (!kind_driver_begin_frame(driver, motion, told, time_step))
        return driver->controls;
    driver->regulator.has_begun = false;
    if (plan->count < 1)
        return kind_driver_stop(driver, motion, KERB_REASON_NONE);
    kind_driver_take_plan(driver, plan);
    return kind_driver_go(driver, plan, motion, kerb_min(time_step, KERB_TIME_STEP_MAX));
}

// Integral action: what stays of the error of the position, seen along the place's path, is added
// to it, so that what the kind leaves out, as the slip of tracks in a bend, does not keep the
// vehicle beside its place.
static void kind_driver_learn_offset(kerb_kind_driver* driver, const kerb_kind_place* place,
                                     float time_step, float* error) {
    const kerb_kind* kind = &driver->kind;
    kerb_vec3* offset = &driver->regulator.offset;
    float level = kerb_vec2_length(kerb_vec2_make(place->forward.x, place->forward.y));
    float cosine = level > 0.0f ? place->forward.x / level : 1.0f;
    float sine = level > 0.0f ? place->forward.y / level : 0.0f;
    float share = kerb_min(time_step / (KIND_LEARNING * kind->step_max), 1.0f);
    float most = KIND_OFFSET_MOST * kind->error[0];
    float along = error[0] * cosine + error[1] * sine, aside = error[1] * cosine - error[0] * sine;
    offset->x = kerb_clamp(offset->x + share * along, -most, most);
    offset->y = kerb_clamp(offset->y + share * aside, -most, most);
    error[0] += offset->x * cosine - offset->y * sine;
    error[1] += offset->y * cosine + offset->x * sine;
    if (kind->space) {
        offset->z = kerb_clamp(offset->z + share * error[2], -most, most);
        error[2] += offset->z;
    }
}

kerb_controls kerb_kind_driver_keep(kerb_kind_driver* driver, const kerb_kind_place* place,
                                    const kerb_motion* motion, const float* told, float time_step) {
    KERB_ASSERT(driver && place && motion);
    const kerb_kind* kind = &driver->kind;
    kerb_kind_driver_decision* d = &driver->decision;
    if (!kind_driver_begin_frame(driver, motion, told, time_step))
        return driver->controls;
    float aimed[KERB_KIND_CONTROLS_MAX] = {0.0f}, error[KERB_KIND_STATES_MAX] = {0.0f};
    kerb_kind_regulator_aim(&driver->regulator, kind, place, time_step, d->planned, aimed);
    driver->clock = -1.0f; // a plan begins at its start
    d->time = 0.0f;
    kind_driver_errors(driver, error);
    if (kind->space)
        kind_driver_compare_in_space(driver, aimed, error);
    else
        kind_driver_compare(driver, error);
    float distance = kind_driver_distance(kind, error);
    if ((kind->space && kind->space->coasts) || !(distance < KIND_KEEP_LOST)) {
        driver->regulator.has_begun = false;
        return kind_driver_stop(driver, motion, KERB_REASON_GIVEN_UP);
    }
    // Farther away it comes nearer as from there: feedback of all of the error would leave the
    // range in which the kind is nearly linear.
    for (int32_t i = 0; i < (kind->space ? 3 : 2) && distance > KIND_REACH; i++)
        error[i] *= KIND_REACH / distance;
    if (distance < KIND_REACH)
        kind_driver_learn_offset(driver, place, kerb_min(time_step, KERB_TIME_STEP_MAX), error);
    kind_driver_feed_back(driver, driver->regulator.gains[0], aimed, error);
    driver->controls = kind_driver_controls(driver, motion, d->control);
    driver->controls.reason = d->reason = KERB_REASON_CRUISE;
    return driver->controls;
}
