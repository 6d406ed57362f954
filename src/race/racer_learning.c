// Purpose: what a racing driver learns of a line lap by lap: where it holds more or less than it
//          was told.
// Idea:    Bins along the line, each with a share of the grip that is planned with there. Driven
//          as planned, without a slide, well inside the edge, and with less slip than tyres have
//          at that share of their grip, a bend has some to spare: its bin rises a little. Near the
//          edge on the outside, off the track, in a slide or past the braking point something was
//          too fast: the bins of the last seconds fall, back to the slide that it began with, and
//          stay down for some laps. Where tyres at their limit held less than was known of, the bin
//          falls by what lacks: what they hold is what the car does, which a bend entered late or
//          left early does not change. Where it slid that is what is left of the grip there, and,
//          as far as slides agree, elsewhere. None needs to know how the tyres are made; slips are
//          counted in those at half of the grip. Steps are small, so that a mistake, a push or a
//          wet wheel teaches little; what happens after one, near others, or off the line teaches
//          nothing.
// Cost:    O(1) a frame, O(bins) when a bin is left; nothing when it is off.
#include "racer_learning.h"

#include "racer_skill.h"

#include <string.h>

#define BINS KERB_RACER_LEARNT_BINS
// Bins are not shorter than this. [m]
#define BIN_LEAST 40.0f
// What is learnt stays between these; slides alone teach no less than the last: some cars slide
// whatever their speed. [1]
#define LEAST 0.85f
#define MOST 1.15f
#define LEAST_BY_SLIDES 0.98f
// It rises at most by this in a lap, by this for each unit of slip that is not used; and it falls
// at most by this, twice as much when it was too fast there before. [1]
#define RISE_MOST 0.030f
#define RISE_BY_SLIP 0.12f
#define FALL_MOST 0.03f
// Of what pieces have learnt, so much holds where nothing was. [1]
#define COMMON_SHARE 0.7f
// So much of what bends have to spare is no more braking. [1]
#define BRAKES_SPARE 0.05f
// Neighbouring bins differ by no more. [1]
#define STEP_MOST 0.05f
// After it fell it does not rise for so many visits, twice as many after each further fall, up to
// so many; and then by smaller steps.
#define VISITS_HELD 4
#define VISITS_MOST 64
// What lies back so far was the cause, of the worst twice as far. [s]
#define BLAME_TIME 1.5f
// After trouble nothing is learnt for so long. [s]
#define PAUSE 3.0f
// A slide may be the cause of what happens until so long after it, and at most so far on. [s], [m]
#define CHAIN_TIME 4.0f
#define CHAIN_MOST 300.0f

// Planned by the bend and driven so: speed² against the plan's, the plan's against the bend's, and
// for so long in a bin. [1], [1], [s]
#define DRIVEN 0.93f
#define BY_BEND 0.9f
#define DRIVEN_TIME 0.12f
// Slip that counts as spare, and slip that the tyres have at their limit, by that of the planned
// use. [1]
#define SLIP_SPARE 0.95f
#define SLIP_LOST 1.15f
// Slips say something once those of these tyres were measured for so long. [s]
#define SLIP_KNOWN_TIME 0.3f
// Who never takes a bend gently never measures them: after so many rounds he tries what there is,
// as if so much slip were not used. [1], [1]
#define PROBE_AFTER 1.5
#define PROBE_SPARE 0.2f
// No tyres hold half of their grip at less. [rad]
#define SLIP_LEAST 0.008f
// With its tyres at their limit for so long in a bin, what they held there is what they can. Beyond
// their best slip they hold about so much of it; cars that were told right show so much less on
// their own, by load and by how they sway. It falls at most by so much. [s], [1], [1], [1]
#define LOST_TIME 0.15f
#define LOST_HOLDS 0.96f
#define LOST_FROM 0.03f
#define LOST_MOST 0.10f
// What they held counts where it slid within this time; one slide is not all yet, and those before
// so many others are forgotten. [s], [1], [1]
#define SLID_LATELY 1.0f
#define SLIDS_DOUBT 0.5f
#define SLIDS_MOST 16.0f
// What the tyres hold is told over this time. [s]
#define HELD_OVER 0.1f
// Steadily: no more brake, yaw against the way's turning, and push by the grip. [1], [rad/s], [1]
#define STEADY_BRAKE 0.05f
#define STEADY_YAW 0.1f
#define STEADY_PUSH 0.25f
// Short of the worst, trouble never makes it fall below this share of what the tyres held in the
// last seconds, and hold again; that fades. [1], [1/s]
#define HELD_SHARE 1.02f
#define HELD_FADES 0.06f
// More than this they never hold. [1]
#define USE_MOST 1.2f
// Too near to the edge, by the car's width, and how much nearer is as bad as can be. [1]
#define EDGE 0.28f
// It keeps so much more to rise. [1]
#define EDGE_SPARE 0.40f
// But only where it is so far from its way. [m]
#define OFF_WAY 0.2f
// In a bend that takes so much of the grip. [1]
#define INSIDE_USE 0.5f
// A slide is bad from this on, and as bad as can be after this; speed² past the plan likewise.
// [s], [1]
#define SLIDE_FROM 0.3f
#define SLIDE_BAD 1.0f
#define LATE_FROM 1.12f
#define LATE_BAD 1.4f
// Off the line by more it drives another one. [1]
#define LANE_MOST 0.02f
// More than the tyres can do, by their grip: something pushed it. [1]
#define PUSHED 2.5f

