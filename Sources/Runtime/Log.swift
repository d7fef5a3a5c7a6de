import Domain
import Glibc
import Synchronization

/// The log: one line an event, a fixed message and named values beside it.
///
/// Messages are static, so that nothing a stranger typed can become one; values are cleaned of control characters, so
/// that nothing can forge a second line. A `Secret` handed in as a value prints as `(secret)`. Rooms log what they
/// handled themselves; what they throw, the catcher logs.
public struct Log: Sendable {
    public enum Level: String, Sendable, Comparable, CaseIterable {
        case debug, info, warning, error

        public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }

    public enum Format: String, Sendable, CaseIterable { case text, json }

    /// Named values of a line, in the order given.
    public typealias Values = KeyValuePairs<String, any CustomStringConvertible & Sendable>

    private let level: Level
    private let format: Format
    private let wall: @Sendable () -> Timestamp
    private let write: @Sendable (String) -> Void

    /// `write` takes one line without its end and may be called from any thread.
    public init(
        level: Level, format: Format = .text, time: Time = .system, write: @escaping @Sendable (String) -> Void
    ) {
        self.level = level
        self.format = format
        self.wall = time.wall
        self.write = write
    }

    /// A log on standard error, which systemd's journal and terminals both take. Nobody waits for it: see `LogWriter`.
    public static func standardError(level: Level, format: Format, time: Time = .system) -> Log {
        Log(level: level, format: format, time: time, to: STDERR_FILENO)
    }

    /// A log on an open descriptor.
    init(level: Level, format: Format, time: Time = .system, to descriptor: Int32) {
        let form = Log(level: level, format: format, time: time) { _ in }
        let writer = LogWriter(to: descriptor) { lost in
            form.line(.warning, "lines of the log were lost: nobody read them", ["count": lost])
        }
        if descriptor == STDERR_FILENO { Self.writers.withLock { $0.append(writer) } }
        self.init(level: level, format: format, time: time) { writer.write($0) }
    }

    /// Those on standard error.
    private static let writers = Mutex<[LogWriter]>([])

    /// Returns when all that was logged on standard error is written, or after this long; before the process ends.
    public static func flush(within limit: Duration) {
        let deadline = Time.system.now() + limit
        for writer in writers.withLock({ $0 }) { writer.flush(within: deadline - Time.system.now()) }
    }

    public func debug(_ message: StaticString, _ values: Values = [:]) { log(.debug, message, values) }
    public func info(_ message: StaticString, _ values: Values = [:]) { log(.info, message, values) }
    public func warning(_ message: StaticString, _ values: Values = [:]) { log(.warning, message, values) }
    public func error(_ message: StaticString, _ values: Values = [:]) { log(.error, message, values) }

    private func log(_ level: Level, _ message: StaticString, _ values: Values) {
        guard level >= self.level else { return }
        write(line(level, message, values))
    }

    /// No value may end the line, colour the terminal or grow without bound.
    private func line(_ level: Level, _ message: StaticString, _ values: Values) -> String {
        let pairs = values.map { ($0.key, $0.value.description.cleaned(upTo: 2000)) }
        return switch format {
        case .text: text(level, "\(message)", pairs)
        case .json: json(level, "\(message)", pairs)
        }
    }

    private func text(_ level: Level, _ message: String, _ pairs: [(String, String)]) -> String {
        var line = "\(wall().rfc3339) \(level.rawValue) \(message)"
        for (key, value) in pairs {
            let needsQuotes = value.isEmpty || value.utf8.contains { " \"=".utf8.contains($0) }
            line += needsQuotes ? " \(key)=\"\(Self.escape(value, ["\"": "'"]))\"" : " \(key)=\(value)"
        }
        return line
    }

    private func json(_ level: Level, _ message: String, _ pairs: [(String, String)]) -> String {
        var members = [("time", wall().rfc3339), ("level", level.rawValue), ("message", message)]
        members += pairs
        return "{" + members.map { "\(Self.quoted($0)):\(Self.quoted($1))" }.joined(separator: ",") + "}"
    }

    private static func quoted(_ text: String) -> String {
        "\"" + escape(text, ["\\": "\\\\", "\"": "\\\""]) + "\""
    }

    /// By scalars: to a `Character` a quote with a combining mark is no quote, to whoever parses the line it is one.
    private static func escape(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            if let escape = escapes[scalar] { escaped += escape } else { escaped.unicodeScalars.append(scalar) }
        }
    }
}

/// Writes every byte or gives up when the descriptor no longer takes any; short writes and EINTR are settled here.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
    }
}
