// Purpose: the ways across the track at the nodes, and how far the line may go along them.
// Idea:    Usually a way across is a normal of the centre line. In a bend tighter than the track is
//          wide the normals meet on the inside: nodes there would crowd before they come near the
//          edge, and whoever keeps them apart keeps the line away from it. There the ways are
//          turned by diffusion, until they fan out over a longer piece of the centre line. How far
//          a turned way stays legal is walked, place by place, by the feet of the places.
// Cost:    O(nodes); 2 µs a node that is turned.
// Source:  our own.
#include "line.h"

// From node to node, along the legal offsets, so much of the centre line's way is wanted.
#define WAY_WANTED 0.2
// And so much is left wherever the nodes lie.
#define ACROSS_WAY_LEAST 0.1
#define FOLD_NONE 1.0e9 // [m]
// Rounds of diffusion: its reach goes with their root, some twenty nodes.
#define ROUNDS_MAX 200
// Cosine of the most that a way is turned off the normal.
#define ACROSS_TURN_MOST 0.4
// Of the walk along a turned way. [m]
#define ACROSS_STEP 0.25
#define STEPS_MAX 200
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

// How a segment's length goes with the offsets at its ends.
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

// Marks the nodes to turn. An open track's ends stay.
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

// The mean with the neighbours' ways, within the surface.
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
    // On the other side of the bend its other leg is seen, whose left is our right.
    return within && line_dot(f.left, left) > 0.0;
}

// From a legal offset, to the left (way 1) or to the right (-1).
static double across_walk(const line_view* v, int32_t i, double offset, double way) {
    double step = way * ACROSS_STEP;
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

// What an offset at the end of a segment takes off its length, by metre, must not take more than
// that end's half of what is to spare.
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
    // The chain of springs moves along normals, as in the paper.
    bool chain = v->head->settings.method == KERB_LINE_SPRING;
    double* turns = v->kept;
    for (int32_t round = 0; round < ROUNDS_MAX && !chain && find_crowds(v, turns); round++)
        across_turn_round(v, turns);
    for (int32_t i = 0; i < v->nodes; i++)
        if (v->turned[i] > 0.0)
            find_reach(v, i);
    find_folds(v);
}
