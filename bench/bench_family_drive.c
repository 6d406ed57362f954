// How the follower drives the family of hosts:
//
//     bench_family_drive [FIRST LAST] [FIGURE…] [-v]     seeds 60000 to 60499, all figures
//
//     calm     changes of direction of the wheels on a straight and an arc, waypoints exact or not
//     trim     offset 10 s after a start 1 m aside, with a trim of 10 % of lock
//
// Each figure is a line: what it is, its value, and the value that is asked for. Below it stand the
// worst seeds. -v prints each host.
#include "scene/host/family_course.h"
#include "scene/host/family_ride.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAMILY_DRIVE_STREAM 82u

// --------------------------------------------------------------------------- figures

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

static bool is_verbose;

static void list_add(figure_list* list, float value, uint64_t seed, const char* what) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity > 0 ? 2 * list->capacity : 256;
        list->values = realloc(list->values, (size_t)list->capacity * sizeof *list->values);
        if (!list->values)
            exit(1);
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

static void list_worst(const figure_list* list, bool greatest) {
    printf("    worst:");
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

// --------------------------------------------------------------------------- hosts

static float corridor_of(const kerb_vehicle* vehicle) {
    return 1.25f * vehicle->width;
}

static void begin_course(kerb_family_course* course, const kerb_vehicle* vehicle) {
    kerb_family_course_begin(course, (kerb_vec3){0}, 0.0f, 0.75f * vehicle->wheelbase,
                             corridor_of(vehicle));
}

static kerb_path path_of(const kerb_family_course* course) {
    kerb_path path;
    if (!kerb_family_course_path(course, &path))
        exit(1);
    return path;
}

// --------------------------------------------------------------------------- calm

#define CALM_SWING 0.02f // of lock
#define CALM_FROM 5.0    // [s]
#define CALM_TIME 30.0   // on each part [s]

typedef struct calm_drive {
    float radius, speed, straight; // straight: length [m]
    kerb_family_swings commanded[2], wheels[2];
    double seconds[2];
} calm_drive;

// A radius that even the least lock turns with some left, and a speed that the grip allows.
static void calm_draw(calm_drive* calm, const kerb_family_host* host, uint64_t seed) {
    kerb_random random = kerb_random_make(seed, FAMILY_DRIVE_STREAM);
    float octaves = kerb_random_between(&random, 0.0f, 3.0f), share = 8.0f;
    for (; octaves > 1.0f; octaves -= 1.0f)
        share *= 2.0f;
    share *= 1.0f + octaves;
    calm->radius = share * kerb_vehicle_turning_radius(&host->vehicle);
    float most = kerb_sqrt(0.38f * kerb_family_grip(host) * KERB_GRAVITY * calm->radius);
    most = kerb_min(most, kerb_family_trim_speed(host, 0.38f));
    most = kerb_min(most, 0.8f * host->truth.speed_max);
    calm->speed = most * kerb_random_between(&random, 0.4f, 1.0f);
    calm->straight = (float)CALM_TIME * calm->speed;
    if (kerb_random_below(&random, 2) == 0)
        calm->radius = -calm->radius;
}

static void calm_watch(calm_drive* calm, const kerb_family_ride* ride, float step) {
    float station = (float)ride->follower.decision.distance;
    int32_t part = station > calm->straight ? 1 : 0;
    if (ride->time < CALM_FROM)
        return;
    kerb_family_swings_watch(&calm->commanded[part], ride->controls.steering, CALM_SWING);
    kerb_family_swings_watch(&calm->wheels[part], ride->host.wheel / ride->host.truth.lock,
                             CALM_SWING);
    calm->seconds[part] += (double)step;
}

static float calm_rate(const calm_drive* calm, const kerb_family_swings* swings) {
    float most = 0.0f;
    for (int32_t part = 0; part < 2; part++)
        most =
            kerb_max(most, (float)swings[part].count / kerb_max((float)calm->seconds[part], 10.0f));
    return most;
}

static calm_drive calm_run(uint64_t seed, bool jitters) {
    calm_drive calm = {0};
    kerb_family_host host;
    kerb_family_host_make(&host, seed);
    calm_draw(&calm, &host, seed);
    static kerb_family_course course;
    begin_course(&course, &host.vehicle);
    float reach = 3.0f * (float)CALM_TIME * calm.speed, radius = kerb_abs(calm.radius);
    course.spacing = kerb_max(course.spacing, reach / (0.9f * KERB_FAMILY_WAYPOINTS));
    kerb_family_course_straight(&course, calm.straight);
    kerb_family_course_arc(&course, radius, (reach - calm.straight) / calm.radius);
    if (jitters)
        kerb_family_course_jitter(&course, 0.05f * host.vehicle.wheelbase, seed);
    kerb_path path = path_of(&course);
    static kerb_family_ride ride;
    kerb_family_ride_make(&ride, &host, &host.vehicle, calm.speed);
    while (calm.seconds[1] < CALM_TIME && ride.time < 150.0)
        calm_watch(&calm, &ride, kerb_family_ride_step(&ride, &path));
    kerb_path_destroy(&path);
    return calm;
}

static void calm_print(const char* what, figure_list* list) {
    list_sort(list);
    printf("calm, %s: at most 0.5 changes a second in %.1f %% of hosts (asked 99), above 2 in "
           "%.1f %% (asked 0); median %.2f, 99 of 100 %.2f, greatest %.2f\n",
           what, list_within(list, 0.5f), 100.0 - list_within(list, 2.0f),
           (double)list_at(list, 0.5f), (double)list_at(list, 0.99f), (double)list_at(list, 1.0f));
    list_worst(list, true);
    list_free(list);
}

static void calm_main(uint64_t first, uint64_t last) {
    for (int32_t jitters = 0; jitters < 2; jitters++) {
        figure_list commands = {0}, wheels = {0};
        int32_t lost = 0;
        for (uint64_t seed = first; seed < last; seed++) {
            calm_drive calm = calm_run(seed, jitters);
            lost += calm.seconds[1] < CALM_TIME;
            list_add(&commands, calm_rate(&calm, calm.commanded), seed, NULL);
            list_add(&wheels, calm_rate(&calm, calm.wheels), seed, NULL);
            if (is_verbose)
                printf("%llu r %.0f v %.1f straight %d in %.0f s, arc %d in %.0f s, wheels %d %d\n",
                       (unsigned long long)seed, (double)calm.radius, (double)calm.speed,
                       calm.commanded[0].count, calm.seconds[0], calm.commanded[1].count,
                       calm.seconds[1], calm.wheels[0].count, calm.wheels[1].count);
        }
        calm_print(jitters ? "command, noisy waypoints" : "command", &commands);
        calm_print(jitters ? "wheels, noisy waypoints" : "wheels", &wheels);
        printf("    not driven to the end of the arc within 150 s: %d hosts\n", lost);
    }
}

// --------------------------------------------------------------------------- trim

// Greatest offset from 10 to 11 s, when it begins aside. [m]
static float trim_run(uint64_t seed) {
    kerb_family_host host;
    kerb_family_host_make(&host, seed);
    host.truth.trim = seed % 2 == 0 ? 0.1f : -0.1f;
    float scale = kerb_vehicle_scale(&host.vehicle);
    float speed = kerb_min(kerb_family_trim_speed(&host, 0.38f), 20.0f * kerb_sqrt(scale));
    speed = kerb_min(speed, 0.8f * host.truth.speed_max);
    static kerb_family_course course;
    begin_course(&course, &host.vehicle);
    course.spacing = kerb_max(course.spacing, 25.0f * speed / (0.9f * KERB_FAMILY_WAYPOINTS));
    kerb_family_course_straight(&course, 25.0f * speed);
    kerb_path path = path_of(&course);
    static kerb_family_ride ride;
    kerb_vec3 aside = {0.0f, kerb_min(scale, 1.0f), 0.0f};
    kerb_family_put(&host, aside, 0.0f, speed);
    kerb_family_ride_make(&ride, &host, &host.vehicle, speed);
    float most = 0.0f;
    while (ride.time < 11.0) {
        kerb_family_ride_step(&ride, &path);
        if (ride.time >= 10.0)
            most = kerb_max(most, kerb_abs(kerb_family_motion(&ride.host).position.y));
    }
    kerb_path_destroy(&path);
    if (is_verbose)
        printf("%llu v %.1f scale %.2f offset %.3f\n", (unsigned long long)seed, (double)speed,
               (double)scale, (double)most);
    return most;
}

static void trim_main(uint64_t first, uint64_t last) {
    figure_list offsets = {0};
    for (uint64_t seed = first; seed < last; seed++)
        list_add(&offsets, trim_run(seed), seed, NULL);
    list_sort(&offsets);
    printf("trim: offset after 10 s within 0.1 m in %.1f %% of hosts (asked 100); median %.3f, "
           "99 of 100 %.2f, greatest %.2f m\n",
           list_within(&offsets, 0.1f), (double)list_at(&offsets, 0.5f),
           (double)list_at(&offsets, 0.99f), (double)list_at(&offsets, 1.0f));
    list_worst(&offsets, true);
    list_free(&offsets);
}

// --------------------------------------------------------------------------- which

typedef struct figure {
    const char* name;
    void (*measure)(uint64_t first, uint64_t last);
} figure;

static const figure figures[] = {{"calm", calm_main}, {"trim", trim_main}};

int main(int argc, char** argv) {
    uint64_t first = 60000, last = 60500;
    int32_t numbers = 0, words = 0, count = (int32_t)(sizeof figures / sizeof *figures);
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] >= '0' && argv[i][0] <= '9')
            *(numbers++ == 0 ? &first : &last) = strtoull(argv[i], NULL, 10);
        else if (strcmp(argv[i], "-v") == 0)
            is_verbose = true;
        else
            words++;
    }
    printf("hosts %llu to %llu\n", (unsigned long long)first, (unsigned long long)last - 1);
    for (int32_t f = 0; f < count; f++) {
        bool asked = words == 0;
        for (int i = 1; i < argc; i++)
            asked = asked || strcmp(argv[i], figures[f].name) == 0;
        if (asked)
            figures[f].measure(first, last);
        fflush(stdout);
    }
    return 0;
}
