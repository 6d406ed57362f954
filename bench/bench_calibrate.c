// What a calibrator measures of the family of hosts, against the truth:
//
//     bench_calibrate [FIRST LAST [-v | LENGTH WIDTH]]      seeds 5000 to 5199, 20 km by 2 km
//
// The truth is what copies of a host do: without delay, trim and uneven frames, each driven as the
// field's comment in kerb/vehicle.h says. Delays are right within 0.02 s, too, a speed of creep
// within 0.1 m/s; an understeer gradient is judged, with steering_lock, by the curvature at 15 m/s
// over that at 6 m/s (a car; others in proportion), downforce by the load at 30 m/s, and power with
// its curve by the times from a tenth to 0.3, 0.5, 0.7 and 0.9 of the top speed. Wheels that
// turn within a frame have no rate, vehicles without tyres no limit of grip and no inertia that
// shows: there it is right to say that it is not measured. Hosts whose calibration fails are
// counted, and left out of the shares. "honest": the truth is within two of the stated deviations.
#include "scene/course/calibration.h"
#include "scene/host/family_drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 0.01f
enum { RUN_MAX = 100000 };

// --------------------------------------------------------------------------- the truth

typedef struct truth {
    float value[KERB_CALIBRATION_FIELD_COUNT];
    bool unlimited[KERB_CALIBRATION_FIELD_COUNT]; // the host has no such limit
    float fast;                                   // speed at which understeer is judged [m/s]
    float bend;     // curvature there over that at 0.4 of it, at one steering [1]
    float steering; // … at this [1]
    float times[4]; // from a tenth of the top speed to more of it [s]
} truth;

static kerb_family_host copy_of(const kerb_family_host* host) {
    kerb_family_host copy = *host;
    copy.truth.trim = copy.truth.dead_band = copy.truth.delay = 0.0f;
    copy.truth.rear_to_point = copy.truth.rear_to_mass;
    copy.command_count = 0;
    kerb_family_put(&copy, (kerb_vec3){0}, 0.0f, 0.0f);
    return copy;
}

static void drive(kerb_family_host* host, float throttle, float brake, float steering, int gear) {
    kerb_controls controls = {0};
    controls.throttle = throttle;
    controls.brake = brake;
    controls.steering = steering;
    controls.gear = gear;
    controls.clutch = throttle > 0.0f ? 0.0f : 1.0f;
    kerb_family_step(host, &controls, STEP);
}

static float run[RUN_MAX]; // speed each STEP at full throttle

static int32_t full_throttle(const kerb_family_host* host, int gear) {
    kerb_family_host copy = copy_of(host);
    for (int32_t i = 0; i < RUN_MAX; i++) {
        run[i] = kerb_abs(copy.forward);
        drive(&copy, 1.0f, 0.0f, 0.0f, gear);
        if (i > 3000 && run[i] - run[i - 2000] < 1.0e-4f * run[i])
            return i + 1;
    }
    return RUN_MAX;
}

// The launch: the acceleration over half a second after the wheels have begun to spin, which they
// do not below a walk.
static float launch_of(int32_t count) {
    int32_t i = 0;
    while (i + 51 < count && run[i] < 0.6f)
        i++;
    return (run[i + 50] - run[i]) / (50.0f * STEP);
}

// Shares of the top speed between which the times are compared.
#define TIME_FROM 0.1f
static const float time_to[] = {0.3f, 0.5f, 0.7f, 0.9f};
#define TIMES ((int32_t)(sizeof time_to / sizeof time_to[0]))

static float run_time(int32_t count, float share) {
    float top = run[count - 1];
    int32_t from = 0, to;
    while (from < count && run[from] < TIME_FROM * top)
        from++;
    to = from;
    while (to < count && run[to] < share * top)
        to++;
    return (float)(to - from) * STEP;
}

