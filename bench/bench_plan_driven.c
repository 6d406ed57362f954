// How well plans are driven, with curvature that jumps and with clothoids: the vehicles of sim/,
// the same in Bullet, and hosts of the family, told the truth or what they tell by themselves. By
// hand:
//
//     bench_plan_driven [goals] [share] [seed] [hosts] [rows] [misses]
//
// `goals` for each vehicle, a quarter of them for each of `hosts` hosts of the family. `rows`:
// "all", "sim", "bullet", "family", "untold", or the name of one vehicle. "misses" prints each
// drive that misses something. Short: bench_plan_driven 8 0.8 5 8
#include "scene/course/calibration.h"
#include "scene/host/family.h"
#include "scene/host/family_ride.h"
#include "scene/plan/plan_drive.h"

#ifdef KERB_HAVE_BULLET
#include "sim/bullet/bullet.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What was asked for: within 5 % of the time and 0.3 m; parking ends within 0.1 m and 3 degrees.
#define TIME_SHARE 0.05f
#define ASIDE 0.3f
#define END_ASIDE 0.1f
#define END_TURN (3.0f * KERB_PI / 180.0f)

typedef struct sums {
    int32_t plans, within, ends, arrived;
    double planned, driven, error, planning; // the last: processor time [s]
    float worst;
} sums;

static void add_up(sums* all, const sums* one) {
    all->plans += one->plans;
    all->within += one->within;
    all->ends += one->ends;
    all->arrived += one->arrived;
    all->planned += one->planned;
    all->driven += one->driven;
    all->error += one->error;
    all->planning += one->planning;
    all->worst = kerb_max(all->worst, one->worst);
}

static bool is_within(const kerb_scene_plan_driven* d) {
    return d->arrived && kerb_abs(d->time / d->planned - 1.0f) <= TIME_SHARE && d->error <= ASIDE;
}

static bool is_at_end(const kerb_scene_plan_driven* d) {
    return d->arrived && d->end_error <= END_ASIDE && d->end_swing <= END_TURN;
}

static void note(sums* s, const kerb_scene_plan_driven* d) {
    s->plans++;
    s->arrived += d->arrived;
    s->within += is_within(d);
    s->ends += is_at_end(d);
    s->planned += (double)d->planned;
    s->driven += (double)d->time;
    s->error += (double)d->error_mean;
    s->worst = kerb_max(s->worst, d->error);
}

static void print_miss(const char* name, int32_t goal, const kerb_scene_plan_driven* d) {
    if (!is_within(d) || !is_at_end(d))
        printf("    %s, goal %d:%s planned %.2f s, driven %.2f s, off at most %.2f m, end %.3f m, "
               "%.2f degrees\n",
               name, (int)goal, d->arrived ? "" : " not arrived,", (double)d->planned,
               (double)d->time, (double)d->error, (double)d->end_error,
               (double)(d->end_swing * (180.0f / KERB_PI)));
}

static void print_row(const char* name, const sums* s) {
    printf(
        "%-22s %4d of %4d within, ends %4d, planned %6.2f s, driven %6.2f s, off %.3f m, at most "
        "%.2f m, planning %.2f ms\n",
        name, (int)s->within, (int)s->plans, (int)s->ends, s->planned / s->plans,
        s->driven / s->plans, s->error / s->plans, (double)s->worst, 1e3 * s->planning / s->plans);
}

// --------------------------------------------------------------------------- plans

typedef struct task {
    kerb_plan_limits limits;
    kerb_plan_end from, to;
} task;

static task random_task(kerb_random* random, const kerb_vehicle* vehicle, float share, float frame,
                        bool reverse, bool clothoids) {
    task t = {.limits = kerb_plan_limits_to_drive_in_frames(vehicle, share, frame)};
    float far = (reverse ? 5.0f : 12.0f) * t.limits.turning_radius;
    float distance = kerb_random_between(random, 0.0f, far);
    float bearing = kerb_random_between(random, -KERB_PI, KERB_PI);
    t.from = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    t.to = kerb_plan_end_make(distance * kerb_cos(bearing), distance * kerb_sin(bearing),
                              kerb_random_between(random, -KERB_PI, KERB_PI), 0.0f);
    if (!reverse)
        t.limits.reverse_speed_max = 0.0f;
    if (clothoids)
        t.limits.curvature_rate = 1.0f / (t.limits.steering_time * t.limits.turning_radius);
    return t;
}

static bool find(kerb_planner* planner, const task* t, sums* s) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = 2000;
    kerb_plan_query query = {&t->from, &t->to, 1, 1};
    clock_t begun = clock();
    if (kerb_planner_create(planner, &t->limits, &settings, &host, NULL) != KERB_OK ||
        kerb_planner_begin(planner, &query, NULL) != KERB_OK)
        return false;
    while (kerb_planner_advance(planner, 5000) == KERB_PLAN_RUNNING)
        continue;
    s->planning += (double)(clock() - begun) / CLOCKS_PER_SEC;
    kerb_plan plan = kerb_planner_get_plan(planner);
    return plan.count > 0 && plan.length > 1.0f;
}

// --------------------------------------------------------------------------- hosts

