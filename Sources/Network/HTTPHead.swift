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
        let text = line.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        if text.starts(with: "HTTP/".utf8) {
            let parts = text.split(separator: UInt8(ascii: " "), maxSplits: 2)
            status = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
            headers = [:]
        } else if text.isEmpty {
            isComplete = status >= 200
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: text[..<colon], as: UTF8.self).lowercased()
            let rest = text[(colon + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let value = String(decoding: rest, as: UTF8.self)
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
        }
        return size
    }

    /// True once, when the last line was the end of it.
    mutating func becameComplete() -> Bool {
        defer { isTold = isComplete }
        return isComplete && !isTold
    }
}
