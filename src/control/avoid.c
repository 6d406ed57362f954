// Others on the way: how fast to drive behind, before or past them, and how far beside the line.
//
// Each neighbour is measured against the way: how far along it, how far aside, which of its
// distances to go where. What goes along the way, with it or against it, is taken to follow the
// road and may only change sides; what goes across is led on by its velocity and yaw rate. Where
// its box will cover the strip that the vehicle sweeps lies a conflict, and the question who goes
// first is answered from what both can see of each other (places, velocities, ids), by the same
// arithmetic, so that both give the same answer:
//
//     the lower id goes unless it is later by more than 0.5 s,
//     the higher id goes only if it is earlier by more than 1.2 s.
//
// Between the two both give way, so that no error of the estimates below 0.7 s lets both go; when
// both stand, the times are equal to within that and the ids decide. As ids are a total order, of
// any that wait for one another one always may go, once the time that it waited has outweighed its
// being late.
//
// What stands is passed by trying: the same judgement, with another offset wanted. Cost: each
// neighbour near enough to matter once against all stations; one that crosses further
// TRACE_STEPS times against two or three of them; all that again for each offset tried.
#include "claim.h"
#include "right_of_way.h"
#include "setting_rows.h"

#define ZONE_MARGIN 0.5f   // between two strips of which both are told [m]
#define OPPOSED 0.95f      // whose ways go against one another by so much come head-on
#define SAME_WAY 0.75f     // cosine between vehicles of which one follows the other
#define HORIZON 6.0f       // how far others are led on [s]
#define TRACE_STEPS 8      // of the way of one that crosses
#define TRACE_LEAST 8.0f   // slow ones are led on as far as this: they may be setting off [m]
#define ALONG_SHARE 0.85f  // of its speed along the way: it follows the same road
#define MARGIN 0.35f       // beside a vehicle, else they would touch [m]
#define MARGIN_DOING 0.15f // ... and beside what is gone round already [m]
#define SWING_SPEED 4.0f   // going aside one need not be slower than this [m/s]
#define ASIDE_ENOUGH 0.6f  // so near its offset it may gain speed [m]
#define NOSE 1.5f          // so far in a conflict one may still hope to be missed [m]
#define CREEP 1.2f         // towards one that faces this way, while both may yet go aside [m/s]
#define PASS_MARGIN 0.7f   // beside what is gone round [m]
#define MEET_MARGIN 0.6f   // beside what comes head-on [m]
#define CUT_IN 1.8f        // so far ahead in time a change of lane is believed [s]
#define LOWER_LATE 0.5f    // see above [s]
#define HIGHER_EARLY 1.2f
#define PASS_AFTER 0.6f      // between one leaving a conflict and the other entering it [s]
#define HEIGHT 3.5f          // what is so much higher or lower is on another level [m]
#define BLOCKED_HIGHER 4.0f  // who stands before something that stands backs out after [s] …
#define BLOCKED_LOWER 9.0f   // … and if its own is the lower id
#define BLOCKED_BEHIND 20.0f // … and if that faces the same way, so much longer
#define SLOW_SLOPE 0.6f      // of a wish to go aside, from rest [1]
#define WAITED_FOR 0.5f      // limits below this are standing because of others [m/s]

static const kerb_setting rows[] = {CONTROL_AVOID_ROWS("", 0, "")};
const kerb_settings_table kerb_avoid_settings_table = {"kerb_avoid_settings",
                                                       sizeof(kerb_avoid_settings), rows,
                                                       (int32_t)(sizeof rows / sizeof rows[0])};

// --------------------------------------------------------------------------- against the way

// A neighbour in the way's axes at the station next to it.
typedef struct meeting {
    float along, aside;           // of its middle
    float half_along, half_aside; // extents of its box
    float speed_along, speed_aside;
    float speed;
    float facing; // cosine between its length and the way
    int32_t station;
} meeting;

// Where the vehicle will be beside its line: from where it is now to where it is wanted, critically
// damped as the steering is, and back after `until`.
typedef struct swing {
    float from, to;
    float drift; // at first, over the inverse of per_metre
    float per_metre;
    float begin; // the wish itself takes so long to change [m]
    float until;
} swing;

static swing swing_to(const kerb_way* way, float offset, float until) {
    swing result = {.from = way->offset, .to = offset, .per_metre = 2.0f / way->reach};
    result.drift = way->drift / result.per_metre;
    result.begin = 0.5f * kerb_abs(offset - way->offset_wish) / way->slope;
    result.until = until;
    return result;
}

// exp(-x) for x ≥ 0, from above.
static float fading(float x) {
    float half = x * x * 0.5f;
    return 1.0f / (1.0f + x + half + half * x * (1.0f / 3.0f) + half * half * (1.0f / 6.0f));
}

