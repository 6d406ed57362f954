// Purpose: frames of driving become windows of a tenth of a second, and sections of a line.
// Idea:    The change of the velocity over a window, seen in the mean direction of the body, is the
//          acceleration by tyres and air once gravity is added; its part along the body's up axis
//          is the load. So nothing about the road has to be known. Windows make rates of 15 to 240
//          Hz alike, and average what shakes.
// Cost:    O(1).
#include "lap_learner_parts.h"

#include "../shared.h"

#include "../../base/shared.h"
#include "../../vehicle/shared.h"

#include <string.h>

// [s]
#define LAP_WINDOW 0.1f
// Slower teaches nothing. [m/s]
#define LAP_SLOWEST 3.0f
// A greater acceleration than this many times the described grip was a push. [1]
#define LAP_PUSHED 3.0f
// Full throttle counts after this time: engines answer late. [s]
#define LAP_FULL_AFTER 0.3f
#define LAP_FULL 0.97f
// After a shift the engine counts after its time and this. [s]
#define LAP_AFTER_SHIFT 0.25f
// Share of the last lap in the time of a section. [1]
#define LAP_LAST 0.6f

// --------------------------------------------------------------------------- windows

static float wheels_now(kerb_lap_learner* learner, const kerb_motion* motion,
                        const kerb_controls* controls, float time_step) {
    const kerb_vehicle* v = &learner->vehicle;
    float* wheels = &learner->memory.wheels;
    float speed = kerb_vec3_dot(motion->velocity, kerb_quat_forward(motion->rotation));
    float gap = controls->steering * kerb_vehicle_steering_lock(v, speed) - *wheels;
    float most = v->steering_rate_max * time_step;
    *wheels += kerb_clamp(gap * time_step / (v->steering_delay + time_step), -most, most);
    return motion->steering != 0.0f ? motion->steering * v->steering_angle_max : *wheels;
}

static void begin_window(kerb_lap_learner* learner, const kerb_motion* motion, float brake,
                         float wheels) {
    kerb_lap_window* w = &learner->memory.window;
    memset(w, 0, sizeof *w);
    learner->memory.begun = true;
    w->forward = kerb_quat_forward(motion->rotation);
    w->left = kerb_quat_left(motion->rotation);
    w->up = kerb_quat_up(motion->rotation);
    w->velocity = motion->velocity;
    w->yaw_rate = kerb_vec3_dot(motion->angular_velocity, w->up);
    w->throttle_min = 1.0f;
    w->brake_start = brake;
    w->wheels = wheels;
}

static kerb_vec3 lap_mean_direction(kerb_vec3 a, kerb_vec3 b) {
    return kerb_vec3_scale(kerb_vec3_add(a, b), 0.5f);
}

// False: nothing of the window can be believed.
static bool lap_tick_of(const kerb_lap_learner* learner, const kerb_motion* motion, float wheels,
                        lap_tick* tick) {
    const kerb_lap_window* w = &learner->memory.window;
    const kerb_performance* p = &learner->described;
    float per = 1.0f / w->time;
    kerb_vec3 up = lap_mean_direction(w->up, kerb_quat_up(motion->rotation));
    kerb_vec3 forward = lap_mean_direction(w->forward, kerb_quat_forward(motion->rotation));
    kerb_vec3 left = lap_mean_direction(w->left, kerb_quat_left(motion->rotation));
    kerb_vec3 change = kerb_vec3_scale(kerb_vec3_sub(motion->velocity, w->velocity), per);
    *tick = (lap_tick){.time = w->time, .unclear = w->unclear};
    tick->speed = w->speed * per;
    tick->along = kerb_vec3_dot(change, forward) + KERB_GRAVITY * forward.z;
    tick->aside = kerb_vec3_dot(change, left) + KERB_GRAVITY * left.z;
    float weight = (kerb_vec3_dot(change, up) + KERB_GRAVITY * up.z) / KERB_GRAVITY;
    tick->weight = kerb_clamp(weight, 0.2f, 3.0f);
    tick->yaw =
        (kerb_vec3_dot(motion->angular_velocity, kerb_quat_up(motion->rotation)) - w->yaw_rate) *
        per;
    tick->grip = kerb_max(w->grip * per, 0.02f);
    for (int32_t i = 0; i < 2; i++)
        tick->slip[i] = w->slip[i] * per;
    tick->turned = wheels - w->wheels;
    tick->throttle = w->throttle * per;
    tick->brake = w->brake * per;
    tick->brake_change = w->brake_change;
    tick->full = learner->memory.full > LAP_FULL_AFTER + w->time && w->throttle_min >= LAP_FULL;
    float most =
        LAP_PUSHED * kerb_max(p->lateral, p->braking) * lap_load(tick, p->downforce) * tick->grip +
        2.0f;
    return tick->along * tick->along + tick->aside * tick->aside < most * most;
}

