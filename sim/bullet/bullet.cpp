// Purpose: a sim_car_model as Bullet's btRaycastVehicle, behind a C interface.
// Idea:    the model's chassis becomes a rigid body, its axles four wheels on springs. Every step
//          the controls pass the model's own delays, its engine and its brakes, and end as what
//          btRaycastVehicle takes: a steering angle, and either a force or a brake for each wheel.
//          What Bullet's wheels do with it is Bullet's.
// Cost:    a step of 1/240 s takes 2 µs on a plane, 4 on terrain, 8 between walls; making, some ms.
// Source:  Bullet 3.24, btRaycastVehicle.h; suspension by the frequencies in Gillespie,
//          "Fundamentals of Vehicle Dynamics", chapter 5.
#include "sim/bullet/bullet.h"
#include "sim/bullet/ground.h"

extern "C" {
#include "sim/engine.h"
}

#include <new>

namespace {

const float STEP_MOST = 1.0f / 240.0f;

// Springs and dampers per wheel and per mass of the vehicle, as Bullet counts them: four wheels
// give sqrt(4·30)/2π = 1.7 Hz, damped by 0.4 of critical when pressed and 0.6 when released.
const float SPRING = 30.0f;        // [1/s²]
const float DAMPING_IN = 2.2f;     // [1/s]
const float DAMPING_OUT = 3.3f;    // [1/s]
const float SPRING_LENGTH = 0.35f; // without load [m]
const float SPRING_TRAVEL = 0.25f; // [m]

const float TRACK = 0.85f;      // between the wheels' middles, share of the width
const float CLEARANCE = 0.7f;   // under the body at rest, in wheel radii
const float BODY_HEIGHT = 0.6f; // of the box that touches things, share of the width

// Below this a wheel counts as standing: drive decides which way it wants to go. [m/s]
const float STANDING = 0.05f;

// Bullet lets a body that leans on a wall float off by a hair and come back. [m]
const btScalar TOUCH = btScalar(0.02);

enum wheel_index { FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, WHEELS };

// Rays of wheels see the ground and nothing else: not the body that they start in, and not the top
// of a post.
class ground_ray : public btVehicleRaycaster {
  public:
    explicit ground_ray(const btDynamicsWorld* dynamics) : dynamics_(dynamics) {
    }
    void* castRay(const btVector3& from, const btVector3& to,
                  btVehicleRaycasterResult& result) override {
        btCollisionWorld::ClosestRayResultCallback hit(from, to);
        hit.m_collisionFilterMask = SIM_BULLET_GROUND;
        dynamics_->rayTest(from, to, hit);
        if (!hit.hasHit())
            return nullptr;
        result.m_hitPointInWorld = hit.m_hitPointWorld;
        result.m_hitNormalInWorld = hit.m_hitNormalWorld.normalized();
        result.m_distFraction = hit.m_closestHitFraction;
        return const_cast<btCollisionObject*>(hit.m_collisionObject);
    }

  private:
    const btDynamicsWorld* dynamics_;
};

// What the controls ask for, in range.
struct pedals {
    float throttle, brake, clutch, steering;
    int32_t gear;
    bool handbrake;
};

} // namespace

// In the order in which Bullet needs its parts; they go in reverse.
struct sim_bullet {
    sim_car_model model;
    const sim_world* world;
    float grip; // of the ground told by the host
    float steering, throttle, shift_timer, engine_speed;
    int32_t gear;
    sim_bullet_ground ground;
    std::unique_ptr<btCollisionShape> body_box;
    btCompoundShape body_shape;
    std::unique_ptr<btRigidBody> body;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
    ground_ray ray{&dynamics};
    std::unique_ptr<btRaycastVehicle> vehicle;
};

