// The world of sim/'s vehicles: terrain, zones of different grip, and solid obstacles.
//
//     kerb_sim_world world = {terrain, zones, zone_count, obstacles, obstacle_count};
//     each step of each vehicle:
//         kerb_sim_ground ground = kerb_sim_world_ground(&world, vehicle.position, NULL);
//         … step the vehicle on that ground …
//         kerb_sim_body body = kerb_sim_vehicle_body(&vehicle);
//         for others near it: kerb_sim_bodies_push(&body, &other, NULL);
//         kerb_sim_world_push(&world, &body, NULL, 0);  // walls last: they do not give way
//         kerb_sim_vehicle_set_body(&vehicle, &body);
//
// Plain arrays that the caller owns; nothing allocates. Contact is planar, with friction and hardly
// any bounce: impulses act at the contact points, and positions are pushed apart. So a vehicle can
// get wedged, slide along a wall, or be pushed by another one, as in a game. Obstacles have no
// height.
//
// A vehicle cannot pass through an obstacle, however thin, while it moves less than half of its
// width in a step: 60 m/s at 240 Hz are 0.25 m.
#ifndef KERB_SIM_WORLD_H
#define KERB_SIM_WORLD_H

#include "sim/body.h"
#include "sim/car.h"

#define KERB_SIM_CONTACT_FRICTION 0.4f ///< of vehicles on obstacles and on one another [1]
#define KERB_SIM_CONTACT_BOUNCE 0.1f   ///< share of the speed that comes back in a hit [1]
#define KERB_SIM_CONTACT_MARGIN 0.001f ///< nearer than this, things touch [m]

/// Heights on a grid; between its points bilinear, beyond its edge that of the edge.
typedef struct kerb_sim_terrain {
    float x, y;           ///< of the first point [m]
    float spacing;        ///< [m] [> 0]
    int32_t nx, ny;       ///< points along x and y; 0: no terrain
    const float* heights; ///< nx·ny, x running fastest [m]
} kerb_sim_terrain;

/// A disc or a turned rectangle of the ground with another grip; the last one that holds a point
/// counts.
typedef struct kerb_sim_zone {
    kerb_vec2 centre;
    float radius;                  ///< > 0: a disc [m]
    float half_length, half_width; ///< of a rectangle [m]
    float heading;                 ///< of a rectangle [rad]
    float grip;                    ///< times the tyres' own [1]
} kerb_sim_zone;

typedef enum kerb_sim_obstacle_kind {
    KERB_SIM_WALL, ///< from `from` to `to`, `thickness` wide, with square ends
    KERB_SIM_POST, ///< round, around `from`, `thickness` its diameter
    KERB_SIM_BOX   ///< from `from` to `to` is its middle line, `thickness` its width: as a wall
} kerb_sim_obstacle_kind;

typedef struct kerb_sim_obstacle {
    kerb_sim_obstacle_kind kind;
    kerb_vec2 from, to;
    float thickness; ///< [m] [> 0]
} kerb_sim_obstacle;

typedef struct kerb_sim_world {
    kerb_sim_terrain terrain;
    const kerb_sim_zone* zones;
    int32_t zone_count;
    const kerb_sim_obstacle* obstacles;
    int32_t obstacle_count;
} kerb_sim_world;

/// One touch, for damage, pictures and tests.
typedef struct kerb_sim_contact {
    kerb_vec2 point;     ///< [m]
    kerb_vec2 normal;    ///< unit, out of what was hit
    float closing_speed; ///< along the normal, before; 0 when resting or parting [m/s]
    float impulse;       ///< along the normal; 0 when only touching [N s]
    int32_t obstacle;    ///< which was hit; -1: another body
} kerb_sim_contact;

/// The ground at a place. Height and normal are those of the terrain or, without one, of
/// `fallback`; the grip is that of the last zone there or, without one, of `fallback`.
/// `fallback` may be NULL: level, height 0, grip 1. A position that is NaN is at the terrain's
/// first point and in no zone. O(zones)
kerb_sim_ground kerb_sim_world_ground(const kerb_sim_world* world, kerb_vec3 position,
                                      const kerb_sim_ground* fallback);

/// Pushes a body out of every obstacle, towards the nearest exit, and takes the speed out of it
/// that led in. Returns the number of points of touch; writes the first `most` of them.
/// A body that touches nothing stays as it is to the bit; so does one whose numbers are not finite
/// or whose mass, inertia, length or width is not positive. Its kinetic energy never grows.
/// O(obstacles). A body that touches costs most, above all one that is wedged.
int32_t kerb_sim_world_push(const kerb_sim_world* world, kerb_sim_body* body,
                            kerb_sim_contact* contacts, int32_t most);

/// Pushes two bodies apart, by their masses; keeps their common momentum and angular momentum.
/// True when they touched: the harder of two touches in `contact`, normal out of b (may be NULL).
bool kerb_sim_bodies_push(kerb_sim_body* a, kerb_sim_body* b, kerb_sim_contact* contact);

#endif
