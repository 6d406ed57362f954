// The frame of a report in JSON: its first members, numbers rounded to a millionth, and printing.
#include "tool/report/json_report.h"

#include "kerb/base.h"

#include <math.h>

cJSON* tool_json_begin(const char* command, int64_t seed) {
    cJSON* report = cJSON_CreateObject();
    if (cJSON_AddStringToObject(report, "kerb", kerb_version()) &&
        cJSON_AddStringToObject(report, "command", command) &&
        cJSON_AddNumberToObject(report, "seed", (double)seed))
        return report;
    cJSON_Delete(report);
    return NULL;
}

bool tool_json_number(cJSON* object, const char* key, double value) {
    if (!isfinite(value))
        return cJSON_AddNullToObject(object, key) != NULL;
    return cJSON_AddNumberToObject(object, key, round(value * 1e6) / 1e6) != NULL;
}

bool tool_json_end(cJSON* report, bool complete, FILE* out) {
    char* text = report && complete ? cJSON_Print(report) : NULL;
    if (text)
        fprintf(out, "%s\n", text);
    bool printed = text != NULL;
    cJSON_free(text);
    cJSON_Delete(report);
    return printed;
}
