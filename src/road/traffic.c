// Purpose: traffic: its block of memory, its steps, and questions to it.
// Idea:    A step decides for all vehicles from the last state, grants claims, moves all vehicles,
//          and then takes those that passed an end to their next segment. Deciding and moving are
//          shared out to the host's tasks; the rest is done in the order of the vehicles' numbers.
// Cost:    O(vehicles + signals + edges) a step.
#include "traffic_parts.h"

#include <string.h>

// --------------------------------------------------------------------------- memory

static size_t place_items(size_t* bytes, int32_t count, size_t size) {
    size_t at = *bytes;
    *bytes = kerb_in_round_up(at + (size_t)count * size, 64);
    return at;
}

// Segments that a body can be in the way of: the turns of a large junction.
enum { MARKS_FOR_A_BODY = 64 };

static size_t lay_out_traffic(traffic_block* h) {
    size_t bytes = 0;
    place_items(&bytes, 1, sizeof *h);
    h->cars = place_items(&bytes, h->car_max, sizeof(city_car));
    h->flags = place_items(&bytes, h->car_max, 1);
    h->wants = place_items(&bytes, h->car_max, sizeof(int32_t));
    h->chunks = place_items(&bytes, h->chunk_count, sizeof(route_chunk));
    h->lanes = place_items(&bytes, h->segment_count, sizeof(lane_state));
    h->junctions = place_items(&bytes, h->junction_count, sizeof(junction_state));
    h->signals = place_items(&bytes, h->signal_count, sizeof(signal_state));
    h->outside = place_items(&bytes, 2 * h->edge_count, sizeof(int32_t));
    h->events = place_items(&bytes, h->event_max, sizeof(kerb_traffic_event));
    h->bodies = place_items(&bytes, h->body_max, sizeof(kerb_traffic_body));
    h->marks = place_items(&bytes, h->mark_max, sizeof(body_mark));
    h->times = place_items(&bytes, h->lane_count, sizeof(uint32_t));
    h->knowledge = place_items(&bytes, h->known_max, sizeof(kerb_route_knowledge));
    h->owners = place_items(&bytes, h->known_max, sizeof(int32_t));
    return bytes;
}

static void empty_lists(city_view* t) {
    const traffic_block* h = t->head;
    for (int32_t i = 0; i < h->segment_count; i++)
        t->lanes[i] = (lane_state){.first = -1,
                                   .last = -1,
                                   .requester = -1,
                                   .starved = -1,
                                   .mark = -1,
                                   .overtaker = -1,
                                   .rescuer = -1};
    for (int32_t i = 0; i < h->junction_count; i++)
        t->junctions[i] = (junction_state){-1, -1, -1};
    for (int32_t i = 0; i < 2 * h->edge_count; i++)
        t->outside[i] = -1;
    for (int32_t i = 0; i < h->car_max; i++)
        t->cars[i] = (city_car){.segment = -1,
                                .overtaken = OVERTAKES_NOBODY,
                                .ahead = {i + 1 < h->car_max ? i + 1 : -1}};
    for (int32_t i = 0; i < h->known_max; i++)
        t->owners[i] = -1;
    for (int32_t i = 0; i < h->chunk_count; i++)
        t->chunks[i].next = i + 1 < h->chunk_count ? i + 1 : -1;
}

// Where the programme of each signal is at time 0.
static void start_signals(city_view* t) {
    for (int32_t i = 0; i < t->head->signal_count; i++) {
        const kerb_network_signal* s = &t->net.signals[i];
        float cycle = 0;
        for (int32_t k = 0; k < s->phase_count; k++)
            cycle += t->net.phases[s->first_phase + k].duration;
        float at = -s->offset - floorf(-s->offset / cycle) * cycle;
        int32_t phase = 0;
        while (phase + 1 < s->phase_count && at >= t->net.phases[s->first_phase + phase].duration)
            at -= t->net.phases[s->first_phase + phase++].duration;
        t->signals[i] = (signal_state){phase, -at};
    }
}

