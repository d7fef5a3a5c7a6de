import Domain
import TestKit
import Testing

@testable import IRC

@Suite("Events on their way to the reader")
struct EventBufferTests {
    private func event(_ number: Int) -> ChatEvent {
        ChatEvent(ConnectionID(network: NetworkName("test"), epoch: 1), .offline(reason: "\(number)"))
    }

    @Test("come in order, and what was there is still read after the end")
    func order() async {
        let buffer = EventBuffer()
        for number in 1...5000 { #expect(buffer.append(event(number)).number == UInt64(number)) }
        buffer.finish()
        for number in 1...5000 { #expect(await buffer.next() == event(number)) }
        #expect(await buffer.next() == nil)
        #expect(buffer.append(event(1)).isFull == false)
    }

    @Test("one counts as dealt with only when the reader asks for the next")
    func handled() async {
        let buffer = EventBuffer()
        for number in 1...3 { _ = buffer.append(event(number)) }
        _ = await buffer.next()
        #expect(buffer.handled == 0)
        _ = await buffer.next()
        #expect(buffer.handled == 1)
    }

    @Test("a reader that waits gets what comes, also when the end comes with it")
    func waiting() async {
        let buffer = EventBuffer()
        let first = Task { await buffer.next() }
        _ = buffer.append(event(1))
        buffer.finish()
        #expect(await first.value == event(1))
        #expect(await buffer.next() == nil)
    }

    @Test("a writer that found it full goes on when the reader has caught up")
    func room() async {
        let buffer = EventBuffer()
        for number in 1..<EventBuffer.full { #expect(!buffer.append(event(number)).isFull) }
        #expect(buffer.append(event(0)).isFull)
        let writer = Task { await buffer.room() }
        for _ in 0..<EventBuffer.full - EventBuffer.low { _ = await buffer.next() }
        await writer.value
    }
}
