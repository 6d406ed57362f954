// What the behaviours among cars share. Private to the room.
#ifndef KERB_IN_CARS_CARS_H
#define KERB_IN_CARS_CARS_H

#include "../steer/shared.h"

/// Slower than this a car counts as standing. [m/s]
#define CARS_SLOW 2.0f

static inline kerb_vec2 steer_level(kerb_vec3 a) {
    return kerb_vec2_make(a.x, a.y);
}

static inline kerb_vec3 steer_on_ground(kerb_vec2 a) {
    return kerb_vec3_make(a.x, a.y, 0.0f);
}

/// The vector `a` in a frame whose x axis is `forward`.
static inline kerb_vec2 steer_into(kerb_vec2 a, kerb_vec2 forward) {
    return kerb_vec2_make(kerb_vec2_dot(forward, a), kerb_vec2_cross(forward, a));
}

/// The vector `a` of a frame whose x axis is `forward`, in world axes.
static inline kerb_vec2 steer_out_of(kerb_vec2 a, kerb_vec2 forward) {
    return kerb_vec2_make(forward.x * a.x - forward.y * a.y, forward.y * a.x + forward.x * a.y);
}

/// A target's location on a road that it drives along.
typedef struct steer_road_place {
    bool is_on; ///< it drives along the road; false without a road
    kerb_path_location here;
    float speed; ///< along the road [m/s]
    float aside; ///< lateral offset, left positive [m]
} steer_road_place;

steer_road_place kerb_in_steer_place_on(const kerb_path* road, const kerb_neighbour* target);

/// The predicted place of the target that the agent reaches soonest, of those that it reaches
/// `margin` seconds before the target. False when there is none within the horizon.
bool kerb_in_steer_place_before(const kerb_agent* agent, const kerb_neighbour* target,
                                const kerb_path* road, float horizon, float margin,
                                kerb_vec3* place);

/// False when a number of the car is NaN or infinite.
bool kerb_in_steer_is_finite_car(const kerb_neighbour* car);

/// A desired steering from a horizontal velocity. Below 5 cm/s: standstill with the present
/// heading.
kerb_steering kerb_in_steer_velocity_wish(const kerb_agent* agent, kerb_vec2 velocity);

#endif
