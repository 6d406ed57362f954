// Purpose: tables and defaults of vehicles that are no kerb_vehicle.
// Cost:    O(fields).
#include "kerb/kinds.h"

#include "../base/setting_rows.h"

#define SHIP_ROW(field, ...) KERB_IN_SETTING(kerb_ship, field, __VA_ARGS__)
static const kerb_setting ship_rows[] = {
    SHIP_ROW(length, "m", 1.0f, 600.0f, 160.93f, "length"),
    SHIP_ROW(width, "m", 0.3f, 100.0f, 23.17f, "width"),
    SHIP_ROW(reference_to_bow, "m", 0.0f, 600.0f, 84.2f, "from the centre of mass to the bow"),
    SHIP_ROW(reference_to_pivot, "m", -300.0f, 300.0f, 50.0f,
             "from the centre of mass forward to the pivot point"),
    SHIP_ROW(speed_max, "m/s", 0.1f, 60.0f, 7.7175f, "greatest speed through the water"),
    SHIP_ROW(acceleration, "m/s^2", 0.001f, 20.0f, 0.035f, "full ahead from rest"),
    SHIP_ROW(astern, "m/s^2", 0.001f, 20.0f, 0.02f, "deceleration of full astern"),
    SHIP_ROW(turning_radius, "m", 0.5f, 5000.0f, 300.0f, "smallest radius of the pivot point"),
    SHIP_ROW(turning_speed, "1", 0.1f, 1.0f, 0.6f, "share of speed left in that turn"),
    SHIP_ROW(yaw_lag, "m", 0.01f, 3000.0f, 200.0f, "distance over which the curvature answers"),
    SHIP_ROW(throttle_delay, "s", 0.0f, 60.0f, 10.0f, "from a command to the propeller's force"),
    SHIP_ROW(rudder_delay, "s", 0.0f, 60.0f, 3.5f, "from a command to the rudder's angle"),
    SHIP_ROW(current.x, "m/s", -10.0f, 10.0f, 0.0f, "velocity of the water, x"),
    SHIP_ROW(current.y, "m/s", -10.0f, 10.0f, 0.0f, "velocity of the water, y"),
    SHIP_ROW(wind.x, "m/s", -50.0f, 50.0f, 0.0f, "velocity of the wind, x"),
    SHIP_ROW(wind.y, "m/s", -50.0f, 50.0f, 0.0f, "velocity of the wind, y"),
    SHIP_ROW(leeway, "1", 0.0f, 0.1f, 0.02f, "share of the wind with which the ship drifts"),
};
const kerb_settings_table kerb_ship_table = {"kerb_ship", sizeof(kerb_ship), ship_rows,
                                             (int32_t)(sizeof ship_rows / sizeof ship_rows[0])};

kerb_ship kerb_ship_default(void) {
    kerb_ship ship;
    kerb_settings_set_defaults(&kerb_ship_table, &ship);
    return ship;
}
