import Domain

@testable import Accounts

extension Origin {
    /// Somewhere on a network of the tests.
    init(user: String, host: String) {
        self.init(Person(nick: Nick(user, .rfc1459), user: user, host: host), on: NetworkName("net"))
    }
}
