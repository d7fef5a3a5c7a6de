import Glibc
import Network
import Synchronization
import Runtime

/// A whole response, as far as it came.
struct Response {
    enum End: Equatable { case finished, failed(HTTPFailure.Kind), none }

    private(set) var status = 0
    private(set) var headers: [String: String] = [:]
    private(set) var text = ""
    private(set) var end = End.none
    private(set) var detail = ""

    init(of request: HTTPRequest) async {
        for await event in await HTTP.prepare(request).send().events {
            switch event {
            case .head(let status, let headers):
                self.status = status
                self.headers = headers
            case .body(let bytes): text += String(decoding: bytes, as: UTF8.self)
            case .finished: end = .finished
            case .failed(let failure):
                end = .failed(failure.kind)
                detail = failure.detail
            }
        }
    }
}

extension HTTPRequest {
    static func loopback(_ port: Int, scheme: String = "http", path: String = "/") -> HTTPRequest {
        HTTPRequest(
            url: "\(scheme)://127.0.0.1:\(port)\(path)", method: .get, connectTimeout: .seconds(20),
            firstByteTimeout: .seconds(20), totalTimeout: .seconds(20), bodyLimit: 1_000_000)
    }
}

/// Something a thread waits for until a test says so.
final class Gate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    func wait() { while !isOpen.withLock({ $0 }) { usleep(1000) } }
}
