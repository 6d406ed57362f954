// Purpose: a path from start to goal round obstacles, for a vehicle that cannot turn on the spot.
// Idea:    A* over position and heading. Moves are arcs of a few curvatures, forwards and, where
//          the vehicle may, in reverse. Each cell of position and heading keeps its cheapest node
//          with its exact pose. The cost to go is the greater of two lengths at the speed of the
//          tightest turn: the shortest path without obstacles (Dubins, or Reeds and Shepp), and the
//          path round the obstacles without a turning radius. The first knows the last bends, the
//          second knows the streets. Some radii away from the goal the length of Reeds and Shepp
//          comes from a table, which saves a fifth of the instructions; it only decides the order
//          of the nodes. Every few expansions the analytic shortest path to the goal is tried ("a
//          shot"), so plans end exactly at the goal.
//
//          The cost of an arc is the time to drive it as fast as its curvature allows; a change of
//          direction costs the time to stop. Time to accelerate is not counted, because the search
//          would then look at everything before each bend again; the exact speeds are computed with
//          the shot. The lowest speed that braking can reach limits the curvature: a fast vehicle
//          brakes before it turns.
// Cost:    O(moves · log waiting) per expansion.
// Source:  AIPATH chapters 3 and 4; Dolgov et al., "Practical search techniques in path planning"
//          (2008) for the two heuristics and the shots. Departs from AIPATH 4.3.2: nodes are not
//          overwritten in place.
#include "kerb/plan_search.h"

#include "search.h"

#include "../../base/shared.h"

#include <string.h>

// Expansions from shot to shot. A shot costs more than an expansion; chosen by trial. [1]
#define SHOT_INTERVAL 5
// After each block of this many expansions the interval grows by one. The longer no shot has
// arrived, the less a short delay of the next one matters. [1]
#define SHOT_RARER 500
// Cell of squared speeds, used while the vehicle is too fast for its tightest turn. Chosen by
// trial. [m²/s²]
#define SEARCH_SPEED_CELL 15.0f
// Speed that counts in the slower direction of travel, over the speed of the tightest turn; see
// counted(). Chosen by trial. [1]
#define SEARCH_SLOW_SHARE 0.6f
// Cells to each side of the start that a key can distinguish: 20 bits per axis. [1]
#define SEARCH_CELLS_ASIDE (1 << 19)

// --------------------------------------------------------------------------- cells

// Whole cells from `least`, clamped to the range. [least: <= 0]
static inline int32_t search_whole(float x, int32_t least, int32_t most) {
    float held = kerb_clamp(x - (float)least, 0.0f, (float)(most - least));
    return (int32_t)held;
}

// The cell of a pose: along x and y, of heading and of speed.
typedef struct cell_of_pose {
    int32_t x, y, heading, speed;
} cell_of_pose;

// The cell of a pose. `slow` as in a node.
static inline cell_of_pose cell_at(const plan_search* s, kerb_pose pose, float slow) {
    cell_of_pose cell;
    cell.x = search_whole((pose.position.x - s->origin.x) * s->per_cell, -SEARCH_CELLS_ASIDE,
                          SEARCH_CELLS_ASIDE - 1);
    cell.y = search_whole((pose.position.y - s->origin.y) * s->per_cell, -SEARCH_CELLS_ASIDE,
                          SEARCH_CELLS_ASIDE - 1);
    cell.heading =
        search_whole(plan_diamond(pose.forward) * s->per_heading, 0, s->lattice.headings - 1);
    cell.speed = slow <= s->turn_square ? 0 : 1 + search_whole(slow / SEARCH_SPEED_CELL, 0, 254);
    return cell;
}

static inline uint64_t search_key_of(cell_of_pose c, uint32_t reverse) {
    uint64_t place = (uint64_t)(uint32_t)c.x << 20 | (uint32_t)c.y;
    uint32_t heading = (uint32_t)c.heading;
    uint64_t cells = 1 + ((place << 13 | heading >> 2) << 9 | (uint32_t)c.speed << 1 | reverse);
    return kerb_in_plan_nodes_key(cells, heading & 3);
}

