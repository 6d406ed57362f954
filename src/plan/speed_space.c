// Purpose: the space of a search with speed: cells, actions, what is still to go.
// Idea:    A composite action is one of a few turns together with one of a few accelerations, held
//          for as long as the next state takes to be a step away. How strongly one may turn depends
//          on how fast one is at the faster end of the arc, so the tightest turn is found for each
//          acceleration; it is always among the turns, as the strongest acceleration and braking
//          are among the accelerations. What would pass the top speed, or stop on the way, is so
//          much weaker that it ends there.
// Cost:    15 ns a successor, and 40 to 300 for what is still to go.
// Source:  AIPATH 3.1 and 4.3.
#include "speed_space.h"

#include "bound.h"
#include "wheels.h"

#include "../base/assertion.h"
#include "../curve/arc.h"
#include "../curve/dubins_batch.h"

#include <string.h>

#define TURN (2.0f * KERB_PI)

// Turns this close to the tightest are left out, as a share of the setting. [1]
#define TOO_ALIKE 0.1f

// Radii beyond which the straight line would count, and does not. [1]
#define NEVER_FAR 1e6f

// Cells to each side of the first start that a key can tell, speeds and times.
#define CELLS_ASIDE 8191
#define HEADINGS_MOST 4095
#define SPEEDS_MOST 4095
#define TIMES_MOST 1023

// --------------------------------------------------------------------------- arcs

// An arc of the curvature, ending `step` away. [0 <= curvature <= 2/step]
static plan_speed_arc arc_of(float curvature, float step) {
    float sine = kerb_min(0.5f * curvature * step, 1.0f);
    float cosine = kerb_sqrt(1.0f - sine * sine), half = kerb_asin(sine);
    plan_speed_arc arc = {.curvature = curvature, .length = step, .turn = 2.0f * half};
    if (sine > 1e-3f) // below, the arc is longer by less than floats can say
        arc.length = step * half / sine;
    arc.end = kerb_vec2_make(step * cosine, step * sine);
    arc.forward = kerb_vec2_make(1.0f - 2.0f * sine * sine, 2.0f * sine * cosine);
    return arc;
}

static void make_turns(plan_speed_space* s) {
    s->tightest = arc_of(s->rates.curvature, s->step);
    float turn = s->settings.turn_step;
    for (int32_t i = 1; i <= PLAN_SPEED_TURNS && (float)i * turn < s->tightest.turn; i++)
        s->turns[s->turn_count++] =
            arc_of(2.0f * kerb_sin(0.5f * (float)i * turn) / s->step, s->step);
}

static float in_turn(float angle) {
    if (angle >= 0.0f && angle < TURN)
        return angle;
    float rest = angle - TURN * floorf(angle / TURN);
    return rest < TURN ? rest : 0.0f;
}

// What will do is what the goal says, or what the settings say of all goals.
static void take_goal(plan_speed_space* s, int32_t i, const kerb_plan_end* goal) {
    const kerb_plan_search_settings* set = &s->settings;
    kerb_plan_end* to = &s->goals[i];
    *to = *goal;
    to->position_tolerance = kerb_max(goal->position_tolerance, set->position_tolerance);
    to->heading_tolerance = kerb_max(goal->heading_tolerance, set->heading_tolerance);
    to->speed_tolerance = kerb_max(goal->speed_tolerance, set->speed_tolerance);
    s->bounds[i] =
        (kerb_plan_bound_settings){set->heuristic, set->overshoot, to->position_tolerance,
                                   to->heading_tolerance, to->speed_tolerance};
    s->goal_heading[i] = in_turn(kerb_pose_heading(goal->pose));
}

plan_speed_space plan_speed_space_of(const kerb_plan_limits* limits,
                                     const kerb_plan_search_settings* settings,
                                     const kerb_plan_query* query) {
    plan_speed_space s;
    memset(&s, 0, sizeof s);
    s.settings = *settings;
    s.limits = *limits;
    s.rates = plan_rates_of(limits);
    s.counts_time = settings->time_use == KERB_PLAN_TIME_STATE;
    s.step = kerb_min(settings->step, 1.4f * limits->turning_radius);
    s.headings = (int32_t)kerb_max(floorf(TURN / settings->heading_cell + 0.5f), 1.0f);
    float fastest = kerb_max(limits->speed_max, limits->reverse_speed_max);
    s.speed_cell = kerb_max(settings->speed_cell, fastest / (float)SPEEDS_MOST);
    s.origin = query->starts[0].pose.position;
    make_turns(&s);
    s.goal_count = query->goal_count;
    for (int32_t i = 0; i < query->goal_count; i++)
        take_goal(&s, i, &query->goals[i]);
    return s;
}

