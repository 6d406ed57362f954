// The courses and tracks of scene/, as waypoints: for the judge, and alone for the scenes of the
// page.
#include "playground/jolt/native/judge.h"

#include "scene/course/unseen.h"
#include "scene/race/tracks.h"

#include <string.h>

char jolt_name[64];
kerb_error jolt_error;

JOLT_EXPORT(text) char* jolt_text(void) {
    return jolt_name;
}

JOLT_EXPORT(course_count) int32_t jolt_course_count(void) {
    return kerb_scene_course_count();
}

// Built-in courses have their indexes; beyond them a number is a seed, counted from there.
kerb_result jolt_course(int32_t index, kerb_scene_course* course, const kerb_host* host) {
    memset(course, 0, sizeof *course);
    int32_t built_in = kerb_scene_course_count();
    if (index < built_in)
        return kerb_scene_course_make(kerb_scene_course_name(index), host, course, &jolt_error);
    return kerb_scene_unseen_course((uint64_t)(index - built_in), host, course, &jolt_error);
}

/// The waypoints of a course, each a kerb_waypoint: nine floats and the direction. Returns how many
/// there are, negative when it is closed, and writes the first `most`. Its name is in text().
JOLT_EXPORT(waypoints)
int32_t jolt_waypoints(int32_t index, kerb_waypoint* waypoints, int32_t most, float* speed) {
    kerb_host host = kerb_host_default();
    kerb_scene_course course;
    if (jolt_course(index, &course, &host) != KERB_OK)
        return 0;
    for (int32_t i = 0; i < course.count && i < most; i++)
        waypoints[i] = course.waypoints[i];
    *speed = course.speed;
    strncpy(jolt_name, course.name, sizeof jolt_name - 1);
    int32_t count = course.closed ? -course.count : course.count;
    kerb_scene_course_free(&course, &host);
    return count;
}

/// The same of a track for races, by its place in the list of scene/race.
JOLT_EXPORT(track)
int32_t jolt_track(int32_t index, kerb_waypoint* waypoints, int32_t most) {
    kerb_host host = kerb_host_default();
    kerb_scene_track track;
    const char* name = kerb_scene_track_name(index);
    if (kerb_scene_track_make(name, &host, &track, &jolt_error) != KERB_OK)
        return 0;
    for (int32_t i = 0; i < track.count && i < most; i++)
        waypoints[i] = track.waypoints[i];
    strncpy(jolt_name, name, sizeof jolt_name - 1);
    int32_t count = track.closed ? -track.count : track.count;
    kerb_scene_track_free(&track, &host);
    return count;
}
