// Purpose: the ground that long vehicles sweep on a turn, and on the lanes before and behind it.
// Idea:    The ends of a rigid part are on its way, so its middle is inside the bend, and its
//          corners reach out of it. A rectangle of the longest rigid part is put on the way at each
//          node; a cell between two nodes is as wide as all rectangles over it. Cells reach over
//          both ends of the turn by the length of the part: so far does it still stand askew on
//          the lane before or behind. Two turns conflict where cells touch.
// Cost:    O(cells times cells of a rectangle) for a turn that bends, O(cells) for a straight one;
//          O(cells squared) for a pair whose boxes meet.
#include "network_parts.h"

// Half of the greatest width of a vehicle by Directive 96/53/EC, and room that is kept beside. [m]
static const float swept_half_width = 1.275f, swept_room = 0.05f;
// Share of the lanes' half widths that vehicles on the two lanes need (network_conflicts.c).
static const float swept_width_share = 0.88f;
// A way whose direction changes by less is straight: a part of 12 m leaves it by 3 cm. [rad]
static const float swept_straight = 0.02f;

// A rectangle: its middle, the direction of its length, and half of its length and width.
typedef struct swept_part {
    kerb_vec2 middle, along;
    float length, width;
} swept_part;

// A place on the way over a turn. Before its start: the lane before.
static kerb_vec3 swept_place(const net_view* v, int32_t turn, float s) {
    const net_turn* n = &v->turns[turn];
    int32_t segment = v->head->lane_count + turn;
    float length = v->segments[segment].length;
    if (s < 0)
        return kerb_in_network_beyond(v, n->from, v->segments[n->from].length + s, 0).position;
    if (s > length)
        return kerb_in_network_beyond(v, n->to, s - length, 0).position;
    return kerb_in_network_at(v, segment, s, 0).position;
}

static kerb_vec2 swept_direction(const kerb_vec3* from, const kerb_vec3* to) {
    kerb_vec2 d = {to->x - from->x, to->y - from->y};
    float length = kerb_vec2_length(d);
    return length > 0 ? kerb_vec2_scale(d, 1 / length) : kerb_vec2_make(1, 0);
}

static kerb_vec2 swept_halfway(const kerb_vec3* a, const kerb_vec3* b) {
    return kerb_vec2_make(0.5f * (a->x + b->x), 0.5f * (a->y + b->y));
}

// Cuts the range of a line's parameter to where |at + t * rate| <= half.
static void swept_clip(float at, float rate, float half, float* low, float* high) {
    if (kerb_abs(rate) < 1.0e-6f) { // parallel: all or nothing
        if (kerb_abs(at) > half)
            *high = *low - 1;
        return;
    }
    float a = (-half - at) / rate, b = (half - at) / rate;
    *low = kerb_max(*low, kerb_min(a, b));
    *high = kerb_min(*high, kerb_max(a, b));
}

// Widens a cell to what a rectangle covers of the line across it.
static void swept_widen(net_swept* w, int32_t cell, const kerb_vec3* nodes,
                        const swept_part* part) {
    kerb_vec2 across = kerb_vec2_left(w->along[cell]);
    kerb_vec2 to = kerb_vec2_sub(swept_halfway(&nodes[cell], &nodes[cell + 1]), part->middle);
    float low = -2 * part->length, high = 2 * part->length;
    swept_clip(kerb_vec2_dot(to, part->along), kerb_vec2_dot(across, part->along), part->length,
               &low, &high);
    swept_clip(kerb_vec2_cross(part->along, to), kerb_vec2_cross(part->along, across), part->width,
               &low, &high);
    if (high < low)
        return;
    w->left[cell] = kerb_max(w->left[cell], high);
    w->right[cell] = kerb_max(w->right[cell], -low);
}

static bool swept_bends(const net_swept* w) {
    for (int32_t i = 1; i < w->count; i++)
        if (kerb_abs(kerb_vec2_cross(w->along[0], w->along[i])) > swept_straight ||
            kerb_vec2_dot(w->along[0], w->along[i]) < 0)
            return true;
    return false;
}

static void swept_drive(net_swept* w, const kerb_vec3* nodes, float half_width) {
    int32_t part_cells = (int32_t)(KERB_IN_RIGID_MAX / w->step) + 1;
    for (int32_t rear = 0; rear + part_cells <= w->count; rear++) {
        const kerb_vec3 *a = &nodes[rear], *b = &nodes[rear + part_cells];
        swept_part part = {.middle = swept_halfway(a, b),
                           .along = swept_direction(a, b),
                           .length = 0.5f * KERB_IN_RIGID_MAX,
                           .width = half_width};
        for (int32_t i = rear > 0 ? rear - 1 : 0; i <= rear + part_cells && i < w->count; i++)
            swept_widen(w, i, nodes, &part);
    }
}