// By the model of all drivers.
static float model_time(const kerb_vehicle* v, float top, float share) {
    const float part = 0.0025f * top;
    float time = 0.0f;
    const int32_t parts = (int32_t)((share - TIME_FROM) * top / part + 0.999f);
    for (int32_t i = 0; i < parts; i++) {
        float middle = TIME_FROM * top + ((float)i + 0.5f) * part;
        float power = kerb_share_at(&v->power_share, middle) * v->power / v->mass;
        float held = kerb_coasting_deceleration(v, middle);
        float force = v->acceleration_max + v->coasting_deceleration;
        float net = kerb_min(force, kerb_max(power / middle, held)) - held;
        time += part / kerb_max(net, 0.001f * v->acceleration_max);
    }
    return time;
}

static float braking_of(const kerb_family_host* host, float speed) {
    kerb_family_host copy = copy_of(host);
    copy.truth.downforce = 0.0f;
    kerb_family_put(&copy, (kerb_vec3){0}, 0.0f, speed);
    float from = 0.0f, lost = 0.0f, time = 0.0f, drag = 0.0f;
    for (int32_t i = 0; i < RUN_MAX && copy.forward > 0.15f * speed; i++) {
        float before = copy.forward;
        drive(&copy, 0.0f, 1.0f, 0.0f, 1);
        if (before > 0.5f * speed)
            continue;
        from = from == 0.0f ? before : from;
        lost += before - copy.forward;
        time += STEP;
        drag += STEP * copy.truth.drag * before * before;
    }
    return (lost - drag) / kerb_max(time, STEP);
}

static float held_curvature(const kerb_family_host* host, float speed, float steering) {
    kerb_family_host copy = copy_of(host);
    copy.truth.rolling = copy.truth.drag = copy.truth.creep_speed = 0.0f;
    kerb_family_put(&copy, (kerb_vec3){0}, 0.0f, speed);
    for (int32_t i = 0; i < 600; i++)
        drive(&copy, 0.0f, 0.0f, steering, 0);
    return copy.yaw_rate / kerb_max(copy.forward, 0.05f);
}

// Between lock and lock, while the wheels pass the middle half of their way. [rad/s] 0: at once
static float rate_of(const kerb_family_host* host, float speed) {
    kerb_family_host copy = copy_of(host);
    copy.truth.rolling = copy.truth.drag = copy.truth.creep_speed = 0.0f;
    kerb_family_put(&copy, (kerb_vec3){0}, 0.0f, speed);
    float half = 0.5f * copy.truth.lock;
    for (int32_t i = 0; i < 1000; i++)
        drive(&copy, 0.0f, 0.0f, -1.0f, 0);
    double before = 0.0, from = 0.0;
    for (int32_t i = 0; i < 100000; i++) {
        float was = copy.wheel;
        kerb_controls controls = {.steering = 1.0f, .clutch = 1.0f};
        kerb_family_step(&copy, &controls, 0.001f);
        before += 0.001;
        if (was < -half && copy.wheel >= -half)
            from = before;
        if (copy.wheel >= half)
            return before - from < 0.002 ? 0.0f : 2.0f * half / (float)(before - from);
    }
    return 0.0f;
}

// Where understeer counts. [m/s]
static float fast_of(const kerb_family_host* host, float top) {
    return kerb_min(0.7f * top, 15.0f * kerb_sqrt(host->truth.wheelbase / 2.7f));
}

// From standstill in gear, without pedals. [m/s]
static float creep_of(const kerb_family_host* host) {
    kerb_family_host copy = copy_of(host);
    for (int32_t i = 0; i < 3000; i++)
        drive(&copy, 0.0f, 0.0f, 0.0f, 1);
    return copy.forward;
}

