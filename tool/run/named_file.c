// A name is followed to the file that it leads to, through all links, and so is the folder: what is
// compared are places, not names. A file that is a link lies in two folders, that of the link and
// that of the file, and names beside either: tools install folders of links.
#include "tool/run/named_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The part of a path in front of its last name; Windows' lists come with its slashes.
static size_t folder_length(const char* path, bool any_slash) {
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/' && !(any_slash && path[length - 1] == '\\'))
        length--;
    return length;
}

// A name in the folder of `file`.
static tool_status join(const char* file, const char* name, char path[TOOL_NAMED_BYTES]) {
    size_t folder = name[0] == '/' ? 0 : folder_length(file, false);
    if (folder + strlen(name) >= TOOL_NAMED_BYTES)
        return tool_complain("%s: the name of a file is too long: %.80s...", file, name);
    memcpy(path, file, folder);
    memcpy(path + folder, name, strlen(name) + 1);
    return TOOL_DONE;
}

#if defined(_WIN32)

static bool is_there(const char* path) {
    FILE* file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

static bool is_inside(const char* file, const char* path) {
    return strncmp(path, file, folder_length(file, true)) == 0 && !strstr(path, "..");
}

#else

#include <sys/stat.h>

static bool is_there(const char* path) {
    struct stat about;
    return stat(path, &about) == 0;
}

// Whether a place lies in the folder of a file, both without links.
static bool is_beneath(const char* place, const char* file) {
    size_t folder = folder_length(file, false);
    return strncmp(place, file, folder) == 0 && place[folder] != '\0';
}

// The folder in which a path stands, as a path of a file in it; false where there is none.
static bool place_of_folder(const char* file, char place[TOOL_NAMED_BYTES]) {
    char folder[TOOL_NAMED_BYTES];
    size_t length = folder_length(file, false);
    if (length + 2 > sizeof folder)
        return false;
    memcpy(folder, file, length);
    memcpy(folder + length, ".", 2);
    char* real = realpath(folder, NULL);
    bool fits = real && strlen(real) + 3 <= TOOL_NAMED_BYTES;
    if (fits)
        snprintf(place, TOOL_NAMED_BYTES, "%s/.", strcmp(real, "/") == 0 ? "" : real);
    free(real);
    return fits;
}

static bool is_inside(const char* file, const char* path) {
    char folder[TOOL_NAMED_BYTES];
    char *place = realpath(path, NULL), *own = realpath(file, NULL);
    bool inside = place && place_of_folder(file, folder) && is_beneath(place, folder);
    inside = inside || (place && own && is_beneath(place, own));
    free(place);
    free(own);
    return inside;
}

#endif

static void note_beside(const char* file, const char* field, const char* name, const char* last) {
    kerb_io_notes notes = {0};
    char message[300];
    snprintf(message, sizeof message, "\"%.60s\" is not there, took \"%.60s\" beside the file",
             name, last);
    kerb_io_notes_add(&notes, field, 0, message);
    tool_print_notes(file, &notes);
}

tool_status tool_named_file(const char* file, const char* field, const char* name, bool outside,
                            char path[TOOL_NAMED_BYTES]) {
    const char* last = name + folder_length(name, true);
    if (join(file, name, path) != TOOL_DONE)
        return TOOL_WRONG;
    if (!is_there(path)) {
        int why = errno;
        char beside[TOOL_NAMED_BYTES];
        if (last == name || *last == '\0')
            return tool_complain("%s: %s: %s: %s", file, field, path, strerror(why));
        if (join(file, last, beside) != TOOL_DONE)
            return TOOL_WRONG;
        if (!is_there(beside))
            return tool_complain("%s: %s: neither %s nor %s is there", file, field, path, beside);
        note_beside(file, field, name, last);
        memcpy(path, beside, strlen(beside) + 1);
    }
    if (!outside && !is_inside(file, path))
        return tool_complain("%s: %s: %s lies outside of the folder of this file; "
                             "--allow-outside reads it",
                             file, field, path);
    return TOOL_DONE;
}
