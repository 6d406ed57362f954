// The body of a simulated vehicle, as contact sees it: a box that slides on the ground.
//
// Every vehicle of sim/ gives its body, and takes it back after obstacles and other vehicles have
// pushed it. Velocities are in the axes of the body, in the plane of the ground under it.
#ifndef KERB_SIM_BODY_H
#define KERB_SIM_BODY_H

#include "kerb/math.h"

typedef struct kerb_sim_body {
    kerb_vec3 position;            ///< of the centre of mass's foot on the ground [m]
    float heading;                 ///< [rad]
    float forward, side, yaw_rate; ///< [m/s, rad/s]
    float mass;                    ///< [kg]
    float yaw_inertia;             ///< about the centre of mass [kg m²]
    float front, back, half_width; ///< extents of the box from the centre of mass [m]
} kerb_sim_body;

#endif
