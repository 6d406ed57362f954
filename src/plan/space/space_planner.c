// Purpose: plans of kinds in space.
// Idea:    Where the leg from start to goal is free, it is the plan. Otherwise a way for a ball is
//          found and pulled taut; each of its corners is a layer of states with a few directions
//          and speeds, and legs lead from layer to layer or over one. From the first layer on, the
//          fastest free row of legs to each state is kept. Then states of the row are moved at
//          random, by less and less, and what is faster and free is kept. Ways are tried for balls
//          of several sizes: a wide way suits vehicles with wide turns. Where no way leads to the
//          goal, a tree of legs to random states grows from the start until it does.
// Cost:    A step is a slice of the way's search, or one leg with its test.
// Source:  LaValle, "Planning Algorithms", 2006, chapter 14 (search with a steering function).
#include "space_planner.h"

#include "guide.h"
#include "legs.h"

#include "../../base/shared.h"

#include <string.h>

// Cells of the way's search in a step.
#define SPACE_SLICE 64
// Nodes of a search, and samples of the search at random.
#define SPACE_NODES 400
#define SPACE_SAMPLES 1200
// Samples after the first that led to the goal; and nodes from which a sample is tried.
#define SPACE_MORE_SAMPLES 60
#define SPACE_NEAREST 3
// States of a layer: directions times speeds, and one at rest.
#define SPACE_DIRECTIONS 3
#define SPACE_SPEEDS 3
#define SPACE_STATES (SPACE_DIRECTIONS * SPACE_SPEEDS + 1)
// Layers between start and goal.
#define SPACE_LAYERS GUIDE_CORNERS
// Shares of the greatest speed.
static const float space_speeds[SPACE_SPEEDS] = {0.85f, 0.45f, 0.2f};
// Ways that are tried before the tree, and how much larger than the footprint their balls are, in
// reaches. More ways than these found 3 of 800 plans, the tree finds those as well. [1]
#define SPACE_WAYS 2
static const float space_wider[SPACE_WAYS] = {0.3f, 1.0f};
// Random changes begin at this share of the leg's length, and shrink by that after so many that
// brought nothing.
#define SPACE_FIRST_MOVE 0.25f
#define SPACE_SHRINKING 0.7f
#define SPACE_PATIENCE 8
// Pieces of a plan over all time, for the driver's gains. [1]
#define SPACE_PIECES 160.0f

typedef enum space_stage {
    SPACE_ENDED,
    SPACE_SHOT,
    SPACE_GUIDE,
    SPACE_LAYING,
    SPACE_GROWING,
    SPACE_IMPROVING
} space_stage;

// A state on the way and the best leg to it.
typedef struct space_node {
    float wanted[KIND_N]; // the state that legs aim at
    float state[KIND_N];  // where the best leg ends
    float time;           // from the start; negative: not reached [s]
    int32_t before;       // index of the node that the leg comes from
    int32_t depth;        // legs from the start
    kerb_kind_leg leg;
} space_node;

// A row of legs.
typedef struct space_row {
    int32_t count;                          // legs
    float wanted[SPACE_LAYERS + 1][KIND_N]; // states that the legs aim at; the last is the goal
    kerb_kind_leg legs[SPACE_LAYERS + 1];
    float time; // [s]
} space_row;

typedef struct space_task {
    kerb_kind kind;
    kerb_kind_settings settings;
    float from[KIND_N], to[KIND_N];
    int32_t stage, outcome, attempt, steps;
    float lower_bound;
    float least_time; // of the plan, where it can wait [s]
    float curvature;  // of the path at the goal then [1/m]
    bool found;
    space_guide guide;
    // Layers: node 0 is the start, the last node the goal.
    int32_t layers;                  // with start and goal
    int32_t first[SPACE_LAYERS + 3]; // first node of a layer
    int32_t node, source;            // of the leg that is tried next
    space_node nodes[SPACE_NODES];
    int32_t grown, samples, last_sample; // nodes of the tree; samples until now and to be tried
    space_row row, other;                // the best, and one that is tried
    int32_t tried, failures;
    float move; // size of random changes [1]
    kerb_random random;
    kind_motion motion; // the plan
    kind_derivatives derivatives;
    float times[KERB_KIND_PIECES_MAX + 1];
} space_task;

size_t kerb_in_space_bytes(void) {
    return (sizeof(space_task) + 63) / 64 * 64;
}

