// Purpose: the corridor of polygons from one place to another.
// Idea:    A* over polygons. A polygon knows the string that leads to it: the last corner, its
//          cost, and the funnel from there through the open sides since then. So costs are those of
//          taut strings, not of zigzags through the middles of sides. One string a polygon, the
//          cheapest that came first: nearly the shortest line, at a fixed size of memory. Where the
//          cost of a metre changes, the string gets a corner. Of equal sums the polygon with the
//          lower index goes first: the order is that of the mesh alone.
// Cost:    O(polygons reached · log polygons reached).
// Source:  Demyen and Buro, "Efficient triangulation-based pathfinding" (2006); Cui, Harabor and
//          Grastien, "Compromise-free pathfinding on a navigation mesh" (2017), for the estimate.
#include "../base/shared.h"
#include "parts.h"

// Least and greatest cost of a metre. Below a hundredth the estimate, which counts the cheapest
// metre everywhere, is so low that A* looks at the whole mesh. [1]
#define MESH_AREA_COST_MIN 0.01f
#define MESH_AREA_COST_MAX 1000.0f
// A gate of which a line sees less than this is seen end on: the line crosses it nowhere, or
// everywhere. Only guards a division by 0. [m²]
#define MESH_SEEN_MIN 1e-9f
// In mesh_node.at: the polygon has left the heap.
#define MESH_DONE (-1)

kerb_mesh_agent kerb_mesh_agent_default(void) {
    kerb_mesh_agent agent = {.clearance = 0.0f, .areas_allowed = ~UINT64_C(0)};
    for (int32_t i = 0; i < KERB_MESH_AREAS; i++)
        agent.area_cost[i] = 1.0f;
    return agent;
}

kerb_result kerb_mesh_agent_validate(const kerb_mesh_agent* agent, kerb_error* error) {
    KERB_ASSERT(agent);
    if (!kerb_is_finite(agent->clearance))
        return kerb_error_set(error, KERB_ERROR_NOT_FINITE, "clearance", 0, -1, "must be finite");
    if (agent->clearance < 0.0f)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "clearance", 0, -1,
                              "must be at least 0 m");
    for (int32_t i = 0; i < KERB_MESH_AREAS; i++) {
        if (!kerb_is_finite(agent->area_cost[i]))
            return kerb_error_set(error, KERB_ERROR_NOT_FINITE, "area_cost", 0, i,
                                  "must be finite");
        if (agent->area_cost[i] < MESH_AREA_COST_MIN || agent->area_cost[i] > MESH_AREA_COST_MAX)
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "area_cost", 0, i,
                                  "must be from 0.01 to 1000");
    }
    return KERB_OK;
}

// --------------------------------------------------------------------------- heap

typedef struct mesh_finder {
    mesh_parts p;
    mesh_search_parts s;
    const kerb_mesh_agent* agent;
    kerb_vec3 goal;
    float least_cost; // of a metre in any area
    int32_t nearest;  // the polygon reached that is nearest to the goal
    float nearest_distance;
} mesh_finder;

static bool mesh_goes_before(const mesh_finder* f, int32_t a, int32_t b) {
    float x = f->s.nodes[a].total, y = f->s.nodes[b].total;
    return x < y || (x <= y && a < b);
}

static void mesh_put(mesh_finder* f, int32_t at, int32_t polygon) {
    f->s.heap[at] = polygon;
    f->s.nodes[polygon].at = at;
}

static void mesh_rise(mesh_finder* f, int32_t at, int32_t polygon) {
    for (; at > 0 && mesh_goes_before(f, polygon, f->s.heap[(at - 1) / 2]); at = (at - 1) / 2)
        mesh_put(f, at, f->s.heap[(at - 1) / 2]);
    mesh_put(f, at, polygon);
}

static int32_t mesh_take_first(mesh_finder* f) {
    int32_t first = f->s.heap[0], last = f->s.heap[--f->s.head->count], at = 0;
    f->s.nodes[first].at = MESH_DONE;
    for (int32_t count = f->s.head->count; first != last;) {
        int32_t child = 2 * at + 1;
        if (child + 1 < count && mesh_goes_before(f, f->s.heap[child + 1], f->s.heap[child]))
            child++;
        if (child >= count || !mesh_goes_before(f, f->s.heap[child], last)) {
            mesh_put(f, at, last);
            break;
        }
        mesh_put(f, at, f->s.heap[child]);
        at = child;
    }
    return first;
}

// --------------------------------------------------------------------------- search

static float mesh_distance_between(kerb_vec3 a, kerb_vec3 b) {
    return kerb_vec3_length(kerb_vec3_sub(b, a));
}

static bool mesh_is_allowed(const mesh_finder* f, int32_t area) {
    return (f->agent->areas_allowed >> area & 1) != 0;
}

