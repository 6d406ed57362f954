// `kerb plan` for kinds of vehicles that are no cars: ships, pedestrians, hovercraft, trailers,
// motorcycles, tanks.
#ifndef KERB_TOOL_RUN_KIND_RUN_H
#define KERB_TOOL_RUN_KIND_RUN_H

#include "scene/plan/kind_drive.h"
#include "tool/command/outputs.h"

/// What is asked.
typedef struct tool_kind_job {
    const char* vehicle;          ///< name of the kind
    kerb_plan_end from, to;       ///< of one plan; `penalty` is the hitch's angle in degrees
    const kerb_plan_world* world; ///< NULL: open ground
    int64_t random;               ///< number of random goals; 0: one plan
    double share;                 ///< of the controls; 0: the planner's default
    bool drive;
    float heights[2];      ///< of start and goal, in space [m]
    float pitches[2];      ///< of a spacecraft's nose [degrees]
    const char* obstacles; ///< "boxes", "ground", "octree" or "all", for random goals; NULL: none
    const tool_outputs* outputs;
} tool_kind_job;

/// One plan, for pictures and reports.
typedef struct tool_kind_found {
    const kerb_kind* kind;
    const kerb_plan_world* world;
    kerb_kind_plan plan;
    kerb_plan_outcome outcome;
    bool valid;
    kerb_error error; ///< what the checker said
    double plan_ms;
    kerb_scene_kind_driven driven;
} tool_kind_found;

/// Whether a vehicle is planned so: hovercraft where they are driven, tanks where it is asked for.
bool tool_kind_is(const char* vehicle, bool drive, bool is_asked);

/// Plans, drives and reports.
tool_status tool_kind_run(const tool_kind_job* job);

/// Plans from one state to another, checks the plan, and drives it where that is asked for.
void tool_kind_find(const tool_kind_job* job, const kerb_scene_kind* k, kerb_kind_planner* planner,
                    const float* from, const float* to, tool_kind_found* found);
/// Plans to random goals and reports the sums.
tool_status tool_kind_many(const tool_kind_job* job, const kerb_scene_kind* k,
                           kerb_kind_planner* planner);
/// Writes the report of one plan. Complains when it cannot.
tool_status tool_kind_report(const tool_kind_job* job, const tool_kind_found* found);

/// Writes a picture. Complains when it cannot.
tool_status tool_picture_kind_write(const char* svg, const char* png, const tool_kind_found* found);

#endif
