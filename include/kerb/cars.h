// Kerb cars: cars among cars. Chase, ram, box in, block, flee, escort, drive in a column.
//
// For police chases and convoys. The other cars are kerb_neighbour structs (vehicle.h). Every
// behaviour returns desired steering (steer.h). Let kerb_avoid_obstacles correct it where there are
// walls, then kerb_brake_for_cars, and apply it with kerb_steering_driver_drive. One of several
// police cars:
//
//     kerb_cars_settings settings = kerb_cars_settings_default();
//     kerb_box box = {0};                     // once for all police cars
//     kerb_vec2 size = {vehicle.length, vehicle.width};
//     // In each frame:
//     kerb_box_assign(&box, &settings, &target, police, count); // once for all police cars
//     kerb_agent agent = kerb_agent_of(&vehicle, &motion);
//     kerb_steering desired = kerb_box_in(&box, &settings, i, &agent, police, &target, walls,
//                                         wall_count, time_step, NULL);
//     desired = kerb_brake_for_cars(&settings, &agent, size, &desired, police, count, i);
//     kerb_controls controls =
//         kerb_steering_driver_drive(&driver, &desired, &motion, NULL, time_step);
//
// Threads and lifetimes: no function allocates. All functions are pure, except that kerb_box_assign
// changes a kerb_box and kerb_trail_record a kerb_trail; these are plain data without pointers. All
// functions may run on any thread at the same time, as long as none changes a struct that another
// one reads. Arrays and paths are read during the call only. Results are values.
//
// Does not: work in space (heights do not count), obey the rules of the road (lane.h, follow.h), or
// plan a path among many obstacles (plan.h).
#ifndef KERB_CARS_H
#define KERB_CARS_H

#include "path.h"
#include "steer.h"
#include "vehicle.h"

// --------------------------------------------------------------------------- prediction

// What holds for all functions that return desired steering: "none" is kerb_steering_none(). They
// return it when a number of the agent, or of a car that affects the result, is not finite, or too
// great to be squared (the bounds are named in kerb/steer.h).

/// The position of a target after `time` [s]. A target that drives along `road` (may be NULL) goes
/// on along the road at its present lateral offset. Any other target goes on along its present
/// circle for at most a third of a turn (120 degrees), then straight on. O(1); with a road
/// O(points)
KERB_API kerb_vec3 kerb_predict_car(const kerb_neighbour* target, const kerb_path* road,
                                    float time);

/// Where and when an agent first meets a target.
typedef struct kerb_interception {
    kerb_vec3 position; ///< Where they meet. [m]
    float time;         ///< Time from now. [s]
} kerb_interception;

/// The first position of the target (kerb_predict_car) that the agent reaches no later than the
/// target. It assumes that the agent drives on the path that kerb_seek_distance measures. The agent
/// begins with the part of its speed that is in the direction of that position, and gains speed as
/// fast as it can. When the agent cannot meet the target within `horizon` [s]: the target's
/// position at the horizon. O(1); with a road about thirty times O(points)
KERB_API kerb_interception kerb_intercept_car(const kerb_agent* agent, const kerb_neighbour* target,
                                              const kerb_path* road, float horizon);

// --------------------------------------------------------------------------- one car and another

/// How the behaviours of this header drive. Ranges and defaults: kerb_cars_settings_table.
typedef struct kerb_cars_settings {
    float horizon;               ///< Look-ahead. [s] [> 0]
    float gap;                   ///< Gap between two bodies while they drive. [m] [>= 0]
    float gap_stopped;           ///< Gap round a target that has almost stopped. [m] [>= 0]
    float closing_speed_max;     ///< Greatest speed relative to the place it drives to. [m/s] [> 0]
    float blocking_deceleration; ///< Deceleration that it forces on a target. [m/s²] [> 0]
    float deceleration;          ///< Deceleration before it reaches its place. [m/s²] [> 0]
} kerb_cars_settings;

KERB_API const kerb_settings_table kerb_cars_settings_table;

/// All defaults.
KERB_API kerb_cars_settings kerb_cars_settings_default(void);

