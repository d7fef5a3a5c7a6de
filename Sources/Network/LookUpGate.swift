/// Lets only a few transfers look up a name at a time.
///
/// curl resolves each name in a thread of its own until the answer is in its cache, so a thousand questions to a named
/// host would be a thousand threads. A transfer leaves the gate when its socket opens or it found a connection to reuse;
/// when its look-up fails, those who wait for the same name fail with it instead of each finding out anew.
@NetworkThread
final class LookUpGate {
    static let shared = LookUpGate()

    private var free = 8
    private var waiting: [(host: String, transfer: HTTPTransfer)] = []
    private var isOpening = false

    func enter(_ transfer: HTTPTransfer, for host: String) {
        waiting.append((host, transfer))
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

    /// Nobody needs to look up this name again at the moment.
    func fail(_ host: String, with failure: HTTPFailure) {
        let failed = waiting.filter { $0.host == host }
        waiting.removeAll { $0.host == host }
        for entry in failed { entry.transfer.fail(failure) }
    }

    private func letIn() {
        while free > 0, !waiting.isEmpty {
            let transfer = waiting.removeFirst().transfer
            guard !transfer.isEnded else { continue }
            free -= 1
            transfer.lookUp()
        }
    }
}

extension WebAddress {
    /// The host when it is a name that only a resolver knows; addresses and `localhost` are not.
    var nameToLookUp: String? {
        let host = host.lowercased()
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return isAddress || host == "localhost" || host.hasSuffix(".localhost") ? nil : host
    }
}
