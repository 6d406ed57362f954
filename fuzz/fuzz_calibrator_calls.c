// libFuzzer target: any bytes as calls of a calibrator. What is demanded: fuzz/calls.h. A
// calibration ends when it is disturbed too much: then a new one takes its place.
//
//     fuzz_calibrator_calls -max_total_time=600 -max_len=300 -timeout=60 out/corpus
#include "fuzz/calls.h"
#include "kerb/calibrate.h"

#include <stddef.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct calibrator_calls {
    kerb_calibrator calibrator;
    fuzz_vehicle car;
} calibrator_calls;

#define CALIBRATOR_FIT(fit, i) offsetof(kerb_calibrator, memory.fit.matrix) + 8 * (size_t)(i)
#define CALIBRATOR_FITS(fit)                                                                       \
    CALIBRATOR_FIT(fit, 0), CALIBRATOR_FIT(fit, 1), CALIBRATOR_FIT(fit, 2),                        \
        CALIBRATOR_FIT(fit, 3), CALIBRATOR_FIT(fit, 4), CALIBRATOR_FIT(fit, 5),                    \
        CALIBRATOR_FIT(fit, 6), CALIBRATOR_FIT(fit, 7), CALIBRATOR_FIT(fit, 8),                    \
        CALIBRATOR_FIT(fit, 9), CALIBRATOR_FIT(fit, 10), CALIBRATOR_FIT(fit, 11)
static const size_t calibrator_doubles[] = {CALIBRATOR_FITS(fit), CALIBRATOR_FITS(coasting),
                                            CALIBRATOR_FITS(circle)};

static kerb_controls calibrator_drive(void* self, void* driver, const kerb_motion* motion,
                                      const kerb_surroundings* surroundings, float time_step) {
    (void)self;
    (void)surroundings;
    return kerb_calibrator_drive(driver, motion, time_step);
}

// In the middle of the area, along it.
static void calibrator_place(void* self, fuzz_bytes* bytes) {
    calibrator_calls* calls = self;
    calls->car = (fuzz_vehicle){.vehicle = kerb_vehicle_default(), .gear = 1};
    calls->car.vehicle.kind = calls->calibrator.measured.kind;
    const kerb_calibrator_memory* m = &calls->calibrator.memory;
    kerb_vec3 ahead = m->placed ? m->ahead : (kerb_vec3){1.0f, 0.0f, 0.0f};
    kerb_vec3 left = {-ahead.y, ahead.x, 0.0f};
    calls->car.heading = kerb_atan2(ahead.y, ahead.x);
    calls->car.position = kerb_vec3_along(m->start, ahead, fuzz_between(bytes, 0.0f, 200.0f));
    calls->car.position =
        kerb_vec3_along(calls->car.position, left, fuzz_between(bytes, -20.0f, 20.0f));
}

static void calibrator_settle(void* self) {
    calibrator_calls* calls = self;
    if (calls->calibrator.outcome == KERB_CALIBRATION_RUNNING && calls->calibrator.time < 300.0f)
        return;
    const kerb_vehicle known = calls->car.vehicle;
    kerb_calibrator_init(&calls->calibrator, &known);
}

static void calibrator_shift(void* self, kerb_vec3 new_origin) {
    calibrator_calls* calls = self;
    kerb_calibrator_shift_origin(&calls->calibrator, new_origin);
    calls->car.position = kerb_vec3_sub(calls->car.position, new_origin);
}

static void calibrator_check(const void* self, const void* driver) {
    (void)self;
    const kerb_calibrator* calibrator = driver;
    FUZZ_DEMAND(calibrator->progress >= 0.0f && calibrator->progress <= 1.0f);
    if (calibrator->outcome == KERB_CALIBRATION_DONE)
        FUZZ_DEMAND(kerb_vehicle_validate(&calibrator->measured, NULL) == KERB_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static calibrator_calls calls;
    fuzz_bytes bytes = fuzz_bytes_of(data, size);
    memset(&calls, 0, sizeof calls);
    kerb_vehicle known = kerb_vehicle_default();
    known.kind = fuzz_below(&bytes, 3);
    kerb_calibrator_init(&calls.calibrator, &known);
    // What the host tells of it may be wrong.
    calls.calibrator.measured.acceleration_max = fuzz_between(&bytes, 0.5f, 20.0f);
    fuzz_subject subject = {.self = &calls,
                            .driver = &calls.calibrator,
                            .bytes = sizeof calls.calibrator,
                            .doubles = calibrator_doubles,
                            .double_count = 24,
                            .vehicle = &calls.car,
                            .speed_least = 1.0f,
                            .seconds_most = 60.0f,
                            .drive = calibrator_drive,
                            .place = calibrator_place,
                            .settle = calibrator_settle,
                            .shift_origin = calibrator_shift,
                            .check = calibrator_check};
    fuzz_calls(&subject, bytes);
    return 0;
}
