// Purpose: words of a file inside messages, and the most similar name of a format.
// Idea:    Similarity is the Levenshtein distance, computed with one row of its table. Words that
//          are longer than any name of a format are similar to none.
// Cost:    O(length of the word · length of the name) per name.
#include "io/quote.h"

#include <string.h>

enum { WORD_MAX = 64 };

void kerb_io_quote(char quoted[KERB_IO_QUOTE_MAX], const char* text, size_t length) {
    size_t shown = length < KERB_IO_QUOTE_MAX ? length : KERB_IO_QUOTE_MAX - 4;
    for (size_t i = 0; i < shown; i++)
        quoted[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    if (shown < length) {
        memcpy(quoted + shown, "...", 3);
        shown += 3;
    }
    quoted[shown] = '\0';
}

kerb_io_nearest kerb_io_nearest_make(const char* word, size_t length) {
    kerb_io_nearest nearest = {word, length, NULL,
                               (int32_t)(length < WORD_MAX ? length / 3 + 1 : 0)};
    return nearest;
}

static char folded(char c) {
    if (c >= 'A' && c <= 'Z')
        return (char)(c | 0x20);
    return c == '-' || c == ' ' || c == '.' ? '_' : c;
}

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

// [length: < WORD_MAX]
static int32_t edit_distance(const char* word, size_t length, const char* name) {
    int32_t row[WORD_MAX];
    for (size_t i = 0; i <= length; i++)
        row[i] = (int32_t)i;
    for (; *name; name++) {
        int32_t diagonal = row[0]++;
        for (size_t i = 1; i <= length; i++) {
            int32_t change = diagonal + (folded(word[i - 1]) != folded(*name));
            diagonal = row[i];
            row[i] = least(change, least(row[i], row[i - 1]) + 1);
        }
    }
    return row[length];
}

bool kerb_io_nearest_consider(kerb_io_nearest* nearest, const char* name) {
    if (nearest->distance <= 0)
        return false;
    int32_t distance = edit_distance(nearest->word, nearest->length, name);
    if (distance >= nearest->distance)
        return false;
    nearest->distance = distance;
    nearest->name = name;
    return true;
}
