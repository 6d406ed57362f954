// Rays in a Bullet world, and what they hit.
#ifndef KERB_SIM_BULLET_RAY_H
#define KERB_SIM_BULLET_RAY_H

#include "sim/bullet/ground.h"

// The nearest obstacle or, where they count, body on a ray, by formulas. Bullet's own casts onto
// convex shapes are approximate: rays that graze a row of boxes end decimetres too soon, with the
// normal of a box's end, and by the other method it offers some that meet a wall squarely go
// through it.
class kerb_sim_bullet_ray : public btBroadphaseRayCallback {
  public:
    // `self`: whose body is not met; null: no bodies are.
    kerb_sim_bullet_ray(const btVector3& from, const btVector3& way, const btCollisionObject* self)
        : from_(from), way_(way), self_(self) {
        for (int i = 0; i < 3; i++) {
            m_rayDirectionInverse[i] = way[i] == 0 ? btScalar(BT_LARGE_FLOAT) : 1 / way[i];
            m_signs[i] = m_rayDirectionInverse[i] < 0 ? 1 : 0;
        }
        m_lambda_max = 1;
    }
    const btCollisionObject* object() const { // null: nothing met
        return object_;
    }
    btScalar share() const { // of the way
        return share_;
    }
    const btVector3& normal() const {
        return normal_;
    }
    bool process(const btBroadphaseProxy* proxy) override {
        const auto* other = static_cast<const btCollisionObject*>(proxy->m_clientObject);
        bool body = proxy->m_collisionFilterGroup == KERB_SIM_BULLET_CHASSIS;
        if (body ? self_ == nullptr || other == self_
                 : proxy->m_collisionFilterGroup != KERB_SIM_BULLET_OBSTACLE)
            return true;
        btTransform place = other->getWorldTransform();
        const btCollisionShape* shape = other->getCollisionShape();
        if (body) { // sim/bullet/car.cpp makes them of one box
            place = place * static_cast<const btCompoundShape*>(shape)->getChildTransform(0);
            shape = static_cast<const btCompoundShape*>(shape)->getChildShape(0);
        }
        btVector3 from = place.invXform(from_), way = way_ * place.getBasis();
        btVector3 outward(0, 0, 0);
        bool round = shape->getShapeType() == CYLINDER_SHAPE_PROXYTYPE;
        btVector3 half = half_extents(shape);
        btScalar at =
            round ? meets_post(from, way, half, &outward) : meets_box(from, way, half, &outward);
        if (!(at >= 0 && at < share_))
            return true;
        share_ = at;
        object_ = other;
        normal_ = place.getBasis() * outward;
        return true;
    }

  private:
    static btVector3 half_extents(const btCollisionShape* shape) {
        if (shape->getShapeType() == CYLINDER_SHAPE_PROXYTYPE)
            return static_cast<const btCylinderShape*>(shape)->getHalfExtentsWithMargin();
        return static_cast<const btBoxShape*>(shape)->getHalfExtentsWithMargin();
    }
    // Where it enters all three pairs of faces; -1: never, or it begins inside.
    static btScalar meets_box(const btVector3& from, const btVector3& way, const btVector3& half,
                              btVector3* outward) {
        btScalar in = -1, out = 1;
        for (int i = 0; i < 3; i++) {
            btScalar side = way[i] > 0 ? btScalar(-1) : btScalar(1);
            if (way[i] == 0 && btFabs(from[i]) > half[i])
                return -1;
            if (way[i] == 0)
                continue;
            btScalar enters = (side * half[i] - from[i]) / way[i];
            if (enters > in) {
                in = enters;
                *outward = btVector3(0, 0, 0);
                (*outward)[i] = side;
            }
            out = btMin(out, (-side * half[i] - from[i]) / way[i]);
        }
        return in <= out ? in : -1;
    }
    // Its side, which is taller than any drop.
    static btScalar meets_post(const btVector3& from, const btVector3& way, const btVector3& half,
                               btVector3* outward) {
        btScalar a = way[0] * way[0] + way[1] * way[1], b = from[0] * way[0] + from[1] * way[1];
        btScalar c = from[0] * from[0] + from[1] * from[1] - half[0] * half[0];
        btScalar square = b * b - a * c;
        if (!(a > 0 && c >= 0 && square >= 0))
            return -1;
        btScalar at = (-b - btSqrt(square)) / a;
        *outward = btVector3(from[0] + at * way[0], from[1] + at * way[1], 0) / half[0];
        return at;
    }

    btVector3 from_, way_;
    const btCollisionObject* self_;
    const btCollisionObject* object_ = nullptr;
    btScalar share_ = 1;
    btVector3 normal_{0, 0, 0};
};

#endif
