// Purpose: several cars in one Bullet world.
// Idea:    Each car has a plane of its own as its ground, as in bullet.cpp without terrain. A
//          filter hides the plane from all other cars, and wheels meet it by a formula, without a
//          search. Bullet computes the contacts of bodies. Its manifolds show which bodies touch,
//          and the velocities before the step show how fast they approached.
// Cost:    O(cars) per step, and Bullet's search for contacts.
// Source:  Bullet 3.24, btPersistentManifold.h, btManifoldPoint.h.
#include "sim/bullet/group.h"
#include "sim/bullet/car.h"
#include "sim/bullet/ray.h"

#include <new>

namespace {

// As near as bodies must be to touch, where no impulse says it. [m]
const btScalar GROUP_TOUCH = btScalar(0.001);

// Cars on another's ground do not touch it.
class own_ground : public btOverlapFilterCallback {
  public:
    bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override {
        bool meet = (a->m_collisionFilterGroup & b->m_collisionFilterMask) != 0 &&
                    (b->m_collisionFilterGroup & a->m_collisionFilterMask) != 0;
        bool ground =
            ((a->m_collisionFilterGroup | b->m_collisionFilterGroup) & KERB_SIM_BULLET_GROUND) != 0;
        return meet && (!ground || owner_of(a) == owner_of(b));
    }

  private:
    static int owner_of(const btBroadphaseProxy* proxy) {
        return static_cast<const btCollisionObject*>(proxy->m_clientObject)->getUserIndex();
    }
};

// Where a wheel's ray meets a plane from above; at its beginning when that lies below already, so
// that springs lift the car out.
class plane_ray : public btVehicleRaycaster {
  public:
    explicit plane_ray(btRigidBody* plane) : plane_(plane) {
    }
    void* castRay(const btVector3& from, const btVector3& to,
                  btVehicleRaycasterResult& result) override {
        const btTransform& place = plane_->getWorldTransform();
        btVector3 normal = place.getBasis().getColumn(2);
        btScalar above = normal.dot(from - place.getOrigin());
        btScalar falls = normal.dot(from - to);
        if (!(falls > SIMD_EPSILON && above < falls))
            return nullptr;
        result.m_distFraction = btMax(above / falls, btScalar(0));
        result.m_hitPointInWorld = from + (to - from) * result.m_distFraction;
        result.m_hitNormalInWorld = normal;
        return plane_;
    }

