// Crowds of agents with a smallest turning radius: a queue into a gate, and crossing streams. The
// tests, the command and the replay share them. The agents are kinematic (kerb_agent_step), so that
// only the behaviour is judged.
#ifndef KERB_SCENE_CROWD_CROWD_H
#define KERB_SCENE_CROWD_CROWD_H

#include "kerb/group.h"

#define KERB_SCENE_CROWD_MOST 256
#define KERB_SCENE_CROWD_LANES 4 // of each of the two streams

typedef enum kerb_scene_crowd_kind {
    KERB_SCENE_CROWD_GATE,    ///< all wait before a gate at the origin and drive through it along x
    KERB_SCENE_CROWD_CROSSING ///< half drive along x and half along y, four lanes each, round and
                              ///< round
} kerb_scene_crowd_kind;

/// What happened so far.
typedef struct kerb_scene_crowd_record {
    float time;               ///< [s]
    int32_t passed;           ///< through the gate, or past the crossing
    float last_pass;          ///< when [s]
    float longest_pause;      ///< between two of them, while any wait [s]
    float longest_lane_pause; ///< between two of one lane, while any of it are on their way [s]
    int32_t contacts;         ///< pairs whose circles touched, counted in each step
    float least_gap;          ///< between two circles, ever [m]
} kerb_scene_crowd_record;

/// The crowd. About 40 KB.
typedef struct kerb_scene_crowd {
    kerb_scene_crowd_kind kind;
    kerb_agents agents; ///< into `numbers`: do not copy the struct
    float numbers[12][KERB_SCENE_CROWD_MOST];
    bool is_gone[KERB_SCENE_CROWD_MOST]; ///< not in the world, or not yet again
    bool is_past[KERB_SCENE_CROWD_MOST];
    float lane[KERB_SCENE_CROWD_MOST];
    float
        lane_passed[2 * KERB_SCENE_CROWD_LANES]; ///< when one last did, or none was on its way [s]
    kerb_neighbour_grid grid;
    kerb_scene_crowd_record record;
} kerb_scene_crowd;

/// A crowd of `count` agents placed by `seed`. Errors: OUT_OF_RANGE, OUT_OF_MEMORY.
kerb_result kerb_scene_crowd_create(kerb_scene_crowd* crowd, kerb_scene_crowd_kind kind,
                                    int32_t count, uint64_t seed, const kerb_host* host);

void kerb_scene_crowd_destroy(kerb_scene_crowd* crowd);

/// All think, then all move.
void kerb_scene_crowd_step(kerb_scene_crowd* crowd, float time_step);

#endif
