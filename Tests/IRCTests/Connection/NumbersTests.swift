import Domain
import TestKit
import Testing

@testable import IRC
@testable import IRCProtocol

/// What others write where a number belongs.
enum OddNumbers {
    static let all = [
        "", " ", "0", "-0", "+0", "00", "1", "-1", "+1", "2", "255", "256", "511", "512", "513", "65535", "65536",
        "2147483647",
        "2147483648", "-2147483648", "4294967295", "4294967296", "9007199254740993", "9223372036854775806",
        "9223372036854775807", "-9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "18446744073709551615", "18446744073709551616", "99999999999999999999999999999999999999",
        "-99999999999999999999",
        "1e308", "0x7fffffffffffffff", "NaN", "inf", "-inf", "1.5", "1,5", "٣", "१२", "１", "1 2", "--1", "1-", "=", "*",
    ]
}

@Suite("A number that a server makes up", .timeLimit(.minutes(2)))
struct NumbersTests {
    @Test(
        "in 005 stops nothing: every question about the server has an answer within bounds", arguments: OddNumbers.all)
    func support(number: String) throws {
        let tokens = [
            "AWAYLEN", "BOT", "CASEMAPPING", "CHANLIMIT", "CHANMODES", "CHANNELLEN", "CHANTYPES", "CLIENTTAGDENY",
            "LINELEN",
            "MODES", "MONITOR", "NETWORK", "NICKLEN", "PREFIX", "STATUSMSG", "TARGMAX", "UTF8ONLY", "WATCH", "WHOX",
        ]
        for token in tokens {
            var support = ISupport()
            support.update(try #require(IRCMessage(":s 005 bot \(token)=\(number.replacing(" ", with: "")) :are")))
            #expect(support.nickLength > 0)
            #expect(support.lineLength >= 512)
            #expect(support.monitorLimit.map { $0 > 0 } ?? true)
            _ = support.rankChanges(["+o-v", "alice", number])
            _ = support.plainTextChanges(["+c", number])
            _ = support.place(of: number)
            _ = support.deniesTag("typing")
            let splitter = LineSplitter(
                nick: "bot", user: "u", host: "h", lineLength: min(support.lineLength, 1000))
            _ = splitter.extent(
                of: Utterance(
                    on: ConnectionID(network: NetworkName("n"), epoch: 1), to: .nick(Nick("a", .ascii)), form: .notice,
                    lines: [String(repeating: "long ", count: 300)]))
            var regain = NickRegain(wanted: "confab")
            regain.has(Nick("conf", .ascii), nickLength: support.nickLength, at: .zero, .ascii)
        }
    }

    @Test("in a capability's value, a policy, a wait or a time stops nothing", arguments: OddNumbers.all)
    func values(number: String) throws {
        for value in [
            "max-bytes=\(number)", "max-bytes=4096,max-lines=\(number)", "max-bytes=\(number),max-lines=\(number)",
        ] {
            let count = MultilineLimits(value)?.count(of: ["one", "two", "three"])
            #expect(count.map { 1...3 ~= $0 } ?? true)
        }
        let advice = STSAdvice(value: "port=\(number),duration=\(number)")
        #expect(advice.port.map { 1...65535 ~= $0 } ?? true)
        #expect(advice.duration.map { .zero ... .seconds(315_360_000) ~= $0 } ?? true)
        #expect(PaceAdvice.wait(in: "Please wait \(number) seconds") <= PaceAdvice.maxWait)
        #expect(PaceAdvice.wait(in: "Please wait \(number) seconds") >= .zero)
        for time in ["\(number)-01-01T00:00:00.000Z", "9999-99-99T99:99:99.999Z", "0000-01-01T00:00:00.\(number)Z"] {
            _ = Timestamp(serverTime: time)?.rfc3339
        }
        _ = PaceAdvice.isTooFast(try #require(IRCMessage(":s NOTICE * :\(number)")))
        _ = IRCMessage(":s \(number) bot :x").map { Ending($0, ownNick: "bot") }
    }

    @Test("anywhere in a line leaves the connection as it was: the next good line is understood")
    func lines() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        try await wire.welcome(capabilities: "batch message-tags server-time draft/multiline=max-bytes=4096")
        try await wire.admit("confab", to: "#lobby")
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        for (round, number) in OddNumbers.all.enumerated() {
            for line in [
                ":s 005 confab MONITOR=\(number) NICKLEN=\(number) MODES=\(number) :are",
                ":s 005 confab LINELEN=\(number) :are",
                ":s CAP confab NEW :draft/multiline=max-bytes=\(number),max-lines=\(number) sts=duration=\(number)",
                "@time=\(number) :x!y@z PRIVMSG #elsewhere :x",
                "@batch=\(number);label=\(number) :x!y@z PRIVMSG #elsewhere :x",
                ":s BATCH +\(number) chathistory \(number)", ":s BATCH -\(number)", ":s \(number) confab \(number) :x",
                ":s 734 confab \(number) a,b :full", ":s 333 confab #lobby x \(number)",
                ":s 329 confab #lobby \(number)",
                ":s 317 confab x \(number) \(number) :idle", ":s 263 confab LIST :wait \(number) seconds",
                ":s NOTICE confab :throttled, wait \(number) seconds",
                ":x!y@z PRIVMSG confab :\u{1}PING \(number)\u{1}",
                ":x!y@z PRIVMSG confab :\u{1}DCC SEND f \(number) \(number) \(number)\u{1}",
                ":s 352 confab #lobby u h s nick H \(number)", ":s 354 confab 77 #lobby u h nick H \(number)",
                ":s 005 confab MONITOR=100 LINELEN=512 NICKLEN=30 :are", ":s MODE #lobby +l \(number)",
            ] { wire.send(line) }
            wire.send(":alice!a@home PRIVMSG #lobby :round \(round)")
            #expect(await bot.hears("round \(round)"), "after \(number)")
        }
        #expect(server.connectionCount == 1)
        await bot.quit(closing: wire)
    }

    @Test(
        "for the list of watched nicks means none where it is no number of nicks",
        arguments: ["-9223372036854775808", "-1", "0"])
    func watching(limit: String) async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        try await wire.welcome(support: "CHANTYPES=# MONITOR=\(limit)")
        #expect(await bot.sees { if case .online = $0 { true } else { false } })
        let connection = try #require(bot.connection)
        #expect(await !bot.link.watch(Nick("alice", .rfc1459), on: connection))
        try await wire.ping()
        #expect(!wire.lines.contains { $0.command == "MONITOR" })
        await bot.quit(closing: wire)
    }

    @Test("of any length of a prefix leaves every command whole or away, and crashes nothing")
    func lengths() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        try await wire.welcome(capabilities: "account-tag extended-join chghost account-notify")
        try await wire.admit("confab", to: "#lobby")
        for length in 940...1010 {
            let mask = String(repeating: "n", count: length - 4) + "!u@h"
            for rest in [
                "JOIN :#lobby", "JOIN #lobby a :b", "PART :#lobby", "QUIT :x", "NICK :x", "KICK #lobby :x",
                "ACCOUNT :a",
                "CHGHOST u :h", "RENAME #lobby :#lobby2", "INVITE confab :#lobby", "PRIVMSG #elsewhere :x",
            ] { wire.send(":\(mask) \(rest)") }
        }
        wire.send(":alice!a@home PRIVMSG #lobby :still here")
        #expect(await bot.hears("still here"))
        await bot.quit(closing: wire)
    }
}
