// Purpose: measures the limits of a simulated car by driving it, as a kerb_performance.
// Idea:    Every law of kerb_performance is linear in v² and in its parameters: resistance, lateral
//          grip with downforce, braking. So each manoeuvre samples an acceleration over speed, and
//          a least-squares fit of two unknowns gives the parameters.
// Cost:    a quarter of an hour of simulated driving.
// Source:  ISO 4138 (steady-state circular driving); SAE J1263 (coasting down).
#include "scene/race/race_limits_parts.h"

#include <math.h>
#include <string.h>

#define RACE_LIMITS_STEP (1.0f / 240.0f)
#define RACE_LIMITS_COAST_LEAST 3.0f // slower, rolling resistance fades to rest [m/s]
#define RACE_LIMITS_BRAKE_LEAST 2.0f // slower, wheels lock [m/s]
#define CHOCKS_SECONDS 0.6f // full throttle before the car is let go: the engine has got there
#define GEAR_SECONDS 60.0f  // in one gear at most
#define RACE_LIMITS_COAST_SECONDS 600.0f // at most
#define RACE_LIMITS_TIGHTER_RATE 0.04f   // of the front wheels, on the skid-pad [rad/s]
#define RACE_LIMITS_TURN_IN_SECONDS 1.5f // to the part of the grip at which getting tighter begins
#define RACE_LIMITS_TURN_IN_SHARE 0.8f
#define RACE_LIMITS_PAD_SECONDS 9.0f
#define RACE_LIMITS_MEAN_SECONDS 0.1f // over which lateral accelerations are averaged
#define RACE_LIMITS_PAD_RADIUS 25.0f  // of the smallest, at least [m] …
#define RACE_LIMITS_PAD_TURNS 4.0f    // … and in smallest turning radii
#define ROPE_RATE 0.03f               // of the front wheels, on the rope [rad/s]
#define ROPE_SECONDS 12.0f
#define POWER_SECONDS 20.0f // on the skid-pad under power
#define HOLD_RATE 2.0f      // of throttle for speed that lacks [1 / m/s], and the same each second
#define HELD_SHARE 0.995f   // of a speed counts as held …
#define LOST_SHARE 0.985f   // … or as lost
#define ENGINE_SPARE 1.1f   // of what holding a speed takes, or else the engine decides
#define POWERED_LOSS_MOST 0.3f
#define ROPE_FROM 0.3f        // of the grip, on the rope
#define RACE_LIMITS_PEDALS 12 // steps of brake and throttle on the rope
#define RACE_LIMITS_TURNING_TO                                                                     \
    0.75f                           // share of the grip up to which the drag of turning is measured
#define RACE_LIMITS_SPIN_SLIP 0.35f // drifting so much per speed, it no longer circles

static const kerb_sim_ground race_limits_level = {.normal = {0.0f, 0.0f, 1.0f}, .grip = 1.0f};

// What is being measured.
typedef struct bench {
    kerb_sim_car_model car;
    kerb_vehicle vehicle;
    kerb_scene_race_limits* limits;
} bench;

static kerb_sim_car car_at_speed(const bench* b, float speed) {
    const kerb_vec3 origin = {0.0f, 0.0f, 0.0f};
    kerb_sim_car car = kerb_sim_car_make(&b->car, origin, 0.0f);
    car.forward = speed;
    car.wheel_front = car.wheel_rear = speed / b->car.wheel_radius;
    return car;
}

// Its engine as fast as the gear asks for; 0: neutral.
static kerb_sim_car car_in_gear(const bench* b, float speed, int32_t gear) {
    kerb_sim_car car = car_at_speed(b, speed);
    const kerb_drive_train* train = &b->car.drive_train;
    car.gear = gear;
    if (gear > 0 && train->gear_count > 0)
        car.engine_speed = speed / b->car.wheel_radius * train->gear_ratio[gear - 1];
    return car;
}

static void race_limits_step(const bench* b, kerb_sim_car* car, const kerb_controls* controls,
                             const kerb_sim_ground* ground) {
    kerb_sim_car_step(car, controls, ground, RACE_LIMITS_STEP);
    b->limits->seconds += (double)RACE_LIMITS_STEP;
}

// --------------------------------------------------------------------------- fitting

