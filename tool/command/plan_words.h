// Values of `kerb plan` that are numbers with commas: ends, tolerances, movers.
#ifndef KERB_TOOL_COMMAND_PLAN_WORDS_H
#define KERB_TOOL_COMMAND_PLAN_WORDS_H

#include "kerb/plan.h"
#include "tool/command/arguments.h"

/// Ends as X,Y,DEG,V or X,Y,DEG,V,PENALTY; `option` is whose words these are. [ends:
/// KERB_PLAN_ENDS_MAX] `has_hitch`: the fifth number is the angle of a trailer's hitch, of either
/// sign, in kerb_plan_end.penalty. [degrees] Complains when one is wrong or they are too many.
tool_status tool_plan_words_ends(const char* option, const tool_words* words, bool has_hitch,
                                 kerb_plan_end* ends);

/// M,DEG,V into a goal.
tool_status tool_plan_words_tolerance(const char* text, kerb_plan_end* goal);

/// Two numbers, for start and goal, of --heights [m] or --pitch [degrees]. Complains.
tool_status tool_plan_words_pair(const char* option, const char* text, float pair[2]);

/// Movers as X,Y,VX,VY or X,Y,VX,VY,LENGTH,WIDTH. [movers: KERB_PLAN_MOVERS_MAX]
tool_status tool_plan_words_movers(const tool_words* words, kerb_plan_mover* movers);

#endif