// --------------------------------------------------------------------------- cells

#define BLOCK CURVE_DUBINS_BLOCK

// Which cells a block of states is in, in rows, so that compilers take several at a time.
typedef struct cell_rows {
    float x[BLOCK], y[BLOCK]; // [m, and then cells]
    float heading[BLOCK], speed[BLOCK];
    int32_t column[BLOCK], row[BLOCK], turned[BLOCK], fast[BLOCK];
} cell_rows;

static inline int32_t at_most(float cells, int32_t most) {
    return (int32_t)kerb_clamp(cells, 0.0f, (float)most);
}

// Cells from the first start, counted from the least that a key can tell.
static inline int32_t place_of(float cells) {
    float held = kerb_clamp(cells, -(float)CELLS_ASIDE, (float)CELLS_ASIDE);
    int32_t whole = (int32_t)held;
    return whole - ((float)whole > held ? 1 : 0) + CELLS_ASIDE;
}

static void find_cells(const plan_speed_space* s, cell_rows* rows) {
    cell_rows r = *rows;
    const float per_turn = (float)s->headings / TURN, cell = s->settings.cell;
    const float speed_cell = s->speed_cell, origin_x = s->origin.x, origin_y = s->origin.y;
    const int32_t headings = s->headings - 1;
    for (int32_t i = 0; i < BLOCK; i++) {
        r.x[i] = (r.x[i] - origin_x) / cell;
        r.y[i] = (r.y[i] - origin_y) / cell;
        r.column[i] = place_of(r.x[i]);
        r.row[i] = place_of(r.y[i]);
        r.turned[i] = at_most(r.heading[i] * per_turn, headings);
        r.fast[i] = at_most(r.speed[i] / speed_cell, SPEEDS_MOST);
    }
    *rows = r;
}

static bool is_told(float cells) {
    return cells >= -(float)CELLS_ASIDE && cells < (float)(CELLS_ASIDE + 1);
}

static uint64_t time_cell_of(const plan_speed_space* s, const plan_speed_node* node) {
    return s->counts_time ? (uint64_t)at_most(node->time / s->settings.time_cell, TIMES_MOST) : 0;
}

static void find_keys(const plan_speed_space* s, const plan_speed_node* nodes, int32_t count,
                      uint64_t* keys) {
    cell_rows r;
    for (int32_t i = 0; i < BLOCK; i++) {
        const plan_speed_node* node = &nodes[i < count ? i : count - 1];
        r.x[i] = node->pose.position.x;
        r.y[i] = node->pose.position.y;
        r.heading[i] = node->heading;
        r.speed[i] = node->speed;
    }
    find_cells(s, &r);
    for (int32_t i = 0; i < count; i++) {
        uint64_t key = (uint64_t)r.column[i] << 14 | (uint64_t)r.row[i];
        key = key << 12 | (uint64_t)r.turned[i];
        key = key << 12 | (uint64_t)r.fast[i];
        key = (key << 10 | time_cell_of(s, &nodes[i])) << 1 | (nodes[i].travel < 0);
        keys[i] = is_told(r.x[i]) && is_told(r.y[i]) ? key + 1 : 0;
    }
}

void plan_speed_keys(const plan_speed_space* s, const plan_speed_node* nodes, int32_t count,
                     uint64_t* keys) {
    for (int32_t i = 0; i < count; i += BLOCK)
        find_keys(s, &nodes[i], count - i < BLOCK ? count - i : BLOCK, &keys[i]);
}

// --------------------------------------------------------------------------- still to go

static float signed_speed(const plan_speed_node* node) {
    return node->speed * (float)node->travel;
}

static bool counts_speeds(const plan_speed_space* s) {
    return s->settings.heuristic == KERB_PLAN_ADMISSIBLE ||
           s->settings.heuristic == KERB_PLAN_THESIS;
}

// Of a way that is at least so long. [s]
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
    return counts_speeds(s) && distance > s->settings.far * s->limits.turning_radius;
}

