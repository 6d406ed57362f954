// What an agent does in a step, for behaviours that must know it before they wish. Private to the
// room.
#ifndef KERB_IN_STEER_AGENT_H
#define KERB_IN_STEER_AGENT_H

#include "kerb/steer.h"

/// What comes of a wished speed over a step.
typedef struct steer_travel {
    float speed;    ///< after it [m/s]
    float distance; ///< driven, negative in reverse [m]
} steer_travel;

/// As kerb_agent_step moves it; nothing where the time step is none.
steer_travel kerb_in_steer_travel_of(const kerb_agent* agent, float wanted, float time_step);

#endif
