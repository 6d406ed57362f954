// Non-negative integers of up to 4096 bits, to convert decimals into floats and back without
// errors. Private to number_read.c and number_write.c, which prove that their numbers fit.
#ifndef KERB_IO_BIG_INTEGER_H
#define KERB_IO_BIG_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

#define KERB_IO_BIG_LIMBS 128

/// limb[0] is the least significant; limb[count - 1] is not 0; count 0 is the number 0.
typedef struct kerb_io_big {
    uint32_t limb[KERB_IO_BIG_LIMBS];
    int32_t count;
} kerb_io_big;

kerb_io_big kerb_io_big_make(uint64_t value);
void kerb_io_big_multiply_add(kerb_io_big* big, uint32_t factor, uint32_t addend);
void kerb_io_big_multiply_power_of_ten(kerb_io_big* big, int32_t exponent);
void kerb_io_big_shift_left(kerb_io_big* big, int32_t bits);

/// Bits up to the greatest one that is set; 0 for the number 0.
int32_t kerb_io_big_bits(const kerb_io_big* big);

/// Negative, 0 or positive as a is less than, equal to or greater than b.
int32_t kerb_io_big_compare(const kerb_io_big* a, const kerb_io_big* b);

/// a -= b. [b <= a]
void kerb_io_big_subtract(kerb_io_big* a, const kerb_io_big* b);

/// Divides by `divisor` and returns the remainder.
uint32_t kerb_io_big_divide(kerb_io_big* big, uint32_t divisor);

#endif
