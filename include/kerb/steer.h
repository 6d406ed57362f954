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

// --------------------------------------------------------------------------- directed seek

// Arriving at a place and facing a given way there, for what cannot turn on the spot (M. Jakob,
// "Directional extensions of seek steering behavior"). Each step thinks the way out anew from where
// the agent is: nothing is remembered, and being pushed aside does no harm.
//
// Agents move in steps, so they leave an arc a little before or after its end, and exactly no way
// of the same kind leads on from there. So circles that miss one another by a little count as
// touching, and turns that lack a little of a whole circle count as little turns the other way. A
// little is `arrival_distance` and `arrival_share` of the metres in a step. The agent passes the
// goal within about that, where a step is at most a tenth of the turning radius.

/// Which ways are thought out, and which of them is the best.
typedef enum kerb_directed_way {
    KERB_DIRECTED_PAPER,        ///< by the circle on the agent's side of the goal: least turning
    KERB_DIRECTED_BOTH_CIRCLES, ///< by either circle beside the goal: least turning
    KERB_DIRECTED_DUBINS,       ///< by all six words of Dubins: least length
    KERB_DIRECTED_REVERSE       ///< by the words of Reeds and Shepp, in reverse where shorter
} kerb_directed_way;

/// How wide turns are planned for an agent whose tightest circle depends on its speed.
typedef enum kerb_directed_radius {
    KERB_DIRECTED_RADIUS_AGENT,  ///< as the agent's now
    KERB_DIRECTED_RADIUS_LARGER, ///< as the agent's now or at the goal's speed: the larger
    KERB_DIRECTED_RADIUS_TWO     ///< the first as the agent's now, the last as at the goal's speed
} kerb_directed_radius;

/// Where the ways lie. For agents on the level both are the same.
typedef enum kerb_directed_space {
    KERB_DIRECTED_LEVEL,     ///< heights count for nothing
    KERB_DIRECTED_ONE_PLANE, ///< in the plane through the agent and the goal's line (section 4)
    KERB_DIRECTED_TWO_PLANES ///< turns at once into the straight, in a plane of its own (section 6)
} kerb_directed_space;

/// Goals nearer than so many turning radii need not be reached in space from every heading; all
/// others are.
#define KERB_DIRECTED_SPACE_LEAST 6.0f

/// How kerb_directed_seek thinks. A settings struct.
typedef struct kerb_directed_seek_settings {
    int32_t way;    ///< kerb_directed_way
    int32_t radius; ///< kerb_directed_radius; KERB_DIRECTED_DUBINS and _REVERSE: TWO is LARGER
    int32_t space;  ///< kerb_directed_space; off the level, REVERSE is BOTH_CIRCLES
    float arrival_distance; ///< from the goal that counts as there, or on the way [m] [>= 0]
    float arrival_share;    ///< and of the metres in a step [1] [>= 0]
} kerb_directed_seek_settings;

KERB_API const kerb_settings_table kerb_directed_seek_settings_table;

/// All defaults.
KERB_API kerb_directed_seek_settings kerb_directed_seek_settings_default(void);

/// Where to arrive, and how.
typedef struct kerb_directed_goal {
    kerb_vec3 position; ///< [m]
    kerb_vec3 forward;  ///< the way to face there, of any length but 0
    float speed;        ///< wanted there; the agent brakes in time for it; 0: stop [m/s] [>= 0]
    float turn_radius;  ///< the agent's tightest circle at that speed [m] [> 0]
} kerb_directed_goal;

/// What part of its way the agent is on (paper, section 3.5).
typedef enum kerb_directed_stage {
    KERB_DIRECTED_LOST,     ///< no way: numbers that are none, a goal without a direction
    KERB_DIRECTED_TURN,     ///< I: turns towards the straight, or on to the last turn
    KERB_DIRECTED_STRAIGHT, ///< II
    KERB_DIRECTED_LAST,     ///< III: turns into the goal's direction
    KERB_DIRECTED_THERE     ///< the goal lies within this step
} kerb_directed_stage;

