// Purpose: reads decimal numbers, exact to the nearest float or double.
// Idea:    Three steps; each handles what the one before leaves open.
//          1. Scan: the first 19 significant digits as an integer, and a power of ten.
//          2. Quick: powers of ten up to 10^22 are exact doubles, so one multiplication or division
//             gives the value with a relative error below 2^-51. For a double this counts only if
//             no step rounds; for a float it counts if both ends of the error round to one float.
//          3. Exact: the number as a fraction of two big integers, divided bit by bit. A number has
//             at most 801 digits here: beyond 768 digits a double only depends on whether there are
//             more.
// Cost:    O(length) for most numbers; few need the exact division.
// Source:  Clinger, "How to read floating point numbers accurately" (1990).
#include "io/number.h"

#include "io/big_integer.h"

#include <float.h>
#include <string.h>

enum { LEADING_DIGITS = 19, EXACT_DIGITS = 800, QUICK_EXPONENT = 22 };

// Numbers 0.d1d2d3… × 10^magnitude beyond these are zero or infinite.
enum { LEAST_MAGNITUDE = -330, MOST_MAGNITUDE = 310 };

_Static_assert(FLT_EVAL_METHOD == 0, "the quick path counts on doubles that round as doubles");

// A number as it was scanned: leading × 10^exponent, and digits that did not fit into `leading`.
typedef struct scanned {
    bool negative;
    bool cut;         // a digit other than 0 follows those in `leading`
    uint64_t leading; // the first LEADING_DIGITS significant digits
    int64_t exponent;
    int64_t significant; // digits from the first that is not 0
    const char* digits;  // where the digits begin and end in the text
    const char* digits_end;
} scanned;

static bool number_read_is_digit(char c) {
    return c >= '0' && c <= '9';
}

// --------------------------------------------------------------------------- scanning

static void take_digit(scanned* number, int digit, bool fraction) {
    if (number->significant == 0 && digit == 0) {
        number->exponent -= fraction;
        return;
    }
    number->significant++;
    if (number->significant <= LEADING_DIGITS) {
        number->leading = number->leading * 10 + (uint64_t)digit;
        number->exponent -= fraction;
        return;
    }
    number->cut |= digit != 0;
    number->exponent += !fraction;
}

// Returns where the digits end, or NULL when there are none.
static const char* scan_digits(scanned* number, const char* at, const char* end) {
    bool any = false, fraction = false;
    number->digits = at;
    for (; at < end; at++) {
        if (number_read_is_digit(*at)) {
            take_digit(number, *at - '0', fraction);
            any = true;
        } else if (*at == '.' && !fraction) {
            fraction = true;
        } else {
            break;
        }
    }
    number->digits_end = at;
    return any ? at : NULL;
}

// The part from 'e' on; absurd exponents are held where they still mean zero or infinity for a
// text of any length that fits into memory.
static const char* scan_exponent(scanned* number, const char* at, const char* end) {
    const int64_t absurd = INT64_MAX / 32;
    if (at == end || (*at != 'e' && *at != 'E'))
        return at;
    at++;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end || !number_read_is_digit(*at))
        return NULL;
    int64_t exponent = 0;
    for (; at < end && number_read_is_digit(*at); at++)
        if (exponent < absurd)
            exponent = exponent * 10 + (*at - '0');
    number->exponent += negative ? -exponent : exponent;
    return at;
}

