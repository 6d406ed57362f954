// Planned movements as a table, JSON and CSV.
#include "tool/run/plan_run.h"

#include "tool/command/file.h"
#include "tool/report/json_report.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

#define STATE_STEP 0.1   // of the states printed [s]
#define BUCKET 10.0      // of distances [m]
#define BUCKETS_MOST 800 // 8 radii of 1000 m
#define DEGREES 57.29577951308232

static bool plan_report_is_many(const tool_plan_run* run) {
    return run->is_random || run->is_list;
}

// --------------------------------------------------------------------------- sums

// Means of some movements.
typedef struct plan_sum {
    int64_t count, found, invalid;
    int64_t outcomes[KERB_PLAN_OUTCOME_COUNT];
    double cost, first_cost, lower_bound, steps, expansions, plan_ms, first_ms; // means
    double plan_p99, plan_max, first_p99, first_max;                            // [ms]
    double probe_expansions, probe_cost, probe_beside; // of the thesis's probe: means, and percent
    int64_t cut_off, confirmed,
        missed; // by the flood; no_path among these; neither that nor blocked
    int64_t driven, arrived, within, touched;
    double planned_s, driven_s, late_most; // means; greatest share
    double error, error_most;              // [m]
} plan_sum;

static double distance_of(const tool_plan_found* f) {
    kerb_vec2 a = f->task.from.pose.position, b = f->task.to.pose.position;
    return hypot((double)(b.x - a.x), (double)(b.y - a.y));
}

static void add_driven(plan_sum* s, const tool_plan_driven* d) {
    const kerb_scene_plan_driven* r = &d->result;
    s->driven++;
    s->arrived += r->arrived ? 1 : 0;
    s->within += tool_plan_is_within(d) ? 1 : 0;
    s->touched += d->touched ? 1 : 0;
    s->planned_s += (double)r->planned;
    s->driven_s += (double)r->time;
    s->late_most = fmax(s->late_most, fabs((double)r->time / (double)r->planned - 1.0));
    s->error += (double)r->error_mean;
    s->error_most = fmax(s->error_most, (double)r->error);
}

static void add_found(plan_sum* s, const tool_plan_found* f) {
    bool is_found = f->plan.count > 0;
    s->count++;
    s->steps += f->plan.steps;
    s->expansions += f->plan.expansions;
    s->outcomes[f->outcome]++;
    bool is_cut_off = f->flooded == KERB_SCENE_PLAN_CUT_OFF;
    s->cut_off += is_cut_off ? 1 : 0;
    s->confirmed += is_cut_off && f->outcome == KERB_PLAN_NO_PATH ? 1 : 0;
    s->missed += is_cut_off && (f->outcome == KERB_PLAN_BUDGET_SPENT || is_found) ? 1 : 0;
    s->probe_expansions += f->probe.expansions;
    if (kerb_scene_thesis_comes_beside(&f->probe)) {
        s->probe_cost += (double)f->probe.cost;
        s->probe_beside++;
    }
    s->plan_ms += f->plan_ms;
    s->first_ms += f->first_ms;
    s->plan_max = fmax(s->plan_max, f->plan_ms);
    s->first_max = fmax(s->first_max, f->first_ms);
    if (!is_found)
        return;
    if (f->driven.was)
        add_driven(s, &f->driven);
    s->found++;
    s->invalid += f->valid ? 0 : 1;
    s->cost += (double)f->plan.cost;
    s->first_cost += (double)f->first_cost;
    s->lower_bound += (double)f->plan.lower_bound;
}

static void make_means(plan_sum* s) {
    double all = s->count > 0 ? 1.0 / (double)s->count : 0.0;
    double found = s->found > 0 ? 1.0 / (double)s->found : 0.0;
    double driven = s->driven > 0 ? 1.0 / (double)s->driven : (double)NAN;
    s->planned_s *= driven;
    s->driven_s *= driven;
    s->error *= driven;
    s->probe_expansions *= all;
    s->probe_cost = s->probe_beside > 0.0 ? s->probe_cost / s->probe_beside : (double)NAN;
    s->probe_beside *= 100.0 * all;
    s->steps *= all;
    s->expansions *= all;
    s->plan_ms *= all;
    s->first_ms *= all;
    s->cost *= found;
    s->first_cost *= found;
    s->lower_bound *= found;
}

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

