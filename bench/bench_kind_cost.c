// What plans of kinds of vehicles take over those of a search that is as long as it helps: found,
// checked, time to plan, and time of the plan over the least that was found.
// By hand: bench_kind_cost [goals] [seed] [kind] [file]
//
// Long searches take up to ten seconds a goal. Their times are added to the file, if one is named,
// and read from it when it is named again: to go on with more goals, or to compare another build
// of the planner without searching again.
//
// The long search starts from the route of every attempt, with narrower and wider bends and slower
// and faster, with more pieces, and shortens each plan until a step gains less than 0.1 %. In space
// it tries 4,000 changes of a plan instead of 150. Each is a search for a local optimum: the least
// of them is no proof of the best plan.
#include "scene/plan/kind_drive.h"
#include "scene/plan/plane_world.h"
#include "scene/plan/space_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WIDTHS = 3,
    STARTS = KERB_KIND_ATTEMPTS_MAX * WIDTHS,
    LONG_PIECES = 96,
    BOXES = 30,
    GOALS_MAX = 1000
};

// Bends and speeds of routes over those of the kind.
static const float widths[WIDTHS] = {1.0f, 0.75f, 1.5f};
static const float speeds[WIDTHS] = {1.0f, 1.15f, 0.8f};

// A kind whose routes all begin with one attempt and are changed.
typedef struct other_kind {
    kerb_kind kind;
    int32_t attempt;
    float width, speed;
} other_kind;

static void other_rates(const void* v, const float* state, const float* control, float* rates) {
    const other_kind* o = v;
    o->kind.rates(o->kind.vehicle, state, control, rates);
}

static int32_t other_boxes(const void* v, const float* state, kerb_kind_box* boxes) {
    const other_kind* o = v;
    return o->kind.boxes(o->kind.vehicle, state, boxes);
}

static kerb_plan_limits other_limits(const void* v, int32_t attempt) {
    const other_kind* o = v;
    kerb_plan_limits limits = o->kind.route_limits(o->kind.vehicle, o->attempt);
    (void)attempt;
    limits.turning_radius *= o->width;
    limits.acceleration *= o->speed;
    limits.lateral_acceleration = kerb_min(limits.lateral_acceleration * o->speed, 1e3f);
    return limits;
}

static kerb_plan_end other_end(const void* v, const float* state, const float* to, bool is_goal) {
    const other_kind* o = v;
    return o->kind.route_end(o->kind.vehicle, state, to, is_goal);
}

static void other_on_route(const void* v, const kerb_kind_query* query, const kerb_plan_state* at,
                           float* state, float* control) {
    const other_kind* o = v;
    o->kind.on_route(o->kind.vehicle, query, at, state, control);
}

static float other_bound(const void* v, const float* from, const float* to) {
    const other_kind* o = v;
    return o->kind.bound(o->kind.vehicle, from, to);
}

static float other_room(const void* v, const float* state) {
    const other_kind* o = v;
    return o->kind.room(o->kind.vehicle, state);
}

static kerb_kind wrap(const other_kind* o) {
    kerb_kind kind = o->kind;
    kind.vehicle = o;
    kind.rates = other_rates;
    kind.boxes = other_boxes;
    kind.route_limits = other_limits;
    kind.route_end = other_end;
    kind.on_route = other_on_route;
    kind.bound = other_bound;
    kind.room = o->kind.room ? other_room : NULL;
    return kind;
}

// --------------------------------------------------------------------------- searches

// A short search and the long ones of a kind.
typedef struct searches {
    kerb_scene_kind k;
    other_kind others[STARTS];
    kerb_kind_planner usual, longer[STARTS];
    int32_t count; // of the long ones
} searches;

static bool make_planner(kerb_kind_planner* planner, const kerb_kind* kind,
                         const kerb_kind_settings* settings) {
    const kerb_host host = kerb_host_default();
    kerb_error error;
    if (kerb_kind_planner_create(planner, kind, settings, &host, &error) == KERB_OK)
        return true;
    printf("%s: %s %s\n", kind->name, error.field, error.message);
    return false;
}

