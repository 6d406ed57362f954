// Purpose: from the host's frames to windows that teach of the body.
// Idea:    the equations of the body are linear, so they hold for the means over a window: the
//          force from the change of the velocity, the turn from the change of the rotation, the
//          slip from the distances along and across the body. Nothing is differentiated from frame
//          to frame.
// Cost:    O(1) a frame; O(hypotheses) a window of a tenth of a second.
#include "body.h"
#include "frame.h"
#include "shared.h"

#include "../base/shared.h"
#include "../vehicle/shared.h"

#define BODY_TICK 0.025f       // of the modelled wheels [s]
#define BODY_DELAY_STEP 0.045f // between hypotheses of the delay: up to 0.32 s [s]
#define BODY_WINDOW 0.095f     // shortest window: bodies take longer to turn [s]
#define BODY_WINDOW_MOST 0.3f  // longest: a frame of KERB_TIME_STEP_MAX [s]
#define BODY_ROUNDING 1.2e-7f  // of a difference of places [1]
#define BODY_UNEVEN 0.3f       // of lateral accelerations within a frame, over 8 [m/s²]
#define BODY_SPEED_LEAST 0.5f  // slower than a walk, tyres and stairs decide [m/s]
#define BODY_LOAD_LEAST 0.4f   // of the weight: below, wheels leave the ground [1]
#define BODY_LOAD_MOST 8.0f    // wings or a crash [1]
#define BODY_SLIP_MOST 1.0f    // 45 degrees: beyond, it spins [1]
#define BODY_SPIN_MOST 0.15f   // of wheels that have grip to spare [1]
#define BODY_WINDOWS_A_FIT 40  // a fit in four seconds of driving that teaches
#define BODY_FADE_TIME 60.0f   // time in which windows come to count 1/e [s]
#define BODY_FORCE_MOST 10.0f  // over the described grip: a crash [1]
#define BODY_YAWS_MOST 40.0f   // the same for the ends of the wheelbase: a crash [1]
// The axles learn below this share of the grip: up to 0.75 cost 9 of 100 axles in spirited driving
// (docs/results.md). [1]
#define BODY_USED_MOST 0.5f
// Windows count less as the grip is used up, by the fourth power of the used share; at half of the
// grip an eighth. Forces along the body count twice as those across. Both by trials on hosts of the
// family, seeds 1000 to 1299. [1]
#define BODY_USED_BLURS 120.0f
#define BODY_ALONG_COUNTS 2.0f
// Farther from grip 1 the ground is not the usual one. [1]
#define BODY_GROUND_USUAL 0.1f
// Range in which the host's grip is believed. [1]
#define BODY_GROUND_LEAST 0.05f
#define BODY_GROUND_MOST 20.0f

static void body_begin_window(kerb_body_estimate_memory* m, const kerb_motion* motion) {
    m->window_forward = m->forward;
    m->window_left = kerb_quat_left(motion->rotation);
    m->window_velocity = motion->velocity;
    m->window_yaw_rate = m->yaw_rate;
    m->window_time = 0.0f;
    m->window_distance = 0.0f;
    m->window_aside = 0.0f;
    m->window_apart = 0.0f;
    m->window_wheel = 0.0f;
    m->window_bad = false;
}

// Moves the modelled wheels on: they follow the commands at the described rate.
static void body_run_ticks(kerb_body_estimate* estimate, float time) {
    kerb_body_estimate_memory* m = &estimate->memory;
    const kerb_vehicle* v = &estimate->vehicle;
    float most = BODY_TICK * v->steering_rate_max / v->steering_angle_max;
    m->tick_time += time;
    while (m->tick_time >= BODY_TICK) {
        float before = m->wheel;
        m->wheel += kerb_clamp(m->command - before, -most, most);
        m->tick = (m->tick + 1) % KERB_BODY_RING;
        m->ring[m->tick] = 0.5f * (before + m->wheel);
        m->tick_time -= BODY_TICK;
        m->ticks_known += m->ticks_known < KERB_BODY_RING;
    }
}

