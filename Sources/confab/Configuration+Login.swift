import Domain
import IRC
import IRCProtocol

extension SASLSettings {
    /// `[networks.sasl]`. Which mechanisms there can be is told by what the bot has to show.
    init(_ table: TableReader, canProveCertificate: Bool, canSendPassword: Bool) {
        let texts: [String]? = table.optional("mechanisms", where: Self.mechanismsProblem)
        let account: String? = table.optional("account", where: Checks.line)
        let password = table.secret("password_file")
        let key = table.signingKey("key_file")
        let isPossible = { (mechanism: Mechanism) in
            switch mechanism {
            case .external: canProveCertificate
            case .ecdsa: table.isPresent("key_file")
            case .scramSHA256, .scramSHA512: table.isPresent("password_file")
            case .plain: table.isPresent("password_file") && canSendPassword
            }
        }
        let chosen = texts.map { $0.compactMap(Mechanism.init(rawValue:)) }
        self.init(
            mechanisms: chosen ?? Mechanism.allCases.filter(isPossible), account: account ?? "", password: password,
            key: key, isRequired: table.value("required", default: true))
        checkTogether(table, canProveCertificate: canProveCertificate, canSendPassword: canSendPassword)
        // Where nobody chose, PLAIN takes what SCRAM cannot.
        if chosen != nil || !mechanisms.contains(.plain) { checkFitness(table) }
    }

    /// What no key can tell by itself.
    private func checkTogether(_ table: TableReader, canProveCertificate: Bool, canSendPassword: Bool) {
        if mechanisms.isEmpty {
            let cure = "Name a password_file or key_file, or the network's client_certificate."
            table.refuse("mechanisms", "nothing to log in with. \(cure)")
        }
        if mechanisms.contains(.external), !canProveCertificate {
            table.refuse(
                "mechanisms", "EXTERNAL proves a certificate. Name one in client_certificate, or take EXTERNAL out.")
        }
        if mechanisms.contains(.plain), !canSendPassword {
            table.refuse(
                "mechanisms", "PLAIN sends the password readable without TLS. Use TLS, or say insecure = true.")
        }
        if let needing = mechanisms.first(where: { $0 != .external }), !table.isPresent("account") {
            table.refuse("account", "\(needing.rawValue) needs an account. Name the bot's account at services.")
        }
        if let needing = mechanisms.first(where: \.needsPassword), !table.isPresent("password_file") {
            table.refuse(
                "password_file", "\(needing.rawValue) needs a password. Name the file that holds it.")
        }
        if mechanisms.contains(.ecdsa), !table.isPresent("key_file") {
            table.refuse("key_file", "\(Mechanism.ecdsa.rawValue) needs a key. Name the file that holds it.")
        }
    }

    private func checkFitness(_ table: TableReader) {
        guard mechanisms.contains(where: \.isSCRAM), password != nil, !account.isEmpty, !isFitForSCRAM else { return }
        table.refuse(
            "mechanisms", "SCRAM cannot take some character of account or password. Change it, or name PLAIN alone.")
    }

    private static func mechanismsProblem(_ texts: [String]) -> String? {
        let areKnown = !texts.isEmpty && texts.allSatisfy { Mechanism(rawValue: $0) != nil }
        let known = Mechanism.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        return areKnown ? nil : "unknown mechanisms. Name some of \(known), the preferred first."
    }
}

extension NickServSettings {
    /// `[networks.nickserv]`. The words are those of Atheme, Anope, and the services of QuakeNet, Undernet, OFTC and DALnet.
    init(_ table: TableReader, canSendPassword: Bool) {
        let account: String? = table.optional("account", where: Checks.word)
        self.init(
            nick: table.value("nick", default: "NickServ", where: Checks.nick),
            command: table.value(
                "command", default: "PRIVMSG NickServ :IDENTIFY {account} {password}", where: Self.commandProblem),
            account: account ?? "", password: table.secret("password_file") ?? Secret(""),
            accepted: table.value(
                "accepted",
                default: [
                    "now identified", "successfully identified", "password accepted", "now recognized", "now logged in",
                    "already logged in", "authentication successful",
                ], where: Self.wordsProblem),
            refused: table.value(
                "refused",
                default: [
                    "incorrect", "invalid password", "wrong password", "not registered", "not a registered",
                    "isn't registered", "failed", "frozen", "suspended", "denied", "too many",
                ], where: Self.wordsProblem),
            timeout: table.value(
                "timeout", default: .seconds(15), where: Checks.duration(.seconds(1)...(.seconds(120)))),
            isRequired: table.value("required", default: true))
        checkTogether(table, canSendPassword: canSendPassword)
    }

    /// What no key can tell by itself.
    private func checkTogether(_ table: TableReader, canSendPassword: Bool) {
        if !canSendPassword {
            table.refuse("command", "sends the password readable without TLS. Use TLS, or say insecure = true.")
        }
        if !table.isPresent("password_file") {
            table.refuse("password_file", "missing. Name the file that holds the password.")
        }
        if command.contains("{account}") && !table.isPresent("account") {
            table.refuse("account", "missing, and command names it. Name the bot's account at services.")
        }
        // 512 with the line end, of which the placeholders are no part.
        if command.utf8.count + account.utf8.count + password.reveal().utf8.count > 510 {
            table.refuse("command", "too long for one line of IRC with this account and password. Shorten one of them.")
        }
    }

    private static func commandProblem(_ command: String) -> String? {
        if let problem = Checks.line(command) { return problem }
        guard command.contains("{password}") else {
            return "holds no {password}. Write e.g. \"PRIVMSG NickServ :IDENTIFY {account} {password}\"."
        }
        let rest = command.replacing("{account}", with: "").replacing("{password}", with: "")
        guard !rest.contains("{"), !rest.contains("}") else {
            return "holds another placeholder. There are {account} and {password}."
        }
        let word = command.prefix { $0 != " " }
        let isCommand = !word.isEmpty && word.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
        return isCommand ? nil : "no line of IRC. Begin with a command, e.g. PRIVMSG or NICKSERV."
    }

    private static func wordsProblem(_ words: [String]) -> String? {
        words.isEmpty || words.contains("") ? "tells nothing. Give parts of what services answer." : nil
    }
}
