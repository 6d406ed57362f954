// Contact between racing cars, and the damage that it does: counts what the physics found.
//
//     kerb_scene_race_contacts contacts = {0};
//     each step:
//         touches = physics->step(group, inputs, time_step, found, KERB_SIM_GROUP_TOUCHES);
//         kerb_scene_race_contacts_note(&contacts, found, touches, count, time_step);
//
// A **contact** is two footprints that touch, counted once for each pair until they have been apart
// for a second. It is **light** when their closing speed never exceeded 1 m/s. A hit is a row of
// steps in which they touch. **Damage** is the sum over all hits of the square of the hit's
// greatest closing speed. Both cars of a pair get it.
//
// Plain data: copy it to rewind. Nothing allocates.
#ifndef KERB_SCENE_RACE_RACE_CONTACTS_H
#define KERB_SCENE_RACE_RACE_CONTACTS_H

#include "sim/group.h"
#include "sim/world.h"

/// Most cars of a race.
#define KERB_SCENE_RACE_CARS_MAX KERB_SIM_GROUP_MOST
#define KERB_SCENE_RACE_PAIRS_MAX (KERB_SCENE_RACE_CARS_MAX * (KERB_SCENE_RACE_CARS_MAX - 1) / 2)
/// A contact closing slower than this is light. [m/s]
#define KERB_SCENE_RACE_LIGHT 1.0f
/// Apart for so long, the next touch is a contact of its own. [s]
#define KERB_SCENE_RACE_APART 1.0f

/// Two cars that touched lately, or one car and what does not move.
typedef struct kerb_scene_race_touch {
    float since;   ///< last touch [s]; counts while `lasts`
    float hardest; ///< closing speed while the contact lasts [m/s]
    float hit;     ///< and in the hit that goes on; 0: none does [m/s]
    bool lasts;    ///< the contact is not over yet
    bool touching; ///< in the last step
} kerb_scene_race_touch;

/// What a car has been through.
typedef struct kerb_scene_race_damage {
    int32_t contacts;       ///< with other cars
    int32_t hard_contacts;  ///< of these, those that are not light
    int32_t solid_contacts; ///< with walls
    float damage;           ///< by cars and by walls [m²/s²]
} kerb_scene_race_damage;

/// All contacts of a race. Zero it to start.
typedef struct kerb_scene_race_contacts {
    int32_t contacts;      ///< of pairs
    int32_t hard_contacts; ///< of these, those that are not light
    float damage;          ///< of pairs, each counted once [m²/s²]
    kerb_scene_race_damage cars[KERB_SCENE_RACE_CARS_MAX];
    kerb_scene_race_touch pairs[KERB_SCENE_RACE_PAIRS_MAX];
    kerb_scene_race_touch solids[KERB_SCENE_RACE_CARS_MAX];
} kerb_scene_race_contacts;

/// Notes which cars touched in this step, also when none did: each pair at most once.
/// [touches: of those in `found`; count: cars, 0 … KERB_SCENE_RACE_CARS_MAX; time_step: since the
/// last call, s] O(count²), with a small factor.
void kerb_scene_race_contacts_note(kerb_scene_race_contacts* contacts,
                                   const kerb_sim_group_touch* found, int32_t touches,
                                   int32_t count, float time_step);

/// Notes what kerb_sim_world_push or kerb_scene_race_ground_push found for one car in this step:
/// once for each car and step, also when `touches` is 0. [most: those written in `found`]
void kerb_scene_race_contacts_note_solid(kerb_scene_race_contacts* contacts, int32_t car,
                                         const kerb_sim_contact* found, int32_t touches,
                                         int32_t most, float time_step);

/// Whether two cars touched in the last step.
bool kerb_scene_race_contacts_touching(const kerb_scene_race_contacts* contacts, int32_t a,
                                       int32_t b);

#endif