// Tangent of a share of the described lock: its series, to 3 % at 0.9 rad.
static float body_tangent(const kerb_vehicle* vehicle, float share) {
    float angle = kerb_clamp(share, -1.0f, 1.0f) * vehicle->steering_angle_max;
    float square = angle * angle;
    return angle * (1.0f + square * (1.0f / 3.0f + square * (2.0f / 15.0f)));
}

// Means of the modelled wheels over the window, for each delay.
static void body_angles(const kerb_body_estimate* estimate, kerb_in_body_window* window) {
    const kerb_body_estimate_memory* m = &estimate->memory;
    // The part of a tick since the last one: as if the wheels had stayed.
    float rest = m->tick_time * (1.0f / BODY_TICK), span = m->window_time * (1.0f / BODY_TICK);
    float longest = (float)(KERB_BODY_DELAYS - 1) * (BODY_DELAY_STEP / BODY_TICK);
    int32_t oldest = (int32_t)kerb_min(longest - rest + span, (float)KERB_BODY_RING - 1.0f);
    float sums[KERB_BODY_RING + 1]; // of the ticks before a time ago, in ticks
    sums[0] = 0.0f;
    for (int32_t i = 0; i <= oldest; i++)
        sums[i + 1] = sums[i] + m->ring[(m->tick - i + KERB_BODY_RING) % KERB_BODY_RING];
    for (int32_t d = 0; d < KERB_BODY_DELAYS; d++) {
        float ago[2], at[2];
        ago[0] = (float)d * (BODY_DELAY_STEP / BODY_TICK) - rest;
        ago[1] = ago[0] + span;
        for (int32_t k = 0; k < 2; k++) {
            float back = kerb_clamp(ago[k], 0.0f, (float)KERB_BODY_RING - 0.01f);
            int32_t i = (int32_t)back;
            at[k] = sums[i] + (back - (float)i) * (sums[i + 1] - sums[i]);
            at[k] += ago[k] < 0.0f ? ago[k] * m->wheel : 0.0f;
        }
        window->angle[d] = body_tangent(&estimate->vehicle, (at[1] - at[0]) / span);
    }
    float told = m->window_wheel / m->window_time;
    window->angle[KERB_BODY_DELAYS] = body_tangent(&estimate->vehicle, told);
}

static kerb_vec3 body_between(kerb_vec3 a, kerb_vec3 b) {
    return kerb_vec3_scale(kerb_vec3_add(a, b), 0.5f);
}

// Ends the window at the end of this frame.
static bool body_end_window(const kerb_body_estimate* estimate, const kerb_motion* motion,
                            float ground, kerb_in_body_window* window) {
    const kerb_body_estimate_memory* m = &estimate->memory;
    const kerb_vehicle* v = &estimate->vehicle;
    float time = m->window_time, per_time = 1.0f / time;
    kerb_vec3 left = kerb_quat_left(motion->rotation), up = kerb_quat_up(motion->rotation);
    float turned = kerb_atan2(kerb_vec3_dot(m->forward, m->window_left),
                              kerb_vec3_dot(m->forward, m->window_forward));
    // Force over mass: what changes the velocity, and what holds against gravity.
    kerb_vec3 change = kerb_vec3_add(motion->velocity, kerb_vec3_scale(m->window_velocity, -1.0f));
    kerb_vec3 force = kerb_vec3_scale(change, per_time);
    force.z += KERB_GRAVITY;
    float speed = m->window_distance * per_time;
    float press = kerb_vec3_dot(force, up);
    float load = (press + v->downforce * speed * speed) * (1.0f / KERB_GRAVITY);
    bool rolls = press > BODY_LOAD_LEAST * KERB_GRAVITY && load < BODY_LOAD_MOST &&
                 up.z > ESTIMATE_UPRIGHT_LEAST && time < BODY_WINDOW_MOST &&
                 speed > BODY_SPEED_LEAST;
    if (!rolls)
        return false;
    float light = 1.0f / load;
    window->across = light * kerb_vec3_dot(force, body_between(left, m->window_left));
    window->along = light * kerb_vec3_dot(force, body_between(m->forward, m->window_forward));
    window->yaws = light * (m->yaw_rate - m->window_yaw_rate) * per_time;
    window->curvature = turned / m->window_distance;
    window->slip = m->window_aside / m->window_distance;
    window->apart = m->window_apart / m->window_distance;
    window->grip = ground;
    body_angles(estimate, window);
    float most = BODY_FORCE_MOST * v->lateral_acceleration_max;
    return kerb_abs(window->slip) < BODY_SLIP_MOST && kerb_abs(window->across) < most &&
           kerb_abs(window->along) < most &&
           kerb_abs(window->yaws) * v->wheelbase < BODY_YAWS_MOST * v->lateral_acceleration_max;
}

