// The replay page: one self-contained HTML file that replays trials in a browser, with the decision
// of the driver in every frame. It loads nothing, so it works from a disk and from a server.
//
//     FILE* out = fopen("drive.html", "wb");
//     bool written = tool_replay_page_write(out, "kerb follow", recordings, count);
//
// The page itself is in tool/page/replay/ and is embedded at build time by cmake/embed.cmake.
#ifndef KERB_TOOL_PAGE_REPLAY_PAGE_H
#define KERB_TOOL_PAGE_REPLAY_PAGE_H

#include "scene/town/town.h"
#include "tool/report/recording.h"

#include <stdio.h>

/// Trials are kept at so many samples per second, between the frames linear …
#define TOOL_REPLAY_RATE 30
/// … and at a whole fraction of that where a trial would have more samples than this (3 min).
#define TOOL_REPLAY_SAMPLES_MOST 5400
/// So too in every trial of a page that would have more samples than this (about 5 MB).
#define TOOL_REPLAY_PAGE_SAMPLES_MOST 80000
/// Where many drive together, so many samples are kept (about 9 MB).
#define TOOL_REPLAY_TOWN_SAMPLES_MOST 145000
/// Of courses with more waypoints only every so many-th is drawn, and all with stops or reversals.
#define TOOL_REPLAY_WAYPOINTS_MOST 8192

/// Writes the page. Trials with the same `course` pointer are shown on one course, as each
/// other's ghosts. The same recordings give the same bytes, in every locale and on every machine:
/// wall times (drive_ns) are left out. Texts may hold anything; what is not UTF-8 is replaced.
/// About 65 bytes a sample: 12 trials of 60 s take 1.4 MB. O(frames), allocates nothing.
///
/// Returns false when `out` could not be written to; the reason is in errno.
bool tool_replay_page_write(FILE* out, const char* title, const tool_recording* const* recordings,
                            int32_t count);

/// The same for vehicles that drove in a town at the same time: all are shown at once, on its
/// streets, and any of them can be followed. All recordings have the same course, without
/// waypoints. 64 vehicles for 5 min take 9 MB.
bool tool_replay_page_write_town(FILE* out, const char* title,
                                 const tool_recording* const* recordings, int32_t count,
                                 const kerb_scene_town* town);

/// The same for agents of a scene, which follow no course: all are shown at once but those that
/// are absent, and what only followers of courses think is left out of the page.
bool tool_replay_page_write_agents(FILE* out, const char* title,
                                   const tool_recording* const* recordings, int32_t count);

/// The same for laps along lines of tracks, which are the courses: what is an error of a follower
/// there is the line's way off the centre line here.
bool tool_replay_page_write_laps(FILE* out, const char* title,
                                 const tool_recording* const* recordings, int32_t count);

#endif
