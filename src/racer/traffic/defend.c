// Purpose: a racing driver defends its place within the rules that people race by.
// Idea:    Before a braking zone, with a rival close behind who would be beside it there, it moves
//          over once, to the inside of the bend, and stays there until the line comes to the inside
//          by itself: who is behind can count on that. It makes no second move on the same
//          straight, whatever he does; never moves over when he has pulled out to that side
//          already; and leaves him his room once he is beside it, as everybody does
//          (racer_traffic_way.c). Who laps it, or is being let by, is not defended against.
// Cost:    0.1 µs when somebody is close behind, ten times a second.
// Source:  the sporting rules of circuit racing: one change of line in defence, a car's width to
//          who is alongside.
#include "traffic.h"

// At aggression 1 it minds who is nearer behind than this, or will be when it brakes. [s]
#define THREAT_TIME 0.4f
// And who is faster by this: in a queue of equals nobody defends. [m/s]
#define FASTER 0.2f
// It moves over no later than so long before it brakes, and no earlier. [s]
#define LATEST 0.8f
#define EARLIEST 3.5f
// So much of a car's width is left between it and the inside edge. [1]
#define LEFT_INSIDE 0.8f
// At the apex it is done, and does not begin anew for so long. [m]
#define AFTER 30.0f
// So far aside he has pulled out. [m]
#define PULLED_OUT 0.8f

// Close behind in its lane, now or when it will brake.
static bool is_threat(const kerb_racer* racer, const racer_frame* frame, const traffic_view* view,
                      const traffic_other* o, const traffic_zone* zone) {
    float closing = o->speed - frame->along;
    float gap = traffic_gap(view, o), then = gap - closing * zone->time;
    float eager =
        (kerb_in_traffic_aggression(racer) - TRAFFIC_DEFENDS_FROM) / (1.0f - TRAFFIC_DEFENDS_FROM);
    float window = THREAT_TIME * eager * frame->along;
    return o->ahead < 0.0f && closing > FASTER && gap > 0.5f && gap < 2.0f * window &&
           then < window;
}

// He is, or comes, on that side.
static bool is_taken(const traffic_view* view, const traffic_other* o, float side) {
    return side * (o->offset - view->offset) > PULLED_OUT;
}

static bool must_not(const traffic_view* view, float side) {
    for (int32_t i = 0; i < view->count; i++) {
        const traffic_other* o = &view->others[i];
        if (o->laps_it || (traffic_gap(view, o) < 0.5f && is_taken(view, o, side)))
            return true;
    }
    return false;
}

void kerb_in_traffic_defend(kerb_racer* racer, const racer_frame* frame, const traffic_view* view) {
    double since = frame->total - racer->memory.traffic.defends_to;
    if (racer->memory.traffic.defends != 0 && since > 0.0)
        racer->memory.traffic.defends = 0;
    if (racer->memory.traffic.yields != 0)
        racer->memory.traffic.defends = 0;
    bool done = since > (double)AFTER || racer->memory.traffic.defends_to == 0.0;
    if (kerb_in_traffic_aggression(racer) <= TRAFFIC_DEFENDS_FROM ||
        racer->memory.traffic.yields != 0 || !done || view->count == 0 ||
        view->others[0].ahead >= 0.0f)
        return;
    traffic_zone zone = kerb_in_traffic_find_zone(racer, frame, &view->own);
    if (zone.inside == 0.0f || zone.time < LATEST || zone.time > EARLIEST ||
        must_not(view, zone.inside))
        return;
    for (int32_t i = 0; i < view->count; i++) {
        const traffic_other* o = &view->others[i];
        if (!is_threat(racer, frame, view, o, &zone) || is_taken(view, o, zone.inside))
            continue;
        racer->memory.traffic.defends = zone.inside > 0.0f ? 1 : -1;
        racer->memory.traffic.defends_to = frame->total + (double)zone.apex;
        return;
    }
}

float kerb_in_traffic_defended(const kerb_racer* racer, const traffic_view* view, int32_t bin,
                               float base, float left, float right) {
    if (racer->memory.traffic.defends == 0 ||
        (double)bin * (double)racer->memory.ahead.spacing > racer->memory.traffic.defends_to)
        return base;
    float keep = racer->settings.margin + (1.0f + 2.0f * LEFT_INSIDE) * view->half_width;
    return racer->memory.traffic.defends > 0 ? kerb_max(base, kerb_min(left - keep, left))
                                             : kerb_min(base, -kerb_min(right - keep, right));
}
