/// Notices that wait to be said, for people to whom some are being said.
///
/// Invariant: one sayer for each person, who says what waits in the order it came, until nothing does; and a bounded number
/// waits.
struct Notices: Sendable {
    /// Whoever sends commands faster than answers can be said goes without.
    static let maxWaiting = 8

    private var waiting: [Addressee: [[String]]] = [:]

    /// Adds a notice; true where nobody is saying any to this person, so that the caller has to begin.
    mutating func add(_ lines: [String], for addressee: Addressee) -> Bool {
        guard let others = waiting[addressee] else {
            waiting[addressee] = [lines]
            return true
        }
        if others.count < Self.maxWaiting { waiting[addressee]?.append(lines) }
        return false
    }

    /// What is to be said next; nil ends the saying.
    mutating func next(for addressee: Addressee) -> [String]? {
        guard waiting[addressee]?.isEmpty == false else {
            waiting[addressee] = nil
            return nil
        }
        return waiting[addressee]?.removeFirst()
    }

    /// What waits is not said; whoever says it goes on with what comes next.
    mutating func discard(for addressee: Addressee) { waiting[addressee]?.removeAll() }
}
