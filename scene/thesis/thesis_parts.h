// What the experiments of the AIPATH thesis and their tables share. Private to both.
#ifndef KERB_SCENE_THESIS_THESIS_PARTS_H
#define KERB_SCENE_THESIS_THESIS_PARTS_H

#include "scene/thesis/thesis.h"

#include "kerb/plan_search.h"

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
    KERB_SCENE_THESIS_SLOW,       // at 2 m/s
    KERB_SCENE_THESIS_SLOW_PROBE, // the same goals
    KERB_SCENE_THESIS_QUICK,      // Kerb's settings, with a probe and 100 expansions
    KERB_SCENE_THESIS_LONG,       // Kerb's settings, until nothing is better
    KERB_SCENE_THESIS_CELL_0,     // one for each size of cells
    KERB_SCENE_THESIS_VARIANTS = KERB_SCENE_THESIS_CELL_0 + KERB_SCENE_THESIS_CELLS
};

// Top speed of the slow ones: as fast as the thesis's plans of table 5.8 are. [m/s]
#define KERB_SCENE_THESIS_SLOW_SPEED 2.0f

// [m] (5.5)
extern const double kerb_scene_thesis_cells[KERB_SCENE_THESIS_CELLS];

typedef struct kerb_scene_thesis_curve {
    const char* name;
    float radius;  // [m]
    float degrees; // to the left
} kerb_scene_thesis_curve;

// (A.3)
extern const kerb_scene_thesis_curve kerb_scene_thesis_curves[KERB_SCENE_THESIS_CURVES];

// The road through a curve: an arc from the origin, facing along x.
typedef struct kerb_scene_thesis_road {
    float radius, angle; // the angle positive to the left [m, rad]
    float half_width;    // that may be used [m]
} kerb_scene_thesis_road;

#define KERB_SCENE_THESIS_ENDS 5 // across the road, at either end

typedef struct kerb_scene_thesis_road_ends {
    kerb_plan_end starts[KERB_SCENE_THESIS_ENDS], goals[KERB_SCENE_THESIS_ENDS];
} kerb_scene_thesis_road_ends;

// Those of tables 5.2 and 5.1. [0 <= curve < KERB_SCENE_THESIS_CURVES; 0 <= width <
// KERB_SCENE_THESIS_WIDTHS]
kerb_scene_thesis_road kerb_scene_thesis_road_of(int32_t curve);
kerb_scene_thesis_road kerb_scene_thesis_road_of_width(int32_t width);
// From all its starts to all its goals; `ends` must stay where they are.
kerb_plan_query kerb_scene_thesis_road_query(const kerb_plan_limits* limits,
                                             const kerb_scene_thesis_road* road, float speed,
                                             kerb_scene_thesis_road_ends* ends);
// For kerb_plan_world.is_free; the context is a road.
bool kerb_scene_thesis_is_on_road(void* context, kerb_pose pose);
// What leaving the centre on the way to the curve costs: a longer straight at top speed. (5.3) [s]
float kerb_scene_thesis_leaving(const kerb_plan_limits* limits, float aside);
// A vehicle without size: what is usable of the road has taken it off already.
kerb_plan_limits kerb_scene_thesis_as_a_point(kerb_plan_limits limits);

// Of the experiments, and of table 5.1's.
kerb_plan_search_settings kerb_scene_thesis_settings(const kerb_scene_thesis* t);
kerb_plan_search_settings kerb_scene_thesis_width_settings(const kerb_scene_thesis* t);
kerb_plan_limits kerb_scene_thesis_width_limits(void);

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