void kerb_in_space_init(void* memory, const kerb_kind* kind, const kerb_kind_settings* settings) {
    space_task* t = memory;
    memset(t, 0, sizeof *t);
    t->kind = *kind;
    t->settings = *settings;
    kerb_in_space_forget(t);
}

const kerb_kind* kerb_in_space_kind(const void* memory) {
    const space_task* t = memory;
    return &t->kind;
}

void kerb_in_space_forget(void* memory) {
    space_task* t = memory;
    t->stage = SPACE_ENDED;
    t->outcome = KERB_PLAN_NO_PATH;
    t->found = false;
    t->steps = t->attempt = 0;
    t->lower_bound = t->least_time = 0.0f;
}

static void space_end(space_task* t, kerb_plan_outcome outcome) {
    t->stage = SPACE_ENDED;
    t->outcome = (int32_t)outcome;
}

// --------------------------------------------------------------------------- plans of a row

// Whether the end of a motion is at the goal.
static bool space_is_there(const space_task* t, const kind_motion* motion) {
    const float* end = motion->states[motion->count];
    for (int32_t i = 0; i < t->kind.states; i++) {
        float error = end[i] - t->to[i];
        if (i == t->kind.space->heading)
            error = kerb_wrap_angle(error);
        if (!(kerb_abs(error) <= t->kind.tolerance[i]))
            return false;
    }
    return true;
}

// Makes the plan of the best row. False where it misses the goal or has too many pieces.
static bool space_take_row(space_task* t) {
    float longest = kerb_max(t->row.time / SPACE_PIECES, t->kind.step_max);
    if (!kerb_in_leg_join(&t->kind, t->row.legs, t->row.count, t->from, longest, &t->motion) ||
        !space_is_there(t, &t->motion))
        return false;
    t->times[0] = 0.0f;
    for (int32_t k = 0; k < t->motion.count; k++)
        t->times[k + 1] = t->times[k] + t->motion.pieces[k];
    kerb_in_kind_derive(&t->kind, &t->motion, &t->derivatives);
    t->found = true;
    return true;
}

// Makes the last leg so long that the row takes the time that is asked for; where that cannot be,
// the row stays.
static void space_wait(space_task* t, const space_volume* volume) {
    float state[KIND_N], next[KIND_N], rest = t->least_time;
    int32_t last = t->row.count - 1;
    kerb_kind_leg leg;
    if (!(t->least_time > t->row.time) || !t->kind.space->connect_in)
        return;
    memcpy(state, t->from, sizeof state);
    for (int32_t i = 0; i < last; i++) {
        rest -= kerb_in_leg_time(&t->row.legs[i]);
        kerb_in_leg_end(&t->kind, &t->row.legs[i], state, next);
        memcpy(state, next, sizeof state);
    }
    if (!t->kind.space->connect_in(&t->kind, state, t->to, rest, t->curvature, &leg) ||
        !kerb_in_leg_is_free(&t->kind, &leg, state, volume))
        return;
    t->row.legs[last] = leg;
    t->row.time = t->least_time - rest + kerb_in_leg_time(&leg);
}

static void space_finish(space_task* t, const space_volume* volume) {
    space_wait(t, volume);
    space_end(t, space_take_row(t) ? KERB_PLAN_FOUND : KERB_PLAN_BUDGET_SPENT);
}

// --------------------------------------------------------------------------- ways

static kerb_vec3 space_place(const float* state) {
    return kerb_vec3_make(state[0], state[1], state[2]);
}

static void space_begin_guide(space_task* t, space_volume* volume) {
    float reach = kerb_in_leg_reach(&t->kind, t->from);
    t->stage = SPACE_GUIDE;
    kerb_in_guide_begin(&t->guide, volume, space_place(t->from), space_place(t->to),
                        reach * (1.0f + space_wider[t->attempt]));
}

// The tree: node 0 is the start, the last node of all the goal.
static void space_begin_growing(space_task* t) {
    t->stage = SPACE_GROWING;
    t->layers = 2;
    t->first[0] = 0;
    t->first[1] = SPACE_NODES - 1;
    t->first[2] = SPACE_NODES;
    memcpy(t->nodes[0].state, t->from, sizeof t->from);
    memcpy(t->nodes[SPACE_NODES - 1].wanted, t->to, sizeof t->to);
    t->nodes[0].time = 0.0f;
    t->nodes[0].depth = 0;
    t->nodes[SPACE_NODES - 1].time = -1.0f;
    t->grown = 1;
    t->samples = 0;
    t->last_sample = SPACE_SAMPLES;
    t->random = kerb_random_make(2, 35);
}

