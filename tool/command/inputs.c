// A word is a built-in name, otherwise a file. Files are validated here by the rules of the
// drivers, so that errors are reported before anything runs, and with the file's name.
#include "tool/command/inputs.h"

#include "tool/command/vocabulary.h"

#include "kerb/io/course_csv.h"
#include "kerb/io/vehicle_json.h"
#include "scene/course/course.h"
#include "scene/course/unseen.h"
#include "sim/vehicle.h"
#include "tool/command/file.h"

#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------- names

static bool is_continuation(unsigned char c) {
    return (c & 0xc0u) == 0x80u;
}

// Bytes of the UTF-8 character at `text`, 0 when it is none or a control character.
static size_t character_length(const char* text) {
    const unsigned char* c = (const unsigned char*)text;
    if (c[0] < 0x80)
        return c[0] >= ' ' && c[0] != 0x7f ? 1 : 0;
    size_t length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    uint32_t least = length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u;
    uint32_t code = c[0] & (0x7fu >> length);
    if (c[0] < 0xc2 || c[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if (!is_continuation(c[i]))
            return 0;
        code = code << 6 | (c[i] & 0x3fu);
    }
    bool surrogate = code >= 0xd800u && code <= 0xdfffu;
    return code >= least && code <= 0x10ffffu && !surrogate ? length : 0;
}

// The file's name without folders and extension. What is no UTF-8 becomes '_': names end up in
// JSON and in pictures, which take nothing else.
void tool_name_from_path(const char* path, char* name, size_t size) {
    const char* base = path;
    for (const char* c = path; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\')
            base = c + 1;
    }
    const char* dot = strrchr(base, '.');
    const char* end = dot && dot > base ? dot : base + strlen(base);
    size_t used = 0;
    while (base < end) {
        size_t length = character_length(base);
        size_t step = length > 0 ? length : 1;
        if (used + step >= size)
            break;
        memcpy(name + used, length > 0 ? base : "_", step);
        used += step;
        base += step;
    }
    name[used] = '\0';
}

// A word that is neither: it was meant as a file when it looks like one.
static tool_status inputs_complain_unknown(const char* what, const char* word, const char* nearest,
                                           const char* lister) {
    if (strpbrk(word, "./\\")) {
        char* text;
        size_t size;
        return tool_file_read(word, &text, &size); // which says what the system said
    }
    if (nearest)
        return tool_complain("unknown %s '%s' (did you mean %s?)", what, word, nearest);
    return tool_complain("unknown %s '%s' (kerb %s --list lists them; or name a file)", what, word,
                         lister);
}

// --------------------------------------------------------------------------- random ones

#define RANDOM "random:"

// Whether the word asks for a random one, by a seed of up to 18 digits.
static bool is_random(const char* word, uint64_t* seed) {
    size_t prefix = strlen(RANDOM);
    if (strncmp(word, RANDOM, prefix) != 0)
        return false;
    const char* digits = word + prefix;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 18 || digits[count] != '\0')
        return false;
    *seed = 0;
    for (size_t i = 0; i < count; i++)
        *seed = 10 * *seed + (uint64_t)(digits[i] - '0');
    return true;
}

static tool_status make_random_course(uint64_t seed, const char* word, const kerb_host* host,
                                      kerb_scene_course* course) {
    kerb_error error = {.index = -1};
    if (kerb_scene_unseen_course(seed, host, course, &error) == KERB_OK)
        return TOOL_DONE;
    return tool_complain_error(word, &error);
}

static void make_random_vehicle(uint64_t seed, tool_vehicle* vehicle) {
    int32_t kind = (int32_t)(seed % (uint64_t)kerb_scene_unseen_vehicle_kinds());
    snprintf(vehicle->name, sizeof vehicle->name, "%s-%llu", kerb_scene_unseen_vehicle_kind(kind),
             (unsigned long long)seed);
    vehicle->vehicle = kerb_scene_unseen_vehicle(seed);
}

// --------------------------------------------------------------------------- courses

static const char* course_word(const void* context, int32_t i) {
    (void)context;
    return kerb_scene_course_name(i);
}

static bool is_built_in_course(const char* word) {
    for (int32_t i = 0; i < kerb_scene_course_count(); i++) {
        if (strcmp(kerb_scene_course_name(i), word) == 0)
            return true;
    }
    return false;
}

