// Checks that the library is used correctly, in builds with KERB_ASSERTIONS. Private to the
// library.
//
// Bad data is not a programmer's mistake: it gets a kerb_result, in every build.
#ifndef KERB_IN_BASE_ASSERTION_H
#define KERB_IN_BASE_ASSERTION_H

#include "kerb/base.h"

// For builds without our CMake files, which do not define KERB_BUILDING; see kerb/base.h.
#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error "Kerb's sources are built without -ffast-math and /fp:fast, which change results"
#endif
// The sqrt of mingw-w64's C library rounds twice, by the x87 unit: 1 in 4000 results is off by one
// bit. Where GCC optimizes it takes the processor's instruction.
#if defined(__MINGW32__) && !defined(__clang__) && !defined(__OPTIMIZE__)
#error "Kerb's sources are built with -Og or more by GCC for Windows, or square roots differ"
#endif

/// Calls kerb_assert_failed unless the check of an object found it valid, with a text such as
/// "racer->vehicle.wheelbase must be from 0.02 to 150 m". `object` is the expression in the source.
void kerb_in_assert_valid(kerb_result result, const kerb_error* error, const char* object,
                          const char* file, int line);

// The macros for objects take the function that checks the object, such as kerb_vehicle_validate.
#if defined(KERB_ASSERTIONS)
#define KERB_ASSERT(condition)                                                                     \
    ((condition) ? (void)0 : kerb_assert_failed(#condition, __FILE__, __LINE__))
#define KERB_ASSERT_VALID(validate, object)                                                        \
    do {                                                                                           \
        kerb_error kerb_in_error;                                                                  \
        kerb_in_assert_valid(validate(object, &kerb_in_error), &kerb_in_error, #object, __FILE__,  \
                             __LINE__);                                                            \
    } while (0)
#define KERB_ASSERT_SETTINGS(table, object)                                                        \
    do {                                                                                           \
        kerb_error kerb_in_error;                                                                  \
        kerb_in_assert_valid(kerb_settings_validate(table, object, &kerb_in_error),                \
                             &kerb_in_error, #object, __FILE__, __LINE__);                         \
    } while (0)
#else
// The condition is compiled but not evaluated, so it cannot get out of date unnoticed.
#define KERB_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#define KERB_ASSERT_VALID(validate, object) ((void)sizeof(validate(object, NULL)))
#define KERB_ASSERT_SETTINGS(table, object)                                                        \
    ((void)sizeof(kerb_settings_validate(table, object, NULL)))
#endif

/// Tells the Clang analyser that a variable is written before it is read. The analyser follows only
/// a few iterations of a loop and cannot see it. Does nothing in a normal build.
#ifdef __clang_analyzer__
#include <string.h>
#define KERB_WRITTEN(variable) memset(&(variable), 0, sizeof(variable))
#else
#define KERB_WRITTEN(variable) ((void)0)
#endif

#endif
