import CIRCClient
import Glibc
import IRCProtocol
import Network

/// What libircclient made of one line: which of its callbacks fired, and with what.
struct Dispatch: Sendable {
    enum Kind: Sendable, Equatable {
        case connected, joined, parted, quit, kicked, invited, renamed, message
        case numeric(Int)
        case other(String)
    }

    let kind: Kind
    /// `nick!user@host` or a server.
    let origin: String
    let params: [String]
    /// What the relay knew about the line and the library cannot carry.
    var note = LineNote()
}

/// What travels beside a line through the library, which knows neither tags nor batches nor our reading of CTCP.
struct LineNote: Sendable {
    var servicesAccount: String?
    var isAction = false
    /// What was sent is no UTF-8.
    var isGarbled = false
    /// The line is as long as clients let one be.
    var isFull = false
    /// What is to be heard in place of the line's own text: the whole of a message of several lines, or what was read from
    /// another encoding.
    var text: String?
}

/// One libircclient session over a loopback socket: it dispatches the server's lines and writes our commands.
///
/// The library never sees the network: it gets canonical lines only, and what it writes comes back here. One object a
/// connection, for the library keeps half lines of the old one. Its callbacks only note what happened, because it may
/// not be pumped, disconnected or destroyed inside one. Lines are handed over in batches that fit its 1 KiB buffer, which
/// saves most of the system calls; each line fires one callback, so that notes and callbacks pair in order.
@NetworkThread
@safe
final class LibrarySession {
    /// The library hangs on a line beyond 1022 bytes.
    static let maxLineLength = 1000
    /// The library drops further ones.
    static let maxParameters = 10
    /// `FD_SET` beyond 1023 ends the process; the library's socket is the next one after this probe.
    private static let highestDescriptor: Int32 = 1000
    /// Compared by prefix inside the library with every target; no nick or channel begins so.
    private static let unusedNick = "*"

    private let session: OpaquePointer
    private let descriptor: Int32
    private let socket: LoopbackSocket
    private var batch: [UInt8] = []
    /// One for each line of the batch.
    private var notes: [LineNote] = []
    private var dispatches: [Dispatch] = []
    private var answered = 0

    /// Nil where the system has no sockets left for it.
    init?() {
        guard let listener = LoopbackSocket.listening(), let port = listener.port,
            listener.nextDescriptor < Self.highestDescriptor, let session = unsafe Self.makeSession()
        else { return nil }
        guard unsafe irc_connect(session, "127.0.0.1", port, nil, Self.unusedNick, "confab", "confab") == 0,
            case let descriptor = unsafe Self.descriptor(of: session),
            LoopbackSocket.isReady(descriptor, for: POLLOUT), let socket = listener.accept(from: descriptor)
        else {
            unsafe irc_destroy_session(session)
            return nil
        }
        unsafe self.session = unsafe session
        self.descriptor = descriptor
        self.socket = socket
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unsafe irc_set_ctx(session, Unmanaged.passUnretained(self).toOpaque())
        // The library notices that it is connected and introduces itself; the relay does that on the real connection,
        // so this goes nowhere.
        guard unsafe confab_irc_pump(session, descriptor, 0, 1) == 0,
            readLine(where: { $0.hasPrefix("USER ") }) != nil
        else { return nil }
    }

    isolated deinit { unsafe irc_destroy_session(session) }

    /// Puts a line into the batch, its last parameter replaced where `text` is given; false when it does not fit, and
    /// after a flush it does. A line that is too long before its last parameter falls away.
    func feed(_ message: IRCMessage, note: LineNote, text: [UInt8]? = nil) -> Bool {
        let start = batch.count
        let isWritten = message.writeCanonical(
            to: &batch, limit: Self.maxParameters, size: Self.maxLineLength - 2, last: text)
        guard isWritten else { return true }
        if batch.count > Self.maxLineLength, start > 0 {
            batch.removeLast(batch.count - start)
            return false
        }
        notes.append(note)
        return true
    }

    /// Lets the library read the batch and returns what it made of it, in order; nil when the library is out of step.
    func flush() -> [Dispatch]? {
        guard !batch.isEmpty else { return [] }
        guard socket.write(batch) else { return nil }
        batch.removeAll(keepingCapacity: true)
        answered = 0
        // Loopback is not synchronous: the last bytes may come a moment later.
        while answered < notes.count {
            guard LoopbackSocket.isReady(descriptor, for: POLLIN),
                unsafe confab_irc_pump(session, descriptor, 1, 0) == 0
            else { return nil }
        }
        notes.removeAll(keepingCapacity: true)
        defer { dispatches.removeAll(keepingCapacity: true) }
        return dispatches
    }

    /// The line that the library makes of a command, without its end; nil when the library fails.
    func line(for command: Command) -> String? {
        guard queue(command) == 0 else { return nil }
        return readLine(where: { _ in true })
    }

    /// Called by the callbacks, during a pump: keeps what happened for after it.
    fileprivate func note(_ dispatch: Dispatch) {
        var dispatch = dispatch
        // The end of the MOTD fires two: that the session stands, and the numeric itself.
        if dispatch.kind != .connected, answered < notes.count {
            dispatch.note = notes[answered]
            answered += 1
        }
        dispatches.append(dispatch)
    }

