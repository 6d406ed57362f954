// A network of SUMO as the plan of a network to drive on (kerb/road.h).
//
//     kerb_io_sumo_plan plan;
//     if (kerb_io_sumo_plan_make(&plan, &sumo, &host, &notes, &error) == KERB_OK &&
//         kerb_network_create(&network, &plan.plan, &host, &error) == KERB_OK)
//         …
//     kerb_io_sumo_plan_destroy(&plan);
//
// Lanes that no road vehicle may use are left out, and edges without another lane. Lanes inside
// junctions become turns. Dead ends get U-turns (kerb_network_turns_back). Classes of
// vehicles are the bits of kerb_io_sumo_class.
//
// Threads: any thread may call these functions, as long as no two use the same plan. Lifetimes: the
// plan does not refer to the SUMO network, which may be destroyed earlier.
#ifndef KERB_IO_SUMO_ROAD_H
#define KERB_IO_SUMO_ROAD_H

#include "kerb/io/sumo_network.h"
#include "kerb/road.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A plan with tables from and to the numbers of the SUMO network.
typedef struct kerb_io_sumo_plan {
    kerb_network_plan plan;
    int32_t* edge_of;   ///< Plan's edge of each SUMO edge, or -1.
    int32_t* lane_of;   ///< Plan's lane of each SUMO lane, or -1.
    int32_t* sumo_edge; ///< SUMO edge of each edge of the plan.
    int32_t* sumo_lane; ///< SUMO lane of each lane of the plan.
    double origin[2];   ///< Subtracted from the file's x and y; 0 unless they are very large. [m]
    kerb_allocator allocator;
    void* items[9];        ///< Private: the arrays to which `plan` points.
    int32_t capacities[9]; ///< Private: of `items`.
    int32_t counts[11];    ///< Private: of `items`, then of SUMO's edges and lanes.
} kerb_io_sumo_plan;

/// Makes the plan. Allocates. O(lanes + connections + points)
///
/// Notes: a connection whose lanes do not meet at a junction is left out. Errors: TOO_FEW (no lane
/// for road vehicles), OUT_OF_MEMORY. On error nothing is allocated.
kerb_result kerb_io_sumo_plan_make(kerb_io_sumo_plan* plan, const kerb_io_sumo_network* network,
                                   const kerb_host* host, kerb_io_notes* notes, kerb_error* error);

/// Releases the memory and zeroes the plan. Has no effect on a zeroed plan.
void kerb_io_sumo_plan_destroy(kerb_io_sumo_plan* plan);

#ifdef __cplusplus
}
#endif

#endif
