// libFuzzer target: any bytes as frames of a host check and of estimates, as vehicles and blocks
// of saved objects, and as numbers of the room math. Demanded: finite values in their ranges, the
// same bits from a copy, a refused block that changes nothing.
//
//     fuzz_vehicle_calls -max_total_time=600 -max_len=2000 -timeout=20 out/corpus
#include "fuzz/calls.h"
#include "kerb/kerb.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct vehicle_calls {
    fuzz_vehicle car;
    kerb_host_check check, check_copy;
    kerb_estimate estimate, estimate_copy;
    kerb_body_estimate body, body_copy;
    kerb_pedal_estimate pedals, pedals_copy;
    kerb_controls controls;
} vehicle_calls;

static void vehicle_demand_finite(const vehicle_calls* calls) {
    for (int32_t i = 0; i < KERB_HOST_MISTAKE_COUNT; i++)
        FUZZ_DEMAND(calls->check.evidence[i] >= -20.0f && calls->check.evidence[i] <= 20.0f);
    const kerb_estimate* e = &calls->estimate;
    const kerb_estimated values[] = {e->steering_gain, e->trim, e->delay, e->steering_rate};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        FUZZ_DEMAND(kerb_is_finite(values[i].value) && values[i].deviation >= 0.0f &&
                    kerb_is_finite(values[i].deviation));
    kerb_vehicle learned = kerb_estimate_vehicle(e, &e->vehicle);
    FUZZ_DEMAND(kerb_vehicle_validate(&learned, NULL) == KERB_OK);
    const kerb_body_estimate* b = &calls->body;
    const kerb_estimated body[] = {b->following_axle,  b->compliance, b->understeer_gradient,
                                   b->gyration_square, b->tyres,      b->grip,
                                   b->slide_grip};
    for (size_t i = 0; i < sizeof body / sizeof *body; i++)
        FUZZ_DEMAND(kerb_is_finite(body[i].value) && body[i].deviation > 0.0f &&
                    kerb_is_finite(body[i].deviation));
    FUZZ_DEMAND(kerb_is_finite(b->grip_at_least) && b->grip_at_least > 0.0f);
    learned = kerb_body_estimate_vehicle(b, &learned);
    FUZZ_DEMAND(kerb_vehicle_validate(&learned, NULL) == KERB_OK);
}

static void vehicle_demand_finite_pedals(const kerb_pedal_estimate* e) {
    const kerb_estimated values[] = {
        e->power,       e->half_throttle, e->throttle_delay, e->braking,     e->half_brake,
        e->brake_delay, e->rolling,       e->drag,           e->creep_speed, e->brake_holds,
        e->shift_pause, e->spin_limit,    e->lock_limit,     e->drive[0],    e->drive[1],
        e->drive[2],    e->drive[3],      e->drive[4],       e->drive[5],    e->drive[6]};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        FUZZ_DEMAND(kerb_is_finite(values[i].value) && values[i].deviation >= 0.0f &&
                    kerb_is_finite(values[i].deviation));
    kerb_vehicle learned = kerb_pedal_estimate_vehicle(e, &e->vehicle);
    FUZZ_DEMAND(kerb_vehicle_validate(&learned, NULL) == KERB_OK);
}

static void vehicle_feed(vehicle_calls* calls, const kerb_motion* motion, float time_step) {
    kerb_host_check_feed(&calls->check, motion, &calls->controls, time_step);
    kerb_host_check_feed(&calls->check_copy, motion, &calls->controls, time_step);
    kerb_estimate_feed(&calls->estimate, motion, &calls->controls, NULL, time_step);
    kerb_estimate_feed(&calls->estimate_copy, motion, &calls->controls, NULL, time_step);
    FUZZ_DEMAND(kerb_host_check_worst(&calls->check) == kerb_host_check_worst(&calls->check_copy));
    FUZZ_DEMAND(fuzz_same_bits(calls->estimate.trim.value, calls->estimate_copy.trim.value));
    kerb_body_estimate_feed(&calls->body, motion, &calls->controls, NULL, time_step);
    kerb_body_estimate_feed(&calls->body_copy, motion, &calls->controls, NULL, time_step);
    FUZZ_DEMAND(fuzz_same_bits(calls->body.grip.value, calls->body_copy.grip.value));
    kerb_pedal_estimate_feed(&calls->pedals, motion, &calls->controls, NULL, time_step);
    kerb_pedal_estimate_feed(&calls->pedals_copy, motion, &calls->controls, NULL, time_step);
    FUZZ_DEMAND(fuzz_same_bits(calls->pedals.braking.value, calls->pedals_copy.braking.value));
    vehicle_demand_finite_pedals(&calls->pedals);
    vehicle_demand_finite(calls);
}

