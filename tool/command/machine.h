// What the command needs from the machine: a clock, threads, and whether standard error is a
// terminal. All differences between POSIX and Windows are in machine.c.
#ifndef KERB_TOOL_COMMAND_MACHINE_H
#define KERB_TOOL_COMMAND_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/// Time since some moment in the past, never running backwards. [ns]
uint64_t tool_clock_ns(void);

/// Threads that this machine can run at once; 1 where the command runs serially.
int32_t tool_processors(void);

/// True when standard error is a terminal.
bool tool_error_is_terminal(void);

/// Calls `job` for every index of [0, count) once, on up to `threads` threads, in rising order of
/// start. Returns when all are done. Runs serially where threads are missing or cannot be started.
void tool_parallel(int32_t count, int32_t threads, void (*job)(void* context, int32_t index),
                   void* context);

/// One lock for what parallel jobs share. Hold it shortly; it is not recursive.
void tool_lock(void);
void tool_unlock(void);

#endif
