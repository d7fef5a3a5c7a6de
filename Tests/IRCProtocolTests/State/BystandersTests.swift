import Domain
import TestKit
import Testing

@testable import IRCProtocol

private let channel = ChannelName("#c", .rfc1459)

private func nick(_ name: String) -> Nick { Nick(name, .rfc1459) }

private func person(_ name: String, account: String? = nil) -> Person {
    Person(nick: nick(name), user: "u", host: "h", servicesAccount: account)
}

@Suite("People whose lines need not be told")
struct BystandersTests {
    /// Whoever says `bot` is of concern.
    private func bystander(_ person: Person, in place: ChannelName = channel) -> Bystander {
        Bystander(person, in: place, for: .seconds(60)) { text in
            String(decoding: text, as: UTF8.self).contains("bot")
        }
    }

    /// Of so many as they are: whoever's line is heard is not left out the next time.
    private func isNone(_ line: String, _ bystanders: Bystanders, at now: Duration = .zero) -> Bool {
        var bystanders = bystanders
        return bystanders.leaveOut(Array(line.utf8)[...], at: now)
    }

    @Test("a line is left out only where who, where, whence, the account and the text are as they were said to be")
    func exactly() {
        var bystanders = Bystanders()
        #expect(!isNone(":alice!u@h PRIVMSG #c :hi", bystanders))
        bystanders.add(bystander(person("alice")), heard: 0, at: .zero)
        bystanders.add(bystander(person("carol", account: "Carol")), heard: 0, at: .zero)
        for line in [
            ":alice!u@h PRIVMSG #c :hi", "@time=2026-01-01T00:00:00.000Z;msgid=x :alice!u@h PRIVMSG #c :hi there",
            ":alice!u@h PRIVMSG #c :grüße", "@+typing=done :alice!u@h PRIVMSG #c :hi",
            "@account=Carol;time=x :carol!u@h PRIVMSG #c :hi",
        ] { #expect(isNone(line, bystanders), "\(line)") }
        for line in [
            ":alice!u@h PRIVMSG #c :hi bot", ":alice!u@elsewhere PRIVMSG #c :hi", ":alice!v@h PRIVMSG #c :hi",
            ":Alice!u@h PRIVMSG #c :hi", ":alice!u@h PRIVMSG #d :hi", ":alice!u@h PRIVMSG #cc :hi",
            ":alice!u@h PRIVMSG @#c :hi", ":alice!u@h PRIVMSG bot :hi", ":alice!u@h NOTICE #c :hi",
            ":alice!u@h PRIVMSG #c", ":alice!u@h PRIVMSG #c :", ":alice!u@h PRIVMSG #c hi", ":alice!u@h JOIN #c",
            ":alice!u@h  PRIVMSG #c :hi", "PRIVMSG #c :hi", ":alice PRIVMSG #c :hi", ":bob!u@h PRIVMSG #c :hi",
            ":alice!u@h PRIVMSG #c :\u{1}ACTION waves\u{1}", ":alice!u@h PRIVMSG #c :b\u{2}o\u{2}t",
            "@batch=1 :alice!u@h PRIVMSG #c :hi", "@label=1 :alice!u@h PRIVMSG #c :hi",
            "@time=x;bot :alice!u@h PRIVMSG #c :hi", "@draft/multiline-concat :alice!u@h PRIVMSG #c :hi",
            "@account=Alice :alice!u@h PRIVMSG #c :hi", ":carol!u@h PRIVMSG #c :hi",
            "@account=other :carol!u@h PRIVMSG #c :hi", "@account :carol!u@h PRIVMSG #c :hi",
            "@account=Carol;account=x :carol!u@h PRIVMSG #c :hi", "@", "@ ", ":", "", "@account= :", "@;=;;",
        ] { #expect(!isNone(line, bystanders), "\(line)") }
        let latin = Array(":alice!u@h PRIVMSG #c :caf".utf8) + [0xE9]
        let isLeftOut = bystanders.leaveOut(latin[...], at: .zero)
        #expect(!isLeftOut, "no text until it is decoded")
    }

    @Test(
        "after a line that is told the next one is told as well, before anything is made of the first",
        arguments: [
            ":alice!u@h PRIVMSG bot :LOGIN x", ":alice!u@h PRIVMSG #c :hi bot", ":alice!u@h JOIN #d", ":alice!u@h QUIT",
            ":alice ACCOUNT *", "@batch=1 :alice!u@h PRIVMSG #c :hi", ":alice!u@h BATCH +1 draft/multiline #c",
        ])
    func next(_ line: String) {
        var bystanders = Bystanders()
        bystanders.add(bystander(person("alice")), heard: 0, at: .zero)
        let isFirst = bystanders.leaveOut(Array(line.utf8)[...], at: .zero)
        #expect(!isFirst)
        #expect(!isNone(":alice!u@h PRIVMSG #c :hi", bystanders))
    }

    @Test("it is good for some time, and then somebody has to hear them again")
    func passing() {
        var bystanders = Bystanders()
        bystanders.add(bystander(person("alice")), heard: 0, at: .seconds(5))
        #expect(isNone(":alice!u@h PRIVMSG #c :hi", bystanders, at: .seconds(64)))
        #expect(!isNone(":alice!u@h PRIVMSG #c :hi", bystanders, at: .seconds(65)))
    }

    @Test(
        "whatever is told of a person, or of all, ends it",
        arguments: [
            .message(Message(sender: person("alice"), place: .direct, text: "LOGIN x")),
            .joined(person("alice"), channel),
            .seen(person("alice"), isBot: false),
            .servicesAccount(person("alice")), .quit(nick("Alice")),
            .moved(person("alice"), user: "v", host: "w"),
            .left(nick("alice"), channel),
            .watched(nick("alice"), nil), .unwatched(nick("alice")),
            .renamed(person("alice"), to: nick("al")),
            .renamed(person("bob"), to: nick("alice")),
            .offline(reason: ""), .ownNick(nick("bot2")), .casemapping(.ascii),
            .members(channel, []), .entered(channel),
            .channelRenamed(channel, to: ChannelName("#d", .rfc1459)),
            .expelled(channel, reason: ""),
            .online(nick: nick("bot"), mapping: .rfc1459),
        ] as [ChatEvent.Kind])
    func told(_ kind: ChatEvent.Kind) {
        var bystanders = Bystanders()
        bystanders.add(bystander(person("alice")), heard: 0, at: .zero)
        bystanders.add(bystander(person("carol")), heard: 0, at: .zero)
        bystanders.take(kind, number: 7, handled: 3)
        #expect(!isNone(":alice!u@h PRIVMSG #c :hi", bystanders))
        // What the reader says of them before it has heard of that is old.
        bystanders.add(bystander(person("alice")), heard: 6, at: .zero)
        #expect(!isNone(":alice!u@h PRIVMSG #c :hi", bystanders))
        bystanders.add(bystander(person("alice")), heard: 7, at: .zero)
        #expect(isNone(":alice!u@h PRIVMSG #c :hi", bystanders))
    }

    @Test("what is told of others ends nothing")
    func others() {
        var bystanders = Bystanders()
        bystanders.add(bystander(person("alice")), heard: 0, at: .zero)
        for (number, name) in (0..<2000).map({ (UInt64($0), "n\($0)") }) {
            bystanders.take(.joined(person(name), channel), number: number, handled: number)
            bystanders.take(.quit(nick(name)), number: number, handled: number)
        }
        bystanders.take(.ranked(nick("alice"), channel, rank: "o", isHeld: true), number: 9000, handled: 0)
        #expect(isNone(":alice!u@h PRIVMSG #c :hi", bystanders))
    }

    @Test("lines that are on their way to the reader change nothing, unless one concerns it")
    func onTheirWay() {
        func said(_ text: String, _ number: UInt64, _ place: Place = .channel(channel)) -> Bystanders {
            var bystanders = Bystanders()
            for (offset, text) in ["one", "two", text, "four"].enumerated() {
                let place = offset == 2 ? place : .channel(channel)
                let message = Message(sender: person("alice"), place: place, text: text)
                bystanders.take(.message(message), number: number + UInt64(offset), handled: 0)
            }
            bystanders.add(bystander(person("alice")), heard: number, at: .zero)
            return bystanders
        }
        let line = ":alice!u@h PRIVMSG #c :hi"
        #expect(isNone(line, said("three", 1)))
        #expect(!isNone(line, said("bot: three", 1)))
        #expect(!isNone(line, said("three", 1, .direct)))
        // Once it has heard that one, the rest is looked at anew.
        var bystanders = said("bot: three", 1)
        bystanders.add(bystander(person("alice")), heard: 2, at: .zero)
        #expect(!isNone(line, bystanders))
        bystanders.add(bystander(person("alice")), heard: 3, at: .zero)
        #expect(isNone(line, bystanders))
    }

    @Test("in whatever order things happen, nobody is left out of whom the reader has not heard the latest")
    func anyOrder() {
        var dice = SeededGenerator(seed: 31)
        var left = 0
        for _ in 0..<300 {
            var bystanders = Bystanders()
            var number: UInt64 = 0
            var handled: UInt64 = 0
            var last: [String: UInt64] = [:]
            for _ in 0..<200 {
                let name = ["a", "b", "c"].randomElement(using: &dice) ?? "a"
                switch Int.random(in: 0..<4, using: &dice) {
                case 0:
                    let text = ["hi", "hi", "hi bot"].randomElement(using: &dice) ?? "hi"
                    if bystanders.leaveOut(Array(":\(name)!u@h PRIVMSG #c :\(text)".utf8)[...], at: .zero) {
                        left += 1
                        #expect(text == "hi")
                        #expect(last[name] ?? 0 <= handled)
                    } else {
                        number += 1
                        if text != "hi" { last[name] = number }
                        let message = Message(sender: person(name), place: .channel(channel), text: text)
                        bystanders.take(.message(message), number: number, handled: handled)
                    }
                case 1:
                    number += 1
                    last[name] = number
                    bystanders.take(.quit(nick(name)), number: number, handled: handled)
                case 2: handled = UInt64.random(in: handled...number, using: &dice)
                default: bystanders.add(bystander(person(name)), heard: handled, at: .zero)
                }
            }
        }
        #expect(left > 1000)
    }

    @Test("a crowd is kept within bounds, and somebody in many channels as well")
    func bounds() {
        var bystanders = Bystanders()
        for number in 0..<20_000 { bystanders.add(bystander(person("n\(number)")), heard: 0, at: .zero) }
        let known = (0..<20_000).count { isNone(":n\($0)!u@h PRIVMSG #c :hi", bystanders) }
        #expect((1...Bystanders.most).contains(known))
        for number in 0..<100 {
            bystanders.add(bystander(person("x"), in: ChannelName("#\(number)", .rfc1459)), heard: 0, at: .zero)
        }
        #expect((1...8).contains((0..<100).count { isNone(":x!u@h PRIVMSG #\($0) :hi", bystanders) }))
    }
}
