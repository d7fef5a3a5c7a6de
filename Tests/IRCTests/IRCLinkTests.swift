import Domain
import IRC
import Runtime
import TestKit
import Testing

@Suite("The link on a scripted server")
struct IRCLinkTests {
    private func nick(_ name: String) -> Nick { Nick(name, .rfc1459) }
    private func channel(_ name: String) -> ChannelName { ChannelName(name, .rfc1459) }

    @Test("connects, registers, joins, hears, speaks and says goodbye")
    func wholeWay() async throws {
        let server = try ScriptedIRCServer()
        let bot = LinkUnderTest(port: server.port)
        let wire = try await server.connection()
        try await wire.welcome()
        try await wire.admit("confab", to: "#lobby", with: ["@alice", "+bob"])
        let others = [Member(nick("alice"), ranks: ["o"]), Member(nick("bob"))]
        #expect(await bot.sees { $0 == .members(channel("#lobby"), others) })
        wire.send(":alice!a@home PRIVMSG #Lobby :good morning")
        wire.send(":alice!a@home PRIVMSG confab :\u{2}psst\u{2}")
        #expect(await bot.hears("psst"))
        #expect(bot.messages.map(\.place) == [.channel(channel("#lobby")), .direct])
        #expect(bot.messages.map(\.text) == ["good morning", "psst"])
        #expect(await bot.say(["hello", "world"], in: "#lobby", prefix: "alice: ") == .sent)
        let said = try await wire.expect("the second line") { $0.text == "alice: world" }
        #expect(said.raw == "PRIVMSG #lobby :alice: world")
        await bot.quit()
        #expect(wire.lines.contains { $0.raw == "QUIT :test over" })
        #expect(wire.lines.first?.raw == "CAP LS 302")
    }
}
