// Purpose: the state space of the search with speed: its cells, and the estimated cost to go.
// Cost:    O(successors) for cells; one lower bound per pose and goal for the cost to go.
// Source:  AIPATH 3.1 and 4.3.
#include "kerb/plan_search.h"

#include "speed_space.h"

#include "../model/bound.h"

#include "../../base/shared.h"
#include "../../curve/shared.h"

#include <string.h>

#define SPEED_SPACE_TURN PLAN_SPEED_TURN

// Greatest value of the setting far_radii: the straight line never replaces the shortest path.
// [radii]
#define NEVER_FAR 1e6f

// Greatest numbers that the bits of a key can hold: cells to each side of the first start,
// headings, speeds, and times. [1]
#define SPEED_SPACE_CELLS_ASIDE 8191
#define HEADINGS_MOST 4095
#define SPEEDS_MOST 4095
#define TIMES_MOST 1023

// --------------------------------------------------------------------------- arcs

// An arc of the curvature, ending `step` away. [0 <= curvature <= 2/step]
plan_speed_arc kerb_in_plan_speed_arc_of(float curvature, float step) {
    float sine = kerb_min(0.5f * curvature * step, 1.0f);
    float cosine = kerb_sqrt(1.0f - sine * sine), half = kerb_asin(sine);
    plan_speed_arc arc = {.curvature = curvature, .length = step, .turn = 2.0f * half};
    if (sine > 1e-3f) // below, the arc is longer than its chord by less than a float can hold
        arc.length = step * half / sine;
    arc.end = kerb_vec2_make(step * cosine, step * sine);
    arc.forward = kerb_vec2_make(1.0f - 2.0f * sine * sine, 2.0f * sine * cosine);
    return arc;
}

static void make_turns(plan_speed_space* s) {
    s->tightest = kerb_in_plan_speed_arc_of(s->rates.curvature, s->step);
    float turn = s->settings.turn_step;
    for (int32_t i = 1; i <= PLAN_SPEED_TURNS && (float)i * turn < s->tightest.turn; i++)
        s->turns[s->turn_count++] =
            kerb_in_plan_speed_arc_of(2.0f * kerb_sin(0.5f * (float)i * turn) / s->step, s->step);
}

// Takes a goal. Of its own tolerances and those of the settings the larger ones count.
static void speed_space_take_goal(plan_speed_space* s, int32_t i, const kerb_plan_end* goal) {
    const kerb_plan_search_settings* set = &s->settings;
    kerb_plan_end* to = &s->goals[i];
    *to = *goal;
    to->position_tolerance = kerb_max(goal->position_tolerance, set->position_tolerance);
    to->heading_tolerance = kerb_max(goal->heading_tolerance, set->heading_tolerance);
    to->speed_tolerance = kerb_max(goal->speed_tolerance, set->speed_tolerance);
    s->bounds[i] =
        (kerb_plan_bound_settings){set->heuristic, set->overshoot, to->position_tolerance,
                                   to->heading_tolerance, to->speed_tolerance};
    s->goal_heading[i] = plan_speed_in_turn(kerb_pose_heading(goal->pose));
}

plan_speed_space kerb_in_plan_speed_space_of(const kerb_plan_limits* limits,
                                             const kerb_plan_search_settings* settings,
                                             const kerb_plan_query* query) {
    plan_speed_space s;
    memset(&s, 0, sizeof s);
    s.settings = *settings;
    s.limits = *limits;
    s.rates = kerb_in_plan_rates_of(limits);
    s.counts_time = settings->time_use == KERB_PLAN_TIME_STATE;
    s.step = kerb_min(settings->step_length, 1.4f * limits->turning_radius);
    s.headings = (int32_t)kerb_max(floorf(SPEED_SPACE_TURN / settings->heading_cell + 0.5f), 1.0f);
    float fastest = kerb_max(limits->speed_max, limits->reverse_speed_max);
    s.speed_cell = kerb_max(settings->speed_cell, fastest / (float)SPEEDS_MOST);
    s.origin = query->starts[0].pose.position;
    make_turns(&s);
    s.goal_count = query->goal_count;
    for (int32_t i = 0; i < query->goal_count; i++)
        speed_space_take_goal(&s, i, &query->goals[i]);
    return s;
}

// --------------------------------------------------------------------------- rows

