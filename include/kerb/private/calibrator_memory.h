// What a calibrator keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_CALIBRATOR_MEMORY_H
#define KERB_PRIVATE_CALIBRATOR_MEMORY_H

#include "../control.h"
#include "../math.h"

/// Greatest number of samples of one response of the vehicle.
#define KERB_CALIBRATION_SAMPLES 160

/// Greatest number of intervals of the run at full throttle.
#define KERB_CALIBRATION_PUSHES 32

/// Sums of a least-squares fit with up to two slopes: y = c₀ + c₁ x₁ + c₂ x₂.
typedef struct kerb_calibration_fit {
    double matrix[3][3];
    double right[3];
    int32_t count;
} kerb_calibration_fit;

// What a calibrator remembers.
typedef struct kerb_calibrator_memory {
    bool placed;       // the start is known
    kerb_vec3 start;   // [m]
    kerb_vec3 ahead;   // unit, level
    float bad_time;    // [s]
    int32_t manoeuvre; // index
    bool approaching;  // on the way to where it begins
    int32_t step;      // within the manoeuvre
    float step_time;   // [s]
    float phase_time;  // [s]
    float travel;      // 1: along the start's heading, -1: back
    int32_t turns;     // round, for this manoeuvre
    float steady_time; // how long the approach has been where it should be [s]
    kerb_speed_controller speed_control;
    kerb_gearbox gearbox;
    int32_t gear; // held during a measurement
    // The last frame.
    kerb_vec3 velocity;
    float speed, heading;
    // Of the measurement under way; what each means is said where it is taken.
    float mark[12];
    int32_t count;
    float sample_time[KERB_CALIBRATION_SAMPLES];
    float sample[KERB_CALIBRATION_SAMPLES];
    int32_t sample_count;
    kerb_calibration_fit fit;
    // What is put together at the end.
    kerb_calibration_fit coasting;
    float top_acceleration, top_speed;         // where the run to top speed was cut short
    float braking_rate, braking_square;        // mean deceleration, and mean of speed²
    float throttle_dead, throttle_lag;         // parts of the delay of the throttle [s]
    float push_gain[KERB_CALIBRATION_PUSHES];  // of half the speed², a second [m²/s³]
    float push_speed[KERB_CALIBRATION_PUSHES]; // there [m/s]
    int32_t push_count;
    float push_time;                               // how long each took [s]
    float flat_speed;                              // up to which the engine keeps its force [m/s]
    float grip_lateral, grip_steering, grip_speed; // where it turned hardest
    float lock_curvature, lock_lateral;            // at full lock [1/m], [m/s²]
} kerb_calibrator_memory;

#endif
