// Road networks of SUMO, as its netconvert and netgenerate write them (`.net.xml`).
//
// netconvert makes such a file from OpenStreetMap, OpenDRIVE and more. What is read: edges with
// their lanes, connections between lanes, junctions with who yields to whom, signal programmes,
// roundabouts, and whether traffic keeps left. What is not read: pedestrians' crossings and walking
// areas, rails that no road vehicle may use, and all elements for SUMO's own pictures.
//
//     kerb_host host = kerb_host_default();
//     kerb_error error;
//     kerb_io_notes notes = {0};
//     kerb_io_sumo_network network;
//     if (kerb_io_sumo_network_read(&network, text, length, &host, &notes, &error) == KERB_OK)
//         printf("%d lanes\n", network.lane_count);
//     else
//         printf("line %d, %s: %s\n", error.line, error.field, error.message);
//     kerb_io_sumo_network_destroy(&network);
//
// The network is a table of what the file says, with every name resolved to an index. A list of
// another item is a range: the first index and a count. All texts belong to the network.
//
// Threads: any thread may call these functions, as long as no two use the same network. Lifetimes:
// the text is read during the call only. The host's allocator must stay valid until
// kerb_io_sumo_network_destroy.
//
// Does not: open files, build lanes to drive on.
#ifndef KERB_IO_SUMO_NETWORK_H
#define KERB_IO_SUMO_NETWORK_H

#include "kerb/io/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Greatest number of edges, lanes, connections or other items of one kind.
#define KERB_IO_SUMO_ITEMS_MAX 20000000

/// Kinds of vehicles that a lane allows, as bits. SUMO has more classes; those that Kerb does not
/// drive (rails, ships, pedestrians) have no bit.
enum kerb_io_sumo_class {
    KERB_IO_SUMO_CAR = 1,         ///< passenger, private, evehicle
    KERB_IO_SUMO_BUS = 2,         ///< bus, coach
    KERB_IO_SUMO_TRUCK = 4,       ///< delivery, truck, trailer
    KERB_IO_SUMO_EMERGENCY = 8,   ///< emergency, authority
    KERB_IO_SUMO_MOTORCYCLE = 16, ///< motorcycle, moped
    KERB_IO_SUMO_TAXI = 32        ///< taxi, hov, vip, army, custom1, custom2
};

/// All bits of kerb_io_sumo_class.
#define KERB_IO_SUMO_ALL_CLASSES 63u

/// What an edge is for.
typedef enum kerb_io_sumo_function {
    KERB_IO_SUMO_NORMAL,   ///< a road, or a connector of macroscopic networks
    KERB_IO_SUMO_INTERNAL, ///< lanes inside a junction
    KERB_IO_SUMO_WALKING   ///< crossings and walking areas; their lanes allow nobody
} kerb_io_sumo_function;

/// "normal", "internal" or "walking"; "unknown" out of range. Never NULL.
const char* kerb_io_sumo_function_text(kerb_io_sumo_function value);

/// Rule of a junction.
typedef enum kerb_io_sumo_rule {
    KERB_IO_SUMO_PRIORITY,          ///< the lesser road yields
    KERB_IO_SUMO_SIGNALS,           ///< signals; the lesser road yields where they allow both
    KERB_IO_SUMO_RIGHT_BEFORE_LEFT, ///< who comes from the right goes first
    KERB_IO_SUMO_LEFT_BEFORE_RIGHT, ///< who comes from the left goes first
    KERB_IO_SUMO_STOP,              ///< the lesser road stops and yields
    KERB_IO_SUMO_ALL_STOP,          ///< all stop; first come, first served
    KERB_IO_SUMO_ZIPPER,            ///< merging lanes alternate
    KERB_IO_SUMO_UNREGULATED,       ///< nobody yields by rule
    KERB_IO_SUMO_DEAD_END,          ///< a border of the network
    KERB_IO_SUMO_INSIDE             ///< a waiting place inside a junction
} kerb_io_sumo_rule;

/// "priority", "signals", …; "unknown" out of range. Never NULL.
const char* kerb_io_sumo_rule_text(kerb_io_sumo_rule value);

/// A point of a shape. [m]
typedef struct kerb_io_sumo_point {
    double x, y, z;
} kerb_io_sumo_point;

/// A range of items in another list of the network.
typedef struct kerb_io_sumo_range {
    int32_t first; ///< Index of the first item.
    int32_t count; ///< Number of items. [>= 0]
} kerb_io_sumo_range;

/// An edge: lanes side by side in one direction.
typedef struct kerb_io_sumo_edge {
    const char* id;
    kerb_io_sumo_function function;
    int32_t from, to;         ///< Junctions; -1 for lanes inside a junction.
    int32_t priority;         ///< Greater: more important. [1]
    kerb_io_sumo_range lanes; ///< In `lanes`, from the side on which slow traffic keeps.
    int32_t line;             ///< In the text, from 1.
} kerb_io_sumo_edge;

/// A lane.
typedef struct kerb_io_sumo_lane {
    const char* id;
    int32_t edge;             ///< In `edges`.
    double speed;             ///< Limit. [m/s] [> 0]
    double length;            ///< As the file says; the shape's may differ. [m] [> 0]
    double width;             ///< [m] [> 0] SUMO's standard: 3.2
    uint32_t classes;         ///< Who may use it: bits of kerb_io_sumo_class.
    kerb_io_sumo_range shape; ///< In `points`: its middle, two points at least.
    int32_t line;             ///< In the text, from 1.
} kerb_io_sumo_lane;

