// What an estimate of pedals learns of the family of hosts, against the truth:
//
//     bench_estimate_pedals [FIRST LAST [SECONDS [WRONG [-v]]]]   seeds 5000 to 5999, 30 s, 0.2
//
// WRONG: the description is wrong by up to this share.
#include "scene/host/family_pedals.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct tally {
    const char* name;
    float closely, near; // errors that count as such, of the truth or absolute
    bool relative;
    int32_t count, within_closely, within, honest, known, known_near;
    double first; // share that the description alone has near
} tally;

// True where it is near.
static bool judge(tally* t, const kerb_estimated* got, float truth, float told) {
    float unit = t->relative ? kerb_max(kerb_abs(truth), 1.0e-6f) : 1.0f;
    float error = kerb_abs(got->value - truth);
    bool near = error <= t->near * unit;
    t->count++;
    t->within_closely += error <= t->closely * unit;
    t->within += near;
    t->honest += error <= 2.0f * got->deviation;
    t->known += got->known;
    t->known_near += got->known && near;
    t->first += kerb_abs(told - truth) <= t->near * unit;
    return near;
}

static void print(const tally* t) {
    double n = t->count > 0 ? t->count : 1;
    printf("%-15s %4d  within %5.3f: %5.1f %%  %5.3f: %5.1f %%  (described %5.1f %%)  honest %5.1f "
           "%%  known %5.1f %%, near %5.1f %%\n",
           t->name, (int)t->count, (double)t->closely, 100.0 * t->within_closely / n,
           (double)t->near, 100.0 * t->within / n, 100.0 * t->first / n, 100.0 * t->honest / n,
           100.0 * t->known / n, 100.0 * t->known_near / (t->known > 0 ? t->known : 1));
}

enum {
    LOW,
    MIDDLE,
    FAST,
    POWER,
    HALF,
    LATE,
    BRAKE,
    HALF_BRAKE,
    LATE_BRAKE,
    ROLLING,
    DRAG,
    CREEP,
    PAUSE,
    FIGURES
};

static tally tallies[FIGURES] = {
    {.name = "drive slow", .closely = 0.05f, .near = 0.1f, .relative = true},
    {.name = "drive", .closely = 0.05f, .near = 0.1f, .relative = true},
    {.name = "drive fast", .closely = 0.05f, .near = 0.1f, .relative = true},
    {.name = "power", .closely = 0.05f, .near = 0.1f, .relative = true},
    {.name = "half throttle", .closely = 0.05f, .near = 0.1f},
    {.name = "throttle delay", .closely = 0.03f, .near = 0.05f},
    {.name = "braking", .closely = 0.05f, .near = 0.1f, .relative = true},
    {.name = "half brake", .closely = 0.05f, .near = 0.1f},
    {.name = "brake delay", .closely = 0.03f, .near = 0.05f},
    {.name = "rolling m/s2", .closely = 0.03f, .near = 0.06f},
    {.name = "drag m/s2", .closely = 0.03f, .near = 0.06f},
    {.name = "creep m/s", .closely = 0.15f, .near = 0.3f},
    {.name = "shift pause s", .closely = 0.05f, .near = 0.1f},
};
static int32_t spins[2][2], locks[2][2], holds[2][2]; // true, told

