// dl_iterate_phdr(3) and malloc_trim(3) are GNU's own, and Swift's view of the C library lacks them.
#define _GNU_SOURCE
#include "memory.h"

#include <link.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// Whether the loader had to write into read-only segments; such pages could not come back from the file.
static int has_text_relocations(const struct dl_phdr_info *object) {
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[index];
        if (header->p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + header->p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL) return 1;
            if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)) return 1;
        }
    }
    return 0;
}

static int drop_object(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    (void)context;
    if (has_text_relocations(object)) return 0;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[index];
        if (header->p_type != PT_LOAD || (header->p_flags & PF_W)) continue;
        uintptr_t start = (object->dlpi_addr + header->p_vaddr) & ~(page - 1);
        uintptr_t end = object->dlpi_addr + header->p_vaddr + header->p_memsz;
        // A failure, for the kernel's own page of code for one, leaves everything as it was.
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

// The loader's lock is held meanwhile, so no library is half mapped.
void confab_memory_drop_clean_pages(void) { dl_iterate_phdr(drop_object, NULL); }

void confab_memory_trim_heap(void) { malloc_trim(0); }

// Nothing in the handlers but what signal-safety(7) allows.
static void end_with(const char *words, size_t length, int status) {
    struct pollfd entry = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&entry, 1, 200) > 0 && write(STDERR_FILENO, words, length) < 0) status = 71;
    _exit(status);
}

static void say_fault(int number) {
    static const char words[] = "confab: no memory or descriptors are left, or the program has a fault (signal 00); the bot ends\n";
    char line[sizeof words];
    memcpy(line, words, sizeof words);
    char *digits = strstr(line, "00)");
    digits[0] = (char)('0' + number / 10 % 10);
    digits[1] = (char)('0' + number % 10);
    end_with(line, sizeof line - 1, 70);
}

static void handle(int number, void (*handler)(int), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(number, &action, NULL);
}

void confab_memory_say_on_faults(void) {
    static char stack[16384];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) {
        handle(signals[index], say_fault, SA_ONSTACK | SA_RESETHAND);
    }
}

// Signs that did not come in time, one after the other, and how long to wait for a late one.
static volatile sig_atomic_t missed = 0;
static volatile sig_atomic_t patience = 0;

static void miss_sign(int number) {
    (void)number;
    static const char words[] =
        "confab: nothing happens in the process any more: no thread can be started (ulimit -u, ulimit -v, TasksMax), or one"
        " hangs; the bot ends\n";
    missed += 1;
    if (missed > 1) end_with(words, sizeof words - 1, 71);
    alarm((unsigned)patience);
}

void confab_memory_expect_sign(unsigned seconds) {
    missed = 0;
    patience = (sig_atomic_t)(seconds < 15 ? seconds : 15);
    handle(SIGALRM, miss_sign, SA_RESTART);
    alarm(seconds);
}