void kerb_in_plan_speed_add_row(plan_speed_rows* rows, const plan_speed_node* node) {
    int32_t row = rows->count++, at = rows->poses++;
    rows->at[row] = at;
    rows->x[at] = node->pose.position.x;
    rows->y[at] = node->pose.position.y;
    rows->forward_x[at] = node->pose.forward.x;
    rows->forward_y[at] = node->pose.forward.y;
    rows->heading[at] = node->heading;
    rows->bend[at] = node->curvature;
    rows->speed[row] = node->speed;
    rows->cost[row] = node->cost;
    rows->time[row] = node->time;
    rows->rest[row] = node->rest;
    rows->curvature[row] = node->curvature;
    rows->length[row] = node->length;
    rows->acceleration[row] = node->acceleration;
    rows->travel[row] = node->travel;
    rows->goal[row] = node->goal;
}

plan_speed_node kerb_in_plan_speed_at_row(const plan_speed_rows* rows, int32_t row) {
    int32_t at = rows->at[row];
    plan_speed_node node = {
        .pose = {{rows->x[at], rows->y[at]}, {rows->forward_x[at], rows->forward_y[at]}},
        .heading = rows->heading[at],
        .speed = rows->speed[row],
        .cost = rows->cost[row],
        .time = rows->time[row],
        .rest = rows->rest[row],
        .curvature = rows->curvature[row],
        .length = rows->length[row],
        .acceleration = rows->acceleration[row],
        .travel = rows->travel[row],
        .goal = rows->goal[row]};
    return node;
}

// --------------------------------------------------------------------------- cells

#define SPEED_SPACE_BLOCK CURVE_DUBINS_BLOCK

// Keys of a block of poses without speeds and times, in two halves, and whether the cells are
// within the range of keys.
typedef struct cell_rows {
    uint32_t high[SPEED_SPACE_BLOCK], low[SPEED_SPACE_BLOCK];
    int32_t is_told[SPEED_SPACE_BLOCK];
} cell_rows;

static inline int32_t at_most(float cells, int32_t most) {
    return (int32_t)kerb_clamp(cells, 0.0f, (float)most);
}

// Number of a cell along one axis, counted from the lowest that a key can hold.
static inline int32_t speed_space_place_of(float cells) {
    float held = kerb_clamp(cells, -(float)SPEED_SPACE_CELLS_ASIDE, (float)SPEED_SPACE_CELLS_ASIDE);
    int32_t whole = (int32_t)held;
    return whole - ((float)whole > held ? 1 : 0) + SPEED_SPACE_CELLS_ASIDE;
}

static inline int32_t is_told(float cells) {
    return cells >= -(float)SPEED_SPACE_CELLS_ASIDE ? cells < (float)(SPEED_SPACE_CELLS_ASIDE + 1)
                                                    : 0;
}

// The bits of a key from the highest: 14 for x, 14 for y, 12 for the heading, 12 for the speed, 10
// for the time, and one for the direction of travel.
static void speed_space_find_cells(const plan_speed_space* s, const plan_speed_rows* rows,
                                   int32_t first, cell_rows* found) {
    cell_rows r;
    const float per_turn = (float)s->headings / SPEED_SPACE_TURN, cell = s->settings.cell;
    const float origin_x = s->origin.x, origin_y = s->origin.y;
    const int32_t headings = s->headings - 1;
    for (int32_t i = 0; i < SPEED_SPACE_BLOCK; i++) {
        float x = (rows->x[first + i] - origin_x) / cell;
        float y = (rows->y[first + i] - origin_y) / cell;
        uint32_t turned = (uint32_t)at_most(rows->heading[first + i] * per_turn, headings);
        r.high[i] = (uint32_t)speed_space_place_of(x) << 17 |
                    (uint32_t)speed_space_place_of(y) << 3 | turned >> 9;
        r.low[i] = turned << 23;
        r.is_told[i] = is_told(x) & is_told(y);
    }
    *found = r;
}

static uint64_t time_cell_of(const plan_speed_space* s, float time) {
    return (uint64_t)at_most(time / s->settings.time_cell, TIMES_MOST);
}

static void speed_space_find_speeds(const plan_speed_space* s, const plan_speed_rows* rows,
                                    uint32_t* fast) {
    const float speed_cell = s->speed_cell;
    for (int32_t i = 0; i < rows->count; i += SPEED_SPACE_BLOCK)
        for (int32_t k = i; k < i + SPEED_SPACE_BLOCK; k++)
            fast[k] = (uint32_t)at_most(rows->speed[k] / speed_cell, SPEEDS_MOST) << 11;
}

