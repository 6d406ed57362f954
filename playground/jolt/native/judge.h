// What the parts of the judge have in common: the physics that JavaScript brings, its vehicles as
// the host knows them and as Kerb's calibrator has measured them, and where texts and errors are
// left.
#ifndef KERB_PLAYGROUND_JUDGE_H
#define KERB_PLAYGROUND_JUDGE_H

#include "kerb/vehicle.h"
#include "scene/course/course.h"
#include "sim/physics.h"

#define JOLT_VEHICLES_MAX 8
#define JOLT_EXPORT(name) __attribute__((export_name(#name)))

extern const kerb_sim_physics jolt_physics;
extern kerb_sim_model jolt_models[JOLT_VEHICLES_MAX]; ///< what a game knows without measuring
extern kerb_vehicle jolt_measured[JOLT_VEHICLES_MAX]; ///< and with what was measured
extern char jolt_name[64];
extern kerb_error jolt_error;

/// Makes a course by its index, or by a seed that is counted from the last index.
kerb_result jolt_course(int32_t index, kerb_scene_course* course, const kerb_host* host);

#endif
