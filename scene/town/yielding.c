// Purpose: right of way among vehicles that park.
// Idea:    A body is four circles in a row. Paths are checked at places a metre apart, as far as
//          they matter: one's own as far as it needs to stop, another's as far as it gets in some
//          seconds. No reservations are kept: each frame looks at the paths again, so that a
//          vehicle that plans another path is seen on that one.
// Cost:    O(count · metres²); one distance rules out most places.
#include "scene/town/yielding.h"

#define CIRCLES 4
#define YIELDING_SPACING 1.0f // of the places looked at [m]
#define YIELDING_AHEAD 60.0f  // of a way [m]
#define YIELDING_MARGIN 0.35f // round a body [m]
#define BRAKING 0.8f          // what it counts on to stop [m/s²]
#define GAP 0.8f              // it stops so far before [m]
// A way that is clear for so much farther than it takes to stop need not be looked at on. [m]
#define BEYOND 3.0f

typedef struct disc {
    kerb_vec2 at;
    float radius;
} disc;

// A body at a pose.
typedef struct yielding_body {
    disc whole;
    disc parts[CIRCLES];
} yielding_body;

static yielding_body body_at(const kerb_vehicle* vehicle, kerb_pose pose) {
    float part = vehicle->length / (float)CIRCLES, half = 0.5f * vehicle->width;
    float radius = kerb_sqrt(half * half + 0.25f * part * part) + 0.5f * YIELDING_MARGIN;
    float middle = vehicle->reference_to_front - 0.5f * vehicle->length;
    yielding_body result = {
        .whole = {kerb_vec2_add(pose.position, kerb_vec2_scale(pose.forward, middle)),
                  radius + 0.5f * (vehicle->length - part)}};
    for (int32_t i = 0; i < CIRCLES; i++) {
        float along = vehicle->reference_to_front - ((float)i + 0.5f) * part;
        disc one = {kerb_vec2_add(pose.position, kerb_vec2_scale(pose.forward, along)), radius};
        result.parts[i] = one;
    }
    return result;
}

static bool do_discs_touch(const disc* a, const disc* b) {
    kerb_vec2 way = kerb_vec2_sub(b->at, a->at);
    float reach = a->radius + b->radius;
    return kerb_vec2_dot(way, way) < reach * reach;
}

static bool do_touch(const yielding_body* a, const yielding_body* b) {
    if (!do_discs_touch(&a->whole, &b->whole))
        return false;
    for (int32_t i = 0; i < CIRCLES; i++) {
        for (int32_t k = 0; k < CIRCLES; k++) {
            if (do_discs_touch(&a->parts[i], &b->parts[k]))
                return true;
        }
    }
    return false;
}

// --------------------------------------------------------------------------- ways

#define PLACES 64

// What a way sweeps from here on; nothing where none is driven.
typedef struct sweep {
    yielding_body places[PLACES];
    int32_t count;
} sweep;

static bool is_under_way(const kerb_parker* parker) {
    return parker->phase != (int32_t)KERB_PARKER_ARRIVED &&
           parker->phase != (int32_t)KERB_PARKER_PLANS && parker->path.count > 0;
}

// The way is that of the rear axle.
static kerb_pose reference_of(const kerb_vehicle* vehicle, kerb_pose axle) {
    float ahead = vehicle->kind == KERB_VEHICLE_WHEELED ? vehicle->reference_to_rear_axle : 0.0f;
    axle.position = kerb_vec2_add(axle.position, kerb_vec2_scale(axle.forward, ahead));
    return axle;
}

static sweep sweep_of(const kerb_parker* parker, float metres) {
    sweep result = {.count = 0};
    if (!is_under_way(parker))
        return result;
    float left = kerb_curve_length(&parker->path) - parker->station;
    metres = kerb_min(metres, left);
    float along = 0.0f;
    while (result.count < PLACES) {
        kerb_pose axle =
            kerb_curve_at(&parker->path, parker->station + kerb_min(along, metres)).pose;
        result.places[result.count++] =
            body_at(&parker->vehicle, reference_of(&parker->vehicle, axle));
        if (along >= metres)
            break;
        along += YIELDING_SPACING;
    }
    return result;
}

