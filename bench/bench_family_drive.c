// How the follower drives the family of hosts:
//
//     bench_family_drive [FIRST LAST] [FIGURE…] [-v]     seeds 60000 to 60499, all figures
//
//     calm     changes of direction of the wheels on a straight, from 1 m aside, and an arc;
//     waypoints
//              exact or not
//     trim     offset 10 s after a start 1 m aside, with a trim of 10 % of lock
//     courses  ten courses scaled to the host, against the driver told the truth
//     margin   gain and delay that the steering loop bears on a straight
//     arrive   where and when it says that it arrived
//     anew     the path found anew from the vehicle's place, every frame or every 0.1 to 0.5 s
//     parking  cases of ../shared/data/parking where they are, else three built in, at the host's
//     size
//     race     laps at the limit, of hosts with at most 0.1 s of delay and 30 Hz or more
//     host     only what the hosts are
//
// Each figure is a line: what it is, its value, and the value that is asked for. Below it stand the
// worst seeds. -v prints each host, -t each frame, too. With -o the followers steer by
// what is told and learn nothing.
#include "bench/family_figures.h"
#include "kerb/io/scenario.h"
#include "scene/host/family_course.h"
#include "scene/host/family_park.h"
#include "scene/host/family_race.h"
#include "scene/host/family_trial.h"

#include <string.h>

#define FAMILY_DRIVE_STREAM 82u

static bool is_verbose, is_traced;

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

// A frame, for -t.
static void trace(const kerb_family_ride* ride) {
    const kerb_family_host* h = &ride->host;
    const kerb_follower_decision* d = &ride->follower.decision;
    printf("%.2f at %.2f %.2f heading %.2f v %.2f to %.2f steering %.3f wheel %.3f t %.2f b %.2f "
           "gear %d/%d aside %.2f he %.3f station %.1f %s\n",
           ride->time, (double)ride->motion.position.x, (double)ride->motion.position.y,
           (double)h->heading, (double)h->forward, (double)d->target_speed,
           (double)ride->controls.steering, (double)(h->wheel / h->truth.lock),
           (double)ride->controls.throttle, (double)ride->controls.brake, ride->controls.gear,
           h->gear, (double)d->cross_track_error, (double)d->heading_error, d->distance,
           kerb_reason_text(ride->controls.reason));
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
    const float octaves = kerb_random_between(&random, 0.0f, 3.0f);
    const int32_t whole = octaves > 2.0f ? 2 : octaves > 1.0f ? 1 : 0;
    const float share = 8.0f * (float)(1 << whole) * (1.0f + octaves - (float)whole);
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
    // From aside: exactly on a straight nothing wakes an unrest.
    float aside = kerb_min(kerb_vehicle_scale(&host.vehicle), 1.0f);
    kerb_family_put(&host, (kerb_vec3){0.0f, seed % 2 == 0 ? aside : -aside, 0.0f}, 0.0f, 0.0f);
    kerb_family_ride_make(&ride, &host, &host.vehicle, calm.speed);
    while (calm.seconds[1] < CALM_TIME && ride.time < 150.0) {
        calm_watch(&calm, &ride, kerb_family_ride_step(&ride, &path));
        if (is_traced)
            trace(&ride);
    }
    kerb_path_destroy(&path);
    return calm;
}

static void calm_print(const char* what, figure_list* list) {
    list_sort(list);
    printf("calm, %s: at most 0.5 changes a second in %.1f %% of hosts (asked 99), above 2 in "
           "%.1f %% (asked 0); median %.2f, 99 of 100 %.2f, greatest %.2f\n",
           what, list_within(list, 0.5f), 100.0 - list_within(list, 2.0f),
           (double)list_at(list, 0.5f), (double)list_at(list, 0.99f), (double)list_at(list, 1.0f));
    list_worst("changes a second", list, true);
    list_blame(list, 0.5f, true);
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
        if (is_traced)
            trace(&ride);
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
    list_worst("offset", &offsets, true);
    list_blame(&offsets, 0.1f, true);
    list_free(&offsets);
}

// --------------------------------------------------------------------------- courses

#define COURSES_INSIDE 0.02f // of the progress [1]
#define COURSES_TIME 1.15f   // over the driver told the truth [1]

typedef struct course_figures {
    int32_t trials, by_slow, finished, stuck;
    figure_list unfinished, errors, insides, times;
} course_figures;

// Over what is allowed: 0.2 of the width and 0.1 m.
static float error_share(const kerb_family_trial* trial, const kerb_vehicle* vehicle) {
    return trial->error_mean / (0.2f * vehicle->width + 0.1f);
}

static void course_tally(course_figures* all, const kerb_family_trial* trials,
                         const kerb_vehicle* vehicle, uint64_t seed, const char* name) {
    const kerb_family_trial *told = &trials[KERB_FAMILY_AS_TOLD],
                            *truth = &trials[KERB_FAMILY_TRUE],
                            *slow = &trials[KERB_FAMILY_TRUE_SLOW];
    all->trials++;
    all->stuck += told->stuck;
    if (!slow->finished)
        return;
    all->by_slow++;
    all->finished += told->finished;
    list_add(&all->unfinished, told->finished ? 0.0f : told->time, seed, name);
    list_add(&all->errors, error_share(told, vehicle), seed, name);
    list_add(&all->insides, slow->inside - told->inside, seed, name);
    if (told->finished && truth->finished)
        list_add(&all->times, told->time / truth->time, seed, name);
}