static float rest_to(const plan_speed_space* s, const plan_speed_node* node, int32_t goal) {
    const kerb_plan_end* to = &s->goals[goal];
    kerb_plan_end from = {.pose = node->pose, .speed = signed_speed(node)};
    float distance = kerb_vec2_length(kerb_vec2_sub(to->pose.position, node->pose.position));
    if (!is_far(s, distance))
        return kerb_plan_bound(&s->limits, &s->bounds[goal], &from, to) + to->penalty;
    float straight = kerb_max(distance - to->position_tolerance, 0.0f);
    return time_over(s, straight, node->speed, to) + to->penalty;
}

// The nearest goal by `rest`, or by the way round the obstacles where that is more.
static void take_rest(const plan_speed_space* s, plan_speed_node* node, int32_t goal, float rest,
                      float round) {
    const kerb_plan_end* to = &s->goals[goal];
    float way = round - to->position_tolerance;
    if (way > 0.0f)
        rest = kerb_max(rest, time_over(s, way, node->speed, to) + to->penalty);
    if (rest < node->rest) {
        node->rest = rest;
        node->goal = (uint8_t)goal;
    }
}

// False: no goal can be reached.
static bool find_round(plan_flow* flow, plan_speed_node* node, float* round) {
    *round = flow ? plan_flow_distance(flow, node->pose.position) : 0.0f;
    node->rest = KERB_PLAN_NEVER;
    return *round < KERB_NO_WAY;
}

void plan_speed_estimate(const plan_speed_space* s, plan_flow* flow, plan_speed_node* node) {
    float round;
    if (!find_round(flow, node, &round))
        return;
    for (int32_t i = 0; i < s->goal_count; i++)
        take_rest(s, node, i, rest_to(s, node, i), round);
}

// A block of them by the thesis's heuristic, whose lengths are found together.
static void estimate_block(const plan_speed_space* s, plan_flow* flow, plan_speed_node* nodes,
                           int32_t count) {
    curve_dubins_block from;
    float round[BLOCK], lengths[BLOCK], speeds[BLOCK], rest[BLOCK];
    for (int32_t i = 0; i < BLOCK; i++) {
        const plan_speed_node* node = &nodes[i < count ? i : count - 1];
        kerb_pose pose = node->pose;
        speeds[i] = node->speed;
        from.x[i] = pose.position.x;
        from.y[i] = pose.position.y;
        from.forward_x[i] = pose.forward.x;
        from.forward_y[i] = pose.forward.y;
    }
    bool is_open[BLOCK];
    for (int32_t i = 0; i < count; i++)
        is_open[i] = find_round(flow, &nodes[i], &round[i]);
    for (int32_t goal = 0; goal < s->goal_count; goal++) {
        const kerb_plan_end* to = &s->goals[goal];
        curve_dubins_csc_block(&from, to->pose, s->limits.turning_radius, lengths);
        plan_bound_thesis_block(&s->limits, s->bounds[goal].overshoot, lengths, speeds, to->speed,
                                rest);
        for (int32_t i = 0; i < count; i++)
            if (is_open[i])
                take_rest(s, &nodes[i], goal, rest[i] + to->penalty, round[i]);
    }
}

void plan_speed_estimate_all(const plan_speed_space* s, plan_flow* flow, plan_speed_node* nodes,
                             int32_t count) {
    bool is_thesis = s->settings.heuristic == KERB_PLAN_THESIS && s->settings.far >= NEVER_FAR;
    for (int32_t i = 0; i < count && !is_thesis; i++)
        plan_speed_estimate(s, flow, &nodes[i]);
    for (int32_t i = 0; i < count && is_thesis; i += BLOCK)
        estimate_block(s, flow, &nodes[i], count - i < BLOCK ? count - i : BLOCK);
}

// Size of the turn from one heading to another. [0 … π]
static float turn_between(float a, float b) {
    float turn = in_turn(a - b);
    return kerb_min(turn, TURN - turn);
}

int32_t plan_speed_goal_at(const plan_speed_space* s, const plan_speed_node* node) {
    for (int32_t i = 0; i < s->goal_count; i++) {
        const kerb_plan_end* to = &s->goals[i];
        kerb_vec2 away = kerb_vec2_sub(to->pose.position, node->pose.position);
        float reach = to->position_tolerance;
        if (kerb_vec2_dot(away, away) <= reach * reach &&
            turn_between(node->heading, s->goal_heading[i]) <= to->heading_tolerance &&
            kerb_abs(signed_speed(node) - to->speed) <= to->speed_tolerance)
            return i;
    }
    return -1;
}

