// Purpose: things that the host moves: where they are in the way, and what drivers do about them.
// Idea:    A body leaves a mark on each segment where a vehicle's cross-section could meet its
//          footprint, now or, where it crosses, while its way is predicted with its velocity. For
//          each station the times at which both meet follow from three separating axes: the two of
//          the footprint, and the direction of the lane. Drivers read marks like vehicles.
// Cost:    O(segments near) a body, O(marks of its segments) a vehicle.
#include "traffic_parts.h"

// Numbers without a source were chosen by trial.

// Step along a segment. [m]
static const float mark_step = 0.5f;
// The way of a body is predicted over at most this distance. [m]
static const float predicted_way = 60.0f;
// A body drives along a segment when its middle is within half of the width, and the cosine of the
// angle is beyond this: 45 degrees.
static const float along_cosine = 0.7f;
// A body slower than this stands; sideways, it keeps its lane. [m/s]
static const float body_stands = 0.3f;
// A body that drives along a lane is on the lane beside as well, which it comes to in this time.
// [s]
static const float drift_time = 1.5f;
// What crosses the way of a body that drives along a lane is in its way within this time. [s]
static const float along_horizon = 1.0f;
// Nobody waits at a line for a body that is slower than this along his way, but follows it. [m/s]
static const float follow_speed = 2.0f;
// Time that a vehicle keeps before a body comes, and after it has gone. [s]
static const float before_body = 0.8f, after_body = 0.3f;
// A body brakes at most with this: good tyres. It can stop with less. [m/s^2]
static const float body_stops = 5.0f;
// Distance to bodies beside: ahead and behind after hard braking, as to vehicles. [m]
static const float body_gap_min = 1.0f;
// Time for which one that comes towards the vehicle is kept clear of. [s]
static const float oncoming_time = 5.0f;
// Bodies that are larger or faster, or have turned farther, are errors of the host: no vehicle and
// no building of a road is. [m], [m/s], [rad]
static const float body_size_max = 1000.0f, body_speed_max = 400.0f, heading_max = 1000.0f;
// Segments that are looked at for a body.
enum { NEAR_MAX = 256 };

kerb_traffic_body kerb_traffic_body_at(kerb_vec3 position, float heading, float length,
                                       float width) {
    return (kerb_traffic_body){.position = position,
                               .heading = heading,
                               .length = length,
                               .width = width,
                               .segment = -1,
                               .vehicle = -1};
}

// --------------------------------------------------------------------------- marks

// A body's footprint and what is asked about it.
typedef struct body_shape {
    const kerb_traffic_body* body;
    kerb_vec2 along, across; ///< of its heading
    kerb_vec2 velocity;
    float reach;   ///< half of the widest vehicle, and what it keeps [m]
    float horizon; ///< [s]
} body_shape;

typedef struct time_span {
    float enters, leaves;
} time_span;

// Part of the time in which a point that is `at` from the body, moving by -v, is within `half`.
static void narrow_span(time_span* span, float at, float v, float half) {
    if (kerb_abs(v) < KERB_IN_NO_NEED) {
        if (kerb_abs(at) > half)
            span->leaves = -1;
        return;
    }
    float a = (at - half) / v, b = (at + half) / v;
    span->enters = kerb_max(span->enters, kerb_min(a, b));
    span->leaves = kerb_min(span->leaves, kerb_max(a, b));
}

// When the cross-section of a vehicle at a place meets the footprint. It is as thick as a step, so
// that no footprint fits between two. leaves < enters: never.
static time_span meets_at(const body_shape* b, kerb_vec2 offset, kerb_vec2 direction,
                          float horizon) {
    float half_length = 0.5f * b->body->length, half_width = 0.5f * b->body->width;
    const float half_step = 0.5f * mark_step;
    kerb_vec2 side = kerb_vec2_make(-direction.y, direction.x);
    kerb_vec2 v = horizon > 0 ? b->velocity : kerb_vec2_make(0, 0);
    time_span span = {0, horizon};
    narrow_span(&span, kerb_vec2_dot(offset, b->along), kerb_vec2_dot(v, b->along),
                half_length + b->reach * kerb_abs(kerb_vec2_dot(side, b->along)) +
                    half_step * kerb_abs(kerb_vec2_dot(direction, b->along)));
    narrow_span(&span, kerb_vec2_dot(offset, b->across), kerb_vec2_dot(v, b->across),
                half_width + b->reach * kerb_abs(kerb_vec2_dot(side, b->across)) +
                    half_step * kerb_abs(kerb_vec2_dot(direction, b->across)));
    narrow_span(&span, kerb_vec2_dot(offset, direction), kerb_vec2_dot(v, direction),
                half_length * kerb_abs(kerb_vec2_dot(direction, b->along)) +
                    half_width * kerb_abs(kerb_vec2_dot(direction, b->across)) + half_step);
    return span;
}

