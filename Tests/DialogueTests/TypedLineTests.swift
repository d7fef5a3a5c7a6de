import Domain
import TestKit
import Testing

@testable import Dialogue

@Suite struct TypedLineTests {
    private static func line(_ text: String) -> TypedLine { TypedLine(text, names: ["bot"], mapping: .rfc1459) }

    private static func secrecy(_ text: String) -> Secrecy {
        SecretFinding(in: text, names: ["bot"], isName: { $0 == "alice" }, mapping: .rfc1459)?.secrecy ?? .none
    }

    @Test(
        "a password in a channel is recognised however its command is spelled",
        arguments: [
            "LOGIN alice tiger", "login tiger", "  login alice tiger", "Login: tiger", "login:tiger", "login=tiger",
            "/msg bot LOGIN tiger", "/msg bot login alice tiger", " /msg bot login alice tiger", "msg bot login tiger",
            "/query bot login tiger", "/privmsg bot :login tiger", "/msg Bot@irc.example login tiger",
            "bot: login tiger",
            "bot, LOGIN alice tiger", "bot login tiger", "bot:login tiger", "@bot login tiger", "!login tiger",
            ".login alice tiger", "/login alice tiger", "\\login tiger", "`LOGIN tiger`", "\"login alice tiger\"",
            "'login' tiger", "«login tiger»", "ＬＯＧＩＮ alice tiger", "ｌｏｇｉｎ　alice　tiger", "lo\u{200B}gin tiger",
            "\u{2060}\u{FEFF}login tiger", "log\u{AD}in alice tiger", "login\u{A0}alice\u{A0}tiger",
            "log in alice tiger",
            "sign in tiger", "lgoin alice tiger", "loginn tiger", "logn alice tiger", "**LOGIN** tiger",
            "<alice> login tiger", "oops, I meant /msg bot login tiger", "try /login alice tiger",
            "REGISTER tiger alice@example.org", "register alice@example.org tiger Alice Liddell",
            "bot: register tiger alice@example.org Alice Pleasance Liddell of Daresbury and more words than fit",
            "regsiter tiger a@example.org", "IDENTIFY tiger", "/msg NickServ identify tiger",
            "nickserv: identify tiger",
            "/ns identify alice tiger", "PASSWORD tiger lion", "bot: password tiger lion", "pass tiger",
            "auth alice tiger",
            "carol: login tiger", "oldbot: LOGIN alice tiger", "login correct horse battery staple", "BOT: LOGIN tiger",
        ])
    func recognised(_ text: String) { #expect(Self.secrecy(text) > .none) }

    @Test(
        "where something says that a command was meant, it is one for certain",
        arguments: [
            "LOGIN tiger", "login alice tiger", "/msg bot login tiger", "bot: login tiger", "!login tiger",
            "/login alice tiger", "login hunter22", "login bob hunter22", "register tiger a@example.org",
            "REGISTER tiger", "identify tiger", "/msg NickServ identify tiger", "ns: identify alice tiger",
            "set password tiger", "SET PASSWORD tiger", "setpass tiger", "chpass tiger", "/setpass tiger",
            "setapss tiger", "passwd tiger lion", "change password tiger lion", "GHOST alice tiger",
            "ghost alice tiger", "/ns regain alice tiger", "recover alice tiger", "nickserv release alice tiger",
            "/msg nickserv ghost bob tiger", "auth hunter22", "ID hunter22", "pass hunter22", "pw: hunter22",
            "email new@example.org tiger", "indentify tiger", "/ login alice tiger", ". login tiger",
            "mgs bot login alice tiger", "/pm bot login tiger", "/msg bto login alice tiger",
            "/query bot\u{A0}login tiger", "l\u{43E}gin alice tiger", "log\u{ED}n alice tiger",
            "\u{1D40B}\u{1D428}\u{1D420}\u{1D422}\u{1D427} alice tiger", "logi\u{301}n alice tiger",
            "bot_ login alice tiger", "hey bot: login alice tiger", "reset alice K7M2-X9QP-4RTV new-tiger",
        ])
    func certain(_ text: String) { #expect(Self.secrecy(text) == .certain) }

    @Test(
        "what may be talk as well is tried, and no more",
        arguments: [
            "login tiger", "login tiger lion", "login page", "password: changeme", "pass tiger", "auth header",
            "id software games", "register now", "drop css", "logim tiger", "lohin tiger lion",
            "ok so login tiger lion", "my password is tiger", "please login tiger lion",
        ])
    func possible(_ text: String) { #expect(Self.secrecy(text) == .possible) }

    @Test(
        "a line of any one thing over and over costs no more than its length",
        arguments: [
            "bot:", "bot: ", "bot,bot:", "/msg bot ", "/msg ", "/", "! ", "login ", "login:", "/login ", "@bot ",
            "<a> ",
            "\"", "`login", "\u{200B}", "e\u{301}", "ﬁ", "𝐥", "о", "a@b.cd ", "pw=", "x ", "<", "(", "?", "nickserv ",
            "ns:",
            "set ", "set password ", "log in ", "🏳️‍🌈", "👩‍👩‍👧 ", "x\u{A0}", "\n", "login\n", "reset ABCD-EFGH-JKLM ",
        ])
    func linear(_ token: String) {
        func cost(_ size: Int) -> Duration {
            let text = String(repeating: token, count: size / token.utf8.count) + " login"
            return (0..<3).map { _ in
                ContinuousClock().measure {
                    _ = Self.secrecy(text)
                    _ = Self.line(text)
                    _ = PasswordSearch.words(in: text, shortest: 6, most: 2) { _ in false }
                }
            }.min() ?? .zero
        }
        // Eight times as long: far from sixty-four times as dear, however busy the machine.
        #expect(cost(64_000) < cost(8_000) * 24 + .milliseconds(20), "\(token)")
    }

    @Test("the first look lets nothing through that the thorough one would find")
    func firstLook() {
        let pieces = [
            "login", "LOGIN", "lgoin", "loginn", "ogin", "log", "in", "sign", "up", "register", "REGSTER", "identify",
            "id",
            "auth", "password", "pass", "paßword", "paſſword", "logın", "ｌｏｇｉｎ", "lo\u{200B}gin", "ﬁ", "drop", "email",
            "reset", "abcd-efgh-ijkl-mnop", "tiger", "a@example.org", "grüße", "日本", "ё", "🙂", "👍🏽", "e\u{301}", "²",
            " ",
            " ", " ", "\u{A0}", "\u{3000}", "\n", ":", ",", "/", "!", "=", "-", "\"", "bot", "bot:", "/msg bot ",
            "\u{FE0F}",
        ]
        var dice = SeededGenerator(seed: 7)
        var found = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...6, using: &dice)).map { _ in pieces.randomElement(using: &dice) ?? "" }
                .joined()
            guard Self.line(text).secrecy() > .none else { continue }
            found += 1
            #expect(SecretWord.isAny(in: text), "\(text)")
        }
        #expect(found > 1000)
    }

