// Purpose: states at places that move, and a regulator that keeps them.
// Idea:    The state on a route or on the way in space is a guess; least changes of what lies
// beyond
//          the position, and of the controls, bring its rates to those of the place (Gauss-Newton).
//          So every kind has its trim: a ship its rudder and throttle in a turn, a drone its tilt.
//          The gains are those of a regulator over an endless time at this state: Riccati's
//          equation is stepped on once a frame, from the cost of the frame before.
// Cost:    O(states³).
// Source:  Anderson, Moore, "Optimal Control: Linear Quadratic Methods", chapter 3.
#include "kerb/kind_chase.h"

#include "motion.h"

#include "../../base/shared.h"

#include <string.h>

// Steps of Riccati's equation in the first call: as for gains at the end of plans in space.
#define KEEP_FIRST_STEPS 40
// Rounds of Gauss-Newton for the trim.
#define KEEP_ROUNDS 2
// Weight of changes from the guess, beside errors of the rates. [1]
#define KEEP_RIDGE 1e-4f
// Time in which the acceleration of a place is learned, and the greatest that is believed: a place
// that jumps tells others. [s], [m/s²]
#define KEEP_ACCELERATION_TIME 0.5f
#define KEEP_ACCELERATION_MOST 20.0f
// Unknowns of the trim.
#define KEEP_UNKNOWNS (KIND_N + KIND_M)

static kerb_vec3 keep_turned(kerb_vec3 v, float angle) {
    float sine, cosine;
    kerb_sin_cos(angle, &sine, &cosine);
    return kerb_vec3_make(v.x * cosine - v.y * sine, v.y * cosine + v.x * sine, v.z);
}

kerb_kind_place kerb_kind_place_after(const kerb_kind_place* place, float time) {
    KERB_ASSERT(place);
    kerb_kind_place after = *place;
    float way = place->speed * time, half = 0.5f * place->curvature * way;
    float chord = kerb_abs(half) < 0.01f ? 1.0f : kerb_sin(half) / half;
    kerb_vec3 along = keep_turned(place->forward, half);
    after.position.x += chord * way * along.x;
    after.position.y += chord * way * along.y;
    after.position.z += way * place->forward.z;
    after.forward = keep_turned(place->forward, 2.0f * half);
    return after;
}

// --------------------------------------------------------------------------- the guess

static void guess_in_plane(const kerb_kind* kind, const kerb_kind_place* place, float* state,
                           float* control) {
    float heading = kerb_atan2(place->forward.y, place->forward.x);
    const float end[KIND_N] = {place->position.x, place->position.y, heading};
    const kerb_kind_query query = {end, end, 0.0f};
    const kerb_plan_state at = {.pose = kerb_pose_make(end[0], end[1], heading),
                                .speed = place->speed,
                                .curvature = place->curvature,
                                .direction = 1};
    kind->on_route(kind->vehicle, &query, &at, state, control);
}

// The speed is a share of the greatest one in its direction.
static void guess_in_space(const kerb_kind* kind, const kerb_kind_place* place, float* state,
                           const float* control) {
    const kerb_kind_space* space = kind->space;
    float rates[KIND_N] = {0.0f};
    if (space->heading >= 0)
        state[space->heading] = kerb_atan2(place->forward.y, place->forward.x);
    space->via(kind, place->position, place->forward, 1.0f, state);
    kind->rates(kind->vehicle, state, control, rates);
    float top = kerb_vec3_length(kerb_vec3_make(rates[0], rates[1], rates[2]));
    float share = kerb_clamp(place->speed / kerb_max(top, 1e-6f), 0.0f, 1.0f);
    space->via(kind, place->position, place->forward, share, state);
}

static void keep_guess(const kerb_kind* kind, const kerb_kind_place* place, float* state,
                       float* control) {
    memset(state, 0, sizeof(float) * KIND_N);
    memset(control, 0, sizeof(float) * KIND_M);
    if (kind->space)
        guess_in_space(kind, place, state, control);
    else
        guess_in_plane(kind, place, state, control);
}

// --------------------------------------------------------------------------- the trim

// The rates of the state at a place: from guesses a little before it and after it.
static void keep_rates(const kerb_kind* kind, const kerb_kind_place* place, float* rates) {
    float before[KIND_N], after[KIND_N], control[KIND_M], half = 0.5f * kind->step_max;
    int32_t heading = kind->space ? kind->space->heading : 2;
    kerb_kind_place here = *place;
    here.position = kerb_vec3_make(0.0f, 0.0f, 0.0f);
    kerb_kind_place earlier = kerb_kind_place_after(&here, -half);
    kerb_kind_place later = kerb_kind_place_after(&here, half);
    keep_guess(kind, &earlier, before, control);
    keep_guess(kind, &later, after, control);
    for (int32_t i = 0; i < KIND_N; i++) {
        float change = after[i] - before[i];
        rates[i] = (i == heading ? kerb_wrap_angle(change) : change) / kind->step_max;
    }
    rates[0] = place->speed * place->forward.x;
    rates[1] = place->speed * place->forward.y;
    if (kind->space)
        rates[2] = place->speed * place->forward.z;
}

