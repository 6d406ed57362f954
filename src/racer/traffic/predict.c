// Purpose: where a racer and the other cars will be in the next seconds.
// Idea:    All follow the line's profile of speeds. The racer accelerates as its engine can,
//          limited by its plan. Another car does the same at its own pace, as measured in bends,
//          and with its present acceleration. So a car that brakes for a corner is no obstacle at
//          constant speed, and a gap in time stays a gap in time.
// Cost:    O(steps) for each car.
// Source:  Vamos 6, "at the point at which our nose reaches the rear end of the car ahead".
#include "traffic.h"

#include "../../control/shared.h"

// Other cars are taken to accelerate at least by this where they may: they were held up. [m/s²]
#define PREDICT_GAIN_LEAST 0.5f
// With a gap of NEAR a car counts as reached, and PASSED beyond it as passed. [m]
#define PREDICT_NEAR 1.0f
#define PREDICT_PASSED 1.5f
// Farther from the line than this, a car keeps its part of the track. [m]
#define OFF_LINE 1.2f
// A lateral drift goes on for this time. [s]
#define PREDICT_DRIFT_TIME 0.4f

// Leaving the line's pattern, a car uses at most this share of the grip; in a bend it must slow
// down at this rate to have some. [1], [m/s²]
#define LEAVES_GRIP 0.4f
#define LEAVES_SLOWS 4.0f
// Below this speed it turns no sharper for it. [m/s]
#define LEAVES_SPEED 3.0f

// A square below this share of another one has the smaller root, however both were rounded. [1]
#define CLEARLY 0.9999f

// One of several cars that are predicted together.
typedef struct predict_runner {
    float at, speed, gain, pace;
    bool backwards;
} predict_runner;

static predict_runner runner_of(const racer_frame* frame, const traffic_other* other) {
    float most = kerb_max(frame->limits.accelerating, 0.0f);
    float gain = kerb_clamp(other->acceleration, -frame->limits.braking, most);
    return (predict_runner){other->ahead, other->speed, gain, other->pace, other->speed < 0.0f};
}

// The smaller of a speed and `pace` times the root of `square`. Where the first is clearly smaller
// no root is computed, and nothing waits for it.
static inline float predict_lesser(float speed, float pace, float square) {
    if (speed * speed < CLEARLY * pace * pace * square)
        return speed;
    return kerb_min(speed, pace * kerb_sqrt(square));
}

// The speeds without other cars, prepared for many look-ups.
typedef struct free_row {
    const float* squared;
    float spacing, most;
    int32_t first;
} free_row;

static free_row free_row_of(const kerb_racer* racer) {
    float most = (float)(racer->memory.ahead.end - racer->memory.ahead.first - 1) - 0.001f;
    return (free_row){racer->memory.ahead.free_squared, racer->memory.ahead.spacing, most,
                      racer->memory.ahead.first};
}

// The square of racer_free_speed_at.
static inline float square_in(const free_row* row, float into) {
    float at = kerb_clamp(into / row->spacing, 0.0f, row->most);
    int32_t i = (int32_t)at, slot = racer_slot_of(row->first + i);
    float a = row->squared[slot], b = row->squared[racer_slot_of(slot + 1)];
    return a + (b - a) * (at - (float)i);
}

static inline void run_on(const free_row* row, float from, predict_runner* r) {
    float next = r->backwards ? r->speed : kerb_max(r->speed + r->gain * TRAFFIC_STEP, 0.0f);
    float there = from + r->at + 0.5f * (r->speed + next) * TRAFFIC_STEP;
    next = predict_lesser(next, r->pace, square_in(row, there));
    r->at += 0.5f * (r->speed + next) * TRAFFIC_STEP;
    // Braking ends with its bend.
    if (r->speed > 1.0f && r->gain < PREDICT_GAIN_LEAST)
        r->gain += 0.3f * (PREDICT_GAIN_LEAST - r->gain);
    r->speed = next;
}

// The racer itself, and its resistance.
typedef struct own_runner {
    float at, speed, drag, per_step;
} own_runner;

static own_runner own_runner_of(const kerb_racer* racer, const racer_frame* frame, float tow) {
    const kerb_performance* p = &racer->memory.car;
    return (own_runner){0.0f, kerb_max(frame->along, 0.0f), p->drag * (1.0f - tow),
                        kerb_in_profile_engine_steps(p)};
}

static inline void run_own_on(const kerb_racer* racer, const racer_frame* frame,
                              const free_row* row, float from, own_runner* r) {
    const kerb_performance* p = &racer->memory.car;
    float gain = kerb_in_profile_engine(p, r->per_step, r->speed) - p->rolling;
    gain = kerb_min(gain - r->drag * r->speed * r->speed, frame->limits.accelerating);
    float next = r->speed + gain * TRAFFIC_STEP;
    float there = from + r->at + 0.5f * (r->speed + next) * TRAFFIC_STEP;
    next = predict_lesser(next, 1.0f, square_in(row, there));
    r->at += 0.5f * (r->speed + next) * TRAFFIC_STEP;
    r->speed = next;
}

