// Purpose: whether wheels that take time to turn can follow the jumps of curvature of a plan.
// Idea:    Wheels that turn at a constant rate round a jump leave the vehicle at a lateral offset
//          of jump · length² / 24, where length is the distance driven while they turn. This offset
//          has a limit. Two jumps must be far enough apart for half of each to happen between them;
//          otherwise the wheels turn through both in one go, as one greater jump. A greater jump
//          needs more time between it and the next, so jumps can be joined one by one in their
//          order. Wheels may also still turn for some time before and after a change of direction.
// Cost:    O(pieces).
#include "wheels.h"

// One or several jumps that the wheels turn through in one go.
typedef struct wheels_turning {
    float change;      // sum of the jumps of curvature [1/m]
    float first, last; // times of the first and the last jump [s]
    float fastest;     // greatest speed from the first to the last [m/s]
} wheels_turning;

// Turnings that are remembered. Only those that may still be joined with the latest one matter, and
// these are few; the oldest is forgotten when a new one does not fit. [1]
#define TURNINGS 16

// The motion since the last standstill.
typedef struct wheels_drive {
    wheels_turning turnings[TURNINGS];
    int32_t count;
    float fastest;                 // since the last jump [m/s]
    float set_off;                 // time of the start from rest; LONG_AGO: there was none [s]
    float rolling;                 // wheels turned on for this time after the start [s]
    float standing;                // duration of the standstill before the start [s]
    const kerb_plan_piece* before; // the last piece with a length, in any direction; NULL: none
} wheels_drive;

// Time of a start that does not count: more than a plan takes. [s]
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

// Joins the latest turning with earlier ones until half of it has its time before it. Whether it
// has that time then, and its lateral offset is within the limit.
static bool wheels_settle(const plan_rates* rates, wheels_drive* d) {
    float half = 0.5f * rates->wheel_time;
    while (d->count > 1) {
        const wheels_turning *a = &d->turnings[d->count - 2], *b = &d->turnings[d->count - 1];
        if (b->first - a->last >= half * (a->change + b->change))
            break;
        // Between the two the vehicle may have been faster than at either.
        d->turnings[d->count - 1].fastest = kerb_max(b->fastest, d->fastest);
        wheels_merge(d);
    }
    const wheels_turning* t = &d->turnings[d->count - 1];
    bool has_time = d->count > 1 || t->first - d->set_off >= d->rolling + half * t->change;
    return has_time && drifts_little(rates, t);
}

static bool jump(const plan_rates* rates, wheels_drive* d, const kerb_plan_piece* p, float change) {
    if (d->count == TURNINGS) { // forgets the oldest
        for (int32_t i = 1; i < TURNINGS; i++)
            d->turnings[i - 1] = d->turnings[i];
        d->count--;
    }
    d->turnings[d->count++] = (wheels_turning){change, p->time, p->time, p->speed};
    bool settled = wheels_settle(rates, d);
    d->fastest = p->speed;
    return settled;
}

// Starts to drive, from rest where the direction changes. False where the wheels had no time for
// the change of curvature before the standstill.
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

// Cube root by Newton's method from above. 60 steps suffice for arguments up to 1e9, which is all
// that is asked.
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