// The share that is left at x of what was off at 0, at rest there.
static float still_off(float x) {
    return x > 0.0f ? (1.0f + x) * fading(x) : 1.0f;
}

static float offset_at(const swing* s, float along) {
    if (s->from == s->to && s->drift == 0.0f && along <= s->until)
        return s->to;
    float x = kerb_max((along - s->begin) * s->per_metre, 0.0f);
    float off = s->from - s->to;
    float there = s->to + (off + (off + s->drift) * x) * fading(x);
    if (along > s->until)
        there *= still_off((along - s->until - s->begin) * s->per_metre);
    return there;
}

// Distance along at which a swing from rest has come within `rest` of its end.
static float swing_length(const kerb_way* way, float shift, float rest) {
    float x = 0.5f;
    for (int32_t i = 0; i < 20 && still_off(x) * kerb_abs(shift) > rest; i++)
        x += 0.25f;
    return 0.5f * kerb_abs(shift) / SLOW_SLOPE + 0.5f * x * way->reach_least;
}

// Slow, one may pass nearer.
static float margin_at(float speed) {
    return kerb_clamp(MARGIN_DOING + 0.03f * speed, MARGIN_DOING, MARGIN);
}

static bool is_sound(const kerb_neighbour* n) {
    float sum = n->position.x + n->position.y + n->position.z + n->velocity.x + n->velocity.y +
                n->velocity.z + n->forward.x + n->forward.y + n->yaw_rate;
    return sum - sum == 0.0f && n->length > 0.0f && n->length < 1.0e3f && n->width > 0.0f &&
           n->width < 1.0e3f && kerb_abs(n->velocity.x) < 1.0e3f &&
           kerb_abs(n->velocity.y) < 1.0e3f && kerb_abs(n->yaw_rate) < 1.0e2f;
}

static void measure(const kerb_way* way, int32_t station, kerb_vec2 point, float* along,
                    float* aside) {
    const kerb_way_station* at = &way->stations[station];
    kerb_vec2 from = {point.x - at->position.x, point.y - at->position.y};
    *along = at->along + kerb_vec2_dot(at->direction, from);
    *aside = kerb_vec2_cross(at->direction, from);
}

static void measure_box(const kerb_neighbour* n, kerb_vec2 forward, kerb_vec2 direction,
                        float* half_along, float* half_aside) {
    float with = kerb_abs(kerb_vec2_dot(forward, direction));
    float across = kerb_abs(kerb_vec2_cross(forward, direction));
    *half_along = 0.5f * (with * n->length + across * n->width);
    *half_aside = 0.5f * (with * n->width + across * n->length);
}

static float square_to(const kerb_way* way, int32_t station, kerb_vec2 point) {
    float x = point.x - way->stations[station].position.x;
    float y = point.y - way->stations[station].position.y;
    return x * x + y * y;
}

static int32_t nearest_station(const kerb_way* way, kerb_vec2 point) {
    int32_t best = 0;
    float least = square_to(way, 0, point);
    for (int32_t i = 1; i < way->count; i++) {
        float square = square_to(way, i, point);
        best = square < least ? i : best;
        least = kerb_min(square, least);
    }
    return best;
}

static kerb_vec2 unit_or(kerb_vec2 v, kerb_vec2 fallback) {
    float length = kerb_vec2_length(v);
    return length > 1.0e-6f ? kerb_vec2_scale(v, 1.0f / length) : fallback;
}

// False when it can have nothing to do with this way.
static bool meet(const kerb_way* way, const kerb_neighbour* n, meeting* m) {
    kerb_vec2 point = {n->position.x, n->position.y}, velocity = {n->velocity.x, n->velocity.y};
    float far_off = way->stations[way->count - 1].along + way->front +
                    HORIZON * kerb_max(kerb_abs(velocity.x), kerb_abs(velocity.y)) * 1.5f +
                    n->length + n->width + TRACE_LEAST;
    if (n->id == way->id || !(square_to(way, 0, point) < far_off * far_off) || !is_sound(n))
        return false;
    m->station = nearest_station(way, point);
    const kerb_way_station* at = &way->stations[m->station];
    if (kerb_abs(n->position.z - at->position.z) > HEIGHT)
        return false;
    kerb_vec2 forward = unit_or(n->forward, at->direction);
    measure(way, m->station, point, &m->along, &m->aside);
    measure_box(n, forward, at->direction, &m->half_along, &m->half_aside);
    m->speed_along = kerb_vec2_dot(at->direction, velocity);
    m->speed_aside = kerb_vec2_cross(at->direction, velocity);
    m->speed = kerb_vec2_length(velocity);
    m->facing = kerb_vec2_dot(at->direction, forward);
    return true;
}