// The time that one in a hundred exceeds.
static double percentile_99(const tool_plan_run* run, bool is_first) {
    double* times = malloc((size_t)run->count * sizeof *times);
    if (!times)
        return (double)NAN;
    for (int64_t i = 0; i < run->count; i++)
        times[i] = is_first ? run->found[i].first_ms : run->found[i].plan_ms;
    qsort(times, (size_t)run->count, sizeof *times, compare_doubles);
    double result = times[(run->count - 1) * 99 / 100];
    free(times);
    return result;
}

static plan_sum sum_of(const tool_plan_run* run, double from, double to) {
    plan_sum s = {0};
    for (int64_t i = 0; i < run->count; i++) {
        double distance = distance_of(&run->found[i]);
        if (distance >= from && distance < to)
            add_found(&s, &run->found[i]);
    }
    make_means(&s);
    return s;
}

static plan_sum sum_of_all(const tool_plan_run* run) {
    plan_sum s = sum_of(run, 0.0, 1e30);
    s.plan_p99 = percentile_99(run, false);
    s.first_p99 = percentile_99(run, true);
    return s;
}

// --------------------------------------------------------------------------- the table

static void print_driven(const tool_plan_found* f) {
    const kerb_scene_plan_driven* r = &f->driven.result;
    if (!f->driven.was)
        return;
    printf("%-20s in %.3f s, %+.1f %%%s\n", "driven", (double)r->time,
           100.0 * ((double)r->time / (double)r->planned - 1.0),
           r->arrived ? "" : ": did not arrive");
    printf("%-20s %.3f m mean, %.3f m at most%s\n", "off the plan", (double)r->error_mean,
           (double)r->error, f->driven.touched ? "; touches an obstacle" : "");
    printf("%-20s %.3f m and %.1f degrees off\n", "at the end", (double)r->end_error,
           (double)r->end_swing * DEGREES);
}

static bool is_too_fast(const kerb_plan_limits* limits, float speed) {
    return speed > limits->speed_max || speed < -limits->reverse_speed_max;
}

// Which end of a movement has a speed that the vehicle does not reach.
static void impossible_text(const kerb_scene_plan_task* task, char* text, size_t size) {
    const kerb_plan_limits* limits = &task->limits;
    bool at_start = is_too_fast(limits, task->from.speed);
    double speed = (double)(at_start ? task->from.speed : task->to.speed);
    const char* where = at_start ? "start" : "goal";
    if (speed >= 0.0)
        snprintf(text, size, "%.4g m/s at the %s, more than the vehicle's %.4g m/s", speed, where,
                 (double)limits->speed_max);
    else if (limits->reverse_speed_max > 0.0f)
        snprintf(text, size, "%.4g m/s at the %s, more than the vehicle's %.4g m/s in reverse",
                 speed, where, (double)limits->reverse_speed_max);
    else
        snprintf(text, size, "%.4g m/s at the %s, and the vehicle may not reverse", speed, where);
}

// Why there is no movement; empty where there is one.
static void why_not(const tool_plan_found* f, char* text, size_t size) {
    static const char* const words[KERB_PLAN_OUTCOME_COUNT] = {
        [KERB_PLAN_NO_PATH] = "no path leads there, however the vehicle drives",
        [KERB_PLAN_BUDGET_SPENT] = "no path found with this much work; there may be one",
        [KERB_PLAN_START_BLOCKED] = "the start is in an obstacle or off the map",
        [KERB_PLAN_GOAL_BLOCKED] = "the goal is in an obstacle or off the map",
        [KERB_PLAN_START_TOO_FAST] = "too fast at the start to straighten or to stop",
    };
    if (f->outcome == KERB_PLAN_IMPOSSIBLE)
        impossible_text(&f->job.task, text, size);
    else
        snprintf(text, size, "%s", words[f->outcome] ? words[f->outcome] : "");
}

