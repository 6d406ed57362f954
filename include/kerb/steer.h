// Kerb steer: where should an agent head now, and how fast?
//
// Steering behaviours for anything that moves and cannot turn on the spot: cars, tanks, ships,
// aircraft, people on foot. A behaviour reads an agent as it is now and returns the desired
// steering: a direction and a speed. Several desired steerings can be combined into one. The result
// becomes a force, a step of a simple motion model, or the controls of a vehicle.
//
// Call order in each frame: describe the agent, ask a behaviour, let other behaviours correct the
// desired steering, apply it. A car that drives to a goal among obstacles:
//
//     kerb_steering_driver driver = kerb_steering_driver_make(&vehicle); // once
//     kerb_avoid_obstacles_settings avoid = kerb_avoid_obstacles_settings_default();
//     // In each frame:
//     kerb_agent agent = kerb_agent_of(&vehicle, &motion);
//     kerb_steering desired = kerb_arrive(&agent, goal, time_step);
//     float left = kerb_seek_distance(&agent, goal); // obstacles beyond the goal do not matter
//     desired = kerb_avoid_obstacles(&avoid, &agent, &desired, obstacles, count, left, time_step);
//     kerb_controls controls =
//         kerb_steering_driver_drive(&driver, &desired, &motion, NULL, time_step);
//
// Instead of kerb_steering_driver_drive: kerb_steering_force returns a force for a physics engine,
// and kerb_agent_step returns the agent one step later, without physics.
//
// Level or in space: an agent moves in the plane when every z of it and of its targets is 0. The
// functions then compute exactly what a two-dimensional version would compute, to the bit.
//
// Threads and lifetimes: no function allocates. All functions may run on any thread at the same
// time, as long as no two of them use the same kerb_wander, kerb_context or kerb_steering_driver.
// These structs are plain data without pointers: copy them to save a game in the same build of the
// library (a driver across builds: kerb_steering_driver_save). Arrays, paths and flow fields are
// read during the call only. Results are values and point to nothing.
//
// Does not: plan a path among many obstacles (the planner does, plan.h). Does not reverse, except
// where a comment says so. Remembers nothing from frame to frame, except in the three structs named
// under "Threads".
#ifndef KERB_STEER_H
#define KERB_STEER_H

#include "control.h"
#include "curve.h"
#include "host_check.h"
#include "neighbour.h"
#include "path.h"
#include "private/pedal_memory.h"

// --------------------------------------------------------------------------- desired steering

/// What a behaviour must know about the thing that it steers.
typedef struct kerb_agent {
    kerb_vec3 position;   ///< Centre of its body. [m]
    kerb_vec3 forward;    ///< Direction of its front. Unit length.
    float speed;          ///< Speed along `forward`; negative in reverse. [m/s]
    float radius;         ///< Radius of a circle round its body; in space, of a sphere. [m] [>= 0]
    float turning_radius; ///< Radius of the tightest circle that it can drive now. [m] [>= 0]
    float speed_max;      ///< Full speed. [m/s] [> 0]
    float acceleration;   ///< Greatest rate of gaining speed. [m/s²] [> 0]
    float braking;        ///< Greatest rate of losing speed. [m/s²] [> 0]
} kerb_agent;

/// Desired steering: what a behaviour wants the agent to do.
typedef struct kerb_steering {
    kerb_vec3 direction; ///< Desired direction of its front. Unit length; the zero vector: none.
    float speed;         ///< Target speed along its front; negative in reverse. [m/s]
} kerb_steering;

/// The desired steering "none": zero direction and zero speed. A behaviour returns it when it has
/// nothing to do. Combinations ignore it. On it, kerb_agent_step keeps direction and speed, but
/// kerb_steering_driver_drive brakes, because it is responsible for a real vehicle.
KERB_API kerb_steering kerb_steering_none(void);

/// Describes a vehicle as an agent. `turning_radius` is the tightest circle at the present speed,
/// by steering angle or by grip, whichever is wider. The agent is level: height and pitch are
/// ignored: give it goals and obstacles at height 0. Impossible motion: at standstill at 0. O(1)
KERB_API kerb_agent kerb_agent_of(const kerb_vehicle* vehicle, const kerb_motion* motion);

