import Accounts
import Completions
import Dialogue
import Domain
import IRC
import IRCProtocol
import Network
import Passwords
import Runtime

// The keys, their defaults and what may stand there. Each default is also in `deploy/confab.toml`, with its reason.

extension Configuration {
    init(_ root: TableReader, secrets: SecretSource) {
        bot = Bot(root.table("bot"), secrets: secrets)
        let tables = root.tables("networks")
        if tables.isEmpty {
            root.refuse("networks", "no network. Add [[networks]] with a name, a host and its channels.")
        }
        if !root.isPresent("api") {
            root.refuse("api", "missing. Add [api] with a base_url and a model.")
        }
        let api = API(root.table("api"))
        self.api = api
        var names: Set<String> = []
        networks = tables.map { table in
            let network = Network(table, asking: api)
            if !names.insert(CaseMapping.ascii.fold(network.name)).inserted {
                table.refuse("name", "another network has this name. Give each its own.")
            }
            return network
        }
        answers = Answers(root.table("answers"), asking: api)
        limits = Limits(root.table("limits"))
        accounts = Accounts(root.table("accounts"))
        mail = root.optionalTable("mail").map { MailServer($0) }
        if accounts.settings.isVerifiedEmailRequired && mail == nil {
            root.refuse("mail", "verify_email needs a way to send mail. Add [mail], or take verify_email out.")
        }
        log = Logging(root.table("log"))
    }
}

extension Configuration.Bot {
    init(_ table: TableReader, secrets: SecretSource) {
        nick = table.value("nick", default: "confab", where: Checks.nick)
        alternateNicks = table.value("alternate_nicks", default: [], where: Checks.nicks)
        username = table.value("username", default: "confab", where: Checks.username)
        realname = table.value("realname", default: "Confab, an AI bot: /msg me HELP", where: Checks.realname)
        stateDirectory = secrets.resolve(
            table.value("state_directory", default: "/var/lib/confab", where: Checks.line))
    }
}

extension Configuration.Network {
    init(_ table: TableReader, asking api: Configuration.API) {
        name = table.required("name", example: "example", where: Checks.networkName)
        host = table.required("host", example: "irc.example.org", where: Checks.host)
        isTLS = table.value("tls", default: true)
        port = table.value("port", default: isTLS ? 6697 : 6667, where: Checks.range(1...65535))
        isInsecure = table.value("insecure", default: false)
        caFile = table.file("ca_file")
        pins = table.value("pins", default: [], where: Self.pinProblem)
        clientCertificate = table.file("client_certificate", isPrivate: !table.isPresent("client_key"))
        clientKey = table.file("client_key", isPrivate: true)
        serverPassword = table.secret("server_password_file")
        proxy = table.optional("proxy", where: Checks.proxy)
        let canProveCertificate = isTLS && clientCertificate != nil
        let canSendPassword = isTLS || isInsecure
        sasl = table.optionalTable("sasl").map {
            SASLSettings($0, canProveCertificate: canProveCertificate, canSendPassword: canSendPassword)
        }
        nickServ = table.optionalTable("nickserv").map { NickServSettings($0, canSendPassword: canSendPassword) }
        isTrusted = table.value("trust_services", default: false)
        legacyEncoding = table.optional("legacy_encoding", where: Checks.legacyEncoding).flatMap(LegacyEncoding.init)
        pace = Pace(table.table("pace"))
        listen = table.value("listen", default: .all)
        mark = table.optional("mark", where: Self.markProblem)
        models = table.value("models", default: [], where: Checks.lines)
        channels = Self.channels(table, asking: api)
        relays = table.tables("relays").map { Configuration.Relay($0) }
        checkTogether(table)
    }

    private static func channels(_ table: TableReader, asking api: Configuration.API) -> [Configuration.Channel] {
        var names: Set<String> = []
        return table.tables("channels").map { table in
            let channel = Configuration.Channel(table, asking: api)
            if !names.insert(CaseMapping.ascii.fold(channel.name)).inserted {
                table.refuse("name", "this network has that channel already. Take one of the two out.")
            }
            return channel
        }
    }

    /// What no key can tell by itself.
    private func checkTogether(_ table: TableReader) {
        if !isTLS && !isInsecure && !Checks.isLoopback(host) {
            table.refuse(
                "tls", "everybody on the way to \(host) could read passwords. Take it out, or say insecure = true.")
        }
        if clientKey != nil && clientCertificate == nil {
            table.refuse("client_key", "a key without its certificate. Name the certificate in client_certificate.")
        }
    }

    private static func markProblem(_ mark: String) -> String? {
        let isShort = (1...20).contains(mark.count) && mark.unicodeScalars.allSatisfy { $0.properties.isGraphemeBase }
        return isShort ? nil : "no mark. Give 1 to 20 characters, e.g. \"[AI]\"."
    }

