// Error messages are one line each, whatever a file name or a file's content holds, so that scripts
// can rely on it: control characters are printed as '?'.
//
// The nearest word is the one with the smallest optimal string alignment distance (Damerau 1964),
// at most a third of the longer word. O(length²) per word.
#include "tool/command/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 1024
#define WORD_MAX 48

static void message_print_line(char* line) {
    for (char* c = line; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    }
    fprintf(stderr, "kerb: %s\n", line);
}

tool_status tool_complain(const char* format, ...) {
    char line[LINE_MAX_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    message_print_line(line);
    return TOOL_WRONG;
}

tool_status tool_complain_error(const char* file, const kerb_error* error) {
    char place[40] = "", field[sizeof error->field + 4] = "";
    if (error->line > 0)
        snprintf(place, sizeof place, ":%d", (int)error->line);
    else if (error->index >= 0)
        snprintf(place, sizeof place, ": item %d", (int)error->index);
    if (error->field[0] != '\0')
        snprintf(field, sizeof field, "%s: ", error->field);
    const char* message =
        error->message[0] != '\0' ? error->message : kerb_result_text(error->result);
    return tool_complain("%s%s: %s%s", file, place, field, message);
}

void tool_print_notes(const char* file, const kerb_io_notes* notes) {
    for (int32_t i = 0; i < notes->count; i++) {
        const kerb_io_note* note = &notes->rows[i];
        char place[40] = "", field[sizeof note->field + 4] = "";
        if (note->line > 0)
            snprintf(place, sizeof place, ":%d", (int)note->line);
        if (note->field[0] != '\0')
            snprintf(field, sizeof field, "%s: ", note->field);
        tool_complain("note: %s%s: %s%s", file, place, field, note->message);
    }
    if (notes->left_out > 0)
        tool_complain("note: %s: %d more notes", file, (int)notes->left_out);
}

static int32_t message_least_of(int32_t a, int32_t b) {
    return a < b ? a : b;
}

// Rows of the classic table: two back (for swaps), one back, this one.
static int32_t edits(const char* a, const char* b) {
    int32_t rows[3][WORD_MAX + 1];
    int32_t a_length = (int32_t)strlen(a), b_length = (int32_t)strlen(b);
    for (int32_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (int32_t i = 1; i <= a_length; i++) {
        int32_t* row = rows[i % 3];
        const int32_t* above = rows[(i + 2) % 3];
        const int32_t* two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (int32_t j = 1; j <= b_length; j++) {
            int32_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = message_least_of(changed, 1 + message_least_of(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = message_least_of(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

const char* tool_nearest_word(const char* word,
                              const char* (*words)(const void* context, int32_t i),
                              const void* context, int32_t count) {
    const char* nearest = NULL;
    int32_t least = INT32_MAX;
    size_t length = strlen(word);
    for (int32_t i = 0; i < count; i++) {
        const char* candidate = words(context, i);
        size_t longer = strlen(candidate) > length ? strlen(candidate) : length;
        if (longer > WORD_MAX || length == 0)
            continue;
        int32_t distance = edits(word, candidate);
        if (distance < least && distance * 3 <= (int32_t)longer + 1) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}
