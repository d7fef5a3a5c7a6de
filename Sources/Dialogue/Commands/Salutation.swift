/// Whether somebody who says this only says hello.
enum Salutation {
    private static let words: Set<String> = [
        "hello", "helo", "hallo", "hullo", "hi", "hiya", "hey", "heya", "howdy", "greetings", "yo", "sup", "morning",
        "hola",
        "salut", "bonjour", "bonsoir", "ciao", "salve", "moin", "servus", "hej", "hei", "ola", "olá", "oi", "ahoj",
        "cześć",
        "merhaba", "namaste", "привет", "здравствуйте", "你好", "こんにちは", "안녕하세요", "שלום", "مرحبا",
    ]
    private static let pairs: Set<String> = [
        "good morning", "good day", "good afternoon", "good evening", "guten morgen", "guten tag", "guten abend",
        "grüß gott", "buenos días", "buenas tardes", "buon giorno", "добрый день",
    ]
    /// `hello to everybody here` is one; what is longer says something.
    private static let maxWords = 4

    static func isOne(_ text: String) -> Bool {
        guard text.utf8.count <= 80 else { return false }
        let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(bare).filter { !$0.isEmpty }
        guard let first = words.first, words.count <= maxWords else { return false }
        return self.words.contains(first) || pairs.contains(words.prefix(2).joined(separator: " "))
    }

    /// Without the signs around it; `hi-fi` and `hello.jpg` are other words.
    private static func bare(_ word: Substring) -> String {
        var word = word.drop { !$0.isLetter }
        while let last = word.last, !last.isLetter { word.removeLast() }
        return String(word)
    }
}
