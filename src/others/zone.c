// Where the strips that two vehicles sweep overlap.
//
// Each strip is a chain of segments with a width. Two segments overlap where the middle line of one
// lies within the other, widened by both half widths and a margin. Both vehicles use the same two
// chains, so they find the same zones. Segments that are far apart are skipped: along a chain, the
// distance to a point changes by no more than the distance along the chain.
//
// Cost: for each segment of the own strip, a few segments of the other near it.
#include "zone.h"

#define OTHERS_ZONE_ALIGNED 0.8f  // cosine (37 degrees) above which lines run together
#define OTHERS_ZONE_OPPOSED 0.95f // cosine (162 degrees) from which chords count as head-on
// Lines merge when they run together for at least this distance. [m]
#define TOGETHER_LEAST 3.0f
#define OTHERS_ZONE_APART 4.0f // zones that are farther apart than this are different ones [m]
#define NONE 1.0e6f            // no station: greater than any [m]
// Segments overlap by this much at bends, so that no gap is left there. [m]
#define JOINT 0.3f

static float distance_of(kerb_vec2 a, kerb_vec2 b) {
    float x = a.x - b.x, y = a.y - b.y;
    return kerb_sqrt(x * x + y * y);
}

static kerb_vec2 from_to(kerb_vec2 a, kerb_vec2 b, float scale) {
    return kerb_vec2_make((b.x - a.x) * scale, (b.y - a.y) * scale);
}

static kerb_vec2 beyond(kerb_vec2 at, kerb_vec2 direction, float distance) {
    return kerb_vec2_make(at.x + direction.x * distance, at.y + direction.y * distance);
}

bool kerb_in_intent_is_known(const kerb_intent* intent) {
    int32_t n = intent->count;
    if (n < 2 || n > KERB_INTENT_POINTS_MAX || !(intent->spacing > 0.01f))
        return false;
    float sum = intent->box_min.x + intent->box_min.y + intent->box_max.x + intent->box_max.y +
                intent->front + intent->rear + intent->width + intent->spacing + intent->claimed +
                intent->asked + intent->stopping + intent->yield_time;
    bool bounded = intent->width > 0.0f;
    for (int32_t i = 0; i < n; i++) {
        kerb_vec2 at = intent->points[i];
        sum += at.x + at.y;
        bounded = bounded && at.x >= intent->box_min.x && at.x <= intent->box_max.x &&
                  at.y >= intent->box_min.y && at.y <= intent->box_max.y;
    }
    return bounded && sum - sum == 0.0f;
}

void kerb_in_strip_of(const kerb_intent* intent, others_strip* result) {
    int32_t n = intent->count;
    float per_metre = 1.0f / intent->spacing;
    for (int32_t i = 0; i < n; i++) {
        result->at[i + 1] = intent->points[i];
        result->along[i + 1] = (float)i * intent->spacing;
    }
    float front = kerb_max(intent->front, 0.1f), rear = kerb_max(intent->rear, 0.1f);
    result->at[0] = beyond(result->at[1], from_to(result->at[1], result->at[2], per_metre), -rear);
    result->at[n + 1] =
        beyond(result->at[n], from_to(result->at[n - 1], result->at[n], per_metre), front);
    result->along[0] = -rear;
    result->along[n + 1] = result->along[n] + front;
    result->count = n + 2;
    result->front = front;
    result->rear = rear;
    result->half = 0.5f * intent->width;
}

bool kerb_in_boxes_meet(const kerb_intent* a, const kerb_intent* b, float margin) {
    return a->box_min.x - margin < b->box_max.x && b->box_min.x - margin < a->box_max.x &&
           a->box_min.y - margin < b->box_max.y && b->box_min.y - margin < a->box_max.y;
}

// Clips [first, last] to the part of [0, 1] where the value between `from` and `to` lies from low
// to high.
static void others_zone_clip(float from, float to, float low, float high, float* first,
                             float* last) {
    float change = to - from;
    if (kerb_abs(change) < 1.0e-4f) {
        if (from < low || from > high)
            *last = -1.0f;
        return;
    }
    float a = (low - from) / change, b = (high - from) / change;
    *first = kerb_max(*first, kerb_min(a, b));
    *last = kerb_min(*last, kerb_max(a, b));
}

// The stretch of segment i of `a` that lies within segment k of `b`. False when there is none.
static bool others_zone_within(const others_strip* a, int32_t i, const others_strip* b, int32_t k,
                               float half, float* from, float* to) {
    float length = b->along[k + 1] - b->along[k];
    kerb_vec2 direction = from_to(b->at[k], b->at[k + 1], 1.0f / length);
    kerb_vec2 start = from_to(b->at[k], a->at[i], 1.0f),
              end = from_to(b->at[k], a->at[i + 1], 1.0f);
    float first = 0.0f, last = 1.0f;
    others_zone_clip(kerb_vec2_cross(direction, start), kerb_vec2_cross(direction, end), -half,
                     half, &first, &last);
    if (!(first < last)) // as for most pairs: clipping only makes it shorter
        return false;
    others_zone_clip(kerb_vec2_dot(direction, start), kerb_vec2_dot(direction, end), -JOINT,
                     length + JOINT, &first, &last);
    float own = a->along[i + 1] - a->along[i];
    *from = a->along[i] + own * first;
    *to = a->along[i] + own * last;
    return first < last;
}

