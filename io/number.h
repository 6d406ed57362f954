// Numbers as text: read to the nearest float or double, written so that they read back the same.
//
// Results are equal on every machine and under every locale. strtof and printf, in contrast, use a
// comma as decimal point where LC_NUMERIC asks for it. No allocation, no global state, any thread.
//
//     float width;
//     if (kerb_io_number_read_float("1.85", 4, &width) == KERB_OK) …
//     char text[KERB_IO_NUMBER_TEXT_MAX];
//     size_t length = kerb_io_number_write_float(text, width); // "1.85"
#ifndef KERB_IO_NUMBER_H
#define KERB_IO_NUMBER_H

#include "kerb/base.h"

/// Room for any number that the functions below write, with its ending zero.
#define KERB_IO_NUMBER_TEXT_MAX 352

/// Greatest number of decimals that kerb_io_number_write_fixed writes.
#define KERB_IO_NUMBER_DECIMALS_MAX 20

/// Reads the whole text as one decimal number: sign, digits with at most one point, exponent, as
/// in "-12.5", "+3", ".5", "1e-3". Rounds to nearest, ties to even, however many digits there are.
///
/// Errors: WRONG_TYPE (not a number), NOT_FINITE (nan, inf and infinity in any case, with or
/// without sign), OUT_OF_RANGE (rounds to infinity). `value` is set only with KERB_OK. A number
/// too small for the type reads as the nearest subnormal or 0.
///
/// O(length) up to 19 digits and 10^22. Beyond, a division of big integers for the few floats that
/// lie within 1e-15 of the middle between two neighbours, and for doubles of more than 15 digits.
kerb_result kerb_io_number_read_float(const char* text, size_t length, float* value);
kerb_result kerb_io_number_read_double(const char* text, size_t length, double* value);

/// Writes the fewest digits that read back as the same float: "0.1", "-250", "1e+20", and "nan",
/// "inf", "-inf". Ends with a zero, which the returned length does not count.
size_t kerb_io_number_write_float(char text[KERB_IO_NUMBER_TEXT_MAX], float value);

/// Writes so many decimals of the exact value, rounded to nearest, ties to even: "0.500". What
/// rounds to zero has no sign. [decimals: 0 … KERB_IO_NUMBER_DECIMALS_MAX]
size_t kerb_io_number_write_fixed(char text[KERB_IO_NUMBER_TEXT_MAX], double value,
                                  int32_t decimals);

#endif
