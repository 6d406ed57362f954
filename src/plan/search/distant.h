// Approximate length of the shortest path in both directions of travel, from a table, for goals
// that are some turning radii away. Private to the room.
#ifndef KERB_IN_PLAN_SEARCH_DISTANT_H
#define KERB_IN_PLAN_SEARCH_DISTANT_H

#include "kerb/math.h"

// The table holds for this distance and more. [turning radii]
#define PLAN_DISTANT_LEAST 2.0f

// Size of the table. It is small enough for the cache; the error is given at
// kerb_in_plan_distant_length. [1]
#define PLAN_DISTANT_RANGES 4    // even in one over the distance; the first: far away
#define PLAN_DISTANT_BEARINGS 9  // over half of the circle
#define PLAN_DISTANT_HEADINGS 17 // over the whole circle; the last equals the first

// How much longer the path is than the straight line, equal for all vehicles. Plain data. [radii]
typedef struct plan_distant {
    float more[PLAN_DISTANT_RANGES][PLAN_DISTANT_BEARINGS][PLAN_DISTANT_HEADINGS];
} plan_distant;

// The diamond angle of a direction: grows with the angle, needs no arctangent, and is even enough
// for cells and tables. [0 … 4]
static inline float plan_diamond(kerb_vec2 f) {
    float sum = kerb_abs(f.x) + kerb_abs(f.y), share = sum > 0.0f ? f.y / sum : 0.0f;
    return f.x >= 0.0f ? (share >= 0.0f ? share : 4.0f + share) : 2.0f - share;
}

// O(size of the table): a shortest path for each entry.
void kerb_in_plan_distant_create(plan_distant* distant);

// Length of the shortest path, within 0.2 turning radii of kerb_reeds_shepp_length; the root mean
// square error is 0.02 radii. [straight: distance, >= PLAN_DISTANT_LEAST radii] O(1) [m]
float kerb_in_plan_distant_length(const plan_distant* distant, kerb_pose from, kerb_pose to,
                                  float radius, float straight);

#endif
