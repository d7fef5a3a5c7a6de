import Domain
import IRCTestKit
import Testing

@testable import IRCProtocol

@Suite("The login while registering")
struct RegistrationLoginTests {
    @Test("logs in by PLAIN over TLS before it ends the negotiation")
    func plainLogin() {
        var script = RegistrationScript(sasl: .plain, isEncrypted: true)
        #expect(
            script.hears("CAP * LS :batch sasl=EXTERNAL,PLAIN") == [.send("CAP REQ :batch"), .send("CAP REQ :sasl")])
        #expect(script.hears("CAP * ACK :batch", "CAP * ACK :sasl") == [.send("AUTHENTICATE PLAIN")])
        #expect(script.hears("@time=x AUTHENTICATE :+") == [.send("AUTHENTICATE Ym90AGJvdABzZXNhbWU=")])
        #expect(
            script.hears(":s 900 confab confab!u@h bot :You are now logged in", ":s 903 confab :done")
                == [.loggedIn(account: "bot", by: "PLAIN"), .send("CAP END")])
        #expect(script.registration.account == "bot")
    }

    @Test(
        "sends a long password in chunks of 400, and a lone + after an exact multiple", arguments: [292, 293, 592, 600])
    func chunks(length: Int) {
        let settings = SASLSettings(
            mechanisms: [.plain], account: "bot", password: Secret(String(repeating: "x", count: length)),
            isRequired: true)
        var script = RegistrationScript(sasl: settings, isEncrypted: true)
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl")
        let answer = script.hears("AUTHENTICATE +").compactMap { action -> String? in
            if case .send(let line) = action { String(line.dropFirst("AUTHENTICATE ".count)) } else { nil }
        }
        let size = (length + 8 + 2) / 3 * 4
        #expect(answer.map(\.count).reduce(0, +) == size + (size % 400 == 0 ? 1 : 0))
        #expect(answer.dropLast().allSatisfy { $0.count == 400 })
        #expect((answer.last == "+") == (size % 400 == 0))
    }

    @Test("never sends PLAIN in clear text unless it is allowed")
    func clearText() {
        var refusing = RegistrationScript(sasl: .plain)
        _ = refusing.hears("CAP * LS :sasl=PLAIN", "CAP * ACK :sasl")
        #expect(refusing.sent.last == "QUIT")
        #expect(!refusing.sent.contains { $0.hasPrefix("AUTHENTICATE") })
        #expect(refusing.ending?.reason.contains("insecure = true") == true)
        var allowed = RegistrationScript(sasl: .plain, isInsecureAllowed: true)
        #expect(allowed.hears("CAP * LS :sasl=PLAIN", "CAP * ACK :sasl").last == .send("AUTHENTICATE PLAIN"))
    }

    @Test("tries the next mechanism, and leaves out those the server does not have")
    func fallback() {
        var script = RegistrationScript(sasl: .by(.external, .plain), hasCertificate: true)
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl")
        #expect(script.sent.last == "AUTHENTICATE EXTERNAL")
        #expect(script.hears("AUTHENTICATE +") == [.send("AUTHENTICATE +")])
        #expect(script.hears(":s 904 confab :no") == [.send("AUTHENTICATE PLAIN")])
        var listed = RegistrationScript(sasl: .by(.external, .plain), hasCertificate: true)
        _ = listed.hears("CAP * LS :sasl=PLAIN,SCRAM-SHA-256", "CAP * ACK :sasl")
        #expect(listed.sent.last == "AUTHENTICATE PLAIN")
        var told = RegistrationScript(sasl: .by(.external, .plain), hasCertificate: true)
        _ = told.hears(
            "CAP * LS :sasl", "CAP * ACK :sasl", ":s 908 confab EXTERNAL :are available", ":s 904 confab :no")
        #expect(told.sent.last == "QUIT")
    }

    @Test("aborts at a challenge that is none of its mechanism, and tries no other that may show more")
    func oddChallenge() {
        var script = RegistrationScript(sasl: .by(.external, .plain), hasCertificate: true)
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl")
        #expect(script.hears("AUTHENTICATE c2VjcmV0").prefix(2) == [.send("AUTHENTICATE *"), .send("QUIT")])
        #expect(script.ending?.next == .stop(unlessOnlineBefore: nil))
    }

    @Test("takes a challenge in chunks, and none that never ends", arguments: ["A", "é", "="])
    func endless(filler: String) {
        var script = RegistrationScript(sasl: .by(.plain, isRequired: false), isEncrypted: true)
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl")
        let chunk = "AUTHENTICATE " + String(repeating: filler, count: 400 / filler.utf8.count)
        var count = 0
        while script.registration.isLoggingIn, count < 1000 {
            _ = script.hears(chunk)
            count += 1
        }
        #expect(count <= 11)
        #expect(script.sent.suffix(2) == ["AUTHENTICATE *", "CAP END"])
        #expect(script.hears("AUTHENTICATE +", ":s 904 * :aborted").isEmpty)
    }

    @Test("words of the server that repeat the password are told without it")
    func echo() {
        var script = RegistrationScript(sasl: .plain, isEncrypted: true)
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl", "AUTHENTICATE +", ":s 904 * :sesame is wrong")
        #expect(script.ending?.reason == "login failed: (secret) is wrong")
    }

    @Test("services that do not answer cost a login that is not required, and end one that is, until they are back")
    func silence() {
        var optional = RegistrationScript(sasl: .by(.plain, isRequired: false), isEncrypted: true)
        _ = optional.hears("CAP * LS :sasl", "CAP * ACK :sasl", "AUTHENTICATE +")
        let reason = "services did not answer in time"
        #expect(
            optional.registration.loginUnanswered() == [
                .send("AUTHENTICATE *"), .loginMissing(reason: reason), .send("CAP END"),
            ])
        #expect(optional.hears(":s 906 * :aborted").isEmpty)
        var required = RegistrationScript(sasl: .plain, isEncrypted: true)
        _ = required.hears("CAP * LS :sasl", "CAP * ACK :sasl", "AUTHENTICATE +")
        let ending = Ending(reason: "login failed: \(reason)", next: .stop(unlessOnlineBefore: .seconds(300)))
        #expect(required.registration.loginUnanswered().last == .end(ending))
    }

    @Test("services that go away in the middle of a login are not waited for")
    func gone() {
        var script = RegistrationScript(sasl: .by(.plain, isRequired: false), isEncrypted: true)
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl", "AUTHENTICATE +")
        #expect(
            script.hears("CAP * DEL :sasl") == [
                .send("AUTHENTICATE *"), .loginMissing(reason: "services went away"), .send("CAP END"),
            ])
    }

    // MARK: SCRAM

    /// Does what the relay does with work.
    private func derived(_ script: inout RegistrationScript, _ actions: [Registration.Action]) -> [Registration.Action]
    {
        guard case .derive(let work)? = actions.first else { return actions }
        let key = work.hash.stretch(Array(work.password.reveal().utf8), salt: work.salt, iterations: work.iterations)
        return script.registration.derived(key, by: work)
    }

    /// Plays up to the bot's proof and returns the server that has taken it.
    private func proof(_ script: inout RegistrationScript, password: String = "sesame") throws -> SCRAMServer {
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl")
        var server = SCRAMServer(.sha256, password: password)
        let opening = try #require(script.hears("AUTHENTICATE +").first)
        let actions = script.hears("AUTHENTICATE \(server.offer(to: payload(opening)))")
        server.take(payload(try #require(derived(&script, actions).first)))
        return server
    }

    private func payload(_ action: Registration.Action) -> String {
        if case .send(let line) = action { String(line.dropFirst("AUTHENTICATE ".count)) } else { "" }
    }

    @Test("logs in by SCRAM once the server has proved itself", arguments: [false, true])
    func scram(isInClear: Bool) throws {
        var script = RegistrationScript(sasl: .by(.scramSHA256, .plain), isEncrypted: !isInClear)
        let server = try proof(&script)
        #expect(server.isProofRight)
        #expect(script.hears("AUTHENTICATE \(server.signature)") == [.send("AUTHENTICATE +")])
        #expect(script.hears(":s 900 confab c!u@h bot :You are now logged in").isEmpty)
        #expect(
            script.hears(":s 903 confab :done") == [
                .loggedIn(account: "bot", by: "SCRAM-SHA-256"), .send("CAP END"),
            ])
    }

    @Test("a server that calls the login good without a signature is not believed", arguments: ["903", "907"])
    func unproven(numeric: String) throws {
        var script = RegistrationScript(sasl: .by(.scramSHA256, .plain), isEncrypted: true)
        _ = try proof(&script)
        _ = script.hears(":s 900 confab c!u@h bot :You are now logged in", ":s \(numeric) confab :done")
        #expect(script.ending?.reason.contains("did not prove that it knows the account") == true)
        #expect(script.registration.account == nil)
        #expect(!script.sent.contains("AUTHENTICATE PLAIN"))
    }

    @Test("a wrong signature is the end of the login, and PLAIN shows the password to nobody")
    func falseServer() throws {
        var script = RegistrationScript(sasl: .by(.scramSHA256, .plain, isRequired: false), isEncrypted: true)
        let server = try proof(&script, password: "another")
        #expect(!server.isProofRight)
        let told = script.hears("AUTHENTICATE \(server.signature)")
        #expect(told.first == .send("AUTHENTICATE *"))
        #expect(told.last == .send("CAP END"))
        #expect(
            script.hears(":s 900 confab c!u@h bot :hi", ":s 903 confab :done").allSatisfy { $0 != .send("CAP END") })
        #expect(!script.sent.contains("AUTHENTICATE PLAIN"))
        #expect(script.registration.loginMethod == nil)
    }

    @Test("a login the server refused in the meantime is not gone on with when the work is done")
    func late() throws {
        var script = RegistrationScript(sasl: .by(.scramSHA256, .scramSHA512), isEncrypted: true)
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl")
        var server = SCRAMServer(.sha256, password: "sesame")
        let actions = script.hears(
            "AUTHENTICATE \(server.offer(to: payload(try #require(script.hears("AUTHENTICATE +").first))))")
        #expect(script.hears(":s 904 confab :no") == [.send("AUTHENTICATE SCRAM-SHA-512")])
        #expect(derived(&script, actions).isEmpty)
        #expect(script.hears("AUTHENTICATE +").count == 1)
        #expect(derived(&script, actions).isEmpty)
    }

    @Test("joins an offer that comes in chunks, also one that ends exactly with a chunk", arguments: [300, 186])
    func chunkedOffer(salt: Int) throws {
        var script = RegistrationScript(sasl: .by(.scramSHA512), isEncrypted: true)
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl")
        var server = SCRAMServer(.sha512, password: "sesame", salt: String(repeating: "s", count: salt))
        let offer = server.offer(to: payload(try #require(script.hears("AUTHENTICATE +").first)))
        #expect((offer.count % 400 == 0) == (salt == 186), "\(offer.count)")
        var actions: [Registration.Action] = []
        var rest = offer[...]
        while !rest.isEmpty {
            #expect(actions.isEmpty)
            actions = script.hears("AUTHENTICATE \(rest.prefix(400))")
            rest = rest.dropFirst(400)
        }
        if offer.count % 400 == 0 { actions = script.hears("AUTHENTICATE +") }
        server.take(payload(try #require(derived(&script, actions).first)))
        #expect(server.isProofRight)
    }

    @Test("logs in later where services were away at first and come back, and stays whatever comes of it")
    func later() throws {
        var script = RegistrationScript(sasl: .by(.scramSHA256, .plain, isRequired: false), isEncrypted: true)
        _ = script.hears("CAP * LS :batch", "CAP * ACK :batch", ":s 001 confab :hi")
        #expect(script.hears("CAP confab NEW :sasl=PLAIN") == [.send("CAP REQ :sasl")])
        #expect(script.hears("CAP confab ACK :sasl") == [.send("AUTHENTICATE PLAIN")])
        _ = script.hears("AUTHENTICATE +")
        #expect(script.registration.isWelcomed)
        #expect(script.registration.loginUnanswered().map { $0 == .send("AUTHENTICATE *") } == [true, false])
        #expect(script.hears("CAP confab DEL :sasl", "CAP confab NEW :sasl=PLAIN") == [.send("CAP REQ :sasl")])
        _ = script.hears("CAP confab ACK :sasl", "AUTHENTICATE +")
        #expect(script.hears(":s 903 confab :done") == [.loggedIn(account: "bot", by: "PLAIN")])
        #expect(script.hears("CAP confab NEW :sasl").isEmpty)
        #expect(script.hears(":s 901 confab c!u@h :out", "CAP confab NEW :sasl") == [.send("CAP REQ :sasl")])
        _ = script.hears("CAP confab ACK :sasl", "AUTHENTICATE +", ":s 904 confab :no", ":s 904 confab :no")
        #expect(script.ending == nil)
        #expect(script.hears("CAP confab NEW :sasl").isEmpty, "refused is not asked again")
    }

    @Test("says which mechanisms it had and the server had when there is none in common")
    func noneInCommon() {
        var script = RegistrationScript(sasl: .by(.scramSHA512, .scramSHA256), isEncrypted: true)
        _ = script.hears("CAP * LS :sasl=PLAIN,EXTERNAL", "CAP * ACK :sasl")
        #expect(script.ending?.reason.contains("SCRAM-SHA-512, SCRAM-SHA-256 works here; the server has PLAIN") == true)
    }

    @Test("a required login that fails is the end, said clearly", arguments: ["902", "904", "905", "906"])
    func required(numeric: String) {
        var script = RegistrationScript(sasl: .plain, isEncrypted: true)
        _ = script.hears("CAP * LS :sasl", "CAP * ACK :sasl", "AUTHENTICATE +", ":s \(numeric) confab :SASL failed")
        #expect(script.sent.last == "QUIT")
        #expect(script.ending == .final("login failed: SASL failed"))
        #expect(script.hears(":s 001 confab :hi").isEmpty)
    }

    @Test("a required login on a server without SASL is the end, which may pass where the bot was online before")
    func missing() {
        var script = RegistrationScript(sasl: .plain, isEncrypted: true)
        _ = script.hears("CAP * LS :batch")
        #expect(script.ending?.next == .stop(unlessOnlineBefore: .seconds(300)))
        var old = RegistrationScript(sasl: .plain, isEncrypted: true)
        _ = old.hears(":s 001 confab :hi")
        #expect(old.ending != nil)
        #expect(!old.actions.contains(.welcome(nick: "confab")))
    }

    @Test("a login that is not required is missed with one warning, and the rest goes on")
    func notRequired() {
        var script = RegistrationScript(sasl: .by(.plain, isRequired: false), isEncrypted: true)
        #expect(
            script.hears("CAP * LS :batch") == [
                .send("CAP REQ :batch"), .loginMissing(reason: "the server offers no SASL"),
            ])
        #expect(script.hears("CAP * ACK :batch") == [.send("CAP END")])
        var wrong = RegistrationScript(sasl: .by(.plain, isRequired: false), isEncrypted: true)
        _ = wrong.hears("CAP * LS :sasl", "CAP * ACK :sasl", "AUTHENTICATE +")
        #expect(wrong.hears(":s 904 * :wrong") == [.loginMissing(reason: "wrong"), .send("CAP END")])
        #expect(wrong.hears(":s 001 confab :hi") == [.welcome(nick: "confab")])
    }
}
