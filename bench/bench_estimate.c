// What an estimate learns of the family of hosts, against the truth:
//
//     bench_estimate [FIRST LAST [SECONDS [-v]]]      seeds 5000 to 5999, 10 s
//     bench_estimate body [FIRST LAST [SECONDS [-v]]] of the body, in ordinary and spirited
//                                                     driving; described wrongly by up to 20 %, 30
//                                                     s
//     bench_estimate cost                             time of a feed, and memory
#include "scene/host/family_body.h"
#include "scene/host/family_drive.h"
#include "scene/host/family_pedals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct tally {
    int32_t count, near, honest, known, known_near;
    double error, told; // sums of squares
} tally;

static bool judge(tally* t, const kerb_estimated* got, float truth, float least, float unit) {
    float error = kerb_abs(got->value - truth);
    bool near = error <= least;
    t->count++;
    t->near += near;
    t->honest += error <= 2.0f * got->deviation;
    t->known += got->known;
    t->known_near += got->known && near;
    t->error += (double)(error / unit) * (double)(error / unit);
    t->told += (double)(got->deviation / unit) * (double)(got->deviation / unit);
    return near;
}

static void print(const char* name, const tally* t) {
    double n = t->count > 0 ? t->count : 1;
    printf("%-10s within %5.1f %%   in two deviations %5.1f %%   known %5.1f %%, of these within "
           "%5.1f %%   rms error %.4f, told %.4f\n",
           name, 100.0 * t->near / n, 100.0 * t->honest / n, 100.0 * t->known / n,
           100.0 * t->known_near / (t->known > 0 ? t->known : 1),
           (double)kerb_sqrt((float)(t->error / n)), (double)kerb_sqrt((float)(t->told / n)));
}

// --------------------------------------------------------------------------- body

enum { AXLE, SLIP, BALANCE, GYRATION, GRIP, TYRES, GRIP_TENTH, BODY_VALUES };
static const char* const body_names[] = {"axle", "compliance", "understeer", "gyration",
                                         "grip", "tyres",      "grip 10 %"};

typedef struct body_drive {
    bool is_spirited;
    kerb_family_drive ordinary;
    kerb_family_spirited spirited;
    kerb_body_estimate estimate;
} body_drive;

static const kerb_family_host* body_host(const body_drive* b) {
    return b->is_spirited ? &b->spirited.host : &b->ordinary.host;
}

static float body_step(body_drive* b, kerb_controls* controls) {
    return b->is_spirited ? kerb_family_spirited_step(&b->spirited, controls)
                          : kerb_family_drive_step(&b->ordinary, controls);
}

static void body_learn(body_drive* b, uint64_t seed, double seconds) {
    if (b->is_spirited)
        kerb_family_spirited_make(&b->spirited, seed);
    else
        kerb_family_drive_make(&b->ordinary, seed);
    const double most = b->is_spirited ? 90.0 : 60.0;
    const double* time = b->is_spirited ? &b->spirited.time : &b->ordinary.time;
    const double* begun = b->is_spirited ? &b->spirited.begun : &b->ordinary.begun;
    kerb_vehicle told = kerb_family_wrong_vehicle(body_host(b), seed, 0.2f);
    b->estimate = kerb_body_estimate_make(&told);
    while (*time < most && (*begun < 0.0 || *time < *begun + seconds)) {
        kerb_controls controls;
        float step = body_step(b, &controls);
        kerb_motion motion = kerb_family_motion(body_host(b));
        if (*begun < 0.0)
            kerb_body_estimate_reset(&b->estimate);
        kerb_body_estimate_feed(&b->estimate, &motion, &controls, NULL, step);
    }
    kerb_body_estimate_update(&b->estimate);
}

