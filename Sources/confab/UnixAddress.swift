import Glibc

/// The address of a Unix socket: a path, or behind an `@` a name in the abstract namespace (unix(7)).
struct UnixAddress {
    private let address: sockaddr_un
    private let length: socklen_t

    /// Nil where the path does not fit: 107 bytes are the most.
    init?(_ path: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            unsafe room.copyBytes(from: bytes)
            return true
        }
        guard fits else { return nil }
        self.address = address
        length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    }

    /// For a call that takes an address; the pointer is good inside only.
    func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int) -> Int {
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }
}
