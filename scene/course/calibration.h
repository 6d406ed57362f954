// Measures a simulated vehicle as a game would measure its own: the calibrator drives it in an
// empty and level world. One implementation for the command, the tests and other physics whose
// vehicles are unknown.
#ifndef KERB_SCENE_COURSE_CALIBRATION_H
#define KERB_SCENE_COURSE_CALIBRATION_H

#include "kerb/calibrate.h"
#include "sim/physics.h"

/// What a game knows without measuring: kind, size, mass and gears; the rest is a middling car's.
kerb_vehicle kerb_scene_known_vehicle(const kerb_vehicle* vehicle);

/// A calibrator that has driven `model` to its end, with the settings given. `physics` as in
/// kerb_scene_trial. KERB_OK says only that there was a vehicle to drive: see calibrator.outcome.
/// [drive_hz: > 0] Some minutes of simulated driving.
kerb_result kerb_scene_calibrate(const kerb_sim_model* model, const kerb_sim_physics* physics,
                                 float drive_hz, const kerb_calibration_settings* settings,
                                 kerb_calibrator* calibrator, kerb_error* error);

#endif
