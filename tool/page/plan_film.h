// How a movement was found, for pictures: the tree of its searches, arc by arc, and the movements
// found meanwhile, each better than the one before.
#ifndef KERB_TOOL_PAGE_PLAN_FILM_H
#define KERB_TOOL_PAGE_PLAN_FILM_H

#include "tool/run/plan_run.h"

/// Most arcs of a film. Of larger trees those that lead on are kept, and of these the first.
#define TOOL_FILM_ARCS 30000

/// Most movements of a film, the last one among them.
#define TOOL_FILM_ANSWERS 40

/// An arc of a tree.
typedef struct tool_film_arc {
    kerb_pose from;
    float curvature, length; ///< [1/m], negative in reverse [m]
    float cost;              ///< of the way to its end [s]
    int32_t expansion;       ///< that found it, counted through all searches
    int32_t parent;          ///< index of the arc before it, as long as none is left out; -1: none
    bool leads_on;           ///< another one begins at its end
} tool_film_arc;

/// A movement on the way to the best.
typedef struct tool_film_answer {
    kerb_plan_piece* pieces;
    kerb_plan plan; ///< whose pieces these are
} tool_film_answer;

typedef struct tool_plan_film {
    tool_film_arc* arcs;
    int32_t arc_count, arc_capacity;
    int32_t left_out; ///< arcs
    tool_film_answer answers[TOOL_FILM_ANSWERS];
    int32_t answer_count;
    int32_t expansions; ///< in all
    float cost_most;    ///< of an arc [s]
} tool_plan_film;

/// Plans a movement once more, as it was found, and looks on. Complains when it cannot; free the
/// film with tool_plan_film_free all the same.
tool_status tool_plan_film_record(const tool_plan_found* found, const tool_plan_way* way,
                                  tool_plan_film* film);
void tool_plan_film_free(tool_plan_film* film);

/// A place of an arc, at a share of its length. [0 … 1]
kerb_vec2 tool_film_arc_at(const tool_film_arc* arc, float share);

#endif