// What is driven, behind functions.
typedef struct ride {
    void* self;
    float (*frame)(void* self); // its length [s]
    kerb_motion (*motion)(const void* self);
    void (*step)(void* self, const kerb_controls* controls, float time_step);
} ride;

static float turned(kerb_pose a, kerb_pose b) {
    return kerb_abs(
        kerb_atan2(kerb_vec2_cross(a.forward, b.forward), kerb_vec2_dot(a.forward, b.forward)));
}

static kerb_scene_plan_driven drive(const ride* r, const kerb_vehicle* v, const kerb_plan* plan) {
    kerb_plan_driver driver = kerb_plan_driver_make(v);
    kerb_scene_plan_driven d = {.planned = plan->time};
    int32_t frames = 0;
    while (!d.arrived && d.time < 2.0f * plan->time + 10.0f) {
        float step = r->frame(r->self);
        kerb_motion motion = r->motion(r->self);
        kerb_controls controls = kerb_plan_driver_drive(&driver, plan, &motion, NULL, step);
        r->step(r->self, &controls, step);
        float off = kerb_abs(driver.decision.cross_track_error);
        d.error = kerb_max(d.error, off);
        d.error_mean += off;
        d.time += step;
        d.arrived = controls.reason == KERB_REASON_ARRIVED;
        frames++;
        kerb_vec3 facing = kerb_quat_forward(motion.rotation);
        kerb_pose rear = {{motion.position.x - v->reference_to_rear_axle * facing.x,
                           motion.position.y - v->reference_to_rear_axle * facing.y},
                          {facing.x, facing.y}};
        kerb_pose end = kerb_plan_at(plan, plan->time).pose;
        kerb_vec2 away = kerb_vec2_sub(rear.position, end.position);
        d.end_error = kerb_sqrt(kerb_vec2_dot(away, away));
        d.end_swing = turned(rear, end);
    }
    d.error_mean /= (float)frames;
    return d;
}

static float family_frame(void* self) {
    return kerb_family_frame(self);
}

static kerb_motion family_motion(const void* self) {
    return kerb_family_motion(self);
}

static void family_step(void* self, const kerb_controls* controls, float time_step) {
    kerb_family_step(self, controls, time_step);
}

// A host, and what is told of it.
typedef struct told_host {
    kerb_family_host host;
    kerb_vehicle vehicle;
} told_host;

static kerb_scene_plan_driven drive_family(const void* given, const kerb_plan* plan) {
    const told_host* told = given;
    kerb_family_host host = told->host;
    const ride r = {&host, family_frame, family_motion, family_step};
    kerb_vec3 at = {told->vehicle.reference_to_rear_axle, 0.0f, 0.0f};
    kerb_family_put(&host, at, 0.0f, 0.0f);
    return drive(&r, &told->vehicle, plan);
}

static kerb_scene_plan_driven drive_sim(const void* given, const kerb_plan* plan) {
    kerb_scene_plan_ride r = kerb_scene_plan_ride_make(given);
    return kerb_scene_plan_drive(&r, plan, NULL, NULL);
}

#ifdef KERB_HAVE_BULLET

static float bullet_frame(void* self) {
    (void)self;
    return 1.0f / 60.0f;
}

static kerb_motion bullet_motion(const void* self) {
    return kerb_sim_bullet_motion(self);
}

static void bullet_step(void* self, const kerb_controls* controls, float time_step) {
    kerb_sim_bullet_step(self, controls, time_step);
}

static kerb_scene_plan_driven drive_bullet(const void* given, const kerb_plan* plan) {
    static const kerb_sim_world level = {0};
    const kerb_sim_model* model = given;
    kerb_vec3 at = {model->vehicle.reference_to_rear_axle, 0.0f, 0.0f};
    kerb_sim_bullet* bullet = kerb_sim_bullet_make(model, &level, NULL, at, 0.0f, NULL);
    const ride r = {bullet, bullet_frame, bullet_motion, bullet_step};
    kerb_scene_plan_driven d = {.planned = plan->time};
    if (bullet)
        d = drive(&r, &model->vehicle, plan);
    kerb_sim_bullet_destroy(bullet);
    return d;
}

#endif

// A host that steers in front.
static void make_host(kerb_family_host* host, uint64_t seed) {
    do
        kerb_family_host_make(host, seed);
    while (host->truth.rear_steering && (seed += 100000) > 0);
}

// --------------------------------------------------------------------------- rows

typedef struct options {
    int32_t goals, seed, hosts;
    float share;
    const char* rows;
    bool misses;
} options;

typedef struct driven_by {
    char name[48];
    const kerb_vehicle* vehicle;
    kerb_scene_plan_driven (*drive)(const void* given, const kerb_plan* plan);
    const void* given;
    uint64_t stream; // of the random numbers of its goals
    float frame;     // the longest [s]
} driven_by;

