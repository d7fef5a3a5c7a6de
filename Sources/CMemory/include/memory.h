#ifndef CONFAB_MEMORY_H
#define CONFAB_MEMORY_H

/// Unmaps the pages of the program and its libraries that only hold what their files hold.
///
/// They come back from the page cache when they are next needed. Pages that were written to, by relocation or by the
/// program, are in other segments and are left alone.
void confab_memory_drop_clean_pages(void);

/// Gives the whole pages among the freed heap back to the system, in every arena.
void confab_memory_trim_heap(void);

#endif
