// The arithmetic by which two drivers agree who goes first: both sides of a conflict must reckon
// alike, whichever file does it. Private to the room.
#ifndef KERB_IN_CONTROL_RIGHT_OF_WAY_H
#define KERB_IN_CONTROL_RIGHT_OF_WAY_H

#include "kerb/control.h"

#define UNLIMITED 1.0e6f
#define STANDS 0.3f        // slower is standing [m/s]
#define SET_OFF 1.5f       // acceleration by which times are estimated, one's own too [m/s²]
#define THEIR_BRAKING 5.0f // others are thought able to [m/s²]
#define STOP_TIME 0.4f     // to react, when stopping before something that stands or a conflict [s]
#define STOP_BEFORE 1.0f   // a conflict or a zone [m]
#define PASS_AFTER 0.6f    // between one leaving a conflict and the other entering it [s]

// One's own and the other's way to a conflict, and past it.
typedef struct conflict {
    float own_enter, own_leave;     // for the vehicle's nose to enter and its tail to leave [m]
    float their_enter, their_leave; // for the other, in its own distance [m]
} conflict;

// How long anybody needs for a distance from its speed now. [s]
static inline float time_for(float distance, float speed) {
    if (distance <= 0.0f)
        return 0.0f;
    speed = kerb_max(speed, 0.0f);
    return 2.0f * distance / (speed + kerb_sqrt(speed * speed + 2.0f * SET_OFF * distance));
}

static inline float stopping_distance(float speed, float braking) {
    return speed * speed / (2.0f * braking);
}

// True when one has the right of way that is there earlier by so much (negative: later), having
// waited for so long. [s]
bool kerb_in_right_of_way(uint32_t own_id, uint32_t their_id, float earlier, float waited);

// True when the vehicle, which has waited for so long [s], lets the other pass through a conflict
// first.
bool kerb_in_right_of_way_is_theirs(const kerb_reference_line* way, float waited, const conflict* c,
                                    uint32_t their_id, float their_speed);

#endif