static void run(const driven_by* by, const options* o, int32_t goals, bool clothoids, sums* s) {
    for (int32_t i = 0; i < goals; i++) {
        kerb_random random = kerb_random_make((uint64_t)o->seed * 10000 + (uint64_t)i, by->stream);
        task t = random_task(&random, by->vehicle, o->share, by->frame, i % 2 == 1, clothoids);
        kerb_planner planner;
        if (find(&planner, &t, s)) {
            kerb_plan plan = kerb_planner_get_plan(&planner);
            kerb_scene_plan_driven d = by->drive(by->given, &plan);
            note(s, &d);
            if (o->misses)
                print_miss(by->name, i, &d);
        }
        kerb_planner_destroy(&planner);
    }
}

static void run_both(driven_by* by, const options* o, int32_t goals, sums all[2]) {
    for (int32_t clothoids = 0; clothoids < 2; clothoids++) {
        sums s = {0};
        char row[64];
        run(by, o, goals, clothoids == 1, &s);
        snprintf(row, sizeof row, "%s%s", by->name, clothoids == 1 ? ", clothoids" : "");
        if (s.plans > 0)
            print_row(row, &s);
        add_up(&all[clothoids], &s);
    }
}

static bool is_asked(const options* o, const char* group, const char* name) {
    return strcmp(o->rows, "all") == 0 || strcmp(o->rows, group) == 0 || strcmp(o->rows, name) == 0;
}

static void print_all(const char* name, const sums all[2]) {
    char row[64];
    snprintf(row, sizeof row, "%s, clothoids", name);
    if (all[0].plans > 0)
        print_row(name, &all[0]);
    if (all[1].plans > 0)
        print_row(row, &all[1]);
}

static const char* const names[] = {"carrier", "pickup", "buggy", "scout",
                                    "truck",   "rally",  "gt",    "formula"};
#define NAMES (sizeof names / sizeof names[0])

static void run_sim(const options* o) {
    sums all[2] = {{0}, {0}};
    for (size_t i = 0; i < NAMES; i++) {
        kerb_sim_model model;
        if (!is_asked(o, "sim", names[i]) || !kerb_sim_model_named(names[i], &model))
            continue;
        driven_by by = {.vehicle = &model.vehicle,
                        .drive = drive_sim,
                        .given = &model,
                        .stream = 1,
                        .frame = 1.0f / 60.0f};
        snprintf(by.name, sizeof by.name, "%s", names[i]);
        run_both(&by, o, o->goals, all);
    }
    print_all("all of sim", all);
}

// Told what a calibration in Bullet measures: the models' own numbers are those of sim/.
static void run_bullet(const options* o) {
#ifdef KERB_HAVE_BULLET
    sums all[2] = {{0}, {0}};
    kerb_calibration_settings settings = kerb_calibration_settings_default();
    for (size_t i = 0; i < NAMES; i++) {
        kerb_sim_model model;
        kerb_calibrator c;
        driven_by by = {.vehicle = &model.vehicle,
                        .drive = drive_bullet,
                        .given = &model,
                        .stream = 1,
                        .frame = 1.0f / 60.0f};
        snprintf(by.name, sizeof by.name, "bullet %s", names[i]);
        if (!is_asked(o, "bullet", by.name) || !kerb_sim_model_named(names[i], &model))
            continue;
        if (kerb_scene_calibrate(&model, &kerb_sim_bullet_physics, 60.0f, &settings, &c, NULL) ==
                KERB_OK &&
            c.outcome == KERB_CALIBRATION_DONE)
            model.vehicle = c.measured;
        else
            printf("%s: not calibrated\n", by.name);
        run_both(&by, o, o->goals, all);
    }
    print_all("all of Bullet", all);
#else
    if (is_asked(o, "bullet", "bullet"))
        printf("Bullet: not built\n");
#endif
}

// Told the truth, or what a host tells by itself: often no delay, no creep, no lock that falls with
// speed.
static void run_family(const options* o, bool truth) {
    const char *group = truth ? "family" : "untold", *name = truth ? "host" : "untold host";
    sums all[2] = {{0}, {0}};
    for (int32_t h = 0; h < o->hosts; h++) {
        told_host told;
        make_host(&told.host, (uint64_t)o->seed * 1000 + (uint64_t)h);
        told.vehicle = truth ? kerb_family_true_vehicle(&told.host) : told.host.vehicle;
        driven_by by = {.vehicle = &told.vehicle,
                        .drive = drive_family,
                        .given = &told,
                        .stream = 2,
                        .frame = told.host.truth.frame_max};
        snprintf(by.name, sizeof by.name, "%s %d", name, (int)h);
        if (is_asked(o, group, by.name))
            run_both(&by, o, (o->goals + 3) / 4, all);
    }
    print_all(truth ? "all of the family" : "all of the untold", all);
}

int main(int argc, char** argv) {
    options o = {.goals = argc > 1 ? atoi(argv[1]) : 60,
                 .share = argc > 2 ? (float)atof(argv[2]) : 0.8f,
                 .seed = argc > 3 ? atoi(argv[3]) : 5,
                 .hosts = argc > 4 ? atoi(argv[4]) : 50,
                 .rows = argc > 5 ? argv[5] : "all",
                 .misses = argc > 6 && strcmp(argv[6], "misses") == 0};
    run_sim(&o);
    run_bullet(&o);
    run_family(&o, true);
    run_family(&o, false);
    return 0;
}
