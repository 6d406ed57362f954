// Purpose: one step of a submarine.
// Idea:    A slender body of revolution with equal rudders and planes: sway and yaw, heave and
//          pitch have the same equations, two by two. Forces are quadratic in the velocities. The
//          weight below the centre of buoyancy rights the pitch. Semi-implicit integration.
// Cost:    O(1).
// Source:  See kerb_sim_remus_model; Fossen, "Handbook of Marine Craft Hydrodynamics and Motion
//          Control", 2011, chapter 8.
#include "sim/submarine.h"

#include "sim/attitude.h"

// A velocity across the hull and the turning rate that goes with it, of one of the two planes.
typedef struct crosswise {
    float velocity, rate; // right and clockwise, as in the source's sway and yaw
} crosswise;

// Accelerations of one plane at a rudder angle, with a moment besides.
static crosswise across_accelerations(const kerb_sim_submarine_model* m, float u, crosswise a,
                                      float rudder, float moment) {
    float v = a.velocity, r = a.rate;
    float force = m->y_vv * v * kerb_abs(v) + m->y_rr * r * kerb_abs(r) + m->y_uv * u * v +
                  (m->y_ur - m->mass) * u * r + m->y_uud * u * u * rudder;
    moment += m->n_vv * v * kerb_abs(v) + m->n_rr * r * kerb_abs(r) + m->n_uv * u * v +
              m->n_ur * u * r + m->n_uud * u * u * rudder;
    // Masses: [mass - y_v, -y_r; -n_v, inertia - n_r]
    float a11 = m->mass - m->y_v, a22 = m->inertia - m->n_r;
    float det = a11 * a22 - m->y_r * m->n_v;
    crosswise result = {(force * a22 + m->y_r * moment) / det,
                        (moment * a11 + m->n_v * force) / det};
    return result;
}

static void submarine_answer(kerb_sim_submarine* s, const kerb_controls* controls, float step) {
    const kerb_sim_submarine_model* m = &s->model;
    float throttle = kerb_sim_command(controls->throttle, 0.0f, 1.0f);
    throttle = controls->gear < 0 ? -throttle : throttle;
    float rudder = kerb_sim_command(controls->steering, -1.0f, 1.0f);
    float planes = kerb_sim_command(controls->pitch, -1.0f, 1.0f);
    s->thrust += (throttle - s->thrust) * kerb_sim_lag_share(m->thrust_lag, step);
    s->rudder += (rudder - s->rudder) * kerb_sim_lag_share(m->rudder_lag, step);
    s->planes += (planes - s->planes) * kerb_sim_lag_share(m->rudder_lag, step);
}

static void submarine_move(kerb_sim_submarine* s, float step) {
    float sh, ch, sp, cp;
    kerb_sin_cos(s->heading, &sh, &ch);
    kerb_sin_cos(s->pitch, &sp, &cp);
    // Ahead, to the left and up, in the axes of the hull.
    float ahead = s->surge, left = -s->sway, up = -s->heave;
    float level = ahead * cp - up * sp;
    s->x += (double)(step * (level * ch - left * sh));
    s->y += (double)(step * (level * sh + left * ch));
    s->z += (double)(step * (ahead * sp + up * cp));
    s->heading = kerb_wrap_angle(s->heading + step * s->yaw / kerb_max(cp, 0.1f));
    s->pitch += step * s->rise;
}

void kerb_sim_submarine_step(kerb_sim_submarine* s, const kerb_controls* controls, float step) {
    const kerb_sim_submarine_model* m = &s->model;
    submarine_answer(s, controls, step);
    float u = s->surge;
    // A rudder to the left is negative in the source's terms, as turns to the left are. Its force
    // coefficient is that of a rudder whose positive angle turns to the left.
    crosswise level = {s->sway, -s->yaw};
    crosswise turn = across_accelerations(m, u, level, m->rudder_max * s->rudder, 0.0f);
    // Heave and pitch: down and nose down in place of right and clockwise.
    crosswise upright = {s->heave, -s->rise};
    float righting = m->weight_below * m->mass * KERB_GRAVITY * kerb_sin(s->pitch);
    crosswise dive = across_accelerations(m, u, upright, -m->rudder_max * s->planes, righting);
    // The propeller's force and the drag; drag grows with the rudders as the speed falls in turns.
    float drag = m->x_uu * u * kerb_abs(u);
    float turning = (m->mass - m->y_v) * (s->sway * level.rate + s->heave * upright.rate);
    float push = (m->thrust * s->thrust + drag + turning) / (m->mass - m->x_u);
    s->surge += step * push;
    s->sway += step * turn.velocity;
    s->yaw -= step * turn.rate;
    s->heave += step * dive.velocity;
    s->rise -= step * dive.rate;
    submarine_move(s, step);
}

