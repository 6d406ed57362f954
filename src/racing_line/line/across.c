// Purpose: the cross-section of the track at each node: its direction, and the legal offsets along
//          it.
// Idea:    Usually a cross-section is a normal of the centre line. In a bend that is tighter than
//          the track is wide, the normals meet on the inside. Nodes there would crowd together
//          before they reach the edge, and keeping them apart would keep the line away from it.
//          Such cross-sections are turned by diffusion until they fan out over a longer part of the
//          centre line. The legal offsets along a turned cross-section are found by walking along
//          it in small steps, each tested at its foot on the centre line.
// Cost:    O(nodes), with a walk for each node that is turned.
// Source:  our own.
#include "line.h"

// Distance between adjacent nodes over that on the centre line, at all legal offsets. Below it,
// cross-sections are turned. Chosen by trial. [1]
#define WAY_WANTED 0.2
// The same ratio that is guaranteed at the offsets within the folds. Chosen by trial. [1]
#define ACROSS_WAY_LEAST 0.1
// Offset of a fold that does not exist. [m]
#define FOLD_NONE 1.0e9
// Greatest number of rounds of diffusion. Its reach grows with their square root, here to some
// twenty nodes. [1]
#define ROUNDS_MAX 200
// Least cosine between a turned cross-section and the normal: at most 66°. Chosen by trial. [1]
#define ACROSS_TURN_MOST 0.4
// Step of the walk along a turned cross-section. [m]
#define ACROSS_STEP 0.25
// Greatest number of steps: 50 m, more than half of any usual track. [1]
#define STEPS_MAX 200
// Halvings of the last step: to 1 mm. [1]
#define ACROSS_HALVINGS 8

static int32_t across_segment_count(const line_view* v) {
    return v->closed ? v->nodes : v->nodes - 1;
}

static int32_t across_next_of(const line_view* v, int32_t i) {
    return i + 1 < v->nodes ? i + 1 : 0;
}

static line_vector across_left_of(const line_view* v, int32_t i) {
    return line_vector_make(v->left_x[i], v->left_y[i], v->left_z[i]);
}

static line_vector across_centre_of(const line_view* v, int32_t i) {
    return line_vector_make(v->centre_x[i], v->centre_y[i], v->centre_z[i]);
}

static void wrap_lefts(const line_view* v) {
    kerb_in_line_wrap(v, v->left_x);
    kerb_in_line_wrap(v, v->left_y);
    kerb_in_line_wrap(v, v->left_z);
}

// ------------------------------------------------------------------- turning

// How the length of a segment depends on the offsets at its ends.
typedef struct across_segment {
    double length, here, next; // length + next·offset there - here·offset here
} across_segment;

static across_segment segment_of(const line_view* v, int32_t i) {
    int32_t next = across_next_of(v, i);
    line_vector way = line_sub(across_centre_of(v, next), across_centre_of(v, i)),
                ahead = line_unit(way);
    across_segment s = {line_norm(way), line_dot(ahead, across_left_of(v, i)),
                        line_dot(ahead, across_left_of(v, next))};
    return s;
}

static bool crowds(const line_view* v, int32_t i) {
    int32_t next = across_next_of(v, i);
    across_segment s = segment_of(v, i);
    double low = s.next * v->reach_low[next] - s.here * v->reach_low[i];
    double high = s.next * v->reach_high[next] - s.here * v->reach_high[i];
    return line_least(low, high) < (WAY_WANTED - 1.0) * s.length;
}

// Marks the nodes whose cross-sections must turn. The ends of an open track keep theirs. False
// where there is none.
static bool find_crowds(const line_view* v, double* turns) {
    bool any = false;
    for (int32_t i = 0; i < v->nodes; i++)
        turns[i] = 0.0;
    for (int32_t i = 0; i < across_segment_count(v); i++) {
        if (!crowds(v, i))
            continue;
        turns[i] = turns[across_next_of(v, i)] = 1.0;
        any = true;
    }
    if (!v->closed)
        turns[0] = turns[v->nodes - 1] = 0.0;
    return any;
}

// The mean with the neighbours' cross-sections, within the surface.
static line_vector across_turned(const line_view* v, int32_t i) {
    line_vector beside = line_add(across_left_of(v, i - 1), across_left_of(v, i + 1));
    line_vector sum = line_add(beside, line_scale(across_left_of(v, i), 2.0));
    line_vector normal = line_vector_make(v->normal_x[i], v->normal_y[i], v->normal_z[i]);
    return line_unit(line_sub(sum, line_scale(normal, line_dot(sum, normal))));
}

