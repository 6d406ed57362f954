// What the manoeuvres of a calibration share: the input of a frame, the controls that they want,
// and how the vehicle is held on a line and at a speed. Private to the room.
#ifndef KERB_IN_CALIBRATE_FRAME_H
#define KERB_IN_CALIBRATE_FRAME_H

#include "../estimate/shared.h"
#include "../vehicle/shared.h"

#include "kerb/calibrate.h"

/// In the axes of the area, and of the vehicle.
typedef kerb_in_measure_frame calibrate_frame;

/// The controls that a manoeuvre wants.
typedef struct calibrate_wish {
    float throttle, brake, steering;
    int32_t direction; // 1 or -1
    int32_t gear;      // forward gear to keep; 0: shift as needed
    bool roll;         // clutch open, gear in neutral: no engine force
    bool handbrake;    // holds what creeps on against its brakes
} calibrate_wish;

/// One measurement. `drive` is called each frame until it returns true.
typedef struct calibrate_manoeuvre {
    kerb_calibration_phase phase;
    bool wheeled, others; // the kinds of vehicle that it is for
    // It begins on a straight line, at this speed and with this much length ahead. NULL: it begins
    // at the present place and motion.
    float (*speed)(const kerb_calibrator* calibrator);
    float (*room)(const kerb_calibrator* calibrator);
    bool (*drive)(kerb_calibrator* calibrator, const calibrate_frame* frame, calibrate_wish* wish);
} calibrate_manoeuvre;

/// What comes before a manoeuvre begins again: kerb_calibrator_memory.again.
typedef enum kerb_in_calibrate_again {
    CALIBRATE_AGAIN_NOT,
    CALIBRATE_AGAIN_STOP,   // it stops
    CALIBRATE_AGAIN_RETURN, // it drives back to the middle line
    CALIBRATE_AGAIN_STAND   // it stops there
} kerb_in_calibrate_again;

// take.c
/// The motion that a frame is measured by. `since_last`: time since the last motion that was
/// believed. [s] Voids the manoeuvre when the host has put the vehicle elsewhere.
kerb_motion kerb_in_calibrate_believe(kerb_calibrator* calibrator, const kerb_in_frame_input* input,
                                      float* since_last);
/// Stops. True at standstill.
bool kerb_in_calibrate_stands(kerb_calibrator* calibrator, const calibrate_frame* frame,
                              calibrate_wish* wish);
/// Before a manoeuvre begins again. True when it may begin.
bool kerb_in_calibrate_begins_again(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                    bool drives_back, calibrate_wish* wish);

// outcome.c
/// Forgets the present measurement.
void kerb_in_calibrate_forget(kerb_calibrator* calibrator);
void kerb_in_calibrate_fail(kerb_calibrator* calibrator, kerb_calibration_failure failure);
/// Ends a step of the present manoeuvre.
void kerb_in_calibrate_next_step(kerb_calibrator* calibrator);
/// Writes a field of `measured`, clamped to its range, its deviation, and its confidence, where the
/// value is known.
void kerb_in_calibrate_note(kerb_calibrator* calibrator, kerb_calibration_field field,
                            kerb_estimated value);
/// Writes the values that need several manoeuvres, and joins what the manoeuvres measured with what
/// all of the driving taught. Called at the end.
void kerb_in_calibrate_conclude(kerb_calibrator* calibrator);

// approach.c
/// Length of the area ahead of the vehicle, in its direction of travel. [m]
float kerb_in_calibrate_ahead(const kerb_calibrator* calibrator, const calibrate_frame* frame);
/// True when the vehicle can still stop inside the area after rolling for `time`. [s]
bool kerb_in_calibrate_has_room(const kerb_calibrator* calibrator, const calibrate_frame* frame,
                                float time);
/// True when the vehicle is so near an edge of the area that it must stop turning.
bool kerb_in_calibrate_near_edge(const kerb_calibrator* calibrator, const calibrate_frame* frame);
/// True when the vehicle, braking now, would come to stand outside the area.
bool kerb_in_calibrate_would_leave(const kerb_calibrator* calibrator, const calibrate_frame* frame);
/// True in a place of less than some lengths of the vehicle.
bool kerb_in_calibrate_is_short(const kerb_calibrator* calibrator);
/// True where it is short for a vehicle that cannot turn round at the ends of a line there.
bool kerb_in_calibrate_is_small(const kerb_calibrator* calibrator);
/// The longest straight that can be asked for: from the middle to the nearer end, or somewhat less.
/// [m]
float kerb_in_calibrate_straight(const kerb_calibrator* calibrator);
/// The speed of slow manoeuvres: a twentieth of g on a circle with the vehicle's length as radius.
/// [m/s]
float kerb_in_calibrate_crawl(const kerb_calibrator* calibrator);
/// Steering that keeps a wheeled vehicle on the middle line, and any other on its heading.
/// Learns on the way which steering that needs.
float kerb_in_calibrate_keep_line(kerb_calibrator* calibrator, const calibrate_frame* frame);
/// The side to which it has to turn to come back to the line: 1 left, -1 right.
float kerb_in_calibrate_line_side(const kerb_calibrator* calibrator, const calibrate_frame* frame);
/// The same in reverse: keeps the heading of the line.
float kerb_in_calibrate_keep_back(kerb_calibrator* calibrator, const calibrate_frame* frame);
/// Full throttle, or as much of it as the grip allows: less while the vehicle slides or its wheels
/// are told to spin, which is counted in `spins`.
float kerb_in_calibrate_full_throttle(kerb_calibrator* calibrator, const calibrate_frame* frame);
/// Counts spells of full brake in which the vehicle slides or its wheels are told to lock.
void kerb_in_calibrate_watch_locks(kerb_calibrator* calibrator, const calibrate_frame* frame);
/// Stops, and stays: full brake, and the handbrake once it is slow, because some automatics creep
/// on against the brake.
void kerb_in_calibrate_hold(const kerb_calibrator* calibrator, const calibrate_frame* frame,
                            calibrate_wish* wish);
/// Pedals that bring the vehicle to a speed and keep it there, with at most this acceleration.
void kerb_in_calibrate_keep_speed(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                  float speed, float acceleration, calibrate_wish* wish);
/// Drives to the start of a manoeuvre. True when it is there. Sets `given_up` when it is
/// impossible.
bool kerb_in_calibrate_approach(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                float speed, float room, calibrate_wish* wish, bool* given_up);

// straight.c
bool kerb_in_calibrate_drive_off(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
bool kerb_in_calibrate_creep(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);
float kerb_in_calibrate_top_room(const kerb_calibrator*);
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
float kerb_in_calibrate_reverse_room(const kerb_calibrator*);
bool kerb_in_calibrate_reverse(kerb_calibrator*, const calibrate_frame*, calibrate_wish*);

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

#endif
