// Draws the decisions of a lane keeper in world coordinates: its rays and their hits, P_Ahead,
// P_DriveTo, the steering arc, and its speed as text. O(rays).
#include "items.h"

#include "../base/shared.h"
#include "../lane/shared.h"

// Travel time that the steering arc shows. [s]
#define DRAW_LANE_ARC_TIME 0.5f

static void draw_ray(kerb_draw_buffer* buffer, const kerb_lane_ray* ray, const kerb_lane_hit* hit) {
    bool met = hit->kind > KERB_LANE_HIT_NOTHING && hit->kind <= KERB_LANE_HIT_VEHICLE &&
               hit->distance >= 0.0f && hit->distance <= ray->length;
    kerb_vec3 end = kerb_vec3_along(ray->origin, ray->direction, met ? hit->distance : ray->length);
    kerb_draw_role role =
        met && hit->kind == KERB_LANE_HIT_VEHICLE ? KERB_DRAW_RAY_VEHICLE : KERB_DRAW_RAY;
    kerb_in_draw_line(buffer, role, ray->origin, end);
    if (met)
        kerb_in_draw_point(buffer, role, end);
}

void kerb_draw_lane_keeper(kerb_draw_buffer* buffer, const kerb_lane_keeper* keeper,
                           const kerb_lane_ray* rays, const kerb_lane_hit* hits, int32_t count,
                           const kerb_motion* motion) {
    KERB_ASSERT(buffer != NULL && keeper != NULL && motion != NULL);
    KERB_ASSERT(count >= 0 && count <= KERB_LANE_RAYS_MAX);
    KERB_ASSERT(count == 0 || (rays != NULL && hits != NULL));
    if (!kerb_motion_is_finite(motion))
        return; // there is no position to draw at
    body_axes axes = kerb_in_axes_of(motion->rotation);
    kerb_in_draw_footprint(buffer, &keeper->vehicle, motion, &axes);
    for (int32_t i = 0; i < count; i++)
        draw_ray(buffer, &rays[i], &hits[i]);
    const kerb_lane_decision* decision = &keeper->decision;
    if (kerb_in_lane_has_decided(keeper)) {
        kerb_in_draw_point(buffer, KERB_DRAW_NEAREST, decision->lookahead_point);
        kerb_in_draw_line(buffer, KERB_DRAW_NEAREST, motion->position, decision->lookahead_point);
        kerb_in_draw_point(buffer, KERB_DRAW_TARGET, decision->target);
        kerb_in_draw_line(buffer, KERB_DRAW_TARGET, motion->position, decision->target);
        float speed = kerb_vec3_dot(motion->velocity, axes.forward);
        kerb_in_draw_arc(buffer, &keeper->vehicle, motion, &axes, decision->commanded_curvature,
                         kerb_max(DRAW_LANE_ARC_TIME * speed, keeper->vehicle.length), false);
    }
    kerb_text text = kerb_in_words_of(motion, &axes, decision->target_speed, decision->reason);
    kerb_in_draw_words(buffer, motion, &text);
}
