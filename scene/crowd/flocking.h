// A flock in a round meadow: all agents flock, and stay inside. The tests, the command and the
// replay share it.
#ifndef KERB_SCENE_CROWD_FLOCKING_H
#define KERB_SCENE_CROWD_FLOCKING_H

#include "kerb/steer.h"

#include "kerb/group.h"

#define KERB_SCENE_FLOCK_MOST 256

/// What happened so far.
typedef struct kerb_scene_flock_record {
    float time;            ///< [s]
    double neighbours_sum; ///< of all agents in all steps: others within the alignment radius
    double agreement_sum;  ///< of those with neighbours: cosine of the angle to their mean heading
    int64_t looks, agreed; ///< how many are in these sums
    int32_t collisions;    ///< pairs whose circles began to overlap
} kerb_scene_flock_record;

typedef struct kerb_scene_flock {
    kerb_flock_settings settings;
    kerb_region meadow;
    kerb_agents agents; ///< into `numbers`: do not copy the struct
    float numbers[12][KERB_SCENE_FLOCK_MOST];
    bool overlapped[KERB_SCENE_FLOCK_MOST * KERB_SCENE_FLOCK_MOST];
    kerb_neighbour_grid grid;
    kerb_scene_flock_record record;
} kerb_scene_flock;

/// A flock of `count` agents placed and faced by `seed`. Errors: OUT_OF_RANGE, OUT_OF_MEMORY.
kerb_result kerb_scene_flock_create(kerb_scene_flock* flock, int32_t count, uint64_t seed,
                                    const kerb_host* host);

void kerb_scene_flock_destroy(kerb_scene_flock* flock);

/// All think, then all move.
void kerb_scene_flock_step(kerb_scene_flock* flock, float time_step);

#endif
