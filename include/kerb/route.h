// Kerb routes: the fastest way from lane to lane through a network of lanes.
//
// The network is a graph of lanes: each takes a time to drive along, leads on to others, and may
// have a neighbour to change to. A question may have times that are greater than the graph's
// (traffic), lanes that only this vehicle knows to be blocked, and lanes that its class may not
// use. The answer is exact: no faster way exists.
//
// Call order: create the routes once for a network, make a workspace for each thread, then ask.
//
//     kerb_route_lane lanes[3] = {kerb_route_lane_at(10000), kerb_route_lane_at(8000),
//                                 kerb_route_lane_at(9000)};           // times in milliseconds
//     kerb_route_link links[2] = {{0, 1, 1500}, {1, 2, 0}};            // 0 leads to 1 leads to 2
//     kerb_route_graph graph = {lanes, 3, links, 2, 2000};
//     kerb_host host = kerb_host_default();
//     kerb_routes routes;
//     kerb_error error;
//     if (kerb_routes_create(&routes, &graph, &host, &error) == KERB_OK) {
//         int32_t way[8];
//         kerb_route_work work;
//         if (kerb_route_work_create(&work, &routes, &host) == KERB_OK) {
//             kerb_route_question question = kerb_route_question_between(0, 2);
//             kerb_route_answer answer = kerb_route_find(&routes, &work, &question, way, 8);
//             if (answer.outcome == KERB_ROUTE_FOUND)
//                 printf("%d lanes, %u ms\n", answer.count, answer.time);
//         }
//         kerb_route_work_destroy(&work);
//     }
//     kerb_routes_destroy(&routes);
//
// How: a customizable contraction hierarchy of the lanes (Dibbelt, Strasser and Wagner 2014), built
// once. The network is cut in two again and again through few lanes; these rank highest. Without
// blocks on the way, two sweeps upwards through the ranks find it. With blocks, A* searches over
// lanes, guided by the least time without blocks, as in CH-Potentials (Strasser and Zeitz 2021).
//
// Times are whole milliseconds, so sums are exact and results are the same everywhere.
//
// Threads and lifetimes: routes never change after they were created. Any number of threads may ask
// at the same time, each with its own workspace. Routes lie in one block of memory without
// pointers. Cost: finding allocates nothing.
//
// Does not: choose where on a lane to change to its neighbour, or drive. A network that gets new
// lanes or links needs new routes; lanes that are closed or become slow do not.
#ifndef KERB_ROUTE_H
#define KERB_ROUTE_H

#include "base.h"

/// Greatest time of a lane or link. [ms] (4.6 hours)
#define KERB_ROUTE_TIME_MAX 16777215
/// A time, in kerb_route_question.times, of a lane that nobody may enter. It may be left. [ms]
#define KERB_ROUTE_CLOSED UINT32_MAX
/// Greatest number of lanes of a graph.
#define KERB_ROUTE_LANES_MAX 10000000

/// A lane of the graph.
typedef struct kerb_route_lane {
    uint32_t time;    ///< To drive along it, without traffic. [ms] [0 … KERB_ROUTE_TIME_MAX]
    uint32_t classes; ///< Classes of vehicles that may use it: bits that the host chooses.
    int32_t left;     ///< Lane to the left in the same direction, or -1.
    int32_t right;    ///< Lane to the right in the same direction, or -1.
} kerb_route_lane;

/// Lane for all classes, without neighbours. [time: ms]
KERB_API kerb_route_lane kerb_route_lane_at(uint32_t time);

/// From the end of a lane to the start of another.
typedef struct kerb_route_link {
    int32_t from, to; ///< Lanes.
    uint32_t time;    ///< Added where this link is taken. [ms] [0 … KERB_ROUTE_TIME_MAX]
} kerb_route_link;

/// A network. The arrays are read only while routes are created.
typedef struct kerb_route_graph {
    const kerb_route_lane* lanes;
    int32_t lane_count; ///< [1 … KERB_ROUTE_LANES_MAX]
    const kerb_route_link* links;
    int32_t link_count;   ///< [>= 0]
    uint32_t change_time; ///< Added for each change to a neighbour. [ms] [0 … KERB_ROUTE_TIME_MAX]
} kerb_route_graph;

/// Routes of a network. Read-only for the host.
typedef struct kerb_routes {
    void* memory; ///< One block without pointers.
    size_t bytes; ///< Size of the block.
    kerb_allocator allocator;
} kerb_routes;

/// Creates the routes of a network. Allocates. 100,000 lanes of streets take 1 s and 16 MB, those
/// of a regular grid 2 to 6 s and 50 MB. Lanes without any class are entered by nobody.
///
/// A network that cannot be cut through few lanes is no network of roads. It gets no hierarchy:
/// then finding a way looks at all lanes that are nearer than the destination.
///
/// Errors: TOO_FEW or TOO_MANY of "lanes"; OUT_OF_RANGE of "time", "left", "right", "from" or "to",
/// with the index of the lane or link; OUT_OF_MEMORY. On error all fields are 0.
KERB_API kerb_result kerb_routes_create(kerb_routes* routes, const kerb_route_graph* graph,
                                        const kerb_host* host, kerb_error* error);

