// Purpose: replaces goals with tolerances by a few exact ends, which searches and analytic paths
//          can aim at.
// Idea:    Headings, speeds and positions are spread evenly over the tolerances. The later
//          improvement moves an end between these samples. The final speed needs no samples: along
//          a given path, the fastest final speed that the vehicle can reach takes the least time.
//          Bisection finds it.
// Cost:    O(ends), at most PLAN_AIMS_MAX; a final speed takes up to 21 speed profiles of its path.
#include "kerb/plan_search.h"

#include "aims.h"

// Headings of a goal that accepts any heading, one every 22.5°. With 3 speeds each they still fit
// into PLAN_AIMS_MAX. [1]
#define HEADINGS_ANY 16
// Halvings of the range of final speeds. 20 leave a millionth of it, about the precision of a
// float. [1]
#define BISECTIONS 20
// Positions of a goal with a position tolerance: its middle and six round it. [1]
#define PLAN_AIMS_PLACES 7
// Radius of those six over the tolerance. Below 1 they stay inside in spite of rounding; the value
// was chosen by trial. [1]
#define PLACE_SHARE 0.8f

// Number of samples of each tolerance of a goal.
typedef struct plan_cuts {
    int32_t headings, speeds, places;
} plan_cuts;

static int32_t least_of(int32_t a, int32_t b) {
    return a < b ? a : b;
}

// At most `most` samples together: positions are given up first, then speeds, then headings.
static plan_cuts cuts_for(const kerb_plan_end* goal, int32_t most) {
    plan_cuts c = {1, goal->speed_tolerance > 0.0f ? 3 : 1,
                   goal->position_tolerance > 0.0f ? PLAN_AIMS_PLACES : 1};
    if (goal->heading_tolerance > 0.0f)
        c.headings = goal->heading_tolerance > 0.3f ? 5 : 3;
    if (goal->heading_tolerance >= KERB_PI)
        c.headings = HEADINGS_ANY;
    if (c.headings * c.speeds * c.places > most)
        c.places = 1;
    if (c.headings * c.speeds > most)
        c.speeds = 1;
    c.headings = least_of(c.headings, most);
    return c;
}

// Evenly spaced values from -1 to 1; 0 where there is only one.
static float plan_aims_spread(int32_t i, int32_t count) {
    return count > 1 ? 2.0f * (float)i / (float)(count - 1) - 1.0f : 0.0f;
}

static float plan_aims_heading_at(const kerb_plan_end* goal, int32_t i, int32_t count) {
    if (goal->heading_tolerance >= KERB_PI)
        return 2.0f * KERB_PI * (float)i / (float)count;
    return goal->heading_tolerance * plan_aims_spread(i, count);
}

// Sample 0 is the fastest allowed speed, sample 1 the start's speed, sample 2 the slowest. A single
// sample is the goal's own speed.
static float speed_at(const plan_slack* slack, float middle, float kept, int32_t i, int32_t count) {
    if (count == 1)
        return kerb_clamp(middle, slack->speed_least, slack->speed_most);
    if (i == 1)
        return kerb_clamp(kept, slack->speed_least, slack->speed_most);
    return i == 0 ? slack->speed_most : slack->speed_least;
}

static kerb_pose plan_aims_pose_at(const kerb_plan_end* goal, float turn, int32_t place) {
    float sine, cosine;
    kerb_pose pose = goal->pose;
    kerb_vec2 f = pose.forward;
    kerb_sin_cos(turn, &sine, &cosine);
    pose.forward = kerb_vec2_make(f.x * cosine - f.y * sine, f.x * sine + f.y * cosine);
    if (place == 0)
        return pose;
    kerb_sin_cos(2.0f * KERB_PI * (float)place / (float)(PLAN_AIMS_PLACES - 1), &sine, &cosine);
    float radius = PLACE_SHARE * goal->position_tolerance;
    pose.position.x += radius * cosine;
    pose.position.y += radius * sine;
    return pose;
}

static int32_t add_goal(const kerb_plan_limits* limits, const kerb_plan_end* goal, int32_t index,
                        int32_t most, float speed, plan_aim* aims) {
    plan_cuts c = cuts_for(goal, most);
    plan_slack slack = kerb_in_plan_slack_of(limits, goal);
    int32_t count = 0;
    for (int32_t p = 0; p < c.places; p++)
        for (int32_t h = 0; h < c.headings; h++)
            for (int32_t s = 0; s < c.speeds; s++) {
                kerb_plan_end end = {.penalty = goal->penalty};
                end.pose = plan_aims_pose_at(goal, plan_aims_heading_at(goal, h, c.headings), p);
                end.speed = speed_at(&slack, goal->speed, speed, s, c.speeds);
                bool is_new = s == 0 || end.speed != aims[count - 1].end.speed;
                if (is_new)
                    aims[count++] = (plan_aim){end, index};
            }
    return count;
}

int32_t kerb_in_plan_aims_of(const kerb_plan_limits* limits, const kerb_plan_end* goals,
                             int32_t count, float speed, plan_aim aims[PLAN_AIMS_MAX]) {
    int32_t total = 0;
    for (int32_t i = 0; i < count; i++)
        total += add_goal(limits, &goals[i], i, PLAN_AIMS_MAX / count, speed, aims + total);
    return total;
}

plan_slack kerb_in_plan_slack_of(const kerb_plan_limits* limits, const kerb_plan_end* goal) {
    plan_slack slack = {goal->pose, goal->position_tolerance, goal->heading_tolerance, goal->speed,
                        goal->speed};
    float least = goal->speed - goal->speed_tolerance, most = goal->speed + goal->speed_tolerance;
    bool is_any = goal->speed_tolerance > 0.0f && most >= -limits->reverse_speed_max &&
                  least <= limits->speed_max;
    if (is_any) {
        slack.speed_least = kerb_max(least, -limits->reverse_speed_max);
        slack.speed_most = kerb_min(most, limits->speed_max);
    }
    return slack;
}

static bool is_reached(const plan_rates* rates, const plan_arc* arcs, int32_t count,
                       float speed_start, float speed) {
    return kerb_in_plan_movement_time(rates, arcs, count, speed_start, speed) < KERB_PLAN_NEVER;
}

float kerb_in_plan_aim_speed(const plan_rates* rates, const plan_slack* slack, const plan_arc* arcs,
                             int32_t count, float speed_start, float speed) {
    if (slack->speed_least == slack->speed_most || count == 0)
        return speed;
    bool back = arcs[count - 1].length < 0.0f;
    float most = back ? kerb_min(slack->speed_least, 0.0f) : kerb_max(slack->speed_most, 0.0f);
    most = kerb_clamp(most, slack->speed_least, slack->speed_most);
    if (is_reached(rates, arcs, count, speed_start, most))
        return most;
    float reached = speed, missed = most;
    for (int32_t i = 0; i < BISECTIONS; i++) {
        float middle = 0.5f * (reached + missed);
        if (is_reached(rates, arcs, count, speed_start, middle))
            reached = middle;
        else
            missed = middle;
    }
    return reached;
}
