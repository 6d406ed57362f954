// The replay page: what is written into it is read back as a browser would, with a JSON parser and
// a base64 decoder, and compared with the frames that went in.
//
// `test_replay_page FILE` writes a page with twelve trials instead, for the test in a browser.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/course/course.h"
#include "test/tool/replay_recordings.h"
#include "tool/page/replay_page.h"

#include <cjson/cJSON.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS_MOST = 12, TWO_MEGABYTES = 2000000 };

// --------------------------------------------------------------------------- pages

/// A page in memory. `data` is its JSON, parsed.
typedef struct page {
    char* text;
    size_t size;
    cJSON* data;
} page;

static page page_write(const char* title, const tool_recording* const* recordings, int32_t count) {
    page result = {0};
    FILE* file = tmpfile();
    assert_non_null(file);
    assert_true(tool_replay_page_write(file, title, recordings, count));
    result.size = (size_t)ftell(file);
    result.text = calloc(result.size + 1, 1);
    assert_non_null(result.text);
    rewind(file);
    assert_int_equal(fread(result.text, 1, result.size, file), result.size);
    fclose(file);
    const char* data = strstr(result.text, "id=\"recordings\">");
    assert_non_null(data);
    result.data = cJSON_ParseWithOpts(strchr(data, '>') + 1, NULL, 0);
    assert_non_null(result.data);
    return result;
}

static page page_of_one(const tool_recording* recording) {
    const tool_recording* recordings[1] = {recording};
    return page_write("one", recordings, 1);
}

static void page_free(page* written) {
    cJSON_Delete(written->data);
    free(written->text);
}

static const cJSON* trial_of(const page* written, int32_t index) {
    return cJSON_GetArrayItem(cJSON_GetObjectItem(written->data, "trials"), index);
}

static int32_t occurrences(const char* text, const char* word) {
    int32_t count = 0;
    for (const char* at = strstr(text, word); at; at = strstr(at + 1, word))
        count++;
    return count;
}

// --------------------------------------------------------------------------- columns

/// Decodes one letter at a time, by the definition of RFC 4648. Returns the number of bytes.
static int32_t decode(const char* letters, unsigned char* bytes, int32_t most) {
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    int32_t held = 0, count = 0;
    assert_int_equal(strlen(letters) % 4, 0);
    for (; *letters && *letters != '='; letters++) {
        bits = bits << 6 | (uint32_t)(strchr(alphabet, *letters) - alphabet);
        held += 6;
        if (held >= 8) {
            held -= 8;
            assert_true(count < most);
            bytes[count++] = (unsigned char)(bits >> held);
        }
    }
    return count;
}

