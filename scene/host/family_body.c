// Purpose: spirited driving with a host of the family, and the truth of its body, measured.
// Idea:    the truth is what a copy of the host does: where the lateral velocity of its axis is 0
//          in slow bends, slip and wheels' angle in a steady bend, and the greatest lateral
//          acceleration while its wheels turn slowly to the stop. Only the inertia is a parameter:
//          that means the same everywhere.
// Cost:    some 40 s of the host's simulation for the truth.
#include "scene/host/family_body.h"

#include "scene/host/family_drive.h"

#define SPIRITED_STREAM 78u
#define SPIRITED_MOVES 1.5f // rate of the steering [lock/s]
#define SPIRITED_SHARE 0.4f // of the lock that takes the grip
#define BODY_STEP 0.01f     // of the copies [s]

static float spirited_grip(const kerb_family_truth* t) {
    return (t->tyre == KERB_FAMILY_NO_TYRES ? 1.0f : t->grip) * KERB_GRAVITY;
}

static float load_at(const kerb_family_truth* t, float speed) {
    return 1.0f + t->downforce * speed * speed / KERB_GRAVITY;
}

// The command of a curvature at a speed, within the lock.
static float command_of(const kerb_family_host* host, float curvature, float speed) {
    float low = -1.0f, high = 1.0f;
    for (int32_t i = 0; i < 16; i++) {
        float middle = 0.5f * (low + high);
        *(kerb_family_curvature(host, middle, speed) < curvature ? &low : &high) = middle;
    }
    return 0.5f * (low + high);
}

void kerb_family_spirited_make(kerb_family_spirited* drive, uint64_t seed) {
    *drive = (kerb_family_spirited){.begun = -1.0};
    kerb_family_host_make(&drive->host, seed);
    drive->random = kerb_random_make(seed, SPIRITED_STREAM);
    const kerb_family_truth* t = &drive->host.truth;
    float curvature = kerb_tan(SPIRITED_SHARE * t->lock) / t->wheelbase;
    float wanted = kerb_sqrt(spirited_grip(t) / curvature);
    // Wings hold more: twice is enough for all of the family.
    wanted *= kerb_sqrt(kerb_min(load_at(t, wanted), 2.0f));
    drive->base = kerb_min(wanted, 0.7f * t->speed_max);
    drive->speed = drive->base;
}

static float slip_of(const kerb_family_host* host) {
    return kerb_abs(host->side) / kerb_max(kerb_abs(host->forward), 0.5f);
}

float kerb_family_spirited_step(kerb_family_spirited* drive, kerb_controls* controls) {
    kerb_family_host* host = &drive->host;
    const kerb_family_truth* t = &host->truth;
    float step = kerb_family_frame(host);
    if (drive->begun < 0.0 && host->forward > 0.6f * drive->base)
        drive->begun = drive->time;
    if (drive->time >= drive->next) {
        float asked = kerb_random_between(&drive->random, 0.3f, 1.06f);
        drive->asked = kerb_random_below(&drive->random, 2) == 0 ? asked : -asked;
        drive->speed = drive->base * kerb_random_between(&drive->random, 0.75f, 1.1f);
        drive->next = drive->time + (double)kerb_random_between(&drive->random, 0.8f, 2.5f);
    }
    float used = kerb_abs(host->yaw_rate * host->forward);
    float holds = spirited_grip(t) * load_at(t, host->forward);
    drive->limit += drive->begun >= 0.0 && used > 0.9f * holds ? (double)step : 0.0;
    drive->spins = slip_of(host) > (drive->spins ? 0.1f : 0.5f);
    float speed = kerb_max(host->forward, 1.0f);
    float wanted =
        drive->spins ? 0.0f : command_of(host, drive->asked * holds / (speed * speed), speed);
    if (drive->begun < 0.0)
        wanted = 0.0f;
    float most = SPIRITED_MOVES * step;
    drive->steering += kerb_clamp(wanted - drive->steering, -most, most);
    *controls =
        kerb_family_hold(host, drive->speed, drive->steering, (kerb_family_foot){0.3f, 0.6f});
    if (drive->spins) {
        controls->throttle = 0.0f;
        controls->brake = 0.3f;
    }
    kerb_family_step(host, controls, step);
    drive->time += (double)step;
    return step;
}