/// What kerb_directed_seek thought, to be drawn or measured.
typedef struct kerb_directed_thoughts {
    int32_t stage;                    ///< kerb_directed_stage
    char word[KERB_CURVE_PIECES + 1]; ///< "RSL": right, straight, left; small: reverse; in space C
    float turning;                    ///< all that it will turn [rad]
    float distance;                   ///< all that it will drive [m]
    kerb_vec3 first_centre;           ///< of the circle that it turns on first
    kerb_vec3 last_centre;            ///< of the circle that it turns on last
    float first_radius, last_radius;  ///< [m]
    kerb_vec3 straight_from;          ///< where the first turn ends
    kerb_vec3 straight_to;            ///< where the last turn begins
} kerb_directed_thoughts;

/// The wish of one step on the way to `goal`: straight on, or across to the side of a turn, or, in
/// a step in which a turn ends or begins, just what leads on. `thoughts` may be NULL. Numbers that
/// are NaN or infinite, a goal without a direction (on the level: without one along it), or a time
/// step below 0: kerb_steering_none(), and KERB_DIRECTED_LOST. On the level about 80 ns
/// by PAPER, BOTH_CIRCLES and DUBINS three times, REVERSE six times that. In two planes a
/// first turn costs about 1 µs.
KERB_API kerb_steering kerb_directed_seek(const kerb_directed_seek_settings* settings,
                                          const kerb_agent* agent, const kerb_directed_goal* goal,
                                          float time_step, kerb_directed_thoughts* thoughts);

// --------------------------------------------------------------------------- where to arrive

/// What a weapon, a camera, a hose … reaches from an agent's middle.
typedef struct kerb_attack_arc {
    float range_least; ///< [m] [>= 0]
    float range_most;  ///< [m] [>= range_least]
    float middle;      ///< of the arc, from the front, left positive; π/2: broadside to port [rad]
    float half_width;  ///< of the arc, to all sides of its middle: in space a cone [rad] [>= 0]
} kerb_attack_arc;

/// True when the target lies within range and arc now; in space as from an agent without a bank.
/// O(1)
KERB_API bool kerb_attack_reaches(const kerb_agent* agent, const kerb_attack_arc* arc,
                                  kerb_vec3 target);

/// A pose from which the target lies within range and arc, with a seventh of either to spare: that
/// with the shortest way of Dubins, nearly. To be there with `speed`; 0: to stop there. Keep it
/// until the target has moved: asked in every step, one in a hundred changes its mind on the way.
/// Where the agent is, when the target is within reach already, or when numbers are NaN or
/// infinite. On the level about 30 µs, in space 0.6 ms: there by kerb_directed_seek in two planes,
/// which reaches it for sure from KERB_DIRECTED_SPACE_LEAST turning radii on.
KERB_API kerb_directed_goal kerb_attack_goal(const kerb_agent* agent, const kerb_attack_arc* arc,
                                             kerb_vec3 target, float speed);

/// The agent after a time when it goes on turning: `turning` is the axis times radians a second,
/// left on the level (0, 0, rate). With speed kept, on an arc, in space a helix; a time below 0:
/// where it was. O(1)
KERB_API kerb_agent kerb_agent_predict(const kerb_agent* agent, kerb_vec3 turning, float time);

/// Pursues a target to a place `gap` metres behind it on its arc (kerb_agent_predict), facing and
/// as fast as the target will then: it arrives there at the first time up to `horizon` seconds at
/// which it can, by the way that these settings take; where it never can, it heads for the place at
/// the horizon. Once there it keeps the place. `goal`, where they meet, may be NULL. Numbers that
/// are NaN or infinite: kerb_steering_none(). About 9 µs
/// by DUBINS. [gap: >= 0; horizon: > 0]
KERB_API kerb_steering kerb_directed_pursuit(const kerb_directed_seek_settings* settings,
                                             const kerb_agent* agent, const kerb_agent* target,
                                             kerb_vec3 turning, float gap, float horizon,
                                             float time_step, kerb_directed_goal* goal);

/// Where the agent in a slot (kerb_formation_slot) arrives when the formation's leader arrives at
/// its goal: in its place beside it, facing the same way, climbing or not. For bends the leader's
/// way should be wider than the agents' own by half the formation's width: make its turn_radius so
/// much more. O(1)
KERB_API kerb_directed_goal kerb_formation_goal(const kerb_directed_goal* leader,
                                                const kerb_agent* agent, kerb_vec3 slot);

