import Domain
import Passwords

/// Who is where, and who is logged in: every connection's presence, and the limits of logins.
///
/// Invariant: a login belongs to a visit. It ends with QUIT, the last shared channel (for someone whom the server watches:
/// with its word that they have left the nick), the bot's own connection, an unannounced change of address, a change of
/// services account, or its limits; it follows a nick only when the whole old mask matches. Nothing here goes by the text
/// of a nick alone.
struct Roster: Sendable {
    struct Limits: Sendable {
        /// Without a line.
        var idle: Duration = .seconds(12 * 3600)
        /// In all.
        var age: Duration = .seconds(7 * 24 * 3600)
        /// Logins of one account at a time; the oldest makes room.
        var loginsPerAccount = 3
    }

    /// What one line showed.
    struct Hearing: Sendable {
        /// Nil where the bot would not see the person leave.
        let visit: VisitID?
        let login: Login?
        /// The login that this line ended: it was under this nick and is not the sender's, or not any more.
        let ended: EndedLogin?
    }

    let limits: Limits
    private var presences: [ConnectionID: Presence] = [:]

    init(limits: Limits = Limits()) { self.limits = limits }

    func presence(on connection: ConnectionID) -> Presence? { presences[connection] }

    func visit(_ id: VisitID) -> Visit? { presences[id.connection]?.visit(id) }

    /// The login of a visit, as far as it is still good at this moment.
    func login(of id: VisitID, now: Duration) -> Login? {
        guard let login = visit(id)?.login, lapse(of: login, now: now) == nil else { return nil }
        return login
    }

    /// Takes in everything but messages; the logins that it ended.
    mutating func take(_ event: ChatEvent) -> [EndedLogin] {
        let connection = event.connection
        switch event.kind {
        case .online(let nick, let mapping):
            let ended = take(ChatEvent(connection, .offline(reason: "")))
            presences[connection] = Presence(connection, nick: nick, mapping: mapping)
            return ended
        case .offline:
            return Self.ended(presences.removeValue(forKey: connection)?.allVisits ?? [], .gone)
        case .ownNick(let nick):
            presences[connection]?.ownNick = nick
            return []
        case .casemapping(let mapping):
            return Self.ended(presences[connection]?.remap(mapping) ?? [], .nickTaken)
        case .entered(let channel):
            presences[connection]?.entered(channel)
            return []
        case .members(let channel, let members):
            return Self.ended(presences[connection]?.members(channel, members) ?? [], .gone)
        case .ranked(let nick, let channel, let rank, let isHeld):
            presences[connection]?.rank(nick, channel, rank, isHeld: isHeld)
            return []
        case .seen(let person, let isBot):
            let former = presences[connection]?.seen(person)
            if let visit = presences[connection]?.visit(at: person.nick)?.id {
                presences[connection]?.update(visit) { $0.isBot = isBot }
            }
            return Self.ended(former, .addressChanged)
        case .channelRenamed(let old, let new):
            presences[connection]?.renamed(old, to: new)
            return []
        case .expelled(let channel, _):
            return Self.ended(presences[connection]?.expelled(channel) ?? [], .gone)
        case .joined(let person, let channel):
            return Self.ended(presences[connection]?.joined(person, channel), .addressChanged)
        case .left(let nick, let channel):
            return Self.ended(presences[connection]?.left(nick, channel), .outOfSight)
        case .quit(let nick):
            return Self.ended(presences[connection]?.quit(nick), .gone)
        case .watched(let nick, let person):
            return Self.ended(presences[connection]?.watch(nick, person), .addressChanged)
        case .unwatched(let nick):
            return Self.ended(presences[connection]?.unwatch(nick), .gone)
        case .renamed(let old, let new):
            let outcome = presences[connection]?.renamed(old, to: new)
            return Self.ended(outcome?.displaced, .nickTaken) + Self.ended(outcome?.lost, .addressChanged)
        case .moved(let old, let user, let host):
            return Self.ended(presences[connection]?.moved(old, user: user, host: host), .addressChanged)
        case .servicesAccount(let person):
            return Self.ended(presences[connection]?.servicesAccount(person), .servicesAccountChanged)
        case .message, .refused:
            return []
        }
    }

