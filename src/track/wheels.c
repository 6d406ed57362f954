// Purpose: which curvature a command of the steering gives, and when.
// Idea:    The share of the lock at which the wheels stand is a function of the command some time
//          ago:
//
//              share = trim + gain·c + bend·(c·|c| - c),   c = command before `delay`
//
//          Bent wheels, a bank or a worn linkage are the trim; a lock that is not as described is
//          the gain; hosts that bend their steering to be finer near the middle, or quicker there,
//          are the bend. A yaw rate at a speed tells a share. An extended Kalman filter learns the
//          four numbers from it, forwards and in reverse. The derivative by the delay is the rate
//          at which the command moved: so a delay is learned wherever the steering moves, and does
//          not look like a trim. Nothing is integrated: what it does not know yet stays in the
//          deviations.
//          A fifth number stands for itself: the point that goes where the body points. It is the
//          rear axle unless the rear wheels steer, or the reference point is not where the
//          description has it.
// Cost:    O(1) a frame; O(ticks of the delay) for what is pending.
#include "wheels.h"

#include "kerb/control.h"

#include "../base/shared.h"

#include <string.h>

// What is known at first: standard deviations of trim, gain, bend [1], of a delay that was told and
// of one that was not [s]. Hosts have trims of up to a tenth of the lock, steer by the power 0.7 to
// 1.6 of the command, and are up to a quarter of a second late.
#define WHEELS_TRIM_DOUBT 0.05f
#define WHEELS_GAIN_DOUBT 0.1f
#define WHEELS_BEND_DOUBT 0.3f
#define WHEELS_DELAY_DOUBT_TOLD 0.03f
#define WHEELS_DELAY_DOUBT 0.12f
// Part of a delay that is the steering's own, beyond what delays all controls. [s]
#define WHEELS_DELAY_OWN 0.06f
// … and of the point that follows. [wheelbases]
#define WHEELS_AXLE_DOUBT 0.5f
// By how much the numbers change in a second: surfaces, tyres and banks differ from place to place.
#define WHEELS_DRIFT 0.02f
#define WHEELS_DELAY_DRIFT 0.005f
// A second of yaw rates tells as much as one that is off by this [rad/s], one of shares [1], and
// one of velocities [m/s].
#define WHEELS_YAW_NOISE 0.01f
#define WHEELS_SHARE_NOISE 0.01f
#define WHEELS_SIDE_NOISE 0.02f
// Bounds within which the model holds. [1], [s]
#define WHEELS_TRIM_MOST 0.3f
#define WHEELS_GAIN_MOST 1.5f
#define WHEELS_BEND_MOST 0.7f
#define WHEELS_DELAY_MOST 0.6f
// Slower than this, of a car, motion says too little. [m/s]
#define WHEELS_SPEED_LEAST 0.2f

void kerb_in_wheels_begin(kerb_wheels_memory* wheels, const kerb_vehicle* vehicle) {
    memset(wheels, 0, sizeof *wheels);
    float told = vehicle->steering_delay;
    float delay = told > 0.0f ? WHEELS_DELAY_DOUBT_TOLD : WHEELS_DELAY_DOUBT;
    const float doubts[4] = {WHEELS_TRIM_DOUBT, WHEELS_GAIN_DOUBT, WHEELS_BEND_DOUBT, delay};
    for (int32_t i = 0; i < 4; i++)
        wheels->doubt[i][i] = doubts[i] * doubts[i];
    wheels->gain = 1.0f;
    wheels->delay = told;
    float axle = WHEELS_AXLE_DOUBT * vehicle->wheelbase;
    wheels->axle_doubt = axle * axle;
}

void kerb_in_wheels_start(kerb_wheels_memory* wheels, float command) {
    kerb_in_asked_start(&wheels->asked, command);
    wheels->lagged = wheels->trim + wheels->gain * command;
}

// --------------------------------------------------------------------------- what was commanded

void kerb_in_asked_start(kerb_asked_memory* asked, float value) {
    asked->now = value;
    for (int32_t i = 0; i < KERB_TRACK_TICKS; i++)
        asked->ticks[i] = value;
    asked->time = asked->sum = 0.0f;
}

