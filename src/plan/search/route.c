// Purpose: a path round obstacles, in open ground and through gaps of a few centimetres.
// Idea:    One search does not suit both. So a coarse search comes first, guided through gaps that
//          are likely wide enough. If it finds nothing, a search is guided through every gap that
//          might be wide enough; then finer and finer ones follow. If even these gaps do not
//          connect start and goal, there is no path, and that is the answer.
//
//          Before all of them comes the line, which needs no search: the shortest way on the guide,
//          pulled taut and rounded. On ground with a cost a search goes on until nothing can be
//          cheaper, so there is no line.
//
//          A vehicle that may reverse can drive the same path in both directions, and the path out
//          of a narrow place is easier to find than the path into it. So, if both ends are at rest,
//          the search begins at the end with less clearance, and its result is reversed.
// Cost:    O(1) per expansion and per shortcut; route.h has the number of searches.
#include "route.h"

#include <string.h>

// A level: the parameters of one search.
//
// The first level looks for a good path, with a weight that nearly makes the estimate a bound at
// the greatest speed. The next levels find most other paths soon. They follow a guide, which keeps
// away from walls; where they fail, a level that is guided through every gap may succeed. The
// values were chosen by trial on the project's courses and parking tasks.
typedef struct route_level {
    float step;       // over the smallest turning radius [1]
    int32_t headings; // cells of heading
    int32_t bends;    // curvatures to each side
    float weight;     // of the cost to go [1]
    float budget;     // share of the expansions [1]
    float room;       // least clearance of arcs, over the vehicle's width [1]
    bool surely;      // guided through every gap that might be wide enough
} route_level;

static const route_level levels[PLAN_ROUTE_LEVELS] = {
    {0.6f, 48, 3, 0.6f, 0.008f, 0.03f, false},     {0.6f, 36, 2, 1.0f, 0.025f, 0.03f, false},
    {0.4f, 54, 2, 1.0f, 0.035f, 0.02f, false},     {0.6f, 36, 2, 1.0f, 0.13f, 0.01f, true},
    {0.3f, 72, 2, 1.0f, 0.05f, 0.01f, false},      {0.4f, 54, 2, 1.0f, 0.13f, 0.01f, true},
    {0.15f, 144, 2, 1.0f, 0.1f, 0.005f, true},     {0.075f, 288, 2, 1.0f, 0.08f, 0.003f, true},
    {0.0375f, 576, 2, 1.0f, 0.06f, 0.0015f, true}, {0.02f, 1000, 2, 1.0f, 0.06f, 0.001f, true},
    {0.01f, 2000, 2, 1.0f, 0.2f, 0.0005f, true},   {0.005f, 4000, 2, 1.0f, 0.12f, 0.00025f, true},
    {0.02f, 2000, 2, 1.0f, 0.3f, 0.001f, true},    {0.01f, 4000, 2, 1.0f, 1.0f, 0.0005f, true}};

// Cell over step. A cell keeps one node, and in a narrow place the kept node may be one that leads
// nowhere. The levels from LAST_LEVELS on have smaller cells and so keep more nodes; they get the
// budget that the other levels leave. [1]
#define ROUTE_CELL 0.667f
#define LAST_CELL 0.333f
#define LAST_LEVELS 12
// On the levels before FAR_LEVELS the straight line replaces the shortest path without obstacles
// beyond this many turning radii (AIPATH 4.2.3). That is faster, and good enough where there is
// space. [1]
#define ROUTE_FAR 4.0f
#define FAR_LEVELS 3
// Least number of expansions of a level, however small the budget. Fewer find nothing. [1]
#define LEAST_EXPANSIONS 800
// A level that has used its share goes on if, at the rate at which it came nearer to the goal, it
// would arrive with at most this share of the remaining budget. So long paths get long searches.
// Chosen by trial. [1]
#define GOING_WELL 0.5f
// Levels with a lower weight do not go on: they look for better paths at a higher price. [1]
#define GREEDY 1.0f
// Straight distance from the starts to the goals up to which a route has the expansions that it is
// given; for a longer way it has more in proportion. A way's nodes grow with it, and the levels
// share the expansions. [turning radii]
#define BUDGET_RADII 100.0f
#define BUDGET_MOST 100000000.0f
// Least clearance with which a path is tested once more, over that of its search: a path that only
// the test's own limit would refuse is kept. [1]
#define WAY_ROOM 0.1f
// Squared speed below which an end counts as at rest: 0.1 m/s. [m²/s²]
#define REST 0.01f

