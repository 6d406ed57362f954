// Race tracks by name or from a file.
#ifndef KERB_TOOL_COMMAND_TRACKS_H
#define KERB_TOOL_COMMAND_TRACKS_H

#include "kerb/io/track.h"
#include "kerb/racing_line.h"
#include "tool/command/message.h"

/// A track and how it is called.
typedef struct tool_track {
    char name[64];
    kerb_waypoint* waypoints;
    int32_t count;
    bool closed;
    char* text; ///< of the file, so that messages can name lines; NULL: built in
    size_t size;
    kerb_io_track read; ///< as it was read; its waypoints are those of above
} tool_track;

/// A built-in track, or a file of any format that kerb_io_track_read knows. Complains, with file,
/// line and field, when it is neither. Does not ask whether it can be raced on.
tool_status tool_track_load(const char* word, const kerb_host* host, tool_track* track);

/// The same, and of an OpenDRIVE file the road of this id (NULL: the longest chain of roads).
tool_status tool_track_load_road(const char* word, const char* road, const kerb_host* host,
                                 tool_track* track);

/// Complains when it cannot be raced on (kerb_track_validate), with the file's line where the
/// waypoints are those of a file's rows, in their order. `word` is what the user called it.
tool_status tool_track_check(const char* word, const tool_track* track);

/// Prints what kerb_track_check finds as warnings, a line each, with the file's line where
/// tool_track_check would have it. `vehicle` and `performance` as there. Stays silent on what
/// kerb_track_validate refuses.
void tool_track_warn(const char* word, const tool_track* track, const kerb_vehicle* vehicle,
                     const kerb_performance* performance);

/// Gives the waypoints back. Harmless on a zeroed track.
void tool_track_free(tool_track* track, const kerb_host* host);

#endif
