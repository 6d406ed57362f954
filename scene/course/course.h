// The built-in courses, by name. The command, the tests, the benchmarks and the playground share
// them. To add one, write a builder in courses.c and list it there.
#ifndef KERB_SCENE_COURSE_COURSE_H
#define KERB_SCENE_COURSE_COURSE_H

#include "scene/course/trial.h"

/// How many courses there are.
int32_t kerb_scene_course_count(void);

/// Name and one-line description. [index: 0 … count - 1]
const char* kerb_scene_course_name(int32_t index);
const char* kerb_scene_course_about(int32_t index);

/// Builds a course by name. UNKNOWN_FIELD when there is none of that name.
kerb_result kerb_scene_course_make(const char* name, const kerb_host* host,
                                   kerb_scene_course* course, kerb_error* error);

/// Gives the waypoints back. Harmless on a zeroed course.
void kerb_scene_course_free(kerb_scene_course* course, const kerb_host* host);

#endif
