import Glibc

/// The relay's end of the connection to libircclient: a TCP socket on 127.0.0.1.
///
/// Only the network thread uses it, and it owns its descriptor. Nothing waits longer than `patience`, since both ends
/// belong to this thread and what was written to one is at once, or almost, at the other.
struct LoopbackSocket: ~Copyable {
    /// Milliseconds.
    static let patience: Int32 = 200

    let descriptor: Int32

    deinit { close(descriptor) }

    /// Takes over an open descriptor, non-blocking and not for child processes.
    private init(owning descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// A listener on a port of the system's choice; nil where the system refuses one.
    static func listening() -> LoopbackSocket? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let listener = LoopbackSocket(owning: descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bind(
                descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
        }
        guard isBound, Glibc.listen(descriptor, 4) == 0 else { return nil }
        return listener
    }

    /// Accepts until the peer is the socket whose other end is `client`: any process of this machine may connect here,
    /// and strangers are hung up on. Nil when the right one does not come.
    borrowing func accept(from client: Int32) -> LoopbackSocket? {
        let expected = Self.port(ofPeer: false, client)
        for _ in 0..<64 {
            guard Self.isReady(descriptor, for: POLLIN) else { return nil }
            let accepted = Glibc.accept(descriptor, nil, nil)
            guard accepted >= 0 else { continue }
            let candidate = LoopbackSocket(owning: accepted)
            guard expected != nil, Self.port(ofPeer: true, accepted) == expected else { continue }
            sendAtOnce(accepted)
            sendAtOnce(client)
            return candidate
        }
        return nil
    }

    /// Lines are small, and the thread waits for each: Nagle's algorithm would hold it up for as long as the other end takes
    /// to acknowledge the line before, which is 40 ms where that end has nothing to say.
    private func sendAtOnce(_ descriptor: Int32) {
        var isOn: Int32 = 1
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The number that the next socket of this process will have, unless another thread takes it first.
    var nextDescriptor: Int32 {
        let probe = dup(descriptor)
        defer { close(probe) }
        return probe < 0 ? .max : probe
    }

    /// The port this listener was given, in host order.
    var port: UInt16? { Self.port(ofPeer: false, descriptor) }

    /// Writes all of it or says no: it is never more than the socket's buffer takes.
    borrowing func write(_ bytes: [UInt8]) -> Bool {
        let count = unsafe bytes.withUnsafeBytes { bytes in
            unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        return count == bytes.count
    }

    /// Reads what is there, waiting up to the patience for the first byte; nil at the end, on errors and after the wait.
    borrowing func read() -> [UInt8]? {
        guard Self.isReady(descriptor, for: POLLIN) else { return nil }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            unsafe count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Whether the descriptor is ready within the patience.
    static func isReady(_ descriptor: Int32, for events: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let count = unsafe poll(&entry, 1, patience)
            if count < 0 && errno == EINTR { continue }
            return count > 0
        }
    }

    private static func port(ofPeer isPeer: Bool, _ descriptor: Int32) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let pointer = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard let pointer = unsafe pointer else { return false }
            return
                unsafe (isPeer ? getpeername(descriptor, pointer, &length) : getsockname(descriptor, pointer, &length))
                == 0
        }
        return isKnown && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
    }
}