static void judge_all(const kerb_pedal_estimate* e, const kerb_family_pedal_drive* drive,
                      bool verbose, int seed) {
    const kerb_family_host* host = &drive->host;
    const kerb_family_truth* t = &host->truth;
    const kerb_vehicle* told = &e->vehicle;
    kerb_family_pedals truth = kerb_family_pedals_of(host);
    float slow = 0.05f * t->speed_max, middle = 0.6f * drive->fastest;
    kerb_estimated low = kerb_pedal_estimate_drive_at(e, slow);
    kerb_estimated drives = kerb_pedal_estimate_drive_at(e, middle);
    kerb_estimated power = e->power, drag = e->drag;
    power.value /= told->mass;
    power.deviation /= told->mass;
    float square = 0.25f * t->speed_max * t->speed_max;
    drag.value *= square;
    drag.deviation *= square;
    kerb_pedal_estimate fresh = kerb_pedal_estimate_make(told);
    float brakes = -kerb_family_force(host, 0.3f * t->speed_max, 0.0f, 1.0f);
    float slow_drive = kerb_family_force(host, slow, 1.0f, 0.0f);
    float drive_truth = kerb_family_force(host, middle, 1.0f, 0.0f);
    bool n[FIGURES];
    n[LOW] =
        judge(&tallies[LOW], &low, slow_drive, kerb_pedal_estimate_drive_at(&fresh, slow).value);
    n[MIDDLE] = judge(&tallies[MIDDLE], &drives, drive_truth,
                      kerb_pedal_estimate_drive_at(&fresh, middle).value);
    float fast = 0.9f * drive->fastest;
    kerb_estimated quick = kerb_pedal_estimate_drive_at(e, fast);
    n[FAST] = judge(&tallies[FAST], &quick, kerb_family_force(host, fast, 1.0f, 0.0f),
                    kerb_pedal_estimate_drive_at(&fresh, fast).value);
    n[POWER] = judge(&tallies[POWER], &power, truth.power, fresh.power.value / told->mass);
    n[HALF] = judge(&tallies[HALF], &e->half_throttle, truth.half_throttle, 0.5f);
    n[LATE] = judge(&tallies[LATE], &e->throttle_delay, truth.throttle_delay, told->throttle_delay);
    n[BRAKE] = judge(&tallies[BRAKE], &e->braking, brakes, told->braking_max);
    n[HALF_BRAKE] = judge(&tallies[HALF_BRAKE], &e->half_brake, truth.half_brake, 0.5f);
    n[LATE_BRAKE] =
        judge(&tallies[LATE_BRAKE], &e->brake_delay, truth.brake_delay, told->steering_delay);
    n[ROLLING] = judge(&tallies[ROLLING], &e->rolling, t->rolling, told->coasting_deceleration);
    n[DRAG] = judge(&tallies[DRAG], &drag, t->drag * square, told->drag * square);
    n[CREEP] = judge(&tallies[CREEP], &e->creep_speed, truth.creep_speed, 0.0f);
    n[PAUSE] = judge(&tallies[PAUSE], &e->shift_pause, truth.shift_pause, 0.0f);
    spins[truth.spins][e->spin_limit.known]++;
    locks[truth.locks][e->lock_limit.known]++;
    if (truth.creep_speed > 0.05f)
        holds[truth.brake_holds][e->brake_holds.value > 0.5f]++;
    if (!verbose)
        return;
    printf(
        "%d L %.1f hz %.0f tyre %d grip %.2f vmax %.0f fast %.0f | slow %.2f/%.2f(%.2f) drive "
        "%.2f/%.2f(%.2f) power %.1f/%.1f(%.1f) half %.2f/%.2f(%.2f) delay %.2f/%.2f(%.2f) | brake "
        "%.2f/%.2f(%.2f) half %.2f/%.2f(%.2f) delay %.2f/%.2f(%.2f) | roll %.2f/%.2f(%.2f) drag "
        "%.2f/%.2f(%.2f) | creep %.2f/%.2f(%.2f) pause %.2f/%.2f(%.2f) n %.1f | lim %.2f(%.2f n "
        "%.1f)%d "
        "%.2f(%.2f n %.1f)%d misfit %.2f taught %.0f ",
        seed, (double)t->wheelbase, 1.0 / (double)t->frame_min, t->tyre, (double)t->grip,
        (double)t->speed_max, (double)drive->fastest, (double)low.value, (double)slow_drive,
        (double)low.deviation, (double)drives.value, (double)drive_truth, (double)drives.deviation,
        (double)power.value, (double)truth.power, (double)power.deviation,
        (double)e->half_throttle.value, (double)truth.half_throttle,
        (double)e->half_throttle.deviation, (double)e->throttle_delay.value,
        (double)truth.throttle_delay, (double)e->throttle_delay.deviation, (double)e->braking.value,
        (double)brakes, (double)e->braking.deviation, (double)e->half_brake.value,
        (double)truth.half_brake, (double)e->half_brake.deviation, (double)e->brake_delay.value,
        (double)truth.brake_delay, (double)e->brake_delay.deviation, (double)e->rolling.value,
        (double)t->rolling, (double)e->rolling.deviation, (double)drag.value,
        (double)(t->drag * square), (double)drag.deviation, (double)e->creep_speed.value,
        (double)truth.creep_speed, (double)e->creep_speed.deviation, (double)e->shift_pause.value,
        (double)truth.shift_pause, (double)e->shift_pause.deviation, (double)e->memory.pauses,
        (double)e->spin_limit.value, (double)e->spin_limit.deviation, (double)e->memory.limits[0].n,
        truth.spins, (double)e->lock_limit.value, (double)e->lock_limit.deviation,
        (double)e->memory.limits[1].n, truth.locks, (double)e->misfit, (double)e->taught);
    for (int i = 0; i < FIGURES; i++)
        putchar(n[i] ? '.' : "SDFPHTBhtRGCZ"[i]);
    putchar('\n');
}

