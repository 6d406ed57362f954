// The models behind kinds of vehicles by name, for kind_drive.c. Private to the folder.
#ifndef KERB_SCENE_PLAN_KIND_MODEL_H
#define KERB_SCENE_PLAN_KIND_MODEL_H

#include "scene/plan/kind_drive.h"

typedef kerb_scene_kind_body kind_body;

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
