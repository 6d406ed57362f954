// Purpose: the plan of a network to drive on, from a network of SUMO.
// Idea:    Edges and lanes keep their order. A connection between two roads becomes a turn whose
//          line is that of its lanes inside the junction, one after the other. Who yields is
//          written by number of connection; the number is in the name of the lane inside the
//          junction (":j_3_1": 3 + 1), or the place of the connection among those of the junction.
// Cost:    O(lanes + connections + points).
// Source:  sumo.dlr.de/docs/Networks/SUMO_Road_Networks.html
#include "kerb/io/sumo_road.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROAD_SHORTEST 0.1f  // a lane without length gets this one [m]
#define ROAD_NEAR_MAX 1.0e5 // coordinates beyond this lose centimetres in floats [m]
#define ROAD_PHASE_MIN 0.1  // shorter phases are left out [s]

enum { VIA_MAX = 8, LINKS_OF_JUNCTION_MAX = 256 };

typedef enum plan_list {
    PLAN_EDGES,
    PLAN_LANES,
    PLAN_TURNS,
    PLAN_JUNCTIONS,
    PLAN_YIELDS,
    PLAN_SIGNALS,
    PLAN_PHASES,
    PLAN_STATES,
    PLAN_POINTS,
    PLAN_LISTS
} plan_list;

typedef struct plan_builder {
    kerb_io_sumo_plan* out;
    const kerb_io_sumo_network* in;
    kerb_io_notes* notes;
    int32_t* next_inside; // connection that leaves a lane inside a junction, or -1
    int32_t* turn_of;     // turn of each connection, or -1
    int32_t* link_first;  // connections by junction: ranges in `links`
    int32_t* links;
    bool out_of_memory;
} plan_builder;

_Static_assert(PLAN_LISTS == sizeof(((kerb_io_sumo_plan*)0)->items) / sizeof(void*),
               "the plan owns as many arrays as there are lists");

static const size_t plan_sizes[PLAN_LISTS] = {
    sizeof(kerb_network_edge),  sizeof(kerb_network_lane),
    sizeof(kerb_network_turn),  sizeof(kerb_network_junction),
    sizeof(kerb_network_yield), sizeof(kerb_network_signal),
    sizeof(kerb_network_phase), 1,
    sizeof(kerb_vec3),
};

// --------------------------------------------------------------------------- memory

static void* plan_allocate(plan_builder* b, size_t count, size_t size) {
    const kerb_allocator* a = &b->out->allocator;
    void* memory = a->allocate(a->context, (count + 1) * size, _Alignof(max_align_t));
    if (memory)
        memset(memory, 0, (count + 1) * size);
    b->out_of_memory |= !memory;
    return memory;
}

static void plan_release(const kerb_allocator* a, void* memory, size_t count, size_t size) {
    if (memory)
        a->release(a->context, memory, (count + 1) * size);
}

// A new item of zeros, or NULL.
static void* plan_item(plan_builder* b, plan_list list) {
    kerb_io_sumo_plan* out = b->out;
    if (out->counts[list] == out->capacities[list]) {
        int32_t capacity = out->capacities[list] > 0 ? 2 * out->capacities[list] : 64;
        void* more = plan_allocate(b, (size_t)capacity, plan_sizes[list]);
        if (!more)
            return NULL;
        if (out->items[list])
            memcpy(more, out->items[list], (size_t)out->counts[list] * plan_sizes[list]);
        plan_release(&out->allocator, out->items[list], (size_t)out->capacities[list],
                     plan_sizes[list]);
        out->items[list] = more;
        out->capacities[list] = capacity;
    }
    return (char*)out->items[list] + (size_t)out->counts[list]++ * plan_sizes[list];
}

