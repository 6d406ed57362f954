// Kerb base: the types and functions that every other header uses.
//
// It contains results and errors, the host's hooks (allocator, log, tasks), assertions, settings
// tables, random numbers, and the version. It contains nothing about vehicles. The host is the
// program that uses Kerb: a game engine or a robot.
//
// Call order: fill a kerb_host once and pass it to the functions that create objects. Get the
// default settings, change some of them, then validate them before a driver uses them.
//
//     kerb_host host = kerb_host_default(); // malloc, no log, tasks on the calling thread
//     kerb_error error;
//     kerb_waypoint waypoints[2] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(50, 0, 0)};
//     kerb_path path;
//     if (kerb_path_create(&path, waypoints, 2, false, &host, &error) != KERB_OK)
//         printf("waypoint %d, field %s: %s\n", error.index, error.field, error.message);
//     kerb_path_destroy(&path);
//
//     kerb_follower_settings settings;
//     kerb_settings_set_defaults(&kerb_follower_settings_table, &settings);
//     settings.speed = 12.0f;
//     if (kerb_settings_validate(&kerb_follower_settings_table, &settings, &error) != KERB_OK)
//         printf("field %s: %s\n", error.field, error.message);
//
// Threads: the library has no global state. Threads may call any functions at the same time, as
// long as no thread changes an object that another thread uses.
// Lifetimes: every string that a function of this header returns is constant and always valid. An
// object keeps a copy of what it needs from the kerb_host. The functions and contexts of that host
// must stay valid until the object is destroyed.
// Cost: every function is O(1) where nothing else is stated. No function allocates memory.
//
// Does not: read the clock, start threads, open files.
#ifndef KERB_BASE_H
#define KERB_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The library's sources refuse -ffast-math and /fp:fast, because these flags make results differ
// between compilers. Your own files may use these flags. The `static inline` functions of the
// headers then follow them, in your file only: last bits may differ, and a check for NaN may fail.
// The results of the library stay the same. KERB_BUILDING is defined while the library itself is
// built.
#if defined(KERB_BUILDING) && (defined(__FAST_MATH__) || defined(_M_FP_FAST))
#error "Kerb's sources are built without -ffast-math and /fp:fast, which change results"
#endif

/// Compiler attribute that exports a symbol from a shared library, or imports it.
#if defined(_WIN32) && defined(KERB_SHARED)
#if defined(KERB_BUILDING)
#define KERB_EXPORT __declspec(dllexport)
#else
#define KERB_EXPORT __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define KERB_EXPORT __attribute__((visibility("default")))
#else
#define KERB_EXPORT
#endif

/// Marks every function and constant of the public interface.
#ifdef __cplusplus
#define KERB_API extern "C" KERB_EXPORT
#else
#define KERB_API extern KERB_EXPORT
#endif

/// Version of these headers. kerb_version() returns the version of the linked library.
#define KERB_VERSION "0.6.0"
#define KERB_VERSION_MAJOR 0 ///< Changes when old code no longer compiles or behaves differently.
#define KERB_VERSION_MINOR 6 ///< Changes with new features. Before 1.0 it may also break old code.
#define KERB_VERSION_PATCH 0 ///< Changes with corrections.

/// Version of the linked library as text: "major.minor.patch".
KERB_API const char* kerb_version(void);

// --------------------------------------------------------------------------- results and errors

/// Result of a call that checks data. Wrong use of a function by the programmer, such as a NULL
/// pointer, is an assertion failure instead.
typedef enum kerb_result {
    KERB_OK = 0,
    KERB_ERROR_OUT_OF_MEMORY, ///< The allocator returned NULL. No memory leaked, nothing changed.
    KERB_ERROR_NOT_FINITE,    ///< A number is NaN or infinite.
    KERB_ERROR_OUT_OF_RANGE,  ///< A number is outside its documented range.
    KERB_ERROR_TOO_FEW,       ///< Fewer items than the object needs.
    KERB_ERROR_TOO_MANY,      ///< More items than the object or the format can hold.
    KERB_ERROR_CONTRADICTION, ///< Two fields have values that exclude each other.
    KERB_ERROR_SYNTAX,        ///< Text does not follow its format.
    KERB_ERROR_UNKNOWN_FIELD, ///< A name is not in the format or table.
    KERB_ERROR_MISSING_FIELD, ///< A required field is missing.
    KERB_ERROR_WRONG_TYPE     ///< A value has a different type than its field.
} kerb_result;

/// Short English text for a result, such as "out of memory". Never NULL.
KERB_API const char* kerb_result_text(kerb_result result);

