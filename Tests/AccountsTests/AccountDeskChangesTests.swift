import Domain
import Passwords
import Storage
import TestKit
import Testing

@testable import Accounts

/// Random changes of an account, with the password right or wrong and the login good or over.
@Suite struct AccountDeskChangesTests {
    private let home = Origin(user: "alice", host: "home")

    @Test(arguments: 1...4)
    func `nothing is changed by a login that is over, nor with a wrong password`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let scene = try DeskScene()
        var account = try await scene.account("alice")
        var password = "correct-horse"
        var granted = 0
        for step in 1...120 {
            // Long enough for every guess to be forgotten.
            scene.clock.advance(by: .seconds(4000))
            let isRight = Bool.random(using: &random)
            let typed = Secret(isRight ? password : "wrong-horse")
            let change = try change(step, typed, &random)
            let before = try await scene.account(of: account.id)
            let isOver = before?.loginEpoch != account.loginEpoch
            let authorization = try await scene.desk.authorize(change, of: account, from: home)
            switch authorization {
            case .granted(let granting):
                granted += 1
                #expect(!isOver)
                #expect(isRight || change.password == nil)
                _ = try await scene.desk.make(granting, bot: DeskScene.bot)
            case .wrongPassword:
                #expect(!isRight && !isOver)
                #expect(try await scene.account(of: account.id) == before)
            case .outdated: #expect(isOver)
            case .gone, .wait: #expect(Bool(false), "there is such an account, and nobody guesses")
            }
            if Int.random(in: 0...9, using: &random) == 0 {
                password = "horse-number-\(step)"
                let hash = try await scene.passwords.hash(Secret(password))
                _ = try await scene.store.changePassword(hash: hash, of: account.id)
            } else if Bool.random(using: &random), let now = try await scene.account(of: account.id) {
                // Logs in again.
                account = now
            }
        }
        #expect(granted > 20)
    }

    private func change(_ step: Int, _ password: Secret, _ random: inout SeededGenerator) throws -> AccountChange {
        let link = try #require(ServicesLink(network: home.network, servicesAccount: "s"))
        switch Int.random(in: 0...5, using: &random) {
        case 0: return .names(first: "Alice \(step)", last: nil)
        case 1: return .email(try #require(EmailAddress("alice\(step)@example.org")), password)
        case 2: return .link(link, shown: "s", password)
        case 3: return .askToDrop(password)
        case 4: return .endLinks
        default: return .unlink(home.network)
        }
    }
}
