// Recordings for the tests of the replay page: a point that steers after a target on the built-in
// courses. Not Kerb's drivers, so that the page's tests fail only for the page's faults.
#ifndef TEST_REPLAY_RECORDINGS_H
#define TEST_REPLAY_RECORDINGS_H

#include "tool/report/recording.h"

#define REPLAY_FOLLOWERS 3

/// One drive along `course` at `hz` frames a second, for at most `duration` seconds. The follower
/// (0 … 2) sets how far ahead it looks, and with that how well it drives.
tool_recording replay_recording_make(const kerb_scene_course* course, int32_t follower, float hz,
                                     float duration);

#endif
