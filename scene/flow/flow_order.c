// Purpose: the best order in which the vehicles of a scene can go, by brute force.
// Idea:    For each place of one way, the last place of another way where the bodies meet is known
//          (a table). A vehicle may be at a place as soon as each vehicle before it in the order is
//          past that. So crossing, merging, following and meeting head-on are one case. Orders are
//          tried depth first: trajectories of the first vehicles are shared by all that begin
//          alike, and what arrives later than the best one known is left out.
// Cost:    Up to 1956 trajectories for six vehicles, each O(time · vehicles · places in reach).
#include "scene/flow/flow.h"

#include <string.h>

#define ORDER_SPACING 0.5f // of the places on a way [m]
#define ORDER_PLACES 320
#define ORDER_STEP 0.1f  // of a trajectory [s]
#define ORDER_STEPS 1800 // FLOW_SECONDS / ORDER_STEP
#define ORDER_WAYS (FLOW_VEHICLES * FLOW_WAYS)
#define ORDER_BESIDE 0.35f   // least distance of two bodies, to the side: what drivers keep [m]
#define ORDER_STOP 1.0f      // it stops so far before a place that is not free: as drivers do [m]
#define ORDER_STOP_TIME 0.4f // reaction time with which it stops: as drivers do [s]
#define ORDER_REACH 40       // places ahead that are looked at
#define ORDER_GAIN 6.0f      // no vehicle gains speed faster [m/s²]
#define ORDER_SETS_OFF 0.3f  // speed with which a vehicle at rest begins a step [m/s]

typedef struct order_body {
    kerb_vec2 at, forward;
} order_body;

typedef struct order_way {
    order_body places[ORDER_PLACES];
    int32_t count; // up to the finish
    int32_t start;
} order_way;

typedef struct order_search {
    const kerb_scene_flow* flow;
    order_way ways[ORDER_WAYS];
    // For a place of the first way: the last place of the second where they meet; -1: none.
    int16_t meets[ORDER_WAYS][ORDER_WAYS][ORDER_PLACES];
    float passed[FLOW_VEHICLES][ORDER_PLACES]; // when the vehicle leaves a place behind [s]
    float stations[FLOW_VEHICLES][ORDER_STEPS];
    int32_t order[FLOW_VEHICLES], taken[FLOW_VEHICLES]; // the way that each takes
    bool used[FLOW_VEHICLES];
    float speed_most;
    flow_times best;
} order_search;

// --------------------------------------------------------------------------- where bodies meet

static float order_extent(const kerb_vehicle* v, kerb_vec2 forward, kerb_vec2 axis) {
    return 0.5f * v->length * kerb_abs(kerb_vec2_dot(forward, axis)) +
           0.5f * v->width * kerb_abs(kerb_vec2_cross(forward, axis));
}

// Boxes, the first with a margin to its sides, have no separating axis.
static bool order_meet(const kerb_vehicle* v, const order_body* a, const order_body* b) {
    const kerb_vec2 off = kerb_vec2_sub(b->at, a->at);
    const float half_length = 0.5f * v->length, half_width = 0.5f * v->width + ORDER_BESIDE;
    const kerb_vec2 axes[] = {
        a->forward, {-a->forward.y, a->forward.x}, b->forward, {-b->forward.y, b->forward.x}};
    if (kerb_vec2_dot(off, off) > (v->length + v->width) * (v->length + v->width))
        return false;
    for (int32_t i = 0; i < 4; i++) {
        const float own = half_length * kerb_abs(kerb_vec2_dot(a->forward, axes[i])) +
                          half_width * kerb_abs(kerb_vec2_cross(a->forward, axes[i]));
        if (kerb_abs(kerb_vec2_dot(off, axes[i])) > own + order_extent(v, b->forward, axes[i]))
            return false;
    }
    return true;
}

// The bodies along a way; what stands in the middle of a piece has its direction.
static void order_lay(order_way* o, const kerb_scene_flow* flow, const flow_vehicle* vehicle,
                      const flow_way* way) {
    const kerb_vehicle* v = &flow->model.vehicle;
    const float to_middle = v->reference_to_front - 0.5f * v->length;
    int32_t piece = 0;
    float passed = 0.0f; // stations of the pieces before
    o->count = (int32_t)(way->finish / ORDER_SPACING) + 1;
    o->count = o->count < ORDER_PLACES ? o->count : ORDER_PLACES;
    o->start = (int32_t)(vehicle->start / ORDER_SPACING);
    for (int32_t i = 0; i < o->count; i++) {
        const float along = (float)i * ORDER_SPACING;
        kerb_vec3 a, off;
        float length;
        for (;; piece++) {
            a = way->points[piece].position;
            off = kerb_vec3_sub(way->points[piece + 1].position, a);
            length = kerb_vec2_length(kerb_vec2_make(off.x, off.y));
            if (along <= passed + length || piece + 2 >= way->count)
                break;
            passed += length;
        }
        const kerb_vec2 forward = {off.x / length, off.y / length};
        const float from = along - passed + to_middle;
        o->places[i] = (order_body){{a.x + forward.x * from, a.y + forward.y * from}, forward};
    }
}

