import Domain
import Storage
import TestKit
import Testing

/// A store in a directory of its own, and short ways to fill it.
struct Sample {
    let scratch: Scratch
    let log = MemoryLog()
    let store: Store

    init() throws {
        scratch = try Scratch()
        store = try Store.open(directory: scratch.file("state"), log: log.log)
    }

    var directory: String { scratch.file("state") }
    var file: String { scratch.file("state/confab.sqlite") }

    func account(_ name: String, email: String? = nil) async throws -> Account {
        guard case .created(let account) = try await store.createAccount(newAccount(name, email: email)) else {
            throw Unexpected()
        }
        return account
    }
}

struct Unexpected: Error {}

func newAccount(_ name: String, email: String? = nil) throws -> NewAccount {
    guard let name = AccountName(name) else { throw Unexpected() }
    return NewAccount(
        name: name, email: email.flatMap(EmailAddress.init), firstName: "Ada", lastName: nil,
        passwordHash: "$argon2id$\(name)", registeredAt: Timestamp(milliseconds: 1000))
}

let testnet = NetworkName("testnet")
let confab = Place.channel(ChannelName("#Confab", .rfc1459))

func question(
    _ text: String, by account: AccountID, network: NetworkName = testnet, place: Place = confab
) -> NewExchange {
    NewExchange(
        account: account, loginEpoch: 0, network: network, place: place, nick: "alice", question: text,
        askedAt: Timestamp(milliseconds: 2000))
}

extension Store {
    /// Stores a question of a login that holds.
    func stored(_ new: NewExchange) async throws -> Begun { try #require(try await begin(new)) }
}

func completion(_ text: String) -> Completion {
    Completion(text: text, isCut: false, promptTokens: 12, completionTokens: 34)
}

let later = Timestamp(milliseconds: 3000)
