import Domain

/// What people are reading back: the HISTORY of each visit, and the pages after MORE of each account.
///
/// Invariant: a visit reads one HISTORY, the latest it asked for; the pages of an account come one after the other, in the
/// order they were asked for, so that each begins where the one before it ended; and a bounded number of them waits.
struct Readings: Sendable {
    /// The number of a HISTORY, never used again.
    struct ID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// Pages of one account that are asked for and not shown yet.
    static let maxPages = 4

    private var histories: [VisitID: ID] = [:]
    private var lastNumber: UInt64 = 0
    /// How what is being said of a HISTORY is taken back.
    private var interrupts: [ID: @Sendable () -> Void] = [:]
    /// The numbers after MORE; nil for the latest answer.
    private var pages: [AccountID: [Int?]] = [:]

    // MARK: HISTORY

    /// Begins one in place of the one before.
    mutating func begin(by visit: VisitID) -> ID {
        lastNumber += 1
        let id = ID(number: lastNumber)
        histories[visit] = id
        return id
    }

    func isCurrent(_ history: ID, of visit: VisitID) -> Bool { histories[visit] == history }

    mutating func end(_ history: ID, of visit: VisitID) {
        if isCurrent(history, of: visit) { histories[visit] = nil }
    }

    /// Ends whatever is read, and takes back what waits to be said of it; false where nothing is.
    mutating func stop(by visit: VisitID) -> Bool {
        guard let history = histories.removeValue(forKey: visit) else { return false }
        interrupts[history]?()
        return true
    }

    /// Nothing is read any more by a visit that is over.
    mutating func forget(_ visit: VisitID) { histories[visit] = nil }

    mutating func beginSaying(of history: ID, _ interrupt: @escaping @Sendable () -> Void) {
        interrupts[history] = interrupt
    }

    mutating func endSaying(of history: ID) { interrupts[history] = nil }

    // MARK: MORE

    /// Adds a page; true where none of this account is being shown, so that the caller has to begin.
    mutating func add(page number: Int?, of account: AccountID) -> Bool {
        guard let waiting = pages[account] else {
            pages[account] = [number]
            return true
        }
        if waiting.count < Self.maxPages { pages[account]?.append(number) }
        return false
    }

    /// The page to be shown now; nil where there is none any more.
    func page(of account: AccountID) -> Int?? { pages[account]?.first }

    /// It was shown.
    mutating func turnPage(of account: AccountID) {
        pages[account]?.removeFirst()
        if pages[account]?.isEmpty == true { pages[account] = nil }
    }
}