static void plan_publish(plan_builder* b) {
    kerb_network_plan* plan = &b->out->plan;
    const int32_t* counts = b->out->counts;
    *plan = (kerb_network_plan){
        .left_hand = b->in->left_hand,
        .edges = b->out->items[PLAN_EDGES],
        .edge_count = counts[PLAN_EDGES],
        .lanes = b->out->items[PLAN_LANES],
        .lane_count = counts[PLAN_LANES],
        .turns = b->out->items[PLAN_TURNS],
        .turn_count = counts[PLAN_TURNS],
        .junctions = b->out->items[PLAN_JUNCTIONS],
        .junction_count = counts[PLAN_JUNCTIONS],
        .yields = b->out->items[PLAN_YIELDS],
        .yield_count = counts[PLAN_YIELDS],
        .signals = b->out->items[PLAN_SIGNALS],
        .signal_count = counts[PLAN_SIGNALS],
        .phases = b->out->items[PLAN_PHASES],
        .phase_count = counts[PLAN_PHASES],
        .states = b->out->items[PLAN_STATES],
        .state_count = counts[PLAN_STATES],
        .points = b->out->items[PLAN_POINTS],
        .point_count = counts[PLAN_POINTS],
    };
}

// The tables' sizes stand behind those of the lists.
enum { PLAN_SUMO_EDGES = PLAN_LISTS, PLAN_SUMO_LANES };

void kerb_io_sumo_plan_destroy(kerb_io_sumo_plan* plan) {
    const kerb_allocator allocator = plan->allocator;
    for (int32_t i = 0; i < PLAN_LISTS; i++)
        plan_release(&allocator, plan->items[i], (size_t)plan->capacities[i], plan_sizes[i]);
    size_t edges = (size_t)plan->counts[PLAN_SUMO_EDGES];
    size_t lanes = (size_t)plan->counts[PLAN_SUMO_LANES];
    plan_release(&allocator, plan->edge_of, edges, sizeof(int32_t));
    plan_release(&allocator, plan->sumo_edge, edges, sizeof(int32_t));
    plan_release(&allocator, plan->lane_of, lanes, sizeof(int32_t));
    plan_release(&allocator, plan->sumo_lane, lanes, sizeof(int32_t));
    *plan = (kerb_io_sumo_plan){0};
}

// --------------------------------------------------------------------------- lines

static void set_origin(plan_builder* b) {
    const kerb_io_sumo_network* in = b->in;
    double most = 0.0;
    for (int32_t i = 0; i < in->point_count; i++)
        most = fmax(most, fmax(fabs(in->points[i].x), fabs(in->points[i].y)));
    if (most <= ROAD_NEAR_MAX || in->junction_count == 0)
        return;
    b->out->origin[0] = floor(in->junctions[0].place.x);
    b->out->origin[1] = floor(in->junctions[0].place.y);
}

static kerb_vec3 place_of(const plan_builder* b, const kerb_io_sumo_point* p) {
    return (kerb_vec3){(float)(p->x - b->out->origin[0]), (float)(p->y - b->out->origin[1]),
                       (float)p->z};
}

// Adds a point unless it is that of before. Returns the number of points since `first`.
static int32_t add_point(plan_builder* b, int32_t first, kerb_vec3 point) {
    const kerb_vec3* points = b->out->items[PLAN_POINTS];
    int32_t count = b->out->counts[PLAN_POINTS];
    if (count == first ||
        kerb_vec3_length(kerb_vec3_sub(point, points[count - 1])) > 0.1f * ROAD_SHORTEST) {
        kerb_vec3* item = plan_item(b, PLAN_POINTS);
        if (item)
            *item = point;
    }
    return b->out->counts[PLAN_POINTS] - first;
}

static int32_t add_shape(plan_builder* b, int32_t first, kerb_io_sumo_range shape) {
    int32_t count = 0;
    for (int32_t i = 0; i < shape.count; i++)
        count = add_point(b, first, place_of(b, &b->in->points[shape.first + i]));
    return count;
}

static float line_length(const plan_builder* b, int32_t first) {
    const kerb_vec3* points = b->out->items[PLAN_POINTS];
    float length = 0.0f;
    for (int32_t i = first; i + 1 < b->out->counts[PLAN_POINTS]; i++)
        length += kerb_vec3_length(kerb_vec3_sub(points[i + 1], points[i]));
    return length;
}

