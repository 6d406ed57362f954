// Purpose: the settings of the search with speed: their table, their defaults, and the preset of
//          the thesis.
#include "kerb/plan_search.h"

#include "../../base/shared.h"

#define REAL(field, ...) KERB_IN_SETTING(kerb_plan_search_settings, field, __VA_ARGS__)
#define SEARCH_SETTINGS_WHOLE(field, ...)                                                          \
    KERB_IN_COUNT(kerb_plan_search_settings, field, __VA_ARGS__)
#define SEARCH_SETTINGS_CHOICE(field, ...)                                                         \
    KERB_IN_CHOICE(kerb_plan_search_settings, field, __VA_ARGS__)

static const kerb_setting search_settings_rows[] = {
    REAL(cell, "m", 0.01f, 100.0f, 2.0f, "side of a cell of positions"),
    REAL(heading_cell, "rad", 0.0016f, 3.1416f, 0.1745f, "cell of headings"),
    REAL(speed_cell, "m/s", 0.01f, 100.0f, 1.0f, "cell of speeds"),
    SEARCH_SETTINGS_CHOICE(time_use, 2.0f, 0.0f, "exact|rounded|state",
                           "how costs use the cells of time"),
    REAL(time_cell, "s", 0.001f, 100.0f, 0.1f, "cell of times"),
    SEARCH_SETTINGS_CHOICE(rank, 1.0f, 0.0f, "cost|estimate",
                           "which state of a cell it keeps: by cost, or with cost to go"),
    REAL(step_length, "m", 0.01f, 100.0f, 3.0f, "distance from a state to its successor"),
    REAL(turn_step, "rad", 0.005f, 3.1416f, 0.5f,
         "turns are multiples of it, and the tightest turn"),
    SEARCH_SETTINGS_WHOLE(accelerations, 1.0f, 4.0f, 1.0f,
                          "number of accelerations, and of brakings"),
    SEARCH_SETTINGS_WHOLE(
        goal_actions, 0.0f, 1.0f, 0.0f,
        "1: also the turn to the goal's heading and the acceleration to its speed"),
    SEARCH_SETTINGS_CHOICE(heuristic, 3.0f, 0.0f, "admissible|thesis|distance|euclidean",
                           "estimate of the cost to go"),
    SEARCH_SETTINGS_CHOICE(overshoot, 2.0f, 2.0f, "circular|linear|combined",
                           "THESIS: where the path is too short for the change of speed"),
    REAL(far_radii, "1", 0.0f, 1e6f, 1e6f, "turning radii beyond which the straight line counts"),
    REAL(weight, "1", 1.0f, 100.0f, 2.0f, "weight of the cost to go for the first plan"),
    REAL(last_weight, "1", 1.0f, 100.0f, 1.0f, "weight of the cost to go for the last plan"),
    REAL(weight_step, "1", 0.01f, 100.0f, 0.25f, "fall of the weight from plan to plan"),
    SEARCH_SETTINGS_CHOICE(probing, 2.0f, 1.0f, "never|first|only",
                           "whether a probe runs before A*"),
    SEARCH_SETTINGS_WHOLE(shot_every, 0.0f, 1e6f, 10.0f,
                          "expansions between analytic paths to the goal; 0: never"),
    REAL(position_tolerance, "m", 0.0f, 1000.0f, 0.0f, "accepted distance from a goal"),
    REAL(heading_tolerance, "rad", 0.0f, 3.1416f, 0.0f, "accepted heading error at a goal"),
    REAL(speed_tolerance, "m/s", 0.0f, 200.0f, 0.0f, "accepted difference of speed at a goal"),
    SEARCH_SETTINGS_WHOLE(expansions, 0.0f, 1e8f, 20000.0f, "greatest number of expansions"),
    REAL(expansions_per_metre, "1/m", 0.01f, 1e8f, 1000.0f,
         "greatest number of expansions per metre between start and goal"),
    SEARCH_SETTINGS_WHOLE(nodes, 1024.0f, 1e7f, 131072.0f, "greatest number of states"),
};
const kerb_settings_table kerb_plan_search_settings_table = {
    "kerb_plan_search_settings", sizeof(kerb_plan_search_settings), search_settings_rows,
    (int32_t)(sizeof search_settings_rows / sizeof search_settings_rows[0])};

kerb_plan_search_settings kerb_plan_search_settings_default(void) {
    kerb_plan_search_settings settings;
    kerb_settings_set_defaults(&kerb_plan_search_settings_table, &settings);
    return settings;
}

kerb_plan_search_settings kerb_plan_search_settings_thesis(void) {
    kerb_plan_search_settings s = kerb_plan_search_settings_default();
    const float degree = KERB_PI / 180.0f;
    s.cell = s.step_length = 1.2f;
    s.heading_cell = degree;
    s.speed_cell = 0.5f;
    s.rank = KERB_PLAN_RANK_ESTIMATE;
    s.turn_step = 5.0f * degree;
    s.goal_actions = 1;
    s.heuristic = KERB_PLAN_THESIS;
    s.overshoot = KERB_PLAN_COMBINED;
    s.weight = s.last_weight = 1.0f;
    s.probing = KERB_PLAN_PROBING_NEVER;
    s.shot_every = 0;
    s.position_tolerance = 0.3f * s.cell;
    s.heading_tolerance = degree;
    s.speed_tolerance = 0.1f;
    s.expansions = 100000;
    s.expansions_per_metre = 1e6f;
    s.nodes = 2000000;
    return s;
}
