// A ship: three velocities in the plane, hydrodynamic forces by published coefficients, a rudder
// that takes time to turn, a propeller, current and wind.
#ifndef KERB_SIM_SHIP_H
#define KERB_SIM_SHIP_H

#include "kerb/kinds.h"
#include "kerb/vehicle.h"

/// Coefficients of sway and yaw in the prime system: forces over ½ρL²U², moments over ½ρL³U², for
/// the velocities v/U and rL/U and the rudder angle.
typedef struct kerb_sim_ship_coefficients {
    float mass, inertia, mass_ahead;    ///< m, I_z and x_G
    float surge_added;                  ///< X_u̇
    float sway_by_sway, sway_by_yaw;    ///< Y_v̇ and Y_ṙ
    float yaw_by_sway, yaw_by_yaw;      ///< N_v̇ and N_ṙ
    float x_vv, x_rr, x_vr, x_dd, x_vd; ///< of surge
    float y_v, y_r, y_vvv, y_vvr, y_d, y_ddd, y_vvd, y_vdd;
    float n_v, n_r, n_vvv, n_vvr, n_d, n_ddd, n_vvd, n_vdd;
} kerb_sim_ship_coefficients;

typedef struct kerb_sim_ship_model {
    float length, width, reference_to_bow; ///< [m]
    float speed_max;                       ///< where full thrust balances resistance [m/s]
    float acceleration, astern;            ///< by the propeller, from rest [m/s²]
    float propeller_lag;                   ///< first-order lag of the thrust [s]
    float rudder_max, rudder_rate;         ///< [rad, rad/s]
    kerb_sim_ship_coefficients coefficients;
    kerb_vec2 current, wind; ///< [m/s]
    float leeway;            ///< share of the wind's velocity with which it drifts [1]
} kerb_sim_ship_model;

typedef struct kerb_sim_ship {
    kerb_sim_ship_model model;
    double x, y;            ///< of the centre of mass [m]
    float heading;          ///< [rad]
    float surge, sway, yaw; ///< through the water, in the axes of the hull; y left [m/s, rad/s]
    float rudder;           ///< left positive, after its rate [rad]
    float thrust;           ///< after its lag, -1 … 1
} kerb_sim_ship;

/// The Mariner class freighter: 160.93 m, 15 knots. Coefficients of M. S. Chislett and J.
/// Strøm-Tejsen, "Planar Motion Mechanism Tests and Full-Scale Steering and Manoeuvring Predictions
/// for a Mariner Class Vessel", Hydro- and Aerodynamics Laboratory Hy-5, 1965. The asymmetry that
/// its single propeller causes is left out. The thrust is the one at which resistance falls with
/// the speed as X_u says near 15 knots; full astern is a guess.
kerb_sim_ship_model kerb_sim_mariner_model(void);

/// The limits of a model, as a planner should know them: measured in a steady turn at full rudder.
kerb_ship kerb_sim_ship_limits(const kerb_sim_ship_model* model);

kerb_sim_ship kerb_sim_ship_make(const kerb_sim_ship_model* model, float x, float y, float heading,
                                 float speed);
/// One step. [time_step: > 0, at most 0.5 s]
void kerb_sim_ship_step(kerb_sim_ship* ship, const kerb_controls* controls, float time_step);
kerb_motion kerb_sim_ship_motion(const kerb_sim_ship* ship);

#endif
