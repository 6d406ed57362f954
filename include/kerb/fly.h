// Kerb fly: flies fixed-wing aircraft, which turn by banking.
//
// The flyer controls the direction of flight, not the direction of the nose. It decides which
// acceleration the wing must give, banks until the lift points in this direction, and stays within
// the limits of bank, load factor, stall and climb. When it starts in an unusual attitude, such as
// upside down, it first reduces the lift, rolls upright in the shorter direction, and then flies
// on.
//
// Call order: make a flyer once. In every frame call one of kerb_flyer_drive (fly in a direction),
// kerb_flyer_follow (fly along a path) and kerb_flyer_arrive (fly to a pose).
//
//     kerb_aircraft aircraft = kerb_aircraft_default(); // a light trainer
//     kerb_flyer flyer = kerb_flyer_make(&aircraft);    // with default settings
//     kerb_directed_goal goal = {{2000, 500, 400}, {0, 1, 0}, 40, 200};
//     // In every frame:
//     kerb_motion motion = kerb_motion_default();       // here: from the engine
//     motion.position.z = 500.0f;
//     motion.velocity.x = 50.0f;
//     kerb_controls controls = kerb_flyer_arrive(&flyer, &goal, &motion, 0.02f);
//     // Apply controls.throttle, pitch, roll and yaw to the aircraft.
//
// Threads: different flyers may run on different threads at the same time. They share nothing.
// Only one thread at a time may use one flyer.
// Lifetimes: a flyer is plain data without pointers and keeps a copy of the aircraft. A copy saves
// it within one build of the library, kerb_flyer_save and kerb_flyer_load across builds. Goals and
// paths need to stay valid only during a call.
// Cost: no function allocates. Functions are O(1) where nothing else is stated.
//
// The flyer never flies a loop: to reach a goal behind or above, it turns and climbs. Gravity is
// KERB_GRAVITY along -z.
//
// Does not: take off or land, avoid the ground or other aircraft, or use air brakes. It ignores
// these values of a path: corridor, stops, bank, grip and direction of travel.
#ifndef KERB_FLY_H
#define KERB_FLY_H

#include "aircraft.h"
#include "private/flyer_memory.h"
#include "seek.h"

/// Settings of a flyer. Ranges and defaults: kerb_flyer_settings_table.
typedef struct kerb_flyer_settings {
    /// Factor on the time in which it corrects the direction of flight. 1: as fast as the aircraft
    /// can. 2: in twice that time. [1] [0.5 … 10]
    float turn_time_factor;
    /// Lowest speed that it flies, divided by the stall speed at the current load factor. [1] [1 …
    /// 3]
    float stall_margin;
    /// Share of the aircraft's greatest bank (bank_max) that it uses for desired directions and for
    /// planned turns. The rest is for corrections. [1] [0.1 … 1]
    float planned_bank_share;
    /// Time of straight flight before a goal of kerb_flyer_arrive. [s] [0 … 60]
    float final_approach_time;
    /// Gains of the speed controller.
    kerb_speed_settings speed;
} kerb_flyer_settings;

/// Range, default value and meaning of every setting.
KERB_API const kerb_settings_table kerb_flyer_settings_table;

/// Returns the default settings.
KERB_API kerb_flyer_settings kerb_flyer_settings_default(void);

/// What a flyer decided in the last frame, for drawing and measuring.
typedef struct kerb_flyer_decision {
    float target_bank;        ///< Set point. Positive: right side down. [rad]
    float target_load_factor; ///< Set point of the lift divided by the weight. [1]
    float target_speed;       ///< Set point. [m/s]
    float cross_track_error;  ///< Distance in space from the path or approach. 0 without one. [m]
    float remaining;          ///< Distance to the end of the path or approach. 0 without one. [m]
} kerb_flyer_decision;

/// One flyer. Plain data without pointers. Settings may change between any two frames.
typedef struct kerb_flyer {
    kerb_aircraft aircraft;
    kerb_flyer_settings settings;
    kerb_flyer_decision decision;
    kerb_controls controls; ///< Commanded in the last frame.
    /// Frames with an impossible motion or time step, or one longer than KERB_TIME_STEP_MAX.
    int32_t bad_frames;
    /// What it remembers. No interface: see kerb/private/flyer_memory.h.
    kerb_flyer_memory memory;
} kerb_flyer;

/// Makes a flyer with default settings. The aircraft must be valid (kerb_aircraft_validate).
KERB_API kerb_flyer kerb_flyer_make(const kerb_aircraft* aircraft);