/// Pursues a target: drives to where it will meet the target, not to where the target is now. With
/// `ram` it drives into the target at full speed. Without `ram` it closes in behind the target up
/// to `gap` and drives along with it. `interception` (may be NULL) receives where they meet. Cost:
/// as kerb_intercept_car.
KERB_API kerb_steering kerb_chase(const kerb_cars_settings* settings, const kerb_agent* agent,
                                  const kerb_neighbour* target, const kerb_path* road, bool ram,
                                  float time_step, kerb_interception* interception);

/// Drives to a place that moves with another car, and keeps it. `offset` is the place in that car's
/// frame, from its centre to the agent's: x ahead, y to its left [m]. `width` is the width of the
/// agent's body [m].
///
/// The agent drives round the other car, not through it. When it has passed its place, it slows
/// down and falls back. Near a car that is almost at standstill it may reverse in two cases: when
/// the place is behind the agent, and when the place lies inside the agent's turning circle. In the
/// second case it reverses until the place lies outside the circle. O(1)
KERB_API kerb_steering kerb_keep_place(const kerb_cars_settings* settings, const kerb_agent* agent,
                                       const kerb_neighbour* leader, kerb_vec2 offset, float width);

/// Limits the speed of a desired steering so that the agent does not hit cars of its own team hard.
/// The agent may touch a car that will be in its path, but with a closing speed of at most 2.5 m/s:
/// such contacts happen in a crowd round a target. It brakes in time for that speed, with 1.5 times
/// `deceleration`.
///
/// It only brakes. To steer round walls, call kerb_avoid_obstacles first. `size` is the length and
/// width of the agent's body [m]. `self` is the agent's own index in `others`; -1: it is not there.
/// Cars that are not finite are ignored. O(count)
KERB_API kerb_steering kerb_brake_for_cars(const kerb_cars_settings* settings,
                                           const kerb_agent* agent, kerb_vec2 size,
                                           const kerb_steering* desired,
                                           const kerb_neighbour* others, int32_t count,
                                           int32_t self);

// --------------------------------------------------------------------------- several round one

/// Sides of a car. Fewer than four cars take the first sides of this list.
typedef enum kerb_side {
    KERB_SIDE_FRONT,
    KERB_SIDE_BEHIND,
    KERB_SIDE_LEFT,
    KERB_SIDE_RIGHT,
    KERB_SIDE_COUNT
} kerb_side;

/// "front", "behind", "left" or "right"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_side_text(kerb_side value);

/// Greatest number of cars round one.
#define KERB_BOX_CARS_MAX 8

/// Which car takes which side of a target. Zero it to start.
typedef struct kerb_box {
    int32_t count;                   ///< Number of cars. [0 … KERB_BOX_CARS_MAX]
    int32_t side[KERB_BOX_CARS_MAX]; ///< kerb_side of each car; -1: none, it waits behind.
} kerb_box;

/// Assigns the sides of a target to cars, so that the sum of the squared distances to their places
/// is smallest. So no two straight paths cross. Overtaking and driving round the target count
/// extra.
///
/// A car keeps its side unless another assignment is better by a fifth; round a target slower than
/// 3 m/s, by three fifths. Fewer than four cars get the first sides of kerb_side. Cars without a
/// side wait behind; cars beyond KERB_BOX_CARS_MAX get no side. O(count)
KERB_API void kerb_box_assign(kerb_box* box, const kerb_cars_settings* settings,
                              const kerb_neighbour* target, const kerb_neighbour* cars,
                              int32_t count);

/// The place at a side of the target, in the target's frame, for a body of `length` and `width` [m]
/// with `gap` [m] between the two bodies. For `side` -1: the place to wait, behind the car that is
/// behind. [m] O(1)
KERB_API kerb_vec2 kerb_box_offset(const kerb_neighbour* target, int32_t side, float gap,
                                   float length, float width);

/// Boxes a target in, together with the other cars in `box`. Each car drives to its own side; from
/// afar it first drives to where it will meet the target. The car in front brakes, so that the
/// target must slow down. When the target is almost at standstill, all close in. No car pushes the
/// target from behind.
///
/// `self` is the agent's own index in `cars`. When a wall is at its place, the agent waits in a
/// second row on the other side. `destination` (may be NULL) receives the position that it drives
/// to. O(obstacles)
KERB_API kerb_steering kerb_box_in(const kerb_box* box, const kerb_cars_settings* settings,
                                   int32_t self, const kerb_agent* agent,
                                   const kerb_neighbour* cars, const kerb_neighbour* target,
                                   const kerb_obstacle* obstacles, int32_t obstacle_count,
                                   float time_step, kerb_vec3* destination);

