// What the files of a race share. Private to scene/race*.c.
//
//     race.c       creation, the step: driving, physics
//     race_grid.c  where cars are put: at the start, and later
//     race_watch.c what is measured: laps, places, overtakes
#ifndef KERB_SCENE_RACE_RACE_PARTS_H
#define KERB_SCENE_RACE_RACE_PARTS_H

#include "scene/race/race.h"

// Whether the cars fit on the grid.
kerb_result race_grid_check(const scene_race_settings* settings, kerb_error* error);
// Puts all cars on it. False when the physics cannot.
bool race_grid_fill(scene_race* race);
// Puts a car that asks for it back on the track when nobody is near.
void race_grid_put_back(scene_race* race, scene_race_car* car, float step);

// Before the first step.
void race_watch_begin(scene_race* race);
// Where everybody has come to in the step that has led to race->time.
void race_watch_step(scene_race* race, double step);
// The order of this car and all others is as it is: nobody has passed anybody.
void race_watch_moved(scene_race* race, const scene_race_car* car);
scene_race_pair* race_pair(const scene_race* race, int32_t a, int32_t b);

// The ground under a car.
sim_ground race_ground_under(const scene_race* race, scene_race_car* car, kerb_vec3 position);

#endif
