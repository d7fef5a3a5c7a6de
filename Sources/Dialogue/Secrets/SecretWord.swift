/// The words by which a line is taken for one with a password, in capitals, and how each is used.
enum SecretWord {
    /// The right form of a command: how many words stand behind it, its secret among them.
    struct Form {
        let words: ClosedRange<Int>
        /// With so many words it is a command, however plain they are: nobody opens talk that way.
        var surely: ClosedRange<Int>?
        /// An e-mail address belongs to it.
        var hasAddress = false
    }

    private static let proper: [String: Form] = [
        "LOGIN": Form(words: 1...2), "LOGON": Form(words: 1...2), "SIGNIN": Form(words: 1...2),
        "REGISTER": Form(words: 1...4, hasAddress: true), "SIGNUP": Form(words: 1...4, hasAddress: true),
        "IDENTIFY": Form(words: 1...2, surely: 1...1), "AUTH": Form(words: 1...2), "ID": Form(words: 1...2),
        "AUTHENTICATE": Form(words: 1...2), "PASSWORD": Form(words: 1...3), "PASS": Form(words: 1...2),
        "PW": Form(words: 1...2), "PWD": Form(words: 1...2), "PASSWD": Form(words: 1...3, surely: 1...3),
        "SETPASSWORD": Form(words: 1...2, surely: 1...2), "SETPASS": Form(words: 1...3, surely: 1...3),
        "CHPASS": Form(words: 1...3, surely: 1...3), "CHANGEPASSWORD": Form(words: 1...3, surely: 2...2),
        "DROP": Form(words: 1...1), "EMAIL": Form(words: 2...2, hasAddress: true),
        "GHOST": Form(words: 2...2), "REGAIN": Form(words: 2...2), "RECOVER": Form(words: 2...2),
        "RELEASE": Form(words: 2...2),
    ]

    /// Those, and what slips of the fingers make of the longer ones: `LGOIN`, `REGSTER`, `LOGINN`, `LOGIM`. A letter that
    /// is no neighbour on the keyboard makes another word (`logic`), and is let through.
    static let forms: [String: Form] = {
        var forms = proper
        for word in ["LOGIN", "REGISTER", "IDENTIFY", "PASSWORD", "SETPASS", "CHPASS"] {
            for slip in slips(of: word) where forms[slip] == nil && !["LOIN", "LOGI", "RESISTER"].contains(slip) {
                forms[slip] = proper[word]
            }
        }
        return forms
    }()

    /// Two neighbours swapped, one letter lost, doubled, missed for the key beside it, or pressed along with it.
    private static func slips(of word: String) -> [String] {
        let letters = Array(word)
        return letters.indices.flatMap { index in
            var lost = letters
            lost.remove(at: index)
            var doubled = letters
            doubled.insert(letters[index], at: index)
            var swapped = letters
            if index > 0 { swapped.swapAt(index - 1, index) }
            let missed = (neighbours[letters[index]] ?? "").flatMap { key in
                var missed = letters
                missed[index] = key
                var pressed = letters
                pressed.insert(key, at: index)
                return [missed, pressed]
            }
            return ([lost, doubled, swapped] + missed).map { String($0) }
        } + (word == "IDENTIFY" ? ["INDENTIFY"] : [])
    }

    /// Keys beside each other on the keyboards of most people.
    private static let neighbours: [Character: String] = [
        "A": "QSZ", "C": "XV", "D": "SF", "E": "WR", "F": "DG", "G": "FHTB", "H": "GJ", "I": "UO", "L": "KO",
        "N": "BM", "O": "IPL", "P": "OL", "R": "ET", "S": "AD", "T": "RY", "W": "QE", "Y": "TU",
    ]

    // MARK: A first look

    /// Whether any of these words stands anywhere in a text: for most of what a busy channel says, this is all it costs.
    ///
    /// No text without one of them has the form of a command with a secret: letters are read as `Unicode.Scalar.plainLetter`
    /// reads them, here as there.
    static func isAny(in text: String) -> Bool { isAny(in: Array(text.utf8)[...]) }

    static func isAny(in text: ArraySlice<UInt8>) -> Bool {
        PlainWords.contains(in: text) { isSuspect($0, $1) } ?? isAnyInScript(String(decoding: text, as: UTF8.self))
    }

    /// Whether this word of a text, letters and digits of ASCII only, is one.
    static func isSuspect(_ bytes: Span<UInt8>, _ word: Range<Int>) -> Bool {
        lengths.isAny(bytes[word.lowerBound], bytes[word.upperBound - 1], word.count)
            && suspects.contains(word.reduce(UInt128(0)) { $0 << 8 | UInt128(capital(bytes[$1])) })
    }

    private static func capital(_ byte: UInt8) -> UInt8 { byte >= 0x61 ? byte - 0x20 : byte }

    /// The same of a text with letters beyond ASCII, which may look like others.
    private static func isAnyInScript(_ text: String) -> Bool {
        var word = Word()
        for scalar in text.unicodeScalars {
            if let letter = scalar.plainLetter {
                word.add(letter)
            } else if !scalar.isPassedOver {
                if word.isSuspect { return true }
                word = Word()
            }
        }
        return word.isSuspect
    }

    /// Letters and digits so far, in capitals; the words that are looked for fit into one number.
    private struct Word {
        private var letters: UInt128 = 0
        private var count = 0

        init() {}

        init(_ text: String) {
            for scalar in text.unicodeScalars { if let letter = scalar.plainLetter { add(letter) } }
        }

        mutating func add(_ letter: UInt8) {
            letters = letters << 8 | UInt128(letter)
            count += 1
        }

        var isSuspect: Bool { (2...SecretWord.longest).contains(count) && SecretWord.suspects.contains(letters) }

        static func number(of text: String) -> UInt128 { Word(text).letters }
    }

    /// `RESET` may have a code behind it; `log in`, `sign up`, `set password` and `change password` are two words.
    private static let suspects = Set((forms.keys + ["RESET", "LOG", "SIGN"]).map(Word.number))
    /// As they fit into one number.
    private static let longest = 16
    /// How long those are that begin and end with a letter.
    struct Lengths: Sendable {
        /// By the five bits that make a letter: a bit for each length.
        private var first = Array(repeating: UInt32(0), count: 32)
        private var last = Array(repeating: UInt32(0), count: 32)

        init(of words: Set<UInt128>) {
            for letters in words {
                let count = (128 - letters.leadingZeroBitCount + 7) / 8
                first[Int(letters >> UInt128(8 * (count - 1)) & 31)] |= 1 << UInt32(count)
                last[Int(letters & 31)] |= 1 << UInt32(count)
            }
        }

        /// False where none of so many letters begins and ends with these.
        func isAny(_ first: UInt8, _ last: UInt8, _ count: Int) -> Bool {
            count <= SecretWord.longest
                && self.first[Int(first & 31)] & self.last[Int(last & 31)] & 1 << UInt32(truncatingIfNeeded: count) != 0
        }
    }

    static let lengths = Lengths(of: suspects)
}
