// Purpose: questions to a network and edits of it.
// Cost:    O(1), places O(log points).
#include "network_parts.h"

#include "../base/shared.h"

static const float default_speed_limit = 13.89f; // 50 km/h [m/s]

kerb_network_lane kerb_network_lane_at(int32_t first_point, int32_t point_count) {
    return (kerb_network_lane){first_point, point_count, KERB_LANE_WIDTH, default_speed_limit,
                               UINT32_MAX};
}

kerb_network_turn kerb_network_turn_between(int32_t from, int32_t to) {
    return (kerb_network_turn){.from = from, .to = to, .signal = -1};
}

const char* kerb_junction_rule_text(kerb_junction_rule value) {
    static const char* const texts[] = {"priority", "near side", "all stop", "zipper", "given"};
    return KERB_ENUM_TEXT(texts, value);
}

static void* net_part(void* memory, size_t offset) {
    return (char*)memory + offset;
}

net_view kerb_in_network_view(void* memory) {
    const net_block* h = memory;
    return (net_view){
        .head = h,
        .edges = net_part(memory, h->edges),
        .segments = net_part(memory, h->segments),
        .lanes = net_part(memory, h->lanes),
        .turns = net_part(memory, h->turns),
        .lane_turns = net_part(memory, h->lane_turns),
        .junctions = net_part(memory, h->junctions),
        .junction_turns = net_part(memory, h->junction_turns),
        .foes = net_part(memory, h->foes),
        .matrix = net_part(memory, h->matrix),
        .signals = net_part(memory, h->signals),
        .signal_first = net_part(memory, h->signal_first),
        .signal_turns = net_part(memory, h->signal_turns),
        .phases = net_part(memory, h->phases),
        .states = net_part(memory, h->states),
        .points = net_part(memory, h->points),
        .stations = net_part(memory, h->stations),
        .cell_first = net_part(memory, h->cell_first),
        .cell_items = net_part(memory, h->cell_items),
        .overlaps = net_part(memory, h->overlaps),
        .crossings = net_part(memory, h->crossings),
    };
}

kerb_network_size kerb_network_size_of(const kerb_network* network) {
    const net_block* h = network->memory;
    return (kerb_network_size){h->edge_count,   h->lane_count,     h->turn_count, h->junction_count,
                               h->signal_count, h->conflict_count, h->left_hand};
}

float kerb_network_length(const kerb_network* network, int32_t segment) {
    return kerb_in_network_view(network->memory).segments[segment].length;
}

kerb_network_segment kerb_network_segment_of(const kerb_network* network, int32_t segment) {
    net_view v = kerb_in_network_view(network->memory);
    const net_segment* s = &v.segments[segment];
    kerb_network_segment result = {.length = s->length,
                                   .width = s->width,
                                   .speed_limit = s->speed_limit,
                                   .classes = s->classes,
                                   .edge = -1,
                                   .from = -1,
                                   .to = -1,
                                   .junction = s->junction,
                                   .left = -1,
                                   .right = -1,
                                   .signal = -1};
    if (segment < v.head->lane_count) {
        const net_lane* lane = &v.lanes[segment];
        result.edge = lane->edge;
        result.left = lane->left;
        result.right = lane->right;
    } else {
        const net_turn* turn = &v.turns[segment - v.head->lane_count];
        result.from = turn->from;
        result.to = turn->to;
        result.signal = turn->signal;
        result.link = turn->link;
    }
    return result;
}

