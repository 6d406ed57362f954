// Kerb calibrate: measures what an unknown vehicle can do, by driving it.
//
// A game runs a calibration once per model of vehicle, in an empty and level area, and keeps the
// result. Call order: make, change the settings, then drive every frame until the outcome changes.
//
//     kerb_calibrator calibrator = kerb_calibrator_make(&known);   // its kind, size, mass, gears
//     calibrator.settings.space_ahead = 1500.0f;                   // before the first frame
//     while (calibrator.outcome == KERB_CALIBRATION_RUNNING) {
//         kerb_controls controls = kerb_calibrator_drive(&calibrator, &motion, time_step);
//         step_your_physics(&controls, &motion, time_step);        // as if a player had driven
//     }
//     if (calibrator.outcome == KERB_CALIBRATION_DONE)
//         vehicle = calibrator.measured;                           // for all drivers
//     else
//         puts(kerb_calibration_failure_text(calibrator.failure));
//
// The calibrator first drives gently and stops, lets the vehicle creep, circles at full lock, turns
// the wheels from lock to lock and in small steps, and weaves. It then drives at full throttle to
// top speed, coasts, brakes, opens the throttle suddenly, starts at full throttle, drives in
// reverse, turns at the limit of grip, and coasts round a circle. This takes some minutes of
// driving. When the area is too small, it measures what fits, and stops before the edge;
// kerb_calibrator_room says what everything needs. `confidence` and `deviation` say how reliable
// each number is: docs/results.md has the figures, over vehicles drawn at random.
//
// Meanwhile the estimates of kerb/estimate.h, kerb/estimate_body.h and kerb/estimate_pedals.h
// learn. They take over what no manoeuvre measured as well. Where one contradicts a manoeuvre, the
// deviation is half of what lies between them.
//
// At standstill it holds the handbrake, since automatics may creep against the brake. A host
// without a handbrake ignores it. It coasts in gear 0, neutral.
//
// The area is a rectangle around the place where the vehicle is at the first call, along its
// heading there. The settings give its size.
//
// From kerb_motion it needs position, rotation, velocity and angular velocity, and the gear. It
// uses kerb_motion.wheel_slip where it is told. Where kerb_motion.steering is told, and agrees with
// what the vehicle does, it tells a lock that falls with speed (`steering_lock`) from understeer;
// else both are in `understeer_gradient`.
//
// Lifetimes and threads: a calibrator is plain data without pointers. Copy it to save it; copy it
// back to continue. A copy is valid only in the same build of the library. kerb_calibrator_save and
// kerb_calibrator_load work across builds. One thread at a time may use one calibrator; different
// calibrators are independent. It allocates nothing. Texts are constant strings.
//
// `power` is the one with which the vehicle model takes the time to each speed that the vehicle
// took (least squares), not the greatest at any one speed. Where the run reached the top speed
// without a slide, and the power is not the same at every speed, `power_share` has its curve, and
// `power` is the greatest of it. With gears that the driver shifts it fills `drive_train.torque`.
//
// `downforce` is what full braking from high speed shows: brakes that are the limit at an axle hide
// what presses on it. It may be more than is told.
//
// Does not: watch for obstacles, slopes or other vehicles; measure size, mass or gears, nor
// load_sensitivity or track_width, nor a delay of the brakes, for which kerb_vehicle has no field;
// find other grip that changes with speed. It tells yaw_inertia only to 10 to 30 %, where the
// vehicle has tyres: no manoeuvre shows it better.
#ifndef KERB_CALIBRATE_H
#define KERB_CALIBRATE_H

#include "control.h"
#include "private/calibrator_memory.h"