/// The desired steering as a force on a body of `mass` [kg], for engines that move bodies by
/// forces. It accelerates the body along its front by at most `acceleration` and `braking`, and
/// across its front by at most speed²/turning_radius. None gives no force. [N] O(1)
KERB_API kerb_vec3 kerb_steering_force(const kerb_agent* agent, const kerb_steering* desired,
                                       float mass, float time_step);

/// The agent one step later, when it follows the desired steering as well as it can: it turns by at
/// most |speed|·time_step / turning_radius and changes its speed within its limits. The figures in
/// the documentation were measured with this kinematic model. Hosts without physics may move their
/// agents by it. O(1)
KERB_API kerb_agent kerb_agent_step(const kerb_agent* agent, const kerb_steering* desired,
                                    float time_step);

// --------------------------------------------------------------------------- which behaviour?
//
// Which behaviour do I take? Behaviours of other headers are marked with their header.
//
// The agent has a fixed goal, or no goal at all:
//     kerb_seek              passes through a position at full speed
//     kerb_arrive            stops at a position
//     kerb_directed_seek     arrives at a position with a given heading (seek.h)
//     kerb_parker_drive      stops a vehicle exactly at a pose, reversing as needed (seek.h)
//     kerb_follow_path       stays in the corridor of a path
//     kerb_follow_wall       keeps a distance from a wall
//     kerb_follow_flow       goes with a field of directions
//     kerb_contain           stays inside a region
//     kerb_wander_steer      wanders at random
// It goes after a moving target:
//     kerb_pursue            meets the target, from any side; for all agents, also in space
//     kerb_directed_pursue  gets behind the target, with its heading: to shoot or dock (seek.h)
//     kerb_offset_pursue     reaches a place beside the target and moves along with it
//     kerb_interpose         gets between two others
//     kerb_chase             a car pursues a car; knows roads and body lengths, can ram (cars.h)
//     kerb_block             a car gets in front of a car and stops it (cars.h)
//     kerb_box_in            several cars stop a car between them (cars.h)
// It goes away from something:
//     kerb_flee              straight away from a position
//     kerb_evade             away from where a moving threat will be
//     kerb_hide              behind an obstacle, out of a threat's sight
//     kerb_escape            a car from pursuing cars, among walls; can reverse (cars.h)
// It must not touch something; these correct a desired steering that another behaviour returned:
//     kerb_avoid_obstacles   fixed obstacles: turns and brakes
//     kerb_avoid_agents      agents that call it as well: turns and brakes; no contact (group.h)
//     kerb_brake_for_cars    cars of its own team in a chase: only brakes; may touch (cars.h)
// It wants some distance, but may touch:
//     kerb_separation        one of the three urges of a flock (group.h)
// It keeps a place beside another:
//     kerb_offset_pursue     beside one leader, from anywhere; the place turns with the leader
//     kerb_formation_keep    in a shape of many that bends with the road; can reverse (group.h)
//     kerb_follow_leader     behind a leader; leaves the leader's path free (group.h)
//     kerb_keep_place        a car close beside a car, to within a metre; can reverse (cars.h)
//     kerb_escort            several cars round a car that they protect (cars.h)
//     kerb_convoy            a car in a column, on the trail of the first car (cars.h)
// It is one of many:
//     kerb_flock_steer       moves as one with the others near it (group.h)
//     kerb_queue             waits its turn at a gate (group.h)
//     kerb_gather            stops round a spot, or behind agents that are nearer (group.h)
//
// Words for distances, the same in all headers: a gap is the free distance between two bodies along
// the direction of travel; a clearance is the free distance to a body or edge at the side; a margin
// is an extra distance that is added round a body.

// --------------------------------------------------------------------------- single behaviours

// After C. Reynolds, "Steering behaviors for autonomous characters" (GDC 1999), changed for agents
// that cannot drive circles tighter than turning_radius. An agent reaches a position inside its
// turning circle by turning away from it first; it does not orbit the position.
//
// What holds for all of them: they are pure and allocate nothing. "None" in these comments is the
// result kerb_steering_none(). Numbers that are NaN or infinite give none. So may numbers that are
// too great to be squared: above 1e9, limits of an agent above 1e11, times above 1e6 s, and a
// `forward` longer than 2. Results are finite; a direction has unit length or is zero. A time step
// of 0 is allowed; only the last step before a goal is then less exact. Agents drive forwards.
// Level agents with level targets get level results, to the bit, except where a comment says
// otherwise. "Full speed" is the agent's speed_max. "A step" is the time `time_step` [s] [>= 0]
// until the next call.

