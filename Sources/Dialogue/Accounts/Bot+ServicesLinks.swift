import Accounts
import Domain
import Storage

/// LINK and UNLINK, and logging in by an account at the network's services instead of a password.
///
/// Only on networks whose services the operator trusts: whoever runs them can be anybody there. Who is linked is kept in
/// mind, so that a line of somebody else costs no look-up; the store has the last word.
extension Bot {
    // MARK: Deciding

    func link(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        let network = speaker.connection.network
        guard settings.trustedNetworks.contains(network) else {
            return notice(Phrases.isNotTrusted(network), to: speaker)
        }
        let person = roster.visit(visit)?.person ?? speaker.person
        guard let services = person.servicesAccount ?? speaker.person.servicesAccount,
            let link = ServicesLink(network: network, servicesAccount: services)
        else {
            return notice(Phrases.noServicesAccount(network, ownNick(on: speaker.connection)), to: speaker)
        }
        guard arguments.count == 1 else {
            return notice(Phrases.linkUsage(Command.usage(of: "LINK"), ownNick(on: speaker.connection)), to: speaker)
        }
        return change(.link(link, shown: services, Secret(arguments[0])), speaker, visit, login.account)
    }

    func unlink(_ speaker: Speaker) -> [Work] {
        guard let login = speaker.login, let visit = speaker.visit else { return [] }
        return change(.unlink(speaker.connection.network), speaker, visit, login.account)
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
        guard let services = person.servicesAccount, settings.trustedNetworks.contains(connection.network),
            let link = ServicesLink(network: connection.network, servicesAccount: services)
        else { return [] }
        guard memory.links[link] != nil, let visit = roster.presence(on: connection)?.visit(at: person.nick) else {
            return []
        }
        guard visit.login == nil, !deferred.isHeld(visit.id), isNews || !visit.staysOut else { return [] }
        deferred.hold(visit.id)
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
            log.storeFailed(error, during: "reading links to services accounts")
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
            guard let account = try await desk.logins.account(linkedTo: link) else { return [] }
            // The account at services may have changed during the look-up.
            guard roster.visit(visit)?.person?.servicesAccount == speaker.person.servicesAccount else { return [] }
            guard await admit(visit, to: account) else { return [] }
            let news = await desk.logins.welcome(account, from: speaker.origin)
            return Phrases.loggedInByServices(account.name, speaker.person.servicesAccount ?? "")
                + Phrases.news(news, ownNick(on: speaker.connection))
        } catch {
            log.storeFailed(error, during: "logging in by a services account")
            return []
        }
    }

    /// Tells whoever else is logged in: who stole a login must not be able to keep it so unseen.
    func linked(_ link: ServicesLink, shown: String, _ request: AccountRequest.Change) async -> [String] {
        let account = request.account
        memory.links[link] = account.id
        let others = roster.logins(of: account.id).filter { $0.id != request.visit }
        await perform(
            others.flatMap { other in
                let bot = ownNick(on: other.id.connection)
                return notice(Phrases.linkedElsewhere(account.name, shown, link.network, bot), to: .visit(other.id))
            })
        return Phrases.linked(account.name, shown, link.network)
    }

    /// Links that the store ended, with an account's password or by themselves.
    func forgetLinks(of account: AccountID) { memory.links = memory.links.filter { $0.value != account } }

    func unlinked(_ network: NetworkName, _ count: Int, _ account: Account) -> [String] {
        memory.links = memory.links.filter { $0.key.network != network || $0.value != account.id }
        return Phrases.unlinked(network, count: count)
    }
}
