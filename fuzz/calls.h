// Turns any bytes into a sequence of calls of one driver: healthy driving, and everything that a
// host can do wrongly. Shared by the targets fuzz_*_calls.c; a target says by a fuzz_subject what
// its driver is, and calls fuzz_calls.
//
// What happens, chosen by the bytes:
// - healthy frames: a simple kinematic vehicle obeys the controls;
// - impossible motion (NaN, infinite, huge), odd rotations, steering and gears;
// - time steps that are not positive, not finite, tiny, or very long;
// - the vehicle is put elsewhere, on its route or anywhere, and for one frame there and back;
// - neighbours and intents with any numbers, speed caps and grips, also impossible ones;
// - settings changed within their ranges, another route, the origin moved;
// - the driver copied: the copy goes on beside it, or takes its place.
//
// What is demanded: no crash and no assertion; a bound on the processor time of each call; controls
// in range; no NaN and no infinity anywhere in the driver; the same bits from a copy; and at the
// end, with default settings, put on its route at standstill, the driver drives: no BAD reason
// after a second, and `speed_least` within `seconds_most`.
#ifndef FUZZ_CALLS_H
#define FUZZ_CALLS_H

#include "fuzz/bytes.h"
#include "fuzz/demand.h"
#include "kerb/vehicle.h"

#include <math.h>
#include <string.h>
#include <time.h>

// --------------------------------------------------------------------------- bytes

static inline int32_t fuzz_below(fuzz_bytes* bytes, int32_t count) {
    return fuzz_byte(bytes) % count;
}

// A number from `min` to `max`, both included.
static inline float fuzz_between(fuzz_bytes* bytes, float min, float max) {
    return min + (max - min) * (float)fuzz_byte(bytes) / 255.0f;
}

// Any float: numbers that are known to hurt, or any bits at all. NaNs become the usual NaN, so that
// fuzz_demand_finite finds them again.
static inline float fuzz_any_float(fuzz_bytes* bytes) {
    static const float hurt[] = {0.0f,    -0.0f,   1.0f,    -1.0f,   1.0e-45f, 1.0e-30f, 1.0e-6f,
                                 0.5f,    100.0f,  1.0e3f,  1.0e6f,  -1.0e6f,  1.0e9f,   -1.0e9f,
                                 1.0e12f, 1.0e18f, 1.0e19f, 1.0e30f, -1.0e30f, 3.4e38f,  -3.4e38f};
    const int32_t count = (int32_t)(sizeof hurt / sizeof *hurt);
    int32_t pick = fuzz_below(bytes, count + 5);
    if (pick < count)
        return hurt[pick];
    if (pick == count)
        return NAN;
    if (pick == count + 1)
        return INFINITY;
    if (pick == count + 2)
        return -INFINITY;
    uint32_t bits = 0;
    for (int32_t i = 0; i < 4; i++)
        bits = bits << 8 | fuzz_byte(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value == value ? value : NAN;
}

static inline kerb_vec3 fuzz_any_vec3(fuzz_bytes* bytes) {
    float x = fuzz_any_float(bytes), y = fuzz_any_float(bytes), z = fuzz_any_float(bytes);
    return (kerb_vec3){x, y, z};
}

// Sets one setting of a table to a number within its range; the struct stays valid for the table.
static inline void fuzz_change_setting(fuzz_bytes* bytes, const kerb_settings_table* table,
                                       void* settings) {
    const kerb_setting* setting = &table->settings[fuzz_below(bytes, table->count)];
    float value = fuzz_between(bytes, setting->min, setting->max);
    if (setting->type != KERB_SETTING_FLOAT)
        value = floorf(value);
    kerb_settings_set(setting, settings, value, NULL);
}

// --------------------------------------------------------------------------- what is demanded

// One of the NaNs and infinities that arithmetic makes, as a float or as the upper half of a
// double.
static inline bool fuzz_is_bad_word(uint32_t word) {
    return (word & 0x7fffffffu) == 0x7f800000u || (word & 0x7fffffffu) == 0x7fc00000u ||
           (word & 0x7fffffffu) == 0x7ff00000u || (word & 0x7fffffffu) == 0x7ff80000u;
}

// No word of the memory is NaN or infinite. The words of whole numbers do not look like that; the
// lower halves of doubles may: `doubles` are the offsets of all of them, in rising order.
static inline void fuzz_demand_finite_but(const void* memory, size_t bytes, const size_t* doubles,
                                          int32_t count) {
    int32_t next = 0;
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        if (next < count && doubles[next] == i) {
            double value;
            memcpy(&value, (const uint8_t*)memory + i, sizeof value);
            if (!(value - value == 0.0))
                fprintf(stderr, "the double at byte %zu of the driver is %g\n", i, value);
            FUZZ_DEMAND(value - value == 0.0);
            next++;
            i += 4;
            continue;
        }
        uint32_t word;
        memcpy(&word, (const uint8_t*)memory + i, sizeof word);
        if (fuzz_is_bad_word(word))
            fprintf(stderr, "byte %zu of the driver is NaN or infinite\n", i);
        FUZZ_DEMAND(!fuzz_is_bad_word(word));
    }
}