// --------------------------------------------------------------------------- cost to go

// Speed at which the cost to go is counted: that of the tightest turn. An arc that leads on then
// never costs more than it saves, so the search does not fall back at each bend. Weights below 1
// find better paths at a higher price; a weight of this speed over the greatest speed makes the
// estimate a bound. [m/s]
static float search_turning_speed(const plan_rates* r) {
    int32_t way = r->speed_squared[1] > r->speed_squared[0];
    return kerb_sqrt(kerb_in_plan_cap(r, r->curvature, way));
}

// Squared speed that counts for an arc. The slower direction of travel is meant for getting out of
// places, so it counts as so slow that a long drive in it never looks better than turning round.
// [m²/s²]
static float counted(const plan_rates* r, float cap, int32_t reverse) {
    if (!(r->speed_squared[reverse] < r->speed_squared[1 - reverse]))
        return cap;
    float turning = search_turning_speed(r);
    return kerb_min(cap, SEARCH_SLOW_SHARE * SEARCH_SLOW_SHARE * turning * turning);
}

// Approximate length of the shortest path; `straight` is the distance. [m]
static float search_shortest(const plan_search* s, const plan_distant* distant, kerb_pose from,
                             kerb_pose to, float straight) {
    float radius = 1.0f / s->rates.curvature;
    if (!(s->rates.speed_squared[1] > 0.0f))
        return kerb_dubins_length(from, to, radius);
    return straight >= PLAN_DISTANT_LEAST * radius
               ? kerb_in_plan_distant_length(distant, from, to, radius, straight)
               : kerb_reeds_shepp_length(from, to, radius);
}

// Distance to the goals round the obstacles, as if the vehicle could turn on the spot. [m]
static float round_to_go(const plan_ground* ground, kerb_pose pose) {
    return kerb_in_plan_flow_distance(ground->flow, pose.position);
}

// A path within 2 % of the straight line to its goal counts as the shortest one; further goals are
// not measured. With a free heading one of a goal's exact ends is mostly that near. [1]
#define STRAIGHT_ENOUGH 1.02f

// Cost to go: the shortest path without obstacles to the nearest goal, or `round` where that is
// more. The goal that was nearest last time is measured first; mostly no other needs measuring. [m]
static float search_to_go(plan_search* s, const plan_distant* distant, kerb_pose pose,
                          float round) {
    float radius = 1.0f / s->rates.curvature, least = KERB_NO_CURVE;
    int32_t first = s->favourite;
    for (int32_t i = 0; i < s->goal_count; i++) {
        int32_t goal = i == 0 ? first : i <= first ? i - 1 : i;
        kerb_vec2 away = kerb_vec2_sub(s->goals[goal].pose.position, pose.position);
        float straight = kerb_sqrt(kerb_vec2_dot(away, away));
        if (straight >= least)
            continue;
        // The path is at most this much longer than the straight line: if `round` is greater than
        // both together, the path is not measured.
        bool is_far = straight > s->lattice.far * radius;
        float length = is_far ? straight : straight + 7.34f * radius;
        if (length > round && !is_far)
            length = search_shortest(s, distant, pose, s->goals[goal].pose, straight);
        if (length < least) {
            least = length;
            s->favourite = goal;
        }
        if (least <= kerb_max(round, STRAIGHT_ENOUGH * straight))
            break;
    }
    return kerb_max(least, round);
}

// Estimated cost of a path through a node with `metres` to go. [s]
static float search_estimate(const plan_search* s, const plan_node* node, float metres) {
    return node->cost + s->lattice.weight * metres / s->turning_speed;
}

// --------------------------------------------------------------------------- steps

