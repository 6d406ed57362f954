// Purpose: the public functions of directed seek: its settings, and the choice of its form.
// Idea:    There are three forms: on the plane (level.c), with reversing (reverse.c) and in space
//          (space.c). The last two use functions of the first; this file uses all three.
// Cost:    O(1) in addition to the form.
// Source:  M. Jakob, "Directional extensions of seek steering behavior".
#include "kerb/seek.h"

#include "directed_seek.h"

#include "../base/shared.h"

#define UNIT_ERROR 1e-5f // of the square of a length that counts as 1
#define DIRECTED_SEEK_FIELD(field) #field, offsetof(kerb_directed_seek_settings, field)
static const kerb_setting directed_seek_rows[] = {
    {DIRECTED_SEEK_FIELD(method), KERB_SETTING_CHOICE, "1", 0.0f, 3.0f, 0.0f,
     "paper|both-circles|dubins|reverse", "which paths it considers"},
    {DIRECTED_SEEK_FIELD(radius), KERB_SETTING_CHOICE, "1", 0.0f, 2.0f, 0.0f, "agent|larger|two",
     "which turning radius it plans with"},
    {DIRECTED_SEEK_FIELD(space), KERB_SETTING_CHOICE, "1", 0.0f, 2.0f, 0.0f,
     "level|one-plane|two-planes", "in which planes its paths lie"},
    {DIRECTED_SEEK_FIELD(arrival_distance), KERB_SETTING_FLOAT, "m", 0.0f, 100.0f, 0.01f, NULL,
     "tolerance: constant part"},
    {DIRECTED_SEEK_FIELD(arrival_share), KERB_SETTING_FLOAT, "1", 0.0f, 1.0f, 0.06f, NULL,
     "tolerance: share of the distance driven in a step"},
};
const kerb_settings_table kerb_directed_seek_settings_table = {
    "kerb_directed_seek_settings", sizeof(kerb_directed_seek_settings), directed_seek_rows,
    (int32_t)(sizeof directed_seek_rows / sizeof directed_seek_rows[0])};

kerb_directed_seek_settings kerb_directed_seek_settings_default(void) {
    kerb_directed_seek_settings settings;
    kerb_settings_set_defaults(&kerb_directed_seek_settings_table, &settings);
    return settings;
}

// The agent's radius is not used.
static bool is_usable(const seek_task* task) {
    const kerb_agent* a = task->agent;
    const kerb_directed_goal* g = task->goal;
    float can = kerb_abs(a->turning_radius) + kerb_abs(a->speed_max) + kerb_abs(a->acceleration) +
                kerb_abs(a->braking) + kerb_abs(g->speed) + kerb_abs(g->turning_radius);
    return steer_is_there(a) && steer_is_place(g->position) && kerb_vec3_is_finite(g->forward) &&
           can <= STEER_LIMIT_MOST && steer_is_time(task->time_step);
}

// On the level an agent that is pitched drives where its front points, seen from above. False where
// it points up or down.
static bool take_level_front(seek_task* task, kerb_agent* own) {
    if (task->settings->space != KERB_DIRECTED_LEVEL || task->agent->forward.z == 0.0f)
        return true;
    *own = *task->agent;
    own->forward.z = 0.0f;
    own->forward = kerb_vec3_unit(own->forward, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    task->agent = own;
    return kerb_vec3_dot(own->forward, own->forward) > 0.0f;
}

// Makes the goal's direction one of unit length, for the level one along it; false where it has
// none. One that is unit to a rounding passes as it is: most are.
static bool take_direction(seek_task* task, kerb_directed_goal* own) {
    const kerb_vec3 nowhere = {0.0f, 0.0f, 0.0f};
    kerb_vec3 forward = task->goal->forward;
    if (task->settings->space == KERB_DIRECTED_LEVEL)
        forward.z = 0.0f;
    if (kerb_abs(kerb_vec3_dot(forward, forward) - 1.0f) <= UNIT_ERROR)
        return true;
    *own = *task->goal;
    own->forward = kerb_vec3_unit(forward, nowhere);
    task->goal = own;
    return kerb_vec3_dot(own->forward, own->forward) > 0.0f;
}

kerb_steering kerb_directed_seek(const kerb_directed_seek_settings* settings,
                                 const kerb_agent* agent, const kerb_directed_goal* goal,
                                 float time_step, kerb_directed_decision* decision) {
    KERB_ASSERT(settings && agent && goal);
    seek_task task = {settings, agent, goal, time_step};
    if (decision)
        *decision = (kerb_directed_decision){.stage = KERB_DIRECTED_NO_PATH};
    kerb_directed_goal own;
    kerb_agent level;
    if (!is_usable(&task) || !take_direction(&task, &own) || !take_level_front(&task, &level))
        return kerb_steering_none();
    kerb_steering wish;
    if (settings->space != KERB_DIRECTED_LEVEL)
        wish = kerb_in_seek_in_space(&task, decision);
    else if (settings->method == KERB_DIRECTED_REVERSE)
        wish = kerb_in_seek_in_reverse(&task, decision);
    else
        wish = kerb_in_seek_on_level(&task, decision);
    return steer_wish(wish.direction, wish.speed);
}
