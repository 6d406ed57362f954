// The processor's treatment of denormal numbers, for tests that must not depend on it.
#ifndef TEST_FLUSH_TO_ZERO_H
#define TEST_FLUSH_TO_ZERO_H

#include <stdbool.h>

/// Treats denormal numbers as zero from now on, in operands and results, or no longer does. False
/// where this build knows no way to say so: the test then says in words what it skips.
bool test_flush_to_zero(bool on);

#endif