static double read_float(const unsigned char* bytes) {
    uint32_t bits = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                    (uint32_t)bytes[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/// One column of a trial, decoded, and half the step of its numbers.
typedef struct column {
    double values[8192];
    double tolerance;
    int32_t count;
} column;

static column column_of(const cJSON* owner, const char* name) {
    static unsigned char bytes[8192 * 4];
    static column result;
    const cJSON* item = cJSON_GetObjectItem(owner, name);
    assert_non_null(item);
    bool whole = cJSON_IsString(item);
    const cJSON* data = whole ? item : cJSON_GetObjectItem(item, "data");
    double step = whole ? 0.0 : cJSON_GetObjectItem(item, "step")->valuedouble;
    int32_t width = whole ? 4 : 2;
    result.count = decode(data->valuestring, bytes, (int32_t)sizeof bytes) / width;
    result.tolerance = step / 2.0 + 1.0e-5;
    for (int32_t i = 0; i < result.count; i++) {
        const unsigned char* at = bytes + width * i;
        result.values[i] = whole ? read_float(at) : step * (int16_t)(at[0] | at[1] << 8);
    }
    return result;
}

static int32_t states_of(const cJSON* trial, unsigned char* bytes, int32_t most) {
    return decode(cJSON_GetObjectItem(trial, "states")->valuestring, bytes, most) / 2;
}

// --------------------------------------------------------------------------- recordings

static kerb_waypoint straight[2];

static kerb_scene_course straight_course(const char* name) {
    straight[0] = kerb_waypoint_at(0.0f, 0.0f, 0.0f);
    straight[1] = kerb_waypoint_at(200.0f, 0.0f, 0.0f);
    kerb_scene_course course = {.waypoints = straight, .count = 2, .speed = 10.0f};
    snprintf(course.name, sizeof course.name, "%s", name);
    return course;
}

/// A drive whose every number is linear in time, so that interpolation must be exact.
static tool_recording linear_drive(const kerb_scene_course* course, double hz, int32_t count) {
    tool_recording recording = {.course = course, .vehicle = kerb_vehicle_default()};
    for (int32_t i = 0; i < count; i++) {
        double time = i / hz;
        float part = (float)time;
        kerb_scene_frame frame = {.time = time, .motion = kerb_motion_default()};
        frame.motion.position = kerb_vec3_make(10.0f * part, -3.0f * part, 0.0f);
        frame.motion.velocity = kerb_vec3_make(2.0f * part, 0.0f, 0.0f);
        frame.thoughts.nearest = kerb_vec3_make(10.5f * part, -2.5f * part, 0.0f);
        frame.controls.reason = (kerb_reason)(1 + i % 3);
        frame.cross_track_error = 0.25f * part;
        frame.progress = 10.0 * time;
        frame.inside_corridor = true;
        tool_recording_watch(&recording, &frame);
    }
    return recording;
}

static void expect_linear(const cJSON* trial, const char* name, double slope) {
    column values = column_of(trial, name);
    double step = cJSON_GetObjectItem(trial, "stride")->valuedouble /
                  cJSON_GetObjectItem(trial, "rate")->valuedouble;
    assert_int_equal(values.count, cJSON_GetObjectItem(trial, "count")->valueint);
    for (int32_t i = 0; i < values.count - 1; i++)
        if (fabs(values.values[i] - slope * step * i) > values.tolerance)
            fail_msg("%s at sample %d is %g, not %g", name, (int)i, values.values[i],
                     slope * step * i);
}

// --------------------------------------------------------------------------- the document

static void the_page_is_one_document_that_loads_nothing(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    tool_recording recording = linear_drive(&course, 60.0, 61);
    page written = page_of_one(&recording);
    assert_memory_equal(written.text, "<!doctype html>", 15);
    assert_string_equal(written.text + written.size - 8, "</html>\n");
    assert_int_equal(occurrences(written.text, "<script"), occurrences(written.text, "</script>"));
    assert_int_equal(occurrences(written.text, "@media (prefers-color-scheme: dark)"), 1);
    assert_int_equal(occurrences(written.text, "class Player {"), 1);
    const char* absent[] = {"@TITLE@", "@STYLE@",  "@DATA@", "@SCRIPTS@", "src=",
                            "@import", "https://", "fetch(", "import("};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (strstr(written.text, absent[i]))
            fail_msg("the page holds %s", absent[i]);
    // The one address is the name of SVG's vocabulary, which nobody loads.
    assert_int_equal(occurrences(written.text, "http"),
                     occurrences(written.text, "www.w3.org/2000/svg"));
    page_free(&written);
    tool_recording_free(&recording);
}

static void names_cannot_break_out_of_the_page(void** state) {
    (void)state;
    const char* wicked = "</script><script>alert(\"1\")</script><!-- & \\ \n'";
    kerb_scene_course course = straight_course(wicked);
    tool_recording recording = linear_drive(&course, 60.0, 61);
    snprintf(recording.vehicle_name, sizeof recording.vehicle_name, "%s", wicked);
    const tool_recording* recordings[1] = {&recording};
    page written = page_write(wicked, recordings, 1);
    page plain = page_of_one(&recording);
    assert_int_equal(occurrences(written.text, "<script"), occurrences(plain.text, "<script"));
    assert_null(strstr(written.text, "alert(\"1\")"));
    assert_null(strstr(written.text, "<!--"));
    const cJSON* first = cJSON_GetArrayItem(cJSON_GetObjectItem(written.data, "courses"), 0);
    assert_string_equal(cJSON_GetObjectItem(first, "name")->valuestring, wicked);
    assert_string_equal(cJSON_GetObjectItem(written.data, "title")->valuestring, wicked);
    page_free(&plain);
    page_free(&written);
    tool_recording_free(&recording);
}

static void expect_title(const char* title, const char* expected) {
    page written = page_write(title, NULL, 0);
    assert_string_equal(cJSON_GetObjectItem(written.data, "title")->valuestring, expected);
    page_free(&written);
}

static void text_that_is_not_utf8_is_replaced(void** state) {
    (void)state;
    expect_title("Nürburg ▲ 🏁", "Nürburg ▲ 🏁");
    expect_title("a\xff"
                 "b",
                 "a\xef\xbf\xbd"
                 "b");                                // never a lead byte
    expect_title("a\xe2\x82", "a\xef\xbf\xbd");       // cut off
    expect_title("\xc0\xaf", "\xef\xbf\xbd");         // overlong slash
    expect_title("\xed\xa0\x80", "\xef\xbf\xbd");     // half a surrogate pair
    expect_title("\xf4\x90\x80\x80", "\xef\xbf\xbd"); // beyond U+10FFFF
    expect_title("\x80z", "\xef\xbf\xbdz");           // a continuation alone
}

static void nothing_driven_still_gives_a_page(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    tool_recording recording = {.course = &course, .vehicle = kerb_vehicle_default()};
    page written = page_of_one(&recording);
    assert_int_equal(cJSON_GetObjectItem(trial_of(&written, 0), "count")->valueint, 0);
    page_free(&written);
    written = page_write("none", NULL, 0);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(written.data, "trials")), 0);
    page_free(&written);
}

