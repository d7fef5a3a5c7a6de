import TestKit
import Testing

@Suite struct TransportTests {
    @Test func `ngircd over TLS with a private authority is joined`() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await NGIRCd(in: scratch, certificates: certificates)
        let api = try ScriptedAPI()
        let bot = try ConfabProcess(
            in: scratch, port: server.tlsPort, network: "ca_file = \"\(certificates.authority)\"", api: api)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        try await alice.register()
        alice.say("hello", to: "#confab")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "alice: You said: hello")
        #expect(await bot.stop() == 0)
    }

    @Test(arguments: ["wrong authority", "wrong name", "wrong pin"])
    func `a server that cannot prove itself is refused without a line sent`(fault: String) async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await NGIRCd(in: scratch, certificates: certificates)
        let api = try ScriptedAPI()
        let network =
            switch fault {
            case "wrong authority": "ca_file = \"\(certificates.otherAuthority)\""
            case "wrong name": "host = \"other.localhost\"\nca_file = \"\(certificates.authority)\""
            default: "pins = [\"\(try await certificates.fingerprint(of: certificates.client))\"]"
            }
        let bot = try ConfabProcess(in: scratch, port: server.tlsPort, network: network, api: api)
        // A certificate error is final: the only network has ended, and so has the bot.
        #expect(await bot.program.waitForEnd() == 69)
        #expect(bot.program.output.contains("certificate"))
        #expect(!server.program.output.contains("confab!"), "the server knows the bot by name")
    }

    @Test func `a pin alone admits the server it names`() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await NGIRCd(in: scratch, certificates: certificates)
        let api = try ScriptedAPI()
        let pin = try await certificates.fingerprint(of: certificates.server)
        let bot = try ConfabProcess(in: scratch, port: server.tlsPort, network: "pins = [\"\(pin)\"]", api: api)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        #expect(await bot.stop() == 0)
    }

    @Test(arguments: ["PLAIN", "EXTERNAL", "ECDSA-NIST256P-CHALLENGE", "NickServ"])
    func `InspIRCd over TLS logs the bot in to services before it joins`(mechanism: String) async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates)
        let fingerprint = try await certificates.fingerprint(of: certificates.client)
        try await server.register(
            account: "confab", password: "services-password", fingerprint: fingerprint,
            publicKey: try await certificates.publicKey(of: certificates.clientKey))
        let secret = try scratch.secret("services-password", named: "sasl")
        let api = try ScriptedAPI()
        let network = """
            ca_file = "\(certificates.authority)"
            \(login(by: mechanism, password: secret, certificates))
            """
        let bot = try ConfabProcess(in: scratch, port: server.tlsPort, network: network, api: api)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.meet(in: "#confab")
        alice.send("WHOIS confab")
        try await alice.expect("the bot's services account") { $0.command == "330" && $0.raw.contains("confab") }
        try await alice.register()
        alice.say("hello", to: "#confab")
        try await alice.expectMessage(from: "confab", to: "#confab", containing: "alice: You said: hello")
        #expect(await bot.stop() == 0)
        let check = try Program(
            Places.confab, ["check", "--connect", "--config", scratch.file("confab.toml")],
            logFile: scratch.file("check.log"))
        #expect(await check.waitForEnd() == 0)
        #expect(check.output.contains("logged in to services as confab by \(mechanism)"), "\(check.output)")
        #expect(!(check.output + bot.program.output).contains("services-password"))
    }

    private func login(by mechanism: String, password: String, _ certificates: Certificates) -> String {
        let account = "account = \"confab\"\npassword_file = \"\(password)\"\nrequired = true"
        // Services would know the certificate before they are asked.
        if mechanism == "NickServ" { return "[networks.nickserv]\n\(account)" }
        return """
            client_certificate = "\(certificates.client)"
            client_key = "\(certificates.clientKey)"
            [networks.sasl]
            mechanisms = ["\(mechanism)"]
            key_file = "\(certificates.clientKey)"
            \(account)
            """
    }

    @Test func `a wrong services password ends the bot where a login is required, and it never joins`() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates)
        try await server.register(account: "confab", password: "services-password")
        let secret = try scratch.secret("another-password", named: "sasl")
        let network = """
            ca_file = "\(certificates.authority)"
            [networks.sasl]
            mechanisms = ["PLAIN"]
            account = "confab"
            password_file = "\(secret)"
            required = true
            """
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.join("#confab")
        let api = try ScriptedAPI()
        let bot = try ConfabProcess(in: scratch, port: server.tlsPort, network: network, api: api)
        #expect(await bot.program.waitForEnd() == 69)
        #expect(!alice.lines.contains { $0.command == "JOIN" && $0.source == "confab" })
        #expect(!bot.program.output.contains("another-password"))
    }
}
