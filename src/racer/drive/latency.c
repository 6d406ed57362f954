// Purpose: where the car will be when the present decision acts, in a host whose controls act late
//          or whose motion is late.
// Idea:    Recent commands have yet to act. From the measured motion on, a model of the car is
//          driven by them until the middle of the frame in which the new controls act. The model is
//          a bicycle with the tyres that the driver has learned, its mass in the middle third, and
//          wheels that follow as kerb_vehicle says. Each frame begins at the measured motion, so
//          errors do not add up; the difference to the model's last prediction is added for a
//          while. All other steps start from the predicted state and need to know nothing of a
//          delay. Without this, countersteering comes when a slide is over and causes the next one.
// Cost:    nothing without latency; else O(latency + 1.5 frames), in steps of 4 ms.
// Source:  Smith, "Closer control of loops with dead time", 1957, with a model of the car.
#include "racer.h"

#include <string.h>

// Longest step of the model, and greatest number of steps. [s]
#define LATENCY_STEP_MOST 0.004f
#define LATENCY_STEPS_MOST 80
// Below SLOW the car turns as its wheels point; from FAST on, as the tyres force it. [m/s]
#define LATENCY_SLOW 3.0f
#define LATENCY_FAST 6.0f
// Least distance of the centre of mass from an axle, over the wheelbase. [1]
#define MASS_LEAST 0.35f
// What the model does not explain is averaged over this time, and limited to this. [s], [m/s²],
// [rad/s²]
#define LACKS_TIME 0.2f
#define LACKS_MOST 5.0f
#define LACKS_TURN_MOST 3.0f
// Where nothing slips, the yaw rate beside that of the wheels is averaged over this time. [s]
#define ROLLS_TIME 0.05f
// Learning the dead time: its share of a told delay, which may also be a lag [1]; its standard
// deviation where none is told, the longest, and the deviation with which it is known [s];
// error of the measurements, and the time after which they are others [rad/s²], [s]; share
// of the grip up to which the model's tyres are right [1].
#define DEAD_TOLD 0.5f
#define DEAD_DOUBT_UNTOLD 0.05f
#define DEAD_SURE 0.004f
// Standard deviation of the wheels' gain [1], and the rate at which the dead time is taken over
// [1].
#define DEAD_DOUBT_GAIN 0.5f
#define DEAD_SLEW 0.1f
#define DEAD_MOST 0.3f
#define DEAD_YAW_NOISE 3.0f
#define DEAD_APART 0.1f
#define DEAD_USE 0.65f

// The learned dead time, where it is longer than half of a frame: less is that of the frames.
static float dead_time(const kerb_racer* racer) {
    float dead = kerb_in_racer_knows(racer) ? racer->memory.late.dead : 0.0f;
    return dead > 0.5f * racer->memory.late.time_step[0] ? dead : 0.0f;
}

float kerb_in_racer_latency(const kerb_racer* racer) {
    return racer->settings.latency + dead_time(racer);
}

// What is told is the sum of both, and does not say how much of it is dead.
float kerb_in_racer_lag(const kerb_racer* racer) {
    return kerb_max(racer->vehicle.steering_delay - dead_time(racer), 0.0f);
}

static bool learns_dead(const kerb_racer* racer) {
    float both = racer->memory.late.mixed * racer->memory.late.mixed;
    float left = racer->memory.late.known - both / kerb_max(racer->memory.late.turned, 1.0e-6f);
    return kerb_in_racer_knows(racer) && left < 1.0f / (DEAD_SURE * DEAD_SURE);
}

// A past command, which acts in the time to come.
typedef struct latency_told {
    float steering, push;
} latency_told;

// The command of the time `before`, counted backwards from the end of the last frame.
static latency_told told_at(const kerb_racer* racer, float before) {
    int32_t i = 0, last = racer->memory.late.count - 1;
    for (; i < last && before > racer->memory.late.time_step[i]; i++)
        before -= racer->memory.late.time_step[i];
    return (latency_told){racer->memory.late.steering[i], racer->memory.late.push[i]};
}