// Cost of a change of direction at about the speed of the tightest turn. Half of the time to brake
// and to accelerate is counted, because the other half is needed for the distance anyway. [s]
static float time_to_turn_back(const plan_rates* r) {
    float speed = kerb_sqrt(
        kerb_min(kerb_in_plan_cap(r, r->curvature, 0), kerb_in_plan_cap(r, r->curvature, 1)));
    return r->reversal_time + 0.5f * speed * (r->per_braking[0] + r->per_acceleration[1]);
}

static bool arc_is_free(const plan_search* s, const plan_ground* ground, kerb_pose from,
                        const plan_node* node) {
    if (node->move >= 0 && ground->space->stencil)
        return ground->space->is_stencil_free(ground->space->context, from,
                                              &s->stencils[node->move]);
    plan_arc arc = {node->curvature, node->length};
    return !ground->space->is_free || ground->space->is_free(ground->space->context, from, arc);
}

// Whether the arc to a node is free. Tested once, when it first matters.
static bool search_settle(const plan_search* s, const plan_ground* ground, int32_t index) {
    if (kerb_in_plan_nodes_is_sure(ground->nodes, index))
        return true;
    const plan_node* node = kerb_in_plan_nodes_at(ground->nodes, index);
    bool is_free =
        arc_is_free(s, ground, kerb_in_plan_nodes_at(ground->nodes, node->parent)->pose, node);
    kerb_in_plan_nodes_settle(ground->nodes, index, is_free);
    return is_free;
}

// Where all moves from one node lead, as far as needed to decide whether they are worth a node.
// Stored as rows, so that compilers can vectorise loops over them.
typedef struct reached_rows {
    float x[PLAN_MOVES_MAX], y[PLAN_MOVES_MAX];                 // [m]
    float forward_x[PLAN_MOVES_MAX], forward_y[PLAN_MOVES_MAX]; // nearly of length 1
    float cost[PLAN_MOVES_MAX], slow[PLAN_MOVES_MAX];           // of nodes
    int32_t cell_x[PLAN_MOVES_MAX], cell_y[PLAN_MOVES_MAX];     // see cell_of_pose
    int32_t cell_heading[PLAN_MOVES_MAX], cell_speed[PLAN_MOVES_MAX];
    int32_t corner[PLAN_MOVES_MAX]; // of the flow
    float away[PLAN_MOVES_MAX];     // distance from that corner [cells]
} reached_rows;

static plan_node node_of(const plan_moves* moves, const reached_rows* r, int32_t move,
                         int32_t parent, float round) {
    kerb_vec2 forward = {r->forward_x[move], r->forward_y[move]};
    plan_node node = {.pose = {{r->x[move], r->y[move]}, curve_unit_again(forward)},
                      .cost = r->cost[move],
                      .slow = r->slow[move],
                      .curvature = moves->curvature[move],
                      .length = moves->length[move],
                      .round = round,
                      .parent = parent,
                      .move = moves->are_as_given ? move : -1};
    return node;
}

// Adds a node if its cell has no better one. Of two nodes for one cell the better one gets it if
// its arc is free, otherwise the other. The arc to a node without a rival is not tested before the
// node is expanded, which for most never happens.
static void try_node(plan_search* s, const plan_ground* ground, const plan_flow_known* known,
                     plan_flow_spot spot, kerb_pose from, plan_node* node, uint64_t key) {
    uint32_t cell = kerb_in_plan_nodes_cell(ground->nodes, key);
    if (!(node->cost < kerb_in_plan_nodes_sure_cost(ground->nodes, cell)))
        return;
    node->round = kerb_in_plan_flow_distance_from(ground->flow, known, spot, node->pose.position);
    if (node->round >= KERB_NO_CURVE)
        return;
    int32_t best = kerb_in_plan_nodes_best(ground->nodes, cell);
    bool is_worse = best >= 0 && kerb_in_plan_nodes_cost(ground->nodes, cell) <= node->cost;
    if (is_worse && search_settle(s, ground, best))
        return;
    bool is_contested = best >= 0 && !is_worse;
    if (is_contested && !arc_is_free(s, ground, from, node))
        return;
    float rough = search_estimate(s, node, node->round);
    kerb_in_plan_nodes_add(ground->nodes, node, cell, key, is_contested, rough);
}

