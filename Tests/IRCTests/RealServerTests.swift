import Domain
import IRC
import TestKit
import Testing

@Suite("The link on a real ngircd")
struct RealServerTests {
    @Test("joins, hears UTF-8, speaks, follows people, and marks itself as a bot")
    func wholeWay() async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.join("#lobby")
        let bot = LinkUnderTest(port: server.port)
        let lobby = ChannelName("#lobby", .ascii)
        #expect(await bot.sees { $0 == .members(lobby, [Nick("alice", .ascii)]) })
        alice.say("grüß dich 🙂", to: "#lobby")
        #expect(await bot.hears("grüß dich 🙂"))
        alice.say(":nur für dich", to: "confab")
        #expect(await bot.hears(":nur für dich"))
        #expect(await bot.say([":-) zurück"], in: "#lobby", prefix: "alice: ") == .sent)
        try await alice.expectMessage(from: "confab", to: "#lobby", containing: "alice: :-) zurück")
        alice.send("WHOIS confab")
        try await alice.expect("the mark of a bot") { $0.raw.contains("335") || $0.text.contains("bot") }
        alice.send("NICK alicia")
        #expect(await bot.sees { if case .renamed(_, let next) = $0 { next.spelling == "alicia" } else { false } })
        alice.quit()
        #expect(await bot.sees { $0 == .quit(Nick("alicia", .ascii)) })
        await bot.quit()
    }
}
