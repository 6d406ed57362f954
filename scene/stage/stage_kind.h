// What the scenes of kinds of vehicles share. Private to scene/stage/.
#ifndef KERB_SCENE_STAGE_STAGE_KIND_H
#define KERB_SCENE_STAGE_STAGE_KIND_H

#include "scene/plan/kind_drive.h"
#include "scene/stage/stage_rooms.h"

/// A plan with its arrays, for the arena.
typedef struct stage_kind_plan {
    kerb_kind_plan plan; // into the arrays below
    float states[(KERB_KIND_PIECES_MAX + 1) * KERB_KIND_STATES_MAX];
    float controls[KERB_KIND_PIECES_MAX * KERB_KIND_CONTROLS_MAX];
    float gains[KERB_KIND_PIECES_MAX * KERB_KIND_CONTROLS_MAX * KERB_KIND_STATES_MAX];
    float times[KERB_KIND_PIECES_MAX + 1];
} stage_kind_plan;

/// Copies a plan out of its planner.
void kerb_scene_stage_kind_keep_plan(stage_kind_plan* kept, const kerb_kind_plan* found);

/// What drivers are told of a vehicle with wheels, tracks or a cushion; NULL: of another kind.
const kerb_vehicle* kerb_scene_stage_kind_vehicle(const kerb_scene_kind* kind);
/// Length, width and height. [m]
kerb_vec3 kerb_scene_stage_kind_size(const kerb_scene_kind* kind);
/// Shows a vehicle, or the trailer that it tows.
void kerb_scene_stage_kind_show(const kerb_scene_kind_ride* ride, bool trailer, stage_shown* shown);
/// Draws a plan that has pieces.
void kerb_scene_stage_kind_draw_plan(const kerb_kind* kind, const kerb_kind_plan* plan,
                                     kerb_draw_buffer* buffer);

#endif