// Reaches a polygon by a string, if no cheaper one has reached it.
static void mesh_reach(mesh_finder* f, int32_t polygon, const mesh_node* from) {
    mesh_node* node = &f->s.nodes[polygon];
    bool known = node->stamp == f->s.head->stamp;
    if (known && (node->at == MESH_DONE || node->total <= from->total))
        return;
    int32_t at = known ? node->at : f->s.head->count++;
    *node = *from;
    node->stamp = f->s.head->stamp;
    mesh_rise(f, at, polygon);
    float left = mesh_distance_between(from->place, f->goal);
    if (left < f->nearest_distance) {
        f->nearest_distance = left;
        f->nearest = polygon;
    }
}

// The share of a gate, from its right end, where a line from `root` through `to` crosses it.
static float mesh_share_crossed(const mesh_side* gate, kerb_vec3 root, kerb_vec3 to,
                                float otherwise) {
    float right = mesh_left_of(root, to, gate->from), left = mesh_left_of(root, to, gate->to);
    return left - right > MESH_SEEN_MIN ? -right / (left - right) : otherwise;
}

// The place of a gate through which the shortest line from the corner to the goal leads, within
// the funnel. A goal on the near side counts as mirrored to the far side.
static kerb_vec3 mesh_entrance(const mesh_side* gate, const mesh_node* node, kerb_vec3 goal) {
    float low = kerb_clamp(mesh_share_crossed(gate, node->corner, node->right, 0.0f), 0.0f, 1.0f),
          high = kerb_clamp(mesh_share_crossed(gate, node->corner, node->left, 1.0f), 0.0f, 1.0f);
    kerb_vec2 along = kerb_vec2_sub(mesh_flat(gate->to), mesh_flat(gate->from));
    kerb_vec2 beyond = kerb_vec2_sub(mesh_flat(goal), mesh_flat(gate->from));
    float away = kerb_vec2_cross(along, beyond), square = kerb_vec2_dot(along, along);
    if (away > 0.0f && square > 0.0f) { // seen along the gate from right to left
        kerb_vec2 normal = kerb_vec2_left(along);
        kerb_vec2 back = kerb_vec2_scale(normal, -2.0f * away / square);
        goal.x += back.x;
        goal.y += back.y;
    }
    float share = mesh_share_crossed(gate, node->corner, goal, 0.5f * (low + high));
    return mesh_between(gate->from, gate->to, kerb_clamp(share, low, kerb_max(low, high)));
}

// The open side at a corner of a polygon without the clearance at its ends: `from` is its right
// end, seen from the polygon. False: it is too narrow.
static bool mesh_gate_of(const mesh_finder* f, int32_t polygon, int32_t corner, mesh_side* gate) {
    mesh_side open = mesh_opening_at(&f->p, polygon, corner);
    float width = kerb_vec2_length(kerb_vec2_sub(mesh_flat(open.to), mesh_flat(open.from)));
    float keep = f->agent->clearance;
    if (width < 2.0f * keep)
        return false;
    float share = keep / kerb_max(width, MESH_LENGTH_MIN);
    *gate = keep > 0.0f ? (mesh_side){mesh_between(open.from, open.to, share),
                                      mesh_between(open.from, open.to, 1.0f - share)}
                        : open;
    return true;
}

static void mesh_bend_string(mesh_node* node, kerb_vec3 corner, const mesh_side* gate,
                             float metre) {
    node->cost += metre * mesh_distance_between(node->corner, corner);
    node->corner = corner;
    node->left = gate->to;
    node->right = gate->from;
}

// Leads the string of a polygon on through a gate.
static void mesh_pull_on(mesh_node* node, const mesh_side* gate, bool first, float metre) {
    if (first) {
        node->left = gate->to;
        node->right = gate->from;
        return;
    }
    if (mesh_left_of(node->corner, node->left, gate->from) > 0.0f) {
        mesh_bend_string(node, node->left, gate, metre);
        return;
    }
    if (mesh_left_of(node->corner, node->right, gate->to) < 0.0f) {
        mesh_bend_string(node, node->right, gate, metre);
        return;
    }
    if (mesh_left_of(node->corner, node->left, gate->to) <= 0.0f)
        node->left = gate->to;
    if (mesh_left_of(node->corner, node->right, gate->from) >= 0.0f)
        node->right = gate->from;
}

static void mesh_expand_side(mesh_finder* f, int32_t polygon, int32_t corner) {
    int32_t next = f->p.neighbours[corner];
    mesh_side gate;
    if (next < 0 || !mesh_is_allowed(f, f->p.areas[next]) ||
        !mesh_gate_of(f, polygon, corner, &gate))
        return;
    mesh_node node = f->s.nodes[polygon];
    float metre = f->agent->area_cost[f->p.areas[polygon]],
          next_metre = f->agent->area_cost[f->p.areas[next]];
    mesh_pull_on(&node, &gate, node.is_open, metre);
    node.place = mesh_entrance(&gate, &node, f->goal);
    float cost = node.cost + metre * mesh_distance_between(node.corner, node.place);
    node.total = cost + f->least_cost * mesh_distance_between(node.place, f->goal);
    node.parent = polygon;
    node.exit = corner - f->p.first[polygon];
    node.is_open = next_metre > metre || next_metre < metre;
    if (node.is_open) {
        node.corner = node.place;
        node.cost = cost;
    }
    mesh_reach(f, next, &node);
}

