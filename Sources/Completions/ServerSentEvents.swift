/// A parser of `text/event-stream` as a pure value: bytes go in as they come, whole events come out.
///
/// As the WHATWG specification has it (<https://html.spec.whatwg.org/multipage/server-sent-events.html>): lines end in CR,
/// LF or CRLF, a byte order mark may come first, lines that begin with a colon are comments, several `data` lines are one
/// text. Two liberties, for servers that exist: an `error:` line is an event named `error`, and an event at the very end
/// counts without the empty line behind it.
struct ServerSentEvents {
    struct Event: Equatable {
        /// Empty when the server gave none.
        var name = ""
        var data = ""
    }

    private var line: [UInt8] = []
    private var endedWithCR = false
    private var isFirstLine = true
    private var pending = Event()
    private var hasData = false

    /// The events that these bytes complete. They may be cut anywhere, within a character too.
    mutating func add(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            defer { endedWithCR = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where endedWithCR: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = endLine() { events.append(event) }
            default: line.append(byte)
            }
        }
        return events
    }

    /// What stood unfinished when the stream ended.
    mutating func finish() -> [Event] {
        let events = line.isEmpty ? [] : [endLine()]
        return (events + [dispatch()]).compactMap { $0 }
    }

    /// A line is decoded as a whole, so that broken UTF-8 costs its own characters and no others.
    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        var bytes = line[...]
        if isFirstLine && bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        isFirstLine = false
        guard !bytes.isEmpty else { return dispatch() }
        let name = bytes.prefix { $0 != UInt8(ascii: ":") }
        var value = bytes.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        take(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        return nil
    }

    private mutating func take(_ field: String, _ value: String) {
        switch field {
        case "data", "error":
            pending.data += (hasData ? "\n" : "") + value
            hasData = true
            if field == "error" { pending.name = "error" }
        case "event": pending.name = value
        default: break
        }
    }

    private mutating func dispatch() -> Event? {
        defer {
            pending = Event()
            hasData = false
        }
        return hasData ? pending : nil
    }
}
