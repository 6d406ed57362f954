#include "scene/plan_drive.h"

#define SUBSTEP (1.0f / 400.0f) // of the simulation at most [s]
#define LOOK 0.005f             // between places of the movement [s]
#define REACH 1.5f              // how far to either side of now … [s]
#define REACH_SHARE 0.06f       // … or, if that is more, of the movement's time [1]

static sim_vehicle vehicle_at_start(const sim_model* model, const kerb_plan* plan) {
    kerb_plan_state start = kerb_plan_at(plan, 0.0f);
    float ahead = model->vehicle.reference_to_rear_axle;
    kerb_vec2 at = kerb_vec2_add(start.pose.position, kerb_vec2_scale(start.pose.forward, ahead));
    float heading = kerb_atan2(start.pose.forward.y, start.pose.forward.x);
    sim_vehicle vehicle = sim_vehicle_make(model, kerb_vec3_make(at.x, at.y, 0.0f), heading);
    if (start.speed != 0.0f) {
        sim_body body = sim_vehicle_body(&vehicle);
        body.forward = start.speed;
        sim_vehicle_set_body(&vehicle, &body);
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

static float apart(kerb_vec2 a, kerb_vec2 b) {
    kerb_vec2 off = kerb_vec2_sub(a, b);
    return kerb_sqrt(kerb_vec2_dot(off, off));
}

static float turned(kerb_pose a, kerb_pose b) {
    return kerb_abs(
        kerb_atan2(kerb_vec2_cross(a.forward, b.forward), kerb_vec2_dot(a.forward, b.forward)));
}

// The time of the nearest place that is driven about now; of places equally near, the first.
static float nearest_time(const kerb_plan* plan, kerb_vec2 position, float now) {
    float reach = kerb_max(REACH, REACH_SHARE * plan->time);
    float first = kerb_clamp(now - reach, 0.0f, plan->time);
    int32_t looks = (int32_t)((kerb_min(now + reach, plan->time) - first) / LOOK);
    float best = first, least = 1e30f;
    for (int32_t i = 0; i <= looks; i++) {
        float t = first + LOOK * (float)i;
        float far = apart(kerb_plan_at(plan, t).pose.position, position);
        if (far < least) {
            least = far;
            best = t;
        }
    }
    return best;
}

static void measure(scene_plan_driven* result, const kerb_plan* plan, kerb_pose rear, float now) {
    kerb_pose planned = kerb_plan_at(plan, nearest_time(plan, rear.position, now)).pose;
    result->error = kerb_max(result->error, apart(planned.position, rear.position));
    result->swing = kerb_max(result->swing, turned(planned, rear));
}

scene_plan_driven scene_plan_drive(const sim_model* model,
                                   const kerb_plan_driver_settings* settings, const kerb_plan* plan,
                                   float hz,
                                   void (*watch)(void* context, const scene_plan_frame* frame),
                                   void* context) {
    sim_vehicle vehicle = vehicle_at_start(model, plan);
    kerb_motion motion = sim_vehicle_motion(&vehicle);
    kerb_plan_driver driver = kerb_plan_driver_make(&model->vehicle);
    driver.settings = *settings;
    const sim_ground ground = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};
    scene_plan_driven result = {.planned = plan->time};
    float step = 1.0f / hz, back = model->vehicle.reference_to_rear_axle;
    int32_t substeps = 1 + (int32_t)(step / SUBSTEP);
    int32_t most = (int32_t)((2.0f * plan->time + 10.0f) * hz);
    for (int32_t i = 0; i < most && !result.arrived; i++) {
        kerb_controls controls = kerb_plan_driver_drive(&driver, plan, &motion, NULL, step);
        float now = (float)i * step;
        kerb_pose rear = rear_axle(&motion, back);
        measure(&result, plan, rear, now);
        scene_plan_frame frame = {(double)now, &motion, &driver};
        if (watch)
            watch(context, &frame);
        result.time = now;
        result.arrived = controls.reason == KERB_REASON_ARRIVED;
        kerb_pose end = kerb_plan_at(plan, plan->time).pose;
        result.end_error = apart(end.position, rear.position);
        result.end_swing = turned(end, rear);
        for (int32_t k = 0; k < substeps; k++)
            sim_vehicle_step(&vehicle, &controls, &ground, step / (float)substeps);
        motion = sim_vehicle_motion(&vehicle);
    }
    return result;
}
