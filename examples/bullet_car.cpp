// Kerb drives a btRaycastVehicle of Bullet: round a street corner, until it stops at the end.
// Vehicles of Bullet face +z, and y is up. kerb_axes converts between those axes and Kerb's.
#include <btBulletDynamicsCommon.h>
#include <cstdio>
#include <kerb/kerb.h>

static const float mass = 1200.0f, engine_force = 5000.0f, brake_force = 9000.0f;
static const float step = 1.0f / 60.0f;
static const kerb_axes axes = kerb_axes_gltf(); // x left, y up, z forward: Bullet's too

static kerb_vec3 vector_of(const btVector3& v) {
    return kerb_vec3_make(float(v.x()), float(v.y()), float(v.z()));
}

// Describes the car for the driver. Measure yours once, or let kerb/calibrate.h measure it.
static kerb_vehicle describe_car() {
    kerb_vehicle car = kerb_vehicle_default();
    car.mass = mass;
    car.steering_angle_max = 0.6f;
    car.steering_delay = 0.0f;      // wheels of Bullet turn at once …
    car.steering_rate_max = 2.0f;   // … but apply() turns them no faster than this
    car.understeer_gradient = 0.0f; // no slip angle below the limit of grip
    car.acceleration_max = engine_force / mass;
    car.braking_max = brake_force / mass;
    car.lateral_acceleration_max = 0.9f * KERB_GRAVITY;
    return car;
}

static void add_wheels(btRaycastVehicle* vehicle, const kerb_vehicle& car) {
    btRaycastVehicle::btVehicleTuning tuning;
    tuning.m_suspensionStiffness = 30.0f;
    tuning.m_suspensionCompression = 2.2f;
    tuning.m_suspensionDamping = 3.3f;
    tuning.m_maxSuspensionForce = 10.0f * mass;
    tuning.m_frictionSlip = 0.9f; // the grip; Bullet's default of 10.5 is far too much
    float rear = -car.reference_to_rear_axle, front = rear + car.wheelbase;
    for (int i = 0; i < 4; i++)
        vehicle->addWheel(btVector3(i % 2 == 0 ? 0.8f : -0.8f, 0.0f, i < 2 ? front : rear),
                          btVector3(0, -1, 0), btVector3(-1, 0, 0), 0.4f, 0.3f, tuning, i < 2);
}

// The motion of the car in Kerb's axes.
static kerb_motion motion_of(const btRigidBody& body, float steering) {
    btQuaternion turn = body.getOrientation();
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_position_from(&axes, vector_of(body.getCenterOfMassPosition()));
    motion.rotation = kerb_rotation_from(
        &axes, {float(turn.x()), float(turn.y()), float(turn.z()), float(turn.w())});
    motion.velocity = kerb_position_from(&axes, vector_of(body.getLinearVelocity()));
    motion.angular_velocity =
        kerb_angular_velocity_from(&axes, vector_of(body.getAngularVelocity()));
    motion.steering = steering;
    return motion;
}

// Applies the controls to the car of Bullet: force or brake, and a wheel angle.
static float apply(btRaycastVehicle* vehicle, const kerb_vehicle& car,
                   const kerb_controls& controls, float steering) {
    float turn = car.steering_rate_max / car.steering_angle_max * step;
    steering += kerb_clamp(controls.steering - steering, -turn, turn);
    for (int i = 0; i < 4; i++) {
        float force = 0.25f * engine_force * controls.throttle * (controls.gear < 0 ? -1.0f : 1.0f);
        // A driven wheel of Bullet does not brake. Its brake is an impulse: force times step.
        vehicle->applyEngineForce(controls.brake > 0.0f ? 0.0f : force, i);
        vehicle->setBrake(0.25f * brake_force * controls.brake * step, i);
        vehicle->setSteeringValue(i < 2 ? steering * car.steering_angle_max : 0.0f, i);
    }
    return steering;
}

int main() {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
    btRigidBody ground(0, nullptr, &plane);
    world.addRigidBody(&ground);

    kerb_vehicle car = describe_car();
    btBoxShape box(btVector3(0.9f, 0.3f, 2.2f));
    btVector3 inertia;
    box.calculateLocalInertia(mass, inertia);
    btRigidBody body(mass, nullptr, &box, inertia);
    body.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 0.65f, 0)));
    body.setActivationState(DISABLE_DEACTIVATION); // or it sleeps after a stop
    world.addRigidBody(&body);
    btDefaultVehicleRaycaster raycaster(&world);
    btRaycastVehicle vehicle(btRaycastVehicle::btVehicleTuning(), &body, &raycaster);
    vehicle.setCoordinateSystem(0, 1, 2);
    add_wheels(&vehicle, car);
    world.addAction(&vehicle);

    const kerb_waypoint street[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(60, 0, 0),
                                    kerb_waypoint_at(60, 40, 0)};
    kerb_host host = kerb_host_default();
    kerb_path path;
    if (kerb_path_create(&path, street, 3, false, &host, nullptr) != KERB_OK)
        return 1;
    kerb_follower driver = kerb_follower_make(&car);
    kerb_motion motion = motion_of(body, 0.0f);
    for (int frame = 0; frame < 3600 && driver.controls.reason != KERB_REASON_ARRIVED; frame++) {
        kerb_controls controls = kerb_follower_drive(&driver, &path, &motion, nullptr, step);
        float steering = apply(&vehicle, car, controls, motion.steering);
        world.stepSimulation(step, 0);
        motion = motion_of(body, steering);
    }
    kerb_path_destroy(&path);
    std::printf("arrived at %.2f, %.2f\n", double(motion.position.x), double(motion.position.y));
    return driver.controls.reason == KERB_REASON_ARRIVED ? 0 : 1;
}