/// A fixed obstacle: all points within `radius` of the straight line between two points. A disc or
/// sphere has both points at its centre. A wall or pole has half its thickness as radius, or 0.
typedef struct kerb_obstacle {
    kerb_vec3 from, to; ///< Ends of the line. [m]
    float radius;       ///< Distance from the line to the surface. [m] [>= 0]
} kerb_obstacle;

/// A disc; in space, a sphere.
KERB_API kerb_obstacle kerb_obstacle_round(kerb_vec3 centre, float radius);

/// A thin wall; in space, a thin pole.
KERB_API kerb_obstacle kerb_obstacle_between(kerb_vec3 from, kerb_vec3 to);

/// Length of the shortest path to a position, with any heading there: a turn and a straight, or, to
/// a position inside the turning circle, a turn away from it and a turn back. NaN when a number is
/// not finite. (Bui and others, 1994) [m] O(1)
KERB_API float kerb_seek_distance(const kerb_agent* agent, kerb_vec3 target);

/// Drives through a position at full speed, on the path that kerb_seek_distance measures. The agent
/// passes the position within 1 cm plus a tenth of the distance driven in a step, provided that it
/// drives at most a third of the turning radius in a step. None at the position (within 1 cm plus
/// 6% of a step's distance). O(1)
KERB_API kerb_steering kerb_seek(const kerb_agent* agent, kerb_vec3 target, float time_step);

/// Drives straight away at full speed from a position that is at most `distance` away [m]. None
/// when it is farther away, or when the agent is exactly at it (within 1 cm). O(1)
KERB_API kerb_steering kerb_flee(const kerb_agent* agent, kerb_vec3 threat, float distance);

/// As kerb_seek, but stops at the position, within 1 cm plus a tenth of the distance driven in a
/// step at full speed. It brakes at the agent's `braking`, as late as that allows. At the position
/// it returns speed 0. O(1)
KERB_API kerb_steering kerb_arrive(const kerb_agent* agent, kerb_vec3 target, float time_step);

/// The first time at which a pursuer that moves at `speed` can meet something at `offset` from it
/// that moves at `velocity`: the smallest t >= 0 with |offset + velocity·t| = speed·t. -1 when
/// there is no such time. [s] O(1)
KERB_API float kerb_intercept_time(kerb_vec3 offset, kerb_vec3 velocity, float speed);

/// Drives to where the agent first meets a moving target. It assumes full speed and counts the
/// agent's turns, but not the time to gain speed. It drives slower when it would arrive too early.
/// It looks at most `horizon` ahead [s] [>= 0]. When it cannot meet the target within that time, it
/// drives to where the target will be at the horizon. None at the target. O(1); most expensive
/// while the agent must still turn.
KERB_API kerb_steering kerb_pursue(const kerb_agent* agent, const kerb_agent* target, float horizon,
                                   float time_step);

/// Flees from where a threat will be. None when the threat is more than `distance` away now [m].
/// The agent looks ahead by half of the time until both are closest to each other, but at most
/// `horizon` [s]. With all of the time, a threat that comes straight at the agent would be
/// predicted beyond the agent, and the agent would flee towards it. O(1)
KERB_API kerb_steering kerb_evade(const kerb_agent* agent, const kerb_agent* threat, float distance,
                                  float horizon);

/// Drives to a place that moves with a leader, and then along with it at the leader's speed.
/// `offset` is the place in the leader's frame: x ahead, y to its left, z up [m]. From afar the
/// agent aims at where it will meet the place, at most `horizon` ahead [s]. A little ahead of the
/// place it slows down and waits for it, but at no less than 0.3 of the leader's speed. When the
/// leader is at standstill: as kerb_arrive. O(1)
KERB_API kerb_steering kerb_offset_pursue(const kerb_agent* agent, const kerb_agent* leader,
                                          kerb_vec3 offset, float horizon, float time_step);

/// Drives to where the midpoint between two others will be when the agent arrives, and then moves
/// along with the midpoint. Otherwise as kerb_offset_pursue. O(1)
KERB_API kerb_steering kerb_interpose(const kerb_agent* agent, const kerb_agent* first,
                                      const kerb_agent* second, float horizon, float time_step);

