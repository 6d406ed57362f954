// Runs the scene and reports what was measured.
#include "tool/run/lane_player.h"
#include "tool/report/json_report.h"

#include "tool/page/lane_page.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#define ROAD_LEAST 900.0 // for a company: what is seen ahead and behind, and some more [m]

tool_status tool_lane_player_check(const tool_lane_player* wish) {
    const kerb_path* path = &wish->plan.road->path;
    float width = kerb_scene_lane_road_width(wish->plan.road);
    float lane = wish->plan.company.lane_width;
    if (path->length < ROAD_LEAST)
        return tool_complain("%s: %.0f m long; a road full of bots needs %.0f m", wish->track,
                             path->length, ROAD_LEAST);
    if (lane < wish->plan.model->vehicle.width + 2.0f * wish->plan.settings.margin)
        return tool_complain("%s: too narrow, %.1f m where it is narrowest", wish->track,
                             (double)width);
    return TOOL_DONE;
}

static void lane_player_print_table(const tool_lane_player* wish,
                                    const kerb_scene_lane_player_result* r) {
    const kerb_scene_lane_player_plan* p = &wish->plan;
    printf("%s, %.0f m: %d bots of %s round a player, %d %s with it and %d against it\n\n",
           wish->track, p->road->path.length, (int)p->bots, wish->vehicle, (int)p->company.lanes,
           p->company.lanes == 1 ? "lane" : "lanes", (int)p->company.oncoming_lanes);
    printf("%-20s %.0f m in %.1f s, %.1f m/s, %.1f m/s at most%s\n", "player", r->driven, r->time,
           r->speed_mean, r->speed_max, r->finished ? "" : "; the road ended");
    printf("%-20s %.1f, 10 or more in %.1f %% of the time\n", "bots within 100 m", r->near_mean,
           100.0 * r->near_share);
    printf("%-20s %d by a bot (%d of them between bots), %d by the player, %d after those\n",
           "collisions", (int)r->collisions_by_bots, (int)r->collisions_between_bots,
           (int)r->collisions_by_player, (int)r->collisions_after);
    printf("%-20s %d of %d put down elsewhere\n", "appeared in view", (int)r->appeared_in_view,
           (int)r->moves);
    printf("%-20s %.1f %% of the time, %.1f s at most\n", "player held up",
           100.0 * r->held_up_share, r->held_up_longest);
    printf("%-20s %.3f m mean, %.3f m at most, %d over an edge\n", "off their lanes", r->error_mean,
           r->error_max, (int)r->edge_touches);
    printf("%-20s %.2f per bot and frame\n", "rays", r->rays);
    printf("%-20s %.0f ns per call; the company %.0f ns for all\n", "driving", r->drive_ns,
           r->company_ns);
}

static bool lane_player_add(cJSON* root, const char* key, double value) {
    return cJSON_AddNumberToObject(root, key, value) != NULL;
}

static bool lane_player_add_result(cJSON* root, const tool_lane_player* wish,
                                   const kerb_scene_lane_player_result* r) {
    return cJSON_AddStringToObject(root, "track", wish->track) &&
           cJSON_AddStringToObject(root, "vehicle", wish->vehicle) &&
           cJSON_AddStringToObject(root, "scenario", "player") &&
           lane_player_add(root, "cars", wish->plan.bots) &&
           lane_player_add(root, "lanes", wish->plan.company.lanes) &&
           lane_player_add(root, "oncoming_lanes", wish->plan.company.oncoming_lanes) &&
           cJSON_AddBoolToObject(root, "finished", r->finished) &&
           lane_player_add(root, "time_s", r->time) &&
           lane_player_add(root, "distance_m", r->driven) &&
           lane_player_add(root, "speed_mean_mps", r->speed_mean) &&
           lane_player_add(root, "speed_max_mps", r->speed_max) &&
           lane_player_add(root, "bots_near_share", r->near_share) &&
           lane_player_add(root, "bots_near", r->near_mean) &&
           lane_player_add(root, "collisions",
                           r->collisions_by_bots + r->collisions_by_player + r->collisions_after) &&
           lane_player_add(root, "collisions_by_bots", r->collisions_by_bots) &&
           lane_player_add(root, "collisions_between_bots", r->collisions_between_bots) &&
           lane_player_add(root, "collisions_by_player", r->collisions_by_player) &&
           lane_player_add(root, "collisions_after", r->collisions_after) &&
           lane_player_add(root, "crashes_cleared", r->cleared) &&
           lane_player_add(root, "edge_touches", r->edge_touches) &&
           lane_player_add(root, "appeared_in_view", r->appeared_in_view) &&
           lane_player_add(root, "moves", r->moves) &&
           lane_player_add(root, "lane_changes", r->lane_changes) &&
           lane_player_add(root, "held_up_share", r->held_up_share) &&
           lane_player_add(root, "held_up_longest_s", r->held_up_longest) &&
           lane_player_add(root, "player_put_back", r->put_back) &&
           lane_player_add(root, "lateral_error_mean_m", r->error_mean) &&
           lane_player_add(root, "lateral_error_max_m", r->error_max) &&
           cJSON_AddNullToObject(root, "change_time_s") &&
           lane_player_add(root, "rays_per_frame", r->rays) &&
           lane_player_add(root, "drive_ns", r->drive_ns) &&
           lane_player_add(root, "company_ns", r->company_ns);
}

