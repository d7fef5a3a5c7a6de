// dl_iterate_phdr(3) and malloc_trim(3) are GNU's own, and Swift's view of the C library lacks them.
#define _GNU_SOURCE
#include "memory.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
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
