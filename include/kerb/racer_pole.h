// Kerb racer_pole: the steering of the Vamos paper, for study and comparison. Games do not need
// this header: Kerb's own steering is faster and stays on the track.
//
// The tip of an imaginary pole in front of the car is held on the line (Vamos section 3):
//
//     racer.settings = kerb_racer_settings_vamos(); // racer.h
#ifndef KERB_RACER_POLE_H
#define KERB_RACER_POLE_H

#include "base.h"

/// Settings of KERB_RACER_POLE: the member `pole` of kerb_racer_settings.
typedef struct kerb_racer_pole_settings {
    float time;       ///< length of the pole over the speed [s] [0.05 … 5] Default: 0.6.
    float length_min; ///< shortest pole [m] [0.5 … 100] Default: 6.
} kerb_racer_pole_settings;

#endif
