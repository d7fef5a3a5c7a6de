import Domain
import IRC
import IRCProtocol
import TestKit
import Testing

/// A bot in `#lobby`, with alice, on a server that takes messages of several lines and is strict about them.
struct MultilineScene {
    let bot: LinkUnderTest
    let wire: LineConnection
    let server: MultilineServer

    init(
        _ clock: ManualTime, _ server: MultilineServer = MultilineServer(), with capabilities: String = "",
        pace: Pace = Pace()
    ) async throws {
        let ircd = try ScriptedIRCServer(multiline: server)
        bot = LinkUnderTest(port: ircd.port, pace: pace, clock: clock)
        wire = try await ircd.connection()
        self.server = server
        try await wire.welcome(
            capabilities: "batch message-tags server-time account-tag \(server.capability) \(capabilities)",
            support: "CHANTYPES=# PREFIX=(ov)@+ STATUSMSG=@")
        try await wire.admit("confab", to: "#lobby", with: ["alice"])
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        // What was sent until now has been paid for.
        clock.advance(by: .seconds(120))
    }

    /// Nothing that was sent may break a rule.
    func ends() async {
        #expect(server.violations == [])
        await bot.quit(closing: wire)
    }

    var said: [String] {
        wire.lines.filter { ["PRIVMSG", "NOTICE"].contains($0.command) }.map { String($0.untagged) }
    }
}
