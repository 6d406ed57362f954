// Purpose: trouble, and what a racing driver learns of it.
// Idea:    Near the edge on the outside, off the track, in a slide or past the braking point
//          something was too fast: the bins of the last seconds fall, back to the slide that it
//          began with, and stay down for some laps. An axle that slides is past its best: what the
//          tyres held then is what is left of the grip there, and, as far as slides agree,
//          elsewhere.
// Cost:    O(1) a frame, O(bins) for each trouble.
#include "learning_parts.h"

// It falls at most by this, twice as much when it was too fast there before. [1]
#define FALL_MOST 0.03f
// Slides alone teach no less than this share of what the pieces have in common, if that is more
// than was told: some cars slide whatever their speed. Other trouble teaches no less than that less
// this, by how bad it is. [1]
#define LEAST_BY_SLIDES 0.98f
#define BELOW_COMMON 0.12f
// A slide may be the cause of what happens so far on. [m]
#define CHAIN_MOST 300.0f
// What they held counts where it slid within this time; slides before so many others are
// forgotten. [s], [1]
#define SLID_LATELY 1.0f
#define SLIDS_MOST 16.0f
// Short of the worst, trouble never makes it fall below this share of what the tyres held in the
// last seconds, and hold again. [1]
#define HELD_SHARE 1.02f
// After it fell it does not rise for so many visits, twice as many after each further fall, up to
// so many; and then by smaller steps.
#define VISITS_HELD 4
#define VISITS_MOST 64
// What lies back so far was the cause, of the worst twice as far. [s]
#define BLAME_TIME 1.5f
// Too near to the edge, by the car's width, and how much nearer is as bad as can be. [1]
#define EDGE 0.28f
// It keeps so much more to rise. [1]
#define EDGE_SPARE 0.40f
// Front tyres that slip by less, of what they do at their limit, while it is so near did not take
// it there: it was steered or driven so. [1]
#define EDGE_SLIP 0.45f
// But only where it is so far from its way. [m]
#define OFF_WAY 0.2f
// In a bend that takes so much of the grip. [1]
#define INSIDE_USE 0.5f
// A slide is bad from this on, and as bad as can be after this; speed² past the plan likewise.
// [s], [1]
#define LEARNING_BLAME_SLIDE_FROM 0.3f
#define SLIDE_BAD 1.0f
#define LATE_FROM 1.12f
#define LATE_BAD 1.4f

// An axle that slides is past its best: what the tyres held then is what they can. What such slides
// have in common goes for pieces of which nothing is known; what cars that were told right lack on
// their own is no lack.
static float slid_at(kerb_racer* racer, float bad) {
    if (bad <= 0.0f || racer->memory.learnt.quiet > SLID_LATELY)
        return KERB_RACER_LEARNED_GRIP_MAX;
    float held = racer->memory.learnt.use / LEARNING_LOST_HOLDS;
    float lacks = held < 1.0f - LEARNING_LOST_FROM ? 1.0f - held : 0.0f;
    racer->memory.learnt.slids = kerb_min(racer->memory.learnt.slids + bad, SLIDS_MOST);
    racer->memory.learnt.lacks +=
        (lacks - racer->memory.learnt.lacks) * bad / racer->memory.learnt.slids;
    return held;
}

static uint8_t learning_blame_hold(kerb_racer* racer, int32_t bin) {
    int32_t visits = VISITS_HELD;
    for (int32_t i = 0; i < racer->memory.learnt.falls[bin] && visits < VISITS_MOST; i++)
        visits *= 2;
    if (racer->memory.learnt.falls[bin] < UINT8_MAX)
        racer->memory.learnt.falls[bin]++;
    return (uint8_t)visits;
}

// The bins from here back to the cause. What is not bad only keeps them from rising next time.
static void blame(kerb_racer* racer, const racer_frame* frame, float bad, float least) {
    int32_t count = kerb_in_learning_bins_of(frame->line), bin = racer->memory.learnt.bin;
    float length = (float)frame->line->length / (float)count;
    if (bad < 1.0f)
        least = kerb_max(least, HELD_SHARE * racer->memory.learnt.use);
    // Little trouble that stays however slow it gets is not of the grip: so it teaches little.
    least = kerb_max(least, kerb_in_learning_stretch(racer) * (1.0f - BELOW_COMMON * bad));
    float limit = slid_at(racer, bad);
    float from = BLAME_TIME * (1.0f + bad) * frame->pace + racer->memory.learnt.chain;
    float back = kerb_min(from / length, (float)(count - 1));
    for (int32_t left = (int32_t)back + 1; left > 0; left--) {
        uint8_t held = racer->memory.learnt.held[bin];
        if (bad > 0.0f) {
            kerb_in_learning_see(racer, bin);
            float step = FALL_MOST * bad * (held > 1 ? 2.0f : 1.0f);
            float lacks = racer->memory.learnt.grip[bin] - limit;
            if (lacks > LEARNING_LOST_FROM)
                step = kerb_max(step, bad * kerb_min(lacks, LEARNING_LOST_MOST));
            kerb_in_learning_fall(racer, bin, step, kerb_min(least, limit));
            held = learning_blame_hold(racer, bin);
        }
        racer->memory.learnt.held[bin] = held > 1 ? held : 1;
        if (bin == 0 && !frame->line->closed)
            break;
        bin = bin > 0 ? bin - 1 : count - 1;
    }
    kerb_in_learning_find_common(racer, count);
}

