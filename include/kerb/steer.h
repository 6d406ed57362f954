// Kerb steer: where should this agent head now, and how fast?
//
// Reactive behaviours for anything that moves and cannot turn on the spot: cars, tanks, ships,
// aircraft, walkers. Each is a pure function of what is now: agent in, wish out; nothing is
// remembered between frames unless the behaviour's own small struct says so. Wishes combine, and
// what remains becomes a direction, a force, or a vehicle's controls.
//
//     kerb_agent agent = kerb_agent_of(&vehicle, &motion);
//     kerb_steering wish = kerb_directed_seek(&settings, &agent, &goal, time_step, NULL);
//     kerb_vec3 force = kerb_steering_force(&agent, &wish, mass, time_step);   // or
//     kerb_controls controls = kerb_steering_drive(&driver, &wish, &motion, NULL, time_step);
//
// Level agents leave every z at 0: the same functions then are two-dimensional, to the bit.
//
// Does not: find a way round what stands in the way (that is the planner's work).
#ifndef KERB_STEER_H
#define KERB_STEER_H

#include "control.h"
#include "curve.h"
#include "neighbour.h"
#include "path.h"

// --------------------------------------------------------------------------- agents and wishes

/// What a behaviour must know of who steers.
typedef struct kerb_agent {
    kerb_vec3 position; ///< of its middle [m]
    kerb_vec3 forward;  ///< the way it faces and drives, unit length
    float speed;        ///< along forward; negative: in reverse [m/s]
    float radius;       ///< of a circle, or in space a sphere, round its body [m] [>= 0]
    float turn_radius;  ///< of the tightest circle that it can drive now [m] [>= 0]
    float speed_max;    ///< [m/s] [> 0]
    float acceleration; ///< greatest, for gaining speed [m/s²] [> 0]
    float braking;      ///< greatest, for losing it [m/s²] [> 0]
} kerb_agent;

/// What a behaviour wishes.
typedef struct kerb_steering {
    kerb_vec3 direction; ///< that its front shall turn to, unit length; the zero vector: no wish
    float speed;         ///< wanted along its front; negative: in reverse [m/s]
} kerb_steering;

/// No wish: combining leaves it out; alone, agents go on as now, and kerb_steering_drive, which has
/// a vehicle to answer for, brakes.
KERB_API kerb_steering kerb_steering_none(void);

/// The agent that a vehicle is now: its tightest circle at this speed by steering and by grip.
/// Level: height and pitch are left out, so give it goals and obstacles at height 0.
KERB_API kerb_agent kerb_agent_of(const kerb_vehicle* vehicle, const kerb_motion* motion);

/// The wish as a force on a body of `mass`, for engines that steer by forces: within what the agent
/// can do, along its front by acceleration and braking, across it by v²/turn_radius. [N]
KERB_API kerb_vec3 kerb_steering_force(const kerb_agent* agent, const kerb_steering* wish,
                                       float mass, float time_step);

/// The agent one step later when it does what it wishes as well as it can: turns by at most
/// |speed|·time_step / turn_radius, and gains or loses speed within its limits. The kinematic
/// model that the documentation's figures are for; hosts without physics may move by it.
KERB_API kerb_agent kerb_agent_step(const kerb_agent* agent, const kerb_steering* wish,
                                    float time_step);

// --------------------------------------------------------------------------- single behaviours

// After C. Reynolds, "Steering behaviors for autonomous characters" (GDC 1999), for agents that
// drive circles no tighter than turn_radius. None supposes a turn on the spot: a place inside the
// turning circle is reached by turning away from it first, not orbited.
//
// All are pure, allocate nothing and may be called from any thread. Numbers that are NaN or
// infinite: kerb_steering_none(). A time step that is 0 only coarsens the last step. Agents steer
// forwards. Level agents and targets (every z 0) get level wishes, to the bit, where the text does
// not say otherwise.
//
// After something that moves, which one?
//     kerb_pursue            to touch it, from wherever; any agent, in space, too
//     kerb_directed_pursuit  to get behind it, facing as it does: to shoot, dock or escort
//     kerb_offset_pursue     to come to a place beside it and go along with it
//     kerb_chase             a car after a car: knows the road, bodies, and ramming ("cars")
// Away from something, which one?
//     kerb_flee              from a place, straight away
//     kerb_evade             from something that moves: from where it will be
//     kerb_escape            a car from cars, among walls: tries ways out, reverses ("cars")
// Not into others or things, which one?
//     kerb_avoid_obstacles   what stands: discs, spheres, walls; turns round them
//     kerb_keep_clear        who moves and asks it, too: no contact, by turns and brakes
//     kerb_keep_distance     own side in a chase, where touching is allowed: brakes only ("cars")
//     kerb_separation        an urge in a flock, no promise
// In a place beside another, which one?
//     kerb_offset_pursue     one companion, from anywhere; the place turns rigidly with its leader
//     kerb_formation_keep    many in a shape that bends with the way; waits, backs up, parks
//     kerb_keep_place        a car round a car's body, into a gap of a metre; reverses ("cars")

