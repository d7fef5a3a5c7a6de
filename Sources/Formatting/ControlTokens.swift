/// The signs by which models tell their server that they have ended, which some servers leave in the text.
public enum ControlTokens {
    private static let all = [
        "<|im_end|>", "<|im_start|>", "</s>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<end_of_turn>",
        "<|endoftext|>", "<|end|>", "<|return|>", "<|call|>", "<|user|>", "<|eot|>", "<eos>", "<|end_of_turn|>",
        "<|EOT|>",
        "<｜end▁of▁sentence｜>", "<|END_OF_TURN_TOKEN|>", "<|END_RESPONSE|>", "<|end_of_solution|>", "[EOS]", "[/INST]",
        "<|role_end|>", "<|observation|>", "<|assistant|>", "<|im_sep|>", "<|start|>", "<pad>", "<|pad|>",
    ].map { Array($0.utf8) }

    /// The text without the tokens at its end; those within it are spoken about.
    ///
    /// So is one at the end in quotes, in code, behind a word and a blank ("it ends with </s>"), or where it may close what
    /// `<s>` opened.
    public static func removed(fromEndOf text: String) -> String {
        let bytes = Array(text.utf8)
        var end = bytes.count
        var hasStruck: Bool?
        while true {
            let trimmed = bytes[..<((bytes[..<end].lastIndex { !isSpace($0) } ?? -1) + 1)]
            guard let token = all.first(where: { trimmed.suffix($0.count).elementsEqual($0) }) else { break }
            let before = trimmed.dropLast(token.count)
            if isSpokenAbout(before) { break }
            if token.elementsEqual("</s>".utf8) {
                let isStruck = hasStruck ?? (bytes.firstRange(of: Array("<s>".utf8)) != nil)
                hasStruck = isStruck
                if isStruck { break }
            }
            end = before.endIndex
        }
        if end == bytes.count || isInCode(bytes[..<end]) { return text }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    private static func isSpokenAbout(_ before: ArraySlice<UInt8>) -> Bool {
        guard let last = before.last else { return false }
        if "`\"'".utf8.contains(last) { return !before.suffix(3).elementsEqual("```".utf8) }
        guard last == UInt8(ascii: " "), let word = before.last(where: { $0 != UInt8(ascii: " ") }) else {
            return false
        }
        // Behind a sentence's end a blank is the tokenizer's.
        return !isSpace(word) && word < 0x80 && !".!?)*>|`".utf8.contains(word)
    }

    /// Within a fence that is not closed.
    private static func isInCode(_ text: ArraySlice<UInt8>) -> Bool {
        var isCode = false
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let content = line.drop(while: isSpace)
            if content.starts(with: "```".utf8) || content.starts(with: "~~~".utf8) { isCode.toggle() }
        }
        return isCode
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) }
}