// --------------------------------------------------------------------------- bins

static int32_t bins_of(const kerb_racing_line* line) {
    return (int32_t)kerb_clamp((float)line->length / BIN_LEAST, 4.0f, (float)BINS);
}

// In the first round what others have to spare is no promise.
static float common_now(const kerb_racer* racer) {
    float common = racer->learnt.common;
    return racer->learnt.way < racer->learnt.length ? kerb_min(common, 1.0f) : common;
}

static float value_of(const kerb_racer* racer, int32_t bin) {
    return racer->learnt.seen[bin] > 0 ? racer->learnt.grip[bin] : common_now(racer);
}

static bool is_for(const kerb_racer* racer, const kerb_racing_line* line) {
    return racer->learnt.length == line->length && racer->learnt.count == line->count;
}

static bool learns(const kerb_racer* racer) {
    return racer->settings.learning == 1;
}

// The bin before a place, and how far it is to the next: bins stand in the middle of their stretch.
static int32_t bin_before(const kerb_racing_line* line, double at, float* share) {
    int32_t count = bins_of(line);
    double place = at / line->length, whole = (double)(int64_t)place;
    float in = (float)(place - (whole > place ? whole - 1.0 : whole)) * (float)count + 0.5f;
    int32_t bin = (int32_t)in;
    *share = in - (float)bin;
    return bin >= 1 ? (bin - 1) % count : count - 1;
}

float racer_learnt_grip(const kerb_racer* racer, const kerb_racing_line* line, double at) {
    if (!learns(racer) || !is_for(racer, line))
        return 1.0f;
    float share;
    int32_t a = bin_before(line, at, &share), count = bins_of(line);
    int32_t b = a + 1 < count ? a + 1 : 0;
    float from = value_of(racer, a);
    float value = from + (value_of(racer, b) - from) * share;
    // Who uses less of what there is also finds less of it.
    return value > 1.0f ? 1.0f + (value - 1.0f) * racer->settings.skill : value;
}

// What bends have to spare at first is what the plan leaves there; braking is planned with less of
// a margin, and more grip is there for it only beyond that.
float racer_learnt_brakes(float grip) {
    return grip > 1.0f ? kerb_max(grip - BRAKES_SPARE, 1.0f) / grip : 1.0f;
}

// What all that was seen has in common, for where nothing was: braking on straights above all.
static void find_common(kerb_racer* racer, int32_t count) {
    float sum = 0.0f, seen = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        if (racer->learnt.seen[i] == 0)
            continue;
        sum += racer->learnt.grip[i] - 1.0f;
        seen += 1.0f;
    }
    // One bend is half a proof.
    racer->learnt.common = 1.0f + COMMON_SHARE * sum / (seen + 1.0f);
    float sure = racer->learnt.slids / (racer->learnt.slids + SLIDS_DOUBT);
    float most = kerb_max(racer->learnt.common, 1.0f) - sure * racer->learnt.lacks;
    racer->learnt.common = kerb_min(racer->learnt.common, most);
}

static void see(kerb_racer* racer, int32_t bin) {
    if (racer->learnt.seen[bin] == 0)
        racer->learnt.grip[bin] = common_now(racer);
    if (racer->learnt.seen[bin] < UINT8_MAX)
        racer->learnt.seen[bin]++;
}

// Never beyond the least, unless it is there already.
static void fall(kerb_racer* racer, int32_t bin, float step, float least) {
    float now = racer->learnt.grip[bin];
    racer->learnt.grip[bin] = kerb_max(now - step, kerb_min(now, least));
}