static inline void fuzz_demand_finite(const void* memory, size_t bytes) {
    fuzz_demand_finite_but(memory, bytes, NULL, 0);
}

static inline void fuzz_demand_controls(const kerb_controls* c) {
    FUZZ_DEMAND(c->throttle >= 0.0f && c->throttle <= 1.0f);
    FUZZ_DEMAND(c->brake >= 0.0f && c->brake <= 1.0f);
    FUZZ_DEMAND(c->steering >= -1.0f && c->steering <= 1.0f);
    FUZZ_DEMAND(c->clutch >= 0.0f && c->clutch <= 1.0f);
    FUZZ_DEMAND(c->gear >= -1 && c->gear <= KERB_GEARS_MAX);
    FUZZ_DEMAND(c->pitch >= -1.0f && c->pitch <= 1.0f && c->roll >= -1.0f && c->roll <= 1.0f);
    FUZZ_DEMAND(c->yaw >= -1.0f && c->yaw <= 1.0f && c->lift >= -1.0f && c->lift <= 1.0f);
    FUZZ_DEMAND((int32_t)c->reason >= 0 && c->reason < KERB_REASON_COUNT);
}

static inline bool fuzz_same_bits(float a, float b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static inline void fuzz_demand_same_controls(const kerb_controls* a, const kerb_controls* b) {
    FUZZ_DEMAND(fuzz_same_bits(a->throttle, b->throttle) && fuzz_same_bits(a->brake, b->brake));
    FUZZ_DEMAND(fuzz_same_bits(a->steering, b->steering) && fuzz_same_bits(a->clutch, b->clutch));
    FUZZ_DEMAND(fuzz_same_bits(a->pitch, b->pitch) && fuzz_same_bits(a->roll, b->roll));
    FUZZ_DEMAND(fuzz_same_bits(a->yaw, b->yaw) && fuzz_same_bits(a->lift, b->lift));
    FUZZ_DEMAND(a->gear == b->gear && a->handbrake == b->handbrake && a->reason == b->reason);
}

// --------------------------------------------------------------------------- the vehicle

// A bicycle without tyres on flat ground: the healthy host.
typedef struct fuzz_vehicle {
    kerb_vehicle vehicle;
    kerb_vec3 position; // of the reference point [m]
    float heading;      // [rad]
    float speed;        // along the body [m/s]
    float turning;      // yaw rate [rad/s]
    float steering;     // of the wheels, share of the lock [-1 … 1]
    int32_t gear;
} fuzz_vehicle;

// Changes what is beyond its range, as a host's own drive does.
static inline float fuzz_pedal(float value) {
    return value >= 0.0f ? kerb_min(value, 1.0f) : 0.0f;
}

static inline void fuzz_vehicle_speed(fuzz_vehicle* car, const kerb_controls* controls,
                                      float time_step) {
    const kerb_vehicle* v = &car->vehicle;
    float throttle = fuzz_pedal(controls->throttle) * (1.0f - fuzz_pedal(controls->clutch));
    float brake = controls->handbrake ? 1.0f : fuzz_pedal(controls->brake);
    float pull = 0.0f;
    if (car->gear > 0)
        pull = throttle * v->acceleration_max * (1.0f - car->speed / v->speed_max);
    if (car->gear < 0)
        pull = -throttle * v->reverse_acceleration_max * (1.0f + car->speed / v->reverse_speed_max);
    car->speed += pull * time_step;
    float slows = (brake * v->braking_max + v->coasting_deceleration) * time_step;
    car->speed =
        car->speed > 0.0f ? kerb_max(car->speed - slows, 0.0f) : kerb_min(car->speed + slows, 0.0f);
}

static inline void fuzz_vehicle_turn(fuzz_vehicle* car, const kerb_controls* controls,
                                     float time_step) {
    const kerb_vehicle* v = &car->vehicle;
    float wish = kerb_clamp(controls->steering, -1.0f, 1.0f);
    if (v->kind != KERB_VEHICLE_WHEELED) {
        float step = v->yaw_acceleration_max * time_step;
        car->turning += kerb_clamp(wish * v->yaw_rate_max - car->turning, -step, step);
        car->steering = 0.0f;
        return;
    }
    float step = v->steering_rate_max / v->steering_angle_max * time_step;
    car->steering += kerb_clamp(wish - car->steering, -step, step);
    float curvature = kerb_tan(car->steering * v->steering_angle_max) / v->wheelbase;
    float pace = kerb_abs(car->speed);
    float most = v->lateral_acceleration_max / kerb_max(pace * pace, 0.01f);
    car->turning = car->speed * kerb_clamp(curvature, -most, most);
}

// One frame of the vehicle, in steps of at most 1/60 s. Ground vehicles only; targets with others
// give their own.
static inline void fuzz_vehicle_move(fuzz_vehicle* car, const kerb_controls* controls,
                                     float time_step) {
    car->gear = controls->gear;
    int32_t count = 1 + (int32_t)(time_step * 60.0f);
    float step = time_step / (float)count;
    for (int32_t i = 0; i < count; i++) {
        fuzz_vehicle_speed(car, controls, step);
        fuzz_vehicle_turn(car, controls, step);
        float sine, cosine, back = car->vehicle.reference_to_rear_axle;
        kerb_sin_cos(car->heading, &sine, &cosine);
        kerb_vec3 rear = {car->position.x - back * cosine, car->position.y - back * sine, 0.0f};
        kerb_sin_cos(car->heading + 0.5f * car->turning * step, &sine, &cosine);
        rear.x += car->speed * step * cosine;
        rear.y += car->speed * step * sine;
        car->heading = kerb_wrap_angle(car->heading + car->turning * step);
        kerb_sin_cos(car->heading, &sine, &cosine);
        car->position.x = rear.x + back * cosine;
        car->position.y = rear.y + back * sine;
    }
}

static inline kerb_motion fuzz_vehicle_motion(const fuzz_vehicle* car) {
    kerb_motion motion = kerb_motion_default();
    float sine, cosine, back = car->vehicle.reference_to_rear_axle;
    kerb_sin_cos(car->heading, &sine, &cosine);
    float aside = car->turning * back;
    motion.position = car->position;
    motion.rotation = kerb_quat_from_heading(car->heading);
    motion.velocity =
        (kerb_vec3){car->speed * cosine - aside * sine, car->speed * sine + aside * cosine, 0.0f};
    motion.angular_velocity = (kerb_vec3){0.0f, 0.0f, car->turning};
    motion.steering = car->steering;
    motion.gear = car->gear;
    return motion;
}

// --------------------------------------------------------------------------- hostile input

// A healthy motion with one or more numbers that no host should give.
static inline kerb_motion fuzz_hostile_motion(fuzz_bytes* bytes, kerb_motion motion) {
    int32_t what = fuzz_byte(bytes);
    if (what & 1)
        motion.position = fuzz_any_vec3(bytes);
    if (what & 2)
        motion.velocity = fuzz_any_vec3(bytes);
    if (what & 4)
        motion.angular_velocity = fuzz_any_vec3(bytes);
    if (what & 8) {
        kerb_vec3 v = fuzz_any_vec3(bytes);
        motion.rotation = (kerb_quat){v.x, v.y, v.z, fuzz_any_float(bytes)};
    }
    if (what & 16) { // in range, and not of unit length
        float scale = fuzz_between(bytes, 0.4f, 2.1f);
        kerb_quat q = motion.rotation;
        motion.rotation = (kerb_quat){q.x * scale, q.y * scale, q.z * scale, q.w * scale};
    }
    if (what & 32)
        motion.steering = fuzz_any_float(bytes);
    if (what & 64) {
        motion.engine_speed = fuzz_any_float(bytes);
        motion.wheel_slip = fuzz_any_float(bytes);
    }
    if (what & 128) {
        static const int32_t gears[] = {-1, 0, 1, 2, -2, 11, 1000000, INT32_MAX, INT32_MIN};
        motion.gear = gears[fuzz_below(bytes, (int32_t)(sizeof gears / sizeof *gears))];
    }
    return motion;
}

static inline float fuzz_hostile_step(fuzz_bytes* bytes) {
    static const float steps[] = {0.0f,   -0.0f, -1.0f, 1.0e-9f, 1.0e-5f, 1.0e-4f, 0.25f,
                                  0.251f, 1.0f,  16.0f, 999.0f,  1.0e3f,  1.0e6f,  1.0e30f};
    const int32_t count = (int32_t)(sizeof steps / sizeof *steps);
    int32_t pick = fuzz_below(bytes, count + 2);
    return pick < count ? steps[pick] : fuzz_any_float(bytes);
}

enum { FUZZ_NEIGHBOURS_MAX = 40 };

// What is around the vehicle. Pointers of `at` lead into `at` itself.
typedef struct fuzz_around {
    kerb_surroundings given;
    kerb_controls applied;
    kerb_neighbour neighbours[FUZZ_NEIGHBOURS_MAX];
    kerb_intent intents[FUZZ_NEIGHBOURS_MAX];
} fuzz_around;

static inline float fuzz_odd(fuzz_bytes* bytes, bool hostile, float min, float max) {
    return hostile && fuzz_below(bytes, 4) == 0 ? fuzz_any_float(bytes)
                                                : fuzz_between(bytes, min, max);
}

static inline void fuzz_intent(fuzz_bytes* bytes, bool hostile, const kerb_neighbour* neighbour,
                               kerb_intent* intent) {
    *intent = (kerb_intent){.count = 2 + fuzz_below(bytes, KERB_INTENT_POINTS_MAX - 1)};
    if (hostile && fuzz_below(bytes, 4) == 0)
        intent->count = fuzz_below(bytes, 2) ? INT32_MAX : -1;
    intent->spacing = fuzz_odd(bytes, hostile, 0.1f, 10.0f);
    for (int32_t i = 0; i < KERB_INTENT_POINTS_MAX; i++) {
        intent->points[i].x =
            neighbour->position.x + fuzz_odd(bytes, hostile, 0.0f, 4.0f) * (float)i;
        intent->points[i].y =
            neighbour->position.y + fuzz_odd(bytes, hostile, -1.0f, 1.0f) * (float)i;
    }
    intent->front = fuzz_odd(bytes, hostile, 0.5f, 5.0f);
    intent->rear = fuzz_odd(bytes, hostile, 0.5f, 5.0f);
    intent->width = fuzz_odd(bytes, hostile, 0.5f, 4.0f);
    intent->claimed = fuzz_odd(bytes, hostile, 0.0f, 50.0f);
    intent->yield_time = fuzz_odd(bytes, hostile, 0.0f, 20.0f);
    intent->wait = (kerb_wait){.hops = fuzz_below(bytes, 5) - (hostile ? 2 : 0),
                               .waits_for = fuzz_byte(bytes),
                               .clears = fuzz_byte(bytes),
                               .clearing_time = fuzz_odd(bytes, hostile, 0.0f, 300.0f)};
    intent->room_behind = fuzz_odd(bytes, hostile, 0.0f, 30.0f);
    intent->retreat = fuzz_odd(bytes, hostile, 0.0f, 10.0f);
    intent->asked = fuzz_odd(bytes, hostile, 0.0f, 50.0f);
    intent->stopping = fuzz_odd(bytes, hostile, 0.0f, 20.0f);
    if (intent->count >= 0 && intent->count <= KERB_INTENT_POINTS_MAX)
        kerb_intent_bound(intent);
}

static inline void fuzz_around_fill(fuzz_bytes* bytes, kerb_vec3 near, fuzz_around* around) {
    bool hostile = fuzz_below(bytes, 2) == 1;
    around->given = kerb_surroundings_default();
    around->given.speed_cap = fuzz_odd(bytes, hostile, 0.0f, 60.0f);
    around->given.grip = fuzz_odd(bytes, hostile, 0.1f, 1.5f);
    around->given.id = fuzz_byte(bytes);
    around->given.laps = fuzz_below(bytes, 4);
    around->given.wheels_on_ground = fuzz_odd(bytes, hostile, 0.0f, 1.0f);
    around->given.do_not_learn = fuzz_below(bytes, 4) == 0;
    around->applied = (kerb_controls){.gear = fuzz_below(bytes, 9) - 1,
                                      .throttle = fuzz_odd(bytes, hostile, 0.0f, 1.0f),
                                      .brake = fuzz_odd(bytes, hostile, 0.0f, 1.0f),
                                      .steering = fuzz_odd(bytes, hostile, -1.0f, 1.0f)};
    around->given.applied = fuzz_below(bytes, 4) == 0 ? &around->applied : NULL;
    around->given.player_drives = fuzz_below(bytes, 8) == 0;
    around->given.held = fuzz_below(bytes, 16) == 0;
    around->given.neighbours = around->neighbours;
    around->given.neighbour_count = fuzz_below(bytes, FUZZ_NEIGHBOURS_MAX + 1);
    for (int32_t i = 0; i < around->given.neighbour_count; i++) {
        kerb_neighbour* n = &around->neighbours[i];
        float sine, cosine;
        kerb_sin_cos(fuzz_between(bytes, -KERB_PI, KERB_PI), &sine, &cosine);
        *n = (kerb_neighbour){.id = fuzz_byte(bytes), .forward = {cosine, sine}};
        n->position.x = near.x + fuzz_odd(bytes, hostile, -40.0f, 40.0f);
        n->position.y = near.y + fuzz_odd(bytes, hostile, -40.0f, 40.0f);
        n->position.z = near.z + fuzz_odd(bytes, hostile, -1.0f, 1.0f);
        float speed = fuzz_odd(bytes, hostile, -5.0f, 40.0f);
        n->velocity = (kerb_vec3){speed * cosine, speed * sine, 0.0f};
        if (hostile && fuzz_below(bytes, 8) == 0)
            n->forward = (kerb_vec2){fuzz_any_float(bytes), fuzz_any_float(bytes)};
        n->yaw_rate = fuzz_odd(bytes, hostile, -1.0f, 1.0f);
        n->length = fuzz_odd(bytes, hostile, 0.5f, 15.0f);
        n->width = fuzz_odd(bytes, hostile, 0.3f, 3.0f);
        n->laps = fuzz_below(bytes, 4);
        n->overtake_request = fuzz_odd(bytes, hostile, 0.0f, 1.0f);
        if (fuzz_below(bytes, 3) == 0) {
            fuzz_intent(bytes, hostile, n, &around->intents[i]);
            n->intent = &around->intents[i];
        }
    }
}

// --------------------------------------------------------------------------- the sequence

// A driver under test. Every function gets `self`, the target's own struct, which holds the driver,
// its route and what else it needs. Functions marked "may be NULL" are left out where a driver has
// nothing of the kind.
typedef struct fuzz_subject {
    void* self;
    void* driver; // the driver's struct, in `self`
    size_t bytes; // of the driver's struct [<= FUZZ_DRIVER_BYTES_MAX]
    fuzz_vehicle* vehicle;
    float speed_least;    // that it reaches when it drives healthily; 0: not demanded [m/s]
    float seconds_most;   // within this time [s]
    float call_time_most; // greatest processor time of a call, with sanitizers; 0: 1 s [s]

    // Offsets of all doubles in the driver's struct, in rising order: fuzz_demand_finite_but.
    const size_t* doubles;
    int32_t double_count;

    // One frame of the driver.
    kerb_controls (*drive)(void* self, void* driver, const kerb_motion* motion,
                           const kerb_surroundings* surroundings, float time_step);
    // Puts the healthy vehicle somewhere on its route, at standstill.
    void (*place)(void* self, fuzz_bytes* bytes);
    // Changes a setting within its range. May be NULL.
    void (*change_settings)(void* self, fuzz_bytes* bytes);
    // Default settings again, and a route on which it drives when `place` puts it there. May be
    // NULL.
    void (*settle)(void* self);
    // Another route, or the same one built anew. May be NULL.
    void (*change_route)(void* self, fuzz_bytes* bytes);
    // Moves the origin of driver, route and vehicle. May be NULL.
    void (*shift_origin)(void* self, kerb_vec3 new_origin);
    // Demands more of the driver after a call. May be NULL.
    void (*check)(const void* self, const void* driver);
    // Another vehicle than the one on wheels or tracks: may be NULL.
    void (*move)(void* self, const kerb_controls* controls, float time_step);
    kerb_motion (*motion)(const void* self);
} fuzz_subject;

enum { FUZZ_DRIVER_BYTES_MAX = 1 << 17, FUZZ_CALLS_MAX = 1200 };

// The run of one input.
typedef struct fuzz_run {
    const fuzz_subject* subject;
    fuzz_bytes bytes;
    fuzz_around around;
    bool is_surrounded; // else the surroundings are NULL
    bool has_twin;      // a copy of the driver goes on beside it
    float time_step;    // of healthy frames [s]
    int32_t calls;
    kerb_controls controls;
    _Alignas(64) uint8_t twin[FUZZ_DRIVER_BYTES_MAX];
    _Alignas(64) uint8_t saved[FUZZ_DRIVER_BYTES_MAX];
    bool is_saved;
} fuzz_run;

static inline kerb_controls fuzz_call(fuzz_run* run, const kerb_motion* motion, float time_step) {
    const fuzz_subject* s = run->subject;
    const kerb_surroundings* around = run->is_surrounded ? &run->around.given : NULL;
    clock_t begin = clock();
    kerb_controls controls = s->drive(s->self, s->driver, motion, around, time_step);
    float took = (float)(clock() - begin) / (float)CLOCKS_PER_SEC;
    FUZZ_DEMAND(took <= (s->call_time_most > 0.0f ? s->call_time_most : 1.0f));
    run->calls++;
    fuzz_demand_controls(&controls);
    fuzz_demand_finite_but(s->driver, s->bytes, s->doubles, s->double_count);
    if (s->check != NULL)
        s->check(s->self, s->driver);
    if (run->has_twin) {
        kerb_controls same = s->drive(s->self, run->twin, motion, around, time_step);
        fuzz_demand_same_controls(&controls, &same);
    }
    return controls;
}

static inline kerb_motion fuzz_motion_now(const fuzz_run* run) {
    const fuzz_subject* s = run->subject;
    return s->motion != NULL ? s->motion(s->self) : fuzz_vehicle_motion(s->vehicle);
}

static inline void fuzz_healthy_frame(fuzz_run* run, float time_step) {
    const fuzz_subject* s = run->subject;
    kerb_motion motion = fuzz_motion_now(run);
    run->controls = fuzz_call(run, &motion, time_step);
    if (s->move != NULL)
        s->move(s->self, &run->controls, time_step);
    else
        fuzz_vehicle_move(s->vehicle, &run->controls, time_step);
}

static inline void fuzz_put(fuzz_run* run) {
    fuzz_vehicle* car = run->subject->vehicle;
    run->subject->place(run->subject->self, &run->bytes);
    if (fuzz_below(&run->bytes, 2) == 0)
        return;
    // Anywhere near, facing anywhere, at speed.
    car->position.x += fuzz_between(&run->bytes, -60.0f, 60.0f);
    car->position.y += fuzz_between(&run->bytes, -60.0f, 60.0f);
    car->heading = fuzz_between(&run->bytes, -KERB_PI, KERB_PI);
    car->speed = fuzz_between(&run->bytes, -0.2f, 1.0f) * car->vehicle.speed_max;
}

static inline void fuzz_copy(fuzz_run* run) {
    const fuzz_subject* s = run->subject;
    FUZZ_DEMAND(s->bytes <= sizeof run->twin);
    switch (fuzz_below(&run->bytes, 4)) {
    case 0: // the copy goes on beside it
        memcpy(run->twin, s->driver, s->bytes);
        run->has_twin = true;
        break;
    case 1: // kept for later
        memcpy(run->saved, s->driver, s->bytes);
        run->is_saved = true;
        break;
    case 2: // restored, somewhere else by now
        if (run->is_saved) {
            memcpy(s->driver, run->saved, s->bytes);
            run->has_twin = false;
        }
        break;
    default:
        run->has_twin = false;
        break;
    }
}

// The twin knows nothing of changes of its settings and of the origin.
static inline void fuzz_change(fuzz_run* run) {
    const fuzz_subject* s = run->subject;
    switch (fuzz_below(&run->bytes, 4)) {
    case 0:
        if (s->change_settings != NULL) {
            s->change_settings(s->self, &run->bytes);
            run->has_twin = false;
        }
        break;
    case 1:
        if (s->change_route != NULL)
            s->change_route(s->self, &run->bytes);
        break;
    case 2:
        if (s->shift_origin != NULL) {
            kerb_vec3 to = {fuzz_between(&run->bytes, -1.0f, 1.0f) * 2048.0f,
                            fuzz_between(&run->bytes, -1.0f, 1.0f) * 2048.0f, 0.0f};
            s->shift_origin(s->self, to);
            run->has_twin = run->is_saved = false;
        }
        break;
    default: {
        static const float steps[] = {1.0f / 60.0f, 1.0f / 20.0f, 1.0f / 120.0f, 0.1f, 0.004f};
        run->time_step = steps[fuzz_below(&run->bytes, 5)];
        break;
    }
    }
}

static inline void fuzz_healthy_frames(fuzz_run* run, int32_t count) {
    for (int32_t i = 0; i < count && run->calls < FUZZ_CALLS_MAX; i++)
        fuzz_healthy_frame(run, run->time_step);
}

static inline void fuzz_happen(fuzz_run* run) {
    fuzz_bytes* bytes = &run->bytes;
    const fuzz_subject* s = run->subject;
    kerb_motion motion = fuzz_motion_now(run);
    switch (fuzz_below(bytes, 12)) {
    case 0: // impossible motion
        motion = fuzz_hostile_motion(bytes, motion);
        run->controls = fuzz_call(run, &motion, run->time_step);
        break;
    case 1: // impossible step
        run->controls = fuzz_call(run, &motion, fuzz_hostile_step(bytes));
        break;
    case 2: // both
        motion = fuzz_hostile_motion(bytes, motion);
        run->controls = fuzz_call(run, &motion, fuzz_hostile_step(bytes));
        break;
    case 3: // put elsewhere
        fuzz_put(run);
        break;
    case 4: { // put elsewhere and back
        fuzz_vehicle before = *s->vehicle;
        fuzz_put(run);
        motion = fuzz_motion_now(run);
        fuzz_call(run, &motion, run->time_step);
        *s->vehicle = before;
        break;
    }
    case 5: // a slow frame
        fuzz_healthy_frame(run, fuzz_between(bytes, 0.05f, 3.0f));
        break;
    case 6: // tiny frames
        for (int32_t i = 0; i < 20; i++)
            fuzz_healthy_frame(run, 1.0e-4f);
        break;
    case 7:
        run->is_surrounded = fuzz_below(bytes, 4) > 0;
        fuzz_around_fill(bytes, s->vehicle->position, &run->around);
        break;
    case 8:
        fuzz_copy(run);
        break;
    case 9:
        fuzz_change(run);
        break;
    default:
        fuzz_healthy_frames(run, 1 + fuzz_byte(bytes) / 4);
        break;
    }
}

static inline bool fuzz_is_bad(kerb_reason reason) {
    return reason == KERB_REASON_BAD_MOTION || reason == KERB_REASON_BAD_STEP;
}

// After all that, in a healthy host, it drives.
static inline void fuzz_recover(fuzz_run* run) {
    const fuzz_subject* s = run->subject;
    run->has_twin = run->is_surrounded = false;
    run->time_step = 1.0f / 60.0f;
    if (s->settle != NULL)
        s->settle(s->self);
    s->place(s->self, &run->bytes);
    float reached = 0.0f;
    for (int32_t i = 0; i < (int32_t)(s->seconds_most * 60.0f) || i < 60; i++) {
        fuzz_healthy_frame(run, run->time_step);
        FUZZ_DEMAND(!fuzz_is_bad(run->controls.reason));
        kerb_motion motion = fuzz_motion_now(run);
        reached = kerb_max(reached, kerb_vec3_length(motion.velocity));
        if (i >= 60 && reached >= s->speed_least)
            break;
    }
    FUZZ_DEMAND(reached >= s->speed_least);
}

static inline void fuzz_calls(const fuzz_subject* subject, fuzz_bytes bytes) {
    static fuzz_run run; // large; one at a time
    memset(&run, 0, sizeof run);
    run.subject = subject;
    run.bytes = bytes;
    run.time_step = 1.0f / 60.0f;
    run.controls = kerb_controls_safe(KERB_REASON_NONE);
    subject->place(subject->self, &run.bytes);
    while (fuzz_has_more(&run.bytes) && run.calls < FUZZ_CALLS_MAX)
        fuzz_happen(&run);
    fuzz_recover(&run);
}

#endif
