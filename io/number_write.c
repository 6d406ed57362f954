// Purpose: writes numbers from their exact decimal digits.
// Idea:    A double is an integer times a power of two, so it has a finite number of decimal
//          digits. One big integer gives them all (at most 112 for a float, 767 for a double), and
//          every form is a rounding of these. The smallest number of digits that reads back exactly
//          is found by trying 1, 2, 3 … digits with the reader.
// Cost:    O(digits²).
#include "io/number.h"

#include "io/big_integer.h"

#include <string.h>

enum { DIGITS_MAX = 800 };

// 0.d1d2d3… × 10^point; no digits: zero.
typedef struct number_write_digits {
    bool negative;
    int32_t point;
    int32_t count;
    char digit[DIGITS_MAX]; // '0' … '9', the first and last not '0'
} number_write_digits;

static void strip_zeros(number_write_digits* number) {
    while (number->count > 0 && number->digit[number->count - 1] == '0')
        number->count--;
}

// The digits of a whole number times 10^-scale.
static void write_digits(number_write_digits* number, kerb_io_big* whole, int32_t scale) {
    char reversed[DIGITS_MAX + 9];
    int32_t length = 0;
    while (whole->count > 0) {
        uint32_t nine = kerb_io_big_divide(whole, 1000000000u);
        for (int32_t i = 0; i < 9; i++, nine /= 10)
            reversed[length++] = (char)('0' + nine % 10);
    }
    while (length > 0 && reversed[length - 1] == '0')
        length--;
    for (int32_t i = 0; i < length; i++)
        number->digit[i] = reversed[length - 1 - i];
    number->count = length;
    number->point = length - scale;
    strip_zeros(number);
}

// fraction × 2^exponent = a finite double.
static uint64_t split(double value, int32_t* exponent) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    int32_t field = (int32_t)(bits >> 52 & 0x7FF);
    *exponent = (field > 0 ? field : 1) - 1075;
    if (field > 0)
        fraction |= (uint64_t)1 << 52;
    while (fraction && !(fraction & 1)) {
        fraction >>= 1;
        ++*exponent;
    }
    return fraction;
}

static bool is_negative(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63;
}

// value: finite.
static void exact_digits(number_write_digits* number, double value) {
    int32_t exponent;
    uint64_t fraction = split(value, &exponent);
    kerb_io_big whole = kerb_io_big_make(fraction);
    number->negative = is_negative(value);
    if (fraction && exponent > 0)
        kerb_io_big_shift_left(&whole, exponent);
    // fraction / 2^k = fraction × 5^k / 10^k
    int32_t scale = fraction && exponent < 0 ? -exponent : 0;
    for (int32_t left = scale; left > 0; left -= left < 13 ? left : 13) {
        uint32_t power = 1;
        for (int32_t i = 0; i < left && i < 13; i++)
            power *= 5;
        kerb_io_big_multiply_add(&whole, power, 0);
    }
    write_digits(number, &whole, scale);
}

// Whether what follows the first `kept` digits rounds them up: to nearest, ties to even.
static bool rounds_up(const number_write_digits* number, int32_t kept) {
    if (kept < 0 || number->digit[kept] < '5')
        return false;
    if (number->digit[kept] > '5' || number->count > kept + 1)
        return true;
    return kept > 0 && (number->digit[kept - 1] - '0') % 2 == 1;
}

// Keeps so many digits; a negative number of them keeps none.
static void round_digits(number_write_digits* number, int32_t kept) {
    if (kept >= number->count)
        return;
    bool up = rounds_up(number, kept);
    number->count = kept < 0 ? 0 : kept;
    while (up && number->count > 0 && number->digit[number->count - 1] == '9')
        number->count--;
    if (up && number->count > 0) {
        number->digit[number->count - 1]++;
    } else if (up) {
        number->digit[0] = '1';
        number->count = 1;
        number->point++;
    }
    strip_zeros(number);
}

// --------------------------------------------------------------------------- forms

static char digit_at(const number_write_digits* number, int32_t index) {
    return index >= 0 && index < number->count ? number->digit[index] : '0';
}

// Plain: all digits before the point, then so many decimals.
static size_t write_plain(char* text, const number_write_digits* number, int32_t decimals) {
    size_t length = 0;
    int32_t whole = number->count > 0 && number->point > 0 ? number->point : 0;
    int32_t shift = number->count > 0 ? number->point : 0;
    if (number->negative)
        text[length++] = '-';
    if (whole == 0)
        text[length++] = '0';
    for (int32_t i = 0; i < whole; i++)
        text[length++] = digit_at(number, i);
    if (decimals > 0)
        text[length++] = '.';
    for (int32_t i = 0; i < decimals; i++)
        text[length++] = digit_at(number, shift + i);
    text[length] = '\0';
    return length;
}

// One digit before the point, and an exponent of two digits: floats need no more.
static size_t write_scientific(char* text, const number_write_digits* number) {
    size_t length = 0;
    int32_t exponent = number->point - 1;
    uint32_t size = (uint32_t)(exponent < 0 ? -exponent : exponent);
    if (number->negative)
        text[length++] = '-';
    text[length++] = number->digit[0];
    if (number->count > 1)
        text[length++] = '.';
    for (int32_t i = 1; i < number->count; i++)
        text[length++] = number->digit[i];
    text[length++] = 'e';
    text[length++] = exponent < 0 ? '-' : '+';
    text[length++] = (char)('0' + size / 10);
    text[length++] = (char)('0' + size % 10);
    text[length] = '\0';
    return length;
}

static size_t write_short(char* text, const number_write_digits* number) {
    if (number->count > 0 && (number->point < -4 || number->point > 9))
        return write_scientific(text, number);
    int32_t decimals = number->count - number->point;
    return write_plain(text, number, number->count > 0 && decimals > 0 ? decimals : 0);
}

// NaN and infinities as words; 0 for all others.
static size_t write_word(char* text, double value) {
    const char* word = value != value ? "nan" : value > 0.0 ? "inf" : "-inf";
    if (value - value == 0.0)
        return 0;
    size_t length = strlen(word);
    memcpy(text, word, length + 1);
    return length;
}

size_t kerb_io_number_write_float(char text[KERB_IO_NUMBER_TEXT_MAX], float value) {
    size_t length = write_word(text, (double)value);
    if (length > 0)
        return length;
    number_write_digits exact;
    exact_digits(&exact, (double)value);
    for (int32_t kept = 1; kept <= 9; kept++) {
        number_write_digits rounded = exact;
        float back;
        round_digits(&rounded, kept);
        length = write_short(text, &rounded);
        if (kerb_io_number_read_float(text, length, &back) == KERB_OK &&
            memcmp(&back, &value, sizeof back) == 0)
            break;
    }
    return length;
}

size_t kerb_io_number_write_fixed(char text[KERB_IO_NUMBER_TEXT_MAX], double value,
                                  int32_t decimals) {
    if (decimals < 0)
        decimals = 0;
    if (decimals > KERB_IO_NUMBER_DECIMALS_MAX)
        decimals = KERB_IO_NUMBER_DECIMALS_MAX;
    size_t length = write_word(text, value);
    if (length > 0)
        return length;
    number_write_digits number;
    exact_digits(&number, value);
    round_digits(&number, number.point + decimals);
    number.negative = number.negative && number.count > 0;
    return write_plain(text, &number, decimals);
}