void kerb_in_asked_run(kerb_asked_memory* asked, float time) {
    while (asked->time + time >= KERB_IN_ASKED_TICK) {
        float part = KERB_IN_ASKED_TICK - asked->time;
        asked->tick = (asked->tick + 1) & (KERB_TRACK_TICKS - 1);
        asked->ticks[asked->tick] = (asked->sum + part * asked->now) * (1.0f / KERB_IN_ASKED_TICK);
        time -= part;
        asked->time = asked->sum = 0.0f;
    }
    asked->time += time;
    asked->sum += time * asked->now;
}

static float wheels_tick(const kerb_asked_memory* asked, int32_t before) {
    before = before < KERB_TRACK_TICKS - 1 ? before : KERB_TRACK_TICKS - 1;
    return before < 0 ? asked->now : asked->ticks[(asked->tick - before) & (KERB_TRACK_TICKS - 1)];
}

// Means of ticks are the commands in their middle, and between them it changes evenly.
float kerb_in_asked_before(const kerb_asked_memory* asked, float ago) {
    float ticks = (ago - asked->time) * (1.0f / KERB_IN_ASKED_TICK) - 0.5f;
    if (ticks <= -1.0f)
        return asked->now;
    int32_t newer = (int32_t)(ticks + 1.0f) - 1;
    float share = ticks - (float)newer, next = wheels_tick(asked, newer);
    return next + share * (wheels_tick(asked, newer + 1) - next);
}

float kerb_in_wheels_command_before(const kerb_wheels_memory* wheels, float ago) {
    return kerb_in_asked_before(&wheels->asked, ago);
}

// --------------------------------------------------------------------------- the model

static float wheels_share(const kerb_wheels_memory* wheels, float command) {
    return wheels->trim + wheels->gain * command +
           wheels->bend * (command * kerb_abs(command) - command);
}

float kerb_in_wheels_curvature(const kerb_wheels_memory* wheels, const kerb_vehicle* vehicle,
                               float command, float speed) {
    return kerb_curvature_of(vehicle, wheels_share(wheels, command), speed);
}

float kerb_in_wheels_command(const kerb_wheels_memory* wheels, const kerb_vehicle* vehicle,
                             float curvature, float speed) {
    float share = kerb_steering_for(vehicle, curvature, speed) - wheels->trim;
    float flat = wheels->gain - wheels->bend, size = kerb_abs(share);
    float root = kerb_sqrt(kerb_max(flat * flat + 4.0f * wheels->bend * size, 0.0f));
    float command = kerb_min(2.0f * size / kerb_max(flat + root, 0.1f), 1.0f);
    return share < 0.0f ? -command : command;
}

kerb_in_wheels_pending kerb_in_wheels_pending_of(const kerb_wheels_memory* wheels,
                                                 const kerb_vehicle* vehicle, float speed) {
    kerb_in_wheels_pending p = {.time = wheels->delay};
    p.from = kerb_in_wheels_curvature(wheels, vehicle,
                                      kerb_in_wheels_command_before(wheels, p.time), speed);
    p.to = kerb_in_wheels_curvature(wheels, vehicle, wheels->asked.now, speed);
    int32_t steps = 1 + (int32_t)(p.time * (1.0f / KERB_IN_ASKED_TICK));
    float step = p.time / (float)steps;
    for (int32_t i = 0; i < steps; i++) {
        float ago = p.time - ((float)i + 0.5f) * step;
        float curvature = kerb_in_wheels_curvature(
            wheels, vehicle, kerb_in_wheels_command_before(wheels, ago), speed);
        float turn = speed * step * curvature;
        p.left += speed * step * (p.turn + 0.5f * turn) - wheels->axle * turn;
        p.turn += turn;
    }
    return p;
}

float kerb_in_wheels_delay_doubt(const kerb_wheels_memory* wheels) {
    return kerb_sqrt(wheels->doubt[3][3]);
}

void kerb_in_wheels_bound_delay(kerb_wheels_memory* wheels, float most) {
    float doubt = most * most * (1.0f / 12.0f) + WHEELS_DELAY_OWN * WHEELS_DELAY_OWN;
    if (doubt >= wheels->doubt[3][3])
        return;
    wheels->delay = 0.5f * most;
    for (int32_t i = 0; i < 4; i++)
        wheels->doubt[i][3] = wheels->doubt[3][i] = 0.0f;
    wheels->doubt[3][3] = doubt;
}

// --------------------------------------------------------------------------- learning