void kerb_in_plan_speed_keys(const plan_speed_space* s, const plan_speed_rows* rows,
                             uint64_t* keys) {
    cell_rows places[PLAN_SPEED_ROW / SPEED_SPACE_BLOCK + 1];
    uint32_t fast[PLAN_SPEED_ROW];
    KERB_WRITTEN(places);
    KERB_WRITTEN(fast);
    for (int32_t i = 0; i < rows->poses; i += SPEED_SPACE_BLOCK)
        speed_space_find_cells(s, rows, i, &places[i / SPEED_SPACE_BLOCK]);
    speed_space_find_speeds(s, rows, fast);
    for (int32_t i = 0; i < rows->count; i++) {
        uint32_t at = (uint32_t)rows->at[i], of = at % SPEED_SPACE_BLOCK;
        const cell_rows* r = &places[at / SPEED_SPACE_BLOCK];
        uint64_t key = (uint64_t)r->high[of] << 32 | r->low[of] | fast[i] | (rows->travel[i] < 0);
        if (s->counts_time)
            key |= time_cell_of(s, rows->time[i]) << 1;
        keys[i] = r->is_told[of] ? key + 1 : 0;
    }
}

// --------------------------------------------------------------------------- cost to go

static float speed_space_signed_speed(const plan_speed_node* node) {
    return node->speed * (float)node->travel;
}

static bool counts_speeds(const plan_speed_space* s) {
    return s->settings.heuristic == KERB_PLAN_ADMISSIBLE ||
           s->settings.heuristic == KERB_PLAN_THESIS;
}

// Least time over a path that is at least `length` long. [s]
static float time_over(const plan_speed_space* s, float length, float v0, const kerb_plan_end* to) {
    const kerb_plan_limits* l = &s->limits;
    bool is_plain = l->reverse_speed_max == 0.0f && to->speed_tolerance == 0.0f;
    if (!is_plain || !counts_speeds(s))
        return length / kerb_max(l->speed_max, l->reverse_speed_max);
    float time = kerb_plan_traversal_time(l, length, v0, to->speed), change = to->speed - v0;
    if (time < KERB_PLAN_NEVER)
        return time;
    return change > 0.0f ? change / l->acceleration : -change / l->braking;
}

static bool is_far(const plan_speed_space* s, float distance) {
    return counts_speeds(s) && distance > s->settings.far_radii * s->limits.turning_radius;
}

static float rest_to(const plan_speed_space* s, const plan_speed_node* node, int32_t goal) {
    const kerb_plan_end* to = &s->goals[goal];
    kerb_plan_end from = {.pose = node->pose, .speed = speed_space_signed_speed(node)};
    float distance = kerb_vec2_length(kerb_vec2_sub(to->pose.position, node->pose.position));
    if (!is_far(s, distance))
        return kerb_plan_bound(&s->limits, &s->bounds[goal], &from, to) + to->penalty;
    float straight = kerb_max(distance - to->position_tolerance, 0.0f);
    return time_over(s, straight, node->speed, to) + to->penalty;
}

// Cost to go to the nearest goal, and the index of that goal.
typedef struct speed_space_to_go {
    float rest;
    int32_t goal;
} speed_space_to_go;

// The better of `best` and a goal. The cost to the goal is `rest`, or that of the path round the
// obstacles where it is more.
static speed_space_to_go nearer(const plan_speed_space* s, speed_space_to_go best, float speed,
                                int32_t goal, float rest, float round) {
    const kerb_plan_end* to = &s->goals[goal];
    float way = round - to->position_tolerance;
    if (way > 0.0f)
        rest = kerb_max(rest, time_over(s, way, speed, to) + to->penalty);
    return rest < best.rest ? (speed_space_to_go){rest, goal} : best;
}

// Distance to the goals round the obstacles. [m] KERB_NO_CURVE: no goal can be reached.
static float round_to(plan_flow* flow, kerb_vec2 place) {
    return flow ? kerb_in_plan_flow_distance(flow, place) : 0.0f;
}

void kerb_in_plan_speed_estimate(const plan_speed_space* s, plan_flow* flow,
                                 plan_speed_node* node) {
    float round = round_to(flow, node->pose.position);
    speed_space_to_go best = {KERB_PLAN_NEVER, node->goal};
    for (int32_t i = 0; i < s->goal_count && round < KERB_NO_CURVE; i++)
        best = nearer(s, best, node->speed, i, rest_to(s, node, i), round);
    node->rest = best.rest;
    node->goal = (uint8_t)best.goal;
}