// --------------------------------------------------------------------------- direction

// Clearance on all sides of a pose, by halving. [m]
static float room_at(const plan_world* world, kerb_pose pose) {
    float room = 4.0f * world->outline.half_width;
    while (room > 0.01f && !kerb_in_plan_world_pose_free(world, pose, room))
        room *= 0.5f;
    return room;
}

static float most_room(const plan_world* world, const kerb_plan_end* ends, int32_t count) {
    float most = 0.0f;
    for (int32_t i = 0; i < count; i++)
        most = kerb_max(most, room_at(world, ends[i].pose));
    return most;
}

static bool at_rest(const kerb_plan_end* ends, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (ends[i].speed * ends[i].speed > REST)
            return false;
    return true;
}

static bool better_backwards(const plan_route* r, const plan_world* world) {
    // Near a start inside an obstacle only arcs that begin there count with the smaller outline.
    return world->eased_count == 0 && r->rates.speed_squared[0] > 0.0f &&
           r->rates.speed_squared[1] > 0.0f && at_rest(r->starts, r->start_count) &&
           at_rest(r->goals, r->goal_count) &&
           most_room(world, r->goals, r->goal_count) < most_room(world, r->starts, r->start_count);
}

static void swap(float* a, float* b) {
    float kept = *a;
    *a = *b;
    *b = kept;
}

// The rates of a motion that runs backwards in time: forwards becomes reverse, braking becomes
// acceleration.
static plan_rates reversed(plan_rates r) {
    swap(&r.speed_squared[0], &r.speed_squared[1]);
    swap(&r.gain[0], &r.loss[1]);
    swap(&r.gain[1], &r.loss[0]);
    swap(&r.per_acceleration[0], &r.per_braking[1]);
    swap(&r.per_acceleration[1], &r.per_braking[0]);
    swap(&r.share_gain[0], &r.share_loss[1]);
    swap(&r.share_gain[1], &r.share_loss[0]);
    return r;
}

static void route_turn_round(plan_arc* arcs, int32_t count) {
    for (int32_t i = 0, j = count - 1; i <= j; i++, j--) {
        plan_arc kept = arcs[i];
        arcs[i] = (plan_arc){arcs[j].curvature, -arcs[j].length};
        arcs[j] = (plan_arc){kept.curvature, -kept.length};
    }
}

// --------------------------------------------------------------------------- levels

typedef struct route_probe {
    const plan_world* world;
    float room;
} route_probe;

static bool route_is_free(const void* context, kerb_pose from, plan_arc arc) {
    const route_probe* p = context;
    return kerb_in_plan_world_arc_free(p->world, from, arc.curvature, arc.length, p->room);
}

static plan_stencil stencil_of(const void* context, plan_arc arc) {
    const route_probe* p = context;
    return kerb_in_plan_stencil_make(p->world, arc.curvature, arc.length, p->room);
}

static bool is_stencil_free(const void* context, kerb_pose from, const plan_stencil* stencil) {
    const route_probe* p = context;
    return kerb_in_plan_world_stencil_free(p->world, from, stencil, p->room);
}

static float route_toll_of(const void* context, kerb_pose from, plan_arc arc) {
    const route_probe* p = context;
    return kerb_in_plan_world_toll(p->world, from, arc.curvature, arc.length);
}

static plan_space space_of(const route_probe* p) {
    plan_space space = {.is_free = route_is_free,
                        .context = p,
                        .stencil = stencil_of,
                        .is_stencil_free = is_stencil_free,
                        .toll = p->world->prices != 0 ? route_toll_of : NULL};
    return space;
}

static route_probe probe_of(const plan_route* r, const plan_terrain* terrain) {
    route_probe p = {terrain->world, r->room};
    return p;
}

// Whether a level needs other distances round the obstacles than the level before it.
static bool has_new_flow(const plan_route* r) {
    return r->level == 0 || levels[r->level].surely != levels[r->level - 1].surely;
}

