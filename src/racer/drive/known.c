// Purpose: the steering command for an angle of the front wheels, in a host whose wheels stand
//          aside or answer otherwise than told.
// Idea:    What the car turned, against what its wheels were asked for when that acts: the room
//          `track` keeps the difference that lasts, and the command takes it away. The racer leads
//          its front axle along the line by its slip angle, so an angle that is off by less than a
//          degree would else take half of the grip. How sharply the car turns per wheel angle also
//          depends on how much more its front slips than its rear, which steering.c learns: that
//          gain is used for rigid tyres alone, where the wheels decide.
//          A host that tells how its wheels stand shows it directly: what it tells is regressed on
//          the command and its first two derivatives. A delay d and a lag of first order T give
//          the coefficients -(d + T) and ((d + T)² + T²) / 2, which tells them apart. The command
//          is taken as far as wheels of the known rate have reached it; the time for which they
//          have turned at that rate is regressed on, too, and its coefficient corrects the rate.
// Cost:    O(1); nothing without settings.learning.
// Source:  src/track/steering.c.
#include "racer.h"

#include "../../estimate/shared.h"
#include "../../track/shared.h"
#include "../../vehicle/shared.h"

#include <string.h>

// Share of the grip up to which bends teach: tyres slip in proportion to their force. [1]
#define KNOWN_USE 0.65f
// Harder braking moves load and teaches nothing. [1]
#define KNOWN_BRAKE 0.2f

// Wheels that are told: they and the commands are smoothed twice over this time. [s]
#define TOLD_TIME 0.1f
// What is told is forgotten over this time, because a lock may fall with speed. [s]
#define TOLD_FADE 15.0f
// Error of what a second tells [share]; doubts at first about gain [1] and trim [share], and about
// how late the wheels are where nobody says [s].
#define TOLD_NOISE 0.003f
#define TOLD_GAIN_DOUBT 0.5f
#define TOLD_TRIM_DOUBT 0.1f
#define TOLD_LATE_DOUBT 0.05f
// Bounds. [1], [s]
#define TOLD_GAIN_LEAST 0.2f
#define TOLD_GAIN_MOST 3.0f
#define TOLD_DEAD_MOST 0.3f
#define TOLD_RATE_LEAST 0.1f // of the rate that is told [1]

bool kerb_in_racer_knows(const kerb_racer* racer) {
    return racer->settings.learning == 2 && racer->settings.steering == KERB_RACER_LINE;
}

static kerb_in_track_frame known_frame(const kerb_racer* racer, const racer_frame* frame,
                                       const kerb_motion* motion) {
    return (kerb_in_track_frame){.vehicle = &racer->vehicle,
                                 .motion = motion,
                                 .travel = 1.0f,
                                 .heading = frame->forward,
                                 .speed = frame->speed,
                                 .ahead = 0.0f,
                                 .grip = KNOWN_USE * frame->grip,
                                 .time_step = frame->time_step};
}

enum { TOLD_UNKNOWNS = 5 };

// The rate that is told, in shares of the greatest angle. [1/s]
static float told_rate(const kerb_racer* racer) {
    return racer->vehicle.steering_rate_max / racer->vehicle.steering_angle_max;
}

float kerb_in_racer_wheel_rate(const kerb_racer* racer) {
    float rate = racer->memory.wheels_told.rate, told = racer->vehicle.steering_rate_max;
    return rate > 0.0f ? kerb_min(rate * racer->vehicle.steering_angle_max, told) : told;
}

// Least squares, with what is known at first: what is told is a lag.
static void fit_told(kerb_racer* racer) {
    const float told = racer->vehicle.steering_delay, rate = told_rate(racer);
    const float late = kerb_max(told, TOLD_LATE_DOUBT);
    const float mean[TOLD_UNKNOWNS] = {1.0f, -told, told * told, 0.0f, rate};
    const float doubt[TOLD_UNKNOWNS] = {TOLD_GAIN_DOUBT, late, late * late, TOLD_TRIM_DOUBT, rate};
    float a[TOLD_UNKNOWNS][TOLD_UNKNOWNS + 1];
    for (int32_t i = 0; i < TOLD_UNKNOWNS; i++) {
        for (int32_t k = 0; k < TOLD_UNKNOWNS; k++)
            a[i][k] = racer->memory.wheels_told.matrix[i][k];
        float known = TOLD_NOISE * TOLD_NOISE / (doubt[i] * doubt[i]);
        a[i][i] += known;
        a[i][TOLD_UNKNOWNS] = racer->memory.wheels_told.right[i] + known * mean[i];
    }
    // Gauss and Jordan; symmetric and positive, so without pivots.
    for (int32_t p = 0; p < TOLD_UNKNOWNS; p++)
        for (int32_t i = 0; i < TOLD_UNKNOWNS; i++) {
            float times = a[i][p] / a[p][p];
            for (int32_t k = p; i != p && k <= TOLD_UNKNOWNS; k++)
                a[i][k] -= times * a[p][k];
        }
    float x[TOLD_UNKNOWNS];
    for (int32_t i = 0; i < TOLD_UNKNOWNS; i++)
        x[i] = a[i][TOLD_UNKNOWNS] / a[i][i];
    float gain = kerb_clamp(x[0], TOLD_GAIN_LEAST, TOLD_GAIN_MOST);
    float both = -x[1] / gain, square = x[2] / gain;
    float lag = kerb_sqrt(kerb_max(2.0f * square - both * both, 0.0f));
    racer->memory.wheels_told.gain = gain;
    racer->memory.wheels_told.dead = kerb_clamp(both - lag, 0.0f, TOLD_DEAD_MOST);
    racer->memory.wheels_told.trim = x[3];
    racer->memory.wheels_told.rate = kerb_clamp(x[4], TOLD_RATE_LEAST * rate, rate);
}

