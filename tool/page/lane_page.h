// The page that replays cars on a road, with the rays that each of them asked for, what they met,
// and the result in its keeper.
//
//     tool_lane_film film = tool_lane_film_make(drivers);
//     after every frame: tool_lane_film_next(&film, time), and for each driver
//         tool_lane_film_add(&film, &shot);
//     tool_lane_page_write("drive.html", &film, &road, …);
//     tool_lane_film_free(&film);
#ifndef KERB_TOOL_PAGE_LANE_PAGE_H
#define KERB_TOOL_PAGE_LANE_PAGE_H

#include "scene/lane/lane_drive.h"
#include "tool/command/message.h"

/// Samples a second; between them the page draws cubics by speed and heading.
#define TOOL_LANE_FILM_RATE 10
/// At most so many samples of all drivers together, after which the film ends: about 5 MB of page.
#define TOOL_LANE_FILM_SAMPLES_MOST 50000

/// One driver at one time, as a scene shows it.
typedef struct tool_lane_shot {
    const kerb_lane_keeper* keeper;
    const kerb_sim_vehicle* vehicle;
    const kerb_lane_ray* rays;
    const kerb_lane_hit* hits;
    int32_t ray_count;
    float error; ///< farther from its edge than its keeper is set to, positive [m]
    bool oncoming, touching;
    bool judged; ///< it keeps a lane now: the error counts
    bool moved;  ///< it was put where it is: no way leads there
} tool_lane_shot;

/// What is kept of a shot.
typedef struct tool_lane_film_sample {
    float x, y, heading, speed, target_speed, target_x, target_y, steering, pedals, error;
    float edge_wanted, edge_held; ///< distance from its edge [m]
    float gap;                    ///< to the vehicle ahead, -1: none [m]
    float ray_x[KERB_LANE_RAYS_MAX], ray_y[KERB_LANE_RAYS_MAX], hit_x[KERB_LANE_RAYS_MAX],
        hit_y[KERB_LANE_RAYS_MAX];
    uint8_t what[KERB_LANE_RAYS_MAX];
    uint8_t rays, reason;
    bool oncoming, touching, moved;
} tool_lane_film_sample;

/// Of one driver, over every frame, kept or not: as the report of the command counts.
typedef struct tool_lane_film_sums {
    double error;   ///< over frames that are judged [m]
    double most;    ///< [m]
    int64_t judged; ///< frames
    bool moved;     ///< since the last sample
} tool_lane_film_sums;

/// What was seen. Zeroed: nothing, and nothing is kept.
typedef struct tool_lane_film {
    int32_t drivers; ///< 0: keeps nothing
    int32_t count;   ///< samples of each driver
    int32_t room;
    double begin, until; ///< of the first sample, of the next one [s]
    bool takes;          ///< this frame is kept
    bool out_of_memory;
    tool_lane_film_sample* samples; ///< time after time, driver after driver
    tool_lane_film_sums* sums;      ///< by driver
} tool_lane_film;

tool_lane_film tool_lane_film_make(int32_t drivers);

/// A new frame, in order of time.
void tool_lane_film_next(tool_lane_film* film, double time);

/// What a driver does in it.
void tool_lane_film_add(tool_lane_film* film, int32_t driver, const tool_lane_shot* shot);

void tool_lane_film_free(tool_lane_film* film);

/// Who drives, for the page.
typedef struct tool_lane_page {
    const char* title; ///< "kerb lane"
    const char* track;
    const char* about;
    const char* vehicle_name;
    bool has_player; ///< the first one is the player
    const kerb_vehicle* vehicle;
    const kerb_path* road;
    const kerb_scene_lane_box* standing; ///< boxes that stand in the road
    int32_t standing_count;
    const tool_lane_film* film;
} tool_lane_page;

/// Writes the page, whole or not at all; complains when it cannot.
tool_status tool_lane_page_write(const char* path, const tool_lane_page* page);

#endif