void kerb_in_network_sweep(const net_view* v, int32_t turn, net_swept* w) {
    kerb_vec3 nodes[NET_SWEPT_CELLS + 1];
    const net_turn* n = &v->turns[turn];
    const net_segment* s = &v->segments[v->head->lane_count + turn];
    float whole = s->length + 2 * KERB_IN_RIGID_MAX;
    float half_width = kerb_min(swept_half_width, 0.5f * swept_width_share * s->width);
    w->count = (int32_t)kerb_min(whole + 1, NET_SWEPT_CELLS);
    w->step = whole / (float)w->count;
    w->length = s->length;
    w->reach = 0;
    w->before = kerb_min(v->segments[n->from].length, KERB_IN_RIGID_MAX);
    w->behind = kerb_min(v->segments[n->to].length, KERB_IN_RIGID_MAX);
    for (int32_t i = 0; i <= w->count; i++)
        nodes[i] = swept_place(v, turn, w->step * (float)i - KERB_IN_RIGID_MAX);
    for (int32_t i = 0; i < w->count; i++) {
        w->along[i] = swept_direction(&nodes[i], &nodes[i + 1]);
        w->left[i] = w->right[i] = half_width;
    }
    if (swept_bends(w))
        swept_drive(w, nodes, half_width);
    for (int32_t i = 0; i < w->count; i++) {
        kerb_vec2 middle = swept_halfway(&nodes[i], &nodes[i + 1]);
        kerb_vec2 across = kerb_vec2_left(w->along[i]);
        float aside = 0.5f * (w->left[i] - w->right[i]);
        w->middle[i] = kerb_vec2_add(middle, kerb_vec2_scale(across, aside));
        w->half[i] = 0.5f * (w->left[i] + w->right[i]) + swept_room;
        w->height[i] = 0.5f * (nodes[i].z + nodes[i + 1].z);
        kerb_vec3 place = kerb_vec3_make(w->middle[i].x, w->middle[i].y, w->height[i]);
        if (i == 0)
            w->box = (net_box){place, place};
        net_box_add(&w->box, place);
        w->reach = kerb_max(w->reach, 0.5f * w->step + w->half[i]);
    }
}

// Two cells do not touch: a side of one of them lies between them.
static bool swept_apart(const net_swept* a, int32_t i, const net_swept* b, int32_t k) {
    kerb_vec2 to = kerb_vec2_sub(b->middle[k], a->middle[i]);
    float la = 0.5f * a->step, lb = 0.5f * b->step, wa = a->half[i], wb = b->half[k];
    float far = la + wa + lb + wb;
    if (to.x * to.x + to.y * to.y > far * far)
        return true;
    float cosine = kerb_abs(kerb_vec2_dot(a->along[i], b->along[k]));
    float sine = kerb_abs(kerb_vec2_cross(a->along[i], b->along[k]));
    return kerb_abs(kerb_vec2_dot(to, a->along[i])) > la + lb * cosine + wb * sine ||
           kerb_abs(kerb_vec2_cross(to, a->along[i])) > wa + lb * sine + wb * cosine ||
           kerb_abs(kerb_vec2_dot(to, b->along[k])) > lb + la * cosine + wa * sine ||
           kerb_abs(kerb_vec2_cross(to, b->along[k])) > wb + la * sine + wa * cosine;
}

// Where a cell begins: before the turn's start negative.
static float swept_station(const net_swept* w, int32_t cell) {
    return w->step * (float)cell - KERB_IN_RIGID_MAX;
}

// The cell is on a lane, beyond its other end: it says nothing of the way there.
static bool swept_is_beyond(const net_swept* w, int32_t cell) {
    float s = swept_station(w, cell);
    return s + w->step < -w->before || s > w->length + w->behind;
}

// One vehicle follows the other on a lane that both use, but for one that comes back beside it.
static bool swept_follow(const net_swept* a, int32_t i, const net_swept* b, int32_t k,
                         bool same_start, bool same_end) {
    float sa = swept_station(a, i), sb = swept_station(b, k);
    bool end = sa + a->step > a->length || sb + b->step > b->length;
    bool start = sa < 0 || sb < 0;
    return ((same_start && start) || (same_end && end)) &&
           kerb_vec2_dot(a->along[i], b->along[k]) >= 0;
}

bool kerb_in_network_swept_meet(const net_swept* a, const net_swept* b, bool same_start,
                                bool same_end, net_span* span) {
    net_hull hull = net_hull_empty();
    if (!net_boxes_meet(&a->box, &b->box, a->reach + b->reach))
        return false;
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t k = 0; k < b->count && !swept_is_beyond(a, i); k++)
            if (!swept_apart(a, i, b, k) && !swept_follow(a, i, b, k, same_start, same_end) &&
                kerb_abs(a->height[i] - b->height[k]) <= KERB_IN_BRIDGE_HEIGHT &&
                !swept_is_beyond(b, k))
                net_hull_add(&hull, i, k);
    if (hull.last < 0)
        return false;
    *span = (net_span){kerb_max(swept_station(a, hull.first), -a->before),
                       kerb_min(swept_station(a, hull.last + 1), a->length + a->behind),
                       kerb_max(swept_station(b, hull.other_first), -b->before),
                       kerb_min(swept_station(b, hull.other_last + 1), b->length + b->behind)};
    return true;
}
