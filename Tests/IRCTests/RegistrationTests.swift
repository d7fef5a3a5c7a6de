import Domain
import Network
import Testing

@testable import IRC

/// Plays a server's lines to the registration and writes down what it does.
private struct Script {
    var registration: Registration
    var actions: [Registration.Action] = []

    init(
        sasl: SASLSettings? = nil, password: Secret? = nil, tls: TLSOptions? = nil, isInsecureAllowed: Bool = false,
        alternates: [String] = []
    ) {
        let endpoint = PipeEndpoint(host: "irc.test", port: 6667, tls: tls, connectTimeout: .seconds(1))
        let settings = NetworkSettings(
            name: NetworkName("test"), endpoint: endpoint, isInsecureAllowed: isInsecureAllowed,
            serverPassword: password, sasl: sasl)
        registration = Registration(settings, identity: LinkUnderTest.identity(alternates: alternates))
        actions = registration.begin()
    }

    var sent: [String] { actions.compactMap { if case .send(let line) = $0 { line } else { nil } } }
    var ending: Ending? { actions.compactMap { if case .end(let ending) = $0 { ending } else { nil } }.first }

    /// What the lines bring about.
    mutating func hears(_ lines: String...) -> [Registration.Action] {
        let before = actions.count
        for line in lines {
            if let message = IRCMessage(line) { actions += registration.receive(message) }
        }
        return Array(actions[before...])
    }
}

private let plain = SASLSettings(mechanisms: [.plain], account: "bot", password: Secret("sesame"), isRequired: true)
private let optional = SASLSettings(mechanisms: [.plain], account: "bot", password: Secret("sesame"), isRequired: false)
private let both = SASLSettings(
    mechanisms: [.external, .plain], account: "bot", password: Secret("sesame"), isRequired: true)
private let certificate = TLSOptions(clientCertificate: "/cert.pem")