/// Drives behind an obstacle, as seen from the threat, and stops there. Each obstacle has a hiding
/// place: on the far side, where the agent's body has `clearance` [m] to the obstacle. The agent
/// takes the hiding place that is nearest in a straight line. It does not avoid obstacles on its
/// path there: combine with kerb_avoid_obstacles. None without obstacles. O(count)
KERB_API kerb_steering kerb_hide(const kerb_agent* agent, kerb_vec3 threat,
                                 const kerb_obstacle* obstacles, int32_t count, float clearance,
                                 float time_step);

/// How kerb_wander_steer wanders. Ranges and defaults: kerb_wander_settings_table.
typedef struct kerb_wander_settings {
    float speed;      ///< Target speed, at most the agent's speed_max. [m/s] [>= 0]
    float turn_rate;  ///< Greatest turn rate; less where turning_radius allows less. [rad/s] [>= 0]
    float climb_rate; ///< Greatest turn rate up and down; 0: stays level. [rad/s] [>= 0]
    float change_time; ///< Time in which the effect of an old turn rate falls to 37 %. [s] [> 0]
} kerb_wander_settings;

KERB_API const kerb_settings_table kerb_wander_settings_table;

/// All defaults.
KERB_API kerb_wander_settings kerb_wander_settings_default(void);

/// The state of one wandering agent. Made by kerb_wander_make.
typedef struct kerb_wander {
    kerb_random random;
    float turn;  ///< Present turn rate over the greatest one, left positive. [-1 … 1]
    float climb; ///< Present climb rate over the greatest one, up positive. [-1 … 1]
} kerb_wander;

/// The state for one agent. Another seed gives another random path.
KERB_API kerb_wander kerb_wander_make(uint64_t seed);

/// Wanders at random. The turn rate does a random walk between its two bounds and is reflected at
/// them. Every rate between the bounds is equally likely, from the first step on and at every frame
/// rate. Turns are never tighter than the agent's turning circle. Changes `wander`. O(1)
KERB_API kerb_steering kerb_wander_steer(kerb_wander* wander, const kerb_wander_settings* settings,
                                         const kerb_agent* agent, float time_step);

/// Drives along a path in its direction of travel, anywhere in its corridor. In space the corridor
/// reaches as far up and down as its narrower side is wide. The look-ahead is the distance that the
/// agent drives in `lookahead_time` [s], but at least half a turning radius. While the straight
/// line ahead stays in the corridor and along the path, it drives straight on; otherwise it steers
/// to the middle. It keeps the path's speed limits and stops at the end of an open path. `here` is
/// its location from kerb_path_track. It does not reverse, does not stop at the path's stops and
/// does not slow down for bends. O(points passed)
KERB_API kerb_steering kerb_follow_path(const kerb_agent* agent, const kerb_path* path,
                                        kerb_path_location here, float lookahead_time,
                                        float time_step);

/// Drives along the nearest wall, at `distance` from its surface [m] [>= 0], with the wall on its
/// left (`side` 1) or right (`side` -1), and round the ends of walls. It looks at the wall that
/// will be nearest in `lookahead_time` [s] and aims at least a turning radius ahead. It keeps its
/// height. None without walls. O(count)
KERB_API kerb_steering kerb_follow_wall(const kerb_agent* agent, const kerb_obstacle* walls,
                                        int32_t count, int32_t side, float distance,
                                        float lookahead_time);

/// The shape of a kerb_region.
typedef enum kerb_region_kind {
    KERB_REGION_POLYGON, ///< Level polygon, clockwise or anticlockwise; no edges cross.
    KERB_REGION_BOX,     ///< Box along the axes; level when box_min.z equals box_max.z.
    KERB_REGION_ROUND    ///< Sphere; for level agents a disc.
} kerb_region_kind;

/// "polygon", "box" or "round"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_region_kind_text(kerb_region_kind value);

/// A region to stay inside. Only the fields of its kind count, but all must be finite.
typedef struct kerb_region {
    int32_t kind;               ///< A kerb_region_kind.
    const kerb_vec2* corners;   ///< POLYGON: its corners. Read during the call only. [m]
    int32_t corner_count;       ///< POLYGON: number of corners. [>= 3]
    kerb_vec3 box_min, box_max; ///< BOX: its lowest and its highest corner. [m]
    kerb_vec3 centre;           ///< ROUND: its centre. [m]
    float radius;               ///< ROUND: its radius. [m]
} kerb_region;

