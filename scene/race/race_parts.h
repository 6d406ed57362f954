// What the files of a race share. Private to scene/race/race*.c.
//
//     race.c       creation, the step: driving, physics
//     race_grid.c  where cars are placed: at the start, and later
//     race_watch.c what is measured: laps, places, overtakes
#ifndef KERB_SCENE_RACE_RACE_PARTS_H
#define KERB_SCENE_RACE_RACE_PARTS_H

#include "scene/race/race.h"

// Whether the cars fit on the grid.
kerb_result kerb_scene_race_grid_check(const kerb_scene_race_settings* settings, kerb_error* error);
// Puts all cars on it. False when the physics cannot.
bool kerb_scene_race_grid_fill(kerb_scene_race* race);
// Puts a car that asks for it back on the track when nobody is near.
void kerb_scene_race_grid_put_back(kerb_scene_race* race, kerb_scene_race_car* car, float step);

// Before the first step.
void kerb_scene_race_watch_begin(kerb_scene_race* race);
// Where everybody has come to in the step that has led to race->time.
void kerb_scene_race_watch_step(kerb_scene_race* race, double step);
// The order of this car and all others is as it is: nobody has passed anybody.
void kerb_scene_race_watch_moved(kerb_scene_race* race, const kerb_scene_race_car* car);
kerb_scene_race_pair* kerb_scene_race_pair_of(const kerb_scene_race* race, int32_t a, int32_t b);

// The ground under a car.
kerb_sim_ground kerb_scene_race_ground_under(const kerb_scene_race* race, kerb_scene_race_car* car,
                                             kerb_vec3 position);

#endif
