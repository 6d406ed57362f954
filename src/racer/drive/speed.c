// Purpose: throttle and brake of a racing car.
// Idea:    The way ahead says how fast the car may be where it will be when the pedals act, and how
//          that changes: braking follows it, gaining speed takes all that turning leaves of the
//          driven tyres. A bend driven sharper than planned, because the car is off its way, slows
//          it as a planned one would.
// Cost:    50 ns.
// Source:  Vamos 4; the ellipse instead of eq. 27.
#include "../skill/skill.h"

#include "../../control/shared.h"

#include <math.h>

// How long brakes take to act. [s]
#define BRAKE_DELAY 0.03f
// Rear tyres as stiff as this settle at once; those that hold half of their grip only at as much
// slip as that need time. [rad]
#define STIFF_SLIP 0.025f
#define SOFT_SLIP 0.045f
// Weaker braking is left to the engine. [m/s²]
#define RACER_SPEED_COASTING_BAND 0.2f
// Steering for errors may ask for so much more than the grip before it slows for them. [1]
#define WIDE 1.15f
// … and no more than to so much of the speed planned. [1]
#define WIDE_SLOWEST 0.85f
// However hard it corners, so much of the tyres is left to hold the speed, and to brake. [1]
#define HOLD_SHARE 0.12f
#define BRAKE_SHARE 0.25f
// … when it is alone and slows only because it is off its way. [1]
#define LIFT_SHARE 0.1f
// So near its way it is about to turn as that does; else as it steers. [m]
#define NEAR_LINE 2.0f
// The pedal is learnt between these, going about straight, over this time. [1], [1], [s]
#define LEARN_PEDAL 0.25f
#define LEARN_PEDAL_MOST 0.7f
#define LEARN_ASIDE 0.4f
#define LEARN_SLIP 1.5f
#define SPEED_LEARN_TIME 0.25f
// The engine's pull is learnt over this time, while throttle and clutch are steady and so far in,
// and the tyres hold no more than so much of what they can; between these. [s], [1]
#define PULL_TIME 0.1f
#define PULL_STEADY 0.05f
#define PULL_THROTTLE 0.2f
#define PULL_CLUTCH 0.7f
#define PULL_HELD 0.82f
#define PULL_LEAST 0.4f
#define PULL_MOST 1.3f
#define PULL_SPARE 1.05f
// Where driving is more than so much of what the driven tyres hold, these may be what limits it.
// [1]
#define TYRES_END 0.85f
// Off the track: no faster than this, and grip there is less. [m/s], [1]
#define OFF_TRACK_SPEED 15.0f
#define ALL_GRASS 0.55f
// What turning slows is held to this, however the car slides. [m/s²]
#define TURNING_DRAG_MOST 3.0f
// Slip of the rear, by that of half grip, from which on the pedals are eased, and by how much:
// without brakes a slide only runs wide. [1]
#define REAR_EASE 3.4f
#define THROTTLE_EASE 0.9f
#define BRAKE_EASE 0.3f
// Slip of the front likewise: from its best on, and as far as it goes. [1]
#define FRONT_EASE 4.6f
#define FRONT_EASED 7.0f
#define FRONT_THROTTLE_EASE 0.6f
// Running wide: from so much slip of the front, by that of half grip, to so much; when it turns
// less than it should by up to so much; from so far inside its way to so far outside; and throttle
// is eased by so much. So far out it should turn not only as its way does, but back to it. [1],
// [1], [m], [1], [m]
#define WIDE_SLIP 2.2f
#define WIDE_SLIPS 3.2f
#define WIDE_LACKS 0.03f
#define WIDE_INSIDE (-0.2f)
#define WIDE_OUTSIDE 0.15f
#define WIDE_EASE 0.7f
#define WIDE_TIME 0.18f
#define WIDE_BACK_FROM 0.5f
#define WIDE_BACK_TO 1.0f

