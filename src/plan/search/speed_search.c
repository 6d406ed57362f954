// Purpose: the search for the fastest plan over positions, headings and speeds.
// Idea:    A* over composite actions. Each cell keeps one state, exactly as it was reached. A probe
//          may run first: it always goes on to the most promising successor and never back. A* then
//          goes on from all states that the probe has reached. Every few expansions an analytic
//          path with its exact speed profile is tried from the expanded state to a goal (a shot).
//
//          The weight of the cost to go falls from answer to answer (ARA*). During a round, cells
//          that have been expanded stay closed, and better states in them wait for the next round.
//          The last round opens them again, because the estimates are not consistent: cells are
//          coarser than the states in them.
//
//          A state does not compete with its own parent. A step across the corner of a cell may end
//          in the parent's cell, and driving straight on must be possible there.
// Cost:    About 15 successors per expansion, O(log waiting) each; O(states) for a new round.
// Source:  AIPATH 4.1 to 4.5; Likhachev, Gordon and Thrun, "ARA*" (2004). Departs from AIPATH
//          4.3.2: a better state is a new state and does not overwrite the parent of others. 4.3.6
//          proposes fixed-point numbers for reproducible results; here floats are reproducible.
#include "kerb/plan_search.h"

#include "speed_search.h"

#include "../model/wheels.h"

#include "../../base/shared.h"
#include "../../curve/shared.h"

#include <string.h>

// Duration of a wait at standstill, after which the movers are looked at again. Half of it doubles
// the states of a long wait; twice as much wastes time at each. [s]
#define WAIT 0.5f

// Number of last arcs to a state that are checked where wheels take time to turn. Jumps that are
// joined into one turning mostly lie within these. [1]
#define WHEELS_BACK 6

// --------------------------------------------------------------------------- the order

static float in_cells(float seconds, float cell) {
    return cell * floorf(seconds / cell + 0.5f);
}

static float speed_search_estimate_of(const plan_speed_search* s, const plan_speed_node* node) {
    const kerb_plan_search_settings* set = &s->space.settings;
    float cost = node->cost, rest = node->rest;
    if (set->time_use == KERB_PLAN_TIME_ROUNDED) {
        cost = in_cells(cost, set->time_cell);
        rest = in_cells(rest, set->time_cell);
    }
    return cost + s->weight * rest;
}

// Whether a state with too great an estimate can be dropped for good: only where the estimate is a
// lower bound.
static bool may_prune(const plan_speed_search* s) {
    int32_t heuristic = s->space.settings.heuristic;
    return heuristic == KERB_PLAN_ADMISSIBLE || heuristic == KERB_PLAN_EUCLIDEAN;
}

static bool is_hopeless(const plan_speed_search* s, const plan_speed_node* node) {
    return may_prune(s) && node->cost + node->rest >= kerb_min(s->answer.cost, s->most);
}

static bool is_last_round(const plan_speed_search* s) {
    return s->weight <= s->space.settings.last_weight;
}

// --------------------------------------------------------------------------- answers

static void speed_search_take_answer(plan_speed_search* s, int32_t node, int32_t goal, float cost,
                                     const plan_shot* shot) {
    if (!(cost < s->answer.cost))
        return;
    if (!(s->answer.cost < KERB_PLAN_NEVER)) {
        s->first_cost = cost;
        s->first_expansions = s->expansions;
    }
    s->answer = (plan_speed_answer){.cost = cost, .node = node, .goal = goal};
    if (shot)
        s->answer.shot = *shot;
}

static void test_goal(plan_speed_search* s, plan_speed_nodes* nodes, int32_t index) {
    const plan_speed_node* node = plan_speed_nodes_at(nodes, index);
    int32_t goal = kerb_in_plan_speed_goal_at(&s->space, node);
    if (goal >= 0)
        speed_search_take_answer(s, index, goal, node->cost + s->space.goals[goal].penalty, NULL);
}

static float speed_search_signed_speed(const plan_speed_node* node) {
    return node->speed * (float)node->travel;
}

