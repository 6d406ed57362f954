// Bullet is available when the build found it; all other vehicles use the reference simulation.
#include "tool/command/physics.h"

#include "scene/course/calibration.h"

#include <string.h>

#ifdef KERB_HAVE_BULLET
#include "sim/bullet/bullet.h"
#endif

// As a game would drive it. [1/s]
#define MEASURING_HZ 60.0f

tool_status tool_physics_named(const char* word, const kerb_sim_physics** physics) {
    *physics = NULL;
    if (strcmp(word, "sim") == 0)
        return TOOL_DONE;
#ifdef KERB_HAVE_BULLET
    *physics = &kerb_sim_bullet_physics;
    return TOOL_DONE;
#else
    return tool_complain("--physics %s: built without Bullet (Debian: libbullet-dev, g++)", word);
#endif
}

bool tool_physics_has(const kerb_sim_physics* physics, const tool_vehicle* vehicle) {
    return physics == NULL || vehicle->vehicle.kind == KERB_VEHICLE_WHEELED;
}

tool_status tool_physics_measure(const kerb_sim_physics* physics, tool_vehicle* vehicle) {
    if (physics == NULL)
        return TOOL_DONE;
    if (!vehicle->has_model)
        vehicle->model = kerb_sim_model_for(&vehicle->vehicle);
    vehicle->has_model = true;
    kerb_calibration_settings settings = kerb_calibration_settings_default();
    kerb_calibrator calibrator;
    kerb_error error = {.index = -1};
    if (kerb_scene_calibrate(&vehicle->model, physics, MEASURING_HZ, &settings, &calibrator,
                             &error) != KERB_OK)
        return tool_complain_error(vehicle->name, &error);
    if (calibrator.outcome != KERB_CALIBRATION_DONE)
        return tool_complain("vehicle '%s' cannot be measured in %s: %s", vehicle->name,
                             physics->name, kerb_calibration_failure_text(calibrator.failure));
    vehicle->vehicle = calibrator.measured;
    return TOOL_DONE;
}
