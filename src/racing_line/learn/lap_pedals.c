// Purpose: what the engine and the brakes of a car do, from straights.
// Idea:    Engine: at full throttle the acceleration less what resists is the engine's at this
//          speed. Each entry of the table is a value with a variance; a measurement teaches the
//          entries beside it with a correlation that falls with their distance. Brakes: the
//          deceleration is the smaller of pedal times brakes and of what the tyres hold. The
//          smaller one learns; a deceleration above it raises it, because it was held.
// Cost:    O(KERB_DRIVE_COUNT) for each tenth of a second of full throttle, else O(1).
#include "lap_learner_parts.h"

// Straight: less acceleration aside than this share of the grip. [1]
#define LAP_STRAIGHT 0.3f
// Error of a measured acceleration, as a share of the greatest of the engine, and of the brakes.
// [1]
#define LAP_DRIVE_ERROR 0.08f
#define LAP_BRAKE_ERROR 0.06f
// An engine's curve keeps its error over this share of its speeds. [1]
#define LAP_DRIVE_REACH 0.25f
// Nearer to what the driven tyres hold than this, the tyres decide. [1]
#define LAP_DRIVEN_HELD 0.92f
// Changes with time, per window. [1]
#define LAP_PEDALS_DRIFT 0.001f
#define LAP_SLOW 4.0f
// From this pedal on braking teaches. [1]
#define LAP_BRAKE_FROM 0.1f
// The pedal moves by less than this in a window. [1]
#define LAP_BRAKE_STEADY 0.15f
// A pedal that asks for more than this multiple of what the tyres hold is held by them. [1]
#define LAP_BRAKE_BEYOND 1.15f
// Braking grip that was seen to differ from that in bends, and is not seen any more, fades at this
// rate per window. [1]
#define LAP_BRAKE_FADES 0.003f

void kerb_in_lap_pedals_begin(kerb_lap_learner* learner) {
    kerb_lap_learner_memory* m = &learner->memory;
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++) {
        m->drive[i] = 1.0f;
        m->drive_variance[i] = LAP_POWER_DOUBT * LAP_POWER_DOUBT;
    }
    m->brakes = kerb_max(learner->vehicle.braking_max, 0.5f);
    m->brakes_variance = LAP_BRAKES_DOUBT * LAP_BRAKES_DOUBT * m->brakes * m->brakes;
    m->brake_grip = 1.0f;
    m->brake_grip_variance = LAP_BRAKE_GRIP_DOUBT * LAP_BRAKE_GRIP_DOUBT;
}

// A scalar value learns from a measurement of it.
static void lap_scalar(float* value, float* variance, float measured, float error) {
    float square = error * error, far = measured - *value;
    float share = *variance / (*variance + square);
    *value += share * far;
    *variance *= 1.0f - share;
}

static void lap_engine(kerb_lap_learner* learner, const lap_tick* tick) {
    kerb_lap_learner_memory* m = &learner->memory;
    const kerb_performance* p = &learner->described;
    float pushed = tick->along + lap_resistance(p, tick->speed);
    float held = p->accelerating * m->grip * tick->grip * lap_load(tick, m->downforce);
    float place = tick->speed / p->speed_max * (float)(KERB_DRIVE_COUNT - 1);
    if (pushed > LAP_DRIVEN_HELD * held || place > (float)(KERB_DRIVE_COUNT - 1))
        return;
    int32_t at = (int32_t)place;
    at = at < KERB_DRIVE_COUNT - 1 ? at : KERB_DRIVE_COUNT - 2;
    float told = p->drive[at] + (p->drive[at + 1] - p->drive[at]) * (place - (float)at);
    if (told < 0.05f)
        return;
    float measured = kerb_clamp(pushed / told, 0.2f, 5.0f);
    // A fixed error of acceleration weighs more where the engine gives less.
    float error = LAP_DRIVE_ERROR * kerb_max(1.0f, 0.1f * p->accelerating / told);
    for (int32_t i = 0; i < KERB_DRIVE_COUNT; i++) {
        float apart = ((float)i - place) / (LAP_DRIVE_REACH * (float)KERB_DRIVE_COUNT);
        float like = 1.0f / (1.0f + apart * apart);
        m->drive_variance[i] += LAP_PEDALS_DRIFT * LAP_PEDALS_DRIFT;
        float unlike = LAP_POWER_DOUBT * LAP_POWER_DOUBT * (1.0f - like * like);
        lap_scalar(&m->drive[i], &m->drive_variance[i], measured,
                   kerb_sqrt(error * error + unlike * 4.0f));
    }
}

