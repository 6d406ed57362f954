// Purpose: throttle and brake of a racing car.
// Idea:    The speeds ahead say how fast the car may be at the place where the pedals act, and how
//          that speed changes. Braking follows that change. Acceleration uses all the grip that
//          turning leaves to the driven tyres. A bend driven sharper than planned, because the car
//          is off its path, slows the car as a planned one would.
// Cost:    O(1).
// Source:  Vamos 4; the friction ellipse instead of eq. 27.
#include "../skill/skill.h"

#include "../../control/shared.h"

#include <math.h>

// How long brakes take to act. [s]
#define BRAKE_DELAY 0.03f
// Rear tyres with this slip angle at half grip respond at once; those with SOFT_SLIP need time.
// [rad]
#define STIFF_SLIP 0.025f
#define SOFT_SLIP 0.045f
// Weaker braking than this is left to the engine. [m/s²]
#define RACER_SPEED_COASTING_BAND 0.2f
// Steering for errors may ask for this multiple of the grip before the car slows down for it … [1]
#define WIDE 1.15f
// … to this share of the planned speed at least. [1]
#define WIDE_SLOWEST 0.85f
// In any corner, these shares of the tyres are left to hold the speed, and to brake. [1]
#define HOLD_SHARE 0.12f
#define BRAKE_SHARE 0.25f
// The share for braking when the car is alone and slows down only because it is off its path. [1]
#define LIFT_SHARE 0.1f
// Nearer to its path than this, the car is about to turn as the path does; farther, as it steers.
// [m]
#define NEAR_LINE 2.0f
// The effect of the brake pedal is learned above LEARN_PEDAL, near straight running and with little
// slip; above LEARN_PEDAL_MOST it only rises. Averaging time. [1], [1], [1], [1], [s]
#define LEARN_PEDAL 0.25f
#define LEARN_PEDAL_MOST 0.7f
#define LEARN_ASIDE 0.4f
#define LEARN_SLIP 1.5f
#define SPEED_LEARN_TIME 0.25f
// The engine's pull is learned over this time, while throttle and clutch are steady and engaged
// enough, and the tyres are not near their limit; bounds of the result. [s], [1]
#define PULL_TIME 0.1f
#define PULL_STEADY 0.05f
#define PULL_THROTTLE 0.2f
#define PULL_CLUTCH 0.7f
#define PULL_HELD 0.82f
#define PULL_LEAST 0.4f
#define PULL_MOST 1.3f
#define PULL_SPARE 1.05f
// If driving needs more than this share of what the driven tyres hold, the tyres may be the limit.
// [1]
#define TYRES_END 0.85f
// Off the track: greatest speed, and share of the grip below which that holds. [m/s], [1]
#define OFF_TRACK_SPEED 15.0f
#define ALL_GRASS 0.55f
// Greatest deceleration by turning that is believed, however the car slides. [m/s²]
#define TURNING_DRAG_MOST 3.0f
// Slip of the rear, over that at half grip, from which the pedals are eased, and how far: without
// brakes a slide only runs wide. [1]
#define REAR_EASE 3.4f
#define THROTTLE_EASE 0.9f
#define BRAKE_EASE 0.3f
// The same for the front: from RACER_PEAK_SLIP on, and fully at FRONT_EASED. [1]
#define FRONT_EASED 7.0f
#define FRONT_THROTTLE_EASE 0.6f
// The car runs wide when the front's slip, over that at half grip, is between the first two values,
// when it turns less than it should by up to LACKS, and when it is between INSIDE and OUTSIDE of
// its path. Then the throttle is eased by EASE, over TIME. Between BACK_FROM and BACK_TO outside,
// it should turn not only as its path does, but back to it. [1], [1], [m], [1], [s], [m]
#define WIDE_SLIP 2.2f
#define WIDE_SLIPS 3.2f
#define WIDE_LACKS 0.03f
#define WIDE_INSIDE (-0.2f)
#define WIDE_OUTSIDE 0.15f
#define WIDE_EASE 0.7f
#define WIDE_TIME 0.18f
#define WIDE_BACK_FROM 0.5f
#define WIDE_BACK_TO 1.0f

