// A car that is described wrongly learns from its laps: one seed gives a track, a car and what the
// description has wrong. For figures about learning, on many seeds.
//
//     kerb_scene_race_learn run;
//     if (kerb_scene_race_learn_run(&run, 17, (kerb_scene_race_wrong){0.8f, 1.2f, 0.9f, 1.0f}, 12))
//         … run.lap_time[5] / run.promised[5] …
#ifndef KERB_SCENE_RACE_RACE_LEARN_H
#define KERB_SCENE_RACE_RACE_LEARN_H

#include "scene/race/race_pace.h"

#define KERB_SCENE_RACE_LEARN_LAPS 16

/// What the description says over what is true. [1]
typedef struct kerb_scene_race_wrong {
    float grip, power, losses;
    /// Beside the grip. Above 1 the brakes themselves are weaker than the tyres by this; below 1
    /// the description promises less than tyres and brakes hold.
    float brakes;
} kerb_scene_race_wrong;

/// What came of it.
typedef struct kerb_scene_race_learn {
    double profile;                              ///< by the true limits [s]
    int32_t laps;                                ///< done
    double lap_time[KERB_SCENE_RACE_LEARN_LAPS]; ///< the first from standing [s]
    /// Promised for that lap when it began: with the times of the sections of the line, and by the
    /// learned performance alone. [s]
    double promised[KERB_SCENE_RACE_LEARN_LAPS], performed[KERB_SCENE_RACE_LEARN_LAPS];
    float grip[KERB_SCENE_RACE_LEARN_LAPS]; ///< known when it began, over the true one [1]
    double off_track_time;                  ///< [s]
} kerb_scene_race_learn;

/// Each number of the description wrong by up to `share`, by the seed.
kerb_scene_race_wrong kerb_scene_race_wrong_of(uint64_t seed, float share);

/// Drives a racer that learns. False where the seed gives no track that can be driven. Takes about
/// a second. [laps: 1 … KERB_SCENE_RACE_LEARN_LAPS]
bool kerb_scene_race_learn_run(kerb_scene_race_learn* run, uint64_t seed,
                               kerb_scene_race_wrong wrong, int32_t laps);

/// The same with a description that a calibrator measured, in a place of that size; what it cannot
/// measure stays unknown. False, too, where the calibration fails. [length, width: m]
bool kerb_scene_race_learn_calibrated(kerb_scene_race_learn* run, uint64_t seed, float length,
                                      float width, int32_t laps);

#endif
