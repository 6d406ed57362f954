// Contact between racing cars, and the damage that it does: pushes cars apart and counts.
//
//     scene_race_contacts contacts = {0};
//     each step, after every car has moved:
//         scene_race_contacts_push(&contacts, bodies, count, time_step);
//
// A **contact** is two footprints that touch, counted once for each pair until
// they are apart for a second; it is **light** when they never closed in faster than 1 m/s while it
// lasted. **Damage** is the sum of the squares of closing speeds: of each hit its fastest moment, a
// hit being the steps in a row in which they touch. Both cars of a pair get it.
//
// Plain data: copy it to rewind. Nothing allocates. All of it is O(count log count) or so for cars
// that are spread out along a track.
#ifndef SCENE_RACE_CONTACTS_H
#define SCENE_RACE_CONTACTS_H

#include "sim/world.h"

/// Most cars of a race.
#define SCENE_RACE_CARS_MAX 64
#define SCENE_RACE_PAIRS_MAX (SCENE_RACE_CARS_MAX * (SCENE_RACE_CARS_MAX - 1) / 2)
/// A contact closing slower than this is light. [m/s]
#define SCENE_RACE_LIGHT 1.0f
/// Apart for so long, the next touch is a contact of its own. [s]
#define SCENE_RACE_APART 1.0f

/// Two cars that touched lately, or one car and what does not move.
typedef struct scene_race_touch {
    float since;   ///< last touch [s]; counts while `lasts`
    float hardest; ///< closing speed while the contact lasts [m/s]
    float hit;     ///< and in the hit that goes on; 0: none does [m/s]
    bool lasts;    ///< the contact is not over yet
    bool touching; ///< in the last step
} scene_race_touch;

/// What a car has been through.
typedef struct scene_race_damage {
    int32_t contacts;       ///< with other cars
    int32_t hard_contacts;  ///< of these, those that are not light
    int32_t solid_contacts; ///< with walls
    float damage;           ///< by cars and by walls [m²/s²]
} scene_race_damage;

/// All contacts of a race. Zero it to start.
typedef struct scene_race_contacts {
    int32_t contacts;      ///< of pairs
    int32_t hard_contacts; ///< of these, those that are not light
    float damage;          ///< of pairs, each counted once [m²/s²]
    scene_race_damage cars[SCENE_RACE_CARS_MAX];
    scene_race_touch pairs[SCENE_RACE_PAIRS_MAX];
    scene_race_touch solids[SCENE_RACE_CARS_MAX];
    int32_t order[SCENE_RACE_CARS_MAX]; ///< cars by their place along x, as of the last step
    int32_t ordered;                    ///< how many of them are in it
} scene_race_contacts;

/// Pushes cars apart that touch, and notes it. Cars on a bridge do not touch those under it. The
/// answer does not depend on steps before, but for what is counted.
/// [count: 0 … SCENE_RACE_CARS_MAX; time_step: since the last call, s]
void scene_race_contacts_push(scene_race_contacts* contacts, sim_body* bodies, int32_t count,
                              float time_step);

/// Notes what sim_world_push or scene_race_ground_push found for one car in this step: once for
/// each car and step, also when `touches` is 0. [most: those written in `found`]
void scene_race_contacts_note_solid(scene_race_contacts* contacts, int32_t car,
                                    const sim_contact* found, int32_t touches, int32_t most,
                                    float time_step);

/// Whether two cars touched in the last step.
bool scene_race_contacts_touching(const scene_race_contacts* contacts, int32_t a, int32_t b);

#endif
