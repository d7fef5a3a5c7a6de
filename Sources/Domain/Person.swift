/// Someone as a line of the server shows them: `nick!user@host`, and the services account where the network tells.
public struct Person: Hashable, Sendable {
    public var nick: Nick
    public var user: String
    public var host: String
    /// The account at the network's services (account-tag, extended-join); nil where logged out or not told.
    public var servicesAccount: String?

    public init(nick: Nick, user: String, host: String, servicesAccount: String? = nil) {
        self.nick = nick
        self.user = user
        self.host = host
        self.servicesAccount = servicesAccount
    }

    /// `user@host`, compared byte for byte: a login holds only as long as this stays.
    public var address: String { "\(user)@\(host)" }

    /// The same address, found out without making either.
    public func isAtAddress(of other: Person) -> Bool {
        user.utf8.elementsEqual(other.user.utf8) && host.utf8.elementsEqual(other.host.utf8)
    }
}