// Estimated wheel angle at that time, for hosts that do not give it.
static float wheels_at(const kerb_racer* racer, float before) {
    int32_t i = 0, last = racer->memory.late.count - 1;
    for (; i < last && before > 0.5f * racer->memory.late.time_step[i]; i++)
        before -= racer->memory.late.time_step[i];
    return racer->memory.late.wheels[i];
}

static void latency_remember(kerb_racer* racer, float time_step) {
    size_t rest = (KERB_RACER_LATENCY_FRAMES - 1) * sizeof(float);
    memmove(&racer->memory.late.time_step[1], &racer->memory.late.time_step[0], rest);
    memmove(&racer->memory.late.steering[1], &racer->memory.late.steering[0], rest);
    memmove(&racer->memory.late.wheels[1], &racer->memory.late.wheels[0], rest);
    memmove(&racer->memory.late.push[1], &racer->memory.late.push[0], rest);
    racer->memory.late.time_step[0] = time_step;
    racer->memory.late.steering[0] = racer->memory.steering;
    racer->memory.late.wheels[0] = racer->memory.wheels;
    racer->memory.late.push[0] = racer->memory.push;
    if (racer->memory.late.count < KERB_RACER_LATENCY_FRAMES)
        racer->memory.late.count++;
}

// --------------------------------------------------------------------------- the car in thought

// The centre of mass in the axes of the measured motion, level.
typedef struct latency_body {
    float x, y, heading;      // since the motion was told
    float forward, side, yaw; // [m/s], [rad/s]
    float wheels;             // [rad]
} latency_body;

// Share of the grip at a slip angle, over that at half grip: the inverse of slip_for in steering.c,
// by Newton's method.
static float held_at(float slip) {
    float y = kerb_min(0.5f * kerb_abs(slip), 1.9f), f = kerb_min(y, 0.9f);
    for (int32_t i = 0; i < 3; i++) {
        float square = f * f;
        f -= (f + 0.9f * square * square * f - y) / (1.0f + 4.5f * square * square);
    }
    f = kerb_min(f, 1.0f);
    return slip < 0.0f ? -f : f;
}

typedef struct latency_car {
    float front, rear; // axles from the middle of the mass [m]
    float inertia;     // moment of inertia over the mass [m²]
    float grip;        // [m/s²]
    float tyres;       // whether they slip, and it is fast enough [0 … 1]
    float follows;     // distance back to the point that moves along the body where they do not [m]
    // What no tyre does, and what it was seen to do beyond what the model says. [m/s²], [rad/s²]
    float ahead, aside, turn;
} latency_car;

static latency_car car_of(const kerb_racer* racer, const racer_frame* frame) {
    const kerb_vehicle* v = &racer->vehicle;
    const kerb_performance* p = &racer->memory.car;
    latency_car c;
    c.rear = kerb_clamp(v->reference_to_rear_axle, MASS_LEAST * v->wheelbase,
                        (1.0f - MASS_LEAST) * v->wheelbase);
    c.front = v->wheelbase - c.rear;
    // Where it is not told: that of a body whose axles are each other's centre of percussion.
    c.inertia = v->yaw_inertia > 0.0f ? v->yaw_inertia : c.front * c.rear;
    c.grip = racer->memory.late.grip_aside;
    c.tyres =
        racer_slips(racer) * racer_step_speed(racer, frame->speed, LATENCY_SLOW, LATENCY_FAST);
    c.follows =
        c.rear - kerb_clamp(racer->memory.firm_place, 0.0f, 1.0f) * v->reference_to_rear_axle;
    c.ahead = -KERB_GRAVITY * frame->forward.z - p->rolling - p->drag * frame->speed * frame->speed;
    c.ahead += racer->memory.late.lacks[0];
    c.aside = -KERB_GRAVITY * frame->left.z + racer->memory.late.lacks[1];
    c.turn = racer->memory.late.lacks[2];
    return c;
}

