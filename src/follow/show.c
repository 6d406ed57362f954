// Purpose: what a follower shows of its memory to the rooms above.
// Idea:    the line is kept as knots on the path; the lateral offset is added here.
// Cost:    O(knots).
#include "shared.h"

bool kerb_in_follow_has_decided(const kerb_follower* follower) {
    return follower->memory.path_id != 0;
}

bool kerb_in_follow_goes_in_reverse(const kerb_follower* follower, const kerb_path* path) {
    bool backs_out = follower->decision.reason == KERB_REASON_BACKING_OUT;
    int32_t segment = follower->memory.location.segment;
    if (follower->memory.path_id == path->id && segment < path->segment_count)
        return (path->points[segment].travel < 0) != backs_out;
    return follower->controls.gear < 0;
}

float kerb_in_follow_recovery_side(const kerb_follower* follower) {
    return follower->memory.stuck.side;
}

static kerb_vec3 show_knot_position(const kerb_follower* follower, int32_t knot) {
    return follower->memory.line.position[knot & (KERB_FOLLOWER_LINE_KNOTS - 1)];
}

// A knot shifted by the lateral offset, at a right angle to the chord between its neighbours.
static kerb_vec3 show_knot_offset(const kerb_follower* follower, int32_t knot) {
    int32_t before = knot > follower->memory.line.first ? knot - 1 : knot;
    int32_t after = knot + 1 < follower->memory.line.knots ? knot + 1 : knot;
    kerb_vec3 chord =
        kerb_vec3_sub(show_knot_position(follower, after), show_knot_position(follower, before));
    kerb_vec3 left =
        kerb_vec3_unit(kerb_vec3_make(-chord.y, chord.x, 0.0f), kerb_vec3_make(0.0f, 0.0f, 0.0f));
    return kerb_vec3_along(show_knot_position(follower, knot), left,
                           follower->memory.lateral_offset + follower->memory.aside);
}

// The last knot that the vehicle has passed, clamped to the knots that exist.
static int32_t show_knot_here(const kerb_follower* follower) {
    double knots = follower->memory.line_distance / (double)follower->memory.line.spacing;
    int32_t first = follower->memory.line.first, last = follower->memory.line.knots - 1;
    if (!(knots > (double)first))
        return first;
    if (knots >= (double)last)
        return last;
    int32_t knot = (int32_t)knots; // rounds towards 0
    return (double)knot > knots ? knot - 1 : knot;
}

int32_t kerb_in_follow_line_ahead(const kerb_follower* follower,
                                  kerb_vec3 points[KERB_FOLLOWER_LINE_KNOTS]) {
    const int32_t end = follower->memory.line.knots;
    int32_t count = 0;
    if (end <= follower->memory.line.first || !(follower->memory.line.spacing > 0.0f))
        return 0;
    for (int32_t knot = show_knot_here(follower); knot < end && count < KERB_FOLLOWER_LINE_KNOTS;
         knot++)
        points[count++] = show_knot_offset(follower, knot);
    return count;
}
