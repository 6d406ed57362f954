// A submarine: surge, sway, heave, pitch and yaw, with hydrodynamic forces by published
// coefficients. It does not roll.
#ifndef KERB_SIM_SUBMARINE_H
#define KERB_SIM_SUBMARINE_H

#include "kerb/space_kinds.h"

/// Coefficients, with the signs of the source: x ahead, y to the right, z down.
typedef struct kerb_sim_submarine_model {
    float length, radius;                ///< [m]
    float mass, inertia;                 ///< neutrally buoyant; about y and z [kg, kg·m²]
    float weight_below;                  ///< centre of mass below that of buoyancy [m]
    float thrust;                        ///< at full power ahead, and astern [N]
    float thrust_lag, rudder_lag;        ///< first-order lags [s]
    float rudder_max;                    ///< [rad]
    float x_u, y_v, y_r, n_v, n_r;       ///< added masses; heave and pitch are the same by symmetry
    float x_uu;                          ///< drag ahead [kg/m]
    float y_vv, y_rr, y_uv, y_ur, y_uud; ///< sway; heave in the same way
    float n_vv, n_rr, n_uv, n_ur, n_uud; ///< yaw; pitch in the same way
} kerb_sim_submarine_model;

typedef struct kerb_sim_submarine {
    kerb_sim_submarine_model model;
    double x, y, z;               ///< of the centre of buoyancy, z up [m]
    float heading, pitch;         ///< nose up positive [rad]
    float surge, sway, heave;     ///< in the axes of the source [m/s]
    float yaw, rise;              ///< rates, left and nose up positive [rad/s]
    float thrust, rudder, planes; ///< after their lags: shares of the greatest
} kerb_sim_submarine;

/// The REMUS of T. Prestero, "Verification of a Six-Degree of Freedom Simulation Model for the
/// REMUS Autonomous Underwater Vehicle", MIT and Woods Hole, 2001: 1.33 m, 1.54 m/s. Left out:
/// roll, and what heave and sway add to surge.
kerb_sim_submarine_model kerb_sim_remus_model(void);

/// The limits of a model, as a planner should know them: measured in steady turns.
kerb_submarine kerb_sim_submarine_limits(const kerb_sim_submarine_model* model);

kerb_sim_submarine kerb_sim_submarine_make(const kerb_sim_submarine_model* model,
                                           kerb_vec3 position, float heading, float speed);
/// One step. [time_step: > 0, at most 1/50 s]
void kerb_sim_submarine_step(kerb_sim_submarine* submarine, const kerb_controls* controls,
                             float time_step);
kerb_motion kerb_sim_submarine_motion(const kerb_sim_submarine* submarine);

#endif
