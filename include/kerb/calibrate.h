// Kerb calibrate: measures what an unknown vehicle can do, by driving it.
//
// A game runs it once per model of vehicle, in an empty and level place, and keeps the result:
//
//     kerb_calibrator calibrator = kerb_calibrator_make(&known);    // its size, mass and gears
//     calibrator.settings.room_ahead = 1500.0f;                     // before the first frame
//     while (calibrator.outcome == KERB_CALIBRATION_RUNNING) {
//         kerb_controls controls = kerb_calibrator_drive(&calibrator, &motion, time_step);
//         → to the vehicle, as if a player had pressed them; then step the physics
//     }
//     if (calibrator.outcome == KERB_CALIBRATION_DONE)
//         vehicle = calibrator.measured;                            // for all drivers
//     else
//         puts(kerb_calibration_failure_text(calibrator.failure));
//
// It drives off gently, launches, goes to top speed, coasts, brakes, reverses, circles at full
// lock, steps throttle and steering, and turns at the limit of grip: some minutes of driving. The
// place is a rectangle around where the vehicle stands at the first call, along its heading; see
// the settings. With less room it measures what fits; `confidence` says how far each number can be
// trusted. It needs position, rotation, velocity and angular velocity of kerb_motion, and the gear
// where the driver shifts; it does not look at kerb_motion.steering.
//
// The whole memory of a calibrator is its struct, without pointers: copy it to save, copy it back
// to go on.
//
// Does not: look out for obstacles, slopes or other vehicles; measure size, mass or drive train;
// find limits that change with speed (steering that gets smaller, say): it measures the steering
// slowly, and the grip at one speed.
#ifndef KERB_CALIBRATE_H
#define KERB_CALIBRATE_H

#include "control.h"

/// The place, and how far to go. A settings struct; set it before the first call.
typedef struct kerb_calibration_settings {
    float room_ahead;  ///< free length in front of the start [m]
    float room_behind; ///< behind it [m]
    float room_aside;  ///< and to each side [m]
    float speed_most;  ///< not driven faster: a top speed above it is extrapolated [m/s]
    float time_most;   ///< for everything; then it has failed [s]
} kerb_calibration_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_calibration_settings_table;

/// 3 km ahead, 100 m behind, 200 m to each side.
KERB_API kerb_calibration_settings kerb_calibration_settings_default(void);

/// How it stands.
typedef enum kerb_calibration_outcome {
    KERB_CALIBRATION_RUNNING,
    KERB_CALIBRATION_DONE,  ///< `measured` is a valid kerb_vehicle; see `confidence` for each field
    KERB_CALIBRATION_FAILED ///< see `failure`; what was measured before stays readable
} kerb_calibration_outcome;

/// Why it failed.
typedef enum kerb_calibration_failure {
    KERB_CALIBRATION_NO_FAILURE,
    KERB_CALIBRATION_DOES_NOT_MOVE,  ///< full throttle, and it stands, or goes back
    KERB_CALIBRATION_DOES_NOT_STOP,  ///< full brake, and it rolls
    KERB_CALIBRATION_DOES_NOT_STEER, ///< full lock, and it goes straight, or the other way
    KERB_CALIBRATION_TIPPED_OVER,
    KERB_CALIBRATION_OUT_OF_ROOM, ///< it left the place that the settings give it
    KERB_CALIBRATION_BAD_MOTION,  ///< the host's motion was not finite for a second
    KERB_CALIBRATION_OUT_OF_TIME, ///< kerb_calibration_settings.time_most is over
    KERB_CALIBRATION_NO_VEHICLE,  ///< what came out contradicts itself or lies out of range
    KERB_CALIBRATION_FAILURE_COUNT
} kerb_calibration_failure;

/// A few words, in English, never NULL: "it tipped over".
KERB_API const char* kerb_calibration_failure_text(kerb_calibration_failure failure);

