// Drives a calibrator in sim/vehicle.h or in another physics, at the rates of the trials.
#include "scene/course/calibration.h"

#define PHYSICS_HZ 240.0f

static const kerb_sim_world calibration_empty = {.zone_count = 0};
static const kerb_sim_ground calibration_level = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};

kerb_vehicle kerb_scene_known_vehicle(const kerb_vehicle* vehicle) {
    kerb_vehicle known = kerb_vehicle_default();
    known.kind = vehicle->kind;
    known.length = vehicle->length;
    known.width = vehicle->width;
    known.reference_to_front = vehicle->reference_to_front;
    known.reference_to_rear_axle = vehicle->reference_to_rear_axle;
    known.wheelbase = vehicle->wheelbase;
    known.mass = vehicle->mass;
    known.drive_train = vehicle->drive_train;
    return known;
}

static void calibrate_here(const kerb_sim_model* model, float drive_hz,
                           kerb_calibrator* calibrator) {
    kerb_sim_vehicle vehicle = kerb_sim_vehicle_make(model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
    int32_t steps = (int32_t)(PHYSICS_HZ / drive_hz + 0.999f);
    while (calibrator->outcome == KERB_CALIBRATION_RUNNING) {
        kerb_motion motion = kerb_sim_vehicle_motion(&vehicle);
        kerb_controls controls = kerb_calibrator_drive(calibrator, &motion, 1.0f / drive_hz);
        for (int32_t i = 0; i < steps; i++)
            kerb_sim_vehicle_step(&vehicle, &controls, &calibration_level,
                                  1.0f / (drive_hz * (float)steps));
    }
}

static kerb_result calibrate_elsewhere(const kerb_sim_model* model, const kerb_sim_physics* physics,
                                       float drive_hz, kerb_calibrator* calibrator,
                                       kerb_error* error) {
    kerb_error why = {.index = -1};
    void* vehicle = physics->make(model, &calibration_empty, &calibration_level,
                                  kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f, &why);
    if (vehicle == NULL)
        return kerb_error_set(error, why.result, why.field, 0, -1, why.message);
    while (calibrator->outcome == KERB_CALIBRATION_RUNNING) {
        kerb_motion motion = physics->motion(vehicle);
        kerb_controls controls = kerb_calibrator_drive(calibrator, &motion, 1.0f / drive_hz);
        physics->step(vehicle, &controls, &calibration_level, 1.0f / drive_hz);
    }
    physics->destroy(vehicle);
    return KERB_OK;
}

kerb_result kerb_scene_calibrate(const kerb_sim_model* model, const kerb_sim_physics* physics,
                                 float drive_hz, const kerb_calibration_settings* settings,
                                 kerb_calibrator* calibrator, kerb_error* error) {
    kerb_vehicle known = kerb_scene_known_vehicle(&model->vehicle);
    *calibrator = kerb_calibrator_make(&known);
    calibrator->settings = *settings;
    if (physics != NULL)
        return calibrate_elsewhere(model, physics, drive_hz, calibrator, error);
    calibrate_here(model, drive_hz, calibrator);
    return KERB_OK;
}
