// Lengths and directions of vectors, without overflow and without loss in small ones.
#include "kerb/math.h"

#include <float.h>

// Between these limits a sum of squares is exact enough. Nothing overflows, and a square that is so
// small that some processors flush it to zero does not change the sum.
#define VECTOR_SQUARE_LEAST 1e-12f
#define SQUARE_MOST 1e30f

static float greatest_part(kerb_vec3 a) {
    return kerb_max(kerb_max(kerb_abs(a.x), kerb_abs(a.y)), kerb_abs(a.z));
}

// A power of two that brings the smallest and the largest vectors into the range where squares
// neither overflow nor underflow.
static float scale_for(float greatest) {
    return greatest < 1.0f ? 0x1p80f : 0x1p-80f;
}

float kerb_vec3_length(kerb_vec3 a) {
    float square = kerb_vec3_dot(a, a);
    if (square >= VECTOR_SQUARE_LEAST && square <= SQUARE_MOST)
        return kerb_sqrt(square);
    float greatest = greatest_part(a);
    // Vectors shorter than 1e-30 may have denormal parts, which some hosts flush to zero.
    if (greatest < 1e-30f && kerb_vec3_is_finite(a))
        return 0.0f;
    float scale = scale_for(greatest);
    kerb_vec3 scaled = kerb_vec3_scale(a, scale);
    square = kerb_vec3_dot(scaled, scaled);
    // NaN and infinity are returned unchanged.
    return square <= FLT_MAX ? kerb_sqrt(square) / scale : square;
}

float kerb_vec2_length(kerb_vec2 a) {
    return kerb_vec3_length(kerb_vec3_make(a.x, a.y, 0.0f));
}

// Parts below 1e-19 of the length become 0: they may come from denormal numbers, which some hosts
// flush to zero.
static float part_of_unit(float part) {
    return kerb_abs(part) >= 1e-19f ? part : 0.0f;
}

static kerb_vec3 divided_by_length(kerb_vec3 a, float square) {
    kerb_vec3 unit = kerb_vec3_scale(a, 1.0f / kerb_sqrt(square));
    return kerb_vec3_make(part_of_unit(unit.x), part_of_unit(unit.y), part_of_unit(unit.z));
}

kerb_vec3 kerb_vec3_unit(kerb_vec3 a, kerb_vec3 fallback) {
    float square = kerb_vec3_dot(a, a);
    if (square >= VECTOR_SQUARE_LEAST && square <= SQUARE_MOST)
        return divided_by_length(a, square);
    if (!kerb_vec3_is_finite(a))
        return fallback;
    float scale = scale_for(greatest_part(a));
    kerb_vec3 scaled = kerb_vec3_scale(a, scale);
    square = kerb_vec3_dot(scaled, scaled);
    if (kerb_sqrt(square) < 1e-18f * scale)
        return fallback;
    return divided_by_length(scaled, square);
}

bool kerb_vec3_is_finite(kerb_vec3 a) {
    return kerb_is_finite(a.x) && kerb_is_finite(a.y) && kerb_is_finite(a.z);
}
