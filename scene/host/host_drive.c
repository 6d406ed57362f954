// Random drives as hosts tell them: the host's physics and frames, and who drives. What is told
// wrongly is in host_tell.c.
#include "scene/host/host_drive.h"

#include "scene/course/unseen.h"
#include "scene/host/host_tell.h"

#include <math.h>
#include <string.h>

// Longest time by which an engine moves its physics in one frame. [s]
#define HOST_PHYSICS_MOST 0.3f

static float host_draw(kerb_scene_host_drive* drive, float min, float max) {
    return kerb_random_between(&drive->random, min, max);
}

static bool host_chance(kerb_scene_host_drive* drive, float share) {
    return kerb_random_unit(&drive->random) < share;
}

// About normal, of unit deviation.
static float host_noise(kerb_scene_host_drive* drive) {
    float sum = -2.0f;
    for (int i = 0; i < 4; i++)
        sum += kerb_random_unit(&drive->random);
    return sum * 1.7320508f;
}

// --------------------------------------------------------------------------- making

static void host_draw_vehicle(kerb_scene_host_drive* drive, uint64_t seed) {
    const int32_t known = kerb_sim_model_count() + kerb_sim_race_model_count();
    if (host_chance(drive, 0.6f)) {
        const kerb_vehicle unseen = kerb_scene_unseen_vehicle(seed);
        drive->model = kerb_sim_model_for(&unseen);
        drive->vehicle = unseen;
        return;
    }
    const int32_t which = kerb_random_below(&drive->random, known);
    kerb_sim_model_named(which < kerb_sim_model_count()
                             ? kerb_sim_model_name(which)
                             : kerb_sim_race_model_name(which - kerb_sim_model_count()),
                         &drive->model);
    drive->vehicle = drive->model.vehicle;
}

static void host_draw_host(kerb_scene_host_drive* drive) {
    static const float steps[] = {1.0f / 240.0f, 1.0f / 120.0f, 1.0f / 60.0f, 1.0f / 50.0f};
    static const float noises[] = {0.0f, 0.0f, 0.0005f, 0.002f};
    drive->physics_step = steps[kerb_random_below(&drive->random, 4)];
    drive->frame_time = 1.0f / host_draw(drive, 30.0f, 144.0f);
    drive->frame_spread = host_chance(drive, 0.5f) ? host_draw(drive, 0.0f, 0.5f) : 0.0f;
    drive->interpolates = host_chance(drive, 0.3f);
    drive->tells_turning = host_chance(drive, 0.7f);
    drive->tells_steering = host_chance(drive, 0.6f);
    drive->position_noise = noises[kerb_random_below(&drive->random, 4)];
    drive->velocity_noise = host_chance(drive, 0.3f) ? host_draw(drive, 0.0f, 0.03f) : 0.0f;
    drive->velocity_lag = host_chance(drive, 0.2f) ? host_draw(drive, 0.0f, 0.15f) : 0.0f;
    const float far = host_chance(drive, 0.3f) ? 20000.0f : 500.0f;
    // One draw a statement: compilers evaluate arguments in different orders.
    drive->offset.x = host_draw(drive, -far, far);
    drive->offset.y = host_draw(drive, -far, far);
    drive->grip = 1.0f;
    if (host_chance(drive, 0.5f)) {
        drive->hill_length = host_draw(drive, 30.0f, 200.0f);
        drive->hill = host_draw(drive, 0.0f, 0.25f);
    }
}

void kerb_scene_host_drive_make(kerb_scene_host_drive* drive, uint64_t seed,
                                kerb_host_mistake mistake, int32_t variant) {
    memset(drive, 0, sizeof *drive);
    drive->random = kerb_random_make(seed, 7);
    drive->mistake = mistake;
    drive->variant = variant;
    host_draw_vehicle(drive, seed);
    host_draw_host(drive);
    drive->style = (kerb_scene_host_style)(seed % KERB_SCENE_HOST_STYLES);
    if (drive->style == KERB_SCENE_HOST_DRIFT)
        drive->grip = host_draw(drive, 0.15f, 0.7f);
    drive->kinematic = drive->vehicle.kind == KERB_VEHICLE_WHEELED &&
                       drive->style < KERB_SCENE_HOST_DRIFT && host_chance(drive, 0.2f);
    drive->along_body = host_chance(drive, 0.5f);
    const float heading = host_draw(drive, -KERB_PI, KERB_PI);
    drive->body = kerb_sim_vehicle_make(&drive->model, kerb_vec3_make(0.0f, 0.0f, 0.0f), heading);
    drive->kinematic_heading = heading;
    drive->now = drive->before = kerb_sim_vehicle_motion(&drive->body);
    drive->controls = kerb_controls_safe(KERB_REASON_NONE);
    for (size_t i = 0; i < sizeof drive->late / sizeof *drive->late; i++)
        drive->late[i] = drive->controls;
}

