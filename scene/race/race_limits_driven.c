// Purpose: measures the limits of a car in a physics of which only controls and motion are known.
// Idea:    The manoeuvres of race_limits.c without direct access to the car: it is driven up to the
//          speed of a measurement, and its motion gives the result. Where nothing holds the speed,
//          the wheels are turned as the speed changes, so that the lateral acceleration stays
//          constant.
// Cost:    some hours of simulated driving.
// Source:  ISO 4138 (steady-state circular driving); SAE J1263 (coasting down).
#include "scene/race/race_limits_parts.h"

#define RACE_LIMITS_DRIVEN_STEP (1.0f / 240.0f)
#define RACE_LIMITS_DRIVEN_COAST_LEAST 3.0f // slower, rolling resistance fades to rest [m/s]
#define RACE_LIMITS_DRIVEN_COAST_SECONDS 600.0f
#define RACE_LIMITS_DRIVEN_BRAKE_LEAST 2.0f // slower, wheels lock [m/s]
#define SETTLE_SECONDS 1.0f                 // after a change, until it counts
#define GAIN_LEAST 0.02f                    // less is top speed, over a second [m/s²]
#define RUN_SECONDS 120.0f                  // at full throttle at most
#define SHIFT_AT 0.97f                      // of the engine's greatest speed
#define LIMIT_AT 0.985f                     // there the limiter begins
#define RACE_LIMITS_DRIVEN_PAD_RADIUS 25.0f // of the smallest, at least [m] …
#define RACE_LIMITS_DRIVEN_PAD_TURNS 4.0f   // … and in smallest turning radii
#define RACE_LIMITS_DRIVEN_PAD_SECONDS 9.0f
#define RACE_LIMITS_DRIVEN_TURN_IN_SECONDS                                                         \
    1.5f // to the part of the grip at which getting tighter begins
#define RACE_LIMITS_DRIVEN_TURN_IN_SHARE 0.8f
#define RACE_LIMITS_DRIVEN_TIGHTER_RATE 0.04f // of the front wheels [rad/s]
#define RACE_LIMITS_DRIVEN_MEAN_SECONDS 0.1f  // over which accelerations are averaged
#define RACE_LIMITS_DRIVEN_SPIN_SLIP 0.35f    // drifting so much per speed, it no longer circles
#define ASIDE 8                               // shares of the grip at which pedals are pressed …
#define RACE_LIMITS_DRIVEN_PEDALS 16          // … in so many steps
#define PEDAL_SECONDS 2.0f
#define PEDAL_SETTLES 0.7f // of these
// Turning so much faster or slower than it goes round, or ever faster, by what holds it, it is
// about to spin or to plough: what it does then it cannot hold. [1]
#define STEADY 0.06f
#define RACE_LIMITS_DRIVEN_TURNING_TO                                                              \
    0.75f // share of the grip up to which the drag of turning is measured
#define TURNING_SECONDS 1.0f

static const kerb_sim_world race_limits_driven_empty = {.zone_count = 0};

// What is being measured, and the car in its physics.
typedef struct rig {
    const kerb_sim_model* model;
    const kerb_sim_physics* physics;
    kerb_scene_race_limits* limits;
    kerb_sim_ground road;
    void* car;
    kerb_controls controls;
    kerb_motion motion;
    float speed, side, yaw_rate; // [m/s], [rad/s]
    float slower, aside;         // along the direction of travel and across it, mean [m/s²]
    float spins_up;              // how fast the yaw rate changes, mean [rad/s²]
    float since_shift;           // [s]
} rig;

// --------------------------------------------------------------------------- driving

static int32_t steps_in(float seconds) {
    return (int32_t)(seconds / RACE_LIMITS_DRIVEN_STEP + 0.5f);
}

static void read(rig* r) {
    r->motion = r->physics->motion(r->car);
    r->speed = kerb_motion_forward_speed(&r->motion);
    r->side = kerb_vec3_dot(r->motion.velocity, kerb_quat_left(r->motion.rotation));
    r->yaw_rate = r->motion.angular_velocity.z;
}

