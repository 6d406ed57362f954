// Purpose: the angle of a racing car's front wheels.
// Idea:    LINE: predicts where the car will be when the wheels have turned, its errors there, and
//          the smoothed curvature of the planned path there. Errors decay as in a critically damped
//          oscillator, by the law of the room `track`. The angle back to the path is limited to
//          what the car can undo in time. The front axle is led along the path, because its motion
//          depends on the front tyres alone (it lies near the centre of percussion). So the wheel
//          angle is the direction in which the front axle moves plus the slip angle that gives the
//          desired force, up to a greatest useful slip angle. That leaves the rear free, and at
//          high speed it oscillates: therefore the yaw rate is damped towards the one that the path
//          asks for, and a rear that slides is countersteered. POLE: the paper's; the tip of a pole
//          in front of the car is kept on the line.
// Cost:    O(1).
// Source:  Vamos 3, eq. 13-14, with corrected signs; Kritayakirana and Gerdes, "Using the centre of
//          percussion to design a steering controller for an autonomous race car", 2012, except for
//          the damping.
#include "racer.h"

#include "../../track/shared.h"
#include "../../vehicle/shared.h"

// The curvature of the path is averaged over this time. [s]
#define EASE_TIME 0.4f
// Share by which the front slip is reduced when the rear slips far beyond its peak. [1]
#define FRONT_YIELDS 0.5f
// Share of the grip, less the bank's part, that may undo that angle before the path is reached. [1]
#define BACK_SHARE 0.35f
// Smallest value of that share. [1]
#define BACK_LEAST 0.1f
// Below SLOW the direction of the body counts instead of that of the motion; from FAST on, that of
// the motion. [m/s]
#define STEERING_SLOW 2.0f
#define STEERING_FAST 5.0f
// Countersteering as a share of the slide angle. [1]
#define COUNTER_STEER 0.8f
// Wheel angle per error of the yaw rate: at high speed the rear hardly damps yaw. [s]
#define YAW_DAMPING 0.3f
// Slip angle at half grip below which that damping is reduced: stiffer tyres need less. [rad]
#define DAMPED_SLIP 0.02f
// Greatest product of yaw rate per wheel angle, damping and delay; more would make the damping
// unstable. [rad]
#define DAMPED_LATE 1.0f
// Time over which answers of the yaw rate count, rate at which the damping falls while they show
// that it is too much, and time in which it grows again. At twice and half of the rates cars in
// another engine drive as well; without them their wheels turn to and fro in every frame. [s],
// [1/s], [s]
#define ECHO_TIME 0.3f
#define ECHO_RATE 6.0f
#define ECHO_RETURN 5.0f
// Longest period of swings that count: cars swing by themselves in 0.4 s and more. [s]
#define ECHO_PERIOD 0.17f
// A change of the yaw rate counts if damping moves the wheels by this share of the lock for it.
// Smaller ones nobody sees, and in some engines wheels on rough ground cause as much. [1]
#define ECHO_SEEN 0.02f
// The change of the drift angle is measured from this time before to this time after. [s]
#define DRIFT_STEP 0.15f
// Between these shares of the grip slip counts as proportional to force … [1]
#define LINEAR_FROM 0.3f
#define LINEAR_TO 0.65f
// … while the yaw rate differs from the turning of the path by less than this. [rad/s]
#define STEERING_STEADY_YAW 0.06f
// Averaging time of that measurement. [s]
#define STEERING_SLIP_TIME 0.3f
// Bounds of the slip angle at half grip. [rad]
#define HALF_SLIP_LEAST 0.0005f
#define HALF_SLIP_MOST 0.06f
// Until that has been measured for STEERING_SLIP_TIME, bends up to this share of the grip count,
// too. [1]
#define BENT_TO 0.85f
// Averaging time for those. [s]
#define BENT_TIME 1.0f
// A slide is remembered for about this time. [s]
#define SLIDE_TIME 0.3f
// Share of the grip from which the trim is learned: the extra wheel angle at the limit. [1]
#define TRIM_FROM 0.5f
// Rate at which it is learned. [1/s]
#define TRIM_RATE 4.0f
// Greatest trim. [rad]
#define TRIM_MOST 0.1f
// Detection of rigid tyres: share of the grip that the bend must use. [1]
#define FIRM_USE 0.15f
// Slip angle below which the rear axle, or the reference point, counts as moving along the body.
// [rad]
#define FIRM_SLIP 0.002f
// … plus this share of the wheel angle, because hosts round their geometry. [1]
#define FIRM_ROUNDING 0.05f
// Time after which rigid tyres are believed. [s]
#define FIRM_TIME 0.4f
// With grip to spare (use below this share), a car with rigid tyres turns as commanded. [1]
#define FIRM_SPARE 0.85f
// A car that turns less than commanded by this share of the grip … [1]
#define FIRM_LACKS 0.2f
// … for this time has tyres that slip. [s]
#define FIRM_LACKS_TIME 1.0f
// Slip angle of both points that shows tyres that slip … [rad]
#define SLIPS 0.005f
// … when it lasts for this time. [s]
#define SLIPS_TIME 0.05f
// After tyres have been seen to slip, rigid tyres need this many times FIRM_TIME to be believed:
// round a hairpin the drift angle is zero for a second where slip and geometry cancel. [1]
#define FIRM_DOUBT 10.0f
// Averaging time for which point of the body moves along it. [s]
#define FIRM_PLACE_TIME 0.3f
// Rigid tyres: slip angle of the rear beyond rounding that counts as a slide … [rad]
#define FIRM_SLIDE 0.004f
// … and further angle at which it fully counts. [rad]
#define FIRM_SLIDES 0.02f
// Rigid tyres: greatest wheel angle beyond the motion of the front axle. More does not turn the
// car. [rad]
#define FIRM_AHEAD 0.015f
// … plus this share of the wheel angle that the grip has use for. [1]
#define FIRM_AHEAD_SHARE 0.25f
// Greatest share of the grip that steering asks for. [1]
#define STEER_MOST 1.05f
// It is lower by this when the car is too fast. [1]
#define STEER_LESS 0.3f
// It is fully lower at the second excess of speed, not at all at the first. [1]
#define OVER_FROM 0.03f
#define OVER_TO 0.1f
// The same two values without other cars near. [1]
#define ALONE_FROM 0.06f
#define ALONE_TO 0.16f
// What slow wheels stay behind their commands is smoothed over this time. [s]
#define PHASE_TIME 0.1f
// The rate of turn of the path driven is averaged over this time. [s]
#define TURNING_TIME 0.05f