// The greatest curvature at the lowest speed that is possible here. [1/m]
static float tightest(const plan_search* s, const plan_node* node) {
    float curvature = s->rates.curvature;
    if (node->slow * curvature > s->rates.lateral)
        curvature = s->rates.lateral / node->slow;
    if (node->slow * curvature * curvature > s->rates.yaw_rate * s->rates.yaw_rate)
        curvature = s->rates.yaw_rate / kerb_sqrt(node->slow);
    return curvature;
}

static void set_move(plan_search* s, plan_moves* m, int32_t at, float curvature, float length) {
    const plan_rates* r = &s->rates;
    int32_t reverse = length < 0.0f;
    kerb_pose end = curve_moved(kerb_pose_make(0.0f, 0.0f, 0.0f), curvature, length);
    float cap = kerb_in_plan_cap(r, curvature, reverse);
    m->curvature[at] = curvature;
    m->length[at] = length;
    m->along_x[at] = end.position.x;
    m->along_y[at] = end.position.y;
    m->turned_x[at] = end.forward.x;
    m->turned_y[at] = end.forward.y;
    m->cap[at] = cap;
    m->loss[at] = r->loss[reverse] * kerb_abs(length);
    m->time[at] = KERB_NO_CURVE;
    if (cap > 0.0f)
        m->time[at] = kerb_abs(length) / kerb_sqrt(counted(r, cap, reverse));
}

// Moves with smaller curvatures, for a vehicle that is too fast for its tightest turn.
static void widen_moves(plan_search* s, float share, plan_moves* wider) {
    *wider = s->moves;
    wider->are_as_given = false;
    for (int32_t i = 0; i < wider->count; i++)
        set_move(s, wider, i, s->moves.curvature[i] * share, s->moves.length[i]);
}

// Whether a move changes the direction of travel.
static bool search_turns_back(const plan_node* from, float length) {
    return from->length != 0.0f && (from->length < 0.0f) != (length < 0.0f);
}

// Number of moves, rounded up to whole lanes, so that vectorised loops have no remainder.
static inline int32_t whole_lanes(const plan_moves* m) {
    return (m->count + PLAN_MOVES_LANES - 1) / PLAN_MOVES_LANES * PLAN_MOVES_LANES;
}

static void look_at_cells(const plan_search* s, const plan_moves* m, reached_rows* r) {
    for (int32_t i = 0, count = whole_lanes(m); i < count; i++) {
        kerb_pose at = {{r->x[i], r->y[i]}, {r->forward_x[i], r->forward_y[i]}};
        cell_of_pose cell = cell_at(s, at, r->slow[i]);
        r->cell_x[i] = cell.x;
        r->cell_y[i] = cell.y;
        r->cell_heading[i] = cell.heading;
        r->cell_speed[i] = cell.speed;
    }
}

static void look_at_corners(const plan_flow* flow, const plan_moves* m, reached_rows* r) {
    for (int32_t i = 0, count = whole_lanes(m); i < count; i++) {
        plan_flow_spot spot = kerb_in_plan_flow_spot_at(flow, kerb_vec2_make(r->x[i], r->y[i]));
        r->corner[i] = spot.corner;
        r->away[i] = spot.away;
    }
}

// Fills the rows of all moves, also of those for which the vehicle is too fast.
static void look_at_moves(const plan_search* s, const plan_flow* flow, const plan_node* from,
                          const plan_moves* m, reached_rows* r) {
    kerb_pose pose = from->pose;
    // Additional cost of a move forwards and in reverse.
    float on = search_turns_back(from, 1.0f) ? s->turn_back_time : 0.0f;
    float back = search_turns_back(from, -1.0f) ? s->turn_back_time : 0.0f;
    for (int32_t i = 0, count = whole_lanes(m); i < count; i++) {
        kerb_vec2 by = curve_turned(pose.forward, m->along_x[i], m->along_y[i]);
        kerb_vec2 forward = curve_turned(pose.forward, m->turned_x[i], m->turned_y[i]);
        r->x[i] = pose.position.x + by.x;
        r->y[i] = pose.position.y + by.y;
        r->forward_x[i] = forward.x;
        r->forward_y[i] = forward.y;
        r->slow[i] = kerb_max(from->slow - m->loss[i], 0.0f);
        r->cost[i] = from->cost + m->time[i] + (m->length[i] < 0.0f ? back : on);
    }
    look_at_cells(s, m, r);
    look_at_corners(flow, m, r);
}

