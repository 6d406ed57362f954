// Purpose: a short plan back to a plan over the whole way, and both as one.
// Idea:    States of the whole plan ahead are goals, each with what is left of the plan there as a
//          penalty. The cheapest plan of the query is the fastest way to the end by one of them.
//          The speeds on both are then computed in one go, so that wheels have their time where the
//          two meet. Places on straight pieces come first: there that costs least.
// Cost:    A query whose goals lie ahead, however long the whole plan is.
// Source:  AIPATH 6.2.
#include "kerb/plan_rejoin.h"

#include "../model/piece.h"
#include "../planner/task.h"

#include "../../base/shared.h"

// Less of a piece is rounding. [m]
#define REJOIN_LENGTH 1e-4f
// Accepted difference of curvature where wheels go over to the whole plan, over the greatest. [1]
#define REJOIN_CURVATURE 2e-4f
// States among which the places are chosen.
#define REJOIN_STATES 32

kerb_plan_limits kerb_plan_limits_stricter(const kerb_plan_limits* limits, float share) {
    KERB_ASSERT(limits && share >= 0.0f && share <= 0.5f);
    kerb_plan_limits l = *limits;
    l.turning_radius *= 1.0f + share;
    l.steering_time *= 1.0f + share;
    l.margin += 0.5f * share * l.width;
    float* const lower[] = {&l.speed_max,
                            &l.reverse_speed_max,
                            &l.acceleration,
                            &l.braking,
                            &l.reverse_acceleration,
                            &l.reverse_braking,
                            &l.lateral_acceleration,
                            &l.longitudinal_grip,
                            &l.yaw_rate_max};
    for (size_t i = 0; i < sizeof lower / sizeof lower[0]; i++)
        *lower[i] *= 1.0f - share;
    return l;
}

static kerb_result rejoin_check(const kerb_plan* whole, float from, float to, kerb_error* error) {
    if (whole->count < 1 || !whole->pieces)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "count", 0, -1, "there is no plan");
    const float values[2] = {from, to}, least[2] = {0.0f, from};
    static const char* const names[2] = {"from", "to"};
    for (int32_t i = 0; i < 2; i++) {
        if (!kerb_is_finite(values[i]))
            return kerb_error_set(error, KERB_ERROR_NOT_FINITE, names[i], 0, -1,
                                  "must be a finite number");
        if (values[i] < least[i])
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, names[i], 0, -1,
                                  "must not be less than 0, nor `to` less than `from`");
    }
    return KERB_OK;
}

// For how long the plan goes straight on from a time on, up to `most`. [s]
static float rejoin_straight(const kerb_plan* whole, float time, float most) {
    float end = time;
    for (int32_t i = 0; i < whole->count && end < time + most; i++) {
        const kerb_plan_piece* p = &whole->pieces[i];
        if (p->time + p->duration <= time)
            continue;
        if (p->curvature != 0.0f || p->curvature_change != 0.0f || !(p->length > 0.0f))
            break;
        end = p->time + p->duration;
    }
    return end - time;
}

// How long the curvature of the plan stays as it is at a time. [m, negative in reverse] `end`: the
// time when it changes.
static plan_arc rejoin_even(const kerb_plan* whole, float time, float* end) {
    plan_arc even = {0.0f, 0.0f};
    *end = time;
    for (int32_t i = 0; i < whole->count; i++) {
        const kerb_plan_piece* p = &whole->pieces[i];
        float passed = kerb_clamp(time - p->time, 0.0f, p->duration);
        float length = p->length - (p->speed + 0.5f * p->acceleration * passed) * passed;
        if (p->time + p->duration <= time)
            continue;
        length = p->direction < 0 ? -length : length;
        bool goes_on =
            even.length == 0.0f || (p->curvature == even.curvature && length * even.length > 0.0f);
        if (!goes_on || p->curvature_change != 0.0f || !(p->length > 0.0f))
            break;
        even = (plan_arc){p->curvature, even.length + length};
        *end = p->time + p->duration;
    }
    return even;
}

// Time in which wheels turn from straight ahead to their greatest angle. [s]
static float rejoin_steering_time(const plan_task* t) {
    float rate = t->given_rates.rate;
    return rate > 0.0f ? t->given_rates.bend_most / rate : t->limits.steering_time;
}