static void mesh_expand_links(mesh_finder* f, int32_t polygon) {
    const mesh_node node = f->s.nodes[polygon];
    float metre = f->agent->area_cost[f->p.areas[polygon]];
    for (int32_t end = f->p.first_link[polygon]; end >= 0; end = f->p.next_end[end]) {
        mesh_jump jump = kerb_in_mesh_jump_at(&f->p, end);
        const kerb_mesh_link* link = &f->p.links[jump.link];
        if (!jump.allowed || jump.polygon == polygon || !mesh_is_allowed(f, link->area) ||
            !mesh_is_allowed(f, f->p.areas[jump.polygon]))
            continue;
        float to = metre * (mesh_distance_between(node.corner, node.place) +
                            mesh_distance_between(node.place, jump.from));
        float over = f->agent->area_cost[link->area] * mesh_distance_between(jump.from, jump.to);
        mesh_node reached = {.place = jump.to,
                             .corner = jump.to,
                             .cost = node.cost + to + over + link->cost,
                             .is_open = true,
                             .parent = polygon,
                             .exit = -2 - jump.link};
        reached.total =
            reached.cost + f->least_cost * mesh_distance_between(reached.place, f->goal);
        mesh_reach(f, jump.polygon, &reached);
    }
}

static void mesh_expand(mesh_finder* f, int32_t polygon) {
    for (int32_t c = f->p.first[polygon]; c < f->p.first[polygon + 1]; c++)
        mesh_expand_side(f, polygon, c);
    mesh_expand_links(f, polygon);
}

// --------------------------------------------------------------------------- the interface

static kerb_mesh_outcome mesh_write_corridor(const mesh_finder* f, int32_t last,
                                             kerb_mesh_corridor* corridor) {
    corridor->count = 0;
    for (int32_t i = last; i >= 0; i = f->s.nodes[i].parent)
        corridor->count++;
    if (corridor->count > corridor->capacity)
        return KERB_MESH_TOO_LONG;
    int32_t at = corridor->count - 1, exit = -1;
    for (int32_t i = last; i >= 0; i = f->s.nodes[i].parent, at--) {
        corridor->steps[at] = (kerb_mesh_step){i, exit};
        exit = f->s.nodes[i].exit;
    }
    return KERB_MESH_FOUND;
}

static void mesh_begin(mesh_finder* f, const kerb_mesh* mesh, kerb_mesh_search* search,
                       const kerb_mesh_agent* agent, kerb_mesh_place from, kerb_mesh_place to) {
    f->p = kerb_in_mesh_parts(mesh);
    f->s = kerb_in_mesh_search_parts(search, mesh->polygon_count);
    f->agent = agent;
    f->goal = to.position;
    f->least_cost = MESH_AREA_COST_MAX;
    for (int32_t i = 0; i < KERB_MESH_AREAS; i++)
        f->least_cost = kerb_min(f->least_cost, agent->area_cost[i]);
    f->nearest = from.polygon;
    f->nearest_distance = MESH_FAR;
    kerb_in_mesh_search_renew(&f->s, mesh->polygon_count);
    const mesh_node first = {
        .place = from.position, .corner = from.position, .is_open = true, .parent = -1};
    mesh_reach(f, from.polygon, &first);
}

static bool mesh_is_on(const kerb_mesh* mesh, kerb_mesh_place place) {
    return place.polygon >= 0 && place.polygon < mesh->polygon_count &&
           kerb_vec3_is_finite(place.position);
}

// Searches until the goal's polygon is done.
static int32_t mesh_search(mesh_finder* f, int32_t goal) {
    while (f->s.head->count > 0) {
        int32_t polygon = mesh_take_first(f);
        if (polygon == goal)
            return goal;
        mesh_expand(f, polygon);
    }
    return -1;
}

kerb_mesh_outcome kerb_mesh_find_corridor(const kerb_mesh* mesh, kerb_mesh_search* search,
                                          const kerb_mesh_agent* agent, kerb_mesh_place from,
                                          kerb_mesh_place to, kerb_mesh_corridor* corridor) {
    KERB_ASSERT(mesh && search && corridor && kerb_mesh_agent_validate(agent, NULL) == KERB_OK);
    corridor->count = 0;
    corridor->from = from;
    corridor->to = to;
    corridor->cost = 0.0f;
    if (!mesh_is_on(mesh, from) || !mesh_is_on(mesh, to))
        return KERB_MESH_NO_PLACE;
    mesh_finder f;
    mesh_begin(&f, mesh, search, agent, from, to);
    int32_t last = mesh_search(&f, to.polygon), reached = last >= 0 ? last : f.nearest;
    const mesh_node* node = &f.s.nodes[reached];
    if (last < 0)
        corridor->to = (kerb_mesh_place){reached, node->place};
    corridor->cost = node->total;
    kerb_mesh_outcome outcome = mesh_write_corridor(&f, reached, corridor);
    return outcome == KERB_MESH_FOUND && last < 0 ? KERB_MESH_NO_PATH : outcome;
}
