// Purpose: the racing line of Vamos's paper: a chain of masses on hinges with springs.
// Idea:    The hinge of a node pushes its neighbours so that the chain straightens (Vamos eq. 2;
//          eq. 8 lacks a minus), and both push it back. Nodes move only across the track, with
//          damping, and stop at its edges. θ are the angles at the nodes. Each segment has the
//          pushes a = k/length·cos(segment, track at its first node) and b, which has the track at
//          its last node. Then the force across the track at node j is a[j]·(θ[j] - θ[j+1]) +
//          b[j-1]·(θ[j] - θ[j-1]).
// Cost:    O(nodes) per sweep; the paper makes 800.
// Source:  Vamos section 2, eq. 1-12.
#include "line.h"

// The quantities of the chain use arrays of other methods.
typedef struct spring_chain {
    double *forward_x, *forward_y, *forward_z; // the track's direction at the nodes
    double *u_x, *u_y, *u_z;                   // unit vectors of the segments
    double *push_first, *push_last;
    double *angle, *velocity;
} spring_chain;

static spring_chain chain_of(const line_view* v) {
    spring_chain c = {v->kept,  v->kept_slack_low, v->kept_slack_high, v->forward,   v->backward,
                      v->speed, v->forward_worth,  v->backward_worth,  v->curvature, v->change};
    return c;
}

void kerb_in_line_spring_begin(const line_view* v) {
    spring_chain c = chain_of(v);
    for (int32_t i = 0; i < v->nodes; i++) {
        c.forward_x[i] = v->left_y[i] * v->normal_z[i] - v->left_z[i] * v->normal_y[i];
        c.forward_y[i] = v->left_z[i] * v->normal_x[i] - v->left_x[i] * v->normal_z[i];
        c.forward_z[i] = v->left_x[i] * v->normal_y[i] - v->left_y[i] * v->normal_x[i];
        c.velocity[i] = 0.0;
        if (!v->head->warm)
            v->offset[i] = 0.0; // the paper starts from the centre line
        v->offset[i] = line_least(line_most(v->offset[i], v->low[i]), v->high[i]);
    }
    kerb_in_line_wrap(v, c.forward_x);
    kerb_in_line_wrap(v, c.forward_y);
    kerb_in_line_wrap(v, c.forward_z);
    kerb_in_line_shape_place(v);
}

// Greatest stiffness over the squared distance of nodes. A step of unit time becomes unstable above
// a quarter: 16 k/d² is the greatest eigenvalue of the chain, and the integration is stable up to
// 4. Half of that is safe. The nodes of the paper lie far enough apart. [N/(m rad)]
#define STIFFNESS_PER_SQUARE 0.125

// On an open track the segment from the last node is 0.
static void spring_measure_segments(const line_view* v, const spring_chain* c) {
    const double scale = v->head->size;
    const double stiffness = (double)v->head->settings.stiffness * scale * scale;
    const int32_t count = v->closed ? v->nodes : v->nodes - 1;
    const double* restrict x = v->x, * restrict y = v->y, * restrict z = v->z;
    const double* restrict ahead_x = c->forward_x, * restrict ahead_y = c->forward_y, * restrict ahead_z = c->forward_z;
    double* restrict u_x = c->u_x, * restrict u_y = c->u_y, * restrict u_z = c->u_z;
    double* restrict first = c->push_first, * restrict last = c->push_last;
    for (int32_t i = 0; i < count; i++) {
        double dx = x[i + 1] - x[i], dy = y[i + 1] - y[i], dz = z[i + 1] - z[i];
        double square = dx * dx + dy * dy + dz * dz, inverse = 1.0 / sqrt(square);
        double push = line_least(stiffness, STIFFNESS_PER_SQUARE * square) * inverse;
        double ux = dx * inverse, uy = dy * inverse, uz = dz * inverse;
        u_x[i] = ux;
        u_y[i] = uy;
        u_z[i] = uz;
        first[i] = push * (ux * ahead_x[i] + uy * ahead_y[i] + uz * ahead_z[i]);
        last[i] = push * (ux * ahead_x[i + 1] + uy * ahead_y[i + 1] + uz * ahead_z[i + 1]);
    }
    double* wrapped[] = {c->u_x, c->u_y, c->u_z, c->push_first, c->push_last};
    for (int32_t k = 0; k < 5; k++) {
        if (!v->closed)
            wrapped[k][v->nodes - 1] = 0.0;
        kerb_in_line_wrap(v, wrapped[k]);
    }
}

// The sine stands for the angle, as in eq. 7.
static void measure_angles(const line_view* v, const spring_chain* c) {
    const double* restrict x = c->u_x, * restrict y = c->u_y, * restrict z = c->u_z;
    double* restrict angle = c->angle;
    for (int32_t i = 0; i < v->nodes; i++) {
        double turn_x = y[i - 1] * z[i] - z[i - 1] * y[i];
        double turn_y = z[i - 1] * x[i] - x[i - 1] * z[i];
        double turn_z = x[i - 1] * y[i] - y[i - 1] * x[i];
        angle[i] = turn_x * v->normal_x[i] + turn_y * v->normal_y[i] + turn_z * v->normal_z[i];
    }
    kerb_in_line_wrap(v, c->angle);
}

// Mass and time step are 1 (eq. 11, 12).
static void spring_move(const line_view* v, const spring_chain* c) {
    const double kept = 1.0 - (double)v->head->settings.damping;
    const double* restrict angle = c->angle, * restrict low = v->low, * restrict high = v->high;
    const double* restrict first = c->push_first, * restrict last = c->push_last;
    double* restrict velocity = c->velocity, * restrict offset = v->offset;
    for (int32_t i = 0; i < v->nodes; i++) {
        double force =
            first[i] * (angle[i] - angle[i + 1]) + last[i - 1] * (angle[i] - angle[i - 1]);
        double wanted_velocity = velocity[i] * kept + force;
        double wanted = offset[i] + wanted_velocity;
        double held = wanted > low[i] ? wanted : low[i];
        held = held < high[i] ? held : high[i];
        offset[i] = held;
        velocity[i] = held == wanted ? wanted_velocity : 0.0;
    }
}

void kerb_in_line_spring_sweep(const line_view* v) {
    spring_chain c = chain_of(v);
    spring_measure_segments(v, &c);
    measure_angles(v, &c);
    spring_move(v, &c);
    kerb_in_line_shape_place(v);
}
