import Domain
import Passwords
import Runtime
import Storage
import TestKit

@testable import Accounts

/// The desk with a real store, a mailbox and a clock the test turns.
final class DeskScene: Sendable {
    static let bot = Nick("bot", .ascii)

    let clock = ManualTime()
    let post = Postbox()
    let memory = MemoryLog()
    let store: Store
    let passwords: PasswordHasher
    let desk: AccountDesk
    private let scratch: Scratch

    init(passwords: PasswordHasher = PasswordHasher(strength: .init(memory: 8192, passes: 1))) throws {
        self.passwords = passwords
        scratch = try Scratch()
        store = try Store.open(directory: scratch.file("state"), log: memory.log)
        desk = AccountDesk(
            store: store, passwords: passwords, settings: AccountSettings(), log: memory.log, time: clock.time,
            sendMail: post.send)
    }

    /// An account with an e-mail address, made by nobody who asked.
    @discardableResult
    func account(_ name: String, _ password: String = "correct-horse") async throws -> Account {
        let new = NewAccount(
            name: try name.asAccountName, email: EmailAddress("\(name)@example.org"),
            passwordHash: try await passwords.hash(Secret(password)), registeredAt: clock.time.wall())
        guard case .created(let account) = try await store.createAccount(new) else { throw Taken() }
        return account
    }

    /// The account as it is now.
    func account(of id: AccountID) async throws -> Account? { try await store.credentials(of: id)?.account }

    func applicant(_ name: String, _ password: String = "correct-horse", email: String? = nil) throws -> Applicant {
        Applicant(
            name: try name.asAccountName, password: Secret(password),
            email: EmailAddress(email ?? "\(name)@example.org"))
    }

    /// What whoever typed a password can tell of it.
    enum Answer: Equatable {
        case right, wrong
        case wait(Duration)
    }

    func answer(_ password: String, for login: String, from origin: Origin) async throws -> Answer {
        switch try await desk.logins.check(Secret(password), for: login, from: origin) {
        case .right: .right
        case .wrong: .wrong
        case .wait(let wait): .wait(wait)
        }
    }

    struct Taken: Error {}
}

extension String {
    fileprivate var asAccountName: AccountName {
        get throws {
            guard let name = AccountName(self) else { throw DeskScene.Taken() }
            return name
        }
    }
}