/// Details of an error. A function fills it only when it fails. The struct contains its texts, so
/// they stay valid as long as the struct does.
typedef struct kerb_error {
    kerb_result result; ///< The result that the call returned.
    int32_t line;       ///< Line in the input text, from 1. 0: there is no input text.
    int32_t index;      ///< Index of the item (waypoint, gear, …), from 0. -1: no item.
    char field[48];     ///< Name of the struct field, column or key. May be empty.
    char message[144];  ///< One sentence without a full stop: "must be greater than 0".
} kerb_error;

/// Fills `error` and returns `result`. `error` may be NULL. Texts that are too long for the struct
/// are truncated at the end of a UTF-8 character. Allocates nothing.
KERB_API kerb_result kerb_error_set(kerb_error* error, kerb_result result, const char* field,
                                    int32_t line, int32_t index, const char* message);

// --------------------------------------------------------------------------- the host's hooks

/// The host's memory functions. `allocate` returns memory that is aligned to `alignment`, or NULL
/// when there is none. Alignments are powers of two, at most 64. `release` receives the size that
/// was allocated. Both receive `context`. Kerb calls both only while it creates or destroys
/// objects, never while driving, and only on the thread that called Kerb.
typedef struct kerb_allocator {
    void* (*allocate)(void* context, size_t size, size_t alignment);
    void (*release)(void* context, void* memory, size_t size);
    void* context;
} kerb_allocator;

/// Importance of a log message, lowest first.
typedef enum kerb_log_level { KERB_LOG_DETAIL, KERB_LOG_NOTE, KERB_LOG_WARNING } kerb_log_level;

/// "detail", "note" or "warning"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_log_level_text(kerb_log_level value);

/// Receives the library's messages, such as "3 waypoints repeated their predecessor and were
/// merged". `write` may be NULL: then the library writes no messages.
typedef struct kerb_log {
    void (*write)(void* context, kerb_log_level level, const char* message);
    void* context;
} kerb_log;

/// A function that processes the items [begin, end) of a larger range.
typedef void kerb_task(int32_t begin, int32_t end, void* argument);

/// The host's threads. `start` divides the items [0, count) into ranges and arranges that `task`
/// is called once for each range. A range should have at least `range_size_min` items: smaller
/// ranges cost more than they save. `start` returns a handle of the host, which may be NULL.
/// `finish` takes this handle and returns when all items are done. Results never depend on how the
/// items are divided.
typedef struct kerb_tasks {
    void* (*start)(void* context, kerb_task* task, void* argument, int32_t count,
                   int32_t range_size_min);
    void (*finish)(void* context, void* handle);
    void* context;
} kerb_tasks;

/// All services that the host provides. The host passes it when it creates an object.
typedef struct kerb_host {
    kerb_allocator allocator;
    kerb_log log;
    kerb_tasks tasks;
} kerb_host;

/// Default services: malloc and free, no log, and tasks that run immediately on the calling
/// thread.
KERB_API kerb_host kerb_host_default(void);

// --------------------------------------------------------------------------- assertions

/// Called when the programmer used a function wrongly, for example with a NULL path. Only a library
/// that was built with KERB_ASSERTIONS checks this. CMake defines it in Debug builds by default.
/// `condition` is the requirement that failed, such as "count > 0". For an invalid object it names
/// the field: "racer->vehicle.wheelbase must be from 0.02 to 150 m". The library's own definition
/// prints to stderr and aborts. To replace it, define a function with this name and type in the
/// host and link the static library. There is no function pointer to set, because the library has
/// no global state.
KERB_API void kerb_assert_failed(const char* condition, const char* file, int line);

// --------------------------------------------------------------------------- settings tables

/// Type of a settings field.
typedef enum kerb_setting_type {
    KERB_SETTING_FLOAT, ///< A `float`.
    KERB_SETTING_INT,   ///< An `int32_t`.
    KERB_SETTING_CHOICE ///< An `int32_t`: index into the names in `choices`, from 0.
} kerb_setting_type;

/// "number", "whole number" or "choice"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_setting_type_text(kerb_setting_type value);

/// Description of one field of a settings struct.
typedef struct kerb_setting {
    const char* name; ///< Name of the field in the struct.
    size_t offset;    ///< Position of the field in the struct. [bytes]
    kerb_setting_type type;
    const char* unit;    ///< "m", "m/s", …; "1" for a number without a unit.
    float min;           ///< Smallest allowed value.
    float max;           ///< Greatest allowed value.
    float default_value; ///< Default value.
    const char* choices; ///< For a choice: its names, separated by '|'. Else NULL.
    const char* meaning; ///< What the field does, in one line.
} kerb_setting;

