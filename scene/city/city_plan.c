// Purpose: networks for city traffic from junctions and roads.
// Idea:    Lanes lie beside the line between two junctions, on the right. Which lane leads where
//          follows from the angles between roads: right from the outer lane, left from the inner
//          one, straight on from each. A network that keeps left is the mirror of one that keeps
//          right.
// Cost:    O(roads), and O(roads of a junction squared) for its turns.
#include "scene/city/city_plan.h"

#include "kerb/math.h"

#include <stdlib.h>
#include <string.h>

enum { ROAD_POINTS = 9, ARMS_MAX = 16, TURNS_OF_JUNCTION_MAX = 128 };

// --------------------------------------------------------------------------- arrays

// Makes room for one more item of zeros at the end of an array that doubles.
static void* city_grow(kerb_scene_city* city, void* items, int32_t* count, int32_t* room,
                       size_t size) {
    if (*count == *room) {
        int32_t more_room = *room > 0 ? 2 * *room : 64;
        void* more = realloc(items, (size_t)more_room * size);
        if (!more) {
            city->out_of_memory = true;
            return items;
        }
        items = more;
        *room = more_room;
    }
    memset((char*)items + (size_t)(*count)++ * size, 0, size);
    return items;
}

// A new item, or NULL.
#define CITY_ITEM(city, array, counter, place)                                                     \
    ((city)->array = city_grow(city, (city)->array, &(city)->plan.counter, &(city)->rooms[place],  \
                               sizeof *(city)->array),                                             \
     (city)->out_of_memory ? NULL : &(city)->array[(city)->plan.counter - 1])

static void city_publish(kerb_scene_city* city) {
    city->plan.edges = city->edges;
    city->plan.lanes = city->lanes;
    city->plan.turns = city->turns;
    city->plan.junctions = city->junctions;
    city->plan.signals = city->signals;
    city->plan.phases = city->phases;
    city->plan.states = city->states;
    city->plan.points = city->points;
}

void kerb_scene_city_free(kerb_scene_city* city) {
    free(city->edges);
    free(city->lanes);
    free(city->turns);
    free(city->junctions);
    free(city->signals);
    free(city->phases);
    free(city->states);
    free(city->points);
    free(city->places);
    memset(city, 0, sizeof *city);
}

int32_t kerb_scene_city_junction(kerb_scene_city* city, float x, float y, kerb_junction_rule rule) {
    int32_t index = city->plan.junction_count, places = index;
    kerb_network_junction* junction = CITY_ITEM(city, junctions, junction_count, 3);
    city->places = city_grow(city, city->places, &places, &city->rooms[8], sizeof *city->places);
    if (!junction || city->out_of_memory)
        return 0;
    junction->rule = rule;
    city->places[index] = kerb_vec2_make(x, y);
    city_publish(city);
    return index;
}

// --------------------------------------------------------------------------- roads

// A point on the line of a road: a parabola through its middle, at a share of the way.
static kerb_vec3 road_point(kerb_vec2 from, kerb_vec2 along, const kerb_scene_city_road* road,
                            float share, float right) {
    float swell = 4.0f * share * (1.0f - share), slant = 4.0f * (1.0f - 2.0f * share) * road->bulge;
    float length = kerb_vec2_length(along);
    kerb_vec2 t = kerb_vec2_scale(along, 1.0f / length), n = kerb_vec2_make(-t.y, t.x);
    // The normal of the parabola, so that lanes stay parallel.
    kerb_vec2 tangent = kerb_vec2_add(kerb_vec2_scale(t, length), kerb_vec2_scale(n, slant));
    float size = kerb_vec2_length(tangent);
    kerb_vec2 side = kerb_vec2_make(tangent.y / size, -tangent.x / size);
    kerb_vec2 p = kerb_vec2_add(from, kerb_vec2_add(kerb_vec2_scale(along, share),
                                                    kerb_vec2_scale(n, swell * road->bulge)));
    p = kerb_vec2_add(p, kerb_vec2_scale(side, right));
    return (kerb_vec3){p.x, p.y, swell * road->z};
}

