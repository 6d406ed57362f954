// Purpose: one step of a car on wheels.
// Idea:    Three velocities (forward, side, yaw) and two wheel speeds. Tyre forces change quickly
//          with slip, at low speed most, so explicit steps oscillate at rest. Here each tyre is a
//          damper during one step: force = secant of its curve · slip velocity at the end of the
//          step. This makes the step one 3×3 linear system, stable for any stiffness. At rest the
//          damper is so stiff that the car moves as a kinematic bicycle. Dampers creep, so a car
//          that friction can hold is stopped exactly. The wheel speeds are eliminated before the
//          solve and recovered after it. In a steady state the result does not depend on the time
//          step.
// Cost:    Two tyres, one solve, six trigonometric functions.
// Source:  Mitschke, Wallentowitz, "Dynamik der Kraftfahrzeuge" (bicycle, load transfer);
//          Pacejka as in tyre.c; Kiencke, Nielsen, "Automotive Control Systems", section 8.4 (slip
//          by the greater of wheel and ground speed); Hairer, Wanner, "Solving Ordinary
//          Differential Equations II", section IV.7 (linearly implicit Euler).
#include "sim/car.h"
#include "sim/engine.h"
#include "sim/plane.h"
#include "sim/tyre.h"

// Slip is taken over at least this speed: below it a tyre is a plain damper. [m/s]
#define KERB_SIM_CAR_SLIP_SPEED_LEAST 0.2f
// Anti-lock brakes and traction control leave wheels this much freedom, so that they still lock
// when the car is about to stand. [m/s]
#define SLIP_CONTROL_SLACK 0.3f

// What the driver wants, made safe.
typedef struct pedals {
    float throttle, brake, steering, clutch;
    int32_t gear;
    bool handbrake;
} pedals;

// One axle during one step. Wheels are described at the rim: speeds in m/s, inertia in kg.
typedef struct axle {
    float along[3], across[3];     // contact velocity along and across the wheel, by car velocities
    float speed, slip;             // those velocities at the start of the step [m/s]
    float rim;                     // speed of the rim [m/s]
    float rim_mass;                // with the engine's damping [kg]
    float drive, brake;            // forces at the rim; brake >= 0 [N]
    float grip_along, grip_across; // greatest forces [N]
    float stiff_along, stiff_across; // force per slip velocity [N s/m]
    float peak;                      // slip of greatest force along the wheel [1]
    bool may_lock;                   // no anti-lock on this axle now
    bool held;                       // the brake or a control holds the rim at `rim_held`
    float rim_held;
    float push, yield; // tyre force along = push - yield · contact speed after the step
    kerb_vec2 force;
} axle;

typedef struct kerb_sim_velocity {
    float v[3]; // forward [m/s], side [m/s], yaw [rad/s]
} kerb_sim_velocity;

static float dot3(const float* row, const float* v) {
    return row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
}

static float sign_of(float x) {
    return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f;
}

// --------------------------------------------------------------------------- controls

static pedals pedals_from(const kerb_sim_car_model* model, const kerb_controls* controls) {
    int32_t most = model->drive_train.gear_count > 0 ? model->drive_train.gear_count : 1;
    pedals result;
    result.throttle = kerb_clamp(controls->throttle, 0.0f, 1.0f);
    result.brake = kerb_clamp(controls->brake, 0.0f, 1.0f);
    result.clutch = kerb_clamp(controls->clutch, 0.0f, 1.0f);
    bool steers = kerb_is_finite(controls->steering);
    result.steering = steers ? kerb_clamp(controls->steering, -1.0f, 1.0f) : 0.0f;
    result.gear = controls->gear < -1 ? -1 : controls->gear > most ? most : controls->gear;
    result.handbrake = controls->handbrake;
    return result;
}

static void turn_wheels(kerb_sim_car* car, float wanted, float time_step) {
    const kerb_sim_car_model* model = &car->model;
    float gap = wanted * model->steering_angle_max - car->steering;
    float step = gap * time_step / (model->steering_delay + time_step);
    car->steering += kerb_clamp(step, -model->steering_rate_max * time_step,
                                model->steering_rate_max * time_step);
}

