// A host of the family races alone on a track that is scaled to it: five laps from standing, the
// driver learning, with nothing known but what the host tells.
//
//     static kerb_family_race race;
//     if (kerb_family_race_open(&race, &host, seed, KERB_FAMILY_RACE_RANDOM))
//         kerb_family_race_drive(&race, NULL);  … race.lap_time[4] / race.profile …
//     kerb_family_race_close(&race);
#ifndef KERB_SCENE_HOST_FAMILY_RACE_H
#define KERB_SCENE_HOST_FAMILY_RACE_H

#include "scene/host/family_ride.h"
#include "scene/race/race_ground.h"

#include "kerb/racer.h"

/// The built-in tracks, and one drawn at random with crests, dips, banked bends and kinks.
enum { KERB_FAMILY_RACE_RANDOM = 4, KERB_FAMILY_RACE_TRACKS };

enum { KERB_FAMILY_RACE_LAPS = 5 };

/// A host on a track. Do not copy: it points into itself.
typedef struct kerb_family_race {
    kerb_family_host host;
    kerb_racer racer;
    float scale; ///< of the track
    kerb_path path;
    kerb_racing_line line; ///< for what the host tells
    bool* straight;        ///< for each of its points: nothing but straight near it
    kerb_scene_race_ground ground;
    double profile; ///< of a lap by kerb_family_limits, the pauses of shifts included [s]

    kerb_scene_race_place place;
    kerb_vec3 forward, left; ///< of the body
    double time;             ///< [s]
    kerb_motion motion;
    kerb_controls controls;

    int32_t laps;
    double lap_time[KERB_FAMILY_RACE_LAPS];  ///< [s]
    double off_track[KERB_FAMILY_RACE_LAPS]; ///< in each lap [s]
    double best;                             ///< of the flying laps; 0: none [s]
    int32_t put_back;                        ///< times that it was
    bool spoiled;                            ///< in this lap: its time does not count
    kerb_family_swings swings;               ///< of the steering on the present straight
    int32_t changes;                         ///< of its direction on straights, flying laps
    double straight_time;                    ///< on these [s]
} kerb_family_race;

/// "vamos", …, "random".
const char* kerb_family_race_name(int32_t track);

/// Whether the figures of racing are about this host: at most 0.1 s of delay, and 30 Hz or more.
bool kerb_family_race_counts(const kerb_family_host* host);

/// Makes the track, finds the line. False where there is none.
bool kerb_family_race_open(kerb_family_race* race, const kerb_family_host* host, uint64_t seed,
                           int32_t track);

void kerb_family_race_close(kerb_family_race* race);

/// Drives until the laps are done, or for 1.6 times as long as they should take. `watch` (may be
/// NULL) sees each frame.
void kerb_family_race_drive(kerb_family_race* race, void (*watch)(const kerb_family_race* race));

#endif