static void course_print(course_figures* all, const char* name) {
    double by_slow = all->by_slow > 0 ? all->by_slow : 1;
    double trials = all->trials > 0 ? all->trials : 1;
    list_sort(&all->errors);
    list_sort(&all->insides);
    list_sort(&all->times);
    printf("courses, %s: %d trials; the slow driver told the truth finishes %.1f %%, of these "
           "finished %.2f %% (asked 99.5); stuck %.2f %% (asked 1)\n",
           name, all->trials, 100.0 * all->by_slow / trials, 100.0 * all->finished / by_slow,
           100.0 * all->stuck / trials);
    printf(
        "    mean error within 0.2 of the width + 0.1 m in %.1f %%, median %.2f of it, 95 of 100 "
        "%.2f; inside at most 2 points less in %.1f %%, mean %.1f points less\n",
        list_within(&all->errors, 1.0f), (double)list_at(&all->errors, 0.5f),
        (double)list_at(&all->errors, 0.95f), list_within(&all->insides, COURSES_INSIDE),
        100.0 * list_mean(&all->insides));
    printf("    time over the driver told the truth at most 1.15 in %.1f %%, mean %.3f, 95 of 100 "
           "%.2f\n",
           list_within(&all->times, COURSES_TIME), list_mean(&all->times),
           (double)list_at(&all->times, 0.95f));
}

static void course_free(course_figures* all) {
    list_free(&all->unfinished);
    list_free(&all->errors);
    list_free(&all->insides);
    list_free(&all->times);
}

static void course_one(course_figures* figures, uint64_t seed, int32_t kind) {
    static kerb_family_course course;
    const char* name = kerb_family_course_name(kind);
    kerb_family_host host;
    kerb_family_host_make(&host, seed);
    kerb_family_course_draw(&course, kind, &host.vehicle, seed);
    kerb_path path = path_of(&course);
    kerb_family_trial trials[KERB_FAMILY_DRIVERS];
    for (int32_t driver = 0; driver < KERB_FAMILY_DRIVERS; driver++)
        trials[driver] = kerb_family_course_drive(&host, &path, (kerb_family_driver)driver,
                                                  is_traced && driver == 0 ? trace : NULL);
    kerb_path_destroy(&path);
    course_tally(&figures[kind], trials, &host.vehicle, seed, name);
    course_tally(&figures[KERB_FAMILY_COURSES], trials, &host.vehicle, seed, name);
    for (int32_t driver = 0; is_verbose && driver < KERB_FAMILY_DRIVERS; driver++) {
        const kerb_family_trial* t = &trials[driver];
        printf("%llu %s driver %d: %s%s %.1f s, error %.3f (%.2f), greatest %.2f, inside %.3f\n",
               (unsigned long long)seed, name, driver, t->finished ? "finished" : "not finished",
               t->stuck ? ", stuck" : "", (double)t->time, (double)t->error_mean,
               (double)error_share(t, &host.vehicle), (double)t->error_max, (double)t->inside);
    }
}

static void courses_main(uint64_t first, uint64_t last) {
    static course_figures figures[KERB_FAMILY_COURSES + 1];
    for (uint64_t seed = first; seed < last; seed++)
        for (int32_t kind = 0; kind < KERB_FAMILY_COURSES; kind++)
            course_one(figures, seed, kind);
    for (int32_t kind = 0; kind < KERB_FAMILY_COURSES; kind++)
        course_print(&figures[kind], kerb_family_course_name(kind));
    course_figures* all = &figures[KERB_FAMILY_COURSES];
    course_print(all, "all");
    list_worst("not finished", &all->unfinished, true);
    list_blame(&all->unfinished, 0.0f, true);
    list_worst("error", &all->errors, true);
    list_blame(&all->errors, 1.0f, true);
    list_worst("less inside", &all->insides, true);
    list_blame(&all->insides, COURSES_INSIDE, true);
    list_worst("time", &all->times, true);
    list_blame(&all->times, COURSES_TIME, true);
    for (int32_t kind = 0; kind <= KERB_FAMILY_COURSES; kind++)
        course_free(&figures[kind]);
}

// --------------------------------------------------------------------------- margin

static void margin_one(figure_list* gains, figure_list* delays, figure_list* phases,
                       figure_list* crossovers, int32_t* counts, uint64_t seed, bool tells) {
    kerb_family_host host;
    kerb_family_host_make(&host, seed);
    kerb_vehicle vehicle = host.vehicle;
    if (tells)
        vehicle.steering_delay = vehicle.throttle_delay = host.truth.delay;
    float speed = kerb_min(kerb_family_trim_speed(&host, 0.38f),
                           20.0f * kerb_sqrt(kerb_vehicle_scale(&vehicle)));
    kerb_random random = kerb_random_make(seed, FAMILY_DRIVE_STREAM + 1u);
    speed = kerb_min(speed, 0.8f * host.truth.speed_max) * kerb_random_between(&random, 0.4f, 1.0f);
    kerb_family_margin m = kerb_family_margin_of(&host, &vehicle, speed, is_traced ? trace : NULL);
    list_add(gains, m.settles ? m.gain : 0.0f, seed, NULL);
    list_add(delays, m.settles ? m.delay : 0.0f, seed, NULL);
    if (m.crossover > 0.0f) {
        list_add(phases, m.phase * 180.0f / KERB_PI, seed, NULL);
        list_add(crossovers, m.crossover, seed, NULL);
    }
    counts[0] += m.settles;
    counts[1] += m.doubled;
    counts[2] += m.delayed;
    if (is_verbose)
        printf(
            "%llu v %.1f hz %.0f delay %.2f tells %d rate %.1f tyre %d: settles %d gain %.2f delay "
            "%.3f crossover %.2f phase %.0f doubled %d delayed %d\n",
            (unsigned long long)seed, (double)m.speed, 1.0 / (double)host.truth.frame_min,
            (double)host.truth.delay, host.truth.tells_delay, (double)host.truth.wheel_rate,
            host.truth.tyre, m.settles, (double)m.gain, (double)m.delay, (double)m.crossover,
            (double)m.phase * 57.3, m.doubled, m.delayed);
}

