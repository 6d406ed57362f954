// Tasks of a host that does the ranges of a task one after another from the last to the first, an
// order that no machine would choose. The context is the greatest size of a range, an int32_t.
#ifndef TEST_BACKWARD_TASKS_H
#define TEST_BACKWARD_TASKS_H

#include "kerb/base.h"

static inline void* test_start_backwards(void* context, kerb_task* task, void* argument,
                                         int32_t count, int32_t range_size_min) {
    int32_t size = *(const int32_t*)context;
    (void)range_size_min;
    for (int32_t begin = (count - 1) / size * size; begin >= 0; begin -= size)
        task(begin, begin + size < count ? begin + size : count, argument);
    return NULL;
}

static inline void test_finish_nothing(void* context, void* handle) {
    (void)context;
    (void)handle;
}

static inline kerb_tasks test_backward_tasks(int32_t* size) {
    kerb_tasks tasks = {test_start_backwards, test_finish_nothing, size};
    return tasks;
}

#endif