static void wheels_drift(kerb_wheels_memory* wheels, float time_step) {
    const float drift[4] = {WHEELS_DRIFT, WHEELS_DRIFT, 0.0f, WHEELS_DELAY_DRIFT};
    const float most[4] = {WHEELS_TRIM_DOUBT, WHEELS_GAIN_DOUBT, WHEELS_BEND_DOUBT,
                           WHEELS_DELAY_DOUBT};
    for (int32_t i = 0; i < 4; i++)
        if (wheels->doubt[i][i] < most[i] * most[i])
            wheels->doubt[i][i] += drift[i] * drift[i] * time_step;
}

// One update of the filter with seen = by · numbers + noise.
static void wheels_update(kerb_wheels_memory* wheels, const float by[4], float surprise,
                          float noise) {
    float to[4], sum = noise;
    for (int32_t i = 0; i < 4; i++) {
        to[i] = 0.0f;
        for (int32_t k = 0; k < 4; k++)
            to[i] += wheels->doubt[i][k] * by[k];
        sum += to[i] * by[i];
    }
    float per = 1.0f / sum;
    for (int32_t i = 0; i < 4; i++)
        for (int32_t k = 0; k < 4; k++)
            wheels->doubt[i][k] -= per * to[i] * to[k];
    surprise *= per;
    wheels->trim = kerb_clamp(wheels->trim + surprise * to[0], -WHEELS_TRIM_MOST, WHEELS_TRIM_MOST);
    wheels->gain =
        kerb_clamp(wheels->gain + surprise * to[1], 1.0f / WHEELS_GAIN_MOST, WHEELS_GAIN_MOST);
    float bend = WHEELS_BEND_MOST * wheels->gain;
    wheels->bend = kerb_clamp(wheels->bend + surprise * to[2], -bend, bend);
    wheels->delay = kerb_clamp(wheels->delay + surprise * to[3], 0.0f, WHEELS_DELAY_MOST);
}

// The point that follows: it moves along the heading, the described rear axle by as much aside as
// the yaw rate turns it about that point.
static void wheels_learn_axle(kerb_wheels_memory* wheels, const kerb_in_wheels_frame* frame) {
    float noise = WHEELS_SIDE_NOISE * WHEELS_SIDE_NOISE + frame->side_doubt * frame->side_doubt;
    float to = -frame->yaw_rate * wheels->axle_doubt;
    float gain = to / (noise / frame->time_step - frame->yaw_rate * to);
    wheels->axle += gain * (frame->side + frame->yaw_rate * wheels->axle);
    wheels->axle_doubt *= 1.0f + gain * frame->yaw_rate;
}

void kerb_in_wheels_watch(kerb_wheels_memory* wheels, const kerb_in_wheels_frame* frame) {
    const kerb_vehicle* vehicle = frame->vehicle;
    wheels->asked.now = frame->command;
    kerb_in_asked_run(&wheels->asked, frame->time_step);
    float command = kerb_in_wheels_command_before(wheels, wheels->delay);
    float rate = (kerb_in_wheels_command_before(wheels, wheels->delay - KERB_IN_ASKED_TICK) -
                  kerb_in_wheels_command_before(wheels, wheels->delay + KERB_IN_ASKED_TICK)) *
                 (0.5f / KERB_IN_ASKED_TICK);
    float share = wheels_share(wheels, command);
    wheels->lagged += (share - wheels->lagged) * frame->time_step / (frame->lag + frame->time_step);
    wheels_drift(wheels, frame->time_step);
    float speed = frame->speed, size = kerb_abs(speed);
    if (!frame->teaches || size < WHEELS_SPEED_LEAST * kerb_vehicle_scale(vehicle))
        return;
    wheels_learn_axle(wheels, frame);
    float seen = kerb_steering_for(vehicle, frame->yaw_rate / speed, speed);
    if (kerb_abs(seen) >= 1.0f)
        return;
    float slope = wheels->gain + wheels->bend * (2.0f * kerb_abs(command) - 1.0f);
    const float by[4] = {1.0f, command, command * kerb_abs(command) - command, -rate * slope};
    // A yaw rate says less of the wheels the slower it is driven; and while they turn, a lag of the
    // body that is not quite known looks like another angle.
    float yaw = WHEELS_YAW_NOISE * kerb_vehicle_turning_radius(vehicle) / size;
    float late = frame->lag * rate;
    float noise = WHEELS_SHARE_NOISE * WHEELS_SHARE_NOISE + yaw * yaw + late * late;
    wheels_update(wheels, by, seen - wheels->lagged, noise / frame->time_step);
}