// The direction of travel in which a shot begins; 0: it does not move.
static int32_t speed_search_travel_of(const plan_shot* shot) {
    for (int32_t i = 0; i < shot->count; i++)
        if (shot->arcs[i].length != 0.0f)
            return shot->arcs[i].length < 0.0f ? -1 : 1;
    return 0;
}

// Standstill before a shot that changes the direction of travel. [s]
static float wait_before(const plan_speed_search* s, const plan_speed_node* node,
                         const plan_shot* shot) {
    int32_t travel = speed_search_travel_of(shot);
    bool turns_back = travel != 0 && node->travel == -travel;
    if (!turns_back)
        return 0.0f;
    int32_t first = 0;
    while (shot->arcs[first].length == 0.0f)
        first++;
    return kerb_in_plan_standing(&s->space.rates, node->curvature, shot->arcs[first].curvature);
}

static bool speed_search_turns_back(const plan_speed_node* from, const plan_speed_node* to) {
    return from->travel == -to->travel;
}

// The pieces from a state to its successor: a wait, or a standstill at a change of direction, and
// the arc. Returns their number.
static int32_t pieces_to(const plan_speed_search* s, const plan_speed_node* from,
                         const plan_speed_node* to, kerb_plan_piece pieces[2]) {
    int32_t count = 0;
    bool waits = to->length == 0.0f;
    float wait = waits ? to->time - from->time
                 : speed_search_turns_back(from, to)
                     ? kerb_in_plan_standing(&s->space.rates, from->curvature, to->curvature)
                     : 0.0f;
    kerb_plan_piece piece = {.start = from->pose,
                             .time = from->time,
                             .duration = wait,
                             .curvature = to->curvature,
                             .direction = to->travel == 0 ? 1 : to->travel};
    if (wait > 0.0f)
        pieces[count++] = piece;
    if (waits)
        return count;
    piece.length = kerb_abs(to->length);
    piece.time += wait;
    piece.duration = 2.0f * piece.length / (from->speed + to->speed);
    piece.speed = from->speed;
    piece.acceleration = to->acceleration;
    pieces[count++] = piece;
    return count;
}

// The pieces of the last few arcs to a state.
static int32_t last_pieces(const plan_speed_search* s, plan_speed_nodes* nodes,
                           const plan_speed_node* to, kerb_plan_piece* pieces) {
    const plan_speed_node* way[WHEELS_BACK];
    int32_t size = 0, count = 0;
    for (; size < WHEELS_BACK && to->parent >= 0; to = plan_speed_nodes_at(nodes, to->parent))
        way[size++] = to;
    for (int32_t i = size - 1; i >= 0; i--)
        count += pieces_to(s, plan_speed_nodes_at(nodes, way[i]->parent), way[i], &pieces[count]);
    return count;
}

// Whether the arc to a state meets no mover and the wheels can follow it.
static bool may_drive(const plan_speed_search* s, const plan_speed_ground* ground,
                      const plan_speed_node* node) {
    if (node->parent < 0)
        return true;
    kerb_plan_piece pieces[2 * WHEELS_BACK];
    if (ground->movers) {
        const plan_speed_node* from = plan_speed_nodes_at(ground->nodes, node->parent);
        int32_t count = pieces_to(s, from, node, pieces);
        if (!kerb_in_plan_movers_are_clear(ground->movers, pieces, count))
            return false;
    }
    if (!(s->space.rates.wheel_time > 0.0f))
        return true;
    int32_t count = last_pieces(s, ground->nodes, node, pieces);
    return kerb_in_plan_wheels_allow(&s->space.rates, pieces, count);
}

