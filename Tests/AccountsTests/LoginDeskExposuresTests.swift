import Domain
import Passwords
import Storage
import TestKit
import Testing

@testable import Accounts

/// Passwords that are proven, and open nothing all the same.
@Suite struct LoginDeskExposuresTests {
    private let home = Origin(user: "alice", host: "home")

    /// Said in public, typed again, changed and reset, in any order.
    @Test(arguments: 1...4)
    func `a password said in public opens nothing until it is another`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let scene = try DeskScene()
        let alice = try await scene.account("alice")
        _ = await scene.desk.logins.welcome(alice, from: home)
        let away = Origin(user: "alice", host: "away")
        var (password, isExposed) = ("correct-horse", false)
        for step in 1...100 {
            scene.clock.advance(by: .seconds(4000))
            let origin = Bool.random(using: &random) ? home : away
            switch Int.random(in: 0...2, using: &random) {
            case 0:
                let check = try await scene.desk.logins.tryExposed(
                    Secret(password), for: "alice", own: nil, from: origin)
                guard case .right(let proven) = check else {
                    #expect(isExposed)
                    continue
                }
                #expect(try await scene.desk.logins.expose(proven.account, by: origin) == !isExposed)
                isExposed = true
            case 1:
                let check = try await scene.desk.logins.check(Secret(password), for: "alice", from: origin)
                guard case .right(let proven) = check else {
                    #expect(Bool(false), "the password is right")
                    continue
                }
                switch try await scene.desk.logins.open(proven, from: origin) {
                case .open: #expect(!isExposed)
                case .exposed(_, let isHome): #expect(isExposed && isHome == (origin == home))
                case .isAnother, .disabled: #expect(Bool(false), "nobody changed it")
                }
            default:
                let new = "horse-number-\(step)"
                let outcome = try await scene.desk.logins.changePassword(
                    of: "alice", from: Secret(password), to: Secret(new), isLoggedIn: false, origin: origin)
                if case .changed = outcome {
                    #expect(isExposed && origin == home)
                    (password, isExposed) = (new, false)
                } else {
                    #expect(!isExposed || origin == away)
                }
            }
        }
    }

    @Test func `whoever proved a password that was changed meanwhile is not let in`() async throws {
        let scene = try DeskScene()
        let alice = try await scene.account("alice")
        let check = try await scene.desk.logins.check(Secret("correct-horse"), for: "alice", from: home)
        guard case .right(let proven) = check else { return #expect(Bool(false), "the password is right") }
        let hash = try await scene.passwords.hash(Secret("new-horse"))
        _ = try await scene.store.changePassword(hash: hash, of: alice.id)
        guard case .isAnother = try await scene.desk.logins.open(proven, from: home) else {
            return #expect(Bool(false), "let in by a password that is none any more")
        }
    }
}
