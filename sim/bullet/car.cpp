// Purpose: a kerb_sim_car_model as Bullet's btRaycastVehicle.
// Idea:    The chassis of the model becomes a rigid body, its axles become four wheels on springs.
//          In every step the controls pass the model's own delays, engine and brakes. The result is
//          what btRaycastVehicle accepts: a steering angle, and a force or a brake for each wheel.
//          Bullet does the rest.
// Cost:    That of Bullet: about twice as much on terrain as on a plane, and four times between
//          walls.
// Source:  Bullet 3.24, btRaycastVehicle.h; suspension by the frequencies in Gillespie,
//          "Fundamentals of Vehicle Dynamics", chapter 5.
#include "sim/bullet/car.h"

extern "C" {
#include "sim/engine.h"
}

namespace {

// Springs and dampers per wheel and per mass of the vehicle, as Bullet counts them: four wheels
// give sqrt(4·30)/2π = 1.7 Hz, damped by 0.4 of critical when pressed and 0.6 when released. Of a
// car with wings they are stiffer by what these press it down with at its top speed: 3 Hz of the
// formula car. Else it lay on its belly in a banked bend, where it has five times its weight.
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

enum wheel_index { FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT, WHEELS };

float stiffness_of(const kerb_sim_bullet_car* car) {
    float wings = car->model.downforce_area / car->model.mass * car->speed_max * car->speed_max;
    return SPRING * (1.0f + wings / KERB_GRAVITY);
}

float wheelbase_of(const kerb_sim_car_model& model) {
    return model.front_to_mass + model.rear_to_mass;
}

// --------------------------------------------------------------------------- making

// The body as a box around its centre of mass, which is the body's origin.
void make_body(kerb_sim_bullet_car* car, const btTransform& place) {
    const kerb_sim_car_model& model = car->model;
    float height = BODY_HEIGHT * model.width;
    float middle_x = model.mass_to_bumper - 0.5f * model.length;
    float middle_z = CLEARANCE * model.wheel_radius + 0.5f * height - model.mass_height;
    btVector3 half(0.5f * model.length, 0.5f * model.width, 0.5f * height);
    car->body_box = std::make_unique<btBoxShape>(half);
    car->body_shape.addChildShape(
        btTransform(btQuaternion::getIdentity(), btVector3(middle_x, 0, middle_z)),
        car->body_box.get());
    float roll = model.mass * (model.width * model.width + height * height) / 12.0f;
    btVector3 inertia(roll, model.yaw_inertia, model.yaw_inertia);
    btRigidBody::btRigidBodyConstructionInfo info(model.mass, nullptr, &car->body_shape, inertia);
    info.m_startWorldTransform = place;
    car->body = std::make_unique<btRigidBody>(info);
    car->body->setActivationState(DISABLE_DEACTIVATION);
}

// Two wheels at `x` from the centre of mass, hung so high that they carry `share` of the weight
// when the body is level.
void add_axle(kerb_sim_bullet_car* car, float x, float share, bool front) {
    const kerb_sim_car_model& model = car->model;
    float stiffness = stiffness_of(car), damped = kerb_sqrt(stiffness / SPRING);
    float sag = 0.5f * share * KERB_GRAVITY / stiffness;
    float hook = model.wheel_radius + SPRING_LENGTH - sag - model.mass_height;
    btRaycastVehicle::btVehicleTuning tuning;
    tuning.m_suspensionStiffness = stiffness;
    tuning.m_suspensionCompression = DAMPING_IN * damped;
    tuning.m_suspensionDamping = DAMPING_OUT * damped;
    tuning.m_maxSuspensionTravelCm = 100.0f * SPRING_TRAVEL;
    tuning.m_maxSuspensionForce = 5.0f * model.mass * KERB_GRAVITY;
    tuning.m_frictionSlip = model.grip_across;
    for (int side = 0; side < 2; side++) {
        float y = (side == 0 ? 0.5f : -0.5f) * TRACK * model.width;
        btWheelInfo& wheel =
            car->vehicle->addWheel(btVector3(x, y, hook), btVector3(0, 0, -1), btVector3(0, -1, 0),
                                   SPRING_LENGTH, model.wheel_radius, tuning, front);
        wheel.m_wheelsSuspensionForce = 0.5f * share * model.mass * KERB_GRAVITY;
    }
}

void make_vehicle(kerb_sim_bullet_car* car) {
    const kerb_sim_car_model& model = car->model;
    float wheelbase = wheelbase_of(model);
    car->vehicle = std::make_unique<btRaycastVehicle>(btRaycastVehicle::btVehicleTuning(),
                                                      car->body.get(), car->ray.get());
    car->vehicle->setCoordinateSystem(1, 2, 0);
    add_axle(car, model.front_to_mass, model.rear_to_mass / wheelbase, true);
    add_axle(car, -model.rear_to_mass, model.front_to_mass / wheelbase, false);
}

// Where the centre of mass is when the reference point stands at `position`.
btTransform place_body(const kerb_sim_bullet_car* car, const kerb_sim_ground& ground,
                       kerb_vec3 position, float heading) {
    const kerb_sim_car_model& model = car->model;
    btVector3 up = kerb_sim_bullet_vector(ground.normal);
    btQuaternion turn = shortestArcQuat(btVector3(0, 0, 1), up) *
                        btQuaternion(btVector3(0, 0, 1), kerb_wrap_angle(heading));
    btVector3 foot(position.x, position.y, ground.height);
    btVector3 mass(-model.mass_to_reference, 0, model.mass_height);
    return btTransform(turn, foot + quatRotate(turn, mass));
}

// --------------------------------------------------------------------------- controls to wheels

// The angle follows with the model's lag and rate; left and right wheel point at one centre.
void steer(kerb_sim_bullet_car* car, float wanted, float time_step) {
    const kerb_sim_car_model& model = car->model;
    float gap = wanted * model.steering_angle_max - car->steering;
    float most = model.steering_rate_max * time_step;
    float step = gap * time_step / (model.steering_delay + time_step);
    car->steering += kerb_clamp(step, -most, most);
    float wheelbase = wheelbase_of(model);
    float sine, cosine;
    kerb_sin_cos(car->steering, &sine, &cosine);
    float half = 0.5f * TRACK * model.width * sine;
    float left = kerb_atan2(wheelbase * sine, wheelbase * cosine - half);
    float right = kerb_atan2(wheelbase * sine, wheelbase * cosine + half);
    car->vehicle->setSteeringValue(left, FRONT_LEFT);
    car->vehicle->setSteeringValue(right, FRONT_RIGHT);
}

// Force of the engine on all driven wheels.
float engine_force(kerb_sim_bullet_car* car, const kerb_sim_bullet_pedals& wanted, float speed,
                   float time_step) {
    const kerb_sim_car_model& model = car->model;
    car->throttle +=
        (wanted.throttle - car->throttle) * time_step / (model.throttle_delay + time_step);
    kerb_sim_engine_shift(&model, wanted.gear, time_step, &car->gear, &car->shift_timer);
    float clutch = car->shift_timer > 0.0f ? 1.0f : wanted.clutch;
    kerb_sim_drive drive = kerb_sim_engine_drive(&model, car->gear, speed, car->throttle, clutch);
    car->engine_speed = model.drive_train.gear_count > 0 ? drive.engine_speed : 0.0f;
    return drive.force;
}

// Bullet's wheel takes a force or a brake, never both, and limits neither by the grip along it: so
// the one that is left of both goes in, cut to what the tyre can give. Returns the brake. [N]
float push_wheel(kerb_sim_bullet_car* car, int index, float force, float brake, float speed,
                 float time_step) {
    btWheelInfo& wheel = car->vehicle->getWheelInfo(index);
    const btVector3& contact = wheel.m_raycastInfo.m_contactPointWS;
    kerb_sim_ground told = {0.0f, {0.0f, 0.0f, 1.0f}, car->grip, {}};
    float grip = kerb_sim_world_ground(car->world, kerb_sim_bullet_to_kerb(contact), &told).grip;
    float most = car->model.grip_along * grip * static_cast<float>(wheel.m_wheelsSuspensionForce);
    float way = kerb_abs(speed) > STANDING ? speed : force;
    float pushing = way < 0.0f ? -force : force;
    float left = kerb_clamp(pushing - brake, -most, most);
    wheel.m_frictionSlip = car->model.grip_across * grip;
    wheel.m_engineForce = left > 0.0f ? (way < 0.0f ? -left : left) : 0.0f;
    float held = kerb_max(-left, 0.0f);
    wheel.m_brake = held * time_step; // Bullet wants an impulse
    return held;
}

// Bullet's wheels rub after gravity has moved the body: held by its brakes on a slope it would
// creep, 1.4 cm/s on one of 30 %. So what the brakes can hold is taken from gravity beforehand.
void hold(kerb_sim_bullet_car* car, float speed, float brakes) {
    btVector3 up = car->vehicle->getWheelInfo(REAR_LEFT).m_raycastInfo.m_contactNormalWS;
    btVector3 weight = car->body->getGravity() * car->model.mass;
    btVector3 pull = weight - up * up.dot(weight);
    if (kerb_abs(speed) < STANDING && static_cast<float>(pull.length()) < brakes)
        car->body->applyCentralForce(-pull);
}

void push_wheels(kerb_sim_bullet_car* car, const kerb_sim_bullet_pedals& wanted, float time_step) {
    const kerb_sim_car_model& model = car->model;
    btVector3 forward = car->body->getWorldTransform().getBasis().getColumn(0);
    float speed = static_cast<float>(forward.dot(car->body->getLinearVelocity()));
    float force = engine_force(car, wanted, speed, time_step);
    float brake = wanted.brake * model.brake_force;
    float rolling = model.rolling_resistance * model.mass * KERB_GRAVITY / 4.0f;
    float hand = wanted.handbrake ? model.handbrake_force : 0.0f;
    float held = 0.0f;
    for (int i = 0; i < WHEELS; i++) {
        bool front = i == FRONT_LEFT || i == FRONT_RIGHT;
        float drive_share = front ? model.drive_front : 1.0f - model.drive_front;
        float brake_share = front ? model.brake_front : 1.0f - model.brake_front;
        float resistance = rolling + 0.5f * (brake * brake_share + (front ? 0.0f : hand));
        held += push_wheel(car, i, 0.5f * force * drive_share, resistance, speed, time_step);
    }
    hold(car, speed, held);
}

// Drag, and what wings press each axle down with.
void blow(kerb_sim_bullet_car* car) {
    const kerb_sim_car_model& model = car->model;
    btVector3 velocity = car->body->getLinearVelocity();
    car->body->applyCentralForce(velocity *
                                 (-model.drag_area * (1.0f - car->tow) * velocity.length()));
    const btMatrix3x3& basis = car->body->getWorldTransform().getBasis();
    btScalar speed = basis.getColumn(0).dot(velocity);
    btVector3 down = basis.getColumn(2) * (-model.downforce_area * speed * speed);
    btVector3 front = basis.getColumn(0) * model.front_to_mass;
    btVector3 rear = basis.getColumn(0) * -model.rear_to_mass;
    car->body->applyForce(down * model.downforce_front, front);
    car->body->applyForce(down * (1 - model.downforce_front), rear);
}

} // namespace