/// Keeps the agent's whole body inside the region, `margin` away from the border [m] [>= 0].
///
/// An agent that has a free turning circle inside the region can stay inside for ever. While one
/// of its circles will still fit after this step, whatever the agent does in the step, the result
/// is none: the agent may follow another behaviour. Otherwise the agent drives on the circle
/// that fits, at its present speed or at a quarter of full speed, whichever is greater. So once a
/// circle has fitted, the agent never leaves the region again. Where no circle fits, it turns to
/// the better side at a quarter of full speed. O(corners); a box in space costs most.
KERB_API kerb_steering kerb_contain(const kerb_agent* agent, const kerb_region* region,
                                    float margin, float time_step);

/// A field of directions, given at the points of a regular grid.
typedef struct kerb_flow_field {
    /// Index [layer][row][column]. The length is a share of full speed. Read during the call only.
    /// [0 … 1]
    const kerb_vec3* directions;
    int32_t columns;  ///< Grid points along x. [>= 1]
    int32_t rows;     ///< Grid points along y. [>= 1]
    int32_t layers;   ///< Grid points along z; 1: the field is the same at every height. [>= 1]
    kerb_vec3 origin; ///< Position of the first grid point. [m]
    float spacing;    ///< Distance between neighbouring grid points. [m] [> 0]
} kerb_flow_field;

/// The field at a position, interpolated linearly between grid points. Outside the grid: as at its
/// border. O(1)
KERB_API kerb_vec3 kerb_flow_at(const kerb_flow_field* field, kerb_vec3 position);

/// Goes with the flow at the position that the agent will have in `lookahead_time` [s]. None where
/// there is no flow. O(1)
KERB_API kerb_steering kerb_follow_flow(const kerb_agent* agent, const kerb_flow_field* field,
                                        float lookahead_time);

/// Distance that the agent can drive, on a turn to `direction` and then straight on, before its
/// body comes closer to an obstacle than `margin` [m]. At most `horizon` [m] [> 0]. When it is
/// closer already: the distance that it can drive without coming closer still. 0 when the agent or
/// `direction` is not finite; obstacles that are not finite are ignored. [m] O(count) for each
/// checked position, at most 64 positions
KERB_API float kerb_free_distance(const kerb_agent* agent, kerb_vec3 direction,
                                  const kerb_obstacle* obstacles, int32_t count, float margin,
                                  float horizon);

/// How kerb_avoid_obstacles looks ahead. Ranges and defaults: kerb_avoid_obstacles_settings_table.
typedef struct kerb_avoid_obstacles_settings {
    int32_t space; ///< Where it may turn: 0 level (left and right), 1 space (up and down, too).
    float margin;  ///< Distance kept between its body and obstacles. [m] [>= 0]
    float lookahead_time; ///< Look-ahead beyond stopping distance and turning circle. [s] [>= 0]
} kerb_avoid_obstacles_settings;

KERB_API const kerb_settings_table kerb_avoid_obstacles_settings_table;

/// All defaults.
KERB_API kerb_avoid_obstacles_settings kerb_avoid_obstacles_settings_default(void);

/// Corrects a desired steering so that the agent does not touch an obstacle.
///
/// The result is `desired` itself when its direction is free. Otherwise it is the free direction
/// that is nearest to `desired` and to the agent's own: out of 32 directions on the level or 34 in
/// space. These are fixed in the world, so that a direction that was free stays free. The speed is
/// at most that from which the agent can stop in the free distance. When `desired` is none, the
/// agent is expected to go on as now. Obstacles farther than `goal_distance` do not count [m]
/// (INFINITY: all count). A desired steering in reverse is returned unchanged. An agent that is
/// blocked on all sides stops; kerb_stuck_watch (control.h) or the planner can back it out.
/// O(count) where `desired` is free, else up to 34 times that.
KERB_API kerb_steering kerb_avoid_obstacles(const kerb_avoid_obstacles_settings* settings,
                                            const kerb_agent* agent, const kerb_steering* desired,
                                            const kerb_obstacle* obstacles, int32_t count,
                                            float goal_distance, float time_step);

