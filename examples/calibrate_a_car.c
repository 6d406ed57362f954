// Measures a car of which only size, mass and gears are known. A game does this once per model.
#include <kerb/kerb.h>
#include <stdio.h>

int main(void) {
    kerb_vehicle known = kerb_vehicle_default();
    kerb_calibrator calibrator = kerb_calibrator_make(&known);
    kerb_motion motion = kerb_motion_default();
    float heading = 0.0f, speed = 0.0f, force = 0.0f, step = 1.0f / 60.0f;
    while (calibrator.outcome == KERB_CALIBRATION_RUNNING) {
        kerb_controls controls = kerb_calibrator_drive(&calibrator, &motion, step);
        // Your engine moves its vehicle here. This example uses a bicycle model: power 60 W/kg, a
        // lag of the throttle, resistance, and grip for 8 m/s².
        float demand = controls.clutch > 0.5f ? 0.0f : controls.throttle * (float)controls.gear;
        force += (demand - force) * step / (0.2f + step);
        float push = force * kerb_min(5.0f, 60.0f / kerb_max(kerb_abs(speed), 1.0f));
        float drag = 7.0f * controls.brake + 0.1f + 0.0005f * speed * speed;
        float pushed = speed + push * step;
        speed = pushed > 0.0f ? kerb_max(pushed - drag * step, 0.0f)
                              : kerb_min(pushed + drag * step, 0.0f);
        float most = 8.0f / kerb_max(kerb_abs(speed), 0.1f);
        float yaw_rate = speed * kerb_tan(0.55f * controls.steering) / known.wheelbase;
        yaw_rate = kerb_clamp(yaw_rate, -most, most);
        heading += yaw_rate * step;
        motion.rotation = kerb_quat_from_heading(heading);
        motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), speed);
        motion.angular_velocity.z = yaw_rate;
        motion.position = kerb_vec3_along(motion.position, motion.velocity, step);
    }
    printf("%s after %.0f s\n", kerb_calibration_failure_text(calibrator.failure),
           (double)calibrator.time);
    printf("top speed %.1f m/s, braking %.1f m/s², full lock %.3f rad, throttle delay %.2f s\n",
           (double)calibrator.measured.speed_max, (double)calibrator.measured.braking_max,
           (double)calibrator.measured.steering_angle_max,
           (double)calibrator.measured.throttle_delay);
    return calibrator.outcome == KERB_CALIBRATION_DONE ? 0 : 1;
}
