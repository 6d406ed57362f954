// Purpose: a run of city traffic: trips that are due, roads that close, the observer.
// Idea:    A demand is handed over trip by trip when it is due, so that waiting outside is counted
//          by the traffic. Random trips keep the number of vehicles: each arrival departs anew.
// Cost:    O(vehicles) for each step.
#include "scene/city/city_run.h"

#include "kerb/math.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS = 256, TRIES = 20 };

// --------------------------------------------------------------------------- random trips

static bool leads_on(const kerb_network_plan* plan, int32_t edge) {
    int32_t first = plan->edges[edge].first_lane;
    for (int32_t i = 0; i < plan->turn_count; i++)
        if (plan->turns[i].from >= first &&
            plan->turns[i].from < first + plan->edges[edge].lane_count)
            return true;
    return false;
}

// A way between two edges at random.
static int32_t random_way(kerb_scene_city_run* run, uint32_t classes, int32_t* edges) {
    const kerb_network_plan* plan = run->plan;
    for (int32_t i = 0; i < TRIES; i++) {
        int32_t from = kerb_random_below(&run->random, plan->edge_count);
        int32_t to = kerb_random_below(&run->random, plan->edge_count);
        if (from == to || !leads_on(plan, from))
            continue;
        int32_t count = kerb_scene_router_find(&run->router, from, to, classes, edges,
                                               KERB_SCENE_CITY_ROUTE_MAX / 2);
        if (count >= 2)
            return count;
    }
    return 0;
}

static bool add_random(kerb_scene_city_run* run) {
    int32_t edges[KERB_SCENE_CITY_ROUTE_MAX];
    int32_t type = kerb_random_below(&run->random, run->set_up.type_count);
    int32_t count = random_way(run, (uint32_t)run->set_up.types[type].classes, edges);
    if (count == 0)
        return false;
    kerb_traffic_trip trip = kerb_traffic_trip_along(type, edges, count);
    trip.depart = (float)run->time;
    trip.user = (uint64_t)run->next_trip++;
    return kerb_traffic_add(&run->traffic, &trip) >= 0;
}

// --------------------------------------------------------------------------- trips of a demand

static void hand_over(kerb_scene_city_run* run) {
    while (run->next_trip < run->set_up.trip_count &&
           run->set_up.trips[run->next_trip].depart <= run->time) {
        const kerb_scene_city_trip* from = &run->set_up.trips[run->next_trip];
        kerb_traffic_trip trip = kerb_traffic_trip_along(from->type, from->edges, from->edge_count);
        trip.lane = from->lane;
        trip.station = from->station;
        trip.speed = from->speed;
        trip.arrival = from->arrival;
        trip.depart = (float)from->depart;
        trip.user = (uint64_t)run->next_trip;
        int32_t vehicle = kerb_traffic_add(&run->traffic, &trip);
        if (vehicle < 0)
            return;
        if (from->stop_count > 0)
            kerb_traffic_set_stop(&run->traffic, vehicle, &from->stops[0]);
        run->next_trip++;
    }
}

int32_t kerb_scene_city_run_outside(const kerb_scene_city_run* run) {
    int32_t due = 0;
    for (int32_t i = run->next_trip;
         i < run->set_up.trip_count && run->set_up.trips[i].depart <= run->time; i++)
        due++;
    return due + kerb_traffic_counts_of(&run->traffic).outside;
}

// --------------------------------------------------------------------------- roads that close

static void set_closed(kerb_scene_city_run* run, int32_t edge, bool closed) {
    const kerb_network_edge* e = &run->plan->edges[edge];
    for (int32_t i = e->first_lane; i < e->first_lane + e->lane_count; i++)
        kerb_network_set_classes(&run->network, i, closed ? 0u : run->plan->lanes[i].classes);
}

static void open_and_close(kerb_scene_city_run* run) {
    for (int32_t i = 0; i < run->set_up.block_count; i++) {
        const kerb_scene_city_block* block = &run->set_up.blocks[i];
        bool closed = run->time >= block->from && run->time < block->until;
        if (closed != run->closed[i])
            set_closed(run, block->edge, closed);
        run->closed[i] = closed;
    }
}

// --------------------------------------------------------------------------- a step

