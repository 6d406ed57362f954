// What must hold for any bytes given to the readers of SUMO's files. The text may hold two files, a
// network and a demand, with a zero byte between. Called by the fuzz target, and by a test with the
// corpus and mutations of it.
#ifndef FUZZ_SUMO_H
#define FUZZ_SUMO_H

#include "fuzz/demand.h"
#include "kerb/io/sumo_demand.h"

#include <math.h>
#include <string.h>

static inline void fuzz_range(kerb_io_sumo_range range, int32_t count) {
    FUZZ_DEMAND(range.first >= 0 && range.count >= 0 && range.first + range.count <= count);
}

static inline void fuzz_sumo_lanes(const kerb_io_sumo_network* n) {
    for (int32_t i = 0; i < n->edge_count; i++) {
        fuzz_range(n->edges[i].lanes, n->lane_count);
        FUZZ_DEMAND(kerb_io_sumo_edge_find(n, n->edges[i].id) == i);
        if (n->edges[i].function == KERB_IO_SUMO_NORMAL)
            FUZZ_DEMAND(n->edges[i].from >= 0 && n->edges[i].from < n->junction_count &&
                        n->edges[i].to >= 0 && n->edges[i].to < n->junction_count);
    }
    for (int32_t i = 0; i < n->lane_count; i++) {
        const kerb_io_sumo_lane* lane = &n->lanes[i];
        fuzz_range(lane->shape, n->point_count);
        FUZZ_DEMAND(lane->shape.count >= 2 && lane->length > 0.0 && lane->width > 0.0);
        FUZZ_DEMAND(lane->speed >= 0.0 && lane->edge >= 0 && lane->edge < n->edge_count);
        FUZZ_DEMAND(kerb_io_sumo_lane_find(n, lane->id) == i);
    }
}

static inline void fuzz_sumo_junctions(const kerb_io_sumo_network* n) {
    for (int32_t i = 0; i < n->connection_count; i++) {
        const kerb_io_sumo_connection* c = &n->connections[i];
        FUZZ_DEMAND(c->from >= 0 && c->from < n->lane_count && c->to >= 0 &&
                    c->to < n->lane_count && c->via >= -1 && c->via < n->lane_count);
        if (c->signal >= 0)
            FUZZ_DEMAND((size_t)c->link <
                        strlen(n->phases[n->signals[c->signal].phases.first].state));
    }
    for (int32_t i = 0; i < n->junction_count; i++) {
        fuzz_range(n->junctions[i].incoming, n->member_count);
        fuzz_range(n->junctions[i].requests, n->request_count);
        fuzz_range(n->junctions[i].shape, n->point_count);
    }
    for (int32_t i = 0; i < n->signal_count; i++)
        fuzz_range(n->signals[i].phases, n->phase_count);
    for (int32_t i = 0; i < n->roundabout_count; i++)
        fuzz_range(n->roundabouts[i].edges, n->member_count);
}

static inline void fuzz_sumo_trips(const kerb_io_sumo_demand* d, const kerb_io_sumo_network* n) {
    kerb_io_sumo_departure departures[16];
    for (int32_t i = 0; i < d->trip_count; i++) {
        fuzz_range(d->trips[i].edges, d->route_edge_count);
        fuzz_range(d->trips[i].stops, d->stop_count);
        FUZZ_DEMAND(d->trips[i].edges.count > 0 && d->trips[i].choice >= 0 &&
                    d->trips[i].choice < d->choice_count);
    }
    for (int32_t i = 0; i < d->route_edge_count; i++)
        FUZZ_DEMAND(d->route_edges[i] >= 0 && d->route_edges[i] < n->edge_count);
    int32_t count = kerb_io_sumo_departures(d, 10.0, 1, departures, 16);
    for (int32_t i = 0; i < count && i < 16; i++)
        FUZZ_DEMAND(departures[i].time < 10.0 && departures[i].type >= 0 &&
                    departures[i].type < d->type_count);
}

/// Tables whose indices are all within them, or an error with a message and nothing left.
static inline void fuzz_sumo(const uint8_t* data, size_t size) {
    kerb_host host = kerb_host_default();
    kerb_error error = {.result = KERB_OK};
    kerb_io_sumo_network network;
    const uint8_t* zero = size > 0 ? memchr(data, 0, size) : NULL;
    size_t first = zero ? (size_t)(zero - data) : size;
    kerb_result result =
        kerb_io_sumo_network_read(&network, (const char*)data, first, &host, NULL, &error);
    FUZZ_DEMAND(error.result == result);
    if (result != KERB_OK) {
        FUZZ_DEMAND(error.message[0] && error.line >= 0 && !network.memory);
        return;
    }
    fuzz_sumo_lanes(&network);
    fuzz_sumo_junctions(&network);
    kerb_io_sumo_demand demand = kerb_io_sumo_demand_make(&host);
    if (zero && kerb_io_sumo_demand_read(&demand, &network, (const char*)zero + 1, size - first - 1,
                                         NULL, &error) == KERB_OK)
        fuzz_sumo_trips(&demand, &network);
    kerb_io_sumo_demand_destroy(&demand);
    kerb_io_sumo_network_destroy(&network);
}

#endif