// Distance from the middle line to the footprint, now and after a drift.
static float side_distance(const body_shape* b, kerb_vec2 offset, kerb_vec2 side) {
    float half = 0.5f * b->body->length * kerb_abs(kerb_vec2_dot(side, b->along)) +
                 0.5f * b->body->width * kerb_abs(kerb_vec2_dot(side, b->across));
    float now = -kerb_vec2_dot(offset, side), drift = kerb_vec2_dot(b->velocity, side);
    float later = kerb_abs(drift) > body_stands ? now + drift * drift_time : now;
    if (now * later <= 0)
        return 0;
    return kerb_max(kerb_min(kerb_abs(now), kerb_abs(later)) - half, 0);
}

typedef struct segment_place {
    kerb_vec2 offset, direction;
} segment_place;

static segment_place segment_place_at(const city_view* t, const body_shape* b, int32_t segment,
                                      float s) {
    kerb_network_place place = kerb_in_network_at(&t->net, segment, s, 0);
    segment_place p;
    p.offset = kerb_vec2_make(place.position.x - b->body->position.x,
                              place.position.y - b->body->position.y);
    kerb_sin_cos(place.heading, &p.direction.y, &p.direction.x);
    return p;
}

static void add_mark(city_view* t, const body_mark* mark) {
    lane_state* lane = &t->lanes[mark->segment];
    if (t->head->mark_count == t->head->mark_max)
        return;
    t->marks[t->head->mark_count] = *mark;
    t->marks[t->head->mark_count].next = lane->mark;
    lane->mark = t->head->mark_count++;
    if (!mark_crosses(mark))
        lane->body_used += mark->end - mark->begin + t->head->types[0].min_gap;
}

// Where the footprint is in the way along a segment, about a station.
static void mark_lengthwise(city_view* t, const body_shape* b, body_mark* m, float about,
                            float range) {
    float length = t->net.segments[m->segment].length;
    int32_t first = (int32_t)(kerb_max(about - range, 0) / mark_step);
    int32_t last = (int32_t)(kerb_min(about + range, length) / mark_step) + 1;
    m->begin = KERB_IN_NO_LIMIT;
    m->side = KERB_IN_NO_LIMIT;
    m->end = -1;
    for (int32_t i = first; i <= last; i++) {
        float s = kerb_min((float)i * mark_step, length);
        segment_place p = segment_place_at(t, b, m->segment, s);
        kerb_vec2 side = kerb_vec2_make(-p.direction.y, p.direction.x);
        float half = 0.5f * b->body->length * kerb_abs(kerb_vec2_dot(p.direction, b->along)) +
                     0.5f * b->body->width * kerb_abs(kerb_vec2_dot(p.direction, b->across)) +
                     0.5f * mark_step;
        float aside = side_distance(b, p.offset, side);
        if (kerb_abs(kerb_vec2_dot(p.offset, p.direction)) > half || aside > b->reach)
            continue;
        m->begin = kerb_min(m->begin, kerb_max(s - 0.5f * mark_step, 0));
        m->end = kerb_min(s + 0.5f * mark_step, length);
        m->side = kerb_min(m->side, aside);
    }
    m->enters = 0;
    m->leaves = KERB_IN_NO_LIMIT;
    if (m->end >= 0)
        add_mark(t, m);
}

// Where and when the footprint crosses a segment.
static void mark_crossing(city_view* t, const body_shape* b, body_mark* m, float about,
                          float range) {
    float length = t->net.segments[m->segment].length;
    int32_t first = (int32_t)(kerb_max(about - range, 0) / mark_step);
    int32_t last = (int32_t)(kerb_min(about + range, length) / mark_step) + 1;
    m->begin = m->enters = KERB_IN_NO_LIMIT;
    m->end = m->leaves = -1;
    m->side = 0;
    for (int32_t i = first; i <= last; i++) {
        float s = kerb_min((float)i * mark_step, length);
        segment_place p = segment_place_at(t, b, m->segment, s);
        time_span span = meets_at(b, p.offset, p.direction, b->horizon);
        if (span.leaves < span.enters)
            continue;
        m->begin = kerb_min(m->begin, kerb_max(s - 0.5f * mark_step, 0));
        m->end = kerb_min(s + 0.5f * mark_step, length);
        m->enters = kerb_min(m->enters, span.enters);
        m->leaves = kerb_max(m->leaves, span.leaves);
    }
    if (m->leaves >= b->horizon && m->enters <= 0)
        m->leaves = KERB_IN_NO_LIMIT; // it stays
    if (m->end >= 0)
        add_mark(t, m);
}

