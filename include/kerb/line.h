// Kerb line: the window of stations ahead that drivers drive by.
//
// A follower fills it from its path, a lane keeper from what its rays meet. From then on both drive
// the same way: where am I on the line, how does it bend ahead, how much clearance is beside it,
// how fast may I be. A station is the distance along what the window was filled from: of a path the
// distance from its start, of a lane that from where the keeper began.
//
//     kerb_follower_drive(&follower, &path, &motion, NULL, time_step);
//     double ahead = follower.decision.distance + 10.0;
//     kerb_line_place there = kerb_line_at(&follower.memory.line, ahead);
//     // there.position, there.direction: the line that it drives, 10 m ahead
//
// The window is part of a driver's memory. Only these functions read it; nothing writes it but the
// driver.
//
// Cost: O(1) a call. Nothing allocates.
#ifndef KERB_LINE_H
#define KERB_LINE_H

#include "base.h"
#include "private/line_memory.h"

/// A place of the line.
typedef struct kerb_line_place {
    kerb_vec3 position;  ///< [m]
    kerb_vec2 direction; ///< level, within a hundredth of unit length
    float curvature;     ///< left positive [1/m]
    bool doubles_back;   ///< the line turns back here: `direction` is where it goes
} kerb_line_place;

/// The stations between which it is filled: those of the first knot and of the last one. Both 0 in
/// a window that is empty. [m]
KERB_API void kerb_line_stations(const kerb_line* line, double* from, double* to);

/// The place at a station. Beyond the ends it goes straight on, of a lane keeper as an arc. A
/// window that is empty gives a place of zeros.
KERB_API kerb_line_place kerb_line_at(const kerb_line* line, double station);

/// The narrower side of what is free beside the line at a station: the smaller value of the knots
/// around. Of a lane keeper only the edges count, not vehicles. [m]
KERB_API float kerb_line_room(const kerb_line* line, double station);

#endif