static void margin_main(uint64_t first, uint64_t last) {
    for (int32_t tells = 1; tells >= 0; tells--) {
        figure_list gains = {0}, delays = {0}, phases = {0}, crossovers = {0};
        int32_t counts[3] = {0};
        for (uint64_t seed = first; seed < last; seed++)
            margin_one(&gains, &delays, &phases, &crossovers, counts, seed, tells);
        figure_list* lists[] = {&gains, &delays, &phases, &crossovers};
        for (int32_t i = 0; i < 4; i++)
            list_sort(lists[i]);
        double n = gains.count > 0 ? gains.count : 1;
        printf("margin, delay %s: settles as it is in %.1f %%, with the gain doubled in %.1f %% "
               "(asked 100), with 45 degrees of delay at the crossover in %.1f %% (asked 100)\n",
               tells ? "told" : "as hosts tell it", 100.0 * counts[0] / n, 100.0 * counts[1] / n,
               100.0 * counts[2] / n);
        printf("    greatest gain that settles: 5 of 100 %.2f, median %.2f; greatest delay: 5 of "
               "100 %.3f, median %.3f s\n",
               (double)list_at(&gains, 0.05f), (double)list_at(&gains, 0.5f),
               (double)list_at(&delays, 0.05f), (double)list_at(&delays, 0.5f));
        printf("    crossover of %d hosts: 5 of 100 %.2f, median %.2f, 95 of 100 %.2f rad/s; phase "
               "margin there: 5 of 100 %.0f, median %.0f degrees\n",
               crossovers.count, (double)list_at(&crossovers, 0.05f),
               (double)list_at(&crossovers, 0.5f), (double)list_at(&crossovers, 0.95f),
               (double)list_at(&phases, 0.05f), (double)list_at(&phases, 0.5f));
        list_worst("gain", &gains, false);
        list_blame(&gains, 2.0f, false);
        list_worst("delay", &delays, false);
        for (int32_t i = 0; i < 4; i++)
            list_free(lists[i]);
    }
}

// --------------------------------------------------------------------------- arrive

#define ARRIVE_NEAR 0.3f // from the end at most when it is said [m]
#define ARRIVE_AT 0.1f   // standing there, it must be said [m]
#define ARRIVE_SOON 2.0  // … within this time [s]
#define ARRIVE_DRIVES 4  // of each host
#define STANDSTILL 0.02f // [m/s]

static const char* const arrive_names[] = {"start", "aside", "beyond", "beside"};
enum { ARRIVE_KINDS = 4 };

typedef struct arrive_drive {
    int32_t kind;
    bool said, gave_up;
    float far;     // greatest distance from the end at which it was said [m]
    float said_at; // distance when it was first said [m]
    double stands; // near the end without saying it [s]
    bool stood;    // near the end
    bool late;     // … for too long
    float time;    // to the first word [s]
} arrive_drive;

static float apart(kerb_vec3 a, kerb_vec3 b) {
    float x = a.x - b.x, y = a.y - b.y;
    return kerb_sqrt(x * x + y * y);
}

// A straight, a bend, an S, or a corner; the end may lie right behind the bend.
static void arrive_draw(kerb_family_course* course, const kerb_vehicle* vehicle,
                        kerb_random* random) {
    float r = kerb_vehicle_turning_radius(vehicle);
    float side = kerb_random_below(random, 2) == 0 ? 1.0f : -1.0f;
    begin_course(course, vehicle);
    kerb_family_course_straight(course, r * kerb_random_between(random, 0.5f, 10.0f));
    int32_t shape = kerb_random_below(random, 4);
    if (shape == 1 || shape == 2)
        kerb_family_course_arc(course, r * kerb_random_between(random, 1.3f, 4.0f),
                               side * kerb_random_between(random, 0.3f, 3.0f));
    if (shape == 2)
        kerb_family_course_arc(course, r * kerb_random_between(random, 1.3f, 4.0f),
                               -side * kerb_random_between(random, 0.3f, 3.0f));
    if (shape == 3)
        kerb_family_course_corner(course, side * kerb_random_between(random, 0.3f, 1.6f));
    if (kerb_random_below(random, 2) == 0)
        kerb_family_course_straight(course, r * kerb_random_between(random, 0.3f, 4.0f));
}

static void arrive_put(kerb_family_host* host, const kerb_family_course* course, int32_t kind,
                       float speed, kerb_random* random) {
    float r = kerb_vehicle_turning_radius(&host->vehicle);
    kerb_vec3 end = course->waypoints[course->count - 1].position, place = {0};
    float sine, cosine, heading = course->heading, ahead = 0.0f, aside = 0.0f;
    if (kind == 0 || kind == 1) {
        aside = kind == 1 ? host->vehicle.width * kerb_random_between(random, -2.0f, 2.0f) : 0.0f;
        place = (kerb_vec3){0.0f, aside, 0.0f};
        heading = kind == 1 ? kerb_random_between(random, -0.5f, 0.5f) : 0.0f;
    } else {
        kerb_sin_cos(heading, &sine, &cosine);
        if (kind == 2) { // 1 to 100 m
            ahead = kerb_random_between(random, 0.0f, 1.0f);
            ahead = 1.0f + 99.0f * ahead * ahead;
            aside = kerb_random_between(random, -0.5f, 0.5f) * host->vehicle.width;
        } else {
            ahead = r * kerb_random_between(random, -2.0f, 0.5f);
            aside = r * kerb_random_between(random, -2.0f, 2.0f);
            heading += kerb_random_between(random, -0.5f, 0.5f);
        }
        place = (kerb_vec3){end.x + ahead * cosine - aside * sine,
                            end.y + ahead * sine + aside * cosine, 0.0f};
    }
    bool rolls = kerb_random_below(random, 3) == 0;
    kerb_family_put(host, place, heading, rolls && kind < 2 ? 0.5f * speed : 0.0f);
}