static truth truth_of(const kerb_family_host* host) {
    const kerb_family_truth* t = &host->truth;
    truth out = {0};
    float crawl = kerb_sqrt(0.05f * KERB_GRAVITY * host->vehicle.length);
    float tan_lock = 0.5f *
                     (held_curvature(host, crawl, 1.0f) - held_curvature(host, crawl, -1.0f)) *
                     t->wheelbase;
    out.value[KERB_CALIBRATES_STEERING_ANGLE_MAX] = kerb_atan(tan_lock);
    float rate = rate_of(host, crawl);
    out.value[KERB_CALIBRATES_STEERING_RATE_MAX] = rate;
    out.unlimited[KERB_CALIBRATES_STEERING_RATE_MAX] =
        rate == 0.0f || t->lock / rate < 2.0f * t->frame_max;
    out.value[KERB_CALIBRATES_STEERING_DELAY] = t->delay;
    out.value[KERB_CALIBRATES_THROTTLE_DELAY] = t->delay;
    out.value[KERB_CALIBRATES_CREEP_SPEED] = creep_of(host);
    out.value[KERB_CALIBRATES_YAW_INERTIA] =
        t->gyration * t->rear_to_mass * (t->wheelbase - t->rear_to_mass);
    out.unlimited[KERB_CALIBRATES_YAW_INERTIA] = t->tyre == KERB_FAMILY_NO_TYRES;
    out.value[KERB_CALIBRATES_DOWNFORCE] = t->downforce;
    out.unlimited[KERB_CALIBRATES_DOWNFORCE] = t->tyre == KERB_FAMILY_NO_TYRES;
    int32_t count = full_throttle(host, -1);
    out.value[KERB_CALIBRATES_REVERSE_SPEED_MAX] = run[count - 1];
    out.value[KERB_CALIBRATES_REVERSE_ACCELERATION_MAX] = launch_of(count);
    count = full_throttle(host, 1);
    float top = run[count - 1];
    out.value[KERB_CALIBRATES_SPEED_MAX] = top;
    out.value[KERB_CALIBRATES_ACCELERATION_MAX] = launch_of(count);
    out.value[KERB_CALIBRATES_POWER] = t->mass * t->power; // the times count
    for (int32_t i = 0; i < TIMES; i++)
        out.times[i] = run_time(count, time_to[i]);
    out.value[KERB_CALIBRATES_BRAKING_MAX] = braking_of(host, 0.9f * top);
    out.value[KERB_CALIBRATES_COASTING_DECELERATION] = t->rolling;
    out.value[KERB_CALIBRATES_DRAG] = t->drag;
    out.value[KERB_CALIBRATES_LATERAL_ACCELERATION_MAX] = t->grip * KERB_GRAVITY;
    out.unlimited[KERB_CALIBRATES_LATERAL_ACCELERATION_MAX] = t->tyre == KERB_FAMILY_NO_TYRES;
    float lateral = 0.25f * out.value[KERB_CALIBRATES_LATERAL_ACCELERATION_MAX];
    float fast = fast_of(host, top);
    float steering = kerb_min(0.7f, kerb_atan(lateral / (fast * fast) * t->wheelbase) / t->lock);
    float slow_turn = held_curvature(host, 0.4f * fast, steering);
    float fast_turn = held_curvature(host, fast, steering);
    out.fast = fast;
    out.steering = steering;
    out.bend = fast_turn / slow_turn;
    float square = fast * fast * (fast_turn - 0.16f * slow_turn);
    out.value[KERB_CALIBRATES_UNDERSTEER_GRADIENT] =
        (kerb_atan(t->wheelbase * slow_turn) - kerb_atan(t->wheelbase * fast_turn)) / square;
    return out;
}

// --------------------------------------------------------------------------- the judgement

typedef struct tally {
    int32_t count, measured, right, estimated, near, guessed, given, honest;
} tally;

// Curvature at speed over that at 0.4 of it, at one steering: steering_lock is in it.
static float bend_of(const kerb_vehicle* v, const truth* t) {
    float curvature[2];
    for (int32_t i = 0; i < 2; i++) {
        float speed = i == 0 ? 0.4f * t->fast : t->fast;
        float angle = t->steering * kerb_vehicle_steering_lock(v, speed);
        curvature[i] = kerb_tan(angle) /
                       (v->wheelbase + kerb_max(v->understeer_gradient, -0.01f) * speed * speed);
    }
    return curvature[1] / curvature[0];
}