static void a_file_that_cannot_be_written_is_reported(void** state) {
    (void)state;
    FILE* full = fopen("/dev/full", "wb");
    if (!full)
        skip();
    assert_false(tool_replay_page_write(full, "full", NULL, 0));
    fclose(full);
}

static void trials_on_one_course_share_it(void** state) {
    (void)state;
    kerb_scene_course courses[3] = {straight_course("a"), straight_course("b"),
                                    straight_course("c")};
    const int order[5] = {0, 1, 0, 2, 1};
    tool_recording drives[5];
    const tool_recording* recordings[5];
    for (int32_t i = 0; i < 5; i++) {
        drives[i] = linear_drive(&courses[order[i]], 60.0, 61);
        recordings[i] = &drives[i];
    }
    page written = page_write("five", recordings, 5);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(written.data, "courses")), 3);
    for (int32_t i = 0; i < 5; i++) {
        assert_int_equal(cJSON_GetObjectItem(trial_of(&written, i), "course")->valueint, order[i]);
        tool_recording_free(&drives[i]);
    }
    page_free(&written);
}

// --------------------------------------------------------------------------- same bytes

static void the_same_recordings_give_the_same_bytes(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    tool_recording recording = linear_drive(&course, 60.0, 500);
    recording.result.drive_ns = 150.0;
    page first = page_of_one(&recording);
    recording.result.drive_ns = 170.0; // wall time is another in every run
    page second = page_of_one(&recording);
    assert_string_equal(first.text, second.text);
    recording.frames[200].motion.position.x += 1.0f;
    page third = page_of_one(&recording);
    assert_string_not_equal(first.text, third.text);
    page_free(&first);
    page_free(&second);
    page_free(&third);
    tool_recording_free(&recording);
}

static void the_locale_changes_nothing(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    tool_recording recording = linear_drive(&course, 60.0, 100);
    recording.result.cte_mean = 0.125;
    page plain = page_of_one(&recording);
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) {
        print_message("no locale with a decimal comma is installed: nothing compared\n");
        page_free(&plain);
        tool_recording_free(&recording);
        skip();
    }
    page other = page_of_one(&recording);
    setlocale(LC_ALL, "C");
    assert_string_equal(plain.text, other.text);
    page_free(&plain);
    page_free(&other);
    tool_recording_free(&recording);
}

// --------------------------------------------------------------------------- samples

static void samples_between_frames_are_interpolated(void** state) {
    (void)state;
    const double rates[5] = {20.0, 47.0, 60.0, 120.0, 240.0};
    kerb_scene_course course = straight_course("straight");
    for (int32_t i = 0; i < 5; i++) {
        tool_recording recording = linear_drive(&course, rates[i], 1 + (int32_t)(4.0 * rates[i]));
        page written = page_of_one(&recording);
        const cJSON* trial = trial_of(&written, 0);
        assert_int_equal(cJSON_GetObjectItem(trial, "count")->valueint, 121);
        expect_linear(trial, "x", 10.0);
        expect_linear(trial, "y", -3.0);
        expect_linear(trial, "progress", 10.0);
        expect_linear(trial, "speed", 2.0);
        expect_linear(trial, "error", 0.25);
        expect_linear(trial, "nearest_x", 0.5); // kept relative to the vehicle
        expect_linear(trial, "nearest_y", 0.5);
        page_free(&written);
        tool_recording_free(&recording);
    }
}