    /// Compares a line's sender with the visit under that nick; to be called for each line, before anything is done with it.
    mutating func heard(_ person: Person, on connection: ConnectionID, now: Duration) -> Hearing {
        let former = presences[connection]?.heard(person)
        guard let visit = presences[connection]?.visit(at: person.nick) else {
            return Hearing(visit: nil, login: nil, ended: nil)
        }
        if let former {
            let isElsewhere = former.person?.address != person.address
            let ended = Self.ended(former, isElsewhere ? .addressChanged : .servicesAccountChanged)
            return Hearing(visit: visit.id, login: nil, ended: ended.first)
        }
        guard let login = visit.login else { return Hearing(visit: visit.id, login: nil, ended: nil) }
        if let reason = lapse(of: login, now: now) {
            return Hearing(visit: visit.id, login: nil, ended: logOut(visit.id, reason))
        }
        presences[connection]?.update(visit.id) { $0.login?.lastHeardAt = now }
        return Hearing(visit: visit.id, login: login, ended: nil)
    }

    /// Logs a visit in; nil where the visit is over. The logins of the account that had to make room, oldest first.
    mutating func logIn(
        _ id: VisitID, to account: Account, by fingerprint: PasswordFingerprint? = nil, at since: Timestamp,
        now: Duration
    ) -> [EndedLogin]? {
        guard visit(id) != nil else { return nil }
        let login = Login(
            account: account, since: since, startedAt: now, lastHeardAt: now, fingerprint: fingerprint)
        presences[id.connection]?.update(id) { $0.login = login }
        let others = presences.values.flatMap(\.allVisits)
            .filter { $0.id != id && $0.login?.account.id == account.id }
            .sorted { ($0.login?.startedAt ?? now) < ($1.login?.startedAt ?? now) }
        return others.prefix(max(0, others.count + 1 - limits.loginsPerAccount))
            .compactMap { logOut($0.id, .crowdedOut) }
    }

    /// A question of a login; what its pace says of who asks. `length` and `most` are as in `LoopGuard`.
    mutating func takeQuestion(by id: VisitID, length: Int, at now: Duration, most: Int) -> LoopGuard.Verdict {
        var verdict = LoopGuard.Verdict.goesOn
        presences[id.connection]?.update(id) { visit in
            verdict = visit.login?.loop.takeQuestion(length: length, at: now, most: most) ?? .goesOn
        }
        return verdict
    }

    /// An answer for this visit was said to its end.
    mutating func takeAnswer(to id: VisitID, at now: Duration) {
        presences[id.connection]?.update(id) { $0.login?.loop.takeAnswer(at: now) }
    }

    /// Ends the login of a visit that goes on.
    @discardableResult
    mutating func logOut(_ id: VisitID, _ reason: EndedLogin.Reason) -> EndedLogin? {
        guard let visit = visit(id) else { return nil }
        let isOnPurpose = [.loggedOut, .endedElsewhere, .closed].contains(reason)
        presences[id.connection]?.update(id) {
            $0.login = nil
            $0.staysOut = isOnPurpose
        }
        return Self.ended(visit, reason).first
    }

    /// The visits that are logged in to an account, the oldest login first.
    func logins(of account: AccountID) -> [Visit] {
        presences.values.flatMap(\.allVisits).filter { $0.login?.account.id == account }
            .sorted { ($0.login?.startedAt ?? .zero, $0.id.number) < ($1.login?.startedAt ?? .zero, $1.id.number) }
    }

    /// The account has other names or another address now.
    mutating func update(_ account: Account) {
        for visit in logins(of: account.id) {
            presences[visit.id.connection]?.update(visit.id) { $0.login?.account = account }
        }
    }

    /// Whoever has this nick is not watched any more, unless it is for a login: whether the server was watching.
    mutating func unwatch(_ nick: Nick, on connection: ConnectionID) -> Bool {
        guard let presence = presences[connection], presence.isWatched(nick), presence.visit(at: nick)?.login == nil
        else { return false }
        _ = presences[connection]?.unwatch(nick)
        return true
    }

    /// No services account logs this visit in, until services have news or it logs in and out otherwise.
    mutating func keepOut(_ id: VisitID) { presences[id.connection]?.update(id) { $0.staysOut = true } }

    private func lapse(of login: Login, now: Duration) -> EndedLogin.Reason? {
        if now - login.startedAt >= limits.age { return .expired }
        if now - login.lastHeardAt >= limits.idle { return .idle }
        return nil
    }

    // Static, so that no call of it holds a copy of all presences while its argument changes them: each change would copy
    // everyone.
    private static func ended(_ visit: Visit?, _ reason: EndedLogin.Reason) -> [EndedLogin] {
        visit.map { Self.ended([$0], reason) } ?? []
    }

    private static func ended(_ visits: [Visit], _ reason: EndedLogin.Reason) -> [EndedLogin] {
        visits.compactMap { visit in
            visit.login.map { EndedLogin(visit: visit.id, nick: visit.nick, account: $0.account, reason: reason) }
        }
    }
}