static void print_searched(const tool_plan_found* f) {
    const kerb_plan_search_report* r = &f->searched;
    printf("%-20s %d expansions in %.3f ms, %d states kept of %d\n", "work", (int)r->expansions,
           f->plan_ms, (int)r->nodes, (int)r->generated);
    if (r->suboptimality < KERB_PLAN_NEVER)
        printf("%-20s at most %.3f times as long as the best within these cells\n", "takes",
               (double)r->suboptimality);
}

static void plan_report_print_one(const tool_plan_run* run) {
    const tool_plan_found* f = &run->found[0];
    char why[128];
    why_not(f, why, sizeof why);
    printf("%s: %s%s%s\n", run->vehicle, kerb_plan_outcome_text(f->outcome), why[0] ? ": " : "",
           why);
    if (f->plan.count == 0)
        return;
    printf("\n");
    printf("%-20s %.3f s (at least %.3f s)\n", "takes", (double)f->plan.cost,
           (double)f->plan.lower_bound);
    if (f->plan.ground_cost > 0.0f)
        printf("%-20s %.3f s, ground cost %.3f s\n", "of that", (double)f->plan.time,
               (double)f->plan.ground_cost);
    if (f->job.choice && f->job.choice->start_count > 1)
        printf("%-20s %d of %d\n", "start", (int)f->plan.start + 1,
               (int)f->job.choice->start_count);
    if (f->job.choice && f->job.choice->goal_count > 1)
        printf("%-20s %d of %d\n", "goal", (int)f->plan.goal + 1, (int)f->job.choice->goal_count);
    printf("%-20s %.2f m in %d %s\n", "length", (double)f->plan.length, (int)f->plan.count,
           f->plan.count == 1 ? "piece" : "pieces");
    printf("%-20s %.3f s after %.3f ms\n", "first plan", (double)f->first_cost, f->first_ms);
    if (run->searches)
        print_searched(f);
    else
        printf("%-20s %d steps in %.3f ms\n", "work", (int)f->plan.steps, f->plan_ms);
    if (!f->valid)
        printf("%-20s rejected: piece %d, %s: %s\n", "check", (int)f->error.index, f->error.field,
               f->error.message);
    print_driven(f);
    if (!run->anytime)
        return;
    printf("\n%10s%12s\n", "steps", "takes s");
    for (int32_t i = 0; i < f->answer_count; i++)
        printf("%10d%12.3f\n", (int)f->answers[i].steps, (double)f->answers[i].cost);
}

static void print_all_driven(const plan_sum* s) {
    printf("%-20s %lld of %lld arrived, %lld within %g %% of the time and %g m\n", "driven",
           (long long)s->arrived, (long long)s->driven, (long long)s->within,
           100.0 * TOOL_PLAN_TIME_SHARE, TOOL_PLAN_ERROR_MOST);
    printf("%-20s %.3f s mean, planned %.3f s; at most %.1f %% off\n", "", s->driven_s,
           s->planned_s, 100.0 * s->late_most);
    printf("%-20s %.3f m mean, %.3f m at most; %lld touch obstacles\n", "off the plans", s->error,
           s->error_most, (long long)s->touched);
}

