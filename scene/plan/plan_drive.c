// Drives a movement with a plan driver in the reference simulation, step by step, and compares each
// state with the nearest one of the movement.
#include "scene/plan/plan_drive.h"

#include <string.h>

#define SUBSTEP (1.0f / 400.0f) // of the simulation at most [s]
#define LOOK 0.005f             // between places of the movement [s]
#define LOOK_CLOSELY 5e-4f      // … and about the nearest of these
#define PLAN_DRIVE_REACH 1.5f   // how far to either side of now … [s]
#define REACH_SHARE 0.06f       // … or, if that is more, of the movement's time [1]

static kerb_sim_vehicle vehicle_at_start(const kerb_sim_model* model, const kerb_plan* plan) {
    kerb_plan_state start = kerb_plan_at(plan, 0.0f);
    float ahead = model->vehicle.reference_to_rear_axle;
    kerb_vec2 at = kerb_vec2_add(start.pose.position, kerb_vec2_scale(start.pose.forward, ahead));
    float heading = kerb_atan2(start.pose.forward.y, start.pose.forward.x);
    kerb_sim_vehicle vehicle =
        kerb_sim_vehicle_make(model, kerb_vec3_make(at.x, at.y, 0.0f), heading);
    if (start.speed != 0.0f) {
        kerb_sim_body body = kerb_sim_vehicle_body(&vehicle);
        body.forward = start.speed;
        kerb_sim_vehicle_set_body(&vehicle, &body);
    }
    return vehicle;
}

static kerb_pose rear_axle(const kerb_motion* motion, float back) {
    kerb_vec3 facing = kerb_quat_forward(motion->rotation);
    kerb_pose pose = {.forward = {facing.x, facing.y}};
    pose.position =
        kerb_vec2_make(motion->position.x - back * facing.x, motion->position.y - back * facing.y);
    return pose;
}

static float plan_drive_apart(kerb_vec2 a, kerb_vec2 b) {
    kerb_vec2 off = kerb_vec2_sub(a, b);
    return kerb_sqrt(kerb_vec2_dot(off, off));
}

static float plan_drive_turned(kerb_pose a, kerb_pose b) {
    return kerb_abs(
        kerb_atan2(kerb_vec2_cross(a.forward, b.forward), kerb_vec2_dot(a.forward, b.forward)));
}

// Of places equally near, the first.
static float nearest_between(const kerb_plan* plan, kerb_vec2 position, float first, float last,
                             float look) {
    int32_t looks = (int32_t)((last - first) / look);
    float best = first, least = 1e30f;
    for (int32_t i = 0; i <= looks; i++) {
        float t = first + look * (float)i;
        float far = plan_drive_apart(kerb_plan_at(plan, t).pose.position, position);
        if (far < least) {
            least = far;
            best = t;
        }
    }
    return best;
}

// The time of the nearest place that is driven about now.
static float nearest_time(const kerb_plan* plan, kerb_vec2 position, float now) {
    float reach = kerb_max(PLAN_DRIVE_REACH, REACH_SHARE * plan->time);
    float first = kerb_clamp(now - reach, 0.0f, plan->time);
    float last = kerb_min(now + reach, plan->time);
    float about = nearest_between(plan, position, first, last, LOOK);
    first = kerb_clamp(about - LOOK, 0.0f, plan->time);
    return nearest_between(plan, position, first, kerb_min(about + LOOK, plan->time), LOOK_CLOSELY);
}

static void plan_drive_measure(kerb_scene_plan_driven* result, const kerb_plan* plan,
                               kerb_scene_plan_frame* frame) {
    float near = nearest_time(plan, frame->rear.position, (float)frame->time);
    kerb_pose planned = kerb_plan_at(plan, near).pose;
    frame->error = plan_drive_apart(planned.position, frame->rear.position);
    result->error = kerb_max(result->error, frame->error);
    result->error_mean += frame->error; // a sum until the end
    result->swing = kerb_max(result->swing, plan_drive_turned(planned, frame->rear));
    kerb_pose end = kerb_plan_at(plan, plan->time).pose;
    result->end_error = plan_drive_apart(end.position, frame->rear.position);
    result->end_swing = plan_drive_turned(end, frame->rear);
    result->time = (float)frame->time;
}