// Gravity's pull down a bank, as a curvature that the tyres must hold besides that of the path.
// [1/m]
static float bank_curvature(const kerb_racer* racer, const racer_frame* frame) {
    return KERB_GRAVITY * frame->here.up_left /
           kerb_max(frame->pace * frame->pace, racer_metres(racer, 25.0f));
}

// Share of the grip in use at a curvature, relative to the host's grip. Slip angles are learned
// against that share, so that they mean the same where the racer has learned of more grip.
static float use_of(const racer_frame* frame, float curvature) {
    float use = kerb_abs(curvature) * frame->pace * frame->pace / frame->grip_aside;
    return kerb_min(use, 1.0f) * frame->grip_more;
}

float kerb_in_racer_slip_for(float half_slip, float use) {
    float square = use * use;
    return 2.0f * half_slip * use * (1.0f + 0.9f * square * square);
}

// Angle that looks like rear slip where the reference point, and not the rear axle, moves along the
// body. [rad]
static float geometry(const kerb_racer* racer, const racer_frame* frame) {
    return kerb_atan2(racer->vehicle.reference_to_rear_axle * frame->yaw_rate,
                      kerb_max(kerb_abs(frame->speed), racer_speed(racer, 3.0f)));
}

// Apparent slip by a velocity and a direction half a frame apart, and by rounded geometry of the
// host. [rad]
static float rounding(const kerb_racer* racer, const racer_frame* frame) {
    float bend = kerb_abs(frame->yaw_rate) * racer->vehicle.wheelbase /
                 kerb_max(kerb_abs(frame->speed), racer_speed(racer, 3.0f));
    return 0.5f * kerb_abs(racer->memory.turning) * frame->time_step + FIRM_ROUNDING * bend;
}

// Rigid tyres still slide when their grip is spent.
static float firm_slide(const kerb_racer* racer, const racer_frame* frame) {
    float slip = racer->decision.slip_rear, none = FIRM_SLIDE + rounding(racer, frame);
    float far = geometry(racer, frame), most = kerb_max(far, 0.0f) + none;
    float least = kerb_min(far, 0.0f) - none;
    return kerb_max(slip - most, 0.0f) + kerb_min(slip - least, 0.0f);
}