// What brakes hold without locking is told from the slowing over this time, down over that time
// while wheels stand and up at this rate in braking that shows no such thing; between these, in
// steps, because each makes it look anew. [s], [s], [1/s], [1]
#define SPEED_HELD_TIME 0.08f
#define SPEED_HOLD_TIME 0.2f
#define HOLD_RISES 0.01f
#define HOLD_LEAST 0.6f
#define SPEED_HOLD_MOST 1.1f
#define HOLD_STEPS 50.0f
// It begins here where wheels are known to lock. [1]
#define HOLD_START 0.92f
// A rear that slides while it is too fast for what comes takes this from the brakes that are
// planned with, up to so much; it comes back slowly. [1/s], [1], [1/s]
#define TAIL_RISES 0.15f
#define TAIL_MOST 0.2f
#define TAIL_FADES 0.0002f
// As sure as this that wheels stand. [1]
#define LOCKED 0.5f

// The speed that the commanded curvature allows, when it is sharper than the line's.
static float steering_speed(const kerb_racer* racer, const racer_frame* frame) {
    int32_t bin = frame->bin;
    float wide = WIDE / kerb_in_racer_skill_spare(racer, frame);
    kerb_profile_point point =
        kerb_in_racer_profile_point(racer, bin, racer->decision.commanded_curvature / wide);
    if (racer->settings.steering == KERB_RACER_POLE ||
        kerb_abs(point.curvature) <= kerb_abs(racer->decision.line_curvature))
        return 1.0e6f;
    float speed = kerb_max(kerb_cornering_speed(&frame->limits, &point), 4.0f);
    return kerb_max(speed, WIDE_SLOWEST *
                               kerb_sqrt(racer_row_at(racer->memory.ahead.squared, frame->spot)));
}

// What may be wanted, and why.
typedef struct speed_wish {
    float speed, acceleration;
    kerb_reason reason;
} speed_wish;

static void racer_speed_limit(speed_wish* wish, float speed, kerb_reason reason) {
    if (speed >= wish->speed)
        return;
    wish->speed = speed;
    wish->acceleration = 0.0f;
    wish->reason = reason;
}

float kerb_in_racer_softness(const kerb_racer* racer) {
    return racer_step(racer->memory.half_slip[1], STIFF_SLIP, SOFT_SLIP);
}

// What it will have lost where the pedals act it need not lose now; but with soft tyres in a bend,
// where they slip far before they hold, it brakes earlier. [m/s] [<= 0]
static float lost_by_then(const kerb_racer* racer, const racer_frame* frame,
                          const racer_place* place, float lead) {
    float aside = kerb_abs(place->curvature) * frame->pace * frame->pace;
    float use = kerb_min(aside / frame->grip_aside, 1.0f);
    return (1.0f - use * kerb_in_racer_softness(racer)) * kerb_min(place->acceleration, 0.0f) *
           lead;
}

static speed_wish wish_for(const kerb_racer* racer, const racer_frame* frame) {
    float lead = BRAKE_DELAY + frame->hold;
    racer_place place =
        racer_place_at(racer, frame->total + (double)(kerb_max(frame->along, 0.0f) * lead));
    float top = frame->limits.speed_max;
    bool free = place.squared >= 0.999f * top * top;
    float by_then = lost_by_then(racer, frame, &place, lead);
    speed_wish wish = {kerb_sqrt(place.squared) - by_then, place.acceleration,
                       free ? KERB_REASON_CRUISE : KERB_REASON_CURVE};
    if (free && top >= racer->performance.speed_max) { // which is not for the driver to hold
        wish.speed = 1.1f * top;
        wish.acceleration = 0.0f;
    }
    racer_speed_limit(&wish, frame->speed_cap, KERB_REASON_SPEED_CAP);
    racer_speed_limit(&wish, steering_speed(racer, frame), KERB_REASON_STEERING);
    // Others may slow down less than the bend asks for, or more: the stronger braking counts.
    float bend = wish.acceleration + wish.speed / racer->settings.speed_time;
    if (frame->traffic_slowing + frame->traffic_speed / racer->settings.speed_time < bend) {
        wish.speed = frame->traffic_speed;
        wish.acceleration = frame->traffic_slowing;
        wish.reason = frame->traffic_reason;
    }
    if (frame->grass < ALL_GRASS)
        racer_speed_limit(&wish, OFF_TRACK_SPEED, KERB_REASON_OFF_TRACK);
    if (frame->past_end)
        racer_speed_limit(&wish, 0.0f, KERB_REASON_ARRIVED);
    return wish;
}

