extension String {
    /// The most similar of these words, or one that this is a part of, if it is near enough to be what was meant.
    func nearest(among words: [String]) -> String? {
        let ranked = words.map { (word: $0, distance: edits(to: $0)) }.min { $0.distance < $1.distance }
        guard let best = ranked, best.distance <= Swift.max(2, best.word.count / 3) else {
            return words.first { $0.split(separator: "_").contains(self[...]) }
        }
        return best.word
    }

    /// How many letters to insert, drop or change to make the other word of this one (Levenshtein).
    private func edits(to other: String) -> Int {
        let target = Array(other)
        var row = Array(0...target.count)
        for (index, letter) in self.enumerated() {
            var next = [index + 1]
            for (column, goal) in target.enumerated() {
                next.append(Swift.min(row[column + 1] + 1, next[column] + 1, row[column] + (letter == goal ? 0 : 1)))
            }
            row = next
        }
        return row[target.count]
    }
}
