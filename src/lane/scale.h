// The keeper in units of its vehicle. Private to the room; scale.c says why.
#ifndef KERB_IN_LANE_SCALE_H
#define KERB_IN_LANE_SCALE_H

#include "kerb/lane.h"

/// What a keeper is in metres, while it is in units.
typedef struct lane_in_metres {
    kerb_lane_settings settings;
    kerb_vehicle vehicle;
    float scale; ///< a unit [m]
} lane_in_metres;

/// Turns the keeper into units of `scale` metres: settings, vehicle and decision. Its memory always
/// is.
lane_in_metres kerb_in_lane_to_units(kerb_lane_keeper* keeper, float scale);

/// Turns it back.
void kerb_in_lane_to_metres(kerb_lane_keeper* keeper, const lane_in_metres* before);

/// Rays and answers with all lengths and speeds times `by`.
void kerb_in_lane_scale_rays(kerb_lane_ray* rays, int32_t count, float by);
void kerb_in_lane_scale_hits(kerb_lane_hit* hits, int32_t count, float by);

/// Forgets a memory in other units than `scale` metres, which are 0 where they are metres. The
/// direction that the host gave stays.
static inline void lane_keep_units(kerb_lane_keeper* keeper, float scale) {
    if (keeper->memory.scale == scale)
        return;
    const kerb_lane_keeper_memory nothing = {.scale = scale, .way_meant = keeper->memory.way_meant};
    keeper->memory = nothing;
}

#endif
