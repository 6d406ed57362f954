// Rotated rectangles and discs in the plane, and the contact points of a rectangle with another
// shape.
#ifndef KERB_SIM_SHAPE_H
#define KERB_SIM_SHAPE_H

#include "kerb/math.h"

/// A rectangle, or a disc where radius > 0.
typedef struct kerb_sim_shape {
    kerb_vec2 centre;
    kerb_vec2 axis;                ///< unit, along its length
    float half_length, half_width; ///< [m]
    float radius;                  ///< [m]
} kerb_sim_shape;

/// A point where two shapes touch.
typedef struct kerb_sim_touch {
    kerb_vec2 point;
    kerb_vec2 normal; ///< unit, out of what was hit
    float gap;        ///< between them along the normal; negative: that deep in it [m]
} kerb_sim_touch;

/// Up to two points where `box`, a rectangle, is nearer than `margin` to `hit`. Inside it, the
/// normal shows the nearest way out; but `hit`'s long side counts where the way out there is at
/// most `side_preference` longer.
int32_t kerb_sim_shape_touches(const kerb_sim_shape* hit, const kerb_sim_shape* box, float margin,
                               float side_preference, kerb_sim_touch touches[2]);

#endif
