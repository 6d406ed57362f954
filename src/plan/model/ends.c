// Purpose: checks the ends (starts and goals) of a query and finds those that can be used.
// Cost:    O(ends), and one test of a footprint for each.
#include "ends.h"

#include "../../base/shared.h"
#include "../../curve/shared.h"

// Greatest coordinate and position tolerance. Beyond it a float is coarser than 6 cm. [m]
#define PLAN_ENDS_COORDINATE_MOST 1e6f
// Greatest penalty, twelve days. Beyond it a float is coarser than 0.06 s. [s]
#define PLAN_ENDS_PENALTY_MOST 1e6f
// Greatest curvature of the wheels. [1/m]
#define PLAN_ENDS_CURVATURE_MOST 1e4f

static kerb_result fail_end(kerb_error* error, bool is_number, const char* field, int32_t index,
                            const char* message) {
    return kerb_error_set(error, is_number ? KERB_ERROR_OUT_OF_RANGE : KERB_ERROR_NOT_FINITE, field,
                          0, index, is_number ? message : "must be a finite number");
}

static kerb_result plan_ends_check_end(const kerb_plan_end* end, int32_t index, kerb_error* error) {
    kerb_vec2 p = end->pose.position, f = end->pose.forward;
    float unit = kerb_vec2_dot(f, f);
    bool is_near =
        kerb_abs(p.x) <= PLAN_ENDS_COORDINATE_MOST && kerb_abs(p.y) <= PLAN_ENDS_COORDINATE_MOST;
    bool is_number = kerb_is_finite(p.x) && kerb_is_finite(p.y) && kerb_is_finite(unit);
    if (!is_number || !is_near)
        return fail_end(error, is_number, "pose", index, "must lie within 1e6 m");
    if (kerb_abs(unit - 1.0f) > 2e-3f)
        return fail_end(error, true, "pose", index, "its direction must have unit length");
    if (!kerb_is_finite(end->speed))
        return fail_end(error, false, "speed", index, NULL);
    if (!(kerb_abs(end->curvature) <= PLAN_ENDS_CURVATURE_MOST))
        return fail_end(error, kerb_is_finite(end->curvature), "curvature", index,
                        "must be -1e4 to 1e4 1/m");
    if (!(end->penalty >= 0.0f && end->penalty <= PLAN_ENDS_PENALTY_MOST))
        return fail_end(error, kerb_is_finite(end->penalty), "penalty", index,
                        "must be 0 to 1e6 s");
    return KERB_OK;
}

static kerb_result check_tolerances(const kerb_plan_end* end, bool is_goal, int32_t index,
                                    kerb_error* error) {
    const float values[3] = {end->position_tolerance, end->heading_tolerance, end->speed_tolerance};
    static const char* const names[3] = {"position_tolerance", "heading_tolerance",
                                         "speed_tolerance"};
    for (int32_t i = 0; i < 3; i++) {
        bool is_number = kerb_is_finite(values[i]);
        if (!is_number || values[i] < 0.0f)
            return fail_end(error, is_number, names[i], index, "must not be less than 0");
        if (!is_goal && values[i] > 0.0f)
            return fail_end(error, true, names[i], index, "must be 0 at a start");
    }
    if (end->position_tolerance > PLAN_ENDS_COORDINATE_MOST)
        return fail_end(error, true, names[0], index, "must be at most 1e6 m");
    return KERB_OK;
}

static kerb_result check_ends(const kerb_plan_end* ends, int32_t count, const char* field,
                              bool are_goals, kerb_error* error) {
    if (count < 1 || !ends)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, field, 0, -1, "must be at least 1");
    if (count > KERB_PLAN_ENDS_MAX)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, field, 0, -1, "must be at most 16");
    for (int32_t i = 0; i < count; i++) {
        kerb_result result = plan_ends_check_end(&ends[i], i, error);
        if (result == KERB_OK)
            result = check_tolerances(&ends[i], are_goals, i, error);
        if (result != KERB_OK)
            return result;
    }
    return KERB_OK;
}

kerb_result kerb_plan_query_validate(const kerb_plan_query* query, kerb_error* error) {
    KERB_ASSERT(query);
    kerb_result result = check_ends(query->starts, query->start_count, "start_count", false, error);
    return result == KERB_OK
               ? check_ends(query->goals, query->goal_count, "goal_count", true, error)
               : result;
}

void kerb_in_plan_ends_copy(kerb_plan_end* copies, const kerb_plan_end* ends, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        copies[i] = ends[i];
        copies[i].pose.forward = curve_unit_again(curve_unit_again(ends[i].pose.forward));
    }
}

plan_choice kerb_in_plan_ends_usable(const kerb_plan_limits* limits, const plan_world* world,
                                     const kerb_plan_end* ends, int32_t count) {
    plan_choice usable = {0};
    for (int32_t i = 0; i < count; i++) {
        if (ends[i].speed > limits->speed_max || ends[i].speed < -limits->reverse_speed_max)
            continue;
        usable.slow_enough++;
        if (!world || kerb_in_plan_world_pose_free(world, ends[i].pose, 0.0f))
            usable.index[usable.count++] = i;
    }
    return usable;
}

kerb_plan_outcome kerb_in_plan_ends_outcome(const plan_choice* starts, const plan_choice* goals) {
    if (starts->slow_enough == 0 || goals->slow_enough == 0)
        return KERB_PLAN_IMPOSSIBLE;
    if (starts->count == 0)
        return KERB_PLAN_START_BLOCKED;
    return goals->count == 0 ? KERB_PLAN_GOAL_BLOCKED : KERB_PLAN_RUNNING;
}
