// Draws the decisions of a follower in world coordinates: footprint, nearest point and the error to
// it, the line ahead, target, steering arc, and its speed as text. O(items drawn).
//
// Everything is read from the follower's own struct, so a picture can be made from any copy of it
// at any time. The path is used only for the part ahead, by methods that have no line of their own.
#include "items.h"

#include "../base/shared.h"
#include "../follow/shared.h"

// --------------------------------------------------------------------------- steering

static bool backs_out(const kerb_follower* follower) {
    return follower->decision.reason == KERB_REASON_BACKING_OUT;
}

static void follower_draw_aims(kerb_draw_buffer* buffer, const kerb_follower* follower,
                               const kerb_motion* motion) {
    const kerb_follower_decision* decision = &follower->decision;
    kerb_in_draw_point(buffer, KERB_DRAW_NEAREST, decision->nearest);
    kerb_in_draw_line(buffer, KERB_DRAW_NEAREST, decision->nearest, motion->position);
    kerb_in_draw_point(buffer, KERB_DRAW_TARGET, decision->target);
    kerb_in_draw_line(buffer, KERB_DRAW_TARGET, motion->position, decision->target);
}

// --------------------------------------------------------------------------- the line ahead

static void draw_line_ahead(kerb_draw_buffer* buffer, const kerb_follower* follower,
                            const kerb_path* path) {
    if (follower->settings.method != KERB_FOLLOWER_KERB) {
        // These methods follow the path itself.
        kerb_path_location from = kerb_path_locate(path, follower->decision.distance);
        kerb_in_draw_path_ahead(buffer, KERB_DRAW_PLANNED_PATH, path, from,
                                (double)follower->decision.lookahead);
        return;
    }
    kerb_vec3 points[KERB_FOLLOWER_LINE_KNOTS];
    int32_t count = kerb_in_follow_line_ahead(follower, points);
    for (int32_t i = 0; i + 1 < count; i++)
        kerb_in_draw_line(buffer, KERB_DRAW_PLANNED_PATH, points[i], points[i + 1]);
}

// --------------------------------------------------------------------------- text

static void follower_draw_text(kerb_draw_buffer* buffer, const kerb_follower* follower,
                               const kerb_motion* motion, const body_axes* axes) {
    kerb_text text =
        kerb_in_words_of(motion, axes, follower->decision.target_speed, follower->decision.reason);
    float side = kerb_in_follow_recovery_side(follower);
    if (backs_out(follower) && follower->controls.steering != 0.0f)
        kerb_in_text_add(&text, side > 0.0f ? " nose left" : " nose right");
    kerb_in_draw_words(buffer, motion, &text);
}

void kerb_draw_follower(kerb_draw_buffer* buffer, const kerb_follower* follower,
                        const kerb_path* path, const kerb_motion* motion) {
    KERB_ASSERT(buffer != NULL && follower != NULL && motion != NULL);
    KERB_ASSERT(path != NULL && path->count >= 2);
    if (!kerb_motion_is_finite(motion))
        return; // there is no position to draw at
    body_axes axes = kerb_in_axes_of(motion->rotation);
    kerb_in_draw_footprint(buffer, &follower->vehicle, motion, &axes);
    if (kerb_in_follow_has_decided(follower)) {
        follower_draw_aims(buffer, follower, motion);
        float length = kerb_max(follower->decision.lookahead, follower->vehicle.length);
        kerb_in_draw_arc(buffer, &follower->vehicle, motion, &axes,
                         follower->decision.commanded_curvature, length,
                         kerb_in_follow_goes_in_reverse(follower, path));
        draw_line_ahead(buffer, follower, path);
        kerb_in_draw_neighbour(buffer, &follower->decision.neighbour, motion);
    }
    follower_draw_text(buffer, follower, motion, &axes);
}
