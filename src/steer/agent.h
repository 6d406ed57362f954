// How an agent moves in a step, for behaviours that need this for their decision. Private to the
// room.
#ifndef KERB_IN_STEER_AGENT_H
#define KERB_IN_STEER_AGENT_H

#include "kerb/steer.h"

/// The result of a desired speed over a step.
typedef struct steer_travel {
    float speed;    ///< after it [m/s]
    float distance; ///< distance driven, negative in reverse [m]
} steer_travel;

/// The motion of kerb_agent_step. When the time step is not valid, nothing changes.
steer_travel kerb_in_steer_travel_of(const kerb_agent* agent, float wanted, float time_step);

#endif
