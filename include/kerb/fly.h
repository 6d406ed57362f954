// Kerb fly: drives what flies on wings and turns by banking.
//
// The flyer steers the path of flight, not the nose: it asks the wing for an acceleration, banks so
// that the lift points there, and holds what bank, load factor, stall and climb allow. Whatever the
// attitude it is left in, it unloads the wing, rolls the short way upright, and flies on.
//
//     kerb_flyer pilot = kerb_flyer_make(&aircraft);
//     kerb_controls controls = kerb_flyer_drive(&pilot, &wish, &motion, time_step);   // a wish
//     controls = kerb_flyer_follow(&pilot, &path, &motion, time_step);                // a path
//     controls = kerb_flyer_arrive(&pilot, &goal, &motion, time_step);                // a pose
//
// Turns are flown by heading and height, never as loops: goals astern and above are reached by
// turning and climbing. Gravity is KERB_GRAVITY along -z. Throttle, pitch, roll and yaw are driven;
// there are no air brakes.
#ifndef KERB_FLY_H
#define KERB_FLY_H

#include "seek.h"

/// How an aircraft is flown. A settings struct.
typedef struct kerb_flyer_settings {
    float calm;         ///< how much gentler than the aircraft could turn its path; 1: brisk [1]
    float stall_margin; ///< slowest flight over the stall speed at its load factor [1] [>= 1]
    float bank_planned; ///< of bank_max, for wishes and planned arrivals; the rest corrects [1]
    float final_time;   ///< flies straight at the goal of an arrival for so long [s] [>= 0]
    kerb_speed_settings speed;
} kerb_flyer_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_flyer_settings_table;

/// All defaults.
KERB_API kerb_flyer_settings kerb_flyer_settings_default(void);

/// What a flyer thought in the last frame, to be drawn or measured.
typedef struct kerb_flyer_thoughts {
    float bank;              ///< wanted, right side down positive [rad]
    float load_factor;       ///< wanted of the wing [1]
    float speed;             ///< wanted [m/s]
    float cross_track_error; ///< in space, from the path or the way; 0 without one [m]
    float remaining;         ///< of the way to a goal [m]
} kerb_flyer_thoughts;

/// One pilot. Plain data: copy it to rewind.
typedef struct kerb_flyer {
    kerb_aircraft aircraft;
    kerb_flyer_settings settings;
    kerb_speed_controller speed;
    kerb_vec3 velocity;       ///< of the frame before [m/s]
    bool has_velocity;        ///< false: the next frame is its first
    uint64_t path;            ///< followed last: kerb_path.id, 0 for none
    kerb_path_location where; ///< on that path
    bool has_goal;            ///< flies to `goal` on `way`
    kerb_directed_goal goal;
    kerb_vec3 goal_moved;         ///< since the way was thought out [m]
    kerb_curve way;               ///< seen from above
    float way_length;             ///< [m]
    float way_done;               ///< [m]
    float way_lead;               ///< straight on before it, until the aircraft has banked [m]
    float way_radius;             ///< of its turns [m]
    float height;                 ///< where it starts [m]
    float slope_start, slope_end; ///< rise per level metre where it starts and ends [1]
    kerb_flyer_thoughts thoughts;
    kerb_controls controls; ///< last given
} kerb_flyer;

/// A pilot of this aircraft, which must be valid, with default settings.
KERB_API kerb_flyer kerb_flyer_make(const kerb_aircraft* aircraft);

/// Time in which it turns from where kerb_flyer_agent says that it will be to a wished direction.
/// Behaviours that wish only what can be done in a time step (kerb_directed_seek) get this as their
/// time step. [s]
KERB_API float kerb_flyer_horizon(const kerb_flyer* flyer);

/// The agent that it will be when a wish of now takes effect, for behaviours to wish for: forward
/// along its path of flight, its tightest circle a level turn at bank_planned, its greatest
/// speed cruise_speed.
KERB_API kerb_agent kerb_flyer_agent(const kerb_flyer* flyer, const kerb_motion* motion);

/// Flies in a wished direction at a wished speed, within what the aircraft can; without a wish
/// level, straight on at cruise_speed. Steeper climbs than the engine can hold are flown as long as
/// there is speed to spare. A motion that is not finite: sticks let go, throttle as before. About
/// 300 ns.
KERB_API kerb_controls kerb_flyer_drive(kerb_flyer* flyer, const kerb_steering* wish,
                                        const kerb_motion* motion, float time_step);

/// Flies along a path in space at its speed limits, or cruise_speed where that is lower; past its
/// end straight on (KERB_REASON_ARRIVED). Where the path turns or climbs harder than the aircraft
/// can it is left, and joined again. About 1 µs; the first call on a path looks at all of it.
KERB_API kerb_controls kerb_flyer_follow(kerb_flyer* flyer, const kerb_path* path,
                                         const kerb_motion* motion, float time_step);

/// Arrives at a place in space in a given direction: Dubins' shortest way seen from above, along
/// which the height climbs or sinks evenly between the slopes of both ends; full circles first when
/// that is too steep. The way is kept and bent to a goal that moves a little, and thought out anew
/// when it moves far, turns, or the aircraft is far off. Past the goal straight on in its direction
/// (KERB_REASON_ARRIVED). About 1 µs, and 2 µs more where it thinks anew.
KERB_API kerb_controls kerb_flyer_arrive(kerb_flyer* flyer, const kerb_directed_goal* goal,
                                         const kerb_motion* motion, float time_step);

#endif
