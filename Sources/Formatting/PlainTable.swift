/// A table on its way to lines: columns where they fit a narrow window, else each row in words.
struct PlainTable {
    /// Columns of a terminal that a table with columns may take; an 80-column client shows a time and a nick as well.
    private static let widest = 60

    private let rightAligned: [Bool]
    /// The first one is the head.
    private var rows: [[String]] = []

    init(rightAligned: [Bool]) { self.rightAligned = rightAligned }

    mutating func beginRow() { rows.append([]) }

    mutating func add(_ cell: String) {
        guard !rows.isEmpty else { return }
        rows[rows.count - 1].append(cell)
    }

    var lines: [String] {
        let filled = rows.filter { $0.contains { !$0.isEmpty } }
        let widths = rightAligned.indices.map { column in filled.map { Self.width($0, column) }.max() ?? 0 }
        let total = widths.reduce(0, +) + 3 * max(0, widths.count - 1)
        if total <= Self.widest { return filled.map { aligned($0, widths) } }
        guard let head = rows.first, rows.count > 1 else { return filled.map { $0.joined(separator: " | ") } }
        return rows.dropFirst().map { inWords($0, head) }.filter { !$0.isEmpty }
    }

    private func aligned(_ row: [String], _ widths: [Int]) -> String {
        var cells: [String] = []
        for (column, width) in widths.enumerated() {
            let cell = column < row.count ? row[column] : ""
            let padding = String(repeating: " ", count: width - Self.width(row, column))
            cells.append(rightAligned[column] ? padding + cell : cell + padding)
        }
        return cells.joined(separator: " | ")
    }

    /// `Name: Ada; Born: 1815`
    private func inWords(_ row: [String], _ head: [String]) -> String {
        var pairs: [String] = []
        for (column, cell) in row.enumerated() where !cell.isEmpty {
            let title = column < head.count ? head[column] : ""
            pairs.append(title.isEmpty ? cell : "\(title): \(cell)")
        }
        return pairs.joined(separator: "; ")
    }

    private static func width(_ row: [String], _ column: Int) -> Int {
        column < row.count ? row[column].reduce(0) { $0 + width($1) } : 0
    }

    /// Cells of a terminal: ideographs, kana, Hangul and emoji take two (Unicode Standard Annex 11).
    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x00...0x1F: return 0
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
