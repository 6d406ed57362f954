// Purpose: a body estimate as an object: made, saved, reset, merged, and turned into a description.
// Cost:    O(memory), kerb_body_estimate_vehicle O(1).
#include "body.h"
#include "fit.h"
#include "shared.h"

#include "../base/shared.h"
#include "../vehicle/shared.h"

#include <string.h>

void kerb_body_estimate_init(kerb_body_estimate* estimate, const kerb_vehicle* vehicle) {
    KERB_ASSERT(estimate && vehicle);
    const kerb_vehicle own = *vehicle; // which may lie in the estimate
    memset(estimate, 0, sizeof *estimate);
    estimate->vehicle = own;
    kerb_in_body_describe_grip(estimate);
    kerb_in_body_describe(estimate);
}

kerb_body_estimate kerb_body_estimate_make(const kerb_vehicle* vehicle) {
    kerb_body_estimate estimate;
    kerb_body_estimate_init(&estimate, vehicle);
    return estimate;
}

size_t kerb_body_estimate_bytes(void) {
    _Static_assert(_Alignof(kerb_body_estimate) <= KERB_IN_SAVED_ALIGNMENT, "as promised");
    return sizeof(kerb_body_estimate);
}

size_t kerb_body_estimate_save(const kerb_body_estimate* estimate, void* block, size_t capacity) {
    return kerb_in_save("kerb_body_estimate", estimate, sizeof *estimate, block, capacity);
}

kerb_result kerb_body_estimate_load(kerb_body_estimate* estimate, const void* block, size_t size,
                                    kerb_error* error) {
    return kerb_in_load("kerb_body_estimate", estimate, sizeof *estimate, block, size, error);
}

void kerb_body_estimate_reset(kerb_body_estimate* estimate) {
    KERB_ASSERT(estimate);
    kerb_body_estimate_init(estimate, &estimate->vehicle);
}

static void body_add_all(float* sums, const float* others, size_t count, float share) {
    for (size_t i = 0; i < count; i++)
        sums[i] += share * others[i];
}

void kerb_body_estimate_merge(kerb_body_estimate* estimate, const kerb_body_estimate* other,
                              float share) {
    KERB_ASSERT(estimate && other);
    _Static_assert(sizeof(kerb_vehicle) % 4 == 0, "numbers of four bytes, no padding");
    _Static_assert(sizeof(kerb_body_following_sums) % sizeof(float) == 0, "nothing but numbers");
    _Static_assert(sizeof(kerb_body_steered_sums) % sizeof(float) == 0, "nothing but numbers");
    if (memcmp(&estimate->vehicle, &other->vehicle, sizeof estimate->vehicle) != 0)
        return;
    share = kerb_clamp(share, 0.0f, 1.0f);
    kerb_body_estimate_memory* m = &estimate->memory;
    const kerb_body_estimate_memory* o = &other->memory;
    body_add_all(&m->following.n, &o->following.n, sizeof m->following / sizeof(float), share);
    body_add_all(&m->steered.n, &o->steered.n, sizeof m->steered / sizeof(float), share);
    body_add_all(m->grip_weights[0], o->grip_weights[0], sizeof m->grip_weights / sizeof(float),
                 share);
    m->grip_taught += share * o->grip_taught;
    estimate->taught += share * other->taught;
    if (m->following.n > 0.0f)
        kerb_in_body_fit(estimate);
    kerb_in_body_fit_grip(estimate);
}

// A lock that is not the one the estimate began with was learned: from curvatures, in view of the
// gradient of its description. With another gradient it must give the same curvatures, at the
// speeds that taught. A rate of the steering that was learned is one in locks.
static void body_keep_curvature(const kerb_body_estimate* estimate, kerb_vehicle* v,
                                const kerb_vehicle* description) {
    const kerb_body_following_sums* s = &estimate->memory.following;
    float lock = description->steering_angle_max, rate = description->steering_rate_max;
    if (lock == estimate->vehicle.steering_angle_max || s->xx[0][0] <= 0.0f)
        return;
    float square = kerb_sqrt(s->xx[1][1] / s->xx[0][0]); // lateral acceleration over curvature
    float longer = kerb_in_estimate_along(v, square) / kerb_in_estimate_along(description, square);
    kerb_in_estimate_put(v, &v->steering_angle_max, kerb_in_estimate_lock(lock, longer));
    if (rate != estimate->vehicle.steering_rate_max)
        kerb_in_estimate_put(v, &v->steering_rate_max, rate * v->steering_angle_max / lock);
}

kerb_vehicle kerb_body_estimate_vehicle(const kerb_body_estimate* estimate,
                                        const kerb_vehicle* description) {
    KERB_ASSERT(estimate && description);
    kerb_vehicle v = *description;
    if (estimate->following_axle.known)
        kerb_in_estimate_put(&v, &v.reference_to_rear_axle, estimate->following_axle.value);
    if (estimate->understeer_gradient.known) {
        kerb_in_estimate_put(&v, &v.understeer_gradient,
                             kerb_clamp(estimate->understeer_gradient.value, -0.02f, 0.1f));
        body_keep_curvature(estimate, &v, description);
    }
    if (estimate->gyration_square.known)
        kerb_in_estimate_put(&v, &v.yaw_inertia, kerb_max(estimate->gyration_square.value, 0.0f));
    if (estimate->grip.known)
        kerb_in_estimate_put(&v, &v.lateral_acceleration_max, estimate->grip.value);
    return v;
}

bool kerb_in_body_believes_wheels(const kerb_body_estimate* estimate) {
    return estimate->memory.angle == KERB_BODY_DELAYS &&
           estimate->memory.steered.ss[KERB_BODY_DELAYS] > 0.0f;
}

void kerb_body_estimate_shift_origin(kerb_body_estimate* estimate, kerb_vec3 new_origin) {
    KERB_ASSERT(estimate && kerb_vec3_is_finite(new_origin));
    kerb_in_motion_shift_origin(&estimate->memory.last, new_origin);
    estimate->memory.place =
        kerb_vec3_add(estimate->memory.place, kerb_vec3_scale(new_origin, -1.0f));
}
