// How the lane keeper drives the family of hosts:
//
//     bench_family_lane [FIRST LAST] [calm] [trim] [-v] [-t]     seeds 60000 to 60099, both figures
//
//     calm     changes of direction of the wheels on a straight, from beside the lane, and an arc;
//              offsets from 10 s on; time off the road
//     trim     offset 10 s after a start beside the lane, with a trim of 10 % of the lock
//
// Below each figure stand the worst seeds. -v prints each host, -t each frame.
#include "bench/family_figures.h"
#include "scene/lane/lane_family.h"

#include <string.h>

static bool is_verbose, is_traced;

static void trace(const kerb_scene_lane_family_ride* ride) {
    const kerb_lane_decision* d = &ride->keeper.decision;
    printf("%.2f at %.2f %.2f heading %.2f v %.2f to %.2f steering %.3f wheel %.3f t %.2f b %.2f "
           "aside %.3f lane %.4f ask %.4f %s\n",
           ride->time, ride->host.x, ride->host.y, (double)ride->host.heading,
           (double)ride->host.forward, (double)d->target_speed, (double)ride->controls.steering,
           (double)(ride->host.wheel / ride->host.truth.lock), (double)ride->controls.throttle,
           (double)ride->controls.brake, (double)ride->offset, (double)d->lane_curvature,
           (double)d->commanded_curvature, kerb_reason_text(ride->controls.reason));
}

static void print_list(const char* what, figure_list* list, float limit, const char* unit) {
    list_sort(list);
    printf("%s: at most %.2f in %.1f %% of hosts; median %.3f, 90 of 100 %.3f, 99 of 100 %.2f, "
           "greatest %.2f, mean %.3f %s\n",
           what, (double)limit, list_within(list, limit), (double)list_at(list, 0.5f),
           (double)list_at(list, 0.9f), (double)list_at(list, 0.99f), (double)list_at(list, 1.0f),
           list_mean(list), unit);
    list_worst(what, list, true);
    list_blame(list, limit, true);
    list_free(list);
}

static float rate_of(const kerb_scene_lane_family_ride* ride, bool wheels) {
    float most = 0.0f;
    for (int32_t i = 0; i < 2; i++) {
        const kerb_scene_lane_family_part* p = &ride->parts[i];
        int32_t count = wheels ? p->wheels.count : p->commanded.count;
        most = kerb_max(most, (float)count / kerb_max((float)p->seconds, 10.0f));
    }
    return most;
}

static void run(kerb_scene_lane_family_ride* ride, uint64_t seed, float trim) {
    if (!kerb_scene_lane_family_run(seed, trim, is_traced ? trace : NULL, ride))
        exit(1);
}

static void calm_main(uint64_t first, uint64_t last) {
    figure_list commands = {0}, wheels = {0}, means[2] = {{0}}, most[2] = {{0}}, outside = {0};
    int32_t unfinished = 0;
    static kerb_scene_lane_family_ride ride;
    for (uint64_t seed = first; seed < last; seed++) {
        run(&ride, seed, 0.0f);
        unfinished += !ride.finished;
        list_add(&commands, rate_of(&ride, false), seed, NULL);
        list_add(&wheels, rate_of(&ride, true), seed, NULL);
        list_add(&outside, (float)ride.outside, seed, NULL);
        for (int32_t i = 0; i < 2; i++) {
            const kerb_scene_lane_family_part* p = &ride.parts[i];
            if (p->error_time <= 0.0)
                continue;
            list_add(&means[i], (float)(p->error_sum / p->error_time) / ride.lane, seed, NULL);
            list_add(&most[i], p->error_max / ride.lane, seed, NULL);
        }
        if (is_verbose)
            printf("%llu r %.0f v %.1f lane %.2f swings %d %d in %.0f %.0f s, error %.3f %.3f at "
                   "most %.2f %.2f, outside %.1f s%s\n",
                   (unsigned long long)seed, (double)ride.radius, (double)ride.speed,
                   (double)ride.lane, ride.parts[0].commanded.count, ride.parts[1].commanded.count,
                   ride.parts[0].seconds, ride.parts[1].seconds,
                   ride.parts[0].error_sum / (ride.parts[0].error_time + 1.0e-9),
                   ride.parts[1].error_sum / (ride.parts[1].error_time + 1.0e-9),
                   (double)ride.parts[0].error_max, (double)ride.parts[1].error_max, ride.outside,
                   ride.finished ? "" : ", not finished");
    }
    print_list("changes of the command a second", &commands, 0.5f, "");
    print_list("changes of the wheels a second", &wheels, 0.5f, "");
    print_list("mean offset, straight, in half lanes", &means[0], 0.05f, "");
    print_list("mean offset, arc, in half lanes", &means[1], 0.05f, "");
    print_list("greatest offset, straight, in half lanes", &most[0], 0.1f, "");
    print_list("greatest offset, arc, in half lanes", &most[1], 0.2f, "");
    print_list("time off the road", &outside, 0.0f, "s");
    printf("not driven to the end of the arc: %d hosts\n", unfinished);
}

static void trim_main(uint64_t first, uint64_t last) {
    figure_list offsets = {0};
    static kerb_scene_lane_family_ride ride;
    for (uint64_t seed = first; seed < last; seed++) {
        run(&ride, seed, seed % 2 == 0 ? 0.1f : -0.1f);
        list_add(&offsets, ride.parts[0].error_late, seed, NULL);
        if (is_verbose)
            printf("%llu v %.1f lane %.2f offset %.3f\n", (unsigned long long)seed,
                   (double)ride.speed, (double)ride.lane, (double)ride.parts[0].error_late);
    }
    print_list("trim, offset after 10 s", &offsets, 0.1f, "m");
}

int main(int argc, char** argv) {
    uint64_t range[2] = {60000, 60100};
    int32_t numbers = 0;
    bool calm = false, trim = false;
    for (int i = 1; i < argc; i++) {
        is_verbose = is_verbose || strcmp(argv[i], "-v") == 0;
        is_traced = is_traced || strcmp(argv[i], "-t") == 0;
        calm = calm || strcmp(argv[i], "calm") == 0;
        trim = trim || strcmp(argv[i], "trim") == 0;
        if (argv[i][0] >= '0' && argv[i][0] <= '9' && numbers < 2)
            range[numbers++] = strtoull(argv[i], NULL, 10);
    }
    if (calm || !trim)
        calm_main(range[0], range[1]);
    if (trim || !calm)
        trim_main(range[0], range[1]);
    return 0;
}