kerb_scene_plan_driven kerb_scene_plan_drive(
    const kerb_scene_plan_ride* ride, const kerb_plan* plan,
    void (*watch)(void* context, const kerb_scene_plan_frame* frame), void* context) {
    const kerb_vehicle* known = &ride->model.vehicle;
    kerb_sim_vehicle vehicle = vehicle_at_start(&ride->model, plan);
    kerb_motion motion = kerb_sim_vehicle_motion(&vehicle);
    kerb_plan_driver driver = kerb_plan_driver_make(known);
    driver.settings = ride->settings;
    const kerb_sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = ride->grip};
    kerb_scene_plan_driven result = {.planned = plan->time};
    float step = 1.0f / ride->hz;
    int32_t substeps = 1 + (int32_t)(step / SUBSTEP), frames = 0;
    int32_t most = (int32_t)((2.0f * plan->time + 10.0f) * ride->hz);
    for (; frames < most && !result.arrived; frames++) {
        kerb_controls controls = kerb_plan_driver_drive(&driver, plan, &motion, NULL, step);
        kerb_scene_plan_frame frame = {.time = (double)((float)frames * step),
                                       .motion = &motion,
                                       .driver = &driver,
                                       .rear = rear_axle(&motion, known->reference_to_rear_axle)};
        plan_drive_measure(&result, plan, &frame);
        if (watch)
            watch(context, &frame);
        result.arrived = controls.reason == KERB_REASON_ARRIVED;
        for (int32_t k = 0; k < substeps; k++)
            kerb_sim_vehicle_step(&vehicle, &controls, &ground, step / (float)substeps);
        motion = kerb_sim_vehicle_motion(&vehicle);
    }
    result.error_mean /= (float)frames;
    return result;
}

// --------------------------------------------------------------------------- with whom

// What kerb_plan_limits_to_drive leaves of the lock. [1]
#define RADIUS_LEFT 1.1f
// Of what is before the rear axle, up to the front axle: a middling car's. [1]
#define WHEELBASE_SHARE 0.75f

kerb_scene_plan_ride kerb_scene_plan_ride_make(const kerb_sim_model* model) {
    return (kerb_scene_plan_ride){.model = *model,
                                  .settings = kerb_plan_driver_settings_default(),
                                  .hz = 60.0f,
                                  .grip = 1.0f};
}

kerb_sim_model kerb_scene_plan_car_for(const kerb_plan_limits* limits) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.length = limits->front + limits->rear;
    vehicle.width = limits->width;
    vehicle.wheelbase = WHEELBASE_SHARE * limits->front;
    vehicle.reference_to_rear_axle = 0.5f * vehicle.wheelbase;
    vehicle.reference_to_front = limits->front - vehicle.reference_to_rear_axle;
    float radius = limits->turning_radius / RADIUS_LEFT;
    vehicle.steering_angle_max = kerb_atan2(vehicle.wheelbase, radius);
    return kerb_sim_model_for(&vehicle);
}

kerb_plan_limits kerb_scene_plan_limits_within(const kerb_plan_limits* limits,
                                               const kerb_vehicle* vehicle, float share) {
    kerb_plan_limits own = kerb_plan_limits_to_drive(vehicle, share), l = *limits;
    l.speed_max = kerb_min(l.speed_max, own.speed_max);
    l.reverse_speed_max = kerb_min(l.reverse_speed_max, own.reverse_speed_max);
    l.acceleration = kerb_min(l.acceleration, own.acceleration);
    l.braking = kerb_min(l.braking, own.braking);
    l.reverse_acceleration = kerb_min(l.reverse_acceleration, own.reverse_acceleration);
    l.reverse_braking = kerb_min(l.reverse_braking, own.reverse_braking);
    l.lateral_acceleration = kerb_min(l.lateral_acceleration, own.lateral_acceleration);
    l.yaw_rate_max = kerb_min(l.yaw_rate_max, own.yaw_rate_max);
    l.reversal_time = kerb_max(l.reversal_time, own.reversal_time);
    l.steering_time = kerb_max(l.steering_time, own.steering_time);
    return l;
}

// --------------------------------------------------------------------------- what it meets

// The checker judges movements, so it gets one: a millimetre ahead.
bool kerb_scene_plan_touches(const kerb_plan_limits* limits, const kerb_plan_world* world,
                             kerb_pose pose) {
    if (!world)
        return false;
    const float way = 1e-3f, speed = 1.0f;
    kerb_plan_limits outline = kerb_plan_limits_default();
    outline.front = limits->front;
    outline.rear = limits->rear;
    outline.width = limits->width;
    kerb_plan_end from = {.pose = pose, .speed = speed}, to = from;
    to.pose.position = kerb_vec2_add(pose.position, kerb_vec2_scale(pose.forward, way));
    const kerb_plan_piece piece = {
        .start = pose, .duration = way / speed, .length = way, .speed = speed, .direction = 1};
    const kerb_plan plan = {
        .pieces = &piece, .count = 1, .time = way / speed, .cost = way / speed, .length = way};
    const kerb_plan_query query = {&from, &to, 1, 1};
    kerb_error error;
    return kerb_plan_check(&outline, &query, world, &plan, &error) != KERB_OK &&
           strcmp(error.field, "world") == 0;
}
