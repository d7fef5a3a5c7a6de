import Glibc

/// A named operating-system thread.
public enum Thread {
    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts a detached thread; `name` shows in `top -H` and is cut at 15 bytes, as the kernel demands.
    public static func start(name: String, _ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let body = unsafe Unmanaged.passRetained(Body(name: name, run: run)).toOpaque()
        let status = unsafe pthread_create(&thread, nil, enter, body)
        // Without its threads the bot would wait for ever for what they were to do.
        guard status == 0 else { LastWord.say("the system allows no further thread (ulimit -u, TasksMax, memory)") }
        pthread_detach(thread)
    }

    /// Takes over the body that `start` retained: `pthread_create` hands exactly one pointer across.
    private static let enter: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        guard let argument = unsafe argument else { return nil }
        let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        rename(to: body.name)
        body.run()
        return nil
    }

    /// By the kernel's file: `pthread_setname_np` is GNU only and `prctl` variadic, so Swift sees neither.
    private static func rename(to name: String) {
        let comm = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard comm >= 0 else { return }
        writeAll(Array(name.utf8.prefix(15)), to: comm)
        close(comm)
    }
}