static float soft_slide(const kerb_racer* racer, const racer_frame* frame) {
    float bend =
        racer->memory.turning / kerb_max(frame->pace, racer_speed(racer, 3.0f)) + frame->bank;
    float known = kerb_in_racer_slip_for(racer->memory.half_slip[1], use_of(frame, bend));
    float slip = racer->decision.slip_rear;
    known = bend < 0.0f ? -known : known;
    // Less slip than known is no slide.
    return (slip - known) * slip > 0.0f ? slip - known : 0.0f;
}

float kerb_in_racer_slide(const kerb_racer* racer, const racer_frame* frame) {
    float slips = racer_slips(racer), slide = 0.0f;
    if (slips > 0.0f)
        slide += slips * soft_slide(racer, frame);
    if (slips < 1.0f)
        slide += (1.0f - slips) * firm_slide(racer, frame);
    return slide;
}

// --------------------------------------------------------------------------- commanded curvature

static float steering_between(float a, float b, float share) {
    return a + (b - a) * share;
}

// The state when the wheels have turned.
typedef struct prediction {
    float offset, course; // of the car and of the front axle's motion, against the way
    float goes;           // that motion against the body
    float eased;          // curvature of the way there
    racer_place place;
} prediction;

// The way's curvature there, averaged over what the car takes to swing from bend to bend: it leaves
// the line by a hand's breadth, and does not swing out.
static float eased_curvature(const kerb_racer* racer, const racer_frame* frame, double total) {
    static const float weight[5] = {0.125f, 0.25f, 0.25f, 0.25f, 0.125f};
    float step = 0.25f * racer_time(racer, EASE_TIME) * kerb_max(frame->along, 0.0f), sum = 0.0f;
    float per_bin = 1.0f / racer->memory.ahead.spacing, at = racer_into(racer, total) * per_bin;
    float most = (float)(racer->memory.ahead.end - racer->memory.ahead.first - 1) - 0.001f;
    const float* row = racer->memory.ahead.curvature;
    int32_t first = racer->memory.ahead.first;
    step *= per_bin;
    for (int32_t i = 0; i < 5; i++) {
        float in = kerb_clamp(at + (float)(i - 2) * step, 0.0f, most);
        int32_t into = (int32_t)in, slot = racer_slot_of(first + into);
        float a = row[slot], b = row[racer_slot_of(slot + 1)];
        sum += weight[i] * (a + (b - a) * (in - (float)into));
    }
    return sum;
}

// Of the front axle: its motion depends on the front tyres alone. With rigid tyres that motion is
// only the wheel angle, so the reference point counts instead.
static prediction predict(const kerb_racer* racer, const racer_frame* frame) {
    float delay = kerb_in_racer_lag(racer) + frame->hold;
    float run = kerb_max(frame->along, 0.0f) * delay;
    prediction p;
    float known = racer_step_speed(racer, frame->pace, STEERING_SLOW, STEERING_FAST),
          slips = racer_slips(racer);
    float arm = known * slips * frame->reference_to_front_axle * kerb_cos(frame->heading);
    p.place = racer_place_at(racer, frame->total + (double)(run + arm));
    p.eased = eased_curvature(racer, frame, frame->total + (double)(run + arm));
    racer_place now = racer_place_of(racer, frame->spot);
    // The way goes on turning as it does now.
    float fastest = frame->grip_aside / kerb_max(frame->pace, 1.0f);
    float turning = kerb_clamp(racer->memory.turning, -fastest, fastest);
    // Against the way, which may lead across the line.
    float goes = steering_between(frame->course - frame->heading, frame->front_goes, slips);
    float course = frame->heading + known * goes - now.slope;
    float line_turns = 0.5f * (now.curvature + p.place.curvature) * (run + arm);
    p.course = kerb_wrap_angle(course + turning * delay - line_turns);
    p.offset =
        frame->offset - now.offset + run * kerb_sin(0.5f * (frame->course - now.slope + p.course));
    p.goes = frame->front_goes + known * delay * (turning - frame->yaw_rate);
    return p;
}

// Desired curvature: that of the path, plus the correction of the errors by the law of `track`.
static float wanted_curvature(kerb_racer* racer, const racer_frame* frame, const prediction* p) {
    const kerb_racer_settings* s = &racer->settings;
    float length = kerb_max(frame->pace * racer_time(racer, s->response_time),
                            racer_metres(racer, s->response_distance));
    // No steeper than can be undone before the path is reached, also down a bank.
    float downhill = KERB_GRAVITY * frame->here.up_left * (p->offset < 0.0f ? -1.0f : 1.0f);
    float least = BACK_LEAST * frame->grip_aside;
    float holds = kerb_max(BACK_SHARE * frame->grip_aside - kerb_max(downhill, 0.0f), least);
    float undone = kerb_sqrt(2.0f * holds * kerb_abs(p->offset));
    float steepest = kerb_min(undone / kerb_max(frame->pace, 1.0f), KERB_IN_TRACK_STEEPEST);
    racer->decision.line_curvature = p->place.curvature;
    return p->eased + kerb_in_track_correction(p->offset, p->course, 2.0f * length, steepest);
}