// --------------------------------------------------------------------------- verdict

// The neighbour that allows the least speed, and how.
typedef struct verdict {
    float speed;
    kerb_reason reason;
    int32_t index;
    uint32_t id;
    meeting meeting; // with it
    bool stands;     // it stands in the way
    bool comes;      // it comes head-on
} verdict;

typedef struct judge {
    const kerb_way* way;
    const kerb_avoid_settings* settings;
    const kerb_avoid* memory;
    swing swing;
    verdict verdict;
    bool passing;          // something that stands is gone round
    float behind_standing; // least gap to what stands: room to swing out
    bool surveyed;         // zones and room are known
    claim claim;
    strip strip; // its own
    bool tells;  // it has one
} judge;

static verdict* limit(judge* j, const kerb_neighbour* n, const meeting* m, int32_t index,
                      float speed, kerb_reason reason) {
    verdict* v = &j->verdict;
    if (speed > v->speed || (speed == v->speed && v->index >= 0 && n->id >= v->id))
        return NULL;
    *v = (verdict){.speed = speed, .reason = reason, .index = index, .id = n->id, .meeting = *m};
    return v;
}

// When the vehicle plans to be at a place of its way. [s]
static float time_at(const kerb_way* way, float along) {
    int32_t i = 1;
    while (i + 1 < way->count && way->stations[i].along < along)
        i++;
    const kerb_way_station *a = &way->stations[i - 1], *b = &way->stations[i];
    float share = (along - a->along) / kerb_max(b->along - a->along, 1.0e-3f);
    return a->time + (b->time - a->time) * share;
}

// --------------------------------------------------------------------------- who goes first

// One's own and the other's way to a conflict, and past it.
typedef struct conflict {
    float own_enter, own_leave;     // for the vehicle's nose to enter and its tail to leave [m]
    float their_enter, their_leave; // for the other, in its own distance [m]
} conflict;

// By times and ids alone, what both see.
static bool has_right_of_way(const judge* j, const kerb_neighbour* n, const conflict* c,
                             float their_speed) {
    float own = time_for(c->own_enter, j->way->speed);
    float theirs = time_for(c->their_enter, their_speed);
    float earlier = theirs - own;
    if (j->way->id < n->id)
        return earlier > -LOWER_LATE - kerb_max(j->memory->waited - 2.0f, 0.0f);
    return earlier > HIGHER_EARLY;
}

// In the conflict already, one goes on, unless only the nose is in it and the other can neither
// stop nor be escaped.
static bool keeps_back(const kerb_way* way, const conflict* c, float their_speed) {
    bool they_can = stopping_distance(their_speed, THEIR_BRAKING) < c->their_enter;
    float theirs = c->their_enter / kerb_max(their_speed, 0.5f);
    return !they_can && c->own_enter > -NOSE && time_at(way, c->own_leave) > theirs;
}

static bool gives_way(const judge* j, const kerb_neighbour* n, const conflict* c,
                      float their_speed) {
    const kerb_way* way = j->way;
    if (c->own_enter <= 0.0f)
        return keeps_back(way, c, their_speed);
    // Gone before one comes, or come after one is gone?
    float theirs_out = c->their_leave / kerb_max(their_speed, 0.5f);
    float own_in = time_at(way, c->own_enter);
    if (own_in > theirs_out + PASS_AFTER)
        return false;
    float own_out = kerb_max(time_at(way, c->own_leave), time_for(c->own_leave, way->speed));
    if (own_out + PASS_AFTER < time_for(c->their_enter, their_speed))
        return false;
    bool can_stop = stopping_distance(way->speed, way->braking_most) < c->own_enter;
    bool they_can =
        c->their_enter > 0.0f && stopping_distance(their_speed, THEIR_BRAKING) < c->their_enter;
    if (!can_stop && they_can)
        return false;
    if (!they_can && (can_stop || c->their_enter <= 0.0f))
        return true;
    if (!can_stop) // neither can
        return way->id > n->id;
    return !has_right_of_way(j, n, c, their_speed);
}

// --------------------------------------------------------------------------- crossing