/// The share of `speed` with which one who has `distance` metres left (kerb_directed_thoughts)
/// arrives together with the one who has most of all: the inner ones of a bend drive slower, the
/// outermost at `speed`. To be their speed_max, so that they plan with it. [m/s] O(1)
KERB_API float kerb_formation_pace(float speed, float distance, float distance_most);

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

// --------------------------------------------------------------------------- groups

/// Many agents, one array for each number of kerb_agent, for kernels that run over them. The arrays
/// are the caller's. Level agents may leave z and forward_z NULL, both.
typedef struct kerb_agents {
    int32_t count; ///< [>= 0]
    float *x, *y, *z;
    float *forward_x, *forward_y, *forward_z;
    float* speed;
    float* radius;
    float* turn_radius;
    float* speed_max;
    float* acceleration;
    float* braking;
} kerb_agents;

/// One of them. O(1)
KERB_API kerb_agent kerb_agents_get(const kerb_agents* agents, int32_t index);

/// Writes one of them. O(1)
KERB_API void kerb_agents_set(const kerb_agents* agents, int32_t index, const kerb_agent* agent);

/// Those to whom a behaviour of groups looks: `count` of `agents`, named by `indices` (as
/// kerb_neighbours_within gives them), or the first `count` where indices is NULL.
typedef struct kerb_group {
    const kerb_agents* agents;
    const int32_t* indices;
    int32_t count;
    int32_t self; ///< who looks: left out of the group; -1: is none of them
} kerb_group;

/// Away from those within `radius`, the more from the nearer: each pushes by radius/distance -
/// distance/radius, closer than a tenth of the radius as at it. Speed: speed_max times that push,
/// at most 1 of it. Those in the same place push to one side, which side and how hard
/// depends on `self` alone, so that they part. None: nobody pushes. O(count)
KERB_API kerb_steering kerb_separation(const kerb_agent* agent, const kerb_group* group,
                                       float radius);

/// The mean heading and mean speed of those within `radius`. None: nobody is. O(count)
KERB_API kerb_steering kerb_alignment(const kerb_agent* agent, const kerb_group* group,
                                      float radius);

/// To the middle of those within `radius`, at speed_max times its distance / radius. None: nobody
/// is, or one is there. O(count)
KERB_API kerb_steering kerb_cohesion(const kerb_agent* agent, const kerb_group* group,
                                     float radius);

/// How a flock keeps together: Reynolds' three urges (1987). A settings struct. Each urge adds so
/// many metres per second to the velocity that an agent wishes: separation for each neighbour
/// times radius/distance - distance/radius, alignment for the mean difference of headings, cohesion
/// for the distance to the middle over the radius.
typedef struct kerb_flock_settings {
    float separation_radius; ///< [m] [> 0]
    float alignment_radius;  ///< [m] [> 0]
    float cohesion_radius;   ///< [m] [> 0]
    float separation;        ///< [m/s] [>= 0]
    float alignment;         ///< [m/s] [>= 0]
    float cohesion;          ///< [m/s] [>= 0]
    float view;              ///< sees others up to so far from its front, to either side [rad]
    float speed;             ///< wished when nobody is near [m/s]
    float speed_least;       ///< below which no urge brings it; 0: may stop [m/s]
} kerb_flock_settings;

KERB_API const kerb_settings_table kerb_flock_settings_table;

/// All defaults.
KERB_API kerb_flock_settings kerb_flock_settings_default(void);

/// All three at once. Those of the group whom it does not see make no difference, to the bit; the
/// order of the others does, to a rounding. None for an agent that is not finite.
/// O(count)
KERB_API kerb_steering kerb_flock_steer(const kerb_flock_settings* settings,
                                        const kerb_agent* agent, const kerb_group* group);

/// The step of kerb_flock_update, for one: to mix members of a flock with others to the same bits.
/// For all else use kerb_agent_step, which holds circles and speeds exactly as directed seek plans
/// them; this one costs less: without a sine, so that the greatest turn in a step, of angle a,
/// is a³/12 less (never tighter than the turning radius), and speed changes evenly over the step. A
/// wish that is none or not finite: goes on as now. An agent that is not finite stays what it is.
/// [time_step: >= 0]
KERB_API kerb_agent kerb_flock_step(const kerb_agent* agent, const kerb_steering* wish,
                                    float time_step);