static bool race_limits_driven_begin(rig* r, float grip) {
    const kerb_vec3 origin = {0.0f, 0.0f, 0.0f};
    r->physics->destroy(r->car);
    r->road = (kerb_sim_ground){.normal = {0.0f, 0.0f, 1.0f}, .grip = grip};
    r->controls = (kerb_controls){.gear = 1};
    r->slower = r->aside = r->spins_up = r->since_shift = 0.0f;
    r->car = r->physics->make(r->model, &race_limits_driven_empty, &r->road, origin, 0.0f, NULL);
    if (r->car == NULL)
        return false;
    read(r);
    return true;
}

static void race_limits_driven_step(rig* r) {
    float speed = r->speed, side = r->side, yaw_rate = r->yaw_rate;
    r->physics->step(r->car, &r->controls, &r->road, RACE_LIMITS_DRIVEN_STEP);
    r->limits->seconds += (double)RACE_LIMITS_DRIVEN_STEP;
    r->since_shift += RACE_LIMITS_DRIVEN_STEP;
    read(r);
    float share = RACE_LIMITS_DRIVEN_STEP / RACE_LIMITS_DRIVEN_MEAN_SECONDS,
          pace = kerb_max(r->speed, 1.0f);
    float lost = ((speed - r->speed) * r->speed + (side - r->side) * r->side) / pace /
                 RACE_LIMITS_DRIVEN_STEP;
    r->slower += (lost - r->slower) * share;
    r->aside +=
        ((r->side - side) / RACE_LIMITS_DRIVEN_STEP + r->speed * r->yaw_rate - r->aside) * share;
    r->spins_up += ((r->yaw_rate - yaw_rate) / RACE_LIMITS_DRIVEN_STEP - r->spins_up) * share;
}

static void wait(rig* r, float seconds) {
    for (int32_t i = 0; i < steps_in(seconds); i++)
        race_limits_driven_step(r);
}

static float race_limits_driven_resistance_at(const rig* r, float speed) {
    const kerb_performance* p = &r->limits->performance;
    return p->rolling + p->drag * speed * speed;
}

static int32_t race_limits_driven_gears_of(const rig* r) {
    return kerb_max(1.0f, (float)r->model->vehicle.drive_train.gear_count) > 1.0f
               ? r->model->vehicle.drive_train.gear_count
               : 1;
}

// Up to `highest`, when the engine has no more speed to give.
static void shift_up(rig* r, int32_t highest) {
    const kerb_drive_train* train = &r->model->vehicle.drive_train;
    if (train->gear_count == 0 || r->controls.gear >= highest)
        return;
    float turns = train->gear_ratio[r->controls.gear - 1] / train->wheel_radius;
    if (r->speed * turns < SHIFT_AT * train->engine_speed_max)
        return;
    r->controls.gear++;
    r->since_shift = 0.0f;
}

// Full throttle, from rest, to a speed or to all that it reaches.
static bool run_up(rig* r, float speed, float grip) {
    if (!race_limits_driven_begin(r, grip))
        return false;
    r->controls.throttle = 1.0f;
    float mark = 0.0f, since = 0.0f;
    for (int32_t i = 0; i < steps_in(RUN_SECONDS) && r->speed < speed; i++) {
        shift_up(r, race_limits_driven_gears_of(r));
        race_limits_driven_step(r);
        since = r->since_shift > SETTLE_SECONDS ? since + RACE_LIMITS_DRIVEN_STEP : 0.0f;
        if (since == 0.0f || since > 1.0f) {
            if (since > 1.0f && r->speed - mark < GAIN_LEAST)
                break;
            mark = r->speed;
            since = since > 1.0f ? RACE_LIMITS_DRIVEN_STEP : since;
        }
    }
    return true;
}

// At a speed, rolling freely.
static bool roll_at(rig* r, float speed) {
    if (!run_up(r, speed, 1.0f))
        return false;
    r->controls = (kerb_controls){.gear = 0};
    wait(r, 0.3f);
    return true;
}

// --------------------------------------------------------------------------- straight on

