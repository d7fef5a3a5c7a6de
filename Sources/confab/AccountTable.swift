import Domain
import Runtime
import Storage

/// Accounts as an operator reads them at the terminal.
enum AccountTable {
    /// One line for each, under headings; columns as wide as they need.
    static func lines(_ records: [AccountRecord]) -> [String] {
        let rows = records.map { record in
            [
                record.account.name.spelling, record.account.registeredAt.description,
                record.lastLoginAt?.description ?? "never", "\(record.exchangeCount)",
                record.account.email?.spelling ?? "-", marks(of: record).joined(separator: ", "),
            ]
        }
        let table =
            [["ACCOUNT", "REGISTERED", "LAST LOGIN", "EXCHANGES", "E-MAIL", ""]]
            + rows
            .map { $0.map(\.cleaned) }
        let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        return table.map { row in
            let padded = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Everything about one, and the services accounts that log in to it.
    static func lines(of record: AccountRecord, _ links: [ServicesLink]) -> [String] {
        let account = record.account
        let names = [account.firstName, account.lastName].compactMap { $0 }.joined(separator: " ")
        let marks = marks(of: record)
        let facts = [
            "account:     \(account.name)",
            "name:        \(names.isEmpty ? "-" : names)",
            "e-mail:      \(account.email.map { $0.spelling + (account.isEmailVerified ? ", verified" : "") } ?? "-")",
            "registered:  \(account.registeredAt)",
            "last login:  \(record.lastLoginAt?.description ?? "never")",
            "exchanges:   \(record.exchangeCount)",
            "state:       \(marks.isEmpty ? "in order" : marks.joined(separator: ", "))",
        ]
        let linked = links.map { "linked:      \($0.servicesAccount) at services of \($0.network)" }
        return (facts + linked).map(\.cleaned)
    }

    private static func marks(of record: AccountRecord) -> [String] {
        var marks: [String] = []
        if record.isAdministrator { marks.append("administrator") }
        if record.isDisabled { marks.append("disabled") }
        if record.isPasswordExposed { marks.append("password said in public") }
        return marks
    }
}
