// Purpose: which of two cars that come to a bend side by side goes first.
// Idea:    Two cars side by side are slow in a bend, and so are all behind them. So before they
//          brake, one of them gives in: the one that is not ahead, or, if it is on the inside, not
//          beside the middle of the other. Both apply the same rule, so one of them gives in. It
//          falls back gently, and begins so early that it is behind at the braking point.
// Cost:    O(cars near), only with a decision.
// Source:  the overtaking guidelines of circuit racing: inside, alongside at the other's middle.
#include "traffic.h"

// A bend matters if its speed is below this share of the speed on the straight before it. [1]
#define SLOWER 0.75f
// It gives in no earlier than this before it brakes. [s]
#define GIVES_IN 2.0f
// On the inside a car may be this share of a car's length behind. [1]
#define INSIDE_WORTH 0.5f
// With a smaller gap than this two cars count as side by side. [m]
#define ABREAST 1.0f

// The next braking zone on its own run: from where the speed falls to where it no longer does.
traffic_zone kerb_in_traffic_find_zone(const kerb_racer* racer, const racer_frame* frame,
                                       const traffic_run* own) {
    traffic_zone zone = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    int32_t top = 0, low;
    for (int32_t i = 1; i < TRAFFIC_STEPS && own->speed[i] >= own->speed[i - 1]; i++)
        top = i;
    for (low = top; low + 1 < TRAFFIC_STEPS && own->speed[low + 1] < own->speed[low]; low++) {
    }
    if (own->speed[low] > SLOWER * own->speed[top])
        return zone;
    racer_place p = racer_place_at(racer, frame->total + (double)own->at[low]);
    zone.time = TRAFFIC_STEP * (float)top;
    zone.speed = own->speed[top];
    zone.brakes = own->at[top];
    zone.apex = own->at[low];
    zone.inside = p.curvature > 0.0f ? 1.0f : -1.0f;
    return zone;
}

void kerb_in_traffic_look_at_bend(kerb_racer* racer, const racer_frame* frame,
                                  const traffic_view* view) {
    bool abreast = false;
    for (int32_t i = 0; i < view->count; i++)
        abreast |= traffic_gap(view, &view->others[i]) < ABREAST;
    racer->memory.traffic.bend = 0;
    if (!abreast)
        return;
    traffic_zone zone = kerb_in_traffic_find_zone(racer, frame, &view->own);
    racer->memory.traffic.bend = (int32_t)zone.inside;
    racer->memory.traffic.bend_brakes = frame->total + (double)zone.brakes;
    racer->memory.traffic.bend_apex = frame->total + (double)zone.apex;
}

bool kerb_in_traffic_gives_in(const kerb_racer* racer, const racer_frame* frame,
                              const traffic_view* view, const traffic_other* other) {
    if (racer->memory.traffic.bend == 0 || traffic_gap(view, other) > ABREAST)
        return false;
    double before = racer->memory.traffic.bend_brakes - frame->total;
    if (before > (double)(GIVES_IN * frame->along) ||
        frame->total > racer->memory.traffic.bend_apex)
        return false;
    float inside = (float)racer->memory.traffic.bend * (other->offset - view->offset);
    float worth = INSIDE_WORTH * (view->half_length + other->half_length);
    float until = kerb_max((float)before, 0.0f) / kerb_max(frame->along, 5.0f);
    float then = other->ahead + (other->speed - frame->along) * until;
    return then + (inside > 0.0f ? worth : -worth) > 0.0f;
}
