// A track, a vehicle at its limit, and the racing line found for them, with the centre line for
// comparison: what `kerb line` reports as table, JSON, CSV, picture and replay page.
#ifndef KERB_TOOL_RUN_RACING_LINE_H
#define KERB_TOOL_RUN_RACING_LINE_H

#include "kerb/racing_line.h"
#include "tool/command/outputs.h"
#include "tool/command/tracks.h"
#include "tool/report/recording.h"

/// How far a line may come nearer to an edge than the margin and still counts as inside it, on a
/// track of scale 1. [m]
#define TOOL_RACING_LINE_SLACK 0.02

/// What is looked for, the same for every track.
typedef struct tool_racing_line_wish {
    kerb_performance performance;
    kerb_vehicle vehicle;     ///< that drives in the page
    const char* vehicle_name; ///< NULL: a point mass
    int32_t method, side;     ///< kerb_line_method, kerb_line_side
    bool program;             ///< the spring chain as the program Vamos has it
    bool thin;                ///< without every other of its nodes
    double margin;            ///< negative: the standard one [m]
    double spacing;           ///< of the line's points; 0: by the nodes [m]
    double node_spacing;      ///< of the solver's nodes; 0: by the track [m]
    double smooth;            ///< tolerance of smoothing the centre line; 0: as it is [m]
    bool reverse;             ///< the track the other way round
    bool level;               ///< without its banking
    bool quiet;
} tool_racing_line_wish;

/// A track and its line.
typedef struct tool_racing_line {
    const tool_racing_line_wish* wish;
    tool_track track; ///< as it is driven
    kerb_path path;   ///< the same
    kerb_line_settings settings;
    kerb_racing_line line;
    kerb_racing_line centre; ///< along the centre line, by the same vehicle
    double compute_ms;       ///< from the path to the line's points, on the wall's clock
} tool_racing_line;

/// Loads a track and finds its line. Complains, with file, line and field. Free it in any case.
tool_status tool_racing_line_find(tool_racing_line* found, const char* word,
                                  const tool_racing_line_wish* wish, const kerb_host* host);

/// Harmless on a zeroed one.
void tool_racing_line_free(tool_racing_line* found, const kerb_host* host);

/// The line keeps to the margin.
bool tool_racing_line_is_inside(const tool_racing_line* found);

/// "time", "normal".
const char* tool_racing_line_method(int32_t method);
const char* tool_racing_line_side(int32_t side);

/// What the line has least of, as "least time", or what it is: "spring chain".
const char* tool_racing_line_what(int32_t method);

/// A point as the speed profile takes it.
kerb_profile_point tool_racing_line_profile(const kerb_racing_line* line, int32_t index);

/// Prints a table: one track in full, several in a row each.
void tool_racing_line_print(const tool_racing_line* found, int32_t count);

/// Prints one JSON object. False when memory is missing.
bool tool_racing_line_print_json(const tool_racing_line* found, int32_t count, int64_t seed);

/// Writes the lines' points; with several tracks, their names in a first column.
tool_status tool_racing_line_write_csv(const char* path, const tool_racing_line* found,
                                       int32_t count);

/// Records one lap, or an open line from end to end, as the speed profile says: what a replay page
/// shows. `centre`: along the centre line. `course` is what the recording is of; it must outlive
/// it. O(seconds)
void tool_racing_line_record(tool_recording* recording, const tool_racing_line* found, bool centre,
                             const kerb_scene_course* course);

#endif
