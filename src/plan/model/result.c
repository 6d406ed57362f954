// Purpose: reads a plan: the state of the vehicle at a given time, and words for outcomes; moves it
//          with the world's origin.
// Idea:    Bisection finds the piece; within a piece the state is a closed form.
// Cost:    O(log pieces), a sine and a cosine.
#include "piece.h"

#include "../../base/shared.h"

// The last piece that has begun at a time.
static int32_t piece_at(const kerb_plan* plan, float time) {
    int32_t low = 0, high = plan->count - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (plan->pieces[middle].time <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// Share of a piece that lies behind the vehicle: of its length, at standstill of its time.
static float share_driven(const kerb_plan_piece* p, float passed, float driven) {
    float done = p->length > 0.0f ? driven : passed;
    float whole = p->length > 0.0f ? p->length : p->duration;
    return whole > 0.0f ? done / whole : 0.0f;
}

kerb_plan_state kerb_plan_at(const kerb_plan* plan, float time) {
    KERB_ASSERT(plan);
    kerb_plan_state state = {0};
    if (plan->count == 0)
        return state;
    float now = kerb_clamp(time, 0.0f, plan->time);
    const kerb_plan_piece* piece = &plan->pieces[piece_at(plan, now)];
    float passed = kerb_clamp(now - piece->time, 0.0f, piece->duration);
    float driven = (piece->speed + 0.5f * piece->acceleration * passed) * passed;
    float speed = kerb_max(piece->speed + piece->acceleration * passed, 0.0f);
    float sign = (float)piece->direction;
    driven = kerb_clamp(driven, 0.0f, piece->length);
    state.pose = plan_piece_pose(piece, driven);
    state.time = now;
    state.speed = sign * speed;
    state.curvature =
        piece->curvature + piece->curvature_change * share_driven(piece, passed, driven);
    state.acceleration = piece->acceleration;
    state.direction = piece->direction;
    return state;
}

kerb_pose kerb_plan_piece_pose(const kerb_plan_piece* piece, float along) {
    KERB_ASSERT(piece);
    return plan_piece_pose(piece, along);
}

void kerb_plan_shift_origin(kerb_plan* plan, kerb_plan_piece* pieces, kerb_vec3 new_origin) {
    KERB_ASSERT(plan && (pieces || plan->count == 0) && kerb_vec3_is_finite(new_origin));
    for (int32_t i = 0; i < plan->count; i++) {
        pieces[i] = plan->pieces[i];
        pieces[i].start.position.x -= new_origin.x;
        pieces[i].start.position.y -= new_origin.y;
    }
    plan->pieces = pieces;
}

const char* kerb_plan_outcome_text(kerb_plan_outcome outcome) {
    static const char* const words[KERB_PLAN_OUTCOME_COUNT] = {
        "running",    "found",         "no_path",      "budget_spent",  "cancelled",
        "impossible", "start_blocked", "goal_blocked", "world_changed", "start_too_fast"};
    return KERB_ENUM_TEXT(words, outcome);
}

const char* kerb_plan_method_text(kerb_plan_method value) {
    static const char* const texts[] = {
        [KERB_PLAN_METHOD_NONE] = "none",
        [KERB_PLAN_METHOD_ANALYTIC] = "analytic",
        [KERB_PLAN_METHOD_SEARCH] = "search",
        [KERB_PLAN_METHOD_SPEED_SEARCH] = "search with speed",
    };
    return KERB_ENUM_TEXT(texts, value);
}
