// The racing driver in two small hosts written from textbooks, which share nothing with sim/: a
// bicycle with Pacejka tyres in explicit steps and gears of its own, and a car with four wheels,
// wings, differential and clutch that tells only part of what it does, late and with noise.
//
// Sources: Pacejka, "Tire and Vehicle Dynamics", 2012, section 4.3 (the magic formula) and 1.3 (the
// bicycle); Milliken and Milliken, "Race Car Vehicle Dynamics", 1995, chapter 18 (wheel loads).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerb/racing_line.h"

#include "kerb/racer.h"
#include "scene/race/tracks.h"
#include "test/seed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LAPS 3
#define GRAVITY 9.80665
#define DELAY_MOST 4

// --------------------------------------------------------------------------- the cars

// What both hosts know of their car.
typedef struct car {
    double mass, inertia;               // [kg], [kg m²]
    double front, rear;                 // axles from the centre of mass [m]
    double height, track;               // of it, and between left and right wheels [m]
    double grip, stiffness;             // Pacejka's D and B·C·D, per load
    double power, force;                // greatest [W], [N]
    double brakes;                      // of the whole pedal [N]
    double brake_front;                 // share of the front
    double drag, lift, roll;            // [kg/m], [kg/m], [1]
    double steering_most, steering_lag; // [rad], [s]
} car;

static const car saloon = {1300.0, 1900.0,  1.15, 1.45, 0.5, 1.5,   1.0, 14.0, 150e3,
                           9000.0, 16000.0, 0.7,  0.4,  0.0, 0.012, 0.5, 0.06};
static const car racer_with_wings = {950.0,   1150.0,  1.5, 1.25, 0.32, 1.6,   1.4, 24.0, 320e3,
                                     11000.0, 26000.0, 0.6, 0.6,  1.4,  0.014, 0.4, 0.04};

// The magic formula with C 1.5 and E -0.5: sideways or along, both slips as one vector.
static double magic(const car* c, double slip) {
    double b = c->stiffness / (1.5 * c->grip), x = b * slip;
    return c->grip * sin(1.5 * atan(x + 0.5 * (x - atan(x))));
}

// What a host would tell a driver of itself: its own numbers.
static kerb_vehicle vehicle_of(const car* c) {
    kerb_vehicle v = kerb_vehicle_default();
    v.length = 4.4f;
    v.width = 1.8f;
    v.reference_to_front = 2.1f;
    v.reference_to_rear_axle = (float)c->rear;
    v.wheelbase = (float)(c->front + c->rear);
    v.mass = (float)c->mass;
    v.steering_angle_max = (float)c->steering_most;
    v.steering_rate_max = 1.2f;
    v.steering_delay = (float)c->steering_lag;
    v.understeer_gradient = 0.0f;
    v.power = (float)c->power;
    v.acceleration_max = (float)(c->force / c->mass);
    v.braking_max = (float)fmin(c->brakes / c->mass, 0.97 * c->grip * GRAVITY);
    v.drag = (float)(c->drag / c->mass);
    v.downforce = (float)(c->lift / c->mass);
    v.coasting_deceleration = (float)(c->roll * GRAVITY);
    v.lateral_acceleration_max = (float)(0.96 * c->grip * GRAVITY);
    v.speed_max = (float)fmin(cbrt(c->power / c->drag) * 0.97, 80.0);
    v.throttle_delay = 0.05f;
    v.drive_train.gear_count = 0; // the host shifts
    return v;
}

// --------------------------------------------------------------------------- their motion

typedef struct body {
    double x, y, heading;
    double forward, side, yaw_rate; // of the centre of mass [m/s], [rad/s]
    double steering, throttle;
    double along, aside; // accelerations of the last step, for the loads [m/s²]
    double spin_rear;    // of the driven axle, rim speed [m/s]
    int32_t gear;
    double shifts; // [s]
} body;

typedef struct sums {
    double along, aside, turn;
} sums;

static void add(sums* s, double x, double y, double along, double aside) {
    s->along += along;
    s->aside += aside;
    s->turn += x * aside - y * along;
}