// --------------------------------------------------------------------------- public

void kerb_sim_bullet_car_make(kerb_sim_bullet_car* car, const kerb_sim_model& model,
                              const kerb_sim_world* world, std::unique_ptr<btVehicleRaycaster> ray,
                              const kerb_sim_ground& ground, kerb_vec3 position, float heading) {
    car->model = model.car;
    car->speed_max = model.vehicle.speed_max;
    car->world = world;
    car->ray = std::move(ray);
    make_body(car, place_body(car, ground, position, heading));
    make_vehicle(car);
    kerb_sim_bullet_car_put(car, ground, position, heading);
}

void kerb_sim_bullet_car_put(kerb_sim_bullet_car* car, const kerb_sim_ground& ground,
                             kerb_vec3 position, float heading) {
    car->grip = ground.grip;
    car->tow = car->steering = car->throttle = car->shift_timer = car->engine_speed = 0.0f;
    car->gear = 1;
    if (car->model.drive_train.gear_count > 0)
        car->engine_speed = car->model.drive_train.engine_speed_idle;
    btTransform place = place_body(car, ground, position, heading);
    car->body->setWorldTransform(place);
    car->body->setInterpolationWorldTransform(place);
    car->body->setLinearVelocity(btVector3(0, 0, 0));
    car->body->setAngularVelocity(btVector3(0, 0, 0));
    car->body->clearForces();
    car->vehicle->resetSuspension();
}

