// Times the planner over random goals of the AIPATH thesis. A planner is made for each goal before
// the clock starts; one round before has touched its memory.
#include "kerb/plan_search.h"

#include "tool/bench/bench_plan.h"

#include "scene/plan/kind_drive.h"
#include "scene/plan/planning.h"
#ifdef KERB_HAVE_OMPL
#include "scene/ompl/ompl_crossing.h"
#endif
#include "tool/command/machine.h"

#include <math.h>
#include <stdlib.h>

#define GOALS 1000
#define BENCH_PLAN_ROUNDS 5
#define IMPROVED 40 // goals whose answers are improved
#define SEED 1
#define FIELDS 100 // of blocks
#define FIELD_ROUNDS 3
#define FIELD_STEPS 2500 // of improvement
#define PEER_FIELDS 10   // which OMPL needs seconds for …
#define PEER_LIMIT 10.0  // … and at most [s]

static kerb_scene_plan_task task_at(int64_t i, bool reverse) {
    kerb_scene_plan_task task = kerb_scene_plan_random(SEED, i, 5.0f, 8.0f);
    task.limits.reverse_speed_max = reverse ? 5.0f : 0.0f;
    return task;
}

bool tool_bench_plan_bound(tool_bench_figure* figure) {
    const kerb_plan_bound_settings settings = {.heuristic = KERB_PLAN_ADMISSIBLE};
    kerb_scene_plan_task* tasks = malloc(GOALS * sizeof *tasks);
    float sum = 0.0f;
    for (int64_t i = 0; tasks && i < GOALS; i++)
        tasks[i] = task_at(i, false);
    for (int32_t round = 0; tasks && round < 20 * BENCH_PLAN_ROUNDS; round++) {
        uint64_t begun = tool_clock_ns();
        for (int64_t i = 0; i < GOALS; i++)
            sum += kerb_plan_bound(&tasks[i].limits, &settings, &tasks[i].from, &tasks[i].to);
        double ns = (double)(tool_clock_ns() - begun) / GOALS;
        figure->ns = round == 0 || ns < figure->ns ? ns : figure->ns;
    }
    bool measured = tasks && sum > 0.0f;
    free(tasks);
    return measured;
}

// Nanoseconds of `steps` steps towards one goal, the least of some rounds: an interrupt hits one of
// them at most. Negative without memory.
static double time_goal(const kerb_scene_plan_task* task, int32_t before, int32_t steps) {
    const kerb_host host = kerb_host_default();
    const kerb_planner_settings settings = kerb_planner_settings_default();
    const kerb_plan_query query = {&task->from, &task->to, 1, 1};
    kerb_planner planner;
    double best = -1.0;
    if (kerb_planner_create(&planner, &task->limits, &settings, &host, NULL) != KERB_OK)
        return -1.0;
    for (int32_t round = 0; round < BENCH_PLAN_ROUNDS; round++) {
        if (kerb_planner_begin(&planner, &query, NULL) != KERB_OK)
            break;
        kerb_planner_advance(&planner, before);
        uint64_t begun = tool_clock_ns();
        kerb_planner_advance(&planner, steps);
        double ns = (double)(tool_clock_ns() - begun);
        best = round == 0 || ns < best ? ns : best;
    }
    kerb_planner_destroy(&planner);
    return best;
}

static bool time_goals(tool_bench_figure* figure, int32_t goals, bool reverse, int32_t before,
                       int32_t steps) {
    for (int32_t i = 0; i < goals; i++) {
        kerb_scene_plan_task task = task_at(i, reverse);
        double ns = time_goal(&task, before, steps) / steps;
        if (ns < 0.0)
            return false;
        figure->ns += ns / goals;
        if (steps == 1)
            figure->most_ns = fmax(figure->most_ns, ns);
    }
    return true;
}

bool tool_bench_plan_shot(tool_bench_figure* figure) {
    return time_goals(figure, GOALS, false, 0, 1);
}

bool tool_bench_plan_shot_reverse(tool_bench_figure* figure) {
    return time_goals(figure, GOALS, true, 0, 1);
}

