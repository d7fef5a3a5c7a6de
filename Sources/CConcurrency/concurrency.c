#include "concurrency.h"
#include <stdatomic.h>
#include <stdint.h>

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*pool)(void *step);

// Of no actor and no executor: all zero (`SerialExecutorRef::generic` in swift/ABI/Executor.h).
struct executor {
    void *identity;
    uintptr_t implementation;
};

extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *step, pool enqueue);
extern SWIFT_CALL void swift_job_run(void *step, struct executor executor);

static bool (*taker)(void *step);

static SWIFT_CALL void offer(void *step, pool enqueue) {
    if (!taker(step)) enqueue(step);
}

void cconcurrency_offer(bool (*take)(void *step)) {
    taker = take;
    // The runtime reads it without any order, as a pointer that is set before there are tasks; here there are some.
    atomic_thread_fence(memory_order_release);
    swift_task_enqueueGlobal_hook = offer;
}

void cconcurrency_run(void *step) { swift_job_run(step, (struct executor){0}); }
