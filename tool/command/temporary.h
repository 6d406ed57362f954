// Temporary files: beside the file that they become, under a name that nobody else has. One at a
// time. What a signal ends leaves none, apart from SIGKILL and, on Windows, any.
#ifndef KERB_TOOL_COMMAND_TEMPORARY_H
#define KERB_TOOL_COMMAND_TEMPORARY_H

#include <stdbool.h>
#include <stdio.h>

/// Bytes for the name of a file, its folders included.
#define TOOL_PATH_BYTES 4096

typedef struct tool_temporary {
    FILE* file; ///< open for writing
    char path[TOOL_PATH_BYTES];
} tool_temporary;

/// Creates a new file beside `path`, which need not be there. Where `path` is there, the new file
/// gets its permissions. False, with the reason in errno, when it cannot.
bool tool_temporary_open(tool_temporary* temporary, const char* path);

/// Closes it and puts it in the place of `path` in one step. False, with the reason in errno, when
/// it cannot; then the temporary file is gone.
bool tool_temporary_keep(tool_temporary* temporary, const char* path);

/// Closes and removes it. Leaves errno as it is.
void tool_temporary_discard(tool_temporary* temporary);

#endif
