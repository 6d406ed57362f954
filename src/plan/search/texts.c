// Texts of this room's enums. Choices of settings have the words of their settings tables. O(1)
#include "kerb/plan_search.h"

#include "../../base/shared.h"

const char* kerb_plan_heuristic_text(kerb_plan_heuristic value) {
    static const char* const texts[] = {
        [KERB_PLAN_ADMISSIBLE] = "admissible",
        [KERB_PLAN_THESIS] = "thesis",
        [KERB_PLAN_DISTANCE] = "distance",
        [KERB_PLAN_EUCLIDEAN] = "euclidean",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_plan_overshoot_text(kerb_plan_overshoot value) {
    static const char* const texts[] = {
        [KERB_PLAN_CIRCULAR] = "circular",
        [KERB_PLAN_LINEAR] = "linear",
        [KERB_PLAN_COMBINED] = "combined",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_plan_rank_text(kerb_plan_rank value) {
    static const char* const texts[] = {
        [KERB_PLAN_RANK_COST] = "cost",
        [KERB_PLAN_RANK_ESTIMATE] = "estimate",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_plan_probing_text(kerb_plan_probing value) {
    static const char* const texts[] = {
        [KERB_PLAN_PROBING_NEVER] = "never",
        [KERB_PLAN_PROBING_FIRST] = "first",
        [KERB_PLAN_PROBING_ONLY] = "only",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_plan_time_use_text(kerb_plan_time_use value) {
    static const char* const texts[] = {
        [KERB_PLAN_TIME_EXACT] = "exact",
        [KERB_PLAN_TIME_ROUNDED] = "rounded",
        [KERB_PLAN_TIME_STATE] = "state",
    };
    return KERB_ENUM_TEXT(texts, value);
}