/// The area, and the limits of the calibration. A settings struct; change it before the first call.
typedef struct kerb_calibration_settings {
    float space_ahead;     ///< free length ahead of the start [m] [1 … 1e5]
    float space_behind;    ///< free length behind the start [m] [0 … 1e5]
    float space_each_side; ///< free width to each side of the start [m] [1 … 1e5]
    float speed_max; ///< it never drives faster; extrapolates a higher top speed [m/s] [0.1 … 500]
    float time_max;  ///< time after which the calibration fails [s] [1 … 1e5]
} kerb_calibration_settings;

/// Range, default and meaning of every setting.
KERB_API const kerb_settings_table kerb_calibration_settings_table;

/// 3 km ahead, 100 m behind, 200 m to each side, 500 m/s, 20 minutes.
KERB_API kerb_calibration_settings kerb_calibration_settings_default(void);

/// State of the calibration.
typedef enum kerb_calibration_outcome {
    KERB_CALIBRATION_RUNNING, ///< call kerb_calibrator_drive again
    KERB_CALIBRATION_DONE,    ///< `measured` is a valid kerb_vehicle; see `confidence`
    KERB_CALIBRATION_FAILED   ///< see `failure`; what was measured before stays in `measured`
} kerb_calibration_outcome;

/// "running", "done" or "failed"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_calibration_outcome_text(kerb_calibration_outcome value);

/// Why the calibration failed.
typedef enum kerb_calibration_failure {
    KERB_CALIBRATION_NO_FAILURE,     ///< it has not failed
    KERB_CALIBRATION_DOES_NOT_MOVE,  ///< at full throttle the vehicle does not move, or moves back
    KERB_CALIBRATION_DOES_NOT_STOP,  ///< at full brake the vehicle does not stop
    KERB_CALIBRATION_DOES_NOT_STEER, ///< at full lock it goes straight, or to the other side
    KERB_CALIBRATION_TIPPED_OVER,    ///< the vehicle lies on its side or roof
    KERB_CALIBRATION_OUT_OF_SPACE, ///< it left the area by more than its length, or nothing fits it
    KERB_CALIBRATION_BAD_MOTION,   ///< the motion was impossible for more than a second
    KERB_CALIBRATION_OUT_OF_TIME,  ///< kerb_calibration_settings.time_max has passed
    KERB_CALIBRATION_INVALID_RESULT, ///< the measured values fail kerb_vehicle_validate
    KERB_CALIBRATION_FAILURE_COUNT   ///< number of failures
} kerb_calibration_failure;

/// The failure in a few English words, such as "it tipped over". Never NULL; a constant string.
KERB_API const char* kerb_calibration_failure_text(kerb_calibration_failure failure);

/// What the calibrator does now.
typedef enum kerb_calibration_phase {
    KERB_CALIBRATION_FIRST_MOVEMENT, ///< first movement: starts gently and stops again
    KERB_CALIBRATION_TOP_SPEED,      ///< full throttle, while it gains speed
    KERB_CALIBRATION_COAST_FAST,     ///< coasts from high speed
    KERB_CALIBRATION_BRAKE,          ///< full brake
    KERB_CALIBRATION_CIRCLE,        ///< full lock at low speed, left and right; or turning in place
    KERB_CALIBRATION_COAST_SLOW,    ///< coasts at low speed
    KERB_CALIBRATION_THROTTLE_STEP, ///< opens the throttle at once while it coasts
    KERB_CALIBRATION_LAUNCH,        ///< full throttle from standstill
    KERB_CALIBRATION_REVERSE,       ///< full throttle in reverse from standstill, to top speed
    KERB_CALIBRATION_STEERING_RAMP, ///< turns the wheels from lock to lock
    KERB_CALIBRATION_STEERING_STEPS, ///< small steps of the steering, at two low speeds; weaving
    KERB_CALIBRATION_GRIP,           ///< turns in until the lateral acceleration grows no more
    KERB_CALIBRATION_UNDERSTEER,     ///< coasts round a circle with fixed steering
    KERB_CALIBRATION_CREEP,          ///< releases the brake in gear, without throttle
    KERB_CALIBRATION_PHASE_COUNT     ///< number of phases
} kerb_calibration_phase;

