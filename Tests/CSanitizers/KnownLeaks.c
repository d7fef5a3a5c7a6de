// Tells the leak sanitizer, which comes with the address sanitizer, about leaks that are not ours.
#if __has_feature(address_sanitizer)

const char *__lsan_default_suppressions(void);

// Foundation 6.3 loses its 4 KiB buffer when the file it reads (`contentsOfFile:`) is empty.
const char *__lsan_default_suppressions(void) { return "leak:20FoundationEssentials17readBytesFromFile\n"; }

#endif
