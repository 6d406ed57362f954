// Draws a plan, coloured by braking and accelerating, and the tree of the search that found it.
// Arcs are drawn as chords. O(lines drawn).
#include "kerb/plan_driver.h"

#include "items.h"

#include "../base/shared.h"
#include "../plan/shared.h"
#include "../plan_driver/shared.h"

#define DRAW_PLAN_TURN 0.2f   // greatest angle of a chord: hardly visible as a corner [rad]
#define CHORDS_MOST 64        // greatest number of chords of an arc
#define DRAW_PLAN_KEEPS 0.01f // a smaller acceleration counts as constant speed [m/s²]

static kerb_vec3 raised(kerb_pose pose, float height) {
    return kerb_vec3_make(pose.position.x, pose.position.y, height);
}

static void draw_plan_draw_way(kerb_draw_buffer* buffer, kerb_draw_role role,
                               const kerb_plan_piece* p, float height) {
    float turns =
        kerb_min(plan_piece_bend(p) * p->length / DRAW_PLAN_TURN, (float)(CHORDS_MOST - 1));
    int32_t chords = 1 + (int32_t)turns;
    kerb_vec3 last = raised(p->start, height);
    for (int32_t i = 1; i <= chords; i++) {
        float part = p->length * (float)i / (float)chords;
        kerb_vec3 next = raised(plan_piece_pose(p, part), height);
        kerb_in_draw_line(buffer, role, last, next);
        last = next;
    }
}

static kerb_draw_role role_of(float acceleration) {
    if (acceleration < -DRAW_PLAN_KEEPS)
        return KERB_DRAW_BRAKING;
    return acceleration > DRAW_PLAN_KEEPS ? KERB_DRAW_ACCELERATING : KERB_DRAW_PLANNED_PATH;
}

void kerb_draw_plan(kerb_draw_buffer* buffer, const kerb_plan* plan, float height) {
    KERB_ASSERT(buffer && plan);
    for (int32_t i = 0; i < plan->count; i++) {
        const kerb_plan_piece* p = &plan->pieces[i];
        draw_plan_draw_way(buffer, role_of(p->acceleration), p, height);
        if (i > 0 && p->direction != plan->pieces[i - 1].direction)
            kerb_in_draw_point(buffer, KERB_DRAW_TARGET, raised(p->start, height));
    }
    if (plan->count > 0)
        kerb_in_draw_point(buffer, KERB_DRAW_TARGET,
                           raised(kerb_plan_at(plan, plan->time).pose, height));
}

void kerb_draw_plan_driver(kerb_draw_buffer* buffer, const kerb_plan_driver* driver,
                           const kerb_motion* motion) {
    KERB_ASSERT(buffer && driver && motion);
    if (!kerb_motion_is_finite(motion))
        return; // there is no position to draw at
    const kerb_plan_driver_decision* decision = &driver->decision;
    body_axes axes = kerb_in_axes_of(motion->rotation);
    kerb_in_draw_footprint(buffer, &driver->vehicle, motion, &axes);
    if (kerb_in_plan_driver_has_decided(driver)) {
        float height = motion->position.z;
        kerb_vec3 planned = raised(decision->planned.pose, height);
        kerb_vec3 axle = {decision->rear_axle.x, decision->rear_axle.y, height};
        kerb_in_draw_point(buffer, KERB_DRAW_NEAREST, planned);
        kerb_in_draw_line(buffer, KERB_DRAW_NEAREST, planned, axle);
        float length = kerb_max(kerb_abs(decision->target_speed), 1.0f);
        kerb_in_draw_arc(buffer, &driver->vehicle, motion, &axes, decision->commanded_curvature,
                         length, decision->planned.direction < 0);
    }
    kerb_text text = kerb_in_words_of(motion, &axes, decision->target_speed, decision->reason);
    kerb_in_draw_words(buffer, motion, &text);
}

void kerb_draw_plan_tree(kerb_draw_buffer* buffer, const kerb_planner* planner, float height) {
    KERB_ASSERT(buffer && planner);
    kerb_plan_tree tree = kerb_planner_get_tree(planner);
    for (int32_t i = 0; i < tree.count; i++) {
        kerb_plan_node node = kerb_planner_get_node(planner, i);
        if (node.parent < 0) {
            kerb_in_draw_point(buffer, KERB_DRAW_TREE, raised(node.pose, height));
            continue;
        }
        const kerb_plan_piece arc = {.start = kerb_planner_get_node(planner, node.parent).pose,
                                     .length = kerb_abs(node.length),
                                     .curvature = node.curvature,
                                     .direction = node.length < 0.0f ? -1 : 1};
        draw_plan_draw_way(buffer, KERB_DRAW_TREE, &arc, height);
    }
}