// Whether the vehicle is slow enough for a move.
static bool may_take(const plan_moves* moves, const plan_node* from, int32_t move) {
    float length = moves->length[move];
    return from->slow <= (search_turns_back(from, length) ? 0.0f : moves->cap[move] * 1.0001f);
}

// Finds the moves for which the vehicle is slow enough and whose cells have no better node at their
// first place in the table. Returns their number. All cells are looked up first, without a branch
// between, so that the processor loads their memory in parallel.
static int32_t worth_a_try(const plan_ground* ground, const plan_node* from,
                           const plan_moves* moves, const reached_rows* reached, uint64_t* keys,
                           int32_t* worth) {
    float first_cost[PLAN_MOVES_MAX];
    int32_t count = 0;
    KERB_WRITTEN(first_cost);
    for (int32_t i = 0; i < moves->count; i++) {
        cell_of_pose cell = {reached->cell_x[i], reached->cell_y[i], reached->cell_heading[i],
                             reached->cell_speed[i]};
        keys[i] = search_key_of(cell, moves->length[i] < 0.0f);
        first_cost[i] = kerb_in_plan_nodes_first_cost(ground->nodes, keys[i]);
    }
    for (int32_t i = 0; i < moves->count; i++) {
        worth[count] = i;
        count += reached->cost[i] < first_cost[i];
    }
    if (!(from->slow > 0.0f))
        return count;
    int32_t slow_enough = 0;
    for (int32_t i = 0; i < count; i++)
        if (may_take(moves, from, worth[i]))
            worth[slow_enough++] = worth[i];
    return slow_enough;
}

// Expands a node. The quick tests come first, because most moves end in cells that have a better
// node.
static void search_expand(plan_search* s, const plan_ground* ground, int32_t index) {
    const plan_node from = *kerb_in_plan_nodes_at(ground->nodes, index);
    const plan_moves* moves = &s->moves;
    plan_moves wider;
    reached_rows reached;
    KERB_WRITTEN(reached);
    float share = tightest(s, &from) / s->rates.curvature;
    if (share < 1.0f) {
        widen_moves(s, share, &wider);
        moves = &wider;
    }
    look_at_moves(s, ground->flow, &from, moves, &reached);
    uint64_t keys[PLAN_MOVES_MAX];
    int32_t worth[PLAN_MOVES_MAX];
    KERB_WRITTEN(keys);
    KERB_WRITTEN(worth);
    int32_t count = worth_a_try(ground, &from, moves, &reached, keys, worth);
    plan_flow_known known = kerb_in_plan_flow_what_is_known(ground->flow);
    for (int32_t k = 0; k < count; k++) {
        int32_t i = worth[k];
        if (ground->space->toll)
            reached.cost[i] +=
                ground->space->toll(ground->space->context, from.pose,
                                    (plan_arc){moves->curvature[i], moves->length[i]});
        plan_node node = node_of(moves, &reached, i, index, 0.0f);
        plan_flow_spot spot = {reached.corner[i], reached.away[i]};
        try_node(s, ground, &known, spot, from.pose, &node, keys[i]);
    }
}

static void find_stencil(plan_search* s, const plan_space* space, int32_t move, int32_t bend) {
    plan_arc arc = {s->moves.curvature[move], s->moves.length[move]};
    if (bend > 0)
        kerb_in_plan_stencil_mirror(&s->stencils[move - 2 * bend], &s->stencils[move]);
    else
        s->stencils[move] = space->stencil(space->context, arc);
}