// --------------------------------------------------------------------------- truth

// A copy that runs straight at a speed and obeys at once.
static kerb_family_host prompt_copy(const kerb_family_host* host, float speed) {
    kerb_family_host copy = *host;
    copy.truth.delay = 0.0f;
    copy.yaw_rate = copy.side = copy.input = copy.wheel = 0.0f;
    copy.forward = speed;
    copy.command_count = 0;
    return copy;
}

static kerb_family_host steady_bend(const kerb_family_host* host, float speed, float steering) {
    kerb_family_host copy = prompt_copy(host, speed);
    for (int32_t i = 0; i < 500; i++) {
        kerb_controls controls =
            kerb_family_hold(&copy, speed, steering, (kerb_family_foot){0.3f, 0.6f});
        kerb_family_step(&copy, &controls, BODY_STEP);
    }
    return copy;
}

static float side_at_point(const kerb_family_host* host) {
    return host->side + (host->truth.rear_to_point - host->truth.rear_to_mass) * host->yaw_rate;
}

static float greatest_grip(const kerb_family_host* host, float speed) {
    kerb_family_host copy = prompt_copy(host, speed);
    copy.truth.lock = 0.8f;
    copy.truth.lock_share = 1.0f;
    copy.truth.exponent = 1.0f;
    copy.truth.trim = copy.truth.dead_band = 0.0f;
    copy.truth.wheel_rate = copy.truth.rise_rate = copy.truth.fall_rate = 1000.0f;
    enum { KEPT = 50 }; // steps of half a second
    float past[KEPT] = {0}, sum = 0.0f, most = 0.0f;
    for (int32_t i = 0; i < 1500; i++) {
        float steering = (float)i / 1500.0f, before = copy.side;
        kerb_controls controls =
            kerb_family_hold(&copy, speed, steering, (kerb_family_foot){0.3f, 0.6f});
        kerb_family_step(&copy, &controls, BODY_STEP);
        float across = copy.yaw_rate * copy.forward + (copy.side - before) / BODY_STEP;
        across = kerb_abs(across) / load_at(&copy.truth, copy.forward);
        sum += across - past[i % KEPT];
        past[i % KEPT] = across;
        most = kerb_max(most, sum / (float)KEPT);
        if (slip_of(&copy) > 0.6f) // it spins
            break;
    }
    return most;
}

kerb_family_body kerb_family_body_of(const kerb_family_host* host, float speed) {
    const kerb_family_truth* t = &host->truth;
    kerb_family_body truth = {.tyres = t->tyre != KERB_FAMILY_NO_TYRES};
    float curvature = 0.5f * kerb_tan(0.3f * t->lock) / t->wheelbase, limit = spirited_grip(t);
    // At two slow speeds; the slip grows with their square.
    float slow = kerb_sqrt(0.02f * limit / curvature), at[2];
    for (int32_t i = 0; i < 2; i++) {
        kerb_family_host copy =
            steady_bend(host, slow * (float)(1 + i), command_of(host, curvature, slow));
        at[i] = side_at_point(&copy) / copy.yaw_rate;
    }
    truth.following_axle = (4.0f * at[0] - at[1]) / 3.0f;
    curvature = 0.15f * limit * load_at(t, speed) / (speed * speed);
    kerb_family_host copy = steady_bend(host, speed, command_of(host, curvature, speed));
    float turns = copy.yaw_rate / copy.forward, slip = side_at_point(&copy) / copy.forward;
    float force = copy.yaw_rate * copy.forward / load_at(t, copy.forward);
    truth.compliance = (truth.following_axle * turns - slip) / force;
    float lead = t->rear_steering ? -t->wheelbase : t->wheelbase;
    float angle = t->rear_steering ? -kerb_tan(copy.wheel) : kerb_tan(copy.wheel);
    float steered = (angle - slip - (lead - truth.following_axle) * turns) / force;
    truth.understeer_gradient = steered - truth.compliance;
    truth.gyration_square = t->gyration * t->rear_to_mass * (t->wheelbase - t->rear_to_mass);
    truth.grip = greatest_grip(host, speed);
    return truth;
}