// --------------------------------------------------------------------------- combination

// Which combination do I take?
//     kerb_steering_blend     the weighted mean. Cheapest and smoothest, for behaviours that forbid
//                             nothing (flocking; wander with seek). Opposite directions cancel out.
//     kerb_steering_priority  for a few behaviours in a fixed order, where the first must not be
//                             outvoted (contain, then avoid, then seek).
//     kerb_context            a map of directions, for many behaviours among many dangers. It never
//                             takes the mean of left and right, and it can be drawn.
// kerb_directed_seek needs its desired steering followed exactly. kerb_avoid_obstacles and a
// context map pass it on unchanged wherever it is free; a blend does not.

/// The weighted mean of directions and of speeds. Entries that are none, or whose weight is not
/// above 0, are ignored. None when opposite directions cancel out. O(count)
KERB_API kerb_steering kerb_steering_blend(const kerb_steering* desired, const float* weights,
                                           int32_t count);

/// Combines in order of importance, the most important first. Each entry takes `shares[i]` of a
/// budget of 1, or what is left of the budget. The result is the mean, weighted by what each took.
/// Entries that are none take nothing. Any other entry with a share of 1 takes all that is left, so
/// that later entries have no effect. [shares: 0 … 1] O(count)
KERB_API kerb_steering kerb_steering_priority(const kerb_steering* desired, const float* shares,
                                              int32_t count);

/// Number of directions of a level context map: one every 22.5 degrees, beginning with the x axis.
#define KERB_CONTEXT_LEVEL 16
/// Number of directions of a context map in space: the 16 level ones, eight at 45 degrees above,
/// eight at 45 degrees below, straight up and straight down.
#define KERB_CONTEXT_SPACE 34

/// A context map: interest and danger of every direction (A. Fray, "Context behaviours know how to
/// share", GDC 2013). Directions are fixed in the world, so that a choice lasts while the agent
/// turns. Each direction represents a sector. It aims at the strongest desired steering that lies
/// in its sector, or else along the middle of the sector, so that no precision is lost.
typedef struct kerb_context {
    int32_t count;                           ///< KERB_CONTEXT_LEVEL or KERB_CONTEXT_SPACE.
    kerb_vec3 direction[KERB_CONTEXT_SPACE]; ///< Where each direction aims. Unit length.
    float interest[KERB_CONTEXT_SPACE];      ///< How desirable it is. [>= 0]
    float danger[KERB_CONTEXT_SPACE];        ///< How dangerous it is; 1: never taken. [0 … 1]
    float speed[KERB_CONTEXT_SPACE];         ///< Target speed there. [m/s]
    float speed_max[KERB_CONTEXT_SPACE];     ///< Greatest safe speed there. [m/s]
    float aimed_weight[KERB_CONTEXT_SPACE];  ///< Weight of the steering that it aims at. [>= 0]
} kerb_context;

/// An empty map, level or in space.
KERB_API kerb_context kerb_context_make(bool level);

/// Adds a desired steering. For each direction, a is its angle to `desired`. Where
/// `weight`·(1 + cos a)/2 is greater than the interest of the direction, the direction takes it as
/// its interest, and the desired speed as its speed. Call this before kerb_context_add_obstacles,
/// because it decides where the directions aim. [weight: > 0] O(directions)
KERB_API void kerb_context_add_steering(kerb_context* context, const kerb_steering* desired,
                                        float weight);

/// Adds danger in a direction. The danger of each direction at an angle a < 90 degrees from it
/// becomes `danger`·cos a [danger: 0 … 1], where that is greater than before. O(directions)
KERB_API void kerb_context_add_danger(kerb_context* context, kerb_vec3 direction, float danger);

/// Adds obstacles. The danger of a direction becomes the share of `horizon` [m] [> 0] that is not
/// free there (kerb_free_distance with `margin`), where that is greater than before. Its speed_max
/// becomes the speed from which the agent can stop in the free distance. O(directions · count)
KERB_API void kerb_context_add_obstacles(kerb_context* context, const kerb_agent* agent,
                                         const kerb_obstacle* obstacles, int32_t count,
                                         float margin, float horizon, float time_step);

