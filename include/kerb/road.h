// Kerb road: a network of lanes, and the junctions where they meet.
//
// An edge is a set of lanes side by side in one direction between two junctions. A turn leads from
// the end of a lane, through a junction, to the start of another lane. Lanes and turns together are
// segments: segment i is lane i below lane_count, else turn i - lane_count. Each segment is a
// polyline with height. Two turns of one junction conflict where vehicles on them could touch;
// these conflicts are computed from the polylines and widths.
//
// Call order: fill a plan with arrays, create the network from it, then create traffic on it
// (kerb/traffic.h).
//
//     kerb_vec3 points[4] = {{0, 0, 0}, {100, 0, 0}, {110, 0, 0}, {200, 0, 0}};
//     kerb_network_edge edges[2] = {{0, 1, 0, 1, 1}, {1, 1, 1, 2, 1}};
//     kerb_network_lane lanes[2] = {kerb_network_lane_at(0, 2), kerb_network_lane_at(2, 2)};
//     kerb_network_turn turns[1] = {kerb_network_turn_between(0, 1)};
//     kerb_network_junction junctions[3] = {{KERB_JUNCTION_PRIORITY}, {KERB_JUNCTION_PRIORITY},
//                                           {KERB_JUNCTION_PRIORITY}};
//     kerb_network_plan plan = {.edges = edges, .edge_count = 2, .lanes = lanes, .lane_count = 2,
//                               .turns = turns, .turn_count = 1, .junctions = junctions,
//                               .junction_count = 3, .points = points, .point_count = 4};
//     kerb_host host = kerb_host_default();
//     kerb_network network;
//     kerb_error error;
//     if (kerb_network_create(&network, &plan, &host, &error) == KERB_OK)
//         printf("%.0f m\n", (double)kerb_network_length(&network, 0));
//     kerb_network_destroy(&network);
//
// Threads and lifetimes: the network lies in one block of memory without pointers, so a copy of the
// block is a snapshot. Any number of threads may ask at the same time while nobody edits. The
// plan's arrays are read only while the network is created. Nothing allocates but
// kerb_network_create and kerb_network_turns_back.
//
// Does not: read files (kerb/io/sumo_network.h does), find routes (kerb/route.h does).
#ifndef KERB_ROAD_H
#define KERB_ROAD_H

#include "math.h"

/// Greatest number of lanes and of turns of a network.
#define KERB_NETWORK_SEGMENTS_MAX 10000000
/// Greatest number of turns through one junction.
#define KERB_JUNCTION_TURNS_MAX 256
/// Default width of a lane. [m]
#define KERB_LANE_WIDTH 3.2f

/// Lanes side by side in one direction.
typedef struct kerb_network_edge {
    int32_t first_lane; ///< Index in the plan's `lanes`: the lane on the slow side of the road.
    int32_t lane_count; ///< [>= 1] The others follow, towards the fast side.
    int32_t from, to;   ///< Junctions.
    int32_t priority;   ///< Of two roads that meet, the one with the greater number goes first.
} kerb_network_edge;

/// A lane. Every lane belongs to exactly one edge.
typedef struct kerb_network_lane {
    int32_t first_point; ///< Index in the plan's `points`: its middle line.
    int32_t point_count; ///< [>= 2]
    float width;         ///< [m] [0.5 … 50]
    float speed_limit;   ///< [m/s] [0.1 … 150]
    uint32_t classes;    ///< Classes of vehicles that may use it: bits that the host chooses.
} kerb_network_lane;

/// Lane of the default width for all classes, at 13.89 m/s (50 km/h).
KERB_API kerb_network_lane kerb_network_lane_at(int32_t first_point, int32_t point_count);

/// A connection from the end of a lane to the start of another one through a junction.
typedef struct kerb_network_turn {
    int32_t from, to;    ///< Lanes.
    int32_t first_point; ///< Index in the plan's `points`: its middle line.
    int32_t point_count; ///< 0: a smooth curve between the two lanes is made. Else >= 2.
    float speed_limit;   ///< [m/s] 0: the lesser limit of the two lanes. [0 … 150]
    int32_t signal;      ///< Index in the plan's `signals`, or -1.
    int32_t link;        ///< Place of its letter in the states of that signal.
    bool stop;           ///< Vehicles stop at the line before they enter.
    bool back;           ///< A U-turn: vehicles on it yield to all others.
} kerb_network_turn;

