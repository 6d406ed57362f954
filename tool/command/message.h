// Error messages and notes of the command: one line each on standard error, and the exit status.
#ifndef KERB_TOOL_COMMAND_MESSAGE_H
#define KERB_TOOL_COMMAND_MESSAGE_H

#include "kerb/base.h"
#include "kerb/io/text.h"

/// Exit statuses of the command.
typedef enum tool_status {
    TOOL_DONE = 0,   ///< the work is done
    TOOL_FAILED = 1, ///< the work ran and failed: not finished, no path
    TOOL_WRONG = 2   ///< it could not run: unknown words, bad files, impossible settings
} tool_status;

/// Prints "kerb: " and the text (as printf) as one line on standard error. Returns TOOL_WRONG.
tool_status tool_complain(const char* format, ...);

/// Prints "kerb: FILE:LINE: FIELD: what is wrong". `file` may be the name of anything that the
/// error came from; parts that the error does not have are left out. Returns TOOL_WRONG.
tool_status tool_complain_error(const char* file, const kerb_error* error);

/// Prints a line "kerb: note: FILE:LINE: FIELD: what was assumed" for each note, and one with the
/// number of those that had no room. Nothing where there are none.
void tool_print_notes(const char* file, const kerb_io_notes* notes);

/// The word nearest to `word` by edits (a letter more, less or other, two swapped), or NULL when
/// none is near enough to be meant. `words(context, i)` gives the i-th of `count` words.
const char* tool_nearest_word(const char* word,
                              const char* (*words)(const void* context, int32_t i),
                              const void* context, int32_t count);

#endif