static void vehicle_drive(vehicle_calls* calls, fuzz_bytes* bytes) {
    bool brakes = fuzz_below(bytes, 4) == 0;
    calls->controls = (kerb_controls){.throttle = brakes ? 0.0f : fuzz_between(bytes, 0.0f, 1.0f),
                                      .brake = brakes ? fuzz_between(bytes, 0.0f, 1.0f) : 0.0f,
                                      .steering = fuzz_between(bytes, -1.0f, 1.0f),
                                      .gear = fuzz_below(bytes, 8) == 0 ? -1 : 1};
    float step = fuzz_between(bytes, 0.004f, 0.1f);
    for (int32_t i = fuzz_byte(bytes); i > 0; i--) {
        fuzz_vehicle_move(&calls->car, &calls->controls, step);
        kerb_motion motion = fuzz_vehicle_motion(&calls->car);
        vehicle_feed(calls, &motion, step);
    }
}

static void vehicle_load(vehicle_calls* calls, fuzz_bytes* bytes) {
    static uint8_t block[1 << 15];
    size_t size = kerb_estimate_save(&calls->estimate, block, sizeof block);
    FUZZ_DEMAND(size <= sizeof block);
    bool spoilt = fuzz_below(bytes, 2) == 1;
    if (spoilt) // the head of the block says what it holds
        block[fuzz_below(bytes, 16)] ^= (uint8_t)(1 + fuzz_below(bytes, 255));
    kerb_estimate before = calls->estimate;
    kerb_result result = kerb_estimate_load(&calls->estimate, block, size, NULL);
    FUZZ_DEMAND(spoilt || result == KERB_OK);
    if (result != KERB_OK)
        FUZZ_DEMAND(memcmp(&before, &calls->estimate, sizeof before) == 0);
    calls->estimate = before;
}

static void vehicle_numbers(fuzz_bytes* bytes) {
    float x = fuzz_any_float(bytes), y = fuzz_any_float(bytes), sine, cosine;
    kerb_sin_cos(x, &sine, &cosine);
    if (kerb_abs(x) <= 1.0e6f) // also false for NaN
        FUZZ_DEMAND(kerb_abs(sine) <= 1.0f && kerb_abs(cosine) <= 1.0f);
    if (kerb_is_finite(x) && kerb_is_finite(y))
        FUZZ_DEMAND(kerb_abs(kerb_atan2(y, x)) <= 3.1415928f);
    kerb_vec3 unit = kerb_vec3_unit(fuzz_any_vec3(bytes), (kerb_vec3){1.0f, 0.0f, 0.0f});
    float length = kerb_vec3_length(unit);
    FUZZ_DEMAND(!kerb_vec3_is_finite(unit) || (length > 0.99f && length < 1.01f));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static vehicle_calls calls; // large
    fuzz_bytes bytes = fuzz_bytes_of(data, size);
    memset(&calls, 0, sizeof calls);
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.kind = fuzz_below(&bytes, 3);
    for (int32_t i = fuzz_below(&bytes, 4); i > 0; i--) {
        kerb_vehicle changed = vehicle;
        fuzz_change_setting(&bytes, &kerb_vehicle_table, &changed);
        vehicle = kerb_vehicle_validate(&changed, NULL) == KERB_OK ? changed : vehicle;
    }
    calls.car = (fuzz_vehicle){.vehicle = vehicle, .gear = 1};
    calls.check_copy = calls.check = kerb_host_check_make(&vehicle);
    kerb_estimate_init(&calls.estimate, &vehicle);
    calls.estimate_copy = calls.estimate;
    kerb_body_estimate_init(&calls.body, &vehicle);
    calls.body_copy = calls.body;
    kerb_pedal_estimate_init(&calls.pedals, &vehicle);
    calls.pedals_copy = calls.pedals;
    for (int32_t calls_made = 0; calls_made < 400 && fuzz_has_more(&bytes); calls_made++) {
        kerb_motion motion = fuzz_vehicle_motion(&calls.car);
        switch (fuzz_below(&bytes, 6)) {
        case 0:
            motion = fuzz_hostile_motion(&bytes, motion);
            vehicle_feed(&calls, &motion, 1.0f / 60.0f);
            break;
        case 1:
            vehicle_feed(&calls, &motion, fuzz_hostile_step(&bytes));
            break;
        case 2:
            vehicle_load(&calls, &bytes);
            break;
        case 3:
            vehicle_numbers(&bytes);
            break;
        default:
            vehicle_drive(&calls, &bytes);
            break;
        }
    }
    return 0;
}
