public import Domain
import Passwords
import Runtime
public import Storage

/// What people change about their own account: looked at whether they may, and then made.
extension AccountDesk {
    /// Whether this change may be made by somebody who logged in with `account` as it was then.
    ///
    /// Throws `StoreFailure` and `PasswordFailure`.
    public func authorize(
        _ change: AccountChange, of account: Account, from origin: Origin
    ) async throws -> Authorization {
        guard let found = try await store.credentials(of: account.id) else { return .gone }
        guard !found.isDisabled, found.account.loginEpoch == account.loginEpoch else { return .outdated }
        if let password = change.password {
            switch try await logins.check(password, of: found, login: account.name.folded, from: origin) {
            case .wait(let wait): return .wait(wait)
            case .wrong: return .wrongPassword
            case .right: break
            }
        }
        return .granted(AuthorizedChange(change: change, account: account))
    }

    /// Makes a change. `bot` is the nick that a letter about it names.
    public func make(_ authorized: AuthorizedChange, bot: Nick) async throws(StoreFailure) -> ChangeOutcome {
        let account = authorized.account
        switch authorized.change {
        case .names(let first, let last):
            return try await store.setNames(first: first, last: last, of: account.id).map { .names($0) } ?? .gone
        case .preferences(let preferences):
            return try await store.setPreferences(preferences, of: account.id).map { .preferences($0) } ?? .gone
        case .email(let email, _):
            guard let changed = try await store.setEmail(email, of: account.id) else { return .emailTaken }
            log.info("An e-mail address was changed", ["account": changed.name])
            return .email(changed)
        case .askToVerify:
            return .verification(try await mailroom.sendVerification(of: account, bot: bot))
        case .verify(let code):
            let isRight = try await store.useCode(
                hash: CodeDigest.of(code), for: .verify, of: account.id, at: time.wall())
            guard isRight, let found = try await store.credentials(of: account.id) else { return .codeIsWrong }
            return .verified(found.account)
        case .link(let link, let shown, _):
            try await store.link(link, to: account.id, at: time.wall())
            log.info("A services account was linked", ["network": link.network, "account": account.name])
            return .linked(link, shown: shown)
        case .unlink(let network):
            return .unlinked(network, count: try await store.unlink(network, of: account.id))
        case .endLinks:
            let count = try await store.endLinks(of: account.id)
            if count > 0 {
                log.info("Links to services accounts were ended", ["account": account.name, "links": count])
            }
            return .linksEnded(count: count)
        case .askToDrop:
            return .toConfirm(exchanges: try await store.accountRecord(of: account.name)?.exchangeCount ?? 0)
        case .drop:
            let count = try await store.delete(account.id) ?? 0
            log.info("An account was deleted by its owner", ["account": account.name])
            return .deleted(exchanges: count)
        }
    }
}
