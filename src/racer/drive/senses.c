// Purpose: the parts of kerb_motion that a host leaves out, as far as the driver can find them.
// Idea:    A host that does not know the yaw rate or the wheel angle leaves zeros. The yaw rate
//          follows from the change of the body's direction. The wheel angle follows from the
//          commands and the vehicle's steering rate and delay. A car that really goes straight
//          gives the same zeros both ways.
// Cost:    O(1).
#include "racer.h"

// The yaw rate from directions is averaged over this time. [s]
#define SEEN_TIME 0.005f
// A larger turn in one frame means that the host moved the car. [rad]
#define SEEN_MOST 0.5f

static float turned_since(const kerb_racer* racer, const racer_frame* frame) {
    const kerb_vec3* last = &racer->memory.forward;
    float ahead = kerb_vec3_dot(*last, frame->forward);
    // Both against the direction that it has now.
    return ahead > 0.5f ? -kerb_atan2(kerb_vec3_dot(*last, frame->left), ahead) : 0.0f;
}

static void sense_yaw(kerb_racer* racer, racer_frame* frame) {
    const kerb_vec3* told = &frame->motion->angular_velocity;
    float turned = turned_since(racer, frame);
    racer->memory.forward = frame->forward;
    if (kerb_abs(turned) > SEEN_MOST)
        turned = 0.0f;
    float share = frame->time_step / (SEEN_TIME + frame->time_step);
    racer->memory.turned += share * (turned / frame->time_step - racer->memory.turned);
    if (told->x == 0.0f && told->y == 0.0f && told->z == 0.0f)
        frame->yaw_rate = racer->memory.turned;
}

static void sense_wheels(kerb_racer* racer, racer_frame* frame) {
    const kerb_vehicle* v = &racer->vehicle;
    float gap = racer->memory.steering - racer->memory.wheels;
    float most = kerb_in_racer_wheel_rate(racer) * frame->time_step;
    float step = gap * frame->time_step / (kerb_in_racer_lag(racer) + frame->time_step);
    racer->memory.wheels += kerb_clamp(step, -most, most);
    frame->wheels = frame->motion->steering != 0.0f
                        ? frame->motion->steering * v->steering_angle_max
                        : racer->memory.wheels;
}

void kerb_in_racer_sense(kerb_racer* racer, racer_frame* frame) {
    sense_yaw(racer, frame);
    sense_wheels(racer, frame);
}

bool kerb_in_racer_may_lock(const kerb_racer* racer) {
    return racer->memory.locks || racer->memory.stood ||
           racer->settings.slip_control == KERB_RACER_SLIP_LOCKS;
}
