import Runtime
import Testing

@testable import IRC

@Suite("A network's session")
struct NetworkSessionTests {
    @Test("connects no more than 4 times in a minute, however chance falls and an upgrade to TLS included")
    func connectRate() {
        var backoff = NetworkSession.waits
        var moments: [Duration] = [.zero, .zero]
        for _ in 0..<20 { moments.append((moments.last ?? .zero) + backoff.next(chance: 0)) }
        for (first, fifth) in zip(moments, moments.dropFirst(4)) { #expect(fifth - first > .seconds(60)) }
    }
}
