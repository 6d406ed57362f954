// Kerb racer: a racing driver.
//
// Drives a car along a racing line as fast as the car can, alone or among other cars, with any
// skill. examples/race_a_car.c is a whole program; examples/race_each_other.c has several cars. In
// the comments below, Vamos is "Computer-Controlled Cars in Vamos".
//
// Call order:
// 1. Make a line: kerb_racing_line_create (kerb/racing_line.h).
// 2. kerb_racer_make once per car, then change `settings` and `performance` where they differ.
// 3. kerb_racer_drive once per frame. The host applies the controls to its car.
//
//     kerb_racer racer = kerb_racer_make(&vehicle);
//     racer.settings.skill = 0.9f;
//     kerb_motion motion = kerb_motion_default();
//     kerb_surroundings surroundings = kerb_surroundings_default();
//     kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
//     for (int frame = 0; frame < 3600; frame++) {
//         // The host fills `motion` and `surroundings` from its physics here.
//         controls = kerb_racer_drive(&racer, &line, &motion, &surroundings, 1.0f / 60.0f);
//         // The host applies `controls` and simulates one frame here.
//     }
//
// Lifetimes: a racer is plain data and owns nothing, so there is nothing to destroy. A copy of the
// struct saves and restores it in the same build of the library, kerb_racer_save and
// kerb_racer_load across builds. It keeps no pointer to the line or to any other argument: they
// need to live during the call only.
//
// Threads: use a racer from one thread at a time. Many racers may drive on one line at once.
//
// Does not: find a line (kerb/racing_line.h does), simulate the car, or enforce rules of a race.
#ifndef KERB_RACER_H
#define KERB_RACER_H

#include "control.h"
#include "private/racer_memory.h"
#include "racer_pole.h"
#include "racing_line.h"

// --------------------------------------------------------------------------- racing driver

/// Smallest grip that a racer learns for a place, as a share of what it knows of the car. [1]
#define KERB_RACER_LEARNED_GRIP_MIN 0.4f
/// Greatest grip that a racer learns for a place, as a share of what it knows of the car. [1]
#define KERB_RACER_LEARNED_GRIP_MAX 1.15f

/// How a racer steers.
typedef enum kerb_racer_steering {
    /// Kerb's own: feed-forward of the line's curvature; feedback of errors, yaw rate and slides.
    KERB_RACER_LINE,
    /// The Vamos paper's: the tip of an imaginary pole in front of the car stays on the line.
    KERB_RACER_POLE
} kerb_racer_steering;

/// "line" or "pole"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_racer_steering_text(kerb_racer_steering value);

/// What a racer does about wheels that spin or lock.
typedef enum kerb_racer_slip {
    KERB_RACER_SLIP_OFF,  ///< does nothing: the host has traction control and anti-lock brakes
    KERB_RACER_SLIP_ON,   ///< releases the pedals, by kerb_motion.wheel_slip or by what it senses
    KERB_RACER_SLIP_LOCKS ///< as ON, and assumes from the start that the brakes can lock
} kerb_racer_slip;

/// "off", "on" or "locks"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_racer_slip_text(kerb_racer_slip value);