// Power and its curve: the greatest error of the times.
static float time_error(const kerb_vehicle* v, const truth* t) {
    float most = 0.0f;
    for (int32_t i = 0; i < TIMES; i++) {
        float model = model_time(v, t->value[KERB_CALIBRATES_SPEED_MAX], time_to[i]);
        most = kerb_max(most, kerb_abs(model / kerb_max(t->times[i], STEP) - 1.0f));
    }
    return most;
}

static float error_of(int32_t field, const truth* t, const kerb_calibrator* c) {
    const char* name = kerb_calibration_field_name((kerb_calibration_field)field);
    float got = kerb_settings_get(kerb_settings_find(&kerb_vehicle_table, name), &c->measured);
    float wanted = t->value[field];
    float share = kerb_abs(got - wanted) / kerb_max(kerb_abs(wanted), 1.0e-9f);
    if (field == KERB_CALIBRATES_UNDERSTEER_GRADIENT)
        return kerb_abs(bend_of(&c->measured, t) / t->bend - 1.0f);
    if (field == KERB_CALIBRATES_STEERING_DELAY || field == KERB_CALIBRATES_THROTTLE_DELAY)
        return kerb_min(share, 0.05f * kerb_abs(got - wanted) / 0.02f);
    if (field == KERB_CALIBRATES_POWER)
        return time_error(&c->measured, t);
    if (field == KERB_CALIBRATES_DOWNFORCE)
        return kerb_abs(got - wanted) / (KERB_GRAVITY / 900.0f + wanted);
    if (field == KERB_CALIBRATES_CREEP_SPEED)
        return kerb_min(share, 0.05f * kerb_abs(got - wanted) / 0.1f);
    return share;
}

// The truth is within two deviations.
static bool is_honest(int32_t field, const truth* t, const kerb_calibrator* c) {
    const char* name = kerb_calibration_field_name((kerb_calibration_field)field);
    float got = kerb_settings_get(kerb_settings_find(&kerb_vehicle_table, name), &c->measured);
    if (field == KERB_CALIBRATES_UNDERSTEER_GRADIENT) {
        float whole = c->measured.wheelbase / (t->fast * t->fast) + got;
        return error_of(field, t, c) * whole <= 2.0f * c->deviation[field];
    }
    if (field == KERB_CALIBRATES_POWER)
        return error_of(field, t, c) * got <= 2.0f * c->deviation[field];
    return kerb_abs(got - t->value[field]) <= 2.0f * c->deviation[field];
}

static float place_length = 20000.0f, place_width = 2000.0f; // [m]

static kerb_calibrator calibrated(kerb_family_host* host) {
    kerb_vehicle known = kerb_scene_known_vehicle(&host->vehicle);
    kerb_calibrator calibrator = kerb_calibrator_make(&known);
    // A long place begins behind the vehicle, a square lies around it.
    float behind = kerb_min(0.5f * place_length, 100.0f);
    calibrator.settings.space_ahead = place_length - behind;
    calibrator.settings.space_behind = behind;
    calibrator.settings.space_each_side = 0.5f * place_width;
    while (calibrator.outcome == KERB_CALIBRATION_RUNNING) {
        float step = kerb_family_frame(host);
        kerb_motion motion = kerb_family_motion(host);
        kerb_controls controls = kerb_calibrator_drive(&calibrator, &motion, step);
        kerb_family_step(host, &controls, step);
    }
    return calibrator;
}

