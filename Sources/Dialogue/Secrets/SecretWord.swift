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
    static func isAny(in text: String) -> Bool {
        let bytes = Array(text.utf8)
        // Where the word began that is being read; the blank behind the text ends the last one.
        var start = 0
        for end in 0...bytes.count {
            switch end < bytes.count ? bytes[end] : 0x20 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: continue
            case 0x80...: return isAnyInScript(text)
            default:
                if isSuspect(bytes, start..<end) { return true }
                start = end + 1
            }
        }
        return false
    }

    private static func isSuspect(_ bytes: [UInt8], _ word: Range<Int>) -> Bool {
        guard (2...longest).contains(word.count) else { return false }
        let last = capital(bytes[word.upperBound - 1])
        guard lengths[Int(last)] & 1 << UInt64(word.count) != 0 else { return false }
        return suspects.contains(word.reduce(UInt128(0)) { $0 << 8 | UInt128(capital(bytes[$1])) })
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
    private static let longest = forms.keys.map(\.count).max() ?? 0
    /// By the last letter, how long those are that end with it, a bit for each length.
    private static let lengths: [UInt64] = suspects.reduce(into: Array(repeating: 0, count: 256)) { lengths, letters in
        let count = (128 - letters.leadingZeroBitCount + 7) / 8
        lengths[Int(UInt8(truncatingIfNeeded: letters))] |= 1 << UInt64(count)
    }
}
