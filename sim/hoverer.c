// Purpose: one step of a craft that hovers.
// Idea:    Stick commands turning rates. The rotor tilts towards the stick, is dragged back by its
//          own turning, and the tilted rotor turns the body: a second-order answer. Thrust acts
//          along the rotor's axis. Drag is linear. Semi-implicit integration.
// Cost:    O(1).
// Source:  See kerb_sim_helicopter_model.
#include "sim/hoverer.h"

#include "sim/attitude.h"

static void tilt_rotor(float wanted, float stiffness, float flap_time, float step, float* rate,
                       float* tilt) {
    // Implicit in the tilt: its time constant may be shorter than a few steps.
    *tilt = (*tilt + step * (wanted - *rate)) / (1.0f + step / flap_time);
    *rate += step * stiffness * *tilt;
}

static void hoverer_turn(kerb_sim_hoverer* h, const kerb_controls* controls, float step) {
    const kerb_sim_hoverer_model* m = &h->model;
    float most = m->is_rocket ? m->rocket.tilt_rate_max : m->craft.tilt_rate_max;
    float roll = most * kerb_sim_command(controls->roll, -1.0f, 1.0f);
    float pitch = most * kerb_sim_command(controls->pitch, -1.0f, 1.0f);
    float yaw = m->is_rocket ? 0.0f : m->craft.yaw_rate_max;
    yaw *= kerb_sim_command(controls->yaw, -1.0f, 1.0f);
    tilt_rotor(roll, m->roll_stiffness, m->flap_time, step, &h->turning.x, &h->roll_tilt);
    tilt_rotor(pitch, m->pitch_stiffness, m->flap_time, step, &h->turning.y, &h->pitch_tilt);
    h->turning.z += (yaw - h->turning.z) * kerb_sim_lag_share(m->yaw_time, step);
    h->rotation = kerb_sim_turned(h->rotation, h->turning, step);
}

// Thrust per mass less gravity that the stick asks for. [m/s²]
static float hoverer_lift(const kerb_sim_hoverer* h, const kerb_controls* controls) {
    const kerb_sim_hoverer_model* m = &h->model;
    if (m->is_rocket)
        return m->rocket.thrust_min - KERB_GRAVITY +
               (m->rocket.thrust_max - m->rocket.thrust_min) *
                   kerb_sim_command(controls->throttle, 0.0f, 1.0f);
    // The collective is mixed so that tilting does not sink the craft.
    float upright = kerb_max(kerb_quat_up(h->rotation).z, 0.3f);
    float lift = m->craft.lift_acceleration * kerb_sim_command(controls->lift, -1.0f, 1.0f);
    return (KERB_GRAVITY + lift) / upright - KERB_GRAVITY;
}

void kerb_sim_hoverer_step(kerb_sim_hoverer* h, const kerb_controls* controls, float step) {
    const kerb_sim_hoverer_model* m = &h->model;
    hoverer_turn(h, controls, step);
    h->lift += (hoverer_lift(h, controls) - h->lift) * kerb_sim_lag_share(m->lift_time, step);
    kerb_vec3 axis = {0.0f, 0.0f, 1.0f};
    if (m->rotor_pushes) // the rotor's axis leans towards its tilt
        axis = kerb_vec3_make(h->pitch_tilt, -h->roll_tilt, 1.0f);
    kerb_vec3 drag = kerb_quat_rotate(kerb_quat_conjugate(h->rotation), h->velocity);
    kerb_vec3 push = kerb_vec3_scale(axis, KERB_GRAVITY + h->lift);
    push.x -= m->drag_ahead * drag.x;
    push.y -= m->drag_side * drag.y;
    push.z -= m->drag_up * drag.z;
    push = kerb_quat_rotate(h->rotation, push);
    push.z -= KERB_GRAVITY;
    h->velocity = kerb_vec3_along(h->velocity, push, step);
    h->acceleration = push.z;
    h->x += (double)(step * h->velocity.x);
    h->y += (double)(step * h->velocity.y);
    h->z += (double)(step * h->velocity.z);
}

kerb_motion kerb_sim_hoverer_motion(const kerb_sim_hoverer* h) {
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_make((float)h->x, (float)h->y, (float)h->z);
    motion.rotation = h->rotation;
    motion.velocity = h->velocity;
    motion.angular_velocity = kerb_quat_rotate(h->rotation, h->turning);
    return motion;
}

kerb_sim_hoverer kerb_sim_hoverer_make(const kerb_sim_hoverer_model* model, kerb_vec3 position,
                                       float heading) {
    kerb_sim_hoverer h = {.model = *model,
                          .x = (double)position.x,
                          .y = (double)position.y,
                          .z = (double)position.z,
                          .rotation = kerb_quat_from_heading(heading)};
    return h;
}

kerb_sim_hoverer_model kerb_sim_helicopter_model(void) {
    kerb_sim_hoverer_model model = {.craft = kerb_helicopter_default(),
                                    .flap_time = 0.046f,
                                    .roll_stiffness = 166.0f,
                                    .pitch_stiffness = 82.6f,
                                    .drag_ahead = 0.0505f,
                                    .drag_side = 0.154f,
                                    .drag_up = 0.614f,
                                    .lift_time = 0.1f,
                                    .yaw_time = 0.15f,
                                    .rotor_pushes = true};
    return model;
}

kerb_sim_hoverer_model kerb_sim_drone_model(void) {
    kerb_sim_hoverer_model model = {.craft = kerb_drone_default(),
                                    .flap_time = 0.025f,
                                    .roll_stiffness = 700.0f,
                                    .pitch_stiffness = 700.0f,
                                    .drag_ahead = 0.1f,
                                    .drag_side = 0.1f,
                                    .drag_up = 0.2f,
                                    .lift_time = 0.04f,
                                    .yaw_time = 0.1f};
    return model;
}

kerb_sim_hoverer_model kerb_sim_rocket_model(void) {
    kerb_sim_hoverer_model model = {.is_rocket = true,
                                    .rocket = kerb_rocket_default(),
                                    .flap_time = 0.1f,
                                    .roll_stiffness = 40.0f,
                                    .pitch_stiffness = 40.0f,
                                    .drag_up = 0.001f,
                                    .lift_time = 0.15f,
                                    .yaw_time = 1.0f};
    return model;
}