/// Settings of a racer. Ranges and defaults: kerb_racer_settings_table. Every field may change at
/// any time. speed_time, response_time, response_distance and pole are those of a car: the racer
/// multiplies lengths by kerb_vehicle_scale, which is 1 for all cars of roads, and times by its
/// root.
typedef struct kerb_racer_settings {
    int32_t steering; ///< kerb_racer_steering

    // Speed.
    float grip_used;           ///< share of the lateral grip planned for corners [1] [0.1 … 1.2]
    float braking_used;        ///< share of the brakes planned for braking [1] [0.1 … 1.2]
    float braking_loss_margin; ///< added to kerb_performance.braking_loss in planning [1] [0 … 1]
    float speed_time;          ///< time over which speed errors decay [s] [0.02 … 2]
    float fuel_saving; ///< 0 none … 1 releases the throttle early and shifts up early (Vamos 5) [1]
                       ///< [0 … 1]
    /// kerb_racer_slip. LOCKS is for cars without anti-lock brakes in hosts that do not give the
    /// wheel slip. With ON, a racer in such a car finds out at the first locked wheel.
    int32_t slip_control;

    /// Delay from the moment that the motion describes to the moment when the controls computed
    /// from it act. It does not include the vehicle's own delays (steering, throttle) or the time
    /// step. If controls act one frame late, it is the duration of a frame. If the motion is late,
    /// it is the age of the motion. If both are late, it is the sum. The racer predicts where the
    /// car will be after this delay and drives from there. [s] [0 … 0.3] Usual: 0.
    float latency;

    // Steering with KERB_RACER_LINE.
    float response_time;     ///< time over which errors decay at speed [s] [0.1 … 5]
    float response_distance; ///< distance over which errors decay at low speed [m] [0.5 … 50]
    /// Greatest slip angle of the front tyres. The unit is the slip angle at which they use half of
    /// their grip. More steering would only slow the car. [1] [1 … 20] Usual: 5.
    float front_slip_max;
    /// Slip angle of the rear tyres at which the racer releases the pedals the most. The unit is
    /// the slip angle at which they use half of their grip. Has an effect with LINE and POLE. [1]
    /// [1 … 20]
    float rear_slip_max;

    /// Settings of KERB_RACER_POLE alone, which games do not need.
    kerb_racer_pole_settings pole;

    /// Lane shift: desired lateral offset from the line, as a share of the usable width on that
    /// side. 0 on the line, 1 at the left edge, -1 at the right edge. (Vamos 6) [1] [-1 … 1]
    float lane_shift;
    float margin; ///< kept from the car's side to the edge, off the line [m] [0 … 10]

    // Skill and character. A skill below 1 lowers the pace, makes the car wander and causes
    // mistakes; the other fields say which. At skill 1 only aggression and pace_help have an
    // effect. All but `seed` and `pace_help` are [1] [0 … 1].
    float skill;        ///< 0 beginner … 1 as fast as the car can, without errors
    int32_t seed;       ///< another seed gives other errors at other places [0 … 16777215]
    float aggression;   ///< among other cars: 0 waits … 1 overtakes at every chance
    float consistency;  ///< 0 every lap differs, more mistakes … 1 nearly equal laps
    float late_braking; ///< 0 brakes early, faster in the bend … 1 brakes late, slower there
    float smoothness;   ///< 0 presses the pedals quickly … 1 slowly
    /// Rubber-banding: the host may set it at any time, see kerb_racer_pace_help. 0: none. -1: the
    /// pace of skill 0. 1: the pace of skill 1, never more. Between them in proportion. Errors stay
    /// those of `skill`. After a change, the value in use moves by 0.1 per second. [1] [-1 … 1]
    float pace_help;
    /// 1: learns what the car can do (kerb/lap_learner.h), upwards as well as down, and lap by lap
    /// where the line has more or less grip than that, within KERB_RACER_LEARNED_GRIP_MIN and
    /// KERB_RACER_LEARNED_GRIP_MAX. Until the tyres have shown what they hold, it stays below what
    /// `performance` says. 2: as 1, and learns how its steering answers: wheels that stand aside,
    /// and controls that act late. 0: off. It then keeps what it has learned, but does not use it.
    int32_t learning;

    // Other cars.
    float gap_time; ///< assumed reaction time to the car ahead; lengthens the gap [s] [0 … 5]
    float gap_min;  ///< smallest gap to the car ahead [m] [0 … 20]
    float side_clearance; ///< clearance between cars side by side; aggression lowers it [m] [0 … 5]
    /// Wake of the host's cars, for kerb_slipstream: share of drag that is removed directly behind
    /// another car. 0: the host has no wakes. [1] [0 … 0.9]
    float slipstream;
    float slipstream_length; ///< gap at which half of `slipstream` is left [m] [1 … 200]

    kerb_stuck_settings stuck; ///< when the car counts as stuck, and how hard the racer tries
} kerb_racer_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_racer_settings_table;

/// KERB_RACER_LINE, skill 1: as fast as the car can.
KERB_API kerb_racer_settings kerb_racer_settings_default(void);

/// Default settings with this skill and a random character: the seed decides aggression,
/// consistency, late_braking and smoothness, most of them near the middle. Give each opponent
/// another seed. [skill: clamped to 0 … 1]
KERB_API kerb_racer_settings kerb_racer_settings_of_seed(uint32_t seed, float skill);

