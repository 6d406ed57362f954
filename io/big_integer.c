// Purpose: non-negative integers in limbs of 32 bits.
// Idea:    Schoolbook arithmetic. The numbers are short (the 112 digits of a float are 12 limbs)
//          and seldom needed, so nothing faster is necessary.
// Cost:    O(limbs) per operation.
#include "io/big_integer.h"

kerb_io_big kerb_io_big_make(uint64_t value) {
    kerb_io_big big;
    big.count = 0;
    for (; value; value >>= 32)
        big.limb[big.count++] = (uint32_t)value;
    return big;
}

void kerb_io_big_multiply_add(kerb_io_big* big, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (int32_t i = 0; i < big->count; i++) {
        carry += (uint64_t)big->limb[i] * factor;
        big->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        big->limb[big->count++] = (uint32_t)carry;
}

void kerb_io_big_multiply_power_of_ten(kerb_io_big* big, int32_t exponent) {
    for (; exponent >= 9; exponent -= 9)
        kerb_io_big_multiply_add(big, 1000000000u, 0);
    for (; exponent > 0; exponent--)
        kerb_io_big_multiply_add(big, 10u, 0);
}

void kerb_io_big_shift_left(kerb_io_big* big, int32_t bits) {
    int32_t limbs = bits / 32;
    if (big->count == 0)
        return;
    kerb_io_big_multiply_add(big, 1u << (bits % 32), 0);
    for (int32_t i = big->count; limbs > 0 && i-- > 0;)
        big->limb[i + limbs] = big->limb[i];
    for (int32_t i = 0; i < limbs; i++)
        big->limb[i] = 0;
    big->count += limbs;
}

int32_t kerb_io_big_bits(const kerb_io_big* big) {
    if (big->count == 0)
        return 0;
    int32_t bits = 32 * (big->count - 1);
    for (uint32_t top = big->limb[big->count - 1]; top; top >>= 1)
        bits++;
    return bits;
}

int32_t kerb_io_big_compare(const kerb_io_big* a, const kerb_io_big* b) {
    if (a->count != b->count)
        return a->count - b->count;
    for (int32_t i = a->count; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static void drop_leading_zeros(kerb_io_big* big) {
    while (big->count > 0 && big->limb[big->count - 1] == 0)
        big->count--;
}

void kerb_io_big_subtract(kerb_io_big* a, const kerb_io_big* b) {
    uint64_t borrow = 0;
    for (int32_t i = 0; i < a->count; i++) {
        uint64_t taken = borrow + (i < b->count ? b->limb[i] : 0u);
        borrow = a->limb[i] < taken;
        a->limb[i] = (uint32_t)(a->limb[i] - taken);
    }
    drop_leading_zeros(a);
}

uint32_t kerb_io_big_divide(kerb_io_big* big, uint32_t divisor) {
    uint64_t rest = 0;
    for (int32_t i = big->count; i-- > 0;) {
        rest = rest << 32 | big->limb[i];
        big->limb[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    drop_leading_zeros(big);
    return (uint32_t)rest;
}
