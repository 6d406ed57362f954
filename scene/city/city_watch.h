// An observer of city traffic that trusts nobody: it rebuilds each vehicle's rectangle from where
// its ends are, and judges by what moved. It shares no code with the room `road`.
//
//     kerb_scene_watch* watch = kerb_scene_watch_make(vehicles_max);
//     after every step: kerb_scene_watch_step(watch, &network, &traffic, types, dt);
//     kerb_scene_watch_counts counts = kerb_scene_watch_counts_of(watch);
//     kerb_scene_watch_free(watch);
#ifndef KERB_SCENE_CITY_WATCH_H
#define KERB_SCENE_CITY_WATCH_H

#include "kerb/traffic.h"

/// What was seen. Each is counted once, until it is over for a second.
typedef struct kerb_scene_watch_counts {
    int32_t collisions; ///< Pairs whose rectangles overlap by more than 1 cm.
    int32_t red_lights; ///< Vehicles that entered a turn while its signal was red before and after.
    int32_t deadlocks;  ///< Circles of vehicles that wait for one another, all standing for 60 s.
    /// Accelerations, decelerations and speeds beyond the type's, and ends that jumped.
    int32_t limits;
    double first_collision, first_limit; ///< When. Negative: never. [s]
    int32_t pair[2];                     ///< Vehicles of the first collision.
    int32_t limit_vehicle;               ///< Of the first limit.
} kerb_scene_watch_counts;

typedef struct kerb_scene_watch kerb_scene_watch;

/// NULL when memory is missing.
kerb_scene_watch* kerb_scene_watch_make(int32_t vehicles_max);

/// Looks at all vehicles after a step. `types` are those of the traffic, by number. [dt: s]
void kerb_scene_watch_step(kerb_scene_watch* watch, const kerb_network* network,
                           const kerb_traffic* traffic, const kerb_traffic_type* types, float dt);

kerb_scene_watch_counts kerb_scene_watch_counts_of(const kerb_scene_watch* watch);

void kerb_scene_watch_free(kerb_scene_watch* watch);

/// Depth by which two rectangles overlap: the least of their separating axes, negative where they
/// are apart. Each is given by the middles of its rear and front, and its width. [m]
float kerb_scene_watch_overlap(kerb_vec2 rear_a, kerb_vec2 front_a, float width_a, kerb_vec2 rear_b,
                               kerb_vec2 front_b, float width_b);

#endif