// One tyre at (x, y) with `load`: slips aside, and along by `drive` [N], which it holds as far as
// the vector of both slips lets it.
static void tyre(const car* c, const body* s, double x, double y, double turned, double load,
                 double drive, sums* out) {
    double u = s->forward - s->yaw_rate * y, v = s->side + s->yaw_rate * x;
    double at = u * cos(turned) + v * sin(turned), across = v * cos(turned) - u * sin(turned);
    double pace = fmax(fabs(at), 2.0), alpha = atan2(across, pace);
    double most = c->grip * load, wanted = fmax(fmin(drive / most, 0.98), -0.98);
    // Slip along that gives what is wanted of it, from the stiffness; the circle does the rest.
    double kappa = wanted * c->grip / c->stiffness / sqrt(1.0 - wanted * wanted);
    double slip = sqrt(kappa * kappa + alpha * alpha), force = load * magic(c, slip);
    double along = slip > 1e-6 ? force * kappa / slip : drive;
    double aside = slip > 1e-6 ? -force * alpha / slip : 0.0;
    along = wanted >= 0.0 ? fmin(along, drive) : fmax(along, drive);
    add(out, x, y, along * cos(turned) - aside * sin(turned),
        along * sin(turned) + aside * cos(turned));
}

static void integrate(const car* c, body* s, const sums* f, double dt) {
    double du = f->along / c->mass + s->yaw_rate * s->side;
    double dv = f->aside / c->mass - s->yaw_rate * s->forward;
    s->along = f->along / c->mass;
    s->aside = f->aside / c->mass;
    s->forward = fmax(s->forward + du * dt, 0.0);
    s->side += dv * dt;
    s->yaw_rate += f->turn / c->inertia * dt;
    if (s->forward < 1.0) { // Euler's slips mean nothing at rest
        s->side = 0.0;
        s->yaw_rate = s->forward * tan(s->steering) / (c->front + c->rear);
    }
    s->x += (s->forward * cos(s->heading) - s->side * sin(s->heading)) * dt;
    s->y += (s->forward * sin(s->heading) + s->side * cos(s->heading)) * dt;
    s->heading += s->yaw_rate * dt;
}

// Four gears whose tops lie at so much; a shift takes a quarter of a second without drive.
static double gearbox(body* s, double dt) {
    static const double tops[4] = {16.0, 28.0, 42.0, 90.0};
    s->shifts = fmax(s->shifts - dt, 0.0);
    int32_t wanted = s->gear;
    if (s->gear < 4 && s->forward > tops[s->gear - 1])
        wanted = s->gear + 1;
    else if (s->gear > 1 && s->forward < 0.75 * tops[s->gear - 2])
        wanted = s->gear - 1;
    if (wanted != s->gear)
        s->shifts = 0.25;
    s->gear = wanted;
    return s->shifts > 0.0 ? 0.0 : 1.0;
}

static double drive_force(const car* c, const body* s) {
    return s->throttle * fmin(c->force, c->power / fmax(s->forward, 5.0));
}

static void follow_controls(const car* c, body* s, const kerb_controls* controls, double dt) {
    double angle = (double)controls->steering * c->steering_most;
    double step = (angle - s->steering) * fmin(dt / c->steering_lag, 1.0);
    s->steering += fmax(fmin(step, 1.2 * dt), -1.2 * dt);
    s->throttle += ((double)controls->throttle - s->throttle) * fmin(dt / 0.05, 1.0);
}

static double resistance(const car* c, const body* s) {
    return c->drag * s->forward * s->forward + (s->forward > 0.1 ? c->roll * c->mass * GRAVITY : 0);
}

