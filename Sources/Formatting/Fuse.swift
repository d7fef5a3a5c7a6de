/// What stands in the text that the parser reads for something it must not take for markup.
///
/// Fuses are the noncharacters U+FDD0 to U+FDDF, which no text may carry between programs (Unicode 15, section 23.7): the
/// first stands for nothing and is put between two bytes that would be markup together, each other one stands for the
/// byte it names. In code they are as harmless as in text, so nobody has to know before the parser where code is; `plain`
/// puts back what they stand for.
enum Fuse {
    static let empty: [UInt8] = [0xEF, 0xB7, 0x90]
    private static let lead: [UInt8] = [0xEF, 0xB7]
    private static let named = Array("\\*_[]`".utf8)

    /// What stands for a byte that would be markup where it is; the byte itself where it never is.
    static func inert(_ byte: UInt8) -> [UInt8] {
        guard let number = named.firstIndex(of: byte) else { return [byte] }
        return lead + [empty[2] + 1 + UInt8(number)]
    }

    /// What the parser gave back: with what the fuses stand for, and without seams.
    static func plain(_ bytes: [UInt8]) -> [UInt8] {
        resolved(bytes) { number in
            number > 0 && number <= named.count ? named[number - 1] : nil
        }
    }

    /// A text without what would be taken for a fuse or seam, and without control characters other than line ends and tabs.
    static func cleaned(_ bytes: [UInt8]) -> [UInt8] { resolved(bytes) { _ in nil } }

    private static func resolved(_ bytes: [UInt8], _ meaning: (Int) -> UInt8?) -> [UInt8] {
        guard bytes.contains(where: { $0 == lead[0] || $0 == Seam.mark[0] || isControl($0) }) else { return bytes }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let rest = bytes[index...]
            if byte == lead[0], rest.starts(with: lead), rest.count > 2, (0x90...0x9F).contains(bytes[index + 2]) {
                if let meant = meaning(Int(bytes[index + 2] - empty[2])) { plain.append(meant) }
                index += 3
            } else if byte == Seam.mark[0], rest.starts(with: Seam.mark) {
                index += Seam.mark.count
            } else {
                if !isControl(byte) { plain.append(byte) }
                index += 1
            }
        }
        return plain
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && !MarkdownSource.isBlank(byte) || byte == 0x7F
    }
}