static void print_many(const tool_plan_run* run) {
    plan_sum s = sum_of_all(run);
    if (run->is_random)
        printf("random goals, turning radius %g to %g m\n\n", run->radius_min, run->radius_max);
    printf("%-20s %lld of %lld, %lld rejected by the checker\n", "found", (long long)s.found,
           (long long)s.count, (long long)s.invalid);
    for (int32_t i = KERB_PLAN_FOUND + 1; i < KERB_PLAN_OUTCOME_COUNT; i++)
        if (s.outcomes[i] > 0)
            printf("%-20s %lld\n", kerb_plan_outcome_text((kerb_plan_outcome)i),
                   (long long)s.outcomes[i]);
    if (run->is_flooded)
        printf("%-20s %lld by a flood; %lld of them no_path, %lld not\n", "cut off",
               (long long)s.cut_off, (long long)s.confirmed, (long long)s.missed);
    printf("%-20s %.3f s mean (first plan %.3f s, at least %.3f s)\n", "takes", s.cost,
           s.first_cost, s.lower_bound);
    printf("%-20s %.4f ms mean, %.4f ms for 99 of 100, %.3f ms at most\n", "first plan", s.first_ms,
           s.first_p99, s.first_max);
    printf("%-20s %.3f ms mean, %.3f ms for 99 of 100, %.3f ms at most\n", "in all", s.plan_ms,
           s.plan_p99, s.plan_max);
    printf("%-20s %.1f mean\n", "expansions", s.expansions);
    if (s.driven > 0)
        print_all_driven(&s);
    printf("\n");
    printf("%12s%10s%12s%16s%12s\n", "distance m", "goals", "takes s", "first plan s",
           "at least s");
    for (int32_t i = 0; i < BUCKETS_MOST; i++) {
        plan_sum b = sum_of(run, BUCKET * i, BUCKET * (i + 1));
        if (b.count > 0)
            printf("%6g - %-3g%10lld%12.3f%16.3f%12.3f\n", BUCKET * i, BUCKET * (i + 1),
                   (long long)b.count, b.cost, b.first_cost, b.lower_bound);
    }
}

void tool_plan_print(const tool_plan_run* run) {
    if (plan_report_is_many(run))
        print_many(run);
    else
        plan_report_print_one(run);
}

// --------------------------------------------------------------------------- JSON

static int32_t state_count(const kerb_plan* plan) {
    return plan->count > 0 ? (int32_t)floor((double)plan->time / STATE_STEP) + 2 : 0;
}

static kerb_plan_state state_at(const kerb_plan* plan, int32_t i) {
    bool is_last = i == state_count(plan) - 1;
    return kerb_plan_at(plan, is_last ? plan->time : (float)(STATE_STEP * i));
}

static void numbers_of(const tool_plan_found* f, const kerb_plan_state* s, double numbers[7]) {
    numbers[0] = (double)s->time;
    numbers[1] = (double)s->pose.position.x;
    numbers[2] = (double)s->pose.position.y;
    numbers[3] = (double)kerb_pose_heading(s->pose) * DEGREES;
    numbers[4] = (double)s->speed;
    numbers[5] = tool_plan_steering(&f->task.limits, s);
    numbers[6] = (double)s->acceleration;
}

static bool add_states(cJSON* root, const tool_plan_found* f) {
    cJSON* states = cJSON_AddArrayToObject(root, "states");
    for (int32_t i = 0; states && i < state_count(&f->plan); i++) {
        kerb_plan_state s = state_at(&f->plan, i);
        double numbers[7];
        numbers_of(f, &s, numbers);
        for (int32_t k = 0; k < 7; k++)
            numbers[k] = round(numbers[k] * 1e5) / 1e5;
        cJSON* state = cJSON_CreateDoubleArray(numbers, 7);
        if (!cJSON_AddItemToArray(states, state)) {
            cJSON_Delete(state);
            return false;
        }
    }
    return states != NULL;
}

static bool add_answers(cJSON* root, const tool_plan_found* f) {
    cJSON* answers = cJSON_AddArrayToObject(root, "answers");
    for (int32_t i = 0; answers && i < f->answer_count; i++) {
        cJSON* answer = cJSON_CreateObject();
        bool added = tool_json_number(answer, "steps", f->answers[i].steps) &&
                     tool_json_number(answer, "cost_s", (double)f->answers[i].cost);
        if (!added || !cJSON_AddItemToArray(answers, answer)) {
            cJSON_Delete(answer);
            return false;
        }
    }
    return answers != NULL;
}