kerb_sim_bullet_pedals kerb_sim_bullet_pedals_from(const kerb_sim_car_model& model,
                                                   const kerb_controls& controls) {
    int32_t most = model.drive_train.gear_count > 0 ? model.drive_train.gear_count : 1;
    kerb_sim_bullet_pedals wanted;
    wanted.throttle = kerb_clamp(controls.throttle, 0.0f, 1.0f);
    wanted.brake = kerb_clamp(controls.brake, 0.0f, 1.0f);
    wanted.clutch = kerb_clamp(controls.clutch, 0.0f, 1.0f);
    bool steers = kerb_is_finite(controls.steering);
    wanted.steering = steers ? kerb_clamp(controls.steering, -1.0f, 1.0f) : 0.0f;
    wanted.gear = controls.gear < -1 ? -1 : controls.gear > most ? most : controls.gear;
    wanted.handbrake = controls.handbrake;
    return wanted;
}

void kerb_sim_bullet_car_drive(kerb_sim_bullet_car* car, const kerb_sim_bullet_pedals& wanted,
                               float time_step) {
    steer(car, wanted.steering, time_step);
    push_wheels(car, wanted, time_step);
    blow(car);
}

kerb_motion kerb_sim_bullet_car_motion(const kerb_sim_bullet_car* car) {
    const kerb_sim_car_model& model = car->model;
    const btTransform& place = car->body->getWorldTransform();
    btQuaternion turn = place.getRotation();
    btVector3 reference =
        place.getBasis() * btVector3(model.mass_to_reference, 0, -model.mass_height);
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_sim_bullet_to_kerb(place.getOrigin() + reference);
    motion.rotation = {static_cast<float>(turn.x()), static_cast<float>(turn.y()),
                       static_cast<float>(turn.z()), static_cast<float>(turn.w())};
    motion.velocity = kerb_sim_bullet_to_kerb(car->body->getVelocityInLocalPoint(reference));
    motion.angular_velocity = kerb_sim_bullet_to_kerb(car->body->getAngularVelocity());
    motion.steering = car->steering / model.steering_angle_max;
    motion.gear = car->gear;
    motion.engine_speed = car->engine_speed;
    return motion;
}