void kerb_scene_race_fit_add(race_fit* f, float speed, float value) {
    double square = (double)speed * (double)speed;
    f->count += 1.0;
    f->square += square;
    f->square2 += square * square;
    f->value += (double)value;
    f->mixed += square * (double)value;
}

void kerb_scene_race_fit_solve(const race_fit* f, float* a, float* b) {
    double spread = f->count * f->square2 - f->square * f->square;
    double gain = spread > 0.0 ? (f->count * f->mixed - f->square * f->value) / spread : 0.0;
    gain = gain > 0.0 ? gain : 0.0;
    *b = (float)gain;
    *a = f->count > 0.0 ? (float)((f->value - gain * f->square) / f->count) : 0.0f;
}

// --------------------------------------------------------------------------- resistance

static void race_limits_measure_resistance(const bench* b) {
    kerb_sim_car car = car_at_speed(b, b->vehicle.speed_max);
    kerb_controls controls = {.gear = 0};
    race_fit f = {0};
    int32_t steps = (int32_t)(RACE_LIMITS_COAST_SECONDS / RACE_LIMITS_STEP);
    for (int32_t i = 0; i < steps && car.forward > RACE_LIMITS_COAST_LEAST; i++) {
        float speed = car.forward;
        race_limits_step(b, &car, &controls, &race_limits_level);
        if (car.shift_timer <= 0.0f)
            kerb_scene_race_fit_add(&f, speed, (speed - car.forward) / RACE_LIMITS_STEP);
    }
    kerb_performance* p = &b->limits->performance;
    kerb_scene_race_fit_solve(&f, &p->rolling, &p->drag);
    p->rolling = kerb_max(p->rolling, 0.0f);
}

static float race_limits_resistance_at(const bench* b, float speed) {
    const kerb_performance* p = &b->limits->performance;
    return p->rolling + p->drag * speed * speed;
}

// --------------------------------------------------------------------------- drive

// At rest with the engine pulling: chocks hold the car until it does.
static kerb_sim_car launched_car(const bench* b, const kerb_sim_ground* ground) {
    kerb_sim_car car = car_at_speed(b, 0.0f);
    kerb_controls controls = {.gear = 1, .throttle = 1.0f};
    int32_t steps = (int32_t)(CHOCKS_SECONDS / RACE_LIMITS_STEP);
    for (int32_t i = 0; i < steps; i++) {
        race_limits_step(b, &car, &controls, ground);
        car.forward = car.side = car.yaw_rate = 0.0f;
        car.wheel_front = car.wheel_rear = 0.0f;
    }
    return car;
}

static int32_t race_limits_gears_of(const bench* b) {
    int32_t count = b->car.drive_train.gear_count;
    return count > 0 ? count : 1;
}

// What a gear settles at, from just below what the car is said to reach.
static float settle_in_gear(const bench* b, int32_t gear) {
    kerb_sim_car car = car_at_speed(b, 0.9f * b->vehicle.speed_max);
    kerb_controls controls = {.gear = gear, .throttle = 1.0f};
    int32_t steps = (int32_t)(GEAR_SECONDS / RACE_LIMITS_STEP);
    for (int32_t i = 0; i < steps; i++)
        race_limits_step(b, &car, &controls, &race_limits_level);
    return car.forward;
}

// Where a gear begins to pull: a third of its greatest speed, but the first from rest.
static float begin_of_gear(const bench* b, int32_t gear) {
    const kerb_drive_train* train = &b->car.drive_train;
    if (gear == 1 || train->gear_count == 0)
        return 0.0f;
    return 0.33f * train->engine_speed_max * train->wheel_radius / train->gear_ratio[gear - 1];
}

// One speed at which the acceleration is wanted: the mean over some speed around it.
typedef struct race_limits_window {
    float from, to;
} race_limits_window;

static race_limits_window window_at(int32_t index, float spacing) {
    float half = kerb_min(0.5f, 0.4f * spacing), middle = (float)index * spacing;
    race_limits_window result = {middle - half, middle + half};
    return result;
}

