// Purpose: one step of a person on foot.
// Idea:    Effort against the cost of the gait, which grows with the fourth power of the speed over
//          the greatest one in its direction. Legs and body follow what is wanted with a lag that
//          the planner's model does not have.
// Cost:    O(1).
#include "sim/walker.h"

// Slower than this a person who stands still stands. [m/s]
#define WALKER_STILL 0.05f

kerb_sim_walker kerb_sim_walker_make(const kerb_pedestrian* limits, float x, float y,
                                     float heading) {
    kerb_sim_walker walker = {
        .limits = *limits, .position = {x, y}, .heading = kerb_wrap_angle(heading)};
    return walker;
}

static float walker_share(float value, float least) {
    return kerb_is_finite(value) ? kerb_clamp(value, least, 1.0f) : 0.0f;
}

// Efforts that brake as hard as a person can: against the motion.
static void walker_brakes(float brake, float forward, float side, float* ahead, float* left) {
    float speed = kerb_sqrt(forward * forward + side * side);
    float share = brake * kerb_min(speed / 0.2f, 1.0f) / kerb_max(speed, 1e-6f);
    *ahead = *ahead * (1.0f - brake) - share * forward;
    *left = *left * (1.0f - brake) - share * side;
}

void kerb_sim_walker_step(kerb_sim_walker* walker, const kerb_controls* controls, float time_step) {
    const kerb_pedestrian* p = &walker->limits;
    float sine, cosine, keep = time_step / (walker->limits.answer_time + time_step);
    kerb_sin_cos(walker->heading, &sine, &cosine);
    float forward = walker->velocity.x * cosine + walker->velocity.y * sine;
    float side = walker->velocity.y * cosine - walker->velocity.x * sine;
    float ahead = walker_share(controls->throttle, 0.0f) * (controls->gear < 0 ? -1.0f : 1.0f);
    float left = -walker_share(controls->roll, -1.0f), brake = walker_share(controls->brake, 0.0f);
    walker_brakes(brake, forward, side, &ahead, &left);
    walker->ahead += (ahead - walker->ahead) * keep;
    walker->left += (left - walker->left) * keep;
    float top = forward < 0.0f ? p->back_speed_max : p->speed_max;
    float along = forward / top, across = side / p->side_speed_max;
    float square = along * along + across * across, cost = square * kerb_sqrt(square);
    float push = p->acceleration * (walker->ahead - cost * along);
    float shove = p->acceleration * (walker->left - cost * across);
    walker->velocity.x += (push * cosine - shove * sine) * time_step;
    walker->velocity.y += (push * sine + shove * cosine) * time_step;
    if (brake > 0.5f && kerb_vec2_length(walker->velocity) < WALKER_STILL)
        walker->velocity = kerb_vec2_make(0.0f, 0.0f);
    float turn = walker_share(controls->steering, -1.0f) * p->yaw_rate_max;
    walker->yaw_rate +=
        (turn - walker->yaw_rate) * time_step / (walker->limits.answer_time + time_step);
    walker->heading = kerb_wrap_angle(walker->heading + walker->yaw_rate * time_step);
    walker->position =
        kerb_vec2_add(walker->position, kerb_vec2_scale(walker->velocity, time_step));
}

kerb_motion kerb_sim_walker_motion(const kerb_sim_walker* walker) {
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_make(walker->position.x, walker->position.y, 0.0f);
    motion.rotation = kerb_quat_from_heading(walker->heading);
    motion.velocity = kerb_vec3_make(walker->velocity.x, walker->velocity.y, 0.0f);
    motion.angular_velocity = kerb_vec3_make(0.0f, 0.0f, walker->yaw_rate);
    return motion;
}