// The last point of the segment whose station is not beyond `station`, but never the last of all.
static int32_t net_point_before(const float* stations, int32_t count, float station) {
    int32_t low = 0, high = count - 1;
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        if (stations[middle] <= station)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Direction of the piece that begins at a point, seen from above.
static kerb_vec2 net_direction_of(const kerb_vec3* points, int32_t i) {
    kerb_vec2 d = kerb_vec2_make(points[i + 1].x - points[i].x, points[i + 1].y - points[i].y);
    float length = kerb_vec2_length(d);
    return length > 0 ? kerb_vec2_scale(d, 1 / length) : kerb_vec2_make(0, 0);
}

// Direction to measure sideways from: that of the pieces halfway, and blended in between, so that a
// place beside the middle line does not jump where the line bends.
static kerb_vec2 net_blended_direction(const kerb_vec3* points, int32_t count, int32_t i,
                                       float share) {
    kerb_vec2 here = net_direction_of(points, i);
    int32_t beside = share < 0.5f ? i - 1 : i + 1;
    if (beside < 0 || beside + 1 >= count)
        return here;
    kerb_vec2 other = net_direction_of(points, beside);
    float weight = kerb_abs(share - 0.5f); // half of each at the bend
    kerb_vec2 blend =
        kerb_vec2_add(kerb_vec2_scale(here, 1 - weight), kerb_vec2_scale(other, weight));
    float length = kerb_vec2_length(blend);
    return length > 0 ? kerb_vec2_scale(blend, 1 / length) : here;
}

kerb_network_place kerb_in_network_at(const net_view* v, int32_t segment, float station,
                                      float left) {
    const net_segment* s = &v->segments[segment];
    const kerb_vec3* points = v->points + s->first_point;
    const float* stations = v->stations + s->first_point;
    station = kerb_clamp(station, 0, s->length);
    int32_t i = net_point_before(stations, s->point_count, station);
    kerb_vec3 d = kerb_vec3_sub(points[i + 1], points[i]);
    float piece = stations[i + 1] - stations[i];
    float share = piece > 0 ? (station - stations[i]) / piece : 0.0f;
    kerb_vec3 p = kerb_vec3_along(points[i], d, share);
    float across = kerb_sqrt(d.x * d.x + d.y * d.y);
    if (left > 0 || left < 0) {
        kerb_vec2 along = net_blended_direction(points, s->point_count, i, share);
        p.x -= left * along.y;
        p.y += left * along.x;
    }
    return (kerb_network_place){p, kerb_atan2(d.y, d.x), across > 0 ? d.z / across : 0.0f};
}

kerb_network_place kerb_in_network_beyond(const net_view* v, int32_t segment, float station,
                                          float left) {
    float at = kerb_clamp(station, 0, v->segments[segment].length), sine, cosine;
    kerb_network_place p = kerb_in_network_at(v, segment, at, left);
    kerb_sin_cos(p.heading, &sine, &cosine);
    p.position = kerb_vec3_along(p.position, kerb_vec3_make(cosine, sine, 0), station - at);
    return p;
}

// --------------------------------------------------------------------------- lanes side by side

// Stations of two lanes of an edge that are beside one another.
typedef struct net_abreast {
    float low, high; ///< of the lane of lower index, and of the other [m]
} net_abreast;

// How far a point of a lane is ahead of one of another lane, along a piece of the former.
static float net_is_ahead(const net_view* v, const net_segment* a, int32_t i, int32_t piece,
                          const net_segment* b, int32_t k) {
    const kerb_vec3 *p = v->points + a->first_point, *q = v->points + b->first_point;
    kerb_vec2 along = net_direction_of(p, piece);
    return (p[i].x - q[k].x) * along.x + (p[i].y - q[k].y) * along.y;
}

// Where the lane that begins later begins. At most half of a lane is without the other.
static net_abreast net_abreast_start(const net_view* v, const net_segment* low,
                                     const net_segment* high) {
    float ahead = net_is_ahead(v, low, 0, 0, high, 0);
    float most =
        0.5f * kerb_min(v->stations[low->first_point + 1], v->stations[high->first_point + 1]);
    ahead = kerb_clamp(ahead, -most, most);
    return (net_abreast){kerb_max(-ahead, 0), kerb_max(ahead, 0)};
}

// Where the lane that ends earlier ends.
static net_abreast net_abreast_end(const net_view* v, const net_segment* low,
                                   const net_segment* high) {
    int32_t i = low->point_count - 1, k = high->point_count - 1;
    float ahead = net_is_ahead(v, low, i, i - 1, high, k);
    float most = 0.5f * kerb_min(low->length - v->stations[low->first_point + i - 1],
                                 high->length - v->stations[high->first_point + k - 1]);
    ahead = kerb_clamp(ahead, -most, most);
    return (net_abreast){low->length - kerb_max(ahead, 0), high->length - kerb_max(-ahead, 0)};
}

float kerb_in_network_beside(const net_view* v, int32_t segment, float station, int32_t other) {
    bool swapped = segment > other;
    const net_segment* low = &v->segments[swapped ? other : segment];
    const net_segment* high = &v->segments[swapped ? segment : other];
    const float* low_at = v->stations + low->first_point;
    const float* high_at = v->stations + high->first_point;
    net_abreast begin = net_abreast_start(v, low, high), end = net_abreast_end(v, low, high);
    int32_t last = low->point_count - 2;
    if (last > 0 && high->point_count == low->point_count) {
        int32_t i = net_point_before(swapped ? high_at : low_at, last + 2, station);
        if (i > 0)
            begin = (net_abreast){low_at[i], high_at[i]};
        if (i < last)
            end = (net_abreast){low_at[i + 1], high_at[i + 1]};
    }
    float from = swapped ? begin.high : begin.low, to = swapped ? begin.low : begin.high;
    float piece = (swapped ? end.high : end.low) - from;
    float there = (swapped ? end.low : end.high) - to;
    if (station <= from || piece <= 0)
        return to + station - from;
    return station >= from + piece ? to + there + station - from - piece
                                   : to + there * (station - from) / piece;
}

kerb_network_place kerb_network_at(const kerb_network* network, int32_t segment, float station,
                                   float left) {
    net_view v = kerb_in_network_view(network->memory);
    return kerb_in_network_at(&v, segment, station, left);
}

int32_t kerb_network_turns_from(const kerb_network* network, int32_t lane, int32_t* turns,
                                int32_t capacity) {
    net_view v = kerb_in_network_view(network->memory);
    const net_lane* l = &v.lanes[lane];
    for (int32_t i = 0; i < l->turn_count && i < capacity; i++)
        turns[i] = v.lane_turns[l->first_turn + i];
    return l->turn_count;
}

kerb_network_conflict kerb_network_conflict_of(const kerb_network* network, int32_t turn,
                                               int32_t other) {
    net_view v = kerb_in_network_view(network->memory);
    const net_segment* segments = v.segments + v.head->lane_count;
    const net_foe* foe =
        segments[turn].junction == segments[other].junction ? net_foe_of(&v, turn, other) : NULL;
    if (!foe || !net_span_is_any(&foe->wide))
        return (kerb_network_conflict){0};
    return (kerb_network_conflict){true, foe->wide.begin, foe->wide.end, foe->yields,
                                   foe->kind == NET_MERGES};
}

// --------------------------------------------------------------------------- edits

void kerb_network_set_classes(kerb_network* network, int32_t lane, uint32_t classes) {
    kerb_in_network_view(network->memory).segments[lane].classes = classes;
}

void kerb_network_set_speed_limit(kerb_network* network, int32_t lane, float speed_limit) {
    KERB_ASSERT(speed_limit >= KERB_IN_NETWORK_SPEED_MIN &&
                speed_limit <= KERB_IN_NETWORK_SPEED_MAX);
    kerb_in_network_view(network->memory).segments[lane].speed_limit = speed_limit;
}

void kerb_network_set_open(kerb_network* network, int32_t turn, bool open) {
    net_view v = kerb_in_network_view(network->memory);
    v.segments[v.head->lane_count + turn].classes = open ? UINT32_MAX : 0;
}