// Bicycle: rear-wheel drive, no anti-lock brakes, no traction control, load moves at once.
static void step_bicycle(const car* c, body* s, const kerb_controls* controls, double dt) {
    follow_controls(c, s, controls, dt);
    double length = c->front + c->rear, weight = c->mass * GRAVITY;
    double moved = c->mass * s->along * c->height / length;
    double load_front = fmax(weight * c->rear / length - moved, 0.05 * weight);
    double load_rear = fmax(weight * c->front / length + moved, 0.05 * weight);
    double brake = s->forward > 0.3 ? (double)controls->brake * c->brakes : 0.0;
    double drive = gearbox(s, dt) * drive_force(c, s);
    sums f = {-resistance(c, s), 0.0, 0.0};
    tyre(c, s, c->front, 0.0, s->steering, load_front, -brake * c->brake_front, &f);
    tyre(c, s, -c->rear, 0.0, 0.0, load_rear, drive - brake * (1.0 - c->brake_front), &f);
    integrate(c, s, &f, dt);
}

// Four wheels with wings; an open differential halves the drive, a clutch lets it in.
static void step_four_wheels(const car* c, body* s, const kerb_controls* controls, double dt) {
    follow_controls(c, s, controls, dt);
    double length = c->front + c->rear, wings = c->lift * s->forward * s->forward;
    double moved = c->mass * s->along * c->height / length;
    double rolled = 0.5 * c->mass * s->aside * c->height / c->track;
    double brake = s->forward > 0.3 ? (double)controls->brake * c->brakes : 0.0;
    double drive = drive_force(c, s) * (1.0 - (double)controls->clutch);
    sums f = {-resistance(c, s), 0.0, 0.0};
    for (int32_t i = 0; i < 4; i++) {
        bool ahead = i < 2;
        double side = i % 2 == 0 ? 1.0 : -1.0, arm = ahead ? c->rear : c->front;
        double load = 0.5 * (c->mass * GRAVITY * arm / length + (ahead ? -moved : moved) +
                             wings * (ahead ? 0.45 : 0.55)) -
                      side * rolled;
        load = fmax(load, 100.0);
        double slows = 0.5 * brake * (ahead ? c->brake_front : 1.0 - c->brake_front);
        tyre(c, s, ahead ? c->front : -c->rear, side * 0.5 * c->track, ahead ? s->steering : 0.0,
             load, (ahead ? 0.0 : 0.5 * drive) - slows, &f);
    }
    integrate(c, s, &f, dt);
}

// --------------------------------------------------------------------------- the host

typedef void step_function(const car* c, body* s, const kerb_controls* controls, double dt);

typedef struct told_host {
    const char* name;
    const car* car;
    step_function* step;
    int32_t physics_hz, drive_hz;
    int32_t delay;  // frames by which it tells late
    float noise;    // of velocities and directions
    bool tells_all; // else: neither angular velocity nor wheels
    double slower;  // than the profile, at most
    bool tells_inertia;
    double wheel_most; // mean rate of the steering, at most; 0: any [1/s]
    bool untold;       // does not say that it tells late
} told_host;

static kerb_motion told(const told_host* h, const body* s, kerb_random* random) {
    kerb_motion motion = kerb_motion_default();
    float noise = h->noise * kerb_random_between(random, -1.0f, 1.0f);
    float heading = (float)s->heading + 0.02f * h->noise * kerb_random_between(random, -1.0f, 1.0f);
    motion.position = kerb_vec3_make((float)s->x, (float)s->y, 0.0f);
    motion.rotation = kerb_quat_from_heading(kerb_wrap_angle(heading));
    double sine = sin(s->heading), cosine = cos(s->heading);
    motion.velocity = kerb_vec3_make((float)(s->forward * cosine - s->side * sine) + noise,
                                     (float)(s->forward * sine + s->side * cosine) + noise, 0.0f);
    motion.gear = 1;
    if (h->tells_all) {
        motion.angular_velocity.z = (float)s->yaw_rate;
        motion.steering = (float)(s->steering / h->car->steering_most);
    }
    return motion;
}