// A plan that cannot be made after the tree is the end.
static void space_fail_attempt(space_task* t, space_volume* volume) {
    int32_t ways = t->settings.attempts < SPACE_WAYS ? t->settings.attempts : SPACE_WAYS;
    if (++t->attempt < ways)
        space_begin_guide(t, volume);
    else if (t->attempt == ways)
        space_begin_growing(t);
    else
        space_end(t, KERB_PLAN_BUDGET_SPENT);
}

// Directions at a corner: between both sides, and along each.
static void space_directions(kerb_vec3 before, kerb_vec3 corner, kerb_vec3 after,
                             kerb_vec3 directions[SPACE_DIRECTIONS]) {
    const kerb_vec3 ahead = {1.0f, 0.0f, 0.0f};
    kerb_vec3 in = kerb_vec3_unit(kerb_vec3_sub(corner, before), ahead);
    kerb_vec3 out = kerb_vec3_unit(kerb_vec3_sub(after, corner), in);
    directions[0] = kerb_vec3_unit(kerb_vec3_add(in, out), in);
    directions[1] = in;
    directions[2] = out;
}

static void space_add_node(space_task* t, int32_t* count, kerb_vec3 corner, kerb_vec3 direction,
                           float share) {
    space_node* node = &t->nodes[(*count)++];
    memcpy(node->wanted, t->to, sizeof node->wanted);
    t->kind.space->via(&t->kind, corner, direction, share, node->wanted);
    node->time = -1.0f;
}

static void space_begin_layers(space_task* t) {
    const space_guide* g = &t->guide;
    int32_t count = 1;
    memcpy(t->nodes[0].state, t->from, sizeof t->from);
    t->nodes[0].time = 0.0f;
    t->nodes[0].depth = 0;
    t->first[0] = 0;
    for (int32_t c = 0; c < g->count; c++) {
        kerb_vec3 directions[SPACE_DIRECTIONS];
        space_directions(c > 0 ? g->corners[c - 1] : g->from, g->corners[c],
                         c + 1 < g->count ? g->corners[c + 1] : g->to, directions);
        t->first[c + 1] = count;
        for (int32_t s = 0; s < SPACE_SPEEDS; s++)
            for (int32_t d = 0; d < SPACE_DIRECTIONS; d++)
                space_add_node(t, &count, g->corners[c], directions[d], space_speeds[s]);
        space_add_node(t, &count, g->corners[c], directions[0], 0.0f);
    }
    t->layers = g->count + 2;
    t->first[g->count + 1] = count;
    memcpy(t->nodes[count].wanted, t->to, sizeof t->to);
    t->nodes[count].time = -1.0f;
    t->first[g->count + 2] = count + 1;
    t->stage = SPACE_LAYING;
    t->node = 1;
    t->source = 0;
}

static void space_step_guide(space_task* t, space_volume* volume) {
    kerb_plan_outcome outcome = kerb_in_guide_advance(&t->guide, volume, SPACE_SLICE);
    if (outcome == KERB_PLAN_FOUND)
        space_begin_layers(t);
    else if (outcome != KERB_PLAN_RUNNING)
        space_fail_attempt(t, volume);
}

// --------------------------------------------------------------------------- layers

static int32_t space_layer_of(const space_task* t, int32_t node) {
    int32_t layer = 0;
    while (t->first[layer + 1] <= node)
        layer++;
    return layer;
}

static void space_take_nodes(space_task* t) {
    int32_t chain[SPACE_LAYERS + 2], count = 0;
    for (int32_t n = t->first[t->layers - 1]; n > 0; n = t->nodes[n].before)
        chain[count++] = n;
    t->row.count = count;
    t->row.time = t->nodes[t->first[t->layers - 1]].time;
    for (int32_t i = 0; i < count; i++) {
        const space_node* node = &t->nodes[chain[count - 1 - i]];
        memcpy(t->row.wanted[i], node->wanted, sizeof node->wanted);
        t->row.legs[i] = node->leg;
    }
}

static void space_begin_improving(space_task* t) {
    t->stage = SPACE_IMPROVING;
    t->tried = t->failures = 0;
    t->move = SPACE_FIRST_MOVE;
    t->random = kerb_random_make(1, 35);
}