static void body_judge(tally* tallies, const body_drive* b, int seed, bool verbose) {
    const kerb_body_estimate* e = &b->estimate;
    float speed = b->is_spirited ? b->spirited.base : b->ordinary.speed;
    double limit = b->is_spirited ? b->spirited.limit : 0.0;
    kerb_family_body truth = kerb_family_body_of(body_host(b), speed);
    const kerb_family_truth* t = &body_host(b)->truth;
    float slip = kerb_max(truth.compliance, 1.0e-4f);
    bool near[BODY_VALUES] = {0};
    near[AXLE] = judge(&tallies[AXLE], &e->following_axle, truth.following_axle,
                       0.1f * t->wheelbase / 2.7f, t->wheelbase);
    kerb_estimated tyres = e->tyres;
    near[TYRES] = judge(&tallies[TYRES], &tyres, truth.tyres ? 1.0f : 0.0f, 0.5f, 1.0f);
    if (truth.tyres) {
        near[SLIP] = judge(&tallies[SLIP], &e->compliance, truth.compliance, 0.2f * slip, slip);
        if (t->tells_wheels)
            near[BALANCE] = judge(&tallies[BALANCE], &e->understeer_gradient,
                                  truth.understeer_gradient, 0.2f * slip, slip);
        near[GYRATION] = judge(&tallies[GYRATION], &e->gyration_square, truth.gyration_square,
                               0.2f * truth.gyration_square, truth.gyration_square);
        if (limit > 1.0) {
            near[GRIP] =
                judge(&tallies[GRIP], &e->grip, truth.grip, 0.05f * truth.grip, truth.grip);
            near[GRIP_TENTH] =
                judge(&tallies[GRIP_TENTH], &e->grip, truth.grip, 0.1f * truth.grip, truth.grip);
        }
    }
    if (!verbose)
        return;
    const kerb_estimated* values[] = {&e->following_axle,  &e->compliance, &e->understeer_gradient,
                                      &e->gyration_square, &e->grip,       &e->tyres};
    const float truths[] = {truth.following_axle,  truth.compliance, truth.understeer_gradient,
                            truth.gyration_square, truth.grip,       truth.tyres ? 1.0f : 0.0f};
    printf("%d v %.1f L %.2f tyre %d mu %.2f hz %.0f rs %d tells %d df %.4f esp %d g %.2f lim %.1f "
           "mis %.5f h %d taught %.1f",
           seed, (double)speed, (double)t->wheelbase, t->tyre, (double)t->grip,
           1.0 / (double)t->frame_min, t->rear_steering, t->tells_wheels, (double)t->downforce,
           t->stability_control, (double)t->gyration, limit, (double)e->misfit,
           (int)e->memory.angle, (double)e->taught);
    for (int32_t i = 0; i < GRIP_TENTH; i++)
        printf(" %s %.4f/%.4f(%.4f)%s", body_names[i], (double)values[i]->value, (double)truths[i],
               (double)values[i]->deviation, near[i] ? "" : "!");
    printf(" al %.2f slide %.2f\n", (double)e->grip_at_least, (double)e->slide_grip.value);
}

static int body_main(int argc, char** argv) {
    int first = argc > 2 ? atoi(argv[1]) : 5000, last = argc > 2 ? atoi(argv[2]) : 6000;
    double seconds = argc > 3 ? atof(argv[3]) : 30.0;
    for (int32_t way = 0; way < 2; way++) {
        tally tallies[BODY_VALUES] = {{0}};
        for (int seed = first; seed < last; seed++) {
            body_drive b = {.is_spirited = way == 1};
            body_learn(&b, (uint64_t)seed, seconds);
            body_judge(tallies, &b, seed, argc > 4);
        }
        printf("%s, seeds %d to %d, %.0f s\n", way == 0 ? "ordinary" : "spirited", first, last - 1,
               seconds);
        for (int32_t i = 0; i < BODY_VALUES; i++)
            if (tallies[i].count > 0)
                print(body_names[i], &tallies[i]);
    }
    return 0;
}

// --------------------------------------------------------------------------- cost