/// A flock: who is near whom, and what a frame needs. Made once, for at most `capacity` agents.
typedef struct kerb_flock {
    kerb_neighbour_grid grid;
    float* arrays; ///< what is worked out for each agent
    void* memory;  ///< of kerb_flock_create; NULL: none
    size_t size;   ///< of that
    kerb_allocator allocator;
} kerb_flock;

/// Errors: OUT_OF_RANGE (capacity, from 1 to KERB_NEIGHBOUR_CAPACITY_MAX / 4), OUT_OF_MEMORY.
KERB_API kerb_result kerb_flock_create(kerb_flock* flock, int32_t capacity, const kerb_host* host,
                                       kerb_error* error);

/// Gives the memory back. A zeroed flock is left alone.
KERB_API void kerb_flock_destroy(kerb_flock* flock);

/// Lets every agent do what kerb_flock_steer wishes: those around each are found by the grid in the
/// order of kerb_neighbours_within with the greatest radius, then kerb_flock_step. All see where
/// the others are before the step. The bits are those of the three functions, one agent after the
/// other. Agents that are not finite neither move nor are seen. No allocation.
/// O(agents · neighbours); an agent with 15 neighbours: 140 ns, built for AVX2 80 ns.
KERB_API void kerb_flock_update(kerb_flock* flock, const kerb_flock_settings* settings,
                                const kerb_agents* agents, float time_step);

// --------------------------------------------------------------------------- groups: keeping clear

/// How agents keep clear of one another by what wheels can do. A settings struct.
typedef struct kerb_clearance_settings {
    int32_t space;  ///< choice: 0 level (heights count for nothing), 1 space (above and below, too)
    float margin;   ///< kept between two, half of it at the least, beside their radii [m] [> 0]
    float horizon;  ///< looks ahead for who would come too near [s]; 0: brakes only in time [>= 0]
    float courtesy; ///< leaves so much of the way to who is nearer to where ways cross [m] [>= 0]
    float swerve;   ///< turns aside from its wish by up to this share of a right angle [0 … 1]
} kerb_clearance_settings;

KERB_API const kerb_settings_table kerb_clearance_settings_table;

/// All defaults.
KERB_API kerb_clearance_settings kerb_clearance_settings_default(void);

/// The wish of one step that comes nearest to `wish` and keeps clear of the group: a turn that the
/// agent can drive, and a speed that it can have, out of a few dozen. Never sidewards, never
/// backwards, no turn on the spot. In space for what can stop there (drones, submarines): wings
/// that must keep a speed are kept apart by foresight only, as far as it goes.
///
/// Contact is ruled out where all of a group ask this, each with its own index in `self`, the same
/// time step and settings, move by kerb_agent_step or kerb_flock_step, all at once, and began
/// clear: each keeps the strip in which it could stop, straight ahead, out of the others'. Of two
/// that want the same place in one step the lower index has it, and the higher can still stop.
///
/// Beyond that both look ahead over the horizon, each counting on the other to do as much as
/// itself (reciprocal, after van den Berg, 2008); to the right when either side is as good.
///
/// Who is not finite is left out; an agent that is not finite wishes nothing. With 10 others within
/// reach about 4 µs, in space 9. O(count)
KERB_API kerb_steering kerb_keep_clear(const kerb_clearance_settings* settings,
                                       const kerb_agent* agent, const kerb_steering* wish,
                                       const kerb_group* group, float time_step);

// --------------------------------------------------------------------------- groups: waiting

/// A gate: drive through its middle along `direction`.
typedef struct kerb_gate {
    kerb_vec3 position;  ///< of its middle [m]
    kerb_vec3 direction; ///< through it, level, of any length but 0
    float speed;         ///< through it [m/s] [> 0]
} kerb_gate;

/// Queues at a gate: drives through its middle along its direction, as kerb_directed_seek by
/// DUBINS, from whatever side; but leaves those of the group that have a shorter way there (of two
/// as short, the lower index) that way, and waits before it. Who is through is in nobody's way; who
/// is just behind the gate, farther beside than its own radius, comes round. Of any number that
/// wait the nearest always may go. O(count)
KERB_API kerb_steering kerb_queue(const kerb_agent* agent, const kerb_gate* gate,
                                  const kerb_group* group, float time_step);

