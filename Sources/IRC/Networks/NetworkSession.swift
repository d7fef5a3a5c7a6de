import Domain
import IRCProtocol
import Network
import Runtime

/// One network for as long as the bot runs: connects, joins, reconnects, and ends only for good reason.
@NetworkThread
final class NetworkSession {
    /// Being online this long means the connection holds, and the next loss begins with a short wait again.
    private static let stableAfter = Duration.seconds(120)

    /// Between connects. Servers take at most 4 of one client in 60 s (Solanum's default), and the least that these waits
    /// come to is well within that.
    nonisolated static let waits = Backoff(
        first: .seconds(4), second: .seconds(30), longest: .seconds(600), jitter: 0.3)

    /// How often what a server asked about TLS is renewed while it is connected: in half the time that it asked for.
    private static let renewals: ClosedRange<Duration> = .seconds(60)...(.seconds(86_400))

    let settings: NetworkSettings
    private let identity: BotIdentity
    let log: Log
    let time: Time
    private let buffer: EventBuffer
    private var route: Route
    var plan: ChannelPlan
    let retries: Alarm
    private let renewal: Alarm
    let recount: Alarm
    /// Channels to leave, of those that the bot is not meant for.
    var unwanted: [String] = []
    static let maxUnwanted = 50
    static let leavingPause = Duration.seconds(1)
    let leaving: Alarm
    var isRecounting = false
    private var beganAnewAt: Duration?
    private var backoff = NetworkSession.waits
    private(set) var relay: Relay?
    private(set) var connection: ConnectionID?
    private(set) var departures = Departures()
    /// Nicks of people whose leaving the server tells.
    private var watched: Set<Nick> = []
    private var wasEverOnline = false
    private var onlineSince: Duration?
    private var quitReason: String?
    private var isWaking = false
    private var pauseBetween: Task<Void, any Error>?
    private var retryAt: Duration?
    private var hasStopped = false
    /// When it came to connect, to be online, to wait or to stop.
    private var changedAt: Timestamp
    private var lastFailure: NetworkStatus.Failure?

    nonisolated init(
        _ settings: NetworkSettings, identity: BotIdentity, policies: STSPolicies, log: Log, time: Time,
        buffer: EventBuffer
    ) {
        self.settings = settings
        self.identity = identity
        self.log = log
        self.time = time
        self.buffer = buffer
        route = Route(settings, policies)
        plan = ChannelPlan(settings.channels)
        retries = Alarm(time)
        renewal = Alarm(time)
        recount = Alarm(time)
        leaving = Alarm(time)
        changedAt = time.wall()
    }

    /// Returns the reason when the network is given up for good, nil after `quit`.
    func run() async -> String? {
        while quitReason == nil {
            let ending = await connectOnce()
            if quitReason != nil { return nil }
            if case .upgrade(let port) = ending.next {
                log.info("goes over to TLS, as the server asks", ["network": settings.name, "port": port])
                route.ask(for: port)
                continue
            }
            changedAt = time.wall()
            lastFailure = NetworkStatus.Failure(ending.reason, at: changedAt)
            let wait: Duration
            switch ending.next {
            case .retry(let after): wait = max(after, backoff.next())
            case .stop(let after?) where wasEverOnline: wait = max(after, backoff.next())
            case .stop, .upgrade:
                hasStopped = true
                log.error("gives the network up", ["network": settings.name, "reason": ending.reason])
                return ending.reason
            }
            log.warning(
                "connection ended",
                ["network": settings.name, "reason": ending.reason, "retry_s": wait.components.seconds])
            let pause = Task { [time] in try await time.sleep(wait) }
            pauseBetween = pause
            retryAt = time.now() + wait
            _ = await pause.result
            pauseBetween = nil
            retryAt = nil
            changedAt = time.wall()
        }
        return nil
    }

    func quit(_ reason: String) {
        quitReason = reason
        pauseBetween?.cancel()
        relay?.quit(reason)
    }

    var status: NetworkStatus {
        let online = onlineSince == nil ? nil : relay
        return NetworkStatus(
            name: settings.name, state: state, since: changedAt, nick: online?.own?.nick.spelling,
            account: online?.registration.account, channels: online == nil ? [] : plan.entered, lag: online?.lag,
            queuedLines: online?.outbox.lineCount ?? 0, setAsideLines: online?.setAsideLines ?? 0,
            lastFailure: lastFailure)
    }

    private var state: NetworkStatus.State {
        if hasStopped { return .stopped }
        if let retryAt { return .waiting(max(.zero, retryAt - time.now())) }
        return onlineSince == nil ? .connecting : .online
    }

    // MARK: One connection

    private func connectOnce() async -> Ending {
        let target = route.begin(at: time.wall(), now: time.now())
        log.info("connecting", ["network": settings.name, "host": target.endpoint.host, "port": target.endpoint.port])
        let relay = Relay(target, identity: identity, log: log, time: time) { [weak self] in self?.take($0) }
        self.relay = relay
        changeConnection()
        let ending = await relay.run()
        if let onlineSince {
            if time.now() - onlineSince >= Self.stableAfter { backoff.reset() }
            tell(.offline(reason: ending.reason))
        }
        onlineSince = nil
        retries.cancel()
        recount.cancel()
        isRecounting = false
        leaving.cancel()
        unwanted = []
        self.relay = nil
        connection = nil
        renewal.cancel()
        route.renew(at: time.wall(), now: time.now())
        await route.save()
        return ending
    }

