// Many Dubins lengths: the kernel of kerb_dubins_length in a loop that compilers vectorise. The
// results are equal to the bit, because every lane does the same operations in the same order,
// whatever the width of the registers.
//
// Cost: O(pairs). AVX2 (-march=x86-64-v3) is nearly three times as fast as SSE2.
//
// Pairs are processed in blocks of a fixed size, because GCC vectorises loops of unknown length
// only from -O3 on.
#include "dubins_batch.h"
#include "dubins_kernel.h"

#include "../base/shared.h"

#define DUBINS_BATCH_BLOCK 8 // pairs; eight floats fill one AVX register, or two of SSE2

// Pointers to the eight numbers of the first pair; the numbers of further pairs follow.
typedef struct pairs {
    const float *x, *y, *forward_x, *forward_y;
    const float *to_x, *to_y, *to_forward_x, *to_forward_y;
} pairs;

static void measure_block(const pairs* p, float radius, float lengths[DUBINS_BATCH_BLOCK]) {
    float scale = 1.0f / radius, found[DUBINS_BATCH_BLOCK];
    for (int32_t i = 0; i < DUBINS_BATCH_BLOCK; i++) {
        kerb_pose from = {{p->x[i], p->y[i]}, {p->forward_x[i], p->forward_y[i]}};
        kerb_pose to = {{p->to_x[i], p->to_y[i]}, {p->to_forward_x[i], p->to_forward_y[i]}};
        dubins_goal goal = dubins_goal_seen(from, to, scale);
        found[i] = dubins_metres(dubins_shortest(goal), goal, radius);
    }
    for (int32_t i = 0; i < DUBINS_BATCH_BLOCK; i++)
        lengths[i] = found[i];
}

static pairs pairs_from(const kerb_poses* from, const kerb_poses* to, int32_t i) {
    pairs result = {from->x + i, from->y + i, from->forward_x + i, from->forward_y + i,
                    to->x + i,   to->y + i,   to->forward_x + i,   to->forward_y + i};
    return result;
}

// Fewer pairs than a block. The last pair fills the rest of the block.
static void measure_rest(kerb_poses from, kerb_poses to, float radius, int32_t begin, int32_t end,
                         float* lengths) {
    const float* const sources[] = {from.x, from.y, from.forward_x, from.forward_y,
                                    to.x,   to.y,   to.forward_x,   to.forward_y};
    float filled[8][DUBINS_BATCH_BLOCK], found[DUBINS_BATCH_BLOCK];
    for (int32_t part = 0; part < 8; part++) {
        for (int32_t i = 0; i < DUBINS_BATCH_BLOCK; i++)
            filled[part][i] = sources[part][begin + i < end ? begin + i : end - 1];
    }
    const pairs p = {filled[0], filled[1], filled[2], filled[3],
                     filled[4], filled[5], filled[6], filled[7]};
    measure_block(&p, radius, found);
    for (int32_t i = begin; i < end; i++)
        lengths[i] = found[i - begin];
}

void kerb_dubins_lengths(kerb_poses from, kerb_poses to, float radius, int32_t count,
                         float* lengths) {
    KERB_ASSERT(count >= 0 && (lengths || count == 0));
    bool is_good = dubins_radius_is_good(radius);
    for (int32_t i = 0; i < count && !is_good; i++)
        lengths[i] = KERB_NO_CURVE;
    if (!is_good)
        return;
    int32_t i = 0;
    for (; count - i >= DUBINS_BATCH_BLOCK; i += DUBINS_BATCH_BLOCK) {
        pairs p = pairs_from(&from, &to, i);
        measure_block(&p, radius, lengths + i);
    }
    if (i < count)
        measure_rest(from, to, radius, i, count, lengths);
}

void kerb_in_curve_dubins_csc_block(const curve_dubins_block* from, kerb_pose to, float radius,
                                    float lengths[CURVE_DUBINS_BLOCK]) {
    float scale = 1.0f / radius, found[CURVE_DUBINS_BLOCK];
    for (int32_t i = 0; i < CURVE_DUBINS_BLOCK; i++) {
        kerb_pose pose = {{from->x[i], from->y[i]}, {from->forward_x[i], from->forward_y[i]}};
        dubins_goal goal = dubins_goal_seen(pose, to, scale);
        found[i] = dubins_metres(dubins_shortest_csc(goal), goal, radius);
    }
    for (int32_t i = 0; i < CURVE_DUBINS_BLOCK; i++)
        lengths[i] = found[i];
}
