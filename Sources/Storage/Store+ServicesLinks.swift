public import Domain

/// An account at a network's services that logs in to an account here.
public struct ServicesLink: Sendable, Hashable {
    public let network: NetworkName
    /// Folded as ASCII, like every name that outlives its network.
    public let servicesAccount: String

    /// Nil for the names by which networks say that somebody has no account.
    public init?(network: NetworkName, servicesAccount: String) {
        guard !["", "*", "0"].contains(servicesAccount) else { return nil }
        self.network = network
        self.servicesAccount = CaseMapping.ascii.fold(servicesAccount)
    }
}

/// Which services accounts log in to which accounts.
extension Store {
    /// Every link there is.
    public func servicesLinks() async throws(StoreFailure) -> [ServicesLink: AccountID] {
        let links = try await read("SELECT network, services_account, account_id FROM services_links", []) {
            (row) throws(StoreFailure) in
            ServicesLink(network: NetworkName(row.text(0)), servicesAccount: row.text(1)).map {
                ($0, AccountID(row.integer(2)))
            }
        }.compactMap(\.self)
        // Two rows may be one name to Swift, which compares letters, and two to SQLite, which compares bytes.
        return Dictionary(links) { first, _ in first }
    }

    /// The account that a services account logs in to, as it is now; nil where there is none.
    public func credentials(by link: ServicesLink) async throws(StoreFailure) -> Credentials? {
        let account = try await read(
            "SELECT account_id FROM services_links WHERE network = ? AND services_account = ?",
            [.text(link.network.description), .text(link.servicesAccount)]
        ) { (row) throws(StoreFailure) in AccountID(row.integer(0)) }.first
        guard let account else { return nil }
        return try await credentials(of: account)
    }

    /// Ties a services account to an account; one that was tied to another is from now on tied to this one.
    public func link(_ link: ServicesLink, to account: AccountID, at time: Timestamp) async throws(StoreFailure) {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                """
                INSERT INTO services_links (network, services_account, account_id, linked_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (network, services_account) DO UPDATE SET account_id = excluded.account_id,
                    linked_at = excluded.linked_at
                """,
                [
                    .text(link.network.description), .text(link.servicesAccount), .integer(account.value),
                    .integer(time.milliseconds),
                ])
        }
    }

    /// Unties the services accounts of a network from an account; how many there were.
    public func unlink(_ network: NetworkName, of account: AccountID) async throws(StoreFailure) -> Int {
        try await write { (connection) throws(StoreFailure) in
            try connection.run(
                "DELETE FROM services_links WHERE network = ? AND account_id = ?",
                [.text(network.description), .integer(account.value)])
            return connection.changes
        }
    }

    /// The services accounts that log in to an account, by network and name.
    public func servicesLinks(of account: AccountID) async throws(StoreFailure) -> [ServicesLink] {
        try await read(
            "SELECT network, services_account FROM services_links WHERE account_id = ? ORDER BY network, services_account",
            [.integer(account.value)]
        ) { (row) throws(StoreFailure) in
            ServicesLink(network: NetworkName(row.text(0)), servicesAccount: row.text(1))
        }.compactMap(\.self)
    }

    /// Unties every services account from an account; how many there were.
    public func endLinks(of account: AccountID) async throws(StoreFailure) -> Int {
        try await write { (connection) throws(StoreFailure) in try connection.endLinks(of: account) }
    }
}

extension Connection {
    /// `Store.endLinks` as a part of another write.
    func endLinks(of account: AccountID) throws(StoreFailure) -> Int {
        try run("DELETE FROM services_links WHERE account_id = ?", [.integer(account.value)])
        return changes
    }
}
