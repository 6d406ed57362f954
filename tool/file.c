// Reading grows its buffer instead of asking for the size, so that pipes work; writing goes to a
// neighbour first. Both name the file and what the system said.
#define _POSIX_C_SOURCE 200809L
#include "tool/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BYTES 65536
#define PATH_BYTES 4096

static tool_status complain_file(const char* path) {
    return tool_complain("%s: %s", path, strerror(errno));
}

// --------------------------------------------------------------------------- reading

static tool_status read_all(FILE* file, const char* path, char** text, size_t* size) {
    size_t capacity = 0;
    for (;;) {
        if (*size + 1 >= capacity) {
            capacity = capacity > 0 ? capacity * 2 : FIRST_BYTES;
            char* grown = realloc(*text, capacity);
            if (!grown)
                return tool_complain("%s: no memory for a file of this size", path);
            *text = grown;
        }
        size_t got = fread(*text + *size, 1, capacity - 1 - *size, file);
        *size += got;
        if (got == 0)
            break;
    }
    (*text)[*size] = '\0';
    return ferror(file) ? complain_file(path) : TOOL_DONE;
}

tool_status tool_file_read(const char* path, char** text, size_t* size) {
    *text = NULL;
    *size = 0;
    FILE* file = fopen(path, "rb");
    if (!file)
        return complain_file(path);
    tool_status status = read_all(file, path, text, size);
    fclose(file);
    if (status != TOOL_DONE) {
        free(*text);
        *text = NULL;
    }
    return status;
}

bool tool_file_exists(const char* path) {
    FILE* file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

// --------------------------------------------------------------------------- writing

#if defined(_WIN32)

static bool is_special(const char* path) {
    (void)path;
    return false;
}

static bool replace(const char* from, const char* to) {
    remove(to); // rename does not replace there
    return rename(from, to) == 0;
}

#else

#include <sys/stat.h>

// Renaming over /dev/null or a link would replace the device or the link itself.
static bool is_special(const char* path) {
    struct stat about;
    return lstat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

static bool replace(const char* from, const char* to) {
    return rename(from, to) == 0;
}

#endif

static bool part_name(const char* path, char* part) {
    return snprintf(part, PATH_BYTES, "%s.part", path) < PATH_BYTES;
}

tool_status tool_file_check_writable(const char* path) {
    char part[PATH_BYTES];
    if (!path)
        return TOOL_DONE;
    if (!part_name(path, part))
        return tool_complain("%.40s...: the file name is too long", path);
    bool special = is_special(path);
    FILE* file = fopen(special ? path : part, "ab");
    if (!file)
        return complain_file(path);
    fclose(file);
    if (!special)
        remove(part);
    return TOOL_DONE;
}

static bool write_to(const char* path, const void* bytes, size_t size) {
    FILE* file = fopen(path, "wb");
    if (!file)
        return false;
    bool written = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

tool_status tool_file_write(const char* path, const void* bytes, size_t size) {
    char part[PATH_BYTES];
    if (!part_name(path, part))
        return tool_complain("%.40s...: the file name is too long", path);
    if (is_special(path))
        return write_to(path, bytes, size) ? TOOL_DONE : complain_file(path);
    if (write_to(part, bytes, size) && replace(part, path))
        return TOOL_DONE;
    tool_status status = complain_file(path);
    remove(part);
    return status;
}
