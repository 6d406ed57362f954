// Purpose: the room that a calibration needs for everything, from what is known of the vehicle, and
//          the speed of the manoeuvre that needs most of it.
// Idea:    the way of the run to top speed is the integral of v/a over the speed, by the model of
//          all drivers; seconds at top speed and the way to stop come on top.
// Cost:    O(1): 64 speeds.
#include "../base/shared.h"
#include "frame.h"

// To this share of its top speed a vehicle drives before that is told. [1]
#define ROOM_TOP 0.99f
#define ROOM_PARTS 64
// It goes on for some seconds to be sure, and coasts. [s]
#define ROOM_SECONDS 20.0f
// What the slow manoeuvres use of the length before. [crawl · s]
#define ROOM_SLOW 200.0f

// Lateral acceleration that full lock would give without slip: three times what the best tyres
// hold, since the lock may fall with speed, and the vehicle slows down on the way. No faster: the
// room grows with speed². [m/s²]
#define GRIP_BEYOND 40.0f

// A wheeled vehicle turns in on a circle that fits into half of the width. A tracked one drives
// fast, because it needs more than half of its yaw rate to lose its grip.
float kerb_in_calibrate_grip_speed(const kerb_calibrator* calibrator) {
    float top = calibrator->measured.speed_max;
    if (calibrator->measured.kind == KERB_VEHICLE_HOVER)
        return kerb_min(0.5f * top, 2.5f);
    if (calibrator->measured.kind == KERB_VEHICLE_TRACKED)
        return 0.9f * top;
    float lock = kerb_max(calibrator->memory.measure.lock_curvature, 1e-3f);
    float by_room = kerb_sqrt(2.0f * calibrator->settings.space_each_side);
    return kerb_min(kerb_min(0.85f * top, kerb_sqrt(GRIP_BEYOND / lock)), by_room);
}

kerb_calibration_room kerb_calibrator_room(const kerb_calibrator* calibrator) {
    KERB_ASSERT(calibrator != NULL);
    const kerb_vehicle* v = &calibrator->measured;
    float power =
        kerb_max(v->power / v->mass, v->speed_max * kerb_coasting_deceleration(v, v->speed_max));
    float part = ROOM_TOP * v->speed_max / (float)ROOM_PARTS, run = 0.0f;
    for (int32_t i = 0; i < ROOM_PARTS; i++) {
        float speed = ((float)i + 0.5f) * part;
        float gain = kerb_in_measure_gain(v, power, speed);
        run += speed * part / kerb_max(gain, 0.005f * v->acceleration_max);
    }
    float on = ROOM_SECONDS * v->speed_max;
    float stop = v->speed_max * v->speed_max / (2.0f * 0.7f * v->braking_max);
    float slow = ROOM_SLOW * kerb_in_calibrate_crawl(calibrator);
    float grip = kerb_in_calibrate_grip_speed(calibrator);
    float turn = grip * grip / (0.3f * v->lateral_acceleration_max);
    float round = 4.0f * kerb_vehicle_turning_radius(v) + 2.0f * v->length;
    return (kerb_calibration_room){run + on + stop + slow, kerb_max(2.0f * turn, round)};
}
