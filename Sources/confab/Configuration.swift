import Accounts
import Completions
import Dialogue
import Domain
import IRC
import IRCProtocol
import Network
import Passwords
import Runtime

/// Everything an operator decides, read from one TOML file and found possible.
///
/// `deploy/confab.toml` is its manual; a test holds the two together. A value of this type exists only when the whole
/// file made sense.
struct Configuration: Sendable {
    var bot: Bot
    var networks: [Network]
    var api: API
    var answers: Answers
    var limits: Limits
    var accounts: Accounts
    var mail: MailServer?
    var log: Logging

    struct Bot: Sendable {
        var nick: String
        var alternateNicks: [String]
        var username: String
        var realname: String
        /// Absolute, or as the file's directory makes it.
        var stateDirectory: String
    }

    struct Network: Sendable {
        var name: String
        var host: String
        var port: Int
        var isTLS: Bool
        /// Clear text is allowed off this machine.
        var isInsecure: Bool
        var caFile: String?
        var pins: [String]
        var clientCertificate: String?
        var clientKey: String?
        var serverPassword: Secret?
        var proxy: String?
        var sasl: SASLSettings?
        var nickServ: NickServSettings?
        /// Its services are believed.
        var isTrusted: Bool
        /// Of lines that are no UTF-8.
        var legacyEncoding: LegacyEncoding?
        var pace: Pace
        var listen: Listen
        var mark: String?
        /// The models that people may choose there.
        var models: [String]
        var channels: [Channel]
        var relays: [Relay]
    }

    /// Whose lines carry other people.
    struct Relay: Sendable {
        var nick: String
        var address: String?
        var servicesAccount: String?
        /// Of the bot; nil where nobody asks through it.
        var account: AccountName?
    }

    struct Channel: Sendable {
        var name: String
        var key: Secret?
        var listen: Listen?
        var maxLines: Int
        var systemPrompt: String?
        var model: String?
        /// Nil for those of the network.
        var models: [String]?
        var temperature: Double?
        var maxTokens: Int?
        var format: AnswerFormat?
        var greeting: String?
        var streaming: ChannelRules.Streaming?
    }

    struct API: Sendable {
        var baseURL: String
        var kind: CompletionSettings.Kind
        var model: String
        var key: Secret?
        var systemPrompt: String
        var promptTemplate: String?
        var stop: [String]
        var temperature: Double?
        var maxTokens: Int
        var contextTokens: Int
        var isStreaming: Bool
        var connectTimeout: Duration
        var firstByteTimeout: Duration
        var totalTimeout: Duration
        var maxInFlight: Int
        var caFile: String?
    }

    /// What holds in private, and in channels that do not say otherwise.
    struct Answers: Sendable {
        var maxLines: Int
        var format: AnswerFormat
        var streaming: ChannelRules.Streaming
        /// Nil for never.
        var thinkingAfter: Duration?
        /// Zero for not at all.
        var gather: Duration
        /// Nil for any number.
        var repeats: Int?
        /// In characters.
        var maxPersonaLength: Int
    }

    struct Limits: Sendable {
        var waiting: Int
        /// Nil for any number, as for the others that have no value.
        var quickReplies: Int?
        var inFlightPerChannel: Int?
        var waitingPerChannel: Int?
        var waitingOverall: Int
        var account: BudgetLimits
        var channel: BudgetLimits
        var all: BudgetLimits
    }

    struct Accounts: Sendable {
        var minPasswordLength: Int
        var isEmailRequired: Bool
        var registration: DialogueSettings.Registration
        /// What a hash costs; older hashes are made anew at the next login.
        var strength: PasswordHasher.Strength
        var settings = AccountSettings()
    }

    struct Logging: Sendable {
        var level: Log.Level
        var format: Log.Format
    }
}

extension Configuration {
    /// Where `confab` looks when no `--config` is given, in this order.
    static let defaultFiles = ["confab.toml", "/etc/confab/confab.toml"]

    /// Reads and checks a file; every problem it has is in the error. Without secrets nothing outside of the file is
    /// looked at: they may be there for the bot alone, and whoever works on its database needs none of them.
    static func load(_ file: String, withSecrets: Bool = true) throws(ConfigurationProblems) -> Configuration {
        let secrets = SecretSource(directory: directory(of: file), isReading: withSecrets)
        let text: String
        do {
            let bytes = try SecretSource(directory: ".").contents(of: file, isPrivate: false, limit: 1 << 20)
            text = String(decoding: bytes, as: UTF8.self)
        } catch {
            throw ConfigurationProblems(file, error.words)
        }
        let reading = ConfigurationReading(file: file, secrets: secrets)
        return try read(text, reading)
    }

    /// Reads a document; `reading` then tells which keys are known.
    static func read(_ text: String, _ reading: ConfigurationReading) throws(ConfigurationProblems) -> Configuration {
        let root: TOMLNode
        do {
            root = try TOMLNode.parse(text)
        } catch {
            throw ConfigurationProblems(reading.file, error.description)
        }
        guard case .table(let entries) = root.value else { throw ConfigurationProblems(reading.file, "no TOML.") }
        let table = reading.reader("", entries, line: nil)
        let configuration = Configuration(table, secrets: reading.secrets)
        let problems = reading.problems
        guard problems.isEmpty else { throw ConfigurationProblems(problems: problems) }
        return configuration
    }

    private static func directory(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }
}

extension ConfigurationProblems {
    /// One problem of the file as a whole.
    init(_ file: String, _ words: String) {
        problems = [ConfigurationProblem(file: file, line: nil, key: "", value: nil, words: words)]
    }
}
