// Driving the reference car by hand, for its tests: cars, speeds to hold, gears, slopes.
// Include after cmocka.h.
#ifndef TEST_SIM_DRIVING_H
#define TEST_SIM_DRIVING_H

#include "kerb/control.h"
#include "sim/car.h"

#include <math.h>

#define STEP (1.0f / 240.0f)

static const kerb_sim_ground level = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};

static inline void expect_within(double value, double expected, double share, const char* what) {
    if (!(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("%s is %g instead of %g, off by %.2f %%", what, value, expected,
                 100.0 * (value / expected - 1.0));
}

static inline kerb_sim_car car_of(const kerb_sim_car_model* model) {
    return kerb_sim_car_make(model, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
}

static inline kerb_sim_car_model middling_car(void) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    return kerb_sim_car_model_for(&vehicle);
}

// The same car without drag and rolling resistance.
static inline kerb_sim_car_model slippery_car(void) {
    kerb_sim_car_model model = middling_car();
    model.drag_area = 0.0f;
    model.rolling_resistance = 0.0f;
    return model;
}

static inline kerb_sim_car rolling(const kerb_sim_car_model* model, float speed) {
    kerb_sim_car car = car_of(model);
    car.forward = speed;
    car.wheel_front = car.wheel_rear = speed / model->wheel_radius;
    return car;
}

static inline kerb_controls in_gear(int32_t gear) {
    kerb_controls controls = {0};
    controls.gear = gear;
    return controls;
}

static inline void drive(kerb_sim_car* car, const kerb_controls* controls,
                         const kerb_sim_ground* ground, float seconds) {
    int steps = (int)(seconds / STEP + 0.5f);
    for (int i = 0; i < steps; i++)
        kerb_sim_car_step(car, controls, ground, STEP);
}

// Holds a speed with the throttle, exactly in the long run: PI. Negative speeds in reverse.
static inline void cruise(kerb_sim_car* car, float speed, float steering, float seconds) {
    kerb_controls controls = in_gear(speed < 0.0f ? -1 : 1);
    float sum = 0.0f;
    for (int i = 0; i < (int)(seconds / STEP); i++) {
        float error = (speed - car->forward) * (speed < 0.0f ? -1.0f : 1.0f);
        sum = kerb_clamp(sum + 0.3f * error * STEP, 0.0f, 1.0f);
        controls.throttle = 0.4f * error + sum;
        controls.steering = steering;
        kerb_sim_car_step(car, &controls, &level, STEP);
    }
}

static inline int32_t gear_for(const kerb_sim_car* car) {
    const kerb_drive_train* train = &car->model.drive_train;
    int32_t gear = car->gear < 1 ? 1 : car->gear;
    if (car->shift_timer > 0.0f || train->gear_count == 0)
        return gear;
    float turns = car->forward / train->wheel_radius;
    if (gear < train->gear_count &&
        turns * train->gear_ratio[gear - 1] > 1.1f * train->engine_speed_power)
        return gear + 1;
    if (gear > 1 && turns * train->gear_ratio[gear - 2] < 0.7f * train->engine_speed_power)
        return gear - 1;
    return gear;
}

static inline void full_throttle(kerb_sim_car* car, float seconds) {
    kerb_controls controls = in_gear(1);
    controls.throttle = 1.0f;
    for (int i = 0; i < (int)(seconds / STEP); i++) {
        controls.gear = gear_for(car);
        kerb_sim_car_step(car, &controls, &level, STEP);
    }
}

static inline float weight_of(const kerb_sim_car_model* model) {
    return model->mass * KERB_GRAVITY;
}

static inline float wheelbase_of(const kerb_sim_car_model* model) {
    return model->front_to_mass + model->rear_to_mass;
}

// Mass that a force along the car accelerates: with the inertia of both axles' wheels.
static inline float rolling_mass(const kerb_sim_car_model* model) {
    return model->mass + 2.0f * model->wheel_inertia / (model->wheel_radius * model->wheel_radius);
}

// A plane that rises by `slope` per metre towards +x.
static inline kerb_sim_ground rising(float slope) {
    float length = sqrtf(1.0f + slope * slope);
    kerb_sim_ground ground = {.normal = {-slope / length, 0.0f, 1.0f / length}, .grip = 1.0f};
    return ground;
}

// The height under a car on the plane `rising`, which passes through the origin.
static inline void drive_on(kerb_sim_car* car, const kerb_controls* controls, float slope,
                            float seconds) {
    kerb_sim_ground ground = rising(slope);
    for (int i = 0; i < (int)(seconds / STEP); i++) {
        ground.height = slope * car->position.x;
        kerb_sim_car_step(car, controls, &ground, STEP);
    }
}

#endif