static void order_fill(order_search* s, int32_t one, int32_t other) {
    const order_way *a = &s->ways[one], *b = &s->ways[other];
    for (int32_t i = 0; i < a->count; i++) {
        int32_t k = b->count - 1;
        while (k >= b->start && !order_meet(&s->flow->model.vehicle, &a->places[i], &b->places[k]))
            k--;
        s->meets[one][other][i] = (int16_t)(k >= b->start ? k : -1);
    }
}

static void order_prepare(order_search* s, const kerb_scene_flow* flow) {
    s->flow = flow;
    s->best = (flow_times){.last = FLOW_SECONDS + 1.0};
    for (int32_t i = 0; i < flow->launch_count; i++)
        s->speed_most = kerb_max(s->speed_most, flow->launch[i]);
    for (int32_t i = 0; i < flow->count; i++)
        for (int32_t k = 0; k < flow->vehicles[i].way_count; k++)
            order_lay(&s->ways[i * FLOW_WAYS + k], flow, &flow->vehicles[i],
                      &flow->vehicles[i].ways[k]);
    for (int32_t one = 0; one < ORDER_WAYS; one++)
        for (int32_t other = 0; other < ORDER_WAYS; other++)
            if (one / FLOW_WAYS != other / FLOW_WAYS && s->ways[one].count > 0 &&
                s->ways[other].count > 0)
                order_fill(s, one, other);
}

// --------------------------------------------------------------------------- one trajectory

// A vehicle that is being laid out.
typedef struct order_drive {
    const order_search* s;
    int32_t index, depth, way; // way: among all ways
    const flow_way* flow_way;
    int32_t first[FLOW_VEHICLES]; // first place that each before it has not left behind
    int32_t step;
    float along, speed;
} order_drive;

static float order_speed_of(const order_search* s, int32_t vehicle, int32_t step) {
    const float* stations = s->stations[vehicle];
    return step > 0 ? (stations[step] - stations[step - 1]) / ORDER_STEP : 0.0f;
}

static float order_square(float value) {
    return value * value;
}

// It gains speed as after setting off from rest; the square of the speed is linear in between.
static float order_faster(const kerb_scene_flow* flow, float speed) {
    int32_t i = 1;
    while (i + 1 < flow->launch_count && flow->launch[i] <= speed)
        i++;
    const float low = order_square(flow->launch[i - 1]);
    const float high = kerb_max(order_square(flow->launch[i]), low + 1.0e-3f);
    const float share = kerb_clamp((order_square(speed) - low) / (high - low), 0.0f, 1.0f);
    const float next = (float)i - 1.0f + share +
                       kerb_max(speed, ORDER_SETS_OFF) * ORDER_STEP / (float)FLOW_SPACING;
    const int32_t at = (int32_t)next;
    if (at + 1 >= flow->launch_count)
        return flow->launch[flow->launch_count - 1];
    const float from = order_square(flow->launch[at]), to = order_square(flow->launch[at + 1]);
    return kerb_sqrt(from + (to - from) * (next - (float)at));
}

// It cannot be `distance` ahead sooner. [s]
static float order_soonest(const order_drive* d, float distance) {
    const float v = d->speed;
    const float gaining =
        2.0f * distance / (v + kerb_sqrt(v * v + 2.0f * ORDER_GAIN * distance) + 1.0e-6f);
    return kerb_max(gaining, distance / d->s->speed_most);
}

// What one vehicle before it in the order allows.
static float order_allowed(order_drive* d, int32_t before) {
    const order_search* s = d->s;
    const int32_t other = s->order[before];
    const int16_t* meets = s->meets[d->way][other * FLOW_WAYS + s->taken[other]];
    const int32_t count = s->ways[d->way].count;
    const float time = (float)d->step * ORDER_STEP;
    const kerb_avoid_settings* avoid = &s->flow->settings.avoid;
    const float braking = s->flow->settings.deceleration;
    int32_t* first = &d->first[before];
    while (*first < count && (meets[*first] < 0 || s->passed[other][meets[*first]] <= time))
        (*first)++;
    const int32_t reach = (int32_t)(d->along / ORDER_SPACING) + ORDER_REACH;
    for (int32_t i = *first; i < count && i < reach; i++) {
        const float gap = kerb_max((float)i * ORDER_SPACING - d->along, 0.0f);
        if (meets[i] < 0 || s->passed[other][meets[i]] <= time + order_soonest(d, gap))
            continue;
        const int32_t next = i + 2 < count ? i + 2 : count - 1;
        const bool follows = meets[next] > meets[i] && meets[next] - meets[i] <= 3 * (next - i);
        if (!follows)
            return kerb_gap_speed(gap - ORDER_STOP, 0.0f, ORDER_STOP_TIME, 0.0f, braking);
        break;
    }
    if (*first >= count || *first >= reach)
        return FLOW_SPEEDS;
    const float gap = kerb_max((float)*first * ORDER_SPACING - d->along, 0.0f);
    const int32_t next = *first + 2 < count ? *first + 2 : count - 1;
    if (meets[next] <= meets[*first] || meets[next] - meets[*first] > 3 * (next - *first))
        return FLOW_SPEEDS; // it gets there too late to meet it
    return kerb_gap_speed(gap, order_speed_of(s, other, d->step), avoid->gap_time, avoid->gap_min,
                          braking);
}

