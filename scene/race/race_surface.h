// The surface of a track as splines along its centre line: the base of race_ground.
//
// Seen from above, a place is s along the centre line and d to the left of it, at right angles. Its
// height is z(s) + d·t(s); t, the rise to the left per level metre, comes from the bank. Centre,
// height and t are cubic splines by chord length, so that slopes have no kinks and bends no jumps.
#ifndef KERB_SCENE_RACE_RACE_SURFACE_H
#define KERB_SCENE_RACE_RACE_SURFACE_H

#include "sim/car.h"

#define RACE_CHANNELS 4 // x, y, z, t

/// One point of the centre line.
typedef struct race_knot {
    double value[RACE_CHANNELS];
    double bend[RACE_CHANNELS]; ///< second derivatives by chord length
    double chord;               ///< to the next knot [m] [> 0]
    double scratch[2];          ///< while splines are fitted
    float left, right;          ///< widths, along the surface [m]
    float grip;
} race_knot;

/// Knots in a row; closed: the last one leads back to the first.
typedef struct race_surface {
    race_knot* knots;
    int32_t count; ///< [>= 3]
    bool closed;
} race_surface;

/// A place near the centre line.
typedef struct race_foot {
    int32_t segment; ///< from this knot to the next
    double share;    ///< of the way to the next [0 … 1]
    double offset;   ///< level, left of the centre line [m]
    double beyond;   ///< past an end of an open track, along it; else 0 [m]
} race_foot;

/// Fills chords, bends and t from x, y, z and `bank`, which gives t. O(count)
void kerb_scene_race_surface_fit(race_surface* surface, const float* bank);

/// Goes from a foot near by to the foot of a place. O(1)
race_foot kerb_scene_race_surface_foot(const race_surface* surface, race_foot near_it, double x,
                                       double y);

/// Height, normal and bend there; the grip is 1.
kerb_sim_ground kerb_scene_race_surface_at(const race_surface* surface, const race_foot* foot);

/// The place of a foot, seen from above.
void kerb_scene_race_surface_place(const race_surface* surface, const race_foot* foot, double* x,
                                   double* y);

/// How narrow the surface gets on the inside of a bend: 1 at the centre line, 0 at the centre of
/// curvature.
double kerb_scene_race_surface_spread(const race_surface* surface, const race_foot* foot);

#endif