/// What may stand in the way: all within `radius` of the straight line between two points. A disc
/// or sphere has both at its middle; a wall or pole has radius 0 or its half thickness.
typedef struct kerb_obstacle {
    kerb_vec3 from, to; ///< [m]
    float radius;       ///< [m] [>= 0]
} kerb_obstacle;

/// A disc, or in space a sphere.
KERB_API kerb_obstacle kerb_obstacle_round(kerb_vec3 middle, float radius);

/// A thin wall, or in space a pole.
KERB_API kerb_obstacle kerb_obstacle_between(kerb_vec3 from, kerb_vec3 to);

/// Length of the shortest way to a place, facing any way there: turn and straight, or, to a place
/// inside the turning circle, a turn away from it and a turn back. [m] O(1), about 80 ns. NaN for
/// numbers that are not finite. (Bui and others, 1994)
KERB_API float kerb_seek_distance(const kerb_agent* agent, kerb_vec3 target);

/// To a place, at full speed and through it, by kerb_seek_distance's way. Passes it within 1 cm and
/// a tenth of the metres in a step, where a step is at most a third of the turning radius. At the
/// place (within 1 cm and 6 % of a step): no wish. O(1), about 70 ns.
KERB_API kerb_steering kerb_seek(const kerb_agent* agent, kerb_vec3 target, float time_step);

/// Away from a place that is at most `distance` away [m], at full speed; farther off, or at the
/// place: no wish. O(1)
KERB_API kerb_steering kerb_flee(const kerb_agent* agent, kerb_vec3 threat, float distance);

/// As kerb_seek, but stops at the place, within 1 cm and a tenth of the metres in a step at full
/// speed: brakes at `braking`, as late as that allows. At the place: to stand. O(1), about 120 ns.
KERB_API kerb_steering kerb_arrive(const kerb_agent* agent, kerb_vec3 target, float time_step);

/// The first time at which something at `offset` from a pursuer, moving at `velocity`, can be met
/// at `speed`: the least t >= 0 with |offset + velocity·t| = speed·t. -1 when there is none. [s]
KERB_API float kerb_intercept_time(kerb_vec3 offset, kerb_vec3 velocity, float speed);

/// To where a moving target is first met: at the agent's full speed, turns included, but not the
/// time that it needs to gain speed; slower where it would be there too early. Looks ahead at most
/// `horizon` [s]; so far also where the target cannot be caught. At the target: no wish. O(1),
/// about 150 ns when it faces the place to meet, 1 to 3 µs while it must turn.
KERB_API kerb_steering kerb_pursue(const kerb_agent* agent, const kerb_agent* target, float horizon,
                                   float time_step);

/// Away from where a threat at most `distance` away will be when it has come half of its way to
/// where both pass nearest as they go now, or in `horizon` [s]. Half, because a point beyond the
/// agent would make it flee towards a threat that comes straight at it. O(1)
KERB_API kerb_steering kerb_evade(const kerb_agent* agent, const kerb_agent* threat, float distance,
                                  float horizon);

/// To a place that moves with a leader, at `offset` in its frame (x ahead, y to its left, z up),
/// and then along with it at its speed. Far off, as kerb_pursue; a little ahead of the place it
/// waits for it at no less than three tenths of the leader's speed. With a leader that stands, as
/// kerb_arrive. O(1)
KERB_API kerb_steering kerb_offset_pursue(const kerb_agent* agent, const kerb_agent* leader,
                                          kerb_vec3 offset, float horizon, float time_step);

/// To the middle between two others, where it will be when the agent gets there; then along with
/// it. As kerb_offset_pursue. O(1)
KERB_API kerb_steering kerb_interpose(const kerb_agent* agent, const kerb_agent* first,
                                      const kerb_agent* second, float horizon, float time_step);

