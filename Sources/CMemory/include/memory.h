#ifndef CONFAB_MEMORY_H
#define CONFAB_MEMORY_H

/// Unmaps the pages of the program and its libraries that only hold what their files hold.
///
/// They come back from the page cache when they are next needed. Pages that were written to, by relocation or by the
/// program, are in other segments and are left alone.
void confab_memory_drop_clean_pages(void);

/// Gives the whole pages among the freed heap back to the system, in every arena.
void confab_memory_trim_heap(void);

/// Has SIGILL, SIGTRAP, SIGABRT, SIGSEGV and SIGBUS say a last word on standard error and end the process with status 70
/// (EX_SOFTWARE of sysexits.h).
void confab_memory_say_on_faults(void);

/// Expects the next call within so many seconds, or none with 0; else a last word is said on standard error and the process
/// ends with status 71 (EX_OSERR). A first sign that does not come is waited for a while longer: the process may have stood
/// still, and its alarm not.
void confab_memory_expect_sign(unsigned seconds);

#endif
