import Domain

/// What is seen on one connection: the bot's own nick, who is in its channels, and their visits.
///
/// A value without clocks or effects. Invariant: there is a visit for each nick that is in any of the channels or watched
/// by the server, and for no other.
struct Presence: Sendable {
    let connection: ConnectionID
    var ownNick: Nick
    private(set) var mapping: CaseMapping
    /// By the names they had when the bot entered.
    private var channels: [ChannelName: ChannelMembers] = [:]
    /// Those names of channels that the server renamed since, by the ones they go by now.
    private var formerNames: [ChannelName: ChannelName] = [:]
    /// Whose leaving the server tells, whether they share a channel with the bot or not.
    private var watched: Set<Nick> = []
    private var visits: [Nick: Visit] = [:]
    private var nicks: [VisitID: Nick] = [:]
    private var lastNumber: UInt64 = 0

    init(_ connection: ConnectionID, nick: Nick, mapping: CaseMapping) {
        self.connection = connection
        self.ownNick = nick
        self.mapping = mapping
    }

    func visit(at nick: Nick) -> Visit? { visits[nick] }

    func visit(_ id: VisitID) -> Visit? { nicks[id].flatMap { visits[$0] } }

    var allVisits: [Visit] { Array(visits.values) }

    func isWatched(_ nick: Nick) -> Bool { watched.contains(nick) }

    func isMember(_ nick: Nick, of channel: ChannelName) -> Bool { members(of: channel).contains(nick) }

    /// To be let go before anybody comes or leaves: a copy would make that change copy all of them.
    func members(of channel: ChannelName) -> Set<Nick> { channels[configuredName(of: channel)]?.nicks ?? [] }

    /// Whether someone may do there what channel operators do. No where the server has not shown it.
    func isOperator(_ nick: Nick, of channel: ChannelName) -> Bool {
        channels[configuredName(of: channel)]?.isOperator(nick) ?? false
    }

    /// The name that the operator of the bot knows a channel by, whatever the server calls it meanwhile.
    func configuredName(of channel: ChannelName) -> ChannelName { formerNames[channel] ?? channel }

    mutating func update(_ id: VisitID, _ change: (inout Visit) -> Void) {
        guard let nick = nicks[id], var visit = visits[nick] else { return }
        change(&visit)
        visits[nick] = visit
    }

    // MARK: Channels

    mutating func entered(_ channel: ChannelName) {
        let channel = configuredName(of: channel)
        channels[channel] = channels[channel] ?? ChannelMembers()
    }

    /// The visits that were in sight through this channel only.
    mutating func expelled(_ channel: ChannelName) -> [Visit] {
        let members = channels.removeValue(forKey: configuredName(of: channel))?.nicks ?? []
        return members.compactMap { removeIfUnseen($0) }
    }

    /// Replaces what was known of the channel; the visits that this took out of sight, or showed to be somebody else's.
    mutating func members(_ channel: ChannelName, _ members: [Member]) -> [Visit] {
        let channel = configuredName(of: channel)
        let former = channels[channel]?.nicks ?? []
        var present = ChannelMembers()
        var ended: [Visit] = []
        for member in members where member.nick != ownNick {
            present.insert(member.nick, ranks: member.ranks)
            if visits[member.nick] == nil { begin(at: member.nick, as: member.person) }
            if let person = member.person, let former = seen(person) { ended.append(former) }
        }
        channels[channel] = present
        return ended + former.compactMap { removeIfUnseen($0) }
    }

    /// The server says what someone's address and services account are; the visit that ended because it was another's.
    mutating func seen(_ person: Person) -> Visit? {
        guard let known = visits[person.nick] else { return nil }
        guard known.isAt(person), known.login == nil || !known.differsInAccount(from: person) else {
            return replace(known, by: person)
        }
        if known.person == nil || known.login == nil && person.servicesAccount != nil {
            visits[person.nick]?.person = person
        }
        return nil
    }

