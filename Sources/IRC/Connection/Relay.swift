import Domain
import IRCProtocol
import Network
import Runtime

/// One connection to one network, from the first byte to the last.
///
/// Owns the pipe to the server and a libircclient session, and stands between them: it frames, takes tags off, answers
/// PING and CTCP, registers, keeps ISUPPORT and the bot's own mask, and gives the library only canonical lines with what
/// is left. No raw server line reaches the library; what the library writes passes the gate before it goes out.
@NetworkThread
final class Relay {
    enum Event: Sendable {
        /// Registered, and the server has said all it says at the beginning.
        case online(nick: Nick, mapping: CaseMapping)
        /// Something for the readers of the link.
        case chat(ChatEvent.Kind)
        /// The server refused to let the bot in there, or to pass on what it said.
        case refused(target: String, numeric: Int, reason: String)
        /// The server refused to pass on what the bot said there.
        case undeliverable(Target, reason: String)
        /// The server has said over TLS how long TLS is to be kept to.
        case tlsPolicy(Duration)
        /// Kicked, or parted by another's hand.
        case removed(ChannelName, how: String, reason: String)
        case invited(ChannelName, by: Person)
        case channelRenamed(ChannelName, to: ChannelName)
        /// A list of names shows the bot in this channel.
        case isInside(ChannelName)
        /// What is known of who is in the channels may be wrong.
        case membersUnsure
        /// Whoever stands between the bot and the network has lost it and come back: nothing known of anybody holds.
        case beganAnew(String)
    }

    enum Stage: Equatable {
        case connecting, registering
        /// Welcomed, and services are yet to answer.
        case identifying
        case online
        /// QUIT is on its way; ends when the server closes.
        case leaving(Ending)
        case ended
    }

    /// From opening the pipe's connection to being online; servers themselves close after 20 s or more.
    private static let registrationLimit = Duration.seconds(60)
    /// In clear text, for the server to ask for TLS before it hears more than a wish for its capabilities.
    private static let adviceLimit = Duration.seconds(5)
    /// Some servers send no message of the day, not even its end.
    static let welcomeLimit = Duration.seconds(2)
    /// For the server to close after QUIT.
    private static let leaveLimit = Duration.seconds(2)

    /// From the first line that is set aside to the word of it in the log.
    private static let setAsidePause = Duration.seconds(10)

    static let pingToken = "confab"

    let settings: NetworkSettings
    let identity: BotIdentity
    let log: Log
    let time: Time
    let outbox: Outbox
    private let onEvent: @NetworkThread (Event) -> Void
    let deadline: Alarm
    let loginDeadline: Alarm
    var isLoginWatched = false
    let watch: Alarm
    private let advice: Alarm
    /// What is not said before that.
    private var introduction: [Registration.Action] = []
    let regaining: Alarm
    let asking: Alarm
    let watching: Alarm
    private var onEnd: CheckedContinuation<Ending, Never>?
    private(set) var pipe: BytePipe?
    private(set) var library: LibrarySession?
    /// For lines that are no UTF-8.
    let decoder: LegacyDecoder?
    private var framer = LineFramer()
    var watchdog: Watchdog
    private(set) var isPaused = false

    var stage = Stage.connecting
    var registration: Registration
    var support = ISupport()
    /// Known from the welcome on.
    var own: OwnMask?
    var replays = ReplayFilter()
    /// Whose lines need not be told.
    var bystanders = Bystanders()
    /// Lines that were played back, and so not heard.
    private(set) var setAsideLines = 0
    private var untoldSetAside = 0
    private let setAsideNote: Alarm
    var answers = LabeledAnswers()
    var multiline = MultilineMessages()
    /// The server did not take a message of several lines.
    var isMultilineRefused = false
    var names = NamesList()
    /// The channels where formatting codes are not welcome, and the modes that say so.
    var plainText: [ChannelName: Set<Character>] = [:]
    /// The channels that WHO is still to be asked about, and whether one is being asked about.
    var unasked: [ChannelName] = []
    var isAsking = false
    var regain: NickRegain
    var watches = WatchList()
    var ctcp: CTCPReplies
    /// As 004 names it.
    var serverVersion = ""

    init(
        _ settings: NetworkSettings, identity: BotIdentity, log: Log, time: Time,
        onEvent: @escaping @NetworkThread (Event) -> Void
    ) {
        self.settings = settings
        self.identity = identity
        self.log = log
        self.time = time
        self.onEvent = onEvent
        decoder = settings.legacyEncoding.flatMap { LegacyDecoder($0.name) }
        outbox = Outbox(pace: settings.pace, time: time)
        deadline = Alarm(time)
        loginDeadline = Alarm(time)
        watch = Alarm(time)
        advice = Alarm(time)
        regaining = Alarm(time)
        asking = Alarm(time)
        watching = Alarm(time)
        setAsideNote = Alarm(time)
        watchdog = Watchdog(now: time.now())
        registration = settings.registration(of: identity)
        regain = NickRegain(wanted: identity.nick)
        ctcp = CTCPReplies(version: identity.version, source: identity.realname)
    }

    var mapping: CaseMapping { support.caseMapping }

