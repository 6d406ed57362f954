// Purpose: from the host's frames to windows of the change of speed and of both pedals.
// Idea:    frames of any length become ticks of one length for the pedals, and windows of whole
//          ticks for the motion. A window ends at the last tick before the end of a frame; the
//          speed there is interpolated. Gravity is taken out by the slope that the vehicle drove,
//          not by its pitch alone: a body squats on its springs when it accelerates.
// Cost:    O(1) a frame and a tick, and what pedals_judge.c takes for windows.
#include "frame.h"
#include "pedals.h"
#include "shared.h"

#include "../base/shared.h"
#include "../vehicle/shared.h"

#define FOOT_FIXED 1048576.0f // parts of 1 in the integrals
#define FOOT_WINDOW_TICKS_MOST 6
#define FOOT_SPEED_LEAST 0.4f   // slower, standstill and its brakes are near; of a car [m/s]
#define FOOT_BRAKING_LEAST 1.0f // end of a window with brake: many hosts fade it below [m/s]
#define FOOT_CREEP_MOST 4.0f    // no vehicle creeps faster; of a car [m/s]
#define FOOT_SETTLED 0.5f       // time after which a pedal has no more effect to come [s]
#define FOOT_PRESSED 0.02f      // less is no pedal [1]
#define FOOT_HOLDS 0.2f         // brake that holds against any creep [1]
#define FOOT_SLOPE_BLUR 0.05f   // distance that tells no slope: the pitch does [m]
#define FOOT_GAINED_MOST 40.0f  // more is a crash [m/s²]
#define FOOT_TOP 0.97f          // of speed_max: beyond it governors take the drive away
#define FOOT_FIT_FIRST 5        // windows to the first fit

// The mean of a tick over its change: none for the first.
static const float foot_middle[KERB_PEDAL_LAGS] = {1.0f, 0.5f, 0.5f, 0.5f};

static void foot_begin_window(kerb_pedal_estimate_memory* m, float speed) {
    m->window_ticks = 0;
    m->window_speed = speed;
    m->window_climb = m->climb;
    m->window_time = 0.0f;
    m->window_distance = 0.0f;
    m->window_rise = 0.0f;
    m->window_nose = 0.0f;
    m->window_turn = 0.0f;
    m->window_spins = 0.0f;
    m->window_locks = 0.0f;
    m->window_bad = m->window_idle = m->window_neutral = false;
}

// Moves the lags of one function of a pedal on by one tick. The first lag is none.
static void foot_lag(float input, float* restrict lagged, const uint32_t* restrict before,
                     uint32_t* restrict now) {
    for (int32_t l = 0; l < KERB_PEDAL_LAGS; l++) {
        float change = kerb_in_pedals_lag_share[l] * (input - lagged[l]);
        float middle = lagged[l] + foot_middle[l] * change;
        lagged[l] += change;
        now[l] = before[l] + (uint32_t)(int32_t)(middle * FOOT_FIXED);
    }
}

static void foot_tick(kerb_pedal_estimate_memory* m) {
    int32_t next = (m->tick + 1) % KERB_PEDAL_RING;
    for (int32_t p = 0; p < 2; p++) {
        float press = kerb_clamp(m->pedals[p].tick_command * (1.0f / PEDALS_TICK), 0.0f, 1.0f);
        const float inputs[2] = {press, kerb_in_pedals_bend(press)};
        for (int32_t k = 0; k < 2; k++) {
            int32_t c = (2 * p + k) * KERB_PEDAL_LAGS;
            foot_lag(inputs[k], &m->lagged[c], &m->ring[m->tick][c], &m->ring[next][c]);
        }
        m->pedals[p].tick_command = 0.0f;
    }
    m->tick = next;
    m->ticks_known += m->ticks_known < KERB_PEDAL_RING;
}