// Leads the neighbour on and notes where its box covers the strip that the vehicle sweeps. False
// when it never does.
static bool find_conflict(const judge* j, const kerb_neighbour* n, const meeting* m,
                          conflict* found) {
    const kerb_way* way = j->way;
    float step = kerb_max(HORIZON * m->speed, TRACE_LEAST) / (float)TRACE_STEPS;
    kerb_vec2 point = {n->position.x, n->position.y};
    kerb_vec2 course =
        kerb_vec2_scale(kerb_vec2_make(n->velocity.x, n->velocity.y), 1.0f / m->speed);
    kerb_vec2 forward = unit_or(n->forward, course);
    // Nobody turns on for ever: by no more than a right angle.
    float turn = kerb_clamp(n->yaw_rate / m->speed * step, -0.4f, 0.4f);
    float turned = 0.0f;
    float sine = 0.0f, cosine = 1.0f;
    if (turn != 0.0f)
        kerb_sin_cos(turn, &sine, &cosine);

    int32_t station = m->station;
    float along = m->along, aside = m->aside - offset_at(&j->swing, along);
    bool any = false;
    float enter = UNLIMITED, leave = -UNLIMITED;
    for (int32_t i = 0; i < TRACE_STEPS; i++) {
        if (kerb_abs(turned) < 1.2f && turn != 0.0f) {
            turned += turn;
            course = kerb_vec2_make(cosine * course.x - sine * course.y,
                                    sine * course.x + cosine * course.y);
            forward = kerb_vec2_make(cosine * forward.x - sine * forward.y,
                                     sine * forward.x + cosine * forward.y);
        }
        point = kerb_vec2_add(point, kerb_vec2_scale(course, step));
        while (station > 0 && square_to(way, station - 1, point) < square_to(way, station, point))
            station--;
        while (station + 1 < way->count &&
               square_to(way, station + 1, point) < square_to(way, station, point))
            station++;
        float next_along, next_aside, half_along, half_aside;
        measure(way, station, point, &next_along, &next_aside);
        measure_box(n, forward, way->stations[station].direction, &half_along, &half_aside);
        next_aside -= offset_at(&j->swing, next_along);
        // The part of this step within the strip.
        float half = 0.5f * way->width + half_aside + MARGIN;
        float change = next_aside - aside;
        float first = 0.0f, last = 1.0f;
        if (kerb_abs(change) > 1.0e-4f) {
            float a = (-half - aside) / change, b = (half - aside) / change;
            first = kerb_max(kerb_min(a, b), 0.0f);
            last = kerb_min(kerb_max(a, b), 1.0f);
        } else if (kerb_abs(aside) >= half) {
            last = -1.0f;
        }
        if (first < last) {
            float from = along + (next_along - along) * first;
            float to = along + (next_along - along) * last;
            enter = kerb_min(enter, kerb_min(from, to) - half_along);
            leave = kerb_max(leave, kerb_max(from, to) + half_along);
            if (!any)
                found->their_enter = ((float)i + first) * step;
            found->their_leave = ((float)i + last) * step;
            any = true;
        } else if (any) {
            break;
        }
        along = next_along;
        aside = next_aside;
    }
    found->own_enter = enter - way->front - MARGIN;
    found->own_leave = leave + way->rear;
    return any;
}

// Going away from the way, not turning back to it, or too far off to come near it.
static bool stays_away(const kerb_way* way, const kerb_neighbour* n, const meeting* m) {
    float side = m->aside > way->offset ? 1.0f : -1.0f;
    float off = side * (m->aside - way->offset) - 0.5f * way->width - m->half_aside;
    if (off > kerb_max(HORIZON * m->speed, TRACE_LEAST) + 2.0f * way->reach)
        return true;
    // On a straight stretch at least: nothing between here and the way's end bends towards it.
    const kerb_way_station* last = &way->stations[way->count - 1];
    bool straight = kerb_vec2_dot(way->stations[m->station].direction, last->direction) > 0.95f;
    return straight && off > 1.0f && side * m->speed_aside > 0.2f * m->speed &&
           kerb_abs(n->yaw_rate) < 0.1f;
}

static void judge_crossing(judge* j, const kerb_neighbour* n, const meeting* m, int32_t index) {
    conflict c;
    if (stays_away(j->way, n, m))
        return;
    if (!find_conflict(j, n, m, &c))
        return;
    if (c.own_enter > j->way->stations[j->way->count - 1].along)
        return; // beyond where it goes now
    if (gives_way(j, n, &c, m->speed))
        limit(j, n, m, index,
              kerb_gap_speed(c.own_enter, 0.0f, STOP_TIME, STOP_BEFORE, j->way->braking),
              KERB_REASON_GIVE_WAY);
}

// --------------------------------------------------------------------------- along the road