/// Gathers round a spot: drives towards it and stops at `distance` from it, or where it would come
/// nearer than `gap` to one of the group that is nearer to the spot and in its way. O(count)
KERB_API kerb_steering kerb_gather(const kerb_agent* agent, kerb_vec3 spot, float distance,
                                   float gap, const kerb_group* group);

/// Follows a leader, `gap` metres behind its back, as kerb_formation_keep keeps a place; who finds
/// itself in the way of a leader that drives gives way to the side. O(1)
KERB_API kerb_steering kerb_follow_leader(const kerb_agent* agent, const kerb_agent* leader,
                                          float gap, float time_step);

// --------------------------------------------------------------------------- groups: formation

/// Shapes in which agents drive with a leader, who is number 0.
typedef enum kerb_formation_shape {
    KERB_FORMATION_LINE,   ///< abreast, by turns left and right of the leader
    KERB_FORMATION_COLUMN, ///< one behind the other
    KERB_FORMATION_WEDGE,  ///< as geese fly
    KERB_FORMATION_BOX,    ///< rows as many as columns, the leader in the middle of the first
    KERB_FORMATION_RING    ///< round the leader
} kerb_formation_shape;

/// Where number `index` of `count` stands in the shape: metres ahead of the leader (x) and to its
/// left (y). No two slots are nearer than `spacing`. Shapes lie flat (z 0): who flies stacked or
/// stepped down adds heights, in metres above (z). O(1) [0 <= index < count; spacing > 0]
KERB_API kerb_vec3 kerb_formation_slot(kerb_formation_shape shape, int32_t index, int32_t count,
                                       float spacing);

/// Who takes which slot: `slots[i]` of agent i is exchanged until no two would together be better
/// off (by the sum of their distances, by more than `reluctance` metres) with each other's.
/// So no two ways cross, and who has a slot keeps it unless it pays. `slots` holds 0 … count-1,
/// each once, before and after; `places` are the slots' in the world. At most count² exchanges a
/// call. Returns how many there were. O(count²) each pass
KERB_API int32_t kerb_formation_assign(const kerb_vec3* positions, const kerb_vec3* places,
                                       int32_t* slots, int32_t count, float reluctance);

/// A place in a formation as it moves.
typedef struct kerb_formation_place {
    kerb_vec3 position; ///< [m]
    kerb_vec3 forward;  ///< unit length
    float speed;        ///< along forward [m/s]
    float curvature;    ///< turn of its heading by the metre of its way, left positive [1/m]
} kerb_formation_place;

/// Where a slot is while the leader drives a bend of `curvature`: as far along the leader's circle
/// as the slot lies ahead or behind, then to its side. So columns follow the bend, and no two
/// cross or fold together in it, as long as |curvature| times the shape's half width is below 1:
/// the inner ones drive slower by that much, the outer ones faster. A leader that climbs flies a
/// helix then; slots lie in the frame of its way: x along it, y level, z across both, as if no
/// wings were banked. So in a climbing bend the outer ones climb less steeply, but faster. O(1)
KERB_API kerb_formation_place kerb_formation_place_of(const kerb_agent* leader, float curvature,
                                                      kerb_vec3 slot);

/// Where a slot is while the leader is at `here` of a path (kerb_path_track's) and drives along it
/// at `speed`: as far along the path as the slot lies ahead or behind, then to its side; beyond the
/// ends of an open one straight on. Into a bend and out of it places move evenly, one after the
/// other, as no circle of kerb_formation_place_of makes them: for wedges, boxes and columns on a
/// road. The same bound holds for the path's bends. The frame of a slot is that of
/// kerb_formation_place_of; where the path begins to climb, places above drive a little slower.
/// O(points passed)
KERB_API kerb_formation_place kerb_formation_place_along(const kerb_path* path,
                                                         kerb_path_location here, float speed,
                                                         kerb_vec3 slot);

