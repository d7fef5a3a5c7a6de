/// The head of a response, put together from the lines curl hands out one by one.
///
/// Interim responses (1xx) come before the real one and are forgotten; trailers come after it and are ignored.
struct HTTPHead {
    private(set) var status = 0
    private(set) var headers: [String: String] = [:]
    private(set) var isComplete = false
    private var size = 0
    private var isTold = false

    /// Returns how large the head is by now, in bytes.
    mutating func add(_ line: [UInt8]) -> Int {
        size += line.count
        guard !isComplete else { return size }
        let text = String(decoding: line, as: UTF8.self).prefix { $0 != "\r\n" && $0 != "\n" && $0 != "\r" }
        if text.hasPrefix("HTTP/") {
            let parts = text.split(separator: " ", maxSplits: 2)
            status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            headers = [:]
        } else if text.isEmpty {
            isComplete = status >= 200
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let name = text[..<colon].lowercased()
            headers[name] = headers[name].map { "\($0), \(value)" } ?? String(value)
        }
        return size
    }

    /// True once, when the last line was the end of it.
    mutating func becameComplete() -> Bool {
        defer { isTold = isComplete }
        return isComplete && !isTold
    }
}
