// Checks of the programmer's use, in builds with KERB_ASSERTIONS. Private to the library.
//
// Bad data is no programmer's mistake: it gets a kerb_result, in every build.
#ifndef KERB_IN_BASE_ASSERTION_H
#define KERB_IN_BASE_ASSERTION_H

#include "kerb/base.h"

#if defined(KERB_ASSERTIONS)
#define KERB_ASSERT(condition)                                                                     \
    ((condition) ? (void)0 : kerb_assert_failed(#condition, __FILE__, __LINE__))
#else
// Not evaluated, but still compiled: a condition cannot go stale.
#define KERB_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

/// Says that a variable is written before it is read, which an analyser that follows loops for a
/// few turns only cannot see. Nothing in any build.
#ifdef __clang_analyzer__
#include <string.h>
#define KERB_WRITTEN(variable) memset(&(variable), 0, sizeof(variable))
#else
#define KERB_WRITTEN(variable) ((void)0)
#endif

#endif
