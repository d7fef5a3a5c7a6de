import Domain
import Runtime
import Storage
import TestKit
import Testing

@testable import Dialogue

/// Passwords said in a channel in whatever way, and talk that is only talk.
@Suite struct SpellingsTests {
    /// `{n}` is the account and nick, `{p}` its password.
    static let spellings = [
        "/ login {n} {p}", ". login {p}", "//login {n} {p}", "mgs bot login {n} {p}", "/pm bot login {p}",
        "/msg bto login {n} {p}", "/query bot\u{A0}login {p}", "/ns identify {p}", "bot_ login {n} {p}",
        "obt login {p}", "hey bot: login {n} {p}", "bot please login {n} {p}", "bot:login {p}", "pw: {p}",
        "authenticate {n} {p}", "user {n} pass {p}", "my password is {p}", "ok so login {n} {p}",
        "change password {p} new-{p}", "set password {p}", "logim {n} {p}", "lohin {n} {p}", "indentify {p}",
        "passwrod {p} other-one", "l\u{43E}gin {n} {p}", "lo\u{AD}gin {n} {p}", "log\u{ED}n {p}",
        "\u{1D40B}\u{1D40E}\u{1D406}\u{1D408}\u{1D40D} {n} {p}", "anmelden {n} {p}", "contraseña {p}", "{p}",
        "<{p}>", "\"{p}\".", "({p})", "pw={p}", "{n}:{p}", "{n}/{p}", "login:{n}:{p}", "password={p};", "`{p}`",
        "“{p}”",
        "it's {p}, ok?", "{p} {p} {p}", "the password ({p}) works", "{p}!", "mot de passe : {p}", "пароль {p}",
        "密码：{p}", "LOGIN {n} <{p}>", "login -u {n} -p {p}", "curl -u {n}:{p} https://example.org",
        "ssh {n}@host # {p}", "PASS\u{200B}WORD {p}", "{p}\u{200B}", "\u{FEFF}{p}", "@bot {p}", "!identify {n} {p}",
        "why does login {n} {p} not work?", "I typed /msg bot login {p} and nothing happened",
        "export PW='{p}'",
    ]

    @Test(arguments: spellings)
    func `one's own password is withheld in whatever line, and opens nothing any more`(_ spelling: String) async throws
    {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice, "Canary-7yq")
        let line = spelling.replacing("{n}", with: "alice").replacing("{p}", with: "Canary-7yq")
        scene.says(alice, line, in: "#confab")
        try await scene.sees("-alice- It was the password of alice, and it opens nothing any more.")
        scene.says(alice, line, in: "#quiet")
        scene.says(alice, "a question", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        #expect(scene.questions == ["a question"])
        #expect(!(scene.memory.lines + scene.link.transcript).contains { $0.contains("anary-7yq") })
    }

    static let talk = [
        "login with curl?", "login page design tips", "password managers: which one?", "auth header for curl?",
        "register allocation in LLVM", "register machines vs stack machines", "drop shadow css", "identify this bird",
        "log in Python, how?", "signup forms in React", "login.py raises KeyError", "def login(user, password):",
        "password: str = os.environ['PW']", "pass", "reset css", "register keyword in C",
        "pass by reference or by value",
        "id software and its games", "drop the last row of a data frame", "email validation with a regex",
        "auth0 or okta for a start-up?", "identify the subject of this sentence", "login form with two fields",
        "passwords are stored how?", "pass the parcel rules", "release notes for a library, an example please",
        "ghost in the shell, is it good?", "recover deleted files on ext4, how?", "sign in with Apple, worth it?",
        "password hashing: argon2 or bcrypt?", "set password policy on Windows, how?", "login failed: what now?",
        "const password = await prompt('Password')", "if (!user.login) return null", "register_globals in PHP",
        "how do I log in?", "the login shell of root", "one question about passwords",
    ]

