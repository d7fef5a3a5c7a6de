import CEpoll
import Glibc
import Runtime

/// The sockets that the network thread waits for, and a way to wake it.
///
/// A wait costs what is ready; with poll(2) it would cost what is watched, a thousand transfers that wait for their answers
/// (<https://man7.org/linux/man-pages/man7/epoll.7.html>). Other threads may only call `wake`.
struct Epoll: Sendable {
    /// What a socket is watched for, or ready for.
    struct Readiness: OptionSet, Sendable {
        let rawValue: UInt32

        static let input = Readiness(rawValue: cepoll_in)
        static let output = Readiness(rawValue: cepoll_out)
        /// Told without being asked for.
        static let gone = Readiness(rawValue: cepoll_gone)
    }

    private let descriptor = cepoll_create()
    private let alarm = cepoll_eventfd()

    init() {
        // The alarm rings once for each write to it, so nobody has to read it.
        guard descriptor >= 0, alarm >= 0, cepoll_add(descriptor, alarm, cepoll_in | cepoll_edge) == 0 else {
            LastWord.say("the process has no descriptors left to watch sockets with (ulimit -n)")
        }
    }

    /// From now on the socket is watched for this and nothing else; for nothing, no longer.
    func watch(_ socket: Int32, for wanted: Readiness) {
        guard !wanted.isEmpty else {
            _ = cepoll_remove(descriptor, socket)
            return
        }
        // The same number may have been another socket, which left when it was closed.
        if cepoll_change(descriptor, socket, wanted.rawValue) != 0 {
            _ = cepoll_add(descriptor, socket, wanted.rawValue)
        }
    }

    /// Ends the wait that is under way, or the next one.
    func wake() { cepoll_signal(alarm) }

    /// Waits for so many milliseconds, and tells what is ready by then.
    func wait(_ timeout: Int32) -> [(socket: Int32, readiness: Readiness)] {
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: Int(cepoll_most)) { sockets in
            unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Int(cepoll_most)) { events in
                let count = unsafe cepoll_wait(descriptor, sockets.baseAddress, events.baseAddress, timeout)
                return (0..<max(0, Int(count))).compactMap { index in
                    guard unsafe sockets[index] != alarm else { return nil }
                    return unsafe (sockets[index], Readiness(rawValue: events[index]))
                }
            }
        }
    }
}
