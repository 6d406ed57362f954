// From the sums of the grid to the values that are told.
#ifndef KERB_IN_ESTIMATE_FIT_H
#define KERB_IN_ESTIMATE_FIT_H

#include "kerb/estimate.h"

// Writes the values of an estimate, from the description and the sums. O(models · delays)
void kerb_in_estimate_fit(kerb_estimate* estimate);

// Writes a field of `vehicle`, where the vehicle stays valid with it. O(1)
void kerb_in_estimate_put(kerb_vehicle* vehicle, float* field, float value);

// The values that the description alone gives. O(1)
void kerb_in_estimate_describe(kerb_estimate* estimate);

// Curvature per command that a description of a wheeled vehicle gives: the mean up to 0.3 of the
// lock. [1/m] O(1)
float kerb_in_estimate_curvature(const kerb_vehicle* vehicle, float speed);

// Length by which the tangent of the wheels' angle is divided for the curvature: wheelbase and
// understeer. [m] [speed_square: m²/s²] O(1)
float kerb_in_estimate_along(const kerb_vehicle* vehicle, float speed_square);

// The lock whose 0.3 give `more` times the curvature that those of `lock` give. [rad] O(1)
float kerb_in_estimate_lock(float lock, float more);

#endif
