// Purpose: the angle of a racing car's front wheels.
// Idea:    LINE: where the car will be when the wheels have turned, its errors there, and the
//          curvature of the way there, eased where it changes; errors fade as those of a damped
//          oscillator, the angle to the line being held to what the car can undo. The front axle
//          is what is led along the way: its motion depends on the front tyres alone, whatever the
//          rear does (the centre of percussion lies there). So the wheels' angle is the direction
//          in which the front axle moves and the slip that gives the force; more than the tyres
//          have use for is never asked. That leaves the rear to itself, which at speed swings: the
//          body's yaw is damped about what the way and the drift in it ask for, and a rear that
//          slides is steered after.
//          POLE: the paper's, the tip of a pole in front of the car is held on the line.
// Cost:    0.2 µs.
// Source:  Vamos 3, eq. 13-14, signs mended; Kritayakirana and Gerdes, "Using the centre of
//          percussion to design a steering controller for an autonomous race car", 2012, but for
//          the damping.
#include "racer.h"

// The way's curvature is averaged over this time. [s]
#define EASE_TIME 0.4f
// Tyres hold most at about so much of the slip of half grip; a front gives way by so much to a rear
// that slips far beyond that. [1], [1]
#define PEAK_SLIP 4.6f
#define FRONT_YIELDS 0.5f
// Errors die out without overshooting.
#define DAMPING 1.0f
// Steepest way back to the line, slow and fast, and the acceleration aside for it. [rad], [1]
#define BACK_ANGLE_MOST 0.7f
#define BACK_SHARE 0.35f
#define BACK_LEAST 0.1f
// Below this the body's direction counts instead of its motion's. [m/s]
#define STEERING_SLOW 2.0f
#define STEERING_FAST 5.0f
// A sliding rear is steered after by so much of the slide.
#define COUNTER_STEER 0.8f
// Yaw other than the way asks for is steered against: at speed the rear hardly damps it. [s]
#define YAW_DAMPING 0.3f
// With tyres that are stiffer, less. [rad]
#define DAMPED_SLIP 0.02f
// The yaw rate that comes of it, times the time after which it comes, at most. [rad]
#define DAMPED_LATE 1.0f
// The drift's change is told from so long ahead and behind. [s]
#define DRIFT_STEP 0.15f
// Slip is taken for linear between these shares of grip while yaw is so steady; averaged over this
// time. [1], [rad/s], [s]
#define LINEAR_FROM 0.3f
#define LINEAR_TO 0.65f
#define STEERING_STEADY_YAW 0.06f
#define STEERING_SLIP_TIME 0.3f
#define HALF_SLIP_LEAST 0.0005f
#define HALF_SLIP_MOST 0.06f
// Until it has been measured there for so long bends nearer to the limit count, too, averaged over
// this time. [1], [s]
#define BENT_TO 0.85f
#define BENT_TIME 1.0f
// A slide is remembered for about this time. [s]
#define SLIDE_TIME 0.3f
// The wheels' angle near the limit is learnt from this share of grip on. [1], [1/s], [rad]
#define TRIM_FROM 0.5f
#define TRIM_RATE 4.0f
#define TRIM_MOST 0.1f
// A host whose cars slip nowhere: in a bend that uses so much of the grip, the rear axle or the
// reference point moves along the body, to this angle and share of the wheels', told over this
// time; and the slip that shows tyres after all, over that time. [1], [rad], [1], [s], [rad], [s]
#define FIRM_USE 0.15f
#define FIRM_SLIP 0.002f
#define FIRM_ROUNDING 0.05f
#define FIRM_TIME 0.4f
// With grip to spare, a car that slips nowhere turns as it is told; one that lacks so much of the
// grip to that for so long does slip. [1], [1], [s]
#define FIRM_SPARE 0.85f
#define FIRM_LACKS 0.2f
#define FIRM_LACKS_TIME 1.0f
#define SLIPS 0.005f
#define SLIPS_TIME 0.05f
// Who has seen tyres slip needs so many times as long to believe that there are none: round a
// hairpin the drift is nothing for a second where slip and geometry cancel. [1]
#define FIRM_DOUBT 10.0f
// Which point of the body does is told over this time. [s]
#define FIRM_PLACE_TIME 0.3f
// There a rear that slips by so much beyond rounding slides, and is a slide for all from so much
// more on; and wheels turned past the front axle's motion by so much and such a share of what the
// grip has use for do not turn the car any more. [rad], [rad], [rad], [1]
#define FIRM_SLIDE 0.004f
#define FIRM_SLIDES 0.02f
#define FIRM_AHEAD 0.015f
#define FIRM_AHEAD_SHARE 0.25f
// More than the tyres hold is not asked of them; so much less when it is too fast by so much. [1]
#define STEER_MOST 1.05f
#define STEER_LESS 0.3f
#define OVER_FROM 0.03f
#define OVER_TO 0.1f
// … and by so much without others near. [1]
#define ALONE_FROM 0.06f
#define ALONE_TO 0.16f
// The way's turning is averaged over this time. [s]
#define TURNING_TIME 0.05f

