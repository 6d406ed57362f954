// Purpose: one step of an airplane, its limits, and the reference trainer.
// Idea:    A point mass with an attitude. The lift of the wing follows the angle of attack up to
//          the stall. Drag is a parabola over lift. Thrust acts along the nose and falls with
//          airspeed. The sticks command turning rates, which follow with a lag and fade below the
//          stall speed. As on any airplane with a tail, the nose turns into a side wind, and it
//          drops while the wing is stalled. Turns by banking, climbs by excess power and gliding
//          follow from this. Integration by the midpoint rule, of second order.
// Cost:    O(1).
// Source:  J. D. Anderson, "Aircraft Performance and Design"; B. Etkin, L. D. Reid, "Dynamics of
//          Flight"; the trainer's figures: README.md.
#include "sim/airplane.h"

// Slower than this the air does nothing. [m/s]
#define AIRSPEED_LEAST 0.1f
// Beyond the stalling angle the lift gives way to that of a flat plate over so much. [rad]
#define STALL_FADE 0.15f
// Drag of a plate across the stream. [1]
#define PLATE_DRAG 1.8f

// --------------------------------------------------------------------------- the air

typedef struct air {
    float speed;           // [m/s]
    float angle_of_attack; // [rad]
    float sideslip;        // [rad]
    float lift;            // C_L
    float pressure_area;   // dynamic pressure times wing area [N]
} air;

static float plate_share(const kerb_sim_airplane_model* model, float angle) {
    float stall = angle >= 0.0f ? model->lift_max : -model->lift_min;
    float beyond = kerb_abs(angle) - stall / model->lift_slope;
    return kerb_smooth_step(beyond, 0.0f, STALL_FADE);
}

static float lift_coefficient(const kerb_sim_airplane_model* model, float angle) {
    float wing = kerb_clamp(model->lift_slope * angle, model->lift_min, model->lift_max);
    float plate = plate_share(model, angle);
    return wing + (kerb_sin(2.0f * angle) - wing) * plate;
}

static float drag_coefficient(const kerb_sim_airplane_model* model, float angle, float lift) {
    float wing = model->drag_zero + model->drag_induced * lift * lift;
    float sine = kerb_sin(angle);
    float plate = model->drag_zero + PLATE_DRAG * sine * sine;
    return wing + (plate - wing) * plate_share(model, angle);
}

static air air_at(const kerb_sim_airplane_model* model, kerb_quat rotation, kerb_vec3 velocity) {
    kerb_vec3 wind = kerb_quat_rotate(kerb_quat_conjugate(rotation), velocity);
    air result = {.speed = kerb_vec3_length(velocity)};
    if (result.speed < AIRSPEED_LEAST)
        return result;
    float ahead = kerb_vec2_length(kerb_vec2_make(wind.x, wind.z));
    result.angle_of_attack = kerb_atan2(-wind.z, wind.x);
    result.sideslip = kerb_atan2(-wind.y, ahead);
    result.lift = lift_coefficient(model, result.angle_of_attack);
    result.pressure_area =
        0.5f * model->air_density * result.speed * result.speed * model->wing_area;
    return result;
}

// The force of the air and of the propeller. [N]
static kerb_vec3 force_of(const kerb_sim_airplane* airplane, kerb_quat rotation, kerb_vec3 velocity,
                          const air* around) {
    const kerb_sim_airplane_model* model = &airplane->model;
    kerb_vec3 forward = kerb_quat_forward(rotation), left = kerb_quat_left(rotation);
    kerb_vec3 path = kerb_vec3_unit(velocity, forward);
    kerb_vec3 lift_way = kerb_vec3_unit(kerb_vec3_cross(path, left), kerb_quat_up(rotation));
    float fade = kerb_max(1.0f - around->speed / model->thrust_end, 0.0f);
    float drag = drag_coefficient(model, around->angle_of_attack, around->lift) +
                 model->side_slope * around->sideslip * around->sideslip;
    kerb_vec3 force = kerb_vec3_scale(forward, airplane->throttle * model->thrust * fade);
    force = kerb_vec3_along(force, lift_way, around->pressure_area * around->lift);
    force = kerb_vec3_along(force, path, -around->pressure_area * drag);
    // Air that meets the side of the hull pushes the nose's way.
    return kerb_vec3_along(force, left,
                           around->pressure_area * model->side_slope * around->sideslip);
}

static kerb_vec3 acceleration_of(const kerb_sim_airplane* airplane, kerb_quat rotation,
                                 kerb_vec3 velocity) {
    air around = air_at(&airplane->model, rotation, velocity);
    kerb_vec3 force = force_of(airplane, rotation, velocity, &around);
    kerb_vec3 result = kerb_vec3_scale(force, 1.0f / airplane->model.mass);
    result.z -= KERB_GRAVITY;
    return result;
}