enum { COST_FRAMES = 3600, COST_MINUTES = 5, COST_ROUNDS = 10 };
typedef enum cost_kind { COST_STEERING, COST_BODY, COST_PEDALS, COST_ALL, COST_KINDS } cost_kind;
static const char* const cost_names[] = {"steering", "body", "pedals", "all three"};
static kerb_motion cost_motions[COST_FRAMES];
static kerb_controls cost_controls[COST_FRAMES];

static void cost_feed(kerb_vehicle_estimate* e, cost_kind kind, int32_t i) {
    const kerb_motion* motion = &cost_motions[i];
    const kerb_controls* controls = &cost_controls[i];
    const float step = 1.0f / 60.0f;
    switch (kind) {
    case COST_STEERING:
        kerb_estimate_feed(&e->steering, motion, controls, NULL, step);
        break;
    case COST_BODY:
        kerb_body_estimate_feed(&e->body, motion, controls, NULL, step);
        break;
    case COST_PEDALS:
        kerb_pedal_estimate_feed(&e->pedals, motion, controls, NULL, step);
        break;
    default:
        kerb_vehicle_estimate_feed(e, motion, controls, NULL, step);
        break;
    }
}

// Mean time of a feed, in the quickest of some rounds, because other work disturbs. [ns]
static double cost_of(const kerb_vehicle* vehicle, cost_kind kind) {
    static kerb_vehicle_estimate estimate;
    double best = 1.0e9;
    for (int32_t k = 0; k < COST_ROUNDS; k++) {
        kerb_vehicle_estimate_init(&estimate, vehicle);
        clock_t begin = clock();
        for (int32_t i = 0; i < COST_MINUTES * COST_FRAMES; i++)
            cost_feed(&estimate, kind, i % COST_FRAMES);
        double feeds = (double)COST_MINUTES * COST_FRAMES;
        double time = (double)(clock() - begin) / CLOCKS_PER_SEC / feeds * 1.0e9;
        best = time < best ? time : best;
    }
    return best;
}

// A minute of a host at 60 Hz, which is driven again and again, in three ways.
static const kerb_family_host* cost_drive(int32_t way) {
    static body_drive body;
    static kerb_family_pedal_drive pedals;
    body.is_spirited = way == 1;
    kerb_family_drive_make(&body.ordinary, 1);
    kerb_family_spirited_make(&body.spirited, 1);
    kerb_family_pedal_drive_make(&pedals, 1);
    kerb_family_host* hosts[] = {&body.ordinary.host, &body.spirited.host, &pedals.host};
    hosts[way]->truth.frame_min = hosts[way]->truth.frame_max = 1.0f / 60.0f;
    hosts[way]->truth.uneven = false;
    for (int32_t i = 0; i < COST_FRAMES; i++) {
        if (way == 2)
            kerb_family_pedal_drive_step(&pedals, &cost_controls[i]);
        else
            body_step(&body, &cost_controls[i]);
        cost_motions[i] = kerb_family_motion(hosts[way]);
    }
    return hosts[way];
}

static int cost_main(void) {
    static const char* const ways[] = {"ordinary", "spirited", "pedals"};
    printf("a feed in the mean of five minutes at 60 Hz [ns]\n%-12s", "driving");
    for (int32_t kind = 0; kind < COST_KINDS; kind++)
        printf("%12s", cost_names[kind]);
    for (int32_t way = 0; way < 3; way++) {
        const kerb_family_host* host = cost_drive(way);
        printf("\n%-12s", ways[way]);
        for (int32_t kind = 0; kind < COST_KINDS; kind++)
            printf("%12.0f", cost_of(&host->vehicle, (cost_kind)kind));
    }
    printf("\n%-12s%12d%12d%12d%12d bytes\n", "memory", (int)kerb_estimate_bytes(),
           (int)kerb_body_estimate_bytes(), (int)kerb_pedal_estimate_bytes(),
           (int)kerb_vehicle_estimate_bytes());
    return 0;
}

