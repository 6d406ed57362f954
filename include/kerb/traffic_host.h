// Kerb traffic and the host: what the host moves among the vehicles of a city, and vehicles of the
// city that the host's physics moves.
//
// Call order: before each step, tell all bodies.
//
//     kerb_traffic_body body = kerb_traffic_body_at(player_position, player_heading, 4.6f, 1.8f);
//     body.velocity = player_velocity;
//     kerb_traffic_set_bodies(&traffic, &network, &body, 1);
//     kerb_traffic_step(&traffic, &network, 0.1f, NULL);
//
// A vehicle that the host's physics drives is a body, too:
//
//     kerb_motion wanted = kerb_traffic_motion_of(&traffic, &network, vehicle, 0.1f);
//     ... your physics follows it; then
//     body = kerb_traffic_body_at(its_position, its_heading, 4.6f, 1.8f);
//     body.velocity = its_velocity;
//     body.vehicle = vehicle;
//
// What drivers do about bodies: one that moves along their lane is followed; one that stands in
// their way is braked for, passed on a lane beside, or waited for; one that comes towards them is
// braked for; the way of one that crosses is predicted with its velocity, and who cannot pass
// before it waits before its way. No junction is entered on a turn that is blocked, or whose
// conflicting turns a body with the right of way, or one that can no longer stop, comes to. Lanes
// full of bodies have no room. No driver runs into a body that it could see for as long as braking
// takes.
#ifndef KERB_TRAFFIC_HOST_H
#define KERB_TRAFFIC_HOST_H

#include "traffic.h"
#include "vehicle.h"

/// A thing that the host moves: the player, a pedestrian, a truck of the physics engine, a barrier.
typedef struct kerb_traffic_body {
    kerb_vec3 position; ///< Middle of its footprint. [m]
    float heading;      ///< Direction of its length. [rad]
    kerb_vec2 velocity; ///< [m/s]
    float length;       ///< [m] [> 0]
    float width;        ///< [m] [> 0]
    int32_t segment;    ///< Lane or turn along which it drives; -1: found by its place and heading.
    int32_t vehicle;    ///< The vehicle of the city that this body is; -1: none.
} kerb_traffic_body;

/// Body at standstill that is no vehicle of the city.
KERB_API kerb_traffic_body kerb_traffic_body_at(kerb_vec3 position, float heading, float length,
                                                float width);

/// Tells all bodies, before a step. They replace those told before, and stay where they are until
/// they are told anew. Returns how many were taken. Passed over are bodies beyond
/// kerb_traffic_settings.bodies_max, and those that no world has: a number that is not finite, a
/// place beyond KERB_POSITION_MAX, a size that is not above 0 or above 1,000 m, more than 400 m/s.
/// O(segments near the bodies)
///
/// A vehicle of the city that is named by a body is driven by the host: each step decides its speed
/// and claims as usual, but it moves only by what is told here. It never passes the one ahead of it
/// on its lane, and at a line without a claim it counts as standing at the line. A vehicle that no
/// body names moves by itself again, from its place along the lane. A body of a vehicle that has
/// arrived, or has not departed, is a body of its own.
KERB_API int32_t kerb_traffic_set_bodies(kerb_traffic* traffic, const kerb_network* network,
                                         const kerb_traffic_body* bodies, int32_t count);

/// Blocks a lane by an incident, or clears it. Nobody enters a blocked lane; those on it drive on.
/// Only vehicles that come near enough see it (kerb_traffic_settings.sight), look for a way round,
/// and tell others that they meet. A road is also blocked while something stands on each of its
/// lanes: a body, or a vehicle that broke down and cannot be overtaken. Asserts that the lane
/// exists. O(1)
///
/// kerb_network_set_classes closes a lane so that all know of it.
KERB_API void kerb_traffic_set_incident(kerb_traffic* traffic, int32_t lane, bool blocked);

/// Blocked lanes of which a vehicle knows. O(1)
KERB_API kerb_route_knowledge kerb_traffic_knowledge_of(const kerb_traffic* traffic,
                                                        int32_t vehicle);

/// Where a vehicle is (`ahead` 0), or where it should be that much later: position of the middle of
/// its footprint (that of the part before the joint, where it has a trailer), rotation, velocity,
/// yaw rate. It moves on with the acceleration that the last step decided, along its lane and the
/// turns that it has claimed. Physics that follows with a lag asks for that much ahead. Fields
/// without a meaning here are those of kerb_motion_default. [ahead: s] [0 … 1] O(1)
KERB_API kerb_motion kerb_traffic_motion_of(const kerb_traffic* traffic,
                                            const kerb_network* network, int32_t vehicle,
                                            float ahead);

#endif
