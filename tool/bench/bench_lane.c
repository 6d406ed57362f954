// The lane keeper's drive call with the hits of a real lap; making rays and answering them
// separately. The drive call reuses results of the call that makes the rays: so both are timed
// together, and a second call that makes the rays, which changes nothing, gives the part to
// subtract.
#include "tool/bench/bench_lane.h"

#include "scene/lane/lane_drive.h"
#include "scene/race/tracks.h"
#include "tool/command/machine.h"

#include <stdlib.h>

// Few enough to stay in the cache, as rays do that were answered a moment ago.
#define BENCH_LANE_FRAMES_MOST 600
#define BEGIN 20.0            // bends and straights after that [s]
#define BENCH_LANE_ROUNDS 400 // of which the quickest counts
#define BENCH_LANE_TIME_STEP (1.0f / 60.0f)

typedef struct lane_frame {
    kerb_motion motion;
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    kerb_lane_hit hits[KERB_LANE_RAYS_MAX];
    int32_t count;
} lane_frame;

typedef struct lane_lap {
    lane_frame* frames;
    int32_t count;
    kerb_motion motion; // of the vehicle before the frame that is under way
} lane_lap;

static void bench_lane_record(void* context, double time, const kerb_scene_lane_car* cars,
                              int32_t count) {
    (void)count;
    lane_lap* lap = context;
    if (lap->count == BENCH_LANE_FRAMES_MOST)
        return;
    if (time < BEGIN) {
        lap->motion = kerb_sim_vehicle_motion(&cars[0].vehicle);
        return;
    }
    lane_frame* frame = &lap->frames[lap->count++];
    frame->motion = lap->motion;
    frame->count = cars[0].ray_count;
    for (int32_t i = 0; i < frame->count; i++) {
        frame->rays[i] = cars[0].rays[i];
        frame->hits[i] = cars[0].hits[i];
    }
    lap->motion = kerb_sim_vehicle_motion(&cars[0].vehicle);
}

// Of a frame in which rays are asked for so many times before the drive call. [ns]
static double bench_lane_time_frames(const lane_lap* lap, const kerb_vehicle* vehicle,
                                     const kerb_lane_settings* settings, int32_t asked) {
    kerb_lane_keeper keeper = kerb_lane_keeper_make(vehicle);
    keeper.settings = *settings;
    kerb_lane_ray rays[KERB_LANE_RAYS_MAX];
    uint64_t begun = tool_clock_ns();
    for (int32_t i = 1; i < lap->count; i++) {
        const lane_frame* frame = &lap->frames[i];
        for (int32_t n = 0; n < asked; n++)
            kerb_lane_keeper_rays(&keeper, &frame->motion, rays);
        kerb_lane_keeper_drive(&keeper, frame->rays, frame->hits, frame->count, &frame->motion,
                               NULL, BENCH_LANE_TIME_STEP);
    }
    return (double)(tool_clock_ns() - begun) / (lap->count - 1);
}

static void time_lap(tool_bench_figure* figure, const lane_lap* lap, const kerb_vehicle* vehicle,
                     const kerb_lane_settings* settings) {
    double once = 0.0, twice = 0.0;
    for (int32_t round = 0; round < BENCH_LANE_ROUNDS; round++) {
        double ns = bench_lane_time_frames(lap, vehicle, settings, 1);
        once = round == 0 || ns < once ? ns : once;
        ns = bench_lane_time_frames(lap, vehicle, settings, 2);
        twice = round == 0 || ns < twice ? ns : twice;
    }
    figure->ns = 2.0 * once - twice;
}

static bool bench_lane_measure(tool_bench_figure* figure, const kerb_scene_track* track,
                               const kerb_host* host) {
    kerb_scene_lane_road road;
    kerb_sim_model model;
    if (!kerb_sim_model_named("road", &model) ||
        kerb_scene_lane_road_create(&road, track->waypoints, track->count, track->closed, host,
                                    NULL) != KERB_OK)
        return false;
    lane_lap lap = {.frames = malloc(BENCH_LANE_FRAMES_MOST * sizeof(lane_frame)),
                    .motion = kerb_motion_default()};
    kerb_scene_lane_plan plan = kerb_scene_lane_plan_default(&road, &model);
    plan.watch = bench_lane_record;
    plan.context = &lap;
    kerb_scene_lane_result result;
    bool driven = lap.frames && kerb_scene_lane_run(&plan, host, &result, NULL) == KERB_OK;
    if (driven)
        time_lap(figure, &lap, &model.vehicle, &plan.settings);
    free(lap.frames);
    kerb_scene_lane_road_destroy(&road);
    return driven;
}

bool tool_bench_lane_drive(tool_bench_figure* figure) {
    const kerb_host host = kerb_host_default();
    kerb_scene_track track;
    if (kerb_scene_track_make("vamos", &host, &track, NULL) != KERB_OK)
        return false;
    bool measured = bench_lane_measure(figure, &track, &host);
    kerb_scene_track_free(&track, &host);
    return measured;
}