// --------------------------------------------------------------------------- physics

static kerb_sim_ground host_ground_below(const kerb_scene_host_drive* drive, kerb_vec3 at) {
    kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = drive->grip};
    if (drive->hill == 0.0f)
        return ground;
    const float wave = 2.0f * KERB_PI / drive->hill_length, height = drive->hill / wave;
    const float slope_x = drive->hill * kerb_cos(wave * at.x);
    const float slope_y = drive->hill * kerb_cos(wave * at.y);
    ground.height = height * (kerb_sin(wave * at.x) + kerb_sin(wave * at.y));
    ground.normal = kerb_vec3_unit(kerb_vec3_make(-slope_x, -slope_y, 1.0f), ground.normal);
    return ground;
}

static void host_push_body(kerb_scene_host_drive* drive, float step) {
    if (drive->push_time <= 0.0f)
        return;
    drive->push_time -= step;
    kerb_sim_body body = kerb_sim_vehicle_body(&drive->body);
    body.side += drive->push * step;
    body.yaw_rate += 0.1f * drive->push * step;
    kerb_sim_vehicle_set_body(&drive->body, &body);
}

static kerb_vec3 host_foot_of(const kerb_sim_vehicle* body) {
    return body->kind == KERB_VEHICLE_WHEELED   ? body->car.position
           : body->kind == KERB_VEHICLE_TRACKED ? body->tracked.position
                                                : body->hover.position;
}

static void host_step_dynamic(kerb_scene_host_drive* drive, const kerb_controls* controls) {
    const int32_t parts = (int32_t)ceilf(drive->physics_step * 240.0f - 0.01f);
    const float step = drive->physics_step / (float)parts;
    for (int32_t i = 0; i < parts; i++) {
        const kerb_sim_ground ground = host_ground_below(drive, host_foot_of(&drive->body));
        host_push_body(drive, step);
        kerb_sim_vehicle_step(&drive->body, controls, &ground, step);
    }
    drive->now = kerb_sim_vehicle_motion(&drive->body);
}

// A host of few lines: a bicycle without tyres on a plane.
static void host_step_kinematic(kerb_scene_host_drive* drive, const kerb_controls* controls) {
    const kerb_vehicle* car = &drive->vehicle;
    const float step = drive->physics_step;
    const float direction = controls->gear < 0 ? -1.0f : 1.0f;
    float push = (controls->gear == 0 ? 0.0f : direction) * car->acceleration_max *
                 controls->throttle * step;
    float brake = (car->braking_max * controls->brake + car->coasting_deceleration) * step;
    float speed = drive->kinematic_speed + push;
    speed = speed > 0.0f ? kerb_max(speed - brake, 0.0f) : kerb_min(speed + brake, 0.0f);
    speed = kerb_clamp(speed, -car->reverse_speed_max, car->speed_max);
    drive->kinematic_speed = speed;
    const float reach = car->steering_rate_max / car->steering_angle_max * step;
    drive->kinematic_steering +=
        kerb_clamp(controls->steering - drive->kinematic_steering, -reach, reach);
    const float yaw_rate =
        speed * kerb_tan(drive->kinematic_steering * car->steering_angle_max) / car->wheelbase;
    drive->kinematic_heading += yaw_rate * step;
    kerb_motion* now = &drive->now;
    now->rotation = kerb_quat_from_heading(drive->kinematic_heading);
    now->velocity = kerb_vec3_scale(kerb_quat_forward(now->rotation), speed);
    if (!drive->along_body)
        now->velocity = kerb_vec3_along(now->velocity, kerb_quat_left(now->rotation),
                                        yaw_rate * car->reference_to_rear_axle);
    now->position = kerb_vec3_along(now->position, now->velocity, step);
    now->angular_velocity = kerb_vec3_make(0.0f, 0.0f, yaw_rate);
    now->steering = drive->kinematic_steering;
    now->gear = controls->gear;
}

static void host_put_elsewhere(kerb_scene_host_drive* drive) {
    const float heading = host_draw(drive, -KERB_PI, KERB_PI);
    const float x = host_draw(drive, -300.0f, 300.0f);
    const float y = host_draw(drive, -300.0f, 300.0f);
    const kerb_vec3 place = {x, y, 0.0f};
    drive->body = kerb_sim_vehicle_make(&drive->model, place, heading);
    drive->now = drive->before = kerb_sim_vehicle_motion(&drive->body);
}