static kerb_racing_line find_line(const char* name, const kerb_performance* limits, float width) {
    kerb_host host = kerb_host_default();
    kerb_scene_track track;
    kerb_path path;
    kerb_line_solver solver;
    kerb_racing_line line;
    kerb_line_settings settings = kerb_line_settings_default();
    settings.margin = 0.5f * width + 0.5f;
    assert_int_equal(kerb_scene_track_make(name, &host, &track, NULL), KERB_OK);
    for (int32_t i = 0; i < track.count; i++) // these hosts have level ground
        track.waypoints[i].position.z = track.waypoints[i].bank = 0.0f;
    assert_int_equal(
        kerb_path_create(&path, track.waypoints, track.count, track.closed, &host, NULL), KERB_OK);
    assert_int_equal(kerb_line_solver_create(&solver, &path, limits, &settings, &host, NULL),
                     KERB_OK);
    kerb_line_solver_advance(&solver, INT32_MAX);
    assert_int_equal(kerb_racing_line_create(&line, &solver, 2.0f, &host, NULL), KERB_OK);
    kerb_line_solver_destroy(&solver);
    kerb_path_destroy(&path);
    kerb_scene_track_free(&track, &host);
    return line;
}

// What a run was like.
typedef struct run {
    double time, outside, best, began, turned;
    int32_t laps, spins;
} run;

static void note(run* r, const kerb_racer* racer, const kerb_racing_line* line, double dt) {
    kerb_line_point p = kerb_racing_line_at(line, racer->decision.distance);
    double lane = (double)racer->decision.lane_shift;
    double edge = lane > 0.0 ? (double)p.left : (double)p.right;
    r->outside = fmax(r->outside, (fabs(lane) - 1.0) * edge);
    r->spins += racer->decision.phase != KERB_RACER_DRIVING;
    r->time += dt;
    if (racer->decision.total_distance < line->length * (double)(r->laps + 1))
        return;
    double lap = r->time - r->began;
    r->best = r->laps > 0 && (r->best == 0.0 || lap < r->best) ? lap : r->best;
    r->began = r->time;
    r->laps++;
}

static void race(const told_host* h, const char* track, kerb_random* random) {
    kerb_vehicle vehicle = vehicle_of(h->car);
    if (h->tells_inertia)
        vehicle.yaw_inertia = (float)(h->car->inertia / h->car->mass);
    kerb_racer racer = kerb_racer_make(&vehicle);
    racer.settings.latency = h->untold ? 0.0f : (float)h->delay / (float)h->drive_hz;
    kerb_racing_line line = find_line(track, &racer.performance, vehicle.width);
    kerb_line_point start = kerb_racing_line_at(&line, 0.0);
    body s = {.x = start.x, .y = start.y, .heading = (double)start.heading, .gear = 1};
    kerb_motion late[DELAY_MOST];
    for (int32_t i = 0; i < DELAY_MOST; i++)
        late[i] = told(h, &s, random);
    double dt = 1.0 / (double)h->drive_hz;
    int32_t steps = h->physics_hz / h->drive_hz;
    run r = {.outside = -1.0e9};
    float steering = 0.0f;
    while (r.laps < LAPS && r.time < 2.0 * LAPS * line.time) {
        memmove(&late[1], &late[0], (DELAY_MOST - 1) * sizeof late[0]);
        late[0] = told(h, &s, random);
        kerb_controls controls = kerb_racer_drive(&racer, &line, &late[h->delay], NULL, (float)dt);
        r.turned += (double)fabsf(controls.steering - steering);
        steering = controls.steering;
        note(&r, &racer, &line, dt);
        for (int32_t i = 0; i < (steps > 0 ? steps : 1); i++)
            h->step(h->car, &s, &controls, 1.0 / (double)h->physics_hz);
    }
    double more = r.best / line.time - 1.0;
    printf("%s, %s, %d Hz: %d laps, best %.2f s, profile %+.2f %%, nearest to the edge %.2f m, "
           "wheel %.2f 1/s\n",
           h->name, track, (int)h->drive_hz, (int)r.laps, r.best, 100.0 * more, -r.outside,
           r.turned / r.time);
    if (r.laps < LAPS || r.outside > 0.0 || r.spins > 0 || !(more < h->slower))
        fail_msg("%s on %s at %d Hz: %d laps, %.2f m outside, %d frames in trouble, %+.2f %%",
                 h->name, track, (int)h->drive_hz, (int)r.laps, r.outside, (int)r.spins,
                 100.0 * more);
    if (h->wheel_most > 0.0 && r.turned / r.time > h->wheel_most)
        fail_msg("%s on %s: the wheel moves at %.2f 1/s", h->name, track, r.turned / r.time);
    kerb_racing_line_destroy(&line);
}

