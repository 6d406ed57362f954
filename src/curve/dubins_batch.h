// Dubins lengths from several poses to one. Private to the library.
#ifndef KERB_IN_CURVE_DUBINS_BATCH_H
#define KERB_IN_CURVE_DUBINS_BATCH_H

#include "kerb/curve.h"

#define CURVE_DUBINS_BLOCK 8 // poses; eight floats fill one AVX register, or two of SSE2

// Poses as a struct of arrays.
typedef struct curve_dubins_block {
    float x[CURVE_DUBINS_BLOCK], y[CURVE_DUBINS_BLOCK]; // [m]
    float forward_x[CURVE_DUBINS_BLOCK], forward_y[CURVE_DUBINS_BLOCK];
} curve_dubins_block;

// kerb_dubins_length_csc() of each pose, equal to the bit. [radius: 1e-15 … 1e15]
void kerb_in_curve_dubins_csc_block(const curve_dubins_block* from, kerb_pose to, float radius,
                                    float lengths[CURVE_DUBINS_BLOCK]);

#endif
