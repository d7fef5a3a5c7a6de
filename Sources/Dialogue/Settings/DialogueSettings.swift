public import Accounts
public import Domain

/// What the operator decided about the conversation.
public struct DialogueSettings: Sendable {
    public enum Registration: String, Sendable, CaseIterable { case open, closed }

    /// Opens every prompt, unless the channel has its own.
    public var systemPrompt: String
    /// The name the API knows the model by, as it is kept with each answer.
    public var model: String
    /// What the model takes in all: prompt and answer together, in tokens.
    public var contextTokens: Int
    /// The longest answer asked for; its room is kept free in `contextTokens`.
    public var maxTokens: Int
    /// Requests to the API at one time.
    public var maxInFlight: Int
    public var registration: Registration
    /// In characters.
    public var minPasswordLength: Int
    public var isEmailRequired: Bool
    /// The channels of each network in which the bot answers; in others it hears and says nothing.
    public var channels: [NetworkName: [ChannelRules]]
    /// At most so many lines for an answer in private, before one that says where the rest is.
    public var maxDirectLines: Int
    public var accounts = AccountSettings()
    /// The nicks that are the bot's own by configuration; under another one it takes no password. Empty for any.
    public var ownNicks: [String] = []
    /// Networks whose services are believed: people may log in by their services account there.
    public var trustedNetworks: Set<NetworkName> = []
    /// What one account may ask, one channel, and all people together.
    public var accountBudget = BudgetLimits()
    public var channelBudget = BudgetLimits()
    public var overallBudget = BudgetLimits()
    /// Questions of an account that may wait while one is under way.
    public var waitingPerAccount = 3
    /// Questions of a channel at the API at one time, and waiting; nil for as many as come.
    public var inFlightPerChannel: Int?
    public var waitingPerChannel: Int?
    /// Questions of all people that may wait; nil for four for each of `maxInFlight`, and not few.
    public var waitingOverall: Int?
    /// How answers look where neither the channel nor its people say.
    public var format: AnswerFormat
    /// Whose lines carry other people.
    public var relays: [NetworkName: [RelaySettings]] = [:]
    /// The models that people may choose on a network, in private.
    public var models: [NetworkName: [String]] = [:]
    /// So often the same answer is said in a row in one place; nil for always.
    public var maxRepeats: Int? = 2
    /// So many questions of a person in a row may follow the answers before them faster than anyone types; nil for as many
    /// as come.
    public var quickReplies: Int? = 6
    /// Lines that somebody says within so long of each other are one question; zero where each is one by itself.
    public var gather: Duration = .milliseconds(1200)
    /// What a persona may have, in characters; 0 for none at all.
    public var maxPersonaLength = 300
    /// What stands before every line of an answer on a network, where text of models must be marked.
    public var marks: [NetworkName: String]
    /// After so long without a word of the answer its asker is told that it is still being worked on; nil for never.
    public var thinkingAfter: Duration?

    public init(
        systemPrompt: String, model: String, contextTokens: Int = 8192, maxTokens: Int = 1024, maxInFlight: Int = 64,
        registration: Registration = .open, minPasswordLength: Int = 6, isEmailRequired: Bool = true,
        channels: [NetworkName: [ChannelRules]], maxDirectLines: Int = 8,
        format: AnswerFormat = .plain, marks: [NetworkName: String] = [:], thinkingAfter: Duration? = nil
    ) {
        self.systemPrompt = systemPrompt
        self.model = model
        self.contextTokens = contextTokens
        self.maxTokens = maxTokens
        self.maxInFlight = maxInFlight
        self.registration = registration
        self.minPasswordLength = minPasswordLength
        self.isEmailRequired = isEmailRequired
        self.channels = channels
        self.maxDirectLines = maxDirectLines
        self.format = format
        self.marks = marks
        self.thinkingAfter = thinkingAfter
    }

    func rules(for channel: ChannelName, on network: NetworkName, _ mapping: CaseMapping) -> ChannelRules? {
        channels[network]?.first { mapping.fold($0.name) == channel.folded }
    }
}

/// What the operator decided about one channel.
public struct ChannelRules: Sendable {
    /// When an answer is said.
    public enum Streaming: String, Sendable, CaseIterable {
        /// All of it, when it is there.
        case whole
        /// Sentence by sentence, while it comes in.
        case sentences
    }

    /// With its `#`; compared by the casemapping of its network.
    public var name: String
    public var listen: Listen
    /// At most so many lines for an answer, before one that says where the rest is.
    public var maxLines: Int
    /// In place of the bot's own.
    public var systemPrompt: String?
    /// In place of the API's configured model.
    public var model: String?
    /// The models that people may choose there.
    public var models: [String]
    /// Told in private to whoever joins; `{bot}` is the bot's nick.
    public var greeting: String?
    /// Nil where the channel has no view of its own; `plain` is kept to whatever people want.
    public var format: AnswerFormat?
    public var streaming: Streaming
    /// In place of the API's configured ones.
    public var temperature: Double?
    public var maxTokens: Int?

    public init(
        name: String, listen: Listen = .all, maxLines: Int = 8, systemPrompt: String? = nil, model: String? = nil,
        models: [String] = [], format: AnswerFormat? = nil, streaming: Streaming = .whole, temperature: Double? = nil,
        maxTokens: Int? = nil
    ) {
        self.name = name
        self.listen = listen
        self.maxLines = maxLines
        self.systemPrompt = systemPrompt
        self.model = model
        self.models = models
        self.format = format
        self.streaming = streaming
        self.temperature = temperature
        self.maxTokens = maxTokens
    }
}
