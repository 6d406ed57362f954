// Many Dubins lengths: the kernel of the single form in a loop that compilers turn into vector
// instructions. Built for AVX2 (-march=x86-64-v3) it runs twice as fast as for SSE2; the bits are
// the same, because every lane does what the single form does, in the same order.
#include "dubins_kernel.h"

#include "../base/assertion.h"

// One of many poses.
KERB_INLINE kerb_pose pose_of(const float* restrict x, const float* restrict y,
                              const float* restrict forward_x, const float* restrict forward_y,
                              int32_t i) {
    kerb_pose pose = {{x[i], y[i]}, {forward_x[i], forward_y[i]}};
    return pose;
}

static void measure(kerb_poses from, kerb_poses to, float radius, int32_t count,
                    float* restrict lengths) {
    const float* restrict x = from.x, * restrict y = from.y;
    const float* restrict forward_x = from.forward_x, * restrict forward_y = from.forward_y;
    const float* restrict to_x = to.x, * restrict to_y = to.y;
    const float* restrict to_forward_x = to.forward_x, * restrict to_forward_y = to.forward_y;
    float scale = 1.0f / radius;
    for (int32_t i = 0; i < count; i++) {
        kerb_pose here = pose_of(x, y, forward_x, forward_y, i);
        kerb_pose there = pose_of(to_x, to_y, to_forward_x, to_forward_y, i);
        dubins_goal goal = dubins_goal_seen(here, there, scale);
        lengths[i] = dubins_metres(dubins_shortest(goal), goal, radius);
    }
}

void kerb_dubins_lengths(kerb_poses from, kerb_poses to, float radius, int32_t count,
                         float* lengths) {
    KERB_ASSERT(count >= 0 && (lengths || count == 0));
    if (dubins_radius_is_good(radius)) {
        measure(from, to, radius, count, lengths);
        return;
    }
    for (int32_t i = 0; i < count; i++)
        lengths[i] = KERB_NO_WAY;
}
