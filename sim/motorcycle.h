// A motorcycle that falls over when nobody steers: an inverted pendulum on two wheels.
#ifndef KERB_SIM_MOTORCYCLE_H
#define KERB_SIM_MOTORCYCLE_H

#include "kerb/kinds.h"

typedef struct kerb_sim_motorcycle {
    kerb_motorcycle limits;
    double x, y;        ///< of the rear wheel's contact point [m]
    float heading;      ///< [rad]
    float speed;        ///< of the rear wheel [m/s]
    float lean;         ///< to the left positive [rad]
    float lean_rate;    ///< [rad/s]
    float angle;        ///< of the front wheel [rad]
    float pull;         ///< acceleration by the engine, after its lag [m/s²]
    float acceleration; ///< of the last step [m/s²]
    bool fallen;
} kerb_sim_motorcycle;

/// At rest and upright, the rear wheel at (x, y).
kerb_sim_motorcycle kerb_sim_motorcycle_make(const kerb_motorcycle* limits, float x, float y,
                                             float heading);
/// One step. [time_step: > 0, at most 0.01 s]
void kerb_sim_motorcycle_step(kerb_sim_motorcycle* motorcycle, const kerb_controls* controls,
                              float time_step);
/// The motion of its centre of mass.
kerb_motion kerb_sim_motorcycle_motion(const kerb_sim_motorcycle* motorcycle);

#endif