// Room from the car's middle to the edge that it is nearer to than it meant to be. [m]
static float learning_blame_room_beside(const kerb_racer* racer, const racer_frame* frame) {
    float off = racer->decision.cross_track_error;
    float inside = off * racer->memory.turning * frame->pace;
    // Who turns in too far is not too fast.
    if (kerb_abs(off) < OFF_WAY || inside > INSIDE_USE * frame->grip_aside * kerb_abs(off))
        return 100.0f;
    return off > 0.0f ? frame->here.left - frame->offset : frame->here.right + frame->offset;
}

// Who turns with all that the front tyres have goes straight on for want of grip; who has some of
// them left, as when the driven rear pushes him out of a hairpin, does not, however slow he gets.
static float room_left(kerb_racer* racer, const racer_frame* frame) {
    float room = learning_blame_room_beside(racer, frame);
    if (room >= EDGE_SPARE * racer->vehicle.width) {
        racer->memory.learnt.edge_slip = 0.0f;
        return room;
    }
    float half = racer_half_slip(racer, 0);
    float limit = kerb_in_learning_slip_at(kerb_in_learning_planned_use(racer, frame)) *
                  kerb_in_learning_stretch(racer);
    float slip = kerb_abs(racer->decision.slip_front) / (half * limit);
    racer->memory.learnt.edge_slip = kerb_max(racer->memory.learnt.edge_slip, slip);
    bool known = racer->memory.half_slip_time >= LEARNING_SLIP_KNOWN_TIME;
    return known && racer->memory.learnt.edge_slip < EDGE_SLIP ? 100.0f : room;
}

static bool slides_now(const kerb_racer* racer) {
    return racer->decision.reason == KERB_REASON_SLIDING;
}

static float how_long_it_slides(kerb_racer* racer, float time_step) {
    racer->memory.learnt.slides =
        slides_now(racer) ? racer->memory.learnt.slides + time_step : 0.0f;
    return (racer->memory.learnt.slides - LEARNING_BLAME_SLIDE_FROM) /
           (SLIDE_BAD - LEARNING_BLAME_SLIDE_FROM);
}

void kerb_in_learning_follow_chain(kerb_racer* racer, const racer_frame* frame) {
    racer->memory.learnt.quiet =
        slides_now(racer) ? 0.0f : racer->memory.learnt.quiet + frame->time_step;
    float on = kerb_max(frame->along, 0.0f) * frame->time_step;
    racer->memory.learnt.chain = kerb_min(racer->memory.learnt.chain + on, CHAIN_MOST);
    racer->memory.learnt.way += (double)on;
    if (racer->memory.learnt.quiet > LEARNING_CHAIN_TIME)
        racer->memory.learnt.chain = 0.0f;
}

// How bad it is that it is where it is, as fast as it is. [0 … 1]
static float how_bad(const kerb_racer* racer, const racer_frame* frame, const racer_place* place,
                     float room) {
    float near = 1.0f - room / (EDGE * racer->vehicle.width);
    float square = frame->speed * frame->speed / kerb_max(place->squared, 1.0f);
    float late = place->acceleration < -1.0f ? (square - LATE_FROM) / (LATE_BAD - LATE_FROM) : 0.0f;
    return kerb_clamp(kerb_max(near, late), 0.0f, 1.0f);
}

void kerb_in_learning_watch_trouble(kerb_racer* racer, const racer_frame* frame,
                                    const racer_place* place) {
    float room = room_left(racer, frame), bad = how_bad(racer, frame, place, room);
    float slide = how_long_it_slides(racer, frame->time_step);
    racer->memory.learnt.lasting = kerb_max(racer->memory.learnt.lasting, bad);
    bool worse =
        bad > racer->memory.learnt.bad || (slide > racer->memory.learnt.bad && slide < 1.0f);
    racer->memory.learnt.bad =
        kerb_max(racer->memory.learnt.bad, kerb_clamp(kerb_max(bad, slide), 0.0f, 1.0f));
    if (worse && bad < 1.0f)
        return;
    if (racer->memory.learnt.bad > 0.0f) {
        bool slid = racer->memory.learnt.lasting <= 0.0f;
        float least =
            slid ? LEAST_BY_SLIDES * kerb_in_learning_stretch(racer) : LEARNING_LEAST_BY_TROUBLE;
        blame(racer, frame, racer->memory.learnt.bad, least);
        racer->memory.learnt.pause = LEARNING_PAUSE * racer->memory.learnt.bad;
        racer->memory.learnt.quiet = 0.0f;
        racer->memory.learnt.bad = racer->memory.learnt.lasting = racer->memory.learnt.slides =
            0.0f;
    } else if (room < EDGE_SPARE * racer->vehicle.width) {
        blame(racer, frame, 0.0f, LEARNING_LEAST_BY_TROUBLE);
    }
}

void kerb_in_learning_leave_track(kerb_racer* racer, const racer_frame* frame, bool is_itself) {
    bool own = racer->memory.learnt.away == 0 && is_itself;
    if (own && (racer->memory.learnt.pause <= 0.0f || racer->memory.learnt.chain > 0.0f))
        blame(racer, frame, 1.0f, LEARNING_LEAST_BY_TROUBLE);
    racer->memory.learnt.away = 1;
    racer->memory.learnt.pause = LEARNING_PAUSE;
}