static bool fell(const kerb_racer* racer, int32_t bin) {
    return racer->learnt.falls[bin] > 0 || racer->learnt.held[bin] > 0;
}

static void beside(int32_t bin, int32_t count, int32_t sides[2]) {
    sides[0] = bin > 0 ? bin - 1 : count - 1;
    sides[1] = bin + 1 < count ? bin + 1 : 0;
}

// No step remains: those that were seen on either side follow it down …
static void level(kerb_racer* racer, int32_t bin, int32_t count) {
    int32_t sides[2];
    beside(bin, count, sides);
    float most = racer->learnt.grip[bin] + STEP_MOST;
    for (int32_t i = 0; i < 2; i++)
        racer->learnt.grip[sides[i]] = kerb_min(racer->learnt.grip[sides[i]], most);
}

// … and up, but for those that fell, which hold it back.
static void rise(kerb_racer* racer, int32_t bin, int32_t count, float step) {
    int32_t sides[2];
    beside(bin, count, sides);
    float now = racer->learnt.grip[bin], most = MOST;
    for (int32_t i = 0; i < 2; i++)
        if (fell(racer, sides[i]))
            most = kerb_min(most, racer->learnt.grip[sides[i]] + STEP_MOST);
    float risen = kerb_max(now, kerb_min(now + step, most));
    racer->learnt.grip[bin] = risen;
    for (int32_t i = 0; i < 2; i++)
        if (racer->learnt.seen[sides[i]] > 0 && !fell(racer, sides[i]))
            racer->learnt.grip[sides[i]] =
                kerb_max(racer->learnt.grip[sides[i]], risen - STEP_MOST);
}

// --------------------------------------------------------------------------- falling

// An axle that slides is past its best: what the tyres held then is what they can. What such slides
// have in common goes for pieces of which nothing is known; what cars that were told right lack on
// their own is no lack.
static float slid_at(kerb_racer* racer, float bad) {
    if (bad <= 0.0f || racer->learnt.quiet > SLID_LATELY)
        return MOST;
    float held = racer->learnt.use / LOST_HOLDS;
    float lacks = held < 1.0f - LOST_FROM ? 1.0f - held : 0.0f;
    racer->learnt.slids = kerb_min(racer->learnt.slids + bad, SLIDS_MOST);
    racer->learnt.lacks += (lacks - racer->learnt.lacks) * bad / racer->learnt.slids;
    return held;
}

static uint8_t hold(kerb_racer* racer, int32_t bin) {
    int32_t visits = VISITS_HELD;
    for (int32_t i = 0; i < racer->learnt.falls[bin] && visits < VISITS_MOST; i++)
        visits *= 2;
    if (racer->learnt.falls[bin] < UINT8_MAX)
        racer->learnt.falls[bin]++;
    return (uint8_t)visits;
}

// The bins from here back to the cause. What is not bad only keeps them from rising next time.
static void blame(kerb_racer* racer, const racer_frame* frame, float bad, float least) {
    int32_t count = bins_of(frame->line), bin = racer->learnt.bin;
    float length = (float)frame->line->length / (float)count;
    if (bad < 1.0f)
        least = kerb_max(least, HELD_SHARE * racer->learnt.use);
    // Little trouble that stays however slow it gets is not of the grip: so it teaches little.
    least = kerb_max(least, 1.0f - (1.0f - LEAST) * bad);
    float limit = slid_at(racer, bad);
    float from = BLAME_TIME * (1.0f + bad) * frame->pace + racer->learnt.chain;
    float back = kerb_min(from / length, (float)(count - 1));
    for (int32_t left = (int32_t)back + 1; left > 0; left--) {
        uint8_t held = racer->learnt.held[bin];
        if (bad > 0.0f) {
            see(racer, bin);
            float step = FALL_MOST * bad * (held > 1 ? 2.0f : 1.0f);
            float lacks = racer->learnt.grip[bin] - limit;
            if (lacks > LOST_FROM)
                step = kerb_max(step, bad * kerb_min(lacks, LOST_MOST));
            fall(racer, bin, step, kerb_min(least, limit));
            held = hold(racer, bin);
        }
        racer->learnt.held[bin] = held > 1 ? held : 1;
        if (bin == 0 && !frame->line->closed)
            break;
        bin = bin > 0 ? bin - 1 : count - 1;
    }
    find_common(racer, count);
}

// --------------------------------------------------------------------------- what a frame shows

