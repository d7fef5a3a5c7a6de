// Lets a test step the clocks of a process it starts: preloaded (ld.so(8), LD_PRELOAD), it adds to what the kernel says the
// nanoseconds that stand in the file of STEPPED_CLOCK_FILE, which the test writes while the process runs: eight bytes for
// the wall clock, then eight for the monotonic one, by which everything waits.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { WALL, MONOTONIC, CLOCKS };

static _Atomic int64_t *steps;

__attribute__((constructor)) static void find_steps(void) {
    const char *path = getenv("STEPPED_CLOCK_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *page = mmap(NULL, CLOCKS * sizeof *steps, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) steps = page;
}

static int which_step(clockid_t clock) {
    switch (clock) {
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE: return WALL;
        case CLOCK_MONOTONIC:
        case CLOCK_MONOTONIC_COARSE:
        case CLOCK_MONOTONIC_RAW:
        case CLOCK_BOOTTIME: return MONOTONIC;
        default: return CLOCKS;
    }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    int which = which_step(clock);
    if (result == 0 && steps && which < CLOCKS) {
        int64_t nanoseconds = now->tv_sec * INT64_C(1000000000) + now->tv_nsec + atomic_load(&steps[which]);
        now->tv_sec = nanoseconds / 1000000000;
        now->tv_nsec = nanoseconds % 1000000000;
    }
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec precise;
    if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec precise;
    if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return (time_t)-1;
    if (result) *result = precise.tv_sec;
    return precise.tv_sec;
}

// The clocks of timers by descriptor: an absolute time was read from a clock that is off, and the kernel's own is not.
enum { TIMERS = 1024 };
static _Atomic int clocks_of_timers[TIMERS];

int timerfd_create(int clock, int flags) {
    int timer = (int)syscall(SYS_timerfd_create, clock, flags);
    if (timer >= 0 && timer < TIMERS) atomic_store(&clocks_of_timers[timer], clock);
    return timer;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *former) {
    struct itimerspec kernels = *value;
    int which = timer >= 0 && timer < TIMERS ? which_step(atomic_load(&clocks_of_timers[timer])) : CLOCKS;
    bool is_armed = value->it_value.tv_sec != 0 || value->it_value.tv_nsec != 0;
    if (is_armed && (flags & TFD_TIMER_ABSTIME) && steps && which < CLOCKS) {
        int64_t nanoseconds = value->it_value.tv_sec * INT64_C(1000000000) + value->it_value.tv_nsec;
        nanoseconds -= atomic_load(&steps[which]);
        // A moment long past: at once, where zero would disarm it.
        if (nanoseconds < 1) nanoseconds = 1;
        kernels.it_value.tv_sec = nanoseconds / 1000000000;
        kernels.it_value.tv_nsec = nanoseconds % 1000000000;
    }
    return (int)syscall(SYS_timerfd_settime, timer, flags, &kernels, former);
}