/// Behind the obstacle whose hiding place is nearest: `clearance` beyond it and the agent's own
/// radius [m], seen from the threat. Stops there. Does not avoid it: combine. No obstacle: no
/// wish. O(count)
KERB_API kerb_steering kerb_hide(const kerb_agent* agent, kerb_vec3 threat,
                                 const kerb_obstacle* obstacles, int32_t count, float clearance,
                                 float time_step);

/// How kerb_wander_drive wanders. A settings struct.
typedef struct kerb_wander_settings {
    float speed;       ///< [m/s] [>= 0]
    float turn_rate;   ///< greatest; less where the turning circle allows less [rad/s] [>= 0]
    float climb_rate;  ///< the same up and down; 0: stays level [rad/s] [>= 0]
    float change_time; ///< after which it no longer knows how it turned [s] [> 0]
} kerb_wander_settings;

KERB_API const kerb_settings_table kerb_wander_settings_table;

/// All defaults.
KERB_API kerb_wander_settings kerb_wander_settings_default(void);

/// What a wanderer remembers.
typedef struct kerb_wander {
    kerb_random random;
    float turn;  ///< share of the greatest turn rate, left positive [-1 … 1]
    float climb; ///< share of the greatest climb rate, up positive [-1 … 1]
} kerb_wander;

/// A wanderer of its own for every seed.
KERB_API kerb_wander kerb_wander_make(uint64_t seed);

/// Wanders about. The turn rate walks at random between its bounds and is thrown back at them: from
/// the first step on every rate between them is as likely as any other, at every frame rate, and
/// what it was fades by 1/e in `change_time`. Turns within the agent's circle. O(1)
KERB_API kerb_steering kerb_wander_drive(kerb_wander* wander, const kerb_wander_settings* settings,
                                         const kerb_agent* agent, float time_step);

/// Along a path in its direction of travel, anywhere in its corridor (in space as high, up and
/// down, as its narrower side is wide): as long as what lies ahead in `lookahead_time` [s], or in
/// half a turning radius if that is farther, goes along it and inside, straight on; else to the
/// middle. Keeps the path's speed limits, and stops at the end of an open one. `here`:
/// kerb_path_track's. Does not reverse, nor stop under way, nor slow down for bends. O(points
/// passed)
KERB_API kerb_steering kerb_follow_path(const kerb_agent* agent, const kerb_path* path,
                                        kerb_path_location here, float lookahead_time,
                                        float time_step);

/// Along the nearest wall, `distance` metres off its surface, with the wall on its left (`side` 1)
/// or right (-1). Round its ends, too. Aims at least a turning radius ahead. Level. No wall: no
/// wish. O(count)
KERB_API kerb_steering kerb_follow_wall(const kerb_agent* agent, const kerb_obstacle* walls,
                                        int32_t count, int32_t side, float distance,
                                        float lookahead_time);

typedef enum kerb_region_kind {
    KERB_REGION_POLYGON, ///< level, simple, in either sense
    KERB_REGION_BOX,     ///< level when least.z equals most.z
    KERB_REGION_ROUND    ///< a sphere; for level agents a disc
} kerb_region_kind;

/// Where to stay.
typedef struct kerb_region {
    int32_t kind;             ///< kerb_region_kind
    const kerb_vec2* corners; ///< POLYGON
    int32_t corner_count;     ///< POLYGON [>= 3]
    kerb_vec3 least, most;    ///< BOX: its corners [m]
    kerb_vec3 middle;         ///< ROUND [m]
    float radius;             ///< ROUND [m]
} kerb_region;

/// Stays inside with its whole body, `margin` metres from the border. It wishes nothing while one
/// of its turning circles fits inside whatever it does in this step, and else drives on the one
/// that fits, at its speed: so whatever it does otherwise, it never leaves a region that it was in
/// with a circle to drive. Where none fits it turns to the better side, at a quarter of its full
/// speed. O(corners); a box in space about 1 µs.
KERB_API kerb_steering kerb_contain(const kerb_agent* agent, const kerb_region* region,
                                    float margin, float time_step);

/// Directions on a grid of places.
typedef struct kerb_flow_field {
    const kerb_vec3* directions; ///< [layers][rows][columns] lengths: share of full speed [0 … 1]
    int32_t columns;             ///< along x [>= 1]
    int32_t rows;                ///< along y [>= 1]
    int32_t layers;              ///< along z; 1: the same at every height [>= 1]
    kerb_vec3 origin;            ///< of the first place [m]
    float spacing;               ///< between places [m] [> 0]
} kerb_flow_field;

