// Whole numbers of up to 4096 bits, for turning decimals into floats and back without an error.
// Private to number_read.c and number_write.c, which prove that their numbers fit.
#ifndef IO_BIG_INTEGER_H
#define IO_BIG_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

#define IO_BIG_LIMBS 128

/// limb[0] is the least significant; limb[count - 1] is not 0; count 0 is the number 0.
typedef struct io_big {
    uint32_t limb[IO_BIG_LIMBS];
    int32_t count;
} io_big;

io_big io_big_make(uint64_t value);
void io_big_multiply_add(io_big* big, uint32_t factor, uint32_t addend);
void io_big_multiply_power_of_ten(io_big* big, int32_t exponent);
void io_big_shift_left(io_big* big, int32_t bits);

/// Bits up to the greatest one that is set; 0 for the number 0.
int32_t io_big_bits(const io_big* big);

/// Negative, 0 or positive as a is less than, equal to or greater than b.
int32_t io_big_compare(const io_big* a, const io_big* b);

/// a -= b. [b <= a]
void io_big_subtract(io_big* a, const io_big* b);

/// Divides by `divisor` and returns the remainder.
uint32_t io_big_divide(io_big* big, uint32_t divisor);

#endif
