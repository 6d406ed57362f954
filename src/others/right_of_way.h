// The formulas by which two drivers agree on the right of way. Both sides of a conflict must
// compute alike, whichever file does it. Private to the room.
#ifndef KERB_IN_OTHERS_RIGHT_OF_WAY_H
#define KERB_IN_OTHERS_RIGHT_OF_WAY_H

#include "kerb/control.h"
#include "kerb/others.h"

#define UNLIMITED 1.0e6f // no limit: greater than any distance [m] or speed [m/s] here
#define STANDS 0.3f      // slower vehicles are at standstill [m/s]
// Acceleration in estimates of times, of others and of the vehicle itself. [m/s²]
#define SET_OFF 1.5f
#define THEIR_BRAKING 5.0f // braking that others are assumed to be able to [m/s²]
// Reaction time when it stops before a standing obstacle or a conflict. [s]
#define STOP_TIME 0.4f
#define STOP_BEFORE 1.0f // it stops this far before a conflict or a zone [m]
#define PASS_AFTER 0.6f  // time between one leaving a conflict and the other entering it [s]

// The distances of both vehicles to a conflict and past it.
typedef struct conflict {
    float own_enter, own_leave; // distance until the vehicle's nose enters and its tail leaves [m]
    float their_enter, their_leave; // of the other, along its own line [m]
} conflict;

// Time that any vehicle needs for a distance, from its present speed. [s]
static inline float time_for(float distance, float speed) {
    if (distance <= 0.0f)
        return 0.0f;
    speed = kerb_max(speed, 0.0f);
    return 2.0f * distance / (speed + kerb_sqrt(speed * speed + 2.0f * SET_OFF * distance));
}

static inline float stopping_distance(float speed, float braking) {
    return speed * speed / (2.0f * braking);
}

// True when a vehicle has the right of way that arrives earlier by `earlier` (negative: later) and
// has waited for `waited`. [s]
bool kerb_in_right_of_way(uint32_t own_id, uint32_t their_id, float earlier, float waited);

// True when the vehicle, which has waited for `waited` [s], lets the other pass through a conflict
// first.
bool kerb_in_right_of_way_is_theirs(const kerb_reference_line* way, float waited, const conflict* c,
                                    uint32_t their_id, float their_speed);

#endif
