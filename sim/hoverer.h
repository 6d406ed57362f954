// A craft that hovers: a helicopter, a drone, or a rocket that lands. Six degrees of freedom; the
// rotor, or the thrust of the motors, answers late and turns the body.
#ifndef KERB_SIM_HOVERER_H
#define KERB_SIM_HOVERER_H

#include "kerb/space_kinds.h"

/// Numbers of a model. The rotor follows a stick within flap_time and pulls the body after it:
/// dp/dt = roll_stiffness · b and db/dt = rate wanted - p - b / flap_time, where b is the tilt of
/// the rotor. `pitch` in the same way.
typedef struct kerb_sim_hoverer_model {
    bool is_rocket;
    kerb_rotorcraft craft;                 ///< limits, where it is no rocket
    kerb_rocket rocket;                    ///< limits, where it is one
    float flap_time;                       ///< time constant of the rotor [s]
    float roll_stiffness, pitch_stiffness; ///< [1/s²]
    float drag_ahead, drag_side, drag_up;  ///< decelerations per speed [1/s]
    float lift_time;                       ///< of the collective or the engine [s]
    float yaw_time;                        ///< [s]
    bool rotor_pushes;                     ///< a tilted rotor pushes before the body has tilted
} kerb_sim_hoverer_model;

typedef struct kerb_sim_hoverer {
    kerb_sim_hoverer_model model;
    double x, y, z;     ///< of the centre of mass [m]
    kerb_vec3 velocity; ///< [m/s]
    kerb_quat rotation;
    kerb_vec3 turning;           ///< about the body's axes [rad/s]
    float roll_tilt, pitch_tilt; ///< of the rotor against the body [rad]
    float lift;                  ///< thrust per mass less gravity [m/s²]
    float acceleration; ///< vertical, of the last step: what an accelerometer tells [m/s²]
} kerb_sim_hoverer;

/// The Yamaha R-50 near hovering. Its numbers are those that B. Mettler, M. B. Tischler and T.
/// Kanade, "System Identification of Small-Size Unmanned Helicopter Dynamics", AHS 55th Forum,
/// 1999, identified in flight: L_b = 166, M_a = 82.6, tau_f = 0.046 s, X_u = -0.0505, Y_v = -0.154,
/// Z_w = -0.614. Cross-couplings and the stabilizer bar are left out.
kerb_sim_hoverer_model kerb_sim_helicopter_model(void);
/// A quadrotor of 0.5 m.
kerb_sim_hoverer_model kerb_sim_drone_model(void);
/// A landing rocket of 20 m.
kerb_sim_hoverer_model kerb_sim_rocket_model(void);

/// Hovers at a place.
kerb_sim_hoverer kerb_sim_hoverer_make(const kerb_sim_hoverer_model* model, kerb_vec3 position,
                                       float heading);
/// One step. [time_step: > 0, at most 1/200 s]
void kerb_sim_hoverer_step(kerb_sim_hoverer* hoverer, const kerb_controls* controls,
                           float time_step);
kerb_motion kerb_sim_hoverer_motion(const kerb_sim_hoverer* hoverer);

#endif
