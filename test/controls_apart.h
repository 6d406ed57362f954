// How far the controls of two drivers are apart.
#ifndef TEST_CONTROLS_APART_H
#define TEST_CONTROLS_APART_H

#include "kerb/vehicle.h"

/// Greatest difference of throttle, brake and steering; 2 where the gears differ. [0 … 2]
static inline float controls_apart(const kerb_controls* a, const kerb_controls* b) {
    float most = kerb_max(kerb_abs(a->throttle - b->throttle), kerb_abs(a->brake - b->brake));
    return a->gear != b->gear ? 2.0f : kerb_max(most, kerb_abs(a->steering - b->steering));
}

#endif