static void measure_top(rig* r) {
    kerb_performance* p = &r->limits->performance;
    if (!run_up(r, 1.0e6f, 1.0f))
        return;
    p->speed_max = r->speed;
    // A gear less may do better at the end.
    for (int32_t gear = race_limits_driven_gears_of(r) - 1;
         gear >= race_limits_driven_gears_of(r) - 2 && gear >= 1; gear--) {
        r->controls.gear = gear;
        wait(r, 20.0f);
        p->speed_max = kerb_max(p->speed_max, r->speed);
    }
}

static void race_limits_driven_measure_resistance(rig* r) {
    kerb_performance* p = &r->limits->performance;
    if (!roll_at(r, 0.99f * p->speed_max))
        return;
    race_fit f = {0};
    for (int32_t i = 0; i < steps_in(RACE_LIMITS_DRIVEN_COAST_SECONDS) &&
                        r->speed > RACE_LIMITS_DRIVEN_COAST_LEAST;
         i++) {
        float speed = r->speed;
        race_limits_driven_step(r);
        kerb_scene_race_fit_add(&f, speed, (speed - r->speed) / RACE_LIMITS_DRIVEN_STEP);
    }
    kerb_scene_race_fit_solve(&f, &p->rolling, &p->drag);
    p->rolling = kerb_max(p->rolling, 0.0f);
}

// Through one gear, from where those below it end or a third of its own: the greatest accelerations
// so far at even speeds `spacing` apart.
static void race_limits_driven_sweep_gear(rig* r, int32_t gear, float spacing) {
    const kerb_drive_train* train = &r->model->vehicle.drive_train;
    float from = 0.0f;
    if (gear > 1)
        from = 0.4f * train->engine_speed_max * train->wheel_radius / train->gear_ratio[gear - 1];
    if (!run_up(r, from, 1.0f))
        return;
    r->controls.throttle = 1.0f;
    r->controls.gear = gear;
    wait(r, gear > 1 ? SETTLE_SECONDS : 0.0f);
    int32_t next = (int32_t)(r->speed / spacing) + (gear > 1 ? 1 : 0);
    float half = kerb_min(0.5f, 0.4f * spacing), start = r->speed, since = 0.0f;
    for (int32_t i = 0; i < steps_in(60.0f) && next < KERB_DRIVE_COUNT - 1; i++) {
        if (r->speed <= (float)next * spacing - half) {
            since = 0.0f;
            start = r->speed;
        }
        race_limits_driven_step(r);
        since += RACE_LIMITS_DRIVEN_STEP;
        if (r->speed < (float)next * spacing + half)
            continue;
        float gained = (r->speed - start) / since;
        r->limits->acceleration[next] = kerb_max(r->limits->acceleration[next], gained);
        next++;
        since = 0.0f;
    }
}

static void race_limits_driven_measure_drive(rig* r) {
    kerb_performance* p = &r->limits->performance;
    float spacing = p->speed_max / (float)(KERB_DRIVE_COUNT - 1);
    for (int32_t gear = 1; gear <= race_limits_driven_gears_of(r); gear++)
        race_limits_driven_sweep_gear(r, gear, spacing);
    float* acceleration = r->limits->acceleration;
    acceleration[0] = kerb_max(acceleration[0], acceleration[1]);
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        p->drive[i] = acceleration[i] + race_limits_driven_resistance_at(r, (float)i * spacing);
}

// Acceleration of the launch, before resistance; the greatest over half a second. [m/s²]
static float race_limits_driven_launch(rig* r, float grip) {
    if (!race_limits_driven_begin(r, grip))
        return 0.0f;
    r->controls.throttle = 1.0f;
    float most = 0.0f;
    for (int32_t i = 0; i < 4; i++) {
        float before = r->speed;
        wait(r, 0.5f);
        most = kerb_max(most, (r->speed - before) / 0.5f);
    }
    return most + r->limits->performance.rolling;
}

static void race_limits_driven_measure_driven_tyres(rig* r) {
    float dry = race_limits_driven_launch(r, 1.0f),
          slippery = 2.0f * race_limits_driven_launch(r, 0.5f);
    r->limits->performance.accelerating = kerb_max(dry, slippery);
}