// --------------------------------------------------------------------------- slip

// Wheel angle for a curvature: that of the bicycle model, plus how much more the front slips than
// the rear. With rigid tyres the second part is proportional to the use: the host's understeer.
static float angle_for(const kerb_racer* racer, const racer_frame* frame, float curvature) {
    const float* half = racer->memory.half_slip;
    float held = curvature + frame->bank, use = use_of(frame, held);
    float more = kerb_in_racer_slip_for(half[0], use) - kerb_in_racer_slip_for(half[1], use);
    more += racer->memory.trim * use * use;
    more = steering_between(2.0f * (half[0] - half[1]) * use, more, racer_slips(racer));
    return kerb_atan(racer->vehicle.wheelbase * curvature) + (held < 0.0f ? -more : more);
}

// Near the limit, a car that turns less than commanded gets a larger wheel angle next time, as long
// as that helps. Not with rigid tyres: there a lack at one speed says nothing about another speed.
static void learn_trim(kerb_racer* racer, const racer_frame* frame, float curvature) {
    float side = curvature + frame->bank < 0.0f ? -1.0f : 1.0f;
    float bend = racer->memory.turning / kerb_max(frame->pace, racer_speed(racer, 3.0f));
    float use = use_of(frame, curvature + frame->bank);
    float most = 0.8f * racer->settings.front_slip_max * racer_half_slip(racer, 0);
    float lacks = (side * (curvature - bend)) * racer->vehicle.wheelbase;
    bool helps = kerb_abs(racer->decision.slip_front) < most || lacks < 0.0f;
    bool steady = use > TRIM_FROM && bend * side > 0.0f &&
                  frame->speed > racer_speed(racer, STEERING_FAST) && racer->memory.slide < 0.01f &&
                  !racer->decision.off_track;
    if (!steady || !helps)
        return;
    racer->memory.trim += racer_slips(racer) * TRIM_RATE * frame->time_step * lacks * use * use;
    racer->memory.trim = kerb_clamp(racer->memory.trim, -0.3f * TRIM_MOST, TRIM_MOST);
}

// Rate of turn of the path driven within the surface, which differs from the yaw rate.
static void measure_turning(kerb_racer* racer, const racer_frame* frame) {
    float pace = kerb_clamp(1.0f - frame->here.curvature * frame->offset, 0.3f, 3.0f);
    float line = frame->here.curvature * frame->along / pace;
    float turned = frame->elsewhere ? 0.0f : kerb_wrap_angle(frame->course - racer->memory.course);
    float rate = turned / frame->time_step + line;
    racer->memory.course = frame->course;
    float share = frame->time_step / (TURNING_TIME + frame->time_step);
    float known = racer_step_speed(racer, frame->pace, STEERING_SLOW, STEERING_FAST);
    const float most = 3.0f / racer->memory.speed_scale;
    rate = kerb_clamp(rate, -most, most);
    rate = frame->yaw_rate + known * (rate - frame->yaw_rate);
    racer->memory.turning += share * (rate - racer->memory.turning);
}

static void measure_slip(kerb_racer* racer, racer_frame* frame) {
    const kerb_vehicle* v = &racer->vehicle;
    float fast = kerb_max(kerb_abs(frame->speed), racer_speed(racer, 3.0f));
    float rear = frame->side - v->reference_to_rear_axle * frame->yaw_rate;
    float front = frame->side + frame->reference_to_front_axle * frame->yaw_rate;
    racer->decision.slip_rear = -kerb_atan2(rear, fast);
    frame->front_goes = kerb_atan2(front, fast);
    racer->decision.slip_front = frame->wheels - frame->front_goes;
    if (frame->hold > 0.0f) { // no latency: the motion is the measured one
        frame->seen_slip[0] = racer->decision.slip_front;
        frame->seen_slip[1] = racer->decision.slip_rear;
    }
}

static bool steering_is_within(const kerb_racer* racer, const racer_frame* frame, float use,
                               float most) {
    float push = kerb_abs(racer->memory.push) / frame->grip_aside;
    return use * use + push * push < most * most;
}