// The first place of a way that a body touches, its count where none.
static int32_t first_touch(const sweep* way, const yielding_body* other) {
    int32_t i = 0;
    while (i < way->count && !do_touch(&way->places[i], other))
        i++;
    return i;
}

static bool touches(const sweep* way, const yielding_body* other) {
    return first_touch(way, other) < way->count;
}

static int32_t first_meeting(const sweep* way, const sweep* other) {
    int32_t first = way->count;
    for (int32_t k = 0; k < other->count && first > 0; k++) {
        int32_t touch = first_touch(way, &other->places[k]);
        first = touch < first ? touch : first;
    }
    return first;
}

// --------------------------------------------------------------------------- right of way

static float distance_squared(const yielding_body* a, const yielding_body* b) {
    kerb_vec2 way = kerb_vec2_sub(b->whole.at, a->whole.at);
    return kerb_vec2_dot(way, way);
}

// The first place where it would run into who stands there. Who is that near already may go away.
static int32_t first_hit(const sweep* way, const yielding_body* standing) {
    int32_t i = 0;
    float now = way->count > 0 ? distance_squared(&way->places[0], standing) : 0.0f;
    while (i < way->count && !(distance_squared(&way->places[i], standing) < now &&
                               do_touch(&way->places[i], standing)))
        i++;
    return i;
}

// One of them, as all see it.
typedef struct user {
    yielding_body here;
    sweep way;
    int32_t claimed; // places of the way that it cannot do without: what it takes to stop
} user;

static user user_of(const kerb_scene_yielding* one) {
    user result = {.here = body_at(&one->parker->vehicle, one->pose),
                   .way = sweep_of(one->parker, YIELDING_AHEAD)};
    float claim = 0.5f * one->speed * one->speed / BRAKING + GAP + BEYOND;
    int32_t places = (int32_t)(claim / YIELDING_SPACING) + 2;
    result.claimed = places < result.way.count ? places : result.way.count;
    return result;
}

static bool is_far(const user* a, const user* b) {
    disc one = a->here.whole, other = b->here.whole;
    one.radius += YIELDING_AHEAD;
    other.radius += YIELDING_AHEAD;
    return !do_discs_touch(&one, &other);
}

// Places of the way up to where the other has to be let go first.
static int32_t free_places(const user* all, int32_t index, int32_t other) {
    const user *me = &all[index], *it = &all[other];
    if (is_far(me, it))
        return me->claimed;
    sweep claim = me->way;
    claim.count = me->claimed;
    int32_t clear = first_hit(&claim, &it->here);
    bool stands_in_mine = touches(&me->way, &it->here), stand_in_its = touches(&it->way, &me->here);
    bool goes_first = stands_in_mine != stand_in_its ? stands_in_mine : other < index;
    if (!goes_first)
        return clear;
    int32_t meeting = first_meeting(&claim, &it->way);
    return meeting < clear ? meeting : clear;
}

static float cap_of(const user* all, int32_t count, int32_t index) {
    int32_t clear = all[index].claimed;
    for (int32_t k = 0; k < count; k++) {
        int32_t seen = k != index ? free_places(all, index, k) : clear;
        clear = seen < clear ? seen : clear;
    }
    if (clear == all[index].claimed)
        return 1.0e6f;
    float metres = (float)(clear - 1) * YIELDING_SPACING - GAP;
    return metres > 0.0f ? kerb_approach_speed(0.0f, metres, BRAKING) : 0.0f;
}

void kerb_scene_yielding_caps(const kerb_scene_yielding* all, int32_t count, float* caps) {
    user users[KERB_SCENE_YIELDING_MOST];
    for (int32_t i = 0; i < count; i++)
        users[i] = user_of(&all[i]);
    for (int32_t i = 0; i < count; i++)
        caps[i] = cap_of(users, count, i);
}
