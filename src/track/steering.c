// Purpose: what a steering law must know of its vehicle.
// Idea:    A command acts after a delay. Where the vehicle will be then follows from what was asked
//          meanwhile, so the law sees no delay (Smith's predictor). It goes by what was asked
//          and not by what is measured: a measured yaw rate or course that follows the wheels at
//          once would be fed back within one frame.
//          What the vehicle steers beside what was asked is one number, a share of the lock: bent
//          wheels, a bank, a gain that is not known yet. An observer integrates it slowly, and the
//          command takes it away. How the slip angle of the body grows with the lateral
//          acceleration, and which axle follows, is a linear regression.
//          Delay and gain come from the estimate, each with its standard deviation. The less is
//          known of the delay, the more slowly errors fade: that is the phase margin.
//          The constants were chosen on hosts of the family, seeds 71000 to 71299, and on the
//          vehicles of sim/; figures are reported of seeds 60000 to 60499.
// Cost:    O(ticks of the delay) a frame.
// Source:  Smith, "Closer control of loops with dead time" (1957); Ohnishi's disturbance observer.
#include "shared.h"

#include "kerb/control.h"

#include "../base/shared.h"

#include <string.h>

// Delay to which the ring reaches. [s]
#define TRACK_DELAY_MOST 0.75f
// Slip angle of usual tyres at the limit of their grip, as if it grew linearly. [rad]
#define TRACK_SLIP_FULL 0.032f
// What is known of the axle and the slip at first: standard deviations, as shares of the wheelbase
// (some vehicles steer with the rear wheels) and of the slip. [1]
#define TRACK_AXLE_DOUBT 0.3f
#define TRACK_SLIP_DOUBT 0.8f
// Of ten vehicles that are told to steer in front one steers behind: twice the logarithm.
#define TRACK_STEERS_ODDS 4.4f
// A second of slip angles tells as much as one that is off by this. [rad]
#define TRACK_ANGLE_NOISE 0.015f
#define TRACK_LEAD_FADE 30.0f // as the estimate's [s]
// Time constants: of the crab angle, which must be slower than a change of lane, and of the
// observer beside the delay. [s]
#define TRACK_CRAB_TIME 1.5f
#define TRACK_OFF_TIME 0.7f
#define TRACK_OFF_PER_DELAY 4.0f // an integrator with a delay settles without swinging from e on
// Lateral acceleration up to which a vehicle does what it is asked. Bends are planned with 0.8, and
// with less than that nothing would be learned in them. [share of the grip]
#define TRACK_LINEAR 0.92f
// Slower than this, of a car, motion says too little. [m/s]
#define TRACK_SPEED_LEAST 1.0f
// Over which it looks whether the steering moves [ticks], the delay that is never known better [s],
// and the error of the steering that counts half. [lock]
#define TRACK_MOVES_TICKS 16
#define TRACK_LATE_LEAST 0.1f
#define TRACK_STILL 0.03f
// What the observer may take away: three times the trim that hosts have. [lock]
#define TRACK_OFF_MOST 0.3f
// A command at which curvature is in proportion to it. [lock]
#define TRACK_SMALL 0.1f
// Standard deviation of a delay that was told, and of one that was not. [s]
#define TRACK_DOUBT_TOLD 0.04f
#define TRACK_DOUBT_UNTOLD 0.12f
// Time in which errors fade, at least: in delays, in standard deviations of them, and in frames.
// The loop crosses 1 at 4.1 over this time, where the law leaves 76° of phase. A delay of 1.2
// deviations that the predictor does not know takes 56° of them. A frame is held for its length: in
// fewer than four a correction would be answered before it is seen.
#define TRACK_RESPONSE_PER_DELAY 1.0f
#define TRACK_RESPONSE_PER_DOUBT 5.0f
#define TRACK_RESPONSE_PER_STEP 4.0f
// What it believes of the gain, and its inverse: beyond, the description is another vehicle's. [1]
#define TRACK_GAIN_MOST 2.0f
// The estimate's first doubt of it.
#define TRACK_DOUBT_GAIN 0.35f
// Rates at which what is known comes to be used, so that a fit does not move the wheels at once:
// delay [1], gain [1/s].
#define TRACK_DELAY_SLEW 0.1f
#define TRACK_GAIN_SLEW 0.1f

static float track_slip_of(const kerb_vehicle* vehicle) {
    return TRACK_SLIP_FULL / vehicle->lateral_acceleration_max;
}

