// Purpose: ordinary driving with the pedals of a host of the family, and the truth of its pedals.
// Idea:    the truth is what a copy of the host does while its speed is held: it is pushed back
//          after each step, so that load and tyres settle, and the last steps count.
// Cost:    some 40 s of the host's simulation for the truth.
#include "scene/host/family_pedals.h"

#define PEDAL_STREAM 78u
#define FOOT_RATE 4.0f // of the pedals [1/s]
#define HAND_RATE 0.2f // of the steering [lock/s]
#define HAND_GRIP 0.1f // share of the grip that the steering takes
#define TRUE_STEP 0.01f

static float drive_random(kerb_family_pedal_drive* drive, float min, float max) {
    return kerb_random_between(&drive->random, min, max);
}

static void begin_phase(kerb_family_pedal_drive* drive, kerb_family_phase phase) {
    const kerb_family_truth* t = &drive->host.truth;
    float now = drive->host.forward, longest = 10.0f;
    drive->phase = phase;
    drive->handbrake = false;
    switch (phase) {
    case KERB_FAMILY_ACCELERATES:
        drive->speed = drive_random(drive, 0.15f, 0.6f) * t->speed_max;
        drive->speed = kerb_max(drive->speed, now + 0.1f * t->speed_max);
        drive->press = drive_random(drive, 0.3f, 1.1f);
        break;
    case KERB_FAMILY_HOLDS:
        drive->speed = now;
        longest = drive_random(drive, 1.0f, 4.0f);
        break;
    case KERB_FAMILY_COASTS:
        drive->speed = 0.0f;
        longest = drive_random(drive, 1.0f, 4.0f);
        break;
    case KERB_FAMILY_BRAKES:
        drive->speed =
            kerb_random_below(&drive->random, 2) ? 0.0f : drive_random(drive, 0.2f, 0.7f) * now;
        drive->press =
            kerb_random_below(&drive->random, 5) == 0 ? 1.0f : drive_random(drive, 0.15f, 0.6f);
        break;
    case KERB_FAMILY_WAITS:
        drive->press = drive_random(drive, 0.2f, 0.6f);
        drive->handbrake = kerb_random_below(&drive->random, 3) == 0;
        longest = drive_random(drive, 1.0f, 2.5f);
        break;
    case KERB_FAMILY_RELEASES:
        longest = drive_random(drive, 0.5f, 3.0f);
        break;
    }
    drive->next = drive->time + (double)longest;
}

static kerb_family_phase next_phase(kerb_family_pedal_drive* drive) {
    bool stands = kerb_abs(drive->host.forward) < 0.4f;
    switch (drive->phase) {
    case KERB_FAMILY_ACCELERATES:
        return kerb_random_below(&drive->random, 2) ? KERB_FAMILY_HOLDS : KERB_FAMILY_COASTS;
    case KERB_FAMILY_HOLDS:
    case KERB_FAMILY_COASTS:
        return kerb_random_below(&drive->random, 3) ? KERB_FAMILY_BRAKES : KERB_FAMILY_ACCELERATES;
    case KERB_FAMILY_BRAKES:
        return stands ? KERB_FAMILY_WAITS : KERB_FAMILY_ACCELERATES;
    case KERB_FAMILY_WAITS:
        return kerb_random_below(&drive->random, 2) ? KERB_FAMILY_RELEASES
                                                    : KERB_FAMILY_ACCELERATES;
    case KERB_FAMILY_RELEASES:
        break;
    }
    return KERB_FAMILY_ACCELERATES;
}

void kerb_family_pedal_drive_make(kerb_family_pedal_drive* drive, uint64_t seed) {
    *drive = (kerb_family_pedal_drive){0};
    kerb_family_host_make(&drive->host, seed);
    kerb_family_add_pedals(&drive->host, seed);
    drive->random = kerb_random_make(seed, PEDAL_STREAM);
    begin_phase(drive, KERB_FAMILY_ACCELERATES);
}

static bool phase_is_over(const kerb_family_pedal_drive* drive) {
    float speed = drive->host.forward;
    return drive->time >= drive->next ||
           (drive->phase == KERB_FAMILY_ACCELERATES && speed >= drive->speed) ||
           (drive->phase == KERB_FAMILY_BRAKES && speed <= kerb_max(drive->speed, 0.05f));
}