// --------------------------------------------------------------------------- pedals

// The bend where the wheels will have turned, as sharp as it will be for the speed that braking
// leaves until there. [1/m]
static float coming_bend(const kerb_racer* racer, const racer_frame* frame) {
    float ahead = racer->vehicle.steering_delay * frame->pace + frame->reference_to_front_axle;
    float square = kerb_max(frame->pace * frame->pace, 1.0f);
    float lost = kerb_min(2.0f * racer->memory.push * ahead, 0.0f);
    return kerb_abs(racer->decision.line_curvature) * kerb_max(1.0f + lost / square, 0.0f);
}

// What turning leaves of the tyres, were they to hold as much along as aside. [m/s²]
// What is held aside counts `powered` times.
static float tyres_left(const kerb_racer* racer, const racer_frame* frame, float powered,
                        float loss, float least) {
    const kerb_performance* p = &racer->performance;
    int32_t bin = frame->bin;
    float bend = kerb_abs(racer->memory.turning) / kerb_max(frame->pace, 1.0f);
    bool near = kerb_abs(racer->decision.cross_track_error) < NEAR_LINE;
    bend = kerb_max(bend, near ? coming_bend(racer, frame)
                               : kerb_abs(racer->decision.commanded_curvature));
    float swing = kerb_in_racer_swing_at(racer, bin, frame->pace);
    bend = kerb_sqrt(bend * bend + swing * swing);
    bend = racer->decision.line_curvature < 0.0f ? -bend : bend;
    kerb_profile_point point = kerb_in_racer_profile_point(racer, bin, bend);
    point.grip *= frame->grip * frame->grass;
    profile_limits l = profile_limits_of(p, &point);
    float b = profile_square(frame->pace);
    float whole = kerb_max(l.load + l.load_gain * b, 0.1f);
    float most = kerb_min(frame->turning_share, 1.0f);
    float aside = kerb_clamp(powered * (l.aside + l.aside_gain * b) / whole, -most, most);
    float left = kerb_sqrt(1.0f - aside * aside);
    return whole * kerb_max(left * (1.0f - loss + loss * left), least);
}

// The engine in the gear that is in, at full throttle. What was measured ends where the tyres do:
// there an engine that can spin them is known by what it did. [m/s²]
static float engine_drive(const kerb_racer* racer, const racer_frame* frame) {
    const kerb_performance* p = &racer->performance;
    float best = profile_engine(p, profile_engine_steps(p), kerb_max(frame->speed, 0.0f));
    float pulls = best * kerb_in_racer_gear_share(racer, frame);
    if (pulls > TYRES_END * p->accelerating && kerb_in_racer_launches(racer, frame) &&
        racer->settings.slip_control != KERB_RACER_SLIP_OFF)
        pulls = kerb_max(pulls,
                         PULL_SPARE * racer->memory.pulls * kerb_in_racer_gear_pull(racer, frame));
    return kerb_max(pulls, 0.05f);
}

// What the whole throttle does against what power and gears promise, from what it did. Engines give
// less than that at low revs. Near the tyres' limit it says nothing: they may spin.
static void learn_pull(kerb_racer* racer, const racer_frame* frame) {
    const kerb_performance* p = &racer->performance;
    float gained = (frame->speed - racer->memory.speed) / frame->time_step;
    float resists = p->rolling + p->drag * frame->speed * frame->speed;
    float pushed = gained + resists + KERB_GRAVITY * frame->forward.z;
    float share = frame->time_step / (PULL_TIME + frame->time_step);
    racer->memory.pushed += share * (pushed - racer->memory.pushed);
    racer->memory.throttle += share * (racer->controls.throttle - racer->memory.throttle);
    if (!(racer->memory.pulls > 0.0f))
        racer->memory.pulls = PULL_MOST;
    float whole = kerb_in_racer_gear_pull(racer, frame), throttle = racer->memory.throttle;
    float held = racer->memory.pushed / (p->accelerating * frame->grip);
    float aside = kerb_abs(racer->memory.turning) * frame->pace / frame->grip_aside;
    bool steady = kerb_abs(racer->controls.throttle - throttle) < PULL_STEADY &&
                  racer->controls.clutch < PULL_CLUTCH && throttle > PULL_THROTTLE &&
                  racer->memory.since_shift > racer->vehicle.drive_train.shift_time + 0.2f;
    if (!steady || held > PULL_HELD || held < 0.0f || aside > LEARN_ASIDE || whole <= 0.0f)
        return;
    float pulls = kerb_clamp(racer->memory.pushed / (throttle * whole), PULL_LEAST, PULL_MOST);
    racer->memory.pulls += share * (pulls - racer->memory.pulls);
}

