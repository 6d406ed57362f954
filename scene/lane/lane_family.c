// Purpose: how a lane keeper drives vehicles that nobody chose for it.
// Idea:    the road is two lanes wide, in proportion to the vehicle; rays meet its edges. Radius
// and
//          speed are drawn so that the least lock turns it, and the grip holds it.
#include "scene/lane/lane_family.h"

#include "scene/lane/lane_road.h"

#include <stdlib.h>
#include <string.h>

#define FAMILY_STREAM 83u
#define FAMILY_SWING 0.02f  // of the lock
#define FAMILY_FROM 5.0     // swings count from here on [s]
#define FAMILY_ERRORS 10.0  // and errors from here on [s]
#define FAMILY_TIME 30.0    // on each part [s]
#define FAMILY_LATEST 150.0 // [s]
#define FAMILY_GRIP 0.38f   // that bends and the trim take [1]
#define FAMILY_POINTS 8000

static void family_draw(kerb_scene_lane_family_ride* ride, uint64_t seed) {
    const kerb_family_host* host = &ride->host;
    kerb_random random = kerb_random_make(seed, FAMILY_STREAM);
    const float octaves = kerb_random_between(&random, 0.0f, 3.0f);
    const int32_t whole = octaves > 2.0f ? 2 : octaves > 1.0f ? 1 : 0;
    const float share = 8.0f * (float)(1 << whole) * (1.0f + octaves - (float)whole);
    float radius = share * kerb_vehicle_turning_radius(&host->vehicle);
    float most = kerb_sqrt(FAMILY_GRIP * kerb_family_grip(host) * KERB_GRAVITY * radius);
    most = kerb_min(most, kerb_family_trim_speed(host, FAMILY_GRIP));
    most = kerb_min(most, 0.8f * host->truth.speed_max);
    ride->speed = most * kerb_random_between(&random, 0.4f, 1.0f);
    ride->radius = kerb_random_below(&random, 2) == 0 ? -radius : radius;
}

// The middle of the road: the lane lies to the right of it.
static bool family_build(kerb_scene_lane_road* road, const kerb_scene_lane_family_ride* ride,
                         float straight, float arc) {
    kerb_waypoint* points = calloc(FAMILY_POINTS, sizeof *points);
    if (!points)
        return false;
    float length = straight + arc, scale = kerb_vehicle_scale(&ride->host.vehicle);
    float step = kerb_max(1.5f * kerb_min(scale, 1.0f), length / (float)(FAMILY_POINTS - 2));
    int32_t count = 0;
    kerb_vec3 at = {-20.0f * ride->lane, ride->lane, 0.0f};
    float station = at.x, heading = 0.0f;
    for (; station < length && count < FAMILY_POINTS; count++) {
        points[count] = kerb_waypoint_at(at.x, at.y, 0.0f);
        points[count].left = points[count].right = 2.0f * ride->lane;
        float turn = station > straight ? step / (ride->radius + ride->lane) : 0.0f;
        heading += 0.5f * turn;
        at.x += step * kerb_cos(heading);
        at.y += step * kerb_sin(heading);
        heading += 0.5f * turn;
        station += step;
    }
    kerb_host host = kerb_host_default();
    bool built = kerb_scene_lane_road_create(road, points, count, false, &host, NULL) == KERB_OK;
    free(points);
    return built;
}

static void family_frame(kerb_scene_lane_family_ride* ride, const kerb_scene_lane_road* road,
                         kerb_path_location* place) {
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
    kerb_motion motion = kerb_family_motion(&ride->host);
    ride->step = kerb_family_frame(&ride->host);
    int32_t count = kerb_lane_keeper_rays(&ride->keeper, &motion, rays);
    for (int32_t i = 0; i < count; i++)
        hits[i] = kerb_scene_lane_road_cast(road, place->segment, NULL, 0, -1, &rays[i]);
    ride->controls =
        kerb_lane_keeper_drive(&ride->keeper, rays, hits, count, &motion, NULL, ride->step);
    kerb_family_step(&ride->host, &ride->controls, ride->step);
    motion = kerb_family_motion(&ride->host);
    *place = kerb_path_track_scaled(&road->path, *place, motion.position,
                                    kerb_quat_forward(motion.rotation),
                                    kerb_vehicle_scale(&ride->host.vehicle));
    float aside = kerb_path_cross_track(&road->path, *place, motion.position);
    ride->offset = aside + ride->lane;
    ride->time += (double)ride->step;
    if (kerb_abs(aside) > 2.0f * ride->lane)
        ride->outside += (double)ride->step;
}

