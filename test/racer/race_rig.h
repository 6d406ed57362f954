// What several tests of races read off a race that is over.
#ifndef TEST_RACE_RIG_H
#define TEST_RACE_RIG_H

#include "scene/race/race.h"

// Of finish with skill, the last driver being the most skilled: 1 the best is first, -1 last.
static inline double rank_correlation(const kerb_scene_race* race) {
    int32_t square = 0, cars = race->count;
    for (int32_t place = 1; place <= cars; place++) {
        int32_t wrong = place - (cars - kerb_scene_race_result_at(race, place).driver);
        square += wrong * wrong;
    }
    return 1.0 - 6.0 * (double)square / ((double)cars * (double)(cars * cars - 1));
}

#endif
