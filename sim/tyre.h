// The tyre: Magic Formula with combined slip by normalised slip.
#ifndef KERB_SIM_TYRE_H
#define KERB_SIM_TYRE_H

/// Normalised slip at which the force is greatest, for the shape in tyre.c.
#define KERB_SIM_TYRE_PEAK 2.414f

/// Force over its peak, per normalised slip: 1 at no slip, falling. Normalised slip is
/// stiffness·slip / (grip·load), so that force and slip are the same where the tyre is linear.
/// [slip: >= 0]
float kerb_sim_tyre_secant(float slip);

#endif