namespace {

btVector3 bullet_vector(kerb_vec3 v) {
    return {v.x, v.y, v.z};
}

kerb_vec3 kerb_vector(const btVector3& v) {
    return kerb_vec3_make(static_cast<float>(v.x()), static_cast<float>(v.y()),
                          static_cast<float>(v.z()));
}

float wheelbase_of(const sim_car_model& model) {
    return model.front_to_mass + model.rear_to_mass;
}

// --------------------------------------------------------------------------- making

// The body as a box around its centre of mass, which is the body's origin.
void make_body(sim_bullet* bullet, const btTransform& place) {
    const sim_car_model& model = bullet->model;
    float height = BODY_HEIGHT * model.width;
    float middle_x = model.mass_to_bumper - 0.5f * model.length;
    float middle_z = CLEARANCE * model.wheel_radius + 0.5f * height - model.mass_height;
    btVector3 half(0.5f * model.length, 0.5f * model.width, 0.5f * height);
    bullet->body_box = std::make_unique<btBoxShape>(half);
    bullet->body_shape.addChildShape(
        btTransform(btQuaternion::getIdentity(), btVector3(middle_x, 0, middle_z)),
        bullet->body_box.get());
    float roll = model.mass * (model.width * model.width + height * height) / 12.0f;
    btVector3 inertia(roll, model.yaw_inertia, model.yaw_inertia);
    btRigidBody::btRigidBodyConstructionInfo info(model.mass, nullptr, &bullet->body_shape,
                                                  inertia);
    info.m_startWorldTransform = place;
    bullet->body = std::make_unique<btRigidBody>(info);
    bullet->body->setActivationState(DISABLE_DEACTIVATION);
    bullet->dynamics.addRigidBody(bullet->body.get(), SIM_BULLET_CHASSIS,
                                  SIM_BULLET_GROUND | SIM_BULLET_OBSTACLE);
}

// Two wheels at `x` from the centre of mass, hung so high that they carry `share` of the weight
// when the body is level.
void add_axle(sim_bullet* bullet, float x, float share, bool front) {
    const sim_car_model& model = bullet->model;
    float sag = 0.5f * share * KERB_GRAVITY / SPRING;
    float hook = model.wheel_radius + SPRING_LENGTH - sag - model.mass_height;
    btRaycastVehicle::btVehicleTuning tuning;
    tuning.m_suspensionStiffness = SPRING;
    tuning.m_suspensionCompression = DAMPING_IN;
    tuning.m_suspensionDamping = DAMPING_OUT;
    tuning.m_maxSuspensionTravelCm = 100.0f * SPRING_TRAVEL;
    tuning.m_maxSuspensionForce = 5.0f * model.mass * KERB_GRAVITY;
    tuning.m_frictionSlip = model.grip_across;
    for (int side = 0; side < 2; side++) {
        float y = (side == 0 ? 0.5f : -0.5f) * TRACK * model.width;
        btWheelInfo& wheel = bullet->vehicle->addWheel(btVector3(x, y, hook), btVector3(0, 0, -1),
                                                       btVector3(0, -1, 0), SPRING_LENGTH,
                                                       model.wheel_radius, tuning, front);
        wheel.m_wheelsSuspensionForce = 0.5f * share * model.mass * KERB_GRAVITY;
    }
}

void make_vehicle(sim_bullet* bullet) {
    const sim_car_model& model = bullet->model;
    float wheelbase = wheelbase_of(model);
    bullet->vehicle = std::make_unique<btRaycastVehicle>(btRaycastVehicle::btVehicleTuning(),
                                                         bullet->body.get(), &bullet->ray);
    bullet->vehicle->setCoordinateSystem(1, 2, 0);
    add_axle(bullet, model.front_to_mass, model.rear_to_mass / wheelbase, true);
    add_axle(bullet, -model.rear_to_mass, model.front_to_mass / wheelbase, false);
    bullet->vehicle->resetSuspension();
    bullet->dynamics.addAction(bullet->vehicle.get());
}

// Where the centre of mass is when the reference point stands at `position`.
btTransform place_body(const sim_bullet* bullet, const sim_ground& ground, kerb_vec3 position,
                       float heading) {
    const sim_car_model& model = bullet->model;
    btVector3 up = bullet_vector(ground.normal);
    btQuaternion turn = shortestArcQuat(btVector3(0, 0, 1), up) *
                        btQuaternion(btVector3(0, 0, 1), kerb_wrap_angle(heading));
    btVector3 foot(position.x, position.y, ground.height);
    btVector3 mass(-model.mass_to_reference, 0, model.mass_height);
    return btTransform(turn, foot + quatRotate(turn, mass));
}

void build(sim_bullet* bullet, const sim_ground* told, kerb_vec3 position, float heading) {
    sim_ground level = {position.z, {0.0f, 0.0f, 1.0f}, 1.0f, {}};
    sim_ground ground = sim_world_ground(bullet->world, position, told != nullptr ? told : &level);
    bullet->gear = 1;
    if (bullet->model.drive_train.gear_count > 0)
        bullet->engine_speed = bullet->model.drive_train.engine_speed_idle;
    bullet->dynamics.setGravity(btVector3(0, 0, -KERB_GRAVITY));
    sim_bullet_ground_fill(&bullet->ground, bullet->world, ground.height, &bullet->dynamics);
    make_body(bullet, place_body(bullet, ground, position, heading));
    make_vehicle(bullet);
    sim_bullet_set_ground(bullet, told != nullptr ? told : &level);
}

// --------------------------------------------------------------------------- controls to wheels

pedals pedals_from(const sim_car_model& model, const kerb_controls& controls) {
    int32_t most = model.drive_train.gear_count > 0 ? model.drive_train.gear_count : 1;
    pedals wanted;
    wanted.throttle = kerb_clamp(controls.throttle, 0.0f, 1.0f);
    wanted.brake = kerb_clamp(controls.brake, 0.0f, 1.0f);
    wanted.clutch = kerb_clamp(controls.clutch, 0.0f, 1.0f);
    bool steers = kerb_is_finite(controls.steering);
    wanted.steering = steers ? kerb_clamp(controls.steering, -1.0f, 1.0f) : 0.0f;
    wanted.gear = controls.gear < -1 ? -1 : controls.gear > most ? most : controls.gear;
    wanted.handbrake = controls.handbrake;
    return wanted;
}

// The angle follows with the model's lag and rate; left and right wheel point at one centre.
void steer(sim_bullet* bullet, float wanted, float time_step) {
    const sim_car_model& model = bullet->model;
    float gap = wanted * model.steering_angle_max - bullet->steering;
    float most = model.steering_rate_max * time_step;
    float step = gap * time_step / (model.steering_delay + time_step);
    bullet->steering += kerb_clamp(step, -most, most);
    float wheelbase = wheelbase_of(model);
    float sine, cosine;
    kerb_sin_cos(bullet->steering, &sine, &cosine);
    float half = 0.5f * TRACK * model.width * sine;
    float left = kerb_atan2(wheelbase * sine, wheelbase * cosine - half);
    float right = kerb_atan2(wheelbase * sine, wheelbase * cosine + half);
    bullet->vehicle->setSteeringValue(left, FRONT_LEFT);
    bullet->vehicle->setSteeringValue(right, FRONT_RIGHT);
}

void shift(sim_bullet* bullet, int32_t gear, float time_step) {
    bullet->shift_timer = kerb_max(bullet->shift_timer - time_step, 0.0f);
    if (gear == bullet->gear)
        return;
    bullet->gear = gear;
    if (bullet->model.drive_train.gear_count > 0)
        bullet->shift_timer = bullet->model.drive_train.shift_time;
}

// Force of the engine on all driven wheels.
float engine_force(sim_bullet* bullet, const pedals& wanted, float speed, float time_step) {
    const sim_car_model& model = bullet->model;
    bullet->throttle +=
        (wanted.throttle - bullet->throttle) * time_step / (model.throttle_delay + time_step);
    shift(bullet, wanted.gear, time_step);
    float clutch = bullet->shift_timer > 0.0f ? 1.0f : wanted.clutch;
    sim_drive drive = sim_engine_drive(&model, bullet->gear, speed, bullet->throttle, clutch);
    bullet->engine_speed = model.drive_train.gear_count > 0 ? drive.engine_speed : 0.0f;
    return drive.force;
}

// Bullet's wheel takes a force or a brake, never both, and limits neither by the grip along it: so
// the one that is left of both goes in, cut to what the tyre can give. Returns the brake. [N]
float push_wheel(sim_bullet* bullet, int index, float force, float brake, float speed,
                 float time_step) {
    btWheelInfo& wheel = bullet->vehicle->getWheelInfo(index);
    const btVector3& contact = wheel.m_raycastInfo.m_contactPointWS;
    sim_ground told = {0.0f, {0.0f, 0.0f, 1.0f}, bullet->grip, {}};
    float grip = sim_world_ground(bullet->world, kerb_vector(contact), &told).grip;
    float most =
        bullet->model.grip_along * grip * static_cast<float>(wheel.m_wheelsSuspensionForce);
    float way = kerb_abs(speed) > STANDING ? speed : force;
    float pushing = way < 0.0f ? -force : force;
    float left = kerb_clamp(pushing - brake, -most, most);
    wheel.m_frictionSlip = bullet->model.grip_across * grip;
    wheel.m_engineForce = left > 0.0f ? (way < 0.0f ? -left : left) : 0.0f;
    float held = kerb_max(-left, 0.0f);
    wheel.m_brake = held * time_step; // Bullet wants an impulse
    return held;
}

// Bullet's wheels rub after gravity has moved the body: held by its brakes on a slope it would
// creep, 1.4 cm/s on one of 30 %. So what the brakes can hold is taken from gravity beforehand.
void hold(sim_bullet* bullet, float speed, float brakes) {
    btVector3 up = bullet->vehicle->getWheelInfo(REAR_LEFT).m_raycastInfo.m_contactNormalWS;
    btVector3 weight = bullet->body->getGravity() * bullet->model.mass;
    btVector3 pull = weight - up * up.dot(weight);
    if (kerb_abs(speed) < STANDING && static_cast<float>(pull.length()) < brakes)
        bullet->body->applyCentralForce(-pull);
}

void push_wheels(sim_bullet* bullet, const pedals& wanted, float time_step) {
    const sim_car_model& model = bullet->model;
    btVector3 forward = bullet->body->getWorldTransform().getBasis().getColumn(0);
    float speed = static_cast<float>(forward.dot(bullet->body->getLinearVelocity()));
    float force = engine_force(bullet, wanted, speed, time_step);
    float brake = wanted.brake * model.brake_force;
    float rolling = model.rolling_resistance * model.mass * KERB_GRAVITY / 4.0f;
    float hand = wanted.handbrake ? model.handbrake_force : 0.0f;
    float held = 0.0f;
    for (int i = 0; i < WHEELS; i++) {
        bool front = i == FRONT_LEFT || i == FRONT_RIGHT;
        float drive_share = front ? model.drive_front : 1.0f - model.drive_front;
        float brake_share = front ? model.brake_front : 1.0f - model.brake_front;
        float resistance = rolling + 0.5f * (brake * brake_share + (front ? 0.0f : hand));
        held += push_wheel(bullet, i, 0.5f * force * drive_share, resistance, speed, time_step);
    }
    hold(bullet, speed, held);
}

// Drag, and what wings press each axle down with.
void blow(sim_bullet* bullet) {
    const sim_car_model& model = bullet->model;
    btVector3 velocity = bullet->body->getLinearVelocity();
    bullet->body->applyCentralForce(velocity * (-model.drag_area * velocity.length()));
    const btMatrix3x3& basis = bullet->body->getWorldTransform().getBasis();
    btScalar speed = basis.getColumn(0).dot(velocity);
    btVector3 down = basis.getColumn(2) * (-model.downforce_area * speed * speed);
    btVector3 front = basis.getColumn(0) * model.front_to_mass;
    btVector3 rear = basis.getColumn(0) * -model.rear_to_mass;
    bullet->body->applyForce(down * model.downforce_front, front);
    bullet->body->applyForce(down * (1 - model.downforce_front), rear);
}

void step(sim_bullet* bullet, const pedals& wanted, float time_step) {
    steer(bullet, wanted.steering, time_step);
    push_wheels(bullet, wanted, time_step);
    blow(bullet);
    bullet->dynamics.stepSimulation(time_step, 0);
}

bool is_touch(const btPersistentManifold& manifold, const btRigidBody* body) {
    const btCollisionObject* other =
        manifold.getBody0() == body ? manifold.getBody1() : manifold.getBody0();
    if (other->getBroadphaseHandle()->m_collisionFilterGroup != SIM_BULLET_OBSTACLE)
        return false;
    for (int i = 0; i < manifold.getNumContacts(); i++) {
        if (manifold.getContactPoint(i).getDistance() <= TOUCH)
            return true;
    }
    return false;
}

} // namespace

