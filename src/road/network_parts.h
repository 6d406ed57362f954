// The block of memory in which a network lies. Private to the room.
#ifndef KERB_ROAD_NETWORK_PARTS_H
#define KERB_ROAD_NETWORK_PARTS_H

#include "kerb/road.h"

/// Range of speed limits. [m/s]
#define KERB_IN_NETWORK_SPEED_MIN 0.1f
#define KERB_IN_NETWORK_SPEED_MAX 150.0f

/// Vehicles are lower than this and pass under a bridge. [m]
#define KERB_IN_BRIDGE_HEIGHT 3.5f

/// A lane or a turn: what vehicles on it need to know.
typedef struct net_segment {
    float length, width;
    float speed_limit;
    float curvature; ///< Greatest of a curve that was made; 0 where the limit says all. [1/m]
    uint32_t classes;
    int32_t first_point, point_count;
    int32_t junction; ///< where a lane ends, or that a turn crosses
    int32_t first_crossing, crossing_count;
} net_segment;

typedef struct net_lane {
    int32_t edge;
    int32_t left, right; ///< lanes, or -1
    /// Only lane of its edge, and of the edge that leads back beside it: that lane; or -1.
    int32_t oncoming;
    int32_t first_turn, turn_count; ///< in lane_turns
    int32_t first_overlap, overlap_count;
    /// Long vehicles on turns of other lanes sweep over this much of its end and of its start. [m]
    float swept_end, swept_start;
} net_lane;

/// Another lane, of another edge, so near that vehicles on both could touch.
typedef struct net_overlap {
    int32_t lane, other;
    float begin, end; ///< of the lane [m]
    float aside;      ///< that vehicles keep to the left of the middle line there [m]
    bool exclusive;   ///< that does not suffice: only one of the two may be used at a time
    bool wide;        ///< for vehicles wider than cars, among themselves and beside cars; else cars
} net_overlap;

/// A place where vehicles on two segments could touch that have no junction in common.
typedef struct net_crossing {
    int32_t segment, other;
    float begin, end;             ///< of the segment [m]
    float other_begin, other_end; ///< of the other [m]
} net_crossing;

typedef struct net_turn {
    int32_t from, to;
    int32_t slot; ///< number within its junction
    int32_t signal, link;
    int32_t first_foe, foe_count; ///< in foes
    float bend;                   ///< angle between start and end: left positive [rad]
    bool stop, all_stop;
    bool tight; ///< leads back so sharply that only one vehicle at a time has room on it
    bool back;  ///< yields to all turns that do not
    /// The rear of a vehicle is on ground that a long one sweeps until it is this far beyond. [m]
    float tail;
    /// What long vehicles that turn back sweep of the ends of their own lanes. [m]
    float swept_from, swept_to;
} net_turn;

typedef enum net_foe_kind {
    NET_CROSSES,
    NET_MERGES,
    NET_DIVERGES,
    NET_BESIDE ///< crosses at a small angle or runs beside: one vehicle can follow the other
} net_foe_kind;

/// Vehicles up to this width are narrow: cars. [m]
#define KERB_IN_NARROW 1.85f

/// Vehicles with a rigid part longer than this cut corners: buses, lorries. [m]
#define KERB_IN_SWINGS 7.0f

/// The longest rigid part: 12 m by Directive 96/53/EC. [m]
#define KERB_IN_RIGID_MAX 12.0f

/// Where vehicles on two turns could touch. end < begin: nowhere.
typedef struct net_span {
    float begin, end;             ///< of mine
    float other_begin, other_end; ///< of the other's
} net_span;

/// A conflict seen from one of its two turns.
typedef struct net_foe {
    int32_t turn;    ///< the other
    net_span wide;   ///< for any two vehicles that keep to their turns
    net_span narrow; ///< for two narrow ones
    /// For two of which one cuts corners. It may begin on the lanes before, which is negative, and
    /// end on the lanes behind, beyond the turn's length.
    net_span swings;
    uint8_t kind;
    bool yields; ///< mine yields to the other
    bool leads;  ///< the other yields to mine
    bool unused; ///< fills the last byte, so that all bytes of a network follow from its plan
} net_foe;

static inline bool net_span_is_any(const net_span* span) {
    return span->end >= span->begin;
}

typedef struct net_junction {
    int32_t rule;
    int32_t first_turn, turn_count; ///< in junction_turns
    int32_t matrix;                 ///< in the foe matrix: turn_count squared
} net_junction;

/// Cells of a grid over the network, which say what segments pass through them.
typedef struct net_grid {
    float x, y; ///< corner [m]
    float size; ///< side of a cell [m]
    int32_t columns, rows;
} net_grid;

