// Purpose: steering, body and pedals learned together.
// Idea:    the frame is judged once, by the memory of the steering. A part that is copied out and
//          fed alone has seen no frame, so it takes its first one for a jump.
// Cost:    the sum of the parts, less two of three judgements of the frame.
#include "kerb/estimate_vehicle.h"
#include "shared.h"

#include "../base/shared.h"
#include "../vehicle/shared.h"

#include <string.h>

void kerb_vehicle_estimate_init(kerb_vehicle_estimate* estimate, const kerb_vehicle* vehicle) {
    KERB_ASSERT(estimate && vehicle);
    const kerb_vehicle own = *vehicle; // which may lie in the estimate
    memset(estimate, 0, sizeof *estimate);
    kerb_estimate_init(&estimate->steering, &own);
    kerb_body_estimate_init(&estimate->body, &own);
    kerb_pedal_estimate_init(&estimate->pedals, &own);
}

kerb_vehicle_estimate kerb_vehicle_estimate_make(const kerb_vehicle* vehicle) {
    kerb_vehicle_estimate estimate;
    kerb_vehicle_estimate_init(&estimate, vehicle);
    return estimate;
}

size_t kerb_vehicle_estimate_bytes(void) {
    _Static_assert(_Alignof(kerb_vehicle_estimate) <= KERB_IN_SAVED_ALIGNMENT, "as promised");
    return sizeof(kerb_vehicle_estimate);
}

size_t kerb_vehicle_estimate_save(const kerb_vehicle_estimate* estimate, void* block,
                                  size_t capacity) {
    return kerb_in_save("kerb_vehicle_estimate", estimate, sizeof *estimate, block, capacity);
}

kerb_result kerb_vehicle_estimate_load(kerb_vehicle_estimate* estimate, const void* block,
                                       size_t size, kerb_error* error) {
    return kerb_in_load("kerb_vehicle_estimate", estimate, sizeof *estimate, block, size, error);
}

void kerb_in_vehicle_estimate_feed(kerb_vehicle_estimate* estimate,
                                   const kerb_in_frame_input* input, const kerb_controls* controls,
                                   const kerb_surroundings* surroundings) {
    kerb_in_estimate_feed(&estimate->steering, input, controls, surroundings);
    kerb_in_body_estimate_feed(&estimate->body, input, controls, surroundings);
    kerb_in_pedal_estimate_feed(&estimate->pedals, input, controls, surroundings);
}

void kerb_vehicle_estimate_feed(kerb_vehicle_estimate* estimate, const kerb_motion* motion,
                                const kerb_controls* controls,
                                const kerb_surroundings* surroundings, float time_step) {
    KERB_ASSERT(estimate && motion && controls);
    kerb_estimate* steering = &estimate->steering; // in whose memory the last frame is
    kerb_in_frame_input input;
    kerb_in_frame_judge(&input, &steering->memory.last, &steering->vehicle, motion, time_step);
    kerb_in_vehicle_estimate_feed(estimate, &input, controls, surroundings);
}

void kerb_vehicle_estimate_update(kerb_vehicle_estimate* estimate) {
    KERB_ASSERT(estimate);
    kerb_estimate_update(&estimate->steering);
    kerb_body_estimate_update(&estimate->body);
    kerb_pedal_estimate_update(&estimate->pedals);
}

void kerb_vehicle_estimate_reset(kerb_vehicle_estimate* estimate) {
    KERB_ASSERT(estimate);
    kerb_estimate_reset(&estimate->steering);
    kerb_body_estimate_reset(&estimate->body);
    kerb_pedal_estimate_reset(&estimate->pedals);
}

void kerb_vehicle_estimate_merge(kerb_vehicle_estimate* estimate,
                                 const kerb_vehicle_estimate* other, float share) {
    KERB_ASSERT(estimate && other);
    kerb_estimate_merge(&estimate->steering, &other->steering, share);
    kerb_body_estimate_merge(&estimate->body, &other->body, share);
    kerb_pedal_estimate_merge(&estimate->pedals, &other->pedals, share);
}

kerb_vehicle kerb_vehicle_estimate_vehicle(const kerb_vehicle_estimate* estimate,
                                           const kerb_vehicle* description) {
    KERB_ASSERT(estimate && description);
    kerb_vehicle v = kerb_estimate_vehicle(&estimate->steering, description);
    v = kerb_body_estimate_vehicle(&estimate->body, &v);
    return kerb_pedal_estimate_vehicle(&estimate->pedals, &v);
}

void kerb_vehicle_estimate_shift_origin(kerb_vehicle_estimate* estimate, kerb_vec3 new_origin) {
    KERB_ASSERT(estimate);
    kerb_estimate_shift_origin(&estimate->steering, new_origin);
    kerb_body_estimate_shift_origin(&estimate->body, new_origin);
    kerb_pedal_estimate_shift_origin(&estimate->pedals, new_origin);
}
