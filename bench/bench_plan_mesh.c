// From a navigation mesh to a plan that a car can drive:
//
//     bench_plan_mesh [PAIRS]        (default 1000)
//
// Recast builds a mesh of a town of 300 m by 300 m with houses, ramps and a bridge
// (scene/recast/recast_town.h). For random pairs of places with a corridor and random headings of a
// pickup: how many have a plan, and what takes how long. "world": the ground round the
// corridor as the planner's world.
#include <stdio.h>

#ifdef KERB_HAVE_RECAST

#include "kerb/plan_mesh.h"
#include "scene/recast/recast_mesh.h"
#include "scene/recast/recast_town.h"
#include "sim/vehicle.h"

#include <stdlib.h>
#include <time.h>

enum { STEPS_MOST = 2000, CELLS_MOST = 1600 * 1600, PAIRS_MOST = 100000, STAGES = 4 };

typedef struct mesh_bench {
    kerb_mesh mesh;
    kerb_mesh_search search;
    kerb_planner planner;
    kerb_plan_limits limits;
    float times[STAGES][PAIRS_MOST]; // corridor, world, plan, all [ms]
    int32_t pairs, corridors, parts, blocked, found;
} mesh_bench;

static kerb_mesh_step steps[STEPS_MOST];
static uint8_t cells[CELLS_MOST];
static mesh_bench bench;

static double now_ms(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static kerb_plan_outcome plan_between(const kerb_plan_end* from, const kerb_plan_end* to) {
    const kerb_plan_query query = {from, to, 1, 1};
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    if (kerb_planner_begin(&bench.planner, &query, NULL) != KERB_OK)
        return KERB_PLAN_IMPOSSIBLE;
    while (outcome == KERB_PLAN_RUNNING && kerb_planner_get_plan(&bench.planner).count == 0)
        outcome = kerb_planner_advance(&bench.planner, 50);
    return kerb_planner_get_plan(&bench.planner).count > 0 ? KERB_PLAN_FOUND : outcome;
}

// False: there is no corridor.
static bool bench_pair(const kerb_mesh_place ends[2], kerb_random* random) {
    kerb_plan_end poses[2];
    kerb_mesh_corridor corridor = {.steps = steps, .capacity = STEPS_MOST};
    kerb_mesh_agent agent = kerb_mesh_agent_default();
    kerb_plan_mesh_settings settings = kerb_plan_mesh_settings_default();
    kerb_plan_mesh_part part;
    kerb_plan_world world;
    for (int32_t i = 0; i < 2; i++)
        poses[i] = kerb_plan_end_make(ends[i].position.x, ends[i].position.y,
                                      kerb_random_between(random, -KERB_PI, KERB_PI), 0.0f);
    const double begun = now_ms();
    agent.clearance = 0.5f * bench.limits.width;
    if (kerb_mesh_find_corridor(&bench.mesh, &bench.search, &agent, ends[0], ends[1], &corridor) !=
        KERB_MESH_FOUND)
        return false;
    const double found = now_ms();
    if (kerb_plan_mesh_window_size(&bench.mesh, &corridor, 0, &settings, &part, NULL) != KERB_OK ||
        part.last + 1 < corridor.count || part.columns * part.rows > CELLS_MOST) {
        bench.parts++;
        return true;
    }
    kerb_plan_mesh_window(&bench.mesh, &corridor, &part, &settings, cells, &world);
    if (kerb_planner_set_world(&bench.planner, &world, NULL) != KERB_OK)
        return true;
    const double made = now_ms();
    const kerb_plan_outcome outcome = plan_between(&poses[0], &poses[1]);
    const double done = now_ms();
    if (outcome == KERB_PLAN_START_BLOCKED || outcome == KERB_PLAN_GOAL_BLOCKED) {
        bench.blocked++; // the random heading
        return true;
    }
    const double times[STAGES] = {found - begun, made - found, done - made, done - begun};
    for (int32_t i = 0; i < STAGES; i++)
        bench.times[i][bench.corridors] = (float)times[i];
    bench.corridors++;
    bench.found += outcome == KERB_PLAN_FOUND ? 1 : 0;
    return true;
}

static int compare_times(const void* a, const void* b) {
    const float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

static void print_times(const char* name, float* times) {
    double sum = 0.0;
    qsort(times, (size_t)bench.corridors, sizeof *times, compare_times);
    for (int32_t i = 0; i < bench.corridors; i++)
        sum += (double)times[i];
    printf("%-10s mean %7.2f ms, 99 of 100 %7.2f ms\n", name, sum / bench.corridors,
           (double)times[bench.corridors * 99 / 100]);
}

static bool bench_make(kerb_random* random, kerb_scene_recast* recast) {
    static const kerb_scene_recast_walker car = {
        .cell = 0.25f, .height = 2.0f, .climb = 0.25f, .slope = 0.7f};
    const recast_town town = kerb_scene_recast_town(random);
    const kerb_scene_recast_ground ground = {town.vertices, 4 * town.quads, town.triangles,
                                             2 * town.quads};
    const kerb_host host = kerb_host_default();
    const kerb_planner_settings settings = kerb_planner_settings_default();
    kerb_sim_model model;
    kerb_sim_model_named("pickup", &model);
    bench.limits = kerb_plan_limits_of(&model.vehicle, 1.0f);
    return kerb_scene_recast_build(recast, &ground, &car) &&
           kerb_mesh_create(&bench.mesh, &recast->data, &host, NULL) == KERB_OK &&
           kerb_mesh_search_create(&bench.search, &bench.mesh, &host, NULL) == KERB_OK &&
           kerb_planner_create(&bench.planner, &bench.limits, &settings, &host, NULL) == KERB_OK;
}

int main(int argc, char** argv) {
    const int32_t pairs = argc > 1 ? atoi(argv[1]) : 1000;
    kerb_random random = kerb_random_make(1, 0);
    kerb_scene_recast recast;
    if (pairs < 1 || pairs > PAIRS_MOST || !bench_make(&random, &recast))
        return 2;
    while (bench.pairs < pairs) {
        kerb_mesh_place ends[2];
        for (int32_t i = 0; i < 2; i++) {
            const kerb_vec3 at = kerb_vec3_make(kerb_random_between(&random, 4.0f, 296.0f),
                                                kerb_random_between(&random, 4.0f, 296.0f), 0.0f);
            ends[i] = kerb_mesh_nearest(&bench.mesh, at, 0.1f, 2.0f);
        }
        if (ends[0].polygon < 0 || ends[1].polygon < 0)
            continue;
        bench.pairs += bench_pair(ends, &random) ? 1 : 0;
    }
    printf("%d pairs with a corridor on %d polygons: %d in one part with free ends, %d in more "
           "parts, %d "
           "with a blocked end\n%d of %d have a plan\n",
           (int)bench.pairs, (int)bench.mesh.polygon_count, (int)bench.corridors, (int)bench.parts,
           (int)bench.blocked, (int)bench.found, (int)bench.corridors);
    static const char* const names[STAGES] = {"corridor", "world", "plan", "all"};
    for (int32_t i = 0; i < STAGES && bench.corridors > 0; i++)
        print_times(names[i], bench.times[i]);
    kerb_planner_destroy(&bench.planner);
    kerb_mesh_search_destroy(&bench.search);
    kerb_mesh_destroy(&bench.mesh);
    kerb_scene_recast_free(&recast);
    return 0;
}

#else

int main(void) {
    puts("built without Recast (librecast-dev, g++)");
    return 0;
}

#endif