// Far from the limit tyres slip in proportion to what they hold.
static bool is_linear(const kerb_racer* racer, const racer_frame* frame, float use) {
    return steering_is_within(racer, frame, use, LINEAR_TO);
}

static void believe_firm(kerb_racer* racer, const racer_frame* frame, float place) {
    float share = frame->time_step / (FIRM_PLACE_TIME + frame->time_step);
    racer->memory.firm_place += share * (place - racer->memory.firm_place);
    racer->memory.firm += frame->time_step / FIRM_TIME;
}

// A real car that is steered as one with rigid tyres turns too little, and at high speed it may
// look rigid for as long as it runs wide. Wheels that are still turning do not count yet.
static bool lags_behind(const kerb_racer* racer, const racer_frame* frame, float use) {
    float per_curvature = frame->pace * frame->pace / frame->grip_aside;
    float told = racer->decision.commanded_curvature * per_curvature;
    float side = told < 0.0f ? -1.0f : 1.0f;
    float wheels = side * frame->wheels / racer->vehicle.wheelbase * per_curvature;
    float turns = side * racer->memory.turning * frame->pace / frame->grip_aside;
    float due = kerb_min(kerb_min(kerb_abs(told), wheels), 1.0f);
    return use < FIRM_SPARE && due - turns > FIRM_LACKS;
}

// Tyres that hold a bend slip. If the rear axle moves along the body, as that of a bicycle without
// slip does, the tyres are rigid until they slide, and slides at the limit do not disprove it. If
// the reference point moves along the body, the tyres are probably rigid: a real car looks the same
// in gentle bends at one speed, where rear slip and geometry cancel. Then its slides decide.
static void notice_firmness(kerb_racer* racer, const racer_frame* frame) {
    float use = kerb_abs(racer->memory.turning) * frame->pace / frame->grip_aside;
    if (frame->speed > racer_speed(racer, STEERING_FAST) && racer->memory.firm > 0.5f &&
        lags_behind(racer, frame, use)) {
        racer->memory.firm -= frame->time_step / FIRM_LACKS_TIME;
        return;
    }
    if (frame->speed < racer_speed(racer, STEERING_FAST) || use < FIRM_USE ||
        racer->decision.off_track)
        return;
    float none = rounding(racer, frame), least = FIRM_SLIP + none;
    float body = kerb_abs(frame->side) / frame->speed, rear = kerb_abs(racer->decision.slip_rear);
    bool turned = racer->memory.firm > 0.5f && racer->memory.firm_place < 0.5f;
    bool says = !turned || is_linear(racer, frame, use);
    if (rear < least)
        believe_firm(racer, frame, 0.0f);
    else if (body < least && says)
        believe_firm(racer, frame, 1.0f);
    else if (kerb_min(body, rear) > SLIPS + none && says)
        racer->memory.firm -= frame->time_step / (turned ? FIRM_TIME : SLIPS_TIME);
    racer->memory.firm = kerb_clamp(racer->memory.firm, -FIRM_DOUBT, 1.0f);
}

// Slip angle of an axle at half of its grip, from its slip at the use `force`. From the measured
// motion: the predicted one would only confirm the model.
static float half_slip_at(const racer_frame* frame, int32_t axle, float force) {
    float half = 0.5f * kerb_abs(frame->seen_slip[axle]) / force;
    return kerb_clamp(half, HALF_SLIP_LEAST, HALF_SLIP_MOST);
}

// Of each axle, where slip is in proportion to what it holds.
static void learn_linear_slip(kerb_racer* racer, const racer_frame* frame, float use) {
    float dt = frame->time_step, share = dt / (STEERING_SLIP_TIME + dt);
    // The mean of all that was measured, while that is little.
    float seen_share = dt / (kerb_min(racer->memory.half_slip_time, STEERING_SLIP_TIME) + dt);
    racer->memory.half_slip_time += dt;
    for (int32_t i = 0; i < 2; i++) {
        float half = half_slip_at(frame, i, use);
        racer->memory.half_slip[i] += share * (half - racer->memory.half_slip[i]);
        racer->memory.seen_slip[i] += seen_share * (half - racer->memory.seen_slip[i]);
    }
}

// On loose ground slip is never proportional between bends. Then bends nearer to the limit count,
// slowly, and by the axle that slips less, because the other one may be past its peak.
static void learn_bent_slip(kerb_racer* racer, const racer_frame* frame, float use) {
    float share = frame->time_step / (BENT_TIME + frame->time_step);
    float force =
        kerb_in_racer_slip_for(0.5f, use) * LINEAR_TO / kerb_in_racer_slip_for(0.5f, LINEAR_TO);
    float half = kerb_min(half_slip_at(frame, 0, force), half_slip_at(frame, 1, force));
    for (int32_t i = 0; i < 2; i++)
        racer->memory.half_slip[i] += share * (half - racer->memory.half_slip[i]);
}