static void host_hit(kerb_scene_host_drive* drive) {
    kerb_sim_body body = kerb_sim_vehicle_body(&drive->body);
    body.forward *= host_draw(drive, -0.3f, 1.0f);
    body.side += host_draw(drive, -6.0f, 6.0f);
    body.yaw_rate += host_draw(drive, -3.0f, 3.0f);
    kerb_sim_vehicle_set_body(&drive->body, &body);
}

static void host_crash(kerb_scene_host_drive* drive, float step) {
    if (drive->style != KERB_SCENE_HOST_CRASHES)
        return;
    if (host_chance(drive, step / 4.0f))
        host_hit(drive);
    if (host_chance(drive, step / 6.0f)) {
        drive->push_time = host_draw(drive, 0.2f, 1.5f);
        drive->push = host_draw(drive, -15.0f, 15.0f);
    }
    if (host_chance(drive, step / 8.0f))
        host_put_elsewhere(drive);
}

// Moves the physics by the time of a frame, in whole steps.
static void host_move(kerb_scene_host_drive* drive, float frame_time) {
    const kerb_controls applied = kerb_scene_host_apply(drive);
    drive->leftover += kerb_min(frame_time, HOST_PHYSICS_MOST);
    while (drive->leftover >= drive->physics_step) {
        drive->leftover -= drive->physics_step;
        drive->before = drive->now;
        if (drive->kinematic)
            host_step_kinematic(drive, &applied);
        else
            host_step_dynamic(drive, &applied);
    }
}

// --------------------------------------------------------------------------- driver

static float host_forward_speed(const kerb_scene_host_drive* drive) {
    return kerb_motion_forward_speed(&drive->now);
}

static void host_draw_target(kerb_scene_host_drive* drive) {
    const kerb_vehicle* vehicle = &drive->vehicle;
    const float most = kerb_min(0.8f * vehicle->speed_max, 30.0f);
    drive->target_time = host_draw(drive, 2.0f, 7.0f);
    drive->target = host_draw(drive, kerb_min(4.0f, most), most);
    const float back = drive->style == KERB_SCENE_HOST_TO_FRO ? 0.4f : 0.05f;
    if (host_chance(drive, back))
        drive->target = -host_draw(drive, 0.5f, 0.8f) * vehicle->reverse_speed_max;
    else if (host_chance(drive, 0.5f * back))
        drive->target = 0.0f;
}

// Share of the lock that the grip allows at this speed.
static float host_steering_limit(const kerb_scene_host_drive* drive) {
    const kerb_vehicle* vehicle = &drive->vehicle;
    const float speed = kerb_max(kerb_abs(host_forward_speed(drive)), 0.5f);
    const float lateral = 0.7f * drive->grip * vehicle->lateral_acceleration_max;
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return kerb_min(1.0f, lateral / speed / vehicle->yaw_rate_max);
    const float curvature = lateral / (speed * speed);
    const float angle = kerb_atan(curvature * vehicle->wheelbase) +
                        kerb_max(vehicle->understeer_gradient, 0.0f) * lateral;
    return kerb_min(1.0f, angle / vehicle->steering_angle_max);
}

static float host_draw_steering(kerb_scene_host_drive* drive, float step) {
    drive->steer_time -= step;
    if (drive->steer_time <= 0.0f) {
        drive->steer_time = host_draw(drive, 0.5f, 4.0f);
        drive->steer_rate = host_draw(drive, -1.0f, 1.0f);
        if (host_chance(drive, 0.2f))
            drive->steer_rate = 0.0f;
    }
    const float pull = kerb_min(step / 0.3f, 1.0f);
    drive->steer += (drive->steer_rate - drive->steer) * pull;
    if (drive->style == KERB_SCENE_HOST_WILD)
        return drive->steer;
    float steering = drive->steer * host_steering_limit(drive);
    if (drive->style == KERB_SCENE_HOST_DRIFT) {
        // Steers into the slide, and keeps it.
        const kerb_vec3 left = kerb_quat_left(drive->now.rotation);
        const float side = kerb_vec3_dot(left, drive->now.velocity);
        const float slide = kerb_atan2(side, kerb_max(host_forward_speed(drive), 1.0f));
        steering = drive->steer + slide / drive->vehicle.steering_angle_max;
    }
    return kerb_clamp(steering, -1.0f, 1.0f);
}

