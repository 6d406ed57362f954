// Purpose: what a racing driver knows about its car: the host's description, with what laps taught.
// Idea:    A lap learner measures grip, brakes and engine while the racer drives. The racer drives
//          by the most probable values less a deviation of grip and brakes: a description may
//          promise too much, and the first bends show it. What is learned place by place is
//          relative to that, and so is the slip of the tyres: both follow when it changes.
// Cost:    O(1) a frame; O(bins) when the values change by a hundredth, at most twice a second.
#include "learning_parts.h"

#include <string.h>

// Deviations of the grip that stay unused, beyond those that the learning of single places copes
// with. [1], [1]
#define LEARNING_CAR_CAUTION 1.0f
#define LEARNING_CAR_COPES 0.05f
// Time between two changes; smallest change: each makes the driver compute the speeds ahead again.
// [s], [1]
#define LEARNING_CAR_EVERY 0.5f
#define LEARNING_CAR_STEP 0.01f

// Speed of a usual bend, as a share of the greatest. [1]
#define LEARNING_CAR_BEND 0.4f

// Lateral acceleration at a share of the greatest speed, with what the wings add. [m/s²]
static float learning_car_at(const kerb_performance* p, float share) {
    float speed = share * p->speed_max;
    return p->lateral * (1.0f + p->downforce * speed * speed / KERB_GRAVITY);
}

static bool learning_car_differs(const kerb_performance* a, const kerb_performance* b) {
    float fast = learning_car_at(b, 1.0f);
    return kerb_abs(a->lateral - b->lateral) > LEARNING_CAR_STEP * b->lateral ||
           kerb_abs(learning_car_at(a, 1.0f) - fast) > LEARNING_CAR_STEP * fast ||
           kerb_abs(a->braking - b->braking) > LEARNING_CAR_STEP * b->braking;
}

static float learning_car_caution(const kerb_lap_learner* learner) {
    float deviation = learner->grip_ratio.deviation;
    float beyond = kerb_max(deviation - LEARNING_CAR_COPES * learner->grip_ratio.value, 0.0f);
    return deviation > 0.0f ? LEARNING_CAR_CAUTION * beyond / deviation : 0.0f;
}

// What a section lacked or had to spare is now known of the whole car, as far as it goes the same
// way.
static void learning_car_shift_bins(kerb_racer* racer, float ratio) {
    for (int32_t i = 0; i < KERB_RACER_LEARNED_BINS; i++) {
        float* grip = &racer->memory.learnt.grip[i];
        if (racer->memory.learnt.seen[i] > 0)
            *grip = ratio > 1.0f ? kerb_max(*grip / ratio, kerb_min(*grip, 1.0f))
                                 : kerb_min(*grip / ratio, kerb_max(*grip, 1.0f));
    }
    for (int32_t i = 0; i < 2; i++) {
        racer->memory.half_slip[i] *= ratio;
        racer->memory.seen_slip[i] *= ratio;
    }
}

static void learning_car_take(kerb_racer* racer, const kerb_performance* car) {
    // At the speed of a bend that is neither slow nor fast: wings and tyres are learned together.
    float before = learning_car_at(&racer->memory.car, LEARNING_CAR_BEND);
    float ratio = learning_car_at(car, LEARNING_CAR_BEND) / kerb_max(before, 0.001f);
    racer->memory.car = *car;
    learning_car_shift_bins(racer, ratio);
}

static void learning_car_begin(kerb_racer* racer) {
    kerb_lap_learner_init(&racer->memory.learner, &racer->vehicle, &racer->performance);
    racer->memory.car = racer->performance;
    racer->memory.learner_age = LEARNING_CAR_EVERY;
}

void kerb_in_racer_learn_car(kerb_racer* racer, float time_step) {
    kerb_lap_learner* learner = &racer->memory.learner;
    if (!kerb_in_learning_is_on(racer)) {
        racer->memory.car = racer->performance;
        return;
    }
    if (memcmp(&learner->described, &racer->performance, sizeof racer->performance) != 0 ||
        memcmp(&learner->vehicle, &racer->vehicle, sizeof racer->vehicle) != 0)
        learning_car_begin(racer);
    racer->memory.learner_age += time_step;
    if (racer->memory.learner_age < LEARNING_CAR_EVERY)
        return;
    kerb_performance car = kerb_lap_learner_performance(learner, learning_car_caution(learner));
    if (learning_car_differs(&car, &racer->memory.car)) {
        learning_car_take(racer, &car);
        racer->memory.learner_age = 0.0f;
    }
}

void kerb_in_racer_feed_learner(kerb_racer* racer, const kerb_racing_line* line,
                                const kerb_motion* motion, const kerb_surroundings* around,
                                float time_step) {
    if (!kerb_in_learning_is_on(racer))
        return;
    kerb_surroundings how = around != NULL ? *around : kerb_surroundings_default();
    // Beside the track, spinning and near others: other ground, other air, pushes.
    how.do_not_learn = how.do_not_learn || racer->decision.off_track ||
                       racer->memory.phase != KERB_RACER_DRIVING || racer->memory.skill.near > 0.0f;
    // Its tyres slip against the angle that the wheels were meant to have: what the command takes
    // away of a trim is none of theirs.
    kerb_controls meant = racer->controls;
    float speed = kerb_vec3_dot(motion->velocity, kerb_quat_forward(motion->rotation));
    meant.steering = racer->memory.steering / kerb_vehicle_steering_lock(&racer->vehicle, speed);
    kerb_lap_learner_feed(&racer->memory.learner, line, racer->memory.distance, motion, &meant,
                          &how, time_step);
}
