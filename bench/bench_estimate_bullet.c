// What an estimate learns of Bullet's raycast vehicle, against what is known of it:
//
//     bench_estimate_bullet [SECONDS]      after 30 s
//
// Each wheeled model of sim/ is driven in ordinary ramps of the steering, within 0.35 of the lock,
// at a speed that takes at most 0.4 of the grip. Between driver and vehicle stand a gain, a trim
// and a delay that nobody tells: they, the axle and the inertia are known; how sharply and how late
// it turns is measured by driving it.
#include "kerb/kerb.h"
#include "sim/vehicle.h"

#ifdef KERB_HAVE_BULLET
#include "sim/bullet/bullet.h"
#endif

#include <stdio.h>
#include <stdlib.h>

#ifdef KERB_HAVE_BULLET

#define STEP (1.0f / 60.0f)
#define DELAYS_MOST 16 // frames

// What stands between driver and vehicle.
typedef struct linkage {
    float gain, trim; // of the commands [1]
    int32_t delay;    // [frames]
} linkage;

typedef struct rig {
    kerb_sim_bullet* bullet;
    const kerb_vehicle* vehicle;
    linkage link;
    float late[DELAYS_MOST];
    int32_t frame;
    kerb_gearbox gearbox;
    kerb_motion motion;
} rig;

static const kerb_sim_world level = {0};

static bool rig_make(rig* r, const kerb_sim_model* model, linkage link) {
    *r = (rig){.vehicle = &model->vehicle, .link = link};
    r->bullet = kerb_sim_bullet_make(model, &level, NULL, (kerb_vec3){0}, 0.0f, NULL);
    if (r->bullet != NULL)
        r->motion = kerb_sim_bullet_motion(r->bullet);
    return r->bullet != NULL;
}

// Drives a frame at a speed. Returns what was commanded.
static kerb_controls rig_step(rig* r, float speed, float steering) {
    float gap = speed - kerb_motion_forward_speed(&r->motion);
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE), acts;
    controls.steering = steering;
    controls.throttle = kerb_clamp(0.4f * gap, 0.0f, 1.0f);
    controls.brake = kerb_clamp(-0.2f * gap - 0.1f, 0.0f, 1.0f);
    controls.handbrake = false;
    controls.gear = 1;
    if (r->vehicle->drive_train.gear_count > 0)
        controls.gear = kerb_gearbox_drive(&r->gearbox, r->vehicle, &r->motion, 1,
                                           controls.throttle, STEP, &controls.clutch);
    r->late[r->frame % DELAYS_MOST] = steering;
    int32_t then = r->frame++ - r->link.delay;
    acts = controls;
    acts.steering = then < 0 ? 0.0f : r->late[then % DELAYS_MOST];
    acts.steering = kerb_clamp(r->link.gain * (acts.steering - r->link.trim), -1.0f, 1.0f);
    kerb_sim_bullet_step(r->bullet, &acts, STEP);
    r->motion = kerb_sim_bullet_motion(r->bullet);
    return controls;
}

static float rig_curvature(const rig* r) {
    float speed = kerb_motion_forward_speed(&r->motion);
    return r->motion.angular_velocity.z / kerb_max(speed, 0.5f);
}

// Mean curvature of three seconds, after six that it needs to be steady. [1/m]
static float steady(const kerb_sim_model* model, linkage link, float speed, float steering) {
    rig r;
    float sum = 0.0f;
    if (!rig_make(&r, model, link))
        return 0.0f;
    for (int32_t i = 0; i < 540; i++) {
        rig_step(&r, speed, steering);
        sum += i >= 360 ? rig_curvature(&r) / 180.0f : 0.0f;
    }
    kerb_sim_bullet_destroy(r.bullet);
    return sum;
}

