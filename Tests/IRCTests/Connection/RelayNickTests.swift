import Domain
import Runtime
import TestKit
import Testing

@testable import IRC

@Suite("The bot's own nick on a connection")
struct RelayNickTests {
    private let clock = ManualTime()

    /// A bot that wants `confab`, is `confab_`, and knows what the server supports.
    private func enter(support: String) async throws -> (bot: LinkUnderTest, wire: LineConnection) {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, channels: [], clock: clock)
        let wire = try await server.connection()
        #expect(try await wire.welcome(support: "CHANTYPES=# \(support)", taken: "confab") == "confab_")
        #expect(await bot.sees { $0 == .online(nick: nick("confab_"), mapping: .rfc1459) })
        return (bot, wire)
    }

    private func nick(_ name: String) -> Nick { Nick(name, .rfc1459) }

    /// Turns the clock until the bot has sent this.
    private func turn(_ wire: LineConnection, until line: String) async throws {
        let before = wire.lines.filter { $0.raw == line }.count
        #expect(await clock.turn { wire.lines.filter { $0.raw == line }.count > before })
        wire.skipToEnd()
    }

    private func takes(_ wire: LineConnection, _ bot: LinkUnderTest) async throws {
        _ = try await wire.expect("NICK confab") { $0.raw == "NICK confab" }
        wire.send(":confab_!confab@bot.test NICK confab")
        #expect(await bot.sees { $0 == .ownNick(nick("confab")) })
    }

    @Test("where the server offers MONITOR, the nick is taken as soon as the server says it is free")
    func monitor() async throws {
        let (bot, wire) = try await enter(support: "MONITOR=30")
        _ = try await wire.expect("MONITOR") { $0.raw == "MONITOR + confab" }
        wire.send(":irc.test 730 confab_ :confab!other@home")
        wire.send(":irc.test 731 confab_ :somebody,confab")
        try await takes(wire, bot)
        await bot.quit(closing: wire)
    }

    @Test("elsewhere the bot asks patiently whether it is free, and takes it when it is")
    func ison() async throws {
        let (bot, wire) = try await enter(support: "")
        try await turn(wire, until: "ISON confab")
        wire.send(":irc.test 303 confab_ :confab ")
        try await turn(wire, until: "ISON confab")
        #expect(wire.lines.filter { $0.raw == "NICK confab" }.count == 1, "the one of the registration")
        wire.send(":irc.test 303 confab_ :")
        try await takes(wire, bot)
        await bot.quit(closing: wire)
    }

    @Test(
        "when its holder is seen to quit or to change nick it is taken at once",
        arguments: ["QUIT :bye", "NICK :other"])
    func seen(line: String) async throws {
        let (bot, wire) = try await enter(support: "")
        wire.send(":someone!u@h \(line)")
        wire.send(":Confab!u@h \(line)")
        try await takes(wire, bot)
        await bot.quit(closing: wire)
    }

    @Test("a refusal is no reason to give up or to hurry", arguments: [433, 437, 432])
    func refused(numeric: Int) async throws {
        let (bot, wire) = try await enter(support: "")
        wire.send(":Confab!u@h QUIT :bye")
        wire.send(":irc.test \(numeric) confab_ confab :no")
        wire.send(":Confab!u@h QUIT :bye")
        try await wire.ping()
        #expect(wire.lines.filter { $0.raw == "NICK confab" }.count == 2, "the one of the registration and another")
        try await turn(wire, until: "ISON confab")
        wire.send(":irc.test 303 confab_ :")
        try await takes(wire, bot)
        #expect(!bot.kinds.contains { if case .refused = $0 { true } else { false } })
        await bot.quit(closing: wire)
    }

    @Test("a nick that services take away is not fought for")
    func forced() async throws {
        let (bot, wire) = try await enter(support: "MONITOR=30")
        _ = try await wire.expect("MONITOR") { $0.command == "MONITOR" }
        wire.send(":irc.test 731 confab_ :confab")
        try await takes(wire, bot)
        wire.send(":confab!confab@bot.test NICK Guest7")
        wire.send(":irc.test 731 Guest7 :confab")
        try await wire.ping()
        #expect(wire.lines.filter { $0.raw == "NICK confab" }.count == 2)
        try await turn(wire, until: "ISON confab")
        #expect(clock.time.now() >= .seconds(1600))
        await bot.quit(closing: wire)
    }
}