// Mean time of a feed. [ns]
static void print_cost(void) {
    enum { FRAMES = 6000 };
    static kerb_motion motions[FRAMES];
    static kerb_controls controls[FRAMES];
    double best = 1.0e9;
    kerb_family_pedal_drive drive;
    kerb_family_pedal_drive_make(&drive, 1);
    drive.host.truth.frame_min = drive.host.truth.frame_max = 1.0f / 60.0f;
    drive.host.truth.uneven = false;
    for (int i = 0; i < FRAMES; i++) {
        kerb_family_pedal_drive_step(&drive, &controls[i]);
        motions[i] = kerb_family_motion(&drive.host);
    }
    for (int k = 0; k < 20; k++) {
        kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&drive.host.vehicle);
        clock_t begin = clock();
        for (int i = 0; i < FRAMES; i++)
            kerb_pedal_estimate_feed(&estimate, &motions[i], &controls[i], NULL, 1.0f / 60.0f);
        double time = (double)(clock() - begin) / CLOCKS_PER_SEC / FRAMES * 1.0e9;
        best = time < best ? time : best;
    }
    printf("a feed takes %.0f ns in the mean at 60 Hz; %d bytes\n", best,
           (int)sizeof(kerb_pedal_estimate));
}

int main(int argc, char** argv) {
    int first = argc > 2 ? atoi(argv[1]) : 5000, last = argc > 2 ? atoi(argv[2]) : 6000;
    double seconds = argc > 3 ? atof(argv[3]) : 30.0;
    float wrong = argc > 4 ? (float)atof(argv[4]) : 0.2f;
    for (int seed = first; seed < last; seed++) {
        kerb_family_pedal_drive drive;
        kerb_family_pedal_drive_make(&drive, (uint64_t)seed);
        kerb_vehicle told = kerb_family_wrong_vehicle(&drive.host, (uint64_t)seed, wrong);
        kerb_pedal_estimate estimate = kerb_pedal_estimate_make(&told);
        while (drive.time < seconds) {
            kerb_controls controls;
            float step = kerb_family_pedal_drive_step(&drive, &controls);
            kerb_motion motion = kerb_family_motion(&drive.host);
            kerb_pedal_estimate_feed(&estimate, &motion, &controls, NULL, step);
        }
        kerb_pedal_estimate_update(&estimate);
        judge_all(&estimate, &drive, argc > 5, seed);
    }
    printf("seeds %d to %d, %.0f s, description wrong by up to %.0f %%\n", first, last - 1, seconds,
           100.0 * (double)wrong);
    for (int i = 0; i < FIGURES; i++)
        print(&tallies[i]);
    printf("spins: told of %d of %d, wrongly of %d of %d; locks: %d of %d, %d of %d; only the "
           "handbrake holds: %d of %d, wrongly %d of %d\n",
           spins[1][1], spins[1][0] + spins[1][1], spins[0][1], spins[0][0] + spins[0][1],
           locks[1][1], locks[1][0] + locks[1][1], locks[0][1], locks[0][0] + locks[0][1],
           holds[0][0], holds[0][0] + holds[0][1], holds[1][0], holds[1][0] + holds[1][1]);
    print_cost();
    return 0;
}
