// Random numbers: PCG-XSH-RR 64/32.
//
// A 64-bit linear congruential generator. Its output is the state after a shift and a rotation that
// depends on the state itself. The stream is the generator's increment, so each stream is another
// sequence of the full period 2^64. Cost: one 64-bit multiplication a number.
// Source: M. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms
// for Random Number Generation", HMC-CS-2014-0905.
#include "assertion.h"

static void random_step(kerb_random* random) {
    random->state = random->state * 6364136223846793005u + random->stream;
}

kerb_random kerb_random_make(uint64_t seed, uint64_t stream) {
    // The increment must be odd; the first step mixes it into the state before the seed comes in.
    kerb_random random = {0, stream << 1 | 1u};
    random_step(&random);
    random.state += seed;
    random_step(&random);
    return random;
}

uint32_t kerb_random_bits(kerb_random* random) {
    uint64_t state = random->state;
    random_step(random);
    uint32_t mixed = (uint32_t)((state >> 18 ^ state) >> 27);
    uint32_t turn = (uint32_t)(state >> 59);
    return mixed >> turn | mixed << ((32u - turn) & 31u);
}

float kerb_random_unit(kerb_random* random) {
    return (float)(kerb_random_bits(random) >> 8) * 0x1p-24f;
}

float kerb_random_between(kerb_random* random, float min, float max) {
    // In doubles, because max - min may exceed a float. The sum may round up to `max`, which is
    // outside the range. Then the result is `min`, so that each call draws exactly one number.
    double width = (double)max - (double)min;
    float value = (float)((double)min + width * (double)kerb_random_unit(random));
    return value < max ? value : min;
}

int32_t kerb_random_below(kerb_random* random, int32_t count) {
    KERB_ASSERT(count > 0);
    if (count <= 0)
        return 0;
    // 2^32 is not a multiple of most counts. With the first 2^32 mod count numbers included, small
    // results would be more frequent than large ones. Those numbers are rejected and drawn again.
    uint32_t bound = (uint32_t)count;
    uint32_t surplus = (0u - bound) % bound;
    uint32_t bits = kerb_random_bits(random);
    while (bits < surplus)
        bits = kerb_random_bits(random);
    return (int32_t)(bits % bound);
}