kerb_motion kerb_sim_submarine_motion(const kerb_sim_submarine* s) {
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_make((float)s->x, (float)s->y, (float)s->z);
    motion.rotation = kerb_quat_from_angles(s->heading, -s->pitch, 0.0f);
    kerb_vec3 velocity = {s->surge, -s->sway, -s->heave}, rates = {0.0f, -s->rise, s->yaw};
    motion.velocity = kerb_quat_rotate(motion.rotation, velocity);
    motion.angular_velocity = kerb_quat_rotate(motion.rotation, rates);
    return motion;
}

kerb_sim_submarine kerb_sim_submarine_make(const kerb_sim_submarine_model* model,
                                           kerb_vec3 position, float heading, float speed) {
    kerb_sim_submarine s = {
        .model = *model,
        .x = (double)position.x,
        .y = (double)position.y,
        .z = (double)position.z,
        .heading = heading,
        .surge = speed,
        .thrust = kerb_clamp(-model->x_uu * speed * kerb_abs(speed) / model->thrust, -1.0f, 1.0f)};
    return s;
}

kerb_sim_submarine_model kerb_sim_remus_model(void) {
    kerb_sim_submarine_model model = {.length = 1.33f,
                                      .radius = 0.095f,
                                      .mass = 30.48f,
                                      .inertia = 3.45f,
                                      .weight_below = 0.0196f,
                                      .thrust = 3.86f,
                                      .thrust_lag = 0.3f,
                                      .rudder_lag = 0.1f,
                                      .rudder_max = 0.2391f,
                                      .x_u = -0.93f,
                                      .y_v = -35.5f,
                                      .y_r = 1.93f,
                                      .n_v = 1.93f,
                                      .n_r = -4.88f,
                                      .x_uu = -1.62f,
                                      .y_vv = -1310.0f,
                                      .y_rr = 0.632f,
                                      .y_uv = -28.6f,
                                      .y_ur = 5.22f,
                                      .y_uud = 9.64f,
                                      .n_vv = -3.18f,
                                      .n_rr = -94.0f,
                                      .n_uv = -24.0f,
                                      .n_ur = -2.0f,
                                      .n_uud = -6.15f};
    return model;
}

kerb_submarine kerb_sim_submarine_limits(const kerb_sim_submarine_model* model) {
    kerb_submarine limits = kerb_submarine_default();
    float top = kerb_sqrt(-model->thrust / model->x_uu);
    const kerb_vec3 origin = {0.0f, 0.0f, 0.0f};
    kerb_sim_submarine s = kerb_sim_submarine_make(model, origin, 0.0f, top);
    const kerb_controls controls = {.throttle = 1.0f, .steering = 1.0f, .gear = 1};
    for (int32_t i = 0; i < 6000; i++)
        kerb_sim_submarine_step(&s, &controls, 0.01f);
    float speed = kerb_sqrt(s.surge * s.surge + s.sway * s.sway);
    limits.length = model->length;
    limits.radius = model->radius;
    limits.speed_max = top;
    limits.acceleration = model->thrust / (model->mass - model->x_u);
    limits.braking = limits.acceleration;
    limits.level_speed = 0.5f * top;
    limits.turning_radius = speed / kerb_max(s.yaw, 1e-3f);
    limits.turning_speed = kerb_clamp(speed / top, 0.1f, 1.0f);
    limits.throttle_delay = model->thrust_lag;
    return limits;
}
