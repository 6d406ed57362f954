// Purpose: the force of a tyre by its slip, in both directions at once.
// Idea:    Pacejka's Magic Formula with its peak and its initial slope scaled to 1 (similarity
//          method). Its argument is the length of the normalised slip vector, so braking reduces
//          the cornering force along a friction ellipse. The result is force per slip, a secant,
//          because this is finite and positive everywhere, as an implicit step needs it.
// Cost:    Two arctangents and one sine.
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
