import Completions
import Dialogue
import Domain
import IRC
import IRCProtocol
import Network
import Runtime

// The configuration in the words of the rooms.

extension Configuration {
    var identity: BotIdentity {
        BotIdentity(
            nick: bot.nick, alternateNicks: bot.alternateNicks, username: bot.username, realname: bot.realname,
            version: "Confab \(confabVersion)")
    }

    var networkSettings: [NetworkSettings] { networks.map(\.settings) }

    var completionSettings: CompletionSettings {
        CompletionSettings(
            baseURL: api.baseURL, kind: api.kind, model: api.model, key: api.key, promptTemplate: api.promptTemplate,
            stop: api.stop, temperature: api.temperature, maxTokens: api.maxTokens, stream: api.isStreaming,
            connectTimeout: api.connectTimeout, firstByteTimeout: api.firstByteTimeout, totalTimeout: api.totalTimeout,
            contextTokens: api.contextTokens, caFile: api.caFile)
    }

    /// Nil where no mail is to be sent.
    var sendMail: SendMail? {
        guard let mail else { return nil }
        return { (letter: Letter) async throws(MailFailure) -> Void in
            try await SMTP.send(letter, through: mail, at: Time.system.wall())
        }
    }

    var dialogueSettings: DialogueSettings {
        let rules = networks.map { network in
            (NetworkName(network.name), network.channels.map { $0.rules(on: network, answers) })
        }
        let marks = networks.reduce(into: [:]) { $0[NetworkName($1.name)] = $1.mark }
        var settings = DialogueSettings(
            systemPrompt: api.systemPrompt, model: api.model, contextTokens: api.contextTokens,
            maxTokens: api.maxTokens, maxInFlight: api.maxInFlight, registration: accounts.registration,
            minPasswordLength: accounts.minPasswordLength, isEmailRequired: accounts.isEmailRequired,
            channels: Dictionary(uniqueKeysWithValues: rules), maxDirectLines: answers.maxLines,
            format: answers.format,
            marks: marks, thinkingAfter: answers.thinkingAfter)
        settings.accounts = accounts.settings
        settings.ownNicks = [bot.nick] + bot.alternateNicks
        settings.trustedNetworks = Set(networks.filter(\.isTrusted).map { NetworkName($0.name) })
        settings.relays = networks.reduce(into: [:]) { $0[NetworkName($1.name)] = $1.relays.map(\.settings) }
        settings.accountBudget = limits.account
        settings.channelBudget = limits.channel
        settings.overallBudget = limits.all
        settings.waitingPerAccount = limits.waiting
        settings.inFlightPerChannel = limits.inFlightPerChannel
        settings.waitingPerChannel = limits.waitingPerChannel
        settings.waitingOverall = limits.waitingOverall
        settings.models = networks.reduce(into: [:]) { $0[NetworkName($1.name)] = $1.models }
        settings.quickReplies = limits.quickReplies
        settings.gather = answers.gather
        settings.maxRepeats = answers.repeats
        settings.maxPersonaLength = answers.maxPersonaLength
        return settings
    }
}

extension Configuration.Network {
    /// For everything from the look-up to the end of the handshake; slower networks are not worth waiting for.
    private static let connectTimeout: Duration = .seconds(20)

    fileprivate var settings: NetworkSettings {
        let tls = TLSOptions(
            caFile: caFile, pins: pins.compactMap { CertificatePin($0) }, clientCertificate: clientCertificate,
            clientKey: clientKey)
        return NetworkSettings(
            name: NetworkName(name),
            endpoint: PipeEndpoint(
                host: host, port: port, tls: isTLS ? tls : nil, proxy: proxy, proxyIsolation: name,
                connectTimeout: Self.connectTimeout),
            tlsWhenAsked: tls, isInsecureAllowed: isInsecure, serverPassword: serverPassword, sasl: sasl,
            nickServ: nickServ, pace: pace,
            channels: channels.map { ChannelSettings(name: $0.name, key: $0.key) }, legacyEncoding: legacyEncoding)
    }
}

extension Configuration.Relay {
    fileprivate var settings: RelaySettings {
        RelaySettings(nick: nick, address: address, servicesAccount: servicesAccount, account: account)
    }
}

extension Configuration.Channel {
    fileprivate func rules(on network: Configuration.Network, _ answers: Configuration.Answers) -> ChannelRules {
        var rules = ChannelRules(
            name: name, listen: listen ?? network.listen, maxLines: maxLines, systemPrompt: systemPrompt, model: model,
            models: models ?? network.models, format: format, streaming: streaming ?? answers.streaming,
            temperature: temperature, maxTokens: maxTokens)
        rules.greeting = greeting
        return rules
    }
}