// Whether wheels have turned by the time that the plan no longer goes straight on. Clothoids need
// half of that time, in any bend that stays as it is; at the end of the plan wheels stand as they
// like.
static bool rejoin_suits(const kerb_plan* whole, float time, const plan_task* t) {
    float steering_time = rejoin_steering_time(t), end = time;
    if (!(t->given_rates.rate > 0.0f))
        return rejoin_straight(whole, time, steering_time) >= steering_time;
    rejoin_even(whole, time, &end);
    return !(time < whole->time) || end - time >= 0.5f * steering_time;
}

// Chooses the times of the places: among the states of the stretch where the plan leaves wheels
// their time, if there are any.
static void rejoin_choose(const kerb_plan* whole, float from, float to, const plan_task* t,
                          kerb_plan_rejoin* rejoin) {
    float suited[REJOIN_STATES], all[REJOIN_STATES];
    int32_t suited_count = 0, count = 0;
    float first = kerb_min(from, whole->time), last = kerb_min(to, whole->time);
    for (int32_t i = 0; i < REJOIN_STATES; i++) {
        float time = first + (last - first) * ((float)i / (float)(REJOIN_STATES - 1));
        if (count > 0 && !(time > all[count - 1]))
            continue;
        all[count++] = time;
        if (rejoin_suits(whole, time, t))
            suited[suited_count++] = time;
    }
    const float* times = suited_count > 0 ? suited : all;
    int32_t of = suited_count > 0 ? suited_count : count;
    rejoin->count = of < KERB_PLAN_REJOIN_PLACES ? of : KERB_PLAN_REJOIN_PLACES;
    for (int32_t i = 0; i < rejoin->count; i++)
        rejoin->times[i] = times[rejoin->count > 1 ? i * (of - 1) / (rejoin->count - 1) : of - 1];
}

kerb_result kerb_planner_begin_rejoin(kerb_planner* planner, const kerb_plan_end* start,
                                      const kerb_plan* whole, float from, float to,
                                      kerb_plan_rejoin* rejoin, kerb_error* error) {
    KERB_ASSERT(planner && planner->memory && start && whole && rejoin);
    const plan_task* task = planner->memory;
    *rejoin = (kerb_plan_rejoin){0};
    kerb_result result = rejoin_check(whole, from, to, error);
    if (result == KERB_OK)
        rejoin_choose(whole, from, to, task, rejoin);
    kerb_plan_end goals[KERB_PLAN_REJOIN_PLACES];
    for (int32_t i = 0; i < rejoin->count; i++) {
        kerb_plan_state at = kerb_plan_at(whole, rejoin->times[i]);
        goals[i] = (kerb_plan_end){.pose = at.pose,
                                   .speed = at.speed,
                                   .penalty = kerb_max(whole->time - rejoin->times[i], 0.0f)};
    }
    // Without goals the planner drops its query, too.
    const kerb_plan_query query = {start, goals, 1, rejoin->count};
    kerb_result begun = kerb_planner_begin(planner, &query, result == KERB_OK ? error : NULL);
    plan_task* t = planner->memory;
    t->ends_straight = true;
    return result == KERB_OK ? begun : result;
}

// Adds the path of a plan from a time on, without its standstills. False: there is no room.
static bool rejoin_add(const kerb_plan* plan, float time, plan_arc* arcs, int32_t* count) {
    for (int32_t i = 0; i < plan->count; i++) {
        kerb_plan_piece p = plan->pieces[i];
        float passed = kerb_clamp(time - p.time, 0.0f, p.duration);
        float length = p.length - (p.speed + 0.5f * p.acceleration * passed) * passed;
        if (p.time + p.duration <= time || !(length > REJOIN_LENGTH))
            continue;
        float signed_length = p.direction < 0 ? -length : length;
        plan_arc* last = *count > 0 ? &arcs[*count - 1] : NULL;
        if (last && last->curvature == p.curvature && last->length * signed_length > 0.0f) {
            last->length += signed_length;
            continue;
        }
        if (*count == PLAN_ARCS_MAX)
            return false;
        arcs[(*count)++] = (plan_arc){p.curvature, signed_length};
    }
    return true;
}