static void arrive_watch(arrive_drive* drive, const kerb_family_ride* ride, kerb_vec3 end,
                         float step) {
    float away = apart(ride->motion.position, end);
    bool says = ride->controls.reason == KERB_REASON_ARRIVED;
    if (says && !drive->said) {
        drive->said = true;
        drive->said_at = away;
        drive->time = (float)ride->time;
    }
    if (says)
        drive->far = kerb_max(drive->far, away);
    bool stands = kerb_abs(ride->host.forward) < STANDSTILL && away <= ARRIVE_AT;
    drive->stood = drive->stood || stands;
    drive->stands = stands && !says ? drive->stands + (double)step : 0.0;
    drive->late = drive->late || drive->stands > ARRIVE_SOON;
}

static arrive_drive arrive_run(uint64_t seed, int32_t number) {
    static kerb_family_course course;
    static kerb_family_ride ride;
    kerb_random random =
        kerb_random_make(seed, FAMILY_DRIVE_STREAM + 16u + (uint64_t)(uint32_t)number);
    arrive_drive drive = {.kind = number % ARRIVE_KINDS};
    kerb_family_host host;
    kerb_family_host_make(&host, seed);
    float speed = kerb_family_course_speed(&host) * kerb_random_between(&random, 0.3f, 1.0f);
    arrive_draw(&course, &host.vehicle, &random);
    arrive_put(&host, &course, drive.kind, speed, &random);
    kerb_path path = path_of(&course);
    kerb_vec3 end = path.points[path.count - 1].position;
    kerb_family_ride_make(&ride, &host, &host.vehicle, speed);
    double most = 60.0 + 4.0 * path.length / (double)speed, until = most;
    while (ride.time < until && !drive.gave_up) {
        float step = kerb_family_ride_step(&ride, &path);
        arrive_watch(&drive, &ride, end, step);
        if (is_traced)
            trace(&ride);
        kerb_reason reason = ride.controls.reason;
        drive.gave_up = reason == KERB_REASON_TELEPORT || reason == KERB_REASON_GIVEN_UP;
        if (drive.said && until == most) // and looks on for a while
            until = ride.time + 3.0;
    }
    kerb_path_destroy(&path);
    return drive;
}

static void arrive_main(uint64_t first, uint64_t last) {
    figure_list far[ARRIVE_KINDS] = {{0}}, late = {0}, silent = {0};
    int32_t drives[ARRIVE_KINDS] = {0}, said[ARRIVE_KINDS] = {0}, quit[ARRIVE_KINDS] = {0};
    int32_t stood = 0;
    for (uint64_t seed = first; seed < last; seed++)
        for (int32_t number = 0; number < ARRIVE_DRIVES; number++) {
            arrive_drive d = arrive_run(seed, number);
            drives[d.kind]++;
            said[d.kind] += d.said;
            list_add(&silent, d.said || d.gave_up ? 0.0f : 1.0f, seed, arrive_names[d.kind]);
            quit[d.kind] += d.gave_up;
            list_add(&far[d.kind], d.far, seed, arrive_names[d.kind]);
            stood += d.stood;
            if (d.late)
                list_add(&late, (float)d.stands, seed, arrive_names[d.kind]);
            if (is_verbose)
                printf("%llu %s: said %d after %.1f s at %.2f m, at most %.2f, stood %d late %d "
                       "gave up %d\n",
                       (unsigned long long)seed, arrive_names[d.kind], d.said, (double)d.time,
                       (double)d.said_at, (double)d.far, d.stood, d.late, d.gave_up);
        }
    for (int32_t kind = 0; kind < ARRIVE_KINDS; kind++) {
        double n = drives[kind] > 0 ? drives[kind] : 1;
        list_sort(&far[kind]);
        printf("arrive, %s: of %d drives said ARRIVED %.2f %%, farther than 0.3 m from the end "
               "%.2f %% (asked 0), at most %.2f m; gave up %.2f %%\n",
               arrive_names[kind], drives[kind], 100.0 * said[kind] / n,
               100.0 - list_within(&far[kind], ARRIVE_NEAR), (double)list_at(&far[kind], 1.0f),
               100.0 * quit[kind] / n);
        list_worst("farthest", &far[kind], true);
        list_blame(&far[kind], ARRIVE_NEAR, true);
        list_free(&far[kind]);
    }
    printf(
        "arrive: standing within 0.1 m of the end, said within 2 s in %.2f %% of %d (asked 99)\n",
        100.0 - 100.0 * late.count / (stood > 0 ? stood : 1), stood);
    list_worst("not", &late, true);
    list_free(&late);
    list_worst("nothing said", &silent, true);
    list_blame(&silent, 0.5f, true);
    list_free(&silent);
}

// --------------------------------------------------------------------------- anew

#define ANEW_GOALS 2 // of each host

typedef struct anew_task {
    kerb_vec3 goal, via;
    bool bent;
    float interval; // 0: every frame [s]
} anew_task;

static anew_task anew_draw(const kerb_vehicle* vehicle, kerb_random* random) {
    float r = kerb_vehicle_turning_radius(vehicle), sine, cosine;
    anew_task task = {.bent = kerb_random_below(random, 2) == 0};
    float bearing = kerb_random_between(random, -0.7f, 0.7f);
    float length = r * kerb_random_between(random, 3.0f, 12.0f);
    kerb_sin_cos(bearing, &sine, &cosine);
    task.goal = task.via = (kerb_vec3){length * cosine, length * sine, 0.0f};
    if (task.bent) {
        kerb_sin_cos(bearing + kerb_random_between(random, -1.5f, 1.5f), &sine, &cosine);
        length = r * kerb_random_between(random, 3.0f, 12.0f);
        task.goal = (kerb_vec3){task.via.x + length * cosine, task.via.y + length * sine, 0.0f};
    }
    bool each = kerb_random_below(random, 3) == 0;
    task.interval = each ? 0.0f : kerb_random_between(random, 0.1f, 0.5f);
    return task;
}