// --------------------------------------------------------------------------- public

sim_bullet* sim_bullet_make(const sim_model* model, const sim_world* world,
                            const sim_ground* ground, kerb_vec3 position, float heading,
                            kerb_error* error) {
    if (model->vehicle.kind != KERB_VEHICLE_WHEELED) {
        kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "kind", 0, -1,
                       "Bullet's raycast vehicle has wheels: only wheeled vehicles drive in it");
        return nullptr;
    }
    try {
        auto bullet = std::make_unique<sim_bullet>();
        bullet->model = model->car;
        bullet->world = world;
        build(bullet.get(), ground, position, heading);
        return bullet.release();
    } catch (const std::bad_alloc&) {
        kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "bullet", 0, -1,
                       "no memory for Bullet's world");
        return nullptr;
    }
}

void sim_bullet_set_ground(sim_bullet* bullet, const sim_ground* ground) {
    kerb_vec3 foot = sim_bullet_motion(bullet).position;
    foot.z = ground->height;
    bullet->grip = ground->grip;
    sim_bullet_ground_move(&bullet->ground, bullet_vector(foot), bullet_vector(ground->normal));
}

void sim_bullet_step(sim_bullet* bullet, const kerb_controls* controls, float time_step) {
    pedals wanted = pedals_from(bullet->model, *controls);
    // A step that is longer by rounding alone is no reason for one more.
    int32_t steps = static_cast<int32_t>(time_step / STEP_MOST + 0.999f);
    steps = steps > 1 ? steps : 1;
    for (int32_t i = 0; i < steps; i++)
        step(bullet, wanted, time_step / static_cast<float>(steps));
}