static void family_watch(kerb_scene_lane_family_ride* ride, int32_t part, double since) {
    kerb_scene_lane_family_part* p = &ride->parts[part];
    if (since < FAMILY_FROM)
        return;
    kerb_family_swings_watch(&p->commanded, ride->controls.steering, FAMILY_SWING);
    kerb_family_swings_watch(&p->wheels, ride->host.wheel / ride->host.truth.lock, FAMILY_SWING);
    p->seconds += (double)ride->step;
    if (since < FAMILY_ERRORS)
        return;
    const float error = kerb_abs(ride->offset);
    p->error_sum += (double)(error * ride->step);
    p->error_time += (double)ride->step;
    p->error_max = kerb_max(p->error_max, error);
    if (since < FAMILY_ERRORS + 1.0)
        p->error_late = kerb_max(p->error_late, error);
}

bool kerb_scene_lane_family_run(uint64_t seed, float trim,
                                void (*watch)(const kerb_scene_lane_family_ride* ride),
                                kerb_scene_lane_family_ride* ride) {
    memset(ride, 0, sizeof *ride);
    kerb_family_host_make(&ride->host, seed);
    family_draw(ride, seed);
    const kerb_vehicle* vehicle = &ride->host.vehicle;
    float scale = kerb_vehicle_scale(vehicle);
    if (trim != 0.0f) {
        ride->host.truth.trim = trim;
        ride->speed =
            kerb_min(kerb_family_trim_speed(&ride->host, FAMILY_GRIP), 20.0f * kerb_sqrt(scale));
        ride->speed = kerb_min(ride->speed, 0.8f * ride->host.truth.speed_max);
    }
    ride->keeper = kerb_lane_keeper_make(vehicle);
    ride->keeper.settings.speed = kerb_max(ride->speed, 0.1f);
    ride->lane = kerb_max(ride->keeper.settings.edge_distance, 0.9f * vehicle->width);
    ride->keeper.settings.edge_distance = ride->lane;
    const float straight = (float)FAMILY_TIME * ride->speed;
    kerb_scene_lane_road road;
    if (!family_build(&road, ride, straight, 2.0f * straight))
        return false;
    float aside = (seed % 2 == 0 ? 1.0f : -1.0f) * kerb_min(scale, 1.0f) * 0.5f * ride->lane;
    aside = kerb_clamp(aside, -1.0f, 1.0f);
    kerb_family_put(&ride->host, (kerb_vec3){0.0f, aside, 0.0f}, 0.0f,
                    trim != 0.0f ? ride->speed : 0.0f);
    kerb_path_location place = kerb_path_locate(&road.path, (double)(20.0f * ride->lane));
    double arc_begun = -1.0;
    const double latest = trim != 0.0f ? FAMILY_ERRORS + 1.0 : FAMILY_LATEST;
    while (ride->time < latest && ride->parts[1].seconds < FAMILY_TIME - FAMILY_FROM) {
        family_frame(ride, &road, &place);
        float x = (float)kerb_path_distance(&road.path, place) - 20.0f * ride->lane;
        if (arc_begun < 0.0 && x > straight)
            arc_begun = ride->time;
        // Where the arc begins, the wheels turn once because they must.
        family_watch(ride, arc_begun >= 0.0, arc_begun < 0.0 ? ride->time : ride->time - arc_begun);
        if (watch)
            watch(ride);
    }
    ride->finished = trim != 0.0f || ride->parts[1].seconds >= FAMILY_TIME - FAMILY_FROM;
    kerb_scene_lane_road_destroy(&road);
    return true;
}
