// Reading grows its buffer instead of asking for the size, so that pipes work. Writing goes to a
// temporary file beside the target first. Error messages name the file and the system's reason.
#include "tool/command/file.h"

#include "tool/command/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BYTES 65536

static tool_status complain_file(const char* path) {
    return tool_complain("%s: %s", path, strerror(errno));
}

// --------------------------------------------------------------------------- reading

#if defined(_WIN32)

static tool_status open_regular(const char* path, FILE** file) {
    *file = fopen(path, "rb");
    return *file ? TOOL_DONE : complain_file(path);
}

#else

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// Opening a device may do something, and opening a pipe waits for who writes to it: so first it is
// looked at. What came in between is looked at again.
static tool_status open_regular(const char* path, FILE** file) {
    struct stat about;
    int handle = -1;
    *file = NULL;
    if (stat(path, &about) != 0)
        return complain_file(path);
    if (S_ISREG(about.st_mode))
        handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (S_ISREG(about.st_mode) && (handle < 0 || fstat(handle, &about) != 0))
        return complain_file(path);
    if (S_ISREG(about.st_mode))
        *file = fdopen(handle, "rb");
    if (*file)
        return TOOL_DONE;
    if (handle >= 0)
        close(handle);
    return tool_complain("%s: is not a regular file", path);
}

#endif

// Reads on until `most` bytes are there or the file ends.
static tool_status read_up_to(FILE* file, const char* path, uint64_t most, char** text,
                              size_t* size) {
    size_t capacity = *text ? *size + 1 : 0;
    while (*size < most) {
        if (*size + 1 >= capacity) {
            capacity = capacity > FIRST_BYTES ? capacity * 2 : FIRST_BYTES + 1;
            char* grown = realloc(*text, capacity);
            if (!grown)
                return tool_complain("%s: no memory for a file of this size", path);
            *text = grown;
        }
        size_t wanted = capacity - 1 - *size;
        if (wanted > most - *size)
            wanted = (size_t)(most - *size);
        size_t got = fread(*text + *size, 1, wanted, file);
        *size += got;
        if (got == 0)
            break;
    }
    if (*text)
        (*text)[*size] = '\0';
    return ferror(file) ? complain_file(path) : TOOL_DONE;
}

static tool_status read_and_close(FILE* file, const char* path, const tool_file_bound* bound,
                                  char** text, size_t* size) {
    uint64_t most = UINT64_MAX;
    tool_status status = read_up_to(file, path, bound ? FIRST_BYTES : most, text, size);
    if (status == TOOL_DONE && bound)
        status = bound->bytes_max(path, *text, *size, &most);
    if (status == TOOL_DONE && bound)
        status = read_up_to(file, path, most + 1, text, size);
    fclose(file);
    if (status != TOOL_DONE) {
        free(*text);
        *text = NULL;
        *size = 0;
    }
    return status;
}

static tool_status file_read(const char* path, const tool_file_bound* bound, char** text,
                             size_t* size) {
    *text = NULL;
    *size = 0;
    FILE* file = NULL;
    if (bound && bound->regular_only && open_regular(path, &file) != TOOL_DONE)
        return TOOL_WRONG;
    if (!file)
        file = fopen(path, "rb");
    return file ? read_and_close(file, path, bound, text, size) : complain_file(path);
}

tool_status tool_file_read(const char* path, char** text, size_t* size) {
    return file_read(path, NULL, text, size);
}

tool_status tool_file_read_bounded(const char* path, const tool_file_bound* bound, char** text,
                                   size_t* size) {
    return file_read(path, bound, text, size);
}

