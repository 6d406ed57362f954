// The angle of a vector, in doubles, written so that a compiler can vectorise a loop over it.
// Private to the library.
//
// Lengths of shortest curves are sums and differences of angles. The angles nearly cancel when the
// radius is large, so a float's precision of 1e-7 is not enough. As in trigonometry.c, the vector
// is first brought to [0, π/4]. Then half an octant is subtracted, so that a short polynomial is
// enough: atan(lo/hi) is π/4 + atan((lo - hi)/(lo + hi)). The polynomial interpolates at the
// Chebyshev nodes of [0, tan²(π/8)]; its relative error is 4e-15. There are no branches: every
// choice is a select.
#ifndef KERB_IN_MATH_ANGLE_H
#define KERB_IN_MATH_ANGLE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

// Wider intermediate results would round differently from one machine to the next.
_Static_assert(FLT_EVAL_METHOD == 0, "doubles must be computed as doubles");

#define ANGLE_QUARTER 0x1.921fb54442d18p+0 // π/2, a quarter turn [rad]

// On [-tan(π/8), tan(π/8)].
static inline double angle_polynomial(double x) {
    double square = x * x;
    double fourth = square * square;
    double even = -0x1.be2efe9a9e93dp-6;
    even = even * fourth - 0x1.0c533de737bdfp-4;
    even = even * fourth - 0x1.74563e04a6f0cp-4;
    even = even * fourth - 0x1.249248aa7aa01p-3;
    even = even * fourth - 0x1.55555555553a4p-2;
    double odd = 0x1.a76e53429f68dp-5;
    odd = odd * fourth + 0x1.3a9d98b72e3acp-4;
    odd = odd * fourth + 0x1.c71c382a9b0edp-4;
    odd = odd * fourth + 0x1.99999998d17aap-3;
    return x + x * square * (even + square * odd);
}

/// The angle opposite the side `across` in a right-angled triangle, in [0, π/2]; 0 when both sides
/// are 0. Sides must be at least 0 and below 1e150.
static inline double angle_of_sides(double across, double along) {
    double more = along > across ? along : across;
    double less = along > across ? across : along;
    bool wide = less > 0.41421356237309503 * more;
    double over = less - (wide ? more : 0.0);
    double under = more + (wide ? less : 0.0);
    double angle = angle_polynomial(over / (under + 1e-300)); // 0/0 is 0
    angle += wide ? 0.5 * ANGLE_QUARTER : 0.0;
    return across > along ? ANGLE_QUARTER - angle : angle;
}

/// The angle without its whole turns, in [least, least + 1).
/// [turns, for both] [least: > -0.5 … 0] |angle| < 1e9
static inline double turns_from(double turns, double least) {
    // Adding 1.5·2^52 leaves no bits for a fraction. floor would be a function call on processors
    // that have no instruction for it.
    const double no_fraction = 0x1.8p52;
    return turns - (((turns - (least + 0.5)) + no_fraction) - no_fraction);
}

#endif
