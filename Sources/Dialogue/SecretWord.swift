/// The words by which a line is taken for one with a password, in capitals.
enum SecretWord {
    /// How many words may follow: the command's own and some slack, since passphrases have spaces and people misremember.
    struct Reach {
        let plain: Int
        let marked: Int
    }

    private static let proper: [String: Reach] = [
        "LOGIN": Reach(plain: 4, marked: 8), "LOGON": Reach(plain: 4, marked: 8), "SIGNIN": Reach(plain: 4, marked: 8),
        "REGISTER": Reach(plain: 5, marked: 8), "SIGNUP": Reach(plain: 5, marked: 8),
        "IDENTIFY": Reach(plain: 3, marked: 5), "AUTH": Reach(plain: 2, marked: 4), "ID": Reach(plain: 1, marked: 3),
        "PASSWORD": Reach(plain: 3, marked: 4), "PASSWD": Reach(plain: 3, marked: 4),
        "PASS": Reach(plain: 2, marked: 4), "DROP": Reach(plain: 1, marked: 2), "EMAIL": Reach(plain: 0, marked: 0),
    ]

    /// Those, and what slips of the fingers make of the longer ones: `LGOIN`, `REGSTER`, `LOGINN`. Other letters in place of
    /// one make other words (`logic`), and are let through.
    static let reach: [String: Reach] = {
        var reach = proper
        for word in ["LOGIN", "REGISTER", "IDENTIFY", "PASSWORD"] {
            for slip in slips(of: word) where reach[slip] == nil && !["LOIN", "LOGI", "RESISTER"].contains(slip) {
                reach[slip] = proper[word]
            }
        }
        return reach
    }()

    /// Two neighbours swapped, one letter lost or doubled.
    private static func slips(of word: String) -> [String] {
        let letters = Array(word)
        return letters.indices.flatMap { index in
            var lost = letters
            lost.remove(at: index)
            var doubled = letters
            doubled.insert(letters[index], at: index)
            var swapped = letters
            if index > 0 { swapped.swapAt(index - 1, index) }
            return [lost, doubled, swapped].map { String($0) }
        }
    }

    // MARK: A first look

    /// Whether any of these words stands anywhere in a text: for most of what a busy channel says, this is all it costs.
    ///
    /// No text without one of them carries a secret. What could become such a word only on the way (full-width forms, signs
    /// that nobody sees, ligatures) counts as one, and is looked at thoroughly.
    static func isAny(in text: String) -> Bool {
        var word = Word()
        for scalar in text.unicodeScalars {
            if word.take(scalar) { continue }
            if word.isSuspect || !endsWord(scalar.value) { return true }
            word = Word()
        }
        return word.isSuspect
    }

    /// Letters and digits so far, in capitals; the words that are looked for fit into one number.
    private struct Word {
        private var letters: UInt128 = 0
        private var count = 0

        init() {}

        init(_ text: String) { for scalar in text.unicodeScalars { _ = take(scalar) } }

        /// False for a scalar that is no part of such a word.
        mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "a"..."z": add(scalar.value - 0x20)
            case "A"..."Z", "0"..."9": add(scalar.value)
            // Their capitals are ASCII.
            case "ß":
                add(UInt32(UInt8(ascii: "S")))
                add(UInt32(UInt8(ascii: "S")))
            case "ſ": add(UInt32(UInt8(ascii: "S")))
            case "ı": add(UInt32(UInt8(ascii: "I")))
            default: return false
            }
            return true
        }

        private mutating func add(_ letter: UInt32) {
            letters = letters << 8 | UInt128(letter)
            count += 1
        }

        var isSuspect: Bool {
            (2...SecretWord.longest).contains(count) && SecretWord.suspects.contains(letters)
        }

        static func number(of text: String) -> UInt128 { Word(text).letters }
    }

    /// `RESET` may have a code behind it; `log in` and `sign up` are two words.
    private static let suspects = Set((reach.keys + ["RESET", "LOG", "SIGN"]).map(Word.number))
    private static let longest = reach.keys.map(\.count).max() ?? 0

    /// Whether a scalar that is no ASCII letter or digit is none either for whoever looks thoroughly. ASCII signs, and the
    /// letters and signs of the scripts that people write most, without those that capitals or clean-up make ASCII.
    private static func endsWord(_ value: UInt32) -> Bool {
        switch value {
        case 0x0A, 0x20...0x7E, 0xA1...0xAC, 0xAE...0xDE, 0xE0...0x130, 0x132...0x148, 0x14A...0x17E, 0x180...0x1EF,
            0x384...0x3FF, 0x400...0x482, 0x48A...0x52F, 0x5D0...0x5EA, 0x620...0x64A, 0x660...0x669,
            0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20C0, 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FF,
            0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x1F300...0x1F3FA, 0x1F400...0x1F64F, 0x1F680...0x1F6FF,
            0x1F900...0x1FAFF:
            true
        default: false
        }
    }
}