static void race_limits_driven_measure_braking(rig* r) {
    kerb_performance* p = &r->limits->performance;
    if (!roll_at(r, 0.99f * p->speed_max))
        return;
    float spacing = p->speed_max / (float)(KERB_SCENE_RACE_STOP_SPEEDS - 1);
    double sum = 0.0, weight = 0.0;
    int32_t next = KERB_SCENE_RACE_STOP_SPEEDS - 1;
    r->controls.brake = 1.0f;
    wait(r, 0.1f); // the load moves first
    while (r->speed > RACE_LIMITS_DRIVEN_BRAKE_LEAST) {
        float speed = r->speed;
        race_limits_driven_step(r);
        float slower = speed - r->speed;
        float load = 1.0f + p->downforce * speed * speed / KERB_GRAVITY;
        sum += (double)(slower *
                        (slower / RACE_LIMITS_DRIVEN_STEP -
                         race_limits_driven_resistance_at(r, speed)) /
                        load);
        weight += (double)slower;
        for (; next >= 0 && (float)next * spacing >= r->speed; next--)
            r->limits->braking[next] = r->slower;
    }
    for (int32_t i = 0; i <= next; i++)
        r->limits->braking[i] = r->limits->braking[next + 1];
    p->braking = weight > 0.0 ? (float)(sum / weight) : 0.0f;
}

// --------------------------------------------------------------------------- in circles

// Steering that circles with a lateral acceleration, as far as the tyres are linear.
static float race_limits_driven_steering_for(const rig* r, float lateral) {
    const kerb_vehicle* v = &r->model->vehicle;
    float square = kerb_max(r->speed * r->speed, 4.0f);
    float angle = kerb_atan(v->wheelbase * lateral / square) + v->understeer_gradient * lateral;
    return kerb_clamp(angle / v->steering_angle_max, -1.0f, 1.0f);
}

static float race_limits_driven_grip_at(const rig* r, float speed) {
    const kerb_performance* p = &r->limits->performance;
    return p->lateral * (1.0f + p->downforce * speed * speed / KERB_GRAVITY);
}

static bool circles(const rig* r) {
    return kerb_abs(r->side) < RACE_LIMITS_DRIVEN_SPIN_SLIP * r->speed &&
           r->controls.steering < 1.0f;
}

// Circles tighter and tighter, from a share of the grip that is expected.
static kerb_scene_race_pad race_limits_driven_circle(rig* r, float speed, float expected) {
    kerb_scene_race_pad best = {0.0f, speed, 0.0f};
    if (!roll_at(r, speed))
        return best;
    float turned_in =
              race_limits_driven_steering_for(r, RACE_LIMITS_DRIVEN_TURN_IN_SHARE * expected),
          most = 0.0f;
    float rate = RACE_LIMITS_DRIVEN_TIGHTER_RATE / r->model->vehicle.steering_angle_max;
    for (int32_t i = 0; i < steps_in(RACE_LIMITS_DRIVEN_PAD_SECONDS) && circles(r); i++) {
        float time = (float)i * RACE_LIMITS_DRIVEN_STEP;
        float in = kerb_min(time / (0.6f * RACE_LIMITS_DRIVEN_TURN_IN_SECONDS), 1.0f);
        r->controls.steering = turned_in * in * in * (3.0f - 2.0f * in) +
                               rate * kerb_max(time - RACE_LIMITS_DRIVEN_TURN_IN_SECONDS, 0.0f);
        race_limits_driven_step(r);
        float wings = 1.0f + r->model->vehicle.downforce * r->speed * r->speed / KERB_GRAVITY;
        if (time > RACE_LIMITS_DRIVEN_TURN_IN_SECONDS && r->aside > most * wings) {
            most = r->aside / wings;
            best = (kerb_scene_race_pad){r->speed * r->speed / r->aside, r->speed, r->aside};
        }
    }
    return best;
}

