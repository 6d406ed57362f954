// Purpose: legs of kinds in space.
// Idea:    The footprint is tested at states along a leg, larger by a hundredth. Two tests are
//          apart by a quarter of the smallest ball, or by the distance to what is in the way, which
//          the grid of the volume tells.
// Cost:    O(length over the distance to obstacles).
#include "legs.h"

#include "../../base/shared.h"

#include <string.h>

// Distance between two tests near obstacles over the radius of a ball, and the share by which balls
// are larger for what lies between them: step² / (8 · radius), and a little. [1]
#define LEG_STEP 0.25f
#define LEG_LARGER 0.01f
// Balls are larger by this in addition, as the planner's other footprints are. [m]
#define LEG_MARGIN 2e-3f
// Share of a free distance that is moved before the next test: the speed may grow. [1]
#define LEG_SHARE 0.7f
// Shorter pieces are left out: their derivatives would be rounding. [s]
#define SPACE_LEG_LEAST 2e-7f
// Longest and shortest time between two tests. [s]
#define LEG_LONGEST 1.0f
#define LEG_SHORTEST 1e-3f

float kerb_in_leg_time(const kerb_kind_leg* leg) {
    float sum = 0.0f;
    for (int32_t i = 0; i < leg->count; i++)
        sum += leg->times[i];
    return sum;
}

void kerb_in_leg_end(const kerb_kind* kind, const kerb_kind_leg* leg, const float* from,
                     float* to) {
    float state[KIND_N];
    memcpy(to, from, sizeof(float) * KIND_N);
    for (int32_t i = 0; i < leg->count; i++) {
        memcpy(state, to, sizeof state);
        kerb_in_kind_step(kind, state, leg->controls[i], leg->times[i], to);
    }
}

// The distance that the footprint may move from a state without meeting anything; negative: it
// meets something already. `least`: the smallest radius.
static float leg_room(const kerb_kind* kind, const float* state, const space_volume* volume,
                      float share, float* least) {
    kerb_kind_ball balls[KERB_KIND_BALLS_MAX];
    int32_t count = kind->space->balls(kind->vehicle, state, balls);
    float room = 1e30f;
    *least = 1e30f;
    for (int32_t i = 0; i < count; i++) {
        *least = kerb_min(*least, balls[i].radius);
        balls[i].radius += share * balls[i].radius + LEG_MARGIN;
        float clearance = kerb_in_volume_clearance(volume, &balls[i]);
        if (!(clearance > 0.0f) && !kerb_space_world_is_free(&volume->world, &balls[i]))
            return -1.0f;
        room = kerb_min(room, clearance);
    }
    return room;
}

bool kerb_in_leg_place_is_free(const kerb_kind* kind, const float* state,
                               const space_volume* volume, float share) {
    float least;
    return !volume || leg_room(kind, state, volume, share, &least) >= 0.0f;
}

float kerb_in_leg_reach(const kerb_kind* kind, const float* state) {
    kerb_kind_ball balls[KERB_KIND_BALLS_MAX];
    int32_t count = kind->space->balls(kind->vehicle, state, balls);
    kerb_vec3 middle = {state[0], state[1], state[2]};
    float reach = 0.0f;
    for (int32_t i = 0; i < count; i++)
        reach = kerb_max(reach, balls[i].radius +
                                    kerb_vec3_length(kerb_vec3_sub(balls[i].middle, middle)));
    return reach;
}

// The fastest that a point of the footprint moves: the position, and what turning adds.
static float leg_speed(const kerb_kind* kind, const float* state, const float* control) {
    float rates[KIND_N] = {0.0f};
    kind->rates(kind->vehicle, state, control, rates);
    return kerb_vec3_length(kerb_vec3_make(rates[0], rates[1], rates[2]));
}

// Time that may pass at a state before the next test; negative: it is not free.
static float leg_free_time(const kerb_kind* kind, const float* state, const float* control,
                           const space_volume* volume) {
    float least, room = leg_room(kind, state, volume, LEG_LARGER, &least);
    if (room < 0.0f)
        return -1.0f;
    float move = kerb_max(LEG_SHARE * room, LEG_STEP * least);
    // It may be faster a moment later, and a long hull that turns moves its ends.
    float speed = kerb_max(leg_speed(kind, state, control), 0.5f * least);
    return kerb_clamp(move / speed, LEG_SHORTEST, LEG_LONGEST);
}

// Steps are those of the plan; tests lie between them. Many short steps instead, from test to test,
// would add up their rounding, far from the origin to more than balls are larger by.
static bool leg_piece_is_free(const kerb_kind* kind, const float* control, float time,
                              const space_volume* volume, float* state) {
    int32_t parts = kerb_in_kind_parts(kind, time);
    float step = time / (float)parts, next = 0.0f, between[KIND_N];
    for (int32_t p = 0; p < parts; p++) {
        for (float begin = step * (float)p; next < begin + step;) {
            kerb_in_kind_step_once(kind, state, control, kerb_max(next - begin, 0.0f), between);
            float free_time = leg_free_time(kind, between, control, volume);
            if (free_time < 0.0f)
                return false;
            next += free_time;
        }
        kerb_in_kind_step_once(kind, state, control, step, state);
    }
    return true;
}

bool kerb_in_leg_is_free(const kerb_kind* kind, const kerb_kind_leg* leg, const float* from,
                         const space_volume* volume) {
    float state[KIND_N], least;
    if (!volume)
        return true;
    memcpy(state, from, sizeof state);
    for (int32_t i = 0; i < leg->count; i++)
        if (!leg_piece_is_free(kind, leg->controls[i], leg->times[i], volume, state))
            return false;
    return leg_room(kind, state, volume, LEG_LARGER, &least) >= 0.0f;
}

// --------------------------------------------------------------------------- joining

// Adds a piece of a leg in equal parts. False when there are too many.
static bool leg_add(const kerb_kind* kind, const float* control, float time, int32_t parts,
                    kind_motion* motion) {
    for (int32_t p = 0; p < parts; p++) {
        int32_t k = motion->count++;
        if (k >= KERB_KIND_PIECES_MAX)
            return false;
        motion->pieces[k] = time / (float)parts;
        memcpy(motion->controls[k], control, sizeof motion->controls[k]);
        kerb_in_kind_step(kind, motion->states[k], motion->controls[k], 0.5f * motion->pieces[k],
                          motion->middles[k]);
        kerb_in_kind_step(kind, motion->states[k], motion->controls[k], motion->pieces[k],
                          motion->states[k + 1]);
    }
    return true;
}

bool kerb_in_leg_join(const kerb_kind* kind, const kerb_kind_leg* legs, int32_t count,
                      const float* from, float longest, kind_motion* motion) {
    motion->count = 0;
    motion->step = 0.0f;
    memcpy(motion->states[0], from, sizeof motion->states[0]);
    for (int32_t l = 0; l < count; l++)
        for (int32_t i = 0; i < legs[l].count; i++) {
            float time = legs[l].times[i];
            int32_t parts = (int32_t)kerb_min(floorf(time / longest) + 1.0f, 1e4f);
            if (time >= SPACE_LEG_LEAST && !leg_add(kind, legs[l].controls[i], time, parts, motion))
                return false;
        }
    // A plan between equal states still has a piece.
    const float none[KIND_M] = {0.0f};
    return motion->count > 0 || leg_add(kind, none, SPACE_LEG_LEAST, 1, motion);
}
