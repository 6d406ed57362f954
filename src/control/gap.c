// Gap control: the greatest speed from which the vehicle can stop behind the one ahead. O(1).
//
// The vehicle drives at constant speed v for the time τ and then brakes at b. The one ahead brakes
// at b from u. Then
//     v·τ + v²/2b ≤ gap - gap_min + u²/2b    gives    v ≤ -bτ + sqrt(b²τ² + 2b(gap - gap_min) +
//     u²).
// P. G. Gipps, "A behavioural car-following model for computer simulation", Transportation Research
// B 15 (1981) 105-111. An oncoming vehicle needs a braking distance of its own, so its u² is
// subtracted.
#include "kerb/control.h"

float kerb_gap_speed(float gap, float speed_ahead, float reaction_time, float gap_min,
                     float braking) {
    float early = braking * reaction_time;
    float square =
        early * early + 2.0f * braking * (gap - gap_min) + speed_ahead * kerb_abs(speed_ahead);
    return square > early * early ? kerb_sqrt(square) - early : 0.0f;
}
