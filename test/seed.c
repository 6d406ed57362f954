// Random numbers for property tests. The usual seed is fixed, so that a failure is a change of the
// code and not of the day; KERB_TEST_SEED widens the search.
#include "test/seed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t name_hash(const char* name) {
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (const char* at = name; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    return hash;
}

int32_t test_share(int32_t whole, int32_t part) {
#ifdef TEST_WHOLE
    (void)part;
    return whole;
#else
    (void)whole;
    return part;
#endif
}

kerb_random test_random(const char* name) {
    const char* wanted = getenv("KERB_TEST_SEED");
    uint64_t seed = wanted ? strtoull(wanted, NULL, 0) : 20240229;
    printf("%s: KERB_TEST_SEED=%" PRIu64 "\n", name, seed);
    return kerb_random_make(seed, name_hash(name));
}
