// A car's limits, measured by driving it on level, dry ground in sim/: the values that the speed
// profile of a racing line should use for that very car. The `time` profile that a driver's laps
// are compared with comes from these, not from the car's parameters.
//
//     kerb_sim_model model;
//     kerb_sim_model_named("gt", &model);
//     kerb_scene_race_limits limits;
//     if (kerb_scene_race_limits_measure(&model, &limits))
//         … kerb_line_solver_create(&solver, &track, &limits.performance, …)
//
// Pure: the same model gives the same bits. Allocates nothing. It simulates about a quarter of an
// hour of driving.
#ifndef KERB_SCENE_RACE_RACE_LIMITS_H
#define KERB_SCENE_RACE_RACE_LIMITS_H

#include "kerb/control.h"
#include "sim/physics.h"

#define KERB_SCENE_RACE_PADS 7         ///< radii of skid-pads
#define KERB_SCENE_RACE_STOP_SPEEDS 16 ///< of braking
#define KERB_SCENE_RACE_SHARES 10      ///< of the lateral grip, while braking or driving

/// The greatest lateral acceleration on one skid-pad.
typedef struct kerb_scene_race_pad {
    float radius;  ///< that it drove there [m]
    float speed;   ///< [m/s]
    float lateral; ///< [m/s²]
} kerb_scene_race_pad;

/// The strongest push of the tyres while it turns: braking along the car, driving along its way,
/// which what slipping tyres push back is taken from.
typedef struct kerb_scene_race_both {
    float lateral; ///< [m/s²]
    float along;   ///< braking or driving [m/s²] [> 0; 0: none found]
} kerb_scene_race_both;

/// What was measured.
typedef struct kerb_scene_race_limits {
    kerb_performance performance;                   ///< fitted to all of it; friction ellipse
    kerb_scene_race_pad pads[KERB_SCENE_RACE_PADS]; ///< from the slowest to the fastest
    /// Deceleration at full brakes at even steps of speed from 0 to speed_max, resistance and
    /// downforce in it. [m/s²]
    float braking[KERB_SCENE_RACE_STOP_SPEEDS];
    /// Acceleration at full throttle in the best gear at the speeds of kerb_performance.drive,
    /// after resistance; shifts left out. [m/s²]
    float acceleration[KERB_DRIVE_COUNT];
    /// Braking and turning, driving and turning at once, from half of the lateral grip on in even
    /// steps, at the speed of the smallest pad.
    kerb_scene_race_both braking_aside[KERB_SCENE_RACE_SHARES],
        driving_aside[KERB_SCENE_RACE_SHARES];
    double seconds; ///< simulated
} kerb_scene_race_limits;

/// Measures a car with wheels; false for other vehicles, whose limits stay zeroed. Brakes and
/// throttle with anti-lock brakes and traction control even where the car has none: what its tyres
/// can do.
///
/// - Rolling resistance and drag: coasting down in neutral, a least-squares fit in v².
/// - Lateral grip and downforce: circling at a speed, in neutral, ever tighter until it no longer
///   gets tighter; a fit in v² over all pads.
/// - What turning takes: held at speed by a rope, freewheeling, straight and then in tighter and
///   tighter circles, up to three quarters of the grip.
/// - Braking: full brakes from speed_max, fitted with that downforce.
/// - What turning leaves of the tyres: on the rope, every pedal, ever tighter.
/// - What does not hold under power: circling at the speeds of the skid-pads, held by the throttle,
///   ever tighter (ISO 4138); the other physics does without.
/// - Drive: full throttle through each gear.
/// - What the driven tyres hold: the launch; of cars whose engines do not reach that, the launch on
///   ground with half of the grip, doubled.
bool kerb_scene_race_limits_measure(const kerb_sim_model* model, kerb_scene_race_limits* limits);

/// The same of the car as another physics has it, by what a driver can do there: controls in,
/// motion out, nothing known of its tyres. As it is, without anti-lock brakes unless it has them.
/// False for what that physics does not have. NULL: as above. Seconds; may allocate.
bool kerb_scene_race_limits_measure_in(const kerb_sim_model* model, const kerb_sim_physics* physics,
                                       kerb_scene_race_limits* limits);

#endif
