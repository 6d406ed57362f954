// One car in a world of Bullet's: what sim/bullet/bullet.h and sim/bullet/group.h share.
#ifndef KERB_SIM_BULLET_CAR_H
#define KERB_SIM_BULLET_CAR_H

#include "sim/bullet/ground.h"

#include <BulletDynamics/Vehicle/btRaycastVehicle.h>

// What the controls ask for, in range.
struct sim_bullet_pedals {
    float throttle, brake, clutch, steering;
    int32_t gear;
    bool handbrake;
};

// In the order in which Bullet needs its parts; they go in reverse.
struct sim_bullet_car {
    sim_car_model model;
    float speed_max;
    const sim_world* world; // whose zones change its grip
    float grip;             // of the ground elsewhere
    float tow;              // share of its drag that others take [0 … 1]
    float steering, throttle, shift_timer, engine_speed;
    int32_t gear;
    std::unique_ptr<btCollisionShape> body_box;
    btCompoundShape body_shape;
    std::unique_ptr<btRigidBody> body;
    std::unique_ptr<btVehicleRaycaster> ray;
    std::unique_ptr<btRaycastVehicle> vehicle;
};

inline btVector3 sim_bullet_vector(kerb_vec3 v) {
    return {v.x, v.y, v.z};
}

inline kerb_vec3 sim_bullet_to_kerb(const btVector3& v) {
    return kerb_vec3_make(static_cast<float>(v.x()), static_cast<float>(v.y()),
                          static_cast<float>(v.z()));
}

// Body and wheels, at rest on the ground; belongs to no world yet. `ray` is what its wheels see.
void sim_bullet_car_make(sim_bullet_car* car, const sim_model& model, const sim_world* world,
                         std::unique_ptr<btVehicleRaycaster> ray, const sim_ground& ground,
                         kerb_vec3 position, float heading);

// At rest elsewhere.
void sim_bullet_car_put(sim_bullet_car* car, const sim_ground& ground, kerb_vec3 position,
                        float heading);

sim_bullet_pedals sim_bullet_pedals_from(const sim_car_model& model, const kerb_controls& controls);

// Before each step of the world.
void sim_bullet_car_drive(sim_bullet_car* car, const sim_bullet_pedals& wanted, float time_step);

kerb_motion sim_bullet_car_motion(const sim_bullet_car* car);

#endif
