// Kerb cars: cars among cars. Chase, ram, box in, block, flee, escort, drive in a column.
//
//     kerb_steering wish = kerb_chase(&settings, &agent, &target, road, false, time_step, NULL);
//
// Does not: find a way round what stands in the way (that is the planner's work).
#ifndef KERB_CARS_H
#define KERB_CARS_H

#include "path.h"
#include "steer.h"
#include "vehicle.h"

// --------------------------------------------------------------------------- cars

// Cars among cars: chase, ram, box in, block, flee, escort, drive in a column. Others are
// kerb_neighbours. What comes out are wishes: through kerb_avoid_obstacles, where there are walls,
// to kerb_steering_drive. All is level and pure; nothing is remembered but in a kerb_box and a
// kerb_trail. Agents or others that are not finite: kerb_steering_none().

/// Where a target will be after `time` seconds: on `road` (may be NULL) when it drives along it,
/// as far aside of it as now; else on the circle that it drives, at most a third of a turn, and
/// straight on from there. O(1); with a road O(points).
KERB_API kerb_vec3 kerb_predict_car(const kerb_neighbour* target, const kerb_path* road,
                                    float time);

/// Where and when a target is met first.
typedef struct kerb_meeting {
    kerb_vec3 position; ///< [m]
    float time;         ///< [s]
} kerb_meeting;

/// The first place of kerb_predict_car's that the agent reaches no later than the target, by
/// kerb_seek_distance's way: gaining speed as far as it can, from the speed that it has along that
/// way. In `horizon` at the latest [s]. O(1); with a road O(points), about thirty times.
KERB_API kerb_meeting kerb_meet_car(const kerb_agent* agent, const kerb_neighbour* target,
                                    const kerb_path* road, float horizon);

/// How cars of this section drive. A settings struct.
typedef struct kerb_cars_settings {
    float horizon;      ///< looks so far ahead [s] [> 0]
    float gap;          ///< between two bodies, driving [m] [>= 0]
    float gap_closed;   ///< likewise, when the one in the middle hardly moves [m] [>= 0]
    float closing;      ///< greatest speed at which it comes nearer to its place [m/s] [> 0]
    float slowing;      ///< deceleration by which it brings others to rest [m/s²] [> 0]
    float deceleration; ///< that it counts on to come to its place in time [m/s²] [> 0]
} kerb_cars_settings;

KERB_API const kerb_settings_table kerb_cars_settings_table;

/// All defaults.
KERB_API kerb_cars_settings kerb_cars_settings_default(void);

/// Hunts a target: to where it is met, not to where it was. `ram`: into it at full speed; else up
/// to `gap` behind it and along with it. `meeting` (may be NULL): where. As kerb_meet_car.
KERB_API kerb_steering kerb_chase(const kerb_cars_settings* settings, const kerb_agent* agent,
                                  const kerb_neighbour* target, const kerb_path* road, bool ram,
                                  float time_step, kerb_meeting* meeting);

/// Comes to a place that moves with another car, at `offset` in its frame from its middle to the
/// agent's (x ahead, y to its left), and stays there; round the other car, not through it. What has
/// got past its place lets itself fall back; near one that hardly moves, it may reverse: to a place
/// behind it, and until a place that lies inside its turning circle lies outside. `width`: of the
/// agent's body [m]. O(1)
KERB_API kerb_steering kerb_keep_place(const kerb_cars_settings* settings, const kerb_agent* agent,
                                       const kerb_neighbour* leader, kerb_vec2 offset, float width);

/// Brakes a wish so that the agent does not run hard into others of its own side: not faster than
/// lets it close in at 2.5 m/s, by half more than `deceleration`, on who will be in its way; softer
/// touches are left to the crowd round a target. It does not steer: kerb_avoid_obstacles does,
/// before. `size`: length and width of the agent's body [m];
/// `self`: own index among `others`, -1: none of them. O(count)
KERB_API kerb_steering kerb_keep_distance(const kerb_cars_settings* settings,
                                          const kerb_agent* agent, kerb_vec2 size,
                                          const kerb_steering* wish, const kerb_neighbour* others,
                                          int32_t count, int32_t self);

/// Sides of a car, in the order in which few cars take them.
typedef enum kerb_side {
    KERB_SIDE_FRONT,
    KERB_SIDE_BEHIND,
    KERB_SIDE_LEFT,
    KERB_SIDE_RIGHT,
    KERB_SIDE_COUNT
} kerb_side;