// Through one gear: the greatest accelerations so far at even speeds `spacing` apart.
static void race_limits_sweep_gear(const bench* b, int32_t gear, float spacing,
                                   float* acceleration) {
    float begin = begin_of_gear(b, gear), start = 0.0f, since = 0.0f;
    kerb_sim_car car = gear == 1 ? launched_car(b, &race_limits_level) : car_at_speed(b, begin);
    kerb_controls controls = {.gear = gear, .throttle = 1.0f};
    int32_t next = 0, steps = (int32_t)(GEAR_SECONDS / RACE_LIMITS_STEP);
    while (next < KERB_DRIVE_COUNT && window_at(next, spacing).from < begin + 1.0f && gear > 1)
        next++; // the engine is still catching up
    for (int32_t i = 0; i < steps && next < KERB_DRIVE_COUNT; i++) {
        race_limits_window here = window_at(next, spacing);
        if (since == 0.0f || car.forward <= here.from) {
            since = 0.0f;
            start = car.forward;
        }
        race_limits_step(b, &car, &controls, &race_limits_level);
        since += RACE_LIMITS_STEP;
        if (car.forward < here.to)
            continue;
        acceleration[next] = kerb_max(acceleration[next], (car.forward - start) / since);
        next++;
        since = 0.0f;
    }
}

static void race_limits_measure_drive(const bench* b) {
    kerb_performance* p = &b->limits->performance;
    float* acceleration = b->limits->acceleration;
    p->speed_max = 0.0f;
    for (int32_t gear = 1; gear <= race_limits_gears_of(b); gear++)
        p->speed_max = kerb_max(p->speed_max, settle_in_gear(b, gear));
    float spacing = p->speed_max / (float)(KERB_DRIVE_COUNT - 1);
    for (int32_t gear = 1; gear <= race_limits_gears_of(b); gear++)
        race_limits_sweep_gear(b, gear, spacing, acceleration);
    acceleration[KERB_DRIVE_COUNT - 1] = 0.0f;
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++)
        p->drive[i] = acceleration[i] + race_limits_resistance_at(b, (float)i * spacing);
}

// Acceleration of the launch in first gear, before resistance. [m/s²]
static float race_limits_launch(const bench* b, float grip) {
    kerb_sim_ground ground = race_limits_level;
    ground.grip = grip;
    kerb_sim_car car = launched_car(b, &ground);
    kerb_controls controls = {.gear = 1, .throttle = 1.0f};
    float most = 0.0f;
    int32_t steps = (int32_t)(1.0f / RACE_LIMITS_STEP), half = steps / 2;
    for (int32_t i = 0; i < 2; i++) {
        float before = car.forward;
        for (int32_t k = 0; k < half; k++)
            race_limits_step(b, &car, &controls, &ground);
        most = kerb_max(most, (car.forward - before) / ((float)half * RACE_LIMITS_STEP));
    }
    return most + b->limits->performance.rolling;
}

static void race_limits_measure_driven_tyres(const bench* b) {
    float dry = race_limits_launch(b, 1.0f), slippery = 2.0f * race_limits_launch(b, 0.5f);
    b->limits->performance.accelerating = kerb_max(dry, slippery);
}

// --------------------------------------------------------------------------- skid-pads

// Steering that circles with a lateral acceleration, as far as the tyres are linear.
static float race_limits_steering_for(const bench* b, float lateral, float speed) {
    float angle =
        b->vehicle.wheelbase * lateral / (speed * speed) + b->vehicle.understeer_gradient * lateral;
    return angle / b->vehicle.steering_angle_max;
}