    mutating func rank(_ nick: Nick, _ channel: ChannelName, _ rank: Character, isHeld: Bool) {
        channels[configuredName(of: channel)]?.rank(nick, rank, isHeld: isHeld)
    }

    /// The channel goes by another name; nobody came or left.
    mutating func renamed(_ old: ChannelName, to new: ChannelName) {
        let configured = formerNames.removeValue(forKey: old) ?? old
        formerNames[new] = new == configured ? nil : configured
    }

    /// The visit that ended because someone else stood under this nick.
    mutating func joined(_ person: Person, _ channel: ChannelName) -> Visit? {
        let channel = configuredName(of: channel)
        guard channels[channel] != nil, person.nick != ownNick else { return nil }
        channels[channel]?.insert(person.nick)
        guard let known = visits[person.nick] else {
            begin(at: person.nick, as: person)
            return nil
        }
        return known.isAt(person) ? fillIn(person) : replace(known, by: person)
    }

    mutating func left(_ nick: Nick, _ channel: ChannelName) -> Visit? {
        guard channels[configuredName(of: channel)]?.remove(nick) == true else { return nil }
        return removeIfUnseen(nick)
    }

    mutating func quit(_ nick: Nick) -> Visit? {
        // An array, not the keys themselves: those would hold on to the sets and have each copied.
        for channel in Array(channels.keys) { channels[channel]?.remove(nick) }
        watched.remove(nick)
        return remove(nick)
    }

    /// The server tells from now on when whoever has this nick leaves; the visit that ended because it was another's.
    mutating func watch(_ nick: Nick, _ person: Person?) -> Visit? {
        guard nick != ownNick else { return nil }
        watched.insert(nick)
        guard visits[nick] != nil else {
            begin(at: nick, as: person)
            return nil
        }
        return person.flatMap { seen($0) }
    }

    /// The visit that was in sight by that only.
    mutating func unwatch(_ nick: Nick) -> Visit? {
        watched.remove(nick) == nil ? nil : removeIfUnseen(nick)
    }

    // MARK: People

    /// A line of someone came: whoever was there until now, if this is somebody else.
    ///
    /// Address and services account are compared byte for byte, an absent account included: on a network that tells
    /// accounts, their absence is a fact.
    mutating func heard(_ person: Person) -> Visit? {
        guard let known = visits[person.nick] else { return nil }
        // Nearly always: then there is nothing to write.
        if let before = known.person, before.isAtAddress(of: person),
            before.servicesAccount == person.servicesAccount, before.nick.spelling == person.nick.spelling,
            known.nick.spelling == person.nick.spelling
        {
            return nil
        }
        let isSame = known.isAt(person)
        let isSameAccount = known.login == nil || known.person?.servicesAccount == person.servicesAccount
        guard isSame, isSameAccount else { return replace(known, by: person) }
        // Spelled as they spell it now.
        visits[person.nick]?.nick = person.nick
        visits[person.nick]?.person = person
        return nil
    }

    /// Follows a nick if the whole old mask is the known one. Whoever was seen at the new nick is displaced; where the
    /// mask does not match, the one at the old nick was somebody else and is lost.
    mutating func renamed(_ old: Person, to new: Nick) -> (displaced: Visit?, lost: Visit?) {
        let displaced = new == old.nick ? nil : quit(new)
        // The server watches a nick, not a person.
        if new != old.nick { watched.remove(old.nick) }
        for channel in Array(channels.keys) { channels[channel]?.rename(old.nick, to: new) }
        guard var visit = remove(old.nick) else { return (displaced, nil) }
        let isSame = visit.isAt(old) && !visit.differsInAccount(from: old)
        var person = isSame ? visit.person ?? old : old
        person.nick = new
        visit.nick = new
        guard isSame else {
            begin(at: new, as: person)
            return (displaced, visit)
        }
        visit.person = person
        put(visit)
        return (displaced, nil)
    }