// Both kinds of sums are of floats only.
static void body_fade_sums(void* sums, size_t bytes, float share) {
    float* each = sums;
    for (size_t i = 0; i < bytes / sizeof *each; i++)
        each[i] *= share;
}

static void body_fade(kerb_body_estimate* estimate, float share) {
    kerb_body_estimate_memory* m = &estimate->memory;
    body_fade_sums(&m->following, sizeof m->following, share);
    body_fade_sums(&m->steered, sizeof m->steered, share);
    estimate->taught *= share;
}

void kerb_body_estimate_update(kerb_body_estimate* estimate) {
    KERB_ASSERT(estimate);
    kerb_body_estimate_memory* m = &estimate->memory;
    if (m->windows_since_fit == 0)
        return;
    if (m->following.n > 0.0f)
        kerb_in_body_fit(estimate);
    kerb_in_body_fit_grip(estimate);
    // Of the time since the fit before; the windows are a tenth of a second or more.
    float x = (float)m->windows_since_fit * (BODY_WINDOW / BODY_FADE_TIME);
    body_fade(estimate, estimate_kept(x));
    m->windows_since_fit = 0;
}

static void body_teach(kerb_body_estimate* estimate, const kerb_motion* motion, float ground) {
    kerb_body_estimate_memory* m = &estimate->memory;
    kerb_in_body_window window;
    if (!body_end_window(estimate, motion, ground, &window))
        return;
    float limit = kerb_in_body_limit(estimate) * ground;
    bool taught = kerb_in_body_add_grip(estimate, &window);
    // Slip by force is that of the host's usual ground.
    float along = BODY_ALONG_COUNTS * window.along * window.along;
    float used = kerb_sqrt(window.across * window.across + along) / limit;
    if (used < BODY_USED_MOST && kerb_abs(ground - 1.0f) < BODY_GROUND_USUAL) {
        float square = used * used;
        kerb_in_body_add(estimate, &window, 1.0f / (1.0f + BODY_USED_BLURS * square * square));
        estimate->taught += m->window_time;
        taught = true;
    }
    m->windows_since_fit += taught;
    if (m->windows_since_fit >= BODY_WINDOWS_A_FIT)
        kerb_body_estimate_update(estimate);
}

// The yaw rate that the host tells, or that of the rotation where it tells none: means over two
// frames, carried on to the end of the second.
static float body_yaw_rate(kerb_body_estimate_memory* m, const kerb_motion* motion, kerb_vec3 left,
                           float time_step) {
    kerb_vec3 w = motion->angular_velocity;
    if (w.x != 0.0f || w.y != 0.0f || w.z != 0.0f)
        return kerb_vec3_dot(w, kerb_quat_up(motion->rotation));
    float turned = -kerb_vec3_dot(left, m->forward) / time_step; // small angles: a part of a turn
    float grows = (turned - m->turned) * time_step / (time_step + m->step);
    m->turned = turned;
    m->step = time_step;
    return turned + grows;
}

// Distance to the body's own left in a frame, from the places: between two velocities anything may
// have happened. In axes half way, less what the forward motion adds while the turn grows. Far from
// the origin places are too coarse for it.
static float body_aside(const kerb_body_estimate_memory* m, const kerb_motion* motion,
                        kerb_vec3 left, float grows, float time_step) {
    kerb_vec3 moved = kerb_vec3_add(motion->position, kerb_vec3_scale(m->place, -1.0f));
    return kerb_vec3_dot(moved, body_between(left, m->left)) +
           grows * time_step * time_step * (1.0f / 12.0f);
}

