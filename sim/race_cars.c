// Purpose: the race cars: a road car, a GT car, a formula car with wings, a rally car on loose
//          ground, and a truck. All have gears that the driver shifts, a clutch, an engine with
//          inertia and a limiter.
// Source:  sim/README.md names the real vehicles behind them and their performance.
#include "sim/car.h"

// Gears from the first up, over all.
static kerb_drive_train gears(const float* ratio, int32_t count, float wheel_radius) {
    kerb_drive_train train = {.gear_count = count, .wheel_radius = wheel_radius};
    for (int32_t i = 0; i < count; i++)
        train.gear_ratio[i] = ratio[i];
    return train;
}

static void set_engine_speeds(kerb_sim_car_model* model, float idle, float launch, float power) {
    model->drive_train.engine_speed_idle = idle;
    model->drive_train.engine_speed_power = power;
    model->drive_train.engine_speed_max = model->engine_speed[KERB_SIM_TORQUE_POINTS - 1];
    model->engine_launch_speed = launch;
}

kerb_sim_car_model kerb_sim_road_model(void) {
    static const float ratio[6] = {13.2f, 8.2f, 5.8f, 4.3f, 3.45f, 2.9f};
    kerb_sim_car_model model = {
        .length = 4.27f,
        .width = 1.8f,
        .mass = 1450.0f,
        .yaw_inertia = 2450.0f,
        .front_to_mass = 1.02f, // 61 % in front
        .rear_to_mass = 1.61f,
        .mass_to_bumper = 1.88f,
        .mass_height = 0.52f,
        .load_delay = 0.08f,
        .steering_angle_max = 0.53f,
        .steering_rate_max = 1.0f,
        .steering_delay = 0.05f,
        .grip_along = 1.08f,
        .grip_across = 0.98f,
        .front_grip_lost = 0.04f,
        .slip_stiffness = 24.0f,
        .cornering_front = 13.0f,
        .cornering_rear = 17.0f,
        .slip_control = true,
        .engine_speed = {90.0f, 160.0f, 320.0f, 480.0f, 540.0f, 600.0f, 650.0f, 680.0f},
        .engine_torque = {200.0f, 350.0f, 350.0f, 350.0f, 313.0f, 282.0f, 260.0f, 225.0f},
        .engine_braking = 60.0f,
        .engine_inertia = 0.22f,
        .clutch_torque = 600.0f,
        .drive_efficiency = 0.9f,
        .throttle_delay = 0.1f,
        .drive_train = gears(ratio, 6, 0.316f),
        .reverse_ratio = 13.2f,
        .reverse_torque = 1.0f,
        .reverse_speed_max = 9.0f,
        .wheel_radius = 0.316f,
        .wheel_inertia = 2.2f,
        .drive_front = 1.0f,
        .brake_force = 19500.0f,
        .brake_front = 0.82f,
        .handbrake_force = 5000.0f,
        .rolling_resistance = 0.011f,
        .drag_area = 0.41f, // c_d 0.31, 2.19 m²
    };
    set_engine_speeds(&model, 90.0f, 250.0f, 600.0f);
    model.drive_train.shift_time = 0.2f;
    return model;
}

