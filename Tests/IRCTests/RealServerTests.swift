import Domain
import FoundationEssentials
import IRC
import IRCProtocol
import IRCTestKit
import Network
import TestKit
import Testing

@Suite("The link on real servers")
struct RealServerTests {
    @Test("on ngircd it joins, hears UTF-8, speaks, follows people, and marks itself as a bot")
    func wholeWay() async throws {
        let scratch = try Scratch()
        let server = try await NGIRCd(in: scratch)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.join("#lobby")
        let bot = LinkUnderTest(port: server.port)
        let lobby = ChannelName("#lobby", .ascii)
        #expect(await bot.sees { $0 == .members(lobby, [Member(Nick("alice", .ascii), ranks: ["o"])]) })
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

    @Test("on InspIRCd over TLS it logs in by certificate, key or password, and learns the accounts of others")
    func services() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates)
        try await server.register(
            account: "botaccount", password: "sesame-sesame",
            fingerprint: try await certificates.fingerprint(of: certificates.client),
            publicKey: try await certificates.publicKey(of: certificates.clientKey))
        let pem = try Data(contentsOf: URL(filePath: certificates.clientKey))
        let key = try #require(SigningKey(pem: Array(pem)))
        for mechanism in [SASLSettings.Mechanism.external, .ecdsa, .plain] {
            let sasl = SASLSettings(
                mechanisms: [mechanism], account: "botaccount", password: Secret("sesame-sesame"), key: key,
                isRequired: true)
            let tls = TLSOptions(
                caFile: certificates.authority, clientCertificate: certificates.client,
                clientKey: certificates.clientKey)
            let bot = LinkUnderTest(port: server.tlsPort, sasl: sasl, tls: tls)
            let hasEntered = await bot.sees { if case .entered = $0 { true } else { false } }
            try #require(hasEntered, "\(mechanism) \(bot.log.lines)")
            #expect(bot.log.lines.contains { $0.contains("logged in to services") && $0.contains(mechanism.rawValue) })
            let alice = try await IRCClient(nick: "alice", port: server.port)
            try await alice.join("#lobby")
            alice.say("hello", to: "#lobby")
            #expect(await bot.hears("hello"))
            #expect(await bot.say([String(repeating: "界", count: 300)], in: "#lobby") == .sent)
            _ = try await alice.expectMessage(from: "confab", to: "#lobby", containing: "界")
            _ = try await alice.expectMessage(from: "confab", to: "#lobby", containing: "界")
            #expect(alice.heard(from: "confab").joined().count == 300)
            await bot.quit()
            alice.quit()
            #expect(await eventually { alice.isClosed })
        }
    }

    @Test("on InspIRCd a wrong password ends it without a JOIN")
    func wrongPassword() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates)
        let sasl = SASLSettings(
            mechanisms: [.plain], account: "nobody", password: Secret("wrong"), isRequired: true)
        let bot = LinkUnderTest(port: server.tlsPort, sasl: sasl, tls: TLSOptions(caFile: certificates.authority))
        await bot.ended()
        #expect(bot.link.failures[LinkUnderTest.network]?.hasPrefix("login failed") == true, "\(bot.log.lines)")
        #expect(bot.kinds.isEmpty)
    }

    @Test("on InspIRCd NickServ logs it in before it joins, and a wrong password ends it")
    func nickServ() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates)
        try await server.register(account: "bot", password: "sesame-sesame")
        let tls = TLSOptions(caFile: certificates.authority)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.join("#lobby")
        let bot = LinkUnderTest(port: server.tlsPort, nickServ: .identify(password: "sesame-sesame"), tls: tls)
        #expect(await bot.sees { if case .entered = $0 { true } else { false } }, "\(bot.log.lines)")
        alice.send("WHOIS confab")
        try await alice.expect("the bot's services account") { $0.command == "330" && $0.raw.contains("bot") }
        await bot.quit()
        #expect(bot.log.lines.contains { $0.contains("by=NickServ") })
        let wrong = LinkUnderTest(port: server.tlsPort, nickServ: .identify(password: "canary-wrong"), tls: tls)
        await wrong.ended()
        let reason = wrong.link.failures[LinkUnderTest.network] ?? ""
        #expect(reason.hasPrefix("login failed: NickServ: Invalid password"), "\(reason)")
        #expect(wrong.kinds.isEmpty)
        #expect(!wrong.log.lines.contains { $0.contains("canary") })
    }

    @Test("on InspIRCd, which has no SCRAM, the next mechanism logs in; SCRAM alone is told what there is")
    func fallback() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates)
        try await server.register(account: "botaccount", password: "sesame-sesame")
        let tls = TLSOptions(caFile: certificates.authority)
        let any = SASLSettings(
            mechanisms: SASLSettings.Mechanism.allCases, account: "botaccount", password: Secret("sesame-sesame"),
            isRequired: true)
        let bot = LinkUnderTest(port: server.tlsPort, sasl: any, tls: tls)
        #expect(await bot.sees { if case .entered = $0 { true } else { false } }, "\(bot.log.lines)")
        #expect(bot.log.lines.contains { $0.contains("logged in to services") && $0.contains("by=PLAIN") })
        await bot.quit()
        let strict = SASLSettings(
            mechanisms: [.scramSHA256], account: "botaccount", password: Secret("sesame-sesame"), isRequired: true)
        let other = LinkUnderTest(port: server.tlsPort, sasl: strict, tls: tls)
        await other.ended()
        let reason = other.link.failures[LinkUnderTest.network] ?? ""
        #expect(reason.contains("SCRAM-SHA-256 works here; the server has"), "\(reason)")
    }

    @Test("on InspIRCd each line is proved by its echo, a refusal is told from it, and +c hears plain text")
    func delivery() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates, withServices: false)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.join("#lobby")
        let bot = LinkUnderTest(port: server.port)
        #expect(await bot.sees { if case .members = $0 { true } else { false } })
        #expect(await bot.say(["one", "two"], in: "#lobby") == .sent)
        try await alice.expectMessage(from: "confab", to: "#lobby", containing: "two")
        alice.send("AWAY :gone")
        try await alice.expect("being away") { $0.command == "306" }
        #expect(await bot.say(["psst"], to: Nick("alice", .rfc1459), form: .message) == .sent)
        let nobody = await bot.say(["psst"], to: Nick("nobody", .rfc1459), form: .notice)
        #expect(nobody == .undelivered(.refused("No such nick")))
        alice.send("MODE #lobby +c")
        try await alice.expect("the mode") { $0.command == "MODE" && $0.raw.contains("+c") }
        let connection = try #require(bot.connection)
        let answer = Utterance(
            on: connection, to: .channel(ChannelName("#lobby", .rfc1459)), form: .message, lines: ["\u{2}bold\u{2}"],
            isFormatted: true)
        // The bot may not have seen the mode yet.
        _ = await bot.link.speak(answer)
        #expect(await bot.link.speak(answer) == .sent)
        try await alice.expectMessage(from: "confab", to: "#lobby", containing: "bold")
        alice.send("MODE #lobby +m")
        try await alice.expect("the mode") { $0.command == "MODE" && $0.raw.contains("+m") }
        guard case .undelivered(.refused(let reason)) = await bot.say(["a", "b", "c", "d"], in: "#lobby") else {
            Issue.record("said in a moderated channel")
            return
        }
        #expect(reason.contains("+m"))
        #expect(bot.messages.isEmpty)
        await bot.quit()
    }

    @Test(
        "on InspIRCd a channel for registered people (+R) admits the bot that logged in, and keeps out no other channel"
    )
    func registeredOnly() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(in: scratch, certificates: certificates)
        try await server.register(account: "botaccount", password: "sesame-sesame")
        let alice = try await IRCClient(nick: "alice", port: server.port)
        for channel in ["#members", "#lobby"] { try await alice.join(channel) }
        alice.send("MODE #members +R")
        try await alice.expect("the mode") { $0.command == "MODE" && $0.raw.contains("+R") }
        let channels = [ChannelSettings(name: "#members"), ChannelSettings(name: "#lobby")]
        let tls = TLSOptions(caFile: certificates.authority)
        let stranger = LinkUnderTest(port: server.tlsPort, channels: channels, tls: tls)
        let isInLobby = await stranger.sees { $0 == .entered(ChannelName("#lobby", .rfc1459)) }
        #expect(isInLobby, "\(stranger.log.lines)")
        #expect(await eventually { stranger.log.lines.contains { $0.contains("kept out") && $0.contains("#members") } })
        await stranger.quit()
        let sasl = SASLSettings(
            mechanisms: [.plain], account: "botaccount", password: Secret("sesame-sesame"), isRequired: true)
        let member = LinkUnderTest(port: server.tlsPort, channels: channels, sasl: sasl, tls: tls)
        let hasEntered = await member.sees { $0 == .entered(ChannelName("#members", .rfc1459)) }
        #expect(hasEntered, "\(member.log.lines)")
        await member.quit()
    }

    @Test("on InspIRCd a cloak, of somebody else or of the bot, is the host that others see from then on")
    func cloaks() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await InspIRCd(
            in: scratch, certificates: certificates, withServices: false, isCloaking: true)
        let alice = try await IRCClient(nick: "alice", port: server.port)
        try await alice.join("#lobby")
        let bot = LinkUnderTest(
            port: server.tlsPort, pace: Pace(burst: 20, interval: .milliseconds(100)),
            tls: TLSOptions(caFile: certificates.authority))
        #expect(await bot.sees { if case .entered = $0 { true } else { false } }, "\(bot.log.lines)")
        alice.send("MODE alice -x")
        #expect(await bot.sees { if case .moved = $0 { true } else { false } }, "\(bot.kinds)")
        // Every byte of its lines arrives, so it counts with the host that alice sees.
        let long = String(repeating: "0123456789 ", count: 120)
        #expect(await bot.say([long], in: "#lobby") == .sent)
        #expect(await eventually { alice.heard(from: "confab").joined(separator: " ").count >= long.count - 1 })
        #expect(alice.heard(from: "confab").joined(separator: " ").filter(\.isNumber).count == 1200)
        await bot.quit()
    }

    @Test("a certificate of another authority is final, and not a line is sent")
    func wrongAuthority() async throws {
        let scratch = try Scratch()
        let certificates = try await Certificates(in: scratch.path)
        let server = try await NGIRCd(in: scratch, certificates: certificates)
        let bot = LinkUnderTest(port: server.tlsPort, tls: TLSOptions(caFile: certificates.otherAuthority))
        await bot.ended()
        #expect(bot.link.failures[LinkUnderTest.network]?.contains("certificate") == true)
    }
}
