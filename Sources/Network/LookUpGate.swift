import CCurl

/// Lets only a few transfers look up a name at a time.
///
/// curl resolves each name in a thread of its own until the answer is in its cache, so a thousand questions to a named
/// host would be a thousand threads. A transfer leaves the gate when its socket opens or it found a connection to reuse.
@NetworkThread
final class LookUpGate {
    static let shared = LookUpGate()

    private var free = 8
    private var waiting: [HTTPTransfer] = []
    private var isOpening = false

    func enter(_ transfer: HTTPTransfer) {
        waiting.append(transfer)
        letIn()
    }

    /// May be called inside a curl callback: the next one starts in the loop's next turn.
    func leave() {
        free += 1
        guard !isOpening, !waiting.isEmpty else { return }
        isOpening = true
        _ = LoopTimer.after(.zero) {
            self.isOpening = false
            self.letIn()
        }
    }

    private func letIn() {
        let count = min(free, waiting.count)
        let next = waiting.prefix(count)
        waiting.removeFirst(count)
        free -= count
        for transfer in next { transfer.launch() }
    }
}

extension EasyHandle {
    /// Whether the URL's host is a name that only a resolver knows; addresses and `localhost` are not.
    nonisolated static func needsLookUp(_ url: String) -> Bool {
        guard let parsed = unsafe curl_url() else { return false }
        defer { unsafe curl_url_cleanup(parsed) }
        var part: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_set(parsed, CURLUPART_URL, url, 0) == CURLUE_OK,
            unsafe curl_url_get(parsed, CURLUPART_HOST, &part, 0) == CURLUE_OK, let part = unsafe part
        else { return false }
        let host = unsafe String(cString: part).lowercased()
        unsafe curl_free(part)
        let isAddress = host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." }
        return !isAddress && host != "localhost" && !host.hasSuffix(".localhost")
    }
}