static void the_last_sample_is_the_last_frame(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    for (int32_t count = 60; count < 64; count++) {
        tool_recording recording = linear_drive(&course, 60.0, count);
        page written = page_of_one(&recording);
        column x = column_of(trial_of(&written, 0), "x");
        double expected = (double)recording.frames[count - 1].motion.position.x;
        assert_true(fabs(x.values[x.count - 1] - expected) < 1.0e-6);
        page_free(&written);
        tool_recording_free(&recording);
    }
}

static void headings_turn_the_short_way_through_half_a_turn(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    tool_recording recording = linear_drive(&course, 20.0, 41);
    for (int32_t i = 0; i < recording.count; i++)
        recording.frames[i].motion.rotation = kerb_quat_from_heading(3.0f + 0.01f * (float)i);
    page written = page_of_one(&recording);
    column heading = column_of(trial_of(&written, 0), "heading");
    for (int32_t i = 0; i < heading.count; i++) {
        float expected = kerb_wrap_angle(3.0f + 0.2f * (float)i / 30.0f);
        float off = kerb_wrap_angle((float)heading.values[i] - expected);
        assert_true(fabs((double)off) <= heading.tolerance);
    }
    page_free(&written);
    tool_recording_free(&recording);
}

static void a_fault_of_one_frame_survives_thinning(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    for (int32_t fault = 30; fault < 38; fault++) {
        tool_recording recording = linear_drive(&course, 240.0, 481);
        recording.frames[fault].inside_corridor = false;
        recording.frames[fault].stuck = true;
        recording.frames[fault].touching = true;
        page written = page_of_one(&recording);
        unsigned char bytes[256];
        int32_t count = states_of(trial_of(&written, 0), bytes, 256), outside = 0, stuck = 0;
        int32_t touching = 0;
        for (int32_t i = 0; i < count; i++) {
            outside += bytes[2 * i + 1] >> 4 & 1;
            stuck += bytes[2 * i + 1] >> 5 & 1;
            touching += bytes[2 * i + 1] >> 6 & 1;
        }
        assert_int_equal(outside, 1);
        assert_int_equal(stuck, 1);
        assert_int_equal(touching, 1);
        page_free(&written);
        tool_recording_free(&recording);
    }
}

static void the_world_of_a_course_is_written(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    const kerb_sim_obstacle solids[] = {{KERB_SIM_WALL, {1.0f, 2.0f}, {3.0f, 4.0f}, 0.5f},
                                        {KERB_SIM_POST, {5.0f, 6.0f}, {5.0f, 6.0f}, 0.25f}};
    const kerb_sim_zone zones[] = {{.centre = {7.0f, 8.0f}, .radius = 9.0f, .grip = 0.25f}};
    const float heights[] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f};
    course.world = (kerb_sim_world){{-1.0f, -2.0f, 4.0f, 3, 2, heights}, zones, 1, solids, 2};
    tool_recording recording = linear_drive(&course, 60.0, 61);
    page written = page_of_one(&recording);
    const cJSON* written_course =
        cJSON_GetArrayItem(cJSON_GetObjectItem(written.data, "courses"), 0);
    column values = column_of(written_course, "solids");
    static const double expected[] = {1, 2, 3, 4, 0.5, 0, 5, 6, 5, 6, 0.25, 1};
    assert_int_equal(values.count, 12);
    assert_memory_equal(values.values, expected, sizeof expected);
    values = column_of(written_course, "zones");
    static const double zone[] = {7, 8, 9, 0, 0, 0, 0.25};
    assert_int_equal(values.count, 7);
    assert_memory_equal(values.values, zone, sizeof zone);
    const cJSON* terrain = cJSON_GetObjectItem(written_course, "terrain");
    assert_true(cJSON_GetObjectItem(terrain, "nx")->valuedouble == 3.0);
    values = column_of(terrain, "heights");
    assert_int_equal(values.count, 6);
    assert_true(values.values[5] == 5.0);
    page_free(&written);
    tool_recording_free(&recording);
}

