// Purpose: from the host's frames to windows that teach.
// Idea:    frames of any length become ticks of one length for the commands, and windows of whole
//          ticks for the motion. A window ends at the last tick before the end of a frame, so only
//          a part of a tick is interpolated, whatever the frame's length.
// Cost:    O(1) a frame, and what grid.c takes for ticks and windows.
#include "fit.h"
#include "frame.h"
#include "grid.h"
#include "shared.h"

#include "../base/shared.h"
#include "../vehicle/shared.h"

#define FEED_WINDOW_TICKS 4 // shortest window: a tenth of a second, in which steering moves little
#define FEED_WINDOW_TICKS_MOST 11 // longest: a frame of KERB_TIME_STEP_MAX
#define FEED_SPEED_LEAST 0.5f     // slower than a walk, tyres and stairs of the host decide [m/s]
#define FEED_GRIP_SHARE 0.6f      // of the acceleration that tyres hold: below, they slip little
#define FEED_FADE_TIME 30.0f      // time in which windows come to count 1/e [s]
#define FEED_WINDOWS_A_FIT 20     // a fit in two seconds of driving that teaches
#define FEED_CURVATURE_MOST 6.0f  // over the described one at full lock: an error of the host

// The curvature, or the yaw rate of a vehicle with tracks, that the description gives per command.
static float feed_described_turn(const kerb_vehicle* vehicle, float speed) {
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return vehicle->yaw_rate_max;
    return kerb_in_estimate_curvature(vehicle, speed);
}

static void feed_begin_window(kerb_estimate_memory* m) {
    m->window_forward = m->forward;
    m->window_ticks = 0;
    m->window_distance = 0.0f;
    m->window_speed = m->speed;
    m->window_climb = m->climb;
    m->window_bad = false;
}

// Nothing of the present window can be used.
static void feed_drop_window(kerb_estimate_memory* m) {
    feed_begin_window(m);
    m->rest_turn = 0.0f;
    m->rest_distance = 0.0f;
    m->window_bad = true; // the part of a tick before its start is unknown
}

static void feed_run_ticks(kerb_estimate* estimate, float time) {
    kerb_estimate_memory* m = &estimate->memory;
    const kerb_vehicle* v = &estimate->vehicle;
    // tan(lock·x) over its value for small x is 1 + (lock·x)²/3.
    float lock = v->kind == KERB_VEHICLE_WHEELED ? v->steering_angle_max : 0.0f;
    float bend = lock * lock / 3.0f;
    while (m->tick_time + time >= ESTIMATE_TICK) {
        float part = ESTIMATE_TICK - m->tick_time;
        m->tick_command += part * m->command;
        kerb_in_estimate_tick(m, bend, m->tick_command * (1.0f / ESTIMATE_TICK));
        m->window_ticks++;
        time -= part;
        m->tick_time = 0.0f;
        m->tick_command = 0.0f;
    }
    m->tick_time += time;
    m->tick_command += time * m->command;
}

static float feed_turned(kerb_vec2 from, kerb_vec2 to) {
    return kerb_atan2(kerb_vec2_cross(from, to), kerb_vec2_dot(from, to));
}

// Ends the window at the last tick. `rest` is the part of the last frame after it. [1]
static void feed_end_window(kerb_estimate* estimate, const kerb_motion* motion, kerb_vec2 before,
                            float frame_distance, float rest) {
    kerb_estimate_memory* m = &estimate->memory;
    const kerb_vehicle* v = &estimate->vehicle;
    float rest_turn = rest * feed_turned(before, m->forward), rest_distance = rest * frame_distance;
    float turn = feed_turned(m->window_forward, m->forward) + m->rest_turn - rest_turn;
    float distance = m->window_distance + m->rest_distance - rest_distance;
    float time = (float)m->window_ticks * ESTIMATE_TICK, speed = distance / time;
    float across = kerb_abs(turn) / time * speed, along = (m->speed - m->window_speed) / time;
    float most = FEED_GRIP_SHARE * v->lateral_acceleration_max;
    bool grips = across * across + along * along < most * most;
    float driven = v->kind == KERB_VEHICLE_WHEELED ? distance : time;
    float y = turn / (driven * feed_described_turn(v, speed));
    bool known = m->ticks_known >= KERB_ESTIMATE_DELAYS + m->window_ticks;
    if (!m->window_bad && known && speed > FEED_SPEED_LEAST && grips &&
        estimate_rolls(motion, m->speed, m->window_climb, time, v->kind == KERB_VEHICLE_HOVER) &&
        m->window_ticks <= FEED_WINDOW_TICKS_MOST && kerb_abs(y) < FEED_CURVATURE_MOST) {
        kerb_in_estimate_add(m, m->window_ticks, y);
        m->speeds += y * y * speed * speed;
        m->windows_since_fit++;
        estimate->taught += time;
    }
    feed_begin_window(m);
    m->rest_turn = rest_turn;
    m->rest_distance = rest_distance;
    if (m->windows_since_fit >= FEED_WINDOWS_A_FIT)
        kerb_estimate_update(estimate);
}

