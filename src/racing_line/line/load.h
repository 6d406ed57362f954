// The curvature that counts for the load on the tyres. Private to the room. load.c has the model.
#ifndef KERB_IN_RACING_LINE_LINE_LOAD_H
#define KERB_IN_RACING_LINE_LINE_LOAD_H

#include "line.h"

// Squared speed that means: no limit. [m²/s²]
#define LINE_LIMIT_NONE 1.0e12

// Curvatures out of the surface at places with equal spacing.
typedef struct line_load {
    const double* sums; // sums[k]: of the first k curvatures; count + 1 of them [1/m]
    int32_t count;
    bool closed;
    double step; // distance between two places [m]
} line_load;

// Mean of the curvature over a length of the line whose middle is place i. O(1)
double kerb_in_line_load_mean(const line_load* l, int32_t i, double length);

// Length over which the curvature counts at a speed. [m]
double kerb_in_line_load_length(const line_head* h, double speed);

// Squared speed at which the vehicle is as light as the settings allow. [m²/s²]
double kerb_in_line_load_limit(const line_head* h, double normal_curvature, double up_normal);

// Sets the lengths over which heights count at the nodes while the line is searched for: for the
// speeds at which grip takes the present line on a level road. They stay, so that the lap time is a
// smooth function of the line; racing_line.c uses the speeds of the final line. O(nodes)
void kerb_in_line_load_begin(const line_view* v);

// Sets `curvature_load` of all nodes from `curvature_normal`. O(nodes)
void kerb_in_line_load_nodes(const line_view* v);

#endif