static void reason_and_gear_are_those_of_the_frame(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    tool_recording recording = linear_drive(&course, 30.0, 61);
    for (int32_t i = 0; i < recording.count; i++)
        recording.frames[i].motion.gear = i % 12 - 1;
    page written = page_of_one(&recording);
    unsigned char bytes[256];
    int32_t count = states_of(trial_of(&written, 0), bytes, 256);
    assert_int_equal(count, 61);
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(bytes[2 * i], 1 + i % 3);
        assert_int_equal((bytes[2 * i + 1] & 15) - 2, i % 12 - 1);
    }
    page_free(&written);
    tool_recording_free(&recording);
}

static void a_trial_ends_with_its_last_frame_not_with_a_whole_step(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    // 17 frames of 1/60 s; samples lie 1/30 s apart.
    tool_recording recording = linear_drive(&course, 60.0, 18);
    page written = page_of_one(&recording);
    const cJSON* trial = trial_of(&written, 0);
    double end = cJSON_GetObjectItem(trial, "end")->valuedouble;
    assert_true(fabs(end - 17.0 / 60.0) < 1.0e-6);
    assert_int_equal(cJSON_GetObjectItem(trial, "count")->valueint, 10);
    page_free(&written);
    tool_recording_free(&recording);
}

static void long_trials_get_fewer_samples(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    tool_recording recording = linear_drive(&course, 10.0, 10 * 1000 + 1);
    page written = page_of_one(&recording);
    const cJSON* trial = trial_of(&written, 0);
    assert_in_range(cJSON_GetObjectItem(trial, "count")->valueint, TOOL_REPLAY_SAMPLES_MOST / 2,
                    TOOL_REPLAY_SAMPLES_MOST + 1);
    assert_int_equal(cJSON_GetObjectItem(trial, "stride")->valueint, 6);
    expect_linear(trial, "progress", 10.0);
    page_free(&written);
    tool_recording_free(&recording);
}

static void a_page_of_many_trials_gets_fewer_samples_of_each(void** state) {
    (void)state;
    enum { TRIALS = 60 };
    kerb_scene_course course = straight_course("straight");
    tool_recording recording = linear_drive(&course, 20.0, 60 * 20);
    const tool_recording* recordings[TRIALS];
    for (int32_t i = 0; i < TRIALS; i++)
        recordings[i] = &recording;
    page written = page_write("many", recordings, TRIALS);
    const cJSON* trial =
        cJSON_GetArrayItem(cJSON_GetObjectItem(written.data, "trials"), TRIALS - 1);
    assert_int_equal(cJSON_GetObjectItem(trial, "stride")->valueint, 2);
    expect_linear(trial, "error", 0.25);
    page_free(&written);
    tool_recording_free(&recording);
}

static void numbers_that_are_not_finite_become_zero(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    tool_recording recording = linear_drive(&course, 30.0, 31);
    recording.frames[10].motion.position.x = NAN;
    recording.frames[11].cross_track_error = INFINITY;
    recording.result.cte_max = (double)NAN;
    page written = page_of_one(&recording);
    const cJSON* trial = trial_of(&written, 0);
    column x = column_of(trial, "x");
    assert_true(x.values[10] == 0.0);
    column error = column_of(trial, "error");
    assert_true(error.values[11] == 0.0);
    const cJSON* result = cJSON_GetObjectItem(trial, "result");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(result, "cte_max_m")));
    page_free(&written);
    tool_recording_free(&recording);
}

static void huge_courses_are_thinned_but_keep_their_stops(void** state) {
    (void)state;
    enum { COUNT = 100000 };
    kerb_waypoint* waypoints = calloc(COUNT, sizeof *waypoints);
    assert_non_null(waypoints);
    for (int32_t i = 0; i < COUNT; i++)
        waypoints[i] = kerb_waypoint_at((float)i, 0.0f, 0.0f);
    waypoints[77777].stop = 2.0f;
    kerb_scene_course course = {.waypoints = waypoints, .count = COUNT};
    tool_recording recording = linear_drive(&course, 30.0, 31);
    page written = page_of_one(&recording);
    const cJSON* first = cJSON_GetArrayItem(cJSON_GetObjectItem(written.data, "courses"), 0);
    column stop = column_of(first, "stop");
    assert_in_range(stop.count, 1000, TOOL_REPLAY_WAYPOINTS_MOST);
    int32_t stops = 0;
    for (int32_t i = 0; i < stop.count; i++)
        stops += stop.values[i] == 2.0;
    assert_int_equal(stops, 1);
    column x = column_of(first, "x");
    assert_true(x.values[0] == 0.0 && x.values[x.count - 1] == COUNT - 1);
    page_free(&written);
    tool_recording_free(&recording);
    free(waypoints);
}