/// Description of every field of a settings struct. Default values, validation, the search space
/// of tuners, sliders in tools and the tables in the manual all come from it. Constant.
typedef struct kerb_settings_table {
    const char* name; ///< Name of the struct.
    size_t size;      ///< Size of the struct. [bytes]
    const kerb_setting* settings;
    int32_t count;
} kerb_settings_table;

/// Writes all default values into `settings`, a struct of the table's type. O(fields)
KERB_API void kerb_settings_set_defaults(const kerb_settings_table* table, void* settings);

/// Checks every field. Returns KERB_OK when all fields are valid. Errors: NOT_FINITE, OUT_OF_RANGE.
/// `error` then names the first invalid field; it may be NULL. O(fields)
KERB_API kerb_result kerb_settings_validate(const kerb_settings_table* table, const void* settings,
                                            kerb_error* error);

/// Returns the description of the field with this name, or NULL. O(fields)
KERB_API const kerb_setting* kerb_settings_find(const kerb_settings_table* table, const char* name);

/// Returns the value of one field. Integers and choices are converted to float.
KERB_API float kerb_settings_get(const kerb_setting* setting, const void* settings);

/// Checks `value` and writes it into one field. Errors: NOT_FINITE, OUT_OF_RANGE, WRONG_TYPE (not
/// a whole number). On error the field keeps its value. `error` may be NULL.
KERB_API kerb_result kerb_settings_set(const kerb_setting* setting, void* settings, float value,
                                       kerb_error* error);

// --------------------------------------------------------------------------- saved objects

// Every driver is one struct without pointers. To save it for use with the same build of the
// library, copy the struct. For files, other programs and other languages, each type of driver has
// the functions below. Here they are shown for a kerb_follower:
//
//     void kerb_follower_init(kerb_follower* follower, const kerb_vehicle* vehicle);
//     size_t kerb_follower_bytes(void);
//     size_t kerb_follower_save(const kerb_follower* follower, void* block, size_t capacity);
//     kerb_result kerb_follower_load(kerb_follower* follower, const void* block, size_t size,
//                                    kerb_error* error);
//
// _init makes a new driver, as kerb_follower_make does, but in memory of the caller: _bytes bytes,
//     aligned to 8. To restart a driver, `vehicle` may point to the vehicle in the driver itself.
// _save returns the size of the block. It writes the block when `block` is not NULL and `capacity`
//     is at least that size; else it writes nothing. The size is constant in one build.
// _load reads a block. On error the object stays unchanged. It ignores bytes after the block.
//
// A block is a header of 64 bytes, then the bytes of the struct. It may be at any address. The
// header says which type, which version and which build wrote it. Errors of _load, with the field:
// - TOO_FEW of "size": the block is shorter than its header and object;
// - SYNTAX of "magic": the bytes are not a block;
// - CONTRADICTION of "byte_order", "kind" (type of the object), "version" (major, minor or patch),
//   "size" (of the struct) or "layout" (alignments and sizes that compilers choose).
//
// Only the header is checked. The numbers of the object are trusted: a driver that loads a damaged
// or forged block may read outside of its memory. Load blocks only from sources that you trust.
// kerb_settings_validate and kerb_vehicle_validate check the settings and the vehicle of a loaded
// driver. The padding of the struct is part of the block, so blocks of equal drivers may differ. A
// loaded driver computes the same bits as the saved one. A block cannot be loaded by another
// version of the library. For data that must last longer, save each setting and each number of the
// vehicle with its name from the tables, and make a new driver from them. All these functions are
// O(bytes) and allocate nothing. One thread at a time may use one driver.

// --------------------------------------------------------------------------- random numbers

/// Random number generator PCG-XSH-RR 64/32 (O'Neill 2014). It gives the same numbers on every
/// machine. Plain data: copy it to save its state.
typedef struct kerb_random {
    uint64_t state;
    uint64_t stream;
} kerb_random;

/// Makes a generator. Different seeds or different streams give unrelated sequences.
KERB_API kerb_random kerb_random_make(uint64_t seed, uint64_t stream);

/// Returns 32 random bits.
KERB_API uint32_t kerb_random_bits(kerb_random* random);

/// Returns a uniform random number in [0, 1), a multiple of 2^-24.
KERB_API float kerb_random_unit(kerb_random* random);

/// Returns a uniform random number in [min, max).
KERB_API float kerb_random_between(kerb_random* random, float min, float max);

/// Returns a uniform random integer from 0 to count - 1, without bias. [count: > 0]
KERB_API int32_t kerb_random_below(kerb_random* random, int32_t count);

#endif