/// Turn without a signal, with a curve that is made.
KERB_API kerb_network_turn kerb_network_turn_between(int32_t from, int32_t to);

/// Who goes first at a junction where the plan's `yields` say nothing.
typedef enum kerb_junction_rule {
    KERB_JUNCTION_PRIORITY,  ///< Greater edge priority, then who does not cross oncoming traffic.
    KERB_JUNCTION_NEAR_SIDE, ///< Right before left; left before right where traffic keeps left.
    KERB_JUNCTION_ALL_STOP,  ///< All stop. Who waits longest goes first.
    KERB_JUNCTION_ZIPPER,    ///< Nobody yields by rule. Who comes first goes first.
    KERB_JUNCTION_GIVEN      ///< Only the plan's `yields`.
} kerb_junction_rule;

/// "priority", "near side", "all stop", "zipper" or "given"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_junction_rule_text(kerb_junction_rule value);

/// A junction.
typedef struct kerb_network_junction {
    kerb_junction_rule rule;
} kerb_network_junction;

/// Vehicles on one turn yield to those on another. Pairs that do not conflict are passed over.
typedef struct kerb_network_yield {
    int32_t turn; ///< Yields …
    int32_t to;   ///< … to vehicles on this turn.
} kerb_network_yield;

/// A phase of a signal. Its state is `link_count` letters: 'r' red, 'y' amber, 'u' red and amber,
/// 'g' green that yields, 'G' green, 'o' and 'O' off (rules without a signal hold), 's' stop, then
/// go when free.
typedef struct kerb_network_phase {
    float duration;      ///< [s] [0.1 … 10000]
    float min, max;      ///< Shortest and longest, where the signal is actuated. [s]
    int32_t first_state; ///< Index in the plan's `states` of its first letter.
} kerb_network_phase;

/// A signal: a programme of phases that repeats.
typedef struct kerb_network_signal {
    int32_t first_phase; ///< Index in the plan's `phases`.
    int32_t phase_count; ///< [>= 1]
    int32_t link_count;  ///< Letters of a state. [>= 1]
    float offset;        ///< The programme starts this time later. [s]
    bool actuated;       ///< Green is prolonged while vehicles come.
} kerb_network_signal;

/// Description of a network. All arrays belong to the caller.
typedef struct kerb_network_plan {
    bool left_hand; ///< Traffic keeps left.
    const kerb_network_edge* edges;
    int32_t edge_count; ///< [>= 1]
    const kerb_network_lane* lanes;
    int32_t lane_count; ///< [>= 1]
    const kerb_network_turn* turns;
    int32_t turn_count;
    const kerb_network_junction* junctions;
    int32_t junction_count; ///< [>= 1]
    const kerb_network_yield* yields;
    int32_t yield_count;
    const kerb_network_signal* signals;
    int32_t signal_count;
    const kerb_network_phase* phases;
    int32_t phase_count;
    const char* states;
    int32_t state_count;
    const kerb_vec3* points;
    int32_t point_count;
} kerb_network_plan;

/// U-turns for dead ends: one for each edge from which no turn leads on, from its fast side to
/// the fast side of the edge that leads back, where there is one. Vehicles on them yield to all
/// others. Writes at most `capacity` and returns how many there are; append them to the plan's
/// turns, and the network is one in which nobody is caught. -1: no memory. 0 for a plan that
/// kerb_network_create refuses. Allocates, and releases it again.
/// O(points + edges + lanes + turns)
KERB_API int32_t kerb_network_turns_back(const kerb_network_plan* plan, const kerb_host* host,
                                         kerb_network_turn* turns, int32_t capacity);

/// A network. Read-only for the host.
typedef struct kerb_network {
    void* memory; ///< One block without pointers.
    size_t bytes; ///< Size of the block.
    kerb_allocator allocator;
} kerb_network;

/// Creates a network. Allocates. O(points + turns of each junction squared times their points)
///
/// Errors, with the index of the edge, lane, turn, … whose array and field `error.field` names,
/// such as "lanes.width": TOO_FEW, TOO_MANY, OUT_OF_RANGE, NOT_FINITE; CONTRADICTION of "lanes" (in
/// no edge or in two), of "turns.to" (its edge does not start at the junction where that of `from`
/// ends), of "lanes.points" (no length); OUT_OF_MEMORY. On error all fields are 0.
KERB_API kerb_result kerb_network_create(kerb_network* network, const kerb_network_plan* plan,
                                         const kerb_host* host, kerb_error* error);