static void add_frame(kerb_lap_learner* learner, const kerb_motion* motion,
                      const kerb_controls* controls, float grip, float wheels, float dt) {
    const kerb_vehicle* v = &learner->vehicle;
    kerb_lap_window* w = &learner->memory.window;
    kerb_vec3 up = kerb_quat_up(motion->rotation);
    float yaw_rate = kerb_vec3_dot(motion->angular_velocity, up);
    float speed = kerb_vec3_dot(motion->velocity, kerb_quat_forward(motion->rotation));
    float side = kerb_vec3_dot(motion->velocity, kerb_quat_left(motion->rotation));
    float fast = kerb_max(speed, LAP_SLOWEST), rear = v->reference_to_rear_axle;
    w->time += dt;
    w->slip[0] += dt * (wheels - kerb_atan2(side + (v->wheelbase - rear) * yaw_rate, fast));
    w->slip[1] -= dt * kerb_atan2(side - rear * yaw_rate, fast);
    w->speed += dt * speed;
    w->grip += dt * grip;
    w->throttle += dt * controls->throttle;
    w->brake += dt * controls->brake;
    w->throttle_min = kerb_min(w->throttle_min, controls->throttle);
    w->brake_change = kerb_max(w->brake_change, kerb_abs(controls->brake - w->brake_start));
    w->unclear = w->unclear || controls->handbrake > 0.0f || controls->clutch > 0.05f ||
                 motion->gear < 0 ||
                 learner->memory.since_shift < v->drive_train.shift_time + LAP_AFTER_SHIFT;
}

static void watch_gear(kerb_lap_learner_memory* m, const kerb_motion* motion,
                       const kerb_controls* controls, float dt) {
    bool shifts = motion->gear != m->gear || controls->clutch > 0.05f;
    m->since_shift = shifts ? 0.0f : kerb_min(m->since_shift + dt, 10.0f);
    m->gear = motion->gear;
    m->full = controls->throttle >= LAP_FULL ? kerb_min(m->full + dt, 10.0f) : 0.0f;
}

// --------------------------------------------------------------------------- sections

static void lap_sections(kerb_lap_learner* learner, const kerb_racing_line* line, double distance,
                         bool clear, float dt) {
    kerb_lap_learner_memory* m = &learner->memory;
    if (m->length != line->length || m->points != line->count) {
        memset(m->times, 0, sizeof m->times);
        m->length = line->length;
        m->points = line->count;
        m->section = -1;
        m->whole = false;
    }
    int32_t here = kerb_in_lap_section_at(line, distance);
    if (here != m->section) {
        int32_t next = m->section + 1 < kerb_in_lap_sections_of(line) ? m->section + 1 : 0;
        bool follows = m->section >= 0 && here == next;
        if (follows && m->whole) {
            float* time = &m->times[m->section];
            float last = m->section_time + 0.5f * dt;
            *time = *time > 0.0f ? *time + LAP_LAST * (last - *time) : last;
        }
        m->section = here;
        m->whole = follows && clear;
        m->section_time = -0.5f * dt; // it changed within the frame
    }
    m->section_time += dt;
    m->whole = m->whole && clear;
}

// Beside the track the ground is another one.
static bool lap_is_off(const kerb_racing_line* line, double distance, const kerb_motion* motion) {
    kerb_line_point p = kerb_racing_line_at(line, distance);
    float sine, cosine;
    kerb_sin_cos(p.heading, &sine, &cosine);
    float aside = cosine * (float)((double)motion->position.y - p.y) -
                  sine * (float)((double)motion->position.x - p.x);
    return aside > p.left || -aside > p.right;
}

// --------------------------------------------------------------------------- the frame

static void lap_close_window(kerb_lap_learner* learner, const kerb_motion* motion, float wheels) {
    lap_tick tick;
    if (lap_tick_of(learner, motion, wheels, &tick)) {
        kerb_in_lap_tyres(learner, &tick);
        kerb_in_lap_pedals(learner, &tick);
        kerb_in_lap_show(learner);
    }
}

void kerb_lap_learner_feed(kerb_lap_learner* learner, const kerb_racing_line* line, double distance,
                           const kerb_motion* motion, const kerb_controls* controls,
                           const kerb_surroundings* surroundings, float time_step) {
    KERB_ASSERT(learner && motion && controls);
    kerb_lap_learner_memory* m = &learner->memory;
    kerb_in_frame_input input = kerb_in_frame_take_vehicle_beyond(
        &m->last, &learner->vehicle, motion, learner->described.speed_max, KERB_IN_JUMP_LENGTHS,
        time_step);
    learner->bad_frames += input.counts ? 1 : 0;
    if (surroundings != NULL && surroundings->applied != NULL)
        controls = surroundings->applied;
    float dt = input.time_step;
    bool clear = input.fault == KERB_REASON_NONE && !input.elsewhere &&
                 (surroundings == NULL || (surroundings->wheels_on_ground >= 1.0f &&
                                           !surroundings->do_not_learn && !surroundings->held));
    if (input.fault != KERB_REASON_NONE) {
        m->begun = false;
        return;
    }
    motion = &input.motion;
    float wheels = wheels_now(learner, motion, controls, dt);
    watch_gear(m, motion, controls, dt);
    bool placed = line != NULL && line->count > 1;
    if (placed)
        lap_sections(learner, line, distance, clear, dt);
    float speed = kerb_vec3_dot(motion->velocity, kerb_quat_forward(motion->rotation));
    if (!clear || !m->begun || speed < LAP_SLOWEST ||
        learner->vehicle.kind != KERB_VEHICLE_WHEELED) {
        begin_window(learner, motion, controls->brake, wheels);
        return;
    }
    float grip = surroundings != NULL ? surroundings->grip : 1.0f;
    if (placed)
        grip *= kerb_in_racing_line_surface_at(line, distance).grip;
    add_frame(learner, motion, controls, grip, wheels, dt);
    if (m->window.time < LAP_WINDOW)
        return;
    if (!placed || !lap_is_off(line, distance, motion))
        lap_close_window(learner, motion, wheels);
    begin_window(learner, motion, controls->brake, wheels);
}