static void find_moves(plan_search* s, const plan_space* space) {
    plan_moves* m = &s->moves;
    m->are_as_given = true;
    for (int32_t reverse = 0; reverse < 2; reverse++) {
        if (!(s->rates.speed_squared[reverse] > 0.0f))
            continue;
        float length = reverse ? -s->lattice.step : s->lattice.step;
        for (int32_t i = -s->lattice.bends; i <= s->lattice.bends; i++) {
            float share = (float)i / (float)s->lattice.bends;
            set_move(s, m, m->count, s->rates.curvature * share, length);
            if (space->stencil)
                find_stencil(s, space, m->count, i);
            m->count++;
        }
    }
}

// --------------------------------------------------------------------------- shots

// Whether the arc of a node and the next one have one curvature and direction, so that they are one
// arc.
static bool search_goes_on(const plan_node* node, const plan_node* next) {
    return next->length != 0.0f && node->curvature == next->curvature &&
           (node->length < 0.0f) == (next->length < 0.0f);
}

// Number of arcs that lead to a node, after equal ones are joined.
static int32_t count_arcs(const plan_ground* ground, int32_t index) {
    plan_node next = {.length = 0.0f};
    int32_t count = 0;
    while (index >= 0) {
        plan_node node = *kerb_in_plan_nodes_at(ground->nodes, index);
        count += node.length != 0.0f && !search_goes_on(&node, &next);
        next = node;
        index = node.parent;
    }
    return count;
}

// Writes the arcs that lead to a node. Returns their number, or -1 where they are too many.
static int32_t search_arcs_to(plan_search* s, const plan_ground* ground, int32_t index) {
    int32_t count = count_arcs(ground, index);
    if (count > PLAN_ARCS_MAX - KERB_CURVE_PIECES)
        return -1;
    plan_node next = {.length = 0.0f};
    for (int32_t at = count; index >= 0;) {
        plan_node node = *kerb_in_plan_nodes_at(ground->nodes, index);
        if (node.length == 0.0f)
            s->start = -2 - node.parent;
        else if (search_goes_on(&node, &next))
            s->arcs[at].length += node.length;
        else
            s->arcs[--at] = (plan_arc){node.curvature, node.length};
        next = node;
        index = node.parent;
    }
    return count;
}

// Whether all pieces of a shot are free. Straights come first: they are long, quick to test, and
// mostly the blocked ones.
static bool shot_is_free(const plan_ground* ground, const kerb_curve* way) {
    kerb_pose poses[KERB_CURVE_PIECES + 1] = {way->start};
    for (int32_t i = 0; i < way->count; i++)
        poses[i + 1] = curve_moved(poses[i], way->curvature[i], way->length[i]);
    for (int32_t i = 0; ground->space->is_free && i < 2 * way->count; i++) {
        int32_t piece = i < way->count ? i : i - way->count;
        plan_arc arc = {way->curvature[piece], way->length[piece]};
        bool is_turn = (arc.curvature != 0.0f) == (i >= way->count);
        if (is_turn && !ground->space->is_free(ground->space->context, poses[piece], arc))
            return false;
    }
    return true;
}

// A shot is the shortest path, in any direction of travel. If it drives so long in the slower
// direction that turning round twice is faster, it is refused and the search goes on. Where there
// is no space to turn, the search comes nearer in that direction until the shot is short enough.
static bool is_long_in_reverse(const plan_search* s, const kerb_curve* way) {
    const plan_rates* r = &s->rates;
    int32_t slower = r->speed_squared[1] <= r->speed_squared[0];
    if (!(r->speed_squared[slower] > 0.0f))
        return false;
    float length = 0.0f, turning = search_turning_speed(r);
    for (int32_t i = 0; i < way->count; i++)
        if ((way->length[i] < 0.0f) == (slower == 1))
            length += kerb_abs(way->length[i]);
    float slow = kerb_sqrt(counted(r, kerb_in_plan_cap(r, 0.0f, slower), slower));
    float round = 2.0f * (time_to_turn_back(r) + KERB_PI / (r->curvature * turning));
    return length * (1.0f / slow - 1.0f / turning) > round;
}

