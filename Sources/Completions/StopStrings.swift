/// Ends a text before the first stop string, as it comes in pieces.
///
/// Servers that continue a plain text may ignore `stop` and go on to invent the next question. What could be the
/// beginning of a stop string is held back until it is known.
struct StopStrings {
    private let stops: [[UInt8]]
    private var held: [UInt8] = []
    private(set) var isStopped = false

    init(_ stops: [String]) { self.stops = stops.filter { !$0.isEmpty }.map { Array($0.utf8) } }

    /// The text that may be passed on.
    mutating func add(_ text: String) -> String {
        guard !isStopped else { return "" }
        guard !stops.isEmpty else { return text }
        held += Array(text.utf8)
        if let end = stops.compactMap({ held.firstRange(of: $0)?.lowerBound }).min() {
            isStopped = true
            return take(end)
        }
        return take(held.count - maxBeginningLength)
    }

    /// What was held back and turned out to be no stop string.
    mutating func finish() -> String { isStopped ? "" : take(held.count) }

    /// How much of the text's end is the beginning of a stop string.
    private var maxBeginningLength: Int {
        stops.map { stop in
            let longest = min(stop.count - 1, held.count)
            return (0...longest).last { held.suffix($0).elementsEqual(stop.prefix($0)) } ?? 0
        }.max() ?? 0
    }

    /// Never within a character: a stop string begins and ends with whole ones.
    private mutating func take(_ count: Int) -> String {
        defer { held.removeFirst(count) }
        return String(decoding: held.prefix(count), as: UTF8.self)
    }
}
