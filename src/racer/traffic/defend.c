// Purpose: a racing driver defends its position within the rules that people race by.
// Idea:    Before a braking zone, with a competitor close behind that would be beside it there, it
//          moves once to the inside of the bend. It stays there until the line itself comes to the
//          inside, so that the car behind can rely on it. It makes no second move on the same
//          straight. It never moves to the side to which the other car has pulled out. It leaves a
//          car alongside its space, as always (way.c). It does not defend against a car that laps
//          it or that it lets pass.
// Cost:    O(cars near), only with a decision, and only with a car close behind.
// Source:  the sporting rules of circuit racing: one change of line in defence, a car's width to a
//          car alongside.
#include "traffic.h"

// At aggression 1 it reacts to a car nearer behind than this, now or at the braking point. [s]
#define THREAT_TIME 0.4f
// The other car must be faster by this: in a queue of equals nobody defends. [m/s]
#define FASTER 0.2f
// It moves no later than LATEST before it brakes, and no earlier than EARLIEST. [s]
#define LATEST 0.8f
#define EARLIEST 3.5f
// Space that it leaves to the inside edge, in widths of a car. [1]
#define LEFT_INSIDE 0.8f
// Past the apex it does not defend again for this distance. [m]
#define AFTER 30.0f
// A car that far to the side has pulled out. [m]
#define PULLED_OUT 0.8f

// Close behind in its path, now or when it will brake.
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

// The other car is, or comes, on that side.
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
