import Completions
import Domain
import IRC
import IRCProtocol
import Runtime

/// `confab check`: what a start with this configuration would come to.
enum Check {
    static func run(file: String?, isConnecting: Bool) async -> ExitStatus {
        guard let (found, configuration) = Configuration.loadOrComplain(named: file) else { return .configuration }
        say("\(found): in order, \(configuration.summary)")
        guard isConnecting else { return .success }
        let log = Log.standardError(level: .error, format: configuration.log.format)
        var isAllRight = true
        let policies = STSPolicies(directory: configuration.bot.stateDirectory, log: log)
        for network in configuration.networkSettings {
            let isRight = await check(network, configuration.identity, policies, log)
            isAllRight = isAllRight && isRight
        }
        let isRight = await checkAPI(configuration, log)
        return isAllRight && isRight ? .success : .unavailable
    }

    private static func check(
        _ network: NetworkSettings, _ identity: BotIdentity, _ policies: STSPolicies, _ log: Log
    ) async -> Bool {
        do {
            let findings = try await LinkCheck.check(network, identity: identity, policies: policies, log: log)
            for finding in findings {
                say("\(network.name): \(finding)".cleaned)
            }
            return true
        } catch {
            say("\(network.name): does not work: \(error)".cleaned)
            return false
        }
    }

    /// One question that takes one word to answer.
    private static func checkAPI(_ configuration: Configuration, _ log: Log) async -> Bool {
        let prompt = Prompt(system: configuration.api.systemPrompt, history: [], question: "Say yes, nothing else.")
        let client = CompletionClient(settings: configuration.completionSettings, log: log)
        let began = Time.system.now()
        let end = await client.prepare(prompt).answer(hear: nil)
        let took = (Time.system.now() - began).wholeMilliseconds
        switch end {
        case .finished(let completion):
            let answer = completion.text.split(whereSeparator: \.isNewline).first.map { $0.prefix(60) } ?? ""
            say("api: \(configuration.api.model) answers in \(took) ms: \(answer.spellingOnOneLine)".cleaned)
            return true
        case .failed(let failure):
            say("api: does not work: \(failure.kind.cure) (\(failure.detail))".cleaned)
            return false
        case .stopped:
            return false
        }
    }
}

extension Substring {
    /// In quotes, control characters shown as such: what a stranger's server sends goes to the operator's terminal.
    fileprivate var spellingOnOneLine: String { String(self).spelling }
}

extension CompletionFailure.Kind {
    /// What is wrong, and where the operator looks.
    fileprivate var cure: String {
        switch self {
        case .unreachable: "no connection. Is the API running, and base_url right?"
        case .timedOut: "no answer in time. Is it still loading the model? Else raise the timeouts."
        case .rateLimited: "it answers, and takes no more questions for now. Try again in a minute."
        case .quotaExhausted: "the account at the API is out of credit."
        case .unauthorized: "it refuses the key. Look at key_file."
        case .notFound: "it knows no such path or model. Look at base_url, which usually ends in /v1, and model."
        case .tooLong: "the system prompt alone is too long for the model. Shorten it."
        case .filtered: "its filter refuses the question or the answer. Look at system_prompt."
        case .unavailable: "it is there and not ready. Try again in a minute."
        case .rejected: "it refuses the request. Look at max_tokens, temperature and stop."
        case .malformed: "what answers there is no completions API. Look at base_url, which usually ends in /v1."
        case .interrupted: "the answer broke off."
        case .empty: "the answer is empty. If the model reasons before it answers, raise max_tokens."
        case .oversized: "the answer is far longer than was asked for."
        case .cancelled: "the question was given up."
        }
    }
}

extension Configuration {
    /// `2 networks, 3 channels, model gpt-4o-mini at https://api.openai.com/v1`.
    fileprivate var summary: String {
        let channels = networks.map(\.channels.count).reduce(0, +)
        return "\(Self.count(networks.count, "network")), \(Self.count(channels, "channel")), "
            + "model \(api.model) at \(api.baseURL)"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
