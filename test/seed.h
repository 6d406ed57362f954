// Random numbers for property tests: every run prints what it needs to be run again.
#ifndef TEST_SEED_H
#define TEST_SEED_H

#include "kerb/base.h"

/// A generator for the test called `name`, seeded from KERB_TEST_SEED or with a fixed number.
/// Prints the seed. Different names get different streams.
kerb_random test_random(const char* name);

/// What a long test does `whole` of, and `part` of in builds made with KERB_TEST_WHOLE off: those
/// under the sanitizers and clang's compute the same bits as the release build, slower or once
/// more, and are there to watch how the code goes about it.
int32_t test_share(int32_t whole, int32_t part);

#endif