static bool add_driven_json(cJSON* root, const tool_plan_found* f) {
    const kerb_scene_plan_driven* r = &f->driven.result;
    const double none = (double)NAN;
    bool was = f->driven.was;
    return cJSON_AddBoolToObject(root, "arrived", r->arrived) &&
           cJSON_AddBoolToObject(root, "touched", f->driven.touched) &&
           tool_json_number(root, "planned_s", was ? (double)r->planned : none) &&
           tool_json_number(root, "driven_s", was ? (double)r->time : none) &&
           tool_json_number(root, "error_mean_m", was ? (double)r->error_mean : none) &&
           tool_json_number(root, "error_max_m", was ? (double)r->error : none) &&
           tool_json_number(root, "end_error_m", was ? (double)r->end_error : none) &&
           tool_json_number(root, "end_error_deg", was ? (double)r->end_swing * DEGREES : none);
}

static bool add_sum_driven(cJSON* root, const plan_sum* s) {
    const double none = (double)NAN;
    bool any = s->driven > 0;
    return tool_json_number(root, "driven", (double)s->driven) &&
           tool_json_number(root, "arrived", (double)s->arrived) &&
           tool_json_number(root, "driven_within", (double)s->within) &&
           tool_json_number(root, "touched", (double)s->touched) &&
           tool_json_number(root, "planned_mean_s", s->planned_s) &&
           tool_json_number(root, "driven_mean_s", s->driven_s) &&
           tool_json_number(root, "time_off_max_percent", any ? 100.0 * s->late_most : none) &&
           tool_json_number(root, "error_mean_m", s->error) &&
           tool_json_number(root, "error_max_m", any ? s->error_most : none);
}

static double or_none(float seconds) {
    return seconds < KERB_PLAN_NEVER ? (double)seconds : (double)NAN;
}

static bool add_searched(cJSON* root, const kerb_plan_search_report* r) {
    return tool_json_number(root, "states_kept", r->nodes) &&
           tool_json_number(root, "states_looked_at", r->generated) &&
           tool_json_number(root, "first_expansions", r->first_expansions) &&
           tool_json_number(root, "probe_expansions", r->probe_expansions) &&
           tool_json_number(root, "probe_cost_s", or_none(r->probe_cost)) &&
           tool_json_number(root, "weight", (double)r->weight) &&
           tool_json_number(root, "suboptimality", or_none(r->suboptimality));
}

static bool add_one(cJSON* root, const tool_plan_run* run) {
    const tool_plan_found* f = &run->found[0];
    bool found = f->plan.count > 0;
    char why[128];
    why_not(f, why, sizeof why);
    return cJSON_AddStringToObject(root, "vehicle", run->vehicle) &&
           cJSON_AddStringToObject(root, "outcome", kerb_plan_outcome_text(f->outcome)) &&
           (why[0] ? cJSON_AddStringToObject(root, "reason", why)
                   : cJSON_AddNullToObject(root, "reason")) &&
           tool_json_number(root, "start", found ? f->plan.start : (double)NAN) &&
           tool_json_number(root, "goal", found ? f->plan.goal : (double)NAN) &&
           tool_json_number(root, "cost_s", found ? (double)f->plan.cost : (double)NAN) &&
           tool_json_number(root, "time_s", found ? (double)f->plan.time : (double)NAN) &&
           tool_json_number(root, "toll_s", found ? (double)f->plan.ground_cost : (double)NAN) &&
           tool_json_number(root, "length_m", found ? (double)f->plan.length : (double)NAN) &&
           tool_json_number(root, "first_cost_s", found ? (double)f->first_cost : (double)NAN) &&
           tool_json_number(root, "lower_bound_s", (double)f->plan.lower_bound) &&
           tool_json_number(root, "expansions", f->plan.expansions) &&
           tool_json_number(root, "steps", f->plan.steps) &&
           tool_json_number(root, "first_ms", f->first_ms) &&
           tool_json_number(root, "plan_ms", f->plan_ms) &&
           cJSON_AddBoolToObject(root, "valid", f->valid) &&
           (!run->is_driven || add_driven_json(root, f)) &&
           (!run->searches || add_searched(root, &f->searched)) &&
           (!run->anytime || add_answers(root, f)) && add_states(root, f);
}

