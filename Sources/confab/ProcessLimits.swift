import Glibc

/// What the process asks of the kernel for itself, before anything else happens in it.
enum ProcessLimits {
    static func set() {
        // Files it makes are its own.
        umask(0o077)
        keepMemoryOutOfCoreFiles()
        raiseDescriptors()
    }

    /// Passwords and keys are in memory. A limit of 1 byte, unlike 0, also holds where core files are piped into a
    /// program (Linux `fs/coredump.c`).
    private static func keepMemoryOutOfCoreFiles() {
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }

    /// A thousand answers on their way are a thousand connections where the API speaks HTTP/1.1, and the soft limit is
    /// usually 1024.
    private static func raiseDescriptors() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        _ = unsafe setrlimit(resource, &limit)
    }
}
