// Kerb plan_driver: drives a vehicle through a plan, at its places and at its times.
//
//     kerb_plan_driver driver = kerb_plan_driver_make(&vehicle);
//     each frame:
//         kerb_controls controls =
//             kerb_plan_driver_drive(&driver, &plan, &motion, &surroundings, time_step);
#ifndef KERB_PLAN_DRIVER_H
#define KERB_PLAN_DRIVER_H

#include "control.h"
#include "plan.h"

// --------------------------------------------------------------------------- driving a movement

/// How a movement is driven. Begin with kerb_plan_driver_settings_default;
/// kerb_plan_driver_settings_table has the ranges.
typedef struct kerb_plan_driver_settings {
    float response_time;     ///< errors aside fade over about this time at speed … [s] [> 0]
    float response_distance; ///< … and over about this distance when slow [m] [> 0]
    float catch_up;          ///< faster or slower than planned by at most this share, to be in time
                             ///< [1] [0 … 0.5]
    float catch_up_time;     ///< being late fades over about this time [s] [> 0]
    float late_most;         ///< later than this, the rest is put off [s] [>= 0]
    float stop_distance;     ///< so near the end of a leg it has arrived there [m] [> 0]
    float lost_distance;     ///< so far aside it stops and waits for another plan [m] [> 0]
    float lost_angle;        ///< likewise turned [rad] [> 0]
    kerb_speed_settings speed_control;
} kerb_plan_driver_settings;

KERB_API const kerb_settings_table kerb_plan_driver_settings_table;
KERB_API kerb_plan_driver_settings kerb_plan_driver_settings_default(void);

/// What it thought in the last frame, for pictures and for questions.
typedef struct kerb_plan_driver_thoughts {
    kerb_plan_state planned; ///< the place of the plan nearest to the rear axle
    kerb_vec2 rear_axle;     ///< where that is [m]
    float late;              ///< behind the plan's time by so much; negative: early [s]
    float put_off;           ///< and so much later than when it was begun [s]
    float cross_track_error; ///< of the rear axle, left of the travel positive [m]
    float heading_error;     ///< left positive [rad]
    float target_speed;      ///< of travel [m/s]
    float acceleration;      ///< wanted, of travel [m/s²]
    float curvature;         ///< that it steers, left positive [1/m]
    bool lost;               ///< too far off the plan: it stands until it gets another one
    kerb_reason reason;
} kerb_plan_driver_thoughts;

/// What a driver has learned about what slows its vehicle down. The meaning may change between
/// versions.
typedef struct kerb_plan_driver_slowing {
    float lifted;   ///< without throttle for so long [s]
    float drag;     ///< what the engine brakes with then [m/s²]
    float brakes;   ///< their strength over that of the vehicle, as it says [1]
    float doubt[3]; ///< variances of drag and brakes, and what these share
} kerb_plan_driver_slowing;

/// What a driver has learned about what its throttle gives. The meaning may change between
/// versions.
typedef struct kerb_plan_driver_pull {
    float strength; ///< over what the vehicle says [1]
    float doubt;    ///< variance of that
    float told;     ///< acceleration that was asked of the engine, as it answers [m/s²]
    float coupled;  ///< in gear for so long [s]
} kerb_plan_driver_pull;

/// What a driver has learned about how its vehicle turns. The meaning may change between versions.
typedef struct kerb_plan_driver_turn {
    float gain;  ///< curvature over that which the vehicle says its wheels drive [1]
    float doubt; ///< variance of that
    float told;  ///< what the wheels drive, as the body follows [1/m]
} kerb_plan_driver_turn;

/// What a driver has learned about how its tyres slip. The meaning may change between versions.
typedef struct kerb_plan_driver_slip {
    float softness; ///< slip of the rear tyres over the sideways acceleration [rad s²/m]
    float doubt;    ///< variance of that
    float rate;     ///< of turning in the last frame [rad/s]
} kerb_plan_driver_slip;

/// Drives a vehicle through a movement, at its places and at its times. Plain data, without
/// pointers: copy it to save a game.
///
///     kerb_plan_driver driver = kerb_plan_driver_make(&vehicle);
///     each frame:
///         kerb_controls controls =
///             kerb_plan_driver_drive(&driver, &plan, &motion, &surroundings, time_step);
///
/// A plan knows place, speed, acceleration and curvature at every moment, so the driver does what
/// they say and corrects: curvature and acceleration of the plan, begun early by what wheels and
/// engine take, and what lets errors aside, of heading, of speed and of time fade. Cusps are legs'
/// ends: it stops on the spot, turns the wheels while the gear changes, and goes on in time.
///
/// The plan may be another one in any frame; it then looks for its place on it. A vehicle follows a
/// plan that leaves it something to spare: kerb_plan_limits_to_drive. HOVER it does not drive
/// (kerb_plan_drivable): it stands with the brake held, KERB_REASON_GIVEN_UP. Does not look at
/// neighbours, only at kerb_surroundings.speed_cap: plan anew for what comes up.
typedef struct kerb_plan_driver {
    kerb_plan_driver_settings settings;
    kerb_vehicle vehicle;
    kerb_plan_driver_thoughts thoughts;
    kerb_controls controls; ///< that it gave last
    int32_t bad_frames;     ///< frames with motion that was not finite or a bad time step
    // What it remembers. Read it if you like; the meaning may change between versions.
    struct {
        float key[8];  ///< by which it knows the plan again
        int32_t piece; ///< where it is: the piece …
        float along;   ///< … and how far along it [m]
        int32_t phase; ///< driving, standing between legs, arrived
        float clock;   ///< time of the plan [s]
        float stood;   ///< between two legs, so far [s]
        float aside;   ///< how far off the plan it will get soon, as it sees it [m]
        float drift;   ///< left of where it points and tyres say, its rear axle goes [rad]
        float speed;   ///< of the last frame [m/s]
        float waits;   ///< for so long it has wanted to set off from rest [s]
        float answers; ///< from wanting to set off to rolling, as it has seen [s]
        kerb_plan_driver_slowing slowing;
        kerb_plan_driver_pull pull;
        kerb_plan_driver_turn turn;
        kerb_plan_driver_slip slip;
        kerb_speed_controller speed_control;
        kerb_gearbox gearbox;
    } memory;
} kerb_plan_driver;

/// At the start of its life, default settings. The vehicle must be valid.
KERB_API kerb_plan_driver kerb_plan_driver_make(const kerb_vehicle* vehicle);

/// The controls for this frame. `surroundings` may be NULL. Allocates nothing. O(pieces of a
/// leg), some 10 µs; on a plan that it does not know yet O(length).
///
/// time_step: since the last call [s] [> 0, < 1000, usually 0.008 to 0.05]. Another step repeats
/// the last controls; motion that is not finite gives the safe controls. Both are counted in
/// bad_frames. Where the plan ends it stands with the brake held, reason KERB_REASON_ARRIVED; where
/// the plan ends with speed, that reason comes there and it rolls on along the last arc, until it
/// is lost. A plan without pieces: brake held, KERB_REASON_NONE. Lost: brake held,
/// KERB_REASON_GIVEN_UP.
KERB_API kerb_controls kerb_plan_driver_drive(kerb_plan_driver* driver, const kerb_plan* plan,
                                              const kerb_motion* motion,
                                              const kerb_surroundings* surroundings,
                                              float time_step);

#endif
