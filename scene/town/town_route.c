// Purpose: routes through the town: shortest paths over the lane graph, and the waypoints along
//          them.
// Idea:    Dijkstra's method without a heap, which is as fast for a hundred lanes.
// Cost:    O(lanes²) a route.
// Source:  Dijkstra, "A note on two problems in connexion with graphs" (1959).
#include "scene/town/town.h"

#define FAR 1.0e9f

typedef struct town_route_search {
    const kerb_scene_town* town;
    float cost[TOWN_LANES];  // to the end of the lane
    float taste[TOWN_LANES]; // metres felt per metre of the lane [1 … 2]
    int32_t before[TOWN_LANES];
    bool done[TOWN_LANES];
} town_route_search;

static town_route_search search_make(const kerb_scene_town* town, kerb_random* random) {
    town_route_search s = {.town = town};
    for (int32_t i = 0; i < town->lane_count; i++) {
        s.cost[i] = FAR;
        s.before[i] = -1;
        s.taste[i] = random != NULL ? kerb_random_between(random, 1.0f, 2.0f) : 1.0f;
    }
    return s;
}

static int32_t cheapest(const town_route_search* s) {
    int32_t best = -1;
    for (int32_t i = 0; i < s->town->lane_count; i++) {
        if (!s->done[i] && s->cost[i] < FAR && (best < 0 || s->cost[i] < s->cost[best]))
            best = i;
    }
    return best;
}

static void go_on_from(town_route_search* s, int32_t lane) {
    const town_lane* here = &s->town->lanes[lane];
    s->done[lane] = true;
    for (int32_t i = here->first_link; i < here->first_link + here->link_count; i++) {
        const town_link* link = &s->town->links[i];
        float cost =
            s->cost[lane] + link->length + s->town->lanes[link->to].length * s->taste[link->to];
        if (cost >= s->cost[link->to])
            continue;
        s->cost[link->to] = cost;
        s->before[link->to] = lane;
    }
}

int32_t kerb_scene_town_route(const kerb_scene_town* town, int32_t from, int32_t to,
                              kerb_random* random, int32_t* lanes, int32_t most) {
    town_route_search s = search_make(town, random);
    s.cost[from] = 0.0f;
    for (int32_t lane = from; lane >= 0 && lane != to; lane = cheapest(&s))
        go_on_from(&s, lane);
    if (s.before[to] < 0)
        return 0;
    int32_t count = 1;
    for (int32_t lane = to; lane != from; lane = s.before[lane])
        count++;
    if (count > most)
        return 0;
    int32_t lane = to;
    for (int32_t i = count - 1; i >= 0; i--) {
        lanes[i] = lane;
        lane = s.before[lane];
    }
    return count;
}

typedef struct writer {
    const kerb_scene_town* town;
    kerb_waypoint* out;
    int32_t count, most;
} writer;

static void write_points(writer* w, int32_t first, int32_t count) {
    for (int32_t i = first; i < first + count; i++) {
        if (w->count < w->most)
            w->out[w->count] = w->town->points[i];
        w->count++;
    }
}

int32_t kerb_scene_town_waypoints(const kerb_scene_town* town, const int32_t* lanes, int32_t count,
                                  kerb_waypoint* waypoints, int32_t most) {
    writer w = {town, waypoints, 0, most};
    for (int32_t i = 0; i < count; i++) {
        const town_lane* lane = &town->lanes[lanes[i]];
        write_points(&w, lane->first, lane->count);
        int32_t link = i + 1 < count ? kerb_scene_town_link(town, lanes[i], lanes[i + 1]) : -1;
        if (link >= 0)
            write_points(&w, town->links[link].first, town->links[link].count);
    }
    return w.count;
}
