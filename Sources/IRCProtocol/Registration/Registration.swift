package import Domain

/// The first minute of a connection as a state machine: lines of the server in, lines and decisions out.
///
/// `CAP LS 302` is the first line on the wire, and PASS, NICK and USER follow at once, unless the relay holds them back
/// until the server has had its chance to ask for TLS: a server that knows capabilities holds the registration until
/// `CAP END`, one that does not registers right away. Afterwards it keeps following what
/// capabilities come and go. A line that does not fit the state changes nothing.
/// https://ircv3.net/specs/extensions/capability-negotiation
package struct Registration: Sendable {
    package enum Action: Equatable, Sendable {
        case send(String)
        /// The server took the bot in, under this nick.
        case welcome(nick: String)
        /// Services know the bot now. `account` is nil where nobody told it, `by` where it was not by SASL.
        case loggedIn(account: String?, by: String?)
        /// Work that takes too long for the network's thread; its result goes to `derived`.
        case derive(KeyDerivation)
        /// Goes on without a login that was wanted but not required.
        case loginMissing(reason: String)
        case end(Ending)
    }

    /// What is used where it is offered; each of these changes lines in a way that the relay understands.
    package static let wanted = [
        "account-notify", "account-tag", "batch", "cap-notify", "chghost", "draft/channel-rename",
        MultilineLimits.capability, "echo-message", "extended-join", "labeled-response", "message-tags", "multi-prefix",
        "server-time", "userhost-in-names", "znc.in/batch", "znc.in/server-time-iso",
    ]

    package enum Stage { case negotiating, waiting, welcomed, ended }

    private let identity: BotIdentity
    private let serverPassword: Secret?
    private var nicks: NickChoice
    /// There is another way to log in after the welcome, which then decides.
    package let canIdentify: Bool
    /// What a login can begin with, each time anew.
    private let freshSASL: SASL?
    package var sasl: SASL?
    /// From the first mechanism until the server has answered to the last.
    package var isLoggingIn = false
    package var stage = Stage.negotiating
    /// Name and value of each capability of a listing that may take several lines, of those that are of use here: a server
    /// may make up any number of others.
    private var offered: [String: String] = [:]
    private var isListed = false
    /// Asked for and neither granted nor refused yet.
    private var requested: Set<String> = []
    package private(set) var enabled: Set<String> = []
    /// The services account the server says the bot is logged in to.
    package var account: String?
    /// What the server calls the bot's account while the login is not settled.
    package var pendingAccount: String?
    /// The SASL mechanism that worked.
    package var loginMethod: String?
    /// Why there is no login although one was wanted.
    package var loginFailure: String?
    /// Services have seen the login and do not want it; another try would be the same.
    package var isLoginRefused = false

    package init(identity: BotIdentity, serverPassword: Secret?, sasl: SASL?, canIdentify: Bool) {
        self.identity = identity
        self.serverPassword = serverPassword
        nicks = NickChoice(nick: identity.nick, alternates: identity.alternateNicks)
        self.canIdentify = canIdentify
        freshSASL = sasl
        self.sasl = sasl
    }

    package var isWelcomed: Bool { stage == .welcomed }

    /// Services know the bot, by what the server said or by how it logged in.
    package var isLoggedIn: Bool { account != nil || loginMethod != nil }

    /// Every line of a person says which services account they are logged in to.
    package var isAccountTold: Bool { enabled.contains("account-tag") }

    /// The server tells of every line of the bot whether it was passed on.
    package var isDeliveryTold: Bool { enabled.isSuperset(of: ["batch", "echo-message", "labeled-response"]) }

    /// What the server takes as one message; nil where it takes single lines only.
    package var multiline: MultilineLimits? {
        guard enabled.isSuperset(of: ["batch", MultilineLimits.capability]) else { return nil }
        return offered[MultilineLimits.capability].flatMap(MultilineLimits.init)
    }

    /// The lines to open with.
    package func begin() -> [Action] {
        var lines = [IRCMessage.line("CAP", "LS", "302")]
        if let serverPassword { lines.append(IRCMessage.line("PASS", serverPassword.reveal())) }
        lines.append(IRCMessage.line("NICK", nicks.current))
        lines.append(IRCMessage.line("USER", identity.username, "0", "*", identity.realname))
        return lines.map(Action.send)
    }

    /// Takes a line that concerns the registration; any other is ignored.
    package mutating func receive(_ message: IRCMessage) -> [Action] {
        guard stage != .ended else { return [] }
        switch message.command {
        case "CAP": return capability(message)
        case "AUTHENTICATE", "900", "901", "902", "903", "904", "905", "906", "907", "908":
            return authentication(message)
        case "001": return welcome(message)
        case "421" where message[1]?.uppercased() == "CAP": return withoutCapabilities()
        case "432", "433", "436", "437": return nickRefused(message)
        default: return []
        }
    }

    // MARK: Capabilities

    private mutating func capability(_ message: IRCMessage) -> [Action] {
        // The first parameter is the target, and servers fill it as they like.
        guard message.count >= 3, let list = message.last else { return [] }
        let names = list.split(separator: " ").map(String.init)
        switch message[1]?.uppercased() {
        case "LS": return listed(names, isMoreToCome: message.isMoreToCome)
        case "ACK": return granted(names)
        case "NAK": return refused(names)
        case "NEW":
            guard isListed else { return [] }
            note(names)
            let new = wishes.filter { !enabled.contains($0) && !requested.contains($0) }
            return request(new) + loginAgain(names.map(Self.split))
        case "DEL":
            for name in names {
                enabled.remove(name)
                offered[name] = nil
            }
            return names.contains("sasl") ? servicesGone() : []
        default: return []
        }
    }

    private mutating func listed(_ names: [String], isMoreToCome: Bool) -> [Action] {
        guard stage == .negotiating, !isListed else { return [] }
        note(names)
        guard !isMoreToCome else { return [] }
        isListed = true
        var actions = request(wishes)
        if sasl != nil {
            if let mechanisms = offered["sasl"] {
                sasl?.offered(mechanisms)
                // A line of its own: a server refuses a whole line for one name in it.
                actions += request(["sasl"])
            } else {
                actions += loginFailed(Self.noSASL)
            }
        }
        return actions + endIfSettled()
    }

    private mutating func note(_ names: [String]) {
        for (name, value) in names.map(Self.split) where name == "sasl" || Self.wanted.contains(name) {
            offered[name] = value
        }
    }

    /// What is offered of what is wanted; echoes that could not be told apart would only be a burden.
    private var wishes: [String] {
        Self.wanted.filter { name in
            guard let value = offered[name] else { return false }
            switch name {
            case "echo-message": return offered["labeled-response"] != nil
            // ZNC's names for what it offers under the common ones too, from when these were young.
            case "znc.in/batch", "znc.in/server-time-iso":
                return offered[name == "znc.in/batch" ? "batch" : "server-time"] == nil
            case MultilineLimits.capability: return offered["batch"] != nil && MultilineLimits(value) != nil
            default: return true
            }
        }
    }

    private mutating func request(_ names: [String]) -> [Action] {
        guard !names.isEmpty else { return [] }
        requested.formUnion(names)
        return [.send("CAP REQ :\(names.joined(separator: " "))")]
    }

    private mutating func granted(_ names: [String]) -> [Action] {
        var actions: [Action] = []
        for name in names {
            if name.hasPrefix("-") {
                enabled.remove(String(name.dropFirst()))
            } else if requested.remove(name) != nil {
                enabled.insert(name)
                if name == "sasl", let sasl { actions += nextMechanism(sasl.want) }
            }
        }
        return actions + endIfSettled()
    }

    private mutating func refused(_ names: [String]) -> [Action] {
        let refused = names.filter { requested.remove($0) != nil }
        if refused == ["sasl"] { return loginFailed("the server refuses SASL") }
        // One of them is to blame: each is asked for alone, once.
        let again = refused.count > 1 ? refused.flatMap { request([$0]) } : []
        return again + endIfSettled()
    }

    /// `CAP END` once every wish is answered and no login is under way.
    package mutating func endIfSettled() -> [Action] {
        guard stage == .negotiating, isListed, requested.isEmpty, !isLoggingIn else { return [] }
        stage = .waiting
        return [.send("CAP END")]
    }

    private static func split(_ capability: String) -> (name: String, value: String) {
        let parts = capability.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
    }

    /// Services are back, and the bot was online without them.
    private mutating func loginAgain(_ offered: [(name: String, value: String)]) -> [Action] {
        guard stage == .welcomed, !isLoggedIn, !isLoginRefused, sasl == nil,
            let offer = offered.first(where: { $0.name == "sasl" })
        else { return [] }
        sasl = freshSASL
        guard sasl != nil else { return [] }
        sasl?.offered(offer.value)
        return request(["sasl"])
    }

    /// An old server, which registers without being told to.
    private mutating func withoutCapabilities() -> [Action] {
        guard stage == .negotiating, !isListed else { return [] }
        isListed = true
        stage = .waiting
        return sasl == nil ? [] : loginFailed("the server knows no SASL")
    }

    // MARK: Nick and welcome

    private mutating func welcome(_ message: IRCMessage) -> [Action] {
        guard stage != .welcomed, let nick = message[0], !nick.isEmpty else { return [] }
        var actions: [Action] = []
        if sasl != nil { actions = loginFailed("the server did not wait for it") }
        guard stage != .ended else { return actions }
        stage = .welcomed
        isListed = true
        return actions.filter { $0 != .send("CAP END") } + [.welcome(nick: nick)]
    }

    private mutating func nickRefused(_ message: IRCMessage) -> [Action] {
        guard stage != .welcomed else { return [] }
        let next: String?
        switch message.command {
        case "432": next = nicks.forbidden()
        case "437":
            // IRCnet keeps a nick for some minutes after a split; trying others would only wear those out too.
            stage = .ended
            return [.send("QUIT"), .end(Ending(reason: "the nick is held back", next: .retry(after: .seconds(60))))]
        default: next = nicks.taken(message[1])
        }
        if let next { return [.send(IRCMessage.line("NICK", next))] }
        stage = .ended
        let ending: Ending =
            message.command == "432"
            ? .final("the server allows none of the configured nicks")
            : Ending(reason: "every nick is in use", next: .retry(after: .seconds(60)))
        return [.send("QUIT"), .end(ending)]
    }
}

extension IRCMessage {
    /// Whether a capability listing goes on in another line: `CAP * LS * :…`.
    package var isMoreToCome: Bool { command == "CAP" && count > 3 && self[2] == "*" }
}
