// What must hold for any bytes given to the reader of tracks. Called by the fuzz targets, and by a
// test with the corpus and mutations of it.
#ifndef FUZZ_TRACK_H
#define FUZZ_TRACK_H

#include "fuzz/demand.h"
#include "kerb/io/track.h"
#include "kerb/racing_line.h"

#include <string.h>

// Everything that the columns hold; a -0 may come back as 0.
static inline void fuzz_check_same(const kerb_io_track* a, const kerb_io_track* b) {
    FUZZ_DEMAND(a->count == b->count && a->closed == b->closed);
    FUZZ_DEMAND(a->offset[0] == b->offset[0] && a->offset[1] == b->offset[1]);
    FUZZ_DEMAND(a->anchored == b->anchored);
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t column = 0; column < kerb_io_track_columns.count; column++)
            FUZZ_DEMAND(
                kerb_settings_get(&kerb_io_track_columns.settings[column], &a->waypoints[i]) ==
                kerb_settings_get(&kerb_io_track_columns.settings[column], &b->waypoints[i]));
}

/// A track or an error with a message; waypoints are each good for a path, read back equal from
/// what is written, and neither the check nor the path falls over them.
static inline void fuzz_track(const uint8_t* data, size_t size) {
    kerb_host host = kerb_host_default();
    kerb_error error = {.result = KERB_OK};
    kerb_io_track track, again;
    kerb_path path;
    kerb_result result = kerb_io_track_read(&track, (const char*)data, size, &host, NULL, &error);
    FUZZ_DEMAND(error.result == result);
    if (result != KERB_OK) {
        FUZZ_DEMAND(error.message[0] && error.line >= 0 && !track.waypoints);
        return;
    }
    FUZZ_DEMAND(track.count >= 1);
    FUZZ_DEMAND(kerb_waypoints_validate(track.waypoints, track.count, NULL) == KERB_OK);
    kerb_io_text text = kerb_io_text_make(&host.allocator);
    FUZZ_DEMAND(kerb_io_track_write(&text, &track, true, &error) == KERB_OK);
    FUZZ_DEMAND(kerb_io_track_csv_read(&again, text.data, text.length, &host, NULL, &error) ==
                KERB_OK);
    fuzz_check_same(&track, &again);
    if (kerb_track_validate(track.waypoints, track.count, track.closed, NULL) == KERB_OK) {
        FUZZ_DEMAND(kerb_path_create(&path, track.waypoints, track.count, track.closed, &host,
                                     NULL) == KERB_OK);
        kerb_path_destroy(&path);
    }
    kerb_io_text_destroy(&text);
    kerb_io_track_destroy(&again, &host);
    kerb_io_track_destroy(&track, &host);
}

#endif