// All cars step by step: a step waits for the one before it, but not for another car's.
void kerb_in_traffic_run_with(const kerb_racer* racer, const racer_frame* frame, float tow,
                              traffic_other* const* others, int32_t count, traffic_run* own,
                              traffic_run* runs) {
    float from = racer_into(racer, frame->total);
    free_row row = free_row_of(racer);
    own_runner self = own_runner_of(racer, frame, tow);
    predict_runner r[TRAFFIC_RUNS];
    for (int32_t k = 0; k < count; k++)
        r[k] = runner_of(frame, others[k]);
    for (int32_t i = 0; i < TRAFFIC_STEPS; i++) {
        own->at[i] = self.at;
        own->speed[i] = self.speed;
        run_own_on(racer, frame, &row, from, &self);
        for (int32_t k = 0; k < count; k++) {
            runs[k].at[i] = r[k].at;
            runs[k].speed[i] = r[k].speed;
            run_on(&row, from, &r[k]);
        }
    }
}

void kerb_in_traffic_run_others(const kerb_racer* racer, const racer_frame* frame,
                                traffic_other* const* others, int32_t count, traffic_run* runs) {
    float from = racer_into(racer, frame->total);
    free_row row = free_row_of(racer);
    predict_runner r[TRAFFIC_RUNS];
    for (int32_t k = 0; k < count; k++)
        r[k] = runner_of(frame, others[k]);
    for (int32_t i = 0; i < TRAFFIC_STEPS; i++) {
        for (int32_t k = 0; k < count; k++) {
            runs[k].at[i] = r[k].at;
            runs[k].speed[i] = r[k].speed;
            run_on(&row, from, &r[k]);
        }
    }
}

void kerb_in_traffic_meet(const traffic_view* view, const traffic_run* own, const traffic_run* run,
                          traffic_other* other) {
    float lengths = view->half_length + other->half_length;
    int32_t i = 0;
    while (i < TRAFFIC_STEPS && !(run->at[i] - own->at[i] < lengths + PREDICT_NEAR))
        i++;
    if (i == TRAFFIC_STEPS)
        return;
    other->catch = TRAFFIC_STEP * (float)i;
    other->catch_at = own->at[i];
    while (i < TRAFFIC_STEPS && !(run->at[i] - own->at[i] < -lengths - PREDICT_PASSED))
        i++; // no sooner than it is reached
    if (i == TRAFFIC_STEPS)
        return;
    other->clear = TRAFFIC_STEP * (float)i;
    other->clear_at = own->at[i];
}

// How far a car can leave the line's pattern. A car that drives a bend at its limit has no grip
// left to turn more sharply. Towards the inside it can leave the pattern only as far as it slows
// down, which takes longer the faster it is. Towards the outside it can at once.
static void bound_leaving(const kerb_racer* racer, const racer_frame* frame,
                          const traffic_other* other, traffic_lane* lane) {
    float speed = kerb_max(other->speed, LEAVES_SPEED), per_square = 1.0f / (speed * speed);
    racer_spot spot = racer_spot_at(racer, frame->total + (double)other->ahead);
    // Share of the grip left for turning; its pace says which speed in bends is its limit.
    float corner = racer_row_at(racer->memory.ahead.free_corner, spot) * other->pace * other->pace;
    float left = kerb_max(1.0f - speed * speed / kerb_max(corner, 1.0f), 0.0f);
    float outside = 0.5f * LEAVES_GRIP * frame->grip_aside * per_square;
    // Even braking frees grip in proportion to the distance; integrated twice, that is a third.
    float more = outside * (2.0f / 3.0f) * LEAVES_SLOWS * per_square;
    bool turns_left = racer_row_at(racer->memory.ahead.line_curvature, spot) > 0.0f;
    lane->from = other->ahead;
    lane->to_left = turns_left ? outside * left : outside;
    lane->to_right = turns_left ? outside : outside * left;
    lane->more_left = turns_left ? more : 0.0f;
    lane->more_right = turns_left ? 0.0f : more;
}

traffic_lane kerb_in_traffic_lane_of(const kerb_racer* racer, const racer_frame* frame,
                                     const traffic_other* other, bool keeps_share) {
    float left, right;
    racer_edges_at(racer, racer_bin_at(racer, frame->total + (double)other->ahead), &left, &right);
    float offset = other->offset + PREDICT_DRIFT_TIME * kerb_clamp(other->drift, -2.0f, 2.0f);
    float share = (offset + right) / kerb_max(left + right, 1.0f);
    float room = kerb_max(offset > 0.0f ? left : right, 0.5f);
    keeps_share = keeps_share || kerb_abs(offset) > OFF_LINE;
    traffic_lane lane = {.keeps_share = keeps_share,
                         .share = kerb_clamp(share, 0.0f, 1.0f),
                         .offset = offset,
                         .room = room};
    if (keeps_share)
        bound_leaving(racer, frame, other, &lane);
    return lane;
}

float kerb_in_traffic_offset_at(const kerb_racer* racer, const racer_frame* frame,
                                const traffic_other* other, float ahead, bool keeps_share) {
    traffic_lane lane = kerb_in_traffic_lane_of(racer, frame, other, keeps_share);
    float left, right;
    racer_edges_at(racer, racer_bin_at(racer, frame->total + (double)ahead), &left, &right);
    return traffic_lane_at(&lane, ahead, left, right);
}