// Tries the leg from one node to another.
static void space_try_leg(space_task* t, const space_volume* volume, const space_node* from,
                          int32_t source, space_node* to, bool passes) {
    kerb_kind_leg leg;
    if (from->time < 0.0f)
        return;
    float least = t->kind.bound(t->kind.vehicle, from->state, to->wanted);
    if (passes)
        least = 0.0f; // numbers that need not be met may be in the bound
    if (to->time >= 0.0f && from->time + least >= to->time)
        return;
    if (!t->kind.space->connect(&t->kind, from->state, to->wanted, passes, &leg))
        return;
    float time = from->time + kerb_in_leg_time(&leg);
    if ((to->time >= 0.0f && time >= to->time) ||
        !kerb_in_leg_is_free(&t->kind, &leg, from->state, volume))
        return;
    to->time = time;
    to->before = source;
    to->depth = from->depth + 1;
    to->leg = leg;
    kerb_in_leg_end(&t->kind, &leg, from->state, to->state);
}

static void space_step_layers(space_task* t, space_volume* volume) {
    int32_t layer = space_layer_of(t, t->node), last = t->first[t->layers - 1];
    space_try_leg(t, volume, &t->nodes[t->source], t->source, &t->nodes[t->node], t->node != last);
    if (++t->source < t->first[layer])
        return;
    if (t->node == last) {
        if (t->nodes[last].time < 0.0f) {
            space_fail_attempt(t, volume);
            return;
        }
        space_take_nodes(t);
        space_begin_improving(t);
        return;
    }
    int32_t next = space_layer_of(t, ++t->node);
    // From the layer before and the one before that; the goal also from all others.
    t->source = next >= 2 && t->node != last ? t->first[next - 2] : 0;
}

// --------------------------------------------------------------------------- a tree

static kerb_vec3 space_random_vector(space_task* t, float size) {
    kerb_vec3 v = {kerb_random_between(&t->random, -size, size),
                   kerb_random_between(&t->random, -size, size),
                   kerb_random_between(&t->random, -size, size)};
    return v;
}

// A random place: half of them anywhere, the others about the ends and what lies between them.
static kerb_vec3 space_sample_place(space_task* t, const space_volume* volume) {
    const kerb_space_world* w = &volume->world;
    if (kerb_random_below(&t->random, 2) == 0)
        return kerb_vec3_make(kerb_random_between(&t->random, w->min.x, w->max.x),
                              kerb_random_between(&t->random, w->min.y, w->max.y),
                              kerb_random_between(&t->random, w->min.z, w->max.z));
    kerb_vec3 from = space_place(t->from), way = kerb_vec3_sub(space_place(t->to), from);
    float along = kerb_clamp(kerb_random_between(&t->random, -0.5f, 1.5f), 0.0f, 1.0f);
    float size = 0.5f * kerb_vec3_length(way) + 4.0f * volume->cell;
    return kerb_vec3_add(kerb_vec3_along(from, way, along), space_random_vector(t, size));
}

// The nodes from which a state may be reached first; returns how many.
static int32_t space_nearest(space_task* t, const float* wanted, int32_t nearest[SPACE_NEAREST]) {
    float times[SPACE_NEAREST];
    int32_t count = 0;
    for (int32_t n = 0; n < t->grown; n++) {
        if (t->nodes[n].depth >= SPACE_LAYERS)
            continue;
        float time = t->nodes[n].time + t->kind.bound(t->kind.vehicle, t->nodes[n].state, wanted);
        int32_t at = count < SPACE_NEAREST ? count++ : SPACE_NEAREST;
        for (; at > 0 && times[at - 1] > time; at--)
            if (at < SPACE_NEAREST) {
                times[at] = times[at - 1];
                nearest[at] = nearest[at - 1];
            }
        if (at < SPACE_NEAREST) {
            times[at] = time;
            nearest[at] = n;
        }
    }
    return count;
}