static bool add_bucket(cJSON* array, const tool_plan_run* run, int32_t i) {
    plan_sum b = sum_of(run, BUCKET * i, BUCKET * (i + 1));
    if (b.count == 0)
        return true;
    cJSON* bucket = cJSON_CreateObject();
    const double none = (double)NAN;
    bool added =
        tool_json_number(bucket, "from_m", BUCKET * i) &&
        tool_json_number(bucket, "to_m", BUCKET * (i + 1)) &&
        tool_json_number(bucket, "count", (double)b.count) &&
        tool_json_number(bucket, "expansions_mean", b.expansions) &&
        tool_json_number(bucket, "cost_mean_s", b.cost) &&
        tool_json_number(bucket, "first_cost_mean_s", b.first_cost) &&
        tool_json_number(bucket, "lower_bound_mean_s", b.lower_bound) &&
        tool_json_number(bucket, "probe_expansions_mean",
                         run->is_probed ? b.probe_expansions : none) &&
        tool_json_number(bucket, "probe_cost_mean_s", run->is_probed ? b.probe_cost : none) &&
        tool_json_number(bucket, "probe_beside_percent", run->is_probed ? b.probe_beside : none) &&
        cJSON_AddItemToArray(array, bucket);
    if (!added)
        cJSON_Delete(bucket);
    return added;
}

// How many ended otherwise than found, by the words of the outcomes.
static bool add_outcomes(cJSON* root, const plan_sum* s) {
    bool added = true;
    for (int32_t i = KERB_PLAN_FOUND + 1; i < KERB_PLAN_OUTCOME_COUNT; i++)
        added = added && tool_json_number(root, kerb_plan_outcome_text((kerb_plan_outcome)i),
                                          (double)s->outcomes[i]);
    return added;
}

static bool add_many(cJSON* root, const tool_plan_run* run) {
    plan_sum s = sum_of_all(run);
    bool added = (!run->is_random || (tool_json_number(root, "radius_min_m", run->radius_min) &&
                                      tool_json_number(root, "radius_max_m", run->radius_max))) &&
                 add_outcomes(root, &s) && tool_json_number(root, "count", (double)s.count) &&
                 tool_json_number(root, "found", (double)s.found) &&
                 tool_json_number(root, "invalid", (double)s.invalid) &&
                 tool_json_number(root, "cost_mean_s", s.cost) &&
                 tool_json_number(root, "first_cost_mean_s", s.first_cost) &&
                 tool_json_number(root, "lower_bound_mean_s", s.lower_bound) &&
                 tool_json_number(root, "expansions_mean", s.expansions) &&
                 tool_json_number(root, "steps_mean", s.steps) &&
                 tool_json_number(root, "first_mean_ms", s.first_ms) &&
                 tool_json_number(root, "first_p99_ms", s.first_p99) &&
                 tool_json_number(root, "first_max_ms", s.first_max) &&
                 tool_json_number(root, "plan_mean_ms", s.plan_ms) &&
                 tool_json_number(root, "plan_p99_ms", s.plan_p99) &&
                 tool_json_number(root, "plan_max_ms", s.plan_max);
    added = added && (!run->is_driven || add_sum_driven(root, &s));
    added = added && (!run->is_flooded ||
                      (tool_json_number(root, "cut_off", (double)s.cut_off) &&
                       tool_json_number(root, "no_path_confirmed", (double)s.confirmed) &&
                       tool_json_number(root, "cut_off_missed", (double)s.missed)));
    cJSON* buckets = added ? cJSON_AddArrayToObject(root, "by_distance") : NULL;
    for (int32_t i = 0; buckets && added && i < BUCKETS_MOST; i++)
        added = add_bucket(buckets, run, i);
    return added && buckets;
}

tool_status tool_plan_print_json(const tool_plan_run* run) {
    cJSON* root = tool_json_begin("plan", run->outputs->seed);
    return tool_json_end(root, plan_report_is_many(run) ? add_many(root, run) : add_one(root, run),
                         stdout)
               ? TOOL_DONE
               : tool_complain("plan: no memory for the report");
}

