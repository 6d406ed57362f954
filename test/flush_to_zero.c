// The processor's treatment of denormal numbers: a bit or two of its floating-point state.
#include "test/flush_to_zero.h"

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>

bool test_flush_to_zero(bool on) {
    const unsigned flush_results = 0x8000, zero_operands = 0x0040;
    unsigned others = _mm_getcsr() & ~(flush_results | zero_operands);
    _mm_setcsr(on ? others | flush_results | zero_operands : others);
    return true;
}

#else

bool test_flush_to_zero(bool on) {
    (void)on;
    return false;
}

#endif