static kerb_sim_drive engine_drive(kerb_sim_car* car, const pedals* wanted, float time_step) {
    const kerb_sim_car_model* model = &car->model;
    car->throttle +=
        (wanted->throttle - car->throttle) * time_step / (model->throttle_delay + time_step);
    kerb_sim_engine_shift(model, wanted->gear, time_step, &car->gear, &car->shift_timer);
    float driven =
        model->drive_front * car->wheel_front + (1.0f - model->drive_front) * car->wheel_rear;
    float rim = driven * model->wheel_radius;
    bool shifts = car->shift_timer > 0.0f;
    float clutch = shifts ? 1.0f : wanted->clutch;
    // Shifting up cuts the ignition, so that the engine does not rev away; shifting down does not.
    bool cut = shifts && car->gear > 0 &&
               car->engine_speed > kerb_sim_engine_ratio(model, car->gear) * driven;
    kerb_sim_drive drive =
        model->engine_inertia > 0.0f
            ? kerb_sim_engine_turn(model, car->gear, rim, cut ? 0.0f : car->throttle, clutch,
                                   car->engine_speed, time_step)
            : kerb_sim_engine_drive(model, car->gear, rim, car->throttle, clutch);
    car->engine_speed = model->drive_train.gear_count > 0 ? drive.engine_speed : 0.0f;
    return drive;
}

// --------------------------------------------------------------------------- loads

static float downforce_at(const kerb_sim_car_model* model, float forward) {
    return model->downforce_area * forward * forward;
}

// Axle loads: their shares at rest, downforce, and what the tyres' forces of the last step moved to
// the rear.
static void share_load(kerb_sim_car* car, const kerb_sim_plane* ground, float time_step) {
    const kerb_sim_car_model* model = &car->model;
    float wheelbase = model->front_to_mass + model->rear_to_mass;
    float down = downforce_at(model, car->forward);
    float weight = model->mass * ground->press;
    float sine, cosine;
    kerb_sin_cos(car->steering, &sine, &cosine);
    float push = car->force_front.x * cosine - car->force_front.y * sine + car->force_rear.x;
    float moved = push * model->mass_height / wheelbase;
    car->load_transfer +=
        (moved - car->load_transfer) * time_step / (model->load_delay + time_step);
    float front = weight * model->rear_to_mass / wheelbase + down * model->downforce_front -
                  car->load_transfer;
    car->load_front = kerb_clamp(front, 0.0f, weight + down);
    car->load_rear = weight + down - car->load_front;
}

// --------------------------------------------------------------------------- one axle

static void place_axle(axle* wheel, const kerb_sim_velocity* now, float arm, float steering) {
    float sine, cosine;
    kerb_sin_cos(steering, &sine, &cosine);
    float along[3] = {cosine, sine, sine * arm};
    float across[3] = {-sine, cosine, cosine * arm};
    for (int i = 0; i < 3; i++) {
        wheel->along[i] = along[i];
        wheel->across[i] = across[i];
    }
    wheel->speed = dot3(along, now->v);
    wheel->slip = dot3(across, now->v);
}

// The tyre as a damper around its present slip.
static void press_tyre(axle* wheel, const kerb_sim_car_model* model, float cornering, float load,
                       float ground_grip, float share_across) {
    float grip_along = model->grip_along * ground_grip;
    float grip_across = model->grip_across * ground_grip * share_across;
    float speed = kerb_max(kerb_abs(wheel->speed), kerb_abs(wheel->rim));
    speed = kerb_max(speed, KERB_SIM_CAR_SLIP_SPEED_LEAST);
    float along = model->slip_stiffness * (wheel->rim - wheel->speed) / (speed * grip_along);
    float across = cornering * wheel->slip / (speed * grip_across);
    float secant = load * kerb_sim_tyre_secant(kerb_sqrt(along * along + across * across)) / speed;
    wheel->stiff_along = secant * model->slip_stiffness;
    wheel->stiff_across = secant * cornering;
    wheel->grip_along = grip_along * load;
    wheel->grip_across = grip_across * load;
    wheel->peak = kerb_min(KERB_SIM_TYRE_PEAK * grip_along / model->slip_stiffness, 0.5f);
}