static void begin_level(plan_route* r, const plan_terrain* terrain) {
    const route_level* now = &levels[r->level];
    float weight = r->is_other ? r->weight : now->weight;
    kerb_plan_query query = {.starts = r->starts,
                             .goals = r->goals,
                             .start_count = r->start_count,
                             .goal_count = r->goal_count};
    if (r->backwards)
        query = (kerb_plan_query){.starts = r->goals,
                                  .goals = r->starts,
                                  .start_count = r->goal_count,
                                  .goal_count = r->start_count};
    if (has_new_flow(r)) {
        kerb_in_plan_flow_begin(terrain->flow, now->surely);
        for (int32_t i = 0; i < query.goal_count; i++)
            kerb_in_plan_flow_goal(terrain->flow, query.goals[i].pose.position);
    }
    float step = now->step / r->rates.curvature;
    // On ground with a cost, a search goes on until nothing can be cheaper, so a better estimate
    // pays off.
    bool is_near = r->level >= FAR_LEVELS || terrain->world->prices != 0;
    float cell = (r->level >= LAST_LEVELS ? LAST_CELL : ROUTE_CELL) * step;
    plan_lattice lattice = {step,       cell,   now->headings,
                            now->bends, weight, is_near ? KERB_NO_CURVE : ROUTE_FAR};
    r->room = now->room * 2.0f * terrain->world->outline.half_width;
    int32_t share = (int32_t)(now->budget * (float)r->budget), rest = r->budget - r->expansions;
    share = share > LEAST_EXPANSIONS ? share : LEAST_EXPANSIONS;
    r->left = share < rest && !r->is_other ? share : rest;
    route_probe p = probe_of(r, terrain);
    plan_space space = space_of(&p);
    plan_ground ground = {&space, terrain->flow, terrain->nodes, terrain->distant};
    plan_rates rates = r->backwards ? reversed(r->rates) : r->rates;
    kerb_in_plan_search_begin(&r->search, &ground, &rates, &lattice, &query);
    r->is_lined = r->level == 0 && !r->is_other && terrain->world->prices == 0 &&
                  kerb_in_plan_line_find(&r->line, &r->search, &ground, terrain->world, &query);
    r->share = r->left;
    r->nearest = terrain->nodes->nearest;
}

// Lets a level go on that has used its share and is going well.
static bool route_goes_on(plan_route* r, const plan_terrain* terrain) {
    int32_t rest = r->budget - r->expansions;
    if (r->is_other || r->left > 0 || rest <= 0 || levels[r->level].weight < GREEDY)
        return false;
    float now = terrain->nodes->nearest, gained = r->nearest - now;
    if (!(now * (float)r->share < gained * GOING_WELL * (float)rest))
        return false;
    r->nearest = now;
    r->left = r->share = r->share < rest ? r->share : rest;
    return true;
}

plan_effort kerb_in_plan_route_effort(const plan_route* r, const plan_terrain* terrain) {
    plan_effort effort = r->effort;
    kerb_plan_query query = {r->starts, r->goals, r->start_count, r->goal_count};
    if (!r->backwards)
        kerb_in_plan_effort_note(&effort, &r->rates, terrain->flow, terrain->nodes, &query);
    return effort;
}

// Begins the next level after one that found nothing, or ends the route.
static void next_level(plan_route* r, const plan_terrain* terrain) {
    if (r->is_other) {
        r->state = PLAN_ROUTE_SPENT;
        return;
    }
    if (r->search.expansions > 0)
        r->effort = kerb_in_plan_route_effort(r, terrain);
    bool proven =
        levels[r->level].surely && r->search.expansions == 0 && terrain->nodes->count == 0;
    if (proven)
        r->state = PLAN_ROUTE_NO_PATH;
    else if (++r->level == PLAN_ROUTE_LEVELS || r->expansions >= r->budget)
        r->state = PLAN_ROUTE_SPENT;
    else
        begin_level(r, terrain);
}

// Takes the path of a search. False: it is not free where its arcs lead from the start. Each node
// of a search goes on from the rounded pose of the one before, and a search backwards begins at the
// other end. So over a kilometre the path leads some millimetres beside the arcs that were tested.
static bool take_way(plan_route* r, const plan_world* world) {
    plan_search* s = &r->search;
    if (r->backwards) {
        route_turn_round(s->arcs, s->count);
        int32_t kept = s->start;
        s->start = s->goal;
        s->goal = kept;
    }
    const kerb_plan_end *start = &r->starts[s->start], *goal = &r->goals[s->goal];
    kerb_in_plan_shortcut_begin(&r->shortcut, &r->rates, start->pose, s->arcs, s->count,
                                start->speed, goal->speed, 1);
    route_probe p = {world, r->room};
    plan_space space = space_of(&p);
    route_probe close = {world, WAY_ROOM * r->room};
    plan_space closely = space_of(&close);
    if (!plan_way_is_free(&closely, start->pose, s->arcs, s->count))
        return false;
    kerb_in_plan_shortcut_count_toll(&r->shortcut, &space);
    r->searching = false;
    return true;
}

