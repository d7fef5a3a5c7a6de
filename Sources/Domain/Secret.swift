/// A password or key: it cannot be printed, logged, encoded or compared by accident.
///
/// Whoever needs the text says so with `reveal()`, and those places are few: the hash, the `Authorization` header, the
/// server password and SASL.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    public init(_ text: String) { self.text = text }

    public var description: String { "(secret)" }
    public var debugDescription: String { "(secret)" }
    /// `dump` and string interpolation of an enclosing value go by the mirror, which is empty.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The text itself. Never log, store or say what this returns.
    public func reveal() -> String { text }

    /// What a person calls its length: characters, not bytes.
    public var characterCount: Int { text.count }

    public var isEmpty: Bool { text.isEmpty }
}
