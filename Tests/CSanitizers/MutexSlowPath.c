// Tells the thread sanitizer about contended locks of Swift's Mutex.
//
// The fast path of Synchronization.Mutex is compiled into us and seen by the sanitizer. The slow path, taken when two
// threads meet, is in libswiftSynchronization, which is not instrumented: the sanitizer misses that one thread waited
// for the other and reports races that are none. These two functions take the place of the library's, call them, and
// say what happened (`compiler-rt/lib/tsan/rtl/tsan_interface.h`). Without the sanitizer this file is empty.
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT_CALL __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT_CALL void lock_slow(uint32_t thread, SWIFT_SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT_CALL void unlock_slow(SWIFT_SELF void *mutex) __asm__(UNLOCK_SLOW);

SWIFT_CALL void lock_slow(uint32_t thread, SWIFT_SELF void *mutex) {
    SWIFT_CALL void (*library)(uint32_t, SWIFT_SELF void *) = dlsym(RTLD_NEXT, LOCK_SLOW);
    library(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT_CALL void unlock_slow(SWIFT_SELF void *mutex) {
    SWIFT_CALL void (*library)(SWIFT_SELF void *) = dlsym(RTLD_NEXT, UNLOCK_SLOW);
    __tsan_release(mutex);
    library(mutex);
}

#endif
