/// The codes by which IRC clients show text in other ways; each switches on, and at its next coming off.
///
/// Few are used, and no colours: <https://modern.ircdocs.horse/formatting>. Not monospace either (0x11): irssi shows a
/// reversed Q for it, and most other terminals nothing. They stand only in lines that say so, put
/// there by the renderer; text of people and models never carries them.
public enum FormattingCode: UInt8, Sendable, CaseIterable {
    case bold = 0x02
    case italics = 0x1D

    /// Ends all that is switched on.
    public static let reset: UInt8 = 0x0F

    /// The text without codes.
    public static func stripped(_ text: String) -> String {
        guard text.utf8.contains(where: { FormattingCode(rawValue: $0) != nil }) else { return text }
        return String(decoding: text.utf8.filter { FormattingCode(rawValue: $0) == nil }, as: UTF8.self)
    }

    /// What is on after some text, the first one switched on first, if `open` was on before it.
    public static func open(after text: some Sequence<UInt8>, from open: [FormattingCode] = []) -> [FormattingCode] {
        var open = open
        for byte in text {
            guard let code = FormattingCode(rawValue: byte) else { continue }
            if let index = open.firstIndex(of: code) { open.remove(at: index) } else { open.append(code) }
        }
        return open
    }
}