// --------------------------------------------------------------------------- sticks

static float airplane_clamp_finite(float x, float least, float most) {
    return kerb_is_finite(x) ? kerb_clamp(x, least, most) : 0.0f;
}

// Share of the way to a new value in a step of a first-order lag; implicit, stable at any step.
static float lag_share(float delay, float time_step) {
    return time_step / (delay + time_step);
}

static float speed_of_stall(const kerb_sim_airplane_model* model) {
    float weight = model->mass * KERB_GRAVITY;
    return kerb_sqrt(2.0f * weight / (model->air_density * model->wing_area * model->lift_max));
}

static float beyond_stall(const kerb_sim_airplane_model* model, float angle) {
    float most = model->lift_max / model->lift_slope, least = model->lift_min / model->lift_slope;
    return angle - kerb_clamp(angle, least, most);
}

static void turn_by_sticks(kerb_sim_airplane* airplane, const kerb_controls* controls,
                           const air* around, float time_step) {
    const kerb_sim_airplane_model* model = &airplane->model;
    float bite = kerb_min(around->speed / speed_of_stall(model), 1.0f);
    float roll = airplane_clamp_finite(controls->roll, -1.0f, 1.0f) * model->roll_rate_max;
    float pitch = airplane_clamp_finite(controls->pitch, -1.0f, 1.0f) * model->pitch_rate_max;
    float yaw = airplane_clamp_finite(controls->yaw, -1.0f, 1.0f) * model->yaw_rate_max;
    pitch += model->nose_drop * beyond_stall(model, around->angle_of_attack);
    yaw -= model->weathercock * around->sideslip;
    float share = lag_share(model->rate_delay, time_step);
    airplane->roll_rate += (bite * roll - airplane->roll_rate) * share;
    airplane->pitch_rate += (bite * pitch - airplane->pitch_rate) * share;
    airplane->yaw_rate += (bite * yaw - airplane->yaw_rate) * share;
    float throttle = airplane_clamp_finite(controls->throttle, 0.0f, 1.0f);
    airplane->throttle +=
        (throttle - airplane->throttle) * lag_share(model->throttle_delay, time_step);
}