plan_speed_node plan_speed_start(const kerb_plan_end* end, int32_t index) {
    plan_speed_node node = {.pose = end->pose,
                            .heading = in_turn(kerb_pose_heading(end->pose)),
                            .speed = kerb_abs(end->speed),
                            .cost = end->penalty,
                            .parent = -1 - index,
                            .travel = end->speed > 0.0f   ? 1
                                      : end->speed < 0.0f ? -1
                                                          : 0};
    return node;
}

plan_speed_node plan_speed_waited(const plan_speed_node* node, float seconds) {
    plan_speed_node waited = {.pose = node->pose,
                              .heading = node->heading,
                              .cost = node->cost + seconds,
                              .time = node->time + seconds,
                              .curvature = node->curvature,
                              .depth = (uint16_t)(node->depth + 1),
                              .travel = node->travel};
    return waited;
}

// --------------------------------------------------------------------------- actions

// What is the same for all successors in one direction of travel.
typedef struct drive {
    const plan_speed_space* space;
    const plan_speed_node* from;
    plan_speed_node* successors;
    int32_t count;
    int32_t reverse; // 0 or 1
    float square;    // of the speed [m²/s²]
    bool turns_back; // it has come the other way
} drive;

// Squared speed at the end of an arc.
static float square_after(const drive* d, float acceleration, float length) {
    float square = d->square + 2.0f * acceleration * length;
    return kerb_clamp(square, 0.0f, d->space->rates.speed_squared[d->reverse]);
}

static float tightest_for(const plan_rates* r, float square) {
    float bend = r->curvature;
    if (bend * square > r->lateral)
        bend = r->lateral / square;
    if (bend * bend * square > r->yaw_rate * r->yaw_rate)
        bend = r->yaw_rate / kerb_sqrt(square);
    return bend;
}

// The tightest arc that the faster end of it allows. The faster end depends on its length, and the
// length on the arc: a tighter one first, so that the second is short enough.
static plan_speed_arc tightest_arc(const drive* d, float acceleration) {
    const plan_speed_space* s = d->space;
    float near = kerb_max(d->square, square_after(d, acceleration, s->step));
    float bend = tightest_for(&s->rates, near);
    plan_speed_arc arc = bend < s->rates.curvature ? arc_of(bend, s->step) : s->tightest;
    float far = kerb_max(d->square, square_after(d, acceleration, arc.length));
    float allowed = tightest_for(&s->rates, far);
    return allowed < arc.curvature ? arc_of(allowed, s->step) : arc;
}

// Adds the state at the end of an arc, `side` 1 to the left, -1 to the right.
static void add_end(drive* d, const plan_speed_arc* arc, float side, float square) {
    const plan_speed_node* from = d->from;
    float ahead = d->reverse ? -1.0f : 1.0f, speed = kerb_sqrt(square);
    kerb_vec2 end = kerb_vec2_make(ahead * arc->end.x, side * arc->end.y);
    kerb_vec2 forward =
        curve_turned(from->pose.forward, arc->forward.x, ahead * side * arc->forward.y);
    plan_speed_node* to = &d->successors[d->count++];
    *to = (plan_speed_node){.heading = in_turn(from->heading + ahead * side * arc->turn),
                            .speed = speed,
                            .curvature = side * arc->curvature,
                            .length = ahead * arc->length,
                            .acceleration = (square - d->square) / (2.0f * arc->length),
                            .depth = (uint16_t)(from->depth + 1),
                            .travel = d->reverse ? -1 : 1};
    to->pose.position = kerb_vec2_add(
        from->pose.position, curve_turned(end, from->pose.forward.x, from->pose.forward.y));
    to->pose.forward = curve_unit_again(forward);
    float waits =
        d->turns_back ? plan_standing(&d->space->rates, from->curvature, to->curvature) : 0.0f;
    to->cost = from->cost + waits + 2.0f * arc->length / (from->speed + speed);
    to->time = from->time + waits + 2.0f * arc->length / (from->speed + speed);
}

static void add_arc(drive* d, const plan_speed_arc* arc, float side, float acceleration) {
    add_end(d, arc, side, square_after(d, acceleration, arc->length));
}

// The turn that ends at the goal's heading, if it is not too tight.
static void aim_turn(drive* d, const plan_speed_arc* tightest, float acceleration) {
    const plan_speed_space* s = d->space;
    float left = in_turn(s->goal_heading[d->from->goal] - d->from->heading);
    float turn = kerb_min(left, TURN - left);
    if (!(turn < tightest->turn) || turn < 1e-5f)
        return;
    plan_speed_arc arc = arc_of(2.0f * kerb_sin(0.5f * turn) / s->step, s->step);
    bool to_left = (left <= KERB_PI) == (d->reverse == 0);
    add_arc(d, &arc, to_left ? 1.0f : -1.0f, acceleration);
}