/// The start of the block. Places are offsets from the block's start, so that it can be copied.
typedef struct net_block {
    int32_t edge_count, lane_count, turn_count, junction_count;
    int32_t signal_count, phase_count, state_count, point_count, foe_count, matrix_count;
    int32_t cell_count, item_count, overlap_count, crossing_count;
    int32_t conflict_count; ///< pairs of turns on which vehicles that keep to them could touch
    net_grid grid;
    bool left_hand;
    size_t edges;          ///< kerb_network_edge[edge_count]
    size_t segments;       ///< net_segment[lane_count + turn_count]
    size_t lanes;          ///< net_lane[lane_count]
    size_t turns;          ///< net_turn[turn_count]
    size_t lane_turns;     ///< int32_t[turn_count]: by lane
    size_t junctions;      ///< net_junction[junction_count]
    size_t junction_turns; ///< int32_t[turn_count]: by junction
    size_t foes;           ///< net_foe[foe_count]: by turn
    size_t matrix;         ///< int32_t[matrix_count]: index of a foe or -1
    size_t signals;        ///< kerb_network_signal[signal_count]
    size_t signal_first;   ///< int32_t[signal_count + 1]: of its turns in signal_turns
    size_t signal_turns;   ///< int32_t[turn_count]: by signal
    size_t phases;         ///< kerb_network_phase[phase_count]
    size_t states;         ///< char[state_count]
    size_t points;         ///< kerb_vec3[point_count]
    size_t stations;       ///< float[point_count]
    size_t cell_first;     ///< int32_t[cell_count + 1]: of its items
    size_t cell_items;     ///< int32_t[item_count]: segments, by cell
    size_t overlaps;       ///< net_overlap[overlap_count]: by lane
    size_t crossings;      ///< net_crossing[crossing_count]: by segment and begin
} net_block;

/// Pointers into a block, found anew for each call.
typedef struct net_view {
    const net_block* head;
    kerb_network_edge* edges;
    net_segment* segments;
    net_lane* lanes;
    net_turn* turns;
    int32_t* lane_turns;
    net_junction* junctions;
    int32_t* junction_turns;
    net_foe* foes;
    int32_t* matrix;
    kerb_network_signal* signals;
    int32_t *signal_first, *signal_turns;
    kerb_network_phase* phases;
    char* states;
    kerb_vec3* points;
    float* stations;
    int32_t *cell_first, *cell_items;
    net_overlap* overlaps;
    net_crossing* crossings;
} net_view;

net_view kerb_in_network_view(void* memory);

/// Checks a plan. The messages name the item and its field.
kerb_result kerb_in_network_check(const kerb_network_plan* plan, kerb_error* error);

/// Middle line of a segment at a station.
kerb_network_place kerb_in_network_at(const net_view* view, int32_t segment, float station,
                                      float left);

/// Chooses the cells of a network whose segments are complete. Sets the counts of the head.
void kerb_in_network_choose_cells(const net_view* v, net_block* head);
/// Lists the segments of each cell.
void kerb_in_network_fill_cells(const net_view* v);

/// Overlaps of a lane with lanes of greater index, one after the other. Calls `add` for each.
typedef bool net_add_overlap(void* context, const net_overlap* overlap);
bool kerb_in_network_overlaps(const net_view* v, int32_t lane, net_add_overlap* add, void* context);
/// Crossings of a segment with segments of greater index. Calls `add` twice for each: once for each
/// of the two.
typedef bool net_add_crossing(void* context, const net_crossing* crossing);
bool kerb_in_network_crossings(const net_view* v, int32_t segment, net_add_crossing* add,
                               void* context);
/// Two lanes that meet at an angle cross, and have no junction in common.
bool kerb_in_network_cross(const net_view* v, int32_t lane, int32_t other, float angle);
/// The only lane of an edge that leads back close beside a lane, which is the only one of its edge,
/// too; -1: there is none.
int32_t kerb_in_network_oncoming(const net_view* v, int32_t lane);
/// How far vehicles at a station keep to the left of the middle line. `wide`: wider than cars.
float kerb_in_network_aside(const net_view* v, int32_t segment, float station, bool wide);

/// Segments whose middle line may pass within `reach` of a place: each once, by index. Returns how
/// many; writes at most `capacity`.
int32_t kerb_in_network_near(const net_view* v, kerb_vec3 place, float reach, int32_t* segments,
                             int32_t capacity);

/// Station of the point of a segment that is nearest to a place, seen from above, and how far the
/// place lies to the left of it. Returns the distance. [m]
float kerb_in_network_nearest(const net_view* v, int32_t segment, kerb_vec3 place, float* station,
                              float* left);