// The result of the search up to now.
typedef struct others_zone_search {
    const others_strip *own, *their;
    float reach; // greatest distance between the middle lines [m]
    float margin;
    bool any, aligned; // any: a zone was found; aligned: its last pair of segments was aligned
    float own_from, own_to, their_from, their_to;
    float ahead, together;
} others_zone_search;

static float facing_of(const others_zone_search* s, int32_t i, int32_t k) {
    kerb_vec2 a =
        from_to(s->own->at[i], s->own->at[i + 1], 1.0f / (s->own->along[i + 1] - s->own->along[i]));
    kerb_vec2 b = from_to(s->their->at[k], s->their->at[k + 1],
                          1.0f / (s->their->along[k + 1] - s->their->along[k]));
    return kerb_vec2_dot(a, b);
}

// Two segments at a right angle: only the other's width counts. Parallel ones: both widths count.
static void others_zone_add_pair(others_zone_search* s, int32_t i, int32_t k) {
    const others_strip *own = s->own, *their = s->their;
    float facing = facing_of(s, i, k), side = kerb_min(kerb_abs(facing), 1.0f);
    float own_from, own_to, their_from, their_to;
    bool in_theirs = others_zone_within(
        own, i, their, k, their->half + side * own->half + s->margin, &own_from, &own_to);
    bool in_own = others_zone_within(their, k, own, i, own->half + side * their->half + s->margin,
                                     &their_from, &their_to);
    if (in_theirs && own_from > s->own_to + OTHERS_ZONE_APART && s->any)
        return;
    if (in_theirs && in_own && facing > OTHERS_ZONE_ALIGNED) {
        s->ahead = 0.5f * (own_from + own_to - their_from - their_to);
        s->together += kerb_max(own_to - kerb_max(s->own_to, own_from), 0.0f);
    }
    if (in_theirs) {
        s->any = true;
        s->aligned = facing > OTHERS_ZONE_ALIGNED;
        s->own_from = kerb_min(s->own_from, own_from);
        s->own_to = kerb_max(s->own_to, own_to);
    }
    if (in_own) {
        s->their_from = kerb_min(s->their_from, their_from);
        s->their_to = kerb_max(s->their_to, their_to);
    }
}

static void along_theirs(others_zone_search* s, int32_t i) {
    const others_strip *own = s->own, *their = s->their;
    kerb_vec2 middle = {0.5f * (own->at[i].x + own->at[i + 1].x),
                        0.5f * (own->at[i].y + own->at[i + 1].y)};
    float reach = s->reach + 0.5f * (own->along[i + 1] - own->along[i]) + JOINT;
    for (int32_t k = 0; k + 1 < their->count; k++) {
        // Up to this station of the other's line nothing can be within reach.
        float free = their->along[k] + distance_of(middle, their->at[k]) - reach;
        if (free < their->along[k + 1])
            others_zone_add_pair(s, i, k);
        else
            while (k + 2 < their->count && their->along[k + 2] < free)
                k++;
    }
}

static kerb_vec2 others_zone_at(const others_strip* strip, float along) {
    int32_t i = 0;
    while (i + 2 < strip->count && strip->along[i + 1] < along)
        i++;
    float share = (along - strip->along[i]) / (strip->along[i + 1] - strip->along[i]);
    kerb_vec2 step = from_to(strip->at[i], strip->at[i + 1], kerb_clamp(share, 0.0f, 1.0f));
    return kerb_vec2_make(strip->at[i].x + step.x, strip->at[i].y + step.y);
}

// The two lead through the zone from opposite ends: where one enters it the other leaves it. Two
// that turn left in front of each other leave it elsewhere.
static bool others_zone_opposed(const others_zone_search* s) {
    kerb_vec2 own_from = others_zone_at(s->own, s->own_from);
    kerb_vec2 own_to = others_zone_at(s->own, s->own_to);
    kerb_vec2 their_from = others_zone_at(s->their, s->their_from);
    kerb_vec2 their_to = others_zone_at(s->their, s->their_to);
    kerb_vec2 own = from_to(own_from, own_to, 1.0f), their = from_to(their_from, their_to, 1.0f);
    float lengths = kerb_vec2_length(own) * kerb_vec2_length(their);
    return kerb_vec2_dot(own, their) < -OTHERS_ZONE_OPPOSED * lengths &&
           distance_of(own_from, their_to) < s->reach && distance_of(own_to, their_from) < s->reach;
}

bool kerb_in_zone_between(const others_strip* own, const others_strip* their, float margin,
                          others_zone* result) {
    others_zone_search s = {.own = own,
                            .their = their,
                            .reach = own->half + their->half + margin,
                            .margin = margin,
                            .own_from = NONE,
                            .own_to = -NONE,
                            .their_from = NONE,
                            .their_to = -NONE};
    for (int32_t i = 0; i + 1 < own->count; i++) {
        if (s.any && own->along[i] > s.own_to + OTHERS_ZONE_APART)
            break;
        along_theirs(&s, i);
    }
    if (!(s.own_from < s.own_to && s.their_from < s.their_to))
        return false;
    result->own_enter = s.own_from - own->front;
    result->own_leave = s.own_to + own->rear;
    result->their_enter = s.their_from - their->front;
    result->their_leave = s.their_to + their->rear;
    result->opposed = others_zone_opposed(&s);
    result->ahead = s.ahead;
    result->merges = s.aligned && s.together > TOGETHER_LEAST;
    return true;
}
