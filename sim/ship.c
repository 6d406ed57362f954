// Purpose: one step of a ship, its limits, and a published reference ship.
// Idea:    Sway and yaw follow Abkowitz's polynomial with coefficients of model tests, which scale
//          with the square of the speed. Surge: thrust against resistance that grows with speed²,
//          so that the model holds from rest to full speed. Current and wind carry the ship along.
// Cost:    O(1); the limits take a simulation of some minutes.
// Source:  See kerb_sim_mariner_model; Abkowitz, "Lectures on Ship Hydrodynamics", 1964; Fossen,
//          "Handbook of Marine Craft Hydrodynamics and Motion Control", 2011, 7.1.
#include "sim/ship.h"

// Slower than this through the water, coefficients that scale with speed give no forces. [m/s]
#define SHIP_STILL 0.05f

kerb_sim_ship_model kerb_sim_mariner_model(void) {
    kerb_sim_ship_model model = {
        .length = 160.93f,
        .width = 23.17f,
        .reference_to_bow = 84.2f, // centre of mass 3.7 m behind the middle
        .speed_max = 7.7175f,
        .acceleration = 0.0405f, // -X_u' U² / 2L (m' - X_u̇'), with X_u' = -184e-5
        .astern = 0.02f,
        .propeller_lag = 10.0f,
        .rudder_max = 0.6109f,  // 35°
        .rudder_rate = 0.0873f, // 5°/s
        .coefficients =
            {
                .mass = 798e-5f,
                .inertia = 39.2e-5f,
                .mass_ahead = -0.023f,
                .surge_added = -42e-5f,
                .sway_by_sway = -748e-5f,
                .sway_by_yaw = -9.354e-5f,
                .yaw_by_sway = 4.646e-5f,
                .yaw_by_yaw = -43.8e-5f,
                .x_vv = -899e-5f,
                .x_rr = 18e-5f,
                .x_vr = 798e-5f,
                .x_dd = -95e-5f,
                .x_vd = 93e-5f,
                .y_v = -1160e-5f,
                .y_r = -499e-5f,
                .y_vvv = -8078e-5f,
                .y_vvr = 15356e-5f,
                .y_d = 278e-5f,
                .y_ddd = -90e-5f,
                .y_vvd = 1190e-5f,
                .y_vdd = -4e-5f,
                .n_v = -264e-5f,
                .n_r = -166e-5f,
                .n_vvv = 1636e-5f,
                .n_vvr = -5483e-5f,
                .n_d = -139e-5f,
                .n_ddd = 45e-5f,
                .n_vvd = -489e-5f,
                .n_vdd = 13e-5f,
            },
        .leeway = 0.02f,
    };
    return model;
}

kerb_sim_ship kerb_sim_ship_make(const kerb_sim_ship_model* model, float x, float y, float heading,
                                 float speed) {
    kerb_sim_ship ship = {.model = *model,
                          .x = (double)x,
                          .y = (double)y,
                          .heading = heading,
                          .surge = speed,
                          .thrust = speed / model->speed_max};
    ship.thrust *= kerb_abs(ship.thrust);
    return ship;
}

static float ship_finite(float value, float least) {
    return kerb_is_finite(value) ? kerb_clamp(value, least, 1.0f) : 0.0f;
}

// Rudder and propeller come to what is commanded.
static void steer_ship(kerb_sim_ship* ship, const kerb_controls* controls, float time_step) {
    const kerb_sim_ship_model* model = &ship->model;
    float wanted = ship_finite(controls->steering, -1.0f) * model->rudder_max;
    float most = model->rudder_rate * time_step;
    ship->rudder += kerb_clamp(wanted - ship->rudder, -most, most);
    float throttle = ship_finite(controls->throttle, 0.0f);
    throttle *= controls->gear > 0 ? 1.0f : controls->gear < 0 ? -1.0f : 0.0f;
    ship->thrust += (throttle - ship->thrust) * time_step / (model->propeller_lag + time_step);
}

// Accelerations by water and propeller. The formulas hold for axes to starboard and, with all
// lateral signs changed, for axes to the left. A positive rudder angle of the coefficients turns to
// the right then.
static void ship_accelerations(const kerb_sim_ship* ship, float* surge, float* sway, float* yaw) {
    const kerb_sim_ship_model* model = &ship->model;
    const kerb_sim_ship_coefficients* c = &model->coefficients;
    float speed = kerb_sqrt(ship->surge * ship->surge + ship->sway * ship->sway);
    float length = model->length, flow = kerb_max(speed, SHIP_STILL);
    float v = ship->sway / flow, r = ship->yaw * length / flow;
    // Astern the flow comes from behind, and the rudder acts the other way.
    float d = ship->surge < 0.0f ? ship->rudder : -ship->rudder;
    float y = c->y_v * v + c->y_r * r + c->y_vvv * v * v * v + c->y_vvr * v * v * r + c->y_d * d +
              c->y_ddd * d * d * d + c->y_vvd * v * v * d + c->y_vdd * v * d * d;
    float n = c->n_v * v + c->n_r * r + c->n_vvv * v * v * v + c->n_vvr * v * v * r + c->n_d * d +
              c->n_ddd * d * d * d + c->n_vvd * v * v * d + c->n_vdd * v * d * d;
    float x =
        c->x_vv * v * v + c->x_rr * r * r + c->x_vr * v * r + c->x_dd * d * d + c->x_vd * v * d;
    float m22 = c->mass - c->sway_by_sway, m23 = c->mass * c->mass_ahead - c->sway_by_yaw;
    float m32 = c->mass * c->mass_ahead - c->yaw_by_sway, m33 = c->inertia - c->yaw_by_yaw;
    float determinant = m22 * m33 - m23 * m32, scale = flow * speed / length;
    float push = ship->thrust * (ship->thrust > 0.0f ? model->acceleration : model->astern);
    float resistance = model->acceleration / (model->speed_max * model->speed_max);
    *surge = push - resistance * ship->surge * kerb_abs(ship->surge) +
             x / (c->mass - c->surge_added) * scale;
    *sway = (m33 * y - m23 * n) / determinant * scale;
    *yaw = (m22 * n - m32 * y) / determinant * scale / length;
}

