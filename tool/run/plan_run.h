// What `kerb plan` has found, for its reports and pictures.
#ifndef KERB_TOOL_RUN_PLAN_RUN_H
#define KERB_TOOL_RUN_PLAN_RUN_H

#include "kerb/io/grid_map.h"
#include "scene/plan/plan_drive.h"
#include "scene/plan/plan_flood.h"
#include "scene/plan/planning.h"
#include "scene/thesis/thesis.h"
#include "tool/command/outputs.h"
#include "tool/run/plan_maker.h"

/// Answers of one planner on the way.
#define TOOL_PLAN_ANSWERS 64

/// An answer, better than those before it.
typedef struct tool_plan_answer {
    int32_t steps;
    float cost; ///< [s]
} tool_plan_answer;

/// What a planner is to find.
typedef struct tool_plan_job {
    kerb_scene_plan_task task;
    const kerb_plan_query* choice; ///< several starts or goals; NULL: those of the task
    const kerb_plan_world* world;  ///< NULL: open ground
    /// Of a turned map: the frame in which world, ends and movers are; NULL: the world's own.
    const kerb_io_map_info* frame;
    const kerb_plan_mover* movers; ///< who crosses the way; NULL: nobody
    int32_t mover_count;
    bool any_heading; ///< any of sixteen at the start, any at all at the goal
    /// Drives what is found, in the simulation; NULL: nobody. Read while it is asked for.
    const kerb_scene_plan_ride* ride;
} tool_plan_job;

/// A moment of a movement as it was driven.
typedef struct tool_plan_moment {
    float time; ///< [s]
    kerb_pose rear;
    float speed;           ///< along the pose [m/s]
    float error, late;     ///< off the movement [m], behind its time [s]
    float steering;        ///< where the wheels are, left positive [-1 … 1]
    float throttle, brake; ///< [0 … 1]
    float target_speed;    ///< along the pose [m/s]
    int32_t gear, reason;
} tool_plan_moment;

/// A movement as it was driven in the simulation.
typedef struct tool_plan_driven {
    bool was;     ///< driven at all
    bool touched; ///< an obstacle or the edge of the map, somewhere
    kerb_scene_plan_driven result;
    tool_plan_moment* moments; ///< all frames where they were kept; free() them
    int32_t count, capacity;
    kerb_vehicle vehicle;
} tool_plan_driven;

/// As well driven as is asked for: arrived, within that share of the planned time and never so far
/// off it.
#define TOOL_PLAN_TIME_SHARE 0.05
#define TOOL_PLAN_ERROR_MOST 0.3 // [m]

/// One movement and how it was found.
typedef struct tool_plan_found {
    tool_plan_job job;            ///< as it was asked for
    kerb_scene_plan_task task;    ///< with the ends that were chosen
    const kerb_plan_world* world; ///< NULL: open ground; in the frame of the job
    kerb_plan_outcome outcome;
    kerb_plan plan;          ///< `pieces` is NULL unless they were kept
    kerb_plan_piece* pieces; ///< kept ones; free() them
    kerb_error error;        ///< what the checker said
    bool valid;
    double first_ms, plan_ms; ///< wall time to the first answer, and in all
    float first_cost;         ///< [s]
    tool_plan_answer answers[TOOL_PLAN_ANSWERS];
    int32_t answer_count;
    kerb_plan_search_report searched; ///< where it was searched for with speed
    kerb_scene_thesis_result probe;   ///< of a random goal
    kerb_scene_plan_flooded flooded;  ///< what a flood says of its ends
    tool_plan_driven driven;
} tool_plan_found;

/// What one run of the command is about.
typedef struct tool_plan_run {
    const tool_outputs* outputs;
    tool_plan_found* found;
    int64_t count;
    const struct tool_plan_film* films; ///< of the first `film_count` movements; NULL: none
    int64_t film_count;
    bool is_random; ///< many: random goals
    bool is_list;   ///< many: from a file, or fields of blocks
    bool is_blocks; ///< fields of blocks: a picture is of the first
    bool anytime;
    bool searches;   ///< --search
    bool is_driven;  ///< --drive
    bool is_flooded; ///< --flood
    bool is_named;   ///< the vehicle was said
    bool is_probed;  ///< random goals that the thesis's probe was sent to
    char vehicle[64];
    double radius_min, radius_max; ///< of random goals [m]
} tool_plan_run;

/// The ends that a job may have.
typedef struct tool_plan_ends {
    kerb_plan_end starts[KERB_PLAN_ENDS_MAX], goals[KERB_PLAN_ENDS_MAX];
    kerb_plan_query query; ///< of these
} tool_plan_ends;

/// Begins a job with a maker for its vehicle and world. `ends` must stay where they are while their
/// query is used. Complains when it cannot.
tool_status tool_plan_begin(tool_plan_maker* maker, const tool_plan_job* job, tool_plan_ends* ends);

/// Plans with a maker for the job's vehicle and world. Keeps the pieces when told to. Complains
/// when it cannot.
tool_status tool_plan_ask(tool_plan_maker* maker, const tool_plan_job* job, bool keep,
                          tool_plan_found* found);

/// Makes one and asks it.
tool_status tool_plan_find(const tool_plan_job* job, const tool_plan_way* way, bool keep,
                           tool_plan_found* found);

/// Drives what was found with the job's ride; keeps the moments when told to. Complains when it
/// cannot.
tool_status tool_plan_drive(tool_plan_found* found, bool keep);

/// Whether it was driven as well as is asked for.
bool tool_plan_is_within(const tool_plan_driven* driven);

/// The moment at a time; after the last one that. There must be moments.
const tool_plan_moment* tool_plan_moment_at(const tool_plan_driven* driven, double time);

/// Share of the tightest turn, left positive. [1]
double tool_plan_steering(const kerb_plan_limits* limits, const kerb_plan_state* state);

// Reports. On standard output, and the CSV in its file.
void tool_plan_print(const tool_plan_run* run);
tool_status tool_plan_print_json(const tool_plan_run* run);
tool_status tool_plan_write_csv(const tool_plan_run* run);

#endif
