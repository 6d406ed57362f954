// Purpose: one step of a car with a trailer.
// Idea:    No wheel slips, which holds at walking pace. The hitch moves with the car; the trailer
//          turns so that its axle does not slide sideways. A hitch that has come to its greatest
//          angle stays there while the car pushes on.
// Cost:    O(1).
// Source:  Rouchon and others, "Flatness and Motion Planning: the Car with n Trailers", ECC 1993.
#include "sim/towing.h"

kerb_sim_towing kerb_sim_towing_make(const kerb_towing* limits, float x, float y, float heading,
                                     float hitch) {
    float sine, cosine, car_sine, car_cosine;
    kerb_sin_cos(heading, &sine, &cosine);
    kerb_sin_cos(heading + hitch, &car_sine, &car_cosine);
    kerb_sim_towing towing = {
        .limits = *limits, .heading = kerb_wrap_angle(heading + hitch), .hitch = hitch, .gear = 1};
    towing.x = (double)(x + limits->trailer_axle * cosine + limits->hitch_behind * car_cosine);
    towing.y = (double)(y + limits->trailer_axle * sine + limits->hitch_behind * car_sine);
    return towing;
}

static float towing_finite(float value, float least) {
    return kerb_is_finite(value) ? kerb_clamp(value, least, 1.0f) : 0.0f;
}

// Engine and brakes; the brakes hold a car that stands.
static void drive_towing(kerb_sim_towing* towing, const kerb_controls* controls, float time_step) {
    const kerb_vehicle* car = &towing->limits.car;
    float throttle = towing_finite(controls->throttle, 0.0f);
    float most = controls->gear < 0 ? -car->reverse_acceleration_max : car->acceleration_max;
    towing->gear = controls->gear > 0 ? 1 : controls->gear < 0 ? -1 : 0;
    float sign = most < 0.0f ? -1.0f : 1.0f;
    float wanted = towing->gear == 0 ? 0.0f : throttle * (most + sign * car->coasting_deceleration);
    towing->pull += (wanted - towing->pull) * time_step / (car->throttle_delay + time_step);
    float brake = controls->handbrake ? 1.0f : towing_finite(controls->brake, 0.0f);
    float slowing = (brake * car->braking_max + car->coasting_deceleration) * time_step;
    float speed = towing->speed + towing->pull * time_step;
    towing->speed = kerb_abs(speed) <= slowing ? 0.0f : speed - (speed > 0.0f ? slowing : -slowing);
}

void kerb_sim_towing_step(kerb_sim_towing* towing, const kerb_controls* controls, float time_step) {
    const kerb_towing* t = &towing->limits;
    float wanted = towing_finite(controls->steering, -1.0f) * t->car.steering_angle_max;
    float most = t->car.steering_rate_max * time_step, sine, cosine, fold_sine, fold_cosine;
    towing->angle += kerb_clamp(wanted - towing->angle, -most, most);
    drive_towing(towing, controls, time_step);
    float turn = towing->speed * kerb_tan(towing->angle) / t->car.wheelbase;
    kerb_sin_cos(towing->heading + 0.5f * turn * time_step, &sine, &cosine);
    kerb_sin_cos(towing->hitch, &fold_sine, &fold_cosine);
    float trailer =
        (towing->speed * fold_sine - t->hitch_behind * turn * fold_cosine) / t->trailer_axle;
    towing->x += (double)(towing->speed * cosine * time_step);
    towing->y += (double)(towing->speed * sine * time_step);
    towing->heading = kerb_wrap_angle(towing->heading + turn * time_step);
    float hitch = towing->hitch + (turn - trailer) * time_step;
    towing->hitch = kerb_clamp(hitch, -t->hitch_angle_max, t->hitch_angle_max);
    towing->folded = towing->folded || hitch != towing->hitch;
}

kerb_motion kerb_sim_towing_motion(const kerb_sim_towing* towing) {
    const kerb_vehicle* car = &towing->limits.car;
    kerb_motion motion = kerb_motion_default();
    float sine, cosine, ahead = car->reference_to_rear_axle;
    float turn = towing->speed * kerb_tan(towing->angle) / car->wheelbase;
    kerb_sin_cos(towing->heading, &sine, &cosine);
    motion.position =
        kerb_vec3_make((float)towing->x + ahead * cosine, (float)towing->y + ahead * sine, 0.0f);
    motion.rotation = kerb_quat_from_heading(towing->heading);
    motion.velocity = kerb_vec3_make(towing->speed * cosine - turn * ahead * sine,
                                     towing->speed * sine + turn * ahead * cosine, 0.0f);
    motion.angular_velocity = kerb_vec3_make(0.0f, 0.0f, turn);
    motion.steering = towing->angle / car->steering_angle_max;
    motion.gear = towing->gear;
    return motion;
}
