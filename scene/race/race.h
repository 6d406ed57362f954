// A whole race, in sim/ or in another physics: cars on a grid, a standing start, contacts, laps,
// places, overtakes.
//
//     kerb_scene_race_settings settings = kerb_scene_race_settings_default(&line, &ground, &model);
//     settings.cars = 20;
//     settings.laps = 10;
//     kerb_scene_race race;
//     if (kerb_scene_race_create(&race, &settings, &host, &error) != KERB_OK) …
//     while (kerb_scene_race_step(&race)) …          // one drive call of every car
//     for (int32_t place = 1; place <= race.count; place++)
//         kerb_scene_race_result result = kerb_scene_race_result_at(&race, place);
//     kerb_scene_race_destroy(&race);
//
// scene/race/race_stage.h puts track, line and ground together. What is measured:
//
// - **Progress**: distance of the car's centre of mass along the track's centre line since the
// start
//   line; judged here, not by the driver. Less than 0 on the grid.
// - **Lap**: from one crossing of the start line to the next; the first from the start of the race.
// - **Finish**: when all laps are done; once one car has finished, all others with their next
//   crossing of the line, as under a chequered flag. A car that has finished leaves the track at
//   once.
// - **Place**: by progress; of those that have finished with as many laps, by time.
// - **Off the track**: the reference point is past an edge.
// - **Overtake**: the order of two cars on the road changes, and stays so for 2 s or until one of
//   them finishes. It does not count when the passed car is off the track, spins, turns round or is
//   being put back. It is **clean** when the two do not touch from 2 s before to 2 s after.
//   **Lapping** is measured by the same rules: passing a car that is then a lap or more behind.
// - Contacts and damage: scene/race/race_contacts.h.
//
// There is a slipstream only when the settings say so. It removes drag and nothing else: no
// downforce is lost behind other cars.
//
// A driver that requests a teleport (KERB_REASON_TELEPORT) is put back at standstill on the track
// where it is, as soon as no car is near.
//
// Deterministic: in sim/ the same settings give the same bits; another physics documents its own
// rules. Nothing allocates after kerb_scene_race_create, except another physics.
#ifndef KERB_SCENE_RACE_RACE_H
#define KERB_SCENE_RACE_RACE_H

#include "kerb/racing_line.h"

#include "kerb/racer.h"
#include "scene/race/race_contacts.h"
#include "scene/race/race_ground.h"
#include "scene/timing/call_times.h"
#include "sim/group.h"

#define KERB_SCENE_RACE_STEP (1.0f / 240.0f) ///< of the physics [s]
#define KERB_SCENE_RACE_LAPS_MOST 1000
/// Others this near are told to a driver. [m]
#define KERB_SCENE_RACE_SIGHT 150.0f

/// Who stands where on the grid.
typedef enum kerb_scene_race_order {
    KERB_SCENE_RACE_ORDER_GIVEN,   ///< car 0 in front
    KERB_SCENE_RACE_ORDER_REVERSE, ///< the least skill in front; of equal skills the highest number
    KERB_SCENE_RACE_ORDER_RANDOM   ///< by the seed
} kerb_scene_race_order;

typedef struct kerb_scene_race kerb_scene_race;

/// What to run. Begin with kerb_scene_race_settings_default. All that it points to must outlive the
/// race.
typedef struct kerb_scene_race_settings {
    const kerb_racing_line* line;
    const kerb_scene_race_ground* ground;
    const kerb_sim_model* models; ///< car i drives models[i % model_count]
    /// What each of the models can do, for the drivers; NULL: kerb_performance_of.
    const kerb_performance* performances;
    const kerb_sim_group_physics* physics; ///< that the cars move in; NULL: sim/
    int32_t model_count;                   ///< [>= 1]
    int32_t cars;                          ///< [1 … KERB_SCENE_RACE_CARS_MAX]
    int32_t laps;        ///< [1 … KERB_SCENE_RACE_LAPS_MOST]; on an open line 1, from end to end
    const float* skills; ///< of each car [0 … 1]; NULL: all 1
    int32_t order;       ///< kerb_scene_race_order
    float grid_spacing;  ///< from one place on the grid to the next, along the track [m] [> 0]
    float grid_jitter;   ///< places differ by so much along the track, half of it across [m]
    float grip;          ///< of the ground, times its own; the drivers are not told [1] [> 0]
    /// Behind others a car loses this share of its drag, as kerb_slipstream says; the drivers know.
    float slipstream;        ///< [0 … 0.9] 0: none, as in sim/ alone
    float slipstream_length; ///< half of it is left so far behind [m] [> 0]
    uint64_t seed;           ///< of the grid and of the drivers
    int32_t drive_every;     ///< physics steps for each drive call [1 … 24]
    double time_most;        ///< the race ends then [s] [> 0]
    /// May be NULL: changes a driver before the start.
    void (*prepare)(void* context, int32_t car, kerb_racer* racer);
    /// May be NULL: once a step, when all have driven, before their vehicles move.
    void (*watch)(void* context, const kerb_scene_race* race);
    void* context;
    /// May be NULL: nanoseconds, to time the drive calls with. Changes nothing else.
    uint64_t (*clock)(void);
} kerb_scene_race_settings;

/// Two equal cars of one model, three laps, 60 Hz, places 8 m apart and the seed 0.
kerb_scene_race_settings kerb_scene_race_settings_default(const kerb_racing_line* line,
                                                          const kerb_scene_race_ground* ground,
                                                          const kerb_sim_model* model);

