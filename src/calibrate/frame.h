// What the manoeuvres of a calibration share: the frame they see, the wish they answer with, and
// how the vehicle is held on a line and at a speed meanwhile. Private to the room.
#ifndef KERB_IN_CALIBRATE_FRAME_H
#define KERB_IN_CALIBRATE_FRAME_H

#include "kerb/calibrate.h"

/// The motion in the place's axes (x along the start's heading, y to its left) and the vehicle's.
typedef struct calibrate_frame {
    float x, y;          // [m]
    float heading;       // from the start's [-π … π]
    float turned;        // change of heading since the last frame [rad]
    float speed, side;   // of the reference point, in the vehicle's axes [m/s]
    float yaw_rate;      // about the vehicle's up axis [rad/s]
    float along, across; // mean acceleration since the last frame, in the vehicle's axes [m/s²]
    float time_step;     // [s]
    int32_t gear;        // engaged
} calibrate_frame;

/// What a manoeuvre wants pressed.
typedef struct calibrate_wish {
    float throttle, brake, steering;
    int32_t direction; // 1 or -1
    int32_t gear;      // forward gear to keep; 0: shift as needed
    bool roll;         // clutch open, out of gear
} calibrate_wish;

/// One measurement. `drive` is called each frame until it returns true.
typedef struct calibrate_manoeuvre {
    kerb_calibration_phase phase;
    bool wheeled, others; // which kinds of vehicle it is for
    // Where it begins: on a straight, at this speed and with this much room ahead. NULL: where and
    // as the vehicle is.
    float (*speed)(const kerb_calibrator* calibrator);
    float (*room)(const kerb_calibrator* calibrator);
    bool (*drive)(kerb_calibrator* calibrator, const calibrate_frame* frame, calibrate_wish* wish);
} calibrate_manoeuvre;

// calibrator.c
void kerb_in_calibrate_fail(kerb_calibrator* calibrator, kerb_calibration_failure failure);
/// Ends a step of the manoeuvre under way.
void kerb_in_calibrate_next_step(kerb_calibrator* calibrator);
/// Writes a field of `measured`, held to its range, and how far to trust it.
void kerb_in_calibrate_note(kerb_calibrator* calibrator, kerb_calibration_field field, float value,
                            kerb_calibration_confidence confidence);

// approach.c
/// Room in front of the vehicle, by the direction in which it drives along the place. [m]
float kerb_in_calibrate_ahead(const kerb_calibrator* calibrator, const calibrate_frame* frame);
/// Room in front of it in which it can still stop, rolling for `time` before.
bool kerb_in_calibrate_has_room(const kerb_calibrator* calibrator, const calibrate_frame* frame,
                                float time);
/// Hardly any room left on one side of the place: what turns must stop turning.
bool kerb_in_calibrate_near_edge(const kerb_calibrator* calibrator, const calibrate_frame* frame);
/// The speed for what is to be done slowly: a twentieth of g on a circle of its own length. [m/s]
float kerb_in_calibrate_crawl(const kerb_calibrator* calibrator);
/// Steering that keeps it on the middle line, or on its heading where it does not roll on wheels.
float kerb_in_calibrate_keep_line(const kerb_calibrator* calibrator, const calibrate_frame* frame);
/// Pedals that bring it to a speed and keep it there, gaining it at most at `acceleration`.
void kerb_in_calibrate_keep_speed(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                  float speed, float acceleration, calibrate_wish* wish);
/// Goes to where a manoeuvre begins. True when it is there. Sets `given_up` when there is no way.
bool kerb_in_calibrate_approach(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                float speed, float room, calibrate_wish* wish, bool* given_up);

// straight.c
bool kerb_in_calibrate_drive_off(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
bool kerb_in_calibrate_top_speed(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
bool kerb_in_calibrate_coast(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
bool kerb_in_calibrate_brake(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
float kerb_in_calibrate_roll_speed(const kerb_calibrator*);
float kerb_in_calibrate_roll_room(const kerb_calibrator*);
bool kerb_in_calibrate_roll(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
float kerb_in_calibrate_step_speed(const kerb_calibrator*);
float kerb_in_calibrate_step_room(const kerb_calibrator*);
bool kerb_in_calibrate_throttle_step(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
float kerb_in_calibrate_launch_room(const kerb_calibrator*);
bool kerb_in_calibrate_launch(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
bool kerb_in_calibrate_reverse(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
/// What needs several manoeuvres, at the end.
void kerb_in_calibrate_straight_results(kerb_calibrator* calibrator);

// turning.c
bool kerb_in_calibrate_circle(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
bool kerb_in_calibrate_spin(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
float kerb_in_calibrate_slow_speed(const kerb_calibrator*);
float kerb_in_calibrate_slow_room(const kerb_calibrator*);
bool kerb_in_calibrate_steering_ramp(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
bool kerb_in_calibrate_steering_steps(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
float kerb_in_calibrate_grip_speed(const kerb_calibrator*);
float kerb_in_calibrate_grip_room(const kerb_calibrator*);
bool kerb_in_calibrate_grip(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
float kerb_in_calibrate_understeer_speed(const kerb_calibrator*);
float kerb_in_calibrate_understeer_room(const kerb_calibrator*);
bool kerb_in_calibrate_understeer(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
void kerb_in_calibrate_turning_results(kerb_calibrator* calibrator);

// fit.c
void kerb_in_calibrate_fit_add(kerb_calibration_fit* fit, double x1, double x2, double y);
/// Writes c₀ … of the first `unknowns` terms; false when the points do not determine them.
bool kerb_in_calibrate_fit_solve(const kerb_calibration_fit* fit, int32_t unknowns, double c[3]);
/// Keeps a sample unless the store is full or `spacing` has not passed since the last.
void kerb_in_calibrate_keep_sample(kerb_calibrator* calibrator, float time, float value,
                                   float spacing);
/// Once the store is full, drops every other sample: slow responses fit, too.
void kerb_in_calibrate_thin_samples(kerb_calibrator* calibrator);
/// Fits a line to the kept samples with from <= value <= to; false when they are fewer than three.
bool kerb_in_calibrate_fit_between(const kerb_calibrator* calibrator, float from, float to,
                                   double c[3]);
/// Fits a polynomial of `terms` (1 … 3) to the kept samples with from <= time <= to.
bool kerb_in_calibrate_fit_samples(const kerb_calibrator* calibrator, float from, float to,
                                   int32_t terms, double c[3]);

#endif