    /// Pumps out what the library queued, until a line comes that is the one; lines before it are dropped.
    private func readLine(where isWanted: (String) -> Bool) -> String? {
        var bytes: [UInt8] = []
        while unsafe confab_irc_pump(session, descriptor, 0, 1) == 0, let more = socket.read() {
            bytes += more
            guard bytes.last == 0x0A else { continue }
            let lines = bytes.split(separator: 0x0A).map { String(decoding: $0.dropLast(), as: UTF8.self) }
            if let line = lines.first(where: isWanted) { return line }
        }
        return nil
    }

    private func queue(_ command: Command) -> Int32 {
        switch command {
        case .join(let channel, let key): unsafe irc_cmd_join(session, channel, key)
        case .part(let channel): unsafe irc_cmd_part(session, channel)
        case .notice(let target, let text): unsafe irc_cmd_notice(session, target, text)
        case .nick(let nick): unsafe irc_cmd_nick(session, nick)
        case .quit(let reason): unsafe irc_cmd_quit(session, reason)
        // The library's own call names the nick it was born with.
        case .userMode(let nick, let mode): unsafe confab_irc_send_line(session, "MODE \(nick) \(mode)")
        case .whole(let line): unsafe confab_irc_send_line(session, line)
        }
    }

    private static func descriptor(of session: OpaquePointer) -> Int32 {
        var reads: Int32 = 0
        var writes: Int32 = 0
        return unsafe confab_irc_interest(session, &reads, &writes)
    }
}

extension LibrarySession {
    /// What the bot does of its own accord; fields carry no CR, LF or NUL, the relay sees to that.
    enum Command: Sendable {
        case join(channel: String, key: String?)
        case part(channel: String)
        case notice(target: String, text: String)
        case nick(String)
        case quit(reason: String)
        case userMode(nick: String, mode: String)
        /// A PRIVMSG or NOTICE as the send queue gives it, and commands that the library has no call for.
        case whole(String)
    }
}

// MARK: Callbacks

extension LibrarySession {
    /// No DCC callbacks: without them the library drops such requests and opens no socket. The CTCP ones do nothing, for
    /// otherwise the library would answer by itself.
    fileprivate static func makeSession() -> OpaquePointer? {
        var callbacks = irc_callbacks_t()
        unsafe callbacks.event_connect = { session, _, origin, params, count in
            unsafe report(.connected, session, origin, params, count)
        }
        unsafe callbacks.event_nick = { session, _, origin, params, count in
            unsafe report(.renamed, session, origin, params, count)
        }
        unsafe callbacks.event_quit = { session, _, origin, params, count in
            unsafe report(.quit, session, origin, params, count)
        }
        unsafe callbacks.event_join = { session, _, origin, params, count in
            unsafe report(.joined, session, origin, params, count)
        }
        unsafe callbacks.event_part = { session, _, origin, params, count in
            unsafe report(.parted, session, origin, params, count)
        }
        unsafe callbacks.event_kick = { session, _, origin, params, count in
            unsafe report(.kicked, session, origin, params, count)
        }
        unsafe callbacks.event_invite = { session, _, origin, params, count in
            unsafe report(.invited, session, origin, params, count)
        }
        // Which of the two fires depends on the library's idea of our nick, so both mean the same.
        unsafe callbacks.event_channel = { session, _, origin, params, count in
            unsafe report(.message, session, origin, params, count)
        }
        unsafe callbacks.event_privmsg = unsafe callbacks.event_channel
        unsafe callbacks.event_ctcp_req = { _, _, _, _, _ in }
        unsafe callbacks.event_ctcp_action = { _, _, _, _, _ in }
        unsafe callbacks.event_unknown = { session, event, origin, params, count in
            let command = unsafe event.map { unsafe String(cString: $0) } ?? ""
            unsafe report(.other(command), session, origin, params, count)
        }
        unsafe callbacks.event_numeric = { session, event, origin, params, count in
            unsafe report(.numeric(Int(event)), session, origin, params, count)
        }
        return unsafe irc_create_session(&callbacks)
    }
}

/// Copies what a callback was given, since its pointers are valid only during the call.
private func report(
    _ kind: Dispatch.Kind, _ session: OpaquePointer?, _ origin: UnsafePointer<CChar>?,
    _ params: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ count: UInt32
) {
    var copies: [String] = []
    copies.reserveCapacity(Int(count))
    for index in 0..<Int(count) {
        // Even a parameter that is counted may be missing.
        copies.append(unsafe params?[index].map { unsafe String(cString: $0) } ?? "")
    }
    let origin = unsafe origin.map { unsafe String(cString: $0) } ?? ""
    let dispatch = Dispatch(kind: kind, origin: origin, params: copies)
    guard let context = unsafe irc_get_ctx(session) else { return }
    let library = unsafe Unmanaged<LibrarySession>.fromOpaque(context).takeUnretainedValue()
    NetworkThread.assumeIsolated { library.note(dispatch) }
}
