// A car with a trailer at walking pace: wheels that roll without slip, steering and pedals that
// take time.
#ifndef KERB_SIM_TOWING_H
#define KERB_SIM_TOWING_H

#include "kerb/kinds.h"

typedef struct kerb_sim_towing {
    kerb_towing limits;
    double x, y;   ///< of the car's rear axle [m]
    float heading; ///< of the car [rad]
    float hitch;   ///< angle from the trailer's heading to the car's [rad]
    float speed;   ///< of the car's rear axle [m/s]
    float angle;   ///< of the front wheels [rad]
    float pull;    ///< acceleration by engine and brakes, after its lag [m/s²]
    int32_t gear;
    bool folded; ///< the hitch has reached its greatest angle since the start
} kerb_sim_towing;

/// At rest, the trailer's axle at (x, y), the trailer in the direction of `heading`.
kerb_sim_towing kerb_sim_towing_make(const kerb_towing* limits, float x, float y, float heading,
                                     float hitch);
/// One step. [time_step: > 0, at most 0.05 s]
void kerb_sim_towing_step(kerb_sim_towing* towing, const kerb_controls* controls, float time_step);
/// The motion of the car.
kerb_motion kerb_sim_towing_motion(const kerb_sim_towing* towing);

#endif
