// The experiments of the AIPATH thesis (chapter 5), run anew with kerb_plan_search, beside its own
// numbers.
//
//     scene_thesis thesis;
//     if (!scene_thesis_make(&thesis, goals, expansions, seed)) …
//     for (int32_t i = 0; i < thesis.job_count; i++)
//         scene_thesis_run(&thesis, i); // in any order, on any thread
//     for (int32_t i = 0; i < SCENE_THESIS_TABLES; i++)
//         scene_thesis_table table = scene_thesis_tabulate(&thesis, i);
//     scene_thesis_free(&thesis);
#ifndef KERB_SCENE_THESIS_THESIS_H
#define KERB_SCENE_THESIS_THESIS_H

#include "scene/plan/planning.h"

#define SCENE_THESIS_COLUMNS 12
#define SCENE_THESIS_ROWS 20
#define SCENE_THESIS_TABLES 14

/// A column: what it is called in JSON, units and all, and over a printed table.
typedef struct scene_thesis_column {
    const char* key;
    const char* head;
    int32_t digits; ///< after the point
} scene_thesis_column;

/// A table or figure. NaN: there is no number.
typedef struct scene_thesis_table {
    const char* name; ///< as in the thesis: "5.1"; else a word
    const char* title;
    const char* note;  ///< what to know before comparing; NULL: nothing
    const char* label; ///< what `labels` are called in JSON; NULL: there are none
    int32_t columns, rows;
    scene_thesis_column column[SCENE_THESIS_COLUMNS];
    const char* labels[SCENE_THESIS_ROWS];
    double cells[SCENE_THESIS_ROWS][SCENE_THESIS_COLUMNS];
} scene_thesis_table;

/// What came of one search.
typedef struct scene_thesis_result {
    bool found, valid;
    int32_t expansions;
    float cost, length, least; ///< of the movement and the bound for it [s, m, s]
    float distance;            ///< from start to goal [m]
    float short_of;            ///< how far from the goal a probe has ended [m]
} scene_thesis_result;

typedef struct scene_thesis {
    int32_t goals;      ///< random ones of each experiment
    int32_t expansions; ///< of a search, at most
    uint64_t seed;
    int32_t job_count;
    scene_thesis_result* results; ///< of each job
} scene_thesis;

/// False without memory. [goals >= 1; expansions >= 1]
bool scene_thesis_make(scene_thesis* thesis, int32_t goals, int32_t expansions, uint64_t seed);
void scene_thesis_free(scene_thesis* thesis);

/// One search, up to some tenths of a second with 100,000 expansions.
void scene_thesis_run(scene_thesis* thesis, int32_t job);

/// The thesis's probe (4.4) for one task: `cost` is that of its way to the state that looks
/// nearest.
scene_thesis_result scene_thesis_probe(const scene_plan_task* task);
/// A probe has come to the goal's cell or to one beside it.
bool scene_thesis_comes_beside(const scene_thesis_result* result);

/// Table number 0 to SCENE_THESIS_TABLES - 1, from the results of all jobs.
scene_thesis_table scene_thesis_tabulate(const scene_thesis* thesis, int32_t number);

/// Movements found that the checker rejects.
int32_t scene_thesis_invalid(const scene_thesis* thesis);

#endif
