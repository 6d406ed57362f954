// A hovercraft: thrust along its body, a rudder that turns it, and little friction against a slide.
#ifndef KERB_SIM_HOVER_H
#define KERB_SIM_HOVER_H

#include "sim/body.h"
#include "sim/car.h"

typedef struct kerb_sim_hover_model {
    float length, width; ///< [m]
    float mass, yaw_inertia;
    float mass_to_bumper;       ///< from the centre of mass forward [m]
    float thrust;               ///< forwards at full throttle [N]
    float reverse_thrust;       ///< backwards: in reverse gear and as the brake [N]
    float skirt_brake;          ///< force per weight that the lowered skirt adds when braking [1]
    float throttle_delay;       ///< first-order lag of the fan [s]
    float yaw_rate_max;         ///< asked for at full steering [rad/s]
    float yaw_acceleration_max; ///< [rad/s²]
    float drag_along, drag_across;         ///< per speed², in the body's axes [kg/m]
    float friction_along, friction_across; ///< of the skirt, force per weight [1]
    float speed_max, reverse_speed_max;    ///< [m/s]
} kerb_sim_hover_model;

typedef struct kerb_sim_hover {
    kerb_sim_hover_model model;
    kerb_vec3 position;            ///< of the centre of mass's foot on the ground [m]
    kerb_vec3 position_rest;       ///< what rounding took from the position [m]
    float heading;                 ///< of the forward axis seen from above [rad]
    kerb_quat rotation;            ///< heading, and the slope under it
    float forward, side, yaw_rate; ///< velocities in the body's axes, in the ground's plane
    float throttle;                ///< of the fan after its lag, negative backwards
    float steering;                ///< yaw rate asked for [rad/s]
    int32_t gear;                  ///< -1, 0 or 1
    float acceleration;            ///< along the body, of the last step [m/s²]
} kerb_sim_hover;

/// The reference hovercraft: six seats, 1.2 t, hardly any grip, needs its full thrust on a steep
/// hill.
kerb_sim_hover_model kerb_sim_hovercraft_model(void);

kerb_sim_hover_model kerb_sim_hover_model_for(const kerb_vehicle* vehicle);
kerb_vehicle kerb_sim_hover_vehicle(const kerb_sim_hover_model* model);

kerb_sim_hover kerb_sim_hover_make(const kerb_sim_hover_model* model, kerb_vec3 position,
                                   float heading);
void kerb_sim_hover_step(kerb_sim_hover* hover, const kerb_controls* controls,
                         const kerb_sim_ground* ground, float time_step);
kerb_motion kerb_sim_hover_motion(const kerb_sim_hover* hover);

#endif
