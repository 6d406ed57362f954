// Purpose: a way from start to goal round obstacles, for something that cannot turn on the spot.
// Idea:    A* over places and headings: arcs of a few curvatures forwards, and in reverse where the
//          vehicle may; each cell of place and heading keeps its quickest node, with its exact
//          pose. What is still to go is the greater of the shortest way without obstacles (Dubins,
//          Reeds and Shepp) and the way round the obstacles without a turning radius, at top speed:
//          the first knows the last bends, the second the streets. Reeds and Shepp's is read from
//          a table some radii away from the goal, which saves a fifth of the instructions: it says
//          only what comes first. Every few expansions the shortest way to the goal itself is
//          tried; so movements end exactly there.
//
//          Time is that of driving each arc as fast as it allows, with what stopping to turn back
//          costs. To count the time of gaining speed as well makes the search look at everything
//          before each bend again; the exact speeds come with the shot. The lowest speed that
//          braking can reach decides how tightly it may turn: coming fast, it brakes before it
//          turns.
// Cost:    about a microsecond an expansion.
// Source:  AIPATH chapters 3 and 4; Dolgov et al., "Practical search techniques in path planning"
//          (2008) for the two heuristics and the shots. Departs from AIPATH 4.3.2: nodes are not
//          overwritten in place.
#include "kerb/plan_search.h"

#include "search.h"

#include "../../base/shared.h"

#include <string.h>

// Expansions from shot to shot.
#define SHOT_INTERVAL 5
// After so many expansions there is one more of them between shots: the longer none has arrived,
// the less it matters that the next comes a little later.
#define SHOT_RARER 500
// Squared speeds that are told apart while the vehicle is too fast to turn as it likes. [m²/s²]
#define SEARCH_SPEED_CELL 15.0f
// See counted(). [1]
#define SEARCH_SLOW_SHARE 0.6f
// Cells to each side of the start that a key can tell.
#define SEARCH_CELLS_ASIDE (1 << 19)

// --------------------------------------------------------------------------- cells

// Counted from `least`, which is below 0 or 0; what is beyond is held there.
static inline int32_t search_whole(float x, int32_t least, int32_t most) {
    float held = kerb_clamp(x - (float)least, 0.0f, (float)(most - least));
    return (int32_t)held;
}

// Where a pose lies: cells across, up, round and of speed.
typedef struct cell_of_pose {
    int32_t x, y, heading, speed;
} cell_of_pose;

// `slow` is that of a node.
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
    return plan_nodes_key(cells, heading & 3);
}

// --------------------------------------------------------------------------- still to go

// What the tightest turn allows: no arc that leads on then counts for more than it brings, and the
// search does not stop at each bend to look at all that it has left out. Weights below 1 look for
// better ways at a higher price; that of this over the greatest speed makes it a bound.
static float search_turning_speed(const plan_rates* r) {
    int32_t way = r->speed_squared[1] > r->speed_squared[0];
    return kerb_sqrt(plan_cap(r, r->curvature, way));
}

// The direction that a vehicle is slower in is for getting out of places. It counts as slow enough
// that going on in it never looks as good as turning round. [m²/s²]
static float counted(const plan_rates* r, float cap, int32_t reverse) {
    if (!(r->speed_squared[reverse] < r->speed_squared[1 - reverse]))
        return cap;
    float turning = search_turning_speed(r);
    return kerb_min(cap, SEARCH_SLOW_SHARE * SEARCH_SLOW_SHARE * turning * turning);
}

// About the length of the shortest way; the straight is so long.
static float search_shortest(const plan_search* s, const plan_distant* distant, kerb_pose from,
                             kerb_pose to, float straight) {
    float radius = 1.0f / s->rates.curvature;
    if (!(s->rates.speed_squared[1] > 0.0f))
        return kerb_dubins_length(from, to, radius);
    return straight >= PLAN_DISTANT_LEAST * radius
               ? kerb_in_plan_distant_length(distant, from, to, radius, straight)
               : kerb_reeds_shepp_length(from, to, radius);
}

// Metres round the obstacles, for what could turn on the spot.
static float round_to_go(const plan_ground* ground, kerb_pose pose) {
    return kerb_in_plan_flow_distance(ground->flow, pose.position);
}

// Where headings are free, one goal's way is nearly straight: good enough. [1]
#define STRAIGHT_ENOUGH 1.02f

// Metres: the shortest way without obstacles to the nearest goal, or `round` where that is more.
// The goal that was nearest last is asked first, and mostly settles it.
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
        // Turning takes at most this much more than the straight: then it does not matter.
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

// From metres to seconds, about.
static float search_estimate(const plan_search* s, const plan_node* node, float metres) {
    return node->cost + s->lattice.weight * metres / s->turning_speed;
}

// --------------------------------------------------------------------------- steps