bool tool_file_exists(const char* path) {
    FILE* file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

// --------------------------------------------------------------------------- writing

// Past every "./" and doubled slash in front of a name.
static const char* next_name(const char* path) {
    while (path[0] == '/' || (path[0] == '.' && path[1] == '/'))
        path++;
    return path;
}

// The same words, whether files of that name are there or not.
static bool is_same_name(const char* a, const char* b) {
    if ((a[0] == '/') != (b[0] == '/'))
        return false;
    while (*a != '\0' && *b != '\0') {
        a = next_name(a);
        b = next_name(b);
        size_t length = strcspn(a, "/");
        if (length != strcspn(b, "/") || strncmp(a, b, length) != 0)
            return false;
        a += length;
        b += length;
    }
    return *a == *b;
}

// Where a path leads.
typedef enum file_kind {
    FILE_REPLACED,       // a plain file, or none yet: replaced as a whole
    FILE_WRITTEN,        // a device, a pipe, a link to nothing: written straight
    FILE_FOLDER,         // cannot be written
    FILE_STANDARD_OUTPUT // what is standard output already, under another name
} file_kind;

#if defined(_WIN32)

static bool is_one_file(const char* a, const char* b) {
    (void)a;
    (void)b;
    return false;
}

static file_kind kind_of(const char* path, char* target) {
    snprintf(target, TOOL_PATH_BYTES, "%s", path);
    return FILE_REPLACED;
}

static bool may_write(const char* path) {
    FILE* file = fopen(path, "ab");
    if (file)
        fclose(file);
    return file != NULL;
}

#else

static bool is_standard_output(const struct stat* about) {
    struct stat out;
    return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == about->st_dev &&
           out.st_ino == about->st_ino;
}

static bool is_open_file(const char* path) {
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

// `target`: the file itself where the path is a link to a plain file, which is replaced then, not
// the link. /dev/stdout is a link to what is open, and replacing that would not write to it.
static file_kind kind_of(const char* path, char* target) {
    struct stat about, itself;
    snprintf(target, TOOL_PATH_BYTES, "%s", path);
    if (lstat(path, &itself) != 0 || S_ISREG(itself.st_mode))
        return FILE_REPLACED;
    if (stat(path, &about) != 0)
        return FILE_WRITTEN;
    if (S_ISDIR(about.st_mode))
        return FILE_FOLDER;
    if (is_standard_output(&about) && (!S_ISREG(about.st_mode) || is_open_file(path)))
        return FILE_STANDARD_OUTPUT;
    if (!S_ISREG(about.st_mode) || is_open_file(path))
        return FILE_WRITTEN;
    char* resolved = realpath(path, NULL);
    if (resolved)
        snprintf(target, TOOL_PATH_BYTES, "%s", resolved);
    free(resolved);
    return resolved ? FILE_REPLACED : FILE_WRITTEN;
}

static bool may_write(const char* path) {
    return access(path, W_OK) == 0;
}

// Two names of one file that is there: through a folder of two names, or a link.
static bool is_one_file(const char* a, const char* b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && S_ISREG(one.st_mode) &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

#endif

bool tool_file_is_same(const char* a, const char* b) {
    char target[TOOL_PATH_BYTES];
    if (!a || !b)
        return false;
    return is_one_file(a, b) || (is_same_name(a, b) && kind_of(a, target) == FILE_REPLACED);
}

bool tool_file_is_standard_output(const char* path) {
    char target[TOOL_PATH_BYTES];
    return path && kind_of(path, target) == FILE_STANDARD_OUTPUT;
}

static tool_status complain_folder(const char* path) {
    bool is_closed = errno == EACCES || errno == EROFS || errno == EPERM;
    return is_closed ? tool_complain("%s: its folder cannot be written: %s", path, strerror(errno))
                     : complain_file(path);
}

static tool_status complain_is_folder(const char* path) {
    errno = EISDIR;
    return complain_file(path);
}

tool_status tool_file_check_writable(const char* path) {
    char target[TOOL_PATH_BYTES];
    tool_temporary temporary;
    if (!path)
        return TOOL_DONE;
    file_kind kind = kind_of(path, target);
    if (kind == FILE_FOLDER)
        return complain_is_folder(path);
    if (kind == FILE_STANDARD_OUTPUT)
        return TOOL_DONE;
    // Nothing is opened that is written straight: a pipe's reader would see its end.
    if (!may_write(target) && errno != ENOENT)
        return complain_file(path);
    if (kind == FILE_WRITTEN)
        return TOOL_DONE;
    if (!tool_temporary_open(&temporary, target))
        return complain_folder(path);
    tool_temporary_discard(&temporary);
    return TOOL_DONE;
}

static bool print_straight(const char* path, bool (*print)(FILE* out, const void* context),
                           const void* context) {
    FILE* file = fopen(path, "wb");
    if (!file)
        return false;
    bool printed = print(file, context);
    int reason = errno;
    bool closed = fclose(file) == 0;
    if (!printed)
        errno = reason;
    return closed && printed;
}

static tool_status print_beside(const char* path, const char* target,
                                bool (*print)(FILE* out, const void* context),
                                const void* context) {
    tool_temporary temporary;
    if (!tool_temporary_open(&temporary, target))
        return complain_folder(path);
    if (!print(temporary.file, context)) {
        tool_temporary_discard(&temporary);
        return complain_file(path);
    }
    return tool_temporary_keep(&temporary, target) ? TOOL_DONE : complain_file(path);
}

tool_status tool_file_print(const char* path, bool (*print)(FILE* out, const void* context),
                            const void* context) {
    char target[TOOL_PATH_BYTES];
    errno = 0;
    switch (kind_of(path, target)) {
    case FILE_STANDARD_OUTPUT:
        return print(stdout, context) && fflush(stdout) == 0 ? TOOL_DONE : complain_file(path);
    case FILE_WRITTEN:
        return print_straight(path, print, context) ? TOOL_DONE : complain_file(path);
    case FILE_FOLDER:
        return complain_is_folder(path);
    case FILE_REPLACED:
        break;
    }
    return print_beside(path, target, print, context);
}

typedef struct command_block {
    const void* bytes;
    size_t size;
} command_block;

static bool print_block(FILE* out, const void* context) {
    const command_block* b = context;
    return fwrite(b->bytes, 1, b->size, out) == b->size;
}

tool_status tool_file_write(const char* path, const void* bytes, size_t size) {
    command_block b = {bytes, size};
    return tool_file_print(path, print_block, &b);
}