void kerb_in_track_begin(kerb_track_memory* track, const kerb_vehicle* vehicle) {
    memset(track, 0, sizeof *track);
    kerb_estimate_init(&track->estimate, vehicle);
    track->delay = vehicle->steering_delay;
    track->doubt = TRACK_DOUBT_UNTOLD;
    track->gain = 1.0f;
    track->axle = vehicle->reference_to_rear_axle;
    track->slip = track_slip_of(vehicle);
}

void kerb_in_track_start(kerb_track_memory* track, float curvature) {
    kerb_in_asked_start(&track->asked, curvature);
    track->crab = 0.0f;
}

// --------------------------------------------------------------------------- what was asked

// What was asked during a delay and acts only now: its integral, and its integral times how long
// ago it was.
typedef struct track_pending {
    float sum;    // [s/m]
    float moment; // [s²/m]
} track_pending;

static track_pending track_pending_of(const kerb_track_memory* track, float delay) {
    const kerb_asked_memory* asked = &track->asked;
    float time = kerb_min(asked->time, delay);
    float mean = asked->time > 0.0f ? asked->sum / asked->time : asked->now;
    track_pending pending = {.sum = mean * time, .moment = 0.5f * mean * time * time};
    for (int32_t i = 0; i < KERB_TRACK_TICKS && time < delay; i++) {
        float part = kerb_min(KERB_IN_ASKED_TICK, delay - time);
        float acting = asked->ticks[(asked->tick - i) & (KERB_TRACK_TICKS - 1)];
        pending.sum += acting * part;
        pending.moment += acting * part * (time + 0.5f * part);
        time += part;
    }
    return pending;
}

// The oldest part of that: the curvature that acts now. [1/m]
static float track_acting(const kerb_track_memory* track, float delay) {
    const kerb_asked_memory* asked = &track->asked;
    float time = kerb_min(asked->time, delay);
    int32_t ticks = 0;
    for (; ticks < KERB_TRACK_TICKS && time < delay; ticks++)
        time += kerb_min(KERB_IN_ASKED_TICK, delay - time);
    return ticks == 0 ? asked->now
                      : asked->ticks[(asked->tick + 1 - ticks) & (KERB_TRACK_TICKS - 1)];
}

// --------------------------------------------------------------------------- what it does

static float track_slew(float from, float to, float most) {
    return from + kerb_clamp(to - from, -most, most);
}

// How far it believes the estimate and not the description, by how much of its first doubt is
// gone. [0 … 1]
static float track_belief(kerb_estimated value, float at_first) {
    float share = kerb_min(value.deviation / at_first, 1.0f);
    return 1.0f - share * share;
}

// Takes over what the estimate has learned.
static void track_take_estimate(kerb_track_memory* track, const kerb_in_track_frame* frame) {
    const kerb_estimate* e = &track->estimate;
    float told = frame->vehicle->steering_delay;
    float delay = told + kerb_max(frame->speed, 0.0f) * track->slip;
    float doubt = told > 0.0f ? TRACK_DOUBT_TOLD : TRACK_DOUBT_UNTOLD;
    float belief = track_belief(e->delay, TRACK_DOUBT_UNTOLD);
    delay += belief * (e->delay.value - delay);
    doubt += belief * (e->delay.deviation - doubt);
    float most = TRACK_DELAY_SLEW * frame->time_step;
    track->delay = track_slew(track->delay, delay, most);
    track->doubt = track_slew(track->doubt, doubt, most);
    float gain = kerb_clamp(e->steering_gain.value, 1.0f / TRACK_GAIN_MOST, TRACK_GAIN_MOST);
    gain = 1.0f + track_belief(e->steering_gain, TRACK_DOUBT_GAIN) * (gain - 1.0f);
    track->gain = track_slew(track->gain, gain, TRACK_GAIN_SLEW * frame->time_step);
}

static float track_delay(const kerb_track_memory* track) {
    return kerb_min(track->delay, TRACK_DELAY_MOST);
}

// The angle from the heading of the travel to the course of the steered point.
static float track_slip_angle(const kerb_in_track_frame* frame) {
    const kerb_vec3 h = frame->heading, v = frame->motion->velocity;
    float turning = frame->motion->angular_velocity.z * frame->ahead;
    float along = v.x * h.x + v.y * h.y;
    float across = h.x * v.y - h.y * v.x + turning;
    return across / kerb_max(along, 0.1f);
}