// What stopping and setting off again costs a vehicle that was about as fast as its tightest turn
// allows: half of the time that braking and gaining speed take is needed on the way anyway. [s]
static float time_to_turn_back(const plan_rates* r) {
    float speed = kerb_sqrt(kerb_min(plan_cap(r, r->curvature, 0), plan_cap(r, r->curvature, 1)));
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

// Whether the arc to a node is free: looked at when it first matters.
static bool search_settle(const plan_search* s, const plan_ground* ground, int32_t index) {
    if (kerb_in_plan_nodes_is_sure(ground->nodes, index))
        return true;
    const plan_node* node = plan_nodes_at(ground->nodes, index);
    bool is_free = arc_is_free(s, ground, plan_nodes_at(ground->nodes, node->parent)->pose, node);
    kerb_in_plan_nodes_settle(ground->nodes, index, is_free);
    return is_free;
}

// What all moves lead to from one node, as far as it matters whether they are worth one: rows, so
// that compilers take several at a time.
typedef struct reached_rows {
    float x[PLAN_MOVES_MAX], y[PLAN_MOVES_MAX];                 // [m]
    float forward_x[PLAN_MOVES_MAX], forward_y[PLAN_MOVES_MAX]; // nearly of length 1
    float cost[PLAN_MOVES_MAX], slow[PLAN_MOVES_MAX];           // of nodes
    int32_t cell_x[PLAN_MOVES_MAX], cell_y[PLAN_MOVES_MAX];     // see cell_of_pose
    int32_t cell_heading[PLAN_MOVES_MAX], cell_speed[PLAN_MOVES_MAX];
    int32_t corner[PLAN_MOVES_MAX]; // of the flow
    float away[PLAN_MOVES_MAX];     // from it [cells]
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

// The better one of two that want the same cell gets it if its arc is free, else the other. One
// that nobody contests is not looked at before its turn comes, which for most is never.
static void try_node(plan_search* s, const plan_ground* ground, const plan_flow_known* known,
                     plan_flow_spot spot, kerb_pose from, plan_node* node, uint64_t key) {
    uint32_t cell = plan_nodes_cell(ground->nodes, key);
    if (!(node->cost < plan_nodes_sure_cost(ground->nodes, cell)))
        return;
    node->round = plan_flow_distance_from(ground->flow, known, spot, node->pose.position);
    if (node->round >= KERB_NO_CURVE)
        return;
    int32_t best = plan_nodes_best(ground->nodes, cell);
    bool is_worse = best >= 0 && plan_nodes_cost(ground->nodes, cell) <= node->cost;
    if (is_worse && search_settle(s, ground, best))
        return;
    bool is_contested = best >= 0 && !is_worse;
    if (is_contested && !arc_is_free(s, ground, from, node))
        return;
    float rough = search_estimate(s, node, node->round);
    kerb_in_plan_nodes_add(ground->nodes, node, cell, key, is_contested, rough);
}

// The tightest turn that the least speed here allows.
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
    float cap = plan_cap(r, curvature, reverse);
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

// Too fast to turn as tightly as it could: the same moves, wider.
static void widen_moves(plan_search* s, float share, plan_moves* wider) {
    *wider = s->moves;
    wider->are_as_given = false;
    for (int32_t i = 0; i < wider->count; i++)
        set_move(s, wider, i, s->moves.curvature[i] * share, s->moves.length[i]);
}

// Whether going on by a move would turn back.
static bool search_turns_back(const plan_node* from, float length) {
    return from->length != 0.0f && (from->length < 0.0f) != (length < 0.0f);
}

// Of all moves, and of as many as fill the last lanes: compilers then need nothing for a rest.
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
        plan_flow_spot spot = plan_flow_spot_at(flow, kerb_vec2_make(r->x[i], r->y[i]));
        r->corner[i] = spot.corner;
        r->away[i] = spot.away;
    }
}

