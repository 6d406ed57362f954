// A car keeps its lane on a circular road. It has no path: it asks for rays, and the host casts
// them.
#include "sim/vehicle.h"

#include <kerb/kerb.h>
#include <stdio.h>

#define INNER 90.0f  // radius of the left edge [m]
#define OUTER 97.0f  // radius of the right edge [m]
#define FRAMES 3600  // one minute
#define OFF_MOST 0.1 // limit of the mean distance from its lane [m]

// Distance along a ray, which begins on the road, to a circle round the origin. `most` when the ray
// does not reach the circle.
static float reach(const kerb_lane_ray* ray, float radius, float most) {
    float along = kerb_vec3_dot(ray->origin, ray->direction);
    float square = along * along + radius * radius - kerb_vec3_dot(ray->origin, ray->origin);
    if (square < 0.0f)
        return most;
    float near = -along - kerb_sqrt(square), far = -along + kerb_sqrt(square);
    float distance = near >= 0.0f ? near : far;
    return distance >= 0.0f && distance < most ? distance : most;
}

// In your game: a ray cast of your physics engine, and what it hit.
static kerb_lane_hit cast(const kerb_lane_ray* ray) {
    float inner = reach(ray, INNER, ray->length), outer = reach(ray, OUTER, ray->length);
    kerb_lane_hit hit = {.distance = kerb_min(inner, outer)};
    if (hit.distance >= ray->length)
        return hit;
    kerb_vec3 place = kerb_vec3_along(ray->origin, ray->direction, hit.distance);
    float out = inner < outer ? 1.0f / INNER : -1.0f / OUTER;
    hit.kind = KERB_LANE_HIT_EDGE;
    hit.normal = kerb_vec3_make(place.x * out, place.y * out, 0.0f);
    return hit;
}

int main(void) {
    kerb_sim_model road_car;
    if (!kerb_sim_model_named("road", &road_car))
        return 1;
    kerb_lane_keeper keeper = kerb_lane_keeper_make(&road_car.vehicle);
    keeper.settings.speed = 25.0f; // on a straight; this bend allows less
    kerb_vec3 start = {OUTER - keeper.settings.edge_distance, 0.0f, 0.0f};
    kerb_sim_vehicle car = kerb_sim_vehicle_make(&road_car, start, 0.5f * KERB_PI);
    kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    double off = 0.0;
    for (int frame = 0; frame < FRAMES; frame++) {
        kerb_motion motion = kerb_sim_vehicle_motion(&car);
        kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
        kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
        int32_t count = kerb_lane_keeper_rays(&keeper, &motion, rays);
        for (int32_t i = 0; i < count; i++)
            hits[i] = cast(&rays[i]);
        kerb_controls controls =
            kerb_lane_keeper_drive(&keeper, rays, hits, count, &motion, NULL, 1.0f / 60.0f);
        for (int i = 0; i < 4; i++)
            kerb_sim_vehicle_step(&car, &controls, &ground, 1.0f / 240.0f);
        float edge = OUTER - kerb_vec3_length(motion.position);
        off += (double)kerb_abs(edge - keeper.settings.edge_distance) / FRAMES;
    }
    kerb_motion motion = kerb_sim_vehicle_motion(&car);
    printf("%.1f m/s, mean distance from its lane %.3f m\n",
           (double)kerb_motion_forward_speed(&motion), off);
    return off < OFF_MOST ? 0 : 1;
}