static void a_bicycle_with_pacejka_tyres_laps_at_every_rate(void** state) {
    (void)state;
    kerb_random random = test_random("bicycle host");
    static const int32_t rates[3] = {30, 60, 120};
    for (int32_t i = 0; i < 3; i++) {
        told_host h = {"bicycle", &saloon, step_bicycle, 120,   rates[i], 0,
                       0.0f,      true,    0.04,         false, 0.0,      false};
        race(&h, i == 1 ? "downs" : "vamos", &random);
        h.delay = 1;
        race(&h, i == 1 ? "vamos" : "downs", &random);
    }
}

static void four_wheels_told_in_part_late_and_with_noise_lap_too(void** state) {
    (void)state;
    kerb_random random = test_random("four-wheeled host");
    static const int32_t rates[3] = {30, 60, 120};
    for (int32_t i = 0; i < 3; i++) {
        told_host h = {"four wheels",
                       &racer_with_wings,
                       step_four_wheels,
                       600,
                       rates[i],
                       1,
                       0.02f,
                       false,
                       0.05,
                       false,
                       0.0,
                       false};
        race(&h, i == 2 ? "downs" : "vamos", &random);
    }
}

// A car whose masses lie near its middle, as engines compute it from a small box: radius of
// gyration² 0.72 m², where the axles alone would say 1.69.
static void a_car_with_little_yaw_inertia_is_damped_as_it_is_told(void** state) {
    (void)state;
    kerb_random random = test_random("inertia host");
    car nimble = saloon;
    nimble.front = nimble.rear = 1.3;
    nimble.inertia = 0.72 * nimble.mass;
    nimble.power = 300e3;
    for (int32_t tells = 0; tells < 2; tells++)
        for (int32_t i = 0; i < 2; i++) {
            told_host h = {tells ? "nimble, told" : "nimble",
                           &nimble,
                           step_bicycle,
                           240,
                           i == 0 ? 30 : 60,
                           0,
                           0.0f,
                           true,
                           0.06,
                           tells == 1,
                           tells ? 0.17 : 0.0,
                           false};
            race(&h, "downs", &random);
            h.delay = 1;
            race(&h, "vamos", &random);
        }
}

// Tyres twice as stiff at small slip as the racer learns them near their limit, little yaw inertia
// that is not told, and wheels that turn at once, 50 times a second: damping by what is believed of
// the car turns the wheels to and fro in every frame, until the racer notices how it answers. Where
// all is told a frame late, which nobody says, it turns them to and fro every third or fourth.
static void a_car_that_answers_more_than_believed_does_not_turn_its_wheels_to_and_fro(
    void** state) {
    (void)state;
    kerb_random random = test_random("nervous host");
    car nervous = racer_with_wings;
    nervous.stiffness = 48.0;
    nervous.inertia = 0.5 * nervous.front * nervous.rear * nervous.mass;
    nervous.steering_lag = 0.002;
    static const char* tracks[2] = {"downs", "vamos"};
    for (int32_t i = 0; i < 2; i++) {
        told_host h = {"nervous", &nervous, step_four_wheels, 500, 50, 0, 0.0f, true, 0.06, false,
                       0.3,       false};
        race(&h, tracks[i], &random);
        h.name = "nervous, late";
        h.untold = true;
        h.delay = 1;
        race(&h, tracks[i], &random);
    }
}

int racer_textbook_hosts_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bicycle_with_pacejka_tyres_laps_at_every_rate),
        cmocka_unit_test(four_wheels_told_in_part_late_and_with_noise_lap_too),
        cmocka_unit_test(a_car_with_little_yaw_inertia_is_damped_as_it_is_told),
        cmocka_unit_test(a_car_that_answers_more_than_believed_does_not_turn_its_wheels_to_and_fro),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
