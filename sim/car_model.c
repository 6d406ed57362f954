// Purpose: makes a car model that behaves like a kerb_vehicle, and a kerb_vehicle that describes a
//          car model; and the reference pick-up.
// Idea:    Every limit of a kerb_vehicle is a closed form of the model: the top speed is the
//          balance of drive and resistance, launch and braking are force over mass with the grip of
//          the axles, and understeer comes from the two cornering stiffnesses. kerb_sim_car_vehicle
//          evaluates these forms; kerb_sim_car_model_for solves them for the parameters of the
//          model.
// Cost:    O(1), once per vehicle.
// Source:  Gillespie, "Fundamentals of Vehicle Dynamics", chapters 2, 3 and 6.
#include "sim/car.h"
#include "sim/engine.h"
#include "sim/tyre.h"

static float wheelbase_of(const kerb_sim_car_model* model) {
    return model->front_to_mass + model->rear_to_mass;
}

// What a force along the car accelerates: the mass, and the wheels that turn with it. [kg]
static float car_model_rolling_mass(const kerb_sim_car_model* model) {
    return model->mass + 2.0f * model->wheel_inertia / (model->wheel_radius * model->wheel_radius);
}

static float car_model_rolling_force(const kerb_sim_car_model* model) {
    return model->rolling_resistance * model->mass * KERB_GRAVITY;
}

// What of a force, shared between the axles, reaches level ground: each axle gives at most its
// grip, and the load moves with what is given. A few rounds settle it.
static float force_on_ground(const kerb_sim_car_model* model, float wanted, float front_share) {
    float weight = model->mass * KERB_GRAVITY;
    float lever = model->mass_height / wheelbase_of(model);
    float given = 0.0f;
    for (int round = 0; round < 8; round++) {
        float front = weight * model->rear_to_mass / wheelbase_of(model) - given * lever;
        front = kerb_clamp(front, 0.0f, weight);
        float most_front = model->grip_along * front;
        float most_rear = model->grip_along * (weight - front);
        float at_front = kerb_abs(wanted) * front_share;
        float at_rear = kerb_abs(wanted) * (1.0f - front_share);
        given = kerb_min(at_front, most_front) + kerb_min(at_rear, most_rear);
        given = wanted < 0.0f ? -given : given;
    }
    return given;
}

// --------------------------------------------------------------------------- model to vehicle

static float torque_share(const kerb_sim_car_model* model, int32_t gear) {
    return gear < 0 ? model->reverse_torque : 1.0f;
}

// Resistance per speed²: drag, and the rolling resistance of what downforce adds to the load.
// [kg/m]
static float drag_of(const kerb_sim_car_model* model) {
    return model->drag_area + model->rolling_resistance * model->downforce_area;
}

// Downforce as a driver may count on it: where it is not shared as the mass and the grip are, one
// axle holds less than the other and the car no more than that one. [kg/m]
static float downforce_of(const kerb_sim_car_model* model) {
    float front = model->downforce_front * wheelbase_of(model) / model->rear_to_mass;
    float rear = (1.0f - model->downforce_front) * wheelbase_of(model) / model->front_to_mass;
    // At rest the front axle is the first to slide; at speed, one stays so.
    float spare = 1.0f / (1.0f - model->front_grip_lost);
    return model->downforce_area * kerb_min(front, spare * rear);
}

// Drive less resistance at full throttle. [N]
static float surplus(const kerb_sim_car_model* model, int32_t gear, float speed) {
    float slope;
    float turns = kerb_abs(kerb_sim_engine_ratio(model, gear)) / model->wheel_radius;
    float torque = kerb_sim_engine_torque(model, speed * turns, &slope) * torque_share(model, gear);
    return torque * turns * model->drive_efficiency - car_model_rolling_force(model) -
           drag_of(model) * speed * speed;
}