/// The phase in a few English words, such as "braking". Never NULL; a constant string.
KERB_API const char* kerb_calibration_phase_text(kerb_calibration_phase phase);

/// The fields of kerb_vehicle that a calibration measures.
typedef enum kerb_calibration_field {
    KERB_CALIBRATES_STEERING_ANGLE_MAX,
    KERB_CALIBRATES_STEERING_RATE_MAX,
    KERB_CALIBRATES_STEERING_DELAY,
    KERB_CALIBRATES_UNDERSTEER_GRADIENT,
    KERB_CALIBRATES_YAW_RATE_MAX,
    KERB_CALIBRATES_YAW_ACCELERATION_MAX,
    KERB_CALIBRATES_SPEED_MAX,
    KERB_CALIBRATES_REVERSE_SPEED_MAX,
    KERB_CALIBRATES_ACCELERATION_MAX,
    KERB_CALIBRATES_REVERSE_ACCELERATION_MAX,
    KERB_CALIBRATES_POWER,
    KERB_CALIBRATES_BRAKING_MAX,
    KERB_CALIBRATES_COASTING_DECELERATION,
    KERB_CALIBRATES_DRAG,
    KERB_CALIBRATES_LATERAL_ACCELERATION_MAX,
    KERB_CALIBRATES_THROTTLE_DELAY,
    KERB_CALIBRATES_CREEP_SPEED,
    KERB_CALIBRATES_YAW_INERTIA,
    KERB_CALIBRATES_DOWNFORCE,
    KERB_CALIBRATION_FIELD_COUNT ///< number of fields
} kerb_calibration_field;

/// The name of a field in kerb_vehicle, with which kerb_settings_find finds its unit and meaning in
/// kerb_vehicle_table. Never NULL; a constant string.
KERB_API const char* kerb_calibration_field_name(kerb_calibration_field field);

/// How reliable a number is, by twice its `deviation`. "5 %" is 5 % of the value, but for delays at
/// least 0.02 s, for creep_speed at least 0.1 m/s, for understeer_gradient what changes a bend by 5
/// % at 15 m/s (a car; others in proportion), and for downforce what changes the load by 5 % at 30
/// m/s.
typedef enum kerb_calibration_confidence {
    KERB_CALIBRATION_GIVEN,     ///< not measured, or not used by this kind of vehicle: as given
    KERB_CALIBRATION_GUESSED,   ///< not within 10 %: extrapolated, a bound, or doubtful
    KERB_CALIBRATION_ESTIMATED, ///< within 10 %
    KERB_CALIBRATION_MEASURED   ///< within 5 %
} kerb_calibration_confidence;

/// "given", "guessed", "estimated" or "measured". Never NULL; a constant string.
KERB_API const char* kerb_calibration_confidence_text(kerb_calibration_confidence confidence);

/// A calibrator. Plain data without pointers.
typedef struct kerb_calibrator {
    kerb_calibration_settings settings; ///< change them before the first call only
    kerb_vehicle measured; ///< the given vehicle, with the numbers that are measured already
    uint8_t confidence[KERB_CALIBRATION_FIELD_COUNT]; ///< kerb_calibration_confidence of each field
    /// How far each field may be from the truth: a standard deviation, in the unit of the field. 0:
    /// it is as given, and nothing is known.
    float deviation[KERB_CALIBRATION_FIELD_COUNT];
    kerb_calibration_outcome outcome; ///< running, done or failed
    kerb_calibration_failure failure; ///< why it failed
    kerb_calibration_phase phase;     ///< what it does now
    /// True while it measures; false while it drives to where a manoeuvre begins, stops before an
    /// edge, or begins again.
    bool measures;
    float progress;         ///< share of the manoeuvres that are done [1] [0 … 1]
    float time;             ///< since the first call [s]
    kerb_controls controls; ///< returned by the last call
    int32_t bad_frames;     ///< calls with an impossible motion or time step, or a long step
    /// Manoeuvres that did not fit the area: their fields are "given" or "estimated". See
    /// kerb_calibrator_room.
    int32_t skipped;
    /// Times that its wheels spun: told by kerb_motion.wheel_slip, or it slid at full throttle.
    int32_t spins;
    /// Times that its wheels locked: told by kerb_motion.wheel_slip, or it slid at full brake.
    int32_t locks;

    /// What it remembers. No interface: see kerb/private/calibrator_memory.h.
    kerb_calibrator_memory memory;
} kerb_calibrator;

