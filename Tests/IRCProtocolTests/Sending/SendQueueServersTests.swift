import Domain
import TestKit
import Testing

@testable import IRCProtocol

/// How a server meters one client: each line costs time, and while the client is too far ahead its lines wait; when too
/// much waits, the server ends the connection.
struct MeteringServer: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Seconds a line of so many bytes costs.
    let cost: @Sendable (Int) -> Double
    /// Seconds a client may be ahead.
    let credit: Double
    var maxBytes = Int.max
    var maxLines = Int.max

    private var clock = 0.0
    private var ahead = 0.0
    private var waiting: [Int] = []

    init(
        _ name: String, credit: Double, maxBytes: Int = .max, maxLines: Int = .max,
        cost: @escaping @Sendable (Int) -> Double
    ) {
        testDescription = name
        self.credit = credit
        self.maxBytes = maxBytes
        self.maxLines = maxLines
        self.cost = cost
    }

    /// False when the server ends the connection.
    mutating func receive(_ bytes: Int, at time: Double) -> Bool {
        work(until: time)
        waiting.append(bytes)
        work(until: time)
        return waiting.count <= maxLines && waiting.reduce(0, +) <= maxBytes
    }

    private mutating func work(until time: Double) {
        while let line = waiting.first {
            let start = clock + max(0, ahead - credit)
            guard start <= time else { break }
            pass(until: start)
            waiting.removeFirst()
            ahead += cost(line)
        }
        pass(until: time)
    }

    private mutating func pass(until time: Double) {
        ahead = max(0, ahead - (time - clock))
        clock = max(clock, time)
    }

    /// Their defaults, from their sources and example configurations.
    static let all = [
        MeteringServer("RFC 1459", credit: 10, maxBytes: 1024) { _ in 2 },
        MeteringServer("ngIRCd", credit: 1, maxBytes: 2048) { max(1 / 3, Double($0) / 256) },
        MeteringServer("InspIRCd", credit: 10, maxBytes: 10_000) { _ in 1 },
        MeteringServer("Solanum", credit: 2.5, maxLines: 20) { _ in 0.5 },
        MeteringServer("Ergo", credit: 2.5, maxLines: 20) { _ in 0.5 },
        MeteringServer("UnrealIRCd, unknown user", credit: 10, maxBytes: 8000) { 1 + Double($0) / 90 },
        MeteringServer("UnrealIRCd, known user", credit: 10, maxBytes: 8000) { 0.75 * (1 + Double($0) / 180) },
    ]

    /// Those that take 4096 bytes in one piece, as whoever offers `draft/multiline` with so many must.
    static let roomy = all.filter { $0.maxBytes > 5000 }

    /// Those that end a connection rather than leave it waiting.
    static let impatient = all.filter {
        ["InspIRCd", "Solanum", "UnrealIRCd, unknown user"].contains($0.testDescription)
    }
}

@Suite("The default pace on the servers there are")
struct SendQueueServersTests {
    private static let full = String(repeating: "x", count: 498)

    /// Sends what comes at each moment by the queue's clock; the number of lines sent, or nil when the server ended it.
    private func play(
        _ script: [(at: Duration, texts: [String], target: Int)], on server: MeteringServer, for length: Duration,
        multiline: MultilineLimits? = nil
    ) -> Int? {
        var queue = SendQueue(burst: 4, interval: .seconds(2))
        queue.multiline = multiline
        var server = server
        var script = script[...]
        var now = Duration.zero
        var sent = 0
        for line in [
            "CAP LS 302", "NICK confab", "USER confab 0 * :bot", "CAP END", "JOIN #a,#b,#c", "MODE confab +B", "WHO #a",
        ] {
            queue.enqueueCommand(line)
        }
        while now < length {
            while let event = script.first, event.at <= now {
                let target = Target.channel(ChannelName("#\(event.target)", .ascii))
                _ = queue.enqueue(event.texts, as: .message, to: target, utterance: sent, now: now)
                script.removeFirst()
            }
            while let portion = queue.next(now: now) {
                for line in portion.lines {
                    guard server.receive(line.text.utf8.count + 2, at: now / .seconds(1)) else { return nil }
                    sent += 1
                }
            }
            let wake = queue.nextWake(now: now).map { now + $0 } ?? length
            now = min(wake, script.first?.at ?? length)
        }
        return sent
    }

    @Test("four hundred full lines in a row", arguments: MeteringServer.all)
    func flood(server: MeteringServer) throws {
        let texts = Array(repeating: Self.full, count: 400)
        let sent = try #require(play([(.zero, texts, 1)], on: server, for: .seconds(4000)))
        #expect(sent == 407)
    }

    @Test("an answer of eight full lines whenever the queue has rested", arguments: MeteringServer.all)
    func answers(server: MeteringServer) {
        let answer = Array(repeating: Self.full, count: 8)
        for rest in [20, 30, 45, 60, 120] {
            let script = (0..<60).map { (Duration.seconds(rest * $0), answer, $0 % 5) }
            #expect(play(script, on: server, for: .seconds(rest * 60)) != nil, "\(rest) s")
        }
    }

    @Test(
        "messages of several lines, one after the other, where there is room for one", arguments: MeteringServer.roomy)
    func batches(server: MeteringServer) {
        let limits = MultilineLimits("max-bytes=40000,max-lines=1000")
        for (count, length) in [(400, 492), (400, 50), (9, 492), (16, 255), (16, 1)] {
            let texts = Array(repeating: String(repeating: "x", count: length), count: count)
            for rest in [10, 30, 60] {
                let script = (0..<60).map { (Duration.seconds(rest * $0), texts, $0 % 5) }
                #expect(
                    play(script, on: server, for: .seconds(3600), multiline: limits) != nil,
                    "\(count) of \(length) each \(rest) s")
            }
        }
    }

    @Test("a busy afternoon of short and long lines for many", arguments: MeteringServer.all)
    func afternoon(server: MeteringServer) {
        for seed in 1...5 {
            var random = SeededGenerator(seed: UInt64(seed))
            var at = Duration.zero
            var script: [(Duration, [String], Int)] = []
            for _ in 0..<600 {
                at += .milliseconds(Int.random(in: 0...30_000, using: &random))
                let texts = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                    String(repeating: "x", count: Int.random(in: 1...495, using: &random))
                }
                script.append((at, texts, Int.random(in: 0...20, using: &random)))
            }
            #expect(play(script, on: server, for: at + .seconds(600)) != nil, "seed \(seed)")
        }
    }

    @Test("without the pace, these servers do end the connection", arguments: MeteringServer.impatient)
    func control(server: MeteringServer) {
        var server = server
        #expect((1...100).contains { _ in !server.receive(400, at: 0) })
    }
}
