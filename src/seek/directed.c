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

static bool is_usable(const seek_task* task) {
    const kerb_agent* a = task->agent;
    const kerb_directed_goal* g = task->goal;
    float sum = a->position.x + a->position.y + a->position.z + a->forward.x + a->forward.y +
                a->forward.z + a->speed + a->turning_radius + a->speed_max + a->acceleration +
                a->braking + g->position.x + g->position.y + g->position.z + g->forward.x +
                g->forward.y + g->forward.z + g->speed + g->turning_radius + task->time_step;
    return kerb_is_finite(sum) && task->time_step >= 0.0f;
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
    if (!is_usable(&task) || !take_direction(&task, &own))
        return kerb_steering_none();
    if (settings->space != KERB_DIRECTED_LEVEL)
        return kerb_in_seek_in_space(&task, decision);
    if (settings->method == KERB_DIRECTED_REVERSE)
        return kerb_in_seek_in_reverse(&task, decision);
    return kerb_in_seek_on_level(&task, decision);
}
