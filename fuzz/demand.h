// A check that holds in every build and ends the program, as fuzzers and sanitizers want it.
#ifndef FUZZ_DEMAND_H
#define FUZZ_DEMAND_H

#include <stdio.h>
#include <stdlib.h>

#define FUZZ_DEMAND(condition)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
