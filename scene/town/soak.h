// The soak test (EA section IV): many vehicles drive about one town for minutes, each from one
// random place to the next. It counts how often they get stuck or hit something. The command and
// the tests share it.
#ifndef KERB_SCENE_TOWN_SOAK_H
#define KERB_SCENE_TOWN_SOAK_H

#include "kerb/kerb.h"
#include "scene/course/trial.h"
#include "scene/town/town.h"
#include "sim/vehicle.h"

#define SOAK_VEHICLES_MOST 200
#define SOAK_MINUTES_MOST 120
#define SOAK_MODELS_MOST 16
#define SOAK_WAIT_SECONDS 60.0 ///< longer waits for others are stuck events
#define SOAK_LONG_SECONDS 30.0 ///< longer stands are counted in long_waits_s
#define SOAK_SPEED 10.0f ///< requested unless the user says otherwise, as on the courses [m/s]

/// What is counted, over all vehicles or over those of one model.
///
/// A vehicle that makes no progress (scene/course/judge.h) while it waits for others is told apart
/// from one that is stuck: if it goes on within SOAK_WAIT_SECONDS, that is a wait and no stuck
/// event.
typedef struct soak_count {
    int32_t stuck_events;
    int32_t short_waits;      ///< waits for others that ended within SOAK_WAIT_SECONDS
    int32_t vehicle_contacts; ///< of two vehicles; in a model's count, its part in each
    int32_t hard_contacts;    ///< those that closed at 1 m/s or more
    int32_t solid_contacts;   ///< touches of solids, each counted once until apart for a second
    int32_t solid_contacts_inside; ///< those by a vehicle that was whole in its corridor
    int32_t teleports;
    int32_t trips;           ///< places reached
    double driving_s;        ///< vehicles times time
    double distance;         ///< [m]
    double progress, inside; ///< metres of progress, and those inside the corridor
    double standing_s;       ///< slower than 0.5 m/s
    double long_waits_s;     ///< part of standing_s in stands longer than SOAK_LONG_SECONDS
    double standing_longest; ///< [s]
} soak_count;

typedef struct soak_result {
    soak_count all;
    soak_count by_model[SOAK_MODELS_MOST];
    int32_t stuck_by_minute[SOAK_MINUTES_MOST];
    int32_t stuck_by_reason[KERB_REASON_COUNT]; ///< by what the driver said
    double drive_ns;                            ///< median cost of a drive call; 0 without a clock
} soak_result;

typedef enum soak_mark_kind {
    SOAK_MARK_STUCK,
    SOAK_MARK_VEHICLES, ///< two touch
    SOAK_MARK_SOLID,
    SOAK_MARK_TELEPORT
} soak_mark_kind;

/// Something that happened.
typedef struct soak_mark {
    double time; ///< [s]
    soak_mark_kind kind;
    int32_t vehicle, other; ///< other: -1 where there is none
    kerb_vec3 position;     ///< of the vehicle [m]
    float speed;            ///< of the vehicle, or closing speed of two [m/s]
    kerb_reason reason;     ///< what its driver said
    bool inside;            ///< it was whole in its corridor
} soak_mark;

/// How to run a trial.
typedef struct kerb_scene_soak {
    const kerb_scene_town* town;
    const kerb_sim_model* models; ///< vehicles are of these by turns
    int32_t model_count;          ///< [1 … SOAK_MODELS_MOST]
    int32_t vehicle_count;        ///< [1 … SOAK_VEHICLES_MOST]
    double seconds;               ///< [> 0, at most SOAK_MINUTES_MOST minutes]
    uint64_t seed;
    kerb_follower_settings settings;
    bool alone;      ///< drivers are not told of each other
    bool no_intents; ///< drivers are told of each other, but not what they mean to do
    /// Share of drivers that yield to nobody: they are told only of vehicles ahead that drive their
    /// way or stand, and do not say what they mean to do. [%] [0 … 100]
    float disobedient_percent;
    float drive_hz;   ///< drive calls per simulated second [> 0]
    float physics_hz; ///< at least this many physics steps per second
    /// Room for a path: longer routes end earlier. [64 … TOWN_ROUTE_WAYPOINTS]
    int32_t route_waypoints;
    /// May be NULL; after each drive call, with a frame and the present path of every vehicle;
    /// `touching` is said of solids and of other vehicles.
    void (*watch)(void* context, const kerb_scene_frame* frames, const kerb_path* const* paths,
                  int32_t count);
    void (*mark)(void* context, const soak_mark* mark); ///< may be NULL
    void* context;
    uint64_t (*clock_ns)(void); ///< may be NULL
} kerb_scene_soak;

/// 64 vehicles, five minutes, 60 Hz driving, 240 Hz physics, nobody watching.
kerb_scene_soak kerb_scene_soak_default(const kerb_scene_town* town, const kerb_sim_model* models,
                                        int32_t model_count,
                                        const kerb_follower_settings* settings);

/// Adds one count to another.
void kerb_scene_soak_add(soak_count* sum, const soak_count* one);

/// Runs it. The same words give the same result on every machine. Errors: bad settings, counts out
/// of range, more vehicles than there is room for in the streets, no memory.
kerb_result kerb_scene_soak_run(const kerb_scene_soak* soak, const kerb_host* host,
                                soak_result* result, kerb_error* error);

#endif