static void foot_run_ticks(kerb_pedal_estimate_memory* m, float time) {
    for (int32_t p = 0; p < 2; p++)
        m->pedals[p].steady = kerb_min(m->pedals[p].steady + time, 10.0f);
    while (m->tick_time + time >= PEDALS_TICK) {
        float part = PEDALS_TICK - m->tick_time;
        for (int32_t p = 0; p < 2; p++)
            m->pedals[p].tick_command += part * m->pedals[p].command;
        foot_tick(m);
        m->window_ticks++;
        time -= part;
        m->tick_time = 0.0f;
    }
    m->tick_time += time;
    for (int32_t p = 0; p < 2; p++)
        m->pedals[p].tick_command += time * m->pedals[p].command;
}

static void foot_press(kerb_pedal_follows* pedal, float press) {
    press = kerb_clamp(press, 0.0f, 1.0f);
    if (kerb_abs(press - pedal->command) > 1.0e-3f)
        pedal->steady = 0.0f;
    pedal->command = press;
}

// Judges a window by what it can teach.
static void foot_hand_on(kerb_pedal_estimate* estimate, const kerb_in_pedals_window* w) {
    kerb_pedal_estimate_memory* m = &estimate->memory;
    const kerb_vehicle* v = &estimate->vehicle;
    const kerb_pedal_follows *throttle = &m->pedals[0], *brake = &m->pedals[1];
    float scale = kerb_in_pedals_scale(v);
    bool off = throttle->command < FOOT_PRESSED && throttle->steady > FOOT_SETTLED;
    bool released = brake->command < FOOT_PRESSED && brake->steady > FOOT_SETTLED;
    bool slow = w->speed < FOOT_CREEP_MOST * scale && w->speed > -0.05f * scale;
    if (slow && off && released && !m->window_idle)
        kerb_in_pedals_judge_creep(estimate, w);
    else if (slow && off && brake->command > FOOT_HOLDS && brake->steady > FOOT_SETTLED &&
             !m->window_idle)
        kerb_in_pedals_judge_hold(estimate, w);
    float least = kerb_min(m->window_speed, w->end);
    bool stops = brake->command > 0.0f || brake->steady < FOOT_SETTLED;
    least -= (stops ? FOOT_BRAKING_LEAST : FOOT_SPEED_LEAST) * kerb_min(scale, 1.0f);
    bool driven = throttle->command > 0.0f || throttle->steady < FOOT_SETTLED;
    bool idle = m->window_idle && driven; // nobody knows whether the throttle acts
    if (least <= 0.0f || idle || (driven && w->end > FOOT_TOP * v->speed_max))
        return;
    kerb_in_pedals_judge(estimate, w);
    estimate->taught += w->time;
    m->windows_since_fit++;
}

// Ends the window at the last tick. `rest` is the part of the last frame after it. [1]
static void foot_end_window(kerb_pedal_estimate* estimate, const kerb_motion* motion, float before,
                            float rest) {
    kerb_pedal_estimate_memory* m = &estimate->memory;
    float end = m->speed + rest * (before - m->speed);
    float time = (float)m->window_ticks * PEDALS_TICK;
    // The slope of the way that was driven; of the pitch where that is too short to tell.
    float frames = kerb_max(m->window_time, KERB_TIME_STEP_MIN);
    float slope = (m->window_rise + FOOT_SLOPE_BLUR * m->window_nose / frames) /
                  (kerb_abs(m->window_distance) + FOOT_SLOPE_BLUR);
    kerb_in_pedals_window w = {
        .ticks = m->window_ticks,
        .time = time,
        .speed = 0.5f * (end + m->window_speed),
        .end = end,
        .gained = (end - m->window_speed) / time + KERB_GRAVITY * kerb_clamp(slope, -0.7f, 0.7f),
        .across = m->window_turn / frames * kerb_abs(m->speed),
    };
    bool known = m->ticks_known >= KERB_PEDAL_DELAYS + m->window_ticks;
    if (!m->window_bad && known && m->window_ticks <= FOOT_WINDOW_TICKS_MOST &&
        estimate_rolls(motion, m->speed, m->window_climb, m->window_time, false) &&
        kerb_abs(w.gained) < FOOT_GAINED_MOST)
        foot_hand_on(estimate, &w);
    foot_begin_window(m, end);
    int32_t wait = FOOT_FIT_FIRST + m->fits;
    if (m->windows_since_fit >= (wait < PEDALS_FIT_MOST ? wait : PEDALS_FIT_MOST))
        kerb_pedal_estimate_update(estimate);
}