void kerb_scene_city_run_prepare(kerb_scene_city_run* run) {
    open_and_close(run);
    if (run->set_up.trips) {
        hand_over(run);
        return;
    }
    kerb_traffic_counts counts = kerb_traffic_counts_of(&run->traffic);
    for (int32_t i = counts.vehicles + counts.outside; i < run->set_up.vehicles; i++)
        if (!add_random(run))
            return;
}

void kerb_scene_city_run_move(kerb_scene_city_run* run, const kerb_tasks* tasks) {
    kerb_traffic_step(&run->traffic, &run->network, run->set_up.dt, tasks);
}

static void take_event(kerb_scene_city_run* run, const kerb_traffic_event* event) {
    if (event->what == KERB_TRAFFIC_ARRIVED) {
        run->sums.arrived++;
        run->sums.time_loss += (double)event->time_loss;
        run->sums.depart_delay += (double)event->depart_delay;
        run->sums.duration += (double)event->duration;
        run->sums.distance += (double)event->distance;
        run->sums.waiting += (double)event->waiting;
    }
    if (run->on_event)
        run->on_event(run->context, event);
}

void kerb_scene_city_run_look(kerb_scene_city_run* run) {
    kerb_traffic_event events[EVENTS];
    run->time += (double)run->set_up.dt;
    for (int32_t count = EVENTS; count == EVENTS;) {
        count = kerb_traffic_take_events(&run->traffic, events, EVENTS);
        for (int32_t i = 0; i < count; i++)
            take_event(run, &events[i]);
    }
    if (run->watch)
        kerb_scene_watch_step(run->watch, &run->network, &run->traffic, run->set_up.types,
                              run->set_up.dt);
}

void kerb_scene_city_run_step(kerb_scene_city_run* run) {
    kerb_scene_city_run_prepare(run);
    kerb_scene_city_run_move(run, NULL);
    kerb_scene_city_run_look(run);
}

// --------------------------------------------------------------------------- made and freed

static kerb_result make_traffic(kerb_scene_city_run* run, const kerb_host* host,
                                kerb_error* error) {
    kerb_traffic_settings settings;
    kerb_settings_set_defaults(&kerb_traffic_settings_table, &settings);
    int32_t most = run->set_up.trips ? run->set_up.trip_count : run->set_up.vehicles;
    settings.vehicles_max = most > 0 ? most : 1;
    settings.seed = (int32_t)(run->set_up.seed & 0x7fffffffu);
    run->vehicles_max = settings.vehicles_max;
    kerb_result result = kerb_traffic_create(&run->traffic, &run->network, &settings, host, error);
    for (int32_t i = 0; result == KERB_OK && i < run->set_up.type_count; i++)
        kerb_traffic_add_type(&run->traffic, &run->set_up.types[i]);
    return result;
}

static size_t closed_bytes(const kerb_scene_city_run* run) {
    return ((size_t)run->set_up.block_count + 1) * sizeof *run->closed;
}

kerb_result kerb_scene_city_run_make(kerb_scene_city_run* run, const kerb_network_plan* plan,
                                     const kerb_scene_city_set_up* set_up, const kerb_host* host,
                                     kerb_error* error) {
    memset(run, 0, sizeof *run);
    run->set_up = *set_up;
    run->plan = plan;
    run->random = kerb_random_make(set_up->seed, 34);
    kerb_result result = kerb_network_create(&run->network, plan, host, error);
    if (result == KERB_OK)
        result = kerb_scene_router_make(&run->router, plan, host, error);
    if (result == KERB_OK)
        result = make_traffic(run, host, error);
    run->allocator = host->allocator;
    run->closed = host->allocator.allocate(host->allocator.context, closed_bytes(run), 16);
    if (run->closed)
        memset(run->closed, 0, closed_bytes(run));
    if (result == KERB_OK && set_up->watched)
        run->watch = kerb_scene_watch_make(run->vehicles_max);
    if (result == KERB_OK && (!run->closed || (set_up->watched && !run->watch)))
        result = kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory for a run");
    if (result != KERB_OK)
        kerb_scene_city_run_free(run);
    return result;
}

void kerb_scene_city_run_free(kerb_scene_city_run* run) {
    kerb_scene_watch_free(run->watch);
    kerb_traffic_destroy(&run->traffic);
    kerb_scene_router_free(&run->router);
    kerb_network_destroy(&run->network);
    if (run->closed)
        run->allocator.release(run->allocator.context, run->closed, closed_bytes(run));
    memset(run, 0, sizeof *run);
}