/// Drives to a place in a formation and along with it. Who is ahead of a place that comes waits for
/// it. To one that stands, or comes so slowly that to wait would take longer than two rounds, it
/// drives as kerb_directed_seek by DUBINS, and stops there facing as the place does. Who is in line
/// with one that stands, at most half its own radius aside, and ahead of it by less than its
/// turn_radius, backs up instead. Numbers that are NaN or infinite: kerb_steering_none(). O(1),
/// about 50 ns, to a place that stands 300 ns.
KERB_API kerb_steering kerb_formation_keep(const kerb_agent* agent,
                                           const kerb_formation_place* place, float time_step);

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

// --------------------------------------------------------------------------- parking

/// How a kerb_parker drives. A settings struct.
typedef struct kerb_parker_settings {
    float speed;           ///< greatest [m/s] [> 0]
    float acceleration;    ///< [m/s²] [> 0]
    float deceleration;    ///< [m/s²] [> 0]
    float radius_share;    ///< planned circles over the tightest one [1] [>= 1]
    float reversal_cost;   ///< metres that a change of direction counts as [m] [>= 0]
    float reverse_cost;    ///< metres that one in reverse counts as [1] [> 0]
    float position_error;  ///< at rest this near it has arrived [m] [> 0]
    float heading_error;   ///< … and this well aligned [rad] [> 0]
    float replan_distance; ///< so far off the way it thinks out another [m] [> 0]
    kerb_speed_settings speed_control;
} kerb_parker_settings;

KERB_API const kerb_settings_table kerb_parker_settings_table;

/// All defaults.
KERB_API kerb_parker_settings kerb_parker_settings_default(void);

typedef enum kerb_parker_phase {
    KERB_PARKER_PLANS,        ///< comes to rest, to think the way out
    KERB_PARKER_TURNS_WHEELS, ///< stands
    KERB_PARKER_PIVOTS,       ///< turns where it stands: TRACKED and HOVER
    KERB_PARKER_DRIVES,       ///< along the way
    KERB_PARKER_STOPS,        ///< where the direction changes, or at the end
    KERB_PARKER_ARRIVED,      ///< stands there
    KERB_PARKER_PHASE_COUNT
} kerb_parker_phase;

/// Drives a vehicle to a pose and stops there. Plain data.
typedef struct kerb_parker {
    kerb_parker_settings settings;
    kerb_vehicle vehicle;
    kerb_controls controls;  ///< that it gave last
    int32_t bad_frames;      ///< frames with motion or goals that were not finite, or a bad step
    int32_t phase;           ///< kerb_parker_phase
    int32_t plans;           ///< ways thought out for this goal so far
    kerb_curve way;          ///< of the rear axle's middle
    float driven;            ///< of it [m]
    float cross_track_error; ///< left of the way positive, facing along the vehicle [m]
    float heading_error;     ///< left positive [rad]
    struct {
        kerb_pose goal;
        bool has_goal;
        int32_t piece;    ///< first of the stretch of one direction being driven
        int32_t next;     ///< first of the one after it
        float begin, end; ///< of the stretch, along the way [m]
        float waited;     ///< in this phase, without getting on [s]
        kerb_pedal_memory pedals;
    } memory;
} kerb_parker;

/// A parker without a goal, default settings. The vehicle must be valid.
KERB_API kerb_parker kerb_parker_make(const kerb_vehicle* vehicle);

/// The controls that bring the vehicle's reference point to `goal` (level; heights count for
/// nothing) and its front to the goal's direction, of any length but 0, at rest: along the best way
/// of Reeds and Shepp's 48 and Dubins' six words, where reversing and changes of direction count as
/// dearer. Circles are a little wider than the tightest, the wheels turn half before and half after
/// an arc's end, and where the direction changes they turn standing: so what it drives is what it
/// planned, within centimetres. Pushed off its way, it stops and thinks out another.
///
/// TRACKED may also turn where they stand; HOVER only does that and goes straight. Reason
/// KERB_REASON_ARRIVED when there. It sees nobody and no walls: free ground. O(1); a frame in which
/// it plans about 30 µs.
KERB_API kerb_controls kerb_parker_drive(kerb_parker* parker, kerb_pose goal,
                                         const kerb_motion* motion,
                                         const kerb_surroundings* surroundings, float time_step);

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