/// Makes a flyer in place, like kerb_flyer_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_flyer_init(kerb_flyer* flyer, const kerb_aircraft* aircraft);

/// Size of a flyer. [bytes]
KERB_API size_t kerb_flyer_bytes(void);

/// Size of the block that saves a flyer; writes the block where it fits. See kerb/base.h. [bytes]
KERB_API size_t kerb_flyer_save(const kerb_flyer* flyer, void* block, size_t capacity);

/// Loads a flyer from a block. Refuses blocks of other types, versions and builds; see kerb/base.h.
KERB_API kerb_result kerb_flyer_load(kerb_flyer* flyer, const void* block, size_t size,
                                     kerb_error* error);

/// Time that the agent of kerb_flyer_agent (steer.h) needs to turn to a desired direction. Some
/// behaviours, such as kerb_directed_seek (seek.h), return only what is possible within one time
/// step. Pass this time to them as the time step. [s]
KERB_API float kerb_flyer_horizon(const kerb_flyer* flyer);

/// Agent for behaviours: the aircraft as predicted for the moment when the controls of this frame
/// begin to change its direction of flight. The agent's forward is the direction of flight. Its
/// turn radius is that of a level turn with the bank planned_bank_share · bank_max. Its greatest
/// speed is cruise_speed. When the motion is impossible (kerb_motion_validate): an agent at
/// standstill at the origin.
KERB_API kerb_agent kerb_flyer_agent(const kerb_flyer* flyer, const kerb_motion* motion);

/// Flies in a desired direction at a desired speed, within the limits of the aircraft. When
/// `desired` is NULL, not finite or without a direction, it flies level and straight on at
/// cruise_speed. While its speed is above the lowest speed, it may climb more steeply than the
/// engine can sustain.
///
/// When the motion is impossible (kerb_motion_validate with speed_never_exceed), it centres the
/// sticks and keeps the throttle (KERB_REASON_BAD_MOTION), and remembers nothing of it. When the
/// time step is below KERB_TIME_STEP_MIN or not finite, it returns the last controls
/// (KERB_REASON_BAD_STEP). A step above KERB_TIME_STEP_MAX is flown as one of that length. All
/// these frames are counted in `bad_frames`.
///
/// When the aircraft is elsewhere than it can have flown to, the flyer forgets its place on a path
/// and its approach, and begins anew where the aircraft is. It is sure of that one frame later, and
/// repeats its last controls meanwhile, because the next position may show that the jump was a
/// glitch.
KERB_API kerb_controls kerb_flyer_drive(kerb_flyer* flyer, const kerb_steering* desired,
                                        const kerb_motion* motion, float time_step);

/// Flies along a path in space. The target speed is the lower one of the path's speed limit and
/// cruise_speed. Beyond the end of an open path it flies straight on (KERB_REASON_ARRIVED). Where
/// the path turns or climbs harder than the aircraft can, it leaves the path and returns to it
/// later. When the motion or the time step is not valid, it does what kerb_flyer_drive does then.
/// O(points within a few seconds of flight, at most those of the path). The first call on a path is
/// O(points of the path).
KERB_API kerb_controls kerb_flyer_follow(kerb_flyer* flyer, const kerb_path* path,
                                         const kerb_motion* motion, float time_step);

/// Flies to a position in space and arrives there in a given direction. Seen from above, the
/// approach is a Dubins curve (curve.h). The flyer prefers short curves with few changes between
/// left and right turns. The slope of the approach is constant, but near each end it changes evenly
/// to the slope at that end. Where the approach would be too steep, it flies full circles first.
/// When the motion or the time step is not valid, it does what kerb_flyer_drive does then. When the
/// goal is NULL, not finite, without a direction or more than KERB_POSITION_MAX from the origin, it
/// does what kerb_flyer_drive does when `desired` is NULL.
///
/// It keeps the approach, and shifts it when the goal moves a little. It plans a new approach when
/// the goal moves far, turns, or changes its speed or turn radius, and when the aircraft is far
/// from the approach. Beyond the goal it flies straight on in the goal's direction
/// (KERB_REASON_ARRIVED).
KERB_API kerb_controls kerb_flyer_arrive(kerb_flyer* flyer, const kerb_directed_goal* goal,
                                         const kerb_motion* motion, float time_step);

/// Tells the flyer that the world's origin has moved to `new_origin`, given in the old coordinates:
/// new positions are old ones minus `new_origin`. It flies on with the same controls. Paths, goals
/// and positions of the next call are in the new coordinates. [m] O(1)
KERB_API void kerb_flyer_shift_origin(kerb_flyer* flyer, kerb_vec3 new_origin);

#endif
