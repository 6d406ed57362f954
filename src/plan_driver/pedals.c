// How fast, and the pedals for it.
//
// The speed is the plan's at this place, not at this time: so it stops where the plan stops. Who is
// late by τ drives faster by up to a share c: τ' = -clamp(τ/T, -c, c). The law of the speed is the
// follower's (src/follow/kerb.c). O(pieces of a leg).
#include "frame.h"

// What brakes do in reverse, where the axle that does most of it carries least, and what is left of
// them in the tightest bend. [1]
#define PEDALS_BRAKES_IN_REVERSE 0.7f
#define BRAKES_KEPT 0.4f
// It is driven slower, by up to that share, where wheels too slow for it would get it far aside.
#define SLOWER_ASIDE 0.4f
#define ASIDE_FROM 0.06f
#define ASIDE_MUCH 0.4f
// Faster than the plan by so much is too fast. [1]
#define PEDALS_TOO_FAST 1.1f
// Of its brakes, in reverse, for who is not. [1]
#define GENTLY 0.15f
// Being late by so much is no reason to hurry. [s]
#define LATE_ENOUGH 0.03f

// The plan's acceleration in a moment; where the leg ends at rest, what stops there.
float kerb_in_plan_driver_known(const kerb_plan_driver* driver, const driver_frame* f) {
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
    if ((float)soon.direction != f->travel)
        return last->acceleration;
    if (soon.acceleration >= 0.0f)
        return soon.acceleration;
    // Brakes answer at once. Who is slower by a share gets along the same places with its square.
    soon = kerb_plan_at(f->plan, f->time + 0.5f * f->time_step);
    float slower = f->speed / kerb_max(kerb_abs(soon.speed), PLAN_STANDS);
    return soon.acceleration * kerb_clamp(slower * slower, 0.0f, 1.3f);
}

// What the plan drives here, and a little more or less by how late it is.
float kerb_in_plan_driver_speed(const kerb_plan_driver* driver, const driver_frame* f) {
    float late = driver->decision.time_error;
    const kerb_plan_driver_settings* s = &driver->settings;
    float speed = kerb_in_plan_place_speed(f->plan, f->place);
    const kerb_plan_piece* piece = &f->plan->pieces[f->place.piece];
    // From rest no place says to go: the time does.
    if (piece->acceleration > 0.0f) {
        kerb_plan_state due = kerb_plan_at(f->plan, driver->memory.clock);
        float set_off = kerb_min(kerb_abs(due.speed), 0.4f * piece->acceleration);
        if (due.direction == piece->direction)
            speed = kerb_max(speed, set_off);
    }
    late -= kerb_clamp(late, -LATE_ENOUGH, LATE_ENOUGH);
    float faster = kerb_clamp(late / s->catch_up_time, -s->catch_up, s->catch_up);
    speed *= 1.0f + faster;
    speed *= 1.0f - SLOWER_ASIDE * kerb_smooth_step(driver->memory.aside, ASIDE_FROM, ASIDE_MUCH);
    return kerb_min(speed, f->speed_cap);
}

// What tyres have left for brakes beside the bend that the wheels drive. [m/s²]
static float braking_left(const kerb_plan_driver* driver, const driver_frame* f) {
    const kerb_vehicle* v = &driver->vehicle;
    float bend = f->speed * f->speed * kerb_in_plan_curvature_now(driver, f);
    float used = kerb_clamp(bend / v->lateral_acceleration_max, -1.0f, 1.0f);
    float share = f->travel < 0.0f ? PEDALS_BRAKES_IN_REVERSE : 1.0f;
    return v->braking_max * share * kerb_max(kerb_sqrt(1.0f - used * used), BRAKES_KEPT);
}

// In reverse the wheels that steer carry least and brake most: braked for more than is planned they
// no longer turn the body. So who is no faster than planned brakes no harder, to be slower where
// wheels need time.
static float braking_for(const kerb_plan_driver* driver, const driver_frame* f, float known) {
    float most = braking_left(driver, f);
    float own = kerb_min(kerb_in_plan_place_speed(f->plan, f->place), f->speed_cap);
    if (f->travel > 0.0f || f->speed > PEDALS_TOO_FAST * own + PLAN_STANDS)
        return most;
    return kerb_min(most, kerb_max(GENTLY * driver->vehicle.braking_max, -known));
}

void kerb_in_plan_driver_press(kerb_plan_driver* driver, const driver_frame* f, float target,
                               float known, kerb_controls* controls) {
    const kerb_vehicle* vehicle = &driver->vehicle;
    float capacity = kerb_full_throttle_acceleration(vehicle, f->speed, f->travel < 0.0f);
    float resisting = KERB_GRAVITY * f->climb + kerb_coasting_deceleration(vehicle, f->speed);
    float wanted = kerb_speed_control(
        &driver->memory.speed_control, &driver->settings.speed_control, target - f->speed, known,
        -braking_for(driver, f, known) - resisting, capacity - resisting, f->time_step);
    driver->decision.acceleration = wanted;
    float lost = (driver->memory.speed - f->speed) / f->time_step;
    driver->memory.speed = f->speed;
    kerb_in_plan_pull_learn(&driver->memory.pull, vehicle, &driver->controls, f->motion->gear,
                            capacity, resisting - lost, f->time_step);
    kerb_in_plan_slowing_learn(&driver->memory.slowing, vehicle, &driver->controls, f->speed,
                               lost - resisting, f->time_step);
    float pushed = wanted + resisting;
    if (pushed < 0.0f)
        pushed = kerb_in_plan_slowing_told(&driver->memory.slowing, pushed, f->speed);
    kerb_pedals(vehicle, pushed, driver->memory.pull.strength * capacity, controls);
}
