import Accounts
import Domain
import Passwords
import Runtime
import Storage
import Synchronization
import TestKit
import Testing

@testable import Dialogue

/// The bot between a scripted network and a scripted API, with a real store and a clock the test turns.
///
/// Tests read like a channel's log: people come and say things, and the test reads what they see.
final class Scene: Sendable {
    static let network = NetworkName("testnet")

    let link: ScriptedLink
    let api = ScriptedCompletions()
    let clock = ManualTime()
    let memory = MemoryLog()
    let scratch: Scratch
    let store: Store
    let passwords: PasswordHasher
    let bot: Bot
    private let running: Task<Void, Never>
    private let state = Mutex((read: 0, epoch: UInt64(1), mapping: CaseMapping.rfc1459))

    /// The bot is online as `bot` and in `#confab` and `#quiet`, where it listens to all and to what is addressed to it.
    init(
        scratch: Scratch? = nil, mapping: CaseMapping = .rfc1459, strength: PasswordHasher.Strength = .cheapest,
        post: Postbox? = nil,
        _ change: (inout DialogueSettings) -> Void = { _ in }
    ) async throws {
        var settings = DialogueSettings(
            systemPrompt: "Be brief.", model: "test-model",
            channels: [
                Self.network: [
                    ChannelRules(name: "#confab", maxLines: 3), ChannelRules(name: "#quiet", listen: .addressed),
                ]
            ])
        // Most tests mind other things than what is answered, and how soon.
        settings.maxRepeats = nil
        settings.quickReplies = nil
        settings.gather = .zero
        change(&settings)
        link = ScriptedLink(clock: clock)
        self.scratch = try scratch ?? Scratch()
        store = try Store.open(directory: self.scratch.file("state"), log: memory.log)
        passwords = PasswordHasher(strength: strength)
        let desk = AccountDesk(
            store: store, passwords: passwords, settings: settings.accounts, log: memory.log, time: clock.time,
            sendMail: post?.send)
        let bot = Bot(
            link: link, completions: api, store: store, desk: desk, settings: settings, log: memory.log,
            time: clock.time)
        self.bot = bot
        running = Task { await bot.run() }
        state.withLock { $0.mapping = mapping }
        connect()
    }

    // MARK: What happens

    var connection: ConnectionID { ConnectionID(network: Self.network, epoch: state.withLock { $0.epoch }) }

    func nick(_ name: String) -> Nick { Nick(name, state.withLock { $0.mapping }) }

    func channel(_ name: String) -> ChannelName { ChannelName(name, state.withLock { $0.mapping }) }

    func happens(_ kind: ChatEvent.Kind) { link.send(ChatEvent(connection, kind)) }

    func connect() {
        happens(.online(nick: nick("bot"), mapping: state.withLock { $0.mapping }))
        for name in ["#confab", "#quiet"] {
            happens(.entered(channel(name)))
            happens(.members(channel(name), [Member(nick("bot"))]))
        }
    }

    func reconnect() {
        happens(.offline(reason: "ping timeout"))
        state.withLock { $0.epoch += 1 }
        connect()
    }

    func remap(_ mapping: CaseMapping) {
        state.withLock { $0.mapping = mapping }
        happens(.casemapping(mapping))
    }

    func person(_ name: String, at address: String? = nil, services: String? = nil) -> Person {
        let parts = (address ?? "\(name)@\(name).example").split(separator: "@").map(String.init)
        return Person(nick: nick(name), user: parts[0], host: parts[1], servicesAccount: services)
    }

    /// Someone new, in a channel with the bot.
    func arrives(_ name: String, at address: String? = nil, services: String? = nil, in channels: String...) -> Person {
        let person = person(name, at: address, services: services)
        for channel in channels.isEmpty ? ["#confab"] : channels { happens(.joined(person, self.channel(channel))) }
        return person
    }

    func says(_ person: Person, _ text: String, in channel: String? = nil) {
        let place = channel.map { Place.channel(self.channel($0)) } ?? .direct
        happens(.message(Message(sender: person, place: place, text: text)))
    }

    /// Says something whose answer is then on its way, until the test lets it go.
    func holdsAnswer(
        to person: Person, _ text: String, in channel: String? = nil, _ location: SourceLocation = #_sourceLocation
    ) async {
        link.hold()
        says(person, text, in: channel)
        let isHeld = await eventually { self.link.waitingCount == 1 }
        #expect(isHeld, "nothing is being said", sourceLocation: location)
    }

    /// Registers and is logged in.
    func registers(_ person: Person, _ password: String = "correct-horse") async throws {
        says(person, "REGISTER \(password) \(person.nick)@example.org")
        try await sees("-\(person.nick)- Registered: your account is \(person.nick), and you are logged in.")
    }

    func logsIn(_ person: Person, _ account: String? = nil, _ password: String = "correct-horse") async throws {
        says(person, "LOGIN \(account.map { "\($0) " } ?? "")\(password)")
        try await sees("-\(person.nick)- You are logged in as ")
    }

    // MARK: What is seen

    /// The next line said that begins like this, whatever came before it; what came is passed over for good.
    @discardableResult
    func sees(
        _ beginning: String, within limit: Duration = .seconds(20), _ location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let start = state.withLock { $0.read }
        let isSeen = await eventually(within: limit) { self.index(of: beginning, from: start) != nil }
        guard isSeen, let index = index(of: beginning, from: start) else {
            let unread = link.transcript.dropFirst(start).joined(separator: "\n")
            Issue.record("not said: \(beginning)\nunread:\n\(unread)", sourceLocation: location)
            throw NotSaid()
        }
        state.withLock { $0.read = index + 1 }
        return link.transcript[index]
    }

    /// Everything said so far that nobody looked at, once all that happened has been decided upon.
    func unread() async throws -> [String] {
        let start = state.withLock { $0.read }
        try await settle()
        return link.transcript.dropFirst(start).filter { !$0.hasPrefix("-fence-") }
    }

    /// Returns when everything before has been heard, and every question before it has reached the API: someone who logs
    /// in nowhere else asks something and gets the answer.
    func settle() async throws {
        let fence = person("fence")
        happens(.joined(fence, channel("#quiet")))
        let known = try await store.credentials(for: "fence") != nil
        if known {
            says(fence, "LOGIN fence-password")
        } else {
            says(fence, "REGISTER fence-password fence@example.net")
        }
        says(fence, "WHOAMI")
        try await sees("-fence- You are logged in as fence since")
        happens(.quit(fence.nick))
    }

    private func index(of beginning: String, from start: Int) -> Int? {
        link.transcript.dropFirst(start).firstIndex { $0.hasPrefix(beginning) }
    }

    /// Prompts of people, in the order they came.
    var questions: [String] { api.prompts.map(\.question) }

    struct NotSaid: Error {}

    /// Ends the bot and the store, as the program does.
    func ends() async {
        link.end()
        await running.value
        await store.close()
    }

    deinit {
        link.end()
        running.cancel()
    }
}

extension PasswordHasher.Strength {
    /// The least that Argon2id takes: tests hash often and guard nothing.
    static let cheapest = PasswordHasher.Strength(memory: 8192, passes: 1)
}
