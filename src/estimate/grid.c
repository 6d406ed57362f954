// Purpose: the models of steering that run on the commands, and their sums against the motion.
// Idea:    a delay only shifts a model's output. So each pair of rate limit and lag runs once, and
//          the delays look into the ring of its past. The ring keeps integrals: the mean over any
//          window is one difference. They are whole numbers because these wrap round without
//          losing a digit, however long the drive.
// Cost:    O(models) a tick, O(models · delays) a window. The lanes of each loop are independent
//          and of fixed number, so compilers make vector instructions of them.
#include "grid.h"

#define GRID_FIXED 1048576.0f // parts of 1 in the integrals: 32 ticks of any lock fit 32 bits
#define GRID_NO_RATE 1000.0f  // a rate that never limits [lock/s]
#define GRID_RATE_LEAST 0.35f // slowest rate: from lock to lock in 6 s [lock/s]
#define GRID_RATE_RATIO 1.6f  // from one to the next: a rate is at most 27 % from one of them

const float kerb_in_estimate_lag_share[KERB_ESTIMATE_LAGS] = {1.0f, 0.45f, 0.26f, 0.15f, 0.085f};

float kerb_in_estimate_lag_delay(int32_t lag) {
    return ESTIMATE_TICK * (1.0f / kerb_in_estimate_lag_share[lag] - 0.5f);
}

float kerb_in_estimate_described_rate(const kerb_vehicle* vehicle) {
    return vehicle->kind == KERB_VEHICLE_WHEELED
               ? vehicle->steering_rate_max / vehicle->steering_angle_max
               : vehicle->yaw_acceleration_max / vehicle->yaw_rate_max;
}

void kerb_in_estimate_rates(const kerb_vehicle* vehicle, float rates[KERB_ESTIMATE_RATES]) {
    float rate = kerb_clamp(kerb_in_estimate_described_rate(vehicle), 1.0e-3f, GRID_NO_RATE);
    while (rate >= GRID_RATE_LEAST * GRID_RATE_RATIO)
        rate /= GRID_RATE_RATIO;
    while (rate < GRID_RATE_LEAST)
        rate *= GRID_RATE_RATIO;
    for (int32_t r = 0; r < KERB_ESTIMATE_RATES - 1; r++) {
        rates[r] = rate;
        rate *= GRID_RATE_RATIO;
    }
    rates[KERB_ESTIMATE_RATES - 1] = GRID_NO_RATE;
}

void kerb_in_estimate_tick(kerb_estimate_memory* memory, float bend, float command) {
    float limited[KERB_ESTIMATE_RATES];
    for (int32_t r = 0; r < KERB_ESTIMATE_RATES; r++) {
        float most = memory->rates[r], change = command - memory->wheel[r];
        change = change > most ? most : change;
        change = change < -most ? -most : change;
        limited[r] = memory->wheel[r] + change;
        memory->wheel[r] = limited[r];
    }
    int32_t next = (memory->tick + 1) % KERB_ESTIMATE_RING;
    const uint32_t* restrict before = memory->ring[memory->tick];
    uint32_t* restrict now = memory->ring[next];
    float* restrict turned = memory->turned;
    float normal = GRID_FIXED / (1.0f + 0.09f * bend), curl = normal * bend;
    for (int32_t l = 0; l < KERB_ESTIMATE_LAGS; l++) {
        float half = 0.5f * kerb_in_estimate_lag_share[l];
        for (int32_t r = 0; r < KERB_ESTIMATE_RATES; r++) {
            int32_t i = l * KERB_ESTIMATE_RATES + r;
            float change = half * (limited[r] - turned[i]);
            float middle = turned[i] + change; // the mean of the tick
            turned[i] = middle + change;
            float x = middle * (normal + curl * middle * middle);
            now[i] = before[i] + (uint32_t)(int32_t)x;
        }
    }
    memory->tick = next;
    memory->ticks_known += memory->ticks_known < KERB_ESTIMATE_RING;
}

