import Domain
import IRC
import IRCProtocol
import Synchronization
import TestKit
import Testing

/// On a server that is as strict about the specification as one can be.
@Suite("Messages of several lines that the bot sends", .timeLimit(.minutes(2)))
struct RelayMultilineTests {
    private let clock = ManualTime()
    private static let telling = "echo-message labeled-response"
    private static let unpaced = Pace(burst: 9, interval: .zero)

    @Test("an answer of several lines is one message, and one line is a line")
    func answer() async throws {
        let scene = try await MultilineScene(clock)
        #expect(await scene.bot.say(["one", "two", "", "three"], in: "#lobby", prefix: "alice: ") == .sent)
        #expect(await eventually { scene.server.messages.count == 1 })
        let text = "alice: one\nalice: two\nalice: three"
        #expect(
            scene.server.messages
                == [MultilineServer.Message(command: "PRIVMSG", target: "#lobby", text: text)])
        clock.advance(by: .seconds(120))
        #expect(await scene.bot.say(["only"], in: "#lobby") == .sent)
        _ = try await scene.wire.expect("a line") { $0.raw == "PRIVMSG #lobby :only" }
        clock.advance(by: .seconds(120))
        #expect(await scene.bot.say(["1", "2"], to: Nick("alice", .rfc1459), form: .notice) == .sent)
        #expect(await eventually { scene.server.messages.last?.text == "1\n2" })
        #expect(scene.server.messages.last?.command == "NOTICE")
        await scene.ends()
    }

    @Test("long lines, many lines and many targets with PINGs between them break no rule and lose nothing")
    func strict() async throws {
        let server = MultilineServer(maxBytes: 1200, maxLines: 5)
        let scene = try await MultilineScene(clock, server, pace: Self.unpaced)
        let words = (0..<900).map { "wörd\($0)" }.joined(separator: " ")
        await withTaskGroup(of: Delivery.self) { group in
            for number in 0..<20 {
                group.addTask { await scene.bot.say([words, "end \(number)"], in: "#lobby", prefix: "alice: ") }
                group.addTask {
                    await scene.bot.say(["x", "y", "z"], to: Nick("p\(number)", .rfc1459), form: .notice)
                }
            }
            for _ in 0..<50 { scene.wire.send("PING :in between") }
            for await delivery in group { #expect(delivery == .sent) }
        }
        try await scene.wire.ping()
        let lobby = scene.server.messages.filter { $0.target == "#lobby" }.map(\.text).joined(separator: "\n")
        // What does not fit with others goes as a line of its own.
        let single = scene.wire.lines.filter { $0.command == "PRIVMSG" && $0.tags.isEmpty }.map(\.text)
        let heard = lobby.split(separator: "\n").map(String.init) + single
        #expect(heard.count { $0.hasPrefix("alice: end ") } == 20)
        #expect(heard.allSatisfy { $0.hasPrefix("alice: ") })
        #expect(heard.reduce(0) { $0 + $1.split(separator: " ").count { $0.hasPrefix("wörd") } } == 20 * 900)
        #expect(scene.server.messages.count { $0.text == "x\ny\nz" } == 20)
        await scene.ends()
    }

    @Test("it is delivered when its echo is back, whole, and never before")
    func echoed() async throws {
        let scene = try await MultilineScene(clock, with: Self.telling)
        let isOver = Mutex(false)
        async let answer = {
            defer { isOver.withLock { $0 = true } }
            return await scene.bot.say(["one", "two"], in: "#lobby")
        }()
        let opening = try await scene.wire.expect("a batch") { $0.command == "BATCH" }
        let label = try #require(opening.tags["label"])
        #expect(await eventually { scene.server.messages.first?.label == label })
        scene.wire.send("@label=\(label) :confab!confab@bot.test BATCH +e draft/multiline #lobby")
        scene.wire.send("@batch=e :confab!confab@bot.test PRIVMSG #lobby :one")
        try await scene.wire.ping()
        #expect(isOver.withLock { !$0 })
        scene.wire.send("@batch=e :confab!confab@bot.test PRIVMSG #lobby :two")
        scene.wire.send(":irc.test BATCH -e")
        #expect(await answer == .sent)
        #expect(scene.bot.messages.isEmpty)
        await scene.ends()
    }

    @Test("echoes of many are told apart, and none is heard as something said")
    func echoes() async throws {
        let server = MultilineServer(echoSource: "confab!confab@bot.test")
        let scene = try await MultilineScene(clock, server, with: Self.telling, pace: Self.unpaced)
        await withTaskGroup(of: Delivery.self) { group in
            for number in 0..<20 { group.addTask { await scene.bot.say(["a \(number)", "b"], in: "#lobby") } }
            for await delivery in group { #expect(delivery == .sent) }
        }
        #expect(Set(scene.server.messages.compactMap(\.label)).count == 20)
        #expect(scene.bot.messages.isEmpty)
        await scene.ends()
    }

    @Test(
        "a refusal under the label ends that utterance, and what follows goes line by line",
        arguments: [
            "MULTILINE_MAX_BYTES 4096", "MULTILINE_MAX_LINES 24", "MULTILINE_INVALID_TARGET #lobby #x", "TIMEOUT 1",
        ])
    func refusedByLabel(code: String) async throws {
        let scene = try await MultilineScene(clock, with: Self.telling)
        async let answer = scene.bot.say((1...20).map { "line \($0)" }, in: "#lobby")
        let opening = try await scene.wire.expect("a batch") { $0.command == "BATCH" }
        scene.wire.send("@label=\(try #require(opening.tags["label"])) :irc.test FAIL BATCH \(code) :No such thing")
        #expect(await answer == .undelivered(.refused("No such thing")))
        clock.advance(by: .seconds(120))
        async let next = scene.bot.say(["one", "two"], in: "#lobby")
        for text in ["one", "two"] {
            let line = try await scene.wire.expect(text) { $0.text == text }
            #expect(line.tags["batch"] == nil)
            scene.wire.send(":confab!confab@bot.test PRIVMSG #lobby :\(text)")
            scene.wire.send("@label=\(try #require(line.tags["label"])) :irc.test ACK")
        }
        #expect(await next == .sent)
        #expect(scene.said.count == 18)
        #expect(scene.bot.log.lines.contains { $0.contains("refuses messages of several lines") })
        await scene.ends()
    }

    @Test(
        "a refusal without a label is about the last one, and told once, however many there are",
        arguments: [true, false])
    func refused(isTold: Bool) async throws {
        let scene = try await MultilineScene(clock, with: isTold ? Self.telling : "")
        async let answer = scene.bot.say((1...20).map { "line \($0)" }, in: "#lobby")
        _ = try await scene.wire.expect("the end of a batch") { $0.command == "BATCH" && $0.target.hasPrefix("-") }
        for _ in 0..<3 { scene.wire.send(":irc.test FAIL BATCH MULTILINE_INVALID :No such thing") }
        try await scene.wire.ping()
        #expect(await answer == .undelivered(.refused("No such thing")))
        #expect(scene.said.count == 16)
        await scene.ends()
    }

    @Test("a server that finds it too fast is spoken to more slowly, in messages of several lines as before")
    func tooFast() async throws {
        let scene = try await MultilineScene(clock, pace: Self.unpaced)
        #expect(await scene.bot.say(["one", "two"], in: "#lobby") == .sent)
        scene.wire.send(":irc.test FAIL BATCH RATE_LIMITED :Wait 5 seconds")
        try await scene.wire.ping()
        async let answer = scene.bot.say(["three", "four"], in: "#lobby")
        #expect(await clock.turn { scene.server.messages.last?.text == "three\nfour" })
        #expect(await answer == .sent)
        await scene.ends()
    }

    @Test("what was taken for said and is refused afterwards is told of")
    func refusedLate() async throws {
        let scene = try await MultilineScene(clock)
        #expect(await scene.bot.say(["one", "two"], in: "#lobby") == .sent)
        for _ in 0..<2 { scene.wire.send(":irc.test FAIL BATCH MULTILINE_INVALID :No such thing") }
        let channel = ChannelName("#lobby", .rfc1459)
        #expect(await scene.bot.sees { $0 == .refused(.channel(channel), reason: "No such thing") })
        try await scene.wire.ping()
        #expect(scene.bot.kinds.count { if case .refused = $0 { true } else { false } } == 1)
        await scene.ends()
    }

    @Test("when the server takes them no more, the rest goes line by line; taken back is what is not written")
    func offerWithdrawn() async throws {
        let scene = try await MultilineScene(clock)
        let answer = Task { await scene.bot.say((1...20).map { "line \($0)" }, in: "#lobby") }
        _ = try await scene.wire.expect("the end of a batch") { $0.command == "BATCH" && $0.target.hasPrefix("-") }
        scene.wire.send(":irc.test CAP confab DEL :draft/multiline")
        try await scene.wire.ping()
        #expect(await clock.turn { scene.said.contains("PRIVMSG #lobby :line 17") })
        answer.cancel()
        #expect(await answer.value == .undelivered(.discarded))
        #expect(scene.wire.lines.filter { $0.text == "line 17" }.allSatisfy { $0.tags.isEmpty })
        await scene.ends()
    }

    @Test("an answer that is stopped, or whose reader leaves, ends with the batch that was sent")
    func stopped() async throws {
        let scene = try await MultilineScene(clock, pace: Pace(burst: 1, interval: .seconds(60)))
        async let answer = scene.bot.say((1...40).map { "line \($0)" }, to: Nick("alice", .rfc1459), form: .message)
        _ = try await scene.wire.expect("the end of a batch") { $0.command == "BATCH" && $0.target.hasPrefix("-") }
        scene.wire.send(":alice!a@home QUIT :gone")
        #expect(await answer == .undelivered(.discarded))
        #expect(scene.server.messages.map { $0.text.split(separator: "\n").count } == [16])
        await scene.ends()
    }

    @Test("where none are offered nothing is batched")
    func notOffered() async throws {
        let server = MultilineServer()
        let ircd = try ScriptedIRCServer(multiline: server)
        let bot = LinkUnderTest(port: ircd.port)
        let wire = try await ircd.connection()
        try await wire.welcome(capabilities: "batch message-tags draft/multiline")
        try await wire.admit("confab", to: "#lobby")
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        wire.send(":alice!a@home BATCH +1 draft/multiline #lobby")
        wire.send("@batch=1 :alice!a@home PRIVMSG #lobby :part")
        wire.send(":irc.test BATCH -1")
        wire.send(":alice!a@home PRIVMSG #lobby :fallback one")
        wire.send(":alice!a@home PRIVMSG #lobby :fallback two")
        #expect(await bot.hears("fallback two"))
        #expect(bot.messages.count == 2)
        #expect(await bot.say(["one", "two"], in: "#lobby") == .sent)
        _ = try await wire.expect("two") { $0.raw == "PRIVMSG #lobby :two" }
        #expect(server.violations == [] && server.messages == [])
        await bot.quit(closing: wire)
    }
}
