// Purpose: a racing driver lets other cars pass: those that lap it, and faster ones that ask.
// Idea:    It leaves the line to the other car. Once out of the way, it is somewhat slower than the
//          other car until that has passed; so one position changes on one straight and costs
//          little. Only the car directly behind is let past. A car that makes way does not ask to
//          pass, and a car that is about to pass does not make way: in a queue in which all do
//          both, all slow down and nobody passes.
// Cost:    O(cars near), only with a decision.
// Source:  the blue flags of circuit racing.
#include "traffic.h"

// A car behind is let past that is nearer than this, by lapping or by having asked before … [s]
#define YIELD_TIME 1.2f
// … or by asking now. [s]
#define YIELD_CLOSE_TIME 1.0f
// It moves to the side that is wider within this time. [s]
#define YIELD_ROOM_TIME 2.0f
// With a larger offset to the other car than this it has chosen a side already. [m]
#define YIELD_ASIDE 0.8f
// At aggression 0.5 it gives in after being asked for this time; at 1 never. [s]
#define YIELD_PATIENCE 1.0f
// It yields for at most this time; then it does not for as long. [s]
#define YIELD_MOST 9.0f
// Out of the way, it is this much slower than the other car … [m/s]
#define RACER_YIELD_LESS 8.0f
// … but no slower than its speed when it began, less this … [m/s]
#define LIFT_MOST 8.0f
// … and slows down at this rate. [m/s²]
#define LIFT_BRAKES 3.0f
// It is out of the way at this share of the width of both cars. [1]
#define YIELD_ASIDE_SHARE 0.7f
// A car that is faster by this passes the other. [m/s]
#define PASSING 0.5f
// With a smaller gap than this the two are side by side. [m]
#define YIELD_BESIDE_GAP 0.5f
// It yields above this share of its top speed … [1]
#define STRAIGHT_SPEED 0.25f
// … where it need not brake within this time … [s]
#define STRAIGHT_TIME 1.5f
// … looked at in this number of places …
#define STRAIGHT_PLACES 3
// … where this share of the bends' speed² is still above its own. [1]
#define STRAIGHT_BEND 0.7f

// The smallest distance to either edge in the next seconds.
static void room_ahead(const kerb_racer* racer, const racer_frame* frame, float* left,
                       float* right) {
    int32_t first = racer_bin_at(racer, frame->total);
    int32_t count = (int32_t)(YIELD_ROOM_TIME * frame->pace / racer->memory.ahead.spacing) + 1;
    *left = *right = 1.0e6f;
    for (int32_t i = 0; i < count; i++) {
        float l, r;
        racer_edges_at(racer, first + i, &l, &r);
        *left = kerb_min(*left, l);
        *right = kerb_min(*right, r);
    }
}

// In other places making way would hold up all cars. `speed`: about what it would drive.
static bool is_straight(const kerb_racer* racer, const racer_frame* frame, float speed) {
    for (int32_t i = 0; i <= STRAIGHT_PLACES; i++) {
        float time = STRAIGHT_TIME * (float)i / (float)STRAIGHT_PLACES;
        racer_place p = racer_place_at(racer, frame->total + (double)(time * frame->along));
        if (p.free_squared < speed * speed || STRAIGHT_BEND * p.free_corner < speed * speed)
            return false;
    }
    return true;
}

static const traffic_other* seen_by_id(const traffic_view* view, uint32_t id) {
    for (int32_t i = 0; i < view->count; i++)
        if (view->others[i].id == id)
            return &view->others[i];
    return NULL;
}

// The car that is let past, until it has passed; else the car directly behind, if it asks and is
// close.
static const traffic_other* who_asks(const kerb_racer* racer, const racer_frame* frame,
                                     const traffic_view* view) {
    float pace = kerb_max(frame->along, 5.0f);
    const traffic_other* o = seen_by_id(view, racer->memory.traffic.yields_to);
    if (racer->memory.traffic.yields != 0 && o != NULL &&
        (traffic_gap(view, o) < 0.0f ||
         (o->ahead < 0.0f && o->asks && traffic_gap(view, o) < YIELD_TIME * pace)))
        return o;
    for (int32_t i = view->count - 1; i >= 0; i--) {
        o = &view->others[i];
        if (o->ahead < 0.0f && traffic_gap(view, o) >= 0.0f)
            return o->asks && traffic_gap(view, o) < YIELD_CLOSE_TIME * pace ? o : NULL;
    }
    return NULL;
}