// The corners from a place on, as a navigation mesh gives them. False: it is there.
static bool anew_find(kerb_path* path, anew_task* task, const kerb_vehicle* vehicle,
                      kerb_vec3 place) {
    const kerb_host memory = kerb_host_default();
    kerb_waypoint waypoints[3] = {kerb_waypoint_at(place.x, place.y, 0.0f)};
    int32_t count = 1;
    kerb_vec3 on = kerb_vec3_sub(task->goal, task->via);
    bool passed = kerb_vec3_dot(kerb_vec3_sub(place, task->via), on) > 0.0f ||
                  apart(place, task->via) < vehicle->width;
    task->bent = task->bent && !passed;
    if (task->bent)
        waypoints[count++] = kerb_waypoint_at(task->via.x, task->via.y, 0.0f);
    waypoints[count++] = kerb_waypoint_at(task->goal.x, task->goal.y, 0.0f);
    for (int32_t i = 0; i < count; i++)
        waypoints[i].left = waypoints[i].right = corridor_of(vehicle);
    kerb_path found;
    if (kerb_path_create(&found, waypoints, count, false, &memory, NULL) != KERB_OK)
        return false;
    kerb_path_destroy(path);
    *path = found;
    return true;
}

// Time to arrive; negative: it did not. [s]
static float anew_drive(const kerb_family_host* host, anew_task task, bool anew, double most) {
    static kerb_family_ride ride;
    float speed = kerb_family_course_speed(host);
    kerb_family_ride_make(&ride, host, &host->vehicle, speed);
    kerb_path path = {0};
    double next = 0.0;
    bool arrived = false;
    while (ride.time < most && !arrived && ride.controls.reason != KERB_REASON_TELEPORT) {
        if (ride.time >= next && (anew || path.count == 0)) {
            anew_find(&path, &task, &host->vehicle, kerb_family_motion(&ride.host).position);
            next = ride.time + (double)task.interval;
        }
        kerb_family_ride_step(&ride, &path);
        if (is_traced && anew)
            trace(&ride);
        arrived = ride.controls.reason == KERB_REASON_ARRIVED &&
                  apart(ride.motion.position, task.goal) <= ARRIVE_NEAR;
    }
    kerb_path_destroy(&path);
    return arrived ? (float)ride.time : -1.0f;
}

static void anew_main(uint64_t first, uint64_t last) {
    figure_list ratios = {0}, lost = {0};
    int32_t goals = 0, fixed_arrived = 0, anew_arrived = 0, frames = 0, frames_arrived = 0;
    for (uint64_t seed = first; seed < last; seed++)
        for (int32_t number = 0; number < ANEW_GOALS; number++) {
            kerb_random random =
                kerb_random_make(seed, FAMILY_DRIVE_STREAM + 64u + (uint64_t)(uint32_t)number);
            kerb_family_host host;
            kerb_family_host_make(&host, seed);
            anew_task task = anew_draw(&host.vehicle, &random);
            float fixed = anew_drive(&host, task, false, 120.0);
            float anew =
                anew_drive(&host, task, true, fixed > 0.0f ? 3.0 * (double)fixed + 20.0 : 120.0);
            goals++;
            fixed_arrived += fixed > 0.0f;
            anew_arrived += anew > 0.0f;
            frames += task.interval == 0.0f;
            frames_arrived += task.interval == 0.0f && anew > 0.0f;
            list_add(&lost, anew < 0.0f ? 1.0f : 0.0f, seed, NULL);
            if (fixed > 0.0f && anew > 0.0f)
                list_add(&ratios, anew / fixed, seed, NULL);
            if (is_verbose)
                printf("%llu bent %d interval %.2f: fixed %.1f s, anew %.1f s\n",
                       (unsigned long long)seed, task.bent, (double)task.interval, (double)fixed,
                       (double)anew);
        }
    list_sort(&ratios);
    double n = goals > 0 ? goals : 1;
    printf("anew: of %d goals arrives %.2f %% (asked 99.5), with the first path kept %.2f %%; time "
           "over that at most 1.2 in %.1f %% (asked 100), median %.2f, greatest %.2f\n",
           goals, 100.0 * anew_arrived / n, 100.0 * fixed_arrived / n, list_within(&ratios, 1.2f),
           (double)list_at(&ratios, 0.5f), (double)list_at(&ratios, 1.0f));
    printf("    of %d whose path is found in every frame arrives %.2f %%, of the others %.2f %%\n",
           frames, 100.0 * frames_arrived / (frames > 0 ? frames : 1),
           100.0 * (anew_arrived - frames_arrived) / (goals > frames ? goals - frames : 1));
    list_worst("time", &ratios, true);
    list_worst("not arrived", &lost, true);
    list_blame(&lost, 0.5f, true);
    list_free(&ratios);
    list_free(&lost);
}

// --------------------------------------------------------------------------- parking

#define PARKING_NAMES 16

typedef struct parking_cases {
    kerb_family_park_task tasks[PARKING_NAMES];
    char names[PARKING_NAMES][16];
    kerb_io_parking read[PARKING_NAMES];
    int32_t count;
    bool built_in;
} parking_cases;

// Two parked cars of the built-in cases, and a kerb or a wall beyond.
static const kerb_vec2 parking_bay[] = {
    {-1.2f, 1.3f}, {3.9f, 1.3f},   {3.9f, 3.4f},   {-1.2f, 3.4f},  {-1.2f, -3.4f}, {3.9f, -3.4f},
    {3.9f, -1.3f}, {-1.2f, -1.3f}, {-2.2f, -9.0f}, {-1.9f, -9.0f}, {-1.9f, 9.0f},  {-2.2f, 9.0f}};
