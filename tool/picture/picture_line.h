// Pictures of a line on a track: the track with the line coloured by speed; curvature, and speed
// under its limit with the braking points, over distance (Vamos figures 6 to 8); and the g-g
// diagram. Drawn with cairo.
#ifndef KERB_TOOL_PICTURE_PICTURE_LINE_H
#define KERB_TOOL_PICTURE_PICTURE_LINE_H

#include "kerb/control.h"
#include "tool/command/message.h"

/// One place of the line, in the order of travel.
typedef struct tool_picture_line_point {
    double x, y;  ///< [m]
    double speed; ///< [m/s]
    kerb_profile_point profile;
} tool_picture_line_point;

/// What a picture shows. All pointers stay the caller's.
typedef struct tool_picture_line {
    const char* title;
    const char* note;       ///< one line below it
    const kerb_path* track; ///< centre line and widths
    const kerb_performance* performance;
    const tool_picture_line_point* points;
    int32_t count; ///< [>= 2]
    bool closed;
} tool_picture_line;

/// Writes an SVG, a PNG, or both; NULL: none. Complains when it cannot. O(points + track)
tool_status tool_picture_line_write(const char* svg, const char* png,
                                    const tool_picture_line* line);

#endif