// Measures the pieces that are shown as the planner's plan. [toll: s]
static void rejoin_measure(plan_task* t, float toll) {
    kerb_in_plan_task_measure(t);
    t->shown.of = ++t->changes;
    t->shown.toll = toll;
    t->shown.cost = t->shown.time + toll;
    t->is_onward = t->is_direct = t->is_crossing = false;
    t->lower_bound = 0.0f;
}

// Shows a path as the planner's plan.
static bool rejoin_show(plan_task* t, const plan_site* site, const kerb_plan* part,
                        const kerb_plan* whole, const plan_arc* arcs, int32_t count) {
    const kerb_plan_end* start = &t->origins[0];
    kerb_plan_state end = kerb_plan_at(whole, whole->time);
    int32_t pieces = kerb_in_plan_movement_pieces(&t->rates, start->pose, arcs, count, start->speed,
                                                  end.speed, t->pieces);
    if (pieces == 0)
        return false;
    plan_pair pair = {0, t->aim_count + 1, 0.0f};
    t->aims[pair.aim] = (plan_aim){{.pose = end.pose, .speed = end.speed}, whole->goal};
    t->shown = (plan_shown){.count = pieces, .method = part->method, .pair = pair};
    rejoin_measure(t, kerb_in_plan_task_toll(t, site, pair, arcs, count));
    return true;
}

// --------------------------------------------------------------------------- clothoids

// Adds the pieces of a plan from a time on to a row of clothoids. False: there is no room.
static bool rejoin_add_bends(const kerb_plan* plan, float time, plan_clothoid* bends,
                             int32_t* count) {
    float standing = -1.0f;
    for (int32_t i = 0; i < plan->count; i++) {
        const kerb_plan_piece* p = &plan->pieces[i];
        float passed = kerb_clamp(time - p->time, 0.0f, p->duration);
        float driven = (p->speed + 0.5f * p->acceleration * passed) * passed;
        if (p->time + p->duration <= time)
            continue;
        if (!(p->length > 0.0f)) {
            standing = kerb_max(standing, 0.0f) + p->duration - passed;
            continue;
        }
        driven = kerb_clamp(driven, 0.0f, p->length);
        float length = p->length - driven, share = length / p->length;
        if (!(length > REJOIN_LENGTH) && driven > 0.0f)
            continue;
        if (*count == PLAN_ARCS_MAX)
            return false;
        plan_clothoid b = {
            plan_piece_pose(p, driven), p->curvature + p->curvature_change * (1.0f - share),
            p->curvature_change * share, p->direction < 0 ? -length : length, standing};
        bends[(*count)++] = b;
        standing = -1.0f;
    }
    return true;
}

// Whether a row ends with a curvature, up to rounding.
static bool rejoin_ends_with(const plan_task* t, const plan_clothoid* last, float curvature) {
    float off = kerb_abs(last->curvature + last->change - curvature);
    return off <= REJOIN_CURVATURE * t->given_rates.bend_most;
}

// The clothoids of the planner's path and of what follows of the whole plan with an even curvature:
// there the wheels turn for it. Returns their number; 0: there are none.
static int32_t rejoin_row(plan_task* t, const plan_site* site, const kerb_plan* whole,
                          const plan_arc* even, float end, kerb_plan_piece* scratch) {
    plan_candidate path = kerb_in_plan_task_path(t, site);
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    plan_arc arcs[PLAN_ARCS_MAX];
    int32_t start = path.pair.start, made = 0;
    if (path.count >= PLAN_ARCS_MAX)
        return 0;
    for (int32_t i = 0; i < path.count; i++)
        arcs[i] = path.arcs[i];
    arcs[path.count] = *even;
    const float speeds[2] = {kerb_plan_at(whole, end).speed, path.speed_goal};
    for (int32_t i = 0; i < 2 && made == 0; i++)
        made = kerb_in_plan_bends_row(&t->bends, &t->rates, &t->given_rates, &space,
                                      t->is_led ? &t->leads[start] : NULL, &t->starts[start], arcs,
                                      path.count + 1, speeds[i], true, scratch);
    return made;
}

