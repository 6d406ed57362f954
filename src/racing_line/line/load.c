// Purpose: the curvature of the road out of its surface as the tyres' load sees it.
// Idea:    A point mass would take off at every kink of the heights. A vehicle does not. Its body
//          stands on two axles, a wheelbase L apart, and its direction is that of the chord between
//          them. Over a distance ds the chord turns by (slope at the front axle - slope at the rear
//          axle) / L · ds, so the body's path has the mean of the road's curvature over L. The
//          springs pass a change of slope on within half a period of the body on them, while the
//          vehicle goes on by v times that time. So the load depends on the mean of the curvature
//          over L + v · time, centred at the vehicle. A kink by the angle a counts as the curvature
//          a / (L + v · time). On a crest that is longer than this, nothing changes: the vehicle
//          gets light at v = sqrt(g · radius).
// Cost:    O(places): sums of the curvatures from the start give each mean in O(1).
// Source:  our own; heave of cars at 1 to 2 Hz: Gillespie, "Fundamentals of Vehicle Dynamics",
//          1992.
#include "load.h"

// The sum of the curvatures up to a place, in units of the step. Beyond an open line's ends there
// is no curvature.
static double load_sum_to(const line_load* l, double place) {
    double whole = (double)l->count, laps = 0.0;
    if (l->closed)
        laps = floor(place / whole);
    double at = line_least(line_most(place - laps * whole, 0.0), whole);
    int32_t i = (int32_t)line_least(at, whole - 1.0);
    double part = (at - (double)i) * (l->sums[i + 1] - l->sums[i]);
    return l->sums[i] + part + laps * l->sums[l->count];
}

double kerb_in_line_load_mean(const line_load* l, int32_t i, double length) {
    double half = 0.5 * line_most(length / l->step, 1.0);
    if (l->closed)
        half = line_least(half, 0.5 * (double)l->count);
    double middle = (double)i + 0.5;
    return (load_sum_to(l, middle + half) - load_sum_to(l, middle - half)) / (2.0 * half);
}

double kerb_in_line_load_length(const line_head* h, double speed) {
    return (double)h->settings.wheelbase + (double)h->settings.ride_time * speed;
}

double kerb_in_line_load_limit(const line_head* h, double normal_curvature, double up_normal) {
    double gain = -(normal_curvature + (double)h->performance.downforce);
    double room = (1.0 - (double)h->settings.crest_load) * (double)KERB_GRAVITY * up_normal;
    return gain > 0.0 && room < LINE_LIMIT_NONE * gain ? line_most(room / gain, 0.0)
                                                       : LINE_LIMIT_NONE;
}

void kerb_in_line_load_begin(const line_view* v) {
    const kerb_performance* p = &v->head->performance;
    const double top = (double)p->speed_max * (double)p->speed_max;
    for (int32_t i = 0; i < v->nodes; i++) {
        double turn = fabs(v->curvature[i]), grip = (double)p->lateral * v->grip[i];
        double square = grip < top * turn ? grip / turn : top;
        v->load_length[i] = kerb_in_line_load_length(v->head, sqrt(square));
    }
}

void kerb_in_line_load_nodes(const line_view* v) {
    const line_load l = {v->load_sums, v->nodes, v->closed, v->head->spacing};
    bool level = true;
    v->load_sums[0] = 0.0;
    for (int32_t i = 0; i < v->nodes; i++) {
        level = level && v->curvature_normal[i] == 0.0;
        v->load_sums[i + 1] = v->load_sums[i] + v->curvature_normal[i];
        v->curvature_load[i] = v->curvature_normal[i];
    }
    for (int32_t i = 0; i < v->nodes && !level; i++)
        v->curvature_load[i] = kerb_in_line_load_mean(&l, i, v->load_length[i]);
}
