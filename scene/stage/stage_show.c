// Purpose: the records of vehicles, the hash of what they did, and estimates that watch them.
// Cost:    O(vehicles); an estimate some 60 ns.
#include "scene/stage/stage_parts.h"

#include <math.h>
#include <string.h>

// --------------------------------------------------------------------------- looks

static const char* const stage_look_names[KERB_STAGE_LOOKS] = {
    "car",        "pickup",     "buggy",      "scout",   "carrier",    "tank",
    "hovercraft", "road",       "gt",         "formula", "rally",      "truck",
    "bus",        "airplane",   "agent",      "ship",    "pedestrian", "trailer",
    "motorcycle", "spacecraft", "helicopter", "drone",   "rocket",     "submarine"};
// Of the body with its roof. [m]
static const float stage_look_heights[KERB_STAGE_LOOKS] = {
    1.45f, 1.8f, 1.5f, 2.1f,  2.4f,  2.4f, 1.9f, 1.25f, 1.15f, 1.0f, 1.4f, 3.2f,
    3.0f,  3.0f, 1.2f, 30.0f, 1.75f, 1.5f, 1.4f, 4.0f,  3.0f,  0.4f, 4.0f, 0.3f};

static const char* const stage_role_names[KERB_STAGE_ROLES] = {
    "hero", "traffic", "ghost", "target", "pursuer", "rival", "human", "parked"};

const char* kerb_stage_look_text(kerb_stage_look value) {
    uint32_t index = (uint32_t)value;
    return index < KERB_STAGE_LOOKS ? stage_look_names[index] : "unknown";
}

const char* kerb_stage_role_text(kerb_stage_role value) {
    uint32_t index = (uint32_t)value;
    return index < KERB_STAGE_ROLES ? stage_role_names[index] : "unknown";
}

int32_t kerb_scene_stage_look(const char* model) {
    for (int32_t i = 0; i < KERB_STAGE_LOOKS; i++) {
        if (strcmp(stage_look_names[i], model) == 0)
            return i;
    }
    return KERB_STAGE_CAR;
}

// --------------------------------------------------------------------------- one record

static void stage_show_wheels(const stage_shown* shown, kerb_stage_vehicle* v) {
    const kerb_vehicle* vehicle = shown->vehicle;
    v->tracked = 2;
    if (vehicle == NULL)
        return;
    v->tracked = vehicle->kind == KERB_VEHICLE_WHEELED   ? 0
                 : vehicle->kind == KERB_VEHICLE_TRACKED ? 1
                                                         : 2;
    v->wheelbase = vehicle->wheelbase;
    v->track_width = 0.84f * vehicle->width; // tyres stand in the body
    v->rear_axle =
        vehicle->reference_to_rear_axle + vehicle->reference_to_front - 0.5f * vehicle->length;
    v->wheel_radius = kerb_min(0.35f, 0.12f * vehicle->wheelbase);
    v->wheel_angle = shown->motion.steering * vehicle->steering_angle_max;
    if (shown->sim == NULL)
        return;
    if (vehicle->kind == KERB_VEHICLE_WHEELED)
        v->wheel_radius = shown->sim->car.model.wheel_radius;
    if (vehicle->kind == KERB_VEHICLE_TRACKED)
        v->track_width = shown->sim->tracked.model.gauge;
}

static void stage_show_place(const stage_shown* shown, kerb_stage_vehicle* v) {
    const kerb_vehicle* vehicle = shown->vehicle;
    kerb_quat rotation = shown->motion.rotation;
    kerb_vec3 forward = kerb_quat_forward(rotation), left = kerb_quat_left(rotation);
    float to_middle = vehicle != NULL ? vehicle->reference_to_front - 0.5f * vehicle->length : 0.0f;
    kerb_vec3 middle = kerb_vec3_along(shown->motion.position, forward, to_middle);
    v->x = middle.x;
    v->y = middle.y;
    v->z = middle.z;
    v->heading = kerb_quat_heading(rotation);
    v->pitch = kerb_atan2(forward.z, kerb_sqrt(forward.x * forward.x + forward.y * forward.y));
    v->roll = kerb_atan2(left.z, kerb_quat_up(rotation).z);
    v->vx = shown->motion.velocity.x;
    v->vy = shown->motion.velocity.y;
    v->vz = shown->motion.velocity.z;
    v->speed = kerb_motion_forward_speed(&shown->motion);
    v->yaw_rate = shown->motion.angular_velocity.z;
    v->lateral_acceleration = v->speed * v->yaw_rate;
}