@Suite("Registration")
struct RegistrationTests {
    @Test("opens with CAP LS 302, then the password, nick and user at once")
    func opening() {
        #expect(
            Script(password: Secret("open sesame")).sent == [
                "CAP LS 302", "PASS :open sesame", "NICK confab", "USER confab 0 * :a bot under test",
            ])
    }

    @Test("asks for what it uses of what is offered, over several lines, and ends when all is answered")
    func capabilities() {
        var script = Script()
        #expect(script.hears(":s CAP * LS * :multi-prefix server-time batch").isEmpty)
        #expect(
            script.hears(":s CAP * LS :account-tag sts=port=6697 echo-message") == [
                .send("CAP REQ :account-tag batch server-time")
            ])
        #expect(script.hears(":s CAP 663AAB8QI ACK :account-tag").isEmpty)
        #expect(script.hears(":s CAP * ACK :batch server-time ") == [.send("CAP END")])
        #expect(script.registration.enabled == ["account-tag", "batch", "server-time"])
        #expect(script.hears(":s 001 Confab_1 :hi") == [.welcome(nick: "Confab_1")])
    }

    @Test("asks one by one when the server refuses several together")
    func refused() {
        var script = Script()
        _ = script.hears("CAP * LS :batch server-time")
        #expect(
            script.hears("CAP * NAK :batch server-time") == [.send("CAP REQ :batch"), .send("CAP REQ :server-time")])
        #expect(script.hears("CAP * NAK :batch", "CAP * ACK :server-time") == [.send("CAP END")])
        #expect(script.registration.enabled == ["server-time"])
    }

    @Test("ends the negotiation where nothing of use is offered, and does without where CAP is not known")
    func without() {
        var bare = Script()
        #expect(bare.hears("CAP * LS :multi-prefix") == [.send("CAP END")])
        var old = Script()
        #expect(old.hears(":s 421 * CAP :Unknown command", ":s 001 confab :hi") == [.welcome(nick: "confab")])
        var silent = Script()
        #expect(silent.hears(":s 001 confab :hi") == [.welcome(nick: "confab")])
    }

    @Test("follows capabilities that come and go")
    func newAndDel() {
        var script = Script()
        _ = script.hears("CAP * LS :batch", "CAP * ACK :batch", ":s 001 confab :hi")
        #expect(script.hears("CAP confab DEL :batch").isEmpty)
        #expect(script.registration.enabled.isEmpty)
        #expect(script.hears("CAP confab NEW :chghost sasl=PLAIN") == [.send("CAP REQ :chghost")])
        #expect(script.hears("CAP confab ACK :chghost").isEmpty)
        #expect(script.registration.enabled == ["chghost"])
    }

    @Test("lines out of turn change nothing")
    func outOfTurn() {
        var script = Script(sasl: plain, tls: TLSOptions())
        let nonsense = ["AUTHENTICATE +", ":s 903 * :ok", ":s 904 * :no", "CAP * ACK :sasl", "CAP * NEW :batch", "CAP"]
        for line in nonsense { #expect(script.hears(line).isEmpty) }
        #expect(script.registration.enabled.isEmpty)
    }

    // MARK: SASL

    @Test("logs in by PLAIN over TLS before it ends the negotiation")
    func plainLogin() {
        var script = Script(sasl: plain, tls: TLSOptions())
        #expect(
            script.hears("CAP * LS :batch sasl=EXTERNAL,PLAIN") == [.send("CAP REQ :batch"), .send("CAP REQ :sasl")])
        #expect(script.hears("CAP * ACK :batch", "CAP * ACK :sasl") == [.send("AUTHENTICATE PLAIN")])
        #expect(script.hears("@time=x AUTHENTICATE :+") == [.send("AUTHENTICATE AGJvdABzZXNhbWU=")])
        #expect(
            script.hears(":s 900 confab confab!u@h bot :You are now logged in", ":s 903 confab :done")
                == [.loggedIn(account: "bot"), .send("CAP END")])
        #expect(script.registration.account == "bot")
    }

    @Test("sends a long password in chunks of 400, and a lone + after an exact multiple", arguments: [295, 296, 595])
    func chunks(length: Int) {
        let settings = SASLSettings(
            mechanisms: [.plain], account: "bot", password: Secret(String(repeating: "x", count: length)),
            isRequired: true)
        var script = Script(sasl: settings, tls: TLSOptions())
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl")
        let answer = script.hears("AUTHENTICATE +").compactMap { action -> String? in
            if case .send(let line) = action { String(line.dropFirst("AUTHENTICATE ".count)) } else { nil }
        }
        let size = (length + 5 + 2) / 3 * 4
        #expect(answer.map(\.count).reduce(0, +) == size + (size % 400 == 0 ? 1 : 0))
        #expect(answer.dropLast().allSatisfy { $0.count == 400 })
        #expect((answer.last == "+") == (size % 400 == 0))
    }

    @Test("never sends PLAIN in clear text unless it is allowed")
    func clearText() {
        var refusing = Script(sasl: plain)
        _ = refusing.hears("CAP * LS :sasl=PLAIN", "CAP * ACK :sasl")
        #expect(refusing.sent.last == "QUIT")
        #expect(!refusing.sent.contains { $0.hasPrefix("AUTHENTICATE") })
        #expect(refusing.ending?.reason.contains("insecure = true") == true)
        var allowed = Script(sasl: plain, isInsecureAllowed: true)
        #expect(allowed.hears("CAP * LS :sasl=PLAIN", "CAP * ACK :sasl").last == .send("AUTHENTICATE PLAIN"))
    }

    @Test("tries the next mechanism, and leaves out those the server does not have")
    func fallback() {
        var script = Script(sasl: both, tls: certificate)
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl")
        #expect(script.sent.last == "AUTHENTICATE EXTERNAL")
        #expect(script.hears("AUTHENTICATE +") == [.send("AUTHENTICATE +")])
        #expect(script.hears(":s 904 confab :no") == [.send("AUTHENTICATE PLAIN")])
        var listed = Script(sasl: both, tls: certificate)
        _ = listed.hears("CAP * LS :sasl=PLAIN,SCRAM-SHA-256", "CAP * ACK :sasl")
        #expect(listed.sent.last == "AUTHENTICATE PLAIN")
        var told = Script(sasl: both, tls: certificate)
        _ = told.hears(
            "CAP * LS :sasl", "CAP * ACK :sasl", ":s 908 confab EXTERNAL :are available", ":s 904 confab :no")
        #expect(told.sent.last == "QUIT")
    }

    @Test("aborts at a challenge that is none of its mechanism")
    func oddChallenge() {
        var script = Script(sasl: plain, tls: TLSOptions())
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl")
        #expect(script.hears("AUTHENTICATE c2VjcmV0") == [.send("AUTHENTICATE *")])
        _ = script.hears(":s 906 confab :aborted")
        #expect(script.ending?.next == .stop(unlessOnlineBefore: nil))
    }

    @Test("a required login that fails is the end, said clearly", arguments: ["902", "904", "905", "906"])
    func required(numeric: String) {
        var script = Script(sasl: plain, tls: TLSOptions())
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl", "AUTHENTICATE +", ":s \(numeric) confab :SASL failed")
        #expect(script.sent.last == "QUIT")
        #expect(script.ending == .final("login failed: SASL failed"))
        #expect(script.hears(":s 001 confab :hi").isEmpty)
    }

    @Test("a required login on a server without SASL is the end, which may pass where the bot was online before")
    func missing() {
        var script = Script(sasl: plain, tls: TLSOptions())
        _ = script.hears("CAP * LS :batch")
        #expect(script.ending?.next == .stop(unlessOnlineBefore: .seconds(300)))
        var old = Script(sasl: plain, tls: TLSOptions())
        _ = old.hears(":s 001 confab :hi")
        #expect(old.ending != nil)
        #expect(!old.actions.contains(.welcome(nick: "confab")))
    }

    @Test("a login that is not required is missed with one warning, and the rest goes on")
    func notRequired() {
        var script = Script(sasl: optional, tls: TLSOptions())
        #expect(
            script.hears("CAP * LS :batch") == [
                .send("CAP REQ :batch"), .loginMissing(reason: "the server offers no SASL"),
            ])
        #expect(script.hears("CAP * ACK :batch") == [.send("CAP END")])
        var wrong = Script(sasl: optional, tls: TLSOptions())
        _ = wrong.hears("CAP * LS :sasl", "CAP * ACK :sasl", "AUTHENTICATE +")
        #expect(wrong.hears(":s 904 * :wrong") == [.loginMissing(reason: "wrong"), .send("CAP END")])
        #expect(wrong.hears(":s 001 confab :hi") == [.welcome(nick: "confab")])
    }

    // MARK: Nicks

    @Test("tries the alternates, then underscores, when nicks are taken, also in the middle of a login")
    func taken() {
        var script = Script(sasl: plain, tls: TLSOptions(), alternates: ["confab2"])
        _ = script.hears("CAP * LS :sasl")
        #expect(script.hears(":s 433 * confab :in use") == [.send("NICK confab2")])
        #expect(script.hears("CAP * ACK :sasl") == [.send("AUTHENTICATE PLAIN")])
        #expect(script.hears(":s 436 * confab2 :collision") == [.send("NICK confab2_")])
        #expect(script.hears(":s 433 * confab2_ :in use") == [.send("NICK confab2__")])
        for _ in 0..<3 { _ = script.hears(":s 433 * x :in use") }
        #expect(
            script.hears(":s 433 * x :in use").last
                == .end(Ending(reason: "every nick is in use", next: .retry(after: .seconds(60)))))
    }

    @Test("shortens what it appended where that is too long")
    func tooLong() {
        var script = Script(alternates: ["confabbot"])
        _ = script.hears(":s 433 * confab :in use", ":s 433 * confabbot :in use")
        #expect(script.sent.last == "NICK confabbot_")
        #expect(script.hears(":s 432 * confabbot_ :too long") == [.send("NICK confabbo_")])
    }

    @Test("nicks the server forbids are a mistake of the configuration; one held back is waited for")
    func forbidden() {
        var script = Script(alternates: ["9bot"])
        #expect(script.hears(":s 432 * confab :bad") == [.send("NICK 9bot")])
        _ = script.hears(":s 432 * 9bot :bad")
        #expect(script.ending == .final("the server allows none of the configured nicks"))
        var held = Script(alternates: ["other"])
        _ = held.hears(":s 437 * confab :held")
        #expect(held.ending?.next == .retry(after: .seconds(60)))
        #expect(!held.sent.contains("NICK other"))
    }

    @Test("refusals of a nick after the welcome are none of its business")
    func afterWelcome() {
        var script = Script(alternates: ["other"])
        _ = script.hears(":s 001 confab :hi")
        #expect(script.hears(":s 433 confab x :in use", ":s 432 confab x :bad").isEmpty)
    }
}
