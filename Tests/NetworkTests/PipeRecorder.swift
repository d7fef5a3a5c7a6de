import Network
import TestKit

/// Opens a pipe and writes down what it tells.
@NetworkThread
final class PipeRecorder {
    private(set) var received: [UInt8] = []
    private(set) var isOpened = false
    private(set) var closings: [PipeFailure?] = []
    private(set) var eventsAfterTheEnd = 0
    private(set) var pipe: BytePipe?

    /// Called first with each event, on the loop.
    var onEvent: @NetworkThread (PipeEvent, BytePipe) -> Void = { _, _ in }

    func open(_ endpoint: PipeEndpoint) {
        pipe = BytePipe(to: endpoint) { [self] event in
            if !closings.isEmpty { eventsAfterTheEnd += 1 }
            switch event {
            case .opened: isOpened = true
            case .received(let bytes): received += bytes
            case .closed(let failure): closings.append(failure)
            }
            if let pipe { onEvent(event, pipe) }
        }
    }

    func write(_ bytes: [UInt8]) { pipe?.write(bytes) }

    var text: String { String(decoding: received, as: UTF8.self) }
    /// Everything written was handed to the system.
    var isDrained: Bool { pipe?.unsentBytes == 0 }
    var isSettled: Bool { isOpened || isClosed }
    var isClosed: Bool { !closings.isEmpty }
    var failure: PipeFailure? { closings.first ?? nil }
}

extension PipeEndpoint {
    static func loopback(_ port: Int, tls: TLSOptions? = nil, timeout: Duration = .seconds(20)) -> PipeEndpoint {
        // By name with TLS: under the thread sanitizer libcurl does not find an address among a certificate's names.
        PipeEndpoint(
            host: tls == nil ? "127.0.0.1" : "localhost", port: port, tls: tls, connectTimeout: timeout)
    }
}
