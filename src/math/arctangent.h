// The arctangent without branches, for kernels that process many numbers at once. Private to the
// library. kerb_atan2 uses this polynomial too and handles zeros, infinities and NaN in addition.
//
// Compilers vectorise a loop only when every call in it is inlined. GCC considers functions of this
// size too large to inline unless KERB_INLINE forces it.
#ifndef KERB_IN_MATH_ARCTANGENT_H
#define KERB_IN_MATH_ARCTANGENT_H

#include "kerb/math.h"

#if defined(__GNUC__)
#define KERB_INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define KERB_INLINE static __forceinline
#else
#define KERB_INLINE static inline
#endif

#define KERB_HALF_PI 0x1.921fb6p+0f // π/2 [rad]

// On [0, 1]. Even and odd powers of the square are two separate chains, which the processor
// computes in parallel. One chain of eight steps would take half as long again.
KERB_INLINE float math_arctangent(float x) {
    float square = x * x;
    float fourth = square * square;
    float even = -1.51325352e-2f;
    even = even * fourth - 7.36670569e-2f;
    even = even * fourth - 1.4185976e-1f;
    even = even * fourth - 3.33329856e-1f;
    float odd = 2.62224441e-3f;
    odd = odd * fourth + 4.11218591e-2f;
    odd = odd * fourth + 1.05739318e-1f;
    odd = odd * fourth + 1.99903965e-1f;
    return x + x * square * (even + square * odd);
}

// The angle of (x, y), both at least 0 and at most 1e37; 0 for the zero vector. [0, π/2]
KERB_INLINE float math_angle_in_quadrant(float y, float x) {
    float most = kerb_max(y, x);
    float least = kerb_min(y, x);
    float angle = math_arctangent(least / kerb_max(most, 1e-37f));
    return y > x ? KERB_HALF_PI - angle : angle;
}

// The angle of (x, y), neither greater than 1e37, in [-π, π]. Error at most 4e-7.
KERB_INLINE float math_angle(float y, float x) {
    float angle = math_angle_in_quadrant(kerb_abs(y), kerb_abs(x));
    angle = x < 0.0f ? KERB_PI - angle : angle;
    return y < 0.0f ? -angle : angle;
}

#endif