// Off the track, up to SINK_SLOW and fading until SINK_FAST, throttle is added at this rate for
// what the car does not gain: it is out of sand 7 % sooner. [m/s], [1/s]
#define SINK_SLOW 3.0f
#define SINK_FAST 8.0f
#define SINK_RATE 2.0f
// Share of the brakes that does not lock the wheels: the deceleration is averaged over HELD_TIME;
// the share falls over HOLD_TIME while wheels are locked and rises at HOLD_RISES while the car
// brakes without that; bounds, and number of steps, because each step makes the car compute the
// speeds ahead again. [s], [s], [1/s], [1]
#define SPEED_HELD_TIME 0.08f
#define SPEED_HOLD_TIME 0.2f
#define HOLD_RISES 0.01f
#define HOLD_LEAST 0.6f
#define SPEED_HOLD_MOST 1.1f
#define HOLD_STEPS 50.0f
// First value of that share where wheels are known to lock. [1]
#define HOLD_START 0.92f
// A rear that slides while the car is too fast removes brakes from planning at this rate, up to
// MOST; they come back slowly. [1/s], [1], [1/s]
#define TAIL_RISES 0.15f
#define TAIL_MOST 0.2f
#define TAIL_FADES 0.0002f
// Confidence from which wheels count as locked. [1]
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
    float speed = kerb_max(kerb_cornering_speed(&frame->limits, &point), racer_speed(racer, 4.0f));
    return kerb_max(speed, WIDE_SLOWEST *
                               kerb_sqrt(racer_row_at(racer->memory.ahead.squared, frame->spot)));
}

// The desired speed and acceleration, and the reason.
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

// Speed that is lost anyway until the pedals act need not be lost now. But in a bend with soft
// tyres, which slip far before they hold, the car brakes earlier. [m/s] [<= 0]
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
    if (free && top >= racer->memory.car.speed_max) { // the car's own limit, not the driver's
        wish.speed = 1.1f * top;
        wish.acceleration = 0.0f;
    }
    racer_speed_limit(&wish, frame->speed_cap, KERB_REASON_SPEED_CAP);
    racer_speed_limit(&wish, steering_speed(racer, frame), KERB_REASON_STEERING);
    // Of braking for the bend and braking for other cars, the stronger one counts.
    float bend = wish.acceleration + wish.speed / racer_time(racer, racer->settings.speed_time);
    if (frame->traffic_slowing +
            frame->traffic_speed / racer_time(racer, racer->settings.speed_time) <
        bend) {
        wish.speed = frame->traffic_speed;
        wish.acceleration = frame->traffic_slowing;
        wish.reason = frame->traffic_reason;
    }
    if (frame->grass < ALL_GRASS)
        racer_speed_limit(&wish, racer_speed(racer, OFF_TRACK_SPEED), KERB_REASON_OFF_TRACK);
    if (frame->past_end)
        racer_speed_limit(&wish, 0.0f, KERB_REASON_ARRIVED);
    return wish;
}

// --------------------------------------------------------------------------- pedals

// The bend where the wheels will have turned, as sharp as it will be for the speed that braking
// leaves until there. [1/m]
static float coming_bend(const kerb_racer* racer, const racer_frame* frame) {
    float ahead = kerb_in_racer_lag(racer) * frame->pace + frame->reference_to_front_axle;
    float square = kerb_max(frame->pace * frame->pace, 1.0f);
    float lost = kerb_min(2.0f * racer->memory.push * ahead, 0.0f);
    return kerb_abs(racer->decision.line_curvature) * kerb_max(1.0f + lost / square, 0.0f);
}

// What turning leaves of the tyres' grip, in units of lateral grip. Lateral force counts `powered`
// times. [m/s²]
static float tyres_left(const kerb_racer* racer, const racer_frame* frame, float powered,
                        float loss, float least) {
    const kerb_performance* p = &racer->memory.car;
    int32_t bin = frame->bin;
    float bend = kerb_abs(racer->memory.turning) / kerb_max(frame->pace, 1.0f);
    bool near = kerb_abs(racer->decision.cross_track_error) < racer_metres(racer, NEAR_LINE);
    bend = kerb_max(bend, near ? coming_bend(racer, frame)
                               : kerb_abs(racer->decision.commanded_curvature));
    float swing = kerb_in_racer_swing_at(racer, bin, frame->pace);
    bend = kerb_sqrt(bend * bend + swing * swing);
    bend = racer->decision.line_curvature < 0.0f ? -bend : bend;
    kerb_profile_point point = kerb_in_racer_profile_point(racer, bin, bend);
    point.grip *= frame->grip * frame->grass;
    profile_limits l = kerb_in_profile_limits_of(p, &point);
    float b = kerb_in_profile_square(frame->pace);
    float whole = kerb_max(l.load + l.load_gain * b, 0.1f);
    float most = kerb_min(frame->turning_share, 1.0f);
    float aside = kerb_clamp(powered * (l.aside + l.aside_gain * b) / whole, -most, most);
    float left = kerb_sqrt(1.0f - aside * aside);
    return whole * kerb_max(left * (1.0f - loss + loss * left), least);
}