static int32_t search_on(plan_route* r, const plan_terrain* terrain, int32_t steps) {
    route_probe p = probe_of(r, terrain);
    plan_space space = space_of(&p);
    plan_ground ground = {&space, terrain->flow, terrain->nodes, terrain->distant};
    if (r->is_lined && take_way(r, terrain->world))
        return 1;
    if (r->is_lined)
        kerb_in_plan_search_forget_way(&r->search);
    r->is_lined = false;
    int32_t before = r->search.expansions, most = steps < r->left ? steps : r->left;
    plan_search_state state = kerb_in_plan_search_advance(&r->search, &ground, most);
    int32_t done = r->search.expansions - before;
    r->left -= done;
    r->expansions += done;
    bool is_over = state != PLAN_SEARCH_RUNNING || r->left <= 0;
    bool has_way =
        state == PLAN_SEARCH_FOUND || (is_over && kerb_in_plan_search_has_way(&r->search));
    bool is_lost = has_way
                       ? !take_way(r, terrain->world)
                       : is_over && (state != PLAN_SEARCH_RUNNING || !route_goes_on(r, terrain));
    if (is_lost)
        next_level(r, terrain);
    return done > 0 ? done : 1;
}

static int32_t cut_on(plan_route* r, const plan_terrain* terrain, int32_t steps) {
    route_probe p = probe_of(r, terrain);
    plan_space space = space_of(&p);
    int32_t most = steps < r->cuts ? steps : r->cuts;
    for (int32_t i = 0; i < most; i++)
        kerb_in_plan_shortcut_step(&r->shortcut, &r->rates, &space);
    r->cuts -= most;
    if (r->cuts == 0)
        r->state = PLAN_ROUTE_FOUND;
    return most > 0 ? most : 1;
}

// --------------------------------------------------------------------------- the route

// The expansions of a route, in proportion to its way.
static int32_t budget_of(const plan_route* r, int32_t given) {
    float least = KERB_NO_CURVE;
    for (int32_t i = 0; i < r->start_count; i++)
        for (int32_t k = 0; k < r->goal_count; k++) {
            kerb_vec2 way = kerb_vec2_sub(r->goals[k].pose.position, r->starts[i].pose.position);
            least = kerb_min(least, kerb_sqrt(kerb_vec2_dot(way, way)));
        }
    float times = kerb_max(1.0f, least * r->rates.curvature / BUDGET_RADII);
    return times > 1.0f ? (int32_t)kerb_min((float)given * times, BUDGET_MOST) : given;
}

static void route_lay_out(plan_route* route, const plan_terrain* terrain, const plan_rates* rates,
                          const kerb_plan_query* query, int32_t budget, int32_t cuts) {
    memset(route, 0, sizeof *route);
    route->rates = *rates;
    route->start_count = query->start_count;
    route->goal_count = query->goal_count;
    for (int32_t i = 0; i < query->start_count; i++)
        route->starts[i] = query->starts[i];
    for (int32_t i = 0; i < query->goal_count; i++)
        route->goals[i] = query->goals[i];
    route->budget = budget;
    route->cuts = cuts;
    route->searching = true;
    kerb_in_plan_effort_clear(&route->effort);
    route->backwards = better_backwards(route, terrain->world);
}

void kerb_in_plan_route_begin(plan_route* route, const plan_terrain* terrain,
                              const plan_rates* rates, const kerb_plan_query* query, int32_t budget,
                              int32_t cuts) {
    route_lay_out(route, terrain, rates, query, budget, cuts);
    route->budget = budget_of(route, budget);
    begin_level(route, terrain);
}

void kerb_in_plan_route_begin_other(plan_route* route, const plan_terrain* terrain,
                                    const plan_rates* rates, const kerb_plan_query* query,
                                    int32_t budget, int32_t cuts, float weight) {
    route_lay_out(route, terrain, rates, query, budget, cuts);
    route->is_other = true;
    route->weight = weight;
    begin_level(route, terrain);
}

plan_route_state kerb_in_plan_route_advance(plan_route* route, const plan_terrain* terrain,
                                            int32_t steps) {
    while (steps > 0 && route->state == PLAN_ROUTE_RUNNING)
        steps -=
            route->searching ? search_on(route, terrain, steps) : cut_on(route, terrain, steps);
    return (plan_route_state)route->state;
}
