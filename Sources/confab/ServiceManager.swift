import Glibc
import Runtime

/// The service manager that started the process, if one did: systemd's readiness protocol, one datagram a message
/// ([sd_notify(3)](https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html)).
struct ServiceManager: Sendable {
    /// A path, or a name in the abstract namespace behind an `@`; nil where nobody listens.
    private let socketPath: String?
    /// How often it wants to hear that the process lives; nil where it does not.
    let watchdogInterval: Duration?

    /// As the environment says it (`NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`).
    init(environment: (String) -> String? = SecretSource.variable) {
        socketPath = environment("NOTIFY_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
        let isMeant = environment("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
        let microseconds = environment("WATCHDOG_USEC").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        watchdogInterval = isMeant ? microseconds.map { .microseconds($0) } : nil
    }

    /// Everything is there; networks are being connected.
    func ready() { send("READY=1") }

    /// The end has begun.
    func stopping() { send("STOPPING=1") }

    /// The process still does its work.
    func alive() { send("WATCHDOG=1") }

    /// Nothing depends on it, so a manager that does not take the message is left alone.
    private func send(_ message: String) {
        guard let socketPath, let address = UnixAddress(socketPath) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        _ = unsafe address.call { pointer, length in
            unsafe sendto(
                descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), pointer, length)
        }
    }
}