/// The field at a place, linear between the grid's places; beyond them, as at the border. O(1)
KERB_API kerb_vec3 kerb_flow_at(const kerb_flow_field* field, kerb_vec3 place);

/// With the flow where the agent will be in `lookahead_time` [s]. No flow there: no wish. O(1)
KERB_API kerb_steering kerb_follow_flow(const kerb_agent* agent, const kerb_flow_field* field,
                                        float lookahead_time);

/// How far an agent can turn to `direction` and then drive on, before it comes closer to an
/// obstacle than `margin`; at most `horizon`. Closer from the start: than it is. [m] O(count),
/// times the points where it looks, at most 64.
KERB_API float kerb_free_distance(const kerb_agent* agent, kerb_vec3 direction,
                                  const kerb_obstacle* obstacles, int32_t count, float margin,
                                  float horizon);

/// How kerb_avoid_obstacles looks ahead. A settings struct.
typedef struct kerb_obstacles_settings {
    int32_t space; ///< choice: 0 level (turns to the side only), 1 space (above and below, too)
    float margin;  ///< to keep from obstacles [m] [>= 0]
    float time;    ///< looks so far ahead, beyond stopping distance and turning circle [s] [>= 0]
} kerb_obstacles_settings;

KERB_API const kerb_settings_table kerb_obstacles_settings_table;

/// All defaults.
KERB_API kerb_obstacles_settings kerb_obstacles_settings_default(void);

/// The wish itself where its way is free, else the direction nearest to it and to the agent's own
/// that is: out of 32 on the level or 34 in space, fixed in the world, so that what was free stays
/// so. Never faster than stops in time. `wish` none: on as now. `goal_distance`: what lies farther
/// is not in the way [m] (INFINITY: all is). Wishes to reverse pass on as they are. Blocked on all
/// sides it stands: the way out in reverse is the stuck manager's or the planner's. O(count) where
/// the wish is free, up to 34 times that: among 20 obstacles 1 to 10 µs.
KERB_API kerb_steering kerb_avoid_obstacles(const kerb_obstacles_settings* settings,
                                            const kerb_agent* agent, const kerb_steering* wish,
                                            const kerb_obstacle* obstacles, int32_t count,
                                            float goal_distance, float time_step);

// --------------------------------------------------------------------------- combination

// Three ways to make one wish of several. A sum is cheapest and smoothest, for wishes that never
// forbid (flocking, wander with seek); opposite ones cancel out. Priority is for a few that must
// not be outvoted, in order (contain, then avoid, then seek). A context map is for many wishes
// among many dangers: it never takes the mean of left and right, and shows what it weighs. A wish
// that must be met exactly, as kerb_directed_seek's, goes through kerb_avoid_obstacles, or a
// context map, unchanged wherever it is free; in a sum it does not.

/// The weighted mean of directions and of speeds; none are left out, weights not above 0 too.
/// Opposite ones that cancel out: none. O(count)
KERB_API kerb_steering kerb_steering_sum(const kerb_steering* wishes, const float* weights,
                                         int32_t count);

/// Wishes in order, the most important first; each takes `shares[i]` of a budget of 1, or what is
/// left of it, and the result is their mean by what they took. A share of 1 lets nothing through to
/// later ones while it wishes anything. O(count)
KERB_API kerb_steering kerb_steering_priority(const kerb_steering* wishes, const float* shares,
                                              int32_t count);

/// Directions of a level context map: every 22.5 degrees from x on.
#define KERB_CONTEXT_LEVEL 16
/// And of one in space: those, eight each 45 degrees above and below, straight up, straight down.
#define KERB_CONTEXT_SPACE 34

/// Interest and danger by direction (A. Fray, "Context behaviours know how to share", GDC 2013).
/// Directions are fixed in the world, so that a choice lasts while the agent turns. A direction
/// aims at the strongest wish that lies in it, else along its middle: nothing is lost by rounding.
typedef struct kerb_context {
    int32_t count;                           ///< KERB_CONTEXT_LEVEL or KERB_CONTEXT_SPACE
    kerb_vec3 direction[KERB_CONTEXT_SPACE]; ///< where each aims, unit length
    float interest[KERB_CONTEXT_SPACE];      ///< [>= 0]
    float danger[KERB_CONTEXT_SPACE];        ///< [0 … 1] 1: never
    float speed[KERB_CONTEXT_SPACE];         ///< wished there [m/s]
    float speed_most[KERB_CONTEXT_SPACE];    ///< safe there [m/s]
    float held[KERB_CONTEXT_SPACE];          ///< interest of the wish that each aims at
} kerb_context;

