// A player among bots frame by frame, for who shows it or takes a wheel. kerb_scene_lane_player_run
// is made of it.
//
//     kerb_scene_lane_player_state state;
//     if (kerb_scene_lane_player_begin(&state, &plan, &host, &result, &error) == KERB_OK)
//         while (!kerb_scene_lane_player_is_over(&state))
//             kerb_scene_lane_player_frame(&state); // state.drivers[0] is the player
//     kerb_scene_lane_player_end(&state);
#ifndef KERB_SCENE_LANE_LANE_PLAYER_RUN_H
#define KERB_SCENE_LANE_LANE_PLAYER_RUN_H

#include "kerb/lane_company.h"
#include "scene/lane/lane_player.h"
#include "scene/timing/call_times.h"

/// The scripted human.
typedef struct kerb_scene_lane_human {
    kerb_scene_lane_mood mood;
    double until; ///< [s]
    float wish;   ///< [m/s]
    int32_t lane;
    double lane_since;
    double lost; ///< off the road and standing, or driving back, for so long [s]
    kerb_random random;
} kerb_scene_lane_human;

/// Everything that exists while it runs. Read it freely; change `player` of drivers and their
/// keepers' settings. Its pointers lead into `memory`, to the plan and to the result.
typedef struct kerb_scene_lane_player_state {
    const kerb_scene_lane_player_plan* plan; ///< must outlive it
    kerb_scene_lane_driver* drivers;         ///< the player, then bots
    kerb_scene_lane_box* boxes;
    kerb_scene_lane_box* before; ///< boxes of the frame before
    uint8_t* touching;           ///< pairs
    int32_t count;
    kerb_lane_company company;
    kerb_lane_order orders[KERB_LANE_COMPANY_BOTS_MAX];
    kerb_scene_lane_human human;
    kerb_scene_lane_player_result* result;
    double clear_at; ///< after a crash; negative: nothing to clear [s]
    double time, near_time, near_sum, held_time, held_now, judged;
    double error_sum, error_time, rays, frames;
    kerb_scene_call_times drives, companies;
    void* memory;
    size_t bytes;
    kerb_allocator allocator;
} kerb_scene_lane_player_state;

/// Everybody on the road. Errors as kerb_scene_lane_player_run; then it is zeroed.
kerb_result kerb_scene_lane_player_begin(kerb_scene_lane_player_state* state,
                                         const kerb_scene_lane_player_plan* plan,
                                         const kerb_host* host,
                                         kerb_scene_lane_player_result* result, kerb_error* error);

/// One drive call of everybody, and the physics up to the next. Allocates nothing.
void kerb_scene_lane_player_frame(kerb_scene_lane_player_state* state);

/// Whether the player has come to the end of an open road.
bool kerb_scene_lane_player_is_over(const kerb_scene_lane_player_state* state);

/// Gives the memory back, and zeroes it.
void kerb_scene_lane_player_end(kerb_scene_lane_player_state* state);

#endif
