public import Domain
public import IRCProtocol
import Network
public import Runtime
import Synchronization

/// The link to all configured networks: what happens there as one stream, and a paced way to speak.
public final class IRCLink: ChatLink {
    private let sessions: [NetworkSession]
    private let buffer = EventBuffer()
    private let ended = Mutex<[NetworkName: String]>([:])

    /// For the link's one reader; ends when `run` has returned and everything was read.
    public let events: AsyncStream<ChatEvent>

    public init(
        identity: BotIdentity, networks: [NetworkSettings], policies: STSPolicies = STSPolicies(), log: Log, time: Time
    ) {
        let buffer = buffer
        sessions = networks.map {
            NetworkSession($0, identity: identity, policies: policies, log: log, time: time, buffer: buffer)
        }
        events = AsyncStream(unfolding: { await buffer.next() }, onCancel: { buffer.finish() })
    }

    /// Why networks were given up for good, while the others go on.
    public var failures: [NetworkName: String] { ended.withLock { $0 } }

    /// How each network stands, in the order of the configuration.
    public func status() async -> [NetworkStatus] {
        var all: [NetworkStatus] = []
        for session in sessions { await all.append(session.status) }
        return all
    }

    /// Connects every network and reconnects for ever; returns after `quit`, or when every network has ended for good.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            for session in sessions {
                group.addTask {
                    guard let reason = await session.run() else { return }
                    self.ended.withLock { $0[session.settings.name] = reason }
                }
            }
        }
        buffer.finish()
    }

    /// Says goodbye on every network; `run` returns when the servers have closed, or two seconds later.
    public func quit(_ reason: String) async {
        for session in sessions { await session.quit(reason) }
    }

    public nonisolated(nonsending) func speak(_ utterance: Utterance, by clearance: Clearance?) async -> Delivery {
        // Read before anything else runs: this is what the speaker knew.
        let heard = buffer.handled
        guard let session = session(of: utterance.connection) else { return .undelivered(.offline) }
        return await session.speak(utterance, by: clearance, heard: heard)
    }

    public func extent(of utterance: Utterance) async -> Extent {
        let extent = await session(of: utterance.connection)?.extent(of: utterance)
        return extent ?? LineSplitter(nick: "").extent(of: utterance)
    }

    public func showTyping(in target: Target, on connection: ConnectionID) async -> Bool {
        await session(of: connection)?.showTyping(in: target, on: connection) ?? false
    }

    public func discard(for nick: Nick, on connection: ConnectionID) async {
        await session(of: connection)?.discard(for: nick, on: connection)
    }

    public func watch(_ nick: Nick, on connection: ConnectionID) async -> Bool {
        await session(of: connection)?.watch(nick, on: connection) ?? false
    }

    public func unwatch(_ nick: Nick, on connection: ConnectionID) async {
        await session(of: connection)?.unwatch(nick, on: connection)
    }

    public func overlook(_ bystander: Bystander, on connection: ConnectionID) {
        guard let session = session(of: connection) else { return }
        // Read before anything else runs: so much its speaker knows of the person.
        let heard = buffer.handedOut
        Task { @NetworkThread in session.overlook(bystander, on: connection, heard: heard) }
    }

    private func session(of connection: ConnectionID) -> NetworkSession? {
        sessions.first { $0.settings.name == connection.network }
    }
}