// Ahead on the same road, beside the strip, coming in: whose nose is clearly ahead goes first.
static void judge_cut_in(judge* j, const kerb_neighbour* n, const meeting* m, int32_t index,
                         float apart) {
    const kerb_way* way = j->way;
    float inward = m->aside > way->offset ? -m->speed_aside : m->speed_aside;
    if (inward < 0.2f || apart > CUT_IN * inward)
        return;
    float gap = m->along - m->half_along - way->front;
    float nose = m->along + m->half_along - way->front;
    float earlier = -nose / kerb_max(kerb_max(way->speed, m->speed_along), 1.0f);
    bool first = way->id < n->id ? earlier > -LOWER_LATE : earlier > HIGHER_EARLY;
    if (gap < 0.0f && first)
        return;
    float speed = kerb_gap_speed(gap, m->speed_along, j->settings->gap_time, j->settings->gap_least,
                                 way->braking);
    // Falling back beside it takes no more than being a little slower.
    limit(j, n, m, index, kerb_max(speed, 0.7f * m->speed_along), KERB_REASON_GIVE_WAY);
}

static void judge_same_way(judge* j, const kerb_neighbour* n, const meeting* m, int32_t index,
                           float gap, float overlap) {
    const kerb_way* way = j->way;
    float leaving = m->aside > way->offset ? m->speed_aside : -m->speed_aside;
    if (leaving > 0.5f && gap > 0.0f && time_at(way, gap) > overlap / leaving + PASS_AFTER)
        return; // gone by then
    float speed = kerb_gap_speed(gap, kerb_max(m->speed_along, 0.0f), j->settings->gap_time,
                                 j->settings->gap_least, way->braking);
    limit(j, n, m, index, speed, KERB_REASON_FOLLOWING);
}

// The least distance aside to what comes, over all places where they may meet. Who leaves its side
// to go round something may be slower or faster than now, and must be back in good time.
static float apart_when_meeting(const judge* j, const meeting* m, float gap, float passed) {
    float slow = kerb_max(j->way->speed, 1.0f), fast = slow;
    if (j->passing) {
        slow *= 0.6f;
        fast = kerb_max(slow, 0.8f * j->way->speed_wanted);
    }
    float from = kerb_max(gap, 0.0f) * slow / (slow + m->speed);
    float to = passed * fast / (fast + m->speed);
    // What drifts is believed to for a moment; nobody leaves the road.
    float aside = m->aside + m->speed_aside * kerb_min(from / slow, 1.0f);
    int32_t places = j->passing ? 8 : 1;
    float apart = UNLIMITED;
    for (int32_t i = 0; i <= places; i++) {
        float place = from + (to - from) * (float)i / (float)places;
        apart = kerb_min(apart, kerb_abs(aside - offset_at(&j->swing, place)));
    }
    return apart;
}

// Head-on: by where they meet both may be out of each other's way.
static void judge_oncoming(judge* j, const kerb_neighbour* n, const meeting* m, int32_t index) {
    const kerb_way* way = j->way;
    float gap = m->along - m->half_along - way->front;
    float half =
        0.5f * way->width + m->half_aside + (gap > 0.0f ? margin_at(way->speed + m->speed) : 0.0f);
    float passed = m->along + m->half_along + way->rear;
    if (passed < 0.0f || apart_when_meeting(j, m, gap, passed) >= half)
        return;
    // Room to go aside is kept as long as it helps; the rest is done at a walk.
    float least = j->settings->gap_least, room = least + 1.5f * way->reach_least;
    float towards = kerb_min(m->speed_along, 0.0f);
    float speed = kerb_gap_speed(gap, towards, STOP_TIME, room, way->braking);
    float walk = kerb_gap_speed(gap, towards, STOP_TIME, least, way->braking);
    speed = kerb_max(speed, kerb_min(walk, CREEP));
    if (m->along + m->half_along < way->front) // beside: nothing to brake for, but stay aside
        speed = kerb_max(speed, 0.5f * way->speed_wanted);
    verdict* v = limit(j, n, m, index, speed, KERB_REASON_GIVE_WAY);
    if (v != NULL) {
        v->comes = true;
        v->stands = m->speed < STANDS;
    }
}

static void judge_standing(judge* j, const kerb_neighbour* n, const meeting* m, int32_t index,
                           float gap) {
    float least = kerb_max(j->settings->gap_least, j->behind_standing);
    float speed = kerb_gap_speed(gap, 0.0f, STOP_TIME, least, j->way->braking);
    verdict* v = limit(j, n, m, index, speed, KERB_REASON_FOLLOWING);
    if (v != NULL)
        v->stands = true;
}

// How far the neighbour's box reaches into the strip, negative: how far it is off. [m]
static float overlap_of(const judge* j, const meeting* m, float gap) {
    // What was begun is not given up for a hand's breadth.
    bool doing = j->passing && j->memory->offset * j->swing.to > 0.0f;
    float margin = doing ? MARGIN_DOING : margin_at(j->way->speed);
    float half = 0.5f * j->way->width + m->half_aside + (gap > 0.0f ? margin : 0.0f);
    float last = m->along + m->half_along + j->way->rear;
    float at_first = m->aside - offset_at(&j->swing, kerb_max(gap, 0.0f));
    float at_last = m->aside - offset_at(&j->swing, last);
    // The nose of a body that stands askew is elsewhere, until it has straightened.
    float askew = j->way->front * j->way->slant;
    float at_nose = m->aside - j->way->offset - askew;
    if (at_first * at_last < 0.0f)
        return half;
    float least = kerb_min(kerb_abs(at_first), kerb_abs(at_last));
    return half - (gap < j->way->reach ? kerb_min(least, kerb_abs(at_nose)) : least);
}