// Acceleration by the engine in the present gear at full throttle. Measurements end at the limit of
// the tyres: beyond it, an engine that can spin them is known by the learned pull. [m/s²]
static float engine_drive(const kerb_racer* racer, const racer_frame* frame) {
    const kerb_performance* p = &racer->memory.car;
    float best =
        kerb_in_profile_engine(p, kerb_in_profile_engine_steps(p), kerb_max(frame->speed, 0.0f));
    float pulls = best * kerb_in_racer_gear_share(racer, frame);
    if (pulls > TYRES_END * p->accelerating && kerb_in_racer_launches(racer, frame) &&
        racer->settings.slip_control != KERB_RACER_SLIP_OFF)
        pulls = kerb_max(pulls,
                         PULL_SPARE * racer->memory.pulls * kerb_in_racer_gear_pull(racer, frame));
    return kerb_max(pulls, 0.05f);
}

// Learns the effect of full throttle, relative to what power and gears promise. Engines give less
// at low revs. Near the tyres' limit the measurement says nothing: they may spin.
static void learn_pull(kerb_racer* racer, const racer_frame* frame) {
    const kerb_performance* p = &racer->memory.car;
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

// Deceleration by turning itself: the front wheels push sideways, and so partly backwards. [m/s²]
static float turning_drag(const kerb_racer* racer, const racer_frame* frame) {
    const kerb_vehicle* v = &racer->vehicle;
    float aside = racer->memory.turning * frame->pace + KERB_GRAVITY * frame->here.up_left;
    float drag = aside * kerb_sin(frame->wheels) * v->reference_to_rear_axle / v->wheelbase -
                 frame->yaw_rate * frame->side;
    return kerb_clamp(drag, 0.0f, TURNING_DRAG_MOST) *
           racer_step_speed(racer, frame->speed, 3.0f, 8.0f);
}

// Wheels that slip sideways, or are locked, say little about the brakes.
static bool slips_aside(const kerb_racer* racer) {
    const kerb_racer_decision* t = &racer->decision;
    return kerb_abs(t->slip_front) > LEARN_SLIP * racer_half_slip(racer, 0) ||
           kerb_abs(t->slip_rear) > LEARN_SLIP * racer_half_slip(racer, 1);
}

// Learns the effect of the full pedal. Brakes may be stronger than the tyres; then braking_max says
// nothing about the pedal.
static void learn_brakes(kerb_racer* racer, const racer_frame* frame) {
    const kerb_performance* p = &racer->memory.car;
    float slowed = (racer->memory.speed - frame->speed) / frame->time_step;
    racer->memory.speed = frame->speed;
    if (!(racer->memory.brakes > 0.0f))
        racer->memory.brakes = kerb_max(racer->vehicle.braking_max, 0.1f);
    float pedal = racer->controls.brake;
    float aside = kerb_abs(racer->memory.turning) * frame->pace / frame->grip_aside;
    if (pedal < LEARN_PEDAL || frame->speed < racer_speed(racer, 5.0f) || aside > LEARN_ASIDE ||
        racer->memory.slide > 0.02f || racer->decision.off_track || slips_aside(racer))
        return;
    float resists = p->rolling + p->drag * frame->speed * frame->speed;
    float whole = (slowed - resists - KERB_GRAVITY * frame->forward.z) / pedal;
    float known = racer->vehicle.braking_max;
    whole = kerb_clamp(whole, 0.5f * known, 4.0f * known);
    // Pressed further the tyres may hold less than the brakes would.
    if (pedal > LEARN_PEDAL_MOST && whole < racer->memory.brakes)
        return;
    // Locked wheels say nothing about the brakes, nor do wheels whose speed is still falling.
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

// From the first report of wheel slip, or the first detected locked wheel, on, wheels may lock.
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
    const kerb_performance* p = &racer->memory.car;
    float slowed = (racer->memory.speed - frame->speed) / frame->time_step;
    float resists = p->rolling + p->drag * frame->speed * frame->speed;
    float held = slowed - resists - KERB_GRAVITY * frame->forward.z;
    float share = frame->time_step / (SPEED_HELD_TIME + frame->time_step);
    racer->memory.held += share * (held - racer->memory.held);
    racer->memory.pressed += share * (racer->controls.brake - racer->memory.pressed);
}

// A locked wheel means that the pedal asked for more than the tyres hold. The force measured then
// is planned with from then on; braking without locked wheels lets it rise again. Without a report
// of wheel slip, locked wheels are detected when the car turns in. On the straight before, the
// deceleration alone says too little, but what is learned here prevents it the next time. With
// anti-lock brakes no car was seen to turn so little that this reacts.
static void watch_lock(kerb_racer* racer, const racer_frame* frame) {
    begin_brakes(racer, frame);
    if (!kerb_in_racer_may_lock(racer))
        return;
    feel_brakes(racer, frame);
    float *hold = &racer->memory.hold, dt = frame->time_step;
    float aside = kerb_abs(racer->memory.turning) * frame->pace / frame->grip_aside;
    if (aside > LEARN_ASIDE || frame->speed < racer_speed(racer, 6.0f) ||
        racer->memory.pressed < LEARN_PEDAL)
        return;
    if (racer->memory.locked > LOCKED) {
        const kerb_performance* p = &racer->memory.car;
        float whole = p->braking * frame->grip_aside / kerb_max(p->lateral, 0.1f);
        float held = kerb_clamp(racer->memory.held / kerb_max(whole, 0.1f), HOLD_LEAST, *hold);
        *hold += kerb_min(dt / SPEED_HOLD_TIME, 1.0f) * (held - *hold);
    } else {
        *hold = kerb_min(*hold + HOLD_RISES * dt, SPEED_HOLD_MOST);
    }
}

// A rear that slides while the car is still too fast had too much braking.
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

// Pedals for a desired acceleration by the tyres along the car. `least`: share of the tyres that
// brakes may always use.
//
// Off the track the ground may resist, as sand does, by as much as low revs of the engine give:
// `sinks` comes on top of what the tyres are believed to hold.
static void press(kerb_racer* racer, const racer_frame* frame, float push, float least,
                  kerb_controls* controls) {
    const kerb_performance* p = &racer->memory.car;
    float drag = turning_drag(racer, frame), engine = engine_drive(racer, frame);
    controls->throttle = controls->brake = 0.0f;
    float left = push > 0.0f ? tyres_left(racer, frame, kerb_in_profile_powered(p), p->driving_loss,
                                          HOLD_SHARE)
                             : tyres_left(racer, frame, 1.0f, p->braking_loss, least);
    float most = (push > 0.0f ? p->accelerating : p->braking) / p->lateral * left;
    push = kerb_clamp(push, -most, most);
    float pedal = push + drag;
    racer->memory.asked = kerb_min(push, engine);
    pedal += push > 0.0f ? racer->memory.sinks : 0.0f;
    if (pedal > 0.0f)
        controls->throttle = kerb_min(pedal / engine, 1.0f);
    else if (pedal < -RACER_SPEED_COASTING_BAND)
        controls->brake =
            kerb_min((-pedal - RACER_SPEED_COASTING_BAND) / racer->memory.brakes, 1.0f);
    racer->memory.push = kerb_min(pedal, engine);
}

// Resistance of the ground off the track, by what the pedals should have given and did not: at low
// speed, where a car that spins its wheels does not slide. [m/s²]
static void watch_ground(kerb_racer* racer, const racer_frame* frame, float gained, float resists) {
    bool drives = racer->decision.off_track && racer->memory.phase == KERB_RACER_DRIVING &&
                  frame->motion->gear > 0 && racer->controls.throttle > 0.0f && !frame->elsewhere;
    float slow = 1.0f - racer_step_speed(racer, frame->speed, SINK_SLOW, SINK_FAST);
    float lacks = racer->memory.asked - resists - gained;
    float sinks = racer->memory.sinks + SINK_RATE * frame->time_step * lacks;
    sinks = kerb_clamp(sinks, 0.0f, slow * racer->memory.car.accelerating);
    racer->memory.sinks = drives ? sinks : 0.0f;
}

// Drive does not help a car whose front tyres slip far beyond their peak. Perhaps drive causes that
// slip: nobody reports it where the host gives no wheel slip and the engine drives the other axle.
// [0 … 1]
static float front_slides(const kerb_racer* racer, const racer_frame* frame) {
    float half = racer_half_slip(racer, 0);
    float slides = racer_step(kerb_abs(racer->decision.slip_front), RACER_PEAK_SLIP * half,
                              FRONT_EASED * half);
    return slides * racer_slips(racer) * racer_step_speed(racer, frame->speed, 4.0f, 8.0f);
}

// Alone, and merely off its path in a bend, it lifts off the throttle: brakes would make the rear
// slide.
static float least_brakes(const kerb_racer* racer, const speed_wish* wish) {
    if (wish->reason != KERB_REASON_STEERING || racer->memory.traffic.known_count > 0)
        return BRAKE_SHARE;
    return BRAKE_SHARE - racer_slips(racer) * (BRAKE_SHARE - LIFT_SHARE);
}

// A front at its limit that turns the car less than it should: drive takes load off the front and
// would only carry the car farther out. [0 … 1]
static float runs_wide(const kerb_racer* racer, const racer_frame* frame) {
    float way = racer->decision.line_curvature, side = way < 0.0f ? -1.0f : 1.0f;
    float slip = side * racer->decision.slip_front / racer_half_slip(racer, 0);
    float out = -side * racer->decision.cross_track_error;
    out /= racer->memory.scale;
    float back = racer_step(out, WIDE_BACK_FROM, WIDE_BACK_TO);
    float should =
        kerb_abs(way) + back * (side * racer->decision.commanded_curvature - kerb_abs(way));
    float lacks = should - side * racer->memory.turning / kerb_max(frame->pace, 1.0f);
    return racer_slips(racer) * racer_step_speed(racer, frame->speed, 4.0f, 8.0f) *
           racer_step(slip, WIDE_SLIP, WIDE_SLIPS) *
           racer_step(lacks, 0.0f, WIDE_LACKS * kerb_max(should, 1.0e-4f)) *
           racer_step(out, WIDE_INSIDE, WIDE_OUTSIDE);
}

// runs_wide, smoothed: throttle that comes and goes in each frame would disturb the car.
static float watch_wide(kerb_racer* racer, const racer_frame* frame) {
    float share = frame->time_step / (WIDE_TIME + frame->time_step);
    racer->memory.wide += share * (runs_wide(racer, frame) - racer->memory.wide);
    return racer->memory.wide;
}

void kerb_in_racer_pedals(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls) {
    const kerb_performance* p = &racer->memory.car;
    float gained = (frame->speed - racer->memory.speed) / frame->time_step;
    learn_pull(racer, frame);
    watch_lock(racer, frame);
    learn_brakes(racer, frame);
    speed_wish wish = wish_for(racer, frame);
    float wanted = wish.acceleration +
                   (wish.speed - frame->speed) / racer_time(racer, racer->settings.speed_time);
    racer->decision.target_speed = wish.speed;
    racer->decision.acceleration = wanted;
    float climb = KERB_GRAVITY * frame->forward.z;
    float resists = p->rolling + p->drag * frame->speed * frame->speed + climb;
    watch_ground(racer, frame, gained, resists);
    press(racer, frame, wanted + resists, least_brakes(racer, &wish), controls);
    controls->reason =
        kerb_in_pace_reason(wish.reason, frame->speed, wish.speed, racer->vehicle.acceleration_max,
                            racer_time(racer, racer->settings.speed_time));
    if (wish.reason == KERB_REASON_ARRIVED)
        controls->brake =
            kerb_max(controls->brake, frame->speed < racer_speed(racer, 1.0f) ? 1.0f : 0.0f);
    // Neither drive nor braking brings a sliding rear back: less of both, the more it slides.
    float half = racer_half_slip(racer, 1);
    float slides = kerb_smooth_step(kerb_abs(racer->decision.slip_rear), REAR_EASE * half,
                                    racer->settings.rear_slip_max * half);
    slides *= racer_slips(racer) * racer_step_speed(racer, frame->speed, 4.0f, 8.0f);
    controls->throttle *= 1.0f - THROTTLE_EASE * slides;
    controls->throttle *= 1.0f - FRONT_THROTTLE_EASE * front_slides(racer, frame);
    controls->throttle *= 1.0f - WIDE_EASE * watch_wide(racer, frame);
    controls->brake *= 1.0f - BRAKE_EASE * slides;
    if (slides > 0.5f)
        controls->reason = KERB_REASON_SLIDING;
    watch_tail(racer, frame, slides);
}