void kerb_estimate_update(kerb_estimate* estimate) {
    KERB_ASSERT(estimate);
    kerb_estimate_memory* m = &estimate->memory;
    if (m->windows_since_fit == 0)
        return;
    kerb_in_estimate_fit(estimate);
    // Of the time since the fit before; the windows are a tenth of a second or more.
    float x =
        (float)m->windows_since_fit * ((float)FEED_WINDOW_TICKS * ESTIMATE_TICK / FEED_FADE_TIME);
    float share = estimate_kept(x);
    kerb_in_estimate_fade(m, share);
    estimate->taught *= share;
    m->windows_since_fit = 0;
}

const kerb_controls* kerb_in_estimate_applied(const kerb_controls* controls,
                                              const kerb_surroundings* surroundings) {
    return surroundings && surroundings->applied ? surroundings->applied : controls;
}

bool kerb_in_estimate_may_learn(const kerb_surroundings* surroundings) {
    return !surroundings || (surroundings->wheels_on_ground >= 1.0f &&
                             !surroundings->do_not_learn && !surroundings->held);
}

void kerb_in_estimate_feed(kerb_estimate* estimate, const kerb_in_frame_input* input,
                           const kerb_controls* controls, const kerb_surroundings* surroundings) {
    kerb_estimate_memory* m = &estimate->memory;
    const kerb_controls* applied = kerb_in_estimate_applied(controls, surroundings);
    estimate->bad_frames += input->counts && estimate->bad_frames < INT32_MAX;
    if (input->fault == KERB_REASON_BAD_STEP)
        return;
    bool usable = kerb_is_finite(applied->steering);
    m->command = usable ? kerb_clamp(applied->steering, -1.0f, 1.0f) : m->command;
    feed_run_ticks(estimate, input->time_step);
    if (input->fault != KERB_REASON_NONE) { // it went on with these controls, and nobody saw where
        m->window_bad = true;
        return;
    }
    if (input->counts) // nobody knows how long it took
        m->ticks_known = 0;
    kerb_vec3 ahead = kerb_quat_forward(input->motion.rotation);
    kerb_vec2 before = m->forward;
    float speed = kerb_vec3_dot(input->motion.velocity, ahead);
    float distance = 0.5f * (speed + m->speed) * input->time_step;
    m->forward = (kerb_vec2){ahead.x, ahead.y};
    m->speed = speed;
    m->climb = input->motion.velocity.z;
    if (input->elsewhere) {
        feed_drop_window(m);
        return;
    }
    bool teaches = usable && kerb_in_estimate_may_learn(surroundings) && !input->counts &&
                   !applied->handbrake && speed > FEED_SPEED_LEAST;
    m->window_distance += distance;
    m->window_bad = m->window_bad || !teaches;
    if (m->window_ticks >= FEED_WINDOW_TICKS)
        feed_end_window(estimate, &input->motion, before, distance,
                        m->tick_time / input->time_step);
}

void kerb_estimate_feed(kerb_estimate* estimate, const kerb_motion* motion,
                        const kerb_controls* controls, const kerb_surroundings* surroundings,
                        float time_step) {
    KERB_ASSERT(estimate && motion && controls);
    kerb_in_frame_input input;
    kerb_in_frame_judge(&input, &estimate->memory.last, &estimate->vehicle, motion, time_step);
    kerb_in_estimate_feed(estimate, &input, controls, surroundings);
}