// A lane with almost no length gets a little, in the direction in which its edge leads.
static void stretch_line(plan_builder* b, int32_t first, const kerb_io_sumo_edge* edge) {
    kerb_vec3 from = place_of(b, &b->in->junctions[edge->from].place);
    kerb_vec3 to = place_of(b, &b->in->junctions[edge->to].place);
    kerb_vec3 along = kerb_vec3_sub(to, from);
    float length = kerb_vec3_length(along);
    along = length > 0.0f ? kerb_vec3_scale(along, ROAD_SHORTEST / length)
                          : (kerb_vec3){ROAD_SHORTEST, 0.0f, 0.0f};
    kerb_vec3 end = kerb_vec3_add(((kerb_vec3*)b->out->items[PLAN_POINTS])[first], along);
    b->out->counts[PLAN_POINTS] = first + 1;
    kerb_vec3* item = plan_item(b, PLAN_POINTS);
    if (item)
        *item = end;
}

// --------------------------------------------------------------------------- edges and lanes

static void add_lane(plan_builder* b, int32_t sumo_lane) {
    const kerb_io_sumo_lane* from = &b->in->lanes[sumo_lane];
    int32_t first = b->out->counts[PLAN_POINTS], index = b->out->counts[PLAN_LANES];
    add_shape(b, first, from->shape);
    if (!b->out_of_memory && line_length(b, first) < ROAD_SHORTEST)
        stretch_line(b, first, &b->in->edges[from->edge]);
    kerb_network_lane* lane = plan_item(b, PLAN_LANES);
    if (!lane)
        return;
    *lane = (kerb_network_lane){.first_point = first,
                                .point_count = b->out->counts[PLAN_POINTS] - first,
                                .width = kerb_clamp((float)from->width, 0.5f, 50.0f),
                                .speed_limit = kerb_clamp((float)from->speed, 0.1f, 150.0f),
                                .classes = from->classes};
    b->out->lane_of[sumo_lane] = index;
    b->out->sumo_lane[index] = sumo_lane;
}

static void add_edge(plan_builder* b, int32_t sumo_edge) {
    const kerb_io_sumo_edge* from = &b->in->edges[sumo_edge];
    int32_t first = b->out->counts[PLAN_LANES], index = b->out->counts[PLAN_EDGES];
    if (from->function != KERB_IO_SUMO_NORMAL)
        return;
    for (int32_t i = 0; i < from->lanes.count && !b->out_of_memory; i++)
        if (b->in->lanes[from->lanes.first + i].classes)
            add_lane(b, from->lanes.first + i);
    if (b->out->counts[PLAN_LANES] == first)
        return;
    kerb_network_edge* edge = plan_item(b, PLAN_EDGES);
    if (!edge)
        return;
    *edge = (kerb_network_edge){first, b->out->counts[PLAN_LANES] - first, from->from, from->to,
                                from->priority};
    b->out->edge_of[sumo_edge] = index;
    b->out->sumo_edge[index] = sumo_edge;
}

static void add_junctions(plan_builder* b) {
    for (int32_t i = 0; i < b->in->junction_count; i++) {
        kerb_network_junction* junction = plan_item(b, PLAN_JUNCTIONS);
        if (!junction)
            return;
        kerb_io_sumo_rule rule = b->in->junctions[i].rule;
        bool given = b->in->junctions[i].requests.count > 0;
        junction->rule = rule == KERB_IO_SUMO_ALL_STOP            ? KERB_JUNCTION_ALL_STOP
                         : rule == KERB_IO_SUMO_ZIPPER            ? KERB_JUNCTION_ZIPPER
                         : rule == KERB_IO_SUMO_UNREGULATED       ? KERB_JUNCTION_ZIPPER
                         : rule == KERB_IO_SUMO_RIGHT_BEFORE_LEFT ? KERB_JUNCTION_NEAR_SIDE
                         : rule == KERB_IO_SUMO_LEFT_BEFORE_RIGHT ? KERB_JUNCTION_NEAR_SIDE
                         : given                                  ? KERB_JUNCTION_GIVEN
                                                                  : KERB_JUNCTION_PRIORITY;
    }
}

// --------------------------------------------------------------------------- turns

static void note_connection(plan_builder* b, const kerb_io_sumo_connection* c) {
    char message[144];
    snprintf(message, sizeof message, "connection \"%.40s\" to \"%.40s\": the lanes do not meet",
             b->in->lanes[c->from].id, b->in->lanes[c->to].id);
    kerb_io_notes_add(b->notes, "connection", c->line, message);
}

