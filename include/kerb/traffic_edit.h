// Kerb traffic: a network that changes while traffic drives on it.
//
// Limits, closed lanes and closed turns change in place (kerb/road.h). For anything else, lanes and
// turns that are added or removed, other connections, shapes, priorities, rules or signals, the
// host creates a new network from the changed plan, on any thread, and moves the traffic over to it
// between two steps. The network is then the one that was built so, and nobody is lost.
//
//     kerb_network_set_open(&network, turn, false);         // first close what shall go,
//     kerb_network_set_classes(&network, lane, 0);
//     ... step until kerb_traffic_uses(...) is 0 for both   // then wait until it is empty,
//     kerb_network next;                                    // then move.
//     kerb_network_create(&next, &changed_plan, &host, &error);
//     kerb_network_change change = {lanes, turns, signals}; // where each old one is now
//     if (kerb_traffic_move_to(&traffic, &network, &next, &change, &host, &error) == KERB_OK) {
//         kerb_network_destroy(&network);
//         network = next;
//     }
#ifndef KERB_TRAFFIC_EDIT_H
#define KERB_TRAFFIC_EDIT_H

#include "traffic.h"

/// Where the lanes, turns and signals of the old network are in the new one; -1: gone. NULL: each
/// has kept its number.
typedef struct kerb_network_change {
    const int32_t* lanes;   ///< For each lane of the old network.
    const int32_t* turns;   ///< For each turn (not segment) of the old network.
    const int32_t* signals; ///< For each signal of the old network.
} kerb_network_change;

/// Vehicles that are on a segment, or have claimed it: a lane or turn that has none may go.
/// O(vehicles)
KERB_API int32_t kerb_traffic_uses(const kerb_traffic* traffic, const kerb_network* network,
                                   int32_t segment);

/// Moves all vehicles over to another network. Allocates. Neither network changes. Snapshots that
/// were taken before are of no use any more.
///
/// - A vehicle keeps its lane and its share of the lane's length, its claims and their order, its
///   speed, and its state.
/// - A route over edges that are gone or no longer connected is mended: the fastest way to its last
///   edge that is left. Where there is none, the trip ends at the last edge that it still reaches.
///   A vehicle that waits outside on an edge that is gone departs from the next edge of its route
///   that is left. Each of these vehicles gives a KERB_TRAFFIC_REROUTED event.
/// - Signals go on with their phase; new ones begin as at time 0.
///
/// Errors, which change nothing: CONTRADICTION of "lanes" or "turns", with the old index, when it
/// is gone, or its edge is torn apart, and a vehicle uses it, when two become one, or when a
/// waiting vehicle has no edge left; OUT_OF_RANGE when it is none of the new network's;
/// OUT_OF_MEMORY. O(segments + vehicles_max), and kerb_routes_create
KERB_API kerb_result kerb_traffic_move_to(kerb_traffic* traffic, const kerb_network* old,
                                          const kerb_network* next,
                                          const kerb_network_change* change, const kerb_host* host,
                                          kerb_error* error);

#endif
