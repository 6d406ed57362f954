// Purpose: ordinary driving with a host of the family, and the truth of its steering, measured.
// Idea:    the truth is what a copy of the host does: steady curvature at commands, and how late
//          the curvature passes levels when the command moves slowly up and down past them. Up and
//          down pass the same level at the same command, so a bend or a dead band cancels.
// Cost:    some 30 s of the host's simulation for the truth.
#include "scene/host/family_drive.h"

#define DRIVE_STREAM 77u
#define HELD 0.35f // greatest steering [lock]
#define MOVES 1.2f // rate of the steering [lock/s]
#define TRUTH_STEP 0.01f
#define TRUTH_RATE 0.4f // of the slow command [lock/s]

kerb_controls kerb_family_hold(const kerb_family_host* host, float speed, float steering,
                               kerb_family_foot foot) {
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    float lacks = speed - host->forward;
    controls.gear = 1;
    controls.steering = steering;
    controls.throttle = kerb_clamp(foot.gain * lacks + 0.05f, 0.0f, foot.throttle_max);
    controls.brake = lacks < -0.5f ? 0.1f : 0.0f;
    return controls;
}

static kerb_controls hold(const kerb_family_host* host, float speed, float steering) {
    return kerb_family_hold(host, speed, steering, (kerb_family_foot){0.3f, 0.6f});
}

void kerb_family_drive_make(kerb_family_drive* drive, uint64_t seed) {
    *drive = (kerb_family_drive){.begun = -1.0};
    kerb_family_host_make(&drive->host, seed);
    drive->random = kerb_random_make(seed, DRIVE_STREAM);
    const kerb_family_truth* t = &drive->host.truth;
    float grip = t->tyre == KERB_FAMILY_NO_TYRES ? 1.0f : t->grip;
    float curvature = kerb_tan(HELD * t->lock) / t->wheelbase;
    drive->speed = kerb_min(kerb_sqrt(0.4f * grip * KERB_GRAVITY / curvature), 0.5f * t->speed_max);
}

float kerb_family_drive_step(kerb_family_drive* drive, kerb_controls* controls) {
    kerb_family_host* host = &drive->host;
    float step = kerb_family_frame(host);
    if (drive->begun < 0.0 && host->forward > 0.6f * drive->speed)
        drive->begun = drive->time;
    if (drive->time >= drive->next) {
        drive->target = kerb_random_between(&drive->random, -HELD, HELD);
        drive->next = drive->time + (double)kerb_random_between(&drive->random, 0.4f, 1.6f);
    }
    drive->steering += kerb_clamp(drive->target - drive->steering, -MOVES * step, MOVES * step);
    *controls = hold(host, drive->speed, drive->steering);
    kerb_family_step(host, controls, step);
    drive->time += (double)step;
    return step;
}

static kerb_family_host settled(const kerb_family_host* host, float speed) {
    kerb_family_host copy = *host;
    copy.yaw_rate = 0.0f;
    copy.side = 0.0f;
    copy.input = 0.0f;
    copy.wheel = 0.0f;
    copy.forward = speed;
    copy.command_count = 0;
    return copy;
}

static float curvature_now(const kerb_family_host* host) {
    return host->yaw_rate / kerb_max(host->forward, 0.05f);
}

static float steady(const kerb_family_host* host, float speed, float steering) {
    kerb_family_host copy = settled(host, speed);
    for (int32_t i = 0; i < 500; i++) {
        kerb_controls controls = hold(&copy, speed, steering);
        kerb_family_step(&copy, &controls, TRUTH_STEP);
    }
    return curvature_now(&copy);
}

// Mean of the times at which the curvature passes a level upwards and downwards, less that of the
// command's turn.
static float lateness(const kerb_family_host* host, float speed, float level) {
    kerb_family_host copy = settled(host, speed);
    float top = 3.0f + 0.6f / TRUTH_RATE, up = 0.0f, down = 0.0f, before = 0.0f;
    for (int32_t i = 0; (float)i * TRUTH_STEP < top + 4.0f; i++) {
        float time = (float)i * TRUTH_STEP;
        float steering = 0.3f - kerb_min(TRUTH_RATE * kerb_abs(time - top), 0.6f);
        kerb_controls controls = hold(&copy, speed, steering);
        kerb_family_step(&copy, &controls, TRUTH_STEP);
        float now = curvature_now(&copy);
        // Where in this step; the command of a step is that of its start.
        float part = (level - before) / (now - before + (now == before ? 1.0f : 0.0f));
        if (time > 2.0f && before < level && now >= level)
            up = time + (part - 0.5f) * TRUTH_STEP;
        if (time > top && before > level && now <= level && down == 0.0f)
            down = time + (part - 0.5f) * TRUTH_STEP;
        before = now;
    }
    return 0.5f * (up + down) - top + TRUTH_STEP;
}

kerb_family_steering kerb_family_steering_of(const kerb_family_host* host, float speed) {
    kerb_family_host prompt = *host;
    prompt.truth.delay = 0.0f;
    float right = steady(&prompt, speed, -0.3f), left = steady(&prompt, speed, 0.3f);
    kerb_family_steering truth = {.gain = (left - right) / 0.6f};
    // Both edges of the commands that go straight, for a dead band.
    float edges[2];
    for (int32_t e = 0; e < 2; e++) {
        float low = -0.5f, high = 0.5f;
        for (int32_t i = 0; i < 24; i++) {
            float middle = 0.5f * (low + high);
            float curvature = kerb_family_curvature(host, middle, speed);
            bool beyond = e == 0 ? curvature >= -1.0e-6f : curvature > 1.0e-6f;
            *(beyond ? &high : &low) = middle;
        }
        edges[e] = low;
    }
    truth.trim = 0.5f * (edges[0] + edges[1]);
    float middle = 0.5f * (left + right), quarter = 0.25f * (left - right);
    truth.delay =
        0.5f * (lateness(host, speed, middle - quarter) + lateness(host, speed, middle + quarter));
    truth.rate = host->truth.wheel_rate / host->truth.lock;
    return truth;
}
