// What a calibrator keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_CALIBRATOR_MEMORY_H
#define KERB_PRIVATE_CALIBRATOR_MEMORY_H

#include "../control.h"
#include "../estimate_body.h"
#include "../estimate_pedals.h"
#include "../math.h"
#include "../vehicle.h"
#include "motion_memory.h"

/// Greatest number of samples of one response of the vehicle.
#define KERB_CALIBRATION_SAMPLES 160

/// Greatest number of moments of the run at full throttle that are kept.
#define KERB_CALIBRATION_PUSHES 96

/// Greatest number of moments of a braking from high speed that are kept.
#define KERB_CALIBRATION_WINGS 48

/// Speeds of the last seconds of a run at full throttle, from which the top speed is told.
#define KERB_CALIBRATION_GAINS 7

/// Sums of a least-squares fit with up to two slopes: y = c₀ + c₁ x₁ + c₂ x₂.
typedef struct kerb_calibration_fit {
    double matrix[3][3]; ///< of the normal equations, symmetric
    double right[3];     ///< right side of the normal equations
    double square;       ///< sum of y²
    int32_t count;
} kerb_calibration_fit;

// What a calibrator remembers.
typedef struct kerb_calibrator_memory {
    bool placed;     // the start is known
    kerb_vec3 start; // position where the calibration began [m]
    kerb_vec3 ahead; // direction in which it faced there, level, unit vector
    float last_step; // time step of the last call [s]
    float bad_time;  // time without a usable frame [s]
    kerb_motion_memory motion;
    kerb_motion last;  // the last motion that it believed
    float jumped;      // time for which the vehicle has been where it cannot have driven to [s]
    int32_t again;     // kerb_in_calibrate_again: what comes before the manoeuvre begins again
    int32_t manoeuvre; // index of the present manoeuvre
    bool approaching;  // still drives to where the manoeuvre begins
    int32_t step;      // step of the manoeuvre
    float step_time;   // time in that step [s]
    float phase_time;  // time in this approach or measurement [s]
    float travel;      // 1: drives along the heading of the start, -1: against it
    int32_t turns;     // number of turns in the approach to this manoeuvre
    float steady_time; // time for which speed and heading have been as they should be [s]
    kerb_speed_controller speed_control;
    // The throttle of slow driving: time for which it has stood although it should drive, and what
    // it needed beyond its described resistance to move. [s], [m/s²]
    float stood, breakaway;
    kerb_gearbox gearbox;
    int32_t gear; // commanded during a measurement
    // Of the present measurement. The code that measures says what each number means.
    float mark[12];
    int32_t count;
    float sample_time[KERB_CALIBRATION_SAMPLES];
    float sample[KERB_CALIBRATION_SAMPLES];
    int32_t sample_count;
    kerb_calibration_fit fit;
    // Results of several measurements, combined at the end.
    kerb_calibration_fit coasting;
    // At the end of a run to top speed that was cut short. [m/s²], [m/s]
    float top_acceleration, top_speed;
    // Mean deceleration, and mean of speed² meanwhile. [m/s²], [m²/s²]
    float braking_rate, braking_square;
    float braking_doubt;             // by how much it changed on the way [m/s²]
    bool braking_slid, braking_sure; // in that braking it slid; it was seen well
    int32_t locks_before;            // kerb_calibrator.locks when the braking began
    // Of the braking from high speed: mean speed and deceleration of short times, and the present
    // one: its time, speed at its start, deceleration of the one before. [m/s], [m/s²]
    float wings_at[KERB_CALIBRATION_WINGS], wings_by[KERB_CALIBRATION_WINGS];
    int32_t wings_count;
    bool wings_locked; // the wheels locked meanwhile
    float wings_time, wings_speed, wings_lost;
    float throttle_dead, throttle_lag; // dead time and lag of the throttle [s]
    // The run at full throttle: moments since its start, evenly apart, and the speed at each.
    // [s], [m/s]
    float push_at[KERB_CALIBRATION_PUSHES];
    float push_speed[KERB_CALIBRATION_PUSHES];
    int16_t push_gear[KERB_CALIBRATION_PUSHES]; // engaged; below 0: the throttle was not full
    int32_t push_count;
    float push_time;                     // between two of them [s]
    float gains[KERB_CALIBRATION_GAINS]; // speeds a second apart, the last one first [m/s]
    int32_t gain_count;                  // seconds of this run
    int32_t near_count;                  // of them in turn that called the top speed near
    float flat_speed; // up to this speed the force of the engine is constant [m/s]
    float grip_lateral, grip_steering, grip_speed; // where it turned hardest [m/s²], [1], [m/s]
    float grip_share;   // of the effect of the steering there, before the grip gave out [1]
    bool grip_gave_out; // at the end of turning in
    bool grip_edge;     // which was that of the area
    float lock_curvature, lock_lateral; // at full lock [1/m], [m/s²]
    // On the circle of understeer: its steering, the told angle of the wheels at crawl, the
    // curvature and the speed there, and the fit with that angle taken out.
    float circle_steering, circle_wheels, circle_curvature, circle_speed; // [1], [1], [1/m], [m/s]
    kerb_calibration_fit circle;
    float rest_wheels;  // told angle of the wheels at command 0 [1]
    bool circle_fell;   // it is known how much of the lock is left at speed
    float circle_doubt; // what that leaves open of the gradient [rad s²/m]
    // On the line: steering that it needs to go straight, and the curvature that it should have
    // by what was wanted of it. [lock], [1/m]
    float line_trim, line_wanted;
    // In a small place: any straight in it, with a place on it and its direction in the axes of the
    // area. Elsewhere the line is the middle of the area.
    bool own_line;
    float own_x, own_y, own_heading; // [m], [m], [rad]
    float own_side;                  // to which it turns to find one
    bool to_end;                     // drives to an end of the line first, to have all of it ahead
    bool backs;                      // drives back from an edge of the area, which it faces
    bool leaves;    // brakes, since it would have left the area; the manoeuvre is over
    float circling; // steering about which small steps are made, where no straight is long enough
    float throttle_share; // that the grip lets it press, at most 1 [1]
    bool slides;          // in this spell it has been counted
    // Fed with every frame. The first and the last begin again when the lock is known.
    kerb_estimate estimate;
    kerb_pedal_estimate pedals;
    kerb_body_estimate body;
} kerb_calibrator_memory;

#endif