// Circles tighter and tighter, from `share` of the grip that is expected.
static kerb_scene_race_pad race_limits_circle(const bench* b, float speed, float expected) {
    kerb_sim_car car = car_at_speed(b, speed);
    kerb_controls controls = {.gear = 0};
    kerb_scene_race_pad best = {0.0f, speed, 0.0f};
    float turned_in = race_limits_steering_for(b, RACE_LIMITS_TURN_IN_SHARE * expected, speed),
          mean = 0.0f, most = 0.0f;
    float rate = RACE_LIMITS_TIGHTER_RATE / b->vehicle.steering_angle_max;
    int32_t steps = (int32_t)(RACE_LIMITS_PAD_SECONDS / RACE_LIMITS_STEP);
    for (int32_t i = 0; i < steps; i++) {
        float time = (float)i * RACE_LIMITS_STEP, side = car.side;
        float in = kerb_min(time / (0.6f * RACE_LIMITS_TURN_IN_SECONDS), 1.0f);
        controls.steering = turned_in * in * in * (3.0f - 2.0f * in) +
                            rate * kerb_max(time - RACE_LIMITS_TURN_IN_SECONDS, 0.0f);
        race_limits_step(b, &car, &controls, &race_limits_level);
        float lateral = (car.side - side) / RACE_LIMITS_STEP + car.forward * car.yaw_rate;
        mean += (lateral - mean) * RACE_LIMITS_STEP / RACE_LIMITS_MEAN_SECONDS;
        if (kerb_abs(car.side) > RACE_LIMITS_SPIN_SLIP * car.forward || controls.steering > 1.0f)
            break;
        // It slows down meanwhile: what the wings give less counts as grip all the same.
        float wings = 1.0f + b->vehicle.downforce * car.forward * car.forward / KERB_GRAVITY;
        if (time > RACE_LIMITS_TURN_IN_SECONDS && mean > most * wings) {
            most = mean / wings;
            best = (kerb_scene_race_pad){car.forward * car.forward / mean, car.forward, mean};
        }
    }
    return best;
}

// From a circle several times as wide as the smallest, to as fast as it gets.
static void race_limits_measure_grip(const bench* b) {
    kerb_performance* p = &b->limits->performance;
    race_fit f = {0};
    float radius = kerb_max(RACE_LIMITS_PAD_RADIUS,
                            RACE_LIMITS_PAD_TURNS * kerb_vehicle_turning_radius(&b->vehicle));
    float slowest = kerb_sqrt(b->vehicle.lateral_acceleration_max * radius);
    float fastest = kerb_max(0.95f * p->speed_max, slowest);
    for (int32_t i = 0; i < KERB_SCENE_RACE_PADS; i++) {
        float share = (float)i / (float)(KERB_SCENE_RACE_PADS - 1);
        float speed = slowest + (fastest - slowest) * share;
        float wings = 1.0f + b->vehicle.downforce * speed * speed / KERB_GRAVITY;
        kerb_scene_race_pad pad =
            race_limits_circle(b, speed, b->vehicle.lateral_acceleration_max * wings);
        b->limits->pads[i] = pad;
        kerb_scene_race_fit_add(&f, pad.speed, pad.lateral);
    }
    float gain;
    kerb_scene_race_fit_solve(&f, &p->lateral, &gain);
    p->downforce = gain * KERB_GRAVITY / p->lateral;
}

// --------------------------------------------------------------------------- braking

static void race_limits_measure_braking(const bench* b) {
    kerb_performance* p = &b->limits->performance;
    float spacing = p->speed_max / (float)(KERB_SCENE_RACE_STOP_SPEEDS - 1);
    kerb_sim_car car = car_at_speed(b, p->speed_max);
    kerb_controls controls = {.gear = 0, .brake = 1.0f};
    double sum = 0.0, weight = 0.0;
    int32_t next = KERB_SCENE_RACE_STOP_SPEEDS - 1;
    for (int32_t i = 0; car.forward > RACE_LIMITS_BRAKE_LEAST; i++) {
        float speed = car.forward;
        race_limits_step(b, &car, &controls, &race_limits_level);
        float slower = speed - car.forward;
        if (i < 24) // the load moves first
            continue;
        // By speed, not by time: each metre per second counts the same.
        float load = 1.0f + p->downforce * speed * speed / KERB_GRAVITY;
        sum += (double)(slower * (slower / RACE_LIMITS_STEP - race_limits_resistance_at(b, speed)) /
                        load);
        weight += (double)slower;
        for (; next >= 0 && (float)next * spacing >= car.forward; next--)
            b->limits->braking[next] = slower / RACE_LIMITS_STEP;
    }
    for (int32_t i = 0; i <= next; i++)
        b->limits->braking[i] = b->limits->braking[next + 1];
    p->braking = weight > 0.0 ? (float)(sum / weight) : 0.0f;
}

static float race_limits_grip_at(const bench* b, float speed) {
    const kerb_performance* p = &b->limits->performance;
    return p->lateral * (1.0f + p->downforce * speed * speed / KERB_GRAVITY);
}