// By how much, per curvature, the course of the steered point is ahead of the heading. [m]
static float track_lead(const kerb_track_memory* track, const kerb_in_track_frame* frame) {
    float speed = kerb_max(frame->speed, 0.0f);
    float axle = frame->travel > 0.0f ? track->axle + frame->ahead : frame->ahead - track->axle;
    return axle - track->slip * speed * speed;
}

// What fades ends at 0, and not among numbers so small that hosts may flush them to 0.
static float track_fade(float value, float kept) {
    return kerb_abs(value) > 1.0e-9f ? kept * value : 0.0f;
}

// Where the axle that does not steer is, behind the reference point. [m]
static float track_fixed_axle(const kerb_vehicle* vehicle, bool steers_behind) {
    return vehicle->reference_to_rear_axle - (steers_behind ? vehicle->wheelbase : 0.0f);
}

typedef struct track_lead_fit {
    float axle, slip;
    float cost; // of the squares, less what is the same for all fits
} track_lead_fit;

// angle = axle · curvature - slip · lateral acceleration, with what is known at first as a prior.
static track_lead_fit track_fit_lead(const kerb_track_memory* track, const kerb_vehicle* vehicle,
                                     bool steers_behind) {
    float slip = track_slip_of(vehicle), axle = track_fixed_axle(vehicle, steers_behind);
    float by_axle = TRACK_AXLE_DOUBT * vehicle->wheelbase, by_slip = TRACK_SLIP_DOUBT * slip;
    by_axle = 1.0f / (by_axle * by_axle);
    by_slip = 1.0f / (by_slip * by_slip);
    float kk = track->lead_kk + by_axle, aa = track->lead_aa + by_slip, ka = track->lead_ka;
    float ky = track->lead_ky + by_axle * axle, ay = track->lead_ay + by_slip * slip;
    float over = 1.0f / (kk * aa - ka * ka);
    track_lead_fit fit = {.axle = (aa * ky - ka * ay) * over, .slip = (kk * ay - ka * ky) * over};
    fit.cost = by_axle * axle * axle + by_slip * slip * slip - ky * fit.axle - ay * fit.slip;
    return fit;
}

static void track_learn_lead(kerb_track_memory* track, const kerb_in_track_frame* frame,
                             float curvature, float across, float angle) {
    if (frame->travel < 0.0f)
        return;
    float kept = 1.0f - frame->time_step / TRACK_LEAD_FADE;
    float weight = frame->time_step / (TRACK_ANGLE_NOISE * TRACK_ANGLE_NOISE);
    track->lead_kk = track_fade(track->lead_kk, kept) + weight * curvature * curvature;
    track->lead_ka = track_fade(track->lead_ka, kept) - weight * curvature * across;
    track->lead_aa = track_fade(track->lead_aa, kept) + weight * across * across;
    track->lead_ky = track_fade(track->lead_ky, kept) + weight * curvature * angle;
    track->lead_ay = track_fade(track->lead_ay, kept) - weight * across * angle;
    // Costs are twice the logarithm of the likelihood. What has been found stays until the
    // contrary is as likely.
    track_lead_fit fit = track_fit_lead(track, frame->vehicle, track->steers_behind);
    track_lead_fit other = track_fit_lead(track, frame->vehicle, !track->steers_behind);
    if (other.cost + TRACK_STEERS_ODDS < fit.cost) {
        track->steers_behind = !track->steers_behind;
        fit = other;
    }
    track->axle = fit.axle;
    track->slip = kerb_max(fit.slip, 0.0f);
}

// How much a frame tells of what lasts: little while the steering moves, because a delay that is
// not quite known then looks like an error of the steering. [0 … 1]
static float track_trust(const kerb_track_memory* track, float radius) {
    const kerb_asked_memory* asked = &track->asked;
    float before = asked->ticks[(asked->tick - TRACK_MOVES_TICKS) & (KERB_TRACK_TICKS - 1)];
    float rate = (asked->now - before) / (TRACK_MOVES_TICKS * KERB_IN_ASKED_TICK);
    float late = rate * kerb_max(track->doubt, TRACK_LATE_LEAST) * radius;
    return TRACK_STILL * TRACK_STILL / (TRACK_STILL * TRACK_STILL + late * late);
}