// --------------------------------------------------------------------------- CSV

// What was driven at that time, beside what was planned.
static void print_moment(FILE* out, const tool_plan_driven* d, double time) {
    const tool_plan_moment* m = tool_plan_moment_at(d, time);
    fprintf(out, ",%.5f,%.5f,%.4f,%.5f,%.5f,%.4f,%.4f,%.4f,%.4f", (double)m->rear.position.x,
            (double)m->rear.position.y, (double)kerb_pose_heading(m->rear) * DEGREES,
            (double)m->speed, (double)m->error, (double)m->late, (double)m->steering,
            (double)m->throttle, (double)m->brake);
}

static bool print_states(FILE* out, const void* context) {
    const tool_plan_found* f = &((const tool_plan_run*)context)->found[0];
    const tool_plan_driven* d = &f->driven;
    fprintf(out, "t_s,x_m,y_m,heading_deg,speed_mps,steering,acceleration_mps2,curvature_1pm%s\n",
            d->count > 0 ? ",driven_x_m,driven_y_m,driven_heading_deg,driven_speed_mps,error_m,"
                           "late_s,driven_steering,throttle,brake"
                         : "");
    double driven = d->count > 0 ? (double)d->result.time : 0.0;
    int32_t planned = state_count(&f->plan), more = 0;
    if (driven > (double)f->plan.time) // the plan is at its end and waits
        more = (int32_t)((driven - (double)f->plan.time) / STATE_STEP);
    for (int32_t i = 0; i < planned + more; i++) {
        kerb_plan_state s = state_at(&f->plan, i < planned ? i : planned - 1);
        double n[7];
        numbers_of(f, &s, n);
        if (i >= planned)
            n[0] += STATE_STEP * (i - planned + 1);
        fprintf(out, "%.4f,%.5f,%.5f,%.4f,%.5f,%.5f,%.4f,%.6f", n[0], n[1], n[2], n[3], n[4], n[5],
                n[6], (double)s.curvature);
        if (d->count > 0)
            print_moment(out, d, n[0]);
        fputc('\n', out);
    }
    return !ferror(out);
}

static bool plan_report_print_rows(FILE* out, const void* context) {
    const tool_plan_run* run = context;
    fprintf(out,
            "goal,distance_m,radius_m,lateral_mps2,v0_mps,v1_mps,cost_s,first_cost_s,"
            "lower_bound_s,length_m,valid,"
            "outcome,expansions%s\n",
            run->is_driven ? ",planned_s,driven_s,error_mean_m,error_max_m,arrived,touched" : "");
    for (int64_t i = 0; i < run->count; i++) {
        const tool_plan_found* f = &run->found[i];
        fprintf(out, "%lld,%.5f,%.5f,%.5f,%.5f,%.5f,", (long long)i, distance_of(f),
                (double)f->task.limits.turning_radius, (double)f->task.limits.lateral_acceleration,
                (double)f->task.from.speed, (double)f->task.to.speed);
        if (f->outcome == KERB_PLAN_FOUND)
            fprintf(out, "%.5f,%.5f", (double)f->plan.cost, (double)f->first_cost);
        else // nothing costs anything
            fputc(',', out);
        fprintf(out, ",%.5f,%.5f,%d,%s,%d", (double)f->plan.lower_bound, (double)f->plan.length,
                f->valid ? 1 : 0, kerb_plan_outcome_text(f->outcome), (int)f->plan.expansions);
        const kerb_scene_plan_driven* r = &f->driven.result;
        if (run->is_driven)
            fprintf(out, ",%.4f,%.4f,%.5f,%.5f,%d,%d", (double)r->planned, (double)r->time,
                    (double)r->error_mean, (double)r->error, r->arrived ? 1 : 0,
                    f->driven.touched ? 1 : 0);
        fputc('\n', out);
    }
    return !ferror(out);
}

tool_status tool_plan_write_csv(const tool_plan_run* run) {
    return tool_file_print(run->outputs->csv,
                           plan_report_is_many(run) ? plan_report_print_rows : print_states, run);
}