// --------------------------------------------------------------------------- twelve trials

/// Three followers on four courses.
typedef struct demonstration {
    kerb_scene_course courses[TRIALS_MOST / REPLAY_FOLLOWERS];
    tool_recording recordings[TRIALS_MOST];
    const tool_recording* pointers[TRIALS_MOST];
    int32_t course_count, count;
} demonstration;

static void demonstration_make(demonstration* made, float duration) {
    kerb_host host = kerb_host_default();
    memset(made, 0, sizeof *made);
    for (int32_t i = 0; i < TRIALS_MOST / REPLAY_FOLLOWERS && i < kerb_scene_course_count(); i++) {
        kerb_scene_course* course = &made->courses[made->course_count++];
        if (kerb_scene_course_make(kerb_scene_course_name(i), &host, course, NULL) != KERB_OK)
            abort();
        for (int32_t follower = 0; follower < REPLAY_FOLLOWERS; follower++) {
            made->recordings[made->count] =
                replay_recording_make(course, follower, 60.0f, duration);
            made->pointers[made->count] = &made->recordings[made->count];
            made->count++;
        }
    }
}

static void demonstration_free(demonstration* made) {
    kerb_host host = kerb_host_default();
    for (int32_t i = 0; i < made->count; i++)
        tool_recording_free(&made->recordings[i]);
    for (int32_t i = 0; i < made->course_count; i++)
        kerb_scene_course_free(&made->courses[i], &host);
}

static void twelve_trials_of_a_minute_stay_under_two_megabytes(void** state) {
    (void)state;
    kerb_scene_course course = straight_course("straight");
    tool_recording recording = linear_drive(&course, 60.0, 3601);
    const tool_recording* recordings[TRIALS_MOST];
    for (int32_t i = 0; i < TRIALS_MOST; i++)
        recordings[i] = &recording;
    page written = page_write("twelve", recordings, TRIALS_MOST);
    print_message("twelve trials of 60 s: %zu bytes\n", written.size);
    assert_in_range(written.size, 1000000, TWO_MEGABYTES);
    page_free(&written);
    tool_recording_free(&recording);
}

static int write_demonstration(const char* path) {
    static demonstration made;
    demonstration_make(&made, 120.0f);
    FILE* file = fopen(path, "wb");
    bool written =
        file && tool_replay_page_write(file, "replay page, test drives", made.pointers, made.count);
    demonstration_free(&made);
    if (file && fclose(file) == 0 && written)
        return EXIT_SUCCESS;
    perror(path);
    return EXIT_FAILURE;
}

int main(int argc, char** argv) {
    if (argc == 2)
        return write_demonstration(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_one_document_that_loads_nothing),
        cmocka_unit_test(names_cannot_break_out_of_the_page),
        cmocka_unit_test(text_that_is_not_utf8_is_replaced),
        cmocka_unit_test(nothing_driven_still_gives_a_page),
        cmocka_unit_test(a_file_that_cannot_be_written_is_reported),
        cmocka_unit_test(trials_on_one_course_share_it),
        cmocka_unit_test(the_same_recordings_give_the_same_bytes),
        cmocka_unit_test(the_locale_changes_nothing),
        cmocka_unit_test(samples_between_frames_are_interpolated),
        cmocka_unit_test(the_last_sample_is_the_last_frame),
        cmocka_unit_test(headings_turn_the_short_way_through_half_a_turn),
        cmocka_unit_test(a_fault_of_one_frame_survives_thinning),
        cmocka_unit_test(the_world_of_a_course_is_written),
        cmocka_unit_test(reason_and_gear_are_those_of_the_frame),
        cmocka_unit_test(a_trial_ends_with_its_last_frame_not_with_a_whole_step),
        cmocka_unit_test(long_trials_get_fewer_samples),
        cmocka_unit_test(a_page_of_many_trials_gets_fewer_samples_of_each),
        cmocka_unit_test(numbers_that_are_not_finite_become_zero),
        cmocka_unit_test(huge_courses_are_thinned_but_keep_their_stops),
        cmocka_unit_test(twelve_trials_of_a_minute_stay_under_two_megabytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
