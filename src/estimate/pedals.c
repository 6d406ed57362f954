// Purpose: an estimate of pedals as an object: made, saved, reset, merged, and turned into a
//          description.
// Cost:    O(memory).
#include "pedals.h"
#include "fit.h"

#include "../base/shared.h"
#include "../vehicle/shared.h"

#include <string.h>

void kerb_pedal_estimate_init(kerb_pedal_estimate* estimate, const kerb_vehicle* vehicle) {
    KERB_ASSERT(estimate && vehicle);
    const kerb_vehicle own = *vehicle; // which may lie in the estimate
    memset(estimate, 0, sizeof *estimate);
    estimate->vehicle = own;
    kerb_in_pedals_describe(estimate);
}

kerb_pedal_estimate kerb_pedal_estimate_make(const kerb_vehicle* vehicle) {
    kerb_pedal_estimate estimate;
    kerb_pedal_estimate_init(&estimate, vehicle);
    return estimate;
}

size_t kerb_pedal_estimate_bytes(void) {
    _Static_assert(_Alignof(kerb_pedal_estimate) <= KERB_IN_SAVED_ALIGNMENT, "as promised");
    return sizeof(kerb_pedal_estimate);
}

size_t kerb_pedal_estimate_save(const kerb_pedal_estimate* estimate, void* block, size_t capacity) {
    return kerb_in_save("kerb_pedal_estimate", estimate, sizeof *estimate, block, capacity);
}

kerb_result kerb_pedal_estimate_load(kerb_pedal_estimate* estimate, const void* block, size_t size,
                                     kerb_error* error) {
    return kerb_in_load("kerb_pedal_estimate", estimate, sizeof *estimate, block, size, error);
}

void kerb_pedal_estimate_reset(kerb_pedal_estimate* estimate) {
    KERB_ASSERT(estimate);
    kerb_pedal_estimate_init(estimate, &estimate->vehicle);
}

static void foot_add_all(float* sums, const float* others, int32_t count, float share) {
    for (int32_t i = 0; i < count; i++)
        sums[i] += share * others[i];
}

void kerb_pedal_estimate_merge(kerb_pedal_estimate* estimate, const kerb_pedal_estimate* other,
                               float share) {
    KERB_ASSERT(estimate && other);
    if (memcmp(&estimate->vehicle, &other->vehicle, sizeof estimate->vehicle) != 0)
        return;
    share = kerb_clamp(share, 0.0f, 1.0f);
    const kerb_pedal_estimate fresh = kerb_pedal_estimate_make(&estimate->vehicle);
    kerb_pedal_estimate_memory* m = &estimate->memory;
    const kerb_pedal_estimate_memory *o = &other->memory, *f = &fresh.memory;
    foot_add_all(m->information, o->information, KERB_PEDAL_PAIRS, share);
    foot_add_all(m->products, o->products, KERB_PEDAL_TERMS, share);
    for (int32_t p = 0; p < 2; p++) {
        foot_add_all(m->pedals[p].score, o->pedals[p].score, KERB_PEDAL_MODELS, share);
        m->limits[p].n += share * o->limits[p].n;
        m->limits[p].sum += share * o->limits[p].sum;
        m->limits[p].seen = kerb_max(m->limits[p].seen, share * o->limits[p].seen);
    }
    foot_add_all(m->creep, o->creep, KERB_PEDAL_CREEPS, share);
    m->creep_windows += share * o->creep_windows;
    m->holds = kerb_clamp(m->holds + share * o->holds, -8.0f, 8.0f);
    m->pauses += share * o->pauses;
    m->pauses_sum += share * o->pauses_sum;
    m->pauses_square += share * o->pauses_square;
    m->noise_sum += share * (o->noise_sum - f->noise_sum);
    m->noise_count += share * (o->noise_count - f->noise_count);
    estimate->taught += share * other->taught;
    kerb_in_pedals_fit(estimate);
}

// The greatest power at the speeds of which the drive is known. It is all that the vehicle has
// where the drive at the fastest of them is surely less than at another: only power limits it
// there. Else it is the least that the vehicle has, and what is described may be right. [W]
static bool pedals_power_driven(const kerb_pedal_estimate* estimate, const kerb_vehicle* v,
                                float* power) {
    float strongest = 0.0f, fastest = 0.0f, best = 0.0f;
    for (int32_t i = 1; i <= 20; i++) { // closer than the nodes: drive over speed bends
        float speed = 0.05f * (float)i * estimate->vehicle.speed_max;
        kerb_estimated drive = kerb_pedal_estimate_drive_at(estimate, speed);
        if (!drive.known)
            continue;
        strongest = kerb_max(strongest, drive.value);
        fastest = drive.value + 2.0f * drive.deviation;
        best = kerb_max(best, v->mass * speed * drive.value);
    }
    *power = best;
    return best > 0.0f && (fastest < strongest || best > v->power);
}

// The power, and its share by speed, at the speeds of which the drive is known.
static void pedals_put_power(const kerb_pedal_estimate* estimate, kerb_vehicle* v) {
    float power = estimate->power.value;
    if (!estimate->power.known && !pedals_power_driven(estimate, v, &power))
        return;
    kerb_in_estimate_put(v, &v->power, kerb_max(power, 1.0e-3f));
    const kerb_share_curve before = v->power_share;
    kerb_share_curve curve = kerb_vehicle_default().power_share;
    curve.count = 0;
    for (int32_t i = 0; i < KERB_PEDAL_NODES; i++) {
        float speed = kerb_pedal_estimate_speed(estimate, i);
        if (!estimate->drive[i].known || speed <= 0.0f)
            continue;
        curve.speed[curve.count] = speed;
        curve.share[curve.count++] =
            kerb_clamp(estimate->drive[i].value * v->mass * speed / v->power, 0.02f, 1.0f);
    }
    if (curve.count < 2 || v->drive_train.gear_count != 0)
        return;
    v->power_share = curve;
    if (kerb_vehicle_validate(v, NULL) != KERB_OK)
        v->power_share = before;
}

kerb_vehicle kerb_pedal_estimate_vehicle(const kerb_pedal_estimate* estimate,
                                         const kerb_vehicle* description) {
    KERB_ASSERT(estimate && description);
    kerb_vehicle v = *description;
    if (estimate->rolling.known)
        kerb_in_estimate_put(&v, &v.coasting_deceleration, estimate->rolling.value);
    if (estimate->drag.known)
        kerb_in_estimate_put(&v, &v.drag, estimate->drag.value);
    if (estimate->drive[0].known) // on level ground, losses subtracted
        kerb_in_estimate_put(&v, &v.acceleration_max,
                             kerb_max(estimate->drive[0].value - v.coasting_deceleration, 0.01f));
    pedals_put_power(estimate, &v);
    if (estimate->creep_speed.known)
        kerb_in_estimate_put(&v, &v.creep_speed,
                             kerb_clamp(estimate->creep_speed.value, 0.0f, 20.0f));
    if (estimate->braking.known)
        kerb_in_estimate_put(&v, &v.braking_max, kerb_max(estimate->braking.value, 0.01f));
    if (estimate->throttle_delay.known)
        kerb_in_estimate_put(&v, &v.throttle_delay,
                             kerb_clamp(estimate->throttle_delay.value, 0.0f, 10.0f));
    return v;
}

void kerb_pedal_estimate_shift_origin(kerb_pedal_estimate* estimate, kerb_vec3 new_origin) {
    KERB_ASSERT(estimate && kerb_vec3_is_finite(new_origin));
    kerb_in_motion_shift_origin(&estimate->memory.last, new_origin);
}