// Share of the grip that it plans with, skill and settings in it, and the slip that goes with that
// by that of half of the grip, for usual tyres.
static float planned_use(const kerb_racer* racer, const racer_frame* frame) {
    float told = kerb_max(racer->performance.lateral * frame->grip, 0.1f);
    return kerb_clamp(frame->limits.lateral / told, 0.1f, 1.0f);
}

static float slip_at(float use) {
    float square = use * use;
    return 2.0f * use * (1.0f + 0.9f * square * square);
}

// Slips are told by that at half of the grip that was told: where the tyres have proved to hold
// more all along, the same share of what they hold is more slip. [1]
static float stretch(const kerb_racer* racer) {
    return 1.0f + kerb_max(racer->learnt.common - 1.0f, 0.0f) / COMMON_SHARE;
}

// Of either axle, by that at half of the grip.
static float slip_by(const kerb_racer* racer, const float half[2]) {
    float front = kerb_abs(racer->thoughts.slip_front) / kerb_max(half[0], SLIP_LEAST);
    float rear = kerb_abs(racer->thoughts.slip_rear) / kerb_max(half[1], SLIP_LEAST);
    return kerb_max(front, rear);
}

// What the tyres hold in all, along and aside, by what it was told: from what the car did, which
// the pedals do not say. [1]
static float use_now(kerb_racer* racer, const racer_frame* frame) {
    const kerb_performance* p = &racer->performance;
    float told = kerb_max(frame->grip_aside / frame->grip_more, 0.1f), dt = frame->time_step;
    kerb_vec3 left = frame->left;
    kerb_vec3 change = kerb_vec3_sub(frame->motion->velocity, racer->learnt.velocity);
    float resists = p->rolling + p->drag * frame->speed * frame->speed;
    float along = kerb_vec3_dot(change, frame->forward) / dt + KERB_GRAVITY * frame->forward.z;
    float aside = kerb_vec3_dot(change, left) / dt + KERB_GRAVITY * left.z;
    float share = dt / (HELD_OVER + dt);
    racer->learnt.along += share * (along + resists - racer->learnt.along);
    racer->learnt.aside += share * (aside - racer->learnt.aside);
    // Told of more along than aside, it counts for less.
    float by_aside = racer->learnt.along * p->lateral / kerb_max(p->braking, 0.1f);
    return kerb_sqrt(racer->learnt.aside * racer->learnt.aside + by_aside * by_aside) / told;
}

static void watch_grip(kerb_racer* racer, const racer_frame* frame) {
    float now = kerb_min(use_now(racer, frame), USE_MOST);
    racer->learnt.use_now = now;
    racer->learnt.use = kerb_max(racer->learnt.use - HELD_FADES * frame->time_step, now);
}

// Room from the car's middle to the edge that it is nearer to than it meant to be. [m]
static float room_left(const kerb_racer* racer, const racer_frame* frame) {
    float off = racer->thoughts.cross_track_error;
    float inside = off * racer->memory.turning * frame->pace;
    // Who turns in too far is not too fast.
    if (kerb_abs(off) < OFF_WAY || inside > INSIDE_USE * frame->grip_aside * kerb_abs(off))
        return 100.0f;
    return off > 0.0f ? frame->here.left - frame->offset : frame->here.right + frame->offset;
}

static bool was_pushed(const kerb_racer* racer, const racer_frame* frame) {
    kerb_vec3 change = kerb_vec3_sub(frame->motion->velocity, racer->learnt.velocity);
    float most = PUSHED * frame->grip_aside * frame->time_step + 0.5f;
    return kerb_vec3_dot(change, change) > most * most;
}

// It drives the line for itself, undisturbed, as well as it can.
static bool is_itself(const kerb_racer* racer, const racer_frame* frame) {
    return racer->memory.phase == KERB_RACER_DRIVES && !racer->traffic.active &&
           kerb_abs(racer->memory.lane) < LANE_MOST && racer->skill.near <= 0.0f &&
           !frame->past_end && frame->speed > 5.0f &&
           !racer_skill_errs(racer, frame->line, frame->total);
}

static bool slides_now(const kerb_racer* racer) {
    return racer->thoughts.reason == KERB_REASON_SLIDING;
}

static float how_long_it_slides(kerb_racer* racer, float time_step) {
    racer->learnt.slides = slides_now(racer) ? racer->learnt.slides + time_step : 0.0f;
    return (racer->learnt.slides - SLIDE_FROM) / (SLIDE_BAD - SLIDE_FROM);
}