// What turning itself slows: the front wheels push aside, and so partly back. [m/s²]
static float turning_drag(const kerb_racer* racer, const racer_frame* frame) {
    const kerb_vehicle* v = &racer->vehicle;
    float aside = racer->memory.turning * frame->pace + KERB_GRAVITY * frame->here.up_left;
    float drag = aside * kerb_sin(frame->wheels) * v->reference_to_rear_axle / v->wheelbase -
                 frame->yaw_rate * frame->side;
    return kerb_clamp(drag, 0.0f, TURNING_DRAG_MOST) * racer_step(frame->speed, 3.0f, 8.0f);
}

// Wheels that slip aside, or stand, say little of the brakes.
static bool slips_aside(const kerb_racer* racer) {
    const kerb_racer_decision* t = &racer->decision;
    return kerb_abs(t->slip_front) > LEARN_SLIP * racer_half_slip(racer, 0) ||
           kerb_abs(t->slip_rear) > LEARN_SLIP * racer_half_slip(racer, 1);
}

// What the whole pedal does, from what it did: brakes may be stronger than the tyres, and then
// braking_max says nothing of the pedal.
static void learn_brakes(kerb_racer* racer, const racer_frame* frame) {
    const kerb_performance* p = &racer->performance;
    float slowed = (racer->memory.speed - frame->speed) / frame->time_step;
    racer->memory.speed = frame->speed;
    if (!(racer->memory.brakes > 0.0f))
        racer->memory.brakes = kerb_max(racer->vehicle.braking_max, 0.1f);
    float pedal = racer->controls.brake;
    float aside = kerb_abs(racer->memory.turning) * frame->pace / frame->grip_aside;
    if (pedal < LEARN_PEDAL || frame->speed < 5.0f || aside > LEARN_ASIDE ||
        racer->memory.slide > 0.02f || racer->decision.off_track || slips_aside(racer))
        return;
    float resists = p->rolling + p->drag * frame->speed * frame->speed;
    float whole = (slowed - resists - KERB_GRAVITY * frame->forward.z) / pedal;
    float known = racer->vehicle.braking_max;
    whole = kerb_clamp(whole, 0.5f * known, 4.0f * known);
    // Pressed further the tyres may hold less than the brakes would.
    if (pedal > LEARN_PEDAL_MOST && whole < racer->memory.brakes)
        return;
    // Wheels that stand say nothing of the brakes, nor do those that are just slowing down.
    if (kerb_in_racer_may_lock(racer) &&
        (racer->memory.locked > 0.1f || kerb_abs(pedal - racer->memory.pressed) > 0.1f * pedal))
        return;
    float share = frame->time_step / (SPEED_LEARN_TIME + frame->time_step);
    racer->memory.brakes += share * (whole - racer->memory.brakes);
}

float kerb_in_racer_brakes_hold(const kerb_racer* racer) {
    float hold = racer->memory.hold > 0.0f ? racer->memory.hold : 1.0f;
    return kerb_min(floorf(hold * HOLD_STEPS) / HOLD_STEPS, 1.0f);
}

// Wheels that are told, or are first felt to stand: from then on they may.
static void begin_brakes(kerb_racer* racer, const racer_frame* frame) {
    bool told = frame->motion->wheel_slip != 0.0f && !racer->memory.locks;
    bool felt = !kerb_in_racer_may_lock(racer) && !told && racer->memory.locked > LOCKED;
    if (!(racer->memory.hold > 0.0f))
        racer->memory.hold = kerb_in_racer_may_lock(racer) ? HOLD_START : SPEED_HOLD_MOST;
    if (told || felt)
        racer->memory.hold = HOLD_START;
    racer->memory.locks = racer->memory.locks || told;
    racer->memory.stood = racer->memory.stood || felt;
}

