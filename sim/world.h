// What vehicles of sim/ drive on and run into: terrain, zones of other grip, solid obstacles.
//
// Plain arrays that the caller owns; nothing allocates. Contact is planar and inelastic with
// friction: impulses at the points of touch, positions pushed apart, so that a vehicle can get
// wedged, slide along a wall, or be shoved by another, as in a game.
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include "sim/body.h"
#include "sim/car.h"

/// Heights on a grid; between its points bilinear, beyond its edge that of the edge.
typedef struct sim_terrain {
    float x, y;           ///< of the first point [m]
    float spacing;        ///< [m] [> 0]
    int32_t nx, ny;       ///< points along x and y; 0: no terrain
    const float* heights; ///< nx·ny, x running fastest [m]
} sim_terrain;

/// A disc or a turned rectangle of the ground with another grip; the last one that holds a point
/// counts.
typedef struct sim_zone {
    kerb_vec2 centre;
    float radius;                  ///< > 0: a disc [m]
    float half_length, half_width; ///< of a rectangle [m]
    float heading;                 ///< of a rectangle [rad]
    float grip;                    ///< times the tyres' own [1]
} sim_zone;

typedef enum sim_obstacle_kind {
    SIM_WALL, ///< from `from` to `to`, `thickness` wide
    SIM_POST, ///< round, around `from`, `thickness` its diameter
    SIM_BOX   ///< from `from` to `to` is its middle line, `thickness` its width: as a wall
} sim_obstacle_kind;

typedef struct sim_obstacle {
    sim_obstacle_kind kind;
    kerb_vec2 from, to;
    float thickness; ///< [m] [> 0]
} sim_obstacle;

typedef struct sim_world {
    sim_terrain terrain;
    const sim_zone* zones;
    int32_t zone_count;
    const sim_obstacle* obstacles;
    int32_t obstacle_count;
} sim_world;

/// One touch, for damage, pictures and tests.
typedef struct sim_contact {
    kerb_vec2 point;     ///< [m]
    kerb_vec2 normal;    ///< unit, out of what was hit
    float closing_speed; ///< along the normal, before; 0 when resting [m/s]
} sim_contact;

/// The ground at a place: height, normal and grip. `fallback` is returned for height and normal
/// where the world has no terrain.
sim_ground sim_world_ground(const sim_world* world, kerb_vec3 position, const sim_ground* fallback);

/// Pushes a body out of every obstacle. Returns the number of touches; writes up to `most` of them.
int32_t sim_world_push(const sim_world* world, sim_body* body, sim_contact* contacts, int32_t most);

/// Pushes two bodies apart, by their masses. True when they touched.
bool sim_bodies_push(sim_body* a, sim_body* b, sim_contact* contact);

#endif
