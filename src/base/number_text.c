// Short texts with numbers in them, for messages.
//
// A number is scaled by powers of ten to a whole number of six digits, which is then written. This
// gives the same text on every machine, and it is exact enough for the round numbers of ranges.
#include "number_text.h"

#include <string.h>

enum { DIGITS = 6 }; // a float holds 6 decimal digits with certainty

kerb_text kerb_in_text_make(const char* start) {
    kerb_text text = {{0}, 0};
    kerb_in_text_add(&text, start);
    return text;
}

void kerb_in_text_add(kerb_text* text, const char* more) {
    size_t room = sizeof text->text - 1 - text->length;
    size_t length = strlen(more);
    if (length > room)
        length = room;
    memcpy(text->text + text->length, more, length);
    text->length += length;
    text->text[text->length] = '\0';
}

static void add_whole(kerb_text* text, int32_t value) {
    char digits[12];
    char* at = digits + sizeof digits;
    *--at = '\0';
    uint32_t rest = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        *--at = '-';
    kerb_in_text_add(text, at);
}

// Scales a positive value to DIGITS whole digits; `exponent` is that of its first digit.
static int32_t scale_to_digits(double value, int32_t* exponent) {
    *exponent = DIGITS - 1;
    while (value < 99999.5) {
        value *= 10.0;
        --*exponent;
    }
    while (value >= 999999.5) {
        value /= 10.0;
        ++*exponent;
    }
    return (int32_t)(value + 0.5);
}

// Writes the digits with a point after the first `whole` of them; zeros in front when whole <= 0.
static void add_digits(kerb_text* text, int32_t digits, int32_t whole) {
    char all[DIGITS];
    int32_t used = DIGITS;
    for (int32_t i = DIGITS; i-- > 0; digits /= 10)
        all[i] = (char)('0' + digits % 10);
    while (used > 1 && all[used - 1] == '0')
        used--;
    if (whole <= 0)
        kerb_in_text_add(text, "0.");
    for (int32_t i = whole; i < 0; i++)
        kerb_in_text_add(text, "0");
    for (int32_t i = 0; i < used || i < whole; i++) {
        char digit[2] = {i < used ? all[i] : '0', '\0'};
        if (i == whole && whole > 0)
            kerb_in_text_add(text, ".");
        kerb_in_text_add(text, digit);
    }
}

void kerb_in_text_add_number(kerb_text* text, float value) {
    if (value != value || value - value != 0.0f || value == 0.0f) {
        kerb_in_text_add(text, value != value ? "nan" : value == 0.0f ? "0" : "infinity");
        return;
    }
    if (value < 0.0f)
        kerb_in_text_add(text, "-");
    int32_t exponent;
    int32_t digits = scale_to_digits(value < 0.0f ? -(double)value : (double)value, &exponent);
    if (exponent >= -5 && exponent <= 6) {
        add_digits(text, digits, exponent + 1);
        return;
    }
    add_digits(text, digits, 1);
    kerb_in_text_add(text, "e");
    add_whole(text, exponent);
}
