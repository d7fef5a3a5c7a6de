/// The words of a text, as far as it is plain ASCII: what lies between all that is no letter or digit.
enum PlainWords {
    /// Whether any word is one, by its bytes' place in the text; nil where there are letters beyond ASCII.
    @inline(__always)
    static func contains(in text: ArraySlice<UInt8>, where isHit: (Span<UInt8>, Range<Int>) -> Bool) -> Bool? {
        let bytes = text.span
        // All at once where the processor can: whether there are signs among the letters, or other scripts.
        var signs: UInt8 = 0
        var bits: UInt8 = 0
        for byte in text {
            signs |= isSignAmongLetters(byte) ? 1 : 0
            bits |= byte
        }
        guard bits < 0x80 else { return nil }
        let hasSigns = signs != 0
        // Where the word began that is being read; the end of the text ends the last one.
        var start = 0
        for end in bytes.indices {
            let byte = bytes[end]
            // The quickest way to tell most of them.
            if byte > 0x40, !hasSigns || !isSignAmongLetters(byte) { continue }
            if byte > 0x2F, byte < 0x3A { continue }
            if start < end, isHit(bytes, start..<end) { return true }
            start = end &+ 1
        }
        return start < bytes.count && isHit(bytes, start..<bytes.count)
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 }

    /// Of those above `@`: `[\]^_`, `` ` ``, `{|}~` and DEL.
    private static func isSignAmongLetters(_ byte: UInt8) -> Bool { (byte & 0xDF) &- 0x5B < 5 || byte == 0x60 }
}