// --------------------------------------------------------------------------- both at once

void kerb_scene_race_note_both(kerb_scene_race_both* bins, float grip, float lateral, float along) {
    float at =
        (lateral / grip - RACE_BOTH_FROM) / (1.0f - RACE_BOTH_FROM) * (float)KERB_SCENE_RACE_SHARES;
    if (!(at >= 0.0f && at < (float)KERB_SCENE_RACE_SHARES))
        return;
    kerb_scene_race_both* bin = &bins[(int32_t)at];
    if (along > bin->along)
        *bin = (kerb_scene_race_both){lateral, along};
}

// What both axles hold aside for good: where one of them holds more than its share the body turns
// ever faster, and that more is of no use. `spins_up` is how fast the yaw rate changes. [m/s²]
static float race_limits_balanced(const bench* b, float lateral, float spins_up) {
    float arm = spins_up > 0.0f ? b->car.front_to_mass : b->car.rear_to_mass;
    return lateral - b->car.yaw_inertia / (b->car.mass * arm) * kerb_abs(spins_up);
}

// Circles at one speed, held there by a rope, pedals as given, tighter and tighter: what the tyres
// do along the car meanwhile, in the direction of `way`, at each lateral acceleration.
static void circle_on_rope(const bench* b, float speed, kerb_controls controls, float way,
                           float grip, kerb_scene_race_both* bins) {
    kerb_sim_car car = car_in_gear(b, speed, controls.gear);
    float lateral = 0.0f, along = 0.0f, rate = ROPE_RATE / b->vehicle.steering_angle_max;
    float begin = race_limits_steering_for(b, ROPE_FROM * grip, speed);
    for (int32_t i = 0; i < (int32_t)(ROPE_SECONDS / RACE_LIMITS_STEP); i++) {
        float time = (float)i * RACE_LIMITS_STEP, side = car.side, yaw_rate = car.yaw_rate;
        controls.steering = begin + rate * kerb_max(time - RACE_LIMITS_TURN_IN_SECONDS, 0.0f);
        race_limits_step(b, &car, &controls, &race_limits_level);
        float share = RACE_LIMITS_STEP / RACE_LIMITS_MEAN_SECONDS,
              aside = (car.side - side) / RACE_LIMITS_STEP + speed * car.yaw_rate;
        aside = race_limits_balanced(b, aside, (car.yaw_rate - yaw_rate) / RACE_LIMITS_STEP);
        lateral += (aside - lateral) * share;
        // What brakes is counted along the car. Who drives must carry what slipping tyres push back
        // as well: along the direction of travel.
        float faster = (car.forward - speed) / RACE_LIMITS_STEP;
        faster +=
            way > 0.0f ? (car.side - side) / RACE_LIMITS_STEP * side / speed : -car.yaw_rate * side;
        along += (faster - along) * share;
        car.forward = speed;
        if (kerb_abs(car.side) > RACE_LIMITS_SPIN_SLIP * speed || controls.steering > 1.0f)
            return;
        if (time > RACE_LIMITS_TURN_IN_SECONDS)
            kerb_scene_race_note_both(bins, grip, lateral,
                                      way * (along + race_limits_resistance_at(b, speed)));
    }
}

float kerb_scene_race_fit_loss(const kerb_scene_race_both* both, float most, float grip) {
    double above = 0.0, below = 0.0;
    for (int32_t i = 0; i < KERB_SCENE_RACE_SHARES; i++) {
        if (!(both[i].along > 0.0f))
            continue;
        double along = (double)(both[i].along / most), aside = (double)(both[i].lateral / grip);
        if (aside >= 1.0)
            continue;
        double left = sqrt(1.0 - aside * aside), slope = left * (1.0 - left);
        above += slope * (left - along);
        below += slope * slope;
    }
    return below > 0.0 ? kerb_clamp((float)(above / below), 0.0f, 1.0f) : 0.0f;
}

