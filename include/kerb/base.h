// Kerb base: what every other room stands on.
//
// Results and errors, the host's hooks (allocator, log, tasks), assertions, settings tables,
// random numbers, and the version. Nothing here knows about vehicles.
//
//     kerb_host host = kerb_host_default();      // malloc, silent log, serial tasks
//     kerb_error error;
//     if (kerb_settings_validate(&kerb_follower_settings_table, &settings, &error) != KERB_OK)
//         printf("%s: %s\n", error.field, error.message);
//
// Does not: keep global state, read the clock, start threads, open files.
#ifndef KERB_BASE_H
#define KERB_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The sources do not compile with -ffast-math, which lets the compiler compute something else on
// each machine. Your own files may: functions in these headers then give what your flags make of
// them (last bits differ, and a NaN may pass for a number), in your file alone, because each file
// has its own copy of them (`static inline`). What the library computes stays the same.
// KERB_BUILDING is defined while the library itself is built.
#if defined(KERB_BUILDING) && (defined(__FAST_MATH__) || defined(_M_FP_FAST))
#error "Kerb's sources are built without -ffast-math and /fp:fast, which change results"
#endif

/// How the compiler marks what a library shows to others.
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

/// Before every function and constant of the interface.
#ifdef __cplusplus
#define KERB_API extern "C" KERB_EXPORT
#else
#define KERB_API extern KERB_EXPORT
#endif

/// The version of these headers. `kerb_version()` gives that of the linked library.
#define KERB_VERSION "0.1.0"
#define KERB_VERSION_MAJOR 0 ///< changes when old code no longer compiles or means the same
#define KERB_VERSION_MINOR 1 ///< changes with new features; below 1.0 as MAJOR
#define KERB_VERSION_PATCH 0 ///< changes with corrections

/// The version of the linked library, as "major.minor.patch".
KERB_API const char* kerb_version(void);

// --------------------------------------------------------------------------- results and errors

/// How a call that can meet bad data ended. Wrong use by the programmer asserts instead.
typedef enum kerb_result {
    KERB_OK = 0,
    KERB_ERROR_OUT_OF_MEMORY, ///< The allocator returned NULL. Nothing leaked, nothing changed.
    KERB_ERROR_NOT_FINITE,    ///< A number is NaN or infinite where it may not be.
    KERB_ERROR_OUT_OF_RANGE,  ///< A number lies outside the documented range.
    KERB_ERROR_TOO_FEW,       ///< Fewer items than the object needs.
    KERB_ERROR_TOO_MANY,      ///< More items than the object or the format can hold.
    KERB_ERROR_CONTRADICTION, ///< Two fields that cannot both be right.
    KERB_ERROR_SYNTAX,        ///< Text that does not follow its format.
    KERB_ERROR_UNKNOWN_FIELD, ///< A name that the format or table does not have.
    KERB_ERROR_MISSING_FIELD, ///< A field that must be there and is not.
    KERB_ERROR_WRONG_TYPE     ///< A value of another type than the field has.
} kerb_result;

/// A few words for a result, in English, never NULL: "out of memory".
KERB_API const char* kerb_result_text(kerb_result result);

/// What exactly was wrong. Filled only when a call fails; its text stays valid in the struct.
typedef struct kerb_error {
    kerb_result result; ///< Same as what the call returned.
    int32_t line;       ///< Line of the text that was read, from 1; 0 where there is no text.
    int32_t index;      ///< Index of the item (waypoint, gear …), from 0; -1 where there is none.
    char field[48];     ///< The field's name as in its struct, column or key; may be empty.
    char message[144];  ///< One sentence without full stop: "must be greater than 0".
} kerb_error;

/// Fills `error` (which may be NULL) and returns `result`. Long texts are cut. No allocation.
KERB_API kerb_result kerb_error_set(kerb_error* error, kerb_result result, const char* field,
                                    int32_t line, int32_t index, const char* message);

// --------------------------------------------------------------------------- the host's hooks

/// Memory from the host. `allocate` returns memory aligned to `alignment` (a power of two, at
/// most 64) or NULL; `release` gets back the same size. Called only while objects are created and
/// destroyed, never while driving, and only on the thread of the call that was made.
typedef struct kerb_allocator {
    void* (*allocate)(void* context, size_t size, size_t alignment);
    void (*release)(void* context, void* memory, size_t size);
    void* context;
} kerb_allocator;

typedef enum kerb_log_level { KERB_LOG_DETAIL, KERB_LOG_NOTE, KERB_LOG_WARNING } kerb_log_level;