// Lengths of the shortest paths from all poses to a goal.
static void measure_ways(const plan_speed_space* s, const plan_speed_rows* rows, int32_t goal,
                         float* lengths) {
    for (int32_t i = 0; i < rows->poses; i += SPEED_SPACE_BLOCK) {
        curve_dubins_block from;
        memcpy(from.x, &rows->x[i], sizeof from.x);
        memcpy(from.y, &rows->y[i], sizeof from.y);
        memcpy(from.forward_x, &rows->forward_x[i], sizeof from.forward_x);
        memcpy(from.forward_y, &rows->forward_y[i], sizeof from.forward_y);
        kerb_in_curve_dubins_csc_block(&from, s->goals[goal].pose, s->limits.turning_radius,
                                       &lengths[i]);
    }
}

// Estimates a block of successors with the heuristic of the thesis.
static void estimate_block(const plan_speed_space* s, plan_speed_rows* rows, int32_t first,
                           int32_t goal, const float* lengths, const float* round) {
    const kerb_plan_end* to = &s->goals[goal];
    float length[SPEED_SPACE_BLOCK], rest[SPEED_SPACE_BLOCK];
    for (int32_t i = 0; i < SPEED_SPACE_BLOCK; i++)
        length[i] = lengths[rows->at[first + i]];
    kerb_in_plan_bound_thesis_block(&s->limits, s->bounds[goal].overshoot, length,
                                    &rows->speed[first], to->speed, rest);
    for (int32_t i = first; i < first + SPEED_SPACE_BLOCK; i++) {
        speed_space_to_go best = {rows->rest[i], rows->goal[i]};
        if (round[rows->at[i]] < KERB_NO_CURVE)
            best = nearer(s, best, rows->speed[i], goal, rest[i - first] + to->penalty,
                          round[rows->at[i]]);
        rows->rest[i] = best.rest;
        rows->goal[i] = (uint8_t)best.goal;
    }
}

static void estimate_as_thesis(const plan_speed_space* s, plan_flow* flow, plan_speed_rows* rows) {
    float lengths[PLAN_SPEED_ROW], round[PLAN_SPEED_ROW];
    for (int32_t i = 0; i < rows->poses; i++)
        round[i] = round_to(flow, kerb_vec2_make(rows->x[i], rows->y[i]));
    for (int32_t i = 0; i < rows->count; i++) {
        rows->rest[i] = KERB_PLAN_NEVER;
        rows->goal[i] = 0;
    }
    for (int32_t i = rows->count; i % SPEED_SPACE_BLOCK != 0; i++)
        rows->at[i] = 0; // the rest of the last block needs any valid index
    for (int32_t goal = 0; goal < s->goal_count; goal++) {
        measure_ways(s, rows, goal, lengths);
        for (int32_t i = 0; i < rows->count; i += SPEED_SPACE_BLOCK)
            estimate_block(s, rows, i, goal, lengths, round);
    }
}

void kerb_in_plan_speed_estimate_all(const plan_speed_space* s, plan_flow* flow,
                                     plan_speed_rows* rows) {
    bool is_thesis =
        s->settings.heuristic == KERB_PLAN_THESIS && s->settings.far_radii >= NEVER_FAR;
    if (is_thesis) {
        estimate_as_thesis(s, flow, rows);
        return;
    }
    for (int32_t i = 0; i < rows->count; i++) {
        plan_speed_node node = kerb_in_plan_speed_at_row(rows, i);
        kerb_in_plan_speed_estimate(s, flow, &node);
        rows->rest[i] = node.rest;
        rows->goal[i] = node.goal;
    }
}

// Angle between two headings. [0 … π]
static float speed_space_turn_between(float a, float b) {
    float turn = plan_speed_in_turn(a - b);
    return kerb_min(turn, SPEED_SPACE_TURN - turn);
}

int32_t kerb_in_plan_speed_goal_at(const plan_speed_space* s, const plan_speed_node* node) {
    for (int32_t i = 0; i < s->goal_count; i++) {
        const kerb_plan_end* to = &s->goals[i];
        kerb_vec2 away = kerb_vec2_sub(to->pose.position, node->pose.position);
        float reach = to->position_tolerance;
        if (kerb_vec2_dot(away, away) <= reach * reach &&
            speed_space_turn_between(node->heading, s->goal_heading[i]) <= to->heading_tolerance &&
            kerb_abs(speed_space_signed_speed(node) - to->speed) <= to->speed_tolerance)
            return i;
    }
    return -1;
}

plan_speed_node kerb_in_plan_speed_start(const kerb_plan_end* end, int32_t index) {
    plan_speed_node node = {.pose = end->pose,
                            .heading = plan_speed_in_turn(kerb_pose_heading(end->pose)),
                            .speed = kerb_abs(end->speed),
                            .cost = end->penalty,
                            .parent = -1 - index,
                            .travel = end->speed > 0.0f   ? 1
                                      : end->speed < 0.0f ? -1
                                                          : 0};
    return node;
}