/// The direction with the greatest interest·(1 - danger) as the desired steering; of equal ones the
/// first. None where that product is 0 everywhere. O(directions)
KERB_API kerb_steering kerb_context_decide(const kerb_context* context);

// --------------------------------------------------------------------------- driving a vehicle

/// How kerb_steering_driver_drive turns desired steering into pedals and steering. Ranges and
/// defaults: kerb_steering_driver_settings_table.
typedef struct kerb_steering_driver_settings {
    float acceleration;  ///< Greatest acceleration used, within the vehicle's. [m/s²] [> 0]
    float deceleration;  ///< Greatest deceleration used, within the vehicle's. [m/s²] [> 0]
    float grip_share;    ///< Share of the vehicle's grip used in turns. [1] [> 0]
    float response_time; ///< Time in which a small heading error decays to 1/e. [s] [> 0]
    float turn_time;     ///< It slows down so that turns take at most this time. [s] [> 0]
    kerb_speed_settings speed_control;
} kerb_steering_driver_settings;

KERB_API const kerb_settings_table kerb_steering_driver_settings_table;
KERB_API kerb_steering_driver_settings kerb_steering_driver_settings_default(void);

/// Drives a vehicle by desired steering. Plain data; change settings and vehicle at any time.
typedef struct kerb_steering_driver {
    kerb_steering_driver_settings settings;
    kerb_vehicle vehicle;
    kerb_controls controls; ///< Controls that it returned last.
    int32_t bad_frames;     ///< Frames with impossible motion or steering, or a bad or long step.
    /// What it remembers. No interface: see kerb/private/pedal_memory.h.
    kerb_pedal_memory memory;
    kerb_host_check host_check; ///< Names what the host tells wrongly. No interface: only read it.
} kerb_steering_driver;

/// A new driver with default settings. The vehicle must be valid (kerb_vehicle_validate).
KERB_API kerb_steering_driver kerb_steering_driver_make(const kerb_vehicle* vehicle);

/// Makes a driver in place, like kerb_steering_driver_make. See "saved objects" in kerb/base.h.
KERB_API void kerb_steering_driver_init(kerb_steering_driver* driver, const kerb_vehicle* vehicle);

/// Size of a driver. [bytes]
KERB_API size_t kerb_steering_driver_bytes(void);

/// Size of the block that saves a driver; writes the block where it fits. See kerb/base.h. [bytes]
KERB_API size_t kerb_steering_driver_save(const kerb_steering_driver* driver, void* block,
                                          size_t capacity);

/// Loads a driver from a block; refuses those of other types, versions and builds. See kerb/base.h.
KERB_API kerb_result kerb_steering_driver_load(kerb_steering_driver* driver, const void* block,
                                               size_t size, kerb_error* error);

/// Returns the controls that bring the vehicle to the desired direction and speed. It turns as fast
/// as wheels and grip allow, without overshoot.
/// - No direction: wheels straight, at the desired speed; at speed 0 it brakes and holds.
/// - From forwards to reverse, or back, it stops first.
/// - TRACKED and HOVER turn on the spot when the desired speed is 0. HOVER points its nose so that
///   it slides in the desired direction.
/// - For a large turn it slows down to the speed at which grip allows the turn in `turn_time`. It
///   does not slow down further where that would not make the turn tighter.
/// - WHEELED: throttle and brake use at most the grip that turning leaves. When the rear slides, it
///   steers against the slide and releases the pedals until the tyres hold.
/// - Of `surroundings` (NULL: no limits) only `speed_cap` and `grip` count.
/// - Impossible motion (kerb_motion_validate) or desired steering that is not finite: the safe
///   controls. A time step that is not finite or below KERB_TIME_STEP_MIN: the last controls again.
///   One above KERB_TIME_STEP_MAX: driven as that. `bad_frames` counts all these frames.
/// O(1), allocates nothing.
KERB_API kerb_controls kerb_steering_driver_drive(kerb_steering_driver* driver,
                                                  const kerb_steering* desired,
                                                  const kerb_motion* motion,
                                                  const kerb_surroundings* surroundings,
                                                  float time_step);

/// Moves what it remembers with the world's origin, as kerb_follower_shift_origin does. [m] O(1)
KERB_API void kerb_steering_driver_shift_origin(kerb_steering_driver* driver, kerb_vec3 new_origin);

#endif