/// Where the library's remarks go: "3 repeated waypoints were merged". `write` may be NULL.
typedef struct kerb_log {
    void (*write)(void* context, kerb_log_level level, const char* message);
    void* context;
} kerb_log;

/// A piece of work over items [begin, end) of a larger range.
typedef void kerb_task(int32_t begin, int32_t end, void* argument);

/// Threads from the host. `start` makes sure that `task` is called for every item of [0, count)
/// exactly once, in pieces of at least `least_piece` items where possible, and returns a handle;
/// `finish` returns when all of them are done. Results never depend on how items were cut.
typedef struct kerb_tasks {
    void* (*start)(void* context, kerb_task* task, void* argument, int32_t count,
                   int32_t least_piece);
    void (*finish)(void* context, void* handle);
    void* context;
} kerb_tasks;

/// All that the host lends to the library, given when an object is created.
typedef struct kerb_host {
    kerb_allocator allocator;
    kerb_log log;
    kerb_tasks tasks;
} kerb_host;

/// malloc and free, a log that drops everything, tasks that run at once on the calling thread.
KERB_API kerb_host kerb_host_default(void);

// --------------------------------------------------------------------------- assertions

/// Called when the programmer used a function wrongly (a NULL path, say), in builds with
/// KERB_ASSERTIONS, which CMake's Debug builds are. `condition` is what was required: "count > 0",
/// or the field of an invalid object, "racer->vehicle.wheelbase must be from 0.02 to 150 m".
/// The library's own version prints to stderr and aborts. A host that defines a
/// function of this name and type replaces it when it links the static library; there is no
/// pointer to set, because the library keeps no global state.
KERB_API void kerb_assert_failed(const char* condition, const char* file, int line);

// --------------------------------------------------------------------------- settings tables

typedef enum kerb_setting_type {
    KERB_SETTING_FLOAT, ///< a `float`
    KERB_SETTING_INT,   ///< an `int32_t`
    KERB_SETTING_CHOICE ///< an `int32_t` that counts through `choices`
} kerb_setting_type;

/// One field of a settings struct.
typedef struct kerb_setting {
    const char* name; ///< as in the struct
    size_t offset;    ///< bytes from the start of the struct
    kerb_setting_type type;
    const char* unit;    ///< "m", "m/s", "1" for a pure number
    float least;         ///< smallest legal value
    float most;          ///< greatest legal value
    float standard;      ///< the default
    const char* choices; ///< names separated by '|' for a choice, else NULL
    const char* meaning; ///< one line
} kerb_setting;

/// Every field of a settings struct: the one place from which defaults, validation, the tuner's
/// search space, sliders and the manual's table come.
typedef struct kerb_settings_table {
    const char* name; ///< the struct's name
    size_t size;      ///< its sizeof
    const kerb_setting* settings;
    int32_t count;
} kerb_settings_table;

/// Writes every default into `settings`, a struct of the table's type.
KERB_API void kerb_settings_set_defaults(const kerb_settings_table* table, void* settings);

/// KERB_OK, or NOT_FINITE or OUT_OF_RANGE with the first bad field in `error` (may be NULL).
KERB_API kerb_result kerb_settings_validate(const kerb_settings_table* table, const void* settings,
                                            kerb_error* error);

/// The field called `name`, or NULL.
KERB_API const kerb_setting* kerb_settings_find(const kerb_settings_table* table, const char* name);

/// The value of one field; whole numbers and choices as floats.
KERB_API float kerb_settings_get(const kerb_setting* setting, const void* settings);

/// Sets one field after checking it; on error nothing is changed.
KERB_API kerb_result kerb_settings_set(const kerb_setting* setting, void* settings, float value,
                                       kerb_error* error);

// --------------------------------------------------------------------------- random numbers

/// PCG-XSH-RR 64/32 (O'Neill 2014): small, fast, the same numbers on every machine.
typedef struct kerb_random {
    uint64_t state;
    uint64_t stream;
} kerb_random;

/// Generators with different seeds or streams give unrelated numbers.
KERB_API kerb_random kerb_random_make(uint64_t seed, uint64_t stream);

/// 32 random bits.
KERB_API uint32_t kerb_random_bits(kerb_random* random);

/// Uniform in [0, 1), a multiple of 2^-24.
KERB_API float kerb_random_unit(kerb_random* random);

/// Uniform in [least, most).
KERB_API float kerb_random_between(kerb_random* random, float least, float most);

/// Uniform in 0 … count-1, without bias. [count: > 0]
KERB_API int32_t kerb_random_below(kerb_random* random, int32_t count);

#endif