// Whether a shot from a state meets no mover and the wheels can follow it.
static bool may_shoot(const plan_speed_search* s, const plan_speed_ground* ground,
                      const plan_speed_node* node, const plan_shot* shot,
                      const kerb_plan_end* goal) {
    bool has_wheels = s->space.rates.wheel_time > 0.0f;
    if (!ground->movers && !has_wheels)
        return true;
    kerb_plan_piece pieces[2 * WHEELS_BACK + 1 + PLAN_PIECES_OF(PLAN_SHOT_ARCS)];
    int32_t before = last_pieces(s, ground->nodes, node, pieces), count = before;
    float wait = wait_before(s, node, shot);
    if (wait > 0.0f)
        pieces[count++] = (kerb_plan_piece){
            .start = node->pose, .time = node->time, .duration = wait, .direction = -node->travel};
    int32_t added = kerb_in_plan_movement_pieces(&s->space.rates, node->pose, shot->arcs,
                                                 shot->count, node->speed * (float)node->travel,
                                                 goal->speed, &pieces[count]);
    for (int32_t i = count; i < count + added; i++)
        pieces[i].time += node->time + wait;
    count += added;
    if (ground->movers &&
        !kerb_in_plan_movers_are_clear(ground->movers, &pieces[before], count - before))
        return false;
    return !has_wheels || kerb_in_plan_wheels_allow(&s->space.rates, pieces, count);
}

static void speed_search_shoot_at(plan_speed_search* s, const plan_speed_ground* ground,
                                  int32_t index, int32_t goal) {
    const plan_speed_node* node = plan_speed_nodes_at(ground->nodes, index);
    const kerb_plan_end* to = &s->space.goals[goal];
    kerb_plan_end from = {.pose = node->pose, .speed = speed_search_signed_speed(node)};
    plan_volley volley = kerb_in_plan_shoot(&s->space.rates, ground->space, &from, to);
    if (volley.count == 0)
        return;
    for (int32_t i = 0; i < volley.count; i++) {
        const plan_shot* shot = &volley.shots[i];
        float cost = node->cost + wait_before(s, node, shot) + shot->time + to->penalty;
        cost += plan_way_toll(ground->space, node->pose, shot->arcs, shot->count);
        if (cost < s->answer.cost && may_shoot(s, ground, node, shot, to))
            speed_search_take_answer(s, index, goal, cost, shot);
    }
}

// Shoots from a start at all goals. From other states it shoots at the goal that seems nearest and,
// every second time, at one of the others, because the nearest may be out of reach.
static void speed_search_shoot(plan_speed_search* s, const plan_speed_ground* ground,
                               int32_t index) {
    int32_t every = s->space.settings.shot_every, count = s->space.goal_count;
    const plan_speed_node* node = plan_speed_nodes_at(ground->nodes, index);
    if (every == 0)
        return;
    if (node->parent < 0) {
        for (int32_t i = 0; i < count; i++)
            speed_search_shoot_at(s, ground, index, i);
    } else if (s->until_shot-- <= 0) {
        s->until_shot = every - 1;
        int32_t aside = s->shots++ % 2 == 0 ? 0 : s->shots / 2 % count;
        speed_search_shoot_at(s, ground, index, (node->goal + aside) % count);
    }
}

// --------------------------------------------------------------------------- states

// Whether the cost to go takes part in the rank of a state. It must then be estimated before the
// state is kept.
static bool ranks_by_estimate(const plan_speed_search* s) {
    return s->space.settings.rank == KERB_PLAN_RANK_ESTIMATE;
}

// The rank of a state; a cell keeps the state with the lowest.
static float speed_search_rank_of(const plan_speed_search* s, const plan_speed_node* node) {
    return ranks_by_estimate(s) ? node->cost + node->rest : node->cost;
}

// Whether the state that a cell keeps is at least as good as another one. Its own parent does not
// count.
static bool is_beaten(const plan_speed_search* s, plan_speed_nodes* nodes, int32_t best,
                      const plan_speed_node* node) {
    if (best < 0 || best == node->parent)
        return false;
    return speed_search_rank_of(s, plan_speed_nodes_at(nodes, best)) <=
           speed_search_rank_of(s, node);
}

static bool speed_search_is_blocked(const plan_speed_ground* ground, const plan_speed_node* node) {
    if (node->parent < 0 || node->length == 0.0f || !ground->space->is_free)
        return false;
    plan_arc arc = {node->curvature, node->length};
    kerb_pose from = plan_speed_nodes_at(ground->nodes, node->parent)->pose;
    return !ground->space->is_free(ground->space->context, from, arc);
}

