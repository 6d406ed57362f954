// Purpose: the limits of a vehicle, computed once from its description.
// Idea:    a table of drive acceleration at even steps of speed: the best gear's pull, or power
//          divided by speed. It is bounded by the acceleration from rest and by the top speed.
// Cost:    O(KERB_DRIVE_COUNT · gears), once for a vehicle.
// Source:  Vamos section 5 (the best gear is the one with the most power); Genta, "Motor Vehicle
//          Dynamics", 1997, section 4.2 (power as a cubic of engine speed).
#include "../gear_pull.h"
#include "kerb/control.h"

#include "../../base/shared.h"

// Drive of a point mass: so strong that the tyres are always the limit. [m/s²]
#define DRIVE_UNLIMITED 1000.0f
// Two of four wheels drive, and they carry about half of the weight. [1]
#define DRIVEN_SHARE 0.5f

// --------------------------------------------------------------------------- the table

// No vehicle comes near the upper bounds; they leave sums and squares of what passes finite.
#define PERFORMANCE_ROW(field, ...) KERB_IN_SETTING(kerb_performance, field, __VA_ARGS__)
// clang-format off
// kerb_vehicle_default gives 4.15 m/s² up to 13.9 m/s, and from there 57.5 W/kg.
#define PERFORMANCE_DRIVE_STANDARD(i) ((i) < 9 ? 4.15f : 57.5f / (1.5625f * (float)(i)))
#define PERFORMANCE_DRIVE(i) \
    {"drive[" #i "]", offsetof(kerb_performance, drive) + (i) * sizeof(float), KERB_SETTING_FLOAT, \
     "m/s²", 0.0f, 1e7f, PERFORMANCE_DRIVE_STANDARD(i), NULL, \
     "acceleration by the engine at this share of speed_max, before resistance"}
// clang-format on

static const kerb_setting performance_rows[] = {
    PERFORMANCE_ROW(lateral, "m/s²", 0.001f, 1e4f, 8.0f,
                    "greatest lateral acceleration, without downforce"),
    PERFORMANCE_ROW(accelerating, "m/s²", 0.0f, 1e4f, 4.15f,
                    "acceleration that the driven tyres hold, without downforce"),
    PERFORMANCE_ROW(braking, "m/s²", 0.0f, 1e4f, 7.85f,
                    "deceleration that the braking tyres hold, without downforce"),
    PERFORMANCE_ROW(speed_max, "m/s", 0.01f, 1e6f, 50.0f, "greatest speed"),
    PERFORMANCE_ROW(rolling, "m/s²", 0.0f, 1e4f, 0.15f, "deceleration by rolling resistance"),
    PERFORMANCE_ROW(drag, "1/m", 0.0f, 1e3f, 0.0004f, "deceleration by drag, divided by speed²"),
    PERFORMANCE_ROW(downforce, "1/m", 0.0f, 1e3f, 0.0f,
                    "acceleration by downforce, divided by speed²"),
    {"budget", offsetof(kerb_performance, budget), KERB_SETTING_CHOICE, "1", 0.0f, 1.0f, 0.0f,
     "ellipse|linear", "share of the grip that is left for braking and driving in a bend"},
    PERFORMANCE_DRIVE(0),
    PERFORMANCE_DRIVE(1),
    PERFORMANCE_DRIVE(2),
    PERFORMANCE_DRIVE(3),
    PERFORMANCE_DRIVE(4),
    PERFORMANCE_DRIVE(5),
    PERFORMANCE_DRIVE(6),
    PERFORMANCE_DRIVE(7),
    PERFORMANCE_DRIVE(8),
    PERFORMANCE_DRIVE(9),
    PERFORMANCE_DRIVE(10),
    PERFORMANCE_DRIVE(11),
    PERFORMANCE_DRIVE(12),
    PERFORMANCE_DRIVE(13),
    PERFORMANCE_DRIVE(14),
    PERFORMANCE_DRIVE(15),
    PERFORMANCE_DRIVE(16),
    PERFORMANCE_DRIVE(17),
    PERFORMANCE_DRIVE(18),
    PERFORMANCE_DRIVE(19),
    PERFORMANCE_DRIVE(20),
    PERFORMANCE_DRIVE(21),
    PERFORMANCE_DRIVE(22),
    PERFORMANCE_DRIVE(23),
    PERFORMANCE_DRIVE(24),
    PERFORMANCE_DRIVE(25),
    PERFORMANCE_DRIVE(26),
    PERFORMANCE_DRIVE(27),
    PERFORMANCE_DRIVE(28),
    PERFORMANCE_DRIVE(29),
    PERFORMANCE_DRIVE(30),
    PERFORMANCE_DRIVE(31),
    PERFORMANCE_DRIVE(32),
    PERFORMANCE_ROW(braking_loss, "1", 0.0f, 1.0f, 0.0f,
                    "ELLIPSE: how far braking in a bend falls short of the ellipse"),
    PERFORMANCE_ROW(driving_loss, "1", 0.0f, 1.0f, 0.0f,
                    "ELLIPSE: how far driving in a bend falls short of the ellipse"),
    PERFORMANCE_ROW(powered_loss, "1", 0.0f, 0.5f, 0.0f,
                    "ELLIPSE: share of the lateral grip that is lost under power"),
    PERFORMANCE_ROW(turning_drag, "rad", 0.0f, 100.0f, 0.0f,
                    "ELLIPSE: what the slip of turning tyres takes from the engine"),
};
_Static_assert(KERB_DRIVE_COUNT == 33, "a row for each entry of drive");