// The last command, as far as wheels of the learned rate have come, and for how long they have
// turned at it: by so much times a change of the rate they would stand elsewhere.
static void reach_command(kerb_racer* racer, const racer_frame* frame) {
    float lock = kerb_vehicle_steering_lock(&racer->vehicle, frame->speed);
    float command = racer->controls.steering * lock / racer->vehicle.steering_angle_max;
    float gain = racer->memory.wheels_told.gain > 0.0f ? racer->memory.wheels_told.gain : 1.0f;
    float rate = kerb_in_racer_wheel_rate(racer) / racer->vehicle.steering_angle_max;
    float far = rate * frame->time_step / gain, gap = command - racer->memory.wheels_told.reached;
    float* since = &racer->memory.wheels_told.since;
    racer->memory.wheels_told.reached += kerb_clamp(gap, -far, far);
    if (kerb_abs(gap) <= far)
        *since = 0.0f;
    else
        *since += gap < 0.0f ? -frame->time_step : frame->time_step;
}

// Smoothed twice.
static void told_smooth(float* row, float value, float near) {
    row[1] += near * (row[0] - row[1]);
    row[0] += near * (value - row[0]);
}

// What the host tells of its wheels, against the last commands.
static void watch_told(kerb_racer* racer, const racer_frame* frame, bool teaches) {
    float dt = frame->time_step, near = dt / (TOLD_TIME + dt), kept = 1.0f - dt / TOLD_FADE;
    float rate = kerb_in_racer_wheel_rate(racer) / racer->vehicle.steering_angle_max;
    reach_command(racer, frame);
    float *c = racer->memory.wheels_told.command, *s = racer->memory.wheels_told.share;
    float* turning = racer->memory.wheels_told.turning;
    float first = racer->memory.wheels_told.reached - c[0], second = c[0] - c[1];
    told_smooth(s, frame->motion->steering, near);
    told_smooth(c, racer->memory.wheels_told.reached, near);
    told_smooth(turning, racer->memory.wheels_told.since, near);
    if (!teaches || frame->motion->steering == 0.0f)
        return;
    const float per_time = 1.0f / (TOLD_TIME + dt);
    const float by[TOLD_UNKNOWNS] = {c[1], second * per_time,
                                     (first - second) * per_time * per_time, 1.0f, turning[1]};
    for (int32_t i = 0; i < TOLD_UNKNOWNS; i++) {
        float* row = racer->memory.wheels_told.matrix[i];
        for (int32_t k = 0; k < TOLD_UNKNOWNS; k++)
            row[k] = kept * row[k] + dt * by[i] * by[k];
        racer->memory.wheels_told.right[i] =
            kept * racer->memory.wheels_told.right[i] + dt * by[i] * (s[1] + rate * turning[1]);
    }
    fit_told(racer);
}

void kerb_in_racer_watch_steering(kerb_racer* racer, const racer_frame* frame,
                                  const kerb_in_frame_input* input,
                                  const kerb_surroundings* surroundings) {
    kerb_track_memory* track = &racer->memory.track;
    if (!kerb_in_racer_knows(racer))
        return;
    if (track->gain == 0.0f ||
        memcmp(&track->estimate.vehicle, &racer->vehicle, sizeof racer->vehicle) != 0) {
        kerb_in_track_begin(track, &racer->vehicle);
        racer->memory.late.known = 0.0f; // the dead time, too
        memset(&racer->memory.wheels_told, 0, sizeof racer->memory.wheels_told);
    }
    kerb_in_estimate_feed(&track->estimate, input, &racer->controls, surroundings);
    bool drives = racer->memory.phase == KERB_RACER_DRIVING && !racer->decision.off_track &&
                  racer->memory.stuck.phase == KERB_STUCK_FREE &&
                  !kerb_in_player_drives(surroundings);
    if (frame->elsewhere || !drives)
        kerb_in_track_start(track, 0.0f);
    // In the car's plane, whatever the road does.
    kerb_motion motion = *frame->motion;
    motion.angular_velocity.z = frame->yaw_rate;
    kerb_in_track_frame now = known_frame(racer, frame, &motion);
    now.teaches = drives && kerb_in_estimate_may_learn(surroundings) && !input->counts &&
                  racer->controls.brake < KNOWN_BRAKE && racer->memory.slide < 0.01f;
    kerb_in_track_watch(track, &now);
    watch_told(racer, frame, drives && kerb_in_estimate_may_learn(surroundings) && !input->counts);
}

float kerb_in_racer_steering_for(kerb_racer* racer, const racer_frame* frame, float angle) {
    kerb_track_memory* track = &racer->memory.track;
    float steering = angle / kerb_vehicle_steering_lock(&racer->vehicle, frame->speed);
    if (!kerb_in_racer_knows(racer))
        return steering;
    bool told = racer->memory.wheels_told.matrix[3][3] > 0.0f;
    float used = told ? racer->memory.wheels_told.gain
                      : 1.0f + (1.0f - racer_slips(racer)) * (track->gain - 1.0f);
    float trim = told ? racer->memory.wheels_told.trim : 0.0f;
    float turns = kerb_curvature_of(&racer->vehicle, steering, kerb_max(frame->speed, 0.0f));
    float gain = told ? 1.0f : track->gain / used;
    return kerb_in_track_steer(track, (steering - trim) / used, turns * gain);
}
