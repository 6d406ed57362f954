// The experiments of the AIPATH thesis (chapter 5), repeated with kerb_plan_search, beside its own
// numbers.
//
//     kerb_scene_thesis thesis;
//     if (!kerb_scene_thesis_make(&thesis, goals, expansions, seed)) …
//     for (int32_t i = 0; i < thesis.job_count; i++)
//         kerb_scene_thesis_run(&thesis, i); // in any order, on any thread
//     for (int32_t i = 0; i < KERB_SCENE_THESIS_TABLES; i++)
//         kerb_scene_thesis_table table = kerb_scene_thesis_tabulate(&thesis, i);
//     kerb_scene_thesis_free(&thesis);
#ifndef KERB_SCENE_THESIS_THESIS_H
#define KERB_SCENE_THESIS_THESIS_H

#include "scene/plan/planning.h"

#define KERB_SCENE_THESIS_COLUMNS 12
#define KERB_SCENE_THESIS_ROWS 20
#define KERB_SCENE_THESIS_TABLES 17

/// A column: what it is called in JSON, units and all, and over a printed table.
typedef struct kerb_scene_thesis_column {
    const char* key;
    const char* head;
    int32_t digits; ///< after the point
} kerb_scene_thesis_column;

/// A table or figure. NaN: there is no number.
typedef struct kerb_scene_thesis_table {
    const char* name; ///< as in the thesis: "5.1"; else a word
    const char* title;
    const char* note;  ///< what to know before comparing; NULL: nothing
    const char* label; ///< what `labels` are called in JSON; NULL: there are none
    int32_t columns, rows;
    kerb_scene_thesis_column column[KERB_SCENE_THESIS_COLUMNS];
    const char* labels[KERB_SCENE_THESIS_ROWS];
    double cells[KERB_SCENE_THESIS_ROWS][KERB_SCENE_THESIS_COLUMNS];
} kerb_scene_thesis_table;

/// What came of one search.
typedef struct kerb_scene_thesis_result {
    bool found, valid;
    int32_t expansions;
    float cost, length, least; ///< of the movement and the bound for it [s, m, s]
    float distance;            ///< from start to goal [m]
    float short_of;            ///< how far from the goal a probe has ended [m]
} kerb_scene_thesis_result;

typedef struct kerb_scene_thesis {
    int32_t goals;      ///< random ones of each experiment
    int32_t expansions; ///< of a search, at most
    uint64_t seed;
    int32_t job_count;
    kerb_scene_thesis_result* results; ///< of each job
} kerb_scene_thesis;

/// False without memory. [goals >= 1; expansions >= 1]
bool kerb_scene_thesis_make(kerb_scene_thesis* thesis, int32_t goals, int32_t expansions,
                            uint64_t seed);
void kerb_scene_thesis_free(kerb_scene_thesis* thesis);

/// One search, up to some tenths of a second with 100,000 expansions.
void kerb_scene_thesis_run(kerb_scene_thesis* thesis, int32_t job);

/// The thesis's probe (4.4) for one task: `cost` is that of its way to the state that looks
/// nearest.
kerb_scene_thesis_result kerb_scene_thesis_probe(const kerb_scene_plan_task* task);
/// A probe has come to the goal's cell or to one beside it.
bool kerb_scene_thesis_comes_beside(const kerb_scene_thesis_result* result);

/// Table number 0 to KERB_SCENE_THESIS_TABLES - 1, from the results of all jobs.
kerb_scene_thesis_table kerb_scene_thesis_tabulate(const kerb_scene_thesis* thesis, int32_t number);

/// Movements found that the checker rejects.
int32_t kerb_scene_thesis_invalid(const kerb_scene_thesis* thesis);

#endif