static void space_step_growing(space_task* t, space_volume* volume) {
    space_node *goal = &t->nodes[SPACE_NODES - 1], *node = &t->nodes[t->grown];
    if (t->samples++ >= t->last_sample || t->grown >= SPACE_NODES - 1) {
        if (goal->time < 0.0f) {
            space_fail_attempt(t, volume);
            return;
        }
        space_take_nodes(t);
        space_begin_improving(t);
        return;
    }
    const kerb_vec3 ahead = {1.0f, 0.0f, 0.0f};
    kerb_vec3 place = space_sample_place(t, volume);
    kerb_vec3 direction = kerb_vec3_unit(space_random_vector(t, 1.0f), ahead);
    float share = space_speeds[kerb_random_below(&t->random, SPACE_SPEEDS)];
    memcpy(node->wanted, t->to, sizeof node->wanted);
    t->kind.space->via(&t->kind, place, direction, share, node->wanted);
    node->time = -1.0f;
    if (!kerb_in_leg_place_is_free(&t->kind, node->wanted, volume, 0.0f))
        return;
    int32_t nearest[SPACE_NEAREST], count = space_nearest(t, node->wanted, nearest);
    for (int32_t i = 0; i < count; i++)
        space_try_leg(t, volume, &t->nodes[nearest[i]], nearest[i], node, true);
    if (node->time < 0.0f)
        return;
    bool first = goal->time < 0.0f;
    space_try_leg(t, volume, node, t->grown++, goal, false);
    if (first && goal->time >= 0.0f)
        t->last_sample = t->samples + SPACE_MORE_SAMPLES;
}

// --------------------------------------------------------------------------- improvement

// Legs of `other` from one of them on, as its wanted states say. False where some is not free or it
// takes at least `most`.
static bool space_lay(space_task* t, const space_volume* volume, int32_t first, float most) {
    float state[KIND_N], next[KIND_N];
    space_row* row = &t->other;
    memcpy(state, t->from, sizeof state);
    row->time = 0.0f;
    for (int32_t i = 0; i < row->count; i++) {
        if (i >= first && !t->kind.space->connect(&t->kind, state, row->wanted[i],
                                                  i + 1 < row->count, &row->legs[i]))
            return false;
        row->time += kerb_in_leg_time(&row->legs[i]);
        if (row->time >= most)
            return false;
        kerb_in_leg_end(&t->kind, &row->legs[i], state, next);
        memcpy(state, next, sizeof state);
    }
    memcpy(state, t->from, sizeof state);
    for (int32_t i = 0; i < row->count; i++) {
        if (i >= first && !kerb_in_leg_is_free(&t->kind, &row->legs[i], state, volume))
            return false;
        kerb_in_leg_end(&t->kind, &row->legs[i], state, next);
        memcpy(state, next, sizeof state);
    }
    return true;
}

// A state near another: its place and its motion change by a share.
static void space_move_state(space_task* t, float* state, float size) {
    float rates[KIND_N] = {0.0f}, none[KIND_M] = {0.0f};
    t->kind.rates(t->kind.vehicle, state, none, rates);
    kerb_vec3 velocity = kerb_vec3_make(rates[0], rates[1], rates[2]);
    float fast[KIND_N];
    const kerb_vec3 ahead = {1.0f, 0.0f, 0.0f};
    kerb_vec3 direction =
        kerb_vec3_unit(velocity, kerb_vec3_unit(space_random_vector(t, 1.0f), ahead));
    direction =
        kerb_vec3_unit(kerb_vec3_add(direction, space_random_vector(t, 2.0f * t->move)), direction);
    // The speed as a share of the greatest in that direction.
    memcpy(fast, t->to, sizeof fast);
    t->kind.space->via(&t->kind, space_place(state), direction, 1.0f, fast);
    t->kind.rates(t->kind.vehicle, fast, none, rates);
    float top = kerb_max(kerb_vec3_length(kerb_vec3_make(rates[0], rates[1], rates[2])), 1e-3f);
    float share = kerb_vec3_length(velocity) / top +
                  kerb_random_between(&t->random, -1.5f * t->move, 1.5f * t->move);
    kerb_vec3 place = kerb_vec3_add(space_place(state), space_random_vector(t, size * t->move));
    memcpy(state, t->to, sizeof fast);
    t->kind.space->via(&t->kind, place, direction, kerb_clamp(share, 0.0f, 1.0f), state);
}

// Leaves out a state of the other row.
static void space_leave_out(space_row* row, int32_t at) {
    row->count--;
    memmove(row->wanted[at], row->wanted[at + 1],
            sizeof row->wanted[0] * (size_t)(row->count - at));
    memmove(&row->legs[at], &row->legs[at + 1], sizeof row->legs[0] * (size_t)(row->count - at));
}