/// An empty map.
KERB_API kerb_context kerb_context_make(bool level);

/// Adds a wish: each direction keeps the greatest of `weight`·(1 + cosine)/2 so far, and the speed
/// that goes with it. [weight: > 0] Call before kerb_context_add_obstacles: it decides where
/// directions aim. O(directions)
KERB_API void kerb_context_add_wish(kerb_context* context, const kerb_steering* wish, float weight);

/// Adds danger towards a direction: `danger`·cosine in those within 90 degrees of it, where that is
/// more than there was. [danger: 0 … 1] O(directions)
KERB_API void kerb_context_add_danger(kerb_context* context, kerb_vec3 direction, float danger);

/// Adds obstacles: the danger of a direction is the share of `horizon` metres that is not free that
/// way (kerb_free_distance), and its speed one that stops in time. O(directions × count): on the
/// level 20 obstacles about 10 µs.
KERB_API void kerb_context_add_obstacles(kerb_context* context, const kerb_agent* agent,
                                         const kerb_obstacle* obstacles, int32_t count,
                                         float margin, float horizon, float time_step);

/// The direction with the most interest·(1 - danger), of equal ones the first, as a wish; none
/// where that is 0 everywhere. O(directions)
KERB_API kerb_steering kerb_context_decide(const kerb_context* context);

// --------------------------------------------------------------------------- driving by wishes

/// How kerb_steering_drive turns a wish into pedals and steering. A settings struct.
typedef struct kerb_steering_driver_settings {
    float acceleration;         ///< greatest that it uses, within the vehicle's [m/s²] [> 0]
    float deceleration;         ///< likewise [m/s²] [> 0]
    float lateral_acceleration; ///< share of the vehicle's grip that it uses [1] [> 0]
    float response_time;        ///< small errors of the heading fade over this time [s] [> 0]
    float turn_time;            ///< slows down to turn to the wish in this time, grip allowing [s]
    kerb_speed_settings speed_control;
} kerb_steering_driver_settings;

KERB_API const kerb_settings_table kerb_steering_driver_settings_table;

/// All defaults.
KERB_API kerb_steering_driver_settings kerb_steering_driver_settings_default(void);

/// What drivers of this room remember of their pedals.
typedef struct kerb_pedal_memory {
    kerb_speed_controller speed_control;
    kerb_gearbox gearbox;
    int32_t travel; ///< 1 forwards, -1 in reverse, 0: none yet
    float held;     ///< deceleration added to hold it against who pushes [m/s²]
} kerb_pedal_memory;

/// Turns wishes into the controls of a vehicle. Plain data; change settings and vehicle any time.
typedef struct kerb_steering_driver {
    kerb_steering_driver_settings settings;
    kerb_vehicle vehicle;
    kerb_controls controls; ///< that it gave last
    int32_t bad_frames;     ///< frames with motion or wishes that were not finite, or a bad step
    kerb_pedal_memory memory;
} kerb_steering_driver;

/// A driver at the start of its life, default settings. The vehicle must be valid.
KERB_API kerb_steering_driver kerb_steering_driver_make(const kerb_vehicle* vehicle);

/// The controls that bring the vehicle's front to the direction that is wished, as fast as its
/// wheels and its grip allow and without swinging past, and it to the speed. No direction: wheels
/// straight, at the speed of the wish (0: it brakes and holds). A change between forwards and
/// reverse comes after a stop. What turns where it stands (TRACKED, HOVER) does so when wished a
/// speed of 0. A hovercraft aims its nose so that it slides the way that is wished. Of
/// `surroundings` (may be NULL) it heeds speed_cap and grip. O(1), allocates nothing.
///
/// Where the way must turn by much, it slows down to what grip allows in `turn_time`, but no
/// further than helps. Wheels get no more throttle and brake than turning leaves of their grip, and
/// a rear that slides is steered after, pedals let go, until it holds. Motion or wishes that are
/// not finite give the safe controls; a bad time step (see kerb_follower_drive) the last ones.
KERB_API kerb_controls kerb_steering_drive(kerb_steering_driver* driver, const kerb_steering* wish,
                                           const kerb_motion* motion,
                                           const kerb_surroundings* surroundings, float time_step);

#endif
