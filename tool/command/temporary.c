// The name is that of the target, the process's number and digits of the clock; O_EXCL makes sure
// that the file is new, another name is tried where it is not. Only the name of a file that this
// process has created is ever given to the signals' handler: creating, renaming and removing block
// the signals.
#include "tool/command/temporary.h"

#include "tool/command/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#define TRIES 100
// Of the target's name: with the rest far below the 255 bytes that file systems allow.
#define STEM_BYTES 100u

// The file that is there now: for the handler, which may read nothing but this.
static char the_path[TOOL_PATH_BYTES];
static volatile sig_atomic_t the_path_is_set;

#if defined(_WIN32)

#include <io.h>
#include <process.h>
#include <windows.h>

static int process_number(void) {
    return _getpid();
}

static int create_new(const char* path) {
    return _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);
}

static FILE* open_number(int number) {
    return _fdopen(number, "wb");
}

static void close_number(int number) {
    _close(number);
}

static void copy_permissions(int number, const char* path) {
    (void)number;
    (void)path;
}

// `rename` does not replace there.
static bool move(const char* from, const char* to) {
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) != 0)
        return true;
    errno = GetLastError() == ERROR_ACCESS_DENIED ? EACCES : EIO;
    return false;
}

static bool is_separator(char c) {
    return c == '/' || c == '\\' || c == ':';
}

static void block_signals(void) {
}

static void unblock_signals(void) {
}

#else

#include <unistd.h>

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
#define ENDING_COUNT ((int)(sizeof ending_signals / sizeof ending_signals[0]))

// Only what POSIX allows in a handler. The signal ends the process when the handler returns.
static void remove_and_end(int number) {
    if (the_path_is_set)
        unlink(the_path);
    raise(number);
}

// Those that are ignored stay so, as under nohup. Beyond a limit of size a write fails, instead of
// ending the process.
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = remove_and_end, .sa_flags = (int)SA_RESETHAND}, before;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDING_COUNT; i++) {
        if (sigaction(ending_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(ending_signals[i], &action, NULL);
    }
    signal(SIGXFSZ, SIG_IGN);
}

static sigset_t the_signals_before;

static void block_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < ENDING_COUNT; i++)
        sigaddset(&set, ending_signals[i]);
    catch_signals();
    sigprocmask(SIG_BLOCK, &set, &the_signals_before);
}

static void unblock_signals(void) {
    int reason = errno;
    sigprocmask(SIG_SETMASK, &the_signals_before, NULL);
    errno = reason;
}

static int process_number(void) {
    return (int)getpid();
}

static int create_new(const char* path) {
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static FILE* open_number(int number) {
    return fdopen(number, "wb");
}

static void close_number(int number) {
    close(number);
}

// As far as it can: only its owner may give a file away, and that is no failure.
static void copy_permissions(int number, const char* path) {
    struct stat about;
    if (stat(path, &about) != 0)
        return;
    bool owned = fchown(number, about.st_uid, about.st_gid) == 0;
    (void)!fchmod(number, about.st_mode & (owned ? 07777u : 0777u));
}

static bool move(const char* from, const char* to) {
    return rename(from, to) == 0;
}

static bool is_separator(char c) {
    return c == '/';
}

#endif

// "folder/NAME.1a2b-3c4d5e6f.part"
static bool temporary_name(const char* path, unsigned digits, char* name) {
    const char* base = path;
    for (const char* c = path; *c != '\0'; c++)
        base = is_separator(*c) ? c + 1 : base;
    size_t folder = (size_t)(base - path);
    if (folder + (size_t)2 * STEM_BYTES > TOOL_PATH_BYTES) {
        errno = ENAMETOOLONG;
        return false;
    }
    snprintf(name, TOOL_PATH_BYTES, "%.*s%.*s.%x-%08x.part", (int)folder, path, (int)STEM_BYTES,
             base, (unsigned)process_number(), digits);
    return true;
}

static int create(const char* path, char* name) {
    unsigned digits = (unsigned)tool_clock_ns();
    for (int i = 0; i < TRIES; i++) {
        if (!temporary_name(path, digits + (unsigned)i, name))
            return -1;
        int number = create_new(name);
        if (number >= 0 || errno != EEXIST)
            return number;
    }
    return -1;
}

bool tool_temporary_open(tool_temporary* temporary, const char* path) {
    block_signals();
    int number = create(path, temporary->path);
    temporary->file = number >= 0 ? open_number(number) : NULL;
    if (temporary->file) {
        memcpy(the_path, temporary->path, sizeof the_path);
        the_path_is_set = 1;
        copy_permissions(number, path);
    } else if (number >= 0) {
        int reason = errno;
        close_number(number);
        remove(temporary->path);
        errno = reason;
    }
    unblock_signals();
    return temporary->file != NULL;
}

static void remove_it(tool_temporary* temporary) {
    int reason = errno;
    block_signals();
    remove(temporary->path);
    the_path_is_set = 0;
    unblock_signals();
    errno = reason;
}

bool tool_temporary_keep(tool_temporary* temporary, const char* path) {
    bool kept = fclose(temporary->file) == 0;
    temporary->file = NULL;
    block_signals();
    kept = kept && move(temporary->path, path);
    the_path_is_set = kept ? 0 : the_path_is_set;
    unblock_signals();
    if (!kept)
        remove_it(temporary);
    return kept;
}

void tool_temporary_discard(tool_temporary* temporary) {
    int reason = errno;
    fclose(temporary->file);
    temporary->file = NULL;
    remove_it(temporary);
    errno = reason;
}