// Whether a shot is better than the present answer. A shot over ground without a cost is always
// taken and ends the search; of the others the cheapest counts.
static bool is_worth(const plan_search* s, const plan_ground* ground, const plan_node* from,
                     const plan_arc* arcs, int32_t count, float* reckoned) {
    float length = 0.0f, toll = plan_way_toll(ground->space, from->pose, arcs, count);
    for (int32_t i = 0; i < count; i++)
        length += kerb_abs(arcs[i].length);
    *reckoned = toll > 0.0f ? from->cost + length / search_turning_speed(&s->rates) + toll : 0.0f;
    return *reckoned < s->reckoned;
}

// Speed at the start of the path to a node. O(nodes to the start)
static float speed_at_start(const plan_ground* ground, int32_t index) {
    const plan_node* node = kerb_in_plan_nodes_at(ground->nodes, index);
    while (node->parent >= 0)
        node = kerb_in_plan_nodes_at(ground->nodes, node->parent);
    return node->curvature; // starts have no arc and keep their speed here
}

static bool search_shoot_at(plan_search* s, const plan_ground* ground, int32_t index,
                            int32_t goal) {
    kerb_pose here = kerb_in_plan_nodes_at(ground->nodes, index)->pose, there = s->goals[goal].pose;
    float radius = 1.0f / s->rates.curvature;
    kerb_curve way = s->rates.speed_squared[1] > 0.0f ? kerb_reeds_shepp(here, there, radius)
                                                      : kerb_dubins(here, there, radius);
    if (is_long_in_reverse(s, &way) || !shot_is_free(ground, &way))
        return false;
    plan_arc shot[KERB_CURVE_PIECES];
    for (int32_t i = 0; i < way.count; i++)
        shot[i] = (plan_arc){way.curvature[i], way.length[i]};
    float reckoned;
    const plan_node* from = kerb_in_plan_nodes_at(ground->nodes, index);
    if (!is_worth(s, ground, from, shot, way.count, &reckoned))
        return false;
    plan_arc kept[PLAN_ARCS_MAX];
    int32_t kept_start = s->start;
    bool had_way = kerb_in_plan_search_has_way(s);
    if (had_way)
        memcpy(kept, s->arcs, sizeof kept);
    int32_t count = search_arcs_to(s, ground, index);
    for (int32_t i = 0; count >= 0 && i < way.count; i++)
        s->arcs[count++] = shot[i];
    float time =
        count < 0 ? KERB_PLAN_NEVER
                  : kerb_in_plan_movement_time(&s->rates, s->arcs, count,
                                               speed_at_start(ground, index), s->goals[goal].speed);
    bool is_path = time < KERB_PLAN_NEVER && count > 0; // a start at the goal needs none
    if (!is_path) {
        if (had_way) {
            memcpy(s->arcs, kept, sizeof kept);
            s->start = kept_start;
        }
        return false;
    }
    s->time = time;
    s->reckoned = reckoned;
    s->count = count;
    s->goal = goal;
    return reckoned == 0.0f;
}

static bool search_shoot(plan_search* s, const plan_ground* ground, int32_t index) {
    if (s->until_shot-- > 0)
        return false;
    s->until_shot = SHOT_INTERVAL - 1 + s->expansions / SHOT_RARER;
    // Of several goals the nearest one, and the others in turn.
    s->turn = s->turn + 1 < s->goal_count ? s->turn + 1 : 0;
    return search_shoot_at(s, ground, index, s->favourite) ||
           (s->turn != s->favourite && search_shoot_at(s, ground, index, s->turn));
}

// --------------------------------------------------------------------------- the search