static void latency_turn_wheels(const kerb_racer* racer, latency_body* b, float wanted, float dt) {
    float most = kerb_in_racer_wheel_rate(racer) * dt;
    float step = (wanted - b->wheels) * dt / (kerb_in_racer_lag(racer) + dt);
    b->wheels += kerb_clamp(step, -most, most);
}

static void latency_drive(const kerb_racer* racer, const latency_car* c, latency_body* b,
                          latency_told acts, float dt) {
    float before = b->wheels;
    latency_turn_wheels(racer, b, acts.steering, dt);
    float fast = kerb_max(b->forward, racer_speed(racer, LATENCY_SLOW)),
          length = c->front + c->rear;
    float front = b->wheels - kerb_atan2(b->side + c->front * b->yaw, fast);
    float rear = -kerb_atan2(b->side - c->rear * b->yaw, fast);
    // Of each axle by its share of the load.
    front = c->grip * (c->rear / length) * held_at(front / racer_half_slip(racer, 0));
    rear = c->grip * (c->front / length) * held_at(rear / racer_half_slip(racer, 1));
    float spin = (c->front * front - c->rear * rear) / c->inertia;
    float slides = front + rear + c->aside - b->yaw * b->forward;
    float turned = b->forward * (b->wheels - before) / length; // where nothing slips
    b->side += c->tyres * slides * dt + (1.0f - c->tyres) * c->follows * turned;
    b->yaw += c->tyres * (spin + c->turn) * dt + (1.0f - c->tyres) * turned;
    b->forward += (acts.push + c->ahead + c->tyres * b->yaw * b->side) * dt;
    float sine, cosine;
    kerb_sin_cos(b->heading + 0.5f * b->yaw * dt, &sine, &cosine);
    b->x += (b->forward * cosine - b->side * sine) * dt;
    b->y += (b->forward * sine + b->side * cosine) * dt;
    b->heading += b->yaw * dt;
}

// --------------------------------------------------------------------------- the frame

// Drives the model for `time`, starting `before` the present, by the commands that acted then.
static void latency_drive_on(const kerb_racer* racer, const latency_car* c, latency_body* b,
                             float before, float time) {
    int32_t steps = (int32_t)(time / LATENCY_STEP_MOST) + 1;
    steps = steps < LATENCY_STEPS_MOST ? steps : LATENCY_STEPS_MOST;
    float dt = time / (float)steps;
    for (int32_t i = 0; i < steps; i++)
        latency_drive(racer, c, b, told_at(racer, before - ((float)i + 0.5f) * dt), dt);
}

// What is used follows slowly, so that it does not move the wheels.
static void slew_dead(kerb_racer* racer, float dead, float dt) {
    float step = DEAD_SLEW * dt;
    racer->memory.late.dead += kerb_clamp(dead - racer->memory.late.dead, -step, step);
}

// Solves for the two unknowns.
static void take_dead(kerb_racer* racer, float dt) {
    float k = racer->memory.late.known, m = racer->memory.late.mixed, t = racer->memory.late.turned;
    float x = racer->memory.late.by_change, y = racer->memory.late.by_turn;
    slew_dead(racer, kerb_clamp((t * x - m * y) / (k * t - m * m), 0.0f, DEAD_MOST), dt);
}