// The line of a turn, from the lanes inside the junction; its speed limit is the least of theirs.
static void add_turn_line(plan_builder* b, const kerb_io_sumo_connection* c,
                          kerb_network_turn* turn) {
    int32_t via = c->via, first = b->out->counts[PLAN_POINTS];
    double speed = 150.0;
    for (int32_t i = 0; via >= 0 && i < VIA_MAX; i++) {
        add_shape(b, first, b->in->lanes[via].shape);
        speed = fmin(speed, b->in->lanes[via].speed);
        via = b->next_inside[via] >= 0 ? b->in->connections[b->next_inside[via]].via : -1;
    }
    int32_t count = b->out->counts[PLAN_POINTS] - first;
    if (count < 2 || line_length(b, first) < ROAD_SHORTEST) {
        b->out->counts[PLAN_POINTS] = first;
        count = 0;
    }
    turn->first_point = first;
    turn->point_count = count;
    turn->speed_limit = c->via >= 0 && speed > 0.1 ? (float)speed : 0.0f;
}

static bool is_turn(plan_builder* b, const kerb_io_sumo_connection* c) {
    const kerb_io_sumo_lane *from = &b->in->lanes[c->from], *to = &b->in->lanes[c->to];
    if (b->out->lane_of[c->from] < 0 || b->out->lane_of[c->to] < 0 ||
        !(from->classes & to->classes))
        return false;
    if (b->in->edges[from->edge].to == b->in->edges[to->edge].from)
        return true;
    note_connection(b, c);
    return false;
}

static void add_turn(plan_builder* b, int32_t connection) {
    const kerb_io_sumo_connection* c = &b->in->connections[connection];
    b->turn_of[connection] = -1;
    if (!is_turn(b, c))
        return;
    kerb_network_turn turn =
        kerb_network_turn_between(b->out->lane_of[c->from], b->out->lane_of[c->to]);
    add_turn_line(b, c, &turn);
    turn.signal = c->signal;
    turn.link = c->link;
    turn.stop = c->state == 's' || c->state == 'w';
    b->turn_of[connection] = b->out->counts[PLAN_TURNS];
    kerb_network_turn* item = plan_item(b, PLAN_TURNS);
    if (item)
        *item = turn;
}

// Streets that end, and at whose ends the network has no way back. (netconvert writes such
// connections unless it is told not to.)
static void add_turns_back(plan_builder* b, const kerb_host* host) {
    plan_publish(b);
    int32_t count = kerb_network_turns_back(&b->out->plan, host, NULL, 0);
    kerb_network_turn* turns =
        plan_allocate(b, count > 0 ? (size_t)count : 0, sizeof(kerb_network_turn));
    b->out_of_memory |= count < 0;
    if (turns && count > 0)
        b->out_of_memory |= kerb_network_turns_back(&b->out->plan, host, turns, count) < 0;
    for (int32_t i = 0; i < count && !b->out_of_memory; i++) {
        kerb_network_turn* item = plan_item(b, PLAN_TURNS);
        if (item)
            *item = turns[i];
    }
    plan_release(&b->out->allocator, turns, count > 0 ? (size_t)count : 0,
                 sizeof(kerb_network_turn));
}

// --------------------------------------------------------------------------- who yields

// The number of a connection in the name of its lane inside the junction, or -1.
static int32_t number_in_name(const plan_builder* b, const kerb_io_sumo_connection* c,
                              const char* junction) {
    const char* id = c->via >= 0 ? b->in->lanes[c->via].id : "";
    size_t length = strlen(junction);
    if (id[0] != ':' || strncmp(id + 1, junction, length) != 0 || id[1 + length] != '_')
        return -1;
    char* end;
    long edge = strtol(id + 2 + length, &end, 10);
    if (*end != '_' || edge < 0 || edge > LINKS_OF_JUNCTION_MAX)
        return -1;
    long lane = strtol(end + 1, &end, 10);
    return *end == 0 && lane >= 0 && lane < LINKS_OF_JUNCTION_MAX ? (int32_t)(edge + lane) : -1;
}