// Freewheeling, held at speed by a rope, first straight on and then in ever tighter circles: what
// the latter slow more, as the one number that comes nearest by least squares.
static double slowing_on_rope(const bench* b, float speed, float grip, double* square) {
    kerb_sim_car car = car_at_speed(b, speed);
    kerb_controls controls = {.gear = 0};
    float lateral = 0.0f, slows = race_limits_resistance_at(b, speed), straight = slows;
    float rate = ROPE_RATE / b->vehicle.steering_angle_max;
    double product = 0.0;
    for (int32_t i = 0; i < (int32_t)(ROPE_SECONDS / RACE_LIMITS_STEP); i++) {
        float time = (float)i * RACE_LIMITS_STEP, side = car.side;
        controls.steering = rate * kerb_max(time - RACE_LIMITS_TURN_IN_SECONDS, 0.0f);
        race_limits_step(b, &car, &controls, &race_limits_level);
        float share = RACE_LIMITS_STEP / RACE_LIMITS_MEAN_SECONDS;
        // Along the direction of travel, which turning alone does not change.
        float slower =
            ((speed - car.forward) * speed + (side - car.side) * side) / speed / RACE_LIMITS_STEP;
        lateral += ((car.side - side) / RACE_LIMITS_STEP + speed * car.yaw_rate - lateral) * share;
        slows += (slower - slows) * share;
        car.forward = speed;
        straight = time < RACE_LIMITS_TURN_IN_SECONDS ? slows : straight;
        float used = lateral / grip;
        if (used > RACE_LIMITS_TURNING_TO || controls.steering > 1.0f)
            break;
        double law = (double)(lateral * used);
        product += law * (double)(slows - straight);
        *square += law * law;
    }
    return product;
}

// At the speeds of the skid-pads.
static void race_limits_measure_turning(const bench* b) {
    kerb_performance* p = &b->limits->performance;
    double product = 0.0, square = 0.0;
    for (int32_t i = 0; i < KERB_SCENE_RACE_PADS; i++) {
        float speed = b->limits->pads[i].speed;
        product += slowing_on_rope(b, speed, race_limits_grip_at(b, speed), &square);
    }
    p->turning_drag = square > 0.0 ? kerb_max((float)(product / square), 0.0f) : 0.0f;
}

// The lowest gear that takes the speed without overspeeding.
static int32_t race_limits_gear_at(const bench* b, float speed) {
    const kerb_drive_train* train = &b->car.drive_train;
    int32_t gear = 1;
    while (gear < train->gear_count && speed / b->car.wheel_radius * train->gear_ratio[gear - 1] >
                                           0.9f * train->engine_speed_max)
        gear++;
    return gear;
}

// Circles at one speed, held there by the throttle, tighter and tighter: the greatest lateral
// acceleration. [m/s²]
static float circle_under_power(const bench* b, float speed) {
    kerb_controls controls = {.gear = race_limits_gear_at(b, speed)};
    kerb_sim_car car = car_in_gear(b, speed, controls.gear);
    float begin = race_limits_steering_for(
              b, RACE_LIMITS_TURN_IN_SHARE * race_limits_grip_at(b, speed), speed),
          lateral = 0.0f;
    float rate = ROPE_RATE / b->vehicle.steering_angle_max, most = 0.0f, steady = 0.3f;
    for (int32_t i = 0; i < (int32_t)(POWER_SECONDS / RACE_LIMITS_STEP); i++) {
        float time = (float)i * RACE_LIMITS_STEP, side = car.side, lacks = speed - car.forward;
        steady = kerb_clamp(steady + HOLD_RATE * lacks * RACE_LIMITS_STEP, 0.0f, 1.0f);
        controls.throttle = kerb_clamp(steady + HOLD_RATE * lacks, 0.0f, 1.0f);
        controls.steering = begin * kerb_min(time / RACE_LIMITS_TURN_IN_SECONDS, 1.0f) +
                            rate * kerb_max(time - RACE_LIMITS_TURN_IN_SECONDS, 0.0f);
        race_limits_step(b, &car, &controls, &race_limits_level);
        float aside = (car.side - side) / RACE_LIMITS_STEP + car.forward * car.yaw_rate;
        lateral += (aside - lateral) * RACE_LIMITS_STEP / RACE_LIMITS_MEAN_SECONDS;
        if (time < RACE_LIMITS_TURN_IN_SECONDS)
            continue;
        if (kerb_abs(car.side) > RACE_LIMITS_SPIN_SLIP * speed || controls.steering > 1.0f ||
            car.forward < LOST_SHARE * speed)
            break;
        if (car.forward > HELD_SHARE * speed)
            most = kerb_max(most, lateral);
    }
    return most;
}

