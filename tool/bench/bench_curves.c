// Shortest paths, timed over the same random pairs as OMPL's where OMPL is installed.
#include "tool/bench/bench_curves.h"

#include "kerb/curve.h"
#include "tool/command/machine.h"

#ifdef KERB_HAVE_OMPL
#include "scene/ompl/ompl_ways.h"
#endif

#include <stdlib.h>

#define PAIRS 4096
#define RADIUS 5.0f
#define BENCH_CURVES_ROUNDS 100 // 40 ms of scalar lengths
#define PEER_ROUNDS 10          // 20 ms

// Everything that a row times, in one piece of memory.
typedef struct curve_pairs {
    kerb_pose from[PAIRS], to[PAIRS];
    float parts[8][PAIRS];
    float lengths[PAIRS];
#ifdef KERB_HAVE_OMPL
    ompl_pose peer_from[PAIRS], peer_to[PAIRS];
    double peer_lengths[PAIRS];
#endif
} curve_pairs;

// The goal within 8 radii, its distance as likely near as far.
static void make_pair(curve_pairs* pairs, int32_t i, kerb_random* random) {
    float x = kerb_random_between(random, -100.0f, 100.0f);
    float y = kerb_random_between(random, -100.0f, 100.0f);
    float heading = kerb_random_between(random, -KERB_PI, KERB_PI);
    float distance = kerb_random_between(random, 0.0f, 8.0f * RADIUS), sine, cosine;
    kerb_sin_cos(kerb_random_between(random, -KERB_PI, KERB_PI), &sine, &cosine);
    float to_x = x + distance * cosine, to_y = y + distance * sine;
    float to_heading = kerb_random_between(random, -KERB_PI, KERB_PI);
    pairs->from[i] = kerb_pose_make(x, y, heading);
    pairs->to[i] = kerb_pose_make(to_x, to_y, to_heading);
    const float numbers[8] = {x,    y,    pairs->from[i].forward.x, pairs->from[i].forward.y,
                              to_x, to_y, pairs->to[i].forward.x,   pairs->to[i].forward.y};
    for (int32_t part = 0; part < 8; part++)
        pairs->parts[part][i] = numbers[part];
#ifdef KERB_HAVE_OMPL
    const ompl_pose from = {(double)x, (double)y, (double)heading};
    const ompl_pose to = {(double)to_x, (double)to_y, (double)to_heading};
    pairs->peer_from[i] = from;
    pairs->peer_to[i] = to;
#endif
}

static curve_pairs* make_pairs(void) {
    curve_pairs* pairs = malloc(sizeof *pairs);
    kerb_random random = kerb_random_make(1, 1);
    for (int32_t i = 0; pairs && i < PAIRS; i++)
        make_pair(pairs, i, &random);
    return pairs;
}

// Runs all pairs `rounds` times and keeps the best. [ns a pair]
static double bench_curves_best_of(int32_t rounds, void (*run)(curve_pairs* pairs),
                                   curve_pairs* pairs) {
    double best = 0.0;
    for (int32_t round = 0; round < rounds; round++) {
        uint64_t begun = tool_clock_ns();
        run(pairs);
        double ns = (double)(tool_clock_ns() - begun) / PAIRS;
        best = round == 0 || ns < best ? ns : best;
    }
    return best;
}

// What OMPL needs for the same pairs, by the given one of its functions.
#ifdef KERB_HAVE_OMPL
static void run_peer_dubins(curve_pairs* pairs) {
    kerb_scene_ompl_dubins_lengths(pairs->peer_from, pairs->peer_to, (double)RADIUS, PAIRS,
                                   pairs->peer_lengths);
}

static void run_peer_reeds_shepp(curve_pairs* pairs) {
    kerb_scene_ompl_reeds_shepp_lengths(pairs->peer_from, pairs->peer_to, (double)RADIUS, PAIRS,
                                        pairs->peer_lengths);
}
#else
#define run_peer_dubins NULL
#define run_peer_reeds_shepp NULL
#endif

static bool bench_curves_measure(tool_bench_figure* figure, void (*run)(curve_pairs* pairs),
                                 void (*run_peer)(curve_pairs* pairs)) {
    curve_pairs* pairs = make_pairs();
    if (!pairs)
        return false;
    figure->ns = bench_curves_best_of(BENCH_CURVES_ROUNDS, run, pairs);
    figure->peer = "OMPL";
    if (run_peer)
        figure->peer_ns = bench_curves_best_of(PEER_ROUNDS, run_peer, pairs);
    free(pairs);
    return true;
}

static void run_dubins_scalar(curve_pairs* pairs) {
    for (int32_t i = 0; i < PAIRS; i++)
        pairs->lengths[i] = kerb_dubins_length(pairs->from[i], pairs->to[i], RADIUS);
}

static void run_dubins_batch(curve_pairs* pairs) {
    float(*p)[PAIRS] = pairs->parts;
    const kerb_poses from = {p[0], p[1], p[2], p[3]}, to = {p[4], p[5], p[6], p[7]};
    kerb_dubins_lengths(from, to, RADIUS, PAIRS, pairs->lengths);
}

bool tool_bench_dubins_scalar(tool_bench_figure* figure) {
    return bench_curves_measure(figure, run_dubins_scalar, run_peer_dubins);
}

bool tool_bench_dubins_batch(tool_bench_figure* figure) {
    return bench_curves_measure(figure, run_dubins_batch, run_peer_dubins);
}

static void run_reeds_shepp_scalar(curve_pairs* pairs) {
    for (int32_t i = 0; i < PAIRS; i++)
        pairs->lengths[i] = kerb_reeds_shepp_length(pairs->from[i], pairs->to[i], RADIUS);
}

bool tool_bench_reeds_shepp_scalar(tool_bench_figure* figure) {
    return bench_curves_measure(figure, run_reeds_shepp_scalar, run_peer_reeds_shepp);
}