// Gravity's pull down a bank, as a curvature that the tyres hold besides that of the way. [1/m]
static float bank_curvature(const racer_frame* frame) {
    return KERB_GRAVITY * frame->here.up_left / kerb_max(frame->pace * frame->pace, 25.0f);
}

// Share of it in use at a curvature, of what was told: slips are learnt by that wherever the car
// is, and mean the same where it has learnt of more.
static float use_of(const racer_frame* frame, float curvature) {
    float use = kerb_abs(curvature) * frame->pace * frame->pace / frame->grip_aside;
    return kerb_min(use, 1.0f) * frame->grip_more;
}

// Slip grows faster than force: by so much more at the limit, for usual tyres.
static float slip_for(float half_slip, float use) {
    float square = use * use;
    return 2.0f * half_slip * use * (1.0f + 0.9f * square * square);
}

// What looks like slip of the rear where the reference point, and not the rear axle, moves along
// the body. [rad]
static float geometry(const kerb_racer* racer, const racer_frame* frame) {
    return kerb_atan2(racer->vehicle.reference_to_rear_axle * frame->yaw_rate,
                      kerb_max(kerb_abs(frame->speed), 3.0f));
}

// Velocity and direction half a frame apart, and a host's geometry rounded, look so. [rad]
static float rounding(const kerb_racer* racer, const racer_frame* frame) {
    float bend = kerb_abs(frame->yaw_rate) * racer->vehicle.wheelbase /
                 kerb_max(kerb_abs(frame->speed), 3.0f);
    return 0.5f * kerb_abs(racer->memory.turning) * frame->time_step + FIRM_ROUNDING * bend;
}

// Tyres that do not slip until their grip is spent slide all the same when it is.
static float firm_slide(const kerb_racer* racer, const racer_frame* frame) {
    float slip = racer->decision.slip_rear, none = FIRM_SLIDE + rounding(racer, frame);
    float far = geometry(racer, frame), most = kerb_max(far, 0.0f) + none;
    float least = kerb_min(far, 0.0f) - none;
    return kerb_max(slip - most, 0.0f) + kerb_min(slip - least, 0.0f);
}

