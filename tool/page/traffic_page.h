// The page that replays city traffic from above: vehicles with the reason why they are not faster,
// the turns that they have claimed, and what the signals show.
//
//     tool_traffic_film film = tool_traffic_film_make(every);
//     after each step: tool_traffic_film_add(&film, &run);
//     tool_traffic_page_write("city.html", &film, &load, &run);
//     tool_traffic_film_free(&film);
#ifndef KERB_TOOL_PAGE_TRAFFIC_PAGE_H
#define KERB_TOOL_PAGE_TRAFFIC_PAGE_H

#include "tool/run/traffic_load.h"

/// At most so many vehicles in all samples together, after which the film ends: 9 MB of page.
#define TOOL_TRAFFIC_FILM_MOST 400000

/// A vehicle in a sample.
typedef struct tool_traffic_shot {
    int32_t vehicle;
    float x, y, heading, speed;
    uint8_t wait, type, claims;
    int32_t turn; ///< next one, or -1
} tool_traffic_shot;

typedef struct tool_traffic_film {
    double every, next; ///< [s] 0: keeps nothing
    tool_traffic_shot* shots;
    int32_t* firsts; ///< of each sample
    char* letters;   ///< of the turns with a signal, sample after sample
    int32_t* signal_turns;
    int32_t signal_count;
    int32_t shot_count, shot_room, count, room;
    bool out_of_memory;
} tool_traffic_film;

tool_traffic_film tool_traffic_film_make(double every);
void tool_traffic_film_add(tool_traffic_film* film, const kerb_scene_city_run* run);
void tool_traffic_film_free(tool_traffic_film* film);

/// Writes the page, whole or not at all; complains when it cannot.
tool_status tool_traffic_page_write(const char* path, const tool_traffic_film* film,
                                    const tool_traffic_load* load, const kerb_scene_city_run* run);

#endif
