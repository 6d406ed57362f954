// Purpose: the reference cars, apart from the pick-up in car_model.c.
// Idea:    They shift automatically: their "engine" is the drive at the wheels, with constant force
//          from rest and then constant power up to the greatest speed of the transmission.
// Source:  sim/README.md names the real vehicles behind them.
#include "sim/car.h"

// Nobody asks for the gears of a car that shifts for itself; they need only be valid.
static kerb_drive_train no_gears(float wheel_radius) {
    kerb_drive_train train = kerb_vehicle_default().drive_train;
    train.wheel_radius = wheel_radius;
    return train;
}

kerb_sim_car_model kerb_sim_buggy_model(void) {
    kerb_sim_car_model model = {
        .length = 3.6f,
        .width = 1.8f,
        .mass = 1000.0f,
        .yaw_inertia = 1400.0f, // dynamic index 1
        .front_to_mass = 1.4f,  // the engine is behind
        .rear_to_mass = 1.0f,
        .mass_to_bumper = 1.9f,
        .mass_height = 0.55f,
        .load_delay = 0.1f,
        .steering_angle_max = 0.49f, // 4.5 m at the rear axle
        .steering_rate_max = 1.5f,
        .steering_delay = 0.05f,
        .grip_along = 0.95f,
        .grip_across = 0.85f,
        .slip_stiffness = 16.0f,
        .cornering_front = 9.0f,
        .cornering_rear = 13.0f,
        .slip_control = true,
        // 5.5 kN, 60 kW
        .engine_speed = {0.0f, 30.3f, 40.0f, 50.0f, 62.0f, 75.0f, 90.0f, 102.0f},
        .engine_torque = {1980.0f, 1980.0f, 1500.0f, 1200.0f, 968.0f, 800.0f, 667.0f, 588.0f},
        .engine_braking = 60.0f,
        .drive_efficiency = 1.0f,
        .throttle_delay = 0.1f,
        .drive_train = no_gears(0.36f),
        .reverse_ratio = 1.0f,
        .reverse_torque = 0.8f,
        .reverse_speed_max = 8.0f,
        .wheel_radius = 0.36f,
        .wheel_inertia = 2.5f,
        .drive_front = 0.0f,
        .brake_force = 9000.0f,
        .brake_front = 0.6f,
        .handbrake_force = 4500.0f,
        .rolling_resistance = 0.018f,
        .drag_area = 0.85f, // c_d 0.7, 2 m²
    };
    return model;
}

kerb_sim_car_model kerb_sim_scout_model(void) {
    kerb_sim_car_model model = {
        .length = 5.6f,
        .width = 2.4f,
        .mass = 8000.0f,
        .yaw_inertia = 22000.0f,
        .front_to_mass = 1.6f,
        .rear_to_mass = 1.6f,
        .mass_to_bumper = 2.8f,
        .mass_height = 1.0f,
        .load_delay = 0.12f,
        .steering_angle_max = 0.429f, // 7.0 m at the rear axle
        .steering_rate_max = 0.7f,
        .steering_delay = 0.08f,
        .grip_along = 0.8f,
        .grip_across = 0.7f,
        .slip_stiffness = 14.0f,
        .cornering_front = 7.0f,
        .cornering_rear = 9.0f,
        .slip_control = true,
        // 26 kN, 130 kW
        .engine_speed = {0.0f, 9.6f, 14.0f, 20.0f, 28.0f, 38.0f, 50.0f, 58.0f},
        .engine_torque = {13520.0f, 13520.0f, 9286.0f, 6500.0f, 4643.0f, 3421.0f, 2600.0f, 2241.0f},
        .engine_braking = 700.0f,
        .drive_efficiency = 1.0f,
        .throttle_delay = 0.15f,
        .drive_train = no_gears(0.52f),
        .reverse_ratio = 1.0f,
        .reverse_torque = 0.8f,
        .reverse_speed_max = 6.0f,
        .wheel_radius = 0.52f,
        .wheel_inertia = 28.0f,
        .drive_front = 0.5f,
        .brake_force = 52000.0f,
        .brake_front = 0.6f,
        .handbrake_force = 25000.0f,
        .rolling_resistance = 0.02f,
        .drag_area = 2.4f, // c_d 0.8, 5 m²
    };
    return model;
}

// Four axles, of which the first two steer: as a bicycle, the middle of each pair is one axle.
kerb_sim_car_model kerb_sim_carrier_model(void) {
    kerb_sim_car_model model = {
        .length = 7.5f,
        .width = 2.8f,
        .mass = 18000.0f,
        .yaw_inertia = 85000.0f, // a long hull: dynamic index 2.2
        .front_to_mass = 1.45f,
        .rear_to_mass = 1.45f,
        .mass_to_bumper = 3.75f,
        .mass_height = 1.2f,
        .load_delay = 0.15f,
        .steering_angle_max = 0.27f, // 10.5 m at the middle of the rear axles
        .steering_rate_max = 0.35f,
        .steering_delay = 0.1f,
        .grip_along = 0.75f,
        .grip_across = 0.65f,
        .slip_stiffness = 12.0f,
        .cornering_front = 6.0f,
        .cornering_rear = 8.5f,
        .slip_control = true,
        // 48 kN, 180 kW
        .engine_speed = {0.0f, 6.8f, 10.0f, 15.0f, 21.0f, 29.0f, 38.0f, 46.0f},
        .engine_torque = {26400.0f, 26400.0f, 18000.0f, 12000.0f, 8571.0f, 6207.0f, 4737.0f,
                          3913.0f},
        .engine_braking = 1500.0f,
        .drive_efficiency = 1.0f,
        .throttle_delay = 0.25f,
        .drive_train = no_gears(0.55f),
        .reverse_ratio = 1.0f,
        .reverse_torque = 0.8f,
        .reverse_speed_max = 4.0f,
        .wheel_radius = 0.55f,
        .wheel_inertia = 90.0f,
        .drive_front = 0.5f,
        .brake_force = 100000.0f,
        .brake_front = 0.6f,
        .handbrake_force = 50000.0f,
        .rolling_resistance = 0.02f,
        .drag_area = 3.1f, // c_d 0.8, 6.5 m²
    };
    return model;
}