// Rim speed after a step in which the brake takes off at most `cut`, down to `floor` in the
// direction of motion. Below the floor the brake is let go.
static void brake_rim(axle* wheel, float free, float cut) {
    float way = sign_of(free);
    float fast = kerb_abs(free);
    float floor = (1.0f - wheel->peak) * kerb_abs(wheel->speed) - SLIP_CONTROL_SLACK;
    if (wheel->may_lock || floor < 0.0f)
        floor = 0.0f;
    if (floor > 0.0f && fast <= floor) {
        wheel->brake = 0.0f;
    } else if (fast - cut <= floor) {
        wheel->held = true;
        wheel->rim_held = way * floor;
    }
}

// Traction control: the drive lifts the rim at most to the slip of greatest force.
static void limit_spin(axle* wheel, float without_drive, float free) {
    float way = sign_of(wheel->drive);
    float most = kerb_max(way * wheel->speed, 0.0f) / (1.0f - wheel->peak) + SLIP_CONTROL_SLACK;
    if (way * free <= most)
        return;
    if (way * without_drive >= most) {
        wheel->drive = 0.0f;
    } else {
        wheel->held = true;
        wheel->rim_held = way * most;
    }
}

// Decides what the rim does in this step, and from it how the tyre's force depends on the speed
// after the step: a held rim is a damper against a given speed, a rolling one adds its own mass.
static void couple_rim(axle* wheel, bool slip_control, float time_step) {
    float heavy = wheel->rim_mass + time_step * wheel->stiff_along;
    float rolled = wheel->rim_mass * wheel->rim + time_step * wheel->stiff_along * wheel->speed;
    float free = (rolled + time_step * wheel->drive) / heavy;
    wheel->held = false;
    if (wheel->brake > 0.0f)
        brake_rim(wheel, free, time_step * wheel->brake / heavy);
    else if (slip_control && wheel->drive != 0.0f)
        limit_spin(wheel, rolled / heavy, free);
    if (wheel->held) {
        wheel->push = wheel->stiff_along * wheel->rim_held;
        wheel->yield = wheel->stiff_along;
        return;
    }
    wheel->brake *= sign_of(free); // from here on with the direction in which it pulls back
    float momentum = wheel->rim_mass * wheel->rim + time_step * (wheel->drive - wheel->brake);
    wheel->push = wheel->stiff_along * momentum / heavy;
    wheel->yield = wheel->stiff_along * wheel->rim_mass / heavy;
}

// Tyre force after the solve, cut to the friction ellipse. What was cut, in the car's axes.
static kerb_sim_velocity kerb_sim_car_take_force(axle* wheel, const kerb_sim_velocity* after) {
    kerb_vec2 wanted = {wheel->push - wheel->yield * dot3(wheel->along, after->v),
                        -wheel->stiff_across * dot3(wheel->across, after->v)};
    float x = wanted.x / kerb_max(wheel->grip_along, 1e-3f);
    float y = wanted.y / kerb_max(wheel->grip_across, 1e-3f);
    float use = x * x + y * y;
    wheel->force = use > 1.0f ? kerb_vec2_scale(wanted, 1.0f / kerb_sqrt(use)) : wanted;
    kerb_sim_velocity cut;
    for (int i = 0; i < 3; i++)
        cut.v[i] = wheel->along[i] * (wheel->force.x - wanted.x) +
                   wheel->across[i] * (wheel->force.y - wanted.y);
    return cut;
}

