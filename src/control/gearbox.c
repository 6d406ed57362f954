// Gear shifts by engine speed. Up at the speed of greatest power under full load, earlier with a
// light throttle. Down when the engine speed in the lower gear is well below that gear's upshift.
// The hysteresis and a pause after each shift prevent hunting. O(1).
#include "gearbox.h"

// Without throttle it shifts up at this share of the speed of greatest power: quiet, but with
// enough torque left. Chosen by trial.
#define LIGHT_SHIFT 0.55f
// It shifts down when the engine speed in the lower gear is below this share of the upshift speed.
// At 1 it would shift up again at once.
#define DOWN_MARGIN 0.80f

static float engine_speed_in(const kerb_drive_train* train, int32_t gear, float speed) {
    return kerb_abs(speed) * train->gear_ratio[gear - 1] / train->wheel_radius;
}

static float upshift_speed(const kerb_drive_train* train, float throttle) {
    float light = LIGHT_SHIFT * train->engine_speed_power;
    return light + (train->engine_speed_power - light) * kerb_clamp(throttle, 0.0f, 1.0f);
}

// The lowest gear in which the engine is not above the upshift speed.
static int32_t gearbox_gear_for(const kerb_drive_train* train, float speed, float shift_at) {
    int32_t gear = 1;
    while (gear < train->gear_count && engine_speed_in(train, gear, speed) > shift_at)
        gear++;
    return gear;
}

// One gear up or down from the gear, or the gear itself.
static int32_t gearbox_next_gear(const kerb_drive_train* train, int32_t gear, float speed,
                                 float shift_at) {
    if (gear < train->gear_count && engine_speed_in(train, gear, speed) > shift_at)
        return gear + 1;
    if (gear > 1 && engine_speed_in(train, gear - 1, speed) < DOWN_MARGIN * shift_at)
        return gear - 1;
    return gear;
}

int32_t kerb_in_control_gearbox_shift(kerb_gearbox* gearbox, const kerb_vehicle* vehicle,
                                      int32_t engaged, float speed, int32_t direction,
                                      float throttle, float time_step, float* clutch) {
    const kerb_drive_train* train = &vehicle->drive_train;
    *clutch = 0.0f;
    gearbox->time_since_shift = kerb_min(gearbox->time_since_shift + time_step, 60.0f);
    if (train->gear_count <= 0 || direction < 0)
        return gearbox->commanded_gear = direction;
    float shift_at = upshift_speed(train, throttle);
    bool pausing = gearbox->time_since_shift < 2.0f * train->shift_time + 0.2f;
    int32_t gear = engaged;
    // A gearbox in neutral during a shift is on its way to the commanded gear. Otherwise neutral
    // and reverse are left for the gear that suits the speed.
    if (gear < 1)
        gear = pausing && gearbox->commanded_gear > 0
                   ? gearbox->commanded_gear
                   : gearbox_gear_for(train, kerb_max(speed, 0.0f), shift_at);
    else if (gear > train->gear_count)
        gear = train->gear_count;
    else if (!pausing)
        gear = gearbox_next_gear(train, gear, speed, shift_at);
    if (engaged >= 1 && gear != engaged) {
        gearbox->time_since_shift = 0.0f;
        *clutch = 1.0f;
    }
    return gearbox->commanded_gear = gear;
}

int32_t kerb_gearbox_drive(kerb_gearbox* gearbox, const kerb_vehicle* vehicle,
                           const kerb_motion* motion, int32_t direction, float throttle,
                           float time_step, float* clutch) {
    return kerb_in_control_gearbox_shift(gearbox, vehicle, motion->gear,
                                         kerb_motion_forward_speed(motion), direction, throttle,
                                         time_step, clutch);
}