static bool lane_player_print_json(const tool_lane_player* wish,
                                   const kerb_scene_lane_player_result* result) {
    cJSON* root = tool_json_begin("lane", (int64_t)wish->plan.seed);
    return tool_json_end(root, lane_player_add_result(root, wish, result), stdout);
}

static void lane_player_watch(void* context, double time, const kerb_scene_lane_driver* drivers,
                              int32_t count, kerb_scene_lane_mood mood) {
    (void)mood;
    tool_lane_film* film = context;
    tool_lane_film_next(film, time);
    for (int32_t i = 0; i < count; i++) {
        const kerb_scene_lane_driver* d = &drivers[i];
        const tool_lane_shot shot = {.keeper = &d->keeper,
                                     .vehicle = &d->vehicle,
                                     .rays = d->rays,
                                     .hits = d->hits,
                                     .ray_count = d->ray_count,
                                     .error = d->edge_distance - d->keeper.settings.edge_distance,
                                     .oncoming = d->oncoming,
                                     .touching = d->touching,
                                     .judged = d->judged,
                                     .moved = d->moved};
        tool_lane_film_add(film, i, &shot);
    }
}

static tool_status lane_player_write_page(const tool_lane_player* wish,
                                          const tool_lane_film* film) {
    char about[160];
    snprintf(about, sizeof about, "%d bots round a player: %d %s with it, %d against it",
             (int)wish->plan.bots, (int)wish->plan.company.lanes,
             wish->plan.company.lanes == 1 ? "lane" : "lanes",
             (int)wish->plan.company.oncoming_lanes);
    const tool_lane_page page = {.title = "kerb lane",
                                 .track = wish->track,
                                 .about = about,
                                 .vehicle_name = wish->vehicle,
                                 .has_player = true,
                                 .vehicle = &wish->plan.model->vehicle,
                                 .road = &wish->plan.road->path,
                                 .film = film};
    return tool_lane_page_write(wish->html, &page);
}

static tool_status lane_player_run(const tool_lane_player* wish, const kerb_host* host,
                                   kerb_scene_lane_player_result* result) {
    kerb_error error = {.index = -1};
    kerb_scene_lane_player_plan plan = wish->plan;
    tool_lane_film film;
    memset(&film, 0, sizeof film);
    if (wish->html) {
        film = tool_lane_film_make(plan.bots + 1);
        plan.watch = lane_player_watch;
        plan.context = &film;
    }
    tool_status status = TOOL_DONE;
    if (kerb_scene_lane_player_run(&plan, host, result, &error) != KERB_OK)
        status = tool_complain_error("lane", &error);
    else if (wish->html)
        status = lane_player_write_page(wish, &film);
    tool_lane_film_free(&film);
    return status;
}

tool_status tool_lane_player_run(const tool_lane_player* wish, const kerb_host* host) {
    kerb_scene_lane_player_result result;
    tool_status status = lane_player_run(wish, host, &result);
    if (status != TOOL_DONE)
        return status;
    if (wish->outputs->json && !lane_player_print_json(wish, &result))
        return tool_complain("lane: no memory for the report");
    if (!wish->outputs->json && !wish->outputs->quiet)
        lane_player_print_table(wish, &result);
    return result.finished ? TOOL_DONE : TOOL_FAILED;
}