void kerb_in_track_watch(kerb_track_memory* track, const kerb_in_track_frame* frame) {
    kerb_in_asked_run(&track->asked, frame->time_step);
    track_take_estimate(track, frame);
    const kerb_vehicle* vehicle = frame->vehicle;
    float scale = kerb_vehicle_scale(vehicle), speed = frame->speed;
    if (!frame->teaches || speed < TRACK_SPEED_LEAST * scale)
        return;
    float turning = frame->motion->angular_velocity.z, across = turning * speed;
    float delay = track_delay(track);
    float expected = track_acting(track, delay);
    float most = TRACK_LINEAR * vehicle->lateral_acceleration_max * frame->grip;
    if (kerb_max(kerb_abs(across), kerb_abs(expected) * speed * speed) > most)
        return;
    float trust = track_trust(track, frame->radius);
    // What it turns beside what was asked.
    float driven = turning / speed;
    float off_time = TRACK_OFF_TIME + TRACK_OFF_PER_DELAY * (delay + 2.0f * track->doubt);
    float per_command = track->gain * kerb_curvature_of(vehicle, TRACK_SMALL, speed) / TRACK_SMALL;
    float off = track->off + frame->travel * (driven - expected) / per_command * frame->time_step /
                                 off_time * trust;
    track->off = kerb_clamp(off, -TRACK_OFF_MOST, TRACK_OFF_MOST);
    // Where it goes beside where it points.
    float angle = track_slip_angle(frame);
    if (kerb_abs(angle) > 0.5f)
        return;
    track_learn_lead(track, frame, driven, across, angle - track->crab - frame->ahead * driven);
    float share = trust * frame->time_step / (TRACK_CRAB_TIME + frame->time_step);
    float lead = track_lead(track, frame);
    track->crab = track_fade(track->crab, 1.0f - share) + share * (angle - lead * driven);
}

// --------------------------------------------------------------------------- what the law asks

kerb_in_track_soon kerb_in_track_soon_of(const kerb_track_memory* track,
                                         const kerb_in_track_frame* frame) {
    float time = track_delay(track), speed = kerb_max(frame->speed, 0.0f);
    track_pending pending = track_pending_of(track, time);
    float lead = track_lead(track, frame);
    float turn = speed * pending.sum + track->crab;
    float along = frame->ahead + speed * time;
    float across = speed * (track->crab * time + lead * pending.sum + speed * pending.moment);
    const kerb_vec3 h = frame->heading, p = frame->motion->position;
    float sine, cosine;
    kerb_sin_cos(turn, &sine, &cosine);
    return (kerb_in_track_soon){
        .time = time,
        .lead = lead,
        .position = {p.x + along * h.x - across * h.y, p.y + along * h.y + across * h.x,
                     p.z + frame->motion->velocity.z * time},
        .course = {cosine * h.x - sine * h.y, cosine * h.y + sine * h.x},
    };
}

float kerb_in_track_axle(const kerb_track_memory* track, const kerb_vehicle* vehicle) {
    return track_fixed_axle(vehicle, track->steers_behind);
}

float kerb_in_track_ahead(const kerb_track_memory* track, const kerb_vehicle* vehicle,
                          float travel) {
    return kerb_max(-travel * track_fixed_axle(vehicle, track->steers_behind), 0.0f);
}

float kerb_in_track_response(const kerb_track_memory* track, float time_step) {
    return TRACK_RESPONSE_PER_DELAY * track->delay + TRACK_RESPONSE_PER_DOUBT * track->doubt +
           TRACK_RESPONSE_PER_STEP * time_step;
}

float kerb_in_track_bend(const kerb_track_memory* track) {
    return track_acting(track, track_delay(track));
}

float kerb_in_track_rate(const kerb_track_memory* track, const kerb_vehicle* vehicle) {
    const kerb_estimated* rate = &track->estimate.steering_rate;
    return rate->known ? rate->value * vehicle->steering_angle_max : vehicle->steering_rate_max;
}

float kerb_in_track_steer(kerb_track_memory* track, float steering, float curvature) {
    track->asked.now = curvature;
    return kerb_clamp(steering - track->off, -1.0f, 1.0f);
}

float kerb_in_track_command(kerb_track_memory* track, const kerb_in_track_frame* frame,
                            float curvature) {
    float steering = kerb_steering_for(frame->vehicle, curvature * frame->travel / track->gain,
                                       frame->speed * frame->travel);
    return kerb_in_track_steer(track, steering, curvature);
}
