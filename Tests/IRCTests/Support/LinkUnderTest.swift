import Domain
import IRC
import IRCProtocol
import IRCTestKit
import Network
import Runtime
import Synchronization
import TestKit

/// A real link with a reader that remembers every event, and the values tests compare with.
final class LinkUnderTest: Sendable {
    static let network = NetworkName("test")

    let link: IRCLink
    let log = MemoryLog()
    private let recorder = Recorder()
    private let clock: ManualTime?
    private let running: Task<Void, Never>
    private let reading: Task<Void, Never>

    init(
        port: Int, channels: [ChannelSettings] = [ChannelSettings(name: "#lobby")], sasl: SASLSettings? = nil,
        nickServ: NickServSettings? = nil,
        isInsecureAllowed: Bool = false, serverPassword: Secret? = nil, pace: Pace = Pace(), alternates: [String] = [],
        tls: TLSOptions? = nil, tlsWhenAsked: TLSOptions? = nil, policies: STSPolicies = STSPolicies(),
        legacyEncoding: LegacyEncoding? = nil, clock: ManualTime? = nil
    ) {
        // The certificates of tests are made out to this name.
        let host = tls == nil && tlsWhenAsked == nil ? "127.0.0.1" : "localhost"
        let endpoint = PipeEndpoint(host: host, port: port, tls: tls, connectTimeout: .seconds(10))
        let settings = NetworkSettings(
            name: Self.network, endpoint: endpoint, tlsWhenAsked: tlsWhenAsked ?? TLSOptions(),
            isInsecureAllowed: isInsecureAllowed, serverPassword: serverPassword, sasl: sasl, nickServ: nickServ,
            pace: pace, channels: channels, legacyEncoding: legacyEncoding)
        let link = IRCLink(
            identity: .ofTests(alternates: alternates), networks: [settings], policies: policies, log: log.log,
            time: clock?.time ?? .system)
        self.link = link
        self.clock = clock
        running = Task { [recorder] in
            await link.run()
            recorder.end()
        }
        reading = Task { [recorder] in for await event in link.events { recorder.append(event) } }
    }

    /// Everything that happened so far, without the connection it happened on.
    var kinds: [ChatEvent.Kind] { recorder.events.map(\.kind) }

    var messages: [Message] {
        kinds.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    var connection: ConnectionID? { recorder.events.last?.connection }

    /// Waits until something has happened for which this holds.
    func sees(_ isMeant: @escaping @Sendable (ChatEvent.Kind) -> Bool) async -> Bool {
        await eventually { self.kinds.contains(where: isMeant) }
    }

    /// Waits until a message with these words was heard.
    func hears(_ words: String) async -> Bool {
        await eventually { self.messages.contains { $0.text == words } }
    }

    /// Says a message in a channel of this network.
    func say(_ lines: [String], in channel: String, prefix: String = "") async -> Delivery {
        await say(lines, to: .channel(ChannelName(channel, .rfc1459)), form: .message, prefix: prefix)
    }

    /// Says something to one person, who is at this address as far as the speaker knows.
    func say(_ lines: [String], to nick: Nick, at address: String? = nil, form: Utterance.Form) async -> Delivery {
        await say(lines, to: .nick(nick), at: address, form: form, prefix: "")
    }

    private func say(
        _ lines: [String], to target: Target, at address: String? = nil, form: Utterance.Form, prefix: String
    ) async -> Delivery {
        guard let connection else { return .undelivered(.offline) }
        return await link.speak(
            Utterance(on: connection, to: target, at: address, form: form, prefix: prefix, lines: lines))
    }

    /// Returns when `run` has.
    func ended() async { await running.value }

    /// Plays a server that the bot leaves for good, and returns its reason.
    func givesUp(on wire: LineConnection) async throws -> String? {
        _ = try await wire.expect("QUIT") { $0.command == "QUIT" }
        wire.close()
        await ended()
        return link.failures[Self.network]
    }

    func quit(closing wire: LineConnection? = nil) async {
        wire?.close()
        await link.quit("test over")
        // A server that does not close is waited for by the clock, which only the test turns.
        _ = await eventually {
            self.clock?.advance(by: .seconds(1))
            return self.recorder.hasEnded
        }
        reading.cancel()
    }
}

private final class Recorder: Sendable {
    private let kept = Mutex<(events: [ChatEvent], hasEnded: Bool)>(([], false))

    var events: [ChatEvent] { kept.withLock { $0.events } }
    var hasEnded: Bool { kept.withLock { $0.hasEnded } }

    func append(_ event: ChatEvent) { kept.withLock { $0.events.append(event) } }
    func end() { kept.withLock { $0.hasEnded = true } }
}