// While the wheels move, a delay that is longer than believed shows as a yaw acceleration that
// lacks what they would give: least squares. A host that tells how its wheels stand shows it
// directly (known.c).
static void learn_dead(kerb_racer* racer, const racer_frame* frame, const latency_car* c,
                       const latency_body* b, const latency_body* then) {
    float dt = frame->time_step, before = kerb_in_racer_latency(racer) + 0.5f * dt;
    if (frame->motion->steering != 0.0f) {
        slew_dead(racer, racer->memory.wheels_told.dead, dt);
        return;
    }
    float moved = told_at(racer, before).steering - told_at(racer, before + dt).steering;
    float most = kerb_in_racer_wheel_rate(racer);
    float rate = kerb_clamp(moved / dt, -most, most);
    // By how much a second of delay changes what is measured.
    float arm = c->front + c->rear;
    float force = c->grip * (c->rear / arm) / (2.0f * racer_half_slip(racer, 0));
    float per_wheel = c->front * force / c->inertia;
    float lacks = (b->yaw - then->yaw) / dt + c->turn;
    float changes = -rate * per_wheel;
    bool linear = kerb_abs(b->yaw * b->forward) < DEAD_USE * c->grip &&
                  racer->controls.brake <= 0.0f && racer->memory.slide < 0.01f;
    if (frame->speed < racer_speed(racer, LATENCY_FAST) || racer->decision.off_track ||
        racer->memory.phase != KERB_RACER_DRIVING || !linear || c->tyres < 1.0f)
        return;
    // How far the wheels stand beyond what was asked for is the other unknown: bent steering, a
    // lock that falls, and other tyres than believed look like that.
    float weight = dt / (DEAD_APART * DEAD_YAW_NOISE * DEAD_YAW_NOISE);
    float more = b->wheels * per_wheel;
    float is = lacks + changes * dead_time(racer);
    racer->memory.late.known += weight * changes * changes;
    racer->memory.late.mixed += weight * changes * more;
    racer->memory.late.turned += weight * more * more;
    racer->memory.late.by_change += weight * changes * is;
    racer->memory.late.by_turn += weight * more * is;
    take_dead(racer, dt);
}

// Driven on from the last frame, the model should be where the car is. The difference is the
// model's error, whatever its reason, and counts for a while. Otherwise every bend at the limit
// would be entered too fast or too slowly.
static void watch_model(kerb_racer* racer, const racer_frame* frame, const latency_car* c,
                        const latency_body* b) {
    float dt = frame->time_step, share = 1.0f / (LACKS_TIME + dt);
    const float* last = racer->memory.late.last;
    latency_body then = {.forward = last[0], .side = last[1], .yaw = last[2], .wheels = last[3]};
    latency_drive_on(racer, c, &then, kerb_in_racer_latency(racer) + dt, dt);
    const float missing[3] = {b->forward - then.forward, b->side - then.side, b->yaw - then.yaw};
    for (int32_t i = 0; i < 3; i++) {
        float most = i < 2 ? LACKS_MOST : LACKS_TURN_MOST / racer->memory.scale;
        float lacks = racer->memory.late.lacks[i];
        if (!frame->elsewhere) // else it is not where it drove to
            lacks += share * missing[i];
        racer->memory.late.lacks[i] =
            racer->memory.late.count > 1 ? kerb_clamp(lacks, -most, most) : 0.0f;
    }
    if (learns_dead(racer) && !frame->elsewhere)
        learn_dead(racer, frame, c, b, &then);
    racer->memory.late.last[0] = b->forward;
    racer->memory.late.last[1] = b->side;
    racer->memory.late.last[2] = b->yaw;
    racer->memory.late.last[3] = b->wheels;
}

// Where nothing slips the wheels give the yaw rate, and what is measured beside that counts as its
// mean of a while. The wheels are known less well than they move: a model that began at each
// measured yaw rate would turn its error into a swing, twice as large by the end of the latency,
// and at the rate of the frames the steering would follow it.
static void begin_rolling(kerb_racer* racer, const racer_frame* frame, const latency_car* c,
                          latency_body* b) {
    float share = frame->time_step / (ROLLS_TIME + frame->time_step);
    float more = b->yaw - b->forward * b->wheels / (c->front + c->rear);
    racer->memory.late.turns_more += share * (more - racer->memory.late.turns_more);
    float yaw = (1.0f - c->tyres) * (racer->memory.late.turns_more - more);
    b->yaw += yaw;
    b->side += c->follows * yaw;
}

static void note_slip(const kerb_racer* racer, racer_frame* frame, const latency_car* c,
                      const latency_body* b) {
    float fast = kerb_max(kerb_abs(b->forward), racer_speed(racer, LATENCY_SLOW));
    frame->seen_slip[0] = b->wheels - kerb_atan2(b->side + c->front * b->yaw, fast);
    frame->seen_slip[1] = -kerb_atan2(b->side - c->rear * b->yaw, fast);
}

