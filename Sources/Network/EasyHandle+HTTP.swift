import CCurl
import Glibc

// The part of a handle that only HTTP uses.
extension EasyHandle {
    /// A POST with this body, which curl copies; its size must be known to curl before.
    func setBody(_ body: [UInt8]) {
        set(CURLOPT_POST, 1)
        unsafe ccurl_set_size(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        unsafe body.withUnsafeBytes { bytes in
            _ = unsafe ccurl_set_pointer(
                pointer, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
        }
    }

    /// curl reports to the transfer, which must outlive its stay in the multi handle.
    func setCallbacks(of transfer: HTTPTransfer) {
        let owner = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        unsafe ccurl_set_pointer(pointer, CURLOPT_HEADERDATA, owner)
        unsafe ccurl_set_write(pointer, CURLOPT_HEADERFUNCTION, Self.onHeader)
        unsafe ccurl_set_pointer(pointer, CURLOPT_WRITEDATA, owner)
        unsafe ccurl_set_write(pointer, CURLOPT_WRITEFUNCTION, Self.onBody)
        unsafe ccurl_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, owner)
        unsafe ccurl_set_opensocket(pointer, Self.onSocket)
        unsafe ccurl_set_pointer(pointer, CURLOPT_PREREQDATA, owner)
        unsafe ccurl_set_prereq(pointer, Self.onConnection)
    }

    private nonisolated static let onHeader: ccurl_write = { bytes, size, count, owner in
        let line = unsafe copy(bytes, size * count)
        let isWanted = unsafe transfer(owner) { $0.receive(headerLine: line) }
        return isWanted ? size * count : 0
    }

    private nonisolated static let onBody: ccurl_write = { bytes, size, count, owner in
        let body = unsafe copy(bytes, size * count)
        let isWanted = unsafe transfer(owner) { $0.receive(body: body) }
        return isWanted ? size * count : 0
    }

    /// Called when the name is resolved; opens what curl would have opened by itself.
    private nonisolated static let onSocket: ccurl_opensocket = { owner, _, address in
        unsafe transfer(owner) { $0.settleLookUp() }
        guard let address = unsafe address?.pointee else { return CURL_SOCKET_BAD }
        return movedUp(socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol))
    }

    /// The same socket under a number of at least `FD_SETSIZE`, where the process may have such.
    ///
    /// libircclient waits with `select`, which knows none above: a thousand transfers must not take the low numbers away
    /// from a network that reconnects meanwhile.
    private nonisolated static func movedUp(_ socket: Int32) -> Int32 {
        guard socket >= 0 else { return CURL_SOCKET_BAD }
        let moved = fcntl(socket, F_DUPFD_CLOEXEC, 1024)
        guard moved >= 0 else { return socket }
        close(socket)
        return moved
    }

    /// Called when a connection stands, also a reused one that needed no look-up.
    private nonisolated static let onConnection: ccurl_prereq = { owner, _, _, _, _ in
        unsafe transfer(owner) { $0.settleLookUp() }
        return CURL_PREREQFUNC_OK
    }

    private nonisolated static func copy(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private nonisolated static func transfer<T: Sendable>(
        _ owner: UnsafeMutableRawPointer?, _ body: @NetworkThread (HTTPTransfer) -> T
    ) -> T {
        guard let owner = unsafe owner else { fatalError("curl lost a transfer") }
        let transfer = unsafe Unmanaged<HTTPTransfer>.fromOpaque(owner).takeUnretainedValue()
        return NetworkThread.assumeIsolated { body(transfer) }
    }
}
