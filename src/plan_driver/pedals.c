// Purpose: target speed and pedals of a frame.
// Idea:    The target speed is that of the plan at this place, not at this time, so the vehicle
//          stops where the plan stops. A vehicle that is late by τ drives faster by at most a share
//          c: τ' = -clamp(τ/T, -c, c). kerb_speed_control turns the speed error into an
//          acceleration.
// Cost:    O(pieces of a leg).
#include "frame.h"

// Share of the braking that is left in reverse, because the axle that brakes most then carries
// least; plans have it as well. [1]
#define PEDALS_BRAKES_IN_REVERSE 0.7f
// The target speed falls by up to this share [1] while the expected cross-track error grows from
// ASIDE_FROM to ASIDE_MUCH [m]: wheels that are too slow for the plan get more time. Chosen by
// trial.
#define SLOWER_ASIDE 0.4f
#define ASIDE_FROM 0.06f
#define ASIDE_MUCH 0.4f
// A plan's curvature jumps. Wheels that turn later by some time than they should leave the vehicle
// at another angle by that time, its speed and the jump. Wheels that take their time, half of it
// before the jump, let it be off by an eighth of that in between. It is so slow that both together
// are at most: [rad]
#define ANGLE_DOUBT 0.06f
// A plan that is nowhere faster than this parks: being there counts more than being there in time,
// and its wheels get the time that they take. [m/s]
#define WALKING 2.5f
// Speed over planned speed from which on full braking is allowed in reverse. [1]
#define PEDALS_TOO_FAST 1.1f
// Share of the brakes that is allowed in reverse below that, unless the plan brakes harder. [1]
#define GENTLY 0.15f
// Lateness that is not corrected: two frames at 60 Hz. [s]
#define LATE_ENOUGH 0.03f
// A vehicle that creeps has set off within this time of its throttle and the delay of that. [s]
#define CREEP_ENDS 0.3f
// A speed that no vehicle has. [m/s]
#define PEDALS_ANY_SPEED 1.0e6f
// Rolling back faster than this, it brakes first. [m/s]
#define DRIVEN_BACK 0.1f

float kerb_in_plan_driver_known(const kerb_plan_driver* driver, const driver_frame* f) {
    float lead = kerb_max(driver->vehicle.throttle_delay - f->ahead, 0.0f) + 0.5f * f->time_step;
    const kerb_plan_piece* last = &f->plan->pieces[f->leg.last];
    float left = kerb_max(f->left - 0.5f * f->speed * f->time_step, 0.02f);
    float needed = f->speed * f->speed / (2.0f * left);
    bool rests = last->acceleration < 0.0f &&
                 last->speed * last->speed + 2.0f * last->acceleration * last->length < 0.01f;
    kerb_plan_state soon = kerb_plan_at(f->plan, f->time + lead);
    // Before the plan brakes, this braking begins only if it is harder than the plan's.
    float share = soon.acceleration < 0.0f ? 0.7f : 1.0f;
    if (rests && needed > -share * last->acceleration)
        return -kerb_min(needed, -2.0f * last->acceleration);
    bool is_over = (float)soon.direction != f->travel; // the leg, by then
    if (!is_over && soon.acceleration >= 0.0f)
        return soon.acceleration;
    // Brakes answer at once. A slower vehicle keeps to the planned speeds over distance with a
    // deceleration smaller by the square of its share: one that stands short of the end of its leg
    // does not brake.
    soon = kerb_plan_at(f->plan, f->time + 0.5f * f->time_step);
    float planned = is_over ? kerb_in_plan_place_speed(f->plan, f->place) : kerb_abs(soon.speed);
    float slower = f->speed / kerb_max(planned, PLAN_STANDS);
    return (is_over ? last->acceleration : soon.acceleration) *
           kerb_clamp(slower * slower, 0.0f, 1.3f);
}

float kerb_in_plan_driver_speed(const kerb_plan_driver* driver, const driver_frame* f) {
    float late = f->late;
    const kerb_plan_driver_settings* s = &driver->settings;
    float speed = kerb_in_plan_place_speed(f->plan, f->place);
    const kerb_plan_piece* piece = &f->plan->pieces[f->place.piece];
    // At rest the planned speed at this place is 0; the clock of the plan starts the vehicle.
    if (piece->acceleration > 0.0f) {
        kerb_plan_state due = kerb_plan_at(f->plan, f->clock);
        float set_off = kerb_min(kerb_abs(due.speed), 0.4f * piece->acceleration);
        if (due.direction == piece->direction)
            speed = kerb_max(speed, set_off);
    }
    late -= kerb_clamp(late, -LATE_ENOUGH, LATE_ENOUGH);
    float faster = kerb_clamp(late / s->catch_up_time, -s->catch_up, s->catch_up);
    speed *= 1.0f + faster;
    const float scale = kerb_vehicle_scale(&driver->vehicle);
    speed *= 1.0f - SLOWER_ASIDE * kerb_smooth_step(driver->memory.aside, scale * ASIDE_FROM,
                                                    scale * ASIDE_MUCH);
    if (driver->vehicle.kind == KERB_VEHICLE_WHEELED) {
        float swing = driver->memory.swing, rate = kerb_in_plan_driver_rate(driver, f);
        float walks = kerb_sqrt(scale) * WALKING, top = driver->memory.top_speed;
        float exact = 1.0f - kerb_smooth_step(top, walks, 1.5f * walks);
        float slow = kerb_in_wheels_delay_doubt(&driver->memory.wheels);
        slow += 0.125f * exact * swing / rate;
        speed = kerb_min(speed, ANGLE_DOUBT / kerb_max(slow * swing, 1e-6f));
    }
    return kerb_min(speed, f->speed_cap);
}