static void lap_brakes(kerb_lap_learner* learner, const lap_tick* tick) {
    kerb_lap_learner_memory* m = &learner->memory;
    const kerb_performance* p = &learner->described;
    float held = -tick->along - lap_resistance(p, tick->speed);
    float by_pedal = tick->brake * m->brakes;
    float by_grip = p->braking * m->grip * tick->grip * lap_load(tick, m->downforce);
    float by_tyres = by_grip * m->brake_grip;
    if (held <= 0.5f || by_grip <= 0.0f)
        return;
    m->brakes_variance += LAP_PEDALS_DRIFT * LAP_PEDALS_DRIFT * m->brakes * m->brakes;
    m->brake_grip_variance += LAP_PEDALS_DRIFT * LAP_PEDALS_DRIFT;
    float error = LAP_BRAKE_ERROR;
    if (held > by_tyres || by_pedal > LAP_BRAKE_BEYOND * by_tyres)
        lap_scalar(&m->brake_grip, &m->brake_grip_variance, held / by_grip, error);
    else // nothing says that braking tyres hold less than turning ones
        m->brake_grip += LAP_BRAKE_FADES * (1.0f - m->brake_grip);
    // Where both would hold about as much and neither does, the brakes are the weaker ones, or as
    // strong as the tyres: either way no more than this is to be had.
    if (held > by_pedal || by_pedal < LAP_BRAKE_BEYOND * by_tyres)
        lap_scalar(&m->brakes, &m->brakes_variance, held / tick->brake,
                   error * m->brakes / tick->brake);
    m->brakes = kerb_clamp(m->brakes, 0.3f, 100.0f);
    m->brake_grip = kerb_clamp(m->brake_grip, 0.4f, 2.0f);
}

void kerb_in_lap_pedals(kerb_lap_learner* learner, const lap_tick* tick) {
    const kerb_performance* p = &learner->described;
    float load = lap_load(tick, learner->memory.downforce);
    float aside = kerb_abs(tick->aside) / (p->lateral * load * tick->grip);
    if (tick->unclear || tick->speed < LAP_SLOW || aside > LAP_STRAIGHT * learner->memory.grip)
        return;
    if (tick->full)
        lap_engine(learner, tick);
    else if (tick->brake > LAP_BRAKE_FROM && tick->throttle < 0.02f &&
             tick->brake_change < LAP_BRAKE_STEADY)
        lap_brakes(learner, tick);
}

float kerb_in_lap_brakes_most(const kerb_lap_learner* learner) {
    const kerb_lap_learner_memory* m = &learner->memory;
    return m->brakes + kerb_sqrt(kerb_max(m->brakes_variance, 0.0f));
}

float kerb_in_lap_braking_deviation(const kerb_lap_learner* learner) {
    const kerb_lap_learner_memory* m = &learner->memory;
    float turning = kerb_in_lap_grip_deviation(learner) * m->brake_grip;
    // What was measured under full brakes no longer depends on the grip in bends.
    float known =
        1.0f -
        kerb_min(m->brake_grip_variance / (LAP_BRAKE_GRIP_DOUBT * LAP_BRAKE_GRIP_DOUBT), 1.0f);
    turning *= 1.0f - known;
    return kerb_sqrt(kerb_max(m->brake_grip_variance, 0.0f) * m->grip * m->grip +
                     turning * turning);
}