// Whether the engine has push to spare at the tyres' limit, so that they decide.
static bool tyres_decide(const bench* b, float speed) {
    const kerb_performance* p = &b->limits->performance;
    float at = speed / p->speed_max * (float)(KERB_DRIVE_COUNT - 1);
    float takes =
        race_limits_resistance_at(b, speed) + p->turning_drag * race_limits_grip_at(b, speed);
    return p->drive[(int32_t)at] > ENGINE_SPARE * takes;
}

// What does not hold aside under power, in the mean over speeds: at each the law is to end where
// the car did, with what its tyres had to push there against resistance. `holds`: by skid-pad.
static float powered_loss(const bench* b, const float* holds) {
    const kerb_performance* p = &b->limits->performance;
    float sum = 0.0f, count = 0.0f, loss = p->driving_loss;
    for (int32_t i = 0; i < KERB_SCENE_RACE_PADS; i++) {
        float speed = b->limits->pads[i].speed;
        if (holds[i] <= 0.0f || !tyres_decide(b, speed))
            continue;
        float pushes = race_limits_resistance_at(b, speed) * p->lateral /
                       (p->accelerating * race_limits_grip_at(b, speed));
        // left·(1 - loss + loss·left) = pushes
        float half = 0.5f * (1.0f - loss);
        float left = pushes / (half + kerb_sqrt(half * half + loss * pushes));
        float ends = holds[i] / race_limits_grip_at(b, speed) /
                     kerb_sqrt(kerb_max(1.0f - left * left, 0.01f));
        sum += kerb_clamp(1.0f - ends, 0.0f, POWERED_LOSS_MOST);
        count += 1.0f;
    }
    return count > 0.0f ? sum / count : 0.0f;
}

static void race_limits_measure_both(const bench* b) {
    kerb_performance* p = &b->limits->performance;
    float speed = b->limits->pads[0].speed;
    float grip = race_limits_grip_at(b, speed), wings = grip / p->lateral;
    float full = kerb_min(p->braking * wings * b->car.mass / b->car.brake_force, 1.0f);
    for (int32_t i = 1; i <= RACE_LIMITS_PEDALS; i++) {
        float pedal = (float)i / (float)RACE_LIMITS_PEDALS;
        kerb_controls brakes = {.gear = 0, .brake = pedal * full};
        kerb_controls drives = {.gear = race_limits_gear_at(b, speed), .throttle = pedal};
        circle_on_rope(b, speed, brakes, -1.0f, grip, b->limits->braking_aside);
        circle_on_rope(b, speed, drives, 1.0f, grip, b->limits->driving_aside);
    }
    float holds[KERB_SCENE_RACE_PADS];
    for (int32_t i = 0; i < KERB_SCENE_RACE_PADS; i++)
        holds[i] = circle_under_power(b, b->limits->pads[i].speed);
    p->braking_loss = kerb_scene_race_fit_loss(b->limits->braking_aside, p->braking * wings, grip);
    // Each is found with the other.
    for (int32_t round = 0; round < 3; round++) {
        p->powered_loss = powered_loss(b, holds);
        p->driving_loss = kerb_scene_race_fit_loss(
            b->limits->driving_aside, p->accelerating * wings, (1.0f - p->powered_loss) * grip);
    }
}

// --------------------------------------------------------------------------- public

bool kerb_scene_race_limits_measure(const kerb_sim_model* model, kerb_scene_race_limits* limits) {
    memset(limits, 0, sizeof *limits);
    if (model->vehicle.kind != KERB_VEHICLE_WHEELED)
        return false;
    bench b = {model->car, model->vehicle, limits};
    b.car.slip_control = true;
    limits->performance.budget = KERB_TRACTION_ELLIPSE;
    race_limits_measure_resistance(&b);
    race_limits_measure_drive(&b);
    race_limits_measure_driven_tyres(&b);
    race_limits_measure_grip(&b);
    race_limits_measure_braking(&b);
    race_limits_measure_turning(&b);
    race_limits_measure_both(&b);
    return true;
}
