// Purpose: analytic paths without a search ("shots"), and the improvement of paths.
// Idea:    The few best shots of the best pair are improved for a while each, and the best of them
//          for the rest of the steps.
// Cost:    A step is all shots of a pair, some hundred speed profiles, or one try of the
//          improvement, about one profile.
#include "task.h"

// Time of a shot over that of the best one, from which on it gets no trial; chosen by trial. [1]
#define TRIAL_WORTH 1.15f

// Cost over lower bound at which the improvement ends: within rounding nothing is left to gain. [1]
#define CLOSE_ENOUGH 1.00003f

// Among obstacles: cost of a shot over the lower bound, from which on a search follows. A lower
// value searches more often; a higher one keeps poor shots. Chosen by trial. [1]
#define SHOT_WORTH 1.25f

static void end_shooting(plan_task* t, plan_site* site) {
    bool is_good = t->volley.count > 0 && (!site || t->cost <= SHOT_WORTH * t->lower_bound);
    if (is_good)
        kerb_in_plan_task_begin_trial(t, site, 0);
    else if (site)
        kerb_in_plan_task_begin_routes(t, site);
    else
        kerb_in_plan_task_end(t, KERB_PLAN_BUDGET_SPENT);
}

// Adds the cost of the ground to the times of the shots and sorts them by cost.
static void rank_by_cost(plan_volley* volley, const plan_space* space, kerb_pose start) {
    for (int32_t i = 0; space->toll && i < volley->count; i++) {
        plan_shot shot = volley->shots[i];
        int32_t at = i;
        shot.time += plan_way_toll(space, start, shot.arcs, shot.count);
        for (; at > 0 && shot.time < volley->shots[at - 1].time; at--)
            volley->shots[at] = volley->shots[at - 1];
        volley->shots[at] = shot;
    }
}

void kerb_in_plan_task_shoot(plan_task* t, plan_site* site) {
    plan_pair next = t->pairs[t->next_pair++];
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    const kerb_plan_end *from = &t->starts[next.start], *to = &t->aims[next.aim].end;
    plan_volley volley = {0};
    if (kerb_in_plan_task_is_there(t, next)) // a straight of no length
        volley = (plan_volley){.count = 1, .shots = {{.count = 1}}};
    else if (!site || kerb_in_plan_site_is_open(site, from->pose.position, to->pose.position))
        volley = kerb_in_plan_shoot(&t->rates, &space, from, to);
    rank_by_cost(&volley, &space, from->pose);
    if (volley.count > 0 && volley.shots[0].time + from->penalty + to->penalty < t->cost) {
        const plan_shot* shot = &volley.shots[0];
        t->cost = kerb_in_plan_task_candidate(t, site, next, KERB_PLAN_METHOD_ANALYTIC, shot->arcs,
                                              shot->count)
                      .cost;
        t->volley = volley;
        t->found = next;
        t->method = KERB_PLAN_METHOD_ANALYTIC;
        t->changes++;
    }
    if (t->next_pair == t->pair_count || t->pairs[t->next_pair].bound >= t->cost)
        end_shooting(t, site);
}

// --------------------------------------------------------------------------- improvement

// The better one of the path that is being improved and the one that is tried.
static const plan_polish* best_polish(const plan_task* t) {
    const plan_polish *best = &t->polishes[t->best], *other = &t->polishes[1 - t->best];
    return t->is_other_tried && kerb_in_plan_task_cost_of(other) < kerb_in_plan_task_cost_of(best)
               ? other
               : best;
}

// Keeps the better path; then begins the next trial that is worth it, or goes on with the best
// path.
static void end_trial(plan_task* t, const plan_site* site) {
    if (best_polish(t) != &t->polishes[t->best])
        t->best = 1 - t->best;
    t->is_other_tried = false;
    int32_t next = t->trial + 1;
    bool is_worth = next < t->volley.count &&
                    t->volley.shots[next].time < TRIAL_WORTH * t->volley.shots[0].time;
    if (is_worth)
        kerb_in_plan_task_begin_trial(t, site, next);
    else
        t->stage = PLAN_IMPROVING;
}

void kerb_in_plan_task_improve(plan_task* t, const plan_site* site) {
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    if (kerb_in_plan_polish_step(&t->polishes[t->is_other_tried ? 1 - t->best : t->best], &t->rates,
                                 &space))
        t->changes++;
    t->improved++;
    if (t->stage == PLAN_TRYING && t->improved >= t->trial_end)
        end_trial(t, site);
}

bool kerb_in_plan_task_is_improved(const plan_task* t) {
    float cost =
        kerb_in_plan_task_cost_of(best_polish(t)) + kerb_in_plan_task_penalties(t, t->found);
    plan_slack slack = kerb_in_plan_task_slack(t, t->found);
    float bound =
        plan_slack_is_none(&slack) ? t->found.bound : t->goal_bounds[t->aims[t->found.aim].goal];
    return t->improved >= t->settings.improvement || cost <= CLOSE_ENOUGH * bound;
}

plan_candidate kerb_in_plan_task_polished(const plan_task* t) {
    const plan_polish* best = best_polish(t);
    float missing = kerb_in_plan_short_legs(&t->rates, best->arcs, best->count);
    return (plan_candidate){.arcs = best->arcs,
                            .count = best->count,
                            .method = t->method,
                            .pair = t->found,
                            .speed_goal = best->speed_goal,
                            .cost = kerb_in_plan_task_cost_of(best) - PLAN_SHORT_LEGS * missing +
                                    kerb_in_plan_task_penalties(t, t->found)};
}