/// Releases the memory and sets all fields to 0. Does nothing when all fields are already 0.
KERB_API void kerb_network_destroy(kerb_network* network);

// --------------------------------------------------------------------------- questions

/// Numbers of things in a network.
typedef struct kerb_network_size {
    int32_t edges, lanes, turns, junctions, signals;
    int32_t conflicts; ///< Pairs of turns that conflict.
    bool left_hand;
} kerb_network_size;

KERB_API kerb_network_size kerb_network_size_of(const kerb_network* network);

/// Length of a segment. [m]
KERB_API float kerb_network_length(const kerb_network* network, int32_t segment);

/// What a segment is and where it lies.
typedef struct kerb_network_segment {
    float length;      ///< [m]
    float width;       ///< [m]
    float speed_limit; ///< What traffic keeps on it: the limit, or what its curve allows. [m/s]
    uint32_t classes;
    int32_t edge;         ///< Of a lane; -1 for a turn.
    int32_t from, to;     ///< Lanes, for a turn; -1 for a lane.
    int32_t junction;     ///< Where a lane ends, or that a turn crosses.
    int32_t left, right;  ///< Lanes of the same edge beside a lane, or -1.
    int32_t signal, link; ///< Of a turn; signal -1: none.
} kerb_network_segment;

KERB_API kerb_network_segment kerb_network_segment_of(const kerb_network* network, int32_t segment);

/// A place on a segment.
typedef struct kerb_network_place {
    kerb_vec3 position;
    float heading; ///< [rad]
    float slope;   ///< Climb by distance. [m/m]
} kerb_network_place;

/// Place at a station, `left` of the middle line; where that bends, sideways is blended from piece
/// to piece, so that nothing jumps. Stations outside are taken at the segment's ends.
/// [station, left: m] O(log points)
KERB_API kerb_network_place kerb_network_at(const kerb_network* network, int32_t segment,
                                            float station, float left);

/// Segments whose middle line passes within a distance of a place, seen from above and within 3.5 m
/// of its height, in the order of their indices. Writes at most `capacity` and returns how many it
/// wrote. A host finds so the lane on which its player is. [reach: m] [0 … 1000]
/// O(segments near)
KERB_API int32_t kerb_network_near(const kerb_network* network, kerb_vec3 place, float reach,
                                   int32_t* segments, int32_t capacity);

/// The point of a segment that is nearest to a place, seen from above.
typedef struct kerb_network_nearest {
    float station;  ///< [m]
    float left;     ///< How far the place lies to the left of the segment's direction there. [m]
    float distance; ///< [m]
} kerb_network_nearest;

/// The nearest point of a segment. O(points of the segment)
KERB_API kerb_network_nearest kerb_network_nearest_on(const kerb_network* network, int32_t segment,
                                                      kerb_vec3 place);

/// The lane's turns: returns how many, and writes at most `capacity` of their indices (turns, not
/// segments).
KERB_API int32_t kerb_network_turns_from(const kerb_network* network, int32_t lane, int32_t* turns,
                                         int32_t capacity);

/// Where vehicles on two turns could touch.
typedef struct kerb_network_conflict {
    bool conflicts;
    float begin, end; ///< Of the first turn: from here to here its middle is too close. [m]
    bool yields;      ///< The first turn yields to the second.
    bool merges;      ///< Both lead to the same lane.
} kerb_network_conflict;

/// Conflict of two turns of one junction. O(1)
KERB_API kerb_network_conflict kerb_network_conflict_of(const kerb_network* network, int32_t turn,
                                                        int32_t other);

// --------------------------------------------------------------------------- edits

/// Closes a lane to a set of classes or opens it. May be called between two steps of traffic.
/// Vehicles that are on the lane leave it.
KERB_API void kerb_network_set_classes(kerb_network* network, int32_t lane, uint32_t classes);

/// Sets the speed limit of a lane. [m/s] [0.1 … 150]
KERB_API void kerb_network_set_speed_limit(kerb_network* network, int32_t lane, float speed_limit);

/// Opens or closes a turn. Vehicles that are on it or committed to it leave it.
KERB_API void kerb_network_set_open(kerb_network* network, int32_t turn, bool open);

#endif