// The row of what the query has found, where it ends with the wheels of the whole plan; otherwise
// that of its path. `end`: where on the whole plan it ends.
static int32_t rejoin_part(plan_task* t, const plan_site* site, const kerb_plan* whole, float time,
                           const kerb_plan* part, float* end) {
    plan_clothoid* row = t->bends.bends;
    bool is_end = !(time < whole->time); // there they stand as they like
    int32_t count = 0;
    *end = time;
    if (rejoin_add_bends(part, 0.0f, row, &count) && count > 0 &&
        (is_end || rejoin_ends_with(t, &row[count - 1], kerb_plan_at(whole, time).curvature)))
        return count;
    plan_arc even = rejoin_even(whole, time, end);
    if (t->is_direct || even.length == 0.0f)
        return 0;
    count = rejoin_row(t, site, whole, &even, *end, t->pieces);
    return count > 0 && rejoin_ends_with(t, &row[count - 1], even.curvature) ? count : 0;
}

static kerb_result rejoin_smoothly(kerb_planner* planner, const kerb_plan* whole, float time,
                                   const kerb_plan* part, kerb_error* error) {
    plan_task* t = planner->memory;
    const plan_site* site = planner->world_memory;
    const kerb_plan_end* start = &t->origins[0];
    kerb_plan_state last = kerb_plan_at(whole, whole->time);
    int32_t method = part->method;
    float end = time;
    int32_t count = rejoin_part(t, site, whole, time, part, &end);
    if (count == 0)
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "curvature_rate", 0, -1,
                              "the wheels cannot turn to where the whole plan has them");
    if (!rejoin_add_bends(whole, end, t->bends.bends, &count))
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "pieces", 0, -1,
                              "both plans together have too many clothoids");
    int32_t pieces =
        kerb_in_plan_movement_bends(&t->given_rates, t->bends.bends, count, start->curvature,
                                    start->speed, last.speed, t->pieces);
    if (pieces == 0)
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "speed", 0, -1,
                              "the planner's limits do not allow the rest of the whole plan");
    const plan_probe probe = kerb_in_plan_task_probe(t, site);
    const plan_space space = kerb_in_plan_task_space(&probe);
    plan_pair pair = {0, t->aim_count + 1, 0.0f};
    t->aims[pair.aim] = (plan_aim){{.pose = last.pose, .speed = last.speed}, whole->goal};
    t->shown = (plan_shown){.count = pieces, .method = method, .pair = pair};
    rejoin_measure(t, kerb_in_plan_pieces_toll(&space, t->pieces, pieces));
    if (planner->movers_memory)
        kerb_in_plan_task_adapt_to_movers(t, planner->movers_memory);
    return KERB_OK;
}

kerb_result kerb_planner_rejoin(kerb_planner* planner, const kerb_plan* whole,
                                const kerb_plan_rejoin* rejoin, kerb_error* error) {
    KERB_ASSERT(planner && planner->memory && whole && rejoin);
    plan_task* t = planner->memory;
    kerb_plan part = kerb_planner_get_plan(planner);
    if (t->stage != PLAN_ENDED || part.count < 1 || whole->count < 1)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "count", 0, -1, "there is no plan");
    if (part.goal < 0 || part.goal >= rejoin->count)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "goal", 0, -1,
                              "the planner's plan does not lead to a place of the whole plan");
    if (t->given_rates.rate > 0.0f) {
        kerb_result result =
            rejoin_smoothly(planner, whole, rejoin->times[part.goal], &part, error);
        if (result != KERB_OK && !t->is_direct) { // its pieces were scratch
            t->shown.of = -1;
            kerb_in_plan_task_show(t, planner->world_memory);
        }
        return result;
    }
    plan_arc arcs[PLAN_ARCS_MAX];
    int32_t count = 0;
    if (!rejoin_add(&part, 0.0f, arcs, &count) ||
        !rejoin_add(whole, rejoin->times[part.goal], arcs, &count))
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "pieces", 0, -1,
                              "both plans together have too many arcs");
    if (!rejoin_show(t, planner->world_memory, &part, whole, arcs, count))
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "speed", 0, -1,
                              "the planner's limits do not allow the rest of the whole plan");
    if (planner->movers_memory)
        kerb_in_plan_task_adapt_to_movers(t, planner->movers_memory);
    return KERB_OK;
}
