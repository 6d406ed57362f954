// A grid city filled beyond its capacity, then left to empty:
//
//     bench_gridlock [SEEDS]        (default 100)
//
// 4 by 4 crossings with signals, 200 m apart, two lanes each way. For twenty minutes 4,000 vehicles
// with random routes drive or wait to depart; each that arrives is replaced. Then none is replaced.
// Counts how many of the cities empty, how long that takes, and what the observer saw.
#include "scene/city/city_plan.h"
#include "scene/city/city_run.h"

#include <stdio.h>
#include <stdlib.h>

#define FILL_SECONDS 1200.0
#define WAIT_SECONDS 14400.0 // four hours, after which it counts as locked
#define GRIDLOCK_STEP 0.2f
enum { GRIDLOCK_SIDE = 4, GRIDLOCK_VEHICLES = 4000 };

typedef struct gridlock_sum {
    int32_t seeds, emptied, most;
    double longest, emptying;
    int64_t asked, collisions, red_lights, deadlocks, arrived;
} gridlock_sum;

static bool run_city(const kerb_scene_city* city, uint64_t seed, gridlock_sum* sum) {
    const kerb_host host = kerb_host_default();
    kerb_traffic_type car = kerb_traffic_car();
    kerb_scene_city_run run;
    const kerb_scene_city_set_up set_up = {.types = &car,
                                           .type_count = 1,
                                           .vehicles = GRIDLOCK_VEHICLES,
                                           .dt = GRIDLOCK_STEP,
                                           .seed = seed,
                                           .watched = true};
    if (kerb_scene_city_run_make(&run, &city->plan, &set_up, &host, NULL) != KERB_OK)
        return false;
    while (run.time < FILL_SECONDS)
        kerb_scene_city_run_step(&run);
    kerb_traffic_counts counts = kerb_traffic_counts_of(&run.traffic);
    sum->most = counts.vehicles > sum->most ? counts.vehicles : sum->most;
    // Those that wait outside still depart, as soon as there is room.
    run.set_up.vehicles = 0;
    while (counts.vehicles + counts.outside > 0 && run.time < FILL_SECONDS + WAIT_SECONDS) {
        kerb_scene_city_run_step(&run);
        counts = kerb_traffic_counts_of(&run.traffic);
    }
    const kerb_scene_watch_counts seen = kerb_scene_watch_counts_of(run.watch);
    const double emptying = run.time - FILL_SECONDS;
    sum->seeds++;
    sum->emptied += counts.vehicles + counts.outside == 0 ? 1 : 0;
    sum->longest = emptying > sum->longest ? emptying : sum->longest;
    sum->emptying += emptying;
    sum->asked += counts.asked;
    sum->arrived += counts.arrived;
    sum->collisions += seen.collisions;
    sum->red_lights += seen.red_lights;
    sum->deadlocks += seen.deadlocks;
    kerb_scene_city_run_free(&run);
    return true;
}

int main(int argc, char** argv) {
    const int32_t seeds = argc > 1 ? atoi(argv[1]) : 100;
    kerb_scene_city city;
    gridlock_sum sum = {0};
    if (!kerb_scene_city_make(&city, "grid", GRIDLOCK_SIDE, false))
        return 2;
    for (int32_t seed = 0; seed < seeds; seed++)
        if (!run_city(&city, (uint64_t)seed, &sum))
            return 2;
    kerb_scene_city_free(&city);
    printf(
        "%d of %d cities empty, after %.0f s on average and %.0f s at most; up to %d vehicles in a "
        "city, %lld arrived\n%lld collisions, %lld red lights, %lld deadlocks, %lld questions to "
        "the host\n",
        (int)sum.emptied, (int)sum.seeds, sum.emptying / (sum.seeds > 0 ? sum.seeds : 1),
        sum.longest, (int)sum.most, (long long)sum.arrived, (long long)sum.collisions,
        (long long)sum.red_lights, (long long)sum.deadlocks, (long long)sum.asked);
    return sum.emptied == sum.seeds ? 0 : 1;
}
