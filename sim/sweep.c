// Purpose: finds which of many bodies touch, and pushes them apart.
// Idea:    Sort and sweep. Bodies are sorted by their least x; each needs to be compared only with
//          those that begin before it ends. The order hardly changes from step to step, so an
//          insertion sort of the last order is nearly free.
// Cost:    O(bodies + pairs that overlap in x) for a nearly sorted order.
// Source:  Baraff, "Dynamic simulation of non-penetrating rigid bodies", 1992, section 3.2.
#include "sim/group.h"
#include "sim/world.h"

// Of two bodies one above the other by more, one is on a bridge. [m]
#define STOREY 2.5f

// No point of a body is farther from its centre of mass.
static float sweep_reach_of(const kerb_sim_body* body) {
    float length = kerb_max(body->front, body->back);
    return kerb_sqrt(length * length + body->half_width * body->half_width) +
           KERB_SIM_CONTACT_MARGIN;
}

static float rear_of(const kerb_sim_body* body) {
    float rear = body->position.x - sweep_reach_of(body);
    return kerb_is_finite(rear) ? rear : 1.0e30f; // touches nobody, and does not hinder the order
}

// Equal ones by their number, so that the order is that of the bodies alone.
static bool comes_before(const kerb_sim_body* bodies, int32_t a, int32_t b) {
    float rear_a = rear_of(&bodies[a]), rear_b = rear_of(&bodies[b]);
    return rear_a < rear_b || (rear_a == rear_b && a < b);
}

static void sort(kerb_sim_sweep* sweep, const kerb_sim_body* bodies, int32_t count) {
    if (sweep->ordered != count) {
        for (int32_t i = 0; i < count; i++)
            sweep->order[i] = i;
        sweep->ordered = count;
    }
    int32_t* order = sweep->order;
    for (int32_t i = 1; i < count; i++) {
        int32_t body = order[i], k = i;
        for (; k > 0 && comes_before(bodies, body, order[k - 1]); k--)
            order[k] = order[k - 1];
        order[k] = body;
    }
}

static bool push_pair(kerb_sim_body* bodies, int32_t one, int32_t other,
                      kerb_sim_group_touch* touch) {
    if (!(kerb_abs(bodies[one].position.z - bodies[other].position.z) < STOREY))
        return false;
    touch->a = one < other ? one : other;
    touch->b = one < other ? other : one;
    kerb_sim_contact contact;
    if (!kerb_sim_bodies_push(&bodies[touch->a], &bodies[touch->b], &contact))
        return false;
    touch->closing_speed = contact.closing_speed;
    return true;
}

int32_t kerb_sim_sweep_push(kerb_sim_sweep* sweep, kerb_sim_body* bodies, int32_t count,
                            kerb_sim_group_touch* touches, int32_t most) {
    int32_t found = 0;
    if (count > KERB_SIM_GROUP_MOST)
        count = KERB_SIM_GROUP_MOST;
    sort(sweep, bodies, count);
    for (int32_t i = 0; i < count; i++) {
        const kerb_sim_body* body = &bodies[sweep->order[i]];
        float front = body->position.x + sweep_reach_of(body);
        for (int32_t k = i + 1; k < count; k++) {
            int32_t other = sweep->order[k];
            if (!(rear_of(&bodies[other]) <= front))
                break;
            kerb_sim_group_touch touch;
            if (!push_pair(bodies, sweep->order[i], other, &touch))
                continue;
            if (found < most)
                touches[found] = touch;
            found++;
        }
    }
    return found;
}
