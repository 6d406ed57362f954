// For tests of tracks as text: one track at a time, read from counted memory.
#ifndef TEST_TRACK_RIG_H
#define TEST_TRACK_RIG_H

#include "kerb/io/track.h"
#include "test/allocation.h"

#include <stdlib.h>
#include <string.h>

static test_allocation allocation;
static kerb_host host;
static kerb_io_track track;
static kerb_error error;

static int set_up(void** state) {
    (void)state;
    allocation = test_allocation_make();
    host = test_allocation_host(&allocation);
    return 0;
}

static int tear_down(void** state) {
    (void)state;
    kerb_io_track_destroy(&track, &host);
    test_allocation_check(&allocation);
    return 0;
}

// Reads from a block of just that length, so that the address sanitizer sees a step too far.
static kerb_result read_bytes(const char* text, size_t length) {
    kerb_io_track_destroy(&track, &host);
    char* block = malloc(length ? length : 1);
    memcpy(block, text, length);
    memset(&error, 0, sizeof error);
    kerb_result result = kerb_io_track_read(&track, block, length, &host, NULL, &error);
    free(block);
    return result;
}

#endif
