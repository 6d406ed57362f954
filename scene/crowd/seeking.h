// Directed seek as an experiment: an agent from a random pose to a random pose, step by step, and
// how exactly it arrives. The command, the tests and the benchmarks share it.
#ifndef KERB_SCENE_CROWD_SEEKING_H
#define KERB_SCENE_CROWD_SEEKING_H

#include "kerb/kerb.h"

/// What is tried.
typedef enum kerb_scene_seek_variant {
    KERB_SCENE_SEEK_PAPER,
    KERB_SCENE_SEEK_BOTH_CIRCLES,
    KERB_SCENE_SEEK_DUBINS,
    KERB_SCENE_SEEK_REVERSE,
    KERB_SCENE_SEEK_SPEED_RADIUS, ///< turning circles grow with the speed: the larger of two is
                                  ///< planned
    KERB_SCENE_SEEK_TWO_RADII,    ///< the same, each turn with its own
    KERB_SCENE_SEEK_ONE_PLANE,    ///< in space (paper, section 4)
    KERB_SCENE_SEEK_TWO_PLANES,   ///< in space (section 6)
    KERB_SCENE_SEEK_VARIANTS
} kerb_scene_seek_variant;

/// The word for a variant: "both-circles".
const char* kerb_scene_seek_word(kerb_scene_seek_variant variant);

/// An experiment: many trials of one kind.
typedef struct kerb_scene_seek_plan {
    kerb_scene_seek_variant variant;
    float radius;      ///< of the tightest circle, at `speed` [m]
    float speed;       ///< greatest [m/s]
    float hz;          ///< calls per second
    bool even_on_disc; ///< goals even over the disc of 8 radii; else their distance is even
    uint64_t seed;
} kerb_scene_seek_plan;

/// One trial.
typedef struct kerb_scene_seek_trial {
    kerb_directed_seek_settings settings;
    kerb_agent agent; ///< at the start
    kerb_directed_goal goal;
    float time_step;
    float radius_standing; ///< share of turning_radius that is left at no speed [1]
    float shortest;        ///< length of the shortest way [m]
} kerb_scene_seek_trial;

/// How it went.
typedef struct kerb_scene_seek_result {
    bool arrived;
    double position_error; ///< least distance from the goal [m]
    double heading_error;  ///< there [rad]
    double driven;         ///< up to there [m]
    double planned;        ///< length of the way thought out first [m]
    int64_t calls;
} kerb_scene_seek_result;

/// What is known before each step, for who draws.
typedef void kerb_scene_seek_watch(void* context, const kerb_agent* agent);

/// The trial with a number: the same for the same plan.
kerb_scene_seek_trial kerb_scene_seek_trial_make(const kerb_scene_seek_plan* plan, int64_t number);

/// Shorter ways have no ratio: where the agent stands at the goal already. [m]
double kerb_scene_seek_shortest_least(const kerb_scene_seek_plan* plan);

/// What counts as arriving: 0.1 of the metres in a step and 1 cm, and 2 degrees.
double kerb_scene_seek_tolerance(const kerb_scene_seek_trial* trial);
#define KERB_SCENE_SEEK_HEADING_TOLERANCE 0.034906585

/// A trial under way.
typedef struct kerb_scene_seek_drive {
    kerb_scene_seek_trial trial;
    kerb_agent agent; ///< now
    double driven;    ///< [m]
    kerb_scene_seek_result result;
} kerb_scene_seek_drive;

/// Before its first step.
kerb_scene_seek_drive kerb_scene_seek_start(const kerb_scene_seek_trial* trial);

/// One step. False when it is over: the agent has arrived, or never will.
bool kerb_scene_seek_step(kerb_scene_seek_drive* drive);

/// Agents on the ring.
#define KERB_SCENE_SEEK_RING 36

/// One of the agents that start on a ring of seven radii round the origin, each facing another way,
/// to leave it along y; in space they start at all kinds of heights, and leave it climbing.
/// [0 <= index < KERB_SCENE_SEEK_RING]
kerb_scene_seek_trial kerb_scene_seek_ring_trial(const kerb_scene_seek_plan* plan, int32_t index);
#define KERB_SCENE_SEEK_RING_RADII 7.0f
#define KERB_SCENE_SEEK_RING_CLIMB 0.4f // [rad]

/// Whether a variant is one in space.
bool kerb_scene_seek_in_space(kerb_scene_seek_variant variant);

/// Drives until the agent arrives or has driven fifty times as far as it should and sixty circles.
/// `watch` may be NULL.
kerb_scene_seek_result kerb_scene_seek_run(const kerb_scene_seek_trial* trial,
                                           kerb_scene_seek_watch* watch, void* context);

#endif
