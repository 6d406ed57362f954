// Purpose: the ground under a vehicle in the axes of the vehicle, and movement on it.
// Idea:    The forward axis keeps its heading, seen from above, and tilts into the plane of the
//          ground. Yaw turns about the normal of the plane. Curved ground has the second
//          derivatives H of its height; u and v are horizontal. A vehicle with velocity v is
//          accelerated along the normal n by n_z·vᵀHv. A forward axis that looks along u tilts with
//          n_z·uᵀHv; this turns the heading of a vehicle that keeps its forward axis in the ground.
// Cost:    Seven trigonometric functions per step.
// Source:  Kahan, "Further remarks on reducing truncation errors", 1965 (the sum of many steps).
#include "sim/plane.h"

static kerb_vec3 forward_on(kerb_vec3 normal, float heading) {
    float sine, cosine;
    kerb_sin_cos(heading, &sine, &cosine);
    kerb_vec3 level = {cosine, sine, 0.0f};
    kerb_vec3 ahead = {cosine * normal.z, sine * normal.z, -kerb_vec3_dot(normal, level)};
    return kerb_vec3_unit(ahead, level);
}

kerb_sim_plane kerb_sim_plane_under(const kerb_sim_ground* ground, float heading) {
    kerb_sim_plane result;
    kerb_vec3 up = {0.0f, 0.0f, 1.0f};
    result.normal = kerb_vec3_unit(ground->normal, up);
    if (result.normal.z < 0.05f) // a wall is no ground to drive on
        result.normal = up;
    result.forward = forward_on(result.normal, heading);
    result.left = kerb_vec3_cross(result.normal, result.forward);
    result.pull_forward = -KERB_GRAVITY * result.forward.z;
    result.pull_left = -KERB_GRAVITY * result.left.z;
    result.press = KERB_GRAVITY * result.normal.z;
    float level = result.forward.x * result.forward.x + result.forward.y * result.forward.y;
    result.turn = result.normal.z / level;
    result.grip = kerb_clamp(ground->grip, 0.01f, 10.0f);
    const kerb_sim_bend flat = {0.0f, 0.0f, 0.0f};
    bool known = kerb_is_finite(ground->bend.xx + ground->bend.xy + ground->bend.yy);
    result.bend = known ? ground->bend : flat;
    return result;
}

kerb_quat kerb_sim_plane_rotation(kerb_vec3 normal, float heading) {
    kerb_vec3 forward = forward_on(normal, heading);
    float pitch = -kerb_asin(forward.z);
    float roll = kerb_atan2(kerb_vec3_cross(normal, forward).z, normal.z);
    return kerb_quat_from_angles(heading, pitch, roll);
}

// uᵀHv
static float bend_between(const kerb_sim_bend* bend, kerb_vec3 u, kerb_vec3 v) {
    return u.x * (bend->xx * v.x + bend->xy * v.y) + u.y * (bend->xy * v.x + bend->yy * v.y);
}

static kerb_vec3 velocity_on(const kerb_sim_plane* plane, kerb_vec2 velocity) {
    return kerb_vec3_along(kerb_vec3_scale(plane->forward, velocity.x), plane->left, velocity.y);
}

float kerb_sim_plane_bend_push(const kerb_sim_plane* plane, kerb_vec2 velocity) {
    kerb_vec3 v = velocity_on(plane, velocity);
    return plane->normal.z * bend_between(&plane->bend, v, v);
}

float kerb_sim_plane_bend_turn(const kerb_sim_plane* plane, kerb_vec2 velocity) {
    kerb_vec3 f = plane->forward, n = plane->normal;
    float rise = n.z * bend_between(&plane->bend, f, velocity_on(plane, velocity));
    return rise * (f.x * n.y - f.y * n.x) / (f.x * f.x + f.y * f.y);
}

static void accumulate(float* sum, float* rest, float step) {
    float whole = step + *rest;
    float next = *sum + whole;
    *rest = whole - (next - *sum);
    *sum = next;
}

void kerb_sim_plane_move(const kerb_sim_plane* plane, kerb_vec2 velocity, float yaw_rate,
                         float height, float time_step, kerb_vec3* position, kerb_vec3* rest) {
    // The axes of the plane are those at the start of the step.
    float bend = 0.5f * yaw_rate * time_step;
    float ahead = (velocity.x - velocity.y * bend) * time_step;
    float left = (velocity.y + velocity.x * bend) * time_step;
    kerb_vec3 step = kerb_vec3_scale(plane->forward, ahead);
    step = kerb_vec3_along(step, plane->left, left);
    accumulate(&position->x, &rest->x, step.x);
    accumulate(&position->y, &rest->y, step.y);
    if (kerb_is_finite(height))
        position->z = height + step.z;
}

float kerb_sim_plane_turn(const kerb_sim_plane* plane, float heading, float yaw_rate,
                          float time_step) {
    return kerb_wrap_angle(heading + yaw_rate * time_step * plane->turn);
}

kerb_motion kerb_sim_plane_motion(kerb_vec3 position, kerb_quat rotation, kerb_vec2 velocity,
                                  float yaw_rate) {
    kerb_motion motion = kerb_motion_default();
    motion.position = position;
    motion.rotation = rotation;
    motion.velocity = kerb_vec3_along(kerb_vec3_scale(kerb_quat_forward(rotation), velocity.x),
                                      kerb_quat_left(rotation), velocity.y);
    motion.angular_velocity = kerb_vec3_scale(kerb_quat_up(rotation), yaw_rate);
    return motion;
}
