// Vectors of doubles for positions of a line; with floats its curvature would be noise. Private to
// the room.
#ifndef KERB_IN_RACING_LINE_LINE_VECTOR_H
#define KERB_IN_RACING_LINE_LINE_VECTOR_H

#include <math.h>

typedef struct line_vector {
    double x, y, z;
} line_vector;

static inline line_vector line_vector_make(double x, double y, double z) {
    line_vector result = {x, y, z};
    return result;
}
static inline line_vector line_add(line_vector a, line_vector b) {
    return line_vector_make(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline line_vector line_sub(line_vector a, line_vector b) {
    return line_vector_make(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline line_vector line_scale(line_vector a, double factor) {
    return line_vector_make(a.x * factor, a.y * factor, a.z * factor);
}
static inline double line_dot(line_vector a, line_vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline line_vector line_cross(line_vector a, line_vector b) {
    return line_vector_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double line_norm(line_vector a) {
    return sqrt(line_dot(a, a));
}
// A unit vector. The zero vector stays zero.
static inline line_vector line_unit(line_vector a) {
    double norm = line_norm(a);
    return norm > 0.0 ? line_scale(a, 1.0 / norm) : a;
}
// a + (b - a)·share
static inline line_vector line_between(line_vector a, line_vector b, double share) {
    return line_add(a, line_scale(line_sub(b, a), share));
}

static inline double line_least(double a, double b) {
    return a < b ? a : b;
}
static inline double line_most(double a, double b) {
    return a > b ? a : b;
}

#endif