static void steering_learn_slip(kerb_racer* racer, const racer_frame* frame) {
    float bend =
        racer->memory.turning / kerb_max(frame->pace, racer_speed(racer, 3.0f)) + frame->bank;
    float use = use_of(frame, bend);
    // Not while braking, nor while the body turns otherwise than the path: those slip angles say
    // nothing about a bend.
    bool steady = frame->speed > racer_speed(racer, STEERING_FAST) &&
                  racer->controls.brake <= 0.0f &&
                  kerb_abs(frame->yaw_rate - racer->memory.turning) <
                      STEERING_STEADY_YAW / racer->memory.speed_scale &&
                  !racer->decision.off_track;
    if (use < LINEAR_FROM || !steady)
        return;
    if (is_linear(racer, frame, use))
        learn_linear_slip(racer, frame, use);
    else if (racer->memory.half_slip_time < STEERING_SLIP_TIME &&
             steering_is_within(racer, frame, use, BENT_TO))
        learn_bent_slip(racer, frame, use);
}

// Angle of the body against its motion in a steady bend. [rad]
static float drift_for(const kerb_racer* racer, const racer_frame* frame, float curvature) {
    float held = curvature + frame->bank;
    float slip = kerb_in_racer_slip_for(racer->memory.half_slip[1], use_of(frame, held));
    return racer->vehicle.reference_to_rear_axle * curvature - (held < 0.0f ? -slip : slip);
}

// Desired yaw rate: that of the path, less the change of the drift angle. [rad/s]
static float wanted_yaw_rate(const kerb_racer* racer, const racer_frame* frame, float curvature) {
    float step = racer_time(racer, DRIFT_STEP) * kerb_max(frame->along, 0.0f);
    float ahead = eased_curvature(racer, frame, frame->total + (double)step);
    float behind = eased_curvature(racer, frame, frame->total - (double)step);
    float drifts = drift_for(racer, frame, ahead) - drift_for(racer, frame, behind);
    return frame->pace * curvature - drifts / (2.0f * racer_time(racer, DRIFT_STEP));
}

// What damping answers can be more than the host needs, because the stiffness of its tyres, its yaw
// inertia and how late it acts are known roughly. The yaw rate then swings to and fro, from frame
// to frame or within up to eight frames and ECHO_PERIOD: its changes correlate negatively with
// those half of a period before, and positively with those a period before. Disturbances from
// outside, such as bumps or rounding, do only the former, and bodies of cars swing more slowly by
// themselves.
static void note_echoes(kerb_racer* racer, const racer_frame* frame) {
    enum {
        ECHO_FRAMES = (int)(sizeof racer->memory.yaw_changes / sizeof racer->memory.yaw_changes[0])
    };
    float change = frame->yaw_rate - racer->memory.yaw_before;
    float* last = racer->memory.yaw_changes;
    float* sums = racer->memory.yaw_echoes;
    float kept = kerb_max(1.0f - frame->time_step / ECHO_TIME, 0.0f), swings = 0.0f;
    sums[0] = sums[0] * kept + change * change;
    for (int32_t i = 0; i < ECHO_FRAMES; i++)
        sums[i + 1] = sums[i + 1] * kept + change * last[i];
    for (int32_t i = ECHO_FRAMES - 1; i > 0; i--)
        last[i] = last[i - 1];
    last[0] = change;
    for (int32_t half = 1, whole = 2; whole <= ECHO_FRAMES; half++, whole += 2)
        if (half == 1 || (float)whole * frame->time_step <= racer_time(racer, ECHO_PERIOD))
            swings = kerb_max(swings, kerb_min(-sums[half], sums[whole]));
    racer->memory.yaw_before = frame->yaw_rate;
    float least = ECHO_SEEN * kerb_vehicle_steering_lock(&racer->vehicle, frame->speed) /
                  racer_time(racer, YAW_DAMPING);
    float unseen = least * least * ECHO_TIME / frame->time_step;
    float echoes = swings / (sums[0] + unseen);
    float more = ECHO_RATE * echoes * (1.0f - racer->memory.yaw_overreacts);
    float less = racer->memory.yaw_overreacts / ECHO_RETURN;
    racer->memory.yaw_overreacts =
        kerb_clamp(racer->memory.yaw_overreacts + (more - less) * frame->time_step, 0.0f, 1.0f);
}

