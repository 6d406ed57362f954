// What the experiments of the AIPATH thesis and their tables share. Private to both.
#ifndef KERB_SCENE_THESIS_THESIS_PARTS_H
#define KERB_SCENE_THESIS_THESIS_PARTS_H

#include "scene/thesis/thesis.h"

#define SCENE_THESIS_CELLS 14
#define SCENE_THESIS_CURVES 4
#define SCENE_THESIS_WIDTHS 10

// Of table 5.1.
#define SCENE_THESIS_RADIUS 8.0f   // [m]
#define SCENE_THESIS_LATERAL 20.0f // [m/s²]
#define SCENE_THESIS_SPEED 10.0f   // at both ends [m/s]

// Over random goals. The first is the thesis's own.
enum {
    SCENE_THESIS_BY_TIME,
    SCENE_THESIS_BY_DISTANCE,
    SCENE_THESIS_ADMISSIBLE,
    SCENE_THESIS_PROBE,
    SCENE_THESIS_PROBE_FIRST,
    SCENE_THESIS_ROUNDED,
    SCENE_THESIS_TIMED,
    SCENE_THESIS_RANK_COST,
    SCENE_THESIS_WEIGHT_1,
    SCENE_THESIS_2_DEGREES,
    SCENE_THESIS_10_DEGREES,
    SCENE_THESIS_SHOTS,
    SCENE_THESIS_CELL_0, // one for each size of cells
    SCENE_THESIS_VARIANTS = SCENE_THESIS_CELL_0 + SCENE_THESIS_CELLS
};

// [m] (5.5)
extern const double scene_thesis_cells[SCENE_THESIS_CELLS];

typedef struct scene_thesis_curve {
    const char* name;
    float radius;  // [m]
    float degrees; // to the left
} scene_thesis_curve;

// (A.3)
extern const scene_thesis_curve scene_thesis_curves[SCENE_THESIS_CURVES];

// Over the ideal line of table 5.1. [s]
float scene_thesis_ideal_time(float length);

// `goals` results each.
const scene_thesis_result* scene_thesis_of_variant(const scene_thesis* t, int32_t variant);
const scene_thesis_result* scene_thesis_of_curve(const scene_thesis* t, int32_t curve);
// One.
const scene_thesis_result* scene_thesis_of_width(const scene_thesis* t, int32_t width);

#endif