/// Default settings with the steering of the Vamos paper. This steering cuts corners and has no
/// damping. So `grip_used` is 0.5, and laps take about a quarter longer. Among other cars the racer
/// may still leave the track.
KERB_API kerb_racer_settings kerb_racer_settings_vamos(void);

/// A value for settings.pace_help from the gap between racer and player: negative (slower) when the
/// racer leads, positive (faster) when it is behind. It grows with the gap up to ±help_max at a gap
/// of ±range. [gap: racer ahead of the player, in any unit] [range: same unit, > 0]
/// [help_max: 0 … 1]
KERB_API float kerb_racer_pace_help(float gap, float range, float help_max);

/// Share of its drag that a car loses in the wake of another car:
/// drag_loss_max / (1 + gap / length) · (1 - |lateral_offset|), never negative.
///
/// The result is `drag_loss_max` at the bumper of the other car, half of it at the gap `length`, a
/// third at twice that gap, and 0 at a lateral offset of a car's width. A simple wake for hosts
/// that have none of their own. [gap: bumper to bumper, in m; below 0: returns 0] [lateral_offset:
/// between the middles of the cars, in widths of a car]
KERB_API float kerb_slipstream(float drag_loss_max, float length, float gap, float lateral_offset);

/// What a racer is doing. The reason for its speed is kerb_racer_decision.reason.
typedef enum kerb_racer_phase {
    KERB_RACER_DRIVING,  ///< races, or returns to the track
    KERB_RACER_SPINNING, ///< has lost control: brakes until the car stops or goes straight again
    KERB_RACER_TURNING_ROUND, ///< faces against the line and turns round, forwards
    KERB_RACER_REVERSING      ///< faces against the line and turns round, in reverse
} kerb_racer_phase;

/// In a few words, such as "turning round"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_racer_phase_text(kerb_racer_phase value);

/// What a racer decided in the last frame, for pictures and for debugging.
typedef struct kerb_racer_decision {
    double distance;           ///< station: distance along the line, in [0, length] [m]
    double total_distance;     ///< `distance` plus all laps since the racer joined this line [m]
    float cross_track_error;   ///< from the desired lateral offset, left positive [m]
    float course_error;        ///< from the line to the direction of motion, left positive [rad]
    float heading_error;       ///< from the line to the car's front, left positive [rad]
    float line_curvature;      ///< of the line, ahead by the steering delay [1/m]
    float commanded_curvature; ///< commanded last, left positive [1/m]
    float target_speed;        ///< along the direction of travel [m/s]
    float acceleration;        ///< desired, along the direction of travel [m/s²]
    float slip_front;          ///< slip angle of the front axle, positive in left bends [rad]
    float slip_rear;           ///< slip angle of the rear axle [rad]
    float lane_shift;          ///< present lane shift; beyond 1 or -1: off the track [1]
    bool off_track;            ///< the middle of the car is beyond an edge
    kerb_vec3 target;          ///< look-ahead point on its planned path, in the world [m]
    kerb_neighbour neighbour;  ///< the car that it reacts to; length 0: none; `intent` is NULL
    int32_t phase;             ///< kerb_racer_phase
    float overtake_request;    ///< above 0: asks the car ahead to let it pass; the value is its own
                               ///< pace, as a skill; 0: does not ask [0 … 1]
    kerb_reason reason;        ///< what limits its speed, or its state
    /// What the host tells wrongly, found in the first minute of driving; see kerb/host_check.h.
    /// KERB_HOST_NO_MISTAKE: nothing is known.
    kerb_host_mistake host_mistake;
} kerb_racer_decision;

/// A racing driver: settings, vehicle and memory. Plain data without pointers: a copy saves it. The
/// host may change settings, vehicle and performance at any time.
typedef struct kerb_racer {
    kerb_racer_settings settings;
    kerb_vehicle vehicle;
    /// What the car can do at its limit, as the host knows it. Measured values are better than
    /// kerb_performance_of. A change begins what was learned about the car anew.
    kerb_performance performance;
    kerb_racer_decision decision; ///< of the last frame
    kerb_controls controls;       ///< the last ones that it commanded
    int32_t bad_frames;           ///< frames with an impossible motion or time step, or a long step

    /// What it remembers. No interface: see kerb/private/racer_memory.h.
    kerb_racer_memory memory;
} kerb_racer;

