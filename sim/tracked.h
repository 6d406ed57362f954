// A tracked vehicle: two tracks with slip, skid steering, and turns on the spot.
#ifndef KERB_SIM_TRACKED_H
#define KERB_SIM_TRACKED_H

#include "sim/body.h"
#include "sim/car.h"

typedef struct kerb_sim_tracked_model {
    float length, width; ///< of the hull [m]
    float mass, yaw_inertia;
    float mass_to_bumper;               ///< from the centre of mass forward [m]
    float contact_length;               ///< of the tracks on the ground [m]
    float gauge;                        ///< between the tracks' middle lines [m]
    float mass_height;                  ///< [m]
    float grip_along, grip_across;      ///< friction coefficients of the tracks
    float slip_stiffness;               ///< of the tracks' force against slip, per load [1]
    float drive_force;                  ///< both tracks together, from rest [N]
    float reverse_drive_force;          ///< the same in reverse [N]
    float power;                        ///< [W]
    float brake_force;                  ///< both tracks together [N]
    float speed_max, reverse_speed_max; ///< [m/s]
    float yaw_rate_max;                 ///< of tracks without slip, at full steering [rad/s]
    float track_acceleration;           ///< how fast the steering changes a track's speed [m/s²]
    float throttle_delay;               ///< first-order lag [s]
    float rolling_resistance;           ///< force per weight [1]
    float drag_area;                    ///< ½·ρ·c_d·A [kg/m]
} kerb_sim_tracked_model;

typedef struct kerb_sim_tracked {
    kerb_sim_tracked_model model;
    kerb_vec3 position;            ///< of the centre of mass's foot on the ground [m]
    kerb_vec3 position_rest;       ///< what rounding took from the position [m]
    float heading;                 ///< of the forward axis seen from above [rad]
    kerb_quat rotation;            ///< heading, and the slope under it
    float forward, side, yaw_rate; ///< velocities in the hull's axes, in the ground's plane
    float track_left, track_right; ///< speeds of the tracks [m/s]
    float steering;                ///< yaw rate of tracks without slip, after its limit [rad/s]
    float steering_power;          ///< that turning took in the last step [W]
    float throttle;                ///< after its lag, negative in reverse
    int32_t gear;                  ///< -1, 0 or 1
    float acceleration;            ///< along the hull, of the last step [m/s²]
} kerb_sim_tracked;

/// The reference tank: 40 t, 12 m/s, turns on the spot in about eight seconds.
kerb_sim_tracked_model kerb_sim_tank_model(void);

/// A tracked vehicle with the limits of a kerb_vehicle, and the limits of a model.
kerb_sim_tracked_model kerb_sim_tracked_model_for(const kerb_vehicle* vehicle);
kerb_vehicle kerb_sim_tracked_vehicle(const kerb_sim_tracked_model* model);

kerb_sim_tracked kerb_sim_tracked_make(const kerb_sim_tracked_model* model, kerb_vec3 position,
                                       float heading);
void kerb_sim_tracked_step(kerb_sim_tracked* tracked, const kerb_controls* controls,
                           const kerb_sim_ground* ground, float time_step);
kerb_motion kerb_sim_tracked_motion(const kerb_sim_tracked* tracked);

#endif
