// Plans among moving obstacles: the planner's own plan with other speeds, and another path round
// the movers. Private to the room.
#ifndef KERB_IN_PLAN_POLISH_CROSSING_H
#define KERB_IN_PLAN_POLISH_CROSSING_H

#include "../search/speed_search.h"
#include "bends.h"
#include "polish.h"
#include "shortcut.h"
#include "timing.h"

#define PLAN_PASSAGE_PIECES PLAN_PIECES_OF(PLAN_ARCS_MAX)
_Static_assert(PLAN_PASSAGE_PIECES >= PLAN_SPEED_PIECES, "what either search finds is a passage");

// A plan that meets no mover.
typedef struct plan_passage {
    int32_t count;                  // of pieces; 0: there is none
    float cost, time, length, toll; // without penalties [s, s, m, s]
    kerb_plan_piece pieces[PLAN_PASSAGE_PIECES];
} plan_passage;

typedef enum plan_crossing_stage {
    PLAN_CROSSING_SEARCH, // searches for another path, with speed and time
    PLAN_CROSSING_CUT,    // shortens it
    PLAN_CROSSING_POLISH  // improves it
} plan_crossing_stage;

// Head of a block without pointers, apart from those of the host's movers. The states of its search
// follow.
typedef struct plan_crossing {
    size_t nodes; // bytes from the head
    plan_movers movers;
    // The planner's own plan, slower or with waits where it would meet a mover.
    plan_passage own;
    int32_t own_of; // value of plan_task.shows when it was timed
    // The best other plan, and the one that is tried.
    plan_passage other, tried;
    int32_t stage;    // plan_crossing_stage
    int32_t tries;    // of shortcuts or changes
    int32_t steps;    // successful tries, plus one
    bool stays_clear; // the path meets no mover at full speed, and its changes must not either
    // Indices of the ends of the search in the query.
    int32_t start_of[KERB_PLAN_ENDS_MAX], aim_of[KERB_PLAN_ENDS_MAX];
    int32_t start, aim; // of the other plan
    float penalties;    // of these ends [s]
    plan_speed_search search;
    plan_shortcut shortcut;
    plan_polish polish;
    plan_timing timing;
    kerb_plan_piece scratch[PLAN_PASSAGE_PIECES];
} plan_crossing;

size_t kerb_in_plan_crossing_bytes(int32_t nodes);
// O(bytes): touches all of it.
void kerb_in_plan_crossing_create(void* block, int32_t nodes);
plan_speed_nodes* kerb_in_plan_crossing_nodes(plan_crossing* crossing);

// Times a path among the movers and keeps it if it is better than the best other plan. False: no
// timing was found, or it is not better. `of_arcs`: with which the arcs were found.
bool kerb_in_plan_crossing_note(plan_crossing* crossing, plan_bends_memory* memory,
                                const kerb_plan_limits* limits, const plan_rates* of_arcs,
                                const plan_rates* rates, const plan_space* space,
                                const kerb_plan_end* start, const plan_arc* arcs, int32_t count,
                                float speed_goal);

// Whether a path at full speed meets no mover. plan_clearance is the context of the space.
typedef struct plan_clearance {
    plan_crossing* crossing; // its scratch is used
    const plan_rates* rates;
} plan_clearance;
bool kerb_in_plan_crossing_is_clear(const void* clearance, kerb_pose start, const plan_arc* arcs,
                                    int32_t count, float speed_start, float speed_goal);

#endif