static void add_road_lane(kerb_scene_city* city, kerb_vec2 from, kerb_vec2 to,
                          const kerb_scene_city_road* road, float right) {
    kerb_vec2 along = kerb_vec2_sub(to, from);
    float cut = road->set_back / kerb_vec2_length(along);
    int32_t first = city->plan.point_count;
    int32_t count = road->bulge != 0.0f || road->z != 0.0f ? ROAD_POINTS : 2;
    for (int32_t i = 0; i < count; i++) {
        float share = cut + (1.0f - 2.0f * cut) * (float)i / (float)(count - 1);
        kerb_vec3* point = CITY_ITEM(city, points, point_count, 7);
        if (point)
            *point = road_point(from, along, road, share, right);
    }
    kerb_network_lane* lane = CITY_ITEM(city, lanes, lane_count, 1);
    if (!lane)
        return;
    *lane = kerb_network_lane_at(first, count);
    lane->speed_limit = road->speed;
}

int32_t kerb_scene_city_add_road(kerb_scene_city* city, int32_t from, int32_t to,
                                 const kerb_scene_city_road* road) {
    int32_t index = city->plan.edge_count, first = city->plan.lane_count;
    float middle = road->one_way ? 0.0f : 0.5f * (float)road->lanes;
    for (int32_t i = 0; i < road->lanes; i++) {
        float place = middle + 0.5f * (float)(road->lanes - 1) - (float)i;
        add_road_lane(city, city->places[from], city->places[to], road, KERB_LANE_WIDTH * place);
    }
    kerb_network_edge* edge = CITY_ITEM(city, edges, edge_count, 0);
    if (edge)
        *edge = (kerb_network_edge){first, road->lanes, from, to, road->priority};
    city_publish(city);
    return index;
}

void kerb_scene_city_add_street(kerb_scene_city* city, int32_t a, int32_t b,
                                const kerb_scene_city_road* road) {
    kerb_scene_city_road back = *road;
    back.bulge = -road->bulge;
    kerb_scene_city_add_road(city, a, b, road);
    kerb_scene_city_add_road(city, b, a, &back);
}

// --------------------------------------------------------------------------- turns

// Heading of an edge where it leaves a junction, or where it reaches it.
static float edge_heading(const kerb_scene_city* city, int32_t edge, bool at_end) {
    const kerb_network_lane* lane = &city->lanes[city->edges[edge].first_lane];
    int32_t at = lane->first_point + (at_end ? lane->point_count - 2 : 0);
    kerb_vec3 d = kerb_vec3_sub(city->points[at + 1], city->points[at]);
    return kerb_atan2(d.y, d.x);
}

static float turn_angle(const kerb_scene_city* city, int32_t from, int32_t to) {
    return kerb_wrap_angle(edge_heading(city, to, false) - edge_heading(city, from, true));
}

static void add_turn(kerb_scene_city* city, int32_t from_lane, int32_t to_lane) {
    kerb_network_turn* turn = CITY_ITEM(city, turns, turn_count, 2);
    if (turn)
        *turn = kerb_network_turn_between(from_lane, to_lane);
    city_publish(city);
}

// Turns from an edge to another: right and left from one lane, straight on from all.
static void join_edges(kerb_scene_city* city, int32_t from, int32_t to, float angle, bool only) {
    const kerb_network_edge a = city->edges[from], b = city->edges[to];
    if (only || kerb_abs(angle) < 0.6f) {
        for (int32_t i = 0; i < a.lane_count; i++)
            add_turn(city, a.first_lane + i,
                     b.first_lane + (i < b.lane_count ? i : b.lane_count - 1));
        return;
    }
    bool right = angle < 0.0f;
    add_turn(city, a.first_lane + (right ? 0 : a.lane_count - 1),
             b.first_lane + (right ? 0 : b.lane_count - 1));
}

static int32_t edges_at(const kerb_scene_city* city, int32_t junction, bool incoming,
                        int32_t edges[ARMS_MAX]) {
    int32_t count = 0;
    for (int32_t i = 0; i < city->plan.edge_count && count < ARMS_MAX; i++)
        if ((incoming ? city->edges[i].to : city->edges[i].from) == junction)
            edges[count++] = i;
    return count;
}

static bool is_way_back(const kerb_scene_city* city, int32_t from, int32_t to) {
    return city->edges[from].from == city->edges[to].to &&
           kerb_abs(turn_angle(city, from, to)) > 2.4f;
}

static void connect_edge(kerb_scene_city* city, int32_t from) {
    int32_t to[ARMS_MAX], ways = 0;
    int32_t count = edges_at(city, city->edges[from].to, false, to);
    for (int32_t i = 0; i < count; i++)
        ways += !is_way_back(city, from, to[i]);
    for (int32_t i = 0; i < count; i++)
        if (ways == 0 || !is_way_back(city, from, to[i]))
            join_edges(city, from, to[i], turn_angle(city, from, to[i]),
                       ways == 1 || (ways == 0 && count == 1));
}