// The segment along which a body drives; -1: none.
static int32_t segment_along(const city_view* t, const kerb_traffic_body* body,
                             const int32_t* segments, int32_t count) {
    int32_t best = -1;
    float least = KERB_IN_NO_LIMIT;
    if (body->segment >= 0 && body->segment < t->head->segment_count)
        return body->segment;
    for (int32_t i = 0; i < count; i++) {
        float station, left;
        float away = kerb_in_network_nearest(&t->net, segments[i], body->position, &station, &left);
        kerb_network_place place = kerb_in_network_at(&t->net, segments[i], station, 0);
        if (away > 0.5f * t->net.segments[segments[i]].width || away >= least ||
            kerb_cos(place.heading - body->heading) < along_cosine)
            continue;
        best = segments[i];
        least = away;
    }
    return best;
}

// A body that drives along a lane crosses only what leaves the junction ahead of it.
static float horizon_on(const city_view* t, const body_shape* b, int32_t along, int32_t segment) {
    if (along < 0 || (segment >= t->head->lane_count &&
                      t->net.segments[segment].junction == t->net.segments[along].junction))
        return b->horizon;
    return kerb_min(b->horizon, along_horizon);
}

static void mark_segment(city_view* t, const body_shape* b, int32_t index, int32_t along,
                         int32_t segment) {
    float station, left, speed = kerb_vec2_length(b->velocity);
    body_mark m = {.body = index, .segment = segment};
    body_shape shape = *b;
    float range = b->body->length + b->body->width + b->reach;
    kerb_in_network_nearest(&t->net, segment, b->body->position, &station, &left);
    segment_place p = segment_place_at(t, b, segment, station);
    m.speed = kerb_vec2_dot(b->velocity, p.direction);
    if (speed < body_stands || kerb_abs(m.speed) >= along_cosine * speed) {
        mark_lengthwise(t, b, &m, station, range);
        return;
    }
    shape.horizon = horizon_on(t, b, along, segment);
    mark_crossing(t, &shape, &m, station, range + speed * shape.horizon);
}

static void mark_body(city_view* t, int32_t index) {
    const kerb_traffic_body* body = &t->bodies[index];
    int32_t segments[NEAR_MAX];
    body_shape b = {.body = body, .velocity = body->velocity};
    float speed = kerb_vec2_length(body->velocity);
    kerb_sin_cos(body->heading, &b.along.y, &b.along.x);
    b.across = kerb_vec2_make(-b.along.y, b.along.x);
    b.reach = 0.5f * t->head->width_max + KERB_IN_BODY_ASIDE;
    b.horizon = KERB_IN_BODY_STAYS;
    if (speed * b.horizon > predicted_way)
        b.horizon = predicted_way / speed;
    float near = 0.5f * (body->length + body->width) + b.reach + speed * b.horizon;
    int32_t count = kerb_in_network_near(&t->net, body->position, near, segments, NEAR_MAX);
    int32_t along = segment_along(t, body, segments, count);
    for (int32_t i = 0; i < count; i++)
        mark_segment(t, &b, index, along, segments[i]);
}

void kerb_in_bodies_mark(city_view* t) {
    t->head->mark_count = 0;
    for (int32_t i = 0; i < t->head->body_count; i++)
        mark_body(t, i);
}

static bool names_driving_car(const city_view* t, const kerb_traffic_body* body) {
    return body->vehicle >= 0 && body->vehicle < t->head->car_count &&
           t->cars[body->vehicle].stage >= KERB_TRAFFIC_DRIVING;
}

static void forget_bodies(city_view* t) {
    for (int32_t i = 0; i < t->head->mark_count; i++) {
        lane_state* lane = &t->lanes[t->marks[i].segment];
        lane->mark = -1;
        lane->body_used = 0;
    }
    for (int32_t i = 0; i < t->head->body_count; i++)
        if (names_driving_car(t, &t->bodies[i]))
            t->cars[t->bodies[i].vehicle].body = 0;
    t->head->mark_count = 0;
    t->head->body_count = 0;
}

// Whether numbers are those of a thing in this world. A host's physics may have lost it.
static bool body_is_sound(const kerb_traffic_body* b) {
    return kerb_vec3_is_finite(b->position) && kerb_abs(b->position.x) <= KERB_POSITION_MAX &&
           kerb_abs(b->position.y) <= KERB_POSITION_MAX &&
           kerb_abs(b->position.z) <= KERB_POSITION_MAX && kerb_abs(b->heading) <= heading_max &&
           kerb_abs(b->velocity.x) <= body_speed_max && kerb_abs(b->velocity.y) <= body_speed_max &&
           b->length > 0 && b->length <= body_size_max && b->width > 0 && b->width <= body_size_max;
}

