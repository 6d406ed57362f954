// Where the doubles of a racer are, for fuzz_demand_finite_but.
#ifndef FUZZ_RACER_DOUBLES_H
#define FUZZ_RACER_DOUBLES_H

#include "kerb/racer.h"

#include <stddef.h>

#define FUZZ_RACER_DOUBLE(field) offsetof(kerb_racer, field)
static const size_t fuzz_racer_doubles[] = {
    FUZZ_RACER_DOUBLE(decision.distance),
    FUZZ_RACER_DOUBLE(decision.total_distance),
    FUZZ_RACER_DOUBLE(memory.line_key),
    FUZZ_RACER_DOUBLE(memory.line_key) + 8,
    FUZZ_RACER_DOUBLE(memory.line_key) + 16,
    FUZZ_RACER_DOUBLE(memory.line_key) + 24,
    FUZZ_RACER_DOUBLE(memory.distance),
    FUZZ_RACER_DOUBLE(memory.rounds),
    FUZZ_RACER_DOUBLE(memory.before_jump),
    FUZZ_RACER_DOUBLE(memory.stuck.progress_mark),
    FUZZ_RACER_DOUBLE(memory.stuck.stuck_progress),
    FUZZ_RACER_DOUBLE(memory.learnt.length),
    FUZZ_RACER_DOUBLE(memory.learnt.way),
    FUZZ_RACER_DOUBLE(memory.traffic.defends_to),
    FUZZ_RACER_DOUBLE(memory.traffic.bend_brakes),
    FUZZ_RACER_DOUBLE(memory.traffic.bend_apex),
};
#define FUZZ_RACER_DOUBLES ((int32_t)(sizeof fuzz_racer_doubles / sizeof *fuzz_racer_doubles))

#endif