    /// As the server says, but no more than the library can write.
    var lineLength: Int { min(support.lineLength, LibrarySession.maxLineLength) }

    /// Cuts what is to be said to what others will receive.
    var splitter: LineSplitter {
        LineSplitter(nick: own?.nick.spelling ?? "", user: own?.user, host: own?.host, lineLength: lineLength)
    }

    /// Connects and stays until the connection is over; once only.
    func run() async -> Ending {
        library = LibrarySession()
        guard library != nil else { return .lost("the system has no sockets left for libircclient") }
        return await withCheckedContinuation { continuation in
            onEnd = continuation
            outbox.onPortion = { [weak self] portion, label in
                guard let self else { return }
                // A command has its form from the library already.
                portion.utterance == nil ? write(portion.lines[0].text) : say(portion.lines, label)
            }
            deadline.set(after: settings.endpoint.connectTimeout + Self.registrationLimit) { [weak self] in
                self?.end(.lost("the server did not finish the registration in time"))
            }
            pipe = BytePipe(to: settings.endpoint) { [weak self] in self?.receive($0) }
        }
    }

    /// Says goodbye and ends when the server has closed, or soon after.
    func quit(_ reason: String) {
        switch stage {
        case .registering, .identifying, .online:
            send(.quit(reason: OutgoingGate.clean(reason)))
            leave(.lost("quit"))
        case .connecting: end(.lost("quit"))
        case .leaving, .ended: break
        }
    }

    func pause() {
        isPaused = true
        pipe?.pause()
    }

    func resume() {
        isPaused = false
        watchdog.heard(at: time.now())
        pipe?.resume()
    }

    func emit(_ event: Event) { onEvent(event) }

    // MARK: Stages

    private func receive(_ event: PipeEvent) {
        switch event {
        case .opened:
            stage = .registering
            startWatch()
            begin()
        case .received(let bytes):
            let now = time.now()
            watchdog.heard(at: now)
            framer.append(bytes) { line in
                if !(stage == .online && !replays.isReplaying(at: now) && bystanders.leaveOut(line, at: now)) {
                    receive(line)
                }
                return stage != .ended
            }
            flushLibrary()
        case .closed(let failure): end(Self.ending(of: failure, after: stage))
        }
    }

    /// Password, nick and name go out in clear text only after the server had its chance to ask for TLS.
    private func begin() {
        let actions = registration.begin()
        guard !settings.isEncrypted else { return perform(actions) }
        introduction = Array(actions.dropFirst())
        advice.set(after: Self.adviceLimit) { [weak self] in self?.introduce() }
        perform(Array(actions.prefix(1)))
    }

    /// The server does not ask for TLS, or knows nothing of capabilities.
    func introduce() {
        guard !introduction.isEmpty else { return }
        advice.cancel()
        let actions = introduction
        introduction = []
        perform(actions)
    }

    /// Once: at the end of the message of the day, or when services have answered.
    func goOnline() {
        guard stage == .registering || stage == .identifying, let own else { return }
        stage = .online
        deadline.cancel()
        // ngIRCd has the mode without announcing it; others name its letter.
        if let mode = support.botMode ?? (serverVersion.hasPrefix("ngircd") ? "B" : nil) {
            send(.userMode(nick: own.nick.spelling, mode: "+\(mode)"))
        }
        emit(.online(nick: own.nick, mapping: mapping))
        settleNick()
    }

    /// Waits for the server to close, so that the last line arrives: a socket closed with unread input resets, and the
    /// reset may overtake what was sent.
    func leave(_ ending: Ending) {
        guard stage != .ended else { return }
        outbox.stop()
        stage = .leaving(ending)
        deadline.set(after: Self.leaveLimit) { [weak self] in self?.end(ending) }
    }

    /// The server's ERROR, its last line.
    func closed(_ ending: Ending) {
        if case .leaving(let refusal) = stage { stage = .leaving(refusal.explained(by: ending)) }
        end(ending)
    }

    func end(_ ending: Ending) {
        guard stage != .ended else { return }
        var ending = ending
        if case .leaving(let decided) = stage { ending = decided }
        stage = .ended
        for alarm in [deadline, loginDeadline, watch, advice, regaining, asking, watching, setAsideNote] {
            alarm.cancel()
        }
        pipe?.close()
        pipe = nil
        library = nil
        outbox.close()
        onEnd?.resume(returning: ending)
        onEnd = nil
    }

    private static func ending(of failure: PipeFailure?, after stage: Stage) -> Ending {
        guard let failure else { return .lost("the server closed the connection") }
        let reason = "\(failure.kind.rawValue): \(failure.detail)"
        switch failure.kind {
        case .certificate, .pinMismatch: return .final(reason)
        default: return .lost(reason)
        }
    }

    /// Counts a line that is not heard because it was played back. The log tells of many at once.
    func setAside() {
        setAsideLines += 1
        untoldSetAside += 1
        guard untoldSetAside == 1 else { return }
        setAsideNote.set(after: Self.setAsidePause) { [weak self] in
            guard let self else { return }
            log.info("lines that were played back are not heard", ["network": settings.name, "lines": untoldSetAside])
            untoldSetAside = 0
        }
    }
}