// A lane without a turn, where three roads meet: it goes where the lane beside it goes.
static void connect_rest(kerb_scene_city* city, int32_t from) {
    const kerb_network_edge edge = city->edges[from];
    for (int32_t i = 0; i < edge.lane_count; i++) {
        bool leads = false;
        int32_t other = -1;
        for (int32_t k = 0; k < city->plan.turn_count; k++) {
            int32_t lane = city->turns[k].from - edge.first_lane;
            leads |= lane == i;
            if (lane >= 0 && lane < edge.lane_count)
                other = k;
        }
        if (!leads && other >= 0)
            add_turn(city, edge.first_lane + i, city->turns[other].to);
    }
}

void kerb_scene_city_connect(kerb_scene_city* city) {
    for (int32_t i = 0; i < city->plan.edge_count; i++) {
        int32_t before = city->plan.turn_count;
        connect_edge(city, i);
        if (city->edges[i].lane_count > 1 && city->plan.turn_count > before)
            connect_rest(city, i);
    }
}

// --------------------------------------------------------------------------- signals

static void add_phase(kerb_scene_city* city, const char* letters, int32_t count, float duration) {
    kerb_network_phase* phase = CITY_ITEM(city, phases, phase_count, 5);
    if (phase)
        *phase = (kerb_network_phase){duration, duration, duration, city->plan.state_count};
    for (int32_t i = 0; i < count; i++) {
        char* letter = CITY_ITEM(city, states, state_count, 6);
        if (letter)
            *letter = letters[i];
    }
    city_publish(city);
}

// The axis of an approach: those within 45 degrees of the first one, or against it, are of axis 0.
static int32_t axis_of(const kerb_scene_city* city, int32_t edge, int32_t first) {
    float angle = edge_heading(city, edge, true) - edge_heading(city, first, true);
    return kerb_abs(kerb_cos(angle)) < 0.7071f;
}

void kerb_scene_city_signal(kerb_scene_city* city, int32_t junction, float green, float offset) {
    int32_t incoming[ARMS_MAX], turns[TURNS_OF_JUNCTION_MAX], axis[TURNS_OF_JUNCTION_MAX];
    bool crosses[TURNS_OF_JUNCTION_MAX];
    char letters[TURNS_OF_JUNCTION_MAX];
    int32_t arms = edges_at(city, junction, true, incoming), count = 0;
    for (int32_t i = 0; i < arms; i++) {
        const kerb_network_edge edge = city->edges[incoming[i]];
        for (int32_t k = 0; k < city->plan.turn_count && count < TURNS_OF_JUNCTION_MAX; k++) {
            int32_t lane = city->turns[k].from - edge.first_lane;
            if (lane < 0 || lane >= edge.lane_count)
                continue;
            int32_t to = 0;
            while (city->turns[k].to >= city->edges[to].first_lane + city->edges[to].lane_count)
                to++;
            crosses[count] = turn_angle(city, incoming[i], to) > 0.6f;
            axis[count] = axis_of(city, incoming[i], incoming[0]);
            turns[count++] = k;
        }
    }
    kerb_network_signal* signal = CITY_ITEM(city, signals, signal_count, 4);
    if (!signal)
        return;
    *signal = (kerb_network_signal){city->plan.phase_count, 6, count, offset, false};
    for (int32_t i = 0; i < count; i++) {
        city->turns[turns[i]].signal = city->plan.signal_count - 1;
        city->turns[turns[i]].link = i;
    }
    static const float times[3] = {0.0f, 3.0f, 2.0f}; // green as given, amber, all red
    for (int32_t phase = 0; phase < 6; phase++) {
        for (int32_t i = 0; i < count; i++)
            letters[i] = axis[i] != phase / 3 || phase % 3 == 2 ? 'r'
                         : phase % 3 == 1                       ? 'y'
                         : crosses[i]                           ? 'g'
                                                                : 'G';
        add_phase(city, letters, count, phase % 3 == 0 ? green : times[phase % 3]);
    }
}

void kerb_scene_city_mirror(kerb_scene_city* city) {
    for (int32_t i = 0; i < city->plan.point_count; i++)
        city->points[i].y = -city->points[i].y;
    for (int32_t i = 0; i < city->plan.junction_count; i++)
        city->places[i].y = -city->places[i].y;
    city->plan.left_hand = !city->plan.left_hand;
}
