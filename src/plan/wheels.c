// Purpose: jumps of curvature that wheels which take time to turn can follow.
// Idea:    wheels that turn evenly about a jump make the vehicle end up jump · length² / 24 aside,
//          where length is what it drives meanwhile. Each jump alone must not be too much, and an
//          arc between two of them must leave time for half of each, or both together, as one, must
//          not be too much.
// Cost:    a few nanoseconds a piece.
#include "wheels.h"

// An arc from one jump to the next.
typedef struct run {
    float jump;    // of curvature at its start [1/m]
    float length;  // [m]
    float fastest; // [m/s]
} run;

static bool drifts_little(const plan_rates* rates, float change, float speed) {
    return rates->drift * change * change * change * speed * speed <= 1.0f;
}

static float jump_between(const kerb_plan_piece* before, const kerb_plan_piece* after) {
    bool goes_on = before->travel == after->travel && before->length > 0.0f && after->length > 0.0f;
    return goes_on ? kerb_abs(after->curvature - before->curvature) : 0.0f;
}

static bool is_long_enough(const plan_rates* rates, const run* r, float jump) {
    float change = r->jump + jump;
    return r->length >= 0.5f * rates->wheel_time * change * r->fastest ||
           drifts_little(rates, change, r->fastest);
}

bool plan_wheels_allow(const plan_rates* rates, const kerb_plan_piece* pieces, int32_t count) {
    run r = {0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < count; i++) {
        const kerb_plan_piece* p = &pieces[i];
        float jump = i > 0 ? jump_between(p - 1, p) : 0.0f;
        bool is_new = jump > 0.0f || p->length == 0.0f || (i > 0 && p[-1].travel != p->travel);
        if (jump > 0.0f &&
            !(drifts_little(rates, jump, p->speed) && is_long_enough(rates, &r, jump)))
            return false;
        if (is_new)
            r = (run){jump, 0.0f, 0.0f};
        r.length += p->length;
        r.fastest =
            kerb_max(r.fastest, kerb_max(p->speed, p->speed + p->acceleration * p->duration));
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

float plan_wheels_jump(const plan_rates* rates, float square) {
    float slow = rates->drift * square;
    return slow > 1e-9f ? cube_root(0.999f / slow) : 1e3f;
}
