// Directed seek in space, in one plane at a time (paper, section 4).
//
// The plane is spanned by the goal's direction and the agent's place, so both lie in it and
// only the agent's heading does not; that is projected into it, and the wish lies in the plane, so
// that the heading comes into it by and by. Eq. 6 lacks the normalising. On the goal's line there
// is no such plane: then the heading chooses one, and where that lies along the line any will do.
// O(1).
#include "directed_seek.h"

static kerb_vec3 zero(void) {
    return kerb_vec3_make(0.0f, 0.0f, 0.0f);
}

// What of `a` is at right angles to the unit vector `axis`.
static kerb_vec3 across(kerb_vec3 a, kerb_vec3 axis) {
    return kerb_vec3_along(a, axis, -kerb_vec3_dot(a, axis));
}

// Any unit vector at right angles; level where it can be.
static kerb_vec3 any_across(kerb_vec3 axis) {
    kerb_vec3 left = kerb_vec3_make(-axis.y, axis.x, 0.0f);
    if (kerb_vec3_dot(left, left) < 1e-6f)
        left = kerb_vec3_make(1.0f, 0.0f, 0.0f);
    return kerb_vec3_unit(across(left, axis), kerb_vec3_make(0.0f, 1.0f, 0.0f));
}

// The unit vector across `axis` towards `a`, else towards `b`, else any. What is shorter than
// `least` has no direction.
static kerb_vec3 unit_across(kerb_vec3 a, kerb_vec3 b, kerb_vec3 axis, float least) {
    kerb_vec3 side = across(a, axis);
    if (kerb_vec3_dot(side, side) <= least * least)
        side = across(b, axis);
    if (kerb_vec3_dot(side, side) <= 1e-10f)
        return any_across(axis);
    // Twice, for what is short was made of roundings along the axis too.
    side = across(kerb_vec3_unit(side, zero()), axis);
    return kerb_vec3_unit(side, any_across(axis));
}

kerb_steering seek_in_space(const seek_task* task, kerb_directed_thoughts* thoughts) {
    const kerb_agent* agent = task->agent;
    kerb_vec3 x = task->goal->forward;
    kerb_vec3 to_goal = kerb_vec3_sub(task->goal->position, agent->position);
    seek_view view;
    seek_measure(task, &view);
    kerb_vec3 y =
        unit_across(kerb_vec3_scale(to_goal, -1.0f), agent->forward, x, 0.1f * view.tolerance);
    float heading_x = kerb_vec3_dot(agent->forward, x),
          heading_y = kerb_vec3_dot(agent->forward, y);
    kerb_vec3 seen = kerb_vec3_along(kerb_vec3_scale(x, heading_x), y, heading_y);
    // At right angles to the plane: as if it headed for the goal.
    if (kerb_vec3_dot(seen, seen) < 1e-6f)
        seen = to_goal;
    kerb_vec3 forward = kerb_vec3_unit(seen, x);
    kerb_vec3 left = kerb_vec3_sub(kerb_vec3_scale(y, kerb_vec3_dot(forward, x)),
                                   kerb_vec3_scale(x, kerb_vec3_dot(forward, y)));
    view.x = kerb_vec3_dot(to_goal, forward);
    view.y = kerb_vec3_dot(to_goal, left);
    view.cosine = kerb_vec3_dot(x, forward);
    view.sine = kerb_vec3_dot(x, left);
    view.heading = kerb_atan2(view.sine, view.cosine);
    float reach = kerb_abs(agent->speed) * task->time_step;
    seek_way way = seek_best(&view, task->settings->way, reach);
    if (thoughts)
        seek_think(task, &view, &way, forward, left, thoughts);
    return seek_wish(task, &view, &way, forward, left);
}
