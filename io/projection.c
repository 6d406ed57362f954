// Purpose: longitude and latitude to metres.
// Idea:    The series of the transverse Mercator projection about the central meridian, in powers
//          of the distance from it, and that of the length of the meridian. Sine and cosine come
//          from their own series, because those of the C library differ between machines.
// Cost:    O(1), two sines.
// Source:  Snyder, Map Projections - A Working Manual, USGS 1395 (1987), equations 3-21, 8-9, 8-10.
#include "io/projection.h"

#include <math.h>

#define HALF_TURN 3.14159265358979323846
#define RADIANS_PER_DEGREE (HALF_TURN / 180.0)
#define EARTH_RADIUS 6378137.0 // at the equator [m]
#define EARTH_SQUARED (2.0 / 298.257223563 - 1.0 / 298.257223563 / 298.257223563) // eccentricity²
#define EAST_MAX 0.08 // at which the next term of the series is below a millimetre [rad]
#define NORTH_MAX 1.0e6
#define ANGLE_MAX 1.0e9 // whose quarter turns a double still counts [rad]

// Quarter turns are taken off in two parts, of which the first is exact times any count. So the
// rest is small enough for Taylor's series.
void kerb_io_sine_cosine(double angle, double* sine, double* cosine) {
    const double first = 1.5707963267341256, second = 6.0771005065061922e-11;
    if (!(fabs(angle) <= ANGLE_MAX))
        angle = 0.0;
    double turns = floor(angle / (0.5 * HALF_TURN) + 0.5);
    double a = (angle - turns * first) - turns * second, q = a * a;
    double s = 1.0, c = 1.0;
    for (int32_t i = 20; i >= 2; i -= 2) {
        c = 1.0 - c * q / ((double)i * (i - 1));
        s = 1.0 - s * q / ((double)i * (i + 1));
    }
    s *= a;
    int32_t quarter = (int32_t)(turns - 4.0 * floor(turns / 4.0));
    *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
    *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

// Distance from the equator along a meridian.
static double meridian_length(double latitude) {
    const double e = EARTH_SQUARED;
    double s2, c2, s4, c4, s6, c6;
    kerb_io_sine_cosine(2.0 * latitude, &s2, &c2);
    kerb_io_sine_cosine(4.0 * latitude, &s4, &c4);
    kerb_io_sine_cosine(6.0 * latitude, &s6, &c6);
    return EARTH_RADIUS *
           ((1.0 - e / 4.0 - 3.0 * e * e / 64.0 - 5.0 * e * e * e / 256.0) * latitude -
            (3.0 * e / 8.0 + 3.0 * e * e / 32.0 + 45.0 * e * e * e / 1024.0) * s2 +
            (15.0 * e * e / 256.0 + 45.0 * e * e * e / 1024.0) * s4 -
            35.0 * e * e * e / 3072.0 * s6);
}

bool kerb_io_projection_takes(double longitude, double latitude) {
    return longitude >= -180.0 && longitude <= 360.0 && latitude >= -89.0 && latitude <= 89.0;
}

kerb_io_projection kerb_io_projection_make(double longitude, double latitude) {
    kerb_io_projection projection = {longitude, latitude,
                                     meridian_length(latitude * RADIANS_PER_DEGREE)};
    return projection;
}

bool kerb_io_project(const kerb_io_projection* projection, double longitude, double latitude,
                     double* x, double* y) {
    const double e = EARTH_SQUARED, f = e / (1.0 - e);
    double phi = latitude * RADIANS_PER_DEGREE, sine, cosine;
    double turn = longitude - projection->longitude;
    turn -= 360.0 * floor(turn / 360.0 + 0.5);
    kerb_io_sine_cosine(phi, &sine, &cosine);
    double a = turn * RADIANS_PER_DEGREE * cosine, q = a * a;
    double t = sine * sine / (cosine * cosine), c = f * cosine * cosine;
    double n = EARTH_RADIUS / sqrt(1.0 - e * sine * sine);
    *x = n * a *
         (1.0 + q / 6.0 * (1.0 - t + c) +
          q * q / 120.0 * (5.0 - 18.0 * t + t * t + 72.0 * c - 58.0 * f));
    *y = meridian_length(phi) - projection->meridian +
         n * sine / cosine *
             (q / 2.0 + q * q / 24.0 * (5.0 - t + 9.0 * c + 4.0 * c * c) +
              q * q * q / 720.0 * (61.0 - 58.0 * t + t * t + 600.0 * c - 330.0 * f));
    return fabs(a) <= EAST_MAX && fabs(*y) <= NORTH_MAX;
}
