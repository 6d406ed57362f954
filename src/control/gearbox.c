// Shifting gears by engine speed: up at the speed of greatest power under load, earlier when the
// throttle is light; down when the lower gear is well inside its range. Hysteresis and a pause
// after each shift keep it from hunting. O(1).
#include "kerb/control.h"

// Without much throttle, shift up at this share of the speed of greatest power.
#define LIGHT_SHIFT 0.55f
// The lower gear must leave this margin to its own upshift.
#define DOWN_MARGIN 0.80f

static float engine_speed_in(const kerb_drive_train* train, int32_t gear, float speed) {
    return kerb_abs(speed) * train->gear_ratio[gear - 1] / train->wheel_radius;
}

static float upshift_speed(const kerb_drive_train* train, float throttle) {
    float light = LIGHT_SHIFT * train->engine_speed_power;
    return light + (train->engine_speed_power - light) * kerb_clamp(throttle, 0.0f, 1.0f);
}

int32_t kerb_gearbox_drive(kerb_gearbox* gearbox, const kerb_vehicle* vehicle,
                           const kerb_motion* motion, int32_t direction, float throttle,
                           float time_step, float* clutch) {
    const kerb_drive_train* train = &vehicle->drive_train;
    *clutch = 0.0f;
    gearbox->since_shift = kerb_min(gearbox->since_shift + time_step, 60.0f);
    if (train->gear_count <= 0 || direction < 0)
        return direction;
    int32_t gear = motion->gear;
    if (gear < 1)
        return 1;
    if (gear > train->gear_count)
        return train->gear_count;
    if (gearbox->since_shift < 2.0f * train->shift_time + 0.2f)
        return gear;
    float speed = kerb_motion_forward_speed(motion);
    float shift_at = upshift_speed(train, throttle);
    int32_t wanted = gear;
    if (gear < train->gear_count && engine_speed_in(train, gear, speed) > shift_at)
        wanted = gear + 1;
    else if (gear > 1 && engine_speed_in(train, gear - 1, speed) < DOWN_MARGIN * shift_at)
        wanted = gear - 1;
    if (wanted != gear) {
        gearbox->since_shift = 0.0f;
        *clutch = 1.0f;
    }
    return wanted;
}