static void race_limits_driven_measure_grip(rig* r) {
    kerb_performance* p = &r->limits->performance;
    const kerb_vehicle* v = &r->model->vehicle;
    race_fit f = {0};
    float radius = kerb_max(RACE_LIMITS_DRIVEN_PAD_RADIUS,
                            RACE_LIMITS_DRIVEN_PAD_TURNS * kerb_vehicle_turning_radius(v));
    float slowest = kerb_sqrt(v->lateral_acceleration_max * radius);
    float fastest = kerb_max(0.95f * p->speed_max, slowest);
    for (int32_t i = 0; i < KERB_SCENE_RACE_PADS; i++) {
        float share = (float)i / (float)(KERB_SCENE_RACE_PADS - 1);
        float speed = slowest + (fastest - slowest) * share;
        float wings = 1.0f + v->downforce * speed * speed / KERB_GRAVITY;
        r->limits->pads[i] =
            race_limits_driven_circle(r, speed, v->lateral_acceleration_max * wings);
        kerb_scene_race_fit_add(&f, r->limits->pads[i].speed, r->limits->pads[i].lateral);
    }
    float gain;
    kerb_scene_race_fit_solve(&f, &p->lateral, &gain);
    p->downforce = p->lateral > 0.0f ? gain * KERB_GRAVITY / p->lateral : 0.0f;
}

// Turns in to a lateral acceleration and then keeps it there, whatever the speed does.
static bool hold_aside(rig* r, float speed, float lateral) {
    if (!roll_at(r, speed))
        return false;
    for (int32_t i = 0; i < steps_in(RACE_LIMITS_DRIVEN_TURN_IN_SECONDS); i++) {
        float time = (float)i * RACE_LIMITS_DRIVEN_STEP;
        r->controls.steering =
            race_limits_driven_steering_for(r, lateral * kerb_min(time / 0.9f, 1.0f));
        race_limits_driven_step(r);
    }
    return circles(r);
}

// What both axles hold aside for good; as in race_limits.c. [m/s²]
static float race_limits_driven_balanced(const rig* r) {
    const kerb_sim_car_model* car = &r->model->car;
    float arm = r->spins_up > 0.0f ? car->front_to_mass : car->rear_to_mass;
    return r->aside - car->yaw_inertia / (car->mass * arm) * kerb_abs(r->spins_up);
}

static bool is_steady(const rig* r) {
    float drifts = r->speed * r->yaw_rate - r->aside, most = STEADY * r->aside;
    return kerb_abs(drifts) < most && r->aside - race_limits_driven_balanced(r) < most;
}

// Pressing pedals meanwhile: what the tyres do along the car, in the direction of `way`.
static void press_aside(rig* r, float speed, float lateral, kerb_controls pedals, float way,
                        kerb_scene_race_both* bins) {
    float grip = race_limits_driven_grip_at(r, r->limits->pads[0].speed);
    if (!hold_aside(r, speed, lateral))
        return;
    r->controls.gear = pedals.gear;
    r->controls.brake = pedals.brake;
    r->controls.throttle = pedals.throttle;
    for (int32_t i = 0; i < steps_in(PEDAL_SECONDS) && circles(r); i++) {
        float time = (float)i * RACE_LIMITS_DRIVEN_STEP;
        r->controls.steering = race_limits_driven_steering_for(
            r, lateral * race_limits_driven_grip_at(r, r->speed) / grip);
        race_limits_driven_step(r);
        float along = way * (race_limits_driven_resistance_at(r, r->speed) - r->slower);
        float wings =
            race_limits_driven_grip_at(r, r->speed) / grip; // as at the slowest skid-pad's speed
        if (time > PEDAL_SETTLES && is_steady(r))
            kerb_scene_race_note_both(bins, grip, race_limits_driven_balanced(r) / wings,
                                      along / wings);
    }
}

// The lowest gear that takes the speed without overspeeding.
static int32_t race_limits_driven_gear_at(const rig* r, float speed) {
    const kerb_drive_train* train = &r->model->vehicle.drive_train;
    int32_t gear = 1;
    while (gear < train->gear_count && speed / train->wheel_radius * train->gear_ratio[gear - 1] >
                                           0.85f * train->engine_speed_max)
        gear++;
    return gear;
}