static bool matches(const char* at, const char* end, const char* word) {
    size_t length = strlen(word);
    if ((size_t)(end - at) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((at[i] | 0x20) != word[i])
            return false;
    return true;
}

static kerb_result scan(const char* text, size_t length, scanned* number) {
    const char* end = text + length;
    memset(number, 0, sizeof *number);
    number->negative = length > 0 && *text == '-';
    if (length > 0 && (*text == '-' || *text == '+'))
        text++;
    const char* at = scan_digits(number, text, end);
    if (at)
        at = scan_exponent(number, at, end);
    if (at == end && at)
        return KERB_OK;
    if (matches(text, end, "nan") || matches(text, end, "inf") || matches(text, end, "infinity"))
        return KERB_ERROR_NOT_FINITE;
    return KERB_ERROR_WRONG_TYPE;
}

// --------------------------------------------------------------------------- quick

// Within a relative error of 2^-51, or false.
static bool quick_value(const scanned* number, double* value) {
    static const double powers[QUICK_EXPONENT + 1] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (number->exponent < -QUICK_EXPONENT || number->exponent > QUICK_EXPONENT)
        return false;
    double leading = (double)number->leading;
    *value = number->exponent < 0 ? leading / powers[-number->exponent]
                                  : leading * powers[number->exponent];
    return true;
}

static bool quick_float(const scanned* number, float* value) {
    const double error = 1.0 / ((uint64_t)1 << 50);
    double about;
    // Subnormals are left to the exact way: a host that flushes them to zero must not matter.
    if (!quick_value(number, &about) || about < 2.0 * (double)FLT_MIN ||
        about > 0.5 * (double)FLT_MAX)
        return false;
    *value = (float)(about * (1.0 - error));
    return *value == (float)(about * (1.0 + error));
}

static bool quick_double(const scanned* number, double* value) {
    bool exact = number->leading <= (uint64_t)1 << 53 && !number->cut;
    return exact && quick_value(number, value);
}

// --------------------------------------------------------------------------- exact

// A binary format of IEEE 754.
typedef struct format {
    int32_t precision;      // bits, the hidden one included
    int32_t least_exponent; // of the smallest normal number's first bit
    uint64_t infinity;      // its bits
} format;

static const format float_format = {24, -126, 0x7F800000u};
static const format double_format = {53, -1022, 0x7FF0000000000000u};

// The number is 0.d1d2d3… × 10^magnitude.
static int64_t magnitude_of(const scanned* number) {
    int64_t led = number->significant < LEADING_DIGITS ? number->significant : LEADING_DIGITS;
    return number->exponent + led;
}

// The digits as a whole number, and the power of ten that belongs to it. What follows the first
// EXACT_DIGITS stands as one digit more: 1 when there is anything but zeros.
static kerb_io_big digits_of(const scanned* number, int32_t* exponent) {
    kerb_io_big big = kerb_io_big_make(0);
    int32_t count = 0;
    bool more = false;
    for (const char* at = number->digits; at < number->digits_end; at++) {
        if (*at == '.' || (count == 0 && *at == '0'))
            continue;
        if (count == EXACT_DIGITS) {
            more |= *at != '0';
            continue;
        }
        kerb_io_big_multiply_add(&big, 10, (uint32_t)(*at - '0'));
        count++;
    }
    kerb_io_big_multiply_add(&big, 10, more);
    *exponent = (int32_t)(magnitude_of(number) - count - 1);
    return big;
}

// numerator / denominator = quotient × 2^(exponent - 63), the quotient's top bit set; `more` when
// the division does not end there.
static uint64_t divide(kerb_io_big* numerator, kerb_io_big* denominator, int32_t* exponent,
                       bool* more) {
    *exponent = kerb_io_big_bits(numerator) - kerb_io_big_bits(denominator);
    if (*exponent < 0)
        kerb_io_big_shift_left(numerator, -*exponent);
    else
        kerb_io_big_shift_left(denominator, *exponent);
    if (kerb_io_big_compare(numerator, denominator) < 0) {
        kerb_io_big_shift_left(numerator, 1);
        --*exponent;
    }
    uint64_t quotient = 0;
    for (int32_t i = 0; i < 64; i++) {
        bool fits = kerb_io_big_compare(numerator, denominator) >= 0;
        if (fits)
            kerb_io_big_subtract(numerator, denominator);
        quotient = quotient << 1 | fits;
        kerb_io_big_shift_left(numerator, 1);
    }
    *more = numerator->count > 0;
    return quotient;
}

// quotient × 2^(exponent - 63), rounded to the format's bits. A carry out of the fraction goes on
// into the exponent field, which is just what it should do.
static uint64_t round_to(const format* to, uint64_t quotient, int32_t exponent, bool more) {
    bool normal = exponent >= to->least_exponent;
    int32_t drop = 64 - to->precision + (normal ? 0 : to->least_exponent - exponent);
    if (drop > 64)
        return 0;
    uint64_t kept = drop == 64 ? 0 : quotient >> drop;
    uint64_t rest = drop == 64 ? quotient : quotient & (((uint64_t)1 << drop) - 1);
    uint64_t half = (uint64_t)1 << (drop - 1);
    bool up = rest > half || (rest == half && (more || (kept & 1)));
    uint64_t field = normal ? (uint64_t)(exponent - to->least_exponent) : 0;
    return (field << (to->precision - 1)) + kept + up;
}

// The bits of the magnitude; infinity when it is too great.
static uint64_t exact_bits(const scanned* number, const format* to) {
    int64_t magnitude = magnitude_of(number);
    if (number->leading == 0 || magnitude < LEAST_MAGNITUDE)
        return 0;
    if (magnitude > MOST_MAGNITUDE)
        return to->infinity;
    int32_t power, exponent;
    bool more;
    kerb_io_big numerator = digits_of(number, &power);
    kerb_io_big denominator = kerb_io_big_make(1);
    kerb_io_big_multiply_power_of_ten(power < 0 ? &denominator : &numerator,
                                      power < 0 ? -power : power);
    uint64_t quotient = divide(&numerator, &denominator, &exponent, &more);
    uint64_t bits = round_to(to, quotient, exponent, more);
    return bits < to->infinity ? bits : to->infinity;
}

// --------------------------------------------------------------------------- both

kerb_result kerb_io_number_read_float(const char* text, size_t length, float* value) {
    scanned number;
    kerb_result result = scan(text, length, &number);
    if (result != KERB_OK)
        return result;
    float magnitude;
    if (!quick_float(&number, &magnitude)) {
        uint32_t bits = (uint32_t)exact_bits(&number, &float_format);
        if (bits == float_format.infinity)
            return KERB_ERROR_OUT_OF_RANGE;
        memcpy(&magnitude, &bits, sizeof magnitude);
    }
    *value = number.negative ? -magnitude : magnitude;
    return KERB_OK;
}

kerb_result kerb_io_number_read_double(const char* text, size_t length, double* value) {
    scanned number;
    kerb_result result = scan(text, length, &number);
    if (result != KERB_OK)
        return result;
    double magnitude;
    if (!quick_double(&number, &magnitude)) {
        uint64_t bits = exact_bits(&number, &double_format);
        if (bits == double_format.infinity)
            return KERB_ERROR_OUT_OF_RANGE;
        memcpy(&magnitude, &bits, sizeof magnitude);
    }
    *value = number.negative ? -magnitude : magnitude;
    return KERB_OK;
}