kerb_sim_car_model kerb_sim_gt_model(void) {
    static const float ratio[6] = {11.3f, 8.2f, 6.2f, 4.9f, 3.95f, 3.2f};
    kerb_sim_car_model model = {
        .length = 4.75f,
        .width = 2.05f,
        .mass = 1360.0f,
        .yaw_inertia = 1850.0f,
        .front_to_mass = 1.4f, // 47 % in front
        .rear_to_mass = 1.24f,
        .mass_to_bumper = 2.38f,
        .mass_height = 0.42f,
        .load_delay = 0.05f,
        .steering_angle_max = 0.44f,
        .steering_rate_max = 1.1f,
        .steering_delay = 0.03f,
        .grip_along = 1.55f,
        .grip_across = 1.48f,
        .front_grip_lost = 0.02f,
        .slip_stiffness = 36.0f,
        .cornering_front = 30.0f,
        .cornering_rear = 35.0f,
        .slip_control = true,
        .engine_speed = {150.0f, 300.0f, 420.0f, 520.0f, 600.0f, 680.0f, 740.0f, 785.0f},
        .engine_torque = {420.0f, 530.0f, 600.0f, 620.0f, 610.0f, 588.0f, 535.0f, 470.0f},
        .engine_braking = 100.0f,
        .engine_inertia = 0.2f,
        .clutch_torque = 1100.0f,
        .drive_efficiency = 0.9f,
        .throttle_delay = 0.04f,
        .drive_train = gears(ratio, 6, 0.345f),
        .reverse_ratio = 11.3f,
        .reverse_torque = 0.6f,
        .reverse_speed_max = 9.0f,
        .wheel_radius = 0.345f,
        .wheel_inertia = 3.0f,
        .drive_front = 0.0f,
        .brake_force = 32000.0f,
        .brake_front = 0.71f,
        .handbrake_force = 6000.0f,
        .rolling_resistance = 0.014f,
        .drag_area = 0.68f,      // c_d·A 1.1 m²
        .downforce_area = 1.35f, // c_l·A 2.2 m²
        .downforce_front = 0.455f,
    };
    set_engine_speeds(&model, 130.0f, 420.0f, 680.0f);
    model.drive_train.shift_time = 0.06f;
    return model;
}

kerb_sim_car_model kerb_sim_formula_model(void) {
    static const float ratio[7] = {18.8f, 15.0f, 12.4f, 10.5f, 9.0f, 7.75f, 6.75f};
    kerb_sim_car_model model = {
        .length = 4.9f,
        .width = 1.8f,
        .mass = 700.0f,
        .yaw_inertia = 1150.0f,
        .front_to_mass = 1.78f, // 46 % in front
        .rear_to_mass = 1.52f,
        .mass_to_bumper = 2.75f,
        .mass_height = 0.28f,
        .load_delay = 0.03f,
        .steering_angle_max = 0.38f,
        .steering_rate_max = 1.3f,
        .steering_delay = 0.02f,
        .grip_along = 1.65f,
        .grip_across = 1.62f,
        .front_grip_lost = 0.015f,
        .slip_stiffness = 40.0f,
        .cornering_front = 36.0f,
        .cornering_rear = 41.0f,
        .slip_control = true,
        .engine_speed = {400.0f, 800.0f, 1100.0f, 1400.0f, 1600.0f, 1750.0f, 1850.0f, 1900.0f},
        .engine_torque = {160.0f, 225.0f, 265.0f, 300.0f, 310.0f, 308.0f, 302.0f, 280.0f},
        .engine_braking = 55.0f,
        .engine_inertia = 0.05f,
        .clutch_torque = 600.0f,
        .drive_efficiency = 0.93f,
        .throttle_delay = 0.02f,
        .drive_train = gears(ratio, 7, 0.33f),
        .reverse_ratio = 18.8f,
        .reverse_torque = 0.5f,
        .reverse_speed_max = 8.0f,
        .wheel_radius = 0.33f,
        .wheel_inertia = 2.4f,
        .drive_front = 0.0f,
        .brake_force = 44000.0f,
        .brake_front = 0.6f,
        .handbrake_force = 4000.0f,
        .rolling_resistance = 0.015f,
        .drag_area = 0.65f,     // c_d·A 1.06 m²
        .downforce_area = 1.9f, // c_l·A 3.1 m²
        .downforce_front = 0.445f,
    };
    set_engine_speeds(&model, 400.0f, 1100.0f, 1820.0f);
    model.drive_train.shift_time = 0.03f;
    return model;
}