// A round of Gauss-Newton. Unknowns are the numbers of the state from `first` on, in shares of
// kerb_kind.error, and the controls, in shares of their ranges.
static void keep_trim(const kerb_kind* kind, const float* wanted, float* state, float* control) {
    int32_t first = kind->space ? 3 : 2, n = kind->states - first, count = n + kind->controls;
    float by_state[KIND_N][KIND_N] = {{0.0f}}, by_control[KIND_N][KIND_M] = {{0.0f}};
    float rates[KIND_N] = {0.0f};
    float normal[KEEP_UNKNOWNS][KEEP_UNKNOWNS] = {{0.0f}}, side[KEEP_UNKNOWNS] = {0.0f};
    kind->rates(kind->vehicle, state, control, rates);
    kerb_in_kind_derive_rates(kind, state, control, by_state, by_control);
    for (int32_t i = 0; i < kind->states; i++) {
        float row[KEEP_UNKNOWNS] = {0.0f};
        for (int32_t c = 0; c < n; c++)
            row[c] = by_state[i][first + c] * kind->error[first + c] / kind->error[i];
        for (int32_t j = 0; j < kind->controls; j++)
            row[n + j] =
                by_control[i][j] * (kind->control_max[j] - kind->control_min[j]) / kind->error[i];
        for (int32_t c = 0; c < count; c++) {
            side[c] += row[c] * (wanted[i] - rates[i]) / kind->error[i];
            for (int32_t l = 0; l <= c; l++)
                normal[c][l] += row[c] * row[l];
        }
    }
    for (int32_t c = 0; c < count; c++)
        normal[c][c] += KEEP_RIDGE;
    kerb_in_kind_solve(count, normal[0], KEEP_UNKNOWNS, side);
    for (int32_t c = 0; c < n; c++)
        state[first + c] += side[c] * kind->error[first + c];
    for (int32_t j = 0; j < kind->controls; j++) {
        float range = kind->control_max[j] - kind->control_min[j];
        control[j] = kerb_clamp(control[j] + side[n + j] * range, kind->control_min[j],
                                kind->control_max[j]);
    }
}

// The state at a place and the control. `more`: rates in addition to those of a place with a
// constant speed; NULL: none.
static void keep_state(const kerb_kind* kind, const kerb_kind_place* place, const float* more,
                       float* state, float* control) {
    float wanted[KIND_N] = {0.0f};
    keep_guess(kind, place, state, control);
    if (kind->space && kind->space->coasts)
        return;
    keep_rates(kind, place, wanted);
    for (int32_t i = kind->space ? 3 : 2; more && i < kind->states; i++)
        wanted[i] += more[i];
    for (int32_t round = 0; round < KEEP_ROUNDS; round++)
        keep_trim(kind, wanted, state, control);
}

void kerb_kind_state_at(const kerb_kind* kind, const kerb_kind_place* place, float* state,
                        float* control) {
    KERB_ASSERT(kind && place && state);
    float unused[KIND_M];
    keep_state(kind, place, NULL, state, control ? control : unused);
}

// --------------------------------------------------------------------------- keeping

// The same at a place that becomes faster: the rates of the state are those of the states at its
// speeds now and a step later.
static void keep_hastening(const kerb_kind* kind, const kerb_kind_place* place, float acceleration,
                           float* state, float* control) {
    float later[KIND_N], more[KIND_N] = {0.0f};
    int32_t heading = kind->space ? kind->space->heading : 2;
    kerb_kind_place faster = *place;
    faster.speed = kerb_max(place->speed + acceleration * kind->step_max, 0.0f);
    keep_state(kind, place, NULL, state, control);
    keep_state(kind, &faster, NULL, later, control);
    for (int32_t i = 0; i < kind->states; i++) {
        float change = later[i] - state[i];
        more[i] = (i == heading ? kerb_wrap_angle(change) : change) / kind->step_max;
    }
    keep_state(kind, place, more, state, control);
}

static void keep_learn_acceleration(kerb_kind_regulator* r, float speed, float time_step) {
    float seen =
        kerb_clamp((speed - r->speed) / time_step, -KEEP_ACCELERATION_MOST, KEEP_ACCELERATION_MOST);
    r->acceleration +=
        kerb_min(time_step / KEEP_ACCELERATION_TIME, 1.0f) * (seen - r->acceleration);
    r->speed = speed;
}

void kerb_kind_regulator_aim(kerb_kind_regulator* regulator, const kerb_kind* kind,
                             const kerb_kind_place* place, float time_step, float* state,
                             float* control) {
    KERB_ASSERT(regulator && kind && place && time_step > 0.0f && state && control);
    if (!regulator->has_begun) {
        memset(regulator, 0, sizeof *regulator);
        regulator->speed = place->speed;
        for (int32_t i = 0; i < kind->states; i++)
            regulator->cost[i][i] = 1.0f / (kind->error[i] * kind->error[i]);
    }
    keep_learn_acceleration(regulator, place->speed, time_step);
    keep_hastening(kind, place, regulator->acceleration, state, control);
    kerb_in_kind_regulate(kind, state, control, regulator->has_begun ? 1 : KEEP_FIRST_STEPS,
                          regulator->cost, regulator->gains);
    regulator->has_begun = true;
}
