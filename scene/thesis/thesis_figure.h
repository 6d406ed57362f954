// The figures of the AIPATH thesis (chapters 4 and 5, appendix A), computed anew: as numbers, for
// whoever draws them.
//
//     kerb_scene_thesis_figure figure;
//     for (int32_t i = 0; i < KERB_SCENE_THESIS_FIGURES; i++)
//         if (kerb_scene_thesis_draw(&thesis, i, KERB_SCENE_THESIS_FINE, &figure)) …
//             kerb_scene_thesis_figure_free(&figure);
//
// The thesis's own pictures are lost; its captions are not. Each figure has what its caption says,
// in our words, and what ours shows.
#ifndef KERB_SCENE_THESIS_THESIS_FIGURE_H
#define KERB_SCENE_THESIS_THESIS_FIGURE_H

#include "scene/thesis/thesis.h"

#define KERB_SCENE_THESIS_FIGURES 38
#define KERB_SCENE_THESIS_PANELS 4
#define KERB_SCENE_THESIS_SERIES 18

/// Cells along a side of a map, and what else grows with it, of a figure to look at; for tests.
#define KERB_SCENE_THESIS_FINE 60
#define KERB_SCENE_THESIS_COARSE 10

typedef enum kerb_scene_thesis_mark {
    KERB_SCENE_THESIS_LINE,   ///< through the points
    KERB_SCENE_THESIS_DASHED, ///< the same, for what is only given: edges, ideal lines
    KERB_SCENE_THESIS_DOTS,   ///< at the points
    KERB_SCENE_THESIS_BARS,   ///< of a histogram: x is the left edge, y the height
    KERB_SCENE_THESIS_ARROWS  ///< from each even point to the one behind it
} kerb_scene_thesis_mark;

typedef struct kerb_scene_thesis_series {
    kerb_scene_thesis_mark mark;
    char label[40]; ///< "": none
    int32_t color;  ///< of the drawer's list; equal numbers are equal colours
    float *x, *y;   ///< NaN: a gap
    int32_t count, capacity;
} kerb_scene_thesis_series;

/// One picture with its axes.
typedef struct kerb_scene_thesis_panel {
    char title[64];
    const char *x_label, *y_label; ///< with their units
    bool is_map;                   ///< both axes in the same unit, drawn as long as each other
    double x0, x1, y0, y1;         ///< what is shown
    /// Values of a heat map, rows from y0 upwards, cells of a row from x0. NaN: impossible. NULL:
    /// there is none.
    float* heat;
    int32_t columns, rows;
    const char* heat_label; ///< with its unit
    int32_t count;
    kerb_scene_thesis_series series[KERB_SCENE_THESIS_SERIES];
} kerb_scene_thesis_panel;

typedef struct kerb_scene_thesis_figure {
    const char* name;  ///< as in the thesis: "4.2"
    const char* title; ///< in a few words
    const char* claim; ///< what the thesis says of its figure
    const char* ours;  ///< what this one shows, and why it differs where it does
    int32_t count;
    kerb_scene_thesis_panel panels[KERB_SCENE_THESIS_PANELS];
    bool out_of_memory;
} kerb_scene_thesis_figure;

/// Figure number 0 to KERB_SCENE_THESIS_FIGURES - 1. 5.7 has no panels: it is for whoever has a
/// clock. Those of chapter 5 and of appendix A that are
/// of random goals from the results of all jobs. Up to some seconds. [detail: 4 … 200] False
/// without memory; then there is nothing to free.
bool kerb_scene_thesis_draw(const kerb_scene_thesis* thesis, int32_t number, int32_t detail,
                            kerb_scene_thesis_figure* figure);
void kerb_scene_thesis_figure_free(kerb_scene_thesis_figure* figure);

/// The words of a figure alone, without panels. O(1)
kerb_scene_thesis_figure kerb_scene_thesis_figure_words(int32_t number);

/// Adds bars over `count` values between two bounds; what is beyond is in the outermost bar.
void kerb_scene_thesis_histogram(kerb_scene_thesis_figure* figure, const double* values,
                                 int32_t count, double low, double high, int32_t bars,
                                 const char* x_label);

#endif
