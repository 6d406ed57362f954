// What the two ways of measuring a car's limits share: in sim/, and in another physics. Private to
// scene/.
#ifndef KERB_SCENE_RACE_RACE_LIMITS_PARTS_H
#define KERB_SCENE_RACE_RACE_LIMITS_PARTS_H

#include "scene/race/race_limits.h"

/// Share of the lateral grip from which on braking and driving aside counts.
#define RACE_BOTH_FROM 0.5f

/// Sums for value = a + b·v².
typedef struct race_fit {
    double count, square, square2, value, mixed;
} race_fit;

void kerb_scene_race_fit_add(race_fit* f, float speed, float value);

/// Never a negative b: it is then the mean.
void kerb_scene_race_fit_solve(const race_fit* f, float* a, float* b);

/// Keeps the strongest push at each share of the lateral grip.
void kerb_scene_race_note_both(kerb_scene_race_both* bins, float grip, float lateral, float along);

/// The loss with which the budget comes nearest to what was measured, by least squares in what is
/// left along: along = most·left·(1 - loss + loss·left).
float kerb_scene_race_fit_loss(const kerb_scene_race_both* both, float most, float grip);

#endif