    @Test(
        "everyday lines are done with at the first look",
        arguments: [
            "just a line of everyday chatter, nothing more", "Did you see the game? 3:1!", "ça va, et toi ?",
            "Привет, как дела", "今日はいい天気ですね。", "schöne Grüße 🙂", "", "https://example.org/a/b?c=d",
        ])
    func everyday(_ text: String) { #expect(!SecretWord.isAny(in: text)) }

    @Test(
        "an innocent sentence is let through",
        arguments: [
            "how do I login to my router?", "login to my router fails since Monday evening",
            "what is a login shell", "I cannot register at the town hall", "password managers are they any good?",
            "register allocation in compilers is hard, how does LLVM do it", "login", "bot: login", "help", "bot: hi",
            "logic puzzles please", "identify the bird in this poem by Keats please", "pass me the salt please friend",
            "login with curl?", "password managers: which one?", "auth header for curl?", "register allocation in LLVM",
            "register machines vs stack machines", "identify this bird", "log in Python, how?", "signup forms in React",
            "login.py raises KeyError", "def login(user, password):", "password: str = os.environ['PW']", "pass",
            "reset css", "pass-the-hash attacks", "login(user)", "id: int = 7", "email regex for python?",
            "resister", "tell carol login issues persist", "the message command is /msg", "robot: hello there", "!",
            "/",
            "", "   ", "\u{200B}",
        ])
    func innocent(_ text: String) { #expect(Self.secrecy(text) == .none) }

    @Test(
        "a command is understood with whatever stands before it",
        arguments: [
            "LOGIN alice tiger", "login alice tiger", "/login alice tiger", "!login alice tiger", ".login alice tiger",
            "/msg bot LOGIN alice tiger", "/msg bot /login alice tiger", "bot: login alice tiger",
            "\"login alice tiger\"",
            "login: alice tiger", "login:alice tiger", "log in alice tiger", "ＬＯＧＩＮ alice tiger",
        ])
    func understood(_ text: String) {
        #expect(Self.line(text).word == "LOGIN")
        #expect(Self.line(text).arguments == ["alice", "tiger"])
    }

    @Test func `the words after a command stay as they were typed`() {
        #expect(Self.line("login Ti:g\"er!/").arguments == ["Ti:g\"er!/"])
        #expect(Self.line("register Päß@wört，1 a@example.org").arguments == ["Päß@wört，1", "a@example.org"])
    }

    @Test func `a sign or a name before a word marks it as a command`() {
        #expect(Self.line("/history 3").isMarked)
        #expect(Self.line("bot: history 3").isMarked)
        #expect(!Self.line("history 3").isMarked)
    }

    @Test func `the bot's name is compared as the network does`() {
        let line = TypedLine("B[O]T: login tiger", names: ["b{o}t"], mapping: .rfc1459)
        #expect(line.word == "LOGIN")
        #expect(TypedLine("B[O]T: login tiger", names: ["b{o}t"], mapping: .ascii).word != "LOGIN")
    }
}
