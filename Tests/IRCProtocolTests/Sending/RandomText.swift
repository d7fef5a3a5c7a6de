import TestKit

/// Text of all the kinds that have broken splitters: of one script, of many, of marks, of controls, of nothing but spaces.
enum RandomText {
    private static let pieces: [[String]] = [
        ["a", "b", "c", "word", "longer-word", "x", "e.g.", "42"],
        [" ", " ", "  ", "      "],
        ["漢", "字", "中文", "かな", "한국", "\u{1100}", "\u{1161}\u{11A8}"],
        ["é", "e\u{301}", "ß", "ñ", "Ж", "я", "λ", "क्ष", "त्रि", "ไทย"],
        ["🙂", "👍🏽", "👩‍👩‍👧‍👦", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩\u{200D}"],
        ["🇩🇪", "🇫🇷", "🇩"],
        ["שלום", "مرحبا", "\u{200F}", "\u{202E}", "\u{2066}", "\u{0600}"],
        ["\u{315}", "\u{301}\u{302}\u{303}", "\u{20DD}", "\u{200D}", "\u{FE0F}", "\u{200B}"],
        ["\u{1}", "\0", "\r", "\n", "\r\n", "\t", "\u{1B}[0m", "\u{85}", "\u{2028}", "\u{7F}", "\u{9B}"],
        ["**", "`", "#", "[a](b)", "<", "\\", "|", "{n}", ":"],
    ]

    /// At most `length` pieces, of a few kinds chosen for this text.
    static func make(upTo length: Int, using random: inout SeededGenerator) -> String {
        let kinds = pieces.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
        var text = ""
        for _ in 0..<Int.random(in: 0...length, using: &random) {
            let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
            text += kind[Int.random(in: 0..<kind.count, using: &random)]
        }
        return text
    }
}
