// Random numbers for property tests: every run prints what it needs to be run again.
#ifndef TEST_SEED_H
#define TEST_SEED_H

#include "kerb/base.h"

/// A generator for the test called `name`, seeded from KERB_TEST_SEED or with a fixed number.
/// Prints the seed. Different names get different streams.
kerb_random test_random(const char* name);

#endif