static void host_press_pedals(kerb_scene_host_drive* drive, kerb_controls* controls,
                              int32_t direction) {
    const float speed = host_forward_speed(drive), along = speed * (float)direction;
    const float error = kerb_abs(drive->target) - along;
    if (direction == 0)
        controls->brake = 1.0f;
    else if (drive->style == KERB_SCENE_HOST_DRIFT || drive->style == KERB_SCENE_HOST_WILD)
        controls->throttle = error > 0.0f ? 1.0f : 0.0f;
    else
        controls->throttle = kerb_clamp(0.1f + 0.3f * error, 0.0f, 1.0f);
    if (error < -2.0f)
        controls->brake = kerb_clamp(-0.1f * error, 0.0f, 1.0f);
    if (drive->style == KERB_SCENE_HOST_DRIFT && along > 6.0f)
        controls->handbrake = drive->steer_time < 0.3f;
}

static void host_drive_on(kerb_scene_host_drive* drive, float step) {
    drive->target_time -= step;
    if (drive->target_time <= 0.0f)
        host_draw_target(drive);
    const float speed = host_forward_speed(drive);
    int32_t direction = drive->target > 0.0f ? 1 : drive->target < 0.0f ? -1 : 0;
    kerb_controls controls = {0};
    controls.steering = host_draw_steering(drive, step);
    // It stops before it changes the direction.
    const bool turns_back = direction != 0 && speed * (float)direction < -0.3f;
    if (turns_back)
        controls.brake = 1.0f;
    else
        host_press_pedals(drive, &controls, direction);
    const int32_t wanted = turns_back ? -direction : direction;
    controls.gear = wanted == 0 ? drive->controls.gear : wanted;
    if (wanted > 0)
        controls.gear = kerb_gearbox_drive(&drive->gearbox, &drive->vehicle, &drive->told, 1,
                                           controls.throttle, drive->told_step, &controls.clutch);
    drive->controls = controls;
    drive->frames++;
    drive->late[drive->frames % (int32_t)(sizeof drive->late / sizeof *drive->late)] = controls;
}

// --------------------------------------------------------------------------- a frame

static kerb_vec3 host_mixed(kerb_vec3 a, kerb_vec3 b, float part) {
    return kerb_vec3_along(a, kerb_vec3_sub(b, a), part);
}

static kerb_vec3 host_with_noise(kerb_scene_host_drive* drive, kerb_vec3 v, float deviation) {
    if (deviation == 0.0f)
        return v;
    const float x = host_noise(drive), y = host_noise(drive), z = host_noise(drive);
    return kerb_vec3_along(v, kerb_vec3_make(x, y, z), deviation);
}

static void host_tell_truth(kerb_scene_host_drive* drive, float frame_time) {
    kerb_motion* told = &drive->told;
    *told = drive->now;
    if (drive->interpolates) {
        const float part = drive->leftover / drive->physics_step;
        told->position = host_mixed(drive->before.position, drive->now.position, part);
        const kerb_quat a = drive->before.rotation, b = drive->now.rotation;
        const float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0f ? -1.0f : 1.0f;
        const kerb_quat q = {a.x + (sign * b.x - a.x) * part, a.y + (sign * b.y - a.y) * part,
                             a.z + (sign * b.z - a.z) * part, a.w + (sign * b.w - a.w) * part};
        told->rotation = q;
    }
    told->position = host_with_noise(drive, told->position, drive->position_noise);
    told->position = kerb_vec3_add(told->position, drive->offset);
    const float keep = kerb_min(frame_time / kerb_max(drive->velocity_lag, 1e-4f), 1.0f);
    drive->smooth_velocity = host_mixed(drive->smooth_velocity, drive->now.velocity, keep);
    told->velocity = host_with_noise(drive, drive->smooth_velocity, drive->velocity_noise);
    if (!drive->tells_turning)
        told->angular_velocity = kerb_vec3_make(0.0f, 0.0f, 0.0f);
    if (!drive->tells_steering || drive->vehicle.kind != KERB_VEHICLE_WHEELED)
        told->steering = 0.0f;
    drive->told_step = frame_time;
}

void kerb_scene_host_drive_frame(kerb_scene_host_drive* drive) {
    float frame_time = drive->frame_time * (1.0f + drive->frame_spread * host_noise(drive) * 0.5f);
    frame_time = kerb_clamp(frame_time, 1.0f / 200.0f, 0.1f);
    if (host_chance(drive, 0.002f))
        frame_time += host_draw(drive, 0.05f, 0.5f);
    host_crash(drive, frame_time);
    drive->given = drive->controls;
    host_move(drive, frame_time);
    host_tell_truth(drive, frame_time);
    kerb_scene_host_tell(drive);
    drive->time += frame_time;
    drive->speed = kerb_vec3_length(drive->now.velocity);
    if (drive->speed > 3.0f && kerb_abs(drive->given.steering) >= 0.1f)
        drive->excited += frame_time;
    host_drive_on(drive, frame_time);
}