kerb_result kerb_in_traffic_allocate(kerb_traffic* traffic, const kerb_network* network,
                                     const traffic_block* like, const kerb_host* host,
                                     kerb_error* error) {
    traffic_block head = *like;
    kerb_network_size size = kerb_network_size_of(network);
    *traffic = (kerb_traffic){0};
    if (size.turns >= CLAIM_NONE)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "turns", 0, -1, "more than 16,777,214");
    head.segment_count = size.lanes + size.turns;
    head.lane_count = size.lanes;
    head.edge_count = size.edges;
    head.junction_count = size.junctions;
    head.signal_count = size.signals;
    head.timed = head.free_chunk = 0;
    size_t bytes = lay_out_traffic(&head);
    void* memory = host->allocator.allocate(host->allocator.context, bytes, 64);
    if (!memory)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1, "no memory for traffic");
    *traffic = (kerb_traffic){.memory = memory, .bytes = bytes, .allocator = host->allocator};
    net_view net = kerb_in_network_view(network->memory);
    kerb_result result = kerb_in_route_graph(&traffic->routes, &traffic->work, &net, host, error);
    if (result != KERB_OK) {
        kerb_traffic_destroy(traffic);
        return result;
    }
    memset(memory, 0, bytes);
    memcpy(memory, &head, sizeof head);
    city_view t = kerb_in_traffic_view(memory, network->memory);
    empty_lists(&t);
    start_signals(&t);
    return KERB_OK;
}

kerb_result kerb_traffic_create(kerb_traffic* traffic, const kerb_network* network,
                                const kerb_traffic_settings* settings, const kerb_host* host,
                                kerb_error* error) {
    *traffic = (kerb_traffic){0};
    kerb_result result = kerb_settings_validate(&kerb_traffic_settings_table, settings, error);
    if (result != KERB_OK)
        return result;
    traffic_block head = {
        .settings = *settings,
        .car_max = settings->vehicles_max,
        .event_max = settings->events_max,
        .known_max = settings->known_max,
        .body_max = settings->bodies_max,
        .mark_max = settings->bodies_max * MARKS_FOR_A_BODY,
        .random = kerb_random_make((uint64_t)settings->seed, 7),
    };
    head.chunk_count = settings->vehicles_max * (settings->route_edges_max / CHUNK_EDGES + 1);
    return kerb_in_traffic_allocate(traffic, network, &head, host, error);
}

void kerb_traffic_destroy(kerb_traffic* traffic) {
    if (traffic->memory)
        traffic->allocator.release(traffic->allocator.context, traffic->memory, traffic->bytes);
    kerb_route_work_destroy(&traffic->work);
    kerb_routes_destroy(&traffic->routes);
    *traffic = (kerb_traffic){0};
}

// --------------------------------------------------------------------------- adding

int32_t kerb_traffic_add_type(kerb_traffic* traffic, const kerb_traffic_type* type) {
    traffic_block* h = traffic->memory;
    KERB_ASSERT_SETTINGS(&kerb_traffic_type_table, type);
    KERB_ASSERT(type->trailer < type->length);
    if (h->type_count == KERB_TRAFFIC_TYPES_MAX)
        return -1;
    h->types[h->type_count] = *type;
    h->need_max = kerb_max(h->need_max, type->length + type->min_gap);
    h->width_max = kerb_max(h->width_max, type->width);
    h->rescue_types += type->priority > 0;
    return h->type_count++;
}

// About normal, from three uniform numbers; within 3 standard deviations.
static float driver_spread(kerb_random* random, float deviation) {
    float sum = kerb_random_unit(random) + kerb_random_unit(random) + kerb_random_unit(random);
    return 1 + deviation * (2 * sum - 3);
}

static void make_driver(traffic_block* h, city_car* c, const kerb_traffic_trip* trip) {
    const kerb_traffic_type* type = &h->types[trip->type];
    float spread = h->settings.spread;
    *c = (city_car){.segment = -1,
                    .next_turn = -1,
                    .shadow = -1,
                    .chunk = -1,
                    .goal = trip->lane,
                    .makes_way_for = -1,
                    .falls_behind = -1,
                    .overtaken = OVERTAKES_NOBODY,
                    .ahead = {-1},
                    .stage = KERB_TRAFFIC_OUTSIDE,
                    .type = (uint8_t)trip->type,
                    .length = type->length,
                    .need = type->length + type->min_gap,
                    .stop = {.lane = -1},
                    .user = trip->user,
                    .depart = kerb_max(trip->depart, (float)h->time),
                    .arrival = trip->arrival,
                    .s = trip->station,
                    .v = trip->speed};
    c->time_gap = type->time_gap * driver_spread(&h->random, spread);
    c->acceleration = type->acceleration * kerb_min(driver_spread(&h->random, spread), 1);
    c->speed_factor = type->speed_factor * driver_spread(&h->random, type->speed_spread);
    for (int32_t k = 0; k < CAR_CLAIMS; k++) {
        claim_set_turn(&c->claims[k], -1);
        claim_set_next(&c->claims[k], -1);
    }
}