// --------------------------------------------------------------------------- known intents

// How far one's front may go behind another, for what that one has claimed itself.
static void keep_behind(judge* j, const kerb_neighbour* n, int32_t index, float gap) {
    float room = gap - j->settings->gap_least + n->intent->clear;
    if (room < j->claim.room) {
        j->claim.room = room;
        j->claim.room_index = index;
    }
}

// Notes the zone that is shared with a neighbour. True when both go head-on through the whole of
// it.
static bool survey(judge* j, const kerb_neighbour* n, float speed, int32_t index) {
    contest c = {.speed = speed,
                 .clear = n->intent->clear,
                 .waited = n->intent->waited,
                 .rear = n->intent->rear,
                 .id = n->id,
                 .index = index};
    if (!boxes_meet(j->way->intent, n->intent, ZONE_MARGIN))
        return false;
    strip their;
    strip_of(n->intent, &their);
    if (!zone_between(&j->strip, &their, ZONE_MARGIN, &c.zone))
        return false;
    if (c.zone.own_leave <= 0.0f || c.zone.their_leave <= 0.0f)
        return false;
    if (c.zone.facing < -OPPOSED && c.zone.facing_last < -OPPOSED)
        return true;
    if (!j->surveyed)
        claim_add(&j->claim, &c);
    return false;
}

static void consider_known(judge* j, const kerb_neighbour* n, const meeting* m, int32_t index) {
    const kerb_way* way = j->way;
    float gap = m->along - m->half_along - way->front;
    bool ahead = m->along + m->half_along > way->front && m->along > 0.0f;
    float overlap = ahead ? overlap_of(j, m, gap) : -1.0f;
    bool follows = kerb_abs(m->aside - way->offset) < 0.5f * way->width && m->facing > SAME_WAY &&
                   m->along + m->half_along < -way->rear + 0.5f;
    bool leads = overlap > 0.0f && m->facing > SAME_WAY;
    bool comes = false;
    if (!j->surveyed && leads)
        keep_behind(j, n, index, gap);
    else if (!follows && !leads)
        comes = survey(j, n, m->speed, index);
    // Nobody has been told of an offset that is only tried, and who has gone aside for one that
    // comes must not come back because the ways are apart now.
    if ((j->swing.to != 0.0f || j->memory->offset != 0.0f) && m->speed > STANDS &&
        m->speed_along < -ALONG_SHARE * m->speed)
        comes = true;
    if (comes)
        judge_oncoming(j, n, m, index);
    else if (overlap > 0.0f && m->speed < STANDS)
        judge_standing(j, n, m, index, gap);
    else if (overlap > 0.0f)
        judge_same_way(j, n, m, index, gap, overlap);
}

static void consider(judge* j, const kerb_neighbour* n, int32_t index) {
    meeting m;
    const kerb_way* way = j->way;
    if (!meet(way, n, &m))
        return;
    if (j->tells && n->intent != NULL && intent_is_known(n->intent)) {
        consider_known(j, n, &m, index);
        return;
    }
    bool stands = m.speed < STANDS;
    bool aligned = !stands && kerb_abs(m.speed_along) > ALONG_SHARE * m.speed;
    float gap = m.along - m.half_along - way->front;
    if (gap > way->stations[way->count - 1].along && !(aligned && m.speed_along < 0.0f) &&
        (stands || aligned))
        return;
    // What faces this way and stands, or makes room backwards, has come and may go on.
    bool faces = m.facing < -0.7f && m.speed < 3.0f && gap > 0.0f && overlap_of(j, &m, gap) > 0.0f;
    if (faces || (aligned && m.speed_along < 0.0f)) {
        judge_oncoming(j, n, &m, index);
        return;
    }
    // Who is not ahead looks after itself.
    bool ahead = m.along + m.half_along > way->front && m.along > 0.0f;
    float overlap = ahead ? overlap_of(j, &m, gap) : -1.0f;
    if (overlap > 0.0f && stands)
        judge_standing(j, n, &m, index, gap);
    else if (overlap > 0.0f)
        judge_same_way(j, n, &m, index, gap, overlap);
    else if (aligned && ahead)
        judge_cut_in(j, n, &m, index, -overlap);
    else if (!stands && !aligned)
        judge_crossing(j, n, &m, index);
}

