// A soak trial frame by frame, for who shows it or takes a wheel. kerb_scene_soak_run is made of
// it.
//
//     kerb_scene_soak_state state;
//     if (kerb_scene_soak_begin(&state, &soak, &result, &host, &host, &error) == KERB_OK)
//         while (kerb_scene_soak_frame(&state, &error) == KERB_OK && …)
//             … state.vehicles[0 … state.count - 1] …
//     kerb_scene_soak_end(&state);
#ifndef KERB_SCENE_TOWN_SOAK_RUN_H
#define KERB_SCENE_TOWN_SOAK_RUN_H

#include "scene/course/judge.h"
#include "scene/timing/call_times.h"
#include "scene/town/soak.h"

/// A path of the town, in memory of its own.
typedef struct soak_route {
    int32_t lanes[TOWN_ROUTE_LANES];
    double starts[TOWN_ROUTE_LANES]; ///< of each lane, along the path [m]
    int32_t count;
    kerb_path path;
} soak_route;

/// A vehicle that makes no progress while it waits for others, until it goes on.
typedef struct soak_wait {
    bool open;
    bool counts;        ///< it has lasted too long for a wait: its events are stuck events
    int32_t events;     ///< of the judge, until then
    double time;        ///< since it opened [s]
    double idle;        ///< part of it at standstill for a reason that is no wait [s]
    kerb_reason reason; ///< for which it opened
    double waited;      ///< time in which it waited for others, since it last made progress [s]
    kerb_reason last;   ///< that its driver gave for the latest of these waits
} soak_wait;

typedef struct soak_vehicle {
    int32_t model;
    kerb_sim_vehicle sim;
    kerb_sim_body body; ///< of the last step
    kerb_follower follower;
    kerb_motion motion; ///< of the last frame
    kerb_controls controls;
    bool disobeys;               ///< kerb_scene_soak.disobedient_percent
    const kerb_controls* player; ///< who drives in place of the follower; NULL: nobody
    bool player_drove;           ///< in the frame before
    kerb_scene_judge judge;
    soak_wait wait;
    double standing; ///< for so long it has been slower than 0.5 m/s [s]
    soak_route routes[2];
    int32_t route; ///< which of the two is driven
    kerb_random random;
    float touch_since; ///< it last touched a solid, so long ago [s]
    bool touching;
} soak_vehicle;

typedef struct town_pair {
    int32_t a, b;
} town_pair;

/// Everything that exists while a trial runs. Read it freely; change `player` of vehicles and the
/// settings of their followers.
typedef struct kerb_scene_soak_state {
    const kerb_scene_soak* soak; ///< must outlive it
    int32_t count;
    double time; ///< [s]
    soak_result* result;
    kerb_scene_call_times drives;
    kerb_intent* intents; ///< of all vehicles, of the last frame
    soak_vehicle* vehicles;
    float* apart;               ///< for each pair, since it last touched [s]
    kerb_neighbour* neighbours; ///< of all vehicles, by index
    kerb_neighbour* near;       ///< of one
    town_pair* pairs;           ///< that may touch in this frame
    int32_t pair_count;
    kerb_scene_frame* frames;
    const kerb_path** paths;
    kerb_waypoint* waypoints; ///< of the route that is being made
    unsigned char* path_memory;
    kerb_allocator allocators[2];
    void* memory[2];
    size_t bytes[2];
} kerb_scene_soak_state;

/// All vehicles at their starts. What lasts from frame to frame is allocated by `host`; paths,
/// which kerb_scene_soak_lay_paths can make again, and what lives for a frame by `scratch`. Errors
/// as kerb_scene_soak_run; then it is zeroed.
kerb_result kerb_scene_soak_begin(kerb_scene_soak_state* state, const kerb_scene_soak* soak,
                                  soak_result* result, const kerb_host* host,
                                  const kerb_host* scratch, kerb_error* error);

/// One drive call of every vehicle, and the physics up to the next.
kerb_result kerb_scene_soak_frame(kerb_scene_soak_state* state, kerb_error* error);

/// Makes all paths again from the lanes of their routes, after `host`'s memory was copied back.
void kerb_scene_soak_lay_paths(kerb_scene_soak_state* state);

/// Gives a vehicle a new route from the lane that is nearest to it and leads its way, as after a
/// player has driven it elsewhere.
kerb_result kerb_scene_soak_reroute(kerb_scene_soak_state* state, int32_t vehicle,
                                    kerb_error* error);

/// Puts a vehicle elsewhere, at rest, with a new route from there.
kerb_result kerb_scene_soak_put(kerb_scene_soak_state* state, int32_t vehicle, kerb_vec3 position,
                                float heading, kerb_error* error);

/// The path that a vehicle drives.
const kerb_path* kerb_scene_soak_path(const kerb_scene_soak_state* state, int32_t vehicle);

/// Gives all memory back, and zeroes it.
void kerb_scene_soak_end(kerb_scene_soak_state* state);

#endif
