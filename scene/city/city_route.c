// Purpose: routes from edge to edge of a network.
// Idea:    Lanes are those of the plan, with the time at their limits; turns are links with the
//          time of their length. A way over lanes is written as the edges that it passes.
// Cost:    That of kerb_route_find.
#include "kerb/math.h"
#include "scene/city/city_run.h"

#include <string.h>

#define TURN_SPEED 7.0f // of turns that give no limit [m/s]

static float plan_line_length(const kerb_network_plan* plan, int32_t first, int32_t count) {
    float length = 0.0f;
    for (int32_t i = first; i + 1 < first + count; i++)
        length += kerb_vec3_length(kerb_vec3_sub(plan->points[i + 1], plan->points[i]));
    return length;
}

static uint32_t milliseconds(float length, float speed) {
    float time = 1000.0f * length / speed;
    return time < (float)KERB_ROUTE_TIME_MAX ? (uint32_t)time : KERB_ROUTE_TIME_MAX;
}

static void list_lanes(const kerb_scene_router* router, kerb_route_lane* lanes) {
    const kerb_network_plan* plan = router->plan;
    for (int32_t i = 0; i < plan->lane_count; i++) {
        const kerb_network_lane* lane = &plan->lanes[i];
        lanes[i] = kerb_route_lane_at(milliseconds(
            plan_line_length(plan, lane->first_point, lane->point_count), lane->speed_limit));
        lanes[i].classes = lane->classes;
    }
    for (int32_t i = 0; i < plan->edge_count; i++)
        for (int32_t k = 0; k < plan->edges[i].lane_count; k++) {
            int32_t lane = plan->edges[i].first_lane + k;
            router->edge_of[lane] = i;
            // Which side is which does not matter for the time.
            lanes[lane].right = k > 0 ? lane - 1 : -1;
            lanes[lane].left = k + 1 < plan->edges[i].lane_count ? lane + 1 : -1;
        }
}

static void list_links(const kerb_network_plan* plan, kerb_route_link* links) {
    for (int32_t i = 0; i < plan->turn_count; i++) {
        const kerb_network_turn* turn = &plan->turns[i];
        float length = turn->point_count > 0
                           ? plan_line_length(plan, turn->first_point, turn->point_count)
                           : 15.0f;
        float speed = turn->speed_limit > 0.0f ? turn->speed_limit : TURN_SPEED;
        links[i] = (kerb_route_link){turn->from, turn->to, milliseconds(length, speed)};
    }
}

static void* router_allocate(const kerb_scene_router* router, size_t bytes) {
    const kerb_allocator* a = &router->allocator;
    void* memory = a->allocate(a->context, bytes, 16);
    return memory != NULL ? memset(memory, 0, bytes) : NULL;
}

static void router_release(const kerb_scene_router* router, void* memory, size_t bytes) {
    if (memory != NULL)
        router->allocator.release(router->allocator.context, memory, bytes);
}

static size_t way_bytes(const kerb_scene_router* router) {
    return (size_t)router->capacity * sizeof *router->way;
}

static kerb_result make_routes(kerb_scene_router* router, kerb_route_lane* lanes,
                               kerb_route_link* links, const kerb_host* host, kerb_error* error) {
    const kerb_network_plan* plan = router->plan;
    kerb_result result = KERB_ERROR_OUT_OF_MEMORY;
    if (lanes && links && router->edge_of && router->way) {
        list_lanes(router, lanes);
        list_links(plan, links);
        kerb_route_graph graph = {lanes, plan->lane_count, links, plan->turn_count,
                                  KERB_SCENE_ROUTER_CHANGE};
        result = kerb_routes_create(&router->routes, &graph, host, error);
        if (result == KERB_OK)
            result = kerb_route_work_create(&router->work, &router->routes, host);
    }
    if (result == KERB_ERROR_OUT_OF_MEMORY)
        return kerb_error_set(error, result, "", 0, -1, "no memory for routes");
    return result;
}

kerb_result kerb_scene_router_make(kerb_scene_router* router, const kerb_network_plan* plan,
                                   const kerb_host* host, kerb_error* error) {
    memset(router, 0, sizeof *router);
    router->plan = plan;
    router->capacity = plan->lane_count + 1;
    router->allocator = host->allocator;
    router->edge_of = router_allocate(router, way_bytes(router));
    router->way = router_allocate(router, way_bytes(router));
    size_t lane_bytes = ((size_t)plan->lane_count + 1) * sizeof(kerb_route_lane);
    size_t link_bytes = ((size_t)plan->turn_count + 1) * sizeof(kerb_route_link);
    kerb_route_lane* lanes = router_allocate(router, lane_bytes);
    kerb_route_link* links = router_allocate(router, link_bytes);
    kerb_result result = make_routes(router, lanes, links, host, error);
    router_release(router, links, link_bytes);
    router_release(router, lanes, lane_bytes);
    if (result != KERB_OK)
        kerb_scene_router_free(router);
    return result;
}

void kerb_scene_router_free(kerb_scene_router* router) {
    kerb_route_work_destroy(&router->work);
    kerb_routes_destroy(&router->routes);
    router_release(router, router->edge_of, way_bytes(router));
    router_release(router, router->way, way_bytes(router));
    memset(router, 0, sizeof *router);
}

// A lane of an edge that a class may use, or -1.
static int32_t usable_lane(const kerb_network_plan* plan, int32_t edge, uint32_t classes) {
    for (int32_t i = 0; i < plan->edges[edge].lane_count; i++)
        if (plan->lanes[plan->edges[edge].first_lane + i].classes & classes)
            return plan->edges[edge].first_lane + i;
    return -1;
}

int32_t kerb_scene_router_find(kerb_scene_router* router, int32_t from, int32_t to,
                               uint32_t classes, int32_t* edges, int32_t capacity) {
    int32_t first = usable_lane(router->plan, from, classes), count = 0;
    int32_t last = usable_lane(router->plan, to, classes);
    if (first < 0 || last < 0)
        return 0;
    kerb_route_question question = kerb_route_question_between(first, last);
    question.classes = classes;
    kerb_route_answer answer =
        kerb_route_find(&router->routes, &router->work, &question, router->way, router->capacity);
    if (answer.outcome != KERB_ROUTE_FOUND)
        return 0;
    for (int32_t i = 0; i < answer.count; i++) {
        int32_t edge = router->edge_of[router->way[i]];
        if (count > 0 && edges[count - 1] == edge)
            continue;
        if (count == capacity)
            return 0;
        edges[count++] = edge;
    }
    return count;
}
