// Purpose: a racing driver lets others by: who laps it, and who is better and asks.
// Idea:    It leaves the line to him and, once out of his way, is somewhat slower than he is until
//          he is past; so one place changes hands on one straight and costs little. Only who is
//          directly behind is let by. Who makes way does not ask, and who is about to pass does not
//          make way: in a queue in which everybody does both, all slow down and nobody passes.
// Cost:    some nanoseconds a neighbour, ten times a second.
// Source:  the blue flags of circuit racing.
#include "traffic.h"

// Who is so near behind is let by, on the side with more room so far ahead, if both are on the
// same line. [s], [s], [m]
#define YIELD_TIME 1.2f
#define YIELD_CLOSE_TIME 1.0f
#define YIELD_ROOM_TIME 2.0f
#define YIELD_ASIDE 0.8f
// Asked to let a better one by it does after this time, at aggression 0.5, at 1 never. [s]
#define YIELD_PATIENCE 1.0f
// For so long; then it does not for as long. [s]
#define YIELD_MOST 9.0f
// Once out of his way it is so much slower than he, and no slower than when it began less this; it
// loses its speed so gently. [m/s], [m/s²]
#define RACER_YIELD_LESS 8.0f
#define LIFT_MOST 8.0f
#define LIFT_BRAKES 3.0f
// So far aside, by the width of both, it is out of his way. [1]
#define YIELD_ASIDE_SHARE 0.7f
// Faster by so much it passes, and so near it is side by side. [m/s], [m]
#define PASSING 0.5f
#define YIELD_BESIDE_GAP 0.5f
// It does so where it is as fast as this, by its top speed, and need not brake for so long, looked
// at in so many places. [1], [s]
#define STRAIGHT_SPEED 0.25f
#define STRAIGHT_TIME 1.5f
#define STRAIGHT_PLACES 3
// And where bends would allow so much more speed² at least. [1]
#define STRAIGHT_BEND 0.7f

// The least room to either side in the next seconds.
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

// Elsewhere to make way would hold up everybody. `speed`: about what it would drive.
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

// Who is being let by, until he is past; else the one directly behind, if he asks and is close.
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

// Is it about to pass another, or side by side with one? Then it must not slow down.
static bool is_busy(const racer_frame* frame, const traffic_view* view) {
    for (int32_t i = 0; i < view->count; i++) {
        const traffic_other* o = &view->others[i];
        bool passes = o->ahead > 0.0f && o->side != 0 && frame->along > o->speed + PASSING;
        if (passes || traffic_gap(view, o) < YIELD_BESIDE_GAP)
            return true;
    }
    return false;
}

// For so long that it gives in?
static bool gives_in(kerb_racer* racer, const racer_frame* frame, const traffic_view* view,
                     const traffic_other* asks) {
    float *asked = &racer->memory.traffic.asked, temper = kerb_in_traffic_aggression(racer);
    if (asks == NULL && *asked >= 0.0f)
        *asked = 0.0f;
    else
        *asked += racer->memory.traffic.passed;
    if (asks == NULL)
        return false;
    if (racer->memory.traffic.yields != 0) // side by side he goes first, also into a bend
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

// How fast it may be: first no faster than it was.
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