/// Releases the memory and sets all fields to 0. Does nothing when all fields are already 0.
KERB_API void kerb_routes_destroy(kerb_routes* routes);

/// Memory for finding, one for each thread.
typedef struct kerb_route_work {
    void* memory;
    size_t bytes;
    kerb_allocator allocator;
} kerb_route_work;

/// Size of the memory that kerb_route_work_make needs, aligned to 8 bytes. [bytes]
KERB_API size_t kerb_route_work_bytes(const kerb_routes* routes);

/// Makes a workspace in memory of the caller, which must hold kerb_route_work_bytes. O(lanes)
KERB_API void kerb_route_work_make(kerb_route_work* work, const kerb_routes* routes, void* memory);

/// Makes a workspace in memory from the host's allocator. Error: OUT_OF_MEMORY. O(lanes)
KERB_API kerb_result kerb_route_work_create(kerb_route_work* work, const kerb_routes* routes,
                                            const kerb_host* host);

/// Releases the memory of kerb_route_work_create and sets all fields to 0.
KERB_API void kerb_route_work_destroy(kerb_route_work* work);

/// A question.
typedef struct kerb_route_question {
    int32_t from; ///< Lane on which the vehicle is.
    int32_t to;   ///< Lane that it wants to enter.
    /// The vehicle has passed its destination on this lane: leads round back to it when `from` is
    /// `to`. Else the answer is this lane alone.
    bool round;
    uint32_t classes;      ///< Only lanes that share a bit with this one are entered.
    const uint32_t* times; ///< Time of each lane now; NULL: the graph's. Less counts as those. [ms]
    const int32_t* blocked; ///< Lanes that are not entered. May be NULL.
    int32_t blocked_count;  ///< [>= 0]
} kerb_route_question;

/// Question without traffic and blocks, for all classes.
KERB_API kerb_route_question kerb_route_question_between(int32_t from, int32_t to);

/// Outcome of a question.
typedef enum kerb_route_outcome {
    KERB_ROUTE_FOUND,   ///< The lanes are the fastest way.
    KERB_ROUTE_NO_WAY,  ///< No way leads there.
    KERB_ROUTE_TOO_LONG ///< A way was found, but has more lanes than the capacity.
} kerb_route_outcome;

/// "found", "no way" or "too long"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_route_outcome_text(kerb_route_outcome value);

/// An answer.
typedef struct kerb_route_answer {
    kerb_route_outcome outcome;
    int32_t count;     ///< Lanes of the way, with the first and the last.
    uint32_t time;     ///< From the start of the first lane to the start of the last one. [ms]
    int32_t looked_at; ///< Lanes that the search settled: its effort.
} kerb_route_answer;

/// Finds the fastest way and writes at most `capacity` lanes of it. A change to a neighbour is a
/// step from lane to lane, too. 100,000 lanes: 0.05 to 0.2 ms; with blocks on the fastest way 0.2
/// to 1.5 ms; where the way round is much longer, up to 20 ms. Of equally fast ways always the same
/// one. Allocates nothing.
///
/// Asserts that `from` and `to` are lanes. Blocked numbers that are no lanes are passed over.
KERB_API kerb_route_answer kerb_route_find(const kerb_routes* routes, kerb_route_work* work,
                                           const kerb_route_question* question, int32_t* lanes,
                                           int32_t capacity);

// --------------------------------------------------------------------------- what a vehicle knows

/// Greatest number of blocked lanes that a vehicle remembers.
#define KERB_ROUTE_KNOWN_MAX 8

/// Blocked lanes that a vehicle has seen or was told of. Plain data; zero it at first.
typedef struct kerb_route_knowledge {
    int32_t lanes[KERB_ROUTE_KNOWN_MAX];
    float until[KERB_ROUTE_KNOWN_MAX]; ///< When it forgets each. [s]
    int32_t count;                     ///< [0 … KERB_ROUTE_KNOWN_MAX]
} kerb_route_knowledge;

/// The vehicle sees that a lane is blocked, and remembers it until a time. A lane that it knows
/// already is remembered until the later time. When there is no room, the one that would be
/// forgotten first gives way. True when the lane is new to it. [until: s] O(1)
KERB_API bool kerb_route_learn(kerb_route_knowledge* knowledge, int32_t lane, float until);

/// The vehicle sees that a lane is free again. True when it knew it as blocked. O(1)
KERB_API bool kerb_route_unlearn(kerb_route_knowledge* knowledge, int32_t lane);

/// One vehicle tells another what it knows. True when any of it is new to the other. O(1)
KERB_API bool kerb_route_tell(const kerb_route_knowledge* from, kerb_route_knowledge* to);

/// Forgets what is older than its time. True when something was forgotten. [now: s] O(1)
KERB_API bool kerb_route_forget(kerb_route_knowledge* knowledge, float now);

#endif
