// Purpose: computes the force at the rims from throttle, gear and wheel speed.
// Idea:    A torque curve through eight points, and a clutch that slips by itself when the wheels
//          would pull the engine below the speed that the throttle commands. A limiter and, in
//          reverse, a governor are steep slopes, which are reported to the implicit step. An engine
//          with inertia has a speed of its own. The clutch transmits the torque that would bring it
//          to the wheels' speed within the step, as far as the clutch holds. While it holds, the
//          inertia of the engine adds to that of the wheels.
// Cost:    O(1).
// Source:  Gillespie, "Fundamentals of Vehicle Dynamics", chapter 2 (tractive force by gear).
#include "sim/engine.h"

#define LIMITER_BAND 0.02f
#define ENGINE_GOVERNOR_BAND 0.03f
// A clutch that closes by itself on an engine that is too slow is let in gently: such a share of
// its torque.
#define CLUTCH_BACK 0.33f

float kerb_sim_engine_torque(const kerb_sim_car_model* model, float engine_speed, float* slope) {
    const float* speed = model->engine_speed;
    const float* torque = model->engine_torque;
    const int last = KERB_SIM_TORQUE_POINTS - 1;
    *slope = 0.0f;
    if (engine_speed <= speed[0])
        return torque[0];
    for (int i = 1; i <= last; i++) {
        if (engine_speed <= speed[i]) {
            *slope = (torque[i] - torque[i - 1]) / (speed[i] - speed[i - 1]);
            return torque[i - 1] + *slope * (engine_speed - speed[i - 1]);
        }
    }
    float band = LIMITER_BAND * speed[last];
    if (engine_speed >= speed[last] + band)
        return 0.0f;
    *slope = -torque[last] / band;
    return torque[last] + *slope * (engine_speed - speed[last]);
}

float kerb_sim_engine_ratio(const kerb_sim_car_model* model, int32_t gear) {
    if (gear < 0)
        return -model->reverse_ratio;
    if (gear == 0)
        return 0.0f;
    return model->drive_train.gear_count > 0 ? model->drive_train.gear_ratio[gear - 1] : 1.0f;
}

// Torque of an engine that turns with the wheels: driven by the throttle, dragged without it.
static float coupled_torque(const kerb_sim_car_model* model, float engine_speed, float throttle,
                            float* slope) {
    float idle = model->drive_train.gear_count > 0 ? model->drive_train.engine_speed_idle : 0.0f;
    float range = model->engine_speed[KERB_SIM_TORQUE_POINTS - 1] - idle;
    float drag = (1.0f - throttle) * model->engine_braking / range;
    float torque = throttle * kerb_sim_engine_torque(model, engine_speed, slope);
    *slope = throttle * *slope - drag;
    return torque - drag * kerb_clamp(engine_speed - idle, 0.0f, 1.5f * range);
}

// Takes the force away as the car gets to its greatest speed in reverse.
static void govern_reverse(const kerb_sim_car_model* model, float rim_speed,
                           kerb_sim_drive* drive) {
    float band = ENGINE_GOVERNOR_BAND * model->reverse_speed_max;
    float share = (model->reverse_speed_max + rim_speed) / band;
    if (share >= 1.0f || drive->force >= 0.0f)
        return;
    drive->damping = share > 0.0f ? drive->damping - drive->force / band : 0.0f;
    drive->force *= kerb_max(share, 0.0f);
}

void kerb_sim_engine_shift(const kerb_sim_car_model* model, int32_t wanted, float time_step,
                           int32_t* gear, float* shift_timer) {
    *shift_timer = kerb_max(*shift_timer - time_step, 0.0f);
    if (wanted == *gear)
        return;
    *gear = wanted;
    if (model->drive_train.gear_count > 0)
        *shift_timer = model->drive_train.shift_time;
}

kerb_sim_drive kerb_sim_engine_drive(const kerb_sim_car_model* model, int32_t gear, float rim_speed,
                                     float throttle, float clutch) {
    kerb_sim_drive drive = {0.0f, 0.0f, 0.0f, 0.0f};
    float idle = model->drive_train.gear_count > 0 ? model->drive_train.engine_speed_idle : 0.0f;
    float launch = idle + throttle * (model->engine_launch_speed - idle);
    float turns = kerb_sim_engine_ratio(model, gear) / model->wheel_radius;
    float coupled = turns * rim_speed;
    float slope = 0.0f, torque;
    drive.engine_speed = coupled;
    if (coupled >= launch && gear != 0) {
        torque = coupled_torque(model, coupled, throttle, &slope);
    } else {
        drive.engine_speed = launch;
        torque = throttle * kerb_sim_engine_torque(model, launch, &slope);
        slope = 0.0f; // a slipping clutch does not feel the wheels
    }
    float grip = turns * model->drive_efficiency * (1.0f - clutch);
    if (gear < 0)
        grip *= model->reverse_torque;
    drive.force = torque * grip;
    drive.damping = kerb_max(-slope * turns * grip, 0.0f);
    if (gear < 0)
        govern_reverse(model, rim_speed, &drive);
    return drive;
}

// --------------------------------------------------------------------------- with inertia

static float idle_of(const kerb_sim_car_model* model) {
    return model->drive_train.gear_count > 0 ? model->drive_train.engine_speed_idle : 0.0f;
}

// The engine's speed after a step without load; never below idle.
static float rev_freely(const kerb_sim_car_model* model, float engine_speed, float throttle,
                        float time_step) {
    float slope;
    float torque = coupled_torque(model, engine_speed, throttle, &slope);
    float heavy = model->engine_inertia + time_step * kerb_max(-slope, 0.0f);
    return kerb_max(engine_speed + time_step * torque / heavy, idle_of(model));
}

// The clutch holds: engine and wheels are one.
static kerb_sim_drive drive_locked(const kerb_sim_car_model* model, float coupled, float turns,
                                   float share, float throttle) {
    kerb_sim_drive drive = {0.0f, 0.0f, coupled, 0.0f};
    float slope;
    drive.force = coupled_torque(model, coupled, throttle, &slope) * turns * share;
    drive.damping = kerb_max(-slope * turns * turns * share, 0.0f);
    drive.mass = model->engine_inertia * turns * turns * share;
    return drive;
}

kerb_sim_drive kerb_sim_engine_turn(const kerb_sim_car_model* model, int32_t gear, float rim_speed,
                                    float throttle, float clutch, float engine_speed,
                                    float time_step) {
    float idle = idle_of(model), inertia = model->engine_inertia;
    float launch = idle + throttle * (model->engine_launch_speed - idle);
    float turns = kerb_sim_engine_ratio(model, gear) / model->wheel_radius;
    float coupled = turns * rim_speed;
    float share = model->drive_efficiency * (gear < 0 ? model->reverse_torque : 1.0f);
    float holds = gear == 0 ? 0.0f : model->clutch_torque * (1.0f - clutch);
    float free = rev_freely(model, engine_speed, throttle, time_step);
    bool launches = coupled < launch;
    float wanted = inertia * (free - kerb_max(coupled, launch)) / time_step;
    float given = kerb_clamp(wanted, launches ? 0.0f : -CLUTCH_BACK * holds, holds);
    kerb_sim_drive drive = {given * turns * share, 0.0f, 0.0f, 0.0f};
    drive.engine_speed = kerb_max(free - time_step * given / inertia, idle);
    if (!launches && holds > 0.0f && given == wanted)
        drive = drive_locked(model, coupled, turns, share, throttle);
    if (gear < 0)
        govern_reverse(model, rim_speed, &drive);
    return drive;
}