// Greatest speed in one gear: from the top of the torque curve down to the first piece on which
// drive and resistance balance, and there by halving.
static float balance_speed(const kerb_sim_car_model* model, int32_t gear) {
    float metres = model->wheel_radius /
                   kerb_abs(kerb_sim_engine_ratio(model, gear)); // per radian of the engine
    int last = KERB_SIM_TORQUE_POINTS - 1;
    if (surplus(model, gear, model->engine_speed[last] * metres) >= 0.0f)
        return model->engine_speed[last] * metres;
    int i = last;
    while (i > 0 && surplus(model, gear, model->engine_speed[i - 1] * metres) < 0.0f)
        i--;
    if (i == 0)
        return 0.0f;
    float low = model->engine_speed[i - 1] * metres;
    float high = model->engine_speed[i] * metres;
    for (int round = 0; round < 30; round++) {
        float middle = 0.5f * (low + high);
        if (surplus(model, gear, middle) >= 0.0f)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static float car_model_top_speed(const kerb_sim_car_model* model) {
    int32_t gears = model->drive_train.gear_count > 0 ? model->drive_train.gear_count : 1;
    float most = 0.0f;
    for (int32_t gear = 1; gear <= gears; gear++)
        most = kerb_max(most, balance_speed(model, gear));
    return most;
}

static float launch_acceleration(const kerb_sim_car_model* model, int32_t gear) {
    float slope;
    float torque = kerb_sim_engine_torque(model, model->engine_launch_speed, &slope);
    torque *= torque_share(model, gear);
    float force =
        torque * kerb_sim_engine_ratio(model, gear) / model->wheel_radius * model->drive_efficiency;
    float given = force_on_ground(model, force, model->drive_front);
    return (kerb_abs(given) - car_model_rolling_force(model)) / car_model_rolling_mass(model);
}

// The engine's greatest power, as far as it reaches the car and not only its wheels' turning. [W]
static float greatest_power(const kerb_sim_car_model* model) {
    float most = 0.0f;
    for (int i = 0; i < KERB_SIM_TORQUE_POINTS; i++)
        most = kerb_max(most, model->engine_torque[i] * model->engine_speed[i]);
    return most * model->drive_efficiency * model->mass / car_model_rolling_mass(model);
}

// Where brakes are stronger than the tyres of both axles, these stop the wheels too: their inertia
// costs the car nothing.
static float full_braking(const kerb_sim_car_model* model) {
    float brakes = -force_on_ground(model, -model->brake_force, model->brake_front);
    float most = model->grip_along * model->mass * KERB_GRAVITY;
    float heavy = brakes >= 0.9999f * most ? model->mass : car_model_rolling_mass(model);
    return (car_model_rolling_force(model) + brakes) / heavy;
}

kerb_vehicle kerb_sim_car_vehicle(const kerb_sim_car_model* model) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    float heavy = car_model_rolling_mass(model);
    float softness = 1.0f / model->cornering_front - 1.0f / model->cornering_rear;
    float reverse = balance_speed(model, -1);
    vehicle.length = model->length;
    vehicle.width = model->width;
    vehicle.reference_to_front = model->mass_to_bumper - model->mass_to_reference;
    vehicle.reference_to_rear_axle = model->rear_to_mass + model->mass_to_reference;
    vehicle.wheelbase = wheelbase_of(model);
    vehicle.mass = model->mass;
    vehicle.steering_angle_max = model->steering_angle_max;
    vehicle.steering_rate_max = model->steering_rate_max;
    vehicle.steering_delay = model->steering_delay;
    vehicle.understeer_gradient = softness / KERB_GRAVITY;
    vehicle.speed_max = car_model_top_speed(model);
    vehicle.reverse_speed_max = kerb_min(model->reverse_speed_max, reverse);
    vehicle.acceleration_max = launch_acceleration(model, 1);
    vehicle.reverse_acceleration_max = launch_acceleration(model, -1);
    vehicle.power = greatest_power(model);
    vehicle.braking_max = full_braking(model);
    vehicle.coasting_deceleration = car_model_rolling_force(model) / heavy;
    vehicle.drag = drag_of(model) / heavy;
    vehicle.downforce = downforce_of(model) / model->mass;
    vehicle.lateral_acceleration_max =
        model->grip_across * (1.0f - model->front_grip_lost) * KERB_GRAVITY;
    vehicle.throttle_delay = model->throttle_delay;
    vehicle.drive_train = model->drive_train;
    return vehicle;
}

// --------------------------------------------------------------------------- vehicle to model

// The part of the wheelbase that the centre of mass keeps from each axle: a reference point
// farther back, on the rear axle say, is not the centre of mass.
#define MASS_FROM_AXLE_LEAST 0.35f
// Longitudinal grip over what full braking or launching needs: no tyre reaches its peak, even
// before the load has moved, which the height of the mass is limited to do by as much.
#define GRIP_RESERVE 1.35f
#define LOAD_TRANSFER_MOST 0.25f
// Slip of the greatest force, along the wheel and across it (rear, neutral car): dry road tyres.
#define PEAK_SLIP_ALONG 0.12f
#define PEAK_SLIP_ACROSS 0.16f

// What turns with each axle, as a share of the mass.
#define WHEELS_MASS 0.02f

// The greatest force that the tyres must give along the car, per mass: launching also overcomes
// the rolling resistance and turns the wheels.
static float hardest_push(const kerb_vehicle* vehicle) {
    float launch = kerb_max(vehicle->acceleration_max, vehicle->reverse_acceleration_max);
    float hardest = kerb_max(vehicle->braking_max, launch + vehicle->coasting_deceleration);
    return hardest * (1.0f + 2.0f * WHEELS_MASS);
}

static void place_mass(kerb_sim_car_model* model, const kerb_vehicle* vehicle) {
    float wheelbase = vehicle->wheelbase;
    float least = MASS_FROM_AXLE_LEAST * wheelbase;
    float hardest = hardest_push(vehicle);
    model->length = vehicle->length;
    model->width = vehicle->width;
    model->mass = vehicle->mass;
    model->rear_to_mass = kerb_clamp(vehicle->reference_to_rear_axle, least, wheelbase - least);
    model->front_to_mass = wheelbase - model->rear_to_mass;
    model->mass_to_reference = vehicle->reference_to_rear_axle - model->rear_to_mass;
    model->mass_to_bumper = vehicle->reference_to_front + model->mass_to_reference;
    // Dynamic index 1, usual for cars: masses as if over the axles.
    model->yaw_inertia = vehicle->mass * model->front_to_mass * model->rear_to_mass;
    float nearer = kerb_min(model->front_to_mass, model->rear_to_mass);
    float stays_down = LOAD_TRANSFER_MOST * KERB_GRAVITY * nearer;
    float height = kerb_min(0.2f * wheelbase, 0.35f * vehicle->width); // as cars are
    model->mass_height = kerb_min(height, stays_down / hardest);
    // Springs settle as a pendulum's time goes: with the root of the size. Cars: 0.1 s.
    model->load_delay = 0.1f * kerb_sqrt(wheelbase / 2.7f);
}

static void choose_tyres(kerb_sim_car_model* model, const kerb_vehicle* vehicle) {
    float hardest = hardest_push(vehicle);
    model->grip_across = vehicle->lateral_acceleration_max / KERB_GRAVITY;
    model->grip_along = kerb_max(model->grip_across, GRIP_RESERVE * hardest / KERB_GRAVITY);
    model->slip_stiffness = KERB_SIM_TYRE_PEAK * model->grip_along / PEAK_SLIP_ALONG;
    // Slip angle per lateral acceleration over g is 1/stiffness: the axles' difference is the
    // understeer gradient, and it goes to the axle that slips more.
    float stiff = KERB_SIM_TYRE_PEAK * model->grip_across / PEAK_SLIP_ACROSS;
    float softness = vehicle->understeer_gradient * KERB_GRAVITY;
    model->cornering_front = 1.0f / (1.0f / stiff + kerb_max(softness, 0.0f));
    model->cornering_rear = 1.0f / (1.0f / stiff + kerb_max(-softness, 0.0f));
    model->slip_control = true;
}

static void choose_wheels(kerb_sim_car_model* model, const kerb_vehicle* vehicle) {
    const kerb_drive_train* train = &vehicle->drive_train;
    bool known = train->gear_count > 0;
    model->wheel_radius = known ? train->wheel_radius : kerb_min(0.12f * vehicle->wheelbase, 0.5f);
    model->wheel_inertia = WHEELS_MASS * vehicle->mass * model->wheel_radius * model->wheel_radius;
    float heavy = car_model_rolling_mass(model);
    model->rolling_resistance =
        vehicle->coasting_deceleration * heavy / (vehicle->mass * KERB_GRAVITY);
    model->downforce_area = vehicle->downforce * vehicle->mass;
    model->downforce_front = model->rear_to_mass / wheelbase_of(model);
    float rolls = model->rolling_resistance * model->downforce_area;
    model->drag_area = kerb_max(vehicle->drag * heavy - rolls, 0.0f);
}

// Share of the load on the front axle while all tyres push the car: brakes and drive shared so use
// the grip of both axles alike.
static float front_share(const kerb_sim_car_model* model, float force) {
    float rest = model->rear_to_mass / wheelbase_of(model);
    float moved = force * model->mass_height / (wheelbase_of(model) * model->mass * KERB_GRAVITY);
    return kerb_clamp(rest - moved, 0.0f, 1.0f);
}

static void choose_brakes(kerb_sim_car_model* model, const kerb_vehicle* vehicle) {
    model->brake_force =
        car_model_rolling_mass(model) * vehicle->braking_max - car_model_rolling_force(model);
    model->brake_force = kerb_max(model->brake_force, 0.0f);
    model->brake_front = front_share(model, -model->brake_force);
    model->handbrake_force = model->grip_along * model->mass * KERB_GRAVITY;
}

// The lowest gear whose engine speed allows the top speed, else the highest: its ratio.
static float top_speed_ratio(const kerb_sim_car_model* model, const kerb_vehicle* vehicle) {
    const kerb_drive_train* train = &vehicle->drive_train;
    float ratio = kerb_sim_engine_ratio(model, train->gear_count > 0 ? train->gear_count : 1);
    for (int32_t gear = train->gear_count - 1; gear >= 1; gear--) {
        float faster = train->gear_ratio[gear - 1];
        if (vehicle->speed_max * faster / train->wheel_radius <= train->engine_speed_max)
            ratio = kerb_max(ratio, faster);
    }
    return ratio;
}

// Torque that launches the car up to the speed where its power is reached, then that power, which
// is what holds the top speed. The points between lie closer at low speed, so that straight pieces
// follow the hyperbola. A long top gear may need more torque than the launch: then it rises.
static void choose_torque(kerb_sim_car_model* model, float launch_torque, float top_torque,
                          float top_speed) {
    const int top = KERB_SIM_TORQUE_POINTS - 2;
    bool rises = top_torque >= launch_torque;
    float base = rises ? 0.3f * top_speed : top_speed * top_torque / launch_torque;
    float rise = (top_torque - launch_torque) / (top_speed - base);
    model->engine_speed[0] = 0.0f;
    model->engine_torque[0] = launch_torque;
    for (int i = 1; i <= top; i++) {
        float t = (float)(i - 1) / (float)(top - 1);
        float speed = 1.0f / ((1.0f - t) / base + t / top_speed);
        model->engine_speed[i] = speed;
        model->engine_torque[i] =
            rises ? launch_torque + rise * (speed - base) : top_torque * top_speed / speed;
    }
}

// What lies above the top speed: for lower gears the same power, up to the engine's limit. A car
// that meets less resistance than `top_torque` overcomes is cut off there.
static void choose_limiter(kerb_sim_car_model* model, const kerb_drive_train* train, bool cut_off) {
    const int last = KERB_SIM_TORQUE_POINTS - 1;
    float top_speed = model->engine_speed[last - 1];
    float end = cut_off ? 1.01f * top_speed : 1.1f * top_speed;
    if (train->gear_count > 0)
        end = kerb_max(train->engine_speed_max, 1.01f * top_speed);
    model->engine_speed[last] = end;
    model->engine_torque[last] =
        cut_off && train->gear_count == 0 ? 0.0f : model->engine_torque[last - 1] * top_speed / end;
}

static void choose_engine(kerb_sim_car_model* model, const kerb_vehicle* vehicle) {
    float heavy = car_model_rolling_mass(model);
    float radius = model->wheel_radius;
    float resistance =
        car_model_rolling_force(model) + model->drag_area * vehicle->speed_max * vehicle->speed_max;
    float launch_force = heavy * vehicle->acceleration_max + car_model_rolling_force(model);
    float reverse_force =
        heavy * vehicle->reverse_acceleration_max + car_model_rolling_force(model);
    float first = kerb_sim_engine_ratio(model, 1);
    float ratio = top_speed_ratio(model, vehicle);
    float launch_torque = launch_force * radius / first;
    float top = vehicle->speed_max * ratio / radius;
    // Without any resistance the power would be none.
    float least_force = 0.02f * launch_force;
    float top_force = kerb_max(resistance, least_force);
    // Who shifts for himself may have more power than the top speed needs, and a governor.
    if (vehicle->drive_train.gear_count == 0) {
        float said = vehicle->power * heavy / (vehicle->mass * vehicle->speed_max);
        top_force = kerb_max(top_force, kerb_min(said, launch_force));
    }
    choose_torque(model, launch_torque, top_force * radius / ratio, top);
    choose_limiter(model, &vehicle->drive_train, top_force > 1.001f * resistance);
    // As short as the launch in reverse asks, but so long that the engine can turn as fast as the
    // greatest speed asks.
    float longest = 0.95f * model->engine_speed[KERB_SIM_TORQUE_POINTS - 1] * radius /
                    vehicle->reverse_speed_max;
    model->reverse_ratio = kerb_min(first * reverse_force / launch_force, longest);
    model->reverse_torque = reverse_force * radius / (model->reverse_ratio * launch_torque);
    model->reverse_speed_max = vehicle->reverse_speed_max;
    model->engine_braking = 0.0f; // a kerb_vehicle knows none
    model->engine_launch_speed = 0.0f;
    if (vehicle->drive_train.gear_count > 0) // within the flat part, so that the launch is known
        model->engine_launch_speed =
            kerb_min(vehicle->drive_train.engine_speed_idle, model->engine_speed[1]);
    model->drive_front = front_share(model, 0.0f); // between launching forwards and in reverse
}

kerb_sim_car_model kerb_sim_car_model_for(const kerb_vehicle* vehicle) {
    kerb_sim_car_model model = {0};
    model.steering_angle_max = vehicle->steering_angle_max;
    model.steering_rate_max = vehicle->steering_rate_max;
    model.steering_delay = vehicle->steering_delay;
    model.throttle_delay = vehicle->throttle_delay;
    model.drive_efficiency = 1.0f;
    model.drive_train = vehicle->drive_train;
    place_mass(&model, vehicle);
    choose_tyres(&model, vehicle);
    choose_wheels(&model, vehicle);
    choose_brakes(&model, vehicle);
    choose_engine(&model, vehicle);
    return model;
}

// --------------------------------------------------------------------------- the pick-up

static const float pickup_engine_speed[KERB_SIM_TORQUE_POINTS] = {80.0f,  150.0f, 220.0f, 330.0f,
                                                                  430.0f, 520.0f, 570.0f, 610.0f};
static const float pickup_engine_torque[KERB_SIM_TORQUE_POINTS] = {250.0f, 330.0f, 375.0f, 400.0f,
                                                                   385.0f, 346.0f, 300.0f, 245.0f};

// Limits of the engine speed and gears: even steps from 14 to 50 m/s at the limiter.
static kerb_drive_train pickup_drive_train(void) {
    kerb_drive_train train = {0};
    static const float ratio[5] = {17.0f, 10.6f, 7.4f, 5.7f, 4.6f};
    train.gear_count = 5;
    for (int i = 0; i < 5; i++)
        train.gear_ratio[i] = ratio[i];
    train.wheel_radius = 0.38f;
    train.engine_speed_idle = 80.0f;
    train.engine_speed_power = 520.0f;
    train.engine_speed_max = 610.0f;
    train.shift_time = 0.3f;
    return train;
}

static void pickup_chassis(kerb_sim_car_model* model) {
    model->length = 5.3f;
    model->width = 1.9f;
    model->mass = 2000.0f;
    model->front_to_mass = 1.5f; // empty bed: more load in front
    model->rear_to_mass = 1.7f;
    model->mass_to_bumper = 2.4f;
    model->yaw_inertia = 5100.0f; // dynamic index 1
    model->mass_height = 0.68f;
    model->load_delay = 0.1f;
    model->steering_angle_max = 0.47f; // 6.3 m at the rear axle
    model->steering_rate_max = 0.9f;
    model->steering_delay = 0.06f;
}

static void pickup_tyres_and_brakes(kerb_sim_car_model* model) {
    model->grip_along = 0.98f;
    model->grip_across = 0.85f;
    model->slip_stiffness = 18.0f;
    model->cornering_front = 9.0f;
    model->cornering_rear = 14.0f;
    model->slip_control = true;
    model->wheel_radius = 0.38f;
    model->wheel_inertia = 4.0f;
    model->brake_force = 19000.0f;
    model->brake_front = 0.70f;
    model->handbrake_force = 9000.0f;
}

kerb_sim_car_model kerb_sim_pickup_model(void) {
    kerb_sim_car_model model = {0};
    pickup_chassis(&model);
    pickup_tyres_and_brakes(&model);
    for (int i = 0; i < KERB_SIM_TORQUE_POINTS; i++) {
        model.engine_speed[i] = pickup_engine_speed[i];
        model.engine_torque[i] = pickup_engine_torque[i];
    }
    model.engine_launch_speed = 200.0f;
    model.engine_braking = 70.0f;
    model.drive_efficiency = 0.85f;
    model.throttle_delay = 0.12f;
    model.drive_train = pickup_drive_train();
    model.reverse_ratio = 15.0f;
    model.reverse_torque = 1.0f;
    model.reverse_speed_max = 9.0f;
    model.rolling_resistance = 0.013f;
    model.drag_area = 0.97f; // c_d 0.49, 3.3 m²
    return model;
}