static void judge(int seed, tally* tallies, const truth* t, const kerb_calibrator* c,
                  bool verbose) {
    for (int32_t f = 0; f < KERB_CALIBRATION_FIELD_COUNT; f++) {
        if (f == KERB_CALIBRATES_YAW_RATE_MAX || f == KERB_CALIBRATES_YAW_ACCELERATION_MAX)
            continue;
        tally* own = &tallies[f];
        float error = error_of(f, t, c);
        bool measured = c->confidence[f] == KERB_CALIBRATION_MEASURED;
        bool estimated = c->confidence[f] == KERB_CALIBRATION_ESTIMATED;
        if (t->unlimited[f] && !measured)
            continue; // it says so, and there is nothing to measure
        own->count++;
        own->measured += measured;
        own->estimated += estimated;
        own->given += c->confidence[f] == KERB_CALIBRATION_GIVEN;
        own->guessed += c->confidence[f] == KERB_CALIBRATION_GUESSED;
        own->honest += c->confidence[f] != KERB_CALIBRATION_GIVEN && is_honest(f, t, c);
        own->right += measured && error <= 0.05f && !t->unlimited[f];
        own->near += estimated && error <= 0.1f;
        const char* name = kerb_calibration_field_name((kerb_calibration_field)f);
        if (verbose && (!measured || error > 0.05f || t->unlimited[f]))
            printf("%d %s: %s %g +- %g, true %g%s, off by %.1f %%\n", seed, name,
                   kerb_calibration_confidence_text((kerb_calibration_confidence)c->confidence[f]),
                   (double)kerb_settings_get(kerb_settings_find(&kerb_vehicle_table, name),
                                             &c->measured),
                   (double)c->deviation[f], (double)t->value[f],
                   t->unlimited[f] ? " (no limit)" : "", 100.0 * (double)error);
    }
}

static void print(const char* name, const tally* t) {
    double n = t->count > 0 ? t->count : 1;
    printf("%-26s %5d   measured %5.1f %%, within 5 %%: %5.1f %%   estimated %5.1f %%, within "
           "10 %%: %5.1f %%   guessed %5.1f %%   given %5.1f %%   honest %5.1f %%\n",
           name, t->count, 100.0 * t->measured / n,
           100.0 * t->right / (t->measured > 0 ? t->measured : 1), 100.0 * t->estimated / n,
           100.0 * t->near / (t->estimated > 0 ? t->estimated : 1), 100.0 * t->guessed / n,
           100.0 * t->given / n,
           100.0 * t->honest / (t->count > t->given ? t->count - t->given : 1));
}

int main(int argc, char** argv) {
    int first = argc > 2 ? atoi(argv[1]) : 5000, last = argc > 2 ? atoi(argv[2]) : 5200;
    bool verbose = argc == 4;
    if (argc > 4) {
        place_length = (float)atof(argv[3]);
        place_width = (float)atof(argv[4]);
    }
    tally tallies[KERB_CALIBRATION_FIELD_COUNT] = {0}, all = {0};
    int32_t done = 0, failures[KERB_CALIBRATION_FAILURE_COUNT] = {0};
    double time = 0.0;
    for (int seed = first; seed < last; seed++) {
        kerb_family_host host;
        kerb_family_host_make(&host, (uint64_t)seed);
        truth t = truth_of(&host);
        kerb_calibrator c = calibrated(&host);
        time += (double)c.time;
        done += c.outcome == KERB_CALIBRATION_DONE;
        failures[c.failure]++;
        if (verbose && c.outcome != KERB_CALIBRATION_DONE)
            printf("%d fails in %s after %.0f s: %s\n", seed, kerb_calibration_phase_text(c.phase),
                   (double)c.time, kerb_calibration_failure_text(c.failure));
        if (c.outcome == KERB_CALIBRATION_DONE)
            judge(seed, tallies, &t, &c, verbose);
    }
    for (int32_t f = 0; f < KERB_CALIBRATION_FIELD_COUNT; f++) {
        if (tallies[f].count == 0)
            continue;
        print(kerb_calibration_field_name((kerb_calibration_field)f), &tallies[f]);
        all.count += tallies[f].count;
        all.measured += tallies[f].measured;
        all.right += tallies[f].right;
        all.estimated += tallies[f].estimated;
        all.near += tallies[f].near;
        all.guessed += tallies[f].guessed;
        all.given += tallies[f].given;
        all.honest += tallies[f].honest;
    }
    print("all", &all);
    printf("%d of %d done, %.0f s of driving in the mean", done, last - first,
           time / (last > first ? last - first : 1));
    for (int32_t i = 1; i < KERB_CALIBRATION_FAILURE_COUNT; i++)
        if (failures[i] > 0)
            printf("; %d: %s", failures[i],
                   kerb_calibration_failure_text((kerb_calibration_failure)i));
    printf("\n");
    return 0;
}
