public import Domain
import Runtime
public import Storage

/// What administrators do from IRC. Who is one is asked of the store each time, and kept there from the command line only;
/// what they do is kept too.
///
/// Invariant: nothing of it is remembered; whoever is no administrator any more is none at the next word.
public struct Administration: Sendable {
    let store: Store
    let log: Log
    let time: Time

    public func isAdministrator(_ name: AccountName) async throws(StoreFailure) -> Bool {
        try await store.accountRecord(of: name)?.isAdministrator == true
    }

    /// Does it; whoever asks is an administrator.
    public func perform(
        _ action: AdminAction, by admin: AccountName
    ) async throws(StoreFailure) -> AdminOutcome {
        switch action {
        case .accounts(let part):
            let folded = CaseMapping.ascii.fold(part)
            return .accounts(
                try await store.accountRecords().filter { part.isEmpty || $0.account.name.folded.contains(folded) })
        case .disable(let name):
            guard name != admin else { return .isOneself }
            guard let record = try await store.accountRecord(of: name) else { return .noSuchAccount(name) }
            _ = try await store.setDisabled(true, name)
            return .disabled(record.account)
        case .enable(let name):
            return try await store.setDisabled(false, name) ? .enabled : .noSuchAccount(name)
        case .logOut(let name):
            return try await store.accountRecord(of: name).map { .toLogOut($0.account) } ?? .noSuchAccount(name)
        case .ignore(let pattern, let length):
            let entry = IgnoreEntry(pattern: pattern, expiresAt: length.map { time.wall() + $0 })
            try await store.ignore(entry, by: "account \(admin)", at: time.wall())
            return .ignored(until: entry.expiresAt)
        case .unignore(let pattern):
            let wasThere = try await store.unignore(pattern)
            return .unignored(wasThere: wasThere, try await store.ignores(at: time.wall()).map(\.pattern))
        }
    }

    /// Keeps that it was done, with all that follows from it.
    public func audit(_ action: AdminAction, by admin: AccountName) async throws(StoreFailure) {
        try await store.audit(action.verb, of: action.subject, by: "account \(admin)", at: time.wall())
        log.info(
            "An administrator acted", ["account": admin, "action": action.verb, "subject": action.subject])
    }
}
