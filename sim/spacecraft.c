// Purpose: one step of a spacecraft.
// Idea:    Thrust along the nose, nothing else. Thrusters turn it; all moments of inertia are
//          equal, so it turns about a fixed axis. It turns no faster than its limit. Semi-implicit.
// Cost:    O(1).
#include "sim/spacecraft.h"

#include "sim/attitude.h"

static kerb_vec3 lagged(kerb_vec3 value, kerb_vec3 wanted, float share) {
    return kerb_vec3_along(value, kerb_vec3_sub(wanted, value), share);
}

void kerb_sim_spacecraft_step(kerb_sim_spacecraft* c, const kerb_controls* controls, float step) {
    const kerb_spacecraft* l = &c->limits;
    kerb_vec3 wanted = {kerb_sim_command(controls->roll, -1.0f, 1.0f),
                        kerb_sim_command(controls->pitch, -1.0f, 1.0f),
                        kerb_sim_command(controls->yaw, -1.0f, 1.0f)};
    wanted = kerb_vec3_scale(wanted, l->turn_acceleration);
    c->twisting = lagged(c->twisting, wanted, kerb_sim_lag_share(l->turn_delay, step));
    c->turning = kerb_vec3_along(c->turning, c->twisting, step);
    float rate = kerb_vec3_length(c->turning);
    if (rate > l->turn_rate_max)
        c->turning = kerb_vec3_scale(c->turning, l->turn_rate_max / rate);
    c->rotation = kerb_sim_turned(c->rotation, c->turning, step);
    float throttle = kerb_sim_command(controls->throttle, 0.0f, 1.0f);
    c->throttle += (throttle - c->throttle) * kerb_sim_lag_share(l->throttle_delay, step);
    kerb_vec3 nose = kerb_quat_forward(c->rotation);
    c->velocity = kerb_vec3_along(c->velocity, nose, step * c->throttle * l->acceleration);
    c->x += (double)(step * c->velocity.x);
    c->y += (double)(step * c->velocity.y);
    c->z += (double)(step * c->velocity.z);
}

kerb_motion kerb_sim_spacecraft_motion(const kerb_sim_spacecraft* c) {
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_make((float)c->x, (float)c->y, (float)c->z);
    motion.rotation = c->rotation;
    motion.velocity = c->velocity;
    motion.angular_velocity = kerb_quat_rotate(c->rotation, c->turning);
    return motion;
}

kerb_sim_spacecraft kerb_sim_spacecraft_make(const kerb_spacecraft* limits, kerb_vec3 position,
                                             kerb_vec3 nose) {
    float level = kerb_vec2_length(kerb_vec2_make(nose.x, nose.y));
    kerb_sim_spacecraft c = {.limits = *limits,
                             .x = (double)position.x,
                             .y = (double)position.y,
                             .z = (double)position.z,
                             .rotation = kerb_quat_from_angles(kerb_atan2(nose.y, nose.x),
                                                               -kerb_atan2(nose.z, level), 0.0f)};
    return c;
}