// What acted: a pedal that cannot be used keeps the one before.
static bool foot_take_controls(kerb_pedal_estimate_memory* m, const kerb_controls* applied) {
    bool usable = kerb_is_finite(applied->throttle) && kerb_is_finite(applied->brake) &&
                  kerb_is_finite(applied->clutch);
    if (!usable)
        return false;
    float held = 1.0f - kerb_clamp(applied->clutch, 0.0f, 1.0f);
    foot_press(&m->pedals[PEDALS_THROTTLE], applied->gear > 0 ? applied->throttle * held : 0.0f);
    foot_press(&m->pedals[PEDALS_STOPPING], applied->brake);
    return applied->gear >= 0 && !applied->handbrake;
}

static void foot_add_frame(kerb_pedal_estimate_memory* m, const kerb_motion* motion, float before,
                           float nose_before, float climb_before, float time) {
    m->window_time += time;
    m->window_distance += 0.5f * (before + m->speed) * time;
    m->window_rise += 0.5f * (climb_before + m->climb) * time;
    m->window_nose += 0.5f * (nose_before + m->nose) * time;
    m->window_turn += kerb_abs(motion->angular_velocity.z) * time;
    m->window_neutral = m->window_neutral || motion->gear == 0;
    if (kerb_is_finite(motion->wheel_slip)) {
        m->window_spins = kerb_max(m->window_spins, motion->wheel_slip);
        m->window_locks = kerb_min(m->window_locks, motion->wheel_slip);
    }
}

void kerb_in_pedal_estimate_feed(kerb_pedal_estimate* estimate, const kerb_in_frame_input* input,
                                 const kerb_controls* controls,
                                 const kerb_surroundings* surroundings) {
    kerb_pedal_estimate_memory* m = &estimate->memory;
    const kerb_controls* applied = kerb_in_estimate_applied(controls, surroundings);
    estimate->bad_frames += input->counts && estimate->bad_frames < INT32_MAX;
    if (input->fault == KERB_REASON_BAD_STEP)
        return;
    bool usable = foot_take_controls(m, applied);
    foot_run_ticks(m, input->time_step);
    if (input->fault != KERB_REASON_NONE) { // it went on with these controls, and nobody saw where
        m->window_bad = true;
        return;
    }
    if (input->counts) // nobody knows how long it took
        m->ticks_known = 0;
    kerb_vec3 ahead = kerb_quat_forward(input->motion.rotation);
    float before = m->speed, nose = m->nose, climb = m->climb;
    m->speed = kerb_vec3_dot(input->motion.velocity, ahead);
    m->nose = ahead.z;
    m->climb = input->motion.velocity.z;
    if (input->elsewhere) {
        foot_begin_window(m, m->speed);
        m->window_bad = true; // the part of a tick before its start is unknown
        return;
    }
    foot_add_frame(m, &input->motion, before, nose, climb, input->time_step);
    m->window_idle = m->window_idle || applied->gear <= 0;
    m->window_bad =
        m->window_bad || !usable || input->counts || !kerb_in_estimate_may_learn(surroundings);
    if (m->window_ticks >= PEDALS_WINDOW_TICKS)
        foot_end_window(estimate, &input->motion, before, m->tick_time / input->time_step);
}

void kerb_pedal_estimate_feed(kerb_pedal_estimate* estimate, const kerb_motion* motion,
                              const kerb_controls* controls, const kerb_surroundings* surroundings,
                              float time_step) {
    KERB_ASSERT(estimate && motion && controls);
    kerb_in_frame_input input;
    kerb_in_frame_judge(&input, &estimate->memory.last, &estimate->vehicle, motion, time_step);
    kerb_in_pedal_estimate_feed(estimate, &input, controls, surroundings);
}