static void across_turn_round(const line_view* v, const double* turns) {
    double *x = v->kept_slack_low, *y = v->kept_slack_high, *z = v->kept_press_low;
    for (int32_t i = 0; i < v->nodes; i++) {
        line_vector left = turns[i] > 0.0 ? across_turned(v, i) : across_left_of(v, i);
        bool much = line_dot(left, line_station_of(v, i)->left) < ACROSS_TURN_MOST;
        left = much ? across_left_of(v, i) : left;
        x[i] = left.x, y[i] = left.y, z[i] = left.z;
    }
    for (int32_t i = 0; i < v->nodes; i++) {
        v->turned[i] = turns[i] > 0.0 ? 1.0 : v->turned[i];
        v->left_x[i] = x[i], v->left_y[i] = y[i], v->left_z[i] = z[i];
    }
    wrap_lefts(v);
}

// ------------------------------------------------------------------- reach

static bool is_legal(const line_view* v, int32_t i, double offset, double way) {
    line_vector left = across_left_of(v, i);
    line_vector place = line_add(across_centre_of(v, i), line_scale(left, offset));
    line_foot f = kerb_in_line_foot_at(v, i * LINE_FINE, place);
    bool within = way > 0.0 ? f.offset <= f.high : f.offset >= f.low;
    // Across a hairpin the foot may lie on its other leg, whose left is on our right.
    return within && line_dot(f.left, left) > 0.0;
}

// The last legal offset, from a legal one to the left (way 1) or to the right (-1).
static double across_walk(const line_view* v, int32_t i, double offset, double way) {
    double step = way * ACROSS_STEP * v->head->scale;
    for (int32_t n = 0; n < STEPS_MAX && is_legal(v, i, offset + step, way); n++)
        offset += step;
    for (int32_t n = 0; n < ACROSS_HALVINGS; n++) {
        step *= 0.5;
        offset += is_legal(v, i, offset + step, way) ? step : 0.0;
    }
    return offset;
}

static void find_reach(const line_view* v, int32_t i) {
    double middle = 0.5 * (v->reach_low[i] + v->reach_high[i]);
    if (!is_legal(v, i, middle, 1.0) || !is_legal(v, i, middle, -1.0))
        return;
    v->reach_low[i] = across_walk(v, i, middle, -1.0);
    v->reach_high[i] = across_walk(v, i, middle, 1.0);
}

// ------------------------------------------------------------------- folds

// Limits the offsets at an end of a segment. There an offset of 1 m makes the segment shorter by
// `shortens`; each end may use half of the length that is to spare.
static void hold_unfolded(const line_view* v, int32_t i, double shortens, double length) {
    double most = 0.5 * (1.0 - ACROSS_WAY_LEAST) * length;
    if (shortens * v->fold_high[i] > most)
        v->fold_high[i] = most / shortens;
    if (shortens * v->fold_low[i] > most)
        v->fold_low[i] = most / shortens;
}

static void find_folds(const line_view* v) {
    for (int32_t i = 0; i < v->nodes; i++) {
        v->fold_low[i] = -FOLD_NONE;
        v->fold_high[i] = FOLD_NONE;
    }
    for (int32_t i = 0; i < across_segment_count(v); i++) {
        across_segment s = segment_of(v, i);
        hold_unfolded(v, i, s.here, s.length);
        hold_unfolded(v, across_next_of(v, i), -s.next, s.length);
    }
}

void kerb_in_line_across_find(const line_view* v) {
    for (int32_t i = 0; i < v->nodes; i++) {
        v->reach_low[i] = line_station_of(v, i)->low;
        v->reach_high[i] = line_station_of(v, i)->high;
        v->turned[i] = 0.0;
    }
    // The chain of springs moves along normals, as in Vamos's paper.
    bool chain = v->head->settings.method == KERB_LINE_SPRING;
    double* turns = v->kept;
    for (int32_t round = 0; round < ROUNDS_MAX && !chain && find_crowds(v, turns); round++)
        across_turn_round(v, turns);
    for (int32_t i = 0; i < v->nodes; i++)
        if (v->turned[i] > 0.0)
            find_reach(v, i);
    find_folds(v);
}