kerb_motion sim_bullet_motion(const sim_bullet* bullet) {
    const sim_car_model& model = bullet->model;
    const btTransform& place = bullet->body->getWorldTransform();
    btQuaternion turn = place.getRotation();
    btVector3 reference =
        place.getBasis() * btVector3(model.mass_to_reference, 0, -model.mass_height);
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vector(place.getOrigin() + reference);
    motion.rotation = {static_cast<float>(turn.x()), static_cast<float>(turn.y()),
                       static_cast<float>(turn.z()), static_cast<float>(turn.w())};
    motion.velocity = kerb_vector(bullet->body->getVelocityInLocalPoint(reference));
    motion.angular_velocity = kerb_vector(bullet->body->getAngularVelocity());
    motion.steering = bullet->steering / model.steering_angle_max;
    motion.gear = bullet->gear;
    motion.engine_speed = bullet->engine_speed;
    return motion;
}

bool sim_bullet_touching(const sim_bullet* bullet) {
    for (int i = 0; i < bullet->dispatcher.getNumManifolds(); i++) {
        if (is_touch(*bullet->dispatcher.getManifoldByIndexInternal(i), bullet->body.get()))
            return true;
    }
    return false;
}

sim_bullet_hit sim_bullet_cast(const sim_bullet* bullet, kerb_vec3 origin, kerb_vec3 direction,
                               float length) {
    btVector3 from = bullet_vector(origin), to = from + bullet_vector(direction) * length;
    btCollisionWorld::ClosestRayResultCallback ray(from, to);
    ray.m_collisionFilterMask = SIM_BULLET_OBSTACLE;
    bullet->dynamics.rayTest(from, to, ray);
    sim_bullet_hit hit = {-1, length, {0.0f, 0.0f, 0.0f}};
    if (!ray.hasHit())
        return hit;
    hit.obstacle = ray.m_collisionObject->getUserIndex();
    hit.distance = static_cast<float>(ray.m_closestHitFraction) * length;
    hit.normal = kerb_vector(ray.m_hitNormalWorld.normalized());
    return hit;
}

void sim_bullet_destroy(sim_bullet* bullet) {
    delete bullet;
}

// --------------------------------------------------------------------------- as a physics

namespace {

void* physics_make(const sim_model* model, const sim_world* world, const sim_ground* road,
                   kerb_vec3 position, float heading, kerb_error* error) {
    return sim_bullet_make(model, world, road, position, heading, error);
}

void physics_step(void* vehicle, const kerb_controls* controls, const sim_ground* road,
                  float time_step) {
    auto* bullet = static_cast<sim_bullet*>(vehicle);
    sim_bullet_set_ground(bullet, road);
    sim_bullet_step(bullet, controls, time_step);
}

kerb_motion physics_motion(const void* vehicle) {
    return sim_bullet_motion(static_cast<const sim_bullet*>(vehicle));
}

bool physics_touching(const void* vehicle) {
    return sim_bullet_touching(static_cast<const sim_bullet*>(vehicle));
}

void physics_destroy(void* vehicle) {
    sim_bullet_destroy(static_cast<sim_bullet*>(vehicle));
}

} // namespace

const sim_physics sim_bullet_physics = {"bullet",       physics_make,     physics_step,
                                        physics_motion, physics_touching, physics_destroy};