bool tool_bench_plan_improvement(tool_bench_figure* figure) {
    return time_goals(figure, IMPROVED, false, 1, 5000);
}

// --------------------------------------------------------------------------- fields of blocks

// Nanoseconds of a query in a field, the least of some rounds, from its second step on if `late`:
// after the shots, with the search. Negative without memory.
static double time_field(const kerb_scene_plan_blocks* field, int32_t improvement, bool late,
                         kerb_plan* plan) {
    const kerb_host host = kerb_host_default();
    kerb_planner_settings settings = kerb_planner_settings_default();
    settings.improvement = improvement;
    const kerb_plan_query query = {&field->task.from, &field->task.to, 1, 1};
    kerb_planner planner;
    if (kerb_planner_create(&planner, &field->task.limits, &settings, &host, NULL) != KERB_OK)
        return -1.0;
    double best = kerb_planner_set_world(&planner, &field->world, NULL) == KERB_OK ? 1e30 : -1.0;
    for (int32_t round = 0; best > 0.0 && round < FIELD_ROUNDS; round++) {
        uint64_t begun = tool_clock_ns();
        if (kerb_planner_begin(&planner, &query, NULL) != KERB_OK)
            break;
        kerb_planner_advance(&planner, 1);
        begun = late ? tool_clock_ns() : begun;
        while (kerb_planner_advance(&planner, 1000) == KERB_PLAN_RUNNING)
            ;
        best = fmin(best, (double)(tool_clock_ns() - begun));
        *plan = kerb_planner_get_plan(&planner);
    }
    kerb_planner_destroy(&planner);
    return best;
}

bool tool_bench_plan_expansion(tool_bench_figure* figure) {
    kerb_scene_plan_blocks* field = malloc(sizeof *field);
    double sum = 0.0, expansions = 0.0;
    for (int32_t i = 0; field && i < FIELDS && sum >= 0.0; i++) {
        kerb_plan plan = {0};
        kerb_scene_plan_blocks_make(SEED, i, field);
        field->task.limits.reverse_speed_max = 5.0f;
        double ns = time_field(field, 0, true, &plan);
        sum = ns < 0.0 ? -1.0 : sum + (plan.expansions > 0 ? ns : 0.0);
        expansions += plan.expansions;
    }
    figure->ns = expansions > 0.0 ? sum / expansions : 0.0;
    bool measured = field && sum > 0.0 && expansions > 0.0;
    free(field);
    return measured;
}

// Until OMPL has a first movement across a field, or gives up: nanoseconds.
#ifdef KERB_HAVE_OMPL
static double time_peer(const kerb_scene_plan_blocks* field) {
    const kerb_plan_limits* l = &field->task.limits;
    const kerb_pose from = field->task.from.pose, to = field->task.to.pose;
    const ompl_field same = {
        .cells = field->cells,
        .side = KERB_SCENE_PLAN_BLOCKS_SIDE,
        .cell = (double)KERB_SCENE_PLAN_BLOCKS_CELL,
        .from = {(double)from.position.x, (double)from.position.y, (double)kerb_pose_heading(from)},
        .to = {(double)to.position.x, (double)to.position.y, (double)kerb_pose_heading(to)},
        .radius = (double)l->turning_radius,
        .speed_max = (double)l->speed_max,
        .acceleration = (double)l->acceleration,
        .braking = (double)l->braking,
        .lateral_acceleration = (double)l->lateral_acceleration,
        .front = (double)l->front,
        .rear = (double)l->rear,
        .width = (double)l->width};
    return 1e9 * kerb_scene_ompl_cross(&same, PEER_LIMIT).thought;
}
#else
static double time_peer(const kerb_scene_plan_blocks* field) {
    (void)field;
    return 0.0;
}
#endif

bool tool_bench_plan_blocks(tool_bench_figure* figure) {
    kerb_scene_plan_blocks* field = malloc(sizeof *field);
    int32_t found = 0;
    bool measured = field != NULL;
    for (int32_t i = 0; measured && i < FIELDS; i++) {
        kerb_plan plan = {0};
        kerb_scene_plan_blocks_make(SEED, i, field);
        double ns = time_field(field, FIELD_STEPS, false, &plan);
        measured = ns >= 0.0;
        if (i < PEER_FIELDS)
            figure->peer_ns += time_peer(field) / PEER_FIELDS;
        if (plan.count == 0) // one in a hundred has no way
            continue;
        found++;
        figure->ns += ns;
        figure->most_ns = fmax(figure->most_ns, ns);
    }
    figure->ns /= found > 0 ? found : 1;
    figure->peer = "OMPL, first of RRT";
    free(field);
    return measured && found > 0;
}

