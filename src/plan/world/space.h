// Questions about obstacles and the cost of the ground, in one form for searches, shots and the
// improvement. Private to the room.
//
// Open ground is a plan_space of zeros. Obstacles and ground with a cost are functions in it.
#ifndef KERB_IN_PLAN_WORLD_SPACE_H
#define KERB_IN_PLAN_WORLD_SPACE_H

#include "../../curve/shared.h"
#include "../model/movement.h"
#include "stencil.h"

typedef struct plan_space {
    /// Whether the vehicle's footprint is free all along an arc from a pose. NULL: always.
    bool (*is_free)(const void* context, kerb_pose from, plan_arc arc);
    const void* context;
    /// The same along a clothoid. NULL: `is_free` is NULL, or no clothoids are asked for.
    bool (*is_bend_free)(const void* context, const plan_clothoid* bend);
    /// Both or neither: data that is computed once for an arc that is tested from many poses, and
    /// the answer of `is_free` by means of it.
    plan_stencil (*stencil)(const void* context, plan_arc arc);
    bool (*is_stencil_free)(const void* context, kerb_pose from, const plan_stencil* stencil);
    /// Cost of the ground along an arc. NULL: nothing. [s]
    float (*toll)(const void* context, kerb_pose from, plan_arc arc);
    /// Whether a whole path, driven as fast as possible, meets no moving obstacle. NULL: always.
    bool (*is_clear)(const void* clearance, kerb_pose start, const plan_arc* arcs, int32_t count,
                     float speed_start, float speed_goal);
    const void* clearance;
} plan_space;

static inline bool plan_way_is_clear(const plan_space* space, kerb_pose start, const plan_arc* arcs,
                                     int32_t count, float speed_start, float speed_goal) {
    return !space->is_clear ||
           space->is_clear(space->clearance, start, arcs, count, speed_start, speed_goal);
}

static inline float plan_way_toll(const plan_space* space, kerb_pose start, const plan_arc* arcs,
                                  int32_t count) {
    float toll = 0.0f;
    for (int32_t i = 0; space->toll && i < count; i++) {
        toll += space->toll(space->context, start, arcs[i]);
        start = curve_moved(start, arcs[i].curvature, arcs[i].length);
    }
    return toll;
}

/// Whether a whole path is free. Stops at the first arc that is not.
static inline bool plan_way_is_free(const plan_space* space, kerb_pose start, const plan_arc* arcs,
                                    int32_t count) {
    for (int32_t i = 0; space->is_free && i < count; i++) {
        if (!space->is_free(space->context, start, arcs[i]))
            return false;
        start = curve_moved(start, arcs[i].curvature, arcs[i].length);
    }
    return true;
}

#endif
