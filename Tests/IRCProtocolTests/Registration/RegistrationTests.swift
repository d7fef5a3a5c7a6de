import Domain
import IRCTestKit
import Testing

@testable import IRCProtocol

@Suite("Registration")
struct RegistrationTests {
    @Test("opens with CAP LS 302, then the password, nick and user at once")
    func opening() {
        #expect(
            RegistrationScript(password: Secret("open sesame")).sent == [
                "CAP LS 302", "PASS :open sesame", "NICK confab", "USER confab 0 * :a bot under test",
            ])
    }

    @Test("asks for what it uses of what is offered, over several lines, and ends when all is answered")
    func capabilities() {
        var script = RegistrationScript()
        #expect(script.hears(":s CAP * LS * :away-notify server-time batch").isEmpty)
        #expect(
            script.hears(":s CAP * LS :account-tag sts=port=6697 echo-message") == [
                .send("CAP REQ :account-tag batch server-time")
            ])
        #expect(script.hears(":s CAP 663AAB8QI ACK :account-tag").isEmpty)
        #expect(script.hears(":s CAP * ACK :batch server-time ") == [.send("CAP END")])
        #expect(script.registration.enabled == ["account-tag", "batch", "server-time"])
        #expect(script.hears(":s 001 Confab_1 :hi") == [.welcome(nick: "Confab_1")])
    }

    @Test("echoes are asked for only where labels tell them apart, also when those come later")
    func echoes() {
        var script = RegistrationScript()
        let isAsked = script.hears("CAP * LS :batch echo-message labeled-response")
        #expect(isAsked == [.send("CAP REQ :batch echo-message labeled-response")])
        _ = script.hears("CAP * ACK :batch echo-message labeled-response", ":s 001 confab :hi")
        #expect(script.registration.isDeliveryTold)
        _ = script.hears("CAP confab DEL :labeled-response")
        #expect(!script.registration.isDeliveryTold)
        var later = RegistrationScript()
        _ = later.hears("CAP * LS :batch echo-message", "CAP * ACK :batch", ":s 001 confab :hi")
        #expect(
            later.hears("CAP confab NEW :labeled-response") == [.send("CAP REQ :echo-message labeled-response")])
    }

    @Test("messages of several lines are asked for where they say how long they may be, and need batches")
    func multiline() {
        var script = RegistrationScript()
        let offer = "batch draft/multiline=max-bytes=4096,max-lines=24"
        #expect(script.hears("CAP * LS :\(offer)") == [.send("CAP REQ :batch draft/multiline")])
        #expect(script.registration.multiline == nil)
        _ = script.hears("CAP * ACK :batch draft/multiline", ":s 001 confab :hi")
        #expect(script.registration.multiline == MultilineLimits("max-bytes=4096,max-lines=24"))
        #expect(script.hears("CAP confab NEW :draft/multiline=max-bytes=100").isEmpty)
        #expect(script.registration.multiline == MultilineLimits("max-bytes=100"))
        _ = script.hears("CAP confab DEL :draft/multiline")
        #expect(script.registration.multiline == nil)
        #expect(
            script.hears("CAP confab NEW :draft/multiline=max-bytes=50") == [.send("CAP REQ :draft/multiline")])
        _ = script.hears("CAP confab ACK :draft/multiline", "CAP confab DEL :batch")
        #expect(script.registration.multiline == nil)
        for offer in ["batch draft/multiline", "batch draft/multiline=max-lines=5"] {
            var vague = RegistrationScript()
            #expect(vague.hears("CAP * LS :\(offer)") == [.send("CAP REQ :batch")])
        }
        var alone = RegistrationScript()
        #expect(alone.hears("CAP * LS :draft/multiline=max-bytes=4096") == [.send("CAP END")])
    }

    @Test("asks one by one when the server refuses several together")
    func refused() {
        var script = RegistrationScript()
        _ = script.hears("CAP * LS :batch server-time")
        #expect(
            script.hears("CAP * NAK :batch server-time") == [.send("CAP REQ :batch"), .send("CAP REQ :server-time")])
        #expect(script.hears("CAP * NAK :batch", "CAP * ACK :server-time") == [.send("CAP END")])
        #expect(script.registration.enabled == ["server-time"])
    }

    @Test("ends the negotiation where nothing of use is offered, and does without where CAP is not known")
    func without() {
        var bare = RegistrationScript()
        #expect(bare.hears("CAP * LS :away-notify") == [.send("CAP END")])
        var old = RegistrationScript()
        #expect(old.hears(":s 421 * CAP :Unknown command", ":s 001 confab :hi") == [.welcome(nick: "confab")])
        var silent = RegistrationScript()
        #expect(silent.hears(":s 001 confab :hi") == [.welcome(nick: "confab")])
    }

    @Test("follows capabilities that come and go")
    func newAndDel() {
        var script = RegistrationScript()
        _ = script.hears("CAP * LS :batch", "CAP * ACK :batch", ":s 001 confab :hi")
        #expect(script.hears("CAP confab DEL :batch").isEmpty)
        #expect(script.registration.enabled.isEmpty)
        #expect(script.hears("CAP confab NEW :chghost sasl=PLAIN") == [.send("CAP REQ :chghost")])
        #expect(script.hears("CAP confab ACK :chghost").isEmpty)
        #expect(script.registration.enabled == ["chghost"])
    }

    @Test("lines out of turn change nothing")
    func outOfTurn() {
        var script = RegistrationScript(sasl: .plain, isEncrypted: true)
        let nonsense = ["AUTHENTICATE +", ":s 903 * :ok", ":s 904 * :no", "CAP * ACK :sasl", "CAP * NEW :batch", "CAP"]
        for line in nonsense { #expect(script.hears(line).isEmpty) }
        #expect(script.registration.enabled.isEmpty)
    }

    // MARK: Nicks

    @Test("tries the alternates, then underscores, when nicks are taken, also in the middle of a login")
    func taken() {
        var script = RegistrationScript(sasl: .plain, isEncrypted: true, alternates: ["confab2"])
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
        var script = RegistrationScript(alternates: ["confabbot"])
        _ = script.hears(":s 433 * confab :in use", ":s 433 * confabbot :in use")
        #expect(script.sent.last == "NICK confabbot_")
        #expect(script.hears(":s 432 * confabbot_ :too long") == [.send("NICK confabbo_")])
    }

    @Test("a refused nick that the server had cut tells how long nicks may be")
    func cut() {
        var script = RegistrationScript(alternates: ["confabulator"])
        _ = script.hears(":s 433 * confab :in use")
        #expect(script.hears(":s 433 * confabula :in use") == [.send("NICK confabul_")])
        #expect(script.hears(":s 433 * confabul_ :in use") == [.send("NICK confabu__")])
    }

    @Test("nicks the server forbids are a mistake of the configuration; one held back is waited for")
    func forbidden() {
        var script = RegistrationScript(alternates: ["9bot"])
        #expect(script.hears(":s 432 * confab :bad") == [.send("NICK 9bot")])
        _ = script.hears(":s 432 * 9bot :bad")
        #expect(script.ending == .final("the server allows none of the configured nicks"))
        var held = RegistrationScript(alternates: ["other"])
        _ = held.hears(":s 437 * confab :held")
        #expect(held.ending?.next == .retry(after: .seconds(60)))
        #expect(!held.sent.contains("NICK other"))
    }

    @Test("refusals of a nick after the welcome are none of its business")
    func afterWelcome() {
        var script = RegistrationScript(alternates: ["other"])
        _ = script.hears(":s 001 confab :hi")
        #expect(script.hears(":s 433 confab x :in use", ":s 432 confab x :bad").isEmpty)
    }
}