// Moves the measured motion on; parts outside the plane of the body stay.
static void latency_take(racer_frame* frame, const latency_body* b, float arm, float latency) {
    kerb_motion* m = &frame->later;
    const kerb_motion* now = frame->motion;
    kerb_vec3 left = frame->left, up = frame->up;
    float rises = kerb_vec3_dot(now->velocity, up), sine, cosine;
    kerb_sin_cos(b->heading, &sine, &cosine);
    // From the middle of the mass back to the reference point.
    float x = b->x + arm - arm * cosine, y = b->y - arm * sine;
    *m = *now;
    m->position = kerb_vec3_along(m->position, frame->forward, x);
    m->position = kerb_vec3_along(m->position, left, y);
    m->position = kerb_vec3_along(m->position, up, rises * latency);
    frame->forward =
        kerb_vec3_add(kerb_vec3_scale(frame->forward, cosine), kerb_vec3_scale(left, sine));
    left = kerb_vec3_cross(up, frame->forward);
    float half_sine, half_cosine;
    kerb_sin_cos(0.5f * b->heading, &half_sine, &half_cosine);
    kerb_quat turn = {up.x * half_sine, up.y * half_sine, up.z * half_sine, half_cosine};
    m->rotation = kerb_quat_multiply(turn, now->rotation);
    frame->speed = b->forward;
    frame->side = b->side - arm * b->yaw;
    frame->yaw_rate = b->yaw;
    frame->wheels = b->wheels;
    m->velocity = kerb_vec3_scale(frame->forward, frame->speed);
    m->velocity = kerb_vec3_along(m->velocity, left, frame->side);
    m->velocity = kerb_vec3_along(m->velocity, up, rises);
    frame->pace = kerb_sqrt(frame->speed * frame->speed + frame->side * frame->side);
    frame->along = frame->pace;
    frame->motion = m;
    frame->left = kerb_quat_left(m->rotation);
    frame->up = kerb_quat_up(m->rotation);
}

static void begin_dead(kerb_racer* racer) {
    float told = racer->vehicle.steering_delay;
    float doubt = told > 0.0f ? told : DEAD_DOUBT_UNTOLD;
    racer->memory.late.dead = DEAD_TOLD * told;
    racer->memory.late.known = 1.0f / (doubt * doubt);
    racer->memory.late.by_change = racer->memory.late.dead * racer->memory.late.known;
    racer->memory.late.turned = 1.0f / (DEAD_DOUBT_GAIN * DEAD_DOUBT_GAIN);
    racer->memory.late.mixed = racer->memory.late.by_turn = 0.0f;
}

void kerb_in_racer_meet_latency(kerb_racer* racer, racer_frame* frame) {
    if (kerb_in_racer_knows(racer) && racer->memory.late.known == 0.0f)
        begin_dead(racer);
    float latency = kerb_in_racer_latency(racer);
    bool predicts = latency > 0.0f;
    if (!predicts && !learns_dead(racer)) {
        racer->memory.late.count = 0;
        return;
    }
    latency_remember(racer, frame->time_step);
    if (frame->motion->steering == 0.0f && predicts)
        frame->wheels = wheels_at(racer, latency);
    // Controls hold for a frame: what they do comes as if from its middle on.
    latency += frame->hold;
    latency_car c = car_of(racer, frame);
    float arm = c.rear - racer->vehicle.reference_to_rear_axle; // from the reference point on
    latency_body b = {.forward = frame->speed,
                      .side = frame->side + arm * frame->yaw_rate,
                      .yaw = frame->yaw_rate,
                      .wheels = frame->wheels};
    note_slip(racer, frame, &c, &b);
    watch_model(racer, frame, &c, &b);
    if (!predicts)
        return;
    begin_rolling(racer, frame, &c, &b);
    latency_drive_on(racer, &c, &b, latency - frame->hold, latency);
    latency_take(frame, &b, arm, latency);
    frame->hold = 0.0f;
}
