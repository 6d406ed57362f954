// Texts of results, and the function that fills a kerb_error.
#include "kerb/base.h"

#include "enum_text.h"

static const char* const result_texts[] = {
    [KERB_OK] = "ok",
    [KERB_ERROR_OUT_OF_MEMORY] = "out of memory",
    [KERB_ERROR_NOT_FINITE] = "not a finite number",
    [KERB_ERROR_OUT_OF_RANGE] = "out of range",
    [KERB_ERROR_TOO_FEW] = "too few",
    [KERB_ERROR_TOO_MANY] = "too many",
    [KERB_ERROR_CONTRADICTION] = "contradiction",
    [KERB_ERROR_SYNTAX] = "syntax error",
    [KERB_ERROR_UNKNOWN_FIELD] = "unknown field",
    [KERB_ERROR_MISSING_FIELD] = "missing field",
    [KERB_ERROR_WRONG_TYPE] = "wrong type",
};

const char* kerb_result_text(kerb_result result) {
    return KERB_ENUM_TEXT(result_texts, result);
}

// Copies as much as fits and always ends with a zero. When the text is cut inside a UTF-8
// character, the bytes of that character are removed too, so that the rest is valid UTF-8.
static void copy_text(char* to, size_t capacity, const char* from) {
    size_t length = 0;
    while (from && from[length] && length + 1 < capacity) {
        to[length] = from[length];
        length++;
    }
    if (from && from[length]) {
        while (length > 0 && ((unsigned char)from[length] & 0xC0u) == 0x80u)
            length--;
    }
    to[length] = '\0';
}

kerb_result kerb_error_set(kerb_error* error, kerb_result result, const char* field, int32_t line,
                           int32_t index, const char* message) {
    if (!error)
        return result;
    error->result = result;
    error->line = line;
    error->index = index;
    copy_text(error->field, sizeof error->field, field);
    copy_text(error->message, sizeof error->message, message);
    return result;
}