static const uint32_t* grid_row(const kerb_estimate_memory* memory, int32_t ago) {
    return memory->ring[(memory->tick - ago + KERB_ESTIMATE_RING) % KERB_ESTIMATE_RING];
}

// What the models of all rates and lags say of a window, for one delay.
static void grid_add_delay(kerb_estimate_sums* restrict sums, const uint32_t* restrict end,
                           const uint32_t* restrict begin, float scale, float y) {
    for (int32_t i = 0; i < KERB_ESTIMATE_MODELS; i++) {
        float x = (float)(int32_t)(end[i] - begin[i]) * scale;
        sums->x[i] += x;
        sums->xx[i] += x * x;
        sums->xy[i] += x * y;
    }
}

static void grid_add_curve(kerb_estimate_curve_sums* restrict sums, const uint32_t* restrict end,
                           const uint32_t* restrict begin, float scale, float y) {
    float(*restrict of)[KERB_ESTIMATE_RATES] = sums->of;
    for (int32_t i = 0; i < KERB_ESTIMATE_RATES; i++) {
        float x = (float)(int32_t)(end[i] - begin[i]) * scale;
        float q = x * fabsf(x), s = kerb_in_estimate_dead(x);
        of[ESTIMATE_CURVE_X][i] += x;
        of[ESTIMATE_CURVE_Q][i] += q;
        of[ESTIMATE_CURVE_S][i] += s;
        of[ESTIMATE_CURVE_XX][i] += x * x;
        of[ESTIMATE_CURVE_XQ][i] += x * q;
        of[ESTIMATE_CURVE_XS][i] += x * s;
        of[ESTIMATE_CURVE_QQ][i] += q * q;
        of[ESTIMATE_CURVE_QS][i] += q * s;
        of[ESTIMATE_CURVE_SS][i] += s * s;
        of[ESTIMATE_CURVE_XY][i] += x * y;
        of[ESTIMATE_CURVE_QY][i] += q * y;
        of[ESTIMATE_CURVE_SY][i] += s * y;
    }
}

void kerb_in_estimate_add(kerb_estimate_memory* memory, int32_t ticks, float y) {
    float scale = 1.0f / (GRID_FIXED * (float)ticks);
    for (int32_t d = 0; d < KERB_ESTIMATE_DELAYS; d++)
        grid_add_delay(&memory->sums[d], grid_row(memory, d), grid_row(memory, d + ticks), scale,
                       y);
    for (int32_t c = 0; c < KERB_ESTIMATE_CURVES; c++) {
        int32_t d = ESTIMATE_CURVE_STEP * c, first = ESTIMATE_CURVE_LAG * KERB_ESTIMATE_RATES;
        grid_add_curve(&memory->curves[c], grid_row(memory, d) + first,
                       grid_row(memory, d + ticks) + first, scale, y);
    }
    memory->n += 1.0f;
    memory->y += y;
    memory->yy += y * y;
}

static void grid_fade(float* sums, size_t count, float share) {
    for (size_t i = 0; i < count; i++)
        sums[i] *= share;
}

void kerb_in_estimate_fade(kerb_estimate_memory* memory, float share) {
    _Static_assert(sizeof(kerb_estimate_sums) % sizeof(float) == 0, "nothing but numbers");
    for (int32_t d = 0; d < KERB_ESTIMATE_DELAYS; d++) {
        grid_fade(memory->sums[d].x, KERB_ESTIMATE_MODELS, share);
        grid_fade(memory->sums[d].xx, KERB_ESTIMATE_MODELS, share);
        grid_fade(memory->sums[d].xy, KERB_ESTIMATE_MODELS, share);
    }
    for (int32_t c = 0; c < KERB_ESTIMATE_CURVES; c++)
        for (int32_t i = 0; i < KERB_ESTIMATE_PRODUCTS; i++)
            grid_fade(memory->curves[c].of[i], KERB_ESTIMATE_RATES, share);
    memory->n *= share;
    memory->y *= share;
    memory->yy *= share;
    memory->speeds *= share;
}
