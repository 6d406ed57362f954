// The window of stations ahead: part of the memory of drivers.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because drivers are plain structs: the host has to
// know their size to hold, copy and restore them. kerb/line.h reads it.
#ifndef KERB_PRIVATE_LINE_MEMORY_H
#define KERB_PRIVATE_LINE_MEMORY_H

#include "../math.h"

#define KERB_LINE_KNOTS 64 ///< stations of a window: a power of two

// Knots have fixed stations, multiples of the spacing. All arrays are rings: index modulo their
// size.
typedef struct kerb_line {
    float spacing;    ///< distance between knots [m]
    double per_metre; ///< 1 / spacing [1/m]
    int32_t first;    ///< lowest knot that is filled
    int32_t knots;    ///< one past the last knot that is complete
    bool bends_on;    ///< beyond its ends it goes on as an arc; false: straight

    kerb_vec3 position[KERB_LINE_KNOTS];  ///< of the line [m]
    kerb_vec2 direction[KERB_LINE_KNOTS]; ///< of the line, level, unit vector
    float pace[KERB_LINE_KNOTS];          ///< metres of line per metre of station [1]
    float curvature[KERB_LINE_KNOTS];     ///< of the line, left positive [1/m]
    float room_left[KERB_LINE_KNOTS];     ///< clearance to the left [m]
    float room_right[KERB_LINE_KNOTS];    ///< clearance to the right [m]

    float lateral;       ///< lateral acceleration for which `allowed_squared` holds [m/s²]
    float least_allowed; ///< smallest `allowed_squared` of all slots, also unused ones [m²/s²]
    float allowed_squared[KERB_LINE_KNOTS]; ///< speed² by all limits there [m²/s²]
    float limit_squared[KERB_LINE_KNOTS];   ///< speed limit² [m²/s²]
    float turn_squared[KERB_LINE_KNOTS];    ///< speed² that turning allows [m²/s²]
    float least_grip;                       ///< lowest grip of the knots ahead [1]
    float grip[KERB_LINE_KNOTS];            ///< grip of the surface [1]
    float grip_radius[KERB_LINE_KNOTS];     ///< grip / |curvature| [m]
    float bend[KERB_LINE_KNOTS];            ///< |curvature| / grip [1/m]
    float bank_radius[KERB_LINE_KNOTS];     ///< speed² that the banking adds [m²/s²]
} kerb_line;

// What a driver that sees its line point by point keeps beside the window.
typedef struct kerb_line_sight {
    kerb_vec2 seen[KERB_LINE_KNOTS]; ///< mean direction from the knot before to each
    kerb_vec2 sum;                   ///< integral of the directions since the last knot [m]
    kerb_vec2 direction;             ///< of the last point that was seen
    float along;                     ///< … how far it is beyond the last knot [m]
} kerb_line_sight;

#endif
