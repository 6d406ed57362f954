// POSIX: monotonic clock, pthreads. Windows: its performance counter, and jobs run one after
// another, which changes no result. Threads take the next index from a counter under the lock: jobs
// are long, so that costs nothing.
#include "tool/command/machine.h"

typedef struct jobs {
    int32_t next, count;
    void (*job)(void* context, int32_t index);
    void* context;
} jobs;

#if defined(_WIN32)

#include <io.h>
#include <windows.h>

// Whole seconds apart, so that the product does not overflow.
uint64_t tool_clock_ns(void) {
    LARGE_INTEGER now, per_second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&per_second);
    uint64_t ticks = (uint64_t)now.QuadPart, rate = (uint64_t)per_second.QuadPart;
    return ticks / rate * 1000000000u + ticks % rate * 1000000000u / rate;
}

int32_t tool_processors(void) {
    return 1;
}

bool tool_error_is_terminal(void) {
    return _isatty(2) != 0;
}

void tool_lock(void) {
}

void tool_unlock(void) {
}

static void run_on_threads(jobs* all, int32_t threads, void* (*work)(void* argument)) {
    (void)threads;
    work(all);
}

#else

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 64

static pthread_mutex_t the_lock = PTHREAD_MUTEX_INITIALIZER;

uint64_t tool_clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int32_t tool_processors(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1)
        return 1;
    return processors < THREADS_MAX ? (int32_t)processors : THREADS_MAX;
}

bool tool_error_is_terminal(void) {
    return isatty(STDERR_FILENO) != 0;
}

void tool_lock(void) {
    pthread_mutex_lock(&the_lock);
}

void tool_unlock(void) {
    pthread_mutex_unlock(&the_lock);
}

// The calling thread works too, so that a machine that refuses threads still gets everything done.
static void run_on_threads(jobs* all, int32_t threads, void* (*work)(void* argument)) {
    pthread_t others[THREADS_MAX];
    int32_t started = 0;
    while (started < threads - 1 && started < THREADS_MAX &&
           pthread_create(&others[started], NULL, work, all) == 0)
        started++;
    work(all);
    for (int32_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
}

#endif

static int32_t take(jobs* all) {
    tool_lock();
    int32_t index = all->next < all->count ? all->next++ : -1;
    tool_unlock();
    return index;
}

static void* work(void* argument) {
    jobs* all = argument;
    for (int32_t index = take(all); index >= 0; index = take(all))
        all->job(all->context, index);
    return NULL;
}

void tool_parallel(int32_t count, int32_t threads, void (*job)(void* context, int32_t index),
                   void* context) {
    jobs all = {0, count, job, context};
    run_on_threads(&all, threads < count ? threads : count, work);
}