static const kerb_vec2 parking_row[] = {{-8.2f, -1.0f}, {-3.3f, -1.0f}, {-3.3f, 1.0f},
                                        {-8.2f, 1.0f},  {5.6f, -1.0f},  {10.5f, -1.0f},
                                        {10.5f, 1.0f},  {5.6f, 1.0f},   {-12.0f, -1.6f},
                                        {14.0f, -1.6f}, {14.0f, -1.3f}, {-12.0f, -1.3f}};
static const int32_t parking_fours[] = {4, 4, 4};

static void parking_built_in(parking_cases* cases) {
    const kerb_family_park_task tasks[] = {
        {kerb_pose_make(8.5f, 7.0f, -0.5f * KERB_PI), kerb_pose_make(0.0f, 0.0f, 0.0f), parking_bay,
         parking_fours, 3}, // backwards into a bay
        {kerb_pose_make(9.0f, -8.0f, 0.5f * KERB_PI), kerb_pose_make(2.7f, 0.0f, KERB_PI),
         parking_bay, parking_fours, 3}, // forwards
        {kerb_pose_make(5.5f, 3.0f, 0.0f), kerb_pose_make(0.0f, 0.0f, 0.0f), parking_row,
         parking_fours, 3}}; // along the kerb
    static const char* const names[] = {"bay back", "bay", "row"};
    for (int32_t i = 0; i < 3; i++) {
        cases->tasks[i] = tasks[i];
        snprintf(cases->names[i], sizeof cases->names[i], "%s", names[i]);
    }
    cases->count = 3;
    cases->built_in = true;
}

static void parking_read(parking_cases* cases) {
    static char text[1 << 16];
    const kerb_host memory = kerb_host_default();
    for (int32_t number = 1; number < 32 && cases->count < PARKING_NAMES; number++) {
        char name[64];
        snprintf(name, sizeof name, "../shared/data/parking/Case%d.csv", number);
        FILE* file = fopen(name, "rb");
        if (!file)
            continue;
        size_t size = fread(text, 1, sizeof text, file);
        fclose(file);
        kerb_io_parking* p = &cases->read[cases->count];
        if (kerb_io_parking_read(p, text, size, &memory, NULL) != KERB_OK)
            continue;
        cases->tasks[cases->count] = (kerb_family_park_task){p->from, p->to, p->vertices,
                                                             p->vertex_counts, p->polygon_count};
        snprintf(cases->names[cases->count++], sizeof cases->names[0], "case %d", number);
    }
    if (cases->count == 0)
        parking_built_in(cases);
}

static void parking_trace(const kerb_family_host* host, const kerb_plan_driver* driver) {
    const kerb_plan_driver_decision* d = &driver->decision;
    printf("%.2f at %.2f %.2f heading %.2f v %.3f to %.2f wheel %.3f steering %.3f t %.2f b %.2f "
           "hb %d "
           "gear %d/%d aside %.3f he %.3f late %.2f %s\n",
           host->time, host->x, host->y, (double)host->heading, (double)host->forward,
           (double)d->target_speed, (double)(host->wheel / host->truth.lock),
           (double)driver->controls.steering, (double)driver->controls.throttle,
           (double)driver->controls.brake, driver->controls.handbrake, driver->controls.gear,
           host->gear, (double)d->cross_track_error, (double)d->heading_error,
           (double)d->time_error, kerb_reason_text(d->reason));
}

static bool parked_within(float error, float angle, float metres, float degrees) {
    return error <= metres && angle * 180.0f / KERB_PI <= degrees;
}

static void parking_main(uint64_t first, uint64_t last) {
    static parking_cases cases;
    const kerb_host memory = kerb_host_default();
    cases.count = 0;
    parking_read(&cases);
    figure_list errors = {0}, angles = {0};
    int32_t asked = 0, planned = 0, arrived = 0, moves = 0, within[4] = {0};
    for (uint64_t seed = first; seed < last; seed++) {
        int32_t which = (int32_t)(seed % (uint64_t)cases.count);
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        kerb_family_parked p =
            kerb_family_park(&host, &cases.tasks[which], is_traced ? parking_trace : NULL);
        asked++;
        if (is_verbose)
            printf("%llu %s: planned %d arrived %d first %.3f m %.1f, at last %.3f m %.1f degrees, "
                   "moves %d, %.1f s, %s\n",
                   (unsigned long long)seed, cases.names[which], p.planned, p.arrived,
                   (double)p.first, (double)p.first_angle * 57.3, (double)p.error,
                   (double)p.angle * 57.3, p.moves, (double)p.time,
                   kerb_plan_outcome_text((kerb_plan_outcome)p.outcome));
        if (!p.planned)
            continue;
        planned++;
        arrived += p.arrived;
        moves += p.moves;
        within[0] += parked_within(p.first, p.first_angle, 0.1f, 3.0f);
        within[1] += parked_within(p.first, p.first_angle, 0.2f, 4.0f);
        within[2] += parked_within(p.error, p.angle, 0.1f, 3.0f);
        within[3] += parked_within(p.error, p.angle, 0.2f, 4.0f);
        list_add(&errors, p.error, seed, cases.names[which]);
        list_add(&angles, p.angle * 180.0f / KERB_PI, seed, cases.names[which]);
    }
    double n = planned > 0 ? planned : 1;
    list_sort(&errors);
    printf("parking, %s: %d tasks, of which %d have a plan; said ARRIVED %.1f %%; after the first "
           "plan within 0.1 m and 3 degrees %.1f %%, 0.2 m and 4 degrees %.1f %%\n",
           cases.built_in ? "built-in cases" : "cases of TPCAP", asked, planned,
           100.0 * arrived / n, 100.0 * within[0] / n, 100.0 * within[1] / n);
    printf("    with at most %d corrective moves (%.2f on average) within 0.1 m and 3 degrees %.1f "
           "%%, 0.2 m and 4 degrees %.1f %% (asked 95); median %.3f, 95 of 100 %.2f m\n",
           KERB_FAMILY_PARK_MOVES, moves / n, 100.0 * within[2] / n, 100.0 * within[3] / n,
           (double)list_at(&errors, 0.5f), (double)list_at(&errors, 0.95f));
    list_worst("metres", &errors, true);
    list_blame(&errors, 0.2f, true);
    list_worst("degrees", &angles, true);
    list_free(&errors);
    list_free(&angles);
    for (int32_t i = 0; i < cases.count && !cases.built_in; i++)
        kerb_io_parking_destroy(&cases.read[i], &memory);
}

