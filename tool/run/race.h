// A race as `kerb race` runs it: the options, the race with all that was recorded, and its reports:
// table, JSON, CSV. The picture is in picture_race.h, the page in race_page.h.
#ifndef KERB_TOOL_RUN_RACE_H
#define KERB_TOOL_RUN_RACE_H

#include "scene/race/race.h"
#include "scene/race/race_stage.h"
#include "tool/command/inputs.h"
#include "tool/command/outputs.h"
#include "tool/command/tracks.h"

#define TOOL_RACE_MODELS_MOST 8
#define TOOL_RACE_CONTACTS_MOST 4096 ///< that are kept with time and place; more are counted only
/// At most so many samples of all cars together; longer races have fewer a second.
#define TOOL_RACE_SAMPLES_MOST 200000

/// What is wished.
typedef struct tool_race_wish {
    const char* track; ///< as the user called it
    char vehicle_names[128];
    kerb_sim_model models[TOOL_RACE_MODELS_MOST]; ///< cars have them by turns
    int32_t model_count;
    int32_t cars;
    int32_t laps; ///< 0: five, of an open track one
    float skills[KERB_SCENE_RACE_CARS_MAX];
    float aggressions[KERB_SCENE_RACE_CARS_MAX]; ///< used when has_aggressions
    bool has_aggressions;
    bool people;                     ///< drivers have habits of their own
    const tool_words* settings;      ///< --set, of every driver
    int32_t order;                   ///< kerb_scene_race_order
    bool reverse;                    ///< the track the other way round
    const kerb_sim_physics* physics; ///< where they race; NULL: the reference simulation
    float grip;                      ///< of the ground, without telling the drivers
    float slipstream;                ///< share of the drag that is lost close behind others
    float wall_distance;             ///< less than 0: no walls [m]
    double time_most; ///< 0: three times as long as the line takes, and two minutes [s]
    int64_t seed;
    bool quiet;
    bool records; ///< keeps samples, for a page or a trace
} tool_race_wish;

/// One car at one time.
typedef struct tool_race_sample {
    float x, y, heading, speed, target_speed, acceleration;
    float steering, throttle, brake;
    float lane, error; ///< beside the line: share of the room; from where it wants to be [m]
    float target_x, target_y;
    float progress; ///< [m]
    int8_t reason, gear, phase;
    int8_t decider; ///< the car that it minds; -1: none
    int8_t told;    ///< of so many others
    bool outside, absent, touching;
} tool_race_sample;

/// Two cars that touched.
typedef struct tool_race_contact {
    double time;
    float x, y;
    float closing; ///< the greatest while it lasted [m/s]
    int32_t cars[2];
} tool_race_contact;

/// A race and what was seen of it.
typedef struct tool_race {
    const tool_race_wish* wish;
    tool_track track; ///< as the file has it
    kerb_scene_race_stage stage;
    kerb_scene_race race;
    kerb_performance performances[TOOL_RACE_MODELS_MOST];
    double profiles[KERB_SCENE_RACE_CARS_MAX]; ///< of each car: a flying lap, or an open track from
                                               ///< standing [s]
    int32_t laps;
    double wall_s; ///< that the race took on the wall's clock
    tool_race_contact* contacts;
    int32_t contact_count;
    int32_t* lasting;          ///< by pair: 1 + the contact that goes on, or 0
    tool_race_sample* samples; ///< car after car, then time after time
    int32_t sample_count;      ///< of each car
    int32_t sample_room;
    int32_t sample_every; ///< drive calls
    int32_t drives;
    bool out_of_memory;
} tool_race;

/// Prepares and runs it. Complains. Free it in any case.
tool_status tool_race_run(tool_race* race, const tool_race_wish* wish, const kerb_host* host);

/// The same in two parts: what all races of a wish share, then a race with a seed of its own, of
/// which nothing is recorded. `prepared` must outlive it. False when memory is missing.
tool_status tool_race_prepare(tool_race* race, const tool_race_wish* wish, const kerb_host* host);
bool tool_race_repeat(tool_race* race, const tool_race* prepared, uint64_t seed,
                      const kerb_host* host);
/// Of a repeated one.
void tool_race_repeat_free(tool_race* race);

void tool_race_free(tool_race* race, const kerb_host* host);

/// Seconds from sample to sample.
double tool_race_sample_step(const tool_race* race);
const tool_race_sample* tool_race_sample_at(const tool_race* race, int32_t index, int32_t car);

/// Sums over the cars.
typedef struct tool_race_sum {
    int32_t finished, solid_contacts, spins, put_back;
    double best_lap;          ///< 0: nobody did one [s]
    double best_over_profile; ///< of all cars, each by its model's profile; 0: nobody did a lap
    double damage, off_track_time;
    /// Of places and skills, by ranks (Spearman): 1 when the more skilled is always ahead; NaN when
    /// all have the same skill.
    double skill_correlation;
} tool_race_sum;

tool_race_sum tool_race_sum_up(const tool_race* race);

void tool_race_print(const tool_race* race);
/// False when memory is missing.
bool tool_race_print_json(const tool_race* race);
/// As --physics calls it.
const char* tool_race_physics_name(const tool_race* race);
tool_status tool_race_write_csv(const char* path, const tool_race* race);

#endif
