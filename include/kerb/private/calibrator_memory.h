// What a calibrator keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_CALIBRATOR_MEMORY_H
#define KERB_PRIVATE_CALIBRATOR_MEMORY_H

#include "../control.h"
#include "../estimate_vehicle.h"
#include "../math.h"
#include "../vehicle.h"
#include "measure_memory.h"
#include "motion_memory.h"

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
    int32_t locks_before; // kerb_calibrator.locks when the braking began
    kerb_measure_memory measure;
    float circle_steering; // on the circle of understeer [1]
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
    // Fed with every frame. Steering and body begin again when the lock is known.
    kerb_vehicle_estimate estimate;
} kerb_calibrator_memory;

#endif
