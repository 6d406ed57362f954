// The conflict between the strip that the vehicle sweeps and a neighbour that crosses it.
//
// The neighbour is predicted in steps by its velocity and yaw rate. Within a step its path is a
// straight line, which is clipped at the two edges of the strip. Cost: TRACE_STEPS times two or
// three stations.
#include "conflict.h"

#define TRACE_STEPS 8 // a step is 0.75 s long, or 1 m for a slow neighbour
// Greatest turn in one step; a tighter bend would be too coarse. [rad]
#define CONFLICT_STEP_TURN 0.4f
// Greatest turn of the prediction: a right angle, to within a step. [rad]
#define TURN_ENOUGH 1.2f
// With less lateral change in a step, the lateral offset is constant. [m]
#define PARALLEL 1.0e-4f
#define CONFLICT_STRAIGHT 0.95f // cosine (18 degrees) of a line that still counts as straight
// Farther from the strip, a neighbour that leaves needs no prediction. [m]
#define CLEAR_OFF 1.0f
// It leaves when at least this share of its speed is away from the strip.
#define GOES_AWAY 0.2f
#define YAW_LITTLE 0.1f // and when it turns no faster than this [rad/s]
// Response distances that the vehicle itself may move sideways towards it.
#define BEND 2.0f

// The predicted neighbour.
typedef struct led {
    kerb_vec2 point, course, forward;
    float step;         // length of a step [m]
    float turn;         // turn in a step [rad]
    float sine, cosine; // of the turn in a step
    float turned;       // turned since the start [rad]
    int32_t station;    // nearest station
} led;

static led lead_from(const others_meeting* m) {
    const kerb_neighbour* n = m->neighbour;
    led l = {.point = {n->position.x, n->position.y}, .cosine = 1.0f, .station = m->station};
    l.step = meeting_led_on(m) / (float)TRACE_STEPS;
    l.course = kerb_vec2_scale(kerb_vec2_make(n->velocity.x, n->velocity.y), 1.0f / m->speed);
    l.forward = kerb_in_meeting_direction(n->forward, l.course);
    l.turn = kerb_clamp(n->yaw_rate / m->speed * l.step, -CONFLICT_STEP_TURN, CONFLICT_STEP_TURN);
    if (l.turn != 0.0f)
        kerb_sin_cos(l.turn, &l.sine, &l.cosine);
    return l;
}

static kerb_vec2 turned_by_step(const led* l, kerb_vec2 v) {
    return kerb_vec2_make(l->cosine * v.x - l->sine * v.y, l->sine * v.x + l->cosine * v.y);
}

static void lead_on(led* l, const kerb_reference_line* way) {
    if (kerb_abs(l->turned) < TURN_ENOUGH && l->turn != 0.0f) {
        l->turned += l->turn;
        l->course = turned_by_step(l, l->course);
        l->forward = turned_by_step(l, l->forward);
    }
    l->point = kerb_vec2_add(l->point, kerb_vec2_scale(l->course, l->step));
    l->station = kerb_in_way_nearest_from(way, l->station, l->point);
}

// The part of a step that lies within `half` of the middle of the strip, as shares of the step.
// False when there is none.
static bool part_within(float from, float to, float half, float* first, float* last) {
    float change = to - from;
    *first = 0.0f;
    *last = 1.0f;
    if (!(kerb_abs(change) > PARALLEL))
        return kerb_abs(from) < half;
    float a = (-half - from) / change, b = (half - from) / change;
    *first = kerb_max(kerb_min(a, b), 0.0f);
    *last = kerb_min(kerb_max(a, b), 1.0f);
    return *first < *last;
}

// The part of one predicted step that lies in the strip.
typedef struct conflict_part {
    float first, last; // shares of the step
    int32_t step;
} conflict_part;

// Widens the conflict by a part of the neighbour's step between two spots. The box of the neighbour
// reaches `half_along` to both sides along the line.
static void conflict_cover(conflict* c, const led* l, const conflict_part* p, way_spot from,
                           way_spot to, float half_along) {
    float length = to.along - from.along;
    float first = from.along + length * p->first, last = from.along + length * p->last;
    c->own_enter = kerb_min(c->own_enter, kerb_min(first, last) - half_along);
    c->own_leave = kerb_max(c->own_leave, kerb_max(first, last) + half_along);
    c->their_enter = kerb_min(c->their_enter, ((float)p->step + p->first) * l->step);
    c->their_leave = ((float)p->step + p->last) * l->step;
}

// Follows the neighbour into the strip and out again. `found` stays empty when it never enters.
static void trace(const kerb_reference_line* way, const others_swing* aside,
                  const others_meeting* m, conflict* found) {
    led l = lead_from(m);
    way_spot from = {m->along, m->aside - kerb_in_swing_offset_at(aside, m->along)};
    bool any = false;
    for (int32_t i = 0; i < TRACE_STEPS; i++) {
        lead_on(&l, way);
        way_spot to = kerb_in_way_measure(way, l.station, l.point);
        to.aside -= kerb_in_swing_offset_at(aside, to.along);
        kerb_vec2 direction = way->stations[l.station].direction;
        way_spot half = kerb_in_meeting_extents(m->neighbour, l.forward, direction);
        float beside = 0.5f * way->width + half.aside + BESIDE_OTHERS;
        conflict_part p = {.step = i};
        bool covers = part_within(from.aside, to.aside, beside, &p.first, &p.last);
        if (any && !covers)
            break;
        if (covers)
            conflict_cover(found, &l, &p, from, to, half.along);
        any = covers;
        from = to;
    }
}

bool kerb_in_conflict_find(const kerb_reference_line* way, const others_swing* aside,
                           const others_meeting* m, conflict* found) {
    *found = (conflict){.own_enter = UNLIMITED, .own_leave = -UNLIMITED, .their_enter = UNLIMITED};
    trace(way, aside, m, found);
    found->own_enter = found->own_enter - way->front - BESIDE_OTHERS;
    found->own_leave = found->own_leave + way->rear;
    return found->their_leave > 0.0f;
}

bool kerb_in_conflict_is_unlikely(const kerb_reference_line* way, const others_meeting* m) {
    float side = m->aside > way->lateral_offset ? 1.0f : -1.0f;
    float off = side * (m->aside - way->lateral_offset) - 0.5f * way->width - m->half_aside;
    if (off > meeting_led_on(m) + BEND * way->response_distance)
        return true;
    // On a straight stretch at least: between here and the end of the reference line nothing bends
    // towards the neighbour.
    const kerb_reference_station* last = &way->stations[way->count - 1];
    bool straight =
        kerb_vec2_dot(way->stations[m->station].direction, last->direction) > CONFLICT_STRAIGHT;
    return straight && off > CLEAR_OFF && side * m->speed_aside > GOES_AWAY * m->speed &&
           kerb_abs(m->neighbour->yaw_rate) < YAW_LITTLE;
}