/// A calibrator with default settings. The host must set these fields of `known`: kind, length,
/// width, reference_to_front, reference_to_rear_axle, wheelbase, mass and drive_train. The other
/// fields are first guesses; the values of kerb_vehicle_default are good enough. O(1) [known:
/// passes kerb_vehicle_validate]
KERB_API kerb_calibrator kerb_calibrator_make(const kerb_vehicle* known);

/// Makes a calibrator in place, like kerb_calibrator_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_calibrator_init(kerb_calibrator* calibrator, const kerb_vehicle* known);

/// Size of a calibrator. [bytes]
KERB_API size_t kerb_calibrator_bytes(void);

/// Size of the block that saves a calibrator; writes the block where it fits. See kerb/base.h.
/// [bytes]
KERB_API size_t kerb_calibrator_save(const kerb_calibrator* calibrator, void* block,
                                     size_t capacity);

/// Loads a calibrator from a block. Refuses blocks of other types, versions and builds; see
/// kerb/base.h.
KERB_API kerb_result kerb_calibrator_load(kerb_calibrator* calibrator, const void* block,
                                          size_t size, kerb_error* error);

/// Returns the controls of this frame. The vehicle must be at standstill at the first call, and
/// nothing else may drive it from then on. When the outcome is DONE or FAILED, the controls hold
/// the brake.
///
/// A motion that kerb_motion_validate refuses with the greater speed_max of vehicle and settings:
/// brakes, and fails after one second. A time step below KERB_TIME_STEP_MIN, or not finite: repeats
/// the last controls. A time step above KERB_TIME_STEP_MAX counts as that. `bad_frames` counts all
/// of these. After an impossible motion, a long time step, or when the host has put the vehicle
/// elsewhere, the present manoeuvre begins again from standstill, because its measurement is void;
/// a wrong position for less than 0.25 s changes nothing. Allocates nothing. O(1), but at the end
/// of a manoeuvre O(samples), with at most 160 samples. Finding the throttle delay costs a few
/// hundred times that, once.
/// [time_step: KERB_TIME_STEP_MIN … KERB_TIME_STEP_MAX; tested from 1/120 to 1/20 s]
KERB_API kerb_controls kerb_calibrator_drive(kerb_calibrator* calibrator, const kerb_motion* motion,
                                             float time_step);

/// The size of a place. [m]
typedef struct kerb_calibration_room {
    float length; ///< along the heading at the start
    float width;  ///< across it
} kerb_calibration_room;

/// The room in which everything can be measured, by what is known of the vehicle now: the run to
/// top speed and the stop, and the turn at the limit of grip. In a smaller place the calibrator
/// measures what fits; in one shorter than 20 lengths of the vehicle it drives round in it, and
/// does the slow manoeuvres only, for which a car needs 40 m by 40 m. O(1)
KERB_API kerb_calibration_room kerb_calibrator_room(const kerb_calibrator* calibrator);

/// Call it when the host moves the world's origin: the calibration goes on with the same controls.
/// `new_origin` is the new origin in the old coordinates; it is subtracted from every remembered
/// place. [m] O(1)
KERB_API void kerb_calibrator_shift_origin(kerb_calibrator* calibrator, kerb_vec3 new_origin);

#endif