static verdict judged(judge* j, const kerb_neighbour* neighbours, int32_t count) {
    j->verdict = (verdict){.speed = UNLIMITED, .reason = KERB_REASON_NONE, .index = -1};
    for (int32_t i = 0; i < count; i++)
        consider(j, &neighbours[i], i);
    return j->verdict;
}

// --------------------------------------------------------------------------- going round

// The least room on one side over a stretch of the way. [m]
static float room_over(const kerb_way* way, float from, float to, float side) {
    float least = UNLIMITED;
    for (int32_t i = 0; i < way->count; i++) {
        const kerb_way_station* at = &way->stations[i];
        bool in = (i + 1 == way->count || way->stations[i + 1].along > from) &&
                  (i == 0 || way->stations[i - 1].along < to);
        if (in)
            least = kerb_min(least, side > 0.0f ? at->left : at->right);
    }
    return least;
}

// The offset that passes it on one side. False when the way is too narrow there; then as far as
// there is room.
static bool offset_past(const kerb_way* way, const meeting* m, float side, float margin,
                        float* offset) {
    float wanted = side * m->aside + m->half_aside + 0.5f * way->width + margin;
    float from = m->along - m->half_along - way->front, to = m->along + m->half_along + way->rear;
    float most = room_over(way, from, to, side) - 0.5f * way->width;
    *offset = side * kerb_max(kerb_min(wanted, most), 0.0f);
    return wanted <= most;
}

static verdict try_offset(judge* j, const kerb_neighbour* neighbours, int32_t count, float offset,
                          float until) {
    j->swing = swing_to(j->way, offset, until);
    return judged(j, neighbours, count);
}

// Something stands in the way: round it, on the side with the shorter way round that is open.
static void pass_standing(judge* j, const kerb_neighbour* neighbours, int32_t count, float* offset,
                          verdict* best) {
    const kerb_way* way = j->way;
    verdict before = *best;
    const meeting* m = &before.meeting;
    float passing = j->settings->driving_side == KERB_DRIVE_RIGHT ? 1.0f : -1.0f;
    if (m->facing < -0.5f) // it faces this way: as one that comes
        passing = -passing;
    bool may = m->facing < 0.7f || (j->memory->standing == before.id &&
                                    j->memory->standing_for >= j->settings->patience);
    float until = m->along + m->half_along + way->rear;
    float gap = m->along - m->half_along - way->front;
    // What was begun on one side is done there.
    float begun = j->memory->standing == before.id ? j->memory->offset : 0.0f;
    if (begun * passing < 0.0f)
        passing = -passing;
    bool open = false;
    j->passing = true;
    float least_swing = UNLIMITED;
    for (int32_t i = 0; i < 2 && (begun == 0.0f || *offset == 0.0f); i++) {
        float side = i == 0 ? passing : -passing;
        float wanted;
        if (!offset_past(way, m, side, PASS_MARGIN, &wanted))
            continue;
        open = true;
        least_swing =
            kerb_min(least_swing, swing_length(way, wanted - way->offset, PASS_MARGIN - MARGIN));
        if (!may)
            continue;
        verdict v = try_offset(j, neighbours, count, wanted, until);
        // Somebody comes; who is out there already gets on with it.
        if (v.comes && kerb_abs(way->offset) < 0.5f * kerb_abs(wanted))
            continue;
        // The other side must be worth it: half a width less aside.
        bool no_better = *offset != 0.0f && best->speed > 1.0f &&
                         kerb_abs(wanted) > kerb_abs(*offset) - 0.5f * way->width;
        if (begun * side > 0.0f || (v.speed > best->speed + 0.2f && !no_better)) {
            *best = v;
            *offset = wanted;
        }
    }
    // Who must wait behind it waits where there is still room to swing out.
    if (open && *offset == 0.0f && gap > 0.0f) {
        j->behind_standing = 1.1f * least_swing + 0.5f;
        *best = try_offset(j, neighbours, count, *offset, until);
    }
}

// Somebody comes head-on: each to its own side, unless both are clearly on the other already.
static void meet_oncoming(judge* j, const kerb_neighbour* neighbours, int32_t count, float* offset,
                          verdict* best) {
    const kerb_way* way = j->way;
    const meeting m = best->meeting;
    float side = j->settings->driving_side == KERB_DRIVE_RIGHT ? -1.0f : 1.0f;
    float between = m.aside - way->offset;
    // The nearer it is, the less there is left to choose.
    float choice = kerb_clamp(0.015f * (m.along - m.half_along - way->front), 0.05f, 0.5f);
    if (between * side > choice * (0.5f * way->width + m.half_aside))
        side = -side;
    offset_past(way, &m, side, MEET_MARGIN, offset);
    *best = try_offset(j, neighbours, count, *offset, m.along + m.half_along + way->rear);
}

