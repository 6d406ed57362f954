// What the reports with --json share. cJSON accepts NULL for an object and then adds nothing, so a
// report needs to check for missing memory only once, at its end.
#ifndef KERB_TOOL_REPORT_JSON_REPORT_H
#define KERB_TOOL_REPORT_JSON_REPORT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/// An object with the keys that every report begins with: "kerb", "command" and "seed". NULL when
/// memory is missing.
cJSON* tool_json_begin(const char* command, int64_t seed);

/// Adds a number rounded to a millionth, finer than anything that is measured, so that it reads
/// well; one that is not finite as null. False when memory is missing.
bool tool_json_number(cJSON* object, const char* key, double value);

/// Prints the report if it is complete, and deletes it in any case. False when memory is missing.
bool tool_json_end(cJSON* report, bool complete, FILE* out);

#endif
