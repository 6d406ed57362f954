// Purpose: the fastest path through the corridor of a curve.
// Idea:    The reference line itself is the first path. Analytic paths are tried between entries
//          and exits on the line and beside it: first from the line to the line, then from other
//          entries, then to other exits. The best path is improved within the corridor. The way
//          from the line to an entry, over the road before the curve, is the hypotenuse of that
//          length and the offset, at the greatest speed.
// Cost:    some 10 rows of analytic paths and the steps of the improvement: 0.2 ms.
// Source:  AIPATH 5.3, figure 5.5.
#include "kerb/plan_search.h"

#include "curve.h"

#include "../polish/polish.h"
#include "../search/shot.h"

#include <string.h>

// Arcs that are improved; as for other plans. [1]
#define CURVE_ARCS_WANTED 9
// Entries and exits to each side of the line, evenly spaced. [1]
#define CURVE_SIDE_ENDS 2
// Distance of the outermost ends from the corridor's edge. More than samples of a path keep. [m]
#define CURVE_EDGE 0.015f

typedef struct curve_work {
    const curve_key* key;
    const plan_rates* rates;
    plan_corridor corridor;
    plan_space space;
    float speed_max, entry_speed, exit_speed;
    float cost; // of `found`
    curve_found* found;
} curve_work;

float kerb_in_plan_curve_speed(int32_t quarters) {
    return 0.25f * (float)quarters;
}

// What it takes longer to come from the line, or to go back to it. [s]
static float curve_penalty(const curve_work* w, float length, float offset) {
    return (kerb_sqrt(length * length + offset * offset) - length) / w->speed_max;
}

static void curve_note(curve_work* w, const plan_arc* arcs, int32_t count, float entry,
                       float exit) {
    float penalty = curve_penalty(w, w->key->before, entry) + curve_penalty(w, w->key->after, exit);
    float time = kerb_in_plan_movement_time(w->rates, arcs, count, w->entry_speed, w->exit_speed);
    if (!(time + penalty < w->cost) || count > CURVE_ARCS_MAX)
        return;
    w->cost = time + penalty;
    w->found->penalty = penalty;
    w->found->entry = entry;
    w->found->exit = exit;
    w->found->count = count;
    memcpy(w->found->arcs, arcs, (size_t)count * sizeof *arcs);
}

static void curve_try_line(curve_work* w) {
    plan_arc arcs[KERB_PLAN_CURVE_PARTS_MAX];
    w->found->reference_time = KERB_PLAN_NEVER;
    for (int32_t i = 0; i < w->key->part_count; i++) {
        arcs[i] = (plan_arc){w->key->parts[i].curvature, w->key->parts[i].length};
        if (kerb_abs(arcs[i].curvature) > 1.0001f * w->rates->curvature)
            return;
    }
    w->found->reference_time = kerb_in_plan_movement_time(w->rates, arcs, w->key->part_count,
                                                          w->entry_speed, w->exit_speed);
    curve_note(w, arcs, w->key->part_count, 0.0f, 0.0f);
}

static void curve_try(curve_work* w, float entry, float exit) {
    kerb_plan_end from = {.pose = kerb_in_plan_corridor_end(&w->corridor, false, entry),
                          .speed = w->entry_speed};
    kerb_plan_end to = {.pose = kerb_in_plan_corridor_end(&w->corridor, true, exit),
                        .speed = w->exit_speed};
    float most =
        w->cost - curve_penalty(w, w->key->before, entry) - curve_penalty(w, w->key->after, exit);
    plan_volley volley =
        kerb_in_plan_shoot_below(w->rates, &w->space, &from, &to, kerb_min(most, KERB_PLAN_NEVER));
    if (volley.count > 0)
        curve_note(w, volley.shots[0].arcs, volley.shots[0].count, entry, exit);
}

// The offset of an end. [side: -CURVE_SIDE_ENDS … CURVE_SIDE_ENDS, left positive]
static float curve_offset(const kerb_plan_curve_part* part, int32_t side) {
    float most = kerb_max((side > 0 ? part->left : part->right) - CURVE_EDGE, 0.0f);
    return most * (float)side / (float)CURVE_SIDE_ENDS;
}

static void curve_try_ends(curve_work* w) {
    const kerb_plan_curve_part *first = &w->key->parts[0],
                               *last = &w->key->parts[w->key->part_count - 1];
    curve_try(w, 0.0f, 0.0f);
    for (int32_t side = -CURVE_SIDE_ENDS; side <= CURVE_SIDE_ENDS; side++) {
        float offset = curve_offset(first, side);
        if (w->key->before > 0.0f && offset != 0.0f)
            curve_try(w, offset, 0.0f);
    }
    float entry = w->found->count > 0 ? w->found->entry : 0.0f;
    for (int32_t side = -CURVE_SIDE_ENDS; side <= CURVE_SIDE_ENDS; side++) {
        float offset = curve_offset(last, side);
        if (w->key->after > 0.0f && offset != 0.0f)
            curve_try(w, entry, offset);
    }
}

static void curve_improve(curve_work* w, int32_t improvement) {
    plan_polish polish;
    curve_found* f = w->found;
    kerb_in_plan_polish_begin(&polish, w->rates,
                              kerb_in_plan_corridor_end(&w->corridor, false, f->entry), f->arcs,
                              f->count, CURVE_ARCS_WANTED, w->entry_speed, w->exit_speed, 0);
    for (int32_t i = 0; i < improvement; i++)
        kerb_in_plan_polish_step(&polish, w->rates, &w->space);
    curve_note(w, polish.arcs, polish.count, f->entry, f->exit);
}

void kerb_in_plan_curve_solve(const curve_key* key, const plan_rates* rates, float speed_max,
                              const kerb_plan_curve_grid* grid, kerb_pose frame,
                              int32_t improvement, curve_found* found) {
    curve_work w = {.key = key,
                    .rates = rates,
                    .corridor = kerb_in_plan_corridor_of(key->parts, key->part_count),
                    .speed_max = speed_max,
                    .entry_speed = kerb_min(kerb_in_plan_curve_speed(key->entry_speed), speed_max),
                    .exit_speed = kerb_min(kerb_in_plan_curve_speed(key->exit_speed), speed_max),
                    .cost = KERB_PLAN_NEVER,
                    .found = found};
    memset(found, 0, sizeof *found);
    w.corridor.grid = grid;
    w.corridor.frame = frame;
    w.space = kerb_in_plan_corridor_space(&w.corridor);
    curve_try_line(&w);
    if (grid && found->count > 0 &&
        !plan_way_is_free(&w.space, w.corridor.parts[0].from, found->arcs, found->count)) {
        found->count = 0; // something stands on the line
        w.cost = KERB_PLAN_NEVER;
    }
    curve_try_ends(&w);
    found->exit_speed = w.exit_speed;
    if (found->count > 0 && improvement > 0)
        curve_improve(&w, improvement);
}