/// One car of a race. Read it freely.
typedef struct kerb_scene_race_car {
    float skill;
    int32_t model; ///< which of the settings' models
    kerb_racer racer;
    kerb_motion motion;          ///< that the driver was told last
    kerb_controls controls;      ///< and what it did
    const kerb_controls* player; ///< who drives in place of the racer; NULL: nobody
    bool player_drove;           ///< in the frame before
    kerb_scene_race_place on;    ///< the ground
    double along;                ///< the track's centre line [m]
    double progress;             ///< since the start line, laps counted [m]
    float outside;               ///< how far past the track's edge; less than 0: inside [m]
    float outside_most;          ///< the greatest so far [m]
    bool finished;
    int32_t start_place, place; ///< from 1
    int32_t laps;               ///< done
    double lap_began;           ///< [s]
    double best_lap;            ///< 0: none yet [s]
    double total;               ///< since the start, when it finished [s]
    double off_track_time;      ///< [s]
    int32_t spins;              ///< times that it lost the car
    int32_t put_back;           ///< times that it was put back on the track
    float waits;                ///< for being put back, since [s]
    int32_t phase;              ///< kerb_racer_phase in the last frame
    int32_t overtakes, overtaken;
    int32_t neighbours; ///< that it was told of
    float tow;          ///< share of its drag that others before it take [0 … 1]
} kerb_scene_race_car;

/// What two cars are to each other. The one with the lower number is counted from.
typedef struct kerb_scene_race_pair {
    int32_t rounds; ///< whole rounds that it is ahead, rounded down; the order that counts
    int32_t now;    ///< the same, as it is now
    int32_t gift;   ///< the one that was passed was in trouble
    double since;   ///< when that changed [s]
    double touched; ///< when they last touched [s]
} kerb_scene_race_pair;

/// A race. Read it freely; change nothing but a car's racer.settings and player.
struct kerb_scene_race {
    kerb_scene_race_settings settings;
    int32_t count;
    const kerb_sim_group_physics* physics;
    void* group;               ///< the cars in it
    kerb_scene_race_car* cars; ///< by number
    int32_t* order;            ///< cars by their place now, the leader first
    kerb_scene_race_pair* pairs;
    kerb_scene_race_contacts* contacts;
    double* lap_ends; ///< count × settings.laps [s]
    double length;    ///< of a lap [m]
    double time;      ///< since the start [s]
    double flag;      ///< when the winner finished; less than 0: not yet [s]
    int32_t finished; ///< cars
    int32_t overtakes, overtakes_clean;
    int32_t lappings, lappings_clean;
    kerb_scene_call_times drives;
    void* memory;
    size_t bytes;
    kerb_allocator allocator;
};

/// Puts the cars on the grid. Allocates about 34 KB, and 27 to 29 KB a car. Errors: OUT_OF_RANGE of
/// a setting, of `cars` when the grid is longer than the track, or of `models` when the physics has
/// not all of them; OUT_OF_MEMORY; then the race is zeroed.
kerb_result kerb_scene_race_create(kerb_scene_race* race, const kerb_scene_race_settings* settings,
                                   const kerb_host* host, kerb_error* error);

/// Gives the memory back. Harmless on a zeroed race.
void kerb_scene_race_destroy(kerb_scene_race* race);

/// Everybody drives, then moves, for one drive call. False when the race is over. O(cars²), with a
/// small factor.
bool kerb_scene_race_step(kerb_scene_race* race);

/// Puts a car elsewhere, at rest, which is no overtake. False for a car that has finished.
bool kerb_scene_race_put(kerb_scene_race* race, int32_t number, kerb_vec3 position, float heading);

/// How one car did.
typedef struct kerb_scene_race_result {
    int32_t driver; ///< the car's number
    float skill;
    int32_t place, start_place; ///< from 1
    int32_t laps;               ///< done
    bool finished;
    double best_lap;       ///< 0: none [s]
    double total;          ///< when it finished, or until the race ended [s]
    double gap;            ///< behind the winner, of those with as many laps; else 0 [s]
    float damage;          ///< [m²/s²]
    double off_track_time; ///< [s]
    float outside_most;    ///< greatest distance past the edge; less than 0: never out [m]
    int32_t contacts, hard_contacts, solid_contacts;
    int32_t spins, put_back;
    int32_t overtakes, overtaken;
} kerb_scene_race_result;

/// Who is at a place, now or in the end. [place: 1 … count]
kerb_scene_race_result kerb_scene_race_result_at(const kerb_scene_race* race, int32_t place);

/// When a car ended a lap, since the start of the race. [lap: 0 … its laps - 1] [s]
double kerb_scene_race_lap_end(const kerb_scene_race* race, int32_t car, int32_t lap);
double kerb_scene_race_lap_time(const kerb_scene_race* race, int32_t car, int32_t lap);

/// Median and mean time of a drive call, and what a share of them stay below: the upper end of a
/// bin, so up to 6.25 % too much. Without what reading the clock costs. 0 without a clock.
/// [share: 0 … 1] [ns]
double kerb_scene_race_drive_ns(const kerb_scene_race* race);
double kerb_scene_race_drive_ns_mean(const kerb_scene_race* race);
double kerb_scene_race_drive_ns_below(const kerb_scene_race* race, double share);

#endif
