// Keeps the frames of a trial in an array that doubles: O(1) a frame on average, about 200 bytes
// each. A trial cannot be stopped from its watcher, so a failed allocation is stored and reported
// after the run.
#include "tool/report/recording.h"

#include <stdlib.h>

#define FIRST_CAPACITY 4096

static bool grow(tool_recording* recording) {
    if (recording->capacity > INT32_MAX / 2)
        return false;
    int32_t capacity = recording->capacity > 0 ? recording->capacity * 2 : FIRST_CAPACITY;
    kerb_scene_frame* frames = realloc(recording->frames, (size_t)capacity * sizeof *frames);
    if (!frames)
        return false;
    recording->frames = frames;
    recording->capacity = capacity;
    return true;
}

void tool_recording_watch(void* context, const kerb_scene_frame* frame) {
    tool_recording* recording = context;
    if (recording->out_of_memory)
        return;
    if (recording->count == recording->capacity && !grow(recording)) {
        recording->out_of_memory = true;
        return;
    }
    recording->frames[recording->count++] = *frame;
}

void tool_recording_free(tool_recording* recording) {
    free(recording->frames);
    recording->frames = NULL;
    recording->count = 0;
    recording->capacity = 0;
}