static void feel_brakes(kerb_racer* racer, const racer_frame* frame) {
    const kerb_performance* p = &racer->performance;
    float slowed = (racer->memory.speed - frame->speed) / frame->time_step;
    float resists = p->rolling + p->drag * frame->speed * frame->speed;
    float held = slowed - resists - KERB_GRAVITY * frame->forward.z;
    float share = frame->time_step / (SPEED_HELD_TIME + frame->time_step);
    racer->memory.held += share * (held - racer->memory.held);
    racer->memory.pressed += share * (racer->controls.brake - racer->memory.pressed);
}

// Where wheels have locked the pedal asked for more than tyres hold. What they held then is what is
// planned with from then on; braking that shows nothing of it lets that rise again. Wheels that are
// not told show it as the car turns in; on the straight before, the slowing alone says too little,
// but what is learnt here keeps them from it the next time. With anti-lock brakes no car has been
// seen to turn as little as this asks for.
static void watch_lock(kerb_racer* racer, const racer_frame* frame) {
    begin_brakes(racer, frame);
    if (!kerb_in_racer_may_lock(racer))
        return;
    feel_brakes(racer, frame);
    float *hold = &racer->memory.hold, dt = frame->time_step;
    float aside = kerb_abs(racer->memory.turning) * frame->pace / frame->grip_aside;
    if (aside > LEARN_ASIDE || frame->speed < 6.0f || racer->memory.pressed < LEARN_PEDAL)
        return;
    if (racer->memory.locked > LOCKED) {
        const kerb_performance* p = &racer->performance;
        float whole = p->braking * frame->grip_aside / kerb_max(p->lateral, 0.1f);
        float held = kerb_clamp(racer->memory.held / kerb_max(whole, 0.1f), HOLD_LEAST, *hold);
        *hold += kerb_min(dt / SPEED_HOLD_TIME, 1.0f) * (held - *hold);
    } else {
        *hold = kerb_min(*hold + HOLD_RISES * dt, SPEED_HOLD_MOST);
    }
}

// A rear that comes round while it is still too fast had too much of the brakes.
static void watch_tail(kerb_racer* racer, const racer_frame* frame, float slides) {
    float *tail = &racer->memory.tail, dt = frame->time_step;
    bool late = frame->turning_share < 1.0f && !racer->decision.off_track &&
                racer->memory.phase == KERB_RACER_DRIVING && racer->memory.traffic.known_count == 0;
    if (late)
        *tail += TAIL_RISES * slides * dt;
    *tail = kerb_clamp(*tail - TAIL_FADES * dt, 0.0f, TAIL_MOST);
}

float kerb_in_racer_brakes_steady(const kerb_racer* racer) {
    return 1.0f - floorf(racer->memory.tail * HOLD_STEPS) / HOLD_STEPS;
}

// Pedals for a push of the tyres along the car; brakes may always have so much of them.
static void press(kerb_racer* racer, const racer_frame* frame, float push, float least,
                  kerb_controls* controls) {
    const kerb_performance* p = &racer->performance;
    float drag = turning_drag(racer, frame), engine = engine_drive(racer, frame);
    controls->throttle = controls->brake = 0.0f;
    float left = push > 0.0f
                     ? tyres_left(racer, frame, profile_powered(p), p->driving_loss, HOLD_SHARE)
                     : tyres_left(racer, frame, 1.0f, p->braking_loss, least);
    float most = (push > 0.0f ? p->accelerating : p->braking) / p->lateral * left;
    float pedal = kerb_clamp(push, -most, most) + drag;
    if (pedal > 0.0f)
        controls->throttle = kerb_min(pedal / engine, 1.0f);
    else if (pedal < -RACER_SPEED_COASTING_BAND)
        controls->brake =
            kerb_min((-pedal - RACER_SPEED_COASTING_BAND) / racer->memory.brakes, 1.0f);
    racer->memory.push = kerb_min(pedal, engine);
}

