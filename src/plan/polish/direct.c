// Purpose: the way from a state on a bend, at speed, straight to a goal near ahead.
// Idea:    Three clothoids begin with the curvature of the wheels and end at the goal. The
//          curvature there is free, and so are the shares of the length: a few of both are tried,
//          and the speeds along them decide. A stop at the end of a bend, or a bend that goes on,
//          is among them; paths of arcs have neither.
// Cost:    Nine tries of some µs.
#include "kerb/plan_search.h"

#include "direct.h"

#include "three.h"

#include "../../base/shared.h"
#include "../../curve/shared.h"

// Parts of the whole length by the half of the middle clothoid. At 1.25 all three are about as
// steep. [1]
static const double direct_reaches[] = {1.25, 2.0, 4.0};
#define DIRECT_REACHES ((int32_t)(sizeof direct_reaches / sizeof direct_reaches[0]))
// Greatest change of heading. [rad] Beyond, small angles are no first guess.
#define DIRECT_TURN_MOST 1.5

// The end seen from the start, and the moments of a path of this size.
static double direct_see(const kerb_plan_end* from, const kerb_plan_end* to, bool reverse,
                         plan_three_task* t, double moment[2]) {
    kerb_vec2 f = from->pose.forward, g = to->pose.forward;
    double dx = (double)to->pose.position.x - (double)from->pose.position.x;
    double dy = (double)to->pose.position.y - (double)from->pose.position.y;
    t->x = dx * (double)f.x + dy * (double)f.y;
    t->y = dy * (double)f.x - dx * (double)f.y;
    t->forward_x = (double)f.x * (double)g.x + (double)f.y * (double)g.y;
    t->forward_y = (double)f.x * (double)g.y - (double)f.y * (double)g.x;
    double turn = (double)kerb_atan2((float)t->forward_y, (float)t->forward_x);
    double chord = (double)kerb_sqrt((float)(t->x * t->x + t->y * t->y));
    double size = chord * (1.0 + turn * turn / 24.0);
    moment[0] = reverse ? -turn : turn;
    moment[1] = size * moment[0] - t->y;
    return (reverse ? t->x < 0.0 : t->x > 0.0) ? size : 0.0;
}

// Draws the clothoids of a shape from the start on. False where they are too tight or not free.
static bool direct_draw(const plan_rates* rates, const plan_space* space, kerb_pose at,
                        const plan_three_task* t, const plan_three* s, plan_clothoid bends[3]) {
    double from[3], change[3], length[3], most = (double)rates->bend_most;
    if (curve_size_of(s->k1) > most || curve_size_of(s->k2) > most)
        return false;
    kerb_in_plan_three_parts(t, s, from, change, length);
    for (int32_t i = 0; i < 3; i++) {
        bends[i] = (plan_clothoid){at, (float)from[i], (float)change[i], (float)length[i], -1.0f};
        at = curve_clothoid(at, bends[i].curvature, bends[i].change / kerb_abs(bends[i].length),
                            bends[i].length);
        if (space->is_bend_free && !space->is_bend_free(space->context, &bends[i]))
            return false;
    }
    return true;
}

// The time of the pieces of a try. [s]
static float direct_time(const plan_rates* rates, const plan_clothoid bends[3],
                         const kerb_plan_end* from, float speed_goal) {
    kerb_plan_piece pieces[PLAN_DIRECT_PIECES];
    int32_t made = kerb_in_plan_movement_bends(rates, bends, 3, from->curvature, from->speed,
                                               speed_goal, pieces);
    return made > 0 ? pieces[made - 1].time + pieces[made - 1].duration : KERB_PLAN_NEVER;
}

float kerb_in_plan_direct(const plan_rates* rates, const plan_space* space,
                          const kerb_plan_end* from, const kerb_plan_end* to, int32_t curvatures,
                          const float* curvature, plan_clothoid best[3]) {
    bool reverse = from->speed < 0.0f;
    plan_three_task t = {.before = (double)from->curvature};
    double moment[2], size = direct_see(from, to, reverse, &t, moment);
    float time = KERB_PLAN_NEVER;
    if (!(size > 0.0) || curve_size_of(moment[0]) > DIRECT_TURN_MOST)
        return time;
    for (int32_t i = 0; i < curvatures; i++)
        for (int32_t k = 0; k < DIRECT_REACHES; k++) {
            plan_clothoid bends[3];
            t.after = (double)curvature[i];
            t.share = 0.5 * (1.0 - 1.0 / direct_reaches[k]);
            plan_three s = kerb_in_plan_three_guess(&t, size, moment);
            s.length = reverse ? -s.length : s.length;
            if (!kerb_in_plan_three_fit(&t, &s, 4.0 * (double)rates->bend_most) ||
                !direct_draw(rates, space, from->pose, &t, &s, bends))
                continue;
            float needed = direct_time(rates, bends, from, to->speed);
            if (!(needed < time))
                continue;
            time = needed;
            for (int32_t j = 0; j < 3; j++)
                best[j] = bends[j];
        }
    return time;
}