// How far it came since the slide began that what comes now may come of.
static void follow_chain(kerb_racer* racer, const racer_frame* frame) {
    racer->learnt.quiet = slides_now(racer) ? 0.0f : racer->learnt.quiet + frame->time_step;
    float on = kerb_max(frame->along, 0.0f) * frame->time_step;
    racer->learnt.chain = kerb_min(racer->learnt.chain + on, CHAIN_MOST);
    racer->learnt.way += (double)on;
    if (racer->learnt.quiet > CHAIN_TIME)
        racer->learnt.chain = 0.0f;
}

// How bad it is that it is where it is, as fast as it is. [0 … 1]
static float how_bad(const kerb_racer* racer, const racer_frame* frame, const racer_place* place) {
    float near = 1.0f - room_left(racer, frame) / (EDGE * racer->vehicle.width);
    float square = frame->speed * frame->speed / kerb_max(place->squared, 1.0f);
    float late = place->acceleration < -1.0f ? (square - LATE_FROM) / (LATE_BAD - LATE_FROM) : 0.0f;
    return kerb_clamp(kerb_max(near, late), 0.0f, 1.0f);
}

// --------------------------------------------------------------------------- rising

// At the limit of its tyres it held less than it knew of.
static bool lost_grip(kerb_racer* racer, const racer_frame* frame) {
    int32_t bin = racer->learnt.bin, count = bins_of(frame->line);
    if (racer->learnt.lost < LOST_TIME)
        return false;
    see(racer, bin);
    float lacks = racer->learnt.grip[bin] - racer->learnt.lost_use / LOST_HOLDS;
    if (lacks < LOST_FROM)
        return false;
    fall(racer, bin, kerb_min(lacks, LOST_MOST), LEAST);
    if (racer->learnt.held[bin] < 2)
        racer->learnt.held[bin] = 2;
    level(racer, bin, count);
    find_common(racer, count);
    return true;
}

// What the bin that it leaves has shown.
static void leave_bin(kerb_racer* racer, const racer_frame* frame) {
    int32_t bin = racer->learnt.bin;
    float driven = racer->learnt.driven;
    if (lost_grip(racer, frame) || driven < DRIVEN_TIME)
        return;
    see(racer, bin);
    if (racer->learnt.held[bin] > 0) {
        racer->learnt.held[bin]--;
        return;
    }
    bool known = racer->memory.half_slip_time >= SLIP_KNOWN_TIME;
    if (!known && racer->learnt.way < PROBE_AFTER * racer->learnt.length)
        return;
    float most = SLIP_SPARE * slip_at(planned_use(racer, frame)) * stretch(racer);
    float spare = known ? most - racer->learnt.slip / driven : PROBE_SPARE;
    if (spare <= 0.0f)
        return;
    int32_t count = bins_of(frame->line);
    float step = kerb_min(RISE_BY_SLIP * spare, RISE_MOST);
    rise(racer, bin, count, step / (1.0f + 2.0f * (float)racer->learnt.falls[bin]));
    find_common(racer, count);
}

// As fast as the bend was planned.
static bool is_driven(const racer_frame* frame, const racer_place* place) {
    float square = frame->speed * frame->speed;
    float top = frame->limits.speed_max * frame->limits.speed_max;
    return place->squared >= BY_BEND * place->corner && square >= DRIVEN * place->squared &&
           place->squared < 0.99f * top;
}

// At the limit, how much of the planned bend it turns. Only steadily in a bend: while braking,
// driving or swinging round slips are larger.
static void watch_limit(kerb_racer* racer, const racer_frame* frame, const racer_place* place) {
    float dt = frame->time_step, use = racer->learnt.use_now;
    float push = kerb_abs(racer->memory.push) / kerb_max(frame->grip_aside, 0.1f);
    bool steady = racer->controls.brake < STEADY_BRAKE && push < STEADY_PUSH && use > 0.5f &&
                  kerb_abs(frame->yaw_rate - racer->memory.turning) < STEADY_YAW;
    float limit = SLIP_LOST * slip_at(planned_use(racer, frame)) * stretch(racer);
    if (!steady || !is_driven(frame, place) || slip_by(racer, racer->memory.half_slip) < limit)
        return;
    racer->learnt.lost += dt;
    racer->learnt.lost_use = kerb_max(racer->learnt.lost_use, use);
}

