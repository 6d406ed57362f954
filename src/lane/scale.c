// Purpose: lets the keeper drive vehicles that are far smaller or larger than cars.
// Idea:    The keeper knows some sixty lengths and speeds, chosen for vehicles on roads for cars.
//          In units of kerb_vehicle_scale metres a model car is a car. So settings, vehicle,
//          motion, rays and answers are divided by the scale before a call, and what the host reads
//          is multiplied by it after. The controls have no lengths.
// Cost:    O(rays), for such vehicles only.
// Source:  our own.
#include "scale.h"

#include "../base/shared.h"
#include "../vehicle/shared.h"

static void scale_decision(kerb_lane_decision* decision, float by) {
    const float inverse = 1.0f / by;
    decision->lookahead_point = kerb_vec3_scale(decision->lookahead_point, by);
    decision->target = kerb_vec3_scale(decision->target, by);
    decision->commanded_curvature *= inverse;
    decision->lane_curvature *= inverse;
    decision->limiting_curvature *= inverse;
    decision->target_speed *= by;
    decision->edge_distance *= by;
    decision->road_width *= by;
    decision->sight *= by;
    decision->gap = decision->gap < 0.0f ? decision->gap : decision->gap * by; // -1: none
}

void kerb_in_lane_scale_rays(kerb_lane_ray* rays, int32_t count, float by) {
    for (int32_t i = 0; i < count; i++) {
        rays[i].origin = kerb_vec3_scale(rays[i].origin, by);
        rays[i].length *= by;
    }
}

void kerb_in_lane_scale_hits(kerb_lane_hit* hits, int32_t count, float by) {
    for (int32_t i = 0; i < count; i++) {
        hits[i].distance *= by;
        hits[i].velocity = kerb_vec3_scale(hits[i].velocity, by);
    }
}

lane_in_metres kerb_in_lane_to_units(kerb_lane_keeper* keeper, float scale) {
    const lane_in_metres before = {keeper->settings, keeper->vehicle, scale};
    const float by = 1.0f / scale;
    kerb_in_settings_to_units(&kerb_lane_settings_table, &keeper->settings, by);
    keeper->vehicle = kerb_in_vehicle_scaled(&keeper->vehicle, by);
    scale_decision(&keeper->decision, by);
    return before;
}

void kerb_in_lane_to_metres(kerb_lane_keeper* keeper, const lane_in_metres* before) {
    keeper->settings = before->settings;
    keeper->vehicle = before->vehicle;
    scale_decision(&keeper->decision, before->scale);
}