  private:
    btRigidBody* plane_;
};

struct member {
    kerb_sim_bullet_ground ground;
    kerb_sim_bullet_car car;
    btVector3 velocity, turning; // before the step
};

const kerb_sim_world empty = {};

// In the order in which Bullet needs its parts; they go in reverse.
struct group {
    std::vector<std::unique_ptr<member>> members; // null: not there
    kerb_sim_bullet_ground standing;              // what stands between them
    own_ground filter;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld dynamics{&dispatcher, &broadphase, &solver, &configuration};
};

group* group_of(void* all) {
    return static_cast<group*>(all);
}

const member* member_of(const void* all, int32_t vehicle) {
    return static_cast<const group*>(all)->members[static_cast<size_t>(vehicle)].get();
}

member* member_of(void* all, int32_t vehicle) {
    return group_of(all)->members[static_cast<size_t>(vehicle)].get();
}

// --------------------------------------------------------------------------- making

void* group_make(int32_t count, const kerb_allocator* allocator) {
    (void)allocator; // Bullet has its own
    try {
        auto all = std::make_unique<group>();
        all->members.resize(static_cast<size_t>(count));
        all->dynamics.setGravity(btVector3(0, 0, -KERB_GRAVITY));
        all->broadphase.getOverlappingPairCache()->setOverlapFilterCallback(&all->filter);
        return all.release();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void group_destroy(void* all) {
    delete group_of(all);
}

void stand_on(member* one, const kerb_sim_ground& ground) {
    kerb_vec3 foot = kerb_sim_bullet_car_motion(&one->car).position;
    foot.z = ground.height;
    one->car.grip = ground.grip;
    kerb_sim_bullet_ground_move(&one->ground, kerb_sim_bullet_vector(foot),
                                kerb_sim_bullet_vector(ground.normal));
}

void add(group* all, int32_t vehicle, const kerb_sim_model& model, const kerb_sim_ground& ground,
         kerb_vec3 position, float heading) {
    auto made = std::make_unique<member>();
    member* one = made.get();
    // Before the world knows of it, so that it goes after the world whatever happens.
    all->members[static_cast<size_t>(vehicle)] = std::move(made);
    kerb_sim_bullet_ground_fill(&one->ground, &empty, ground.height, &all->dynamics, vehicle);
    kerb_sim_bullet_car_make(&one->car, model, &empty,
                             std::make_unique<plane_ray>(one->ground.plane), ground, position,
                             heading);
    one->car.body->setUserIndex(vehicle);
    all->dynamics.addRigidBody(one->car.body.get(), KERB_SIM_BULLET_CHASSIS,
                               KERB_SIM_BULLET_GROUND | KERB_SIM_BULLET_CHASSIS |
                                   KERB_SIM_BULLET_OBSTACLE);
    all->dynamics.addAction(one->car.vehicle.get());
}

bool group_put(void* all, int32_t vehicle, const kerb_sim_model* model,
               const kerb_sim_ground* ground, kerb_vec3 position, float heading) {
    if (model->vehicle.kind != KERB_VEHICLE_WHEELED)
        return false;
    try {
        if (member_of(all, vehicle) == nullptr)
            add(group_of(all), vehicle, *model, *ground, position, heading);
        kerb_sim_bullet_car_put(&member_of(all, vehicle)->car, *ground, position, heading);
        stand_on(member_of(all, vehicle), *ground);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void group_take_out(void* all, int32_t vehicle) {
    member* one = member_of(all, vehicle);
    if (one == nullptr)
        return;
    group_of(all)->dynamics.removeAction(one->car.vehicle.get());
    group_of(all)->dynamics.removeRigidBody(one->car.body.get());
    group_of(all)->dynamics.removeRigidBody(one->ground.plane);
    group_of(all)->members[static_cast<size_t>(vehicle)].reset();
}

// --------------------------------------------------------------------------- steps

// The fastest of a manifold's points that touch; false: none does.
bool closing_speed(const group* all, const btPersistentManifold& manifold, float* closing) {
    const member* one = member_of(all, manifold.getBody0()->getUserIndex());
    const member* other = member_of(all, manifold.getBody1()->getUserIndex());
    bool touches = false;
    *closing = 0.0f;
    for (int i = 0; i < manifold.getNumContacts(); i++) {
        const btManifoldPoint& point = manifold.getContactPoint(i);
        if (point.getDistance() > GROUP_TOUCH && !(point.getAppliedImpulse() > 0))
            continue;
        const btVector3& at = point.getPositionWorldOnB();
        btVector3 speed =
            one->velocity +
            one->turning.cross(at - one->car.body->getWorldTransform().getOrigin()) -
            other->velocity -
            other->turning.cross(at - other->car.body->getWorldTransform().getOrigin());
        touches = true;
        *closing = kerb_max(*closing, static_cast<float>(-speed.dot(point.m_normalWorldOnB)));
    }
    return touches;
}

bool are_cars(const btPersistentManifold& manifold) {
    return manifold.getBody0()->getBroadphaseHandle()->m_collisionFilterGroup ==
               KERB_SIM_BULLET_CHASSIS &&
           manifold.getBody1()->getBroadphaseHandle()->m_collisionFilterGroup ==
               KERB_SIM_BULLET_CHASSIS;
}

int32_t find_touches(group* all, kerb_sim_group_touch* touches, int32_t most) {
    int32_t found = 0;
    for (int i = 0; i < all->dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold& manifold = *all->dispatcher.getManifoldByIndexInternal(i);
        float closing;
        if (!are_cars(manifold) || !closing_speed(all, manifold, &closing))
            continue;
        int32_t a = manifold.getBody0()->getUserIndex(), b = manifold.getBody1()->getUserIndex();
        if (found < most)
            touches[found] = {a < b ? a : b, a < b ? b : a, closing};
        found++;
    }
    return found;
}

int32_t group_step(void* all, const kerb_sim_group_input* inputs, float time_step,
                   kerb_sim_group_touch* touches, int32_t most) {
    group* g = group_of(all);
    for (size_t i = 0; i < g->members.size(); i++) {
        member* one = g->members[i].get();
        if (one == nullptr)
            continue;
        stand_on(one, inputs[i].ground);
        kerb_sim_bullet_car_drive(
            &one->car, kerb_sim_bullet_pedals_from(one->car.model, *inputs[i].controls), time_step);
        one->velocity = one->car.body->getLinearVelocity();
        one->turning = one->car.body->getAngularVelocity();
    }
    g->dynamics.stepSimulation(time_step, 0);
    return find_touches(g, touches, most);
}

// --------------------------------------------------------------------------- states

kerb_motion group_motion(const void* all, int32_t vehicle) {
    return kerb_sim_bullet_car_motion(&member_of(all, vehicle)->car);
}

kerb_vec3 group_foot(const void* all, int32_t vehicle) {
    return group_motion(all, vehicle).position;
}

kerb_sim_body group_body(const void* all, int32_t vehicle) {
    const kerb_sim_bullet_car& car = member_of(all, vehicle)->car;
    const btTransform& place = car.body->getWorldTransform();
    const btMatrix3x3& axes = place.getBasis();
    btVector3 velocity = car.body->getLinearVelocity();
    btVector3 foot = place * btVector3(0, 0, -car.model.mass_height);
    kerb_sim_body body = {};
    body.position = kerb_sim_bullet_to_kerb(foot);
    body.heading = kerb_atan2(static_cast<float>(axes[1][0]), static_cast<float>(axes[0][0]));
    body.forward = static_cast<float>(axes.getColumn(0).dot(velocity));
    body.side = static_cast<float>(axes.getColumn(1).dot(velocity));
    body.yaw_rate = static_cast<float>(axes.getColumn(2).dot(car.body->getAngularVelocity()));
    body.mass = car.model.mass;
    body.yaw_inertia = car.model.yaw_inertia;
    body.front = car.model.mass_to_bumper;
    body.back = car.model.length - car.model.mass_to_bumper;
    body.half_width = 0.5f * car.model.width;
    return body;
}

// By what has changed, so that tilt and the rest of the motion stay.
void group_set_body(void* all, int32_t vehicle, const kerb_sim_body* wanted) {
    kerb_sim_body now = group_body(all, vehicle);
    btRigidBody* body = member_of(all, vehicle)->car.body.get();
    btTransform place = body->getWorldTransform();
    btMatrix3x3 axes = place.getBasis();
    body->setLinearVelocity(body->getLinearVelocity() +
                            axes.getColumn(0) * (wanted->forward - now.forward) +
                            axes.getColumn(1) * (wanted->side - now.side));
    body->setAngularVelocity(body->getAngularVelocity() +
                             axes.getColumn(2) * (wanted->yaw_rate - now.yaw_rate));
    btQuaternion turn(btVector3(0, 0, 1), kerb_wrap_angle(wanted->heading - now.heading));
    btVector3 foot = kerb_sim_bullet_vector(now.position),
              to = kerb_sim_bullet_vector(wanted->position);
    place.setOrigin(to + quatRotate(turn, place.getOrigin() - foot));
    place.setBasis(btMatrix3x3(turn) * axes);
    body->setWorldTransform(place);
    body->setInterpolationWorldTransform(place);
}

void group_set_tow(void* all, int32_t vehicle, float share) {
    member_of(all, vehicle)->car.tow = share;
}

} // namespace

const kerb_sim_group_physics kerb_sim_bullet_group = {
    "bullet",     group_make, group_put,      group_take_out, group_foot,   group_step,
    group_motion, group_body, group_set_body, group_set_tow,  group_destroy};

// --------------------------------------------------------------------------- between walls

void* kerb_sim_bullet_group_make(int32_t count, const kerb_sim_world* world) {
    auto* all = static_cast<group*>(group_make(count, nullptr));
    if (all == nullptr)
        return nullptr;
    try {
        kerb_sim_world obstacles = {};
        obstacles.obstacles = world->obstacles;
        obstacles.obstacle_count = world->obstacle_count;
        // Its plane is nobody's ground.
        kerb_sim_bullet_ground_fill(&all->standing, &obstacles, 0.0f, &all->dynamics);
        all->dynamics.setForceUpdateAllAabbs(false); // what stands does not move
        return all;
    } catch (const std::bad_alloc&) {
        delete all;
        return nullptr;
    }
}

kerb_sim_bullet_group_hit kerb_sim_bullet_group_cast(const void* all, int32_t self,
                                                     kerb_vec3 origin, kerb_vec3 direction,
                                                     float length) {
    btVector3 from = kerb_sim_bullet_vector(origin),
              way = kerb_sim_bullet_vector(direction) * length;
    kerb_sim_bullet_ray ray(from, way, member_of(all, self)->car.body.get());
    // Not const, because it keeps its stack.
    const_cast<group*>(static_cast<const group*>(all))->broadphase.rayTest(from, from + way, ray);
    kerb_sim_bullet_group_hit hit = {-1, -1, length, {0.0f, 0.0f, 0.0f}};
    if (ray.object() == nullptr)
        return hit;
    bool body =
        ray.object()->getBroadphaseHandle()->m_collisionFilterGroup == KERB_SIM_BULLET_CHASSIS;
    (body ? hit.vehicle : hit.obstacle) = ray.object()->getUserIndex();
    hit.distance = static_cast<float>(ray.share()) * length;
    hit.normal = kerb_sim_bullet_to_kerb(ray.normal());
    return hit;
}

bool kerb_sim_bullet_group_touching(const void* all, int32_t vehicle) {
    const auto* g = static_cast<const group*>(all);
    const btCollisionObject* body = member_of(all, vehicle)->car.body.get();
    for (int i = 0; i < g->dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold* manifold =
            const_cast<group*>(g)->dispatcher.getManifoldByIndexInternal(i);
        const btCollisionObject *a = manifold->getBody0(), *b = manifold->getBody1();
        const btCollisionObject* other = a == body ? b : a;
        if ((a != body && b != body) ||
            other->getBroadphaseHandle()->m_collisionFilterGroup != KERB_SIM_BULLET_OBSTACLE)
            continue;
        for (int k = 0; k < manifold->getNumContacts(); k++) {
            if (manifold->getContactPoint(k).getDistance() <= GROUP_TOUCH)
                return true;
        }
    }
    return false;
}