static float rim_after(const axle* wheel, float time_step) {
    if (wheel->held)
        return wheel->rim_held;
    float gain = time_step * (wheel->drive - wheel->brake - wheel->force.x) / wheel->rim_mass;
    float rim = wheel->rim + gain;
    // A brake stops a rim; it never turns it the other way.
    return wheel->brake != 0.0f && rim * wheel->brake < 0.0f ? 0.0f : rim;
}

// --------------------------------------------------------------------------- the solve

static void add_damper(float matrix[3][3], float right[3], const axle* wheel) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            matrix[i][j] += wheel->yield * wheel->along[i] * wheel->along[j] +
                            wheel->stiff_across * wheel->across[i] * wheel->across[j];
        right[i] += wheel->push * wheel->along[i];
    }
}

static float determinant(const float* a, const float* b, const float* c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Cramer's rule, in columns. The matrix is positive definite but for the turning frame's small
// skew part, and scaled to a diagonal near 1.
static kerb_sim_velocity kerb_sim_car_solve(float matrix[3][3], const float right[3]) {
    float column[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            column[j][i] = matrix[i][j];
    float whole = determinant(column[0], column[1], column[2]);
    kerb_sim_velocity result = {{determinant(right, column[1], column[2]) / whole,
                                 determinant(column[0], right, column[2]) / whole,
                                 determinant(column[0], column[1], right) / whole}};
    return result;
}

// Velocities after the step: masses, the turning frame, drag and rolling resistance as dampers,
// gravity, and both tyres.
static kerb_sim_velocity kerb_sim_car_solve_step(const kerb_sim_car* car,
                                                 const kerb_sim_velocity* now, const axle wheels[2],
                                                 const kerb_sim_plane* ground, float time_step) {
    const kerb_sim_car_model* model = &car->model;
    float drag_area = model->drag_area * (1.0f - car->tow);
    float mass = model->mass / time_step;
    float fast = kerb_abs(now->v[0]);
    float rolling = model->rolling_resistance * model->mass * ground->press +
                    model->rolling_resistance * downforce_at(model, now->v[0]);
    // Spread over the last metres per second, so that it stops the car and does not reverse it.
    float rolling_damping = rolling / kerb_max(fast, rolling / mass);
    float matrix[3][3] = {
        {mass + drag_area * fast + rolling_damping, 0.0f, -model->mass * now->v[1]},
        {0.0f, mass, model->mass * now->v[0]},
        {0.0f, 0.0f, model->yaw_inertia / time_step}};
    float right[3] = {mass * now->v[0] + model->mass * ground->pull_forward,
                      mass * now->v[1] + model->mass * ground->pull_left,
                      model->yaw_inertia / time_step * now->v[2]};
    add_damper(matrix, right, &wheels[0]);
    add_damper(matrix, right, &wheels[1]);
    for (int i = 0; i < 3; i++) {
        float scale = 1.0f / matrix[i][i];
        for (int j = 0; j < 3; j++)
            matrix[i][j] *= scale;
        right[i] *= scale;
    }
    return kerb_sim_car_solve(matrix, right);
}

static void apply_cut(const kerb_sim_car_model* model, kerb_sim_velocity* after,
                      const kerb_sim_velocity* cut, float time_step) {
    after->v[0] += cut->v[0] * time_step / model->mass;
    after->v[1] += cut->v[1] * time_step / model->mass;
    after->v[2] += cut->v[2] * time_step / model->yaw_inertia;
}

// True when the car all but stands, and brakes and rolling resistance can hold it against gravity
// and engine. Dampers alone would let it creep.
static bool kerb_sim_car_held_at_rest(const kerb_sim_car_model* model,
                                      const kerb_sim_velocity* after, const axle wheels[2],
                                      const float brakes[2], const kerb_sim_plane* ground,
                                      float drive) {
    float wheelbase = model->front_to_mass + model->rear_to_mass;
    if (kerb_abs(after->v[0]) > KERB_SIM_REST_SPEED ||
        kerb_abs(after->v[1]) > KERB_SIM_REST_SPEED ||
        kerb_abs(after->v[2]) * wheelbase > KERB_SIM_REST_SPEED)
        return false;
    float hold = model->rolling_resistance * model->mass * ground->press +
                 kerb_min(brakes[0], wheels[0].grip_along) +
                 kerb_min(brakes[1], wheels[1].grip_along);
    float hold_side = wheels[0].grip_across + wheels[1].grip_across;
    return kerb_abs(model->mass * ground->pull_forward + drive) <= hold &&
           kerb_abs(model->mass * ground->pull_left) <= hold_side;
}

// --------------------------------------------------------------------------- public

kerb_sim_car kerb_sim_car_make(const kerb_sim_car_model* model, kerb_vec3 position, float heading) {
    kerb_sim_car car = {0};
    float sine, cosine;
    kerb_sin_cos(heading, &sine, &cosine);
    kerb_vec3 ahead = {cosine, sine, 0.0f};
    float weight = model->mass * KERB_GRAVITY;
    car.model = *model;
    car.position = kerb_vec3_along(position, ahead, -model->mass_to_reference);
    car.heading = kerb_wrap_angle(heading);
    car.rotation = kerb_quat_from_heading(heading);
    car.load_front = weight * model->rear_to_mass / (model->front_to_mass + model->rear_to_mass);
    car.load_rear = weight - car.load_front;
    car.gear = 1;
    if (model->drive_train.gear_count > 0)
        car.engine_speed = model->drive_train.engine_speed_idle;
    return car;
}

static void set_axles(const kerb_sim_car* car, const pedals* wanted, const kerb_sim_velocity* now,
                      const kerb_sim_plane* ground, const kerb_sim_drive* drive, axle wheels[2],
                      float time_step) {
    const kerb_sim_car_model* model = &car->model;
    float radius = model->wheel_radius;
    float share[2] = {model->drive_front, 1.0f - model->drive_front};
    float brake = wanted->brake * model->brake_force;
    wheels[0].rim = car->wheel_front * radius;
    wheels[1].rim = car->wheel_rear * radius;
    wheels[0].brake = brake * model->brake_front;
    wheels[1].brake = brake * (1.0f - model->brake_front);
    wheels[0].may_lock = wheels[1].may_lock = !model->slip_control;
    if (wanted->handbrake) {
        wheels[1].brake += model->handbrake_force;
        wheels[1].may_lock = true;
    }
    place_axle(&wheels[0], now, model->front_to_mass, car->steering);
    place_axle(&wheels[1], now, -model->rear_to_mass, 0.0f);
    press_tyre(&wheels[0], model, model->cornering_front, car->load_front, ground->grip,
               1.0f - model->front_grip_lost);
    press_tyre(&wheels[1], model, model->cornering_rear, car->load_rear, ground->grip, 1.0f);
    for (int i = 0; i < 2; i++) {
        wheels[i].drive = drive->force * share[i];
        wheels[i].rim_mass = model->wheel_inertia / (radius * radius) +
                             time_step * drive->damping * share[i] * share[i] +
                             drive->mass * share[i];
    }
}

// The tyres hold the car against gravity, each axle by its load.
static void stand(kerb_sim_car* car, const kerb_sim_plane* ground) {
    float weight = kerb_max(car->load_front + car->load_rear, 1e-3f);
    kerb_vec2 hold = {-car->model.mass * ground->pull_forward,
                      -car->model.mass * ground->pull_left};
    car->forward = car->side = car->yaw_rate = 0.0f;
    car->wheel_front = car->wheel_rear = 0.0f;
    car->force_front = kerb_vec2_scale(hold, car->load_front / weight);
    car->force_rear = kerb_vec2_scale(hold, car->load_rear / weight);
}

void kerb_sim_car_step(kerb_sim_car* car, const kerb_controls* controls,
                       const kerb_sim_ground* ground, float time_step) {
    const kerb_sim_car_model* model = &car->model;
    pedals wanted = pedals_from(model, controls);
    kerb_sim_velocity now = {{car->forward, car->side, car->yaw_rate}};
    kerb_sim_plane under = kerb_sim_plane_under(ground, car->heading);
    kerb_vec2 moves = {car->forward, car->side};
    // Over a sharp crest nothing presses the car down; it never leaves the ground, though.
    under.press = kerb_max(under.press + kerb_sim_plane_bend_push(&under, moves), 0.0f);
    axle wheels[2];

    turn_wheels(car, wanted.steering, time_step);
    kerb_sim_drive drive = engine_drive(car, &wanted, time_step);
    share_load(car, &under, time_step);
    set_axles(car, &wanted, &now, &under, &drive, wheels, time_step);
    float brakes[2] = {wheels[0].brake, wheels[1].brake};
    couple_rim(&wheels[0], model->slip_control, time_step);
    couple_rim(&wheels[1], model->slip_control, time_step);

    kerb_sim_velocity after = kerb_sim_car_solve_step(car, &now, wheels, &under, time_step);
    kerb_sim_velocity cut_front = kerb_sim_car_take_force(&wheels[0], &after);
    kerb_sim_velocity cut_rear = kerb_sim_car_take_force(&wheels[1], &after);
    apply_cut(model, &after, &cut_front, time_step);
    apply_cut(model, &after, &cut_rear, time_step);

    car->acceleration = (after.v[0] - now.v[0]) / time_step;
    if (kerb_sim_car_held_at_rest(model, &after, wheels, brakes, &under, drive.force)) {
        stand(car, &under);
    } else {
        car->forward = after.v[0];
        car->side = after.v[1];
        car->yaw_rate = after.v[2];
        car->wheel_front = rim_after(&wheels[0], time_step) / model->wheel_radius;
        car->wheel_rear = rim_after(&wheels[1], time_step) / model->wheel_radius;
        car->force_front = wheels[0].force;
        car->force_rear = wheels[1].force;
    }
    kerb_sim_plane_move(&under, kerb_vec2_make(car->forward, car->side), car->yaw_rate,
                        ground->height, time_step, &car->position, &car->position_rest);
    car->heading = kerb_sim_plane_turn(&under, car->heading, car->yaw_rate, time_step);
    moves = kerb_vec2_make(car->forward, car->side);
    car->heading =
        kerb_wrap_angle(car->heading + kerb_sim_plane_bend_turn(&under, moves) * time_step);
    car->rotation = kerb_sim_plane_rotation(under.normal, car->heading);
}

// Of the wheels of one axle, whose ground goes by so fast along them.
static float slip_of(const kerb_sim_car* car, float wheel, float ground) {
    return (wheel * car->model.wheel_radius - ground) / kerb_max(kerb_abs(ground), 1.0f);
}

// Of the axle that slips more; of cars that see to it themselves nobody asks.
static float wheel_slip(const kerb_sim_car* car) {
    if (car->model.slip_control)
        return 0.0f;
    float sine, cosine;
    kerb_sin_cos(car->steering, &sine, &cosine);
    float aside = car->side + car->model.front_to_mass * car->yaw_rate;
    float front = slip_of(car, car->wheel_front, cosine * car->forward + sine * aside);
    float rear = slip_of(car, car->wheel_rear, car->forward);
    return kerb_abs(front) > kerb_abs(rear) ? front : rear;
}

kerb_motion kerb_sim_car_motion(const kerb_sim_car* car) {
    const kerb_sim_car_model* model = &car->model;
    float ahead = model->mass_to_reference;
    kerb_vec3 position = kerb_vec3_along(car->position, kerb_quat_forward(car->rotation), ahead);
    kerb_vec2 reference_velocity = {car->forward, car->side + car->yaw_rate * ahead};
    kerb_motion motion =
        kerb_sim_plane_motion(position, car->rotation, reference_velocity, car->yaw_rate);
    motion.steering = car->steering / model->steering_angle_max;
    motion.gear = car->gear;
    motion.engine_speed = car->engine_speed;
    motion.wheel_slip = wheel_slip(car);
    return motion;
}