/// Escorts a car that is to be protected: keeps its assigned side of it, with `gap` between them.
/// `self` is the agent's own index in `cars`. O(1)
KERB_API kerb_steering kerb_escort(const kerb_box* box, const kerb_cars_settings* settings,
                                   int32_t self, const kerb_agent* agent,
                                   const kerb_neighbour* cars, const kerb_neighbour* protected_car);

// --------------------------------------------------------------------------- block and escape

/// Gets in front of a target and stops it.
///
/// Without `across`, the agent overtakes the target, gets in front of it and brakes, so that the
/// target must slow down. With `across`, an agent that is ahead of the target drives to a place on
/// the target's path that it reaches first, turns across the path and stays there. If there is no
/// such place within the horizon, or the agent is not ahead, it acts as without `across`. `road`
/// may be NULL. `size` is length and width of the agent's body [m]. O(1); with a road O(points)
KERB_API kerb_steering kerb_block(const kerb_cars_settings* settings, const kerb_agent* agent,
                                  const kerb_neighbour* target, const kerb_path* road, bool across,
                                  kerb_vec2 size, float time_step);

/// Flees from cars without driving into walls. It predicts 24 directions and, when it is slow,
/// three arcs in reverse, over the horizon. It takes the one that stays free longest and farthest
/// from where the pursuers will be. It prefers forwards to reverse. `size` is length and width of
/// the agent's body [m]. None without pursuers and obstacles. O(pursuers + obstacles)
KERB_API kerb_steering kerb_escape(const kerb_cars_settings* settings, const kerb_agent* agent,
                                   kerb_vec2 size, const kerb_neighbour* pursuers, int32_t count,
                                   const kerb_obstacle* obstacles, int32_t obstacle_count);

// --------------------------------------------------------------------------- columns

/// Greatest number of points of a kerb_trail.
#define KERB_TRAIL_POINTS 128

/// Where the first car of a column has driven. Zero it to start.
typedef struct kerb_trail {
    int32_t count;  ///< Number of points. [0 … KERB_TRAIL_POINTS]
    int32_t newest; ///< Index of the newest point; the older ones are before it, in a ring.
    float distance; ///< Distance along the trail from its start to the newest point. [m]
    kerb_vec2 points[KERB_TRAIL_POINTS]; ///< [m]
    kerb_vec2 here;                      ///< Where the first car is now. [m]
    bool jumped; ///< It jumped in the last frame: put elsewhere, or a glitch.
} kerb_trail;

/// Distance between two points of a trail. So a trail reaches back 254 m. [m]
#define KERB_TRAIL_SPACING 2.0f

/// Adds the present position of the first car to its trail. Call it once per frame. A jump of more
/// than 50 m starts the trail again, one frame later: a glitch of one frame changes nothing.
/// Positions that are not finite or outside of the world (KERB_POSITION_MAX) are ignored. O(1)
KERB_API void kerb_trail_record(kerb_trail* trail, kerb_vec3 position);

/// Tells a trail that the world's origin has moved to `new_origin`, given in the old coordinates:
/// new positions are old ones minus `new_origin`. [m] O(points)
KERB_API void kerb_trail_shift_origin(kerb_trail* trail, kerb_vec3 new_origin);

/// Drives in a column, on the trail of its first car, so that no car cuts corners. The agent keeps
/// `distance` [m] to the first car along the trail, centre to centre, by driving a little faster or
/// slower than the first car. `leader` is the first car. `car_ahead` is the car directly ahead; the
/// gap to it is never less than half of the setting `gap`. None without a trail. O(points)
KERB_API kerb_steering kerb_convoy(const kerb_trail* trail, const kerb_cars_settings* settings,
                                   const kerb_agent* agent, const kerb_neighbour* leader,
                                   const kerb_neighbour* car_ahead, float distance);

#endif
