import Glibc

/// What lines that are no UTF-8 are read in, by its name for iconv (`iconv -l` lists those that a machine knows).
///
/// https://www.gnu.org/software/libc/manual/html_node/glibc-iconv-Implementation.html
public struct LegacyEncoding: Sendable, Equatable {
    public let name: String

    /// Nil for a name that this machine does not know, and for an encoding in which ASCII is something else: no line of IRC
    /// can be in that.
    public init?(_ name: String) {
        // What stands behind a slash would change how iconv converts.
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || [0x2B, 0x2D, 0x2E, 0x3A, 0x5F].contains(byte)
        }
        // Shift JIS has a yen and an overline in place of two signs.
        let ascii = (UInt8(0x20)...0x7D).filter { $0 != 0x5C }
        guard isName, !name.isEmpty, let decoder = LegacyDecoder(name),
            decoder.text(of: ascii[...]) == String(decoding: ascii, as: UTF8.self)
        else { return nil }
        self.name = name
    }
}

/// Reads one encoding; for one thread at a time.
@safe
final class LegacyDecoder {
    private static let portion = 1024
    /// `(size_t) -1`, and `(iconv_t) -1`.
    private static let failure = -1

    private let converter: iconv_t

    /// Nil for a name that this machine does not know.
    init?(_ name: String) {
        guard let converter = unsafe iconv_open("UTF-8", name), Int(bitPattern: converter) != Self.failure else {
            return nil
        }
        unsafe self.converter = unsafe converter
    }

    deinit { unsafe iconv_close(converter) }

    /// The text; what is no character of the encoding becomes U+FFFD. Takes each byte once.
    func text(of bytes: ArraySlice<UInt8>) -> String {
        var input = bytes.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: Self.portion)
        var text: [UInt8] = []
        unsafe iconv(converter, nil, nil, nil, nil)
        unsafe input.withUnsafeMutableBufferPointer { input in
            var next = input.baseAddress
            var left = input.count
            while left > 0 {
                var room = Self.portion
                let result = unsafe output.withUnsafeMutableBufferPointer { output in
                    var end = output.baseAddress
                    return unsafe iconv(converter, &next, &left, &end, &room)
                }
                let isStuck = result == Self.failure && errno != E2BIG
                text += output.prefix(Self.portion - room).map { UInt8(bitPattern: $0) }
                guard isStuck, left > 0 else { continue }
                text += "\u{FFFD}".utf8
                unsafe next = next?.advanced(by: 1)
                left -= 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