// Drive does not turn a car whose front tyres slip far beyond their best: it may be what they slip
// by, where nobody tells of the wheels and another axle keeps the engine from telling. [0 … 1]
static float front_slides(const kerb_racer* racer, const racer_frame* frame) {
    float half = racer_half_slip(racer, 0);
    float slides =
        racer_step(kerb_abs(racer->decision.slip_front), FRONT_EASE * half, FRONT_EASED * half);
    return slides * racer_slips(racer) * racer_step(frame->speed, 4.0f, 8.0f);
}

// Alone and merely off its way in a bend it lifts: brakes would bring the rear round.
static float least_brakes(const kerb_racer* racer, const speed_wish* wish) {
    if (wish->reason != KERB_REASON_STEERING || racer->memory.traffic.known_count > 0)
        return BRAKE_SHARE;
    return BRAKE_SHARE - racer_slips(racer) * (BRAKE_SHARE - LIFT_SHARE);
}

// A front that gives all it has, and turns the car less than it should: drive, which takes load off
// it, would only carry the car farther out. [0 … 1]
static float runs_wide(const kerb_racer* racer, const racer_frame* frame) {
    float way = racer->decision.line_curvature, side = way < 0.0f ? -1.0f : 1.0f;
    float slip = side * racer->decision.slip_front / racer_half_slip(racer, 0);
    float out = -side * racer->decision.cross_track_error;
    float back = racer_step(out, WIDE_BACK_FROM, WIDE_BACK_TO);
    float should =
        kerb_abs(way) + back * (side * racer->decision.commanded_curvature - kerb_abs(way));
    float lacks = should - side * racer->memory.turning / kerb_max(frame->pace, 1.0f);
    return racer_slips(racer) * racer_step(slip, WIDE_SLIP, WIDE_SLIPS) *
           racer_step(lacks, 0.0f, WIDE_LACKS * kerb_max(should, 1.0e-4f)) *
           racer_step(out, WIDE_INSIDE, WIDE_OUTSIDE);
}

// The same over a moment: a foot that comes and goes in each frame would throw the car about.
static float watch_wide(kerb_racer* racer, const racer_frame* frame) {
    float share = frame->time_step / (WIDE_TIME + frame->time_step);
    racer->memory.wide += share * (runs_wide(racer, frame) - racer->memory.wide);
    return racer->memory.wide;
}

void kerb_in_racer_pedals(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls) {
    const kerb_performance* p = &racer->performance;
    learn_pull(racer, frame);
    watch_lock(racer, frame);
    learn_brakes(racer, frame);
    speed_wish wish = wish_for(racer, frame);
    float wanted = wish.acceleration + (wish.speed - frame->speed) / racer->settings.speed_time;
    racer->decision.target_speed = wish.speed;
    racer->decision.acceleration = wanted;
    float climb = KERB_GRAVITY * frame->forward.z;
    float resists = p->rolling + p->drag * frame->speed * frame->speed + climb;
    press(racer, frame, wanted + resists, least_brakes(racer, &wish), controls);
    controls->reason = wish.reason;
    if (wish.reason == KERB_REASON_ARRIVED)
        controls->brake = kerb_max(controls->brake, frame->speed < 1.0f ? 1.0f : 0.0f);
    // Neither drive nor braking brings a sliding rear back: less of both, the more it slides.
    float half = racer_half_slip(racer, 1);
    float slides = kerb_smooth_step(kerb_abs(racer->decision.slip_rear), REAR_EASE * half,
                                    racer->settings.rear_slip_max * half);
    slides *= racer_slips(racer) * racer_step(frame->speed, 4.0f, 8.0f);
    controls->throttle *= 1.0f - THROTTLE_EASE * slides;
    controls->throttle *= 1.0f - FRONT_THROTTLE_EASE * front_slides(racer, frame);
    controls->throttle *= 1.0f - WIDE_EASE * watch_wide(racer, frame);
    controls->brake *= 1.0f - BRAKE_EASE * slides;
    if (slides > 0.5f)
        controls->reason = KERB_REASON_SLIDING;
    watch_tail(racer, frame, slides);
}
