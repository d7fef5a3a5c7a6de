import Glibc

/// What a scripted peer needs of loopback TCP: connect, listen, accept, read, write.
///
/// Errors are descriptions for the person who reads a failed test.
public struct SocketFailure: Error, CustomStringConvertible {
    public let description: String

    init(_ call: String) { description = "\(call): errno \(errno)" }

    init(message: String) { description = message }
}

enum Socket {
    /// No program that a test starts may keep another test's sockets open.
    private static let closedOnExec = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

    static func connect(port: Int) throws -> Int32 {
        let descriptor = try open(.ipv4)
        var address = loopback(port)
        let status = unsafe call(&address) { unsafe Glibc.connect(descriptor, $0, $1) }
        guard status == 0 else {
            defer { close(descriptor) }
            throw SocketFailure("connect to port \(port)")
        }
        setOption(descriptor, level: Int32(IPPROTO_TCP), TCP_NODELAY)
        return descriptor
    }

    /// At `127.0.0.1` alone, or at `::1` alone. Port 0 takes a free one.
    static func listen(
        port: Int = 0, _ family: RawServer.Family = .ipv4, backlog: Int32 = 4096
    ) throws -> (descriptor: Int32, port: Int) {
        let descriptor = try open(family)
        setOption(descriptor, level: SOL_SOCKET, SO_REUSEADDR)
        var short = loopback(port)
        var long = loopbackIPv6(port)
        let begin = { (address: UnsafeMutablePointer<sockaddr>, length: socklen_t) in
            guard unsafe bind(descriptor, address, length) == 0, Glibc.listen(descriptor, backlog) == 0 else {
                return Int32(-1)
            }
            var length = length
            return unsafe getsockname(descriptor, address, &length)
        }
        let status: Int32
        switch family {
        case .ipv4: status = unsafe call(&short, begin)
        case .ipv6:
            setOption(descriptor, level: Int32(IPPROTO_IPV6), IPV6_V6ONLY)
            status = unsafe call(&long, begin)
        }
        guard status == 0 else {
            defer { close(descriptor) }
            throw SocketFailure("listen on \(family) port \(port)")
        }
        return (descriptor, Int(UInt16(bigEndian: family == .ipv4 ? short.sin_port : long.sin6_port)))
    }

    /// Does not wait for what comes of it.
    static func beginConnecting(port: Int, _ family: RawServer.Family) throws -> Int32 {
        let descriptor = try open(family, Int32(SOCK_NONBLOCK.rawValue))
        var short = loopback(port)
        var long = loopbackIPv6(port)
        switch family {
        case .ipv4: _ = unsafe call(&short) { unsafe Glibc.connect(descriptor, $0, $1) }
        case .ipv6: _ = unsafe call(&long) { unsafe Glibc.connect(descriptor, $0, $1) }
        }
        return descriptor
    }

    /// Numbered from 1024 on where the system allows it: a thousand peers of one test would else use up the low
    /// numbers, and libircclient, under test in the same process, takes no others.
    static func accept(_ listener: Int32) -> Int32? {
        let low = Glibc.accept(listener, nil, nil)
        guard low >= 0 else { return nil }
        let high = fcntl(low, F_DUPFD_CLOEXEC, 1024)
        if high >= 0 { close(low) } else { _ = fcntl(low, F_SETFD, FD_CLOEXEC) }
        let descriptor = high >= 0 ? high : low
        setOption(descriptor, level: Int32(IPPROTO_TCP), TCP_NODELAY)
        return descriptor
    }

    /// Nil at the end of the stream or when it broke.
    static func read(_ descriptor: Int32, upTo count: Int = 65536) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let got = unsafe Glibc.read(descriptor, &bytes, count)
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return nil }
            bytes.removeLast(count - got)
            return bytes
        }
    }

    /// Bytes written that the peer's kernel does not have yet: tcp(7), SIOCOUTQ.
    static func unacknowledged(_ descriptor: Int32) -> Int32? {
        var count: Int32 = 0
        return unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? count : nil
    }

    /// False when the peer is gone. `MSG_NOSIGNAL`, so that no test process dies of it.
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    static func shutDown(_ descriptor: Int32) { _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Ends the connection with a reset instead of an orderly end.
    static func reset(_ descriptor: Int32) {
        resetOnClose(descriptor)
        close(descriptor)
    }

    static func resetOnClose(_ descriptor: Int32) {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    private static func open(_ family: RawServer.Family, _ flags: Int32 = 0) throws -> Int32 {
        let descriptor = socket(family == .ipv4 ? AF_INET : AF_INET6, closedOnExec | flags, 0)
        guard descriptor >= 0 else { throw SocketFailure("socket") }
        return descriptor
    }

    /// Hands an address of either family to a call that takes both.
    private static func call<Address>(
        _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private static func setOption(_ descriptor: Int32, level: Int32, _ option: Int32) {
        var on: Int32 = 1
        unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func loopbackIPv6(_ port: Int) -> sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = UInt16(port).bigEndian
        address.sin6_addr = in6addr_loopback
        return address
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

/// A descriptor that stays open until the last of those who use it lets go.
///
/// One thread waits on it while others write or shut it down: closed any earlier, its number would soon mean a stranger's
/// connection, and they would end that.
final class OwnedDescriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    func shutDown() { Socket.shutDown(number) }
}

/// A port of loopback nobody listens on at this moment.
public func freePort() throws -> Int {
    let (descriptor, port) = try Socket.listen()
    close(descriptor)
    return port
}