// No vehicle before it in the order wants to be where it stands at first.
static bool order_may_begin(const order_search* s, int32_t index, int32_t way, int32_t depth) {
    const int32_t own = index * FLOW_WAYS + way;
    for (int32_t k = 0; k < depth; k++) {
        const int32_t other = s->order[k];
        const int16_t* meets = s->meets[own][other * FLOW_WAYS + s->taken[other]];
        if (meets[s->ways[own].start] >= 0)
            return false;
    }
    return true;
}

static float order_alone(const flow_way* way, float along) {
    int32_t i = (int32_t)(along / (float)FLOW_SPACING) + 1;
    i = i < way->speed_count ? i : way->speed_count - 1;
    return way->speeds[i];
}

// The time at which it arrives; FLOW_SECONDS where it does not.
static float order_lay_out(order_search* s, int32_t index, int32_t way, int32_t depth) {
    const flow_vehicle* vehicle = &s->flow->vehicles[index];
    order_drive d = {.s = s,
                     .index = index,
                     .depth = depth,
                     .way = index * FLOW_WAYS + way,
                     .flow_way = &vehicle->ways[way],
                     .along = vehicle->start};
    const int32_t places = s->ways[d.way].count;
    float* passed = s->passed[index];
    int32_t place = 0;
    float arrival = (float)FLOW_SECONDS;
    for (int32_t k = 0; k < depth; k++)
        d.first[k] = s->ways[d.way].start;
    for (; d.step < ORDER_STEPS; d.step++) {
        const float time = (float)d.step * ORDER_STEP;
        s->stations[index][d.step] = d.along;
        while (place < places && (float)place * ORDER_SPACING < d.along)
            passed[place++] = time;
        if (arrival < (float)FLOW_SECONDS)
            continue;
        float speed = kerb_min(order_faster(s->flow, d.speed),
                               order_alone(d.flow_way, d.along - vehicle->start));
        for (int32_t k = 0; k < depth; k++)
            speed = kerb_min(speed, order_allowed(&d, k));
        const float moved = 0.5f * (speed + d.speed) * ORDER_STEP;
        d.speed = speed;
        d.along += moved;
        if (d.along >= d.flow_way->finish) {
            arrival = time + ORDER_STEP;
            d.speed = d.flow_way->stays ? 0.0f : d.speed;
        }
        if ((double)time > s->best.last)
            return (float)FLOW_SECONDS;
    }
    // What stays keeps its last place; what drives on is gone.
    while (place < places)
        passed[place++] = d.flow_way->stays ? 1.0e9f : arrival;
    return arrival;
}

// --------------------------------------------------------------------------- all orders

static void order_try(order_search* s, int32_t depth, float last, double sum) {
    const kerb_scene_flow* flow = s->flow;
    if (depth >= flow->count || depth >= FLOW_VEHICLES) {
        if ((double)last < s->best.last || ((double)last == s->best.last && sum < s->best.sum))
            s->best = (flow_times){.arrived = depth, .last = (double)last, .sum = sum};
        return;
    }
    for (int32_t i = 0; i < flow->count; i++) {
        for (int32_t way = 0; !s->used[i] && way < flow->vehicles[i].way_count; way++) {
            if (!order_may_begin(s, i, way, depth))
                continue;
            const float arrival = order_lay_out(s, i, way, depth);
            if (arrival >= (float)FLOW_SECONDS || (double)arrival > s->best.last)
                continue;
            s->order[depth] = i;
            s->taken[i] = way;
            s->used[i] = true;
            order_try(s, depth + 1, kerb_max(last, arrival), sum + (double)arrival);
            s->used[i] = false;
        }
    }
}

flow_times kerb_scene_flow_best(const kerb_scene_flow* flow) {
    order_search s;
    memset(&s, 0, sizeof s);
    order_prepare(&s, flow);
    order_try(&s, 0, 0.0f, 0.0);
    return s.best;
}

flow_times kerb_scene_flow_free(const kerb_scene_flow* flow) {
    order_search s;
    flow_times times = {0};
    memset(&s, 0, sizeof s);
    order_prepare(&s, flow);
    for (int32_t i = 0; i < flow->count; i++) {
        const float arrival = order_lay_out(&s, i, 0, 0);
        times.arrived += arrival < (float)FLOW_SECONDS ? 1 : 0;
        times.sum += (double)arrival;
        times.last = (double)arrival > times.last ? (double)arrival : times.last;
    }
    return times;
}