// --------------------------------------------------------------------------- race

#define RACE_SLOWER 0.035f // than the profile [1]
#define RACE_CALM 0.5f     // changes of direction a second on straights
#define RACE_LAP_LATE 3    // from this lap on it must not leave the track

static void race_trace(const kerb_family_race* race) {
    const kerb_racer_decision* d = &race->racer.decision;
    const kerb_family_host* h = &race->host;
    printf("%.2f lap %d at %.1f aside %.2f course %.3f v %.2f to %.2f side %.2f yaw %.2f steering "
           "%.3f wheel %.3f t %.2f b %.2f slip %.3f %.3f half %.4f %.4f firm %.2f use %.2f turn "
           "%.4f of %.4f grip %.2f dead %.3f off %.3f g%d out %.2f %s %s\n",
           race->time, race->laps, d->distance, (double)d->cross_track_error,
           (double)d->course_error, (double)h->forward, (double)d->target_speed, (double)h->side,
           (double)h->yaw_rate, (double)race->controls.steering, (double)(h->wheel / h->truth.lock),
           (double)race->controls.throttle, (double)race->controls.brake, (double)d->slip_front,
           (double)d->slip_rear, (double)race->racer.memory.half_slip[0],
           (double)race->racer.memory.half_slip[1], (double)race->racer.memory.firm,
           (double)(h->forward * h->yaw_rate / (kerb_family_grip(h) * KERB_GRAVITY)),
           (double)d->commanded_curvature, (double)d->line_curvature,
           (double)race->racer.memory.learner.grip_ratio.value,
           (double)race->racer.memory.late.dead, (double)race->racer.memory.track.off, h->gear,
           (double)kerb_scene_race_ground_outside(&race->place),
           kerb_racer_phase_text((kerb_racer_phase)d->phase),
           kerb_reason_text(race->controls.reason));
}

typedef struct race_figures {
    int32_t races, unfinished, put_back, off_late;
    double off_early;
    figure_list slower, off, changes, laps_lost;
} race_figures;

static void race_tally(race_figures* all, const kerb_family_race* race, uint64_t seed,
                       const char* name) {
    float off = 0.0f;
    for (int32_t lap = RACE_LAP_LATE; lap < KERB_FAMILY_RACE_LAPS; lap++)
        off += (float)race->off_track[lap];
    for (int32_t lap = 0; lap < RACE_LAP_LATE; lap++)
        all->off_early += race->off_track[lap];
    bool finished = race->laps == KERB_FAMILY_RACE_LAPS;
    all->races++;
    all->unfinished += !finished;
    all->put_back += race->put_back;
    list_add(&all->laps_lost, (float)(KERB_FAMILY_RACE_LAPS - race->laps), seed, name);
    // Who finishes no flying lap is as slow as can be told.
    float slower = race->best > 0.0 ? (float)(race->best / race->profile) - 1.0f : 9.99f;
    list_add(&all->slower, slower, seed, name);
    list_add(&all->off, finished ? off : 999.0f, seed, name);
    if (race->straight_time > 5.0)
        list_add(&all->changes, (float)(race->changes / race->straight_time), seed, name);
}

static void race_print(race_figures* all, const char* name) {
    figure_list* lists[] = {&all->slower, &all->off, &all->changes};
    for (int32_t i = 0; i < 3; i++)
        list_sort(lists[i]);
    double n = all->races > 0 ? all->races : 1;
    printf("race, %s: %d races, not finished %.1f %%, put back %d times; best flying lap at most "
           "3.5 %% over the profile in %.1f %% (asked all), median %.1f %%, 9 of 10 %.1f %%, 95 "
           "of 100 %.1f %%\n",
           name, all->races, 100.0 * all->unfinished / n, all->put_back,
           list_within(&all->slower, RACE_SLOWER), 100.0 * (double)list_at(&all->slower, 0.5f),
           100.0 * (double)list_at(&all->slower, 0.9f),
           100.0 * (double)list_at(&all->slower, 0.95f));
    printf("    off the track: laps 1 to 3 %.1f s a race; after lap 3 none in %.1f %% (asked all); "
           "steering on straights at most 0.5 changes a second in %.1f %%, median %.2f, 95 of 100 "
           "%.2f\n",
           all->off_early / n, list_within(&all->off, 0.0f), list_within(&all->changes, RACE_CALM),
           (double)list_at(&all->changes, 0.5f), (double)list_at(&all->changes, 0.95f));
}

