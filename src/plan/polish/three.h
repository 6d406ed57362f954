// Three clothoids in a row between two poses with given curvatures. Private to the room.
#ifndef KERB_IN_PLAN_POLISH_THREE_H
#define KERB_IN_PLAN_POLISH_THREE_H

#include "../model/movement.h"

// Between two states: the curvatures at both ends, and the end's pose seen from the start.
typedef struct plan_three_task {
    double before, after; // [1/m]
    double x, y, forward_x, forward_y;
    double share; // of the length, of the first and of the last clothoid
} plan_three_task;

typedef struct plan_three {
    double k1, k2, length; // curvatures between the clothoids [1/m]; negative in reverse [m]
} plan_three;

// Sums of the curvature and of curvature times distance over a stretch where it changes linearly.
void kerb_in_plan_three_moments(double from, double to, double k0, double k1, double moment[2]);
// The shape with the moments of the path that it replaces: for small angles it has its end.
plan_three kerb_in_plan_three_guess(const plan_three_task* task, double size,
                                    const double moment[2]);
// Changes a shape until it ends where it should. False where it does not, within `most` of both
// curvatures together. [1/m]
bool kerb_in_plan_three_fit(const plan_three_task* task, plan_three* shape, double most);
// The three clothoids of a shape.
void kerb_in_plan_three_parts(const plan_three_task* task, const plan_three* shape, double from[3],
                              double change[3], double length[3]);
// Solves a system of three equations by Cramer's rule. False where it is singular.
bool kerb_in_plan_three_solve(double a[3][3], const double b[3], double x[3]);

#endif
