// A spacecraft: a rigid body with an engine along its nose and thrusters that turn it.
#ifndef KERB_SIM_SPACECRAFT_H
#define KERB_SIM_SPACECRAFT_H

#include "kerb/space_kinds.h"

typedef struct kerb_sim_spacecraft {
    kerb_spacecraft limits; ///< engine and thrusters answer by first-order lags of its delays
    double x, y, z;         ///< of the centre of mass [m]
    kerb_vec3 velocity;     ///< [m/s]
    kerb_quat rotation;
    kerb_vec3 turning;  ///< about the body's axes [rad/s]
    kerb_vec3 twisting; ///< angular acceleration, after its lag [rad/s²]
    float throttle;     ///< after its lag
} kerb_sim_spacecraft;

/// At rest, its nose along `nose`, which has length 1.
kerb_sim_spacecraft kerb_sim_spacecraft_make(const kerb_spacecraft* limits, kerb_vec3 position,
                                             kerb_vec3 nose);
/// One step. [time_step: > 0, at most 1/200 s]
void kerb_sim_spacecraft_step(kerb_sim_spacecraft* craft, const kerb_controls* controls,
                              float time_step);
kerb_motion kerb_sim_spacecraft_motion(const kerb_sim_spacecraft* craft);

#endif
