// Purpose: checks of a plan of a network. Every message names the item and its field.
// Cost:    O(edges + lanes + turns + points).
#include "network_parts.h"

// The ranges that kerb/road.h documents.
static const float lane_width_min = 0.5f, lane_width_max = 50.0f;          // [m]
static const float phase_duration_min = 0.1f, phase_duration_max = 1.0e4f; // [s]
// Shorter lines have no direction that floats can tell 100 km from the origin. [m]
static const float line_length_min = 0.01f;

static kerb_result net_plan_error(kerb_error* error, kerb_result result, const char* field,
                                  int32_t index, const char* message) {
    return kerb_error_set(error, result, field, 0, index, message);
}

static kerb_result net_out_of_range(kerb_error* error, const char* field, int32_t index,
                                    const char* message) {
    return net_plan_error(error, KERB_ERROR_OUT_OF_RANGE, field, index, message);
}

static bool net_is_range(int32_t first, int32_t count, int32_t all) {
    return first >= 0 && count >= 0 && first <= all && count <= all - first;
}

static bool net_is_index(int32_t index, int32_t count) {
    return index >= 0 && index < count;
}

static bool net_is_within(float value, float min, float max) {
    return value >= min && value <= max;
}

static kerb_result net_check_counts(const kerb_network_plan* plan, kerb_error* error) {
    if (plan->edge_count < 1)
        return net_plan_error(error, KERB_ERROR_TOO_FEW, "edges", -1,
                              "must have one edge at least");
    if (plan->lane_count < 1)
        return net_plan_error(error, KERB_ERROR_TOO_FEW, "lanes", -1,
                              "must have one lane at least");
    if (plan->junction_count < 1)
        return net_plan_error(error, KERB_ERROR_TOO_FEW, "junctions", -1, "must have one at least");
    if (plan->lane_count > KERB_NETWORK_SEGMENTS_MAX ||
        plan->turn_count > KERB_NETWORK_SEGMENTS_MAX)
        return net_plan_error(error, KERB_ERROR_TOO_MANY, "lanes", -1,
                              "must be at most 10000000 lanes and turns each");
    return KERB_OK;
}

static kerb_result net_check_edges(const kerb_network_plan* plan, kerb_error* error) {
    int64_t owned = 0; // edges own the lanes in any order, so only their number is checked here
    for (int32_t i = 0; i < plan->edge_count; i++) {
        const kerb_network_edge* e = &plan->edges[i];
        if (e->lane_count < 1 || !net_is_range(e->first_lane, e->lane_count, plan->lane_count))
            return net_out_of_range(error, "edges.first_lane", i, "must name lanes of the plan");
        if (!net_is_index(e->from, plan->junction_count))
            return net_out_of_range(error, "edges.from", i, "must be a junction of the plan");
        if (!net_is_index(e->to, plan->junction_count))
            return net_out_of_range(error, "edges.to", i, "must be a junction of the plan");
        owned += e->lane_count;
    }
    if (owned != plan->lane_count)
        return net_plan_error(error, KERB_ERROR_CONTRADICTION, "lanes", -1,
                              "must each belong to exactly one edge");
    return KERB_OK;
}

static kerb_result net_check_shape(const kerb_network_plan* plan, int32_t first, int32_t count,
                                   const char* field, int32_t index, kerb_error* error) {
    float length = 0;
    if (!net_is_range(first, count, plan->point_count))
        return net_out_of_range(error, field, index, "must be points of the plan");
    for (int32_t i = 0; i < count; i++) {
        kerb_vec3 p = plan->points[first + i];
        if (!kerb_vec3_is_finite(p))
            return net_plan_error(error, KERB_ERROR_NOT_FINITE, field, index,
                                  "must have finite coordinates");
        if (kerb_abs(p.x) > KERB_POSITION_MAX || kerb_abs(p.y) > KERB_POSITION_MAX)
            return net_out_of_range(error, field, index, "must be within 1000 km of the origin");
        if (i > 0)
            length += kerb_vec3_length(kerb_vec3_sub(p, plan->points[first + i - 1]));
    }
    if (!(length > line_length_min))
        return net_plan_error(error, KERB_ERROR_CONTRADICTION, field, index,
                              "must be longer than 1 cm");
    return KERB_OK;
}

static kerb_result net_check_lanes(const kerb_network_plan* plan, kerb_error* error) {
    for (int32_t i = 0; i < plan->lane_count; i++) {
        const kerb_network_lane* l = &plan->lanes[i];
        if (l->point_count < 2)
            return net_plan_error(error, KERB_ERROR_TOO_FEW, "lanes.points", i,
                                  "must be 2 at least");
        kerb_result result =
            net_check_shape(plan, l->first_point, l->point_count, "lanes.points", i, error);
        if (result != KERB_OK)
            return result;
        if (!net_is_within(l->width, lane_width_min, lane_width_max))
            return net_out_of_range(error, "lanes.width", i, "must be from 0.5 to 50 m");
        if (!net_is_within(l->speed_limit, KERB_IN_NETWORK_SPEED_MIN, KERB_IN_NETWORK_SPEED_MAX))
            return net_out_of_range(error, "lanes.speed_limit", i, "must be from 0.1 to 150 m/s");
    }
    return KERB_OK;
}

