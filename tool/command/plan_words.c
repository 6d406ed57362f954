// Reads those values: a fixed number of numbers with commas between them, and nothing else.
#include "tool/command/plan_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (3.14159265358979 / 180.0)

// So many numbers with commas between them, and nothing else.
static tool_status plan_words_read_numbers(const char* option, const char* text, int32_t count,
                                           const char* wanted, double* numbers) {
    const char* at = text;
    for (int32_t i = 0; i < count; i++) {
        char* rest;
        numbers[i] = strtod(at, &rest);
        bool is_last = i == count - 1;
        if (rest == at || !isfinite(numbers[i]) || *rest != (is_last ? '\0' : ','))
            return tool_complain("--%s: must be %s: \"%s\"", option, wanted, text);
        at = rest + 1;
    }
    return TOOL_DONE;
}

static int32_t count_commas(const char* text) {
    int32_t commas = 0;
    for (const char* at = text; *at; at++)
        commas += *at == ',';
    return commas;
}

static tool_status read_end(const char* option, const char* text, bool has_hitch,
                            kerb_plan_end* end) {
    double n[5] = {0.0};
    int32_t count = count_commas(text) == 4 ? 5 : 4;
    const char* wanted =
        has_hitch ? "X,Y,DEG,V or X,Y,DEG,V,HITCH" : "X,Y,DEG,V or X,Y,DEG,V,PENALTY";
    if (plan_words_read_numbers(option, text, count, wanted, n) != TOOL_DONE)
        return TOOL_WRONG;
    if (n[4] < 0.0 && !has_hitch)
        return tool_complain("--%s: a penalty must not be less than 0: \"%s\"", option, text);
    double turns = fmod(n[2], 360.0);
    *end = kerb_plan_end_make((float)n[0], (float)n[1], (float)(turns * DEGREE), (float)n[3]);
    end->penalty = (float)n[4];
    return TOOL_DONE;
}

tool_status tool_plan_words_ends(const char* option, const tool_words* words, bool has_hitch,
                                 kerb_plan_end* ends) {
    if (words->count > KERB_PLAN_ENDS_MAX)
        return tool_complain("--%s: at most %d", option, KERB_PLAN_ENDS_MAX);
    for (int32_t i = 0; i < words->count; i++)
        if (read_end(option, words->word[i], has_hitch, &ends[i]) != TOOL_DONE)
            return TOOL_WRONG;
    return TOOL_DONE;
}

tool_status tool_plan_words_tolerance(const char* text, kerb_plan_end* goal) {
    double numbers[3] = {0.0};
    if (plan_words_read_numbers("tolerance", text, 3, "three numbers, M,DEG,V", numbers) !=
        TOOL_DONE)
        return TOOL_WRONG;
    for (int32_t i = 0; i < 3; i++)
        if (numbers[i] < 0.0)
            return tool_complain("--tolerance: must not be less than 0: \"%s\"", text);
    goal->position_tolerance = (float)numbers[0];
    goal->heading_tolerance = (float)(numbers[1] * DEGREE);
    goal->speed_tolerance = (float)numbers[2];
    return TOOL_DONE;
}

tool_status tool_plan_words_pair(const char* option, const char* text, float pair[2]) {
    double numbers[2] = {0.0};
    const char* what = strcmp(option, "pitch") == 0 ? "two numbers, DEG,DEG" : "two numbers, Z,Z";
    if (plan_words_read_numbers(option, text, 2, what, numbers) != TOOL_DONE)
        return TOOL_WRONG;
    pair[0] = (float)numbers[0];
    pair[1] = (float)numbers[1];
    return TOOL_DONE;
}

// Of the length and width of a car where the words have none.
static tool_status read_mover(const char* text, kerb_plan_mover* mover) {
    double n[6] = {0.0, 0.0, 0.0, 0.0, 4.5, 1.8};
    if (plan_words_read_numbers("mover", text, count_commas(text) == 5 ? 6 : 4,
                                "X,Y,VX,VY or X,Y,VX,VY,LENGTH,WIDTH", n) != TOOL_DONE)
        return TOOL_WRONG;
    float heading = kerb_atan2((float)n[3], (float)n[2]);
    *mover = (kerb_plan_mover){.pose = kerb_pose_make((float)n[0], (float)n[1], heading),
                               .velocity = {(float)n[2], (float)n[3]},
                               .length = (float)n[4],
                               .width = (float)n[5]};
    return TOOL_DONE;
}

tool_status tool_plan_words_movers(const tool_words* words, kerb_plan_mover* movers) {
    if (words->count > KERB_PLAN_MOVERS_MAX)
        return tool_complain("--mover: at most %d", KERB_PLAN_MOVERS_MAX);
    for (int32_t i = 0; i < words->count; i++)
        if (read_mover(words->word[i], &movers[i]) != TOOL_DONE)
            return TOOL_WRONG;
    return TOOL_DONE;
}