// Moves on what lies between two frames. `teaches`: this frame may.
static void body_move(kerb_body_estimate* estimate, const kerb_in_frame_input* input,
                      bool teaches) {
    kerb_body_estimate_memory* m = &estimate->memory;
    const kerb_motion* motion = &input->motion;
    float step = input->time_step;
    kerb_vec3 forward = kerb_quat_forward(motion->rotation);
    float speed = kerb_vec3_dot(motion->velocity, forward);
    kerb_vec3 left = kerb_quat_left(motion->rotation);
    float side = kerb_vec3_dot(motion->velocity, left);
    m->window_distance += 0.5f * step * (speed + m->speed);
    float yaw_rate = body_yaw_rate(m, motion, left, step);
    kerb_vec3 place = motion->position;
    float coarse = BODY_ROUNDING * kerb_max(kerb_abs(place.x), kerb_abs(place.y));
    float told = 0.5f * step * (side + m->side);
    float aside = coarse < BODY_UNEVEN * step * step
                      ? body_aside(m, motion, left, speed * (yaw_rate - m->yaw_rate), step)
                      : told;
    m->window_aside += aside;
    m->window_apart += aside - told;
    m->window_wheel += 0.5f * step * (motion->steering + m->told_wheel);
    m->told_wheel = motion->steering;
    m->window_time += step;
    m->yaw_rate = yaw_rate;
    m->left = left;
    m->place = motion->position;
    m->forward = forward;
    m->speed = speed;
    m->side = side;
    bool spins = kerb_abs(motion->wheel_slip) > BODY_SPIN_MOST;
    m->window_bad = m->window_bad || !teaches || spins || speed < BODY_SPEED_LEAST;
}

void kerb_in_body_estimate_feed(kerb_body_estimate* estimate, const kerb_in_frame_input* input,
                                const kerb_controls* controls,
                                const kerb_surroundings* surroundings) {
    kerb_body_estimate_memory* m = &estimate->memory;
    const kerb_controls* applied = kerb_in_estimate_applied(controls, surroundings);
    estimate->bad_frames += input->counts && estimate->bad_frames < INT32_MAX;
    if (input->fault == KERB_REASON_BAD_STEP)
        return;
    bool usable = kerb_is_finite(applied->steering);
    m->command = usable ? kerb_clamp(applied->steering, -1.0f, 1.0f) : m->command;
    body_run_ticks(estimate, input->time_step);
    if (input->fault != KERB_REASON_NONE) { // it went on with these controls, and nobody saw where
        m->window_bad = true;
        return;
    }
    if (input->counts) // nobody knows how long it took
        m->ticks_known = 0;
    float ground = surroundings ? surroundings->grip : 1.0f;
    bool teaches = usable && kerb_in_estimate_may_learn(surroundings) && !input->counts &&
                   !applied->handbrake && ground > BODY_GROUND_LEAST && ground < BODY_GROUND_MOST;
    body_move(estimate, input, teaches);
    if (input->elsewhere) {
        body_begin_window(m, &input->motion);
        m->window_bad = true; // its rate of turn is that of the jump, where the host tells none
        return;
    }
    if (m->window_time < BODY_WINDOW)
        return;
    if (!m->window_bad && m->ticks_known >= KERB_BODY_RING)
        body_teach(estimate, &input->motion, ground);
    body_begin_window(m, &input->motion);
}

void kerb_body_estimate_feed(kerb_body_estimate* estimate, const kerb_motion* motion,
                             const kerb_controls* controls, const kerb_surroundings* surroundings,
                             float time_step) {
    KERB_ASSERT(estimate && motion && controls);
    kerb_in_frame_input input;
    kerb_in_frame_judge(&input, &estimate->memory.last, &estimate->vehicle, motion, time_step);
    kerb_in_body_estimate_feed(estimate, &input, controls, surroundings);
}
