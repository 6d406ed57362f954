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
//     kerb_controls controls = kerb_steering_drive(&driver, &wish, &motion, time_step);
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

/// No wish: combining leaves it out; alone it means to go on as now.
KERB_API kerb_steering kerb_steering_none(void);

/// The agent that a vehicle is now: its tightest circle at this speed by steering and by grip.
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

#endif