// The least of some rounds over one goal, an expansion; negative where it cannot be had.
static double time_search(const kerb_scene_plan_task* task) {
    const kerb_host host = kerb_host_default();
    const kerb_plan_query query = {&task->from, &task->to, 1, 1};
    kerb_plan_search_settings settings = kerb_plan_search_settings_thesis();
    kerb_plan_search search;
    settings.nodes = 20000;
    if (kerb_plan_search_create(&search, &task->limits, &settings, &host, NULL) != KERB_OK)
        return -1.0;
    double best = -1.0;
    for (int32_t round = 0; round < BENCH_PLAN_ROUNDS; round++) {
        if (kerb_plan_search_begin(&search, &query, NULL) != KERB_OK)
            break;
        uint64_t begun = tool_clock_ns();
        kerb_plan_search_advance(&search, 500);
        double ns = (double)(tool_clock_ns() - begun);
        ns /= fmax((double)kerb_plan_search_get_report(&search).expansions, 1.0);
        best = round == 0 || ns < best ? ns : best;
    }
    kerb_plan_search_destroy(&search);
    return best;
}

bool tool_bench_plan_expansion_speed(tool_bench_figure* figure) {
    for (int32_t i = 0; i < IMPROVED; i++) {
        kerb_scene_plan_task task = task_at(i, false);
        double ns = time_search(&task);
        if (ns < 0.0)
            return false;
        figure->ns += ns / IMPROVED;
    }
    return true;
}

// --------------------------------------------------------------------------- kinds in space

// Nanoseconds of the plan of one goal, the least of some rounds. Negative: none was found.
static double time_space_goal(kerb_kind_planner* planner, const float* from, const float* to) {
    double best = -1.0;
    for (int32_t round = 0; round < BENCH_PLAN_ROUNDS; round++) {
        uint64_t begun = tool_clock_ns();
        if (kerb_kind_planner_begin(planner, from, to, NULL) != KERB_OK)
            return -1.0;
        while (kerb_kind_planner_advance(planner, 1000) == KERB_PLAN_RUNNING)
            continue;
        double ns = (double)(tool_clock_ns() - begun);
        best = round == 0 || ns < best ? ns : best;
    }
    return kerb_kind_planner_get_plan(planner).count > 0 ? best : -1.0;
}

static bool time_space_kind(kerb_scene_kind_name name, double* sum) {
    const kerb_host host = kerb_host_default();
    const kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_random random = kerb_random_make(SEED, 35);
    kerb_scene_kind kind;
    kerb_kind_planner planner;
    bool found = kerb_scene_kind_make(kerb_scene_kind_text(name), &kind) &&
                 kerb_kind_planner_create(&planner, &kind.kind, &settings, &host, NULL) == KERB_OK;
    if (!found)
        return false;
    for (int32_t i = 0; i < IMPROVED && found; i++) {
        float from[KERB_KIND_STATES_MAX], to[KERB_KIND_STATES_MAX];
        kerb_scene_kind_ends(&kind, &random, from, to);
        double ns = time_space_goal(&planner, from, to);
        found = ns >= 0.0;
        *sum += ns;
    }
    kerb_kind_planner_destroy(&planner);
    return found;
}

bool tool_bench_plan_in_space(tool_bench_figure* figure) {
    const int32_t kinds = KERB_SCENE_KIND_COUNT - KERB_SCENE_SPACECRAFT;
    double sum = 0.0;
    for (int32_t i = 0; i < kinds; i++)
        if (!time_space_kind((kerb_scene_kind_name)(KERB_SCENE_SPACECRAFT + i), &sum))
            return false;
    figure->ns = sum / (double)(kinds * IMPROVED);
    return true;
}
