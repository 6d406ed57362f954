// Keeping a gap: the speed from which one can stop behind what is ahead. O(1).
//
// With the time τ at constant speed v before braking at b, and the other braking at b from u,
//     v·τ + v²/2b ≤ gap - least + u²/2b    gives    v ≤ -bτ + sqrt(b²τ² + 2b(gap - least) + u²).
// P. G. Gipps, "A behavioural car-following model for computer simulation", Transportation
// Research B 15 (1981) 105-111. What comes towards needs its own braking distance: u² is taken off.
#include "kerb/control.h"

float kerb_gap_speed(float gap, float speed_ahead, float reaction_time, float gap_min,
                     float braking) {
    float early = braking * reaction_time;
    float square =
        early * early + 2.0f * braking * (gap - gap_min) + speed_ahead * kerb_abs(speed_ahead);
    return square > early * early ? kerb_sqrt(square) - early : 0.0f;
}
