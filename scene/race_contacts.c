// Purpose: which of many cars touch, and what it does to them.
// Idea:    Sort and sweep: cars in the order of their rearmost x need to be compared only with
//          those that begin before they end. The order hardly changes from step to step, so an
//          insertion sort of the last one is nearly free.
// Cost:    20 cars spread along a track: about half a microsecond a step.
// Source:  Baraff, "Dynamic simulation of non-penetrating rigid bodies", 1992, section 3.2.
#include "scene/race_contacts.h"

// Of two cars one above the other by more, one is on a bridge. [m]
#define STOREY 2.5f

// --------------------------------------------------------------------------- touches

// Notes a step of a pair. True when a contact begins; `damage` is what this step adds.
static bool note(scene_race_touch* touch, bool touches, float closing, float time_step,
                 float* damage) {
    *damage = 0.0f;
    touch->touching = touches;
    if (!touches) {
        touch->since += time_step;
        touch->hit = 0.0f;
        touch->lasts = touch->lasts && touch->since < SCENE_RACE_APART;
        return false;
    }
    bool begins = !touch->lasts;
    if (begins)
        touch->hardest = touch->hit = 0.0f;
    touch->lasts = true;
    touch->since = 0.0f;
    touch->hardest = kerb_max(touch->hardest, closing);
    if (closing > touch->hit) {
        *damage = closing * closing - touch->hit * touch->hit;
        touch->hit = closing;
    }
    return begins;
}

static scene_race_touch* pair_of(scene_race_contacts* contacts, int32_t a, int32_t b) {
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    return &contacts->pairs[high * (high - 1) / 2 + low];
}

static void note_pair(scene_race_contacts* contacts, int32_t a, int32_t b, float closing) {
    scene_race_touch* touch = pair_of(contacts, a, b);
    bool was_hard = touch->lasts && touch->hardest >= SCENE_RACE_LIGHT;
    float damage;
    int32_t begins = note(touch, true, closing, 0.0f, &damage) ? 1 : 0;
    int32_t hardens = touch->hardest >= SCENE_RACE_LIGHT && !was_hard ? 1 : 0;
    int32_t both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        scene_race_damage* car = &contacts->cars[both[i]];
        car->contacts += begins;
        car->hard_contacts += hardens;
        car->damage += damage;
    }
    contacts->contacts += begins;
    contacts->hard_contacts += hardens;
    contacts->damage += damage;
}

// --------------------------------------------------------------------------- sweeping

// No point of a body is farther from its centre of mass.
static float reach_of(const sim_body* body) {
    float length = kerb_max(body->front, body->back);
    return kerb_sqrt(length * length + body->half_width * body->half_width) + SIM_CONTACT_MARGIN;
}

static float rear_of(const sim_body* body) {
    float rear = body->position.x - reach_of(body);
    return kerb_is_finite(rear) ? rear : 1.0e30f; // touches nobody, and does not hinder the order
}

// Equal ones by their number, so that the order is that of the bodies alone.
static bool comes_before(const sim_body* bodies, int32_t a, int32_t b) {
    float rear_a = rear_of(&bodies[a]), rear_b = rear_of(&bodies[b]);
    return rear_a < rear_b || (rear_a == rear_b && a < b);
}

static void sort(scene_race_contacts* contacts, const sim_body* bodies, int32_t count) {
    if (contacts->ordered != count) {
        for (int32_t i = 0; i < count; i++)
            contacts->order[i] = i;
        contacts->ordered = count;
    }
    int32_t* order = contacts->order;
    for (int32_t i = 1; i < count; i++) {
        int32_t car = order[i], k = i;
        for (; k > 0 && comes_before(bodies, car, order[k - 1]); k--)
            order[k] = order[k - 1];
        order[k] = car;
    }
}

static void push_pair(scene_race_contacts* contacts, sim_body* bodies, int32_t a, int32_t b) {
    if (!(kerb_abs(bodies[a].position.z - bodies[b].position.z) < STOREY))
        return;
    sim_contact contact;
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    if (sim_bodies_push(&bodies[low], &bodies[high], &contact))
        note_pair(contacts, low, high, contact.closing_speed);
}

// A step without touch for all pairs that lately touched, before those that touch now are noted.
static void pass_time(scene_race_contacts* contacts, int32_t count, float time_step) {
    int32_t pairs = count * (count - 1) / 2;
    for (int32_t i = 0; i < pairs; i++) {
        scene_race_touch* touch = &contacts->pairs[i];
        if (!touch->lasts)
            continue;
        // A hit goes on over steps in a row, which only the next step can tell.
        float hit = touch->touching ? touch->hit : 0.0f, damage;
        note(touch, false, 0.0f, time_step, &damage);
        touch->hit = hit;
    }
}

void scene_race_contacts_push(scene_race_contacts* contacts, sim_body* bodies, int32_t count,
                              float time_step) {
    if (count > SCENE_RACE_CARS_MAX)
        count = SCENE_RACE_CARS_MAX;
    pass_time(contacts, count, time_step);
    sort(contacts, bodies, count);
    for (int32_t i = 0; i < count; i++) {
        const sim_body* body = &bodies[contacts->order[i]];
        float front = body->position.x + reach_of(body);
        for (int32_t k = i + 1; k < count; k++) {
            int32_t other = contacts->order[k];
            if (!(rear_of(&bodies[other]) <= front))
                break;
            push_pair(contacts, bodies, contacts->order[i], other);
        }
    }
}

void scene_race_contacts_note_solid(scene_race_contacts* contacts, int32_t car,
                                    const sim_contact* found, int32_t touches, int32_t most,
                                    float time_step) {
    float closing = 0.0f, damage;
    for (int32_t i = 0; i < touches && i < most; i++)
        closing = kerb_max(closing, found[i].closing_speed);
    scene_race_touch* touch = &contacts->solids[car];
    if (note(touch, touches > 0, closing, time_step, &damage))
        contacts->cars[car].solid_contacts++;
    contacts->cars[car].damage += damage;
}

bool scene_race_contacts_touching(const scene_race_contacts* contacts, int32_t a, int32_t b) {
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    return low != high && contacts->pairs[high * (high - 1) / 2 + low].touching;
}