static void stage_show_controls(const stage_shown* shown, kerb_stage_vehicle* v) {
    const kerb_controls* c = &shown->controls;
    v->throttle = c->throttle;
    v->brake = c->brake;
    v->steering = c->steering;
    v->handbrake = c->handbrake ? 1.0f : 0.0f;
    v->gear = (float)shown->motion.gear;
    v->engine_speed = shown->motion.engine_speed;
    v->reason = (int32_t)c->reason;
    v->target_speed = shown->target_speed;
    v->cross_track_error = shown->cross_track_error;
    v->progress = shown->progress;
}

static void stage_show_estimate(const kerb_stage* stage, int32_t index, const stage_shown* shown,
                                kerb_stage_vehicle* v) {
    const kerb_estimate* e = shown->estimate;
    if (e == NULL && index < stage->state->estimated)
        e = &stage->state->estimates[index];
    if (e == NULL)
        return;
    v->estimated = 1;
    v->delay_known = e->delay.known ? 1 : 0;
    v->gain_known = e->steering_gain.known ? 1 : 0;
    v->trim_known = e->trim.known ? 1 : 0;
    v->delay = e->delay.value;
    v->delay_deviation = e->delay.deviation;
    v->gain = e->steering_gain.value;
    v->gain_deviation = e->steering_gain.deviation;
    v->trim = e->trim.value;
    v->trim_deviation = e->trim.deviation;
}

static void stage_show_one(const kerb_stage* stage, int32_t index, const stage_shown* shown,
                           kerb_stage_vehicle* v) {
    memset(v, 0, sizeof *v);
    v->id = index;
    v->look = shown->look;
    v->role = shown->role;
    v->colour = shown->colour;
    v->visible = shown->hidden ? 0 : 1;
    v->player = stage->state->players[index].drives ? 1 : 0;
    v->touching = shown->touching ? 1 : 0;
    v->length = shown->length > 0.0f ? shown->length
                : shown->vehicle     ? shown->vehicle->length
                                     : 1.0f;
    v->width = shown->width > 0.0f ? shown->width : shown->vehicle ? shown->vehicle->width : 1.0f;
    v->height = shown->height > 0.0f ? shown->height : stage_look_heights[shown->look];
    stage_show_wheels(shown, v);
    stage_show_place(shown, v);
    stage_show_controls(shown, v);
    stage_show_estimate(stage, index, shown, v);
    v->front_roll = stage->state->rolls[index][0];
    v->rear_roll = stage->state->rolls[index][1];
}

// --------------------------------------------------------------------------- after a step

static void stage_mix(uint64_t* hash, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    *hash = (*hash ^ bits) * 0x100000001b3u;
}

static void stage_mix_vector(uint64_t* hash, kerb_vec3 v) {
    stage_mix(hash, v.x);
    stage_mix(hash, v.y);
    stage_mix(hash, v.z);
}

static void stage_hash_one(kerb_stage* stage, const stage_shown* shown) {
    uint64_t* hash = &stage->state->hash;
    stage_mix_vector(hash, shown->motion.position);
    stage_mix_vector(hash, shown->motion.velocity);
    stage_mix_vector(hash, shown->motion.angular_velocity);
    stage_mix_vector(hash, kerb_quat_forward(shown->motion.rotation));
    stage_mix(hash, shown->controls.throttle);
    stage_mix(hash, shown->controls.brake);
    stage_mix(hash, shown->controls.steering);
    stage_mix(hash, (float)shown->controls.gear + 16.0f * (float)shown->controls.reason);
}

static void stage_roll(float* angle, float speed) {
    const float round = 2.0f * KERB_PI;
    *angle += speed * KERB_STAGE_STEP;
    *angle -= round * floorf(*angle / round);
}