static bool make_searches(searches* s, const char* name) {
    kerb_kind_settings usual = kerb_kind_settings_default(), longer = usual;
    memset(s, 0, sizeof *s);
    if (!kerb_scene_kind_make(name, &s->k) || !make_planner(&s->usual, &s->k.kind, &usual))
        return false;
    longer.shortening = 0.001f;
    longer.pieces = LONG_PIECES;
    longer.improvement = 4000;
    if (s->k.kind.space) {
        s->count = 1;
        return make_planner(&s->longer[0], &s->k.kind, &longer);
    }
    longer.attempts = 1;
    for (int32_t i = 0; i < STARTS; i++) {
        s->others[i] = (other_kind){s->k.kind, i / WIDTHS, widths[i % WIDTHS], speeds[i % WIDTHS]};
        kerb_kind kind = wrap(&s->others[i]);
        if (!make_planner(&s->longer[i], &kind, &longer))
            return false;
        s->count++;
    }
    return true;
}

static void destroy_searches(searches* s) {
    kerb_kind_planner_destroy(&s->usual);
    for (int32_t i = 0; i < s->count; i++)
        kerb_kind_planner_destroy(&s->longer[i]);
}

// Time of the plan; negative: none.
static float run(kerb_kind_planner* planner, const float* from, const float* to) {
    if (kerb_kind_planner_begin(planner, from, to, NULL) != KERB_OK)
        return -1.0f;
    while (kerb_kind_planner_advance(planner, 1000) == KERB_PLAN_RUNNING)
        continue;
    kerb_kind_plan plan = kerb_kind_planner_get_plan(planner);
    return plan.count > 0 ? plan.time : -1.0f;
}

// --------------------------------------------------------------------------- what is known

// Least times of long searches, by goal; 0: not known yet.
typedef struct known_goals {
    FILE* file;
    const char* kind;
    int32_t seed;
    float least[2][GOALS_MAX]; // in the open, among obstacles
} known_goals;

static void open_known(known_goals* known, const char* path, const char* kind, int32_t seed) {
    memset(known, 0, sizeof *known);
    known->kind = kind;
    known->seed = seed;
    if (path == NULL)
        return;
    known->file = fopen(path, "a+");
    if (known->file == NULL) {
        printf("%s cannot be opened\n", path);
        return;
    }
    char name[32];
    int of_seed, among, goal;
    float least;
    rewind(known->file);
    while (fscanf(known->file, "%31s %d %d %d %f", name, &of_seed, &among, &goal, &least) == 5)
        if (strcmp(name, kind) == 0 && of_seed == (int)seed && (among == 0 || among == 1) &&
            goal >= 0 && goal < GOALS_MAX)
            known->least[among][goal] = least;
}

// `world` NULL: open.
static float least_of_long_searches(searches* s, known_goals* known, const kerb_plan_world* world,
                                    int32_t goal, const float* from, const float* to) {
    int32_t among = world ? 1 : 0;
    float least = known->least[among][goal];
    if (least != 0.0f)
        return least;
    least = -1.0f;
    for (int32_t i = 0; i < s->count; i++) {
        kerb_kind_planner_set_world(&s->longer[i], world, NULL);
        float time = run(&s->longer[i], from, to);
        if (time > 0.0f && (least < 0.0f || time < least))
            least = time;
    }
    if (known->file) {
        fprintf(known->file, "%s %d %d %d %.9g\n", known->kind, (int)known->seed, (int)among,
                (int)goal, (double)least);
        fflush(known->file);
    }
    return least;
}

// --------------------------------------------------------------------------- goals

typedef struct sums {
    int32_t asked, found, missed, invalid, above; // `missed`: only the long search has found them
    double ms, ms_most, share, share_most;
} sums;

static void add_goal(searches* s, known_goals* known, const kerb_plan_world* world,
                     const float* from, const float* to, sums* f) {
    clock_t begun = clock();
    float time = run(&s->usual, from, to);
    double ms = 1e3 * (double)(clock() - begun) / (double)CLOCKS_PER_SEC;
    kerb_kind_plan plan = kerb_kind_planner_get_plan(&s->usual);
    float least = least_of_long_searches(s, known, world, f->asked, from, to);
    if (time > 0.0f && (least < 0.0f || time < least))
        least = time;
    f->asked++;
    f->ms += ms;
    f->ms_most = ms > f->ms_most ? ms : f->ms_most;
    f->missed += time < 0.0f && least > 0.0f ? 1 : 0;
    if (time < 0.0f)
        return;
    double share = least > 0.0f ? (double)(time / least) : 1.0;
    f->found++;
    f->invalid += kerb_kind_check(&s->k.kind, from, to, world, &plan, NULL) == KERB_OK ? 0 : 1;
    f->share += share;
    f->share_most = share > f->share_most ? share : f->share_most;
    f->above += share > 1.1 ? 1 : 0;
}

