// The models behind kinds of vehicles by name, for kind_drive.c. Private to the folder.
#ifndef KERB_SCENE_PLAN_KIND_MODEL_H
#define KERB_SCENE_PLAN_KIND_MODEL_H

#include "scene/plan/kind_drive.h"

/// A vehicle of any model.
typedef union kind_body {
    kerb_sim_ship ship;
    kerb_sim_walker walker;
    kerb_sim_hover hover;
    kerb_sim_towing towing;
    kerb_sim_motorcycle motorcycle;
    kerb_sim_tracked tank;
    kerb_sim_spacecraft spacecraft;
    kerb_sim_hoverer hoverer;
    kerb_sim_airplane airplane;
    kerb_sim_submarine submarine;
} kind_body;

/// A row of functions for a model.
typedef struct kind_model {
    const char* name;
    void (*make)(kerb_scene_kind* kind);
    kind_body (*begin)(const kerb_scene_kind* kind, const float* state); ///< in a state of a plan
    kerb_motion (*motion)(const kind_body* body);
    void (*step)(kind_body* body, const kerb_controls* controls, float time);
} kind_model;

/// The models of kinds in space, from KERB_SCENE_SPACECRAFT on.
extern const kind_model kerb_scene_space_models[];

#endif