float kerb_family_pedal_drive_step(kerb_family_pedal_drive* drive, kerb_controls* controls) {
    kerb_family_host* host = &drive->host;
    const kerb_family_truth* t = &host->truth;
    float step = kerb_family_frame(host);
    if (phase_is_over(drive))
        begin_phase(drive, next_phase(drive));
    float throttle = 0.0f, brake = 0.0f;
    if (drive->phase == KERB_FAMILY_ACCELERATES)
        throttle = kerb_min(drive->press, 1.0f);
    else if (drive->phase == KERB_FAMILY_HOLDS)
        throttle = kerb_clamp(0.1f + 0.3f * (drive->speed - host->forward), 0.0f, 0.6f);
    else if (drive->phase == KERB_FAMILY_BRAKES || drive->phase == KERB_FAMILY_WAITS)
        brake = drive->press;
    drive->throttle += kerb_clamp(throttle - drive->throttle, -FOOT_RATE * step, FOOT_RATE * step);
    drive->brake += kerb_clamp(brake - drive->brake, -FOOT_RATE * step, FOOT_RATE * step);
    float grip = t->tyre == KERB_FAMILY_NO_TYRES ? 1.0f : t->grip;
    float fast = kerb_max(host->forward, 3.0f), curvature = kerb_tan(t->lock) / t->wheelbase;
    float most = kerb_min(HAND_GRIP * grip * KERB_GRAVITY / (fast * fast * curvature), 0.2f);
    drive->steering += kerb_random_between(&drive->random, -HAND_RATE, HAND_RATE) * step;
    drive->steering = kerb_clamp(drive->steering, -most, most);
    *controls = kerb_controls_safe(KERB_REASON_NONE);
    controls->gear = 1;
    controls->throttle = drive->throttle;
    controls->brake = drive->brake;
    controls->handbrake = drive->handbrake;
    controls->steering = drive->steering - t->trim;
    kerb_family_step(host, controls, step);
    drive->time += (double)step;
    drive->fastest = kerb_max(drive->fastest, host->forward);
    return step;
}

// A copy whose pedals act at once.
static kerb_family_host pedals_prompt_copy(const kerb_family_host* host) {
    kerb_family_host copy = *host;
    kerb_family_truth* t = &copy.truth;
    t->delay = t->throttle_lag = t->brake_lag = t->shift_pause = t->creep_speed = 0.0f;
    copy.pause = copy.side = copy.yaw_rate = copy.acceleration = copy.input = copy.wheel = 0.0f;
    copy.truth.trim = 0.0f;
    copy.command_count = 0;
    copy.gear = 1;
    return copy;
}

static float held_acceleration(const kerb_family_host* host, float speed, float throttle,
                               float brake) {
    kerb_family_host copy = pedals_prompt_copy(host);
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    controls.gear = 1;
    controls.throttle = throttle;
    controls.brake = brake;
    float sum = 0.0f;
    for (int32_t i = 0; i < 60; i++) {
        copy.forward = speed;
        kerb_family_step(&copy, &controls, TRUE_STEP);
        sum += i >= 40 ? (copy.forward - speed) / TRUE_STEP : 0.0f;
    }
    return sum / 20.0f;
}

float kerb_family_force(const kerb_family_host* host, float speed, float throttle, float brake) {
    return held_acceleration(host, speed, throttle, brake) -
           held_acceleration(host, speed, 0.0f, 0.0f);
}

static float creeps_to(const kerb_family_host* host, float brake) {
    kerb_family_host copy = pedals_prompt_copy(host);
    copy.truth.creep_speed = host->truth.creep_speed;
    copy.forward = 0.0f;
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    controls.gear = 1;
    controls.brake = brake;
    float sum = 0.0f;
    for (int32_t i = 0; i < 1500; i++) {
        kerb_family_step(&copy, &controls, TRUE_STEP);
        sum += i >= 1400 ? copy.forward : 0.0f;
    }
    return sum / 100.0f;
}

kerb_family_pedals kerb_family_pedals_of(const kerb_family_host* host) {
    const kerb_family_truth* t = &host->truth;
    kerb_family_pedals truth = {.throttle_delay = t->delay + t->throttle_lag,
                                .brake_delay = t->delay + t->brake_lag,
                                .shift_pause = t->gears > 1 ? t->shift_pause : 0.0f};
    for (int32_t i = 1; i < 40; i++) {
        float speed = 0.025f * (float)i * t->speed_max;
        truth.power = kerb_max(truth.power, speed * kerb_family_force(host, speed, 1.0f, 0.0f));
    }
    float speed = 0.2f * t->speed_max;
    kerb_family_host sticky = *host;
    sticky.truth.grip = 100.0f;
    float full = kerb_family_force(&sticky, speed, 1.0f, 0.0f);
    float stop = kerb_family_force(&sticky, speed, 0.0f, 1.0f);
    truth.half_throttle = kerb_family_force(&sticky, speed, 0.5f, 0.0f) / full;
    truth.half_brake = kerb_family_force(&sticky, speed, 0.0f, 0.5f) / stop;
    float slow = 0.05f * t->speed_max;
    truth.spins = kerb_family_force(host, slow, 1.0f, 0.0f) <
                  0.95f * kerb_family_force(&sticky, slow, 1.0f, 0.0f);
    truth.locks = kerb_family_force(host, speed, 0.0f, 1.0f) > 0.95f * stop;
    truth.creep_speed = creeps_to(host, 0.0f);
    truth.brake_holds = creeps_to(host, 0.5f) < 0.05f;
    return truth;
}