static void space_step_improving(space_task* t, space_volume* volume) {
    if (t->row.count < 2 || t->tried >= t->settings.improvement) {
        space_finish(t, volume);
        if (!t->found)
            space_fail_attempt(t, volume);
        return;
    }
    t->other = t->row;
    int32_t inner = t->row.count - 1, at = t->tried % inner;
    // Each state is left out once at first, then they are moved in turn.
    if (t->tried < inner) {
        at = inner - 1 - t->tried;
        space_leave_out(&t->other, at);
    } else {
        kerb_vec3 before = at > 0 ? space_place(t->row.wanted[at - 1]) : space_place(t->from);
        kerb_vec3 after = space_place(t->row.wanted[at + 1]);
        float size = 0.5f * kerb_vec3_length(kerb_vec3_sub(after, before));
        space_move_state(t, t->other.wanted[at], size);
    }
    t->tried++;
    if (space_lay(t, volume, at, t->row.time)) {
        t->row = t->other;
        t->failures = 0;
    } else if (++t->failures >= SPACE_PATIENCE * inner) {
        t->failures = 0;
        t->move *= SPACE_SHRINKING;
    }
}

// --------------------------------------------------------------------------- a query

static void space_step_shot(space_task* t, space_volume* volume) {
    t->row.count = 1;
    if (t->kind.space->connect(&t->kind, t->from, t->to, false, &t->row.legs[0]) &&
        kerb_in_leg_is_free(&t->kind, &t->row.legs[0], t->from, volume)) {
        t->row.time = kerb_in_leg_time(&t->row.legs[0]);
        space_finish(t, volume);
    } else if (volume) {
        space_begin_guide(t, volume);
    } else {
        space_end(t, KERB_PLAN_NO_PATH);
    }
}

void kerb_in_space_begin(void* memory, const float* from, const float* to, space_volume* volume) {
    space_task* t = memory;
    kerb_in_space_forget(t);
    memset(t->from, 0, sizeof t->from);
    memset(t->to, 0, sizeof t->to);
    memcpy(t->from, from, (size_t)t->kind.states * sizeof(float));
    memcpy(t->to, to, (size_t)t->kind.states * sizeof(float));
    t->lower_bound = t->kind.bound(t->kind.vehicle, t->from, t->to);
    t->outcome = KERB_PLAN_RUNNING;
    t->stage = SPACE_SHOT;
    if (!kerb_in_leg_place_is_free(&t->kind, t->from, volume, 0.0f))
        space_end(t, KERB_PLAN_START_BLOCKED);
    else if (!kerb_in_leg_place_is_free(&t->kind, t->to, volume, 0.0f))
        space_end(t, KERB_PLAN_GOAL_BLOCKED);
}

void kerb_in_space_take_time(void* memory, float time, float curvature) {
    space_task* t = memory;
    t->least_time = time;
    t->curvature = curvature;
}

kerb_plan_outcome kerb_in_space_advance(void* memory, space_volume* volume, int32_t steps) {
    space_task* t = memory;
    for (int32_t i = 0; i < steps && t->stage != SPACE_ENDED; i++) {
        t->steps++;
        if (t->stage == SPACE_SHOT)
            space_step_shot(t, volume);
        else if (t->stage == SPACE_GUIDE)
            space_step_guide(t, volume);
        else if (t->stage == SPACE_LAYING)
            space_step_layers(t, volume);
        else if (t->stage == SPACE_GROWING)
            space_step_growing(t, volume);
        else
            space_step_improving(t, volume);
    }
    return (kerb_plan_outcome)t->outcome;
}

kerb_kind_plan kerb_in_space_get_plan(const void* memory) {
    const space_task* t = memory;
    kerb_kind_plan plan = {.lower_bound = t->lower_bound, .steps = t->steps, .attempt = t->attempt};
    if (!t->found)
        return plan;
    plan.states = t->motion.states[0];
    plan.controls = t->motion.controls[0];
    plan.gains = t->derivatives.gains[0][0];
    plan.times = t->times;
    plan.count = t->motion.count;
    plan.time = t->times[plan.count];
    for (int32_t k = 0; k < plan.count; k++) {
        const float *a = t->motion.states[k], *b = t->motion.states[k + 1];
        plan.length += kerb_vec3_length(kerb_vec3_sub(space_place(b), space_place(a)));
    }
    return plan;
}
