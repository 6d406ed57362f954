// The arithmetic by which two drivers agree who goes first: both sides of a conflict must reckon
// alike, whichever file does it. Private to the room.
#ifndef KERB_CONTROL_RIGHT_OF_WAY_H
#define KERB_CONTROL_RIGHT_OF_WAY_H

#include "kerb/control.h"

#define UNLIMITED 1.0e6f
#define STANDS 0.3f        // slower is standing [m/s]
#define SET_OFF 1.5f       // acceleration by which times are estimated, one's own too [m/s²]
#define THEIR_BRAKING 5.0f // others are thought able to [m/s²]
#define STOP_TIME 0.4f     // to react, when stopping before something that stands or a conflict [s]
#define STOP_BEFORE 1.0f   // a conflict or a zone [m]

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

#endif