// What it does along while it holds much aside it can do while it holds less.
static void fill_up(kerb_scene_race_both* bins, float grip) {
    for (int32_t i = KERB_SCENE_RACE_SHARES - 2; i >= 0; i--) {
        float middle = ((float)i + 0.5f) / (float)KERB_SCENE_RACE_SHARES;
        float lateral = grip * (RACE_BOTH_FROM + (1.0f - RACE_BOTH_FROM) * middle);
        if (bins[i].along < bins[i + 1].along)
            bins[i] = (kerb_scene_race_both){lateral, bins[i + 1].along};
    }
}

static void race_limits_driven_measure_both(rig* r) {
    kerb_performance* p = &r->limits->performance;
    float speed = r->limits->pads[0].speed, grip = race_limits_driven_grip_at(r, speed),
          wings = grip / p->lateral;
    float full = p->braking * wings * r->model->car.mass / r->model->car.brake_force;
    for (int32_t i = 0; i < ASIDE * RACE_LIMITS_DRIVEN_PEDALS; i++) {
        int32_t share = i / RACE_LIMITS_DRIVEN_PEDALS;
        float aside = RACE_BOTH_FROM + (1.0f - RACE_BOTH_FROM) * (float)share / (float)ASIDE;
        float pedal = (float)(i % RACE_LIMITS_DRIVEN_PEDALS + 1) / (float)RACE_LIMITS_DRIVEN_PEDALS;
        kerb_controls brakes = {.gear = 0, .brake = pedal * kerb_min(full, 1.0f)};
        kerb_controls drives = {.gear = race_limits_driven_gear_at(r, speed), .throttle = pedal};
        press_aside(r, 1.7f * speed, aside * grip, brakes, -1.0f, r->limits->braking_aside);
        press_aside(r, 0.9f * speed, aside * grip, drives, 1.0f, r->limits->driving_aside);
    }
    fill_up(r->limits->braking_aside, grip);
    fill_up(r->limits->driving_aside, grip);
    p->braking_loss = kerb_scene_race_fit_loss(r->limits->braking_aside, p->braking * wings, grip);
    p->driving_loss =
        kerb_scene_race_fit_loss(r->limits->driving_aside, p->accelerating * wings, grip);
}

// What circling freely slows more than rolling straight on.
static void race_limits_driven_measure_turning(rig* r) {
    kerb_performance* p = &r->limits->performance;
    double product = 0.0, square = 0.0;
    for (int32_t i = 0; i < KERB_SCENE_RACE_PADS - 1; i++) {
        float speed = r->limits->pads[i].speed,
              lateral = RACE_LIMITS_DRIVEN_TURNING_TO * race_limits_driven_grip_at(r, speed);
        if (!hold_aside(r, speed, lateral))
            continue;
        for (int32_t k = 0; k < steps_in(TURNING_SECONDS) && circles(r); k++) {
            r->controls.steering = race_limits_driven_steering_for(r, lateral);
            race_limits_driven_step(r);
            double law = (double)(r->aside * r->aside / race_limits_driven_grip_at(r, r->speed));
            product += law * (double)(r->slower - race_limits_driven_resistance_at(r, r->speed));
            square += law * law;
        }
    }
    p->turning_drag = square > 0.0 ? kerb_max((float)(product / square), 0.0f) : 0.0f;
}

// --------------------------------------------------------------------------- public

bool kerb_scene_race_limits_measure_in(const kerb_sim_model* model, const kerb_sim_physics* physics,
                                       kerb_scene_race_limits* limits) {
    if (physics == NULL)
        return kerb_scene_race_limits_measure(model, limits);
    *limits = (kerb_scene_race_limits){0};
    rig r = {.model = model, .physics = physics, .limits = limits};
    if (model->vehicle.kind != KERB_VEHICLE_WHEELED || !race_limits_driven_begin(&r, 1.0f))
        return false;
    limits->performance.budget = KERB_TRACTION_ELLIPSE;
    measure_top(&r);
    race_limits_driven_measure_resistance(&r);
    race_limits_driven_measure_drive(&r);
    race_limits_driven_measure_driven_tyres(&r);
    race_limits_driven_measure_grip(&r);
    race_limits_driven_measure_braking(&r);
    race_limits_driven_measure_both(&r);
    race_limits_driven_measure_turning(&r);
    physics->destroy(r.car);
    return true;
}
