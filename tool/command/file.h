// Whole files: read into memory, written as a whole or not at all.
#ifndef KERB_TOOL_COMMAND_FILE_H
#define KERB_TOOL_COMMAND_FILE_H

#include "tool/command/message.h"

#include <stdio.h>

/// Reads a file, or whatever opens by that name, into `*text`, which the caller frees with free().
/// A zero byte follows it that `size` does not count. Complains when it cannot.
tool_status tool_file_read(const char* path, char** text, size_t* size);

/// How much of a file is read.
typedef struct tool_file_bound {
    bool regular_only; ///< refuses devices, pipes and folders, without opening them
    /// From the first 64 KiB of a file, or all of it where it is shorter, how many bytes may be
    /// needed. Complains where they are none of the format.
    tool_status (*bytes_max)(const char* path, const char* head, size_t size, uint64_t* most);
} tool_file_bound;

/// Reads a file as tool_file_read does, but at most one byte more than the bound allows.
tool_status tool_file_read_bounded(const char* path, const tool_file_bound* bound, char** text,
                                   size_t* size);

/// True when something of that name can be opened for reading.
bool tool_file_exists(const char* path);

/// Complains when `path` could not be written: asked before long work, so that a mistyped folder
/// does not cost an hour. A NULL path is fine.
tool_status tool_file_check_writable(const char* path);

/// True when what is written to the one would overwrite the other: two names of one file that is
/// there or would be. Devices and pipes take both; a NULL path is no file.
bool tool_file_is_same(const char* a, const char* b);

/// True when the path is another name of standard output, as /dev/stdout is.
bool tool_file_is_standard_output(const char* path);

/// Writes a file through a temporary one beside it (temporary.h), which takes its place when it is
/// complete, so that readers never see half of it, and of two commands that write it the last one
/// to end has written all of it. Through a link the file is replaced that it leads to; devices and
/// pipes are written straight. `print` returns false with the reason in errno. Complains when it
/// cannot.
tool_status tool_file_print(const char* path, bool (*print)(FILE* out, const void* context),
                            const void* context);

/// The same with bytes that are there already.
tool_status tool_file_write(const char* path, const void* bytes, size_t size);

#endif
