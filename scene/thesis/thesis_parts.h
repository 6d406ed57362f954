// What the experiments of the AIPATH thesis and their tables share. Private to both.
#ifndef KERB_SCENE_THESIS_THESIS_PARTS_H
#define KERB_SCENE_THESIS_THESIS_PARTS_H

#include "scene/thesis/thesis.h"

#define KERB_SCENE_THESIS_CELLS 14
#define KERB_SCENE_THESIS_CURVES 4
#define KERB_SCENE_THESIS_WIDTHS 10

// Of table 5.1.
#define KERB_SCENE_THESIS_RADIUS 8.0f   // [m]
#define KERB_SCENE_THESIS_LATERAL 20.0f // [m/s²]
#define KERB_SCENE_THESIS_SPEED 10.0f   // at both ends [m/s]

// Over random goals. The first is the thesis's own.
enum {
    KERB_SCENE_THESIS_BY_TIME,
    KERB_SCENE_THESIS_BY_DISTANCE,
    KERB_SCENE_THESIS_ADMISSIBLE,
    KERB_SCENE_THESIS_PROBE,
    KERB_SCENE_THESIS_PROBE_FIRST,
    KERB_SCENE_THESIS_ROUNDED,
    KERB_SCENE_THESIS_TIMED,
    KERB_SCENE_THESIS_RANK_COST,
    KERB_SCENE_THESIS_WEIGHT_1,
    KERB_SCENE_THESIS_2_DEGREES,
    KERB_SCENE_THESIS_10_DEGREES,
    KERB_SCENE_THESIS_SHOTS,
    KERB_SCENE_THESIS_CELL_0, // one for each size of cells
    KERB_SCENE_THESIS_VARIANTS = KERB_SCENE_THESIS_CELL_0 + KERB_SCENE_THESIS_CELLS
};

// [m] (5.5)
extern const double kerb_scene_thesis_cells[KERB_SCENE_THESIS_CELLS];

typedef struct kerb_scene_thesis_curve {
    const char* name;
    float radius;  // [m]
    float degrees; // to the left
} kerb_scene_thesis_curve;

// (A.3)
extern const kerb_scene_thesis_curve kerb_scene_thesis_curves[KERB_SCENE_THESIS_CURVES];

// Over the ideal line of table 5.1. [s]
float kerb_scene_thesis_ideal_time(float length);

// `goals` results each.
const kerb_scene_thesis_result* kerb_scene_thesis_of_variant(const kerb_scene_thesis* t,
                                                             int32_t variant);
const kerb_scene_thesis_result* kerb_scene_thesis_of_curve(const kerb_scene_thesis* t,
                                                           int32_t curve);
// One.
const kerb_scene_thesis_result* kerb_scene_thesis_of_width(const kerb_scene_thesis* t,
                                                           int32_t width);

#endif