    private static func pinProblem(_ pins: [String]) -> String? {
        let areRight = pins.allSatisfy { CertificatePin($0) != nil }
        return areRight
            ? nil : "no pin. Give 64 hexadecimal digits, SHA-256 of the certificate, or \"spki:\" and base64."
    }
}

extension Pace {
    init(_ table: TableReader) {
        self.init(
            burst: table.value("burst", default: 4, where: Checks.range(1...10_000)),
            interval: table.value(
                "interval", default: .seconds(2), where: Checks.duration(.zero...(.seconds(60)))))
    }
}

extension Configuration.Relay {
    init(_ table: TableReader) {
        nick = table.required("nick", example: "matterbridge", where: Checks.nick)
        address = table.optional("address", where: Checks.word)
        servicesAccount = table.optional("services_account", where: Checks.word)
        let allowsGuests = table.value("allow_guests", default: false)
        let name: String? = table.optional("account") { AccountName($0) == nil ? "no account's name." : nil }
        account = allowsGuests ? name.flatMap { AccountName($0) } : nil
        if allowsGuests, !table.isPresent("account") {
            table.refuse("allow_guests", "needs an account whose questions they are. Name it in account.")
        }
    }
}

extension Configuration.Channel {
    init(_ table: TableReader, asking api: Configuration.API) {
        name = table.required("name", example: "#confab", where: Checks.channel)
        key = table.hidden("key", where: Checks.channelKey)
        listen = table.optional("listen")
        maxLines = table.value("max_lines", default: 6, where: Checks.range(1...100))
        systemPrompt = table.optional("system_prompt", where: Checks.notEmpty)
        model = table.optional("model", where: Checks.line)
        models = table.optional("models", where: Checks.lines)
        temperature = table.optional("temperature", where: Checks.range(0...2))
        maxTokens = table.optional("max_tokens", where: Checks.range(1...1_000_000))
        format = table.optional("format")
        greeting = table.optional("greeting", where: Checks.line)
        streaming = table.optional("stream_to_channel")
        if let maxTokens, let words = api.problem(ofMaxTokens: maxTokens) { table.refuse("max_tokens", words) }
        if let streaming, let words = api.problem(of: streaming) { table.refuse("stream_to_channel", words) }
    }
}

extension Configuration.Limits {
    init(_ table: TableReader) {
        waiting = table.value("waiting", default: 3, where: Checks.range(0...100))
        quickReplies = table.limit("quick_replies", default: 6, upTo: 1000)
        account = BudgetLimits(table.table("account"), perMinute: 30)
        let ofChannel = table.table("channel")
        channel = BudgetLimits(ofChannel, perMinute: 0)
        inFlightPerChannel = ofChannel.limit("in_flight", default: 0, upTo: 10_000)
        waitingPerChannel = ofChannel.limit("waiting", default: 0, upTo: 100_000)
        let ofAll = table.table("all")
        all = BudgetLimits(ofAll, perMinute: 0)
        waitingOverall = ofAll.value("waiting", default: 4000, where: Checks.range(1...100_000))
    }
}

extension BudgetLimits {
    fileprivate init(_ table: TableReader, perMinute: Int) {
        let most = 1_000_000_000
        self.init(
            questionsPerMinute: table.limit("per_minute", default: perMinute, upTo: most),
            questionsPerDay: table.limit("per_day", default: 0, upTo: most),
            tokensPerDay: table.limit("tokens_per_day", default: 0, upTo: most))
    }
}

extension Configuration.Answers {
    init(_ table: TableReader, asking api: Configuration.API) {
        maxLines = table.value("max_lines", default: 8, where: Checks.range(1...100))
        format = table.value("format", default: .plain)
        streaming = table.value("stream_to_channel", default: .whole)
        let thinking = table.value(
            "thinking_after", default: .seconds(20), where: Checks.duration(.zero...(.seconds(3600))))
        thinkingAfter = thinking == .zero ? nil : thinking
        gather = table.value(
            "gather", default: .milliseconds(1200), where: Checks.duration(.zero...(.seconds(10))))
        repeats = table.limit("repeats", default: 2, upTo: 100)
        maxPersonaLength = table.value("persona_length", default: 300, where: Checks.range(0...2000))
        if let words = api.problem(of: streaming) { table.refuse("stream_to_channel", words) }
    }
}

