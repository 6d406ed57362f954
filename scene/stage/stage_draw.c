// Purpose: poses of vehicles as the interface tells them, and what a parker thinks.
// Idea:    The interface speaks of the middle of a vehicle's box, which everybody sees. Drivers
//          speak of its reference point.
// Cost:    O(1).
#include "scene/stage/stage_parts.h"

#define STAGE_PARKER_STEP 0.5f // of the path that is drawn [m]
#define STAGE_PARKER_LINES 200

static float stage_to_middle(const kerb_vehicle* vehicle) {
    return vehicle->reference_to_front - 0.5f * vehicle->length;
}

kerb_pose kerb_scene_stage_reference(const kerb_vehicle* vehicle, kerb_pose middle) {
    kerb_vec2 back = kerb_vec2_scale(middle.forward, -stage_to_middle(vehicle));
    middle.position = kerb_vec2_add(middle.position, back);
    return middle;
}

kerb_stage_mark kerb_scene_stage_goal(const kerb_vehicle* vehicle, kerb_pose goal, int32_t index) {
    kerb_vec2 ahead = kerb_vec2_scale(goal.forward, stage_to_middle(vehicle));
    kerb_vec2 at = kerb_vec2_add(goal.position, ahead);
    kerb_stage_mark mark = {.kind = 1, .movable = 1, .x = at.x, .y = at.y, .vehicle = index};
    mark.heading = kerb_pose_heading(goal);
    mark.length = vehicle->length;
    mark.width = vehicle->width;
    return mark;
}

void kerb_scene_stage_draw_line(kerb_draw_buffer* buffer, kerb_vec3 from, kerb_vec3 to,
                                kerb_draw_role role) {
    if (buffer->line_count < buffer->line_capacity)
        buffer->lines[buffer->line_count++] = (kerb_draw_line){from, to, role};
    else
        buffer->dropped++;
}

// The path of the rear axle that is left, and the outline.
void kerb_scene_stage_draw_parker(kerb_draw_buffer* buffer, const kerb_parker* parker,
                                  const kerb_motion* motion) {
    kerb_agent agent = kerb_agent_of(&parker->vehicle, motion);
    kerb_steering now = {agent.forward, agent.speed};
    kerb_draw_steering(buffer, &agent, &now, NULL);
    float length = kerb_curve_length(&parker->path);
    kerb_vec2 before = kerb_curve_at(&parker->path, parker->station).pose.position;
    for (int32_t i = 1; i <= STAGE_PARKER_LINES; i++) {
        float at = parker->station + STAGE_PARKER_STEP * (float)i;
        kerb_vec2 next = kerb_curve_at(&parker->path, kerb_min(at, length)).pose.position;
        kerb_scene_stage_draw_line(buffer, kerb_vec3_make(before.x, before.y, motion->position.z),
                                   kerb_vec3_make(next.x, next.y, motion->position.z),
                                   KERB_DRAW_PLANNED_PATH);
        before = next;
        if (at >= length)
            return;
    }
}