// Connections by the junction that they cross, in the order of incoming lanes.
static void list_links(plan_builder* b) {
    const kerb_io_sumo_network* in = b->in;
    b->link_first = plan_allocate(b, (size_t)in->lane_count + 1, sizeof(int32_t));
    b->links = plan_allocate(b, (size_t)in->connection_count, sizeof(int32_t));
    if (b->out_of_memory)
        return;
    for (int32_t i = 0; i < in->connection_count; i++)
        b->link_first[in->connections[i].from + 1]++;
    for (int32_t i = 0; i < in->lane_count; i++)
        b->link_first[i + 1] += b->link_first[i];
    for (int32_t i = 0; i < in->connection_count; i++)
        b->links[b->link_first[in->connections[i].from]++] = i;
    for (int32_t i = in->lane_count; i > 0; i--)
        b->link_first[i] = b->link_first[i - 1];
    b->link_first[0] = 0;
}

// Turns of a junction by the numbers of their connections; -1 where there is none.
static int32_t number_links(const plan_builder* b, const kerb_io_sumo_junction* junction,
                            int32_t turns[LINKS_OF_JUNCTION_MAX]) {
    const kerb_io_sumo_network* in = b->in;
    int32_t count = 0, most = 0;
    for (int32_t i = 0; i < LINKS_OF_JUNCTION_MAX; i++)
        turns[i] = -1;
    for (int32_t i = 0; i < junction->incoming.count; i++) {
        int32_t lane = in->members[junction->incoming.first + i];
        for (int32_t k = b->link_first[lane]; k < b->link_first[lane + 1]; k++, count++) {
            int32_t named = number_in_name(b, &in->connections[b->links[k]], junction->id);
            int32_t number = named >= 0 ? named : count;
            if (number < LINKS_OF_JUNCTION_MAX)
                turns[number] = b->turn_of[b->links[k]];
            if (number + 1 > most)
                most = number + 1;
        }
    }
    return most < LINKS_OF_JUNCTION_MAX ? most : LINKS_OF_JUNCTION_MAX;
}

static void add_yields_of(plan_builder* b, const char* response, int32_t turn, const int32_t* turns,
                          int32_t count) {
    size_t length = strlen(response);
    for (int32_t k = 0; k < count && (size_t)k < length; k++) {
        if (response[length - 1 - (size_t)k] != '1' || turns[k] < 0 || turns[k] == turn)
            continue;
        kerb_network_yield* yield = plan_item(b, PLAN_YIELDS);
        if (yield)
            *yield = (kerb_network_yield){turn, turns[k]};
    }
}

static void add_yields(plan_builder* b) {
    int32_t turns[LINKS_OF_JUNCTION_MAX];
    for (int32_t i = 0; i < b->in->junction_count; i++) {
        const kerb_io_sumo_junction* junction = &b->in->junctions[i];
        // Where all stop, all yield to all: the order of arrival decides, not the file.
        if (junction->requests.count == 0 || junction->rule == KERB_IO_SUMO_ALL_STOP)
            continue;
        int32_t count = number_links(b, junction, turns);
        for (int32_t k = 0; k < count && k < junction->requests.count; k++)
            if (turns[k] >= 0)
                add_yields_of(b, b->in->requests[junction->requests.first + k].response, turns[k],
                              turns, count);
    }
}

// --------------------------------------------------------------------------- signals

static char state_letter(char letter) {
    if (letter == 'Y')
        return 'y';
    return letter && strchr("ryugGoOs", letter) ? letter : 'r';
}

static void add_phase(plan_builder* b, const kerb_io_sumo_phase* from, int32_t links) {
    int32_t first = b->out->counts[PLAN_STATES];
    for (int32_t i = 0; i < links; i++) {
        char* letter = plan_item(b, PLAN_STATES);
        if (letter)
            *letter = state_letter(from->state[i]);
    }
    kerb_network_phase* phase = plan_item(b, PLAN_PHASES);
    if (phase)
        *phase = (kerb_network_phase){(float)fmin(from->duration, 10000.0),
                                      (float)fmin(from->min, 10000.0),
                                      (float)fmin(from->max, 10000.0), first};
}