/// A racer with default settings that has not driven yet. Its performance is kerb_performance_of
/// with the braking_loss and driving_loss of usual cars. The vehicle must be valid.
KERB_API kerb_racer kerb_racer_make(const kerb_vehicle* vehicle);

/// Makes a racer in place, like kerb_racer_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_racer_init(kerb_racer* racer, const kerb_vehicle* vehicle);

/// Size of a racer. [bytes]
KERB_API size_t kerb_racer_bytes(void);

/// Size of the block that saves a racer; writes the block where it fits. See kerb/base.h. [bytes]
KERB_API size_t kerb_racer_save(const kerb_racer* racer, void* block, size_t capacity);

/// Loads a racer from a block. Refuses blocks of other types, versions and builds; see kerb/base.h.
KERB_API kerb_result kerb_racer_load(kerb_racer* racer, const void* block, size_t size,
                                     kerb_error* error);

/// Computes the controls for this frame. O(1); O(points of the line) in a frame in which the racer
/// must first find its place on the line. Allocates nothing. `surroundings` may be NULL: no speed
/// cap, grip 1, no other cars. Otherwise every field counts.
///
/// The line may be another one in every frame; it needs at least two points. On an open line the
/// racer passes the end at full speed and then stops, reason KERB_REASON_ARRIVED.
///
/// - Speed: from the shape and surface of the line and from the performance of the car. The racer
///   finds braking points by computing back from each corner, with the grip that cornering leaves
///   for braking. It does not use the `speed` of the line's points, so different cars may share a
///   line.
/// - Other cars (Vamos 6, extended): behind a car that is in its path the racer keeps a gap in
///   which it can stop. Beside a car it leaves the width of that car and a clearance. It overtakes
///   a slower car in three cases: it will be clear of the car before the next bend; it will at
///   least be beside the car there, on the inside; or in the bend it gains more on the car than the
///   longer path costs. It drives round cars that have stopped or are in trouble. It lets cars pass
///   that lap it (kerb_surroundings.laps). The order of the neighbours does not matter; the nearest
///   KERB_RACER_NEIGHBOURS_MAX count.
/// - Gears (Vamos 5): it shifts up when the next gear pulls more, and down before a corner. It does
///   not shift in the middle of a corner. The throttle matches the engine speed to the gear.
/// - Trouble: off the track it returns at an angle that the grip allows. After a spin it stops,
///   turns round and goes on. Stuck, it reverses out, and in the end requests a teleport
///   (KERB_REASON_TELEPORT). A car on its side or roof requests one as soon as it has lain there
///   for a second and is nearly still.
///
/// - Put elsewhere: a position that the car cannot have driven to is accepted. It goes on from
///   there with all that it has learned, and is not stuck. Of all rounds, total_distance takes the
///   one that is nearest to before.
///
/// A motion that kerb_motion_validate refuses with the greater speed_max of `vehicle` and
/// `performance` returns safe controls, reason KERB_REASON_BAD_MOTION.
///
/// time_step: time since the last call. [s] [KERB_TIME_STEP_MIN … KERB_TIME_STEP_MAX] Usual: 0.005
/// to 0.05. A shorter one, or one that is not finite, returns the last controls again, reason
/// KERB_REASON_BAD_STEP. A longer one is driven as KERB_TIME_STEP_MAX. `bad_frames` counts all of
/// these frames.
KERB_API kerb_controls kerb_racer_drive(kerb_racer* racer, const kerb_racing_line* line,
                                        const kerb_motion* motion,
                                        const kerb_surroundings* surroundings, float time_step);

/// Call it when the host moves the world's origin, together with kerb_racing_line_shift_origin for
/// the line: the racer drives on with the same controls. `new_origin` is the new origin in the old
/// coordinates; it is subtracted from every remembered place. [m] O(1)
KERB_API void kerb_racer_shift_origin(kerb_racer* racer, kerb_vec3 new_origin);

#endif