// Rows of all moves, even those that it is too fast for.
static void look_at_moves(const plan_search* s, const plan_flow* flow, const plan_node* from,
                          const plan_moves* m, reached_rows* r) {
    kerb_pose pose = from->pose;
    // What going on forwards and in reverse costs, beside the time.
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

// Whether it is slow enough for a move.
static bool may_take(const plan_moves* moves, const plan_node* from, int32_t move) {
    float length = moves->length[move];
    return from->slow <= (search_turns_back(from, length) ? 0.0f : moves->cap[move] * 1.0001f);
}

// Moves that it is slow enough for and whose cells have nothing better, as far as can be told at
// once. All are looked up before any is tried and without a branch between, so that processors wait
// for all of the memory at once. How many.
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
        first_cost[i] = plan_nodes_first_cost(ground->nodes, keys[i]);
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

// What is quick to know comes first: most moves end in cells that have a better node.
static void search_expand(plan_search* s, const plan_ground* ground, int32_t index) {
    const plan_node from = *plan_nodes_at(ground->nodes, index);
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

// The arc of a node goes on like the one after it: they are one.
static bool search_goes_on(const plan_node* node, const plan_node* next) {
    return next->length != 0.0f && node->curvature == next->curvature &&
           (node->length < 0.0f) == (next->length < 0.0f);
}

// Arcs that lead to a node, those that go on alike counted as one.
static int32_t count_arcs(const plan_ground* ground, int32_t index) {
    plan_node next = {.length = 0.0f};
    int32_t count = 0;
    while (index >= 0) {
        plan_node node = *plan_nodes_at(ground->nodes, index);
        count += node.length != 0.0f && !search_goes_on(&node, &next);
        next = node;
        index = node.parent;
    }
    return count;
}

// Writes the arcs that lead to a node; how many, or -1 where they are too many.
static int32_t search_arcs_to(plan_search* s, const plan_ground* ground, int32_t index) {
    int32_t count = count_arcs(ground, index);
    if (count > PLAN_ARCS_MAX - KERB_CURVE_PIECES)
        return -1;
    plan_node next = {.length = 0.0f};
    for (int32_t at = count; index >= 0;) {
        plan_node node = *plan_nodes_at(ground->nodes, index);
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

// Straights first: they are long, quick to test, and what is mostly in the way.
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

// A shot takes the shortest way, whichever direction that is driven in. Where it would go on for so
// long in the slower one that turning round, and round again, is quicker, the search goes on: as
// far as there is no room to turn, it comes nearer in that direction.
static bool is_long_in_reverse(const plan_search* s, const kerb_curve* way) {
    const plan_rates* r = &s->rates;
    int32_t slower = r->speed_squared[1] <= r->speed_squared[0];
    if (!(r->speed_squared[slower] > 0.0f))
        return false;
    float length = 0.0f, turning = search_turning_speed(r);
    for (int32_t i = 0; i < way->count; i++)
        if ((way->length[i] < 0.0f) == (slower == 1))
            length += kerb_abs(way->length[i]);
    float slow = kerb_sqrt(counted(r, plan_cap(r, 0.0f, slower), slower));
    float round = 2.0f * (time_to_turn_back(r) + KERB_PI / (r->curvature * turning));
    return length * (1.0f / slow - 1.0f / turning) > round;
}

// A shot over ground that is free of charge is taken as it comes. Of others the cheapest counts.
static bool is_worth(const plan_search* s, const plan_ground* ground, const plan_node* from,
                     const plan_arc* arcs, int32_t count, float* reckoned) {
    float length = 0.0f, toll = plan_way_toll(ground->space, from->pose, arcs, count);
    for (int32_t i = 0; i < count; i++)
        length += kerb_abs(arcs[i].length);
    *reckoned = toll > 0.0f ? from->cost + length / search_turning_speed(&s->rates) + toll : 0.0f;
    return *reckoned < s->reckoned;
}

// O(nodes to the start)
static float speed_at_start(const plan_ground* ground, int32_t index) {
    const plan_node* node = plan_nodes_at(ground->nodes, index);
    while (node->parent >= 0)
        node = plan_nodes_at(ground->nodes, node->parent);
    return node->curvature; // of starts, which have no arc
}

static bool search_shoot_at(plan_search* s, const plan_ground* ground, int32_t index,
                            int32_t goal) {
    kerb_pose here = plan_nodes_at(ground->nodes, index)->pose, there = s->goals[goal].pose;
    float radius = 1.0f / s->rates.curvature;
    kerb_curve way = s->rates.speed_squared[1] > 0.0f ? kerb_reeds_shepp(here, there, radius)
                                                      : kerb_dubins(here, there, radius);
    if (is_long_in_reverse(s, &way) || !shot_is_free(ground, &way))
        return false;
    plan_arc shot[KERB_CURVE_PIECES];
    for (int32_t i = 0; i < way.count; i++)
        shot[i] = (plan_arc){way.curvature[i], way.length[i]};
    float reckoned;
    const plan_node* from = plan_nodes_at(ground->nodes, index);
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
    if (!(time < KERB_PLAN_NEVER)) {
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
    // Of many goals the nearest, and the others in turn.
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
    uint32_t cell = plan_nodes_cell(ground->nodes, key);
    if (plan_nodes_sure_cost(ground->nodes, cell) > node.cost)
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

// The waiting node of the least estimate. They come in by the way round the obstacles alone, which
// is known at once; only of those that come first the shortest way is found, and where that says
// more they wait again, and only of those that are next it is looked whether they can be reached.
static int32_t next_node(plan_search* s, const plan_ground* ground) {
    for (;;) {
        bool is_rough;
        int32_t index = kerb_in_plan_nodes_first(ground->nodes, &is_rough);
        if (index < 0)
            return -1;
        const plan_node* node = plan_nodes_at(ground->nodes, index);
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
