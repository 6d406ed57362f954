// What must hold for any bytes given to the reader of courses. Called by the fuzz target, and by a
// test with the corpus and mutations of it.
#ifndef FUZZ_COURSE_CSV_H
#define FUZZ_COURSE_CSV_H

#include "fuzz/demand.h"
#include "kerb/io/course_csv.h"

static inline void fuzz_check_rows(const kerb_io_course* course) {
    for (int32_t i = 0; i < course->count; i++) {
        const kerb_waypoint* waypoint = &course->waypoints[i];
        FUZZ_DEMAND(kerb_settings_validate(&kerb_io_course_columns, waypoint, NULL) == KERB_OK);
        FUZZ_DEMAND(waypoint->direction == 1 || waypoint->direction == -1);
    }
}

// Not memcmp: a -0 in a column that may be left out comes back as 0.
static inline void fuzz_check_equal(const kerb_io_course* a, const kerb_io_course* b) {
    FUZZ_DEMAND(a->count == b->count && a->closed == b->closed);
    FUZZ_DEMAND(a->offset[0] == b->offset[0] && a->offset[1] == b->offset[1]);
    FUZZ_DEMAND(a->anchored == b->anchored);
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t column = 0; column < kerb_io_course_columns.count; column++)
            FUZZ_DEMAND(
                kerb_settings_get(&kerb_io_course_columns.settings[column], &a->waypoints[i]) ==
                kerb_settings_get(&kerb_io_course_columns.settings[column], &b->waypoints[i]));
}

/// A course or an error with a message; a course is within its ranges, reads back equal from what
/// is written, and the path built from it does not fall.
static inline void fuzz_course_csv(const uint8_t* data, size_t size) {
    kerb_host host = kerb_host_default();
    kerb_error error = {.result = KERB_OK};
    kerb_io_course course, again;
    kerb_path path;
    kerb_result result =
        kerb_io_course_csv_read(&course, (const char*)data, size, &host, NULL, &error);
    FUZZ_DEMAND(error.result == result);
    if (result != KERB_OK) {
        FUZZ_DEMAND(error.message[0] && error.line >= 0 && !course.waypoints);
        return;
    }
    FUZZ_DEMAND(course.count >= 1);
    fuzz_check_rows(&course);
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    FUZZ_DEMAND(kerb_io_course_write(&text, &course, &error) == KERB_OK);
    FUZZ_DEMAND(kerb_io_course_csv_read(&again, text.data, text.length, &host, NULL, &error) ==
                KERB_OK);
    fuzz_check_equal(&course, &again);
    if (kerb_path_create(&path, course.waypoints, course.count, course.closed, &host, &error) ==
        KERB_OK)
        kerb_path_destroy(&path);
    kerb_io_text_destroy(&text);
    kerb_io_course_destroy(&again, &host);
    kerb_io_course_destroy(&course, &host);
}

#endif