/// What it does now.
typedef enum kerb_calibration_phase {
    KERB_CALIBRATION_DRIVE_OFF,      ///< gently, to see that it moves and stops
    KERB_CALIBRATION_TOP_SPEED,      ///< full throttle, as long as it gains speed
    KERB_CALIBRATION_COAST,          ///< rolling, fast
    KERB_CALIBRATION_BRAKE,          ///< full braking
    KERB_CALIBRATION_CIRCLE,         ///< slowly at full lock, left and right
    KERB_CALIBRATION_ROLL,           ///< rolling, slowly
    KERB_CALIBRATION_THROTTLE_STEP,  ///< from rolling to some throttle
    KERB_CALIBRATION_LAUNCH,         ///< full throttle from rest
    KERB_CALIBRATION_REVERSE,        ///< the same backwards, up to top speed
    KERB_CALIBRATION_STEERING_RAMP,  ///< from lock to lock
    KERB_CALIBRATION_STEERING_STEPS, ///< small, slowly and less slowly
    KERB_CALIBRATION_GRIP,           ///< turning in until it gives no more
    KERB_CALIBRATION_UNDERSTEER,     ///< round a circle, faster and faster
    KERB_CALIBRATION_PHASE_COUNT
} kerb_calibration_phase;

/// A few words, in English, never NULL: "braking".
KERB_API const char* kerb_calibration_phase_text(kerb_calibration_phase phase);

/// The numbers that it measures.
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
    KERB_CALIBRATION_FIELD_COUNT
} kerb_calibration_field;

/// The field of kerb_vehicle by its name there, so that kerb_vehicle_table has unit and meaning;
/// never NULL.
KERB_API const char* kerb_calibration_field_name(kerb_calibration_field field);

/// How far a number can be trusted.
typedef enum kerb_calibration_confidence {
    KERB_CALIBRATION_GIVEN,     ///< not measured, or not of this kind of vehicle: as it was given
    KERB_CALIBRATION_ESTIMATED, ///< extrapolated, or a bound: the room or the vehicle did not allow
                                ///< to reach it
    KERB_CALIBRATION_MEASURED
} kerb_calibration_confidence;

/// "given", "estimated", "measured".
KERB_API const char* kerb_calibration_confidence_text(kerb_calibration_confidence confidence);

/// Samples of a quick response that are kept until it is over.
#define KERB_CALIBRATION_SAMPLES 160

/// Intervals of a run at full throttle that are kept.
#define KERB_CALIBRATION_PUSHES 32

/// Running sums of a least-squares fit of up to two slopes: y = c₀ + c₁ x₁ + c₂ x₂.
typedef struct kerb_calibration_fit {
    double matrix[3][3];
    double right[3];
    int32_t count;
} kerb_calibration_fit;

/// A calibrator. Plain data.
typedef struct kerb_calibrator {
    kerb_calibration_settings settings;
    kerb_vehicle measured;                            ///< as given, with what was measured so far
    uint8_t confidence[KERB_CALIBRATION_FIELD_COUNT]; ///< kerb_calibration_confidence, by field
    kerb_calibration_outcome outcome;
    kerb_calibration_failure failure;
    kerb_calibration_phase phase;
    float progress;         ///< 0 … 1, by manoeuvres done
    float time;             ///< since the first call [s]
    kerb_controls controls; ///< of the last frame
    int32_t bad_frames;     ///< frames with motion that was not finite or a bad time step

    // What it remembers. Read it if you like; the meaning may change between versions.
    struct {
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
        float push_time;  // how long each took [s]
        float flat_speed; // up to which the engine keeps its force [m/s]
        float grip_lateral, grip_steering, grip_speed; // where it turned hardest
        float lock_curvature, lock_lateral;            // at full lock [1/m], [m/s²]
    } memory;
} kerb_calibrator;

/// A calibrator for a vehicle of which the host knows kind, length, width, reference_to_front,
/// reference_to_rear_axle, wheelbase, mass and drive_train; the other fields are taken as first
/// guesses, for which kerb_vehicle_default's will do. [known: passes kerb_vehicle_validate]
KERB_API kerb_calibrator kerb_calibrator_make(const kerb_vehicle* known);

/// What to press now. The vehicle stands at the first call, and from then on nobody else drives
/// it. Once it is DONE or FAILED the brake is held. Motion that is not finite: brake. O(1), about
/// 0.2 µs; at the end of a manoeuvre O(samples), once some 0.2 ms. Allocates nothing; one thread at
/// a time for one calibrator. [time_step: > 0; 1/120 to 1/20 s are tested]
KERB_API kerb_controls kerb_calibrator_drive(kerb_calibrator* calibrator, const kerb_motion* motion,
                                             float time_step);

#endif
