// Purpose: jumps of curvature that wheels which take time to turn can follow.
// Idea:    wheels that turn evenly about a jump make the vehicle end up jump · length² / 24 aside,
//          where length is what it drives meanwhile: that must not be too much. Jumps that are too
//          close for half of each to happen between them are turned through as one. To keep them
//          apart needs the less time the less is one already, so what must be one is known jump by
//          jump. Beside a change of direction wheels still turn for a while, too.
// Cost:    a few nanoseconds a piece.
#include "wheels.h"

// Jumps that wheels turn through as one.
typedef struct wheels_turning {
    float change;      // of curvature, all of them [1/m]
    float first, last; // when [s]
    float fastest;     // from the first to the last [m/s]
} wheels_turning;

// What has been driven since the vehicle stood last. The turnings are those before the last one
// that may yet become one with it.
#define TURNINGS 16
typedef struct wheels_drive {
    wheels_turning turnings[TURNINGS];
    int32_t count;
    float fastest;                 // since the last jump [m/s]
    float set_off;                 // when [s]; nothing stood before: long ago
    float rolling;                 // for so long wheels turned on after that [s]
    float standing;                // before that [s]
    const kerb_plan_piece* before; // that drove last, in the same direction or not; NULL: none yet
} wheels_drive;

#define LONG_AGO (-1e6f)

static bool drifts_little(const plan_rates* rates, const wheels_turning* t) {
    float change = t->change;
    return rates->drift * change * change * change * t->fastest * t->fastest <= 1.0f;
}

static void wheels_merge(wheels_drive* d) {
    wheels_turning *a = &d->turnings[d->count - 2], *b = &d->turnings[d->count - 1];
    a->change += b->change;
    a->fastest = kerb_max(a->fastest, b->fastest);
    a->last = b->last;
    d->count--;
}

// Half of a turning has its time before it; else it is one with what was before.
static bool wheels_settle(const plan_rates* rates, wheels_drive* d) {
    float half = 0.5f * rates->wheel_time;
    while (d->count > 1) {
        const wheels_turning *a = &d->turnings[d->count - 2], *b = &d->turnings[d->count - 1];
        if (b->first - a->last >= half * (a->change + b->change))
            break;
        // Between the two it may have been faster than at either.
        d->turnings[d->count - 1].fastest = kerb_max(b->fastest, d->fastest);
        wheels_merge(d);
    }
    const wheels_turning* t = &d->turnings[d->count - 1];
    bool has_time = d->count > 1 || t->first - d->set_off >= d->rolling + half * t->change;
    return has_time && drifts_little(rates, t);
}

static bool jump(const plan_rates* rates, wheels_drive* d, const kerb_plan_piece* p, float change) {
    if (d->count == TURNINGS) { // the oldest no longer counts
        for (int32_t i = 1; i < TURNINGS; i++)
            d->turnings[i - 1] = d->turnings[i];
        d->count--;
    }
    d->turnings[d->count++] = (wheels_turning){change, p->time, p->time, p->speed};
    bool settled = wheels_settle(rates, d);
    d->fastest = p->speed;
    return settled;
}

// Sets off in a direction, from rest where it changes.
static bool wheels_set_off(const plan_rates* rates, wheels_drive* d, const kerb_plan_piece* p) {
    bool turns_back = d->before && d->before->direction != p->direction;
    float stopped = p->time - d->standing, rolling = 0.0f;
    if (turns_back) {
        float turned = rates->wheel_time * kerb_abs(p->curvature - d->before->curvature);
        rolling = 0.5f * kerb_max(turned - d->standing, 0.0f);
        const wheels_turning* t = d->count > 0 ? &d->turnings[d->count - 1] : NULL;
        if (t && stopped - t->last < rolling + 0.5f * rates->wheel_time * t->change)
            return false;
    }
    d->count = 0;
    d->set_off = turns_back ? p->time : LONG_AGO;
    d->rolling = rolling;
    d->standing = d->fastest = 0.0f;
    return true;
}

bool kerb_in_plan_wheels_allow(const plan_rates* rates, const kerb_plan_piece* pieces,
                               int32_t count) {
    wheels_drive d = {.set_off = LONG_AGO};
    for (int32_t i = 0; i < count; i++) {
        const kerb_plan_piece* p = &pieces[i];
        if (!(p->length > 0.0f)) {
            d.standing += p->duration;
            continue;
        }
        bool goes_on = d.before && d.standing == 0.0f && d.before->direction == p->direction;
        float change = goes_on ? kerb_abs(p->curvature - d.before->curvature) : 0.0f;
        if ((!goes_on && !wheels_set_off(rates, &d, p)) ||
            (change > 0.0f && !jump(rates, &d, p, change)))
            return false;
        d.fastest =
            kerb_max(d.fastest, kerb_max(p->speed, p->speed + p->acceleration * p->duration));
        d.before = p;
    }
    return true;
}

// Cube root by Newton's steps, from above.
static float cube_root(float x) {
    float root = kerb_max(x, 1.0f);
    for (int32_t i = 0; i < 60; i++) {
        float next = (2.0f * root + x / (root * root)) / 3.0f;
        if (!(next < root))
            break;
        root = next;
    }
    return root;
}

float kerb_in_plan_wheels_jump(const plan_rates* rates, float square) {
    float slow = rates->drift * square;
    return slow > 1e-9f ? cube_root(0.999f / slow) : 1e3f;
}