// Share of braking_max that may be used: in reverse the steered wheels carry least and brake most,
// and when they brake harder than planned, they no longer turn the body. So a vehicle that is not
// faster than planned brakes only gently in order to give slow wheels more time.
static float braking_for(const kerb_plan_driver* driver, const driver_frame* f, float known) {
    float most = driver->vehicle.braking_max;
    if (f->travel > 0.0f)
        return most;
    float own = kerb_min(kerb_in_plan_place_speed(f->plan, f->place), f->speed_cap);
    most *= PEDALS_BRAKES_IN_REVERSE;
    if (f->speed > PEDALS_TOO_FAST * own + PLAN_STANDS)
        return most;
    return kerb_min(most, kerb_max(GENTLY * driver->vehicle.braking_max, -known));
}

// The brake that acted in the last frame was set some time before. How late it is is not known to
// the tick.
static void plan_learn_slowing(kerb_plan_driver* driver, const driver_frame* f, float lost) {
    const kerb_asked_memory* brakes = &driver->memory.brakes;
    float late = kerb_in_plan_driver_late(driver), ago = late + 0.5f * f->time_step;
    float pressed = late > 0.0f ? kerb_in_asked_before(brakes, ago) : brakes->now;
    float moved = late > 0.0f ? kerb_in_asked_before(brakes, ago - KERB_IN_ASKED_TICK) -
                                    kerb_in_asked_before(brakes, ago + KERB_IN_ASKED_TICK)
                              : 0.0f;
    const plan_slowed frame = {.vehicle = &driver->vehicle,
                               .throttle = driver->controls.throttle,
                               .pressed = pressed,
                               .doubt = kerb_abs(moved),
                               .late = late,
                               .speed = f->speed,
                               .lost = lost,
                               .time_step = f->time_step};
    kerb_in_plan_slowing_learn(&driver->memory.slowing, &frame);
}

static void plan_learn_pull(kerb_plan_driver* driver, const driver_frame* f, float pull) {
    const kerb_plan_driver_memory* m = &driver->memory;
    float delay = kerb_max(driver->vehicle.throttle_delay, kerb_in_plan_driver_late(driver));
    float ago = delay + 0.5f * f->time_step;
    bool brakes = driver->controls.brake > 0.0f ||
                  kerb_in_asked_before(&m->brakes, ago + KERB_IN_ASKED_TICK) > 0.0f;
    if (!f->teaches || brakes || f->speed < 2.0f * PLAN_STANDS ||
        (float)f->motion->gear * f->travel <= 0.0f)
        return;
    const plan_pulled frame = {
        .throttle = kerb_in_asked_before(&m->pulls, ago),
        .doubt = kerb_abs(kerb_in_asked_before(&m->pulls, ago - KERB_IN_ASKED_TICK) -
                          kerb_in_asked_before(&m->pulls, ago + KERB_IN_ASKED_TICK)),
        .speed = f->speed,
        .reverse = f->travel < 0.0f,
        .pull = pull,
        .time_step = f->time_step};
    kerb_in_plan_pull_learn(&driver->memory.pull, &driver->vehicle, &frame);
}

void kerb_in_plan_driver_press(kerb_plan_driver* driver, const driver_frame* f,
                               const driver_frame* soon, float target, float known,
                               kerb_controls* controls) {
    const kerb_vehicle* vehicle = &driver->vehicle;
    kerb_pedals_memory* memory = &driver->memory.pedals;
    const kerb_vec2 forward = f->rear.forward;
    const kerb_in_track_frame track = {
        .vehicle = vehicle,
        .motion = f->motion,
        .travel = f->travel,
        .heading = {f->travel * forward.x, f->travel * forward.y, f->climb},
        .speed = f->speed,
        .bend = f->travel * kerb_in_plan_curvature_now(driver, f),
        .grip = 1.0f,
        .climb = f->climb,
        .radius = kerb_vehicle_turning_radius(vehicle),
        .scale = kerb_vehicle_scale(vehicle),
        .time_step = f->time_step};
    kerb_in_pedals_room room = kerb_in_pedals_room_of(&track, 0.0f);
    room.brake = kerb_min(room.brake, braking_for(driver, soon, known));
    const kerb_in_pedals_wish wish = {.speed = target,
                                      .soon = PEDALS_ANY_SPEED,
                                      .knows = true,
                                      .known = known,
                                      .acceleration = PEDALS_ANY_SPEED, // planned already
                                      .deceleration = vehicle->braking_max,
                                      .shares_grip = true,
                                      .room = room,
                                      .rolls = DRIVEN_BACK,
                                      .controls = &driver->controls};
    kerb_in_track_frame then = track;
    then.speed = soon->speed;
    kerb_in_pedals_force force =
        kerb_in_pedals_force_for(memory, &then, &driver->settings.speed_control, &wish);
    driver->decision.acceleration = force.acceleration;
    float resisting = force.resisting, pushed = force.force;
    driver->memory.pushes.now = pushed - resisting;
    // What does not set off creeps no more as soon as its throttle is pressed.
    if (driver->memory.waits > vehicle->throttle_delay + CREEP_ENDS)
        pushed = kerb_max(pushed, pushed - resisting);
    float lost = (driver->memory.speed - f->speed) / f->time_step;
    driver->memory.speed = f->speed;
    plan_learn_slowing(driver, f, lost - resisting);
    plan_learn_pull(driver, f, resisting - lost);
    if (pushed < 0.0f)
        pushed = kerb_in_plan_slowing_told(&driver->memory.slowing, pushed, f->speed);
    kerb_pedals(
        vehicle, pushed,
        kerb_in_plan_pull_capacity(&driver->memory.pull, vehicle, f->speed, f->travel < 0.0f),
        controls);
    kerb_in_pedals_press(memory, &track, &wish, controls);
}