extension Configuration.API {
    init(_ table: TableReader) {
        baseURL = table.required("base_url", example: "https://api.example.org/v1", where: Checks.baseURL)
        kind = table.value("kind", default: .chat)
        model = table.required("model", example: "gpt-4o-mini", where: Checks.line)
        key = table.secret("key_file")
        systemPrompt = table.value(
            "system_prompt",
            default: "You are an assistant in an IRC channel. Answer in plain text and briefly, in a few sentences.")
        promptTemplate = table.optional("prompt_template", where: Self.templateProblem)
        stop = table.value("stop", default: [], where: Self.stopProblem)
        temperature = table.optional("temperature", where: Checks.range(0...2))
        maxTokens = table.value("max_tokens", default: 1000, where: Checks.range(1...1_000_000))
        contextTokens = table.value("context_tokens", default: 8000, where: Checks.range(100...10_000_000))
        isStreaming = table.value("stream", default: true)
        let longest = Checks.duration(.milliseconds(1)...(.seconds(3600)))
        totalTimeout = table.value("total_timeout", default: .seconds(180), where: longest)
        // A short total alone shortens the parts too.
        let connect = table.value("connect_timeout", default: .seconds(10), where: longest)
        connectTimeout = table.isPresent("connect_timeout") ? connect : min(connect, totalTimeout)
        let firstByte = table.value("first_byte_timeout", default: .seconds(60), where: longest)
        firstByteTimeout = table.isPresent("first_byte_timeout") ? firstByte : min(firstByte, totalTimeout)
        maxInFlight = table.value("max_in_flight", default: 1000, where: Checks.range(1...10_000))
        caFile = table.file("ca_file")
        checkTogether(table, isInsecure: table.value("insecure", default: false))
    }

    /// What no key can tell by itself.
    private func checkTogether(_ table: TableReader, isInsecure: Bool) {
        if let url = WebAddress(baseURL), url.scheme == "http", !isInsecure, !Checks.isLoopback(url.host) {
            table.refuse(
                "base_url", "everybody on the way could read questions and key. Use https, or say insecure = true.")
        }
        if promptTemplate != nil && kind == .chat {
            table.refuse("prompt_template", "only kind = \"completions\" has one. Take one of the two out.")
        }
        if contextTokens <= maxTokens {
            table.refuse("context_tokens", "no more than max_tokens, which leaves nothing for the question. Raise it.")
        }
        if connectTimeout > totalTimeout || firstByteTimeout > totalTimeout {
            table.refuse("total_timeout", "shorter than a part of it. Raise it, or lower the other two.")
        }
    }

    /// Why a channel cannot have answers of this length, in tokens; nil where it can.
    fileprivate func problem(ofMaxTokens maxTokens: Int) -> String? {
        guard contextTokens <= maxTokens else { return nil }
        return "no less than context_tokens in [api], which is \(contextTokens): nothing is left for the question. "
            + "Lower it, or raise that one."
    }

    /// Why answers cannot be said this way; nil where they can.
    fileprivate func problem(of streaming: ChannelRules.Streaming) -> String? {
        guard streaming == .sentences, !isStreaming else { return nil }
        return "answers come in one piece with stream = false in [api]. Take that out, or say \"whole\" here."
    }

    private static func templateProblem(_ template: String) -> String? {
        template.contains("{question}") ? nil : "holds no {question}. Put it where the question belongs."
    }

    private static func stopProblem(_ stop: [String]) -> String? {
        if stop.contains("") { return "an empty text would stop at once. Take it out." }
        return stop.count <= 4 ? nil : "too many: the API takes at most 4."
    }
}

extension Configuration.Accounts {
    init(_ table: TableReader) {
        minPasswordLength = table.value("min_password_length", default: 6, where: Checks.range(6...128))
        isEmailRequired = table.value("require_email", default: true)
        registration = table.value("registration", default: .open)
        let memory = table.value("hash_memory_mib", default: 64, where: Checks.range(8...1024))
        let passes = table.value("hash_passes", default: 2, where: Checks.range(1...20))
        strength = PasswordHasher.Strength(memory: memory << 20, passes: passes)
        settings.limits = AccountLimits(table)
        settings.isVerifiedEmailRequired = table.value("verify_email", default: false)
    }
}

extension AccountLimits {
    fileprivate init(_ table: TableReader) {
        self.init()
        let number = Checks.range(1...1_000_000)
        let long = Checks.duration(.seconds(60)...(.seconds(366 * 24 * 3600)))
        registrationsPerAddress = table.value(
            "registrations_per_address", default: registrationsPerAddress, where: number)
        registrationsOverall = table.value("registrations_overall", default: registrationsOverall, where: number)
        guessesPerHost = table.value("guesses_per_host", default: guessesPerHost, where: number)
        guessesOverall = table.value("guesses_overall", default: guessesOverall, where: number)
        sessionIdle = table.value("session_idle", default: sessionIdle, where: long)
        sessionAge = table.value("session_age", default: sessionAge, where: long)
        sessionsPerAccount = table.value("sessions_per_account", default: sessionsPerAccount, where: number)
    }
}

extension Configuration.Logging {
    init(_ table: TableReader) {
        level = table.value("level", default: .info)
        format = table.value("format", default: .text)
    }
}
