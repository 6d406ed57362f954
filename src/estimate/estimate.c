// Purpose: an estimate as an object: made, saved, reset, merged, and turned into a description.
// Cost:    O(memory), kerb_estimate_vehicle O(1).
#include "fit.h"
#include "grid.h"

#include "../base/shared.h"
#include "../vehicle/shared.h"

#include <string.h>

void kerb_estimate_init(kerb_estimate* estimate, const kerb_vehicle* vehicle) {
    KERB_ASSERT(estimate && vehicle);
    const kerb_vehicle own = *vehicle; // which may lie in the estimate
    memset(estimate, 0, sizeof *estimate);
    estimate->vehicle = own;
    kerb_in_estimate_rates(&own, estimate->memory.rates);
    for (int32_t r = 0; r < KERB_ESTIMATE_RATES; r++)
        estimate->memory.rates[r] *= ESTIMATE_TICK;
    kerb_in_estimate_describe(estimate);
}

kerb_estimate kerb_estimate_make(const kerb_vehicle* vehicle) {
    kerb_estimate estimate;
    kerb_estimate_init(&estimate, vehicle);
    return estimate;
}

size_t kerb_estimate_bytes(void) {
    _Static_assert(_Alignof(kerb_estimate) <= KERB_IN_SAVED_ALIGNMENT, "as hosts are promised");
    return sizeof(kerb_estimate);
}

size_t kerb_estimate_save(const kerb_estimate* estimate, void* block, size_t capacity) {
    return kerb_in_save("kerb_estimate", estimate, sizeof *estimate, block, capacity);
}

kerb_result kerb_estimate_load(kerb_estimate* estimate, const void* block, size_t size,
                               kerb_error* error) {
    return kerb_in_load("kerb_estimate", estimate, sizeof *estimate, block, size, error);
}

void kerb_estimate_reset(kerb_estimate* estimate) {
    KERB_ASSERT(estimate);
    kerb_estimate_init(estimate, &estimate->vehicle);
}

static void estimate_add_all(float* sums, const float* others, size_t count, float share) {
    for (size_t i = 0; i < count; i++)
        sums[i] += share * others[i];
}

void kerb_estimate_merge(kerb_estimate* estimate, const kerb_estimate* other, float share) {
    KERB_ASSERT(estimate && other);
    _Static_assert(sizeof(kerb_vehicle) % 4 == 0, "numbers of four bytes, no padding");
    if (memcmp(&estimate->vehicle, &other->vehicle, sizeof estimate->vehicle) != 0)
        return;
    share = kerb_clamp(share, 0.0f, 1.0f);
    kerb_estimate_memory* m = &estimate->memory;
    const kerb_estimate_memory* o = &other->memory;
    for (int32_t d = 0; d < KERB_ESTIMATE_DELAYS; d++) {
        estimate_add_all(m->sums[d].x, o->sums[d].x, KERB_ESTIMATE_MODELS, share);
        estimate_add_all(m->sums[d].xx, o->sums[d].xx, KERB_ESTIMATE_MODELS, share);
        estimate_add_all(m->sums[d].xy, o->sums[d].xy, KERB_ESTIMATE_MODELS, share);
    }
    for (int32_t c = 0; c < KERB_ESTIMATE_CURVES; c++)
        for (int32_t i = 0; i < KERB_ESTIMATE_PRODUCTS; i++)
            estimate_add_all(m->curves[c].of[i], o->curves[c].of[i], KERB_ESTIMATE_RATES, share);
    m->n += share * o->n;
    m->y += share * o->y;
    m->yy += share * o->yy;
    m->speeds += share * o->speeds;
    estimate->taught += share * other->taught;
    if (m->n > 0.0f)
        kerb_in_estimate_fit(estimate);
}

void kerb_in_estimate_put(kerb_vehicle* vehicle, float* field, float value) {
    float before = *field;
    *field = value;
    if (kerb_vehicle_validate(vehicle, NULL) != KERB_OK)
        *field = before;
}

kerb_vehicle kerb_estimate_vehicle(const kerb_estimate* estimate, const kerb_vehicle* description) {
    KERB_ASSERT(estimate && description);
    kerb_vehicle v = *description;
    bool wheels = v.kind == KERB_VEHICLE_WHEELED;
    if (estimate->steering_gain.known && wheels) {
        // The lock whose 0.3 give the curvature that was learned, at the speeds that taught it.
        const kerb_vehicle* told = &estimate->vehicle;
        const kerb_estimate_memory* m = &estimate->memory;
        float square = m->yy > 0.0f ? m->speeds / m->yy : 0.0f;
        float longer = kerb_in_estimate_along(&v, square) / kerb_in_estimate_along(told, square);
        kerb_in_estimate_put(&v, &v.steering_angle_max,
                             kerb_in_estimate_lock(told->steering_angle_max,
                                                   estimate->steering_gain.value * longer));
    } else if (estimate->steering_gain.known) {
        kerb_in_estimate_put(&v, &v.yaw_rate_max,
                             estimate->steering_gain.value * estimate->vehicle.yaw_rate_max);
    }
    if (estimate->delay.known && wheels)
        kerb_in_estimate_put(&v, &v.steering_delay, kerb_clamp(estimate->delay.value, 0.0f, 5.0f));
    if (estimate->steering_rate.known && wheels)
        kerb_in_estimate_put(&v, &v.steering_rate_max,
                             estimate->steering_rate.value * v.steering_angle_max);
    else if (estimate->steering_rate.known)
        kerb_in_estimate_put(&v, &v.yaw_acceleration_max,
                             estimate->steering_rate.value * v.yaw_rate_max);
    return v;
}

void kerb_estimate_shift_origin(kerb_estimate* estimate, kerb_vec3 new_origin) {
    KERB_ASSERT(estimate && kerb_vec3_is_finite(new_origin));
    kerb_in_motion_shift_origin(&estimate->memory.last, new_origin);
}