static void search_add_start(plan_search* s, const plan_ground* ground, const kerb_plan_end* start,
                             int32_t index) {
    float squared = start->speed * start->speed;
    plan_node node = {.pose = start->pose,
                      .cost = start->penalty,
                      .slow = squared,
                      .curvature = start->speed,
                      .parent = -2 - index,
                      .move = -1};
    node.round = round_to_go(ground, node.pose);
    if (node.round >= KERB_NO_CURVE)
        return;
    uint64_t key = search_key_of(cell_at(s, node.pose, node.slow), 0);
    uint32_t cell = kerb_in_plan_nodes_cell(ground->nodes, key);
    if (kerb_in_plan_nodes_sure_cost(ground->nodes, cell) > node.cost)
        kerb_in_plan_nodes_add(ground->nodes, &node, cell, key, true,
                               search_estimate(s, &node, node.round));
}

void kerb_in_plan_search_begin(plan_search* search, const plan_ground* ground,
                               const plan_rates* rates, const plan_lattice* lattice,
                               const kerb_plan_query* query) {
    memset(search, 0, sizeof *search);
    search->lattice = *lattice;
    search->rates = *rates;
    search->time = search->reckoned = KERB_PLAN_NEVER;
    search->goal_count = query->goal_count;
    for (int32_t i = 0; i < query->goal_count; i++)
        search->goals[i] = query->goals[i];
    search->origin = query->starts[0].pose.position;
    search->per_cell = 1.0f / lattice->cell;
    search->per_heading = 0.25f * (float)lattice->headings;
    search->turn_square = rates->lateral / rates->curvature;
    search->turning_speed = search_turning_speed(rates);
    search->turn_back_time = time_to_turn_back(rates);
    find_moves(search, ground->space);
    kerb_in_plan_nodes_clear(ground->nodes);
    for (int32_t i = 0; i < query->start_count; i++)
        search_add_start(search, ground, &query->starts[i], i);
}

bool kerb_in_plan_search_has_way(const plan_search* search) {
    return search->reckoned < KERB_PLAN_NEVER;
}

void kerb_in_plan_search_forget_way(plan_search* search) {
    search->time = search->reckoned = KERB_PLAN_NEVER;
    search->count = 0;
}

// Takes the waiting node with the least estimate. Nodes are added with a rough estimate, the
// distance round the obstacles, which is known at once. The shortest path is measured only for a
// node that comes first; if it is longer, the node waits again. The arc to a node is tested only
// when the node is taken.
static int32_t next_node(plan_search* s, const plan_ground* ground) {
    for (;;) {
        bool is_rough;
        int32_t index = kerb_in_plan_nodes_first(ground->nodes, &is_rough);
        if (index < 0)
            return -1;
        const plan_node* node = kerb_in_plan_nodes_at(ground->nodes, index);
        float metres = is_rough ? search_to_go(s, ground->distant, node->pose, node->round) : 0.0f;
        if (metres > node->round) {
            kerb_in_plan_nodes_wait(ground->nodes, search_estimate(s, node, metres));
            continue;
        }
        kerb_in_plan_nodes_drop(ground->nodes);
        if (search_settle(s, ground, index))
            return index;
    }
}

plan_search_state kerb_in_plan_search_advance(plan_search* search, const plan_ground* ground,
                                              int32_t expansions) {
    for (int32_t i = 0; i < expansions; i++) {
        if (ground->nodes->count + 64 > ground->nodes->capacity)
            return PLAN_SEARCH_FULL;
        if (kerb_in_plan_search_has_way(search) &&
            kerb_in_plan_nodes_least(ground->nodes) >= search->reckoned)
            return PLAN_SEARCH_FOUND;
        int32_t index = next_node(search, ground);
        if (index < 0)
            return PLAN_SEARCH_EXHAUSTED;
        search->expansions++;
        if (search_shoot(search, ground, index))
            return PLAN_SEARCH_FOUND;
        search_expand(search, ground, index);
    }
    return PLAN_SEARCH_RUNNING;
}