static void add_signals(plan_builder* b) {
    for (int32_t i = 0; i < b->in->signal_count; i++) {
        const kerb_io_sumo_signal* from = &b->in->signals[i];
        const kerb_io_sumo_phase* phases = b->in->phases + from->phases.first;
        kerb_network_signal signal = {.first_phase = b->out->counts[PLAN_PHASES],
                                      .link_count = (int32_t)strlen(phases->state),
                                      .offset = (float)from->offset,
                                      .actuated = from->actuated};
        for (int32_t k = 0; k < from->phases.count && !b->out_of_memory; k++)
            if (phases[k].duration >= ROAD_PHASE_MIN) {
                add_phase(b, &phases[k], signal.link_count);
                signal.phase_count++;
            }
        kerb_network_signal* item = plan_item(b, PLAN_SIGNALS);
        if (item)
            *item = signal;
    }
}

// --------------------------------------------------------------------------- all together

static void plan_tables(plan_builder* b) {
    const kerb_io_sumo_network* in = b->in;
    kerb_io_sumo_plan* out = b->out;
    out->counts[PLAN_SUMO_EDGES] = in->edge_count;
    out->counts[PLAN_SUMO_LANES] = in->lane_count;
    out->edge_of = plan_allocate(b, (size_t)in->edge_count, sizeof(int32_t));
    out->sumo_edge = plan_allocate(b, (size_t)in->edge_count, sizeof(int32_t));
    out->lane_of = plan_allocate(b, (size_t)in->lane_count, sizeof(int32_t));
    out->sumo_lane = plan_allocate(b, (size_t)in->lane_count, sizeof(int32_t));
    b->next_inside = plan_allocate(b, (size_t)in->lane_count, sizeof(int32_t));
    b->turn_of = plan_allocate(b, (size_t)in->connection_count, sizeof(int32_t));
    if (b->out_of_memory)
        return;
    for (int32_t i = 0; i < in->edge_count; i++)
        out->edge_of[i] = -1;
    for (int32_t i = 0; i < in->lane_count; i++)
        out->lane_of[i] = b->next_inside[i] = -1;
    for (int32_t i = in->connection_count - 1; i >= 0; i--)
        b->next_inside[in->connections[i].from] = i;
}

static void plan_fill(plan_builder* b, const kerb_host* host) {
    plan_tables(b);
    if (b->out_of_memory)
        return;
    set_origin(b);
    for (int32_t i = 0; i < b->in->edge_count && !b->out_of_memory; i++)
        add_edge(b, i);
    add_junctions(b);
    for (int32_t i = 0; i < b->in->connection_count && !b->out_of_memory; i++)
        add_turn(b, i);
    list_links(b);
    if (b->out_of_memory)
        return;
    add_yields(b);
    add_signals(b);
    if (!b->out_of_memory)
        add_turns_back(b, host);
}

kerb_result kerb_io_sumo_plan_make(kerb_io_sumo_plan* plan, const kerb_io_sumo_network* network,
                                   const kerb_host* host, kerb_io_notes* notes, kerb_error* error) {
    plan_builder b = {.out = plan, .in = network, .notes = notes};
    *plan = (kerb_io_sumo_plan){.allocator = host->allocator};
    plan_fill(&b, host);
    plan_publish(&b);
    size_t lanes = (size_t)network->lane_count, links = (size_t)network->connection_count;
    plan_release(&plan->allocator, b.next_inside, lanes, sizeof(int32_t));
    plan_release(&plan->allocator, b.turn_of, links, sizeof(int32_t));
    plan_release(&plan->allocator, b.link_first, lanes + 1, sizeof(int32_t));
    plan_release(&plan->allocator, b.links, links, sizeof(int32_t));
    kerb_result result = KERB_OK;
    if (b.out_of_memory)
        result = kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "", 0, -1,
                                "no memory for the plan of the network");
    else if (plan->plan.lane_count == 0)
        result = kerb_error_set(error, KERB_ERROR_TOO_FEW, "lane", 0, -1,
                                "the network has no lane for road vehicles");
    if (result != KERB_OK)
        kerb_io_sumo_plan_destroy(plan);
    return result;
}
