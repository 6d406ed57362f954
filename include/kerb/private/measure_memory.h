// What measurements with stated conditions keep: samples, sums, and results that others need.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a calibrator is a plain struct: the host has
// to know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_MEASURE_MEMORY_H
#define KERB_PRIVATE_MEASURE_MEMORY_H

#include "../vehicle.h"

enum {
    KERB_MEASURE_SAMPLES = 160, // of one response of the vehicle
    KERB_MEASURE_MOMENTS = 96,  // of a run at full throttle
    KERB_MEASURE_WINDOWS = 48,  // of a braking from high speed
    KERB_MEASURE_GAINS = 7      // speeds a second apart, from which the top speed is told
};

/// Sums of a least-squares fit with up to two slopes: y = c₀ + c₁ x₁ + c₂ x₂.
typedef struct kerb_measure_fit {
    double matrix[3][3]; ///< of the normal equations, symmetric
    double right[3];     ///< right side of the normal equations
    double square;       ///< sum of y²
    int32_t count;
} kerb_measure_fit;

/// A response of the vehicle: a value at some times.
typedef struct kerb_measure_samples {
    float time[KERB_MEASURE_SAMPLES]; ///< [s]
    float value[KERB_MEASURE_SAMPLES];
    int32_t count;
} kerb_measure_samples;

/// Speeds at full throttle, a second apart.
typedef struct kerb_measure_gain {
    float speed[KERB_MEASURE_GAINS]; ///< the last one first [m/s]
    int32_t count;                   ///< seconds of the run
    int32_t near_count;              ///< of them in turn that called the top speed near
    float at;                        ///< time of the last one [s]
    float top;                       ///< top speed that they tell [m/s]
} kerb_measure_gain;

/// Coasting: the present interval. The sums are those of all coasting.
typedef struct kerb_measure_coast {
    float at, speed; ///< time and speed at its start [s] [m/s]
    float lost;      ///< deceleration of the one before [m/s²]
    float counts_at; ///< time from which intervals count; 0: not yet [s]
    int32_t count;   ///< intervals
} kerb_measure_coast;

/// A full braking.
typedef struct kerb_measure_brake {
    float first;                   ///< initial speed [m/s]
    float at, speed;               ///< where it begins to count [s] [m/s]
    float middle_at, middle_speed; ///< the last frame of its first half
    float end_at, end_speed;       ///< the last frame that counts
    float squares, all; ///< ∫ speed² dt from the first to that one; … up to now [m²/s]
    float wings_time;   ///< of the present window [s]
    float wings_speed, wings_lost; ///< at its start; deceleration of the one before
    int32_t count;                 ///< frames
} kerb_measure_brake;

/// A window of curvature, and sums over several frames or windows: the code says of what.
typedef struct kerb_measure_turn {
    float turned, driven, time; ///< heading, distance and time in the window [rad] [m] [s]
    float curvature, before;    ///< of the last window and of the one before [1/m]
    float speed, wheels;        ///< at its start; told angle, integrated [m/s] [s]
    float sum[5];               ///< heading, distance, and three more
    int32_t windows;
} kerb_measure_turn;

/// A turn to the limit of grip.
typedef struct kerb_measure_limit {
    float lateral, most;   ///< filtered lateral acceleration, its greatest value [m/s²]
    float to_percent;      ///< greatest value up to 1 percent [m/s²]
    float steering, speed; ///< at that value
    float to_before;       ///< the one before …
    float steering_before, speed_before;
    float first;         ///< initial speed [m/s]
    float late_steering; ///< as late as the vehicle and the filter are [1]
    float share;         ///< greatest share of what it would have without slip [1]
} kerb_measure_limit;

/// What is measured now: forgotten when a measurement begins.
typedef struct kerb_measure_now {
    kerb_measure_fit fit;
    kerb_measure_gain gain;
    kerb_measure_coast coast;
    kerb_measure_brake brake;
    kerb_measure_turn turn;
    kerb_measure_limit limit;
} kerb_measure_now;

/// What measurements keep.
typedef struct kerb_measure_memory {
    kerb_measure_now now;
    kerb_measure_samples samples; ///< of now
    kerb_measure_fit coasting;    ///< deceleration over speed²
    // The run at full throttle: moments since its start, evenly apart, and speed and gear at each;
    // gear below 0: the throttle was not full. [s], [m/s]
    float run_at[KERB_MEASURE_MOMENTS], run_speed[KERB_MEASURE_MOMENTS];
    int16_t run_gear[KERB_MEASURE_MOMENTS];
    int32_t run_count;
    float run_apart;               // time between two moments [s]
    float flat_speed;              // up to this speed the force of the engine is constant [m/s]
    float cut_speed, cut_gain;     // where the run was cut short; 0: it was not [m/s] [m/s²]
    float throttle_dead;           // dead time of the throttle [s]
    float throttle_lag;            // its lag [s]
    float braking, braking_square; // mean deceleration, and mean of speed² meanwhile
    float braking_doubt;           // by how much it changed on the way [m/s²]
    bool braking_slid, braking_sure;
    // Of a braking from high speed: mean speed and deceleration of short times. [m/s] [m/s²]
    float wings_at[KERB_MEASURE_WINDOWS], wings_by[KERB_MEASURE_WINDOWS];
    int32_t wings_count;
    bool wings_locked;                  // the wheels locked meanwhile
    float ramp_time[2], ramp_speed[2];  // of the middle half from lock to lock, at two speeds
    float lock_curvature, lock_lateral; // at full lock, both sides [1/m] [m/s²]
    float grip_lateral, grip_steering, grip_speed; // where it turned hardest [m/s²] [1] [m/s]
    float grip_share;   // of the effect of the steering there, before the grip gave out [1]
    bool grip_gave_out; // at the end of turning in
    bool grip_edge;     // which was that of the area
    bool tracks_gave_out;
    // On the circle of understeer: told angle of the wheels at crawl, curvature and speed there,
    // and the fit with that angle taken out. [1] [1/m] [m/s]
    float circle_wheels, circle_curvature, circle_speed;
    kerb_measure_fit circle;
    float rest_wheels;  // told angle of the wheels at command 0 [1]
    bool circle_fell;   // it is known how much of the lock is left at speed
    float circle_doubt; // what that leaves open of the gradient [rad s²/m]
} kerb_measure_memory;

#endif