const kerb_settings_table kerb_performance_table = {
    "kerb_performance", sizeof(kerb_performance), performance_rows,
    (int32_t)(sizeof performance_rows / sizeof performance_rows[0])};

kerb_performance kerb_performance_default(void) {
    kerb_performance performance;
    kerb_settings_set_defaults(&kerb_performance_table, &performance);
    return performance;
}

// The table's name of an entry, "drive[3]", becomes the field and its index.
static void performance_name_entry(kerb_error* error) {
    const kerb_setting* row = kerb_settings_find(&kerb_performance_table, error->field);
    size_t first = offsetof(kerb_performance, drive);
    if (row == NULL || row->offset < first ||
        row->offset >= first + sizeof(float) * KERB_DRIVE_COUNT)
        return;
    error->index = (int32_t)((row->offset - first) / sizeof(float));
    error->field[sizeof "drive" - 1] = '\0';
}

kerb_result kerb_performance_validate(const kerb_performance* performance, kerb_error* error) {
    KERB_ASSERT(performance);
    kerb_result result = kerb_settings_validate(&kerb_performance_table, performance, error);
    if (result != KERB_OK && error != NULL)
        performance_name_entry(error);
    return result;
}

// --------------------------------------------------------------------------- of a vehicle

// Greatest power per mass, the same as in kerb_full_throttle_acceleration. [W/kg]
static float power_per_mass(const kerb_vehicle* vehicle) {
    float top = vehicle->speed_max;
    return kerb_max(vehicle->power / vehicle->mass, kerb_coasting_deceleration(vehicle, top) * top);
}

static float best_drive(const kerb_vehicle* vehicle, float power, float speed) {
    const kerb_drive_train* train = &vehicle->drive_train;
    if (train->gear_count > 0)
        return best_gear_pull(train, power, speed);
    return power * kerb_share_at(&vehicle->power_share, speed) / kerb_max(speed, 0.01f);
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

// Load presses on the tyres, and their grip grows by less than the load. With the load N over that
// at rest and the sensitivity s, the grip is N/(1 + s·(N - 1)), which grows by 1 - s at rest. A
// performance has grip that grows linearly with speed²: the chord to the greatest speed, so that
// grip is nowhere overrated. [1/m]
static float grip_by_downforce(const kerb_vehicle* vehicle) {
    float s = vehicle->load_sensitivity, square = vehicle->speed_max * vehicle->speed_max;
    float added = vehicle->downforce * square / KERB_GRAVITY;
    return vehicle->downforce * ((1.0f - s) / (1.0f + s * added));
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
    performance.downforce = grip_by_downforce(vehicle);
    performance.braking_loss = performance.driving_loss = 0.0f;
    performance.powered_loss = performance.turning_drag = 0.0f;
    performance.budget = KERB_TRACTION_ELLIPSE;
    fill_drive(&performance, vehicle);
    return performance;
}

// Means of five race cars as scene/race/race_limits.h measures them.
void kerb_performance_typical_losses(kerb_performance* performance) {
    KERB_ASSERT(performance);
    performance->braking_loss = 0.7f;
    performance->driving_loss = 0.15f;
    performance->powered_loss = 0.045f;
    performance->turning_drag = 0.07f;
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
