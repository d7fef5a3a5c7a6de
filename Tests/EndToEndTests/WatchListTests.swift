import TestKit
import Testing

@Suite("People whom the server does not watch for the bot")
struct WatchListTests {
    @Test(
        "are told why they cannot log in while they share no channel with it",
        arguments: [
            ":irc.test 734 confab 30 alice :Monitor list is full.", ":irc.test 421 confab MONITOR :Unknown command",
        ])
    func told(_ refusal: String) async throws {
        let scratch = try Scratch()
        let server = try ScriptedIRCServer()
        let api = try ScriptedAPI()
        let bot = try ConfabProcess(in: scratch, port: server.port, api: api)
        let network = try await server.connection()
        try await network.welcome(support: "CHANTYPES=# MONITOR=30")
        try await network.admit("confab", to: "#confab")
        network.send(":alice!a@home PRIVMSG confab :LOGIN correct-horse")
        _ = try await network.expect("MONITOR") { $0.raw == "MONITOR + alice" }
        network.send(refusal)
        _ = try await network.expect("the reason") { $0.target == "alice" && $0.text.hasPrefix("I cannot log you in") }
        #expect(await bot.stop() == 0)
    }
}
