import Domain
import Storage
import TestKit
import Testing

@testable import Accounts
@testable import Passwords

/// Random people at the desk with passwords right and wrong.
@Suite struct LoginDeskTests {
    private let origins = (1...4).map { Origin(user: "u\($0 % 2)", host: "host\($0 / 2)") }

    /// Owners come and go on hosts where others guess at accounts that are not theirs: for those it is as if they had not.
    @Test(arguments: 1...4)
    func `a guess is taken back on success: right passwords slow nobody down`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (crowded, empty) = (try DeskScene(), try DeskScene())
        for scene in [crowded, empty] {
            for name in ["owner0", "owner1", "victim0", "victim1"] { try await scene.account(name) }
        }
        var rights = 0
        for _ in 1...150 {
            let wait = Duration.seconds(Int.random(in: 0...20, using: &random))
            for scene in [crowded, empty] { scene.clock.advance(by: wait) }
            let origin = origins[Int.random(in: 0..<origins.count, using: &random)]
            let number = Int.random(in: 0...1, using: &random)
            if Bool.random(using: &random) {
                let seen = try await crowded.answer("correct-horse", for: "owner\(number)", from: origin)
                if seen == .right { rights += 1 }
            } else {
                let seen = try await crowded.answer("wrong-horse", for: "victim\(number)", from: origin)
                #expect(try await empty.answer("wrong-horse", for: "victim\(number)", from: origin) == seen)
                #expect(seen != .right)
            }
        }
        #expect(rights > 10)
    }

    @Test func `a guess for whose check there was no room is taken back`() async throws {
        // One hash at a time, and nobody waits.
        let hasher = PasswordHasher(threads: 1, waiting: 0, strength: .init(memory: 16 << 20, passes: 1))
        let scene = try DeskScene(passwords: hasher)
        try await scene.account("alice")
        func isChecked(from host: String) async -> Bool {
            let answer = try? await scene.answer("wrong-horse", for: "alice", from: Origin(user: "u", host: host))
            return answer == .wrong
        }
        let checked = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for number in 1...20 { group.addTask { await isChecked(from: "crowd\(number)") } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(checked < 20)
        // Of thirty new hosts a minute as many are left as were not checked.
        var left = 0
        while await isChecked(from: "late\(left)") { left += 1 }
        #expect(checked + left == 30)
    }

    /// The same words typed where the accounts exist and where they do not. Each is called by one of its names here: by name
    /// and by e-mail address it has one counter, which what is unknown cannot have.
    @Test(arguments: 1...4)
    func `an unknown account and a wrong password look the same and cost the same hash`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (known, unknown) = (try DeskScene(), try DeskScene())
        for name in ["alice", "bob", "carol"] { try await known.account(name) }
        let bob = try #require(AccountName("bob"))
        #expect(try await known.store.setDisabled(true, bob))
        let before = (await known.passwords.runs, await unknown.passwords.runs)
        let words = ["wrong-horse", "caf\u{E9}-horse", "cafe\u{301}-horse", "", "zero\u{200B}width", "x"]
        for _ in 1...150 {
            let wait = Duration.seconds(Int.random(in: 0...60, using: &random))
            for scene in [known, unknown] { scene.clock.advance(by: wait) }
            let origin = origins[Int.random(in: 0..<origins.count, using: &random)]
            let login = ["alice", "bob", "carol@example.org", "nobody"][Int.random(in: 0...3, using: &random)]
            let word = words[Int.random(in: 0..<words.count, using: &random)]
            let seen = try await known.answer(word, for: login, from: origin)
            #expect(try await unknown.answer(word, for: login, from: origin) == seen)
            #expect(await known.passwords.runs - before.0 == unknown.passwords.runs - before.1)
        }
    }

    @Test func `whoever is at home is told of guesses once, and by from where`() async throws {
        let scene = try DeskScene()
        let alice = try await scene.account("alice")
        let (home, evil) = (Origin(user: "alice", host: "home"), Origin(user: "eve", host: "evil"))
        for _ in 1...3 { await scene.desk.logins.noteGuess(at: alice, from: evil) }
        let news = await scene.desk.logins.welcome(alice, from: home)
        #expect(news.guesses.map(\.host) == ["evil"])
        #expect(news.guesses.map(\.count) == [3])
        #expect(await scene.desk.logins.welcome(alice, from: home).guesses.isEmpty)
    }

    @Test func `a hash of another strength is made anew for whoever proved the password`() async throws {
        let scene = try DeskScene()
        let old = try await PasswordHasher(strength: .init(memory: 16384, passes: 1)).hash(Secret("correct-horse"))
        let alice = try await scene.account("alice")
        try await scene.store.replacePasswordHash(old, of: alice.id)
        let origin = Origin(user: "alice", host: "home")
        let check = try await scene.desk.logins.check(Secret("correct-horse"), for: "alice", from: origin)
        guard case .right(let proven) = check else { return #expect(Bool(false), "the password is right") }
        _ = await scene.desk.logins.welcome(alice, from: origin, by: proven)
        let new = try #require(try await scene.store.credentials(of: alice.id)).passwordHash
        #expect(new != old)
        #expect(try await scene.answer("correct-horse", for: "alice", from: origin) == .right)
    }
}
