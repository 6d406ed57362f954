// Purpose: hosts drawn at random; family.h tells what for.
// Idea:    a bicycle with a mass, two axles and what engines put between a command and the wheels.
//          Lateral tyre forces are found implicitly in each step, because stiff tyres at walking
//          pace would otherwise need steps of microseconds. Written from the equations of the
//          single-track model (Rajamani, "Vehicle Dynamics and Control", 2012, section 2.3).
// Cost:    O(1) a step of at most 1/500 s.
#include "scene/host/family.h"

#include <string.h>

#define AT_ONCE 1000.0f   // a rate that means: at once [1/s]
#define STEP_MOST 0.002f  // [s]
#define LOW_SPEED 0.05f   // slower than this it counts as at standstill [m/s]
#define BRAKE_FRONT 0.6f  // share of the brakes on the front axle [1]
#define SLIDES_WITH 0.85f // grip of a locked or spinning wheel, over that of a rolling one [1]
#define OVERHANG 0.3f     // of the bumpers beyond the axles [wheelbase]
#define RANDOM_STREAM 29u // of the family

// --------------------------------------------------------------------------- drawing one

static float family_between(kerb_random* random, float min, float max) {
    return kerb_random_between(random, min, max);
}

// Evenly in the logarithm: as many hosts from 0.3 to 1 as from 3 to 10.
static float family_between_log(kerb_random* random, float min, float max) {
    float octaves = family_between(random, 0.0f, 1.0f);
    // min · (max/min)^octaves by halving: no exponential function in kerb/math.h.
    float low = min, high = max;
    for (int32_t i = 0; i < 20; i++) {
        float middle = kerb_sqrt(low * high);
        octaves *= 2.0f;
        if (octaves >= 1.0f) {
            octaves -= 1.0f;
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool family_chance(kerb_random* random, float share) {
    return kerb_random_unit(random) < share;
}

static void family_draw_body(kerb_random* random, kerb_family_truth* t) {
    t->wheelbase = family_chance(random, 0.6f) ? family_between(random, 2.2f, 3.2f)
                                               : family_between_log(random, 0.3f, 9.0f);
    t->rear_to_mass = family_between(random, 0.4f, 0.6f) * t->wheelbase;
    // Up to a metre beyond an axle, and never beyond the bumpers.
    float beyond = kerb_min(1.0f, OVERHANG * t->wheelbase);
    t->rear_to_point = family_chance(random, 0.5f)
                           ? t->rear_to_mass
                           : family_between(random, -beyond, t->wheelbase + beyond);
    t->gyration = family_between(random, 0.4f, 1.6f);
    t->mass =
        60.0f * t->wheelbase * t->wheelbase * t->wheelbase * family_between(random, 0.5f, 1.5f);
    t->mass_height = family_between(random, 0.1f, 0.25f) * t->wheelbase;
    t->rear_steering = family_chance(random, 0.1f);
}

static void family_draw_steering(kerb_random* random, kerb_family_truth* t) {
    t->lock = family_between(random, 0.3f, 0.8f);
    t->lock_share = family_chance(random, 0.5f) ? 1.0f : family_between(random, 0.25f, 1.0f);
    t->lock_speed = family_between(random, 8.0f, 30.0f) * kerb_sqrt(t->wheelbase / 2.7f);
    t->wheel_rate = family_chance(random, 0.2f) ? AT_ONCE : family_between_log(random, 0.3f, 10.0f);
    t->delay = family_chance(random, 0.2f) ? 0.0f : family_between(random, 0.0f, 0.25f);
    t->tells_delay = family_chance(random, 0.5f);
    t->tells_wheels = family_chance(random, 0.5f);
    t->exponent = family_chance(random, 0.7f) ? 1.0f : family_between(random, 0.7f, 1.6f);
    bool smooths = family_chance(random, 0.4f);
    t->rise_rate = smooths ? family_between_log(random, 1.5f, 10.0f) : AT_ONCE;
    t->fall_rate = smooths ? family_between_log(random, 1.5f, 10.0f) : AT_ONCE;
    t->trim = family_chance(random, 0.5f) ? 0.0f : family_between(random, -0.1f, 0.1f);
    t->dead_band = family_chance(random, 0.7f) ? 0.0f : family_between(random, 0.0f, 0.03f);
}

static void family_draw_tyres(kerb_random* random, kerb_family_truth* t) {
    t->tyre = kerb_random_below(random, KERB_FAMILY_TYRES);
    t->grip = family_between(random, 0.2f, 1.3f);
    t->slip_angle = t->tyre == KERB_FAMILY_STIFF  ? family_between(random, 0.035f, 0.07f)
                    : t->tyre == KERB_FAMILY_SOFT ? family_between(random, 0.17f, 0.28f)
                                                  : family_between(random, 0.08f, 0.17f);
    t->falls_to = family_between(random, 0.70f, 0.85f);
    t->downforce = family_chance(random, 0.2f) ? family_between(random, 0.0005f, 0.004f) : 0.0f;
    t->anti_lock = family_chance(random, 0.5f);
    t->traction_control = family_chance(random, 0.5f);
    t->stability_control = family_chance(random, 0.25f);
}

static void family_draw_drive(kerb_random* random, kerb_family_truth* t) {
    float scale = kerb_sqrt(t->wheelbase / 2.7f); // speeds of small vehicles are smaller
    t->acceleration = family_between(random, 1.0f, 9.0f);
    t->speed_max = family_between(random, 15.0f, 70.0f) * scale;
    t->reverse_speed_max = family_between(random, 3.0f, 15.0f) * scale;
    // What the driven axle can hold decides which power is of use.
    float held = t->tyre == KERB_FAMILY_NO_TYRES ? t->acceleration : 0.4f * t->grip * KERB_GRAVITY;
    t->power = kerb_min(t->acceleration, held) * t->speed_max * family_between(random, 0.2f, 0.5f);
    t->braking = family_between(random, 2.0f, 15.0f);
    t->rolling = family_between(random, 0.05f, 0.4f);
    // Drag such that the power holds the greatest speed.
    float resistance = t->power / t->speed_max - t->rolling;
    t->drag = kerb_max(resistance, 0.05f) / (t->speed_max * t->speed_max);
    t->gears = family_chance(random, 0.5f) ? 3 + kerb_random_below(random, 5) : 0;
    t->shift_pause = family_chance(random, 0.5f) ? 0.0f : family_between(random, 0.05f, 0.6f);
    t->creep_speed =
        family_chance(random, 0.3f) ? family_between(random, 0.5f, 2.0f) * scale : 0.0f;
    t->neutral_at_rest = family_chance(random, 0.3f);
    t->brake_reverses = family_chance(random, 0.25f);
    t->handbrake_holds = t->creep_speed > 0.0f && family_chance(random, 0.3f);
}

static void family_draw_frames(kerb_random* random, kerb_family_truth* t) {
    if (family_chance(random, 0.1f)) { // controls are held from call to call
        t->frame_min = 1.0f / family_between(random, 5.0f, 10.0f);
        t->frame_max = t->frame_min;
        return;
    }
    float hz = family_between_log(random, 15.0f, 240.0f);
    t->uneven = family_chance(random, 0.3f);
    t->frame_min = 1.0f / hz;
    t->frame_max =
        t->uneven ? kerb_min(family_between(random, 1.0f, 3.0f) / hz, 0.1f) : t->frame_min;
    t->frame_max = kerb_max(t->frame_max, t->frame_min);
}

// The description: true, but for what the host does not know or does not tell.
static kerb_vehicle family_tell(const kerb_family_truth* t) {
    kerb_vehicle v = kerb_vehicle_default();
    v.length = (1.0f + 2.0f * OVERHANG) * t->wheelbase;
    v.width = 0.6f * t->wheelbase;
    v.wheelbase = t->wheelbase;
    v.reference_to_rear_axle = t->rear_to_point; // also where the rear wheels steer
    v.reference_to_front = (1.0f + OVERHANG) * t->wheelbase - t->rear_to_point;
    v.mass = t->mass;
    v.steering_angle_max = t->lock;
    v.steering_rate_max = kerb_min(t->wheel_rate, 20.0f);
    v.steering_delay = t->tells_delay ? t->delay : 0.0f;
    v.throttle_delay = v.steering_delay;
    v.understeer_gradient = 0.0f;
    v.speed_max = t->speed_max;
    v.reverse_speed_max = t->reverse_speed_max;
    float grip = t->tyre == KERB_FAMILY_NO_TYRES ? 1.0f : t->grip;
    float most = grip * KERB_GRAVITY;
    v.acceleration_max = kerb_min(t->acceleration, 0.55f * most);
    v.reverse_acceleration_max = v.acceleration_max;
    v.power = t->power * t->mass;
    v.braking_max = kerb_min(t->braking, 0.95f * most);
    v.coasting_deceleration = t->rolling;
    v.drag = t->drag;
    v.downforce = t->downforce;
    v.lateral_acceleration_max = 0.95f * most;
    return v;
}

void kerb_family_host_make(kerb_family_host* host, uint64_t seed) {
    memset(host, 0, sizeof *host);
    kerb_random random = kerb_random_make(seed, RANDOM_STREAM);
    kerb_family_truth* t = &host->truth;
    family_draw_body(&random, t);
    family_draw_steering(&random, t);
    family_draw_tyres(&random, t);
    family_draw_drive(&random, t);
    family_draw_frames(&random, t);
    t->throttle_exponent = t->brake_exponent = 1.0f;
    host->vehicle = family_tell(t);
    host->random = random;
    host->gear = t->neutral_at_rest ? 0 : 1;
    host->applied = kerb_controls_safe(KERB_REASON_NONE);
    kerb_family_put(host, (kerb_vec3){0}, 0.0f, 0.0f);
}

void kerb_family_add_pedals(kerb_family_host* host, uint64_t seed) {
    kerb_random random = kerb_random_make(seed, RANDOM_STREAM + 2u);
    kerb_family_truth* t = &host->truth;
    if (family_chance(&random, 0.4f))
        t->throttle_exponent = family_between(&random, 0.6f, 1.7f);
    if (family_chance(&random, 0.4f))
        t->brake_exponent = family_between(&random, 0.7f, 1.5f);
    if (family_chance(&random, 0.4f))
        t->throttle_lag = family_between(&random, 0.05f, 0.3f);
    if (family_chance(&random, 0.4f))
        t->brake_lag = family_between(&random, 0.03f, 0.15f);
    if (family_chance(&random, 0.6f))
        t->drive_tilt = family_between(&random, -0.3f, 0.3f);
}

kerb_vehicle kerb_family_wrong_vehicle(const kerb_family_host* host, uint64_t seed, float share) {
    kerb_random random = kerb_random_make(seed, RANDOM_STREAM + 1u);
    kerb_vehicle v = host->vehicle;
    float* const fields[] = {&v.power,       &v.lateral_acceleration_max,
                             &v.braking_max, &v.acceleration_max,
                             &v.drag,        &v.coasting_deceleration};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i] *= 1.0f + family_between(&random, -share, share);
    return v;
}

void kerb_family_put(kerb_family_host* host, kerb_vec3 position, float heading, float speed) {
    float sine, cosine;
    kerb_sin_cos(heading, &sine, &cosine);
    float ahead = host->truth.rear_to_point - host->truth.rear_to_mass;
    host->x = (double)position.x - (double)(ahead * cosine);
    host->y = (double)position.y - (double)(ahead * sine);
    host->heading = heading;
    host->forward = speed;
    host->side = host->yaw_rate = host->acceleration = 0.0f;
}

float kerb_family_frame(kerb_family_host* host) {
    const kerb_family_truth* t = &host->truth;
    return t->uneven ? family_between(&host->random, t->frame_min, t->frame_max) : t->frame_min;
}

// --------------------------------------------------------------------------- controls

static void family_command(kerb_family_host* host, const kerb_controls* controls) {
    int32_t slot = host->command_count++ % KERB_FAMILY_COMMANDS;
    host->commands[slot] = *controls;
    host->command_time[slot] = host->time;
}

// The newest command that is as old as the delay.
static void apply_delay(kerb_family_host* host) {
    int32_t kept =
        host->command_count < KERB_FAMILY_COMMANDS ? host->command_count : KERB_FAMILY_COMMANDS;
    for (int32_t i = 1; i <= kept; i++) {
        int32_t slot = (host->command_count - i) % KERB_FAMILY_COMMANDS;
        if (host->command_time[slot] <= host->time - (double)host->truth.delay + 1.0e-6) {
            host->applied = host->commands[slot];
            return;
        }
    }
}

static float lock_at(const kerb_family_truth* t, float speed) {
    float square = speed * speed, half = t->lock_speed * t->lock_speed;
    return t->lock * (1.0f - (1.0f - t->lock_share) * square / (square + half));
}

// x^exponent, without the exponential function, which kerb/math.h does not have.
static float power_of(float x, float exponent) {
    if (exponent == 1.0f || x <= 0.0f)
        return x;
    // The binary digits of the exponent say which roots are multiplied.
    float result = 1.0f, root = x;
    int32_t whole = (int32_t)exponent;
    for (int32_t i = 0; i < whole; i++)
        result *= x;
    float rest = exponent - (float)whole;
    for (int32_t i = 0; i < 12; i++) {
        root = kerb_sqrt(root);
        rest *= 2.0f;
        if (rest >= 1.0f) {
            result *= root;
            rest -= 1.0f;
        }
    }
    return result;
}

// Wheel angle that an input asks for. [rad]
static float angle_for(const kerb_family_truth* t, float input, float speed) {
    float size = kerb_abs(input);
    size = t->dead_band > 0.0f ? kerb_max(size - t->dead_band, 0.0f) / (1.0f - t->dead_band) : size;
    float share = power_of(size, t->exponent);
    return lock_at(t, speed) * (input < 0.0f ? -share : share) + t->trim * t->lock;
}

static float family_towards(float from, float to, float step) {
    return from + kerb_clamp(to - from, -step, step);
}

static void family_steer(kerb_family_host* host, float step) {
    const kerb_family_truth* t = &host->truth;
    float wanted = kerb_clamp(host->applied.steering, -1.0f, 1.0f);
    bool rises = kerb_abs(wanted) > kerb_abs(host->input) && wanted * host->input >= 0.0f;
    host->input = family_towards(host->input, wanted, (rises ? t->rise_rate : t->fall_rate) * step);
    float angle = angle_for(t, host->input, host->forward);
    host->wheel =
        t->wheel_rate >= AT_ONCE ? angle : family_towards(host->wheel, angle, t->wheel_rate * step);
}

// --------------------------------------------------------------------------- drive

// The force of a pedal: by its exponent, and late by its lag. A force that fades away ends.
static float pedal_force(float* pressed, float pedal, float exponent, float lag, float step) {
    float size = power_of(kerb_abs(pedal), exponent), wanted = pedal < 0.0f ? -size : size;
    *pressed += (wanted - *pressed) * step / (lag + step);
    if (wanted == 0.0f && kerb_abs(*pressed) < 0.005f)
        *pressed = 0.0f;
    return lag > 0.0f ? *pressed : wanted;
}

// The throttle that it obeys, -1 … 1, forwards positive, and the brake.
static void pedals_of(kerb_family_host* host, float* drive, float* brake) {
    const kerb_controls* c = &host->applied;
    if (host->truth.brake_reverses) {
        float signed_pedal = kerb_controls_signed_throttle(c, host->forward);
        bool rolls_on = signed_pedal * host->forward < -0.1f;
        *drive = rolls_on ? 0.0f : signed_pedal;
        *brake = rolls_on ? kerb_abs(signed_pedal) : 0.0f;
        return;
    }
    float direction = c->gear < 0 ? -1.0f : c->gear > 0 ? 1.0f : 0.0f;
    if (direction * host->forward < -1.0f) // the box refuses it while it rolls the other way
        direction = 0.0f;
    *drive = direction * kerb_clamp(c->throttle, 0.0f, 1.0f) *
             (1.0f - kerb_clamp(c->clutch, 0.0f, 1.0f));
    *brake = kerb_clamp(c->brake, 0.0f, 1.0f);
}

// The forward gear for a speed. It changes down later than up, or it would hunt.
static int32_t forward_gear(const kerb_family_host* host) {
    const kerb_family_truth* t = &host->truth;
    if (t->gears <= 1)
        return 1;
    float gear_range = t->speed_max / (float)t->gears, speed = kerb_max(host->forward, 0.0f);
    int32_t gear = host->gear > 0 ? host->gear : 1;
    if (speed > gear_range * (float)gear && gear < t->gears)
        return gear + 1;
    if (speed < 0.7f * gear_range * (float)(gear - 1))
        return gear - 1;
    return gear;
}

// The gear of the automatic, and the pause at its shifts.
static void family_shift(kerb_family_host* host, float direction, float step) {
    const kerb_family_truth* t = &host->truth;
    host->pause = kerb_max(host->pause - step, 0.0f);
    int32_t gear = host->gear;
    if (kerb_abs(host->forward) < LOW_SPEED && direction == 0.0f && t->neutral_at_rest)
        gear = 0;
    else if (direction < 0.0f)
        gear = -1;
    else if (direction > 0.0f || gear > 0)
        gear = forward_gear(host);
    if (gear != host->gear && host->gear > 0 && gear > 0)
        host->pause = t->shift_pause;
    host->gear = gear;
}

// Acceleration that engine and creep give along the body. [m/s²]
static float drive_of(kerb_family_host* host, float drive, float brake, float step) {
    const kerb_family_truth* t = &host->truth;
    float direction = drive > 0.0f ? 1.0f : drive < 0.0f ? -1.0f : 0.0f;
    family_shift(host, direction, step);
    if (host->pause > 0.0f)
        return 0.0f;
    float speed = kerb_abs(host->forward);
    float push = kerb_min(t->acceleration + t->rolling, t->power / kerb_max(speed, 0.1f));
    if (drive < 0.0f && -host->forward >= t->reverse_speed_max)
        push = 0.0f;
    if (drive > 0.0f && host->forward >= t->speed_max)
        push = 0.0f;
    push *= 1.0f + t->drive_tilt * (1.0f - 2.0f * kerb_min(speed / t->speed_max, 1.0f));
    float acceleration = drive * push;
    bool in_gear = host->applied.gear != 0 || t->brake_reverses;
    if (t->creep_speed > 0.0f && in_gear && drive == 0.0f &&
        (brake < 0.05f || t->handbrake_holds)) {
        float way = host->applied.gear < 0 && !t->brake_reverses ? -1.0f : 1.0f;
        float lacks = t->creep_speed - way * host->forward;
        acceleration += way * kerb_clamp(2.0f * lacks, 0.0f, 0.6f + t->rolling);
    }
    return acceleration;
}

// --------------------------------------------------------------------------- tyres

// Lateral force over the greatest one, at a slip angle over that of the greatest force. [0 … 1]
static float tyre_curve(const kerb_family_truth* t, float x) {
    if (t->tyre == KERB_FAMILY_FLAT)
        return x / kerb_sqrt(0.2f + x * x);
    float rises = 2.0f * x / (1.0f + x * x); // greatest at 1
    if (x <= 1.0f)
        return rises;
    float least = t->tyre == KERB_FAMILY_PEAKED ? t->falls_to : 0.95f;
    return least + (1.0f - least) * rises;
}

typedef struct family_axle {
    float from_mass; // forward [m]
    float angle;     // of its wheels [rad]
    float load;      // over the mass [m/s²]
    float pull;      // wanted along its wheels, over the mass [m/s²]
    bool slides;     // its wheels are locked or spin
} family_axle;

static float grip_of(const kerb_family_host* host) {
    return host->truth.grip * (1.0f - host->ground.grip_lost);
}

// Forces of an axle in the body's axes, over the mass. `inverse`: change of its lateral velocity
// per such force. [m/s²]
static kerb_vec2 axle_force(const kerb_family_host* host, const family_axle* axle, float inverse,
                            float step) {
    const kerb_family_truth* t = &host->truth;
    float sine, cosine;
    kerb_sin_cos(axle->angle, &sine, &cosine);
    float side = host->side + axle->from_mass * host->yaw_rate;
    float along = host->forward * cosine + side * sine;
    float across = side * cosine - host->forward * sine;
    float most = grip_of(host) * axle->load;
    float pull = kerb_clamp(axle->pull, -most, most);
    if (axle->slides) {
        float speed = kerb_sqrt(along * along + across * across) + 1.0e-3f;
        float share = SLIDES_WITH * most / speed;
        share = kerb_min(share, 0.5f / step);
        // Locked wheels are dragged along; spinning ones still push.
        bool spin = along * axle->pull > 0.0f;
        float push = axle->pull > 0.0f ? SLIDES_WITH * most : -SLIDES_WITH * most;
        float x = spin ? push : -share * along;
        float y = -share * across;
        return (kerb_vec2){x * cosine - y * sine, x * sine + y * cosine};
    }
    float lateral = kerb_sqrt(kerb_max(most * most - pull * pull, 0.0f));
    float slip = kerb_atan2(kerb_abs(across), kerb_abs(along) + 0.05f) / t->slip_angle;
    float force = lateral * tyre_curve(t, slip);
    float damping = force / kerb_max(kerb_abs(across), 1.0e-4f); // secant
    float y = -damping * across / (1.0f + damping * step * inverse);
    return (kerb_vec2){pull * cosine - y * sine, pull * sine + y * cosine};
}

// What an axle asks of its tyres along the wheels, and whether they give it.
static void load_axle(const kerb_family_host* host, family_axle* axle, float brake, float drive) {
    const kerb_family_truth* t = &host->truth;
    float rolls = host->forward > 0.0f ? -1.0f : 1.0f;
    axle->pull = drive + rolls * brake;
    float most = grip_of(host) * axle->load;
    bool brakes = brake > kerb_abs(drive);
    bool aided = brakes ? t->anti_lock : t->traction_control;
    if (kerb_abs(axle->pull) <= 0.98f * most)
        return;
    if (aided)
        axle->pull = kerb_clamp(axle->pull, -0.9f * most, 0.9f * most);
    else
        axle->slides = kerb_abs(host->forward) > 0.5f;
}

// --------------------------------------------------------------------------- motion

// Without tyres: the axle that follows never moves sideways.
static void family_roll(kerb_family_host* host, float acceleration, float step) {
    const kerb_family_truth* t = &host->truth;
    host->forward += acceleration * step;
    float turn = kerb_tan(host->wheel) / t->wheelbase;
    host->yaw_rate = host->forward * turn;
    float followed = t->rear_steering ? t->wheelbase - t->rear_to_mass : -t->rear_to_mass;
    host->side = -followed * host->yaw_rate;
}

// Deceleration of brakes and resistance, which only stop.
static float resist(const kerb_family_host* host, float brake) {
    const kerb_family_truth* t = &host->truth;
    float square = host->forward * host->forward;
    return brake + t->rolling + t->drag * square;
}

static float slow_by(float speed, float deceleration, float step) {
    float change = deceleration * step;
    return speed > 0.0f ? kerb_max(speed - change, 0.0f) : kerb_min(speed + change, 0.0f);
}

static void family_slide(kerb_family_host* host, float drive, float brake, float step) {
    const kerb_family_truth* t = &host->truth;
    float ahead = t->wheelbase - t->rear_to_mass, behind = t->rear_to_mass;
    float inertia = t->gyration * ahead * behind; // over the mass [m²]
    float weight = KERB_GRAVITY + host->ground.load + t->downforce * host->forward * host->forward;
    float moved = host->acceleration * t->mass_height / t->wheelbase;
    family_axle front = {.from_mass = ahead,
                         .angle = t->rear_steering ? 0.0f : host->wheel,
                         .load = kerb_max(weight * behind / t->wheelbase - moved, 0.1f)};
    family_axle rear = {.from_mass = -behind,
                        .angle = t->rear_steering ? -host->wheel : 0.0f,
                        .load = kerb_max(weight * ahead / t->wheelbase + moved, 0.1f)};
    load_axle(host, &front, BRAKE_FRONT * brake, 0.0f);
    load_axle(host, &rear, (1.0f - BRAKE_FRONT) * brake, drive);
    kerb_vec2 f = axle_force(host, &front, 1.0f + ahead * ahead / inertia, step);
    kerb_vec2 r = axle_force(host, &rear, 1.0f + behind * behind / inertia, step);
    float moment = ahead * f.y - behind * r.y;
    if (t->stability_control) { // brakes one side where it turns more than its grip allows
        float most = grip_of(host) * weight / kerb_max(kerb_abs(host->forward), 1.0f);
        float much = host->yaw_rate - kerb_clamp(host->yaw_rate, -most, most);
        moment -= kerb_clamp(8.0f * much * inertia, -0.2f * grip_of(host) * weight * ahead,
                             0.2f * grip_of(host) * weight * ahead);
    }
    float forward = host->forward;
    float accelerates = f.x + r.x + host->yaw_rate * host->side + host->ground.forward;
    float sideways = f.y + r.y - host->yaw_rate * forward + host->ground.left;
    host->forward += accelerates * step;
    if (brake > 0.0f && forward * host->forward < 0.0f && drive == 0.0f)
        host->forward = 0.0f; // brakes stop, and do not push back
    host->forward = slow_by(host->forward, resist(host, 0.0f), step);
    host->side += sideways * step;
    host->yaw_rate += moment / inertia * step;
}

static void sub_step(kerb_family_host* host, float step) {
    const kerb_family_truth* t = &host->truth;
    host->time += (double)step;
    apply_delay(host);
    family_steer(host, step);
    float drive, brake;
    pedals_of(host, &drive, &brake);
    drive = pedal_force(&host->drive_pressed, drive, t->throttle_exponent, t->throttle_lag, step);
    brake = pedal_force(&host->brake_pressed, brake, t->brake_exponent, t->brake_lag, step);
    if (host->applied.handbrake)
        brake = kerb_max(brake, 0.6f);
    float push = drive_of(host, drive, brake, step), before = host->forward;
    bool holds = host->applied.handbrake || !t->handbrake_holds;
    float brakes = brake * t->braking * (holds || kerb_abs(before) > 0.3f ? 1.0f : 0.0f);
    bool rests = kerb_abs(before) < LOW_SPEED && kerb_abs(push) <= brakes + t->rolling;
    if (rests || t->tyre == KERB_FAMILY_NO_TYRES) {
        family_roll(host, push + (rests ? 0.0f : host->ground.forward), step);
        host->forward = slow_by(host->forward, resist(host, brakes), step);
        family_roll(host, 0.0f, step);
    } else {
        family_slide(host, push, brakes, step);
    }
    float share = step / (step + 0.05f); // springs even the shift of the load out
    host->acceleration += share * ((host->forward - before) / step - host->acceleration);
    float sine, cosine;
    kerb_sin_cos(host->heading + 0.5f * host->yaw_rate * step, &sine, &cosine);
    host->x += (double)((host->forward * cosine - host->side * sine) * step);
    host->y += (double)((host->forward * sine + host->side * cosine) * step);
    host->heading = kerb_wrap_angle(host->heading + host->yaw_rate * step);
}

void kerb_family_step(kerb_family_host* host, const kerb_controls* controls, float time_step) {
    family_command(host, controls);
    int32_t count = 1 + (int32_t)(time_step / STEP_MOST);
    for (int32_t i = 0; i < count; i++)
        sub_step(host, time_step / (float)count);
}

kerb_motion kerb_family_motion(const kerb_family_host* host) {
    const kerb_family_truth* t = &host->truth;
    kerb_motion motion = kerb_motion_default();
    float sine, cosine, ahead = t->rear_to_point - t->rear_to_mass;
    kerb_sin_cos(host->heading, &sine, &cosine);
    motion.position = (kerb_vec3){(float)(host->x + (double)(ahead * cosine)),
                                  (float)(host->y + (double)(ahead * sine)), 0.0f};
    motion.rotation = kerb_quat_from_heading(host->heading);
    float side = host->side + ahead * host->yaw_rate;
    motion.velocity = (kerb_vec3){host->forward * cosine - side * sine,
                                  host->forward * sine + side * cosine, 0.0f};
    motion.angular_velocity = (kerb_vec3){0.0f, 0.0f, host->yaw_rate};
    motion.steering = t->tells_wheels ? kerb_clamp(host->wheel / t->lock, -1.0f, 1.0f) : 0.0f;
    motion.gear = host->gear > 0 ? 1 : host->gear;
    if (t->neutral_at_rest && host->pause > 0.0f)
        motion.gear = 0;
    return motion;
}

float kerb_family_curvature(const kerb_family_host* host, float command, float speed) {
    const kerb_family_truth* t = &host->truth;
    return kerb_tan(angle_for(t, kerb_clamp(command, -1.0f, 1.0f), speed)) / t->wheelbase;
}