static void race_one(race_figures* figures, const kerb_family_host* host, uint64_t seed,
                     int32_t track) {
    static kerb_family_race race;
    const char* name = kerb_family_race_name(track);
    if (!kerb_family_race_open(&race, host, seed, track))
        return;
    kerb_family_race_drive(&race, is_traced ? race_trace : NULL);
    race_tally(&figures[track], &race, seed, name);
    race_tally(&figures[KERB_FAMILY_RACE_TRACKS], &race, seed, name);
    if (is_verbose) {
        printf("%llu %s: scale %.2f profile %.2f s, best %.3f of it, put back %d, changes %.2f in "
               "%.0f s; laps",
               (unsigned long long)seed, name, (double)race.scale, race.profile,
               race.best / race.profile, race.put_back,
               race.changes / (race.straight_time > 0.0 ? race.straight_time : 1.0),
               race.straight_time);
        for (int32_t i = 0; i < race.laps; i++)
            printf(" %.3f", race.lap_time[i] / race.profile);
        printf("; off");
        for (int32_t i = 0; i < KERB_FAMILY_RACE_LAPS; i++)
            printf(" %.1f", race.off_track[i]);
        printf("\n");
    }
    kerb_family_race_close(&race);
}

static void race_main(uint64_t first, uint64_t last) {
    static race_figures figures[KERB_FAMILY_RACE_TRACKS + 1];
    int32_t hosts = 0;
    for (uint64_t seed = first; seed < last; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        if (!kerb_family_race_counts(&host))
            continue;
        hosts++;
        for (int32_t track = 0; track < KERB_FAMILY_RACE_TRACKS; track++)
            race_one(figures, &host, seed, track);
    }
    printf("race: %d hosts have at most 0.1 s of delay and 30 Hz or more\n", hosts);
    for (int32_t track = 0; track < KERB_FAMILY_RACE_TRACKS; track++)
        race_print(&figures[track], kerb_family_race_name(track));
    race_figures* all = &figures[KERB_FAMILY_RACE_TRACKS];
    race_print(all, "all");
    list_worst("slower", &all->slower, true);
    list_blame(&all->slower, RACE_SLOWER, true);
    list_worst("seconds off after lap 3", &all->off, true);
    list_blame(&all->off, 0.0f, true);
    list_worst("changes", &all->changes, true);
    list_blame(&all->changes, RACE_CALM, true);
    list_worst("laps not finished", &all->laps_lost, true);
    list_blame(&all->laps_lost, 0.0f, true);
    for (int32_t track = 0; track <= KERB_FAMILY_RACE_TRACKS; track++) {
        list_free(&figures[track].slower);
        list_free(&figures[track].off);
        list_free(&figures[track].changes);
        list_free(&figures[track].laps_lost);
    }
}

// --------------------------------------------------------------------------- host

static void host_main(uint64_t first, uint64_t last) {
    static const char* const tyres[] = {"none", "stiff", "soft", "flat", "peaked"};
    for (uint64_t seed = first; seed < last; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, seed);
        const kerb_family_truth* t = &host.truth;
        printf(
            "%llu: wheelbase %.2f, point %.2f, gyration %.2f%s, lock %.2f to %.2f by %.0f m/s, "
            "rate "
            "%.1f, delay %.2f%s%s, exponent %.2f, rise %.1f, fall %.1f, trim %.3f, dead band %.3f, "
            "tyres %s at %.3f, grip %.2f%s%s%s, %.1f m/s² to %.0f m/s, brakes %.1f, gears %d "
            "pause %.2f, creep %.1f%s%s%s, %.0f to %.0f Hz\n",
            (unsigned long long)seed, (double)t->wheelbase, (double)t->rear_to_point,
            (double)t->gyration, t->rear_steering ? ", REAR" : "", (double)t->lock,
            (double)(t->lock * t->lock_share), (double)t->lock_speed, (double)t->wheel_rate,
            (double)t->delay, t->tells_delay ? " told" : "", t->tells_wheels ? ", wheels told" : "",
            (double)t->exponent, (double)t->rise_rate, (double)t->fall_rate, (double)t->trim,
            (double)t->dead_band, tyres[t->tyre], (double)t->slip_angle, (double)t->grip,
            t->anti_lock ? " abs" : "", t->traction_control ? " tc" : "",
            t->stability_control ? " esp" : "", (double)t->acceleration, (double)t->speed_max,
            (double)t->braking, t->gears, (double)t->shift_pause, (double)t->creep_speed,
            t->neutral_at_rest ? ", gear 0 at rest" : "", t->brake_reverses ? ", one pedal" : "",
            t->handbrake_holds ? ", handbrake holds" : "", 1.0 / (double)t->frame_max,
            1.0 / (double)t->frame_min);
    }
}

// --------------------------------------------------------------------------- which

typedef struct figure {
    const char* name;
    void (*measure)(uint64_t first, uint64_t last);
} figure;

static const figure figures[] = {
    {"calm", calm_main},       {"trim", trim_main},     {"courses", courses_main},
    {"margin", margin_main},   {"arrive", arrive_main}, {"anew", anew_main},
    {"parking", parking_main}, {"race", race_main},     {"host", host_main}};

int main(int argc, char** argv) {
    uint64_t first = 60000, last = 60500;
    int32_t numbers = 0, words = 0, count = (int32_t)(sizeof figures / sizeof *figures);
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] >= '0' && argv[i][0] <= '9')
            *(numbers++ == 0 ? &first : &last) = strtoull(argv[i], NULL, 10);
        else if (strcmp(argv[i], "-v") == 0)
            is_verbose = true;
        else if (strcmp(argv[i], "-o") == 0)
            kerb_family_ride_steer_by(KERB_STEERING_TOLD);
        else if (strcmp(argv[i], "-t") == 0)
            is_verbose = is_traced = true;
        else
            words++;
    }
    printf("hosts %llu to %llu\n", (unsigned long long)first, (unsigned long long)last - 1);
    for (int32_t f = 0; f < count; f++) {
        bool asked = words == 0 && figures[f].measure != host_main;
        for (int i = 1; i < argc; i++)
            asked = asked || strcmp(argv[i], figures[f].name) == 0;
        if (asked)
            figures[f].measure(first, last);
        fflush(stdout);
    }
    return 0;
}
