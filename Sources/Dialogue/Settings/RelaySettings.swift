public import Domain

/// Somebody on a network whose lines carry other people, from another network: a bridge.
public struct RelaySettings: Sendable, Equatable {
    public var nick: String
    /// `user@host` with `*` and `?`; nil for any address.
    public var address: String?
    /// At the network's services; nil for any.
    public var servicesAccount: String?
    /// Under which account people ask who come through it; nil where they may not ask.
    public var account: AccountName?

    public init(nick: String, address: String? = nil, servicesAccount: String? = nil, account: AccountName? = nil) {
        self.nick = nick
        self.address = address
        self.servicesAccount = servicesAccount
        self.account = account
    }

    /// Whether this is the relay, and nobody who has its nick meanwhile.
    func isIt(_ person: Person, _ mapping: CaseMapping) -> Bool {
        guard Nick(nick, mapping) == person.nick else { return false }
        if let servicesAccount {
            let fold = CaseMapping.ascii.fold
            guard person.servicesAccount.map(fold) == fold(servicesAccount) else { return false }
        }
        guard let address else { return true }
        let fold = CaseMapping.ascii.fold
        return IgnoreList.matches(Array(fold(person.address).utf8)[...], Array(fold(address).utf8)[...])
    }
}
