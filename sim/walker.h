// A person on foot: effort of the legs in two directions, a body that turns on the spot.
#ifndef KERB_SIM_WALKER_H
#define KERB_SIM_WALKER_H

#include "kerb/kinds.h"

typedef struct kerb_sim_walker {
    kerb_pedestrian limits;
    kerb_vec2 position; ///< of the middle of the body [m]
    float heading;      ///< [rad]
    kerb_vec2 velocity; ///< in the world's axes [m/s]
    float yaw_rate;     ///< [rad/s]
    float ahead, left;  ///< efforts, which follow what is wanted with a lag
} kerb_sim_walker;

kerb_sim_walker kerb_sim_walker_make(const kerb_pedestrian* limits, float x, float y,
                                     float heading);
/// One step with the controls that kerb_pedestrian describes. [time_step: > 0, at most 0.05 s]
void kerb_sim_walker_step(kerb_sim_walker* walker, const kerb_controls* controls, float time_step);
kerb_motion kerb_sim_walker_motion(const kerb_sim_walker* walker);

#endif