    @Test(arguments: talk)
    func `talk about logging in is asked, in a channel and in private, with ASK and without`(_ line: String)
        async throws
    {
        let scene = try await Scene { $0.waitingPerAccount = 9 }
        let alice = scene.arrives("alice")
        try await scene.registers(alice, "Canary-7yq")
        scene.says(alice, line, in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(alice, "bot: " + line, in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(alice, "bot: ASK " + line, in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(alice, "ASK " + line)
        try await scene.sees("alice <bot> An answer.")
        #expect(scene.questions == [line, line, line, line])
        if line != "pass" {
            scene.says(alice, line)
            try await scene.sees("alice <bot> An answer.")
        }
        #expect(try await scene.store.credentials(for: "alice")?.exposedBy == nil)
    }

    @Test func `a password below LOGIN in a channel is one`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice, "Canary-7yq")
        scene.says(alice, "LOGOUT")
        scene.says(alice, "bot: login", in: "#confab")
        try await scene.sees("-alice- Missing: a password.")
        scene.says(alice, "Canary-7yq", in: "#confab")
        try await scene.sees("-alice- That looked like a password, and everyone in #confab could read it.")
        try await scene.sees("-alice- It was the password of alice, and it opens nothing any more.")
    }

    @Test func `a password said by somebody ignored is closed all the same, and they hear nothing of it`() async throws
    {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice, "Canary-7yq")
        scene.says(alice, "LOGOUT")
        try await scene.sees("-alice- You are logged out")
        try await scene.store.ignore(
            IgnoreEntry(pattern: "alice!*@*", expiresAt: nil), by: "a test", at: scene.clock.time.wall())
        await scene.bot.loadIgnores()
        scene.says(alice, "login Canary-7yq", in: "#confab")
        let isClosed = try await eventually { try await scene.store.credentials(for: "alice")?.exposedBy != nil }
        #expect(isClosed)
        #expect(!scene.questions.contains { $0.contains("Canary") })
    }

    @Test func `behind the nick that the bot is known by while it goes by another, it is one`() async throws {
        let scene = try await Scene { $0.ownNicks = ["confab"] }
        let alice = scene.arrives("alice")
        scene.says(alice, "confab: login tiger", in: "#confab")
        try await scene.sees("-alice- That looked like a password, and everyone in #confab could read it.")
    }

    @Test(
        "a command remembered wrongly is put right in private, and never asked",
        arguments: [
            ("HISTORY all", "HISTORY"), ("history all", "HISTORY"), ("SESSIONS KILL 1", "SESSIONS"),
            ("sessions kill 1", "SESSIONS"), ("HELP foo", "HELP"), ("SET foo", "SET"), ("set foo bar", "SET"),
            ("more please", "MORE"), ("stop it", "STOP"), ("usage today", "USAGE"), ("WHOAMI now", "WHOAMI"),
        ])
    func wrongForm(_ line: String, _ command: String) async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, line)
        let said = try await scene.sees("-alice- ")
        #expect(said.contains(command) || said.contains("To change one: /msg bot SET"), "\(said)")
        try await scene.settle()
        #expect(scene.questions == [])
    }

    @Test(arguments: ["EXPORT", "export", "FORGET", "forget me", "export all please"])
    func `a command of other services is none here, and no question`(_ line: String) async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, line)
        try await scene.sees("-alice- I have no ")
        try await scene.settle()
        #expect(scene.questions == [])
    }

    @Test(
        "what services taught people to say is understood, and never asked",
        arguments: [
            ("IDENTIFY correct-horse", "You are logged in as alice."),
            ("ID correct-horse", "You are logged in as alice."),
            ("AUTH alice correct-horse", "You are logged in as alice."),
            ("SET PASSWORD correct-horse battery-staple", "alice has a new password"),
            ("SETPASS correct-horse battery-staple", "alice has a new password"),
            ("SET PASSWORD battery-staple", "That takes your present password and a new one"),
            ("GHOST alice correct-horse", "Your password was in that line"),
            ("/ns REGAIN alice other-horse", "That looked like a command with a password"),
            ("NICKSERV RELEASE alice battery-staple", "That looked like a command with a password"),
            ("recover alice battery-staple", "That looked like a command with a password"),
            ("/setpass battery-staple", "That takes your present password and a new one"),
        ])
    func services(_ line: String, _ answer: String) async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, line)
        try await scene.sees("-alice- \(answer)")
        try await scene.settle()
        #expect(scene.questions == [])
    }
}
