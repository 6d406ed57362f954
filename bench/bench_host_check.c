// How well the host check names mistakes: false names in healthy drives, and time until a mistake
// has its name. By hand: bench_host_check [healthy drives] [drives for each mistake] [first seed].
#include "scene/host/host_drive.h"

#include <stdio.h>
#include <stdlib.h>

static double judged_time;

// Time above 3 m/s with steering until the mistake had its name; negative: another name, or none.
static float drive_until_named(uint64_t seed, kerb_host_mistake mistake, int32_t variant,
                               float seconds, kerb_host_mistake* named, kerb_scene_host_drive* d) {
    kerb_scene_host_drive_make(d, seed, mistake, variant);
    kerb_host_check check = kerb_host_check_make(&d->vehicle);
    *named = KERB_HOST_NO_MISTAKE;
    while (d->time < seconds) {
        kerb_scene_host_drive_frame(d);
        kerb_host_check_feed(&check, &d->told, &d->given, d->told_step);
        *named = kerb_host_check_worst(&check);
        if (*named != KERB_HOST_NO_MISTAKE)
            break;
        if (mistake != KERB_HOST_NO_MISTAKE && d->excited > 10.0f)
            break;
    }
    judged_time += (double)d->time;
    return d->excited;
}

int main(int count, char** arguments) {
    const int healthy = count > 1 ? atoi(arguments[1]) : 1000;
    const int each = count > 2 ? atoi(arguments[2]) : 200;
    const uint64_t first = count > 3 ? (uint64_t)atoll(arguments[3]) : 1;
    static kerb_scene_host_drive d;
    kerb_host_mistake named;
    int false_names = 0;
    for (int i = 0; i < healthy; i++) {
        drive_until_named(first + (uint64_t)i, KERB_HOST_NO_MISTAKE, 0, 30.0f, &named, &d);
        if (named != KERB_HOST_NO_MISTAKE) {
            false_names++;
            printf("seed %llu kind %d style %d kinematic %d after %.1f s: %.30s\n",
                   (unsigned long long)first + (unsigned long long)i, d.vehicle.kind, d.style,
                   d.kinematic, (double)d.time, kerb_host_mistake_text(named));
        }
    }
    printf("%d false names in %d healthy drives, %.0f s\n", false_names, healthy, judged_time);
    for (int m = 1; m < KERB_HOST_MISTAKE_COUNT; m++)
        for (int v = 0; v < kerb_scene_host_variants((kerb_host_mistake)m); v++) {
            int in_time[4] = {0}, of[4] = {0}, other = 0, late = 0,
                by_style[KERB_SCENE_HOST_STYLES] = {0};
            int others[KERB_HOST_MISTAKE_COUNT] = {0};
            for (int i = 0; i < each; i++) {
                float t = drive_until_named(first + (uint64_t)i, (kerb_host_mistake)m, v, 60.0f,
                                            &named, &d);
                if (t < 3.0f && named == KERB_HOST_NO_MISTAKE)
                    continue; // never driven as it needs
                of[d.vehicle.kind]++;
                by_style[d.style] += named != (kerb_host_mistake)m || t > 3.0f;
                if (named == (kerb_host_mistake)m && t <= 3.0f)
                    in_time[d.vehicle.kind]++;
                else if (named == (kerb_host_mistake)m)
                    late++;
                else if (named != KERB_HOST_NO_MISTAKE)
                    other++, others[named]++;
            }
            printf("%2d/%-2d wheeled %3d/%3d tracked %3d/%3d hover %3d/%3d, late %d, other %d:", m,
                   v, in_time[0], of[0], in_time[1], of[1], in_time[2], of[2], late, other);
            for (int k = 1; k < KERB_HOST_MISTAKE_COUNT; k++)
                if (others[k])
                    printf(" %d as %d", others[k], k);
            printf(" [%d %d %d %d %d]", by_style[0], by_style[1], by_style[2], by_style[3],
                   by_style[4]);
            printf("  %.25s\n", kerb_host_mistake_text((kerb_host_mistake)m));
        }
    return 0;
}
