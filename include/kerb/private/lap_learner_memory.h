// What a lap learner keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a learner is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_LAP_LEARNER_MEMORY_H
#define KERB_PRIVATE_LAP_LEARNER_MEMORY_H

#include "../control.h"
#include "motion_memory.h"

/// Greatest number of sections of a line whose times a learner keeps.
#define KERB_LAP_LEARNER_SECTIONS 128

// Sums over the frames of the present tenth of a second.
typedef struct kerb_lap_window {
    float time;            ///< duration; 0: none yet [s]
    kerb_vec3 forward;     ///< of the body at its start
    kerb_vec3 left, up;    ///< at its start
    kerb_vec3 velocity;    ///< at its start [m/s]
    float yaw_rate;        ///< at its start [rad/s]
    float slip[2];         ///< slip angles of front and rear axle, times time [rad s]
    float wheels;          ///< angle of the wheels at its start [rad]
    float speed;           ///< times time [m]
    float grip;            ///< of the surface, times time [s]
    float throttle, brake; ///< times time [s]
    float throttle_min;    ///< least throttle [1]
    float brake_change;    ///< greatest change of the brake from its start [1]
    float brake_start;     ///< at its start [1]
    bool unclear;          ///< clutch, handbrake, shift or reverse: the pedals say nothing
} kerb_lap_window;

// Bins of what an axle has shown: classes of speed, and places along the curve of force over slip.
#define KERB_LAP_LEARNER_SPEEDS 3
#define KERB_LAP_LEARNER_PLACES 14

// Means over windows of a tenth of a second.
typedef struct kerb_lap_bin {
    float windows; ///< how many it counts for; forgetting lowers it [1]
    float slip;    ///< slip angle [rad]
    float force;   ///< acceleration by the tyres of the axle, over described grip and surface [1]
    float weight;  ///< acceleration that presses on the tyres, without wings, over gravity [1]
    float pressed; ///< what the wings add to that, per unit of downforce [m]
} kerb_lap_bin;

// Fits to the bins: one began with soft tyres, one with stiff ones.
#define KERB_LAP_LEARNER_TYRES 2
// Values of a fit: of front and rear the grip over the described one [1], the root of the
// stiffness, described grips per slip angle [rad^-½], and downforce [1/m]; the shape of the law
// [1].
#define KERB_LAP_LEARNER_VALUES 7

typedef struct kerb_lap_tyres {
    float value[KERB_LAP_LEARNER_VALUES];
    float variance[2]; ///< of the grips
    float held[2];     ///< greatest share of the described grip that each axle held [1]
    float misfit;      ///< sum of squared errors, in deviations [1]
} kerb_lap_tyres;

// What a lap learner remembers.
typedef struct kerb_lap_learner_memory {
    kerb_motion_memory last; ///< the last frame that could be used
    kerb_lap_window window;
    bool begun;        ///< `window` has a start
    float wheels;      ///< angle of the wheels by the commands [rad]
    float since_shift; ///< time since the gear changed or the clutch was open [s]
    float full;        ///< time of full throttle [s]
    int32_t gear;
    kerb_lap_tyres tyres[KERB_LAP_LEARNER_TYRES];
    kerb_lap_bin bins[2][KERB_LAP_LEARNER_SPEEDS][KERB_LAP_LEARNER_PLACES]; ///< front, rear
    int32_t taught;            ///< windows that came into bins since the last fit
    int32_t fitted;            ///< fit that was improved last
    float grip, grip_variance; ///< of the weaker axle, over all fits [1]
    float held;                ///< share of the described grip that the tyres have held [1]
    float downforce;           ///< that the weaker axle has with that grip [1/m]
    float brakes;              ///< deceleration of the full pedal, if the tyres held it [m/s²]
    float brakes_variance;
    float brake_grip; ///< grip of braking tyres over the described, over `grip` [1]
    float brake_grip_variance;
    float drive[KERB_DRIVE_COUNT]; ///< acceleration by the engine over the described [1]
    float drive_variance[KERB_DRIVE_COUNT];
    // Sections of a line.
    double length;      ///< of the line; 0: none [m]
    int32_t points;     ///< of the line
    int32_t section;    ///< present one; -1: not known
    bool whole;         ///< the present section was driven from its start, undisturbed
    float section_time; ///< time in it [s]
    float times[KERB_LAP_LEARNER_SECTIONS]; ///< of the last laps, smoothed; 0: none [s]
} kerb_lap_learner_memory;

#endif
