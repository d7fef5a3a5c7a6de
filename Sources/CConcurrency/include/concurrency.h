// Swift's global executor: the pool of threads for every step of a task that belongs to no executor of its own. The runtime
// lets a program put something before it (`swift_task_enqueueGlobal_hook` in swift/Runtime/Concurrency.h), which Swift
// itself cannot name.
#pragma once
#include <stdbool.h>

// From now on each such step is offered here first; what is not taken goes to the pool. To be called once. The function is
// called on any thread, and whoever takes a step must run it.
void cconcurrency_offer(bool (*take)(void *step));

// Runs a step that was taken, on the thread that calls this.
void cconcurrency_run(void *step);