int32_t kerb_traffic_add(kerb_traffic* traffic, const kerb_traffic_trip* trip) {
    city_view t = kerb_in_traffic_view(traffic->memory, NULL);
    int32_t index = t.head->free_car;
    KERB_ASSERT(trip->type >= 0 && trip->type < t.head->type_count && trip->edge_count >= 1);
    if (index < 0)
        return -1;
    city_car* c = &t.cars[index];
    int32_t next_free = c->ahead[0];
    make_driver(t.head, c, trip);
    if (!kerb_in_route_store(&t, c, trip->edges, trip->edge_count)) {
        *c = (city_car){.segment = -1, .ahead = {next_free}};
        return -1;
    }
    t.head->free_car = next_free;
    if (index >= t.head->car_count)
        t.head->car_count = index + 1;
    kerb_in_traffic_queue(&t, index);
    t.head->counts.outside++;
    t.head->swinging += car_swings(&t, c);
    return index;
}

void kerb_traffic_set_stop(kerb_traffic* traffic, int32_t vehicle, const kerb_traffic_stop* stop) {
    kerb_in_traffic_view(traffic->memory, NULL).cars[vehicle].stop = *stop;
}

void kerb_traffic_set_broken(kerb_traffic* traffic, int32_t vehicle, bool broken) {
    city_view t = kerb_in_traffic_view(traffic->memory, NULL);
    city_car* c = &t.cars[vehicle];
    t.head->broken += (broken ? 1 : 0) - c->broken;
    c->broken = broken;
    if (broken)
        car_stop_back(&t, c);
}

// --------------------------------------------------------------------------- steps

static void decide_task(int32_t begin, int32_t end, void* argument) {
    kerb_in_traffic_decide(argument, begin, end);
}

static void move_task(int32_t begin, int32_t end, void* argument) {
    kerb_in_traffic_move(argument, begin, end);
}

enum { TASK_VEHICLES_MIN = 256 }; // fewer cost less than starting a task

static void share_out(city_view* t, const kerb_tasks* tasks, kerb_task* task) {
    int32_t count = t->head->car_count;
    if (tasks && tasks->start && count > TASK_VEHICLES_MIN)
        tasks->finish(tasks->context,
                      tasks->start(tasks->context, task, t, count, TASK_VEHICLES_MIN));
    else
        task(0, count, t);
}

void kerb_traffic_step(kerb_traffic* traffic, const kerb_network* network, float dt,
                       const kerb_tasks* tasks) {
    city_view t = kerb_in_traffic_view(traffic->memory, network->memory);
    KERB_ASSERT(dt >= 0.01f && dt <= 1.0f);
    t.dt = dt;
    t.routes = &traffic->routes;
    t.work = &traffic->work;
    t.head->step++;
    kerb_in_route_times(&t);
    kerb_in_traffic_rescue(&t);
    kerb_in_traffic_signals(&t);
    share_out(&t, tasks, decide_task);
    kerb_in_traffic_claims(&t);
    share_out(&t, tasks, move_task);
    t.head->time = t.head->time + (double)dt;
    kerb_in_traffic_cross(&t);
    kerb_in_traffic_see(&t);
    kerb_in_traffic_depart(&t);
    t.head->counts.updates += t.head->counts.vehicles;
}

// --------------------------------------------------------------------------- questions

char kerb_traffic_signal(const kerb_traffic* traffic, const kerb_network* network, int32_t turn) {
    city_view t = kerb_in_traffic_view(traffic->memory, network->memory);
    return kerb_in_traffic_letter(&t, turn);
}

kerb_traffic_counts kerb_traffic_counts_of(const kerb_traffic* traffic) {
    const traffic_block* h = traffic->memory;
    kerb_traffic_counts counts = h->counts;
    counts.time = h->time;
    return counts;
}
