/// Something to say: lines for one target, split and paced by the link.
public struct Utterance: Sendable, Equatable {
    public enum Form: Sendable { case message, notice }

    /// What goes first where not all can be said at once.
    public enum Urgency: Int, Sendable, CaseIterable {
        /// An answer, or a piece of one.
        case answer
        /// To somebody who is logged in.
        case notice
        /// What somebody reads back, page after page: it never goes before an answer.
        case listing
        /// To somebody who is not logged in: hundreds of them may ask for help at once.
        case stranger
    }

    /// Said on this connection or not at all.
    public var connection: ConnectionID
    public var target: Target
    /// `user@host` of whom it is for, as far as that is known: whoever turns up under the nick from elsewhere does not get
    /// it. Nil in a channel.
    public var recipient: String?
    public var form: Form
    public var urgency: Urgency
    /// Opens the first line on the wire: whom it is for, `alice: `.
    public var address: String
    /// Opens every line on the wire, continuation lines too, behind the address where there is one; `[12] `.
    public var prefix: String
    /// Lines without line ends; the link cuts long ones. Empty ones are not sent.
    public var lines: [String]
    /// Which of them are code, counted from 0: cut, their pieces together are the line, with the spaces at the cut.
    public var code: Set<Int>
    /// The lines carry `FormattingCode`s; each closes what it opens.
    public var isFormatted: Bool
    /// At most so many lines on the wire, the `continuation` not counted; nil for all. Where only one more is left, it is
    /// said in place of the continuation.
    public var maxLines: Int?
    /// Said as the last line when lines were left out; `{n}` stands for how many.
    public var continuation: String

    public init(
        on connection: ConnectionID, to target: Target, at recipient: String? = nil, form: Form,
        urgency: Urgency = .answer, address: String = "", prefix: String = "", lines: [String], code: Set<Int> = [],
        isFormatted: Bool = false, maxLines: Int? = nil,
        continuation: String = ""
    ) {
        self.connection = connection
        self.target = target
        self.recipient = recipient
        self.form = form
        self.urgency = urgency
        self.address = address
        self.prefix = prefix
        self.lines = lines
        self.code = code
        self.isFormatted = isFormatted
        self.maxLines = maxLines
        self.continuation = continuation
    }

    /// How many of so many lines on the wire are said; the continuation is said in place of the others.
    public func countSaid(of count: Int) -> Int {
        guard let maxLines, count > maxLines else { return count }
        return count == maxLines + 1 && !continuation.isEmpty ? count : max(0, maxLines)
    }
}

/// How far an utterance gets within its `maxLines`.
public struct Extent: Sendable, Equatable {
    /// Where the text left out begins.
    public struct Rest: Sendable, Equatable {
        /// The line it begins in, counted from 0.
        public let line: Int
        /// Bytes of that line, formatting codes not counted, that are said before it.
        public let byte: Int

        public init(line: Int, byte: Int) {
            self.line = line
            self.byte = byte
        }
    }

    /// Lines on the wire that are said, the `continuation` not counted.
    public let wireLines: Int
    /// Nil where nothing is left out.
    public let rest: Rest?
    /// So many of them would be written at once, if nothing else were said meanwhile.
    public var atOnce = 0

    public init(wireLines: Int, rest: Rest?) {
        self.wireLines = wireLines
        self.rest = rest
    }
}

/// Leave to write the lines of an utterance, given line by line.
///
/// For what must not be said twice, whenever the process ends: its speaker keeps how far it was said, and does so before
/// a line is written.
public struct Clearance: Sendable {
    /// Lines on the wire that may be written without asking.
    public let atOnce: Int
    /// Called with the number of lines, from the first on, that are written after this; a line that was not cleared waits
    /// until it returns. Where fewer than `atOnce` could go at once it is called with that number.
    public let ask: @Sendable (_ lines: Int) async -> Void

    public init(atOnce: Int, ask: @escaping @Sendable (_ lines: Int) async -> Void) {
        self.atOnce = atOnce
        self.ask = ask
    }
}

/// What became of an utterance.
public enum Delivery: Sendable, Equatable {
    /// Every line was passed on by the network where it tells so, else written to it.
    case sent
    case undelivered(Reason)

    public enum Reason: Sendable, Equatable {
        /// The connection it was for is gone.
        case offline
        /// The person it was for is gone, or `discard` was called.
        case discarded
        /// The send queue is full.
        case overloaded
        /// It waited too long in the queue.
        case expired
        /// The network did not pass it on, and said why.
        case refused(String)
        /// The network tells what it passes on, and did not tell so of this within a minute.
        case unproven
    }
}

/// The port to the chat networks: what happens there, and a paced way to speak.
///
/// Contract: events of one connection come in the order of the wire, and `online` precedes all others of it; the stream
/// has one reader. `speak` returns when the last line is delivered or given up, never later than the link's own expiry.
/// All calls may come from any task.
public protocol ChatLink: Sendable {
    var events: AsyncStream<ChatEvent> { get }

    /// Says an utterance, splitting its lines by what others will receive and taking turns with other targets.
    ///
    /// Starts on its caller's executor, so that the link knows which events the caller had seen: what is meant for a
    /// nick never reaches somebody who took it since. A channel that the server renamed is still meant by the name it had
    /// when the bot entered. Cancelling its task takes back what is not written yet. Without a clearance every line is
    /// written when its time has come.
    nonisolated(nonsending) func speak(_ utterance: Utterance, by clearance: Clearance?) async -> Delivery

    /// How far an utterance would get if it were said now; what is longer than `maxLines` can be stored before it is said.
    func extent(of utterance: Utterance) async -> Extent

    /// Lets clients show for some seconds that something is about to be said there; false where they could not.
    func showTyping(in target: Target, on connection: ConnectionID) async -> Bool

    /// Forgets everything still waiting for this nick: its reader is no longer the one it was meant for.
    func discard(for nick: Nick, on connection: ConnectionID) async

    /// Has the server tell when whoever has this nick leaves, also where they share no channel with the bot.
    ///
    /// False where that is not offered, or the server's list has no room. After true comes one `watched` or `unwatched`,
    /// within seconds; a `watched` nick stays so until its `unwatched`, a call of `unwatch`, or the end of the connection.
    func watch(_ nick: Nick, on connection: ConnectionID) async -> Bool

    /// Forgets a nick that was watched or is to be; no event tells of it.
    func unwatch(_ nick: Nick, on connection: ConnectionID) async

    /// Need not tell for some time what this person says there and does not concern the bot; to be called while their line is
    /// being heard.
    ///
    /// A busy channel costs next to nothing by it. Whatever else is told of the person, a line of theirs included, ends it; so does
    /// what is told of all: another nick of the bot's, a list of members. Lines that are not told change nothing that
    /// the reader knows: they come from the same address and services account.
    func overlook(_ bystander: Bystander, on connection: ConnectionID)
}

extension ChatLink {
    public nonisolated(nonsending) func speak(_ utterance: Utterance) async -> Delivery {
        await speak(utterance, by: nil)
    }
}