// On gravel: less grip, found at larger slips, whatever the ground's own grip takes off it.
kerb_sim_car_model kerb_sim_rally_model(void) {
    static const float ratio[6] = {14.5f, 10.6f, 8.2f, 6.5f, 5.15f, 4.1f};
    kerb_sim_car_model model = {
        .length = 4.34f,
        .width = 1.77f,
        .mass = 1390.0f,
        .yaw_inertia = 2150.0f,
        .front_to_mass = 1.19f, // 53 % in front
        .rear_to_mass = 1.35f,
        .mass_to_bumper = 2.1f,
        .mass_height = 0.5f,
        .load_delay = 0.12f, // long, soft springs
        .steering_angle_max = 0.56f,
        .steering_rate_max = 1.4f,
        .steering_delay = 0.04f,
        .grip_along = 0.78f,
        .grip_across = 0.75f,
        .front_grip_lost = 0.01f,
        .slip_stiffness = 10.0f,
        .cornering_front = 8.0f,
        .cornering_rear = 9.5f,
        .slip_control = true,
        .engine_speed = {150.0f, 260.0f, 330.0f, 400.0f, 480.0f, 560.0f, 640.0f, 720.0f},
        .engine_torque = {250.0f, 420.0f, 530.0f, 550.0f, 470.0f, 402.0f, 345.0f, 295.0f},
        .engine_braking = 80.0f,
        .engine_inertia = 0.2f,
        .clutch_torque = 1000.0f,
        .drive_efficiency = 0.82f,
        .throttle_delay = 0.05f, // with the turbo kept spinning
        .drive_train = gears(ratio, 6, 0.32f),
        .reverse_ratio = 14.5f,
        .reverse_torque = 0.8f,
        .reverse_speed_max = 9.0f,
        .wheel_radius = 0.32f,
        .wheel_inertia = 2.6f,
        .drive_front = 0.5f,
        .brake_force = 15500.0f,
        .brake_front = 0.69f,
        .handbrake_force = 7000.0f,
        .rolling_resistance = 0.025f, // loose ground
        .drag_area = 0.55f,           // c_d·A 0.9 m²
        .downforce_area = 0.2f,
        .downforce_front = 0.45f,
    };
    set_engine_speeds(&model, 130.0f, 380.0f, 520.0f);
    model.drive_train.shift_time = 0.08f;
    return model;
}

kerb_sim_car_model kerb_sim_truck_model(void) {
    static const float ratio[6] = {9.6f, 7.3f, 5.7f, 4.5f, 3.65f, 3.02f};
    kerb_sim_car_model model = {
        .length = 5.9f,
        .width = 2.5f,
        .mass = 5400.0f,
        .yaw_inertia = 15500.0f,
        .front_to_mass = 1.55f, // 57 % in front
        .rear_to_mass = 2.05f,
        .mass_to_bumper = 2.85f,
        .mass_height = 0.85f,
        .load_delay = 0.1f,
        .steering_angle_max = 0.6f,
        .steering_rate_max = 0.8f,
        .steering_delay = 0.06f,
        .grip_along = 1.0f,
        .grip_across = 0.95f,
        .front_grip_lost = 0.04f,
        .slip_stiffness = 20.0f,
        .cornering_front = 13.0f,
        .cornering_rear = 16.5f,
        .slip_control = true,
        .engine_speed = {70.0f, 110.0f, 140.0f, 170.0f, 200.0f, 230.0f, 250.0f, 268.0f},
        .engine_torque = {2200.0f, 4200.0f, 5000.0f, 4900.0f, 4100.0f, 3400.0f, 3050.0f, 2650.0f},
        .engine_braking = 500.0f,
        .engine_inertia = 3.5f,
        .clutch_torque = 8500.0f,
        .drive_efficiency = 0.88f,
        .throttle_delay = 0.12f,
        .drive_train = gears(ratio, 6, 0.5f),
        .reverse_ratio = 9.6f,
        .reverse_torque = 0.6f,
        .reverse_speed_max = 6.0f,
        .wheel_radius = 0.5f,
        .wheel_inertia = 24.0f,
        .drive_front = 0.0f,
        .brake_force = 62000.0f,
        .brake_front = 0.8f,
        .handbrake_force = 25000.0f,
        .rolling_resistance = 0.009f,
        .drag_area = 3.0f, // c_d 0.7, 7 m²
    };
    set_engine_speeds(&model, 70.0f, 130.0f, 200.0f);
    model.drive_train.shift_time = 0.25f;
    return model;
}
