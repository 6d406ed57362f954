// One car in a Bullet world: shared by sim/bullet/bullet.h and sim/bullet/group.h.
#ifndef KERB_SIM_BULLET_CAR_H
#define KERB_SIM_BULLET_CAR_H

#include "sim/bullet/ground.h"

#include <BulletDynamics/Vehicle/btRaycastVehicle.h>

// What the controls ask for, in range.
struct kerb_sim_bullet_pedals {
    float throttle, brake, clutch, steering;
    int32_t gear;
    bool handbrake;
};

// In the order in which Bullet needs its parts; they go in reverse.
struct kerb_sim_bullet_car {
    kerb_sim_car_model model;
    float speed_max;
    const kerb_sim_world* world; // whose zones change its grip
    float grip;                  // of the ground elsewhere
    float tow;                   // share of its drag that others take [0 … 1]
    float steering, throttle, shift_timer, engine_speed;
    int32_t gear;
    std::unique_ptr<btCollisionShape> body_box;
    btCompoundShape body_shape;
    std::unique_ptr<btRigidBody> body;
    std::unique_ptr<btVehicleRaycaster> ray;
    std::unique_ptr<btRaycastVehicle> vehicle;
};

inline btVector3 kerb_sim_bullet_vector(kerb_vec3 v) {
    return {v.x, v.y, v.z};
}

inline kerb_vec3 kerb_sim_bullet_to_kerb(const btVector3& v) {
    return kerb_vec3_make(static_cast<float>(v.x()), static_cast<float>(v.y()),
                          static_cast<float>(v.z()));
}

// Body and wheels, at rest on the ground; belongs to no world yet. `ray` is what its wheels see.
void kerb_sim_bullet_car_make(kerb_sim_bullet_car* car, const kerb_sim_model& model,
                              const kerb_sim_world* world, std::unique_ptr<btVehicleRaycaster> ray,
                              const kerb_sim_ground& ground, kerb_vec3 position, float heading);

// At rest elsewhere.
void kerb_sim_bullet_car_put(kerb_sim_bullet_car* car, const kerb_sim_ground& ground,
                             kerb_vec3 position, float heading);

kerb_sim_bullet_pedals kerb_sim_bullet_pedals_from(const kerb_sim_car_model& model,
                                                   const kerb_controls& controls);

// Before each step of the world.
void kerb_sim_bullet_car_drive(kerb_sim_bullet_car* car, const kerb_sim_bullet_pedals& wanted,
                               float time_step);

kerb_motion kerb_sim_bullet_car_motion(const kerb_sim_bullet_car* car);

#endif
