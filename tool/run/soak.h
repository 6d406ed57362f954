// `kerb follow --soak`: many vehicles in one town, in five trials with five seeds, compared with
// the baseline.
#ifndef KERB_TOOL_RUN_SOAK_H
#define KERB_TOOL_RUN_SOAK_H

#include "scene/town/soak.h"
#include "tool/command/inputs.h"
#include "tool/command/outputs.h"

#define TOOL_SOAK_TRIALS 5
#define TOOL_SOAK_FOLLOWERS 3

/// What was asked for.
typedef struct tool_soak_options {
    tool_words vehicles; ///< their types, by turns; none: all built-in ones
    tool_words settings; ///< of the followers
    const char* follower;
    double speed; ///< 0: SOAK_SPEED
    double hz;
    double minutes;
    int64_t count;      ///< of vehicles
    double disobedient; ///< drivers that yield to nobody [%]
    bool no_intents;    ///< no driver is told what the others mean to do
    tool_outputs outputs;
} tool_soak_options;

/// What came of it, for the reports.
typedef struct tool_soak {
    const tool_soak_options* options;
    kerb_scene_town* town;
    tool_vehicle* types;
    int32_t type_count;
    kerb_sim_model* models; ///< of the types
    kerb_follower_method methods[TOOL_SOAK_FOLLOWERS];
    int32_t method_count;
    kerb_follower_settings settings[TOOL_SOAK_FOLLOWERS];
    soak_result results[TOOL_SOAK_FOLLOWERS * TOOL_SOAK_TRIALS]; ///< by method, then trial
} tool_soak;

/// Mean and deviation over the trials of the figure that the soak test is about.
typedef struct tool_soak_figure {
    double mean, sigma; ///< [s]
} tool_soak_figure;

/// All driving time over all stuck events; without any, as if there were one. [s]
double tool_soak_per_event(const soak_count* sum);

/// Driving time per stuck event over the trials of a method. A trial without any counts as if it
/// had one at its end.
tool_soak_figure tool_soak_driving_per_event(const tool_soak* soak, int32_t method);

/// Sum of a method's counts over its trials; of all types, or of one (type: -1: all).
soak_count tool_soak_sum(const tool_soak* soak, int32_t method, int32_t type);

/// "kerb", "paper" or "baseline".
const char* tool_soak_method_name(const tool_soak* soak, int32_t method);

/// The seed of a trial.
uint64_t tool_soak_seed(const tool_soak* soak, int32_t trial);

/// Reports. False when memory is missing.
bool tool_soak_report_json(const tool_soak* soak, FILE* out);
void tool_soak_report_table(const tool_soak* soak, FILE* out);

/// Runs all of it.
tool_status tool_soak_run(const tool_soak_options* options);

#endif
