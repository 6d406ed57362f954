// Longitude and latitude to metres: a transverse Mercator projection whose middle is a place of
// the file itself, so that there is nothing to choose.
//
// The ellipsoid is that of WGS 84. x points east, y north, and the scale is 1 on the meridian of
// the middle; 100 km beside it lengths are 0.012 % too long. Good to a millimetre as far as it
// projects.
#ifndef KERB_IO_PROJECTION_H
#define KERB_IO_PROJECTION_H

#include "kerb/base.h"

typedef struct kerb_io_projection {
    double longitude, latitude; ///< of the middle [degrees]
    double meridian;            ///< distance of the middle from the equator [m]
} kerb_io_projection;

/// Sine and cosine to a few units of the last place, equal on every machine. Angles beyond 1e9
/// count as 0. [rad]
void kerb_io_sine_cosine(double angle, double* sine, double* cosine);

/// True when it is a longitude from -180 to 360 and a latitude from -89 to 89. [degrees]
bool kerb_io_projection_takes(double longitude, double latitude);

/// A projection about a place that it takes. [degrees]
kerb_io_projection kerb_io_projection_make(double longitude, double latitude);

/// Projects a place that it takes. False when that is more than about 500 km east or west of the
/// middle, or 1000 km north or south of it.
bool kerb_io_project(const kerb_io_projection* projection, double longitude, double latitude,
                     double* x, double* y);

#endif