    /// An announced change of address is followed; the visit that ended where the old address is not the known one.
    mutating func moved(_ old: Person, user: String, host: String) -> Visit? {
        guard let known = visits[old.nick] else { return nil }
        var person = known.person ?? old
        guard known.isAt(old) else {
            return replace(known, by: Person(nick: old.nick, user: user, host: host))
        }
        person.user = user
        person.host = host
        visits[old.nick]?.person = person
        return nil
    }

    /// The visit as it was, if its services account is another now. Being told without being told another name is a change
    /// too: where lines carry no account, a logout looks so.
    mutating func servicesAccount(_ person: Person) -> Visit? {
        guard let known = visits[person.nick] else { return nil }
        guard known.isAt(person) else { return replace(known, by: person) }
        let isKnown = person.servicesAccount != nil && known.person?.servicesAccount == person.servicesAccount
        if !isKnown && known.login != nil { return replace(known, by: person) }
        visits[person.nick]?.person = person
        return nil
    }

    /// Makes every key again; two people whom the new mapping takes for one both lose their visits.
    mutating func remap(_ new: CaseMapping) -> [Visit] {
        mapping = new
        ownNick = Nick(ownNick.spelling, new)
        let formerChannels = channels
        let formerVisits = visits.values
        watched = Set(watched.map { Nick($0.spelling, new) })
        let renewed = formerNames.map { (ChannelName($0.spelling, new), ChannelName($1.spelling, new)) }
        formerNames = Dictionary(renewed) { first, _ in first }
        channels = [:]
        visits = [:]
        nicks = [:]
        for (channel, members) in formerChannels {
            let channel = ChannelName(channel.spelling, new)
            channels[channel, default: ChannelMembers()].formUnion(members, new)
        }
        var ended: [Visit] = []
        for var visit in formerVisits {
            visit.nick = Nick(visit.nick.spelling, new)
            visit.person?.nick = visit.nick
            if let twin = remove(visit.nick) {
                ended += [visit, twin]
                begin(at: visit.nick, as: nil)
            } else {
                put(visit)
            }
        }
        return ended
    }

    // MARK: Keeping

    @discardableResult
    private mutating func begin(at nick: Nick, as person: Person?) -> Visit {
        lastNumber += 1
        let id = VisitID(connection: connection, number: lastNumber)
        let visit = Visit(id: id, nick: nick, person: person)
        put(visit)
        return visit
    }

    private mutating func put(_ visit: Visit) {
        visits[visit.nick] = visit
        nicks[visit.id] = visit.nick
    }

    private mutating func remove(_ nick: Nick) -> Visit? {
        guard let visit = visits.removeValue(forKey: nick) else { return nil }
        nicks[visit.id] = nil
        return visit
    }

    private mutating func removeIfUnseen(_ nick: Nick) -> Visit? {
        watched.contains(nick) || channels.values.contains { $0.nicks.contains(nick) } ? nil : remove(nick)
    }

    private mutating func replace(_ visit: Visit, by person: Person) -> Visit {
        _ = remove(visit.nick)
        begin(at: person.nick, as: person)
        return visit
    }

    /// Only the nick was known, and now a line shows the address. What is known of a login's services account stays as
    /// its own lines showed it: not every kind of line carries one.
    private mutating func fillIn(_ person: Person) -> Visit? {
        if visits[person.nick]?.person == nil { visits[person.nick]?.person = person }
        return nil
    }
}

extension Visit {
    /// Nobody's address contradicts a visit of which only the nick is known.
    fileprivate func isAt(_ other: Person) -> Bool { person.map { $0.isAtAddress(of: other) } ?? true }

    /// Where either side does not tell an account there is nothing to compare.
    fileprivate func differsInAccount(from other: Person) -> Bool {
        guard let mine = person?.servicesAccount, let theirs = other.servicesAccount else { return false }
        return mine != theirs
    }
}