// Cost of the ground on the arc to a state. [s]
static float toll_to(const plan_speed_ground* ground, const plan_speed_node* node) {
    if (node->parent < 0 || !ground->space->toll)
        return 0.0f;
    const plan_arc arc = {node->curvature, node->length};
    kerb_pose from = plan_speed_nodes_at(ground->nodes, node->parent)->pose;
    return ground->space->toll(ground->space->context, from, arc);
}

// Keeps a state and lets it wait, if it is free, drivable and better than the state in its cell.
// -1: it is not.
static int32_t speed_search_keep(plan_speed_search* s, const plan_speed_ground* ground,
                                 plan_speed_node* node, uint64_t key, uint32_t cell) {
    plan_speed_nodes* nodes = ground->nodes;
    if (key == 0 || node->depth > PLAN_SPEED_DEPTH)
        return -1;
    cell = kerb_in_plan_speed_nodes_cell(nodes, key, cell);
    int32_t best = kerb_in_plan_speed_nodes_best(nodes, cell);
    node->cost += toll_to(ground, node);
    if (is_beaten(s, nodes, best, node))
        return -1;
    if (!ranks_by_estimate(s))
        kerb_in_plan_speed_estimate(&s->space, ground->flow, node);
    if (node->rest >= KERB_PLAN_NEVER || is_hopeless(s, node) ||
        speed_search_is_blocked(ground, node))
        return -1;
    if (!may_drive(s, ground, node))
        return -1;
    bool is_closed = best >= 0 && plan_speed_nodes_at(nodes, best)->round == s->round;
    bool waits = is_last_round(s) || !is_closed || best == node->parent;
    node->round = waits ? 0 : s->round;
    int32_t index =
        kerb_in_plan_speed_nodes_add(nodes, node, cell, key, speed_search_rank_of(s, node));
    if (index >= 0 && waits)
        kerb_in_plan_speed_nodes_wait(nodes, index, speed_search_estimate_of(s, node));
    return index;
}

static void speed_search_look_at(plan_speed_search* s, const plan_speed_ground* ground,
                                 int32_t index) {
    const plan_speed_node* node = plan_speed_nodes_at(ground->nodes, index);
    if (s->nearest < 0 || node->rest < plan_speed_nodes_at(ground->nodes, s->nearest)->rest)
        s->nearest = index;
    test_goal(s, ground->nodes, index);
}

// Finds the successors that are better than the states in their cells; most are not. Returns their
// number.
static int32_t worth_keeping(plan_speed_search* s, const plan_speed_ground* ground, int32_t parent,
                             const uint64_t* keys, uint32_t* cells, int32_t* worth) {
    const plan_speed_rows* rows = &s->successors;
    float ranks[PLAN_SPEED_SUCCESSORS_MAX];
    bool by_estimate = ranks_by_estimate(s);
    KERB_WRITTEN(ranks);
    for (int32_t i = 0; i < rows->count; i++)
        ranks[i] = by_estimate ? rows->cost[i] + rows->rest[i] : rows->cost[i];
    kerb_in_plan_speed_nodes_cells(ground->nodes, keys, rows->count, cells);
    return kerb_in_plan_speed_nodes_worth(ground->nodes, cells, ranks, rows->count, parent, worth);
}

// Computes all successors of a state, in rows.
static void find_successors(plan_speed_search* s, const plan_speed_ground* ground,
                            const plan_speed_node* node) {
    plan_speed_rows* rows = &s->successors;
    kerb_in_plan_speed_successors(&s->space, node, rows);
    if (ground->movers && node->speed == 0.0f) {
        plan_speed_node waited = kerb_in_plan_speed_waited(node, WAIT);
        kerb_in_plan_speed_add_row(rows, &waited);
    }
    s->generated += rows->count;
    if (ranks_by_estimate(s))
        kerb_in_plan_speed_estimate_all(&s->space, ground->flow, rows);
}

