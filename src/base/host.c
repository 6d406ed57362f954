// The default host: memory from malloc and free, a log that writes nothing, tasks that run one
// after another on the calling thread.
#include "kerb/base.h"

#include <stdlib.h>

// malloc aligns to 16 bytes at best, and MSVC has no aligned_alloc. So this function allocates
// more than asked for and stores malloc's own pointer in front of the memory that it returns.
static void* allocate(void* context, size_t size, size_t alignment) {
    (void)context;
    if (alignment < sizeof(void*))
        alignment = sizeof(void*);
    size_t extra = alignment + sizeof(void*);
    if (size > SIZE_MAX - extra)
        return NULL;
    char* raw = malloc(size + extra);
    if (!raw)
        return NULL;
    size_t past = (size_t)((uintptr_t)(raw + sizeof(void*)) % alignment);
    char* aligned = raw + sizeof(void*) + (past ? alignment - past : 0);
    ((void**)(void*)aligned)[-1] = raw;
    return aligned;
}

static void release(void* context, void* memory, size_t size) {
    (void)context;
    (void)size;
    if (memory)
        free(((void**)memory)[-1]);
}

// Runs the whole task at once on the calling thread, so base_host_finish has nothing to do.
static void* start(void* context, kerb_task* task, void* argument, int32_t count,
                   int32_t range_size_min) {
    (void)context;
    (void)range_size_min;
    if (count > 0)
        task(0, count, argument);
    return NULL;
}

static void base_host_finish(void* context, void* handle) {
    (void)context;
    (void)handle;
}

kerb_host kerb_host_default(void) {
    kerb_host host = {
        .allocator = {allocate, release, NULL},
        .log = {NULL, NULL},
        .tasks = {start, base_host_finish, NULL},
    };
    return host;
}
