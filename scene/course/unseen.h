// Random courses and vehicles for which nothing was tuned, of the kinds that games have. The same
// seed gives the same result on every machine.
//
//     kerb_scene_course course;
//     kerb_scene_unseen_course(17, &host, &course, &error);   // a navmesh path, a mountain road …
//     kerb_vehicle bus = kerb_scene_unseen_vehicle(3, name, sizeof name);
#ifndef KERB_SCENE_COURSE_UNSEEN_H
#define KERB_SCENE_COURSE_UNSEEN_H

#include "scene/course/trial.h"

/// How many kinds of course there are. Seeds go through them in turn: seed % count is the kind.
int32_t kerb_scene_unseen_course_kinds(void);

/// Name of a kind, and what is in it, in one line. [kind: 0 … kinds - 1]
const char* kerb_scene_unseen_course_kind(int32_t kind);
const char* kerb_scene_unseen_course_about(int32_t kind);

/// The least radius of the bends of this kind that have one; 0: its corners have none. [m]
float kerb_scene_unseen_course_radius(int32_t kind);

/// Draws a course. Its speed is one that somebody might ask for there. Give it back with
/// kerb_scene_course_free. Errors: OUT_OF_MEMORY.
kerb_result kerb_scene_unseen_course(uint64_t seed, const kerb_host* host,
                                     kerb_scene_course* course, kerb_error* error);

/// How many kinds of vehicle there are. Seeds go through them in turn: seed % count is the kind.
int32_t kerb_scene_unseen_vehicle_kinds(void);

/// Name of a kind. [kind: 0 … kinds - 1]
const char* kerb_scene_unseen_vehicle_kind(int32_t kind);

/// A vehicle. It is valid, and what it can do fits its size, mass and power.
kerb_vehicle kerb_scene_unseen_vehicle(uint64_t seed);

#endif