// Countersteering: the wheels follow the rear when it slips more than the bend explains. In a slide
// that catches it; before one it prevents it.
static float catch_slide(const kerb_racer* racer, const racer_frame* frame, float curvature) {
    float known = racer_step_speed(racer, frame->speed, STEERING_SLOW, STEERING_FAST),
          slips = racer_slips(racer);
    float slide = kerb_in_racer_slide(racer, frame);
    // With rigid tyres, outside a slide, the wheels alone decide how the car turns. There, and
    // until it is known, damping would only react to itself from frame to frame.
    float loose = racer_step(-racer->memory.firm, 0.0f, 1.0f);
    loose *= kerb_min(racer->memory.half_slip[0] / DAMPED_SLIP, 1.0f);
    // The reaction comes late: with a higher gain the damping would be unstable.
    float late = kerb_in_racer_lag(racer) + frame->time_step;
    float answers =
        frame->grip_aside / (2.0f * racer_half_slip(racer, 0) * racer->vehicle.wheelbase);
    // A body with less yaw inertia answers more to the same angle, and needs less of it.
    float damping = racer_time(racer, YAW_DAMPING) * kerb_in_vehicle_inertia_share(&racer->vehicle);
    loose *= kerb_min(DAMPED_LATE / (racer_time(racer, YAW_DAMPING) * answers * late), 1.0f);
    loose *= 1.0f - racer->memory.yaw_overreacts;
    float lost = racer_step(kerb_abs(slide), 0.0f, FIRM_SLIDES);
    loose = kerb_max(loose, (1.0f - slips) * lost);
    float spin = frame->yaw_rate - wanted_yaw_rate(racer, frame, curvature);
    return -known * (COUNTER_STEER * slide + loose * damping * spin);
}

// Wheels far beyond the motion of the front axle have used up their grip. Turned further, they only
// wait until they find grip again, and then throw the car round.
static float hold_ahead(const kerb_racer* racer, const racer_frame* frame, float goes,
                        float angle) {
    float firm = (1.0f - racer_slips(racer)) *
                 racer_step_speed(racer, frame->speed, STEERING_SLOW, 2.0f * STEERING_FAST);
    if (firm <= 0.0f)
        return angle;
    float bend = frame->grip_aside / kerb_max(frame->pace * frame->pace, 1.0f);
    float ahead = FIRM_AHEAD + FIRM_AHEAD_SHARE * kerb_atan(racer->vehicle.wheelbase * bend);
    float far = geometry(racer, frame);
    float least = goes + kerb_min(far, 0.0f) - ahead, most = goes + kerb_max(far, 0.0f) + ahead;
    return angle + firm * (kerb_clamp(angle, least, most) - angle);
}

// A rear beyond its peak slip finds grip again only when the front asks for less. [0 … 1]
static float beyond_peak(const kerb_racer* racer, float held) {
    float out = held < 0.0f ? -racer->decision.slip_rear : racer->decision.slip_rear;
    float half = racer_half_slip(racer, 1);
    return racer_step(out, RACER_PEAK_SLIP * half, RACER_PEAK_SLIP * 1.6f * half);
}

// --------------------------------------------------------------------------- both ways

// Share of the grip that steering may use. The car may be too fast for what comes, for instance
// when other cars change its path: then it must slow down first, and tyres that turn with all their
// grip cannot brake.
float kerb_in_racer_turning_share(const kerb_racer* racer, const racer_frame* frame) {
    float planned = kerb_sqrt(racer_row_at(racer->memory.ahead.squared, frame->spot));
    float from = ALONE_FROM, to = ALONE_TO;
    if (racer->memory.traffic.known_count > 0) {
        planned = kerb_min(planned, frame->traffic_speed);
        from = OVER_FROM;
        to = OVER_TO;
    }
    float over = frame->pace / kerb_max(planned, racer_speed(racer, 5.0f)) - 1.0f;
    return STEER_MOST - STEER_LESS * racer_step(over, from, to);
}

