// Purpose: functions that all parts of the checker use: error reports, and the time that the wheels
//          need to turn.
// Idea:    The parts use this file instead of one another. It uses nothing that creates plans.
// Cost:    O(1).
#include "check_parts.h"

kerb_result kerb_in_plan_check_broken(const plan_check* c, const char* limit, const char* message) {
    return kerb_error_set(c->error, KERB_ERROR_OUT_OF_RANGE, limit, 0, c->index, message);
}

kerb_result kerb_in_plan_check_unfit(const plan_check* c, const char* field, const char* message) {
    return kerb_error_set(c->error, KERB_ERROR_CONTRADICTION, field, 0, c->index, message);
}

double kerb_in_plan_check_turning(const kerb_plan_limits* l, double change) {
    return (double)l->steering_time * (double)l->turning_radius * plan_check_size(change);
}