// A curvature on either side.
static void add_bend(drive* d, float bend, float tightest, float acceleration) {
    if (!(kerb_abs(bend) <= tightest))
        return;
    plan_speed_arc arc = arc_of(kerb_abs(bend), d->space->step);
    add_arc(d, &arc, bend < 0.0f ? -1.0f : 1.0f, acceleration);
}

// As it turns now, and as far to either side of that as the wheels follow at once: what they do not
// follow is left out later.
static void turn_wheels(drive* d, float tightest, float acceleration) {
    const plan_rates* rates = &d->space->rates;
    bool is_straight = d->from->length == 0.0f || d->from->speed == 0.0f;
    if (!(rates->wheel_time > 0.0f) || is_straight)
        return;
    float jump = plan_wheels_jump(rates, d->square), now = d->from->curvature;
    if (now != 0.0f)
        add_bend(d, now, tightest, acceleration);
    add_bend(d, now + jump, tightest, acceleration);
    add_bend(d, now - jump, tightest, acceleration);
}

static void turn_all(drive* d, float acceleration) {
    static const plan_speed_arc none = {0};
    const plan_speed_space* s = d->space;
    plan_speed_arc straight = none, tightest = tightest_arc(d, acceleration);
    straight.length = straight.end.x = s->step;
    straight.forward.x = 1.0f;
    add_arc(d, &straight, 1.0f, acceleration);
    for (int32_t i = 0; i < s->turn_count; i++) {
        if (!(s->turns[i].turn < tightest.turn - TOO_ALIKE * s->settings.turn_step))
            break;
        add_arc(d, &s->turns[i], 1.0f, acceleration);
        add_arc(d, &s->turns[i], -1.0f, acceleration);
    }
    add_arc(d, &tightest, 1.0f, acceleration);
    add_arc(d, &tightest, -1.0f, acceleration);
    turn_wheels(d, tightest.curvature, acceleration);
    if (s->settings.aims)
        aim_turn(d, &tightest, acceleration);
}

static float acceleration_of(const drive* d, float share) {
    const kerb_plan_limits* l = &d->space->limits;
    float gain = d->reverse ? l->reverse_acceleration : l->acceleration;
    float loss = d->reverse ? l->reverse_braking : l->braking;
    return share * (share > 0.0f ? gain : loss);
}

// The acceleration that ends at the goal's speed, straight or about so.
static void aim_speed(drive* d) {
    const plan_speed_space* s = d->space;
    float goal = s->goals[d->from->goal].speed * (d->reverse ? -1.0f : 1.0f);
    float needed = (goal * goal - d->square) / (2.0f * s->step);
    bool is_possible = goal > 0.0f && needed < acceleration_of(d, 1.0f) && needed != 0.0f &&
                       needed > acceleration_of(d, -1.0f);
    if (is_possible)
        turn_all(d, needed);
}

// Faster first: where two are as good, the faster one is looked at first.
static void accelerate_all(drive* d) {
    const plan_speed_space* s = d->space;
    int32_t count = s->settings.accelerations;
    for (int32_t i = count; i >= -count; i--) {
        bool is_useless = i > 0 ? d->square >= s->rates.speed_squared[d->reverse]
                                : d->square == 0.0f; // standing is no movement
        if (!is_useless)
            turn_all(d, acceleration_of(d, (float)i / (float)count));
    }
    if (s->settings.aims)
        aim_speed(d);
}

int32_t plan_speed_successors(const plan_speed_space* s, const plan_speed_node* node,
                              plan_speed_node* successors) {
    drive d = {s, node, successors, 0, 0, node->speed * node->speed, false};
    for (int32_t reverse = 0; reverse < 2; reverse++) {
        int32_t travel = reverse ? -1 : 1;
        bool turns_back = node->travel == -travel;
        if (!(s->rates.speed_squared[reverse] > 0.0f) || (turns_back && node->speed > 0.0f))
            continue;
        d.reverse = reverse;
        d.turns_back = turns_back;
        accelerate_all(&d);
    }
    KERB_ASSERT(d.count <= PLAN_SPEED_SUCCESSORS_MAX);
    return d.count;
}
