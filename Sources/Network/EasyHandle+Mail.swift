import CCurl

// The part of a handle that only mail uses.
extension EasyHandle {
    /// curl asks the transfer for the message, which must outlive its stay in the multi handle.
    func setBodySource(of transfer: MailTransfer) {
        unsafe ccurl_set_pointer(pointer, CURLOPT_READDATA, Unmanaged.passUnretained(transfer).toOpaque())
        // The same shape as what curl writes to: a buffer, its size, and whose it is.
        unsafe ccurl_set_write(pointer, CURLOPT_READFUNCTION, Self.onRead)
    }

    private nonisolated static let onRead: ccurl_write = { buffer, size, count, owner in
        guard let owner = unsafe owner, let buffer = unsafe buffer else { return 0 }
        let transfer = unsafe Unmanaged<MailTransfer>.fromOpaque(owner).takeUnretainedValue()
        let part = NetworkThread.assumeIsolated { transfer.next(size * count) }
        unsafe UnsafeMutableRawPointer(buffer).copyMemory(from: Array(part), byteCount: part.count)
        return part.count
    }
}