    private func changeConnection() {
        connection = ConnectionID(network: settings.name, epoch: Self.nextEpoch())
        departures = Departures()
        watched = []
        plan.reset()
    }

    /// Between two of these: each costs some lines.
    private static let restartPause = Duration.seconds(10)

    /// To the readers it is another connection: every visit ends, every login with it, and nothing that waits is said.
    /// The bot is `inside` the channel whose JOIN showed it.
    func beginAnew(_ sign: String, inside channel: ChannelName? = nil) {
        guard let relay, let nick = relay.own?.nick else { return }
        log.warning("the network begins anew", ["network": settings.name, "sign": sign])
        let former = plan.entered.filter { ChannelName($0, relay.mapping) != channel }
        tell(.offline(reason: sign))
        changeConnection()
        relay.beginAnew()
        if let channel { plan.entered(channel, relay.mapping) }
        tell(.online(nick: nick, mapping: relay.mapping))
        let now = time.now()
        if let last = beganAnewAt, now - last < Self.restartPause {
            return retries.set(after: Self.restartPause) { [weak self] in self?.joinDue() }
        }
        beganAnewAt = now
        joinDue()
        // No server answers a JOIN where the bot is already; a list of names shows it there.
        for channel in former { relay.send(.whole("NAMES \(channel)")) }
    }

    private func take(_ event: Relay.Event) {
        switch event {
        case .online(let nick, let mapping):
            wasEverOnline = true
            route.reached()
            onlineSince = time.now()
            changedAt = time.wall()
            log.info("online", ["network": settings.name, "nick": nick])
            tell(.online(nick: nick, mapping: mapping))
            joinDue()
        case .chat(let kind): follow(kind)
        case .tlsPolicy(let duration):
            route.keep(duration, at: time.wall(), now: time.now())
            renewPolicy(every: min(max(duration / 2, Self.renewals.lowerBound), Self.renewals.upperBound))
        case .removed(let channel, let how, let reason): removed(from: channel, how, reason)
        case .invited(let channel, let person): invited(to: channel, by: person)
        case .channelRenamed(let old, let new): renamed(old, to: new)
        case .isInside(let channel):
            if let relay, plan.contains(channel, relay.mapping), !plan.isInside(channel, relay.mapping) {
                follow(.entered(channel))
            }
        case .membersUnsure: countAgain()
        case .beganAnew(let sign): beginAnew(sign)
        case .refused(let target, let numeric, let reason): refused(target, numeric, reason)
        case .undeliverable(let target, let reason): undeliverable(target, reason)
        }
    }

    /// Again and again while the connection stands: a bot that is killed, or loses its power, after being online for longer
    /// than the policy lasts must find it when it starts again.
    private func renewPolicy(every period: Duration) {
        renewal.set(after: period) { [weak self] in
            guard let self else { return }
            renewPolicy(every: period)
            route.renew(at: time.wall(), now: time.now())
            Task { await self.route.save() }
        }
    }

    func tell(_ kind: ChatEvent.Kind) {
        guard let connection else { return }
        let (number, isFull) = buffer.append(ChatEvent(connection, kind))
        if isFull { hold() }
        wakeReader()
        settle(kind, number: number)
    }

    /// When the lines at hand are through: this job comes behind what the thread is doing now.
    private func wakeReader() {
        guard !isWaking else { return }
        isWaking = true
        Task {
            isWaking = false
            buffer.wake()
        }
    }

    /// The reader is behind: the server's lines wait in the network until it has caught up.
    private func hold() {
        guard let relay, !relay.isPaused else { return }
        relay.pause()
        Task {
            await buffer.room()
            relay.resume()
        }
    }

    private static var epochs: UInt64 = 0

    private static func nextEpoch() -> UInt64 {
        epochs += 1
        return epochs
    }

    /// What waits for a nick must not reach whoever has it next.
    private func settle(_ kind: ChatEvent.Kind, number: UInt64) {
        relay?.bystanders.take(kind, number: number, handled: buffer.handled)
        switch kind {
        case .quit(let nick):
            relay?.outbox.discard(for: .nick(nick))
            departures.left(nick, number: number, handled: buffer.handled)
        case .joined(let person, _):
            relay?.outbox.discard(for: .nick(person.nick), unlessAt: person.address)
            departures.arrived(person.nick, from: person.address, number: number, handled: buffer.handled)
        case .watched(let nick, _): watched.insert(nick)
        case .unwatched(let nick)
        where watched.remove(nick) != nil && departures.recipient(nick, heard: buffer.handled) == nick:
            // Where QUIT or NICK told more of it before, that holds. Whoever the server only would not watch is there still.
            relay?.outbox.discard(for: .nick(nick))
            departures.left(nick, number: number, handled: buffer.handled)
        case .renamed(let person, let next) where person.nick != next:
            relay?.outbox.discard(for: .nick(next))
            relay?.outbox.retarget(from: person.nick, to: next)
            departures.left(next, number: number, handled: buffer.handled)
            departures.left(person.nick, for: next, number: number, handled: buffer.handled)
        case .casemapping(let mapping):
            relay?.outbox.remap(mapping)
            departures.remap(mapping)
            watched = Set(watched.map { Nick($0.spelling, mapping) })
        default: break
        }
    }
}