static void watch_bend(kerb_racer* racer, const racer_frame* frame, const racer_place* place) {
    if (!is_driven(frame, place))
        return;
    racer->learnt.driven += frame->time_step;
    // By what was measured alone: what was supposed before that would be taken for spare.
    racer->learnt.slip += frame->time_step * slip_by(racer, racer->memory.seen_slip);
}

// --------------------------------------------------------------------------- the frame

static void forget(kerb_racer* racer, const kerb_racing_line* line) {
    memset(&racer->learnt, 0, sizeof racer->learnt);
    racer->learnt.length = line->length;
    racer->learnt.count = line->count;
    racer->learnt.common = 1.0f;
    racer->learnt.pause = PAUSE;
    racer->learnt.quiet = CHAIN_TIME;
    racer->learnt.away = 1;
}

static void enter_bin(kerb_racer* racer, const racer_frame* frame) {
    int32_t count = bins_of(frame->line);
    float place = (float)(racer->memory.distance / frame->line->length) * (float)count;
    int32_t bin = (int32_t)kerb_clamp(place, 0.0f, (float)(count - 1));
    if (bin == racer->learnt.bin)
        return;
    leave_bin(racer, frame);
    racer->learnt.bin = bin;
    racer->learnt.driven = racer->learnt.slip = 0.0f;
    racer->learnt.lost = racer->learnt.lost_use = 0.0f;
}

// Trouble is blamed once, when it is at its worst.
static void watch_trouble(kerb_racer* racer, const racer_frame* frame, const racer_place* place) {
    float bad = how_bad(racer, frame, place);
    float slide = how_long_it_slides(racer, frame->time_step);
    racer->learnt.lasting = kerb_max(racer->learnt.lasting, bad);
    bool worse = bad > racer->learnt.bad || (slide > racer->learnt.bad && slide < 1.0f);
    racer->learnt.bad = kerb_max(racer->learnt.bad, kerb_clamp(kerb_max(bad, slide), 0.0f, 1.0f));
    if (worse && bad < 1.0f)
        return;
    if (racer->learnt.bad > 0.0f) {
        bool slid = racer->learnt.lasting <= 0.0f;
        blame(racer, frame, racer->learnt.bad, slid ? LEAST_BY_SLIDES : LEAST);
        racer->learnt.pause = PAUSE * racer->learnt.bad;
        racer->learnt.quiet = 0.0f;
        racer->learnt.bad = racer->learnt.lasting = racer->learnt.slides = 0.0f;
    } else if (room_left(racer, frame) < EDGE_SPARE * racer->vehicle.width) {
        blame(racer, frame, 0.0f, LEAST);
    }
}

// Where it leaves the track is blamed, not where it drives beside it.
static void leave_track(kerb_racer* racer, const racer_frame* frame) {
    bool own = racer->learnt.away == 0 && is_itself(racer, frame);
    if (own && (racer->learnt.pause <= 0.0f || racer->learnt.chain > 0.0f))
        blame(racer, frame, 1.0f, LEAST);
    racer->learnt.away = 1;
    racer->learnt.pause = PAUSE;
}

// Somebody else, or something, had a hand in it.
static void watch_others(kerb_racer* racer, const racer_frame* frame) {
    bool pushed = was_pushed(racer, frame);
    racer->learnt.velocity = frame->motion->velocity;
    if (!pushed && racer->skill.near <= 0.0f)
        return;
    racer->learnt.pause = PAUSE;
    racer->learnt.chain = 0.0f;
    racer->learnt.quiet = CHAIN_TIME;
}

void racer_learn(kerb_racer* racer, const racer_frame* frame) {
    if (!learns(racer))
        return;
    if (!is_for(racer, frame->line))
        forget(racer, frame->line);
    follow_chain(racer, frame);
    watch_grip(racer, frame);
    watch_others(racer, frame);
    racer->learnt.pause = kerb_max(racer->learnt.pause - frame->time_step, 0.0f);
    if (racer->thoughts.off_track)
        leave_track(racer, frame);
    if (racer->learnt.pause > 0.0f || !is_itself(racer, frame)) {
        racer->learnt.driven = racer->learnt.slip = 0.0f;
        racer->learnt.lost = racer->learnt.lost_use = 0.0f;
        racer->learnt.bad = racer->learnt.lasting = racer->learnt.slides = 0.0f;
        enter_bin(racer, frame);
        return;
    }
    racer->learnt.away = 0;
    racer_place here = racer_place_of(racer, frame->spot);
    enter_bin(racer, frame);
    watch_trouble(racer, frame, &here);
    watch_bend(racer, frame, &here);
    watch_limit(racer, frame, &here);
}
