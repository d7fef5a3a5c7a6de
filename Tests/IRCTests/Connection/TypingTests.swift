import Domain
import Runtime
import TestKit
import Testing

@testable import IRC
@testable import IRCProtocol

@Suite("That the bot is typing")
struct TypingTests {
    /// Whether a bot that joined a channel here could show it, and what it sent.
    private func shown(offering capabilities: String, supporting tokens: String) async throws -> (Bool, String?) {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port, channels: [ChannelSettings(name: "#test")], clock: ManualTime())
        let wire = try await server.connection()
        try await wire.welcome(capabilities: capabilities, support: "CHANTYPES=# \(tokens)")
        let asked = wire.lines.filter { $0.command == "CAP" && $0.parameters.first == "REQ" }.map(\.text)
        #expect(asked == (capabilities.isEmpty ? [] : [capabilities]))
        try await wire.admit("confab", to: "#test")
        #expect(await bot.sees { if case .online = $0 { true } else { false } })
        let target = Target.channel(ChannelName("#test", .rfc1459))
        let connection = try #require(bot.connection)
        let isShown = await bot.link.showTyping(in: target, on: connection)
        try await wire.ping()
        await bot.quit()
        return (isShown, wire.lines.map(\.raw).first { $0.contains("TAGMSG") })
    }

    private static let all = "batch echo-message labeled-response message-tags"

    @Test func `is a tag where the server carries tags`() async throws {
        let (isShown, line) = try await shown(offering: Self.all, supporting: "NETWORK=x")
        #expect(isShown && line == "@+typing=active TAGMSG #test")
    }

    @Test(
        "is not sent where nobody would see it, nor where its refusal could be taken for that of an answer",
        arguments: [
            ("", "NETWORK=x"), (all, "CLIENTTAGDENY=*"), (all, "CLIENTTAGDENY=typing"), ("message-tags", "NETWORK=x"),
        ])
    func denied(capabilities: String, tokens: String) async throws {
        let (isShown, line) = try await shown(offering: capabilities, supporting: tokens)
        #expect(!isShown && line == nil)
    }
}