static void print_row(const searches* s, const char* where, const sums* f) {
    double found = f->found > 0 ? f->found : 1.0, asked = f->asked > 0 ? f->asked : 1.0;
    printf("| %s, %s | %d of %d | %d | %d | %.1f; %.0f | %.3f; %.2f | %d |\n", s->k.kind.name,
           where, (int)f->found, (int)f->asked, (int)f->missed, (int)f->invalid, f->ms / asked,
           f->ms_most, f->share / found, f->share_most, (int)f->above);
    fflush(stdout);
}

// Whether ends are free of obstacles.
static bool ends_are_free(searches* s, const float* from, const float* to) {
    kerb_kind_planner_begin(&s->usual, from, to, NULL);
    kerb_plan_outcome outcome = kerb_kind_planner_advance(&s->usual, 0);
    return outcome != KERB_PLAN_START_BLOCKED && outcome != KERB_PLAN_GOAL_BLOCKED;
}

static void bench_open(searches* s, known_goals* known, kerb_random* random, sums* f) {
    float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX];
    kerb_kind_planner_set_world(&s->usual, NULL, NULL);
    kerb_scene_kind_ends(&s->k, random, from, to);
    add_goal(s, known, NULL, from, to, f);
}

// Draws worlds until both ends are free.
static void bench_among(searches* s, known_goals* known, kerb_random* random, sums* f) {
    static kerb_scene_space_world space;
    kerb_scene_plane_world plane;
    kerb_plan_world world;
    float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX];
    do {
        if (s->k.kind.space) {
            kerb_scene_space_make(&space, KERB_SCENE_SPACE_BOXES, BOXES, s->k.radius, s->k.height,
                                  random);
            world = (kerb_plan_world){.space = &space.world};
        } else {
            kerb_scene_plane_make(&plane, s->k.radius, random);
            world = plane.world;
        }
        kerb_kind_planner_set_world(&s->usual, &world, NULL);
        kerb_scene_kind_ends(&s->k, random, from, to);
    } while (!ends_are_free(s, from, to));
    add_goal(s, known, &world, from, to, f);
}

// Goals in the open and among obstacles in turn, each drawn from numbers of its own, so that those
// of a short run are the first of a long one.
static void bench_kind(const char* name, int32_t goals, int32_t seed, const char* path) {
    static searches s;
    static known_goals known;
    if (!make_searches(&s, name))
        return;
    open_known(&known, path, name, seed);
    kerb_random random_open = kerb_random_make((uint64_t)seed, 43);
    kerb_random random_among = kerb_random_make((uint64_t)seed, 47);
    sums open = {0}, among = {0};
    for (int32_t i = 0; i < goals; i++) {
        bench_open(&s, &known, &random_open, &open);
        bench_among(&s, &known, &random_among, &among);
    }
    print_row(&s, "open", &open);
    print_row(&s, "among obstacles", &among);
    if (known.file)
        fclose(known.file);
    destroy_searches(&s);
}

int main(int count, char** words) {
    int32_t goals = count > 1 ? atoi(words[1]) : 40;
    int32_t seed = count > 2 ? atoi(words[2]) : 11;
    goals = goals < GOALS_MAX ? goals : GOALS_MAX;
    printf("| kind | found | found by the long search alone | rejected by the checker | ms, mean; "
           "most | time over the least found, mean; most | above 1.1 |\n"
           "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int32_t n = 0; n < KERB_SCENE_KIND_COUNT; n++) {
        const char* name = kerb_scene_kind_text((kerb_scene_kind_name)n);
        if (count <= 3 || strcmp(words[3], name) == 0)
            bench_kind(name, goals, seed, count > 4 ? words[4] : NULL);
    }
    return 0;
}
