// Purpose: the force of a tyre by its slip, in both directions at once.
// Idea:    Pacejka's Magic Formula with the peak and the initial slope scaled to 1 (similarity
//          method), used with the length of the normalised slip vector, so that braking takes from
//          cornering along a friction ellipse. It is given as force per slip, a secant, because
//          that stays finite and positive everywhere: what an implicit step needs.
// Cost:    two arctangents and one sine, about 20 ns.
// Source:  Bakker, Nyborg, Pacejka, "Tyre modelling for use in vehicle dynamics studies", SAE
//          870421, 1987 (formula); Pacejka, "Tire and Vehicle Dynamics", section 4.2 (similarity,
//          combined slip by normalised theoretical slip).
#include "sim/tyre.h"
#include "kerb/math.h"

// Shape and curvature factor of a road tyre. With these the force is linear within 5 % up to half
// of the grip, and a sliding tyre keeps 0.89 of its peak.
#define SHAPE 1.3f
#define CURVATURE (-1.0f)

float kerb_sim_tyre_secant(float slip) {
    if (slip < 1e-3f)
        return 1.0f;
    float x = slip / SHAPE;
    float bent = x - CURVATURE * (x - kerb_atan(x));
    return kerb_sin(SHAPE * kerb_atan(bent)) / slip;
}