static kerb_result net_check_turn_signal(const kerb_network_plan* plan, int32_t i,
                                         kerb_error* error) {
    const kerb_network_turn* t = &plan->turns[i];
    if (t->signal < -1 || t->signal >= plan->signal_count)
        return net_out_of_range(error, "turns.signal", i, "must be a signal of the plan or -1");
    if (t->signal >= 0 && !net_is_index(t->link, plan->signals[t->signal].link_count))
        return net_out_of_range(error, "turns.link", i, "must be a letter of the signal's states");
    return KERB_OK;
}

static kerb_result net_check_turns(const kerb_network_plan* plan, kerb_error* error) {
    for (int32_t i = 0; i < plan->turn_count; i++) {
        const kerb_network_turn* t = &plan->turns[i];
        if (!net_is_index(t->from, plan->lane_count))
            return net_out_of_range(error, "turns.from", i, "must be a lane of the plan");
        if (!net_is_index(t->to, plan->lane_count))
            return net_out_of_range(error, "turns.to", i, "must be a lane of the plan");
        if (t->point_count == 1 || t->point_count < 0)
            return net_plan_error(error, KERB_ERROR_TOO_FEW, "turns.points", i,
                                  "must be 0 or 2 at least");
        if (!net_is_within(t->speed_limit, 0, KERB_IN_NETWORK_SPEED_MAX))
            return net_out_of_range(error, "turns.speed_limit", i, "must be from 0 to 150 m/s");
        kerb_result result = net_check_turn_signal(plan, i, error);
        if (result == KERB_OK && t->point_count > 0)
            result =
                net_check_shape(plan, t->first_point, t->point_count, "turns.points", i, error);
        if (result != KERB_OK)
            return result;
    }
    return KERB_OK;
}

static kerb_result net_check_phases(const kerb_network_plan* plan, int32_t signal,
                                    kerb_error* error) {
    const kerb_network_signal* s = &plan->signals[signal];
    for (int32_t i = s->first_phase; i < s->first_phase + s->phase_count; i++) {
        if (!net_is_within(plan->phases[i].duration, phase_duration_min, phase_duration_max))
            return net_out_of_range(error, "phases.duration", i, "must be from 0.1 to 10000 s");
        if (!net_is_range(plan->phases[i].first_state, s->link_count, plan->state_count))
            return net_out_of_range(error, "phases.first_state", i, "must be letters of the plan");
    }
    return KERB_OK;
}

static kerb_result net_check_signals(const kerb_network_plan* plan, kerb_error* error) {
    for (int32_t i = 0; i < plan->signal_count; i++) {
        const kerb_network_signal* s = &plan->signals[i];
        if (s->phase_count < 1 || !net_is_range(s->first_phase, s->phase_count, plan->phase_count))
            return net_out_of_range(error, "signals.first_phase", i, "must be phases of the plan");
        if (s->link_count < 1)
            return net_plan_error(error, KERB_ERROR_TOO_FEW, "signals.link_count", i,
                                  "must be 1 at least");
        if (!kerb_is_finite(s->offset))
            return net_plan_error(error, KERB_ERROR_NOT_FINITE, "signals.offset", i,
                                  "must be finite");
        kerb_result result = net_check_phases(plan, i, error);
        if (result != KERB_OK)
            return result;
    }
    return KERB_OK;
}

static kerb_result net_check_rules(const kerb_network_plan* plan, kerb_error* error) {
    for (int32_t i = 0; i < plan->junction_count; i++)
        if (!net_is_index((int32_t)plan->junctions[i].rule, KERB_JUNCTION_GIVEN + 1))
            return net_out_of_range(error, "junctions.rule", i, "must be a rule");
    for (int32_t i = 0; i < plan->yield_count; i++)
        if (!net_is_index(plan->yields[i].turn, plan->turn_count) ||
            !net_is_index(plan->yields[i].to, plan->turn_count))
            return net_out_of_range(error, "yields.turn", i, "must be turns of the plan");
    return KERB_OK;
}

kerb_result kerb_in_network_check(const kerb_network_plan* plan, kerb_error* error) {
    kerb_result result = net_check_counts(plan, error);
    if (result == KERB_OK)
        result = net_check_edges(plan, error);
    if (result == KERB_OK)
        result = net_check_lanes(plan, error);
    if (result == KERB_OK)
        result = net_check_signals(plan, error);
    if (result == KERB_OK)
        result = net_check_turns(plan, error);
    return result == KERB_OK ? net_check_rules(plan, error) : result;
}
