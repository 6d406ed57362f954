// Purpose: a player's pedals and wheel as controls of a vehicle.
// Idea:    Players of driving games know two pedals: the brake becomes reverse at standstill, the
//          throttle forwards again. The gearbox is the library's.
// Cost:    O(1).
#include "scene/stage/stage_parts.h"

#define STAGE_STANDS 0.5f  // slower than this a pedal may change the direction [m/s]
#define STAGE_PRESSED 0.1f // a pedal that a player means

static kerb_result stage_bad_player(kerb_error* error, const char* field, const char* message) {
    return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, field, 0, -1, message);
}

int32_t kerb_stage_can_take(const kerb_stage* stage, int32_t vehicle) {
    bool is_one = stage != NULL && vehicle >= 0 && vehicle < stage->vehicle_count;
    return is_one && stage->scene->can_take != NULL && stage->scene->can_take(stage, vehicle) ? 1
                                                                                              : 0;
}

static kerb_result stage_check_pedal(kerb_error* error, const char* field, float value, float min) {
    if (!(value - value == 0.0f))
        return kerb_error_set(error, KERB_ERROR_NOT_FINITE, field, 0, -1, "must be finite");
    if (value < min || value > 1.0f)
        return stage_bad_player(error, field,
                                min < 0.0f ? "must be from -1 to 1" : "must be from 0 to 1");
    return KERB_OK;
}

kerb_result kerb_stage_take(kerb_stage* stage, int32_t vehicle, float throttle, float brake,
                            float steering, kerb_error* error) {
    if (stage == NULL || vehicle < 0 || vehicle >= stage->vehicle_count)
        return stage_bad_player(error, stage == NULL ? "stage" : "vehicle",
                                "must be a vehicle of a stage");
    kerb_result result = stage_check_pedal(error, "throttle", throttle, 0.0f);
    if (result == KERB_OK)
        result = stage_check_pedal(error, "brake", brake, 0.0f);
    if (result == KERB_OK)
        result = stage_check_pedal(error, "steering", steering, -1.0f);
    if (result != KERB_OK)
        return result;
    if (!kerb_stage_can_take(stage, vehicle))
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "vehicle", 0, vehicle,
                              "cannot be driven by a player");
    stage_player* p = &stage->state->players[vehicle];
    if (!p->drives)
        *p = (stage_player){.drives = true,
                            .direction = stage->vehicles[vehicle].speed < -STAGE_STANDS ? -1 : 1};
    p->throttle = throttle;
    p->brake = brake;
    p->steering = steering;
    stage->vehicles[vehicle].player = 1;
    return KERB_OK;
}

kerb_result kerb_stage_hand_back(kerb_stage* stage, int32_t vehicle, kerb_error* error) {
    if (stage == NULL || vehicle < 0 || vehicle >= stage->vehicle_count)
        return stage_bad_player(error, stage == NULL ? "stage" : "vehicle",
                                "must be a vehicle of a stage");
    stage->state->players[vehicle].drives = false;
    stage->vehicles[vehicle].player = 0;
    return KERB_OK;
}

const kerb_controls* kerb_scene_stage_player(kerb_stage* stage, int32_t index,
                                             const kerb_vehicle* vehicle,
                                             const kerb_motion* motion) {
    stage_player* p = &stage->state->players[index];
    if (!p->drives)
        return NULL;
    float speed = kerb_motion_forward_speed(motion);
    if (p->direction > 0 && speed < STAGE_STANDS && p->brake > STAGE_PRESSED &&
        p->throttle < STAGE_PRESSED)
        p->direction = -1;
    else if (p->direction < 0 && speed > -STAGE_STANDS && p->throttle > STAGE_PRESSED)
        p->direction = 1;
    bool forwards = p->direction > 0;
    p->controls = kerb_controls_safe(KERB_REASON_NONE);
    p->controls.throttle = forwards ? p->throttle : p->brake;
    p->controls.brake = forwards ? p->brake : p->throttle;
    p->controls.steering = p->steering;
    p->controls.gear =
        kerb_gearbox_drive(&p->gearbox, vehicle, motion, p->direction, p->controls.throttle,
                           KERB_STAGE_STEP, &p->controls.clutch);
    return &p->controls;
}
