/// How a network says which letters of nicks and channel names are the same (ISUPPORT `CASEMAPPING`).
///
/// Folding happens here and nowhere else: a `Nick` or `ChannelName` is folded once, when it is made, by the mapping of
/// its network. Nothing else lowercases a name.
public enum CaseMapping: String, Sendable {
    case ascii
    case rfc1459
    case rfc1459Strict = "rfc1459-strict"

    /// The mapping a server announced; anything unknown is `rfc1459`, the protocol's own, and `rfc7613` folds ASCII
    /// letters only as far as a client can tell.
    public init(token: String) {
        switch token {
        case "ascii", "rfc7613": self = .ascii
        case "rfc1459-strict", "strict-rfc1459": self = .rfc1459Strict
        default: self = .rfc1459
        }
    }

    /// The folded form of a name: equal for two names exactly if the network takes them for one.
    public func fold(_ name: String) -> String {
        // Most names are, as they are typed, and cost no copy.
        guard name.utf8.contains(where: { fold($0) != $0 }) else { return name }
        var folded: [UInt8] = []
        folded.reserveCapacity(name.utf8.count)
        for byte in name.utf8 { folded.append(fold(byte)) }
        return String(decoding: folded, as: UTF8.self)
    }

    /// Whether a folded name stands anywhere in a text, byte for byte: a first look, which says nothing of where words end.
    public func isAnywhere(_ folded: [UInt8], in text: ArraySlice<UInt8>) -> Bool {
        guard let first = folded.first, folded.count <= text.count else { return folded.isEmpty }
        // Whatever folds to one byte differs in this bit only.
        let candidate = first | 0x20
        let bytes = text.span
        for start in 0...bytes.count - folded.count where bytes[start] | 0x20 == candidate {
            if isName(folded, at: start, in: bytes) { return true }
        }
        return false
    }

    /// Whether a folded name stands at this place of a text.
    public func isName(_ folded: [UInt8], at start: Int, in text: Span<UInt8>) -> Bool {
        guard folded.count <= text.count - start else { return false }
        return folded.indices.allSatisfy { fold(text[start + $0]) == folded[$0] }
    }

    private func fold(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
        case UInt8(ascii: "["), UInt8(ascii: "\\"), UInt8(ascii: "]"): self == .ascii ? byte : byte + 32
        case UInt8(ascii: "~"): self == .rfc1459 ? UInt8(ascii: "^") : byte
        default: byte
        }
    }
}

/// The operator's name for a network, as the configuration gives it; unique among the networks of one process.
public struct NetworkName: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ name: String) { description = name }
}

/// A nick on one network: compared folded, shown as it was spelled.
public struct Nick: Hashable, Sendable, CustomStringConvertible {
    /// As the server sent it.
    public let spelling: String
    /// By the network's casemapping; the only part that takes part in comparing.
    public let folded: String
    private let isASCII: Bool

    public init(_ spelling: String, _ mapping: CaseMapping) {
        self.spelling = spelling
        folded = mapping.fold(spelling)
        isASCII = spelling.utf8.allSatisfy { $0 < 0x80 }
    }

    public var description: String { spelling }

    public static func == (left: Nick, right: Nick) -> Bool {
        left.isASCII == right.isASCII && isSame(left.folded, right.folded, isASCII: left.isASCII)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

/// A channel on one network: compared folded, shown as it was spelled.
public struct ChannelName: Hashable, Sendable, CustomStringConvertible {
    /// As the configuration or the server spelled it, its `#` included.
    public let spelling: String
    /// By the network's casemapping; the only part that takes part in comparing, and the part that is stored.
    public let folded: String
    private let isASCII: Bool

    public init(_ spelling: String, _ mapping: CaseMapping) {
        self.spelling = spelling
        folded = mapping.fold(spelling)
        isASCII = spelling.utf8.allSatisfy { $0 < 0x80 }
    }

    public var description: String { spelling }

    public static func == (left: ChannelName, right: ChannelName) -> Bool {
        left.isASCII == right.isASCII && isSame(left.folded, right.folded, isASCII: left.isASCII)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

/// Byte for byte, as servers compare; `String` would take a composed letter and its parts for one, and so two people. Of ASCII
/// it compares the bytes, and at once.
private func isSame(_ left: String, _ right: String, isASCII: Bool) -> Bool {
    isASCII ? left == right : left.utf8.elementsEqual(right.utf8)
}