// Half of the hysteresis of a command that moves from -0.3 to 0.3 and back at 0.4 lock/s. [s]
static float lateness(const kerb_sim_model* model, linkage link, float speed, float middle) {
    rig r;
    float top = 8.0f, up = 0.0f, down = 0.0f, before = 0.0f;
    if (!rig_make(&r, model, link))
        return 0.0f;
    for (int32_t i = 0; i < 720; i++) {
        float time = STEP * (float)i;
        rig_step(&r, speed, 0.3f - kerb_min(0.4f * kerb_abs(time - top), 0.6f));
        float now = rig_curvature(&r);
        float part = now == before ? 0.0f : (middle - before) / (now - before);
        if (time > top - 1.5f && before < middle && now >= middle)
            up = time + part * STEP;
        if (time > top && before > middle && now <= middle && down == 0.0f)
            down = time + part * STEP;
        before = now;
    }
    kerb_sim_bullet_destroy(r.bullet);
    return 0.5f * (up + down) - top;
}

static void print(const char* name, kerb_estimated got, float truth) {
    printf("  %s %.3f (%.3f%s) truth %.3f", name, (double)got.value, (double)got.deviation,
           got.known ? "" : "?", (double)truth);
}

static void drive(const kerb_sim_model* model, linkage link, float seconds) {
    const kerb_vehicle* v = &model->vehicle;
    float bends = kerb_tan(0.35f * v->steering_angle_max) / v->wheelbase;
    float speed = kerb_sqrt(0.4f * v->lateral_acceleration_max / bends);
    static kerb_vehicle_estimate estimate;
    kerb_vehicle_estimate_init(&estimate, v);
    kerb_random random = kerb_random_make(1, 0);
    rig r;
    if (!rig_make(&r, model, link))
        return;
    float steering = 0.0f, target = 0.0f, next = 0.0f;
    for (int32_t i = 0; (float)i * STEP < seconds; i++) {
        float time = (float)i * STEP;
        if (time >= next) {
            target = kerb_random_between(&random, -0.35f, 0.35f);
            next = time + kerb_random_between(&random, 0.4f, 2.0f);
        }
        steering += kerb_clamp(target - steering, -0.8f * STEP, 0.8f * STEP);
        kerb_controls controls = rig_step(&r, speed, steering);
        kerb_vehicle_estimate_feed(&estimate, &r.motion, &controls, NULL, STEP);
    }
    kerb_sim_bullet_destroy(r.bullet);
    kerb_vehicle_estimate_update(&estimate);
    float left = steady(model, link, speed, 0.3f), right = steady(model, link, speed, -0.3f);
    float along = v->wheelbase + kerb_max(v->understeer_gradient, 0.0f) * speed * speed;
    float told = kerb_tan(0.3f * kerb_vehicle_steering_lock(v, speed)) / (0.3f * along);
    printf("%-8s", model->name);
    print("gain", estimate.steering.steering_gain, (left - right) / (0.6f * told));
    print("trim", estimate.steering.trim, link.trim);
    print("delay", estimate.steering.delay, lateness(model, link, speed, 0.5f * (left + right)));
    printf("\n        ");
    print("axle", estimate.body.following_axle, v->reference_to_rear_axle);
    print("gyration", estimate.body.gyration_square, model->car.yaw_inertia / model->car.mass);
    printf("  tyres %.2f (%.2f)  taught %.0f s\n", (double)estimate.body.tyres.value,
           (double)estimate.body.tyres.deviation, (double)estimate.steering.taught);
}

int main(int argc, char** argv) {
    float seconds = argc > 1 ? (float)atof(argv[1]) : 30.0f;
    const linkage links[] = {{1.0f, 0.0f, 0}, {0.8f, 0.04f, 6}};
    for (size_t k = 0; k < sizeof links / sizeof *links; k++) {
        printf("gain %.2f, trim %.2f, delay %.3f s on top; after %.0f s\n", (double)links[k].gain,
               (double)links[k].trim, (double)(STEP * (float)links[k].delay), (double)seconds);
        for (int32_t i = 0; i < kerb_sim_model_count() + kerb_sim_race_model_count(); i++) {
            int32_t race = i - kerb_sim_model_count();
            kerb_sim_model model;
            const char* name = race < 0 ? kerb_sim_model_name(i) : kerb_sim_race_model_name(race);
            if (kerb_sim_model_named(name, &model) && model.vehicle.kind == KERB_VEHICLE_WHEELED)
                drive(&model, links[k], seconds);
        }
    }
    return 0;
}

#else

int main(void) {
    puts("bench_estimate_bullet: skipped, built without Bullet");
    return 0;
}

#endif