/// Most cars round one.
#define KERB_BOX_CARS 8

/// Who takes which side of a car. Zero it to start.
typedef struct kerb_box {
    int32_t count;               ///< cars that have one
    int32_t side[KERB_BOX_CARS]; ///< kerb_side; -1: none, waits behind
} kerb_box;

/// Shares the sides out: such that the sum of the squares of the ways is least, so that no two ways
/// cross. Who has a side keeps it while another way is not better by a fifth. `count` beyond
/// KERB_BOX_CARS: the others wait. Fewer than four: the first sides of kerb_side. O(count), 1 µs.
KERB_API void kerb_box_assign(kerb_box* box, const kerb_cars_settings* settings,
                              const kerb_neighbour* target, const kerb_neighbour* cars,
                              int32_t count);

/// The place at a side: for a body of `length` and `width`, in the target's frame. [m]
KERB_API kerb_vec2 kerb_box_offset(const kerb_neighbour* target, int32_t side, float gap,
                                   float length, float width);

/// Boxes a target in, together with the others in `box`: to its own side; the one in front brakes
/// the target down, and once it hardly moves all close in. Nobody pushes it from behind. `self`:
/// own index among `cars`. Whose side lies behind a wall waits in the second row on the other side.
/// `place` (may be NULL): where it is going. O(obstacles)
KERB_API kerb_steering kerb_box_in(const kerb_box* box, const kerb_cars_settings* settings,
                                   int32_t self, const kerb_agent* agent,
                                   const kerb_neighbour* cars, const kerb_neighbour* target,
                                   const kerb_obstacle* obstacles, int32_t obstacle_count,
                                   float time_step, kerb_vec3* place);

/// Keeps to its side of a car that is to be protected, `gap` off. O(1)
KERB_API kerb_steering kerb_escort(const kerb_box* box, const kerb_cars_settings* settings,
                                   int32_t self, const kerb_agent* agent,
                                   const kerb_neighbour* cars, const kerb_neighbour* protected_car);

/// Stops a target by getting in its way. From behind it overtakes, gets in front and brakes it
/// down; `across`: one who is ahead of it drives into its way instead, at a place that it reaches
/// first, if there is one in the horizon, and, if it stands across there, stays. O(1); with a road
/// O(points).
KERB_API kerb_steering kerb_block(const kerb_cars_settings* settings, const kerb_agent* agent,
                                  const kerb_neighbour* target, const kerb_path* road, bool across,
                                  kerb_vec2 size, float time_step);

/// Flees from cars, and not into walls: tries out 24 directions, and, slow, reversing, for as long
/// as the horizon, and takes the way that stays free the longest and farthest from where the
/// pursuers will be; rather ahead than back. `size`: length and width of the agent's body [m].
/// None: no pursuers and nothing in the way. O(pursuers + obstacles), about 20 µs for 4 and 40.
KERB_API kerb_steering kerb_escape(const kerb_cars_settings* settings, const kerb_agent* agent,
                                   kerb_vec2 size, const kerb_neighbour* pursuers, int32_t count,
                                   const kerb_obstacle* obstacles, int32_t obstacle_count);

/// Points of a kerb_trail.
#define KERB_TRAIL_POINTS 128

/// Where the first of a column has driven. Zero it to start.
typedef struct kerb_trail {
    int32_t count;  ///< points so far, the newest last
    int32_t newest; ///< index of the newest
    float distance; ///< of the newest, driven since the start [m]
    kerb_vec2 points[KERB_TRAIL_POINTS];
    kerb_vec2 here; ///< where it is now
} kerb_trail;

/// A point every so many metres: the trail reaches back 254 m.
#define KERB_TRAIL_SPACING 2.0f

/// Notes where the first is now. Once a frame. After a jump of more than 50 m it begins anew. O(1)
KERB_API void kerb_trail_record(kerb_trail* trail, kerb_vec3 position);

/// Drives in a column, in the trail of the first, so that nobody cuts corners: `distance` metres of
/// the trail behind the first, both middles, at the speed that keeps it. `leader`: the first one;
/// `ahead`: the car in front, never closer to it than half of `gap`. O(points)
KERB_API kerb_steering kerb_convoy(const kerb_trail* trail, const kerb_cars_settings* settings,
                                   const kerb_agent* agent, const kerb_neighbour* leader,
                                   const kerb_neighbour* ahead, float distance);

#endif