static float soft_slide(const kerb_racer* racer, const racer_frame* frame) {
    float bend = racer->memory.turning / kerb_max(frame->pace, 3.0f) + frame->bank;
    float known = slip_for(racer->memory.half_slip[1], use_of(frame, bend));
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

// The state that the steering meets when it has been turned.
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
    float step = 0.25f * EASE_TIME * kerb_max(frame->along, 0.0f), sum = 0.0f;
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

// Of the front axle: turning depends on the front tyres alone there, whatever the rear does. Where
// nothing slips that axle's motion is but the wheels' angle: there, of the reference point.
static prediction predict(const kerb_racer* racer, const racer_frame* frame) {
    float delay = racer->vehicle.steering_delay + frame->hold;
    float run = kerb_max(frame->along, 0.0f) * delay;
    prediction p;
    float known = racer_step(frame->pace, STEERING_SLOW, STEERING_FAST), slips = racer_slips(racer);
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

static float wanted_curvature(kerb_racer* racer, const racer_frame* frame, const prediction* p) {
    const kerb_racer_settings* s = &racer->settings;
    float length = kerb_max(frame->pace * s->response_time, s->response_distance);
    // No steeper than it can be undone before the line, down a bank, too.
    float downhill = KERB_GRAVITY * frame->here.up_left * (p->offset < 0.0f ? -1.0f : 1.0f);
    float least = BACK_LEAST * frame->grip_aside;
    float holds = kerb_max(BACK_SHARE * frame->grip_aside - kerb_max(downhill, 0.0f), least);
    float undone = kerb_sqrt(2.0f * holds * kerb_abs(p->offset));
    float most = kerb_min(undone / kerb_max(frame->pace, 1.0f), BACK_ANGLE_MOST);
    float back = kerb_clamp(-p->offset / (2.0f * DAMPING * length), -most, most);
    float turn = kerb_clamp(kerb_wrap_angle(back - p->course), -1.2f, 1.2f);
    racer->decision.line_curvature = p->place.curvature;
    return p->eased + 2.0f * DAMPING * turn / length;
}

// --------------------------------------------------------------------------- slip

// The wheels' angle for a curvature: the bicycle's, and what the front slips more than the rear.
// Where nothing slips that is in proportion: the host's understeer.
static float angle_for(const kerb_racer* racer, const racer_frame* frame, float curvature) {
    const float* half = racer->memory.half_slip;
    float held = curvature + frame->bank, use = use_of(frame, held);
    float more = slip_for(half[0], use) - slip_for(half[1], use);
    more += racer->memory.trim * use * use;
    more = steering_between(2.0f * (half[0] - half[1]) * use, more, racer_slips(racer));
    return kerb_atan(racer->vehicle.wheelbase * curvature) + (held < 0.0f ? -more : more);
}

// What the car turns less than it was told, near the limit, makes for more angle next time; only
// while more angle helps. Where nothing slips until it slides the wheels' angle is the bend, and
// what it lacks at one speed says nothing of another.
static void learn_trim(kerb_racer* racer, const racer_frame* frame, float curvature) {
    float side = curvature + frame->bank < 0.0f ? -1.0f : 1.0f;
    float bend = racer->memory.turning / kerb_max(frame->pace, 3.0f);
    float use = use_of(frame, curvature + frame->bank);
    float most = 0.8f * racer->settings.front_slip_max * racer_half_slip(racer, 0);
    float lacks = (side * (curvature - bend)) * racer->vehicle.wheelbase;
    bool helps = kerb_abs(racer->decision.slip_front) < most || lacks < 0.0f;
    bool steady = use > TRIM_FROM && bend * side > 0.0f && frame->speed > STEERING_FAST &&
                  racer->memory.slide < 0.01f && !racer->decision.off_track;
    if (!steady || !helps)
        return;
    racer->memory.trim += racer_slips(racer) * TRIM_RATE * frame->time_step * lacks * use * use;
    racer->memory.trim = kerb_clamp(racer->memory.trim, -0.3f * TRIM_MOST, TRIM_MOST);
}

// How fast the way turns within the surface, which is not how fast the body does.
static void measure_turning(kerb_racer* racer, const racer_frame* frame) {
    float pace = kerb_clamp(1.0f - frame->here.curvature * frame->offset, 0.3f, 3.0f);
    float line = frame->here.curvature * frame->along / pace;
    float rate = kerb_wrap_angle(frame->course - racer->memory.course) / frame->time_step + line;
    racer->memory.course = frame->course;
    float share = frame->time_step / (TURNING_TIME + frame->time_step);
    float known = racer_step(frame->pace, STEERING_SLOW, STEERING_FAST);
    rate = kerb_clamp(rate, -3.0f, 3.0f);
    rate = frame->yaw_rate + known * (rate - frame->yaw_rate);
    racer->memory.turning += share * (rate - racer->memory.turning);
}

static void measure_slip(kerb_racer* racer, racer_frame* frame) {
    const kerb_vehicle* v = &racer->vehicle;
    float fast = kerb_max(kerb_abs(frame->speed), 3.0f);
    float rear = frame->side - v->reference_to_rear_axle * frame->yaw_rate;
    float front = frame->side + frame->reference_to_front_axle * frame->yaw_rate;
    racer->decision.slip_rear = -kerb_atan2(rear, fast);
    frame->front_goes = kerb_atan2(front, fast);
    racer->decision.slip_front = frame->wheels - frame->front_goes;
    if (frame->hold > 0.0f) { // nothing is later than it was told
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

// Steered as a car that slips nowhere a real one turns too little, and at speed it may look firm
// for as long as it runs wide. Wheels that are still on their way turn nothing yet.
static bool lags_behind(const kerb_racer* racer, const racer_frame* frame, float use) {
    float per_curvature = frame->pace * frame->pace / frame->grip_aside;
    float told = racer->decision.commanded_curvature * per_curvature;
    float side = told < 0.0f ? -1.0f : 1.0f;
    float wheels = side * frame->wheels / racer->vehicle.wheelbase * per_curvature;
    float turns = side * racer->memory.turning * frame->pace / frame->grip_aside;
    float due = kerb_min(kerb_min(kerb_abs(told), wheels), 1.0f);
    return use < FIRM_SPARE && due - turns > FIRM_LACKS;
}

// Tyres that hold a bend slip. A host whose rear axle moves along the body, as that of a bicycle
// without slip does, has none until they slide, and slides at the limit say nothing of them. One
// that says so of the reference point probably has none: in gentle bends at one speed a real car
// looks so, too, where the rear's slip and the bend's geometry cancel, and then its slides tell.
static void notice_firmness(kerb_racer* racer, const racer_frame* frame) {
    float use = kerb_abs(racer->memory.turning) * frame->pace / frame->grip_aside;
    if (frame->speed > STEERING_FAST && racer->memory.firm > 0.5f &&
        lags_behind(racer, frame, use)) {
        racer->memory.firm -= frame->time_step / FIRM_LACKS_TIME;
        return;
    }
    if (frame->speed < STEERING_FAST || use < FIRM_USE || racer->decision.off_track)
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

// Slip of an axle at half of its grip, by what it is at so much `force`. As told: what was driven
// on in thought would only confirm what it is made of.
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

// On loose ground among bends it never is: then nearer to the limit, slowly, and by the axle that
// slips less, because there the other may be past its best.
static void learn_bent_slip(kerb_racer* racer, const racer_frame* frame, float use) {
    float share = frame->time_step / (BENT_TIME + frame->time_step);
    float force = slip_for(0.5f, use) * LINEAR_TO / slip_for(0.5f, LINEAR_TO);
    float half = kerb_min(half_slip_at(frame, 0, force), half_slip_at(frame, 1, force));
    for (int32_t i = 0; i < 2; i++)
        racer->memory.half_slip[i] += share * (half - racer->memory.half_slip[i]);
}

static void steering_learn_slip(kerb_racer* racer, const racer_frame* frame) {
    float bend = racer->memory.turning / kerb_max(frame->pace, 3.0f) + frame->bank;
    float use = use_of(frame, bend);
    // Not while braking, nor while the body turns otherwise than the way: those slips say nothing
    // of a bend.
    bool steady = frame->speed > STEERING_FAST && racer->controls.brake <= 0.0f &&
                  kerb_abs(frame->yaw_rate - racer->memory.turning) < STEERING_STEADY_YAW &&
                  !racer->decision.off_track;
    if (use < LINEAR_FROM || !steady)
        return;
    if (is_linear(racer, frame, use))
        learn_linear_slip(racer, frame, use);
    else if (racer->memory.half_slip_time < STEERING_SLIP_TIME &&
             steering_is_within(racer, frame, use, BENT_TO))
        learn_bent_slip(racer, frame, use);
}

// Where the body points against its motion in a steady bend. [rad]
static float drift_for(const kerb_racer* racer, const racer_frame* frame, float curvature) {
    float held = curvature + frame->bank;
    float slip = slip_for(racer->memory.half_slip[1], use_of(frame, held));
    return racer->vehicle.reference_to_rear_axle * curvature - (held < 0.0f ? -slip : slip);
}

// How fast the body should turn: as the way does, less what its drift changes by. [rad/s]
static float wanted_yaw_rate(const kerb_racer* racer, const racer_frame* frame, float curvature) {
    float step = DRIFT_STEP * kerb_max(frame->along, 0.0f);
    float ahead = eased_curvature(racer, frame, frame->total + (double)step);
    float behind = eased_curvature(racer, frame, frame->total - (double)step);
    float drifts = drift_for(racer, frame, ahead) - drift_for(racer, frame, behind);
    return frame->pace * curvature - drifts / (2.0f * DRIFT_STEP);
}

// The wheels follow the rear when it slips more than the bend explains: in a slide that is counter
// steering, before one it is what keeps it from coming.
static float catch_slide(const kerb_racer* racer, const racer_frame* frame, float curvature) {
    float known = racer_step(frame->speed, STEERING_SLOW, STEERING_FAST),
          slips = racer_slips(racer);
    float slide = kerb_in_racer_slide(racer, frame);
    // Where nothing slips the wheels alone say how it turns, but while it slides: there, and until
    // it is known, damping would but answer itself from frame to frame.
    float loose = racer_step(-racer->memory.firm, 0.0f, 1.0f);
    loose *= kerb_min(racer->memory.half_slip[0] / DAMPED_SLIP, 1.0f);
    // What it answers comes late: more than this, and it answers itself.
    float late = racer->vehicle.steering_delay + frame->time_step;
    float answers =
        frame->grip_aside / (2.0f * racer_half_slip(racer, 0) * racer->vehicle.wheelbase);
    loose *= kerb_min(DAMPED_LATE / (YAW_DAMPING * answers * late), 1.0f);
    float lost = racer_step(kerb_abs(slide), 0.0f, FIRM_SLIDES);
    loose = kerb_max(loose, (1.0f - slips) * lost);
    float spin = frame->yaw_rate - wanted_yaw_rate(racer, frame, curvature);
    return -known * (COUNTER_STEER * slide + loose * YAW_DAMPING * spin);
}

// Wheels far past the front axle's motion have spent their grip: turned further they only wait for
// the moment in which they find some more, and then throw the car round.
static float hold_ahead(const kerb_racer* racer, const racer_frame* frame, float goes,
                        float angle) {
    float firm =
        (1.0f - racer_slips(racer)) * racer_step(frame->speed, STEERING_SLOW, 2.0f * STEERING_FAST);
    if (firm <= 0.0f)
        return angle;
    float bend = frame->grip_aside / kerb_max(frame->pace * frame->pace, 1.0f);
    float ahead = FIRM_AHEAD + FIRM_AHEAD_SHARE * kerb_atan(racer->vehicle.wheelbase * bend);
    float far = geometry(racer, frame);
    float least = goes + kerb_min(far, 0.0f) - ahead, most = goes + kerb_max(far, 0.0f) + ahead;
    return angle + firm * (kerb_clamp(angle, least, most) - angle);
}

// A rear beyond its best slip finds grip again only when the front asks for less. [0 … 1]
static float beyond_peak(const kerb_racer* racer, float held) {
    float out = held < 0.0f ? -racer->decision.slip_rear : racer->decision.slip_rear;
    float half = racer_half_slip(racer, 1);
    return racer_step(out, PEAK_SLIP * half, PEAK_SLIP * 1.6f * half);
}

// --------------------------------------------------------------------------- both ways

// Of the grip, for turning. It can be too fast for what comes, among others when its way has to
// change: it must be slower first, and tyres that turn with all they have cannot brake.
float kerb_in_racer_turning_share(const kerb_racer* racer, const racer_frame* frame) {
    float planned = kerb_sqrt(racer_row_at(racer->memory.ahead.squared, frame->spot));
    float from = ALONE_FROM, to = ALONE_TO;
    if (racer->memory.traffic.known_count > 0) {
        planned = kerb_min(planned, frame->traffic_speed);
        from = OVER_FROM;
        to = OVER_TO;
    }
    float over = frame->pace / kerb_max(planned, 5.0f) - 1.0f;
    return STEER_MOST - STEER_LESS * racer_step(over, from, to);
}

static float steer_by_line(kerb_racer* racer, const racer_frame* frame) {
    prediction p = predict(racer, frame);
    float curvature = wanted_curvature(racer, frame, &p);
    racer->decision.commanded_curvature = curvature;
    steering_learn_slip(racer, frame);
    // More than the tyres hold is not to be had by more steering.
    float most =
        frame->turning_share * frame->grip_aside / kerb_max(frame->pace * frame->pace, 1.0f);
    float bank = frame->bank;
    curvature = kerb_clamp(curvature, -most - bank, most - bank);
    learn_trim(racer, frame, curvature);
    float held = curvature + bank, use = use_of(frame, held);
    float slip = slip_for(racer->memory.half_slip[0], use) + racer->memory.trim * use * use;
    slip = kerb_min(slip, racer->settings.front_slip_max * racer_half_slip(racer, 0));
    slip *= 1.0f - FRONT_YIELDS * beyond_peak(racer, held);
    float fast = p.goes + (held < 0.0f ? -slip : slip);
    float slow = angle_for(racer, frame, curvature);
    float share = racer_slips(racer) * racer_step(frame->speed, STEERING_SLOW, STEERING_FAST);
    float angle = slow + share * (fast - slow) + catch_slide(racer, frame, curvature);
    return hold_ahead(racer, frame, p.goes, angle);
}

// Eq. 13: the sine of the angle from the pole to the goal is the steering angle's.
static float steer_by_pole(kerb_racer* racer, const racer_frame* frame, kerb_vec2 goal) {
    float far = kerb_sqrt(kerb_vec2_dot(goal, goal));
    float sine = far > 0.01f ? goal.y / far : 0.0f;
    float angle = kerb_asin(kerb_clamp(sine, -1.0f, 1.0f));
    racer->decision.commanded_curvature =
        kerb_tan(kerb_clamp(angle, -1.0f, 1.0f)) / racer->vehicle.wheelbase;
    racer->decision.line_curvature = racer_row_at(racer->memory.ahead.curvature, frame->spot);
    return goal.x < 0.0f ? (goal.y > 0.0f ? 1.0f : -1.0f) : angle;
}

// How much it slides, remembered for a moment.
static void note_slide(kerb_racer* racer, const racer_frame* frame) {
    float now = kerb_abs(kerb_in_racer_slide(racer, frame));
    float fades = racer->memory.slide * (1.0f - kerb_min(frame->time_step / SLIDE_TIME, 1.0f));
    racer->memory.slide = kerb_max(now, fades);
}

// The place of its way so far ahead, in the world, and from the car in its own axes.
static kerb_vec2 steering_look_at(kerb_racer* racer, const racer_frame* frame, float ahead) {
    racer->decision.target = kerb_in_racer_look_at(racer, frame, ahead);
    kerb_vec3 off = kerb_vec3_sub(racer->decision.target, frame->motion->position);
    return kerb_vec2_make(kerb_vec3_dot(off, frame->forward), kerb_vec3_dot(off, frame->left));
}

float kerb_in_racer_steer(kerb_racer* racer, racer_frame* frame) {
    const kerb_racer_settings* s = &racer->settings;
    float pole = kerb_max(frame->pace * s->pole.time, s->pole.length_min);
    kerb_vec2 goal = steering_look_at(racer, frame, pole);
    frame->bank = bank_curvature(frame);
    measure_turning(racer, frame);
    measure_slip(racer, frame);
    notice_firmness(racer, frame);
    note_slide(racer, frame);
    float angle = s->steering == KERB_RACER_POLE ? steer_by_pole(racer, frame, goal)
                                                 : steer_by_line(racer, frame);
    float most = racer->vehicle.steering_angle_max;
    racer->memory.steering = kerb_clamp(angle, -most, most);
    return racer->memory.steering;
}
