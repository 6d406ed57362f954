// Rows of bits: cells that are blocked or open. Private to the room.
//
// A row begins with a new word; its first cell is the lowest bit. Bits behind the last cell are 0.
#ifndef KERB_IN_PLAN_WORLD_BITS_H
#define KERB_IN_PLAN_WORLD_BITS_H

#include <stdbool.h>
#include <stdint.h>

// Bits of a word. [1]
#define PLAN_WORD 64

// A rectangle of cells, without the column `right` and the row `high`. Empty where left >= right or
// low >= high.
typedef struct plan_window {
    int32_t left, low, right, high;
} plan_window;

static inline plan_window plan_window_wider(plan_window w, int32_t by, int32_t columns,
                                            int32_t rows) {
    plan_window wide = {w.left - by, w.low - by, w.right + by, w.high + by};
    wide.left = wide.left > 0 ? wide.left : 0;
    wide.low = wide.low > 0 ? wide.low : 0;
    wide.right = wide.right < columns ? wide.right : columns;
    wide.high = wide.high < rows ? wide.high : rows;
    return wide;
}

// The number of the lowest bit that is set. [bits: not 0]
static inline int32_t plan_lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int32_t number = 0;
    for (int32_t half = PLAN_WORD / 2; half > 0; half /= 2)
        if ((bits & (((uint64_t)1 << half) - 1)) == 0) {
            bits >>= half;
            number += half;
        }
    return number;
#endif
}

// The bits of a word from `first` to `last`.
static inline uint64_t plan_bits_between(int32_t first, int32_t last) {
    return ~(uint64_t)0 << first & ~(uint64_t)0 >> (PLAN_WORD - 1 - last);
}

// The first bit of a row from `from` on that is set, or with `other` ~0 that is not; `end`: none.
static inline int32_t plan_next_bit(const uint64_t* row, int32_t from, int32_t end,
                                    uint64_t other) {
    if (from >= end)
        return end;
    int32_t word = from / PLAN_WORD;
    uint64_t bits = (row[word] ^ other) & ~(uint64_t)0 << from % PLAN_WORD;
    while (bits == 0) {
        if (++word * PLAN_WORD >= end)
            return end;
        bits = row[word] ^ other;
    }
    int32_t found = word * PLAN_WORD + plan_lowest_bit(bits);
    return found < end ? found : end;
}

// The next run of set bits of a row, from `*last` on and before `end`. Begin with *last = 0. False:
// there is none.
static inline bool plan_next_run(const uint64_t* row, int32_t end, int32_t* first, int32_t* last) {
    *first = plan_next_bit(row, *last, end, 0);
    *last = plan_next_bit(row, *first, end, ~(uint64_t)0);
    return *first < end;
}

// Eight bytes of 0 or 1 as bits, the first as the lowest. The product moves bit 8 j to bit 56 + j.
static inline uint64_t plan_bits_of_bytes(const uint8_t* ones) {
    uint64_t bytes = 0;
    for (int32_t i = 0; i < 8; i++)
        bytes |= (uint64_t)ones[i] << 8 * i;
    return (bytes * 0x0102040810204080u) >> 56;
}

// A word of bits from as many bytes of 0 or 1.
static inline uint64_t plan_word_of_bytes(const uint8_t* ones) {
    uint64_t word = 0;
    for (int32_t i = 0; i < PLAN_WORD; i += 8)
        word |= plan_bits_of_bytes(ones + i) << i;
    return word;
}

// Sets the bits of a row from `first` to `last`.
static inline void plan_set_bits(uint64_t* row, int32_t first, int32_t last) {
    int32_t word = first / PLAN_WORD, end = last / PLAN_WORD;
    if (word == end) {
        row[word] |= plan_bits_between(first % PLAN_WORD, last % PLAN_WORD);
        return;
    }
    row[word] |= ~(uint64_t)0 << first % PLAN_WORD;
    while (++word < end)
        row[word] = ~(uint64_t)0;
    row[end] |= ~(uint64_t)0 >> (PLAN_WORD - 1 - last % PLAN_WORD);
}

// Clears the bits of a row from `first` to `last`.
static inline void plan_clear_bits(uint64_t* row, int32_t first, int32_t last) {
    for (int32_t word = first / PLAN_WORD; word <= last / PLAN_WORD; word++) {
        int32_t low = word * PLAN_WORD;
        row[word] &= ~plan_bits_between(first > low ? first - low : 0,
                                        last - low < PLAN_WORD ? last - low : PLAN_WORD - 1);
    }
}

#endif