int main(int argc, char** argv) {
    if (argc > 1 && strcmp(argv[1], "body") == 0)
        return body_main(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "cost") == 0)
        return cost_main();
    int first = argc > 2 ? atoi(argv[1]) : 5000, last = argc > 2 ? atoi(argv[2]) : 6000;
    double seconds = argc > 3 ? atof(argv[3]) : 10.0;
    bool verbose = argc > 4;
    tally gain = {0}, trim = {0}, delay = {0}, rate = {0};
    int32_t all = 0, count = 0;
    for (int seed = first; seed < last; seed++) {
        kerb_family_drive drive;
        kerb_family_drive_make(&drive, (uint64_t)seed);
        kerb_estimate estimate = kerb_estimate_make(&drive.host.vehicle);
        double speeds = 0.0, frames = 0.0;
        while (drive.time < 60.0 && (drive.begun < 0.0 || drive.time < drive.begun + seconds)) {
            kerb_controls controls;
            float step = kerb_family_drive_step(&drive, &controls);
            kerb_motion motion = kerb_family_motion(&drive.host);
            if (drive.begun < 0.0)
                kerb_estimate_reset(&estimate);
            kerb_estimate_feed(&estimate, &motion, &controls, NULL, step);
            speeds += drive.begun >= 0.0 ? (double)(drive.host.forward * step) : 0.0;
            frames += drive.begun >= 0.0 ? (double)step : 0.0;
        }
        kerb_estimate_update(&estimate);
        float speed = frames > 0.0 ? (float)(speeds / frames) : drive.speed;
        kerb_family_steering truth = kerb_family_steering_of(&drive.host, speed);
        const kerb_family_truth* t = &drive.host.truth;
        float told = kerb_tan(0.3f * t->lock) / (0.3f * t->wheelbase);
        float true_gain = truth.gain / told;
        bool g = judge(&gain, &estimate.steering_gain, true_gain, 0.1f * true_gain, true_gain);
        bool m = judge(&trim, &estimate.trim, truth.trim, 0.01f, 1.0f);
        bool d = judge(&delay, &estimate.delay, truth.delay, 0.03f, 1.0f);
        if (truth.rate < 1.0f)
            judge(&rate, &estimate.steering_rate, truth.rate, 0.25f * truth.rate, truth.rate);
        all += g && m && d;
        count++;
        if (verbose)
            printf("%d v %.1f L %.2f tyre %d hz %.0f gain %.3f/%.3f(%.3f) trim %.3f/%.3f(%.3f) "
                   "delay %.3f/%.3f(%.3f; %.3f) rate %.2f/%.2f sm %.1f/%.1f db %.3f exp %.2f "
                   "lag %.2f fit %.4f taught %.1f s ex %.2f %s%s%s\n",
                   seed, (double)speed, (double)t->wheelbase, t->tyre, 1.0 / (double)t->frame_min,
                   (double)estimate.steering_gain.value, (double)true_gain,
                   (double)estimate.steering_gain.deviation, (double)estimate.trim.value,
                   (double)truth.trim, (double)estimate.trim.deviation,
                   (double)estimate.delay.value, (double)truth.delay,
                   (double)estimate.delay.deviation, (double)t->delay,
                   (double)estimate.steering_rate.value, (double)truth.rate, (double)t->rise_rate,
                   (double)t->fall_rate, (double)t->dead_band, (double)t->exponent,
                   (double)t->lock_share, (double)estimate.misfit, (double)estimate.taught,
                   (double)estimate.excitation, g ? "" : "G", m ? "" : "T", d ? "" : "D");
    }
    printf("seeds %d to %d, %.0f s: %d hosts, all three within %.1f %%\n", first, last - 1, seconds,
           (int)count, 100.0 * all / (count > 0 ? count : 1));
    print("gain", &gain);
    print("trim", &trim);
    print("delay", &delay);
    print("rate", &rate);
    return 0;
}
