import Domain
import TestKit
import Testing

@testable import Dialogue
@testable import Passwords

/// REGISTER, LOGIN, LOGOUT and WHOAMI, as people meet them.
@Suite struct AccountsTests {
    // MARK: Registering

    @Test(
        "e-mail address and password come in either order, the command in any case and however it is typed",
        arguments: [
            "REGISTER correct-horse alice@example.org", "register alice@example.org correct-horse Alice Liddell",
            "/register correct-horse alice@example.org", "/msg bot REGISTER correct-horse alice@example.org",
            "!Register correct-horse alice@example.org",
        ])
    func registering(_ line: String) async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        scene.says(alice, line)
        try await scene.sees("-alice- Registered: your account is alice, and you are logged in.")
        scene.says(alice, "LOGOUT")
        try await scene.sees("-alice- You are logged out of alice.")
        scene.says(alice, "LOGIN ALICE@example.org correct-horse")
        try await scene.sees("-alice- You are logged in as alice.")
    }

    @Test func `missing parts are named`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        scene.says(alice, "REGISTER")
        try await scene.sees("-alice- Missing: a password and an e-mail address. Usage: /msg bot REGISTER <password>")
        scene.says(alice, "REGISTER correct-horse")
        try await scene.sees("-alice- Missing: an e-mail address.")
        scene.says(alice, "REGISTER alice@example.org")
        try await scene.sees("-alice- Missing: a password.")
        scene.says(alice, "LOGIN")
        try await scene.sees("-alice- Missing: a password. Usage: /msg bot LOGIN [account or e-mail] <password>")
    }

    @Test func `a short password, or one that everybody knows, makes no account`() async throws {
        let scene = try await Scene { $0.minPasswordLength = 10 }
        let alice = scene.arrives("alice-cooper")
        scene.says(alice, "REGISTER ninechars a@example.org")
        try await scene.sees("-alice-cooper- That password is too short: it needs at least 10 characters.")
        scene.says(alice, "REGISTER Alice-Cooper a@example.org")
        try await scene.sees("-alice-cooper- That password is your nick or your e-mail address")
        scene.says(alice, "REGISTER tencharact a@example.org")
        try await scene.sees("-alice-cooper- Registered")
    }

    @Test func `a taken name and a taken address are said plainly, without regard to case`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.happens(.quit(alice.nick))
        let second = scene.arrives("Alice", at: "other@host")
        scene.says(second, "REGISTER another-one new@example.org")
        try await scene.sees("-Alice- The name Alice is taken. If it is yours: /msg bot LOGIN Alice <password>")
        let bob = scene.arrives("bob")
        scene.says(bob, "REGISTER another-one ALICE@Example.Org")
        try await scene.sees("-bob- That e-mail address is taken: it belongs to another account.")
    }

    @Test func `a nick that makes no account name is told what to do`() async throws {
        let scene = try await Scene()
        let carol = scene.arrives("carol[x]|away")
        scene.says(carol, "REGISTER correct-horse carol@example.org")
        let line = try await scene.sees("-carol[x]|away- Accounts are named after the nick")
        #expect(line.contains("/nick carol_x_away"))
        scene.says(carol, "LOGIN correct-horse")
        try await scene.sees("-carol[x]|away- Your nick is no account name, so say which account")
    }

    @Test func `without a shared channel one can register, and is logged in only after joining`() async throws {
        let scene = try await Scene()
        let alice = scene.person("alice")
        scene.says(alice, "REGISTER correct-horse alice@example.org")
        try await scene.sees(
            "-alice- Registered: your account is alice. You are not logged in, since we share no channel")
        scene.says(alice, "LOGIN correct-horse")
        try await scene.sees("-alice- I cannot log you in: we share no channel")
        scene.happens(.joined(alice, scene.channel("#confab")))
        try await scene.logsIn(alice)
    }

    @Test func `registration can be closed, and the address optional`() async throws {
        let closed = try await Scene { $0.registration = .closed }
        let alice = closed.arrives("alice")
        closed.says(alice, "REGISTER correct-horse alice@example.org")
        try await closed.sees("-alice- Registration is closed here.")

        let open = try await Scene { $0.isEmailRequired = false }
        let bob = open.arrives("bob")
        open.says(bob, "REGISTER correct-horse")
        try await open.sees("-bob- Registered: your account is bob")
    }

    // MARK: Logging in

    @Test func `an unknown name and a wrong password are answered alike`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        let eve = scene.arrives("eve")
        scene.says(eve, "LOGIN alice wrong-horse")
        let wrong = try await scene.sees("-eve- Wrong account")
        scene.says(eve, "LOGIN nobody wrong-horse")
        let unknown = try await scene.sees("-eve- Wrong account")
        #expect(wrong == unknown)
        #expect(wrong == "-eve- Wrong account or password.")
    }

    @Test func `a question sent along with LOGIN waits for it and is answered`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "LOGOUT")
        scene.says(alice, "LOGIN correct-horse")
        scene.says(alice, "first?", in: "#confab")
        scene.says(alice, "WHOAMI")
        try await scene.sees("-alice- You are logged in as alice.")
        try await scene.sees("#confab <bot> alice: An answer.")
        #expect(scene.questions == ["first?"])
    }

    @Test func `whoever quits while the password is checked is not logged in, nor is the next one under the nick`()
        async throws
    {
        let scene = try await Scene(strength: PasswordHasher.Strength(memory: 16 << 20, passes: 1))
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "LOGOUT")
        try await scene.sees("-alice- You are logged out")
        scene.says(alice, "LOGIN correct-horse")
        scene.says(alice, "a question of the real one", in: "#confab")
        scene.happens(.quit(alice.nick))
        let impostor = scene.arrives("alice")
        scene.says(impostor, "WHOAMI")
        try await scene.sees("-alice- You are not logged in.")
        #expect(try await scene.unread() == [])
        scene.says(impostor, "WHOAMI")
        try await scene.sees("-alice- You are not logged in.")
        #expect(scene.questions == [])
    }

    @Test func `whoever changes nick while the password is checked is logged in under the new one`() async throws {
        let scene = try await Scene(strength: PasswordHasher.Strength(memory: 16 << 20, passes: 1))
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "LOGOUT")
        scene.says(alice, "LOGIN alice correct-horse")
        scene.says(alice, "still me?", in: "#confab")
        scene.happens(.renamed(alice, to: scene.nick("alice2")))
        try await scene.sees("-alice2- You are logged in as alice.")
        try await scene.sees("#confab <bot> alice2: An answer.")
    }

    @Test func `wrong passwords are slowed down, and a login that stands is not touched`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for number in 1...5 {
            let eve = scene.arrives("eve\(number)", at: "e\(number)@evil.example")
            scene.says(eve, "LOGIN victim\(number) wrong-horse")
            try await scene.sees("-eve\(number)- Wrong account or password.")
        }
        let eve = scene.arrives("eve6", at: "e6@evil.example")
        scene.says(eve, "LOGIN alice correct-horse")
        try await scene.sees("-eve6- Too many wrong passwords. Nothing was checked; try again in 10 minutes.")
        scene.says(alice, "WHOAMI")
        try await scene.sees("-alice- You are logged in as alice")
        scene.clock.advance(by: .seconds(600))
        scene.says(eve, "LOGIN alice correct-horse")
        try await scene.sees("-eve6- You are logged in as alice")
    }

    @Test func `a password in bytes that are no UTF-8 is refused with the reason, whichever command it is for`()
        async throws
    {
        let scene = try await Scene { $0.trustedNetworks = [Scene.network] }
        let alice = scene.arrives("alice", services: "alice_s")
        let before = await scene.passwords.runs
        for command in [
            "REGISTER p\u{FFFD}ssw\u{FFFD}rd a@example.org", "LOGIN p\u{FFFD}ssword",
            "PASSWORD one-horse tw\u{FFFD}-horse",
            "RESET alice AAAA-BBBB-CCCC p\u{FFFD}ssword",
        ] {
            scene.happens(.message(Message(sender: alice, place: .direct, text: command, isGarbled: true)))
            try await scene.sees("-alice- Your client does not send UTF-8, so I cannot tell which password that is.")
        }
        #expect(await scene.passwords.runs == before)
        try await scene.registers(alice)
        for command in ["EMAIL a@example.net p\u{FFFD}ssword", "DROP p\u{FFFD}ssword", "LINK p\u{FFFD}ssword"] {
            scene.happens(.message(Message(sender: alice, place: .direct, text: command, isGarbled: true)))
            try await scene.sees("-alice- Your client does not send UTF-8")
        }
    }

    @Test func `a password typed in another form of the same letters logs in`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice, "caf\u{E9}-horse")
        scene.says(alice, "LOGOUT")
        try await scene.logsIn(alice, nil, "cafe\u{301}-horse")
        let bob = scene.arrives("bob")
        scene.says(bob, "REGISTER zero\u{200B}width bob@example.org")
        try await scene.sees("-bob- That password has a character that cannot be seen")
    }

    @Test func `a password with spaces is answered with the usage`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        scene.says(alice, "LOGIN alice correct horse")
        let line = try await scene.sees("-alice- Those are too many words: neither names nor passwords have spaces.")
        #expect(!line.contains("horse"))
    }

    @Test func `the oldest of four logins is told that it is over`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for name in ["alice2", "alice3"] {
            scene.clock.advance(by: .seconds(1))
            try await scene.logsIn(scene.arrives(name), "alice")
        }
        scene.says(scene.arrives("alice4"), "LOGIN alice correct-horse")
        try await scene.sees("-alice- alice logged in elsewhere, once more than I allow")
        scene.says(alice, "WHOAMI")
        try await scene.sees("-alice- You are not logged in.")
    }

    @Test func `after twelve silent hours one is told to log in again, and the line is no question`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.clock.advance(by: .seconds(12 * 3600))
        scene.says(alice, "are you there?", in: "#confab")
        try await scene.sees("-alice- You said nothing for a long time, so you are logged out of alice.")
        #expect(try await scene.unread() == [])
        #expect(scene.questions == [])
    }

    // MARK: Talk

    @Test func `what only looks like a command is a question of someone logged in`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for text in ["help me with my Swift", "history of Rome in brief", "logout buttons: where to put them?"] {
            scene.says(alice, text)
            try await scene.sees("alice <bot> An answer.")
        }
        #expect(scene.questions.count == 3)
        scene.says(alice, "/frobnicate now")
        try await scene.sees("-alice- I know no such command. /msg bot HELP lists those I know.")
    }

    @Test func `LOGOUT and HISTORY say so when nobody is logged in`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        for command in ["LOGOUT", "HISTORY", "HISTORY 3"] {
            scene.says(alice, command)
            try await scene.sees("-alice- You are not logged in. To log in: /msg bot LOGIN <password>")
        }
        scene.says(alice, "WHOAMI")
        try await scene.sees(
            "-alice- You are not logged in. To log in: /msg bot LOGIN <password>  or, without an account,")
    }
}
