// Tells the leak sanitizer, which comes with the address sanitizer, about what are no leaks, or none of ours.
#if __has_feature(address_sanitizer)

const char *__lsan_default_suppressions(void);

// - Foundation 6.3 loses its 4 KiB buffer when the file it reads (`contentsOfFile:`) is empty.
// - An object that something holds weakly keeps the address of its side table shifted (`RefCount.h` in the Swift
//   runtime), where the sanitizer does not recognise it: every such object alive at the end looks like a leak.
const char *__lsan_default_suppressions(void) {
    return "leak:20FoundationEssentials17readBytesFromFile\n"
           "leak:formWeakReference\n";
}

#endif
