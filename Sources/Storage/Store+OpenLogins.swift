public import Domain

/// Somebody who is logged in, by what shows them to be the same when the bot is back.
public struct OpenLogin: Hashable, Sendable {
    public let network: NetworkName
    /// Folded as ASCII.
    public let nick: String
    public let address: String

    public init(network: NetworkName, nick: Nick, address: String) {
        self.network = network
        self.nick = CaseMapping.ascii.fold(nick.spelling)
        self.address = address
    }

    fileprivate var key: [Value] { [.text(network.description), .text(nick), .text(address)] }
}

/// Logins that there are, so that whoever loses theirs by a restart can be told how to come back. They open nothing.
extension Store {
    public func noteOpen(_ login: OpenLogin, of account: AccountID, at time: Timestamp) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                INSERT INTO open_logins (network, nick, address, account_id, at) SELECT ?, ?, ?, id, ? FROM accounts
                WHERE id = ? ON CONFLICT DO UPDATE SET account_id = excluded.account_id, at = excluded.at
                """, login.key + [.integer(time.milliseconds), .integer(account.value)])
        }
    }

    public func noteClosed(_ login: OpenLogin) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            try connection.run("DELETE FROM open_logins WHERE network = ? AND nick = ? AND address = ?", login.key)
        }
    }

    /// Those that a run of the bot before this one left open, the latest of them; what is older than that is forgotten.
    public func openLogins(since start: Timestamp) async throws(StoreFailure) -> [OpenLogin: AccountName] {
        try await write { (connection) throws(StoreFailure) in
            try connection.run("DELETE FROM open_logins WHERE at < ?", [.integer(start.milliseconds)])
            let found = try connection.rows(
                """
                SELECT network, nick, address, name FROM open_logins JOIN accounts ON accounts.id = account_id
                WHERE is_disabled = 0 ORDER BY at DESC LIMIT 10000
                """, []
            ) { (row) throws(StoreFailure) in
                let nick = Nick(row.text(1), .ascii)
                return (OpenLogin(network: NetworkName(row.text(0)), nick: nick, address: row.text(2)), row.text(3))
            }
            let named = found.compactMap { login, name in AccountName(name).map { (login, $0) } }
            return Dictionary(named) { first, _ in first }
        }
    }
}