// Expands a state. Returns the most promising successor; -1: none was kept.
static int32_t speed_search_expand(plan_speed_search* s, const plan_speed_ground* ground,
                                   int32_t index) {
    plan_speed_node* node = plan_speed_nodes_at(ground->nodes, index);
    node->expanded = true;
    node->round = s->round;
    s->expansions++;
    speed_search_shoot(s, ground, index);
    find_successors(s, ground, node);
    uint64_t keys[PLAN_SPEED_SUCCESSORS_MAX];
    uint32_t cells[PLAN_SPEED_SUCCESSORS_MAX];
    int32_t worth[PLAN_SPEED_SUCCESSORS_MAX], most_promising = -1;
    KERB_WRITTEN(keys);
    KERB_WRITTEN(cells);
    KERB_WRITTEN(worth);
    kerb_in_plan_speed_keys(&s->space, &s->successors, keys);
    int32_t count = worth_keeping(s, ground, index, keys, cells, worth);
    float least = KERB_PLAN_NEVER;
    for (int32_t k = 0; k < count; k++) {
        int32_t i = worth[k];
        plan_speed_node to = kerb_in_plan_speed_at_row(&s->successors, i);
        to.parent = index;
        to.depth = (uint16_t)(node->depth + 1);
        int32_t kept = speed_search_keep(s, ground, &to, keys[i], cells[i]);
        if (kept < 0)
            continue;
        speed_search_look_at(s, ground, kept);
        if (to.rest < least) {
            least = to.rest;
            most_promising = kept;
        }
    }
    return most_promising;
}

// --------------------------------------------------------------------------- the search

static void speed_search_add_start(plan_speed_search* s, const plan_speed_ground* ground,
                                   const kerb_plan_end* start, int32_t index) {
    plan_speed_node node = kerb_in_plan_speed_start(start, index);
    if (ranks_by_estimate(s))
        kerb_in_plan_speed_estimate(&s->space, ground->flow, &node);
    uint64_t key;
    uint32_t cell;
    s->successors.count = s->successors.poses = 0;
    kerb_in_plan_speed_add_row(&s->successors, &node);
    kerb_in_plan_speed_keys(&s->space, &s->successors, &key);
    kerb_in_plan_speed_nodes_cells(ground->nodes, &key, 1, &cell);
    s->generated++;
    int32_t kept = speed_search_keep(s, ground, &node, key, cell);
    if (kept < 0)
        return;
    speed_search_look_at(s, ground, kept);
    float rest = node.cost + node.rest;
    if (s->probe < 0 || rest < s->probe_rest) {
        s->probe = kept;
        s->probe_rest = rest;
    }
}

// Greatest number of expansions, from the distance of the nearest pair of start and goal. (AIPATH
// 6.2)
static int32_t limit_of(const kerb_plan_limits* limits, const kerb_plan_search_settings* settings,
                        const kerb_plan_query* query) {
    float least = KERB_NO_CURVE, circle = 2.0f * KERB_PI * limits->turning_radius;
    for (int32_t i = 0; i < query->start_count; i++) {
        for (int32_t k = 0; k < query->goal_count; k++) {
            kerb_vec2 way =
                kerb_vec2_sub(query->goals[k].pose.position, query->starts[i].pose.position);
            least = kerb_min(least, kerb_vec2_length(way));
        }
    }
    float most = kerb_max(least, circle) * settings->expansions_per_metre;
    return most < (float)settings->expansions ? (int32_t)most : settings->expansions;
}

void kerb_in_plan_speed_begin(plan_speed_search* search, const plan_speed_ground* ground,
                              const kerb_plan_limits* limits,
                              const kerb_plan_search_settings* settings,
                              const kerb_plan_query* query) {
    plan_speed_search* s = search;
    memset(s, 0, sizeof *s);
    s->space = kerb_in_plan_speed_space_of(limits, settings, query);
    s->weight = kerb_max(settings->weight, settings->last_weight);
    s->round = 1;
    s->limit = limit_of(limits, settings, query);
    s->probing = settings->probing != KERB_PLAN_PROBING_NEVER;
    s->probe = s->nearest = -1;
    s->first_cost = s->probe_cost = s->answer.cost = s->most = KERB_PLAN_NEVER;
    s->space.counts_time = s->space.counts_time || ground->movers;
    kerb_in_plan_speed_nodes_clear(ground->nodes);
    for (int32_t i = 0; i < query->start_count; i++)
        speed_search_add_start(s, ground, &query->starts[i], i);
    if (s->probe >= 0)
        s->probe_rest = plan_speed_nodes_at(ground->nodes, s->probe)->rest;
}