int32_t kerb_traffic_set_bodies(kerb_traffic* traffic, const kerb_network* network,
                                const kerb_traffic_body* bodies, int32_t count) {
    city_view t = kerb_in_traffic_view(traffic->memory, network->memory);
    forget_bodies(&t);
    for (int32_t k = 0; k < count && t.head->body_count < t.head->body_max; k++) {
        if (!body_is_sound(&bodies[k]))
            continue;
        int32_t i = t.head->body_count++;
        kerb_traffic_body* body = &t.bodies[i];
        *body = bodies[k];
        if (names_driving_car(&t, body) && t.cars[body->vehicle].body == 0) {
            t.cars[body->vehicle].body = (int16_t)(i + 1);
            kerb_in_car_follow_body(&t, body->vehicle, body);
        } else
            body->vehicle = -1;
        mark_body(&t, i);
    }
    return t.head->body_count;
}

// --------------------------------------------------------------------------- questions

int32_t kerb_in_mark_for(const city_view* t, const city_car* c, int32_t mark) {
    float half = 0.5f * t->head->types[c->type].width + KERB_IN_BODY_ASIDE;
    int32_t index = (int32_t)(c - t->cars);
    while (mark >= 0 &&
           (t->marks[mark].side > half || t->bodies[t->marks[mark].body].vehicle == index))
        mark = t->marks[mark].next;
    return mark;
}

static bool mark_blocks(const body_mark* m, float comes, float clear) {
    if (mark_crosses(m))
        return clear + before_body > m->enters && comes < m->leaves + after_body;
    return m->speed < follow_speed;
}

// A body comes along the lane of a turn that conflicts, with the right of way or too fast to stop.
static bool body_comes(const city_view* t, const city_car* c, const net_foe* foe, float clear) {
    const net_turn* other = &t->net.turns[foe->turn];
    float length = t->net.segments[other->from].length;
    for (int32_t i = kerb_in_mark_for(t, c, t->lanes[other->from].mark); i >= 0;
         i = kerb_in_mark_for(t, c, t->marks[i].next)) {
        const body_mark* m = &t->marks[i];
        float rest = kerb_max(length - m->end, 0);
        bool stops = m->speed * m->speed <= 2 * body_stops * rest;
        if (mark_crosses(m) || m->speed < follow_speed || other->from == c->segment ||
            (stops && !foe->yields))
            continue;
        if ((rest + foe->wide.other_begin) / m->speed < clear + before_body)
            return true;
    }
    return false;
}

bool kerb_in_turn_is_blocked(const city_view* t, const city_car* c, int32_t turn, float comes,
                             float clear) {
    const net_turn* n = &t->net.turns[turn];
    for (int32_t i = kerb_in_mark_for(t, c, t->lanes[t->head->lane_count + turn].mark); i >= 0;
         i = kerb_in_mark_for(t, c, t->marks[i].next))
        if (mark_blocks(&t->marks[i], comes, clear))
            return true;
    for (int32_t i = 0; i < n->foe_count; i++)
        if (net_span_is_any(&t->net.foes[n->first_foe + i].wide) &&
            body_comes(t, c, &t->net.foes[n->first_foe + i], clear))
            return true;
    return false;
}

bool kerb_in_body_is_near(const city_view* t, const city_car* c, int32_t lane, float s, float v,
                          float b, float room) {
    for (int32_t i = kerb_in_mark_for(t, c, t->lanes[lane].mark); i >= 0;
         i = kerb_in_mark_for(t, c, t->marks[i].next)) {
        const body_mark* m = &t->marks[i];
        float ahead = m->begin - s, behind = s - c->length - m->end;
        if (ahead <= 0 && behind <= 0)
            return true;
        if (behind > 0) {
            if (behind < body_gap_min ||
                kerb_in_safe_speed(kerb_max(m->speed, 0), behind - body_gap_min, v, b, b, t->dt) <
                    m->speed - b * t->dt)
                return true;
            continue;
        }
        float gap = ahead - body_gap_min + kerb_min(m->speed, 0) * oncoming_time;
        float v_ahead = mark_crosses(m) ? 0 : kerb_max(m->speed, 0);
        if (ahead < t->head->types[c->type].min_gap + room ||
            kerb_in_safe_speed(v, kerb_max(gap, 0), v_ahead, b, b, t->dt) < v - b * t->dt)
            return true;
    }
    return false;
}

float kerb_in_body_ahead(const city_view* t, const city_car* c, int32_t lane, float s) {
    float least = KERB_IN_NO_LIMIT;
    for (int32_t i = kerb_in_mark_for(t, c, t->lanes[lane].mark); i >= 0;
         i = kerb_in_mark_for(t, c, t->marks[i].next)) {
        const body_mark* m = &t->marks[i];
        if (!mark_crosses(m) && m->speed < body_stands && m->end > s)
            least = kerb_min(least, kerb_max(m->begin - s, 0));
    }
    return least;
}
