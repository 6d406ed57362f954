// Purpose: the limits of a vehicle, computed once from its description.
// Idea:    a table of drive acceleration at even steps of speed: the best gear's pull, or power
//          divided by speed. It is bounded by the acceleration from rest and by the top speed.
// Cost:    O(KERB_DRIVE_COUNT · gears), once for a vehicle.
// Source:  Vamos section 5 (the best gear is the one with the most power); Genta, "Motor Vehicle
//          Dynamics", 1997, section 4.2 (power as a cubic of engine speed).
#include "gear_pull.h"
#include "kerb/control.h"

// Drive of a point mass: so strong that the tyres are always the limit. [m/s²]
#define DRIVE_UNLIMITED 1000.0f
// Two of four wheels drive, and they carry about half of the weight. [1]
#define DRIVEN_SHARE 0.5f

// Greatest power per mass, the same as in kerb_full_throttle_acceleration. [W/kg]
static float power_per_mass(const kerb_vehicle* vehicle) {
    float top = vehicle->speed_max;
    return kerb_max(vehicle->power / vehicle->mass, kerb_coasting_deceleration(vehicle, top) * top);
}

static float best_drive(const kerb_vehicle* vehicle, float power, float speed) {
    const kerb_drive_train* train = &vehicle->drive_train;
    if (train->gear_count <= 0)
        return power / kerb_max(speed, 0.01f);
    float best = 0.0f;
    for (int32_t gear = 0; gear < train->gear_count; gear++)
        best = kerb_max(gear_pull(train, gear, power, speed), best);
    return best;
}

static void fill_drive(kerb_performance* performance, const kerb_vehicle* vehicle) {
    float power = power_per_mass(vehicle);
    float from_rest = vehicle->acceleration_max + vehicle->coasting_deceleration;
    float step = vehicle->speed_max / (float)(KERB_DRIVE_COUNT - 1);
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++) {
        float speed = (float)i * step;
        float drive = kerb_min(best_drive(vehicle, power, speed), from_rest);
        // The description says that it reaches its top speed, so the drive balances drag there.
        performance->drive[i] = kerb_max(drive, kerb_coasting_deceleration(vehicle, speed));
    }
}

kerb_performance kerb_performance_of(const kerb_vehicle* vehicle) {
    kerb_performance performance;
    float rolling = vehicle->coasting_deceleration;
    float from_rest = vehicle->acceleration_max + rolling;
    performance.lateral = vehicle->lateral_acceleration_max;
    performance.accelerating = kerb_max(from_rest, DRIVEN_SHARE * performance.lateral);
    // braking_max is the whole deceleration, with rolling resistance. The tyres do the rest.
    performance.braking = kerb_max(vehicle->braking_max - rolling, 0.0f);
    performance.speed_max = vehicle->speed_max;
    performance.rolling = rolling;
    performance.drag = vehicle->drag;
    performance.downforce = vehicle->downforce;
    performance.braking_loss = performance.driving_loss = 0.0f;
    performance.powered_loss = performance.turning_drag = 0.0f;
    performance.budget = KERB_TRACTION_ELLIPSE;
    fill_drive(&performance, vehicle);
    return performance;
}

kerb_performance kerb_performance_point_mass(float lateral, float accelerating, float braking,
                                             float speed_max) {
    kerb_performance performance = {.lateral = lateral,
                                    .accelerating = accelerating,
                                    .braking = braking,
                                    .speed_max = speed_max,
                                    .budget = KERB_TRACTION_ELLIPSE};
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        performance.drive[i] = DRIVE_UNLIMITED;
    return performance;
}