static plan_speed_state end(plan_speed_search* s, plan_speed_state state) {
    s->state = (int32_t)state;
    return state;
}

static bool is_answered(const plan_speed_search* s) {
    return s->answer.cost < KERB_PLAN_NEVER;
}

// The probe goes on while its cost to go falls. (AIPATH algorithm 6)
static plan_speed_state step_probe(plan_speed_search* s, const plan_speed_ground* ground) {
    if (s->probe < 0)
        return end(s, PLAN_SPEED_EXHAUSTED);
    s->probe_expansions++;
    int32_t next = speed_search_expand(s, ground, s->probe);
    bool is_there = is_answered(s) && s->answer.shot.count == 0;
    if (is_there)
        s->probe_cost = s->answer.cost;
    bool is_better = next >= 0 && plan_speed_nodes_at(ground->nodes, next)->rest < s->probe_rest;
    if (!is_there && is_better) {
        s->probe = next;
        s->probe_rest = plan_speed_nodes_at(ground->nodes, next)->rest;
        return PLAN_SPEED_RUNNING;
    }
    s->probing = false;
    if (s->space.settings.probing == KERB_PLAN_PROBING_ONLY)
        return end(s, is_answered(s) ? PLAN_SPEED_FOUND : PLAN_SPEED_EXHAUSTED);
    return PLAN_SPEED_RUNNING;
}

// Begins the round of the next weight. All states that have not been expanded wait again, in a new
// order.
static void begin_round(plan_speed_search* s, plan_speed_nodes* nodes) {
    s->weight = kerb_max(s->weight - s->space.settings.weight_step, s->space.settings.last_weight);
    s->round++;
    kerb_in_plan_speed_nodes_forget_waiting(nodes);
    for (int32_t i = 0; i < nodes->count; i++) {
        const plan_speed_node* node = plan_speed_nodes_at(nodes, i);
        bool is_open = !node->expanded && kerb_in_plan_speed_nodes_best(nodes, node->cell) == i;
        if (is_open && !is_hopeless(s, node))
            kerb_in_plan_speed_nodes_wait(nodes, i, speed_search_estimate_of(s, node));
    }
}

static plan_speed_state step_best(plan_speed_search* s, const plan_speed_ground* ground) {
    float estimate = 0.0f;
    int32_t first = kerb_in_plan_speed_nodes_first(ground->nodes, &estimate);
    while (first < 0 || estimate >= s->answer.cost) {
        if (is_last_round(s) || !is_answered(s))
            return end(s, is_answered(s) ? PLAN_SPEED_FOUND : PLAN_SPEED_EXHAUSTED);
        begin_round(s, ground->nodes);
        first = kerb_in_plan_speed_nodes_first(ground->nodes, &estimate);
    }
    speed_search_expand(s, ground, kerb_in_plan_speed_nodes_next(ground->nodes));
    return PLAN_SPEED_RUNNING;
}

plan_speed_state kerb_in_plan_speed_advance(plan_speed_search* search,
                                            const plan_speed_ground* ground, int32_t expansions) {
    plan_speed_search* s = search;
    for (int32_t i = 0; i < expansions && s->state == PLAN_SPEED_RUNNING; i++) {
        bool is_full = ground->nodes->count + PLAN_SPEED_SUCCESSORS_MAX > ground->nodes->capacity;
        if (s->expansions >= s->limit || is_full)
            return end(s, PLAN_SPEED_SPENT);
        if (s->probing)
            step_probe(s, ground);
        else
            step_best(s, ground);
    }
    return (plan_speed_state)s->state;
}

float kerb_in_plan_speed_least_open(const plan_speed_search* search, plan_speed_nodes* nodes) {
    float least = search->answer.cost;
    for (int32_t i = 0; i < nodes->count; i++) {
        const plan_speed_node* node = plan_speed_nodes_at(nodes, i);
        if (!node->expanded && kerb_in_plan_speed_nodes_best(nodes, node->cell) == i)
            least = kerb_min(least, node->cost + node->rest);
    }
    return least;
}

