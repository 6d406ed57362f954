// What is in the way: the one question that searches, shots and improvement ask. Private to the
// room.
//
// In free space there is nothing: a plan_space of zeros. Who knows obstacles gives a function, and
// so does who knows ground that is not free of charge.
#ifndef KERB_IN_PLAN_WORLD_SPACE_H
#define KERB_IN_PLAN_WORLD_SPACE_H

#include "../../curve/shared.h"
#include "../model/movement.h"
#include "stencil.h"

/// Says whether the vehicle's footprint stays clear all along an arc from a pose. NULL: always.
typedef struct plan_space {
    bool (*is_free)(const void* context, kerb_pose from, plan_arc arc);
    const void* context;
    /// Both or neither: what there is to know beforehand of an arc that is asked for again and
    /// again, and the same answer by that.
    plan_stencil (*stencil)(const void* context, plan_arc arc);
    bool (*is_stencil_free)(const void* context, kerb_pose from, const plan_stencil* stencil);
    /// What an arc costs beside its time. NULL: nothing. [s]
    float (*toll)(const void* context, kerb_pose from, plan_arc arc);
    /// Says whether a whole way, driven as fast as it can be, meets none of those who cross it.
    /// NULL: none does.
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

/// Whether a whole way is free; stops at the first arc that is not.
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
