// Cars in sim/ that keep their lane on a road by rays, and what is measured. The command, the tests
// and the golden hashes share it.
#ifndef KERB_SCENE_LANE_LANE_DRIVE_H
#define KERB_SCENE_LANE_LANE_DRIVE_H

#include "scene/lane/lane_road.h"
#include "sim/vehicle.h"

/// Most that stand in the road.
#define KERB_SCENE_LANE_OBSTACLES_MOST 256

/// What happens on the road.
typedef enum kerb_scene_lane_scenario {
    KERB_SCENE_LANE_KEEP,   ///< cars in one lane, one behind the other
    KERB_SCENE_LANE_CHANGE, ///< each changes between two lanes every 10 s
    KERB_SCENE_LANE_AVOID   ///< cars stand in the lane, to be gone round
} kerb_scene_lane_scenario;

/// One car that is driven.
typedef struct kerb_scene_lane_car {
    kerb_lane_keeper keeper;
    kerb_sim_vehicle vehicle;
    kerb_path_location place; ///< on the road's middle
    bool oncoming;
    double driven;                          ///< [m]
    float lane_error;                       ///< now: farther from the edge than set, positive [m]
    bool judged;                            ///< it keeps a lane now: the error counts
    bool touching;                          ///< somebody, or the edge
    double change_begun;                    ///< of a change under way [s]; negative: none
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX]; ///< of the last frame …
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX]; ///< … and what they met
    int32_t ray_count;
} kerb_scene_lane_car;

/// How to run.
typedef struct kerb_scene_lane_plan {
    const kerb_scene_lane_road* road;
    const kerb_sim_model* model;
    kerb_lane_settings settings;
    kerb_scene_lane_scenario scenario;
    int32_t cars;           ///< that are driven [> 0]
    int32_t oncoming;       ///< of those, the last ones, that drive against the road's direction;
                            ///< an open road's come spread over what the first car drives
    float spacing;          ///< from one to the next at the start [m]
    float other_distance;   ///< CHANGE: of the other lane from the edge [m]
    float obstacle_spacing; ///< AVOID [m]
    float start_speed;      ///< [m/s]
    double distance;        ///< the first car drives so far, or to the road's end [m]
    float drive_hz, physics_hz;
    uint64_t (*clock_ns)(void); ///< may be NULL
    /// After every frame; may be NULL.
    void (*watch)(void* context, double time, const kerb_scene_lane_car* cars, int32_t count);
    void* context;
    kerb_scene_lane_box* standing; ///< room for what stands in the road; may be NULL
} kerb_scene_lane_plan;

/// What was measured, over all cars.
typedef struct kerb_scene_lane_result {
    double time;          ///< [s]
    double driven;        ///< by the first car [m]
    bool finished;        ///< it got where it should within ten times the time
    double error_mean;    ///< from the lane that is set, while it is kept, over time [m]
    double error_max;     ///< [m]
    int32_t collisions;   ///< pairs that began to touch
    double left_road;     ///< greatest distance of a car's reference point beyond an edge [m]
    int32_t edge_touches; ///< cars that began to stand over an edge
    int32_t changes;      ///< of lane that were ended
    double change_time;   ///< of these, in the mean: from the wish to within 0.2 m [s]
    double overshoot;     ///< greatest, beyond the lane that was changed to [m]
    double rays;          ///< a car and frame
    double speed_mean;    ///< of the first car [m/s]
    double drive_ns;      ///< a drive call, the median; 0 without a clock
    int32_t obstacles;    ///< that stand in the road
} kerb_scene_lane_result;

/// A vehicle as rays meet it, on the road's segment that it is beside.
kerb_scene_lane_box kerb_scene_lane_box_of(const kerb_scene_lane_road* road,
                                           const kerb_sim_vehicle* vehicle, int32_t segment);

/// One car of 60 Hz and 240 Hz on the lane by the right edge for one length of the road.
kerb_scene_lane_plan kerb_scene_lane_plan_default(const kerb_scene_lane_road* road,
                                                  const kerb_sim_model* model);

/// What the first car can drive on an open road before it ends; without limit (HUGE_VAL) on a
/// closed one. [m]
double kerb_scene_lane_room(const kerb_scene_lane_plan* plan);

/// Runs it. Bad settings and failed allocations come back as errors.
kerb_result kerb_scene_lane_run(const kerb_scene_lane_plan* plan, const kerb_host* host,
                                kerb_scene_lane_result* result, kerb_error* error);

#endif
