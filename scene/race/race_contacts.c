// Purpose: counts contacts between many cars and their damage.
// Idea:    A memory of every pair: when it last touched, and how hard.
// Cost:    O(cars²) a step.
#include "scene/race/race_contacts.h"

// --------------------------------------------------------------------------- touches

// Notes a step of a pair. True when a contact begins; `damage` is what this step adds.
static bool race_contacts_note(kerb_scene_race_touch* touch, bool touches, float closing,
                               float time_step, float* damage) {
    *damage = 0.0f;
    touch->touching = touches;
    if (!touches) {
        touch->since += time_step;
        touch->hit = 0.0f;
        touch->lasts = touch->lasts && touch->since < KERB_SCENE_RACE_APART;
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

static kerb_scene_race_touch* pair_of(kerb_scene_race_contacts* contacts, int32_t a, int32_t b) {
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    return &contacts->pairs[high * (high - 1) / 2 + low];
}

static void note_pair(kerb_scene_race_contacts* contacts, int32_t a, int32_t b, float closing) {
    kerb_scene_race_touch* touch = pair_of(contacts, a, b);
    bool was_hard = touch->lasts && touch->hardest >= KERB_SCENE_RACE_LIGHT;
    float damage;
    int32_t begins = race_contacts_note(touch, true, closing, 0.0f, &damage) ? 1 : 0;
    int32_t hardens = touch->hardest >= KERB_SCENE_RACE_LIGHT && !was_hard ? 1 : 0;
    int32_t both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        kerb_scene_race_damage* car = &contacts->cars[both[i]];
        car->contacts += begins;
        car->hard_contacts += hardens;
        car->damage += damage;
    }
    contacts->contacts += begins;
    contacts->hard_contacts += hardens;
    contacts->damage += damage;
}

// A step without touch for all pairs that lately touched, before those that touch now are noted.
static void pass_time(kerb_scene_race_contacts* contacts, int32_t count, float time_step) {
    int32_t pairs = count * (count - 1) / 2;
    for (int32_t i = 0; i < pairs; i++) {
        kerb_scene_race_touch* touch = &contacts->pairs[i];
        if (!touch->lasts)
            continue;
        // A hit goes on over steps in a row, which only the next step can tell.
        float hit = touch->touching ? touch->hit : 0.0f, damage;
        race_contacts_note(touch, false, 0.0f, time_step, &damage);
        touch->hit = hit;
    }
}

void kerb_scene_race_contacts_note(kerb_scene_race_contacts* contacts,
                                   const kerb_sim_group_touch* found, int32_t touches,
                                   int32_t count, float time_step) {
    pass_time(contacts, count, time_step);
    for (int32_t i = 0; i < touches; i++)
        note_pair(contacts, found[i].a, found[i].b, found[i].closing_speed);
}

void kerb_scene_race_contacts_note_solid(kerb_scene_race_contacts* contacts, int32_t car,
                                         const kerb_sim_contact* found, int32_t touches,
                                         int32_t most, float time_step) {
    float closing = 0.0f, damage;
    for (int32_t i = 0; i < touches && i < most; i++)
        closing = kerb_max(closing, found[i].closing_speed);
    kerb_scene_race_touch* touch = &contacts->solids[car];
    if (race_contacts_note(touch, touches > 0, closing, time_step, &damage))
        contacts->cars[car].solid_contacts++;
    contacts->cars[car].damage += damage;
}

bool kerb_scene_race_contacts_touching(const kerb_scene_race_contacts* contacts, int32_t a,
                                       int32_t b) {
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    return low != high && contacts->pairs[high * (high - 1) / 2 + low].touching;
}