// --------------------------------------------------------------------------- plans

int32_t kerb_in_plan_speed_start_of(plan_speed_nodes* nodes, int32_t index) {
    const plan_speed_node* node = plan_speed_nodes_at(nodes, index);
    while (node->parent >= 0)
        node = plan_speed_nodes_at(nodes, node->parent);
    return -1 - node->parent;
}

// Writes the pieces that lead to a state, from the end. The first pass counts them, because states
// only know their parents.
static int32_t pieces_up_to(const plan_speed_search* s, plan_speed_nodes* nodes, int32_t index,
                            kerb_plan_piece* pieces) {
    int32_t count = 0;
    for (const plan_speed_node* to = plan_speed_nodes_at(nodes, index); to->parent >= 0;) {
        const plan_speed_node* from = plan_speed_nodes_at(nodes, to->parent);
        kerb_plan_piece made[2];
        count += pieces_to(s, from, to, made);
        to = from;
    }
    int32_t at = count;
    for (const plan_speed_node* to = plan_speed_nodes_at(nodes, index); to->parent >= 0;) {
        const plan_speed_node* from = plan_speed_nodes_at(nodes, to->parent);
        kerb_plan_piece made[2];
        int32_t size = pieces_to(s, from, to, made);
        at -= size;
        memcpy(&pieces[at], made, (size_t)size * sizeof *pieces);
        to = from;
    }
    for (int32_t i = 1; i < count; i++)
        pieces[i].time = pieces[i - 1].time + pieces[i - 1].duration;
    return count;
}

int32_t kerb_in_plan_speed_pieces(const plan_speed_search* search, plan_speed_nodes* nodes,
                                  const plan_speed_answer* answer, kerb_plan_piece* pieces) {
    const plan_speed_search* s = search;
    const plan_speed_node* last = plan_speed_nodes_at(nodes, answer->node);
    int32_t count = pieces_up_to(s, nodes, answer->node, pieces);
    const plan_shot* shot = &answer->shot;
    float time = count > 0 ? pieces[count - 1].time + pieces[count - 1].duration : 0.0f;
    float wait = wait_before(s, last, shot);
    if (wait > 0.0f)
        pieces[count++] = (kerb_plan_piece){
            .start = last->pose, .time = time, .duration = wait, .direction = -last->travel};
    int32_t added = kerb_in_plan_movement_pieces(
        &s->space.rates, last->pose, shot->arcs, shot->count, speed_search_signed_speed(last),
        s->space.goals[answer->goal].speed, &pieces[count]);
    for (int32_t i = count; i < count + added; i++)
        pieces[i].time += time + wait;
    return count + added;
}

// Joins adjacent arcs of equal curvature and direction. Returns the number that is left.
static int32_t joined(plan_arc* arcs, int32_t count) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        bool goes_on = kept > 0 && arcs[kept - 1].curvature == arcs[i].curvature &&
                       (arcs[kept - 1].length < 0.0f) == (arcs[i].length < 0.0f);
        if (goes_on)
            arcs[kept - 1].length += arcs[i].length;
        else
            arcs[kept++] = arcs[i];
    }
    return kept;
}

int32_t kerb_in_plan_speed_arcs(const plan_speed_search* search, plan_speed_nodes* nodes,
                                plan_arc* arcs, int32_t most) {
    const plan_speed_answer* answer = &search->answer;
    if (!(answer->cost < KERB_PLAN_NEVER))
        return 0;
    const plan_speed_node* node = plan_speed_nodes_at(nodes, answer->node);
    int32_t count = node->depth;
    if (count + answer->shot.count > most)
        return 0;
    for (int32_t i = count - 1; i >= 0; i--) {
        arcs[i] = (plan_arc){node->curvature, node->length};
        node = plan_speed_nodes_at(nodes, node->parent);
    }
    for (int32_t i = 0; i < answer->shot.count; i++)
        arcs[count++] = answer->shot.arcs[i];
    return joined(arcs, count);
}
