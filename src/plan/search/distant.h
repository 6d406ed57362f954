// How long the shortest way in both directions of travel is to what is some least radii away, from
// a table. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_DISTANT_H
#define KERB_IN_PLAN_SEARCH_DISTANT_H

#include "kerb/math.h"

// Nearer than that the table knows nothing. [least radii]
#define PLAN_DISTANT_LEAST 2.0f

#define PLAN_DISTANT_RANGES 4    // evenly in one over the distance; the first: far away
#define PLAN_DISTANT_BEARINGS 9  // of half the circle
#define PLAN_DISTANT_HEADINGS 17 // of the whole circle; the last is the first again

// Plain data, the same for all vehicles: how much longer than the straight the way is. [radii]
typedef struct plan_distant {
    float more[PLAN_DISTANT_RANGES][PLAN_DISTANT_BEARINGS][PLAN_DISTANT_HEADINGS];
} plan_distant;

// A direction without an arctangent: the diamond angle, even enough. [0 … 4]
static inline float plan_diamond(kerb_vec2 f) {
    float sum = kerb_abs(f.x) + kerb_abs(f.y), share = sum > 0.0f ? f.y / sum : 0.0f;
    return f.x >= 0.0f ? (share >= 0.0f ? share : 4.0f + share) : 2.0f - share;
}

// O(1): 0.1 ms.
void kerb_in_plan_distant_create(plan_distant* distant);

// Within 0.2 least radii of kerb_reeds_shepp_length, 0.02 in the mean square.
// [straight: the distance, >= PLAN_DISTANT_LEAST radii] O(1) [m]
float kerb_in_plan_distant_length(const plan_distant* distant, kerb_pose from, kerb_pose to,
                                  float radius, float straight);

#endif
