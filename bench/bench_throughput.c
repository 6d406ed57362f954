// Up to six vehicles that meet at one place, beside the best order:
//
//     bench_throughput [FIRST [SEEDS [SCENE]]]        (default 0, 20, all scenes)
//
// For each scene of scene/flow/flow.h: the time until the last vehicle is through, of the best
// order over that driven (asked for: at least 85 %), the delay of a vehicle, and how many scenes
// jam.
#include "scene/flow/flow.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct throughput_sum {
    double alone, free, best, driven;       // until the last, over all seeds [s]
    double alone_sum, best_sum, driven_sum; // of all arrivals [s]
    double worst;
    int32_t vehicles, jammed, contacts;
} throughput_sum;

static void throughput_add(throughput_sum* sum, kerb_scene_flow_kind kind, uint64_t seed) {
    static kerb_scene_flow flow;
    kerb_scene_flow_make(&flow, kind, seed);
    const flow_times alone = kerb_scene_flow_solo(&flow);
    const flow_times easy = kerb_scene_flow_free(&flow);
    const flow_times best = kerb_scene_flow_best(&flow);
    const flow_times driven = kerb_scene_flow_drive(&flow, NULL, NULL);
    const double share = best.last / driven.last;
    sum->alone += alone.last;
    sum->free += easy.last;
    sum->best += best.last;
    sum->driven += driven.last;
    sum->alone_sum += alone.sum;
    sum->best_sum += best.sum;
    sum->driven_sum += driven.sum;
    sum->worst = share < sum->worst ? share : sum->worst;
    sum->vehicles += flow.count;
    sum->jammed += driven.arrived < flow.count ? 1 : 0;
    sum->contacts += driven.contacts > 0 ? 1 : 0;
    if (getenv("THROUGHPUT_EACH") != NULL)
        printf("  seed %d: alone %.1f, trajectories alone %.1f, best %.1f, driven %.1f s (%d of %d "
               "arrive)\n",
               (int)seed, alone.last, easy.last, best.last, driven.last, (int)driven.arrived,
               (int)flow.count);
}

int main(int argc, char** argv) {
    const int32_t first = argc > 1 ? atoi(argv[1]) : 0, seeds = argc > 2 ? atoi(argv[2]) : 20;
    for (int32_t kind = 0; kind < FLOW_KINDS; kind++) {
        throughput_sum sum = {.worst = 1.0e9};
        if (argc > 3 && atoi(argv[3]) != kind)
            continue;
        for (int32_t seed = first; seed < first + seeds; seed++)
            throughput_add(&sum, (kerb_scene_flow_kind)kind, (uint64_t)seed);
        printf("%-15s %3.0f %% of the best order, worst seed %3.0f %%; a vehicle is %4.1f s late, "
               "with "
               "the best order %4.1f s; %d of %d scenes jam, %d with contacts\n",
               kerb_scene_flow_kind_text((kerb_scene_flow_kind)kind), 100.0 * sum.best / sum.driven,
               100.0 * sum.worst, (sum.driven_sum - sum.alone_sum) / sum.vehicles,
               (sum.best_sum - sum.alone_sum) / sum.vehicles, (int)sum.jammed, (int)seeds,
               (int)sum.contacts);
    }
    return 0;
}
