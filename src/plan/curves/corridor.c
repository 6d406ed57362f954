// Purpose: whether an arc stays inside the corridor of a curve.
// Idea:    The reference line is a row of arcs of at most 90°. A place belongs to the part between
//          whose end normals it lies, and its lateral offset is a closed form. Between two samples
//          the offset deviates from a straight line by at most step² · curvature / 8, which chooses
//          the step.
// Cost:    O(length / step · parts), steps of about half a metre.
#include "corridor.h"

// By how much the corridor is narrower at samples, for what may happen between them. [m]
#define CORRIDOR_BETWEEN 0.01f
// Longest step. [m]
#define CORRIDOR_STEP 1.0f
// Road beyond both ends of a curve, for paths whose ends are off by rounding or lie aslant. [m]
#define CORRIDOR_BEYOND 0.4f

static corridor_part corridor_part_from(kerb_pose from, const kerb_plan_curve_part* p,
                                        float length) {
    kerb_vec2 left = {-from.forward.y, from.forward.x};
    corridor_part part = {.from = from,
                          .to = curve_moved(from, p->curvature, length),
                          .curvature = p->curvature,
                          .length = length,
                          .left = p->left,
                          .right = p->right};
    if (p->curvature != 0.0f) {
        part.radius = 1.0f / kerb_abs(p->curvature);
        part.middle = kerb_vec2_add(from.position, kerb_vec2_scale(left, 1.0f / p->curvature));
    }
    return part;
}

plan_corridor kerb_in_plan_corridor_of(const kerb_plan_curve_part* parts, int32_t count) {
    plan_corridor c = {.count = 0};
    kerb_pose at = kerb_pose_make(0.0f, 0.0f, 0.0f);
    for (int32_t i = 0; i < count; i++) {
        float turn = kerb_abs(parts[i].curvature * parts[i].length);
        int32_t pieces = 1 + (turn > 0.5f * KERB_PI ? 1 : 0) + (turn > KERB_PI ? 1 : 0);
        for (int32_t k = 0; k < pieces; k++) {
            c.parts[c.count] = corridor_part_from(at, &parts[i], parts[i].length / (float)pieces);
            at = c.parts[c.count++].to;
        }
        float bend = kerb_abs(parts[i].curvature);
        float inner = parts[i].curvature > 0.0f ? parts[i].left : parts[i].right;
        c.sharpest = kerb_max(c.sharpest, bend / kerb_max(1.0f - bend * inner, 0.25f));
    }
    return c;
}

kerb_pose kerb_in_plan_corridor_end(const plan_corridor* c, bool is_exit, float offset) {
    kerb_pose pose = is_exit ? c->parts[c->count - 1].to : c->parts[0].from;
    pose.position.x -= offset * pose.forward.y;
    pose.position.y += offset * pose.forward.x;
    return pose;
}

static float corridor_along(kerb_pose pose, kerb_vec2 place) {
    return kerb_vec2_dot(kerb_vec2_sub(place, pose.position), pose.forward);
}

static float corridor_offset(const corridor_part* p, kerb_vec2 place) {
    if (p->curvature == 0.0f)
        return kerb_vec2_cross(p->from.forward, kerb_vec2_sub(place, p->from.position));
    float away = kerb_vec2_length(kerb_vec2_sub(place, p->middle)) - p->radius;
    return p->curvature > 0.0f ? -away : away;
}

// Whether the cells within `reach` of a place are free, at most four. [reach: below half a cell]
static bool corridor_cells_are_free(const plan_corridor* c, kerb_vec2 place, float reach) {
    const kerb_plan_curve_grid* g = c->grid;
    kerb_vec2 f = c->frame.forward, o = c->frame.position;
    float x = o.x + f.x * place.x - f.y * place.y - g->origin.x;
    float y = o.y + f.y * place.x + f.x * place.y - g->origin.y;
    for (int32_t i = 0; i < 4; i++) {
        float column = (x + (i & 1 ? reach : -reach)) / g->cell_size;
        float row = (y + (i & 2 ? reach : -reach)) / g->cell_size;
        if (column >= 0.0f && row >= 0.0f && column < (float)g->columns && row < (float)g->rows &&
            g->cells[(size_t)(int32_t)row * (size_t)g->columns + (size_t)(int32_t)column] == 255)
            return false;
    }
    return true;
}

// Whether a sample is inside: in all parts that reach within a step of it, because what lies
// between two samples may belong to either.
static bool corridor_holds(const plan_corridor* c, kerb_vec2 place, float step) {
    bool is_inside = false;
    for (int32_t i = 0; i < c->count; i++) {
        const corridor_part* p = &c->parts[i];
        bool is_first = i == 0, is_last = i + 1 == c->count;
        float before = -corridor_along(p->from, place), after = corridor_along(p->to, place);
        if (before > (is_first ? CORRIDOR_BEYOND : step) ||
            after > (is_last ? CORRIDOR_BEYOND : step))
            continue;
        float offset = corridor_offset(p, place);
        if (offset > p->left - CORRIDOR_BETWEEN || offset < CORRIDOR_BETWEEN - p->right)
            return false;
        is_inside = true;
    }
    return is_inside && (!c->grid || corridor_cells_are_free(c, place, 0.51f * step));
}

static float corridor_step(const plan_corridor* c, float curvature) {
    float bend = kerb_abs(curvature) + c->sharpest, step = CORRIDOR_STEP;
    if (bend * step * step > 8.0f * CORRIDOR_BETWEEN)
        step = kerb_sqrt(8.0f * CORRIDOR_BETWEEN / bend);
    return c->grid ? kerb_min(step, 0.5f * c->grid->cell_size) : step;
}

static bool corridor_is_free(const void* context, kerb_pose from, plan_arc arc) {
    const plan_corridor* c = context;
    float step = corridor_step(c, arc.curvature);
    int32_t count = 1 + (int32_t)kerb_min(kerb_abs(arc.length) / step, 100000.0f);
    // Every step turns and moves by the same in the frame of the pose.
    kerb_pose one =
        curve_moved(kerb_pose_make(0.0f, 0.0f, 0.0f), arc.curvature, arc.length / (float)count);
    kerb_vec2 place = from.position, f = from.forward;
    for (int32_t i = 0; i < count; i++) {
        place.x += f.x * one.position.x - f.y * one.position.y;
        place.y += f.y * one.position.x + f.x * one.position.y;
        f = kerb_vec2_make(f.x * one.forward.x - f.y * one.forward.y,
                           f.y * one.forward.x + f.x * one.forward.y);
        if (!corridor_holds(c, place, step))
            return false;
    }
    return true;
}

plan_space kerb_in_plan_corridor_space(const plan_corridor* corridor) {
    return (plan_space){.is_free = corridor_is_free, .context = corridor};
}
