import Domain
import Runtime
import Storage

/// LINK and UNLINK, and logging in by an account at the network's services instead of a password.
///
/// Only on networks whose services the operator trusts: whoever runs them can be anybody there. Who is linked is kept in
/// mind, so that a line of somebody else costs no look-up; the store has the last word.
extension Bot {
    // MARK: Deciding

    func link(_ speaker: Speaker) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        let network = speaker.connection.network
        guard settings.trustedNetworks.contains(network) else {
            return notice(Phrases.isNotTrusted(network), to: speaker)
        }
        let person = roster.visit(visit)?.person ?? speaker.person
        guard let services = person.servicesAccount ?? speaker.person.servicesAccount else {
            return notice(Phrases.noServicesAccount(network, ownNick(on: speaker.connection)), to: speaker)
        }
        held[visit] = []
        let link = ServicesLink(network: network, servicesAccount: services)
        return [
            .change(
                AccountChange(
                    speaker: speaker, visit: visit, account: login.account, kind: .link(link, shown: services)))
        ]
    }

    func unlink(_ speaker: Speaker) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        held[visit] = []
        return [
            .change(
                AccountChange(
                    speaker: speaker, visit: visit, account: login.account, kind: .unlink(speaker.connection.network)))
        ]
    }

    /// Logs in whoever an event shows to be at a linked services account.
    func recognised(_ event: ChatEvent) -> [Work] {
        switch event.kind {
        case .joined(let person, _), .seen(let person, _): recognise(person, on: event.connection)
        case .servicesAccount(let person): recognise(person, on: event.connection, isNews: true)
        default: []
        }
    }

    /// The person's services account is linked, and they are not logged in; what they say meanwhile waits. Who logged out,
    /// or was not let in, is tried again when the services have news of them.
    func recognise(_ person: Person, on connection: ConnectionID, isNews: Bool = false) -> [Work] {
        guard let services = person.servicesAccount, settings.trustedNetworks.contains(connection.network) else {
            return []
        }
        let link = ServicesLink(network: connection.network, servicesAccount: services)
        guard memory.links[link] != nil, let visit = roster.presence(on: connection)?.visit(at: person.nick) else {
            return []
        }
        guard visit.login == nil, held[visit.id] == nil, isNews || !visit.staysOut else { return [] }
        held[visit.id] = []
        let speaker = Speaker(
            connection: connection, person: person, place: .direct, addressee: .visit(visit.id), login: nil)
        return [.logInByServices(speaker, visit.id, link)]
    }

    // MARK: Doing

    /// Takes in the links of the store; once, before anything is heard.
    func loadLinks() async {
        do {
            memory.links = try await store.servicesLinks()
        } catch {
            logStoreFailure(error, during: "reading links to services accounts")
        }
    }

    func logInByServices(_ speaker: Speaker, _ visit: VisitID, _ link: ServicesLink) async {
        // Before anything waits: what was said meanwhile is heard afterwards, and must not lead here again.
        roster.keepOut(visit)
        let lines = await outcome(of: speaker, visit, link)
        await perform(notice(lines, to: speaker.addressee))
        await release(visit)
    }

    private func outcome(of speaker: Speaker, _ visit: VisitID, _ link: ServicesLink) async -> [String] {
        do {
            guard let found = try await store.credentials(by: link), !found.isDisabled else { return [] }
            // The account at services may have changed during the look-up.
            guard roster.visit(visit)?.person?.servicesAccount == speaker.person.servicesAccount else { return [] }
            guard await admit(visit, to: found.account) else { return [] }
            return Phrases.loggedInByServices(found.account.name, speaker.person.servicesAccount ?? "")
                + (await newsForLogin(to: found.account, speaker))
        } catch {
            logStoreFailure(error, during: "logging in by a services account")
            return []
        }
    }

    func linked(_ link: ServicesLink, shown: String, _ account: Account) async throws(StoreFailure) -> [String] {
        try await store.link(link, to: account.id, at: time.wall())
        memory.links[link] = account.id
        log.info("A services account was linked", ["network": link.network, "account": account.name])
        return Phrases.linked(account.name, shown, link.network)
    }

    func unlinked(_ network: NetworkName, _ account: Account) async throws(StoreFailure) -> [String] {
        let count = try await store.unlink(network, of: account.id)
        memory.links = memory.links.filter { $0.key.network != network || $0.value != account.id }
        return Phrases.unlinked(network, count: count)
    }
}