/// A connection from the end of a lane to the start of another.
typedef struct kerb_io_sumo_connection {
    int32_t from, to; ///< In `lanes`.
    int32_t via;      ///< First lane inside the junction, or -1.
    int32_t signal;   ///< In `signals`, or -1.
    int32_t link;     ///< Place of its letter in the states of that signal; -1 without a signal.
    char direction;   ///< s, t (turn round), l, r, L and R (partly), T, i: as in SUMO.
    char state;       ///< Who yields: M, m, =, s, w, Z, o, O …: as in SUMO.
    bool keep_clear;  ///< Vehicles do not wait inside the junction.
    bool pass;        ///< Never yields.
    int32_t line;     ///< In the text, from 1.
} kerb_io_sumo_connection;

/// A junction.
typedef struct kerb_io_sumo_junction {
    const char* id;
    kerb_io_sumo_rule rule;
    kerb_io_sumo_point place;
    kerb_io_sumo_range incoming; ///< In `members`: indices of lanes that lead to it.
    kerb_io_sumo_range shape;    ///< In `points`; may be empty.
    kerb_io_sumo_range requests; ///< In `requests`, one for each connection through it.
    int32_t line;                ///< In the text, from 1.
} kerb_io_sumo_junction;

/// Who yields at a junction. The letters belong to the junction's connections from the right: the
/// last letter is connection 0. '1' means yes.
typedef struct kerb_io_sumo_request {
    const char* response; ///< Connections to which this one yields.
    const char* foes;     ///< Connections that cross this one or merge with it.
    bool inside;          ///< May wait inside the junction.
} kerb_io_sumo_request;

/// A phase of a signal programme.
typedef struct kerb_io_sumo_phase {
    double duration;   ///< [s] [> 0]
    double min, max;   ///< Shortest and longest, where the programme adapts. [s]
    const char* state; ///< A letter for each link: r, y, g (yields), G, u, s, o, O: as in SUMO.
} kerb_io_sumo_phase;

/// A signal with its programme.
typedef struct kerb_io_sumo_signal {
    const char* id;
    const char* programme;     ///< Name of the programme in force: the last one that was read.
    bool actuated;             ///< Green is prolonged while vehicles come.
    double offset;             ///< The programme starts this time later. [s]
    kerb_io_sumo_range phases; ///< In `phases`.
    int32_t line;              ///< In the text, from 1.
} kerb_io_sumo_signal;

/// A roundabout.
typedef struct kerb_io_sumo_roundabout {
    kerb_io_sumo_range edges; ///< In `members`: indices of edges on the ring.
} kerb_io_sumo_roundabout;

/// A network that was read.
typedef struct kerb_io_sumo_network {
    bool left_hand; ///< Traffic keeps left.
    kerb_io_sumo_edge* edges;
    int32_t edge_count;
    kerb_io_sumo_lane* lanes;
    int32_t lane_count;
    kerb_io_sumo_connection* connections;
    int32_t connection_count;
    kerb_io_sumo_junction* junctions;
    int32_t junction_count;
    kerb_io_sumo_request* requests;
    int32_t request_count;
    kerb_io_sumo_signal* signals;
    int32_t signal_count;
    kerb_io_sumo_phase* phases;
    int32_t phase_count;
    kerb_io_sumo_roundabout* roundabouts;
    int32_t roundabout_count;
    kerb_io_sumo_point* points;
    int32_t point_count;
    int32_t* members; ///< Indices, for ranges of lanes and edges.
    int32_t member_count;
    void* memory; ///< Texts and tables of names; private.
} kerb_io_sumo_network;

/// Reads a `.net.xml`. O(bytes); allocates.
///
/// Notes, with the line: a lane that no connection leaves although its junction is no dead end, a
/// lane shorter than 0.1 m, a connection to a lane that allows nobody the first one allows, a
/// priority junction where connections yield to one another in a circle, programmes of an unknown
/// kind, a shape that was missing.
///
/// Errors, with line, name of the attribute, and the element in the message: SYNTAX (no XML, or it
/// ends too early), UNKNOWN_FIELD (another kind of file; an edge, lane or junction that is not in
/// the file), MISSING_FIELD, WRONG_TYPE, NOT_FINITE, OUT_OF_RANGE, CONTRADICTION (an id twice, a
/// state of another length than the signal's), TOO_FEW (no edge with a lane), TOO_MANY,
/// OUT_OF_MEMORY; UNKNOWN_FIELD of "xml" where this build has no expat. On error the network is
/// empty.
kerb_result kerb_io_sumo_network_read(kerb_io_sumo_network* network, const char* text,
                                      size_t length, const kerb_host* host, kerb_io_notes* notes,
                                      kerb_error* error);

/// Index of the edge of this id, or -1. O(length of the id)
int32_t kerb_io_sumo_edge_find(const kerb_io_sumo_network* network, const char* id);

/// Index of the lane of this id, or -1. O(length of the id)
int32_t kerb_io_sumo_lane_find(const kerb_io_sumo_network* network, const char* id);

/// Index of the signal of this id, or -1. O(length of the id)
int32_t kerb_io_sumo_signal_find(const kerb_io_sumo_network* network, const char* id);

/// Releases the memory and zeroes the network. Has no effect on a zeroed network.
void kerb_io_sumo_network_destroy(kerb_io_sumo_network* network);

#ifdef __cplusplus
}
#endif

#endif
