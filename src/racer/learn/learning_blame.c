// Purpose: what a racing driver learns from trouble.
// Idea:    Near the edge on the outside, off the track, in a slide, or past the braking point, the
//          car was too fast. The bins of the last seconds fall, back to the slide that it began
//          with, and stay down for some laps. An axle that slides is past its peak: what the tyres
//          held then is the grip there, and, as far as slides agree, elsewhere.
// Cost:    O(1) a frame, O(bins) for each trouble.
#include "learning_parts.h"

// Greatest fall by trouble; twice as much where it was too fast before. Small, so that one error
// teaches little. [1]
#define FALL_MOST 0.03f
// Slides alone lower a grip no further than to this share of what the bins have in common, if that
// is above 1: some cars slide at any speed. [1]
#define LEAST_BY_SLIDES 0.98f
// Other trouble lowers it no further than by this, times how bad it is, below that. [1]
#define BELOW_COMMON 0.12f
// Greatest distance from a slide to trouble that it may have caused. [m]
#define CHAIN_MOST 300.0f
// The measured use counts as the grip if the car slid within this time. [s]
#define SLID_LATELY 1.0f
// Unless it is the worst, trouble lowers no grip below this multiple of what the tyres held in the
// last seconds. [1]
#define HELD_SHARE 1.02f
// After a fall a bin does not rise for this many visits, twice as many after each further fall …
#define VISITS_HELD 4
// … up to this many.
#define VISITS_MOST 64
// What happened within this time before the trouble was its cause; twice the time for the worst.
// [s]
#define BLAME_TIME 1.5f
// Nearer to the edge than this share of the car's width is trouble; at the edge it is as bad as can
// be. [1]
#define EDGE 0.28f
// Nearer than this share of the width the bin does not rise. [1]
#define EDGE_SPARE 0.40f
// Front tyres with less slip than this share of their limit, while the car is near the edge, did
// not cause that: it was steered there, or the rear pushed it. [1]
#define EDGE_SLIP 0.45f
// It counts only where the car is this far from its path. [m]
#define OFF_WAY 0.2f
// In a bend that uses more of the grip than this, a car on the inside of its path turned in too
// far; that does not count. [1]
#define INSIDE_USE 0.5f
// A slide is trouble from this duration on … [s]
#define LEARNING_BLAME_SLIDE_FROM 0.3f
// … and as bad as can be from this one on. [s]
#define SLIDE_BAD 1.0f
// Speed² over the planned one is trouble from this ratio on … [1]
#define LATE_FROM 1.12f
// … and as bad as can be from this one on. [1]
#define LATE_BAD 1.4f

// The grip by a recent slide: what the tyres held then.
static float slid_at(const kerb_racer* racer, float bad) {
    if (bad <= 0.0f || racer->memory.learnt.quiet > SLID_LATELY)
        return KERB_RACER_LEARNED_GRIP_MAX;
    return racer->memory.learnt.use / LEARNING_LOST_HOLDS;
}

// Number of visits for which the bin must not rise now.
static uint8_t learning_blame_hold(kerb_racer* racer, int32_t bin) {
    int32_t visits = VISITS_HELD;
    for (int32_t i = 0; i < racer->memory.learnt.falls[bin] && visits < VISITS_MOST; i++)
        visits *= 2;
    if (racer->memory.learnt.falls[bin] < UINT8_MAX)
        racer->memory.learnt.falls[bin]++;
    return (uint8_t)visits;
}

// Lowers the bins from here back to the cause. `bad` 0 only keeps them from rising at the next
// visit.
static void blame(kerb_racer* racer, const racer_frame* frame, float bad, float least) {
    int32_t count = kerb_in_learning_bins_of(racer, frame->line), bin = racer->memory.learnt.bin;
    float length = (float)frame->line->length / (float)count;
    if (bad < 1.0f)
        least = kerb_max(least, HELD_SHARE * racer->memory.learnt.use);
    // Little trouble that stays at any speed has other reasons than the grip: so it teaches little.
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

// Distance from the car's middle to the edge on the side to which it has left its path. [m]
static float learning_blame_room_beside(const kerb_racer* racer, const racer_frame* frame) {
    float off = racer->decision.cross_track_error;
    float inside = off * racer->memory.turning * frame->pace;
    // A car that turns in too far is not too fast.
    if (kerb_abs(off) < racer_metres(racer, OFF_WAY) ||
        inside > INSIDE_USE * frame->grip_aside * kerb_abs(off))
        return 100.0f;
    return off > 0.0f ? frame->here.left - frame->offset : frame->here.right + frame->offset;
}

// That distance, or a large one where the front tyres had slip to spare. A car that turns with all
// that its front tyres have goes straight on for lack of grip. A car with slip to spare does not,
// at any speed: for instance when the driven rear pushes it out of a hairpin.
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

// How bad the present slide is by its duration. [below 0: no trouble; 1: as bad as can be]
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
    racer->memory.learnt.chain =
        kerb_min(racer->memory.learnt.chain + on, racer_metres(racer, CHAIN_MOST));
    racer->memory.learnt.way += (double)on;
    if (racer->memory.learnt.quiet > LEARNING_CHAIN_TIME)
        racer->memory.learnt.chain = 0.0f;
}

// How bad the place and the speed of the car are. [0 … 1]
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