static tool_status read_course(const char* path, const kerb_host* host, kerb_scene_course* course) {
    char* text;
    size_t size;
    if (tool_file_read(path, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    kerb_io_course read;
    kerb_io_notes notes = {0};
    kerb_error error = {.index = -1};
    kerb_result result = kerb_io_course_csv_read(&read, text, size, host, &notes, &error);
    free(text);
    if (result != KERB_OK)
        return tool_complain_error(path, &error);
    tool_print_notes(path, &notes);
    tool_name_from_path(path, course->name, sizeof course->name);
    course->waypoints = read.waypoints;
    course->bytes = (size_t)read.count * sizeof *read.waypoints;
    course->count = read.count;
    course->closed = read.closed;
    return TOOL_DONE;
}

// What the file's reader cannot know: whether the waypoints make a path.
static tool_status check_course(const char* path, const kerb_host* host,
                                const kerb_scene_course* course) {
    kerb_path built;
    kerb_error error = {.index = -1};
    if (kerb_path_create(&built, course->waypoints, course->count, course->closed, host, &error) !=
        KERB_OK)
        return tool_complain_error(path, &error);
    kerb_path_destroy(&built);
    return TOOL_DONE;
}

tool_status tool_course_load(const char* word, const kerb_host* host, kerb_scene_course* course) {
    memset(course, 0, sizeof *course);
    if (is_built_in_course(word)) {
        kerb_error error = {.index = -1};
        if (kerb_scene_course_make(word, host, course, &error) == KERB_OK)
            return TOOL_DONE;
        return tool_complain_error(word, &error);
    }
    uint64_t seed;
    if (is_random(word, &seed))
        return make_random_course(seed, word, host, course);
    if (!tool_file_exists(word))
        return inputs_complain_unknown(
            "course", word, tool_nearest_word(word, course_word, NULL, kerb_scene_course_count()),
            "follow");
    tool_status status = read_course(word, host, course);
    if (status == TOOL_DONE)
        status = check_course(word, host, course);
    if (status != TOOL_DONE)
        kerb_scene_course_free(course, host);
    return status;
}

// --------------------------------------------------------------------------- vehicles

int32_t tool_vehicle_count(void) {
    return kerb_sim_model_count();
}

const char* tool_vehicle_name(int32_t index) {
    return kerb_sim_model_name(index);
}

const char* tool_vehicle_about(int32_t index) {
    return kerb_sim_model_about(index);
}

// Cars that race are known to every command, too.
static const char* vehicle_word(const void* context, int32_t i) {
    const tool_vocabulary* words = context;
    return words->word(i);
}

static bool inputs_make_built_in(const char* word, tool_vehicle* vehicle) {
    if (!kerb_sim_model_named(word, &vehicle->model))
        return false;
    snprintf(vehicle->name, sizeof vehicle->name, "%s", word);
    vehicle->vehicle = vehicle->model.vehicle;
    vehicle->has_model = true;
    return true;
}

static tool_status read_vehicle(const char* path, const kerb_host* host, tool_vehicle* vehicle) {
    char* text;
    size_t size;
    if (tool_file_read(path, &text, &size) != TOOL_DONE)
        return TOOL_WRONG;
    kerb_io_vehicle read;
    kerb_error error = {.index = -1};
    kerb_result result = kerb_io_vehicle_json_read(&read, text, size, host, &error);
    free(text);
    if (result != KERB_OK)
        return tool_complain_error(path, &error);
    vehicle->vehicle = read.vehicle;
    if (read.name[0] != '\0')
        snprintf(vehicle->name, sizeof vehicle->name, "%s", read.name);
    else
        tool_name_from_path(path, vehicle->name, sizeof vehicle->name);
    return TOOL_DONE;
}

tool_status tool_vehicle_load(const char* word, const char* lister, const kerb_host* host,
                              tool_vehicle* vehicle) {
    memset(vehicle, 0, sizeof *vehicle);
    if (inputs_make_built_in(word, vehicle))
        return TOOL_DONE;
    uint64_t seed;
    if (is_random(word, &seed)) {
        make_random_vehicle(seed, vehicle);
        return TOOL_DONE;
    }
    if (tool_file_exists(word))
        return read_vehicle(word, host, vehicle);
    // `kerb plan` knows kinds of vehicles beside them.
    const tool_vocabulary* known =
        strcmp(lister, "plan") == 0 ? &tool_words_planned : &tool_words_vehicles;
    return inputs_complain_unknown(
        "vehicle", word, tool_nearest_word(word, vehicle_word, known, known->count()), lister);
}