// The rotation after turning at the body's rates for a time.
static kerb_quat turned(const kerb_sim_airplane* airplane, float time) {
    kerb_vec3 rate = kerb_vec3_make(airplane->roll_rate, airplane->pitch_rate, airplane->yaw_rate);
    float half = 0.5f * time * kerb_vec3_length(rate), sine, cosine;
    kerb_sin_cos(half, &sine, &cosine);
    kerb_vec3 axis = kerb_vec3_unit(rate, kerb_vec3_make(1.0f, 0.0f, 0.0f));
    kerb_quat turn = {axis.x * sine, axis.y * sine, axis.z * sine, cosine};
    kerb_quat q = kerb_quat_multiply(airplane->rotation, turn);
    float scale = 1.0f / kerb_sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    kerb_quat unit = {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
    return unit;
}

// --------------------------------------------------------------------------- one step

// Adds what is too small for the position to the next steps' moves. (W. Kahan)
static void move(kerb_sim_airplane* airplane, kerb_vec3 by) {
    kerb_vec3 whole = kerb_vec3_add(by, airplane->position_rest);
    kerb_vec3 after = kerb_vec3_add(airplane->position, whole);
    kerb_vec3 moved = kerb_vec3_sub(after, airplane->position);
    airplane->position_rest = kerb_vec3_sub(whole, moved);
    airplane->position = after;
}

static void note_air(kerb_sim_airplane* airplane) {
    const kerb_sim_airplane_model* model = &airplane->model;
    air around = air_at(model, airplane->rotation, airplane->velocity);
    airplane->angle_of_attack = around.angle_of_attack;
    airplane->sideslip = around.sideslip;
    airplane->load_factor = around.pressure_area * around.lift / (model->mass * KERB_GRAVITY);
}

void kerb_sim_airplane_step(kerb_sim_airplane* airplane, const kerb_controls* controls,
                            float time_step) {
    air before = air_at(&airplane->model, airplane->rotation, airplane->velocity);
    turn_by_sticks(airplane, controls, &before, time_step);
    float half = 0.5f * time_step;
    kerb_vec3 first = acceleration_of(airplane, airplane->rotation, airplane->velocity);
    kerb_vec3 middle = kerb_vec3_along(airplane->velocity, first, half);
    kerb_vec3 push = acceleration_of(airplane, turned(airplane, half), middle);
    kerb_vec3 after = kerb_vec3_along(airplane->velocity, push, time_step);
    move(airplane, kerb_vec3_scale(kerb_vec3_add(airplane->velocity, after), half));
    airplane->rotation = turned(airplane, time_step);
    airplane->velocity = after;
    note_air(airplane);
}

kerb_motion kerb_sim_airplane_motion(const kerb_sim_airplane* airplane) {
    kerb_motion motion = kerb_motion_default();
    motion.position = airplane->position;
    motion.rotation = airplane->rotation;
    motion.velocity = airplane->velocity;
    motion.angular_velocity = kerb_quat_rotate(
        airplane->rotation,
        kerb_vec3_make(airplane->roll_rate, airplane->pitch_rate, airplane->yaw_rate));
    return motion;
}

// --------------------------------------------------------------------------- limits

static float level_drag(const kerb_sim_airplane_model* model, float speed) {
    float pressure_area = 0.5f * model->air_density * speed * speed * model->wing_area;
    float lift = model->mass * KERB_GRAVITY / pressure_area;
    return pressure_area * (model->drag_zero + model->drag_induced * lift * lift);
}

// Where full thrust meets drag: above that drag wins for good, so halving finds it.
static float airplane_top_speed(const kerb_sim_airplane_model* model) {
    float low = speed_of_stall(model), high = model->thrust_end;
    for (int i = 0; i < 40; i++) {
        float speed = 0.5f * (low + high);
        float thrust = model->thrust * (1.0f - speed / model->thrust_end);
        if (thrust > level_drag(model, speed))
            low = speed;
        else
            high = speed;
    }
    return low;
}

kerb_aircraft kerb_sim_airplane_aircraft(const kerb_sim_airplane_model* model) {
    kerb_aircraft aircraft = kerb_aircraft_default();
    aircraft.length = model->length;
    aircraft.wingspan = model->wingspan;
    aircraft.stall_speed = speed_of_stall(model);
    aircraft.stall_angle = model->lift_max / model->lift_slope;
    aircraft.cruise_speed = model->cruise_speed;
    aircraft.speed_max = airplane_top_speed(model);
    aircraft.speed_never_exceed = model->speed_never_exceed;
    aircraft.acceleration_max = model->thrust / model->mass;
    aircraft.throttle_delay = model->throttle_delay;
    aircraft.drag = 0.5f * model->air_density * model->wing_area * model->drag_zero / model->mass;
    aircraft.glide_ratio = 0.5f / kerb_sqrt(model->drag_zero * model->drag_induced);
    aircraft.load_factor_max = model->load_factor_max;
    aircraft.load_factor_min = model->load_factor_min;
    aircraft.bank_max = model->bank_max;
    aircraft.roll_rate_max = model->roll_rate_max;
    aircraft.pitch_rate_max = model->pitch_rate_max;
    aircraft.yaw_rate_max = model->yaw_rate_max;
    aircraft.rate_delay = model->rate_delay;
    return aircraft;
}

kerb_sim_airplane_model kerb_sim_trainer_model(void) {
    kerb_sim_airplane_model model = {
        .length = 7.57f,
        .wingspan = 10.59f,
        .wing_area = 12.63f,
        .mass = 1157.0f,
        .air_density = 1.225f,
        .lift_slope = 5.0f,
        .lift_max = 1.5f,
        .lift_min = -1.0f,
        .drag_zero = 0.035f,
        .drag_induced = 0.047f,
        .side_slope = 0.4f,
        .thrust = 3970.0f,
        .thrust_end = 142.0f,
        .throttle_delay = 0.5f,
        .roll_rate_max = 1.6f,
        .pitch_rate_max = 0.8f,
        .yaw_rate_max = 0.5f,
        .rate_delay = 0.2f,
        .weathercock = 3.0f,
        .nose_drop = 4.0f,
        .load_factor_max = 6.0f,
        .load_factor_min = -3.0f,
        .speed_never_exceed = 92.6f,
        .cruise_speed = 62.0f,
        .bank_max = 1.05f,
    };
    return model;
}

// --------------------------------------------------------------------------- setting down

kerb_sim_airplane kerb_sim_airplane_make(const kerb_sim_airplane_model* model, kerb_vec3 position,
                                         float heading, float speed) {
    kerb_sim_airplane airplane = {.model = *model, .position = position};
    float pressure_area = 0.5f * model->air_density * speed * speed * model->wing_area;
    float lift =
        kerb_min(model->mass * KERB_GRAVITY / kerb_max(pressure_area, 1e-6f), model->lift_max);
    float drag = pressure_area * (model->drag_zero + model->drag_induced * lift * lift);
    float thrust = model->thrust * kerb_max(1.0f - speed / model->thrust_end, 0.01f);
    airplane.rotation = kerb_quat_from_angles(heading, -lift / model->lift_slope, 0.0f);
    airplane.velocity = kerb_vec3_scale(kerb_quat_forward(kerb_quat_from_heading(heading)), speed);
    airplane.throttle = kerb_clamp(drag / thrust, 0.0f, 1.0f);
    note_air(&airplane);
    return airplane;
}