// --------------------------------------------------------------------------- one frame

// Near enough to begin to go round.
static bool is_near(const kerb_way* way, const verdict* v) {
    float gap = v->meeting.along - v->meeting.half_along - way->front;
    return v->speed < way->speed_wanted || gap < 3.0f * way->reach + 2.5f * way->speed;
}

static void remember(kerb_avoid* avoid, const kerb_way* way, const verdict* first, const verdict* v,
                     float time_step) {
    bool still = way->speed < STANDS && v->speed < WAITED_FOR;
    avoid->waited = still ? avoid->waited + time_step : 0.0f;
    avoid->blocked = still && v->stands ? avoid->blocked + time_step : 0.0f;
    bool same = first->stands && (avoid->standing == first->id || avoid->standing_for == 0.0f);
    avoid->standing_for = !first->stands ? 0.0f
                          : same         ? avoid->standing_for + time_step
                                         : time_step;
    avoid->standing = first->stands ? first->id : 0;
}

static bool is_blocked(const kerb_avoid* avoid, const kerb_way* way, const verdict* v) {
    if (!v->stands)
        return false;
    float patience = way->id > v->id ? BLOCKED_HIGHER : BLOCKED_LOWER;
    if (v->meeting.facing > 0.7f && avoid->offset == 0.0f) // perhaps it only waits itself
        patience += BLOCKED_BEHIND;
    return avoid->blocked > patience;
}

// What those whose intents are known leave of the way.
static void claim_for(judge* j, kerb_avoid* avoid, verdict* best, float time_step) {
    claim_answer answer = claim_way(&j->claim, avoid, j->settings, j->way);
    avoid->clear = answer.clear;
    bool yields = false;
    if (answer.speed < best->speed) {
        *best =
            (verdict){.speed = answer.speed, .reason = KERB_REASON_GIVE_WAY, .index = answer.index};
        yields = answer.yields;
    }
    bool still = j->way->speed < STANDS && best->speed < WAITED_FOR;
    avoid->yielded = still && yields ? avoid->yielded + time_step : 0.0f;
}

kerb_avoid_answer kerb_avoid_others(kerb_avoid* avoid, const kerb_avoid_settings* settings,
                                    const kerb_way* way, const kerb_neighbour* neighbours,
                                    int32_t count, float time_step) {
    judge j = {.way = way, .settings = settings, .memory = avoid};
    j.tells = way->intent != NULL && intent_is_known(way->intent);
    if (j.tells)
        strip_of(way->intent, &j.strip);
    j.claim.room = UNLIMITED;
    avoid->clear -= way->speed * time_step;
    verdict first = try_offset(&j, neighbours, count, 0.0f, UNLIMITED);
    j.surveyed = true;
    verdict best = first;
    float offset = 0.0f;
    if (first.stands && !first.comes && is_near(way, &first))
        pass_standing(&j, neighbours, count, &offset, &best);
    else if (first.comes)
        meet_oncoming(&j, neighbours, count, &offset, &best);
    if (j.tells)
        claim_for(&j, avoid, &best, time_step);
    remember(avoid, way, &first, &best, time_step);
    avoid->offset = offset;
    if (avoid->held > 0.0f) {
        avoid->held -= time_step;
        best.speed = 0.0f;
        best.reason = KERB_REASON_GIVE_WAY;
    }
    kerb_avoid_answer answer = {.speed = best.speed,
                                .offset = offset,
                                .reason = best.reason,
                                .index = best.index,
                                .blocked = is_blocked(avoid, way, &best)};
    if (offset != 0.0f && best.speed >= way->speed_wanted) {
        answer.reason = KERB_REASON_AVOIDING;
        answer.index = first.index;
        // A swing grows longer with speed: first aside, then faster.
        if (first.stands && !first.comes && kerb_abs(offset - way->offset) > ASIDE_ENOUGH)
            answer.speed = kerb_min(answer.speed, kerb_max(way->speed, SWING_SPEED));
    }
    return answer;
}

float kerb_room_behind(const kerb_way* way, const kerb_neighbour* neighbours, int32_t count) {
    float least = UNLIMITED;
    for (int32_t i = 0; i < count; i++) {
        meeting m;
        if (!meet(way, &neighbours[i], &m) || m.along > 0.0f)
            continue;
        float half = 0.5f * way->width + m.half_aside + MARGIN;
        if (kerb_abs(m.aside - way->offset) < half)
            least = kerb_min(least, -way->rear - (m.along + m.half_along));
    }
    return least;
}