static float steer_by_line(kerb_racer* racer, const racer_frame* frame) {
    prediction p = predict(racer, frame);
    float curvature = wanted_curvature(racer, frame, &p);
    racer->decision.commanded_curvature = curvature;
    steering_learn_slip(racer, frame);
    // More steering cannot give more than the tyres hold.
    float most =
        frame->turning_share * frame->grip_aside / kerb_max(frame->pace * frame->pace, 1.0f);
    float bank = frame->bank;
    curvature = kerb_clamp(curvature, -most - bank, most - bank);
    learn_trim(racer, frame, curvature);
    float held = curvature + bank, use = use_of(frame, held);
    float slip =
        kerb_in_racer_slip_for(racer->memory.half_slip[0], use) + racer->memory.trim * use * use;
    slip = kerb_min(slip, racer->settings.front_slip_max * racer_half_slip(racer, 0));
    slip *= 1.0f - FRONT_YIELDS * beyond_peak(racer, held);
    float fast = p.goes + (held < 0.0f ? -slip : slip);
    float slow = angle_for(racer, frame, curvature);
    float share =
        racer_slips(racer) * racer_step_speed(racer, frame->speed, STEERING_SLOW, STEERING_FAST);
    float angle = slow + share * (fast - slow) + catch_slide(racer, frame, curvature);
    return hold_ahead(racer, frame, p.goes, angle);
}

// Eq. 13: the sine of the angle from the pole to the goal is that of the steering angle.
static float steer_by_pole(kerb_racer* racer, const racer_frame* frame, kerb_vec2 goal) {
    float far = kerb_sqrt(kerb_vec2_dot(goal, goal));
    float sine = far > 0.01f ? goal.y / far : 0.0f;
    float angle = kerb_asin(kerb_clamp(sine, -1.0f, 1.0f));
    racer->decision.commanded_curvature =
        kerb_tan(kerb_clamp(angle, -1.0f, 1.0f)) / racer->vehicle.wheelbase;
    racer->decision.line_curvature = racer_row_at(racer->memory.ahead.curvature, frame->spot);
    return goal.x < 0.0f ? (goal.y > 0.0f ? 1.0f : -1.0f) : angle;
}

// Size of the slide, remembered for a moment.
static void note_slide(kerb_racer* racer, const racer_frame* frame) {
    float now = kerb_abs(kerb_in_racer_slide(racer, frame));
    float fades = racer->memory.slide * (1.0f - kerb_min(frame->time_step / SLIDE_TIME, 1.0f));
    racer->memory.slide = kerb_max(now, fades);
}

// The point of the planned path at a distance ahead, in the car's axes; also stored in the world's
// axes.
static kerb_vec2 steering_look_at(kerb_racer* racer, const racer_frame* frame, float ahead) {
    racer->decision.target = kerb_in_racer_look_at(racer, frame, ahead);
    kerb_vec3 off = kerb_vec3_sub(racer->decision.target, frame->motion->position);
    return kerb_vec2_make(kerb_vec3_dot(off, frame->forward), kerb_vec3_dot(off, frame->left));
}

// Wheels that turn slowly go on in the old direction until they meet a command that has long come
// back, a quarter of a period late in a swing of any period. The command is taken back by what they
// stay behind, smoothed: then they turn round when the law does, and stand at its angle when it
// rests. Without effect on wheels that keep up.
// Source: Rundqwist and Ståhl-Gunnarsson, "Phase compensation of rate limiters in unstable
// aircraft", 1996.
static float keep_in_phase(kerb_racer* racer, const racer_frame* frame, float angle) {
    float far = kerb_in_racer_wheel_rate(racer) * frame->time_step;
    float gap = racer->memory.steering - racer->memory.reached;
    racer->memory.reached += kerb_clamp(gap, -far, far);
    float behind = racer->memory.reached - racer->memory.steering;
    float share = frame->time_step / (racer_time(racer, PHASE_TIME) + frame->time_step);
    racer->memory.short_of += share * (behind - racer->memory.short_of);
    return angle + racer->memory.short_of;
}

float kerb_in_racer_steer(kerb_racer* racer, racer_frame* frame) {
    const kerb_racer_settings* s = &racer->settings;
    float pole = kerb_max(frame->pace * racer_time(racer, s->pole.time),
                          racer_metres(racer, s->pole.length_min));
    kerb_vec2 goal = steering_look_at(racer, frame, pole);
    frame->bank = bank_curvature(racer, frame);
    measure_turning(racer, frame);
    measure_slip(racer, frame);
    notice_firmness(racer, frame);
    note_slide(racer, frame);
    note_echoes(racer, frame);
    float angle = s->steering == KERB_RACER_POLE ? steer_by_pole(racer, frame, goal)
                                                 : steer_by_line(racer, frame);
    float most = kerb_vehicle_steering_lock(&racer->vehicle, frame->speed);
    if (kerb_in_racer_knows(racer))
        angle = keep_in_phase(racer, frame, angle);
    racer->memory.steering = kerb_clamp(angle, -most, most);
    return racer->memory.steering;
}