// True: it is about to pass another car, or side by side with one, and must not slow down.
static bool is_busy(const racer_frame* frame, const traffic_view* view) {
    for (int32_t i = 0; i < view->count; i++) {
        const traffic_other* o = &view->others[i];
        bool passes = o->ahead > 0.0f && o->side != 0 && frame->along > o->speed + PASSING;
        if (passes || traffic_gap(view, o) < YIELD_BESIDE_GAP)
            return true;
    }
    return false;
}

// True: it has been asked for long enough, and the place is suitable.
static bool gives_in(kerb_racer* racer, const racer_frame* frame, const traffic_view* view,
                     const traffic_other* asks) {
    float *asked = &racer->memory.traffic.asked, temper = kerb_in_traffic_aggression(racer);
    if (asks == NULL && *asked >= 0.0f)
        *asked = 0.0f;
    else
        *asked += racer->memory.traffic.passed;
    if (asks == NULL)
        return false;
    if (racer->memory.traffic.yields != 0) // side by side the other goes first, also into a bend
        return traffic_gap(view, asks) < 0.0f ||
               is_straight(racer, frame,
                           kerb_max(frame->along, racer->memory.traffic.yield_least + LIFT_MOST));
    return frame->along > STRAIGHT_SPEED * frame->limits.speed_max &&
           is_straight(racer, frame, frame->along) &&
           *asked * (1.0f - temper) > YIELD_PATIENCE * temper + 0.01f && !is_busy(frame, view);
}

static const traffic_other* who_laps(const racer_frame* frame, const traffic_view* view) {
    for (int32_t i = view->count - 1; i >= 0; i--) {
        const traffic_other* o = &view->others[i];
        if (o->laps_it && traffic_gap(view, o) < YIELD_TIME * kerb_max(frame->along, 5.0f))
            return o;
    }
    return NULL;
}

static void yield_begin(kerb_racer* racer, const racer_frame* frame, const traffic_view* view,
                        const traffic_other* other) {
    float left, right, aside = view->offset - other->offset;
    room_ahead(racer, frame, &left, &right);
    racer->memory.traffic.yields = left > right ? 1 : -1;
    racer->memory.traffic.yields_to = other->id;
    racer->memory.traffic.yields_for = 0.0f;
    racer->memory.traffic.yield_speed = racer->memory.traffic.yield_least = frame->along;
    racer->memory.traffic.yield_least -= LIFT_MOST;
    if (kerb_abs(aside) > YIELD_ASIDE) // it has chosen a side already
        racer->memory.traffic.yields = aside > 0.0f ? 1 : -1;
}

// Lowers its speed; until it is out of the way, the speed only must not rise.
static void lift(kerb_racer* racer, const traffic_view* view, const traffic_other* other) {
    float* speed = &racer->memory.traffic.yield_speed;
    if (kerb_abs(view->offset - other->offset) < YIELD_ASIDE_SHARE * traffic_width(view, other))
        return;
    float wanted = kerb_max(other->speed - RACER_YIELD_LESS, racer->memory.traffic.yield_least);
    *speed = kerb_max(wanted, *speed - LIFT_BRAKES * racer->memory.traffic.passed);
}

void kerb_in_traffic_yield(kerb_racer* racer, const racer_frame* frame, const traffic_view* view) {
    const traffic_other *laps = who_laps(frame, view), *asks = who_asks(racer, frame, view);
    if (!gives_in(racer, frame, view, asks))
        asks = NULL;
    const traffic_other* other = laps != NULL ? laps : asks;
    if (other == NULL) {
        racer->memory.traffic.yields = 0;
        return;
    }
    if (racer->memory.traffic.yields == 0)
        yield_begin(racer, frame, view, other);
    if (other->id !=
        racer->memory.traffic.yields_to) { // the next one, before it comes back to the line
        racer->memory.traffic.yields_to = other->id;
        racer->memory.traffic.yields_for = 0.0f;
    }
    racer->memory.traffic.yields_for += racer->memory.traffic.passed;
    lift(racer, view, other);
    if (laps != NULL || racer->memory.traffic.yields_for < YIELD_MOST)
        return;
    racer->memory.traffic.yields = 0;
    racer->memory.traffic.asked = -YIELD_MOST;
}
