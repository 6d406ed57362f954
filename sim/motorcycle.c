// Purpose: one step of a motorcycle.
// Idea:    Two wheels that roll without slip decide where it goes, and a pendulum over them where
//          it leans. The centre of mass lies ahead of the rear wheel, so a wheel that turns pushes
//          it aside at once; planners leave that out. The front wheel follows its command with a
//          lag. A foot holds a motorcycle that hardly moves.
// Cost:    O(1).
// Source:  Getz, Marsden, "Control for an Autonomous Bicycle", ICRA 1995, equation of the lean.
#include "sim/motorcycle.h"

// Lag of the front wheel. [s]
#define RIDER_STEERING 0.04f
// One that leans farther lies on the ground. [rad]
#define RIDER_FALLEN 1.35f
// Slower than this a foot is on the ground, and makes the motorcycle upright. [m/s], [s]
#define RIDER_FOOT 0.4f
#define RIDER_UPRIGHT 0.3f
// Deceleration without engine. [m/s²]
#define RIDER_ROLLING 0.1f

kerb_sim_motorcycle kerb_sim_motorcycle_make(const kerb_motorcycle* limits, float x, float y,
                                             float heading) {
    kerb_sim_motorcycle motorcycle = {
        .limits = *limits, .x = (double)x, .y = (double)y, .heading = kerb_wrap_angle(heading)};
    return motorcycle;
}

static float rider_finite(float value, float least) {
    return kerb_is_finite(value) ? kerb_clamp(value, least, 1.0f) : 0.0f;
}

static void ride_along(kerb_sim_motorcycle* m, const kerb_controls* controls, float time_step) {
    const kerb_motorcycle* limits = &m->limits;
    float throttle = controls->gear > 0 ? rider_finite(controls->throttle, 0.0f) : 0.0f;
    float brake = controls->handbrake ? 1.0f : rider_finite(controls->brake, 0.0f);
    m->pull += (throttle * limits->acceleration - m->pull) * time_step /
               (limits->throttle_delay + time_step);
    float relative = m->speed / limits->speed_max;
    float speed =
        m->speed + (m->pull - limits->acceleration * relative * kerb_abs(relative)) * time_step;
    float slowing =
        (brake * limits->braking + (throttle > 0.0f ? 0.0f : RIDER_ROLLING)) * time_step;
    speed = kerb_abs(speed) <= slowing ? 0.0f : speed - (speed > 0.0f ? slowing : -slowing);
    m->acceleration = (speed - m->speed) / time_step;
    m->speed = speed;
    if (kerb_abs(speed) < RIDER_FOOT) // and the foot pushes it upright
        m->lean_rate = -m->lean / RIDER_UPRIGHT;
}

void kerb_sim_motorcycle_step(kerb_sim_motorcycle* m, const kerb_controls* controls,
                              float time_step) {
    const kerb_motorcycle* limits = &m->limits;
    if (m->fallen)
        return;
    float wanted = rider_finite(controls->steering, -1.0f) * limits->steering_angle_max;
    float before = kerb_tan(m->angle) / limits->wheelbase;
    m->angle += (wanted - m->angle) * time_step / (RIDER_STEERING + time_step);
    ride_along(m, controls, time_step);
    float bend = kerb_tan(m->angle) / limits->wheelbase, sine, cosine;
    float help = limits->balance_speed * limits->balance_speed;
    // Lateral acceleration of the point below the centre of mass, and what the rider adds.
    float aside = (m->speed * m->speed + help) * bend +
                  limits->reference_to_rear_axle *
                      (m->acceleration * bend + m->speed * (bend - before) / time_step);
    kerb_sin_cos(m->lean, &sine, &cosine);
    if (kerb_abs(m->speed) >= RIDER_FOOT)
        m->lean_rate += (KERB_GRAVITY * sine - aside * cosine) / limits->mass_height * time_step;
    m->lean += m->lean_rate * time_step;
    m->fallen = kerb_abs(m->lean) > RIDER_FALLEN;
    float turn = m->speed * bend * time_step;
    kerb_sin_cos(m->heading + 0.5f * turn, &sine, &cosine);
    m->x += (double)(m->speed * cosine * time_step);
    m->y += (double)(m->speed * sine * time_step);
    m->heading = kerb_wrap_angle(m->heading + turn);
}

kerb_motion kerb_sim_motorcycle_motion(const kerb_sim_motorcycle* m) {
    const kerb_motorcycle* limits = &m->limits;
    kerb_motion motion = kerb_motion_default();
    kerb_vec2 forward = kerb_pose_make(0.0f, 0.0f, m->heading).forward;
    kerb_vec2 left = kerb_vec2_left(forward);
    float turn = m->speed * kerb_tan(m->angle) / limits->wheelbase, sine, cosine;
    kerb_sin_cos(m->lean, &sine, &cosine);
    float ahead = limits->reference_to_rear_axle, aside = limits->mass_height * sine;
    motion.position = kerb_vec3_make((float)m->x + ahead * forward.x + aside * left.x,
                                     (float)m->y + ahead * forward.y + aside * left.y, 0.0f);
    motion.rotation = kerb_quat_from_angles(m->heading, 0.0f, -m->lean);
    float along = m->speed - turn * aside;
    float across = turn * ahead + limits->mass_height * cosine * m->lean_rate;
    motion.velocity = kerb_vec3_make(along * forward.x + across * left.x,
                                     along * forward.y + across * left.y, 0.0f);
    motion.angular_velocity =
        kerb_vec3_make(-m->lean_rate * forward.x, -m->lean_rate * forward.y, turn);
    motion.steering = m->angle / limits->steering_angle_max;
    motion.gear = 1;
    return motion;
}
