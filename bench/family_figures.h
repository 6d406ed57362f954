// Figures of a benchmark over the family of hosts: values with their seeds, their shares, the
// worst, and what the hosts with a bad value have in common.
#ifndef KERB_BENCH_FAMILY_FIGURES_H
#define KERB_BENCH_FAMILY_FIGURES_H

#include "scene/host/family.h"

#include <stdio.h>
#include <stdlib.h>

// Values of a figure, and whose they are.
typedef struct figure_value {
    float value;
    uint32_t seed;
    const char* what; // may be NULL
} figure_value;

typedef struct figure_list {
    figure_value* values;
    int32_t count, capacity;
} figure_list;

static void list_add(figure_list* list, float value, uint64_t seed, const char* what) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity > 0 ? 2 * list->capacity : 256;
        // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): list_free frees it, also in arrays of lists.
        figure_value* more = realloc(list->values, (size_t)list->capacity * sizeof *more);
        if (!more)
            exit(1);
        list->values = more;
    }
    list->values[list->count++] = (figure_value){value, (uint32_t)seed, what};
}

static int by_value(const void* a, const void* b) {
    float x = ((const figure_value*)a)->value, y = ((const figure_value*)b)->value;
    return (x > y) - (x < y);
}

static void list_sort(figure_list* list) {
    if (list->count > 1)
        qsort(list->values, (size_t)list->count, sizeof *list->values, by_value);
}

// Of a sorted list.
static float list_at(const figure_list* list, float share) {
    if (list->count == 0)
        return 0.0f;
    return list->values[(int32_t)(share * (float)(list->count - 1) + 0.5f)].value;
}

// Share of the values that are at most `limit`. [%]
static double list_within(const figure_list* list, float limit) {
    int32_t within = 0;
    for (int32_t i = 0; i < list->count; i++)
        within += list->values[i].value <= limit;
    return 100.0 * within / (list->count > 0 ? list->count : 1);
}

static double list_mean(const figure_list* list) {
    double sum = 0.0;
    for (int32_t i = 0; i < list->count; i++)
        sum += (double)list->values[i].value;
    return sum / (list->count > 0 ? list->count : 1);
}

// Sorts it.
static void list_worst(const char* name, figure_list* list, bool greatest) {
    list_sort(list);
    printf("    worst, %s:", name);
    for (int32_t i = 0; i < 6 && i < list->count; i++) {
        const figure_value* v = &list->values[greatest ? list->count - 1 - i : i];
        printf(" %u%s%s (%.3g)", v->seed, v->what ? " " : "", v->what ? v->what : "",
               (double)v->value);
    }
    printf("\n");
}

static void list_free(figure_list* list) {
    free(list->values);
    *list = (figure_list){0};
}

// --------------------------------------------------------------------------- traits

static const char* const trait_names[] = {"steered behind",
                                          "delay > 0.1 s, told",
                                          "delay > 0.1 s, untold",
                                          "delay < 0.1 s",
                                          "no tyres",
                                          "stiff tyres",
                                          "soft tyres",
                                          "grip < 0.4",
                                          "wheels < 1 rad/s",
                                          "smoothed input",
                                          "lock falls to < 0.5",
                                          "bent steering",
                                          "trim > 0.03",
                                          "dead band > 0.01",
                                          "point beyond the front axle",
                                          "point behind the rear axle",
                                          "< 11 Hz",
                                          "11 to 30 Hz",
                                          "wheelbase < 1 m",
                                          "wheelbase > 4 m",
                                          "wheels untold",
                                          "gear 0 at rest",
                                          "one pedal",
                                          "handbrake alone holds",
                                          "creeps",
                                          "brakes < 4 m/s2"};
enum { TRAITS = sizeof trait_names / sizeof *trait_names };

static void traits_of(uint64_t seed, bool* has) {
    kerb_family_host host;
    kerb_family_host_make(&host, seed);
    const kerb_family_truth* t = &host.truth;
    const bool all[TRAITS] = {
        t->rear_steering,
        t->delay > 0.1f && t->tells_delay,
        t->delay > 0.1f && !t->tells_delay,
        t->delay < 0.1f,
        t->tyre == KERB_FAMILY_NO_TYRES,
        t->tyre == KERB_FAMILY_STIFF,
        t->tyre == KERB_FAMILY_SOFT,
        t->tyre != KERB_FAMILY_NO_TYRES &&
            t->grip<0.4f,
                    t->wheel_rate<1.0f,
                                  t->rise_rate<100.0f,
                                               t->lock_share<0.5f, t->exponent != 1.0f,
                                                             kerb_abs(t->trim)> 0.03f,
                                               t->dead_band> 0.01f,
                                  t->rear_to_point>
                        t->wheelbase,
                    t->rear_to_point<0.0f, t->frame_min> 1.0f / 11.0f, t->frame_min> 1.0f /
                30.0f &&
            t->frame_min <= 1.0f / 11.0f,
        t->wheelbase<1.0f, t->wheelbase> 4.0f,
        !t->tells_wheels,
        t->neutral_at_rest,
        t->brake_reverses,
        t->handbrake_holds,
        t->creep_speed > 0.0f,
        t->braking < 4.0f};
    for (int32_t i = 0; i < TRAITS; i++)
        has[i] = all[i];
}

// The traits with which a value is bad most often, at least a fifth more often than all: [%].
static void list_blame(const figure_list* list, float limit, bool above) {
    int32_t count[TRAITS] = {0}, bad[TRAITS] = {0}, all_bad = 0;
    for (int32_t i = 0; i < list->count; i++) {
        bool has[TRAITS], is_bad = (list->values[i].value > limit) == above;
        traits_of(list->values[i].seed, has);
        all_bad += is_bad;
        for (int32_t k = 0; k < TRAITS; k++) {
            count[k] += has[k];
            bad[k] += has[k] && is_bad;
        }
    }
    double usual = all_bad / (double)(list->count > 0 ? list->count : 1);
    printf("    bad %.1f %%", 100.0 * usual);
    for (int32_t printed = 0; printed < 6; printed++) {
        int32_t worst = -1;
        double most = 1.2 * usual;
        for (int32_t k = 0; k < TRAITS; k++) {
            double share = bad[k] / (double)(count[k] > 0 ? count[k] : 1);
            if (count[k] >= 8 && share > most) {
                worst = k;
                most = share;
            }
        }
        if (worst < 0)
            break;
        printf("%s %s %.0f", printed == 0 ? "; with" : ",", trait_names[worst], 100.0 * most);
        bad[worst] = 0;
    }
    printf("\n");
}

#endif
