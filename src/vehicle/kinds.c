// Purpose: tables and defaults of vehicles that are no kerb_vehicle.
// Cost:    O(fields).
#include "kerb/kinds.h"

#include "../base/shared.h"

#define SHIP_ROW(field, ...) KERB_IN_SETTING(kerb_ship, field, __VA_ARGS__)
static const kerb_setting ship_rows[] = {
    SHIP_ROW(length, "m", 1.0f, 600.0f, 160.93f, "length"),
    SHIP_ROW(width, "m", 0.3f, 100.0f, 23.17f, "width"),
    SHIP_ROW(reference_to_bow, "m", 0.0f, 600.0f, 84.2f, "from the centre of mass to the bow"),
    SHIP_ROW(reference_to_pivot, "m", -300.0f, 300.0f, 50.0f,
             "from the centre of mass forward to the pivot point"),
    SHIP_ROW(speed_max, "m/s", 0.1f, 60.0f, 7.7175f, "greatest speed through the water"),
    SHIP_ROW(acceleration, "m/s²", 0.001f, 20.0f, 0.035f, "full ahead from rest"),
    SHIP_ROW(astern, "m/s²", 0.001f, 20.0f, 0.02f, "deceleration of full astern"),
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

#define WALKER_ROW(field, ...) KERB_IN_SETTING(kerb_pedestrian, field, __VA_ARGS__)
static const kerb_setting walker_rows[] = {
    WALKER_ROW(width, "m", 0.05f, 5.0f, 0.5f, "from shoulder to shoulder"),
    WALKER_ROW(depth, "m", 0.05f, 5.0f, 0.35f, "from front to back"),
    WALKER_ROW(speed_max, "m/s", 0.05f, 15.0f, 1.8f, "greatest speed forwards"),
    WALKER_ROW(side_speed_max, "m/s", 0.05f, 15.0f, 0.8f, "greatest speed sideways"),
    WALKER_ROW(back_speed_max, "m/s", 0.05f, 15.0f, 0.9f, "greatest speed backwards"),
    WALKER_ROW(acceleration, "m/s²", 0.1f, 30.0f, 2.0f, "at full effort from standstill"),
    WALKER_ROW(yaw_rate_max, "rad/s", 0.1f, 30.0f, 3.0f, "greatest yaw rate"),
    WALKER_ROW(answer_time, "s", 0.0f, 2.0f, 0.1f, "from a command to its effect"),
};
const kerb_settings_table kerb_pedestrian_table = {
    "kerb_pedestrian", sizeof(kerb_pedestrian), walker_rows,
    (int32_t)(sizeof walker_rows / sizeof walker_rows[0])};

kerb_pedestrian kerb_pedestrian_default(void) {
    kerb_pedestrian pedestrian;
    kerb_settings_set_defaults(&kerb_pedestrian_table, &pedestrian);
    return pedestrian;
}

#define TOWING_ROW(field, ...) KERB_IN_SETTING(kerb_towing, field, __VA_ARGS__)
static const kerb_setting towing_rows[] = {
    TOWING_ROW(hitch_behind, "m", 0.0f, 10.0f, 0.9f, "from the rear axle back to the hitch"),
    TOWING_ROW(trailer_axle, "m", 0.2f, 20.0f, 3.2f, "from the hitch back to the trailer's axle"),
    TOWING_ROW(trailer_front, "m", 0.1f, 20.0f, 2.2f, "from its axle forward to its front"),
    TOWING_ROW(trailer_rear, "m", 0.0f, 20.0f, 1.8f, "from its axle back to its rear"),
    TOWING_ROW(trailer_width, "m", 0.1f, 10.0f, 1.9f, "width of the trailer"),
    TOWING_ROW(hitch_angle_max, "rad", 0.1f, 1.5f, 1.0472f, "greatest angle of the hitch"),
    TOWING_ROW(speed_max, "m/s", 0.1f, 10.0f, 2.0f, "greatest speed of plans"),
    TOWING_ROW(acceleration, "m/s²", 0.05f, 5.0f, 1.0f, "greatest acceleration of plans"),
};
const kerb_settings_table kerb_towing_table = {
    "kerb_towing", sizeof(kerb_towing), towing_rows,
    (int32_t)(sizeof towing_rows / sizeof towing_rows[0])};

kerb_towing kerb_towing_default(void) {
    kerb_towing towing = {.car = kerb_vehicle_default()};
    kerb_settings_set_defaults(&kerb_towing_table, &towing);
    return towing;
}

#define RIDER_ROW(field, ...) KERB_IN_SETTING(kerb_motorcycle, field, __VA_ARGS__)
static const kerb_setting rider_rows[] = {
    RIDER_ROW(length, "m", 0.5f, 5.0f, 2.1f, "length"),
    RIDER_ROW(width, "m", 0.1f, 3.0f, 0.8f, "width"),
    RIDER_ROW(height, "m", 0.3f, 4.0f, 1.5f, "height with the rider"),
    RIDER_ROW(wheelbase, "m", 0.3f, 4.0f, 1.4f, "wheelbase"),
    RIDER_ROW(rear, "m", 0.0f, 3.0f, 0.35f, "from the rear wheel's contact point to the end"),
    RIDER_ROW(reference_to_rear_axle, "m", -3.0f, 3.0f, 0.65f,
              "from the centre of mass back to the rear wheel"),
    RIDER_ROW(mass_height, "m", 0.1f, 3.0f, 0.65f, "height of the centre of mass"),
    RIDER_ROW(speed_max, "m/s", 0.5f, 150.0f, 50.0f, "greatest speed"),
    RIDER_ROW(acceleration, "m/s²", 0.1f, 20.0f, 5.0f, "acceleration from rest"),
    RIDER_ROW(braking, "m/s²", 0.1f, 20.0f, 7.0f, "full brakes"),
    RIDER_ROW(lean_max, "rad", 0.1f, 1.2f, 0.75f, "greatest lean"),
    RIDER_ROW(lean_time, "s", 0.1f, 5.0f, 0.8f, "in which a wanted lean is nearly there"),
    RIDER_ROW(steering_angle_max, "rad", 0.05f, 1.4f, 0.55f, "greatest angle of the front wheel"),
    RIDER_ROW(balance_speed, "m/s", 0.5f, 10.0f, 2.0f, "the rider balances alone below it"),
    RIDER_ROW(throttle_delay, "s", 0.0f, 2.0f, 0.1f, "from a command to its force"),
};
const kerb_settings_table kerb_motorcycle_table = {
    "kerb_motorcycle", sizeof(kerb_motorcycle), rider_rows,
    (int32_t)(sizeof rider_rows / sizeof rider_rows[0])};

kerb_motorcycle kerb_motorcycle_default(void) {
    kerb_motorcycle motorcycle;
    kerb_settings_set_defaults(&kerb_motorcycle_table, &motorcycle);
    return motorcycle;
}