/// The same; before the start and behind the end of the segment on straight lines.
kerb_network_place kerb_in_network_beyond(const net_view* v, int32_t segment, float station,
                                          float left);

/// Station of the place beside on another lane of the edge. Lanes with as many points bend at the
/// same places. One may begin or end beside the middle of the other: a station before its start is
/// negative, one behind its end is greater than its length. There and back leads to the same place.
float kerb_in_network_beside(const net_view* v, int32_t segment, float station, int32_t other);

/// The box round some points.
typedef struct net_box {
    kerb_vec3 min, max;
} net_box;

static inline void net_box_add(net_box* box, kerb_vec3 p) {
    box->min = kerb_vec3_make(kerb_min(box->min.x, p.x), kerb_min(box->min.y, p.y),
                              kerb_min(box->min.z, p.z));
    box->max = kerb_vec3_make(kerb_max(box->max.x, p.x), kerb_max(box->max.y, p.y),
                              kerb_max(box->max.z, p.z));
}

/// Points of both may be within `reach` of one another, and no bridge is between them.
static inline bool net_boxes_meet(const net_box* a, const net_box* b, float reach) {
    return a->min.x <= b->max.x + reach && b->min.x <= a->max.x + reach &&
           a->min.y <= b->max.y + reach && b->min.y <= a->max.y + reach &&
           a->min.z <= b->max.z + KERB_IN_BRIDGE_HEIGHT &&
           b->min.z <= a->max.z + KERB_IN_BRIDGE_HEIGHT;
}

/// The parts of two ways where vehicles on them could touch: first and last sample of each.
typedef struct net_hull {
    int32_t first, last; ///< last < 0: nowhere
    int32_t other_first, other_last;
} net_hull;

static inline net_hull net_hull_empty(void) {
    return (net_hull){INT32_MAX, -1, INT32_MAX, -1};
}

static inline void net_hull_add(net_hull* hull, int32_t mine, int32_t other) {
    hull->first = mine < hull->first ? mine : hull->first;
    hull->last = mine > hull->last ? mine : hull->last;
    hull->other_first = other < hull->other_first ? other : hull->other_first;
    hull->other_last = other > hull->other_last ? other : hull->other_last;
}

/// Turns of up to 94 m are sampled at least each metre, longer ones in 94 steps.
enum { NET_SAMPLES_MAX = 96 };

/// The middle line of a turn.
typedef struct net_sampled {
    kerb_vec3 points[NET_SAMPLES_MAX];
    float step;
    int32_t count;
    net_box box;
} net_sampled;

/// Turns of up to 103 m have cells of at most a metre, longer ones longer cells.
enum { NET_SWEPT_CELLS = 128 };

/// What long vehicles sweep on a turn and on the ends of its lanes, in cells along the way.
typedef struct net_swept {
    int32_t count;
    float step, length;   ///< of a cell, of the turn [m]
    float before, behind; ///< how much of the lanes' ends it covers [m]
    kerb_vec2 along[NET_SWEPT_CELLS], middle[NET_SWEPT_CELLS];
    float left[NET_SWEPT_CELLS], right[NET_SWEPT_CELLS]; ///< of the way [m]
    float half[NET_SWEPT_CELLS], height[NET_SWEPT_CELLS];
    net_box box; ///< of the middles
    float reach; ///< of a cell from its middle [m]
} net_swept;

/// Where vehicles on a turn are: those that keep to it, and long ones.
typedef struct net_turn_shape {
    net_sampled sampled;
    net_swept swept;
} net_turn_shape;

void kerb_in_network_sweep(const net_view* v, int32_t turn, net_swept* w);
/// Where long vehicles on two turns could touch, but not where one follows the other on the lane on
/// which both begin or end. A turn may be compared with itself. False: nowhere.
bool kerb_in_network_swept_meet(const net_swept* a, const net_swept* b, bool same_start,
                                bool same_end, net_span* span);

/// Conflicts of all turns of a junction. Calls `add` for each ordered pair that conflicts.
/// `shapes`: room for those of its turns.
typedef bool net_add_foe(void* context, int32_t turn, const net_foe* foe);
bool kerb_in_network_conflicts(const net_view* view, int32_t junction, net_turn_shape* shapes,
                               net_add_foe* add, void* context);

/// The conflict of turn `a` with turn `b` of its junction, or NULL.
static inline const net_foe* net_foe_of(const net_view* v, int32_t a, int32_t b) {
    const net_junction* j = &v->junctions[v->segments[v->head->lane_count + a].junction];
    int32_t i = v->matrix[j->matrix + v->turns[a].slot * j->turn_count + v->turns[b].slot];
    return i < 0 ? NULL : &v->foes[i];
}

#endif
