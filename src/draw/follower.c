// Draws the decisions of a follower in world coordinates: footprint, nearest point and the error to
// it, the line ahead, target, steering arc, and its speed as text. O(items drawn).
//
// Everything is read from the follower's own struct, so a picture can be made from any copy of it
// at any time. The path is used only for the part ahead, by methods that have no line of their own.
#include "items.h"

#include "../base/shared.h"

// --------------------------------------------------------------------------- steering

static bool backs_out(const kerb_follower* follower) {
    return follower->decision.reason == KERB_REASON_BACKING_OUT;
}

static bool goes_backwards(const kerb_follower* follower, const kerb_path* path) {
    int32_t segment = follower->memory.location.segment;
    if (follower->memory.path_id == path->id && segment < path->segment_count)
        return (path->points[segment].travel < 0) != backs_out(follower);
    return follower->controls.gear < 0;
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

static kerb_vec3 knot_position(const kerb_follower* follower, int32_t knot) {
    return follower->memory.line.position[knot & (KERB_FOLLOWER_LINE_KNOTS - 1)];
}

// A knot shifted by the lateral offset, at a right angle to the chord between its neighbours.
static kerb_vec3 knot_aside(const kerb_follower* follower, int32_t knot) {
    int32_t before = knot > follower->memory.line.first ? knot - 1 : knot;
    int32_t after = knot + 1 < follower->memory.line.knots ? knot + 1 : knot;
    kerb_vec3 chord =
        kerb_vec3_sub(knot_position(follower, after), knot_position(follower, before));
    kerb_vec3 left =
        kerb_vec3_unit(kerb_vec3_make(-chord.y, chord.x, 0.0f), kerb_vec3_make(0.0f, 0.0f, 0.0f));
    return kerb_vec3_along(knot_position(follower, knot), left,
                           follower->memory.lateral_offset + follower->memory.aside);
}

// The last knot that the vehicle has passed, clamped to the knots that exist.
static int32_t knot_here(const kerb_follower* follower) {
    double knots = follower->memory.line_distance / (double)follower->memory.line.spacing;
    int32_t first = follower->memory.line.first, last = follower->memory.line.knots - 1;
    if (!(knots > (double)first))
        return first;
    if (knots >= (double)last)
        return last;
    int32_t knot = (int32_t)knots; // rounds towards 0
    return (double)knot > knots ? knot - 1 : knot;
}

static void draw_line_ahead(kerb_draw_buffer* buffer, const kerb_follower* follower,
                            const kerb_path* path) {
    if (follower->settings.method != KERB_FOLLOWER_KERB) {
        // These methods follow the path itself.
        kerb_path_location from = kerb_path_locate(path, follower->decision.distance);
        kerb_in_draw_path_ahead(buffer, KERB_DRAW_PLANNED_PATH, path, from,
                                (double)follower->decision.lookahead);
        return;
    }
    if (follower->memory.line.knots <= follower->memory.line.first ||
        !(follower->memory.line.spacing > 0.0f))
        return;
    for (int32_t knot = knot_here(follower); knot + 1 < follower->memory.line.knots; knot++)
        kerb_in_draw_line(buffer, KERB_DRAW_PLANNED_PATH, knot_aside(follower, knot),
                          knot_aside(follower, knot + 1));
}

// --------------------------------------------------------------------------- text

static void follower_draw_text(kerb_draw_buffer* buffer, const kerb_follower* follower,
                               const kerb_motion* motion, const body_axes* axes) {
    kerb_text text =
        kerb_in_words_of(motion, axes, follower->decision.target_speed, follower->decision.reason);
    float side = follower->memory.stuck.side;
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
    if (follower->memory.path_id != 0) { // else it has not decided anything yet
        follower_draw_aims(buffer, follower, motion);
        float length = kerb_max(follower->decision.lookahead, follower->vehicle.length);
        kerb_in_draw_arc(buffer, &follower->vehicle, motion, &axes,
                         follower->decision.commanded_curvature, length,
                         goes_backwards(follower, path));
        draw_line_ahead(buffer, follower, path);
        kerb_in_draw_neighbour(buffer, &follower->decision.neighbour, motion);
    }
    follower_draw_text(buffer, follower, motion, &axes);
}