void kerb_sim_ship_step(kerb_sim_ship* ship, const kerb_controls* controls, float time_step) {
    const kerb_sim_ship_model* model = &ship->model;
    float surge, sway, yaw, sine, cosine;
    steer_ship(ship, controls, time_step);
    ship_accelerations(ship, &surge, &sway, &yaw);
    ship->surge += surge * time_step;
    ship->sway += sway * time_step;
    float before = ship->yaw;
    ship->yaw += yaw * time_step;
    kerb_sin_cos(ship->heading + 0.25f * (before + ship->yaw) * time_step, &sine, &cosine);
    kerb_vec2 drift = kerb_vec2_add(model->current, kerb_vec2_scale(model->wind, model->leeway));
    ship->x += (double)((ship->surge * cosine - ship->sway * sine + drift.x) * time_step);
    ship->y += (double)((ship->surge * sine + ship->sway * cosine + drift.y) * time_step);
    ship->heading = kerb_wrap_angle(ship->heading + 0.5f * (before + ship->yaw) * time_step);
}

kerb_motion kerb_sim_ship_motion(const kerb_sim_ship* ship) {
    kerb_motion motion = kerb_motion_default();
    const kerb_sim_ship_model* model = &ship->model;
    float sine, cosine;
    kerb_sin_cos(ship->heading, &sine, &cosine);
    kerb_vec2 drift = kerb_vec2_add(model->current, kerb_vec2_scale(model->wind, model->leeway));
    motion.position = kerb_vec3_make((float)ship->x, (float)ship->y, 0.0f);
    motion.rotation = kerb_quat_from_heading(ship->heading);
    motion.velocity = kerb_vec3_make(ship->surge * cosine - ship->sway * sine + drift.x,
                                     ship->surge * sine + ship->sway * cosine + drift.y, 0.0f);
    motion.angular_velocity = kerb_vec3_make(0.0f, 0.0f, ship->yaw);
    motion.steering = ship->rudder / model->rudder_max;
    motion.gear = ship->thrust < 0.0f ? -1 : 1;
    return motion;
}

// --------------------------------------------------------------------------- limits

// Step and length of the simulated turn. After an hour nothing changes any more. [s], [1]
#define SHIP_TRIAL_STEP 0.25f
#define SHIP_TRIAL_STEPS 8000

kerb_ship kerb_sim_ship_limits(const kerb_sim_ship_model* model) {
    kerb_sim_ship_model calm = *model;
    calm.current = calm.wind = kerb_vec2_make(0.0f, 0.0f);
    const kerb_controls hard = {.throttle = 1.0f, .steering = 1.0f, .gear = 1};
    kerb_sim_ship ship = kerb_sim_ship_make(&calm, 0.0f, 0.0f, 0.0f, model->speed_max);
    for (int32_t i = 0; i < SHIP_TRIAL_STEPS; i++)
        kerb_sim_ship_step(&ship, &hard, SHIP_TRIAL_STEP);
    kerb_ship limits = kerb_ship_default();
    limits.length = model->length;
    limits.width = model->width;
    limits.reference_to_bow = model->reference_to_bow;
    limits.reference_to_pivot = -ship.sway / ship.yaw;
    limits.speed_max = model->speed_max;
    limits.acceleration = model->acceleration;
    limits.astern = model->astern;
    limits.turning_radius = ship.surge / ship.yaw;
    limits.turning_speed = ship.surge / model->speed_max;
    limits.throttle_delay = model->propeller_lag;
    limits.rudder_delay = 0.5f * model->rudder_max / model->rudder_rate;
    limits.current = model->current;
    limits.wind = model->wind;
    limits.leeway = model->leeway;
    // Distance until the curvature has come to 63 % of the steady one.
    float distance = 0.0f, steady = ship.yaw / ship.surge;
    ship = kerb_sim_ship_make(&calm, 0.0f, 0.0f, 0.0f, model->speed_max);
    while (ship.yaw < 0.632f * steady * ship.surge && distance < 100.0f * model->length) {
        kerb_sim_ship_step(&ship, &hard, SHIP_TRIAL_STEP);
        distance += ship.surge * SHIP_TRIAL_STEP;
    }
    limits.yaw_lag = distance;
    return limits;
}
