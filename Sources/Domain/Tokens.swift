/// How much of a model's context a text takes, where nobody who counts exactly is to be asked.
public enum Tokens {
    /// On the high side: four ASCII letters to a token, any other letter one of its own. No tokenizer is at hand, since the
    /// model may be any.
    public static func estimate(_ text: String) -> Int {
        var ascii = 0
        var others = 0
        for scalar in text.unicodeScalars { if scalar.isASCII { ascii += 1 } else { others += 1 } }
        return (ascii + 3) / 4 + others
    }
}