static void stage_roll_wheels(kerb_stage* stage, int32_t index, const stage_shown* shown,
                              const kerb_stage_vehicle* v) {
    float front = v->wheel_radius > 0.0f ? v->speed / v->wheel_radius : 0.0f, rear = front;
    const kerb_sim_vehicle* sim = shown->sim;
    if (sim != NULL && sim->kind == KERB_VEHICLE_WHEELED) {
        front = sim->car.wheel_front;
        rear = sim->car.wheel_rear;
    } else if (sim != NULL && sim->kind == KERB_VEHICLE_TRACKED) {
        front = sim->tracked.track_left / v->wheel_radius;
        rear = sim->tracked.track_right / v->wheel_radius;
    }
    stage_roll(&stage->state->rolls[index][0], front);
    stage_roll(&stage->state->rolls[index][1], rear);
}

static void stage_learn(kerb_stage* stage, int32_t index, const stage_shown* shown) {
    stage_state* s = stage->state;
    if (!shown->learns || index > s->estimated || index >= stage->scene->estimates)
        return;
    if (index == s->estimated) {
        s->estimates[index] = kerb_estimate_make(shown->vehicle);
        s->estimated++;
    }
    kerb_surroundings around = kerb_surroundings_default();
    around.do_not_learn = shown->touching;
    kerb_estimate_feed(&s->estimates[index], &shown->motion, &shown->controls, &around,
                       KERB_STAGE_STEP);
}

static void stage_after_step(kerb_stage* stage, int32_t index, const stage_shown* shown,
                             kerb_stage_vehicle* v) {
    stage_state* s = stage->state;
    stage_hash_one(stage, shown);
    stage_roll_wheels(stage, index, shown, v);
    stage_learn(stage, index, shown);
    stage_show_estimate(stage, index, shown, v);
    v->front_roll = s->rolls[index][0];
    v->rear_roll = s->rolls[index][1];
    v->acceleration = (v->speed - s->speeds[index]) / KERB_STAGE_STEP;
    s->speeds[index] = v->speed;
}

void kerb_scene_stage_show(kerb_stage* stage, bool stepped) {
    for (int32_t i = 0; i < stage->vehicle_count; i++) {
        stage_shown shown;
        memset(&shown, 0, sizeof shown);
        shown.motion = kerb_motion_default();
        shown.controls = kerb_controls_safe(KERB_REASON_NONE);
        stage->scene->show(stage, i, &shown);
        stage_show_one(stage, i, &shown, &stage->vehicles[i]);
        if (stepped)
            stage_after_step(stage, i, &shown, &stage->vehicles[i]);
    }
}

// --------------------------------------------------------------------------- reading

const kerb_stage_vehicle* kerb_stage_vehicles(const kerb_stage* stage) {
    return stage != NULL ? stage->vehicles : NULL;
}

int32_t kerb_stage_vehicle_count(const kerb_stage* stage) {
    return stage != NULL ? stage->vehicle_count : 0;
}

const char* kerb_stage_reason(const kerb_stage* stage, int32_t vehicle) {
    if (stage == NULL || vehicle < 0 || vehicle >= stage->vehicle_count)
        return "";
    if (stage->vehicles[vehicle].player)
        return "a player drives";
    if (stage->scene->reason != NULL)
        return stage->scene->reason(stage, vehicle);
    return kerb_reason_text((kerb_reason)stage->vehicles[vehicle].reason);
}

const char* kerb_stage_vehicle_name(kerb_stage* stage, int32_t vehicle) {
    if (stage == NULL || vehicle < 0 || vehicle >= stage->vehicle_count)
        return "";
    const kerb_stage_vehicle* v = &stage->vehicles[vehicle];
    const char* word = v->role == KERB_STAGE_PURSUER || v->role == KERB_STAGE_TARGET ||
                               v->role == KERB_STAGE_GHOST || v->role == KERB_STAGE_HUMAN
                           ? stage_role_names[v->role]
                           : stage_look_names[v->look];
    size_t length = strlen(word);
    memcpy(stage->name, word, length);
    // A number of up to three digits, from 1.
    int32_t number = vehicle + 1, digits = number >= 100 ? 3 : number >= 10 ? 2 : 1;
    stage->name[length] = ' ';
    for (int32_t i = digits; i > 0; i--, number /= 10)
        stage->name[length + (size_t)i] = (char)('0' + number % 10);
    stage->name[length + 1 + (size_t)digits] = '\0';
    return stage->name;
}
