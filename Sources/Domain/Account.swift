/// The number of an account in the store.
public struct AccountID: Hashable, Sendable {
    public let value: Int64

    public init(_ value: Int64) { self.value = value }
}

/// The name of an account: 2 to 32 of `a-z 0-9 _ -`, compared without case.
///
/// Folded as ASCII whatever the network's casemapping says, since the store outlives any network. The alphabet is
/// short so that no name can look like another.
public struct AccountName: Hashable, Sendable, CustomStringConvertible {
    public static let lengths = 2...32

    /// As it was typed at registration; shown, never compared.
    public let spelling: String
    /// Lower case; the key.
    public let folded: String

    /// Nil where the text is no valid account name.
    public init?(_ text: String) {
        guard Self.lengths.contains(text.utf8.count) else { return nil }
        guard text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        spelling = text
        folded = CaseMapping.ascii.fold(text)
    }

    public var description: String { spelling }

    public static func == (left: AccountName, right: AccountName) -> Bool { left.folded == right.folded }

    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// An e-mail address, checked for form only and compared without case.
public struct EmailAddress: Hashable, Sendable {
    /// RFC 5321 section 4.5.3.1.3: a path is at most 256 octets with its brackets.
    public static let longest = 254

    /// As it was typed; shown to nobody but its owner.
    public let spelling: String
    /// Lower case; the key.
    public let folded: String

    /// Nil where the text does not look like `local@domain.tld` in printable ASCII.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let halves = text.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2, (1...64).contains(halves[0].utf8.count) else { return nil }
        guard halves[0].utf8.allSatisfy({ !Self.isSpecial($0) }) else { return nil }
        let labels = halves[1].split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy(Self.isLabel) else { return nil }
        guard let top = labels.last, top.utf8.count >= 2, top.utf8.contains(where: { $0 >= 0x41 }) else { return nil }
        spelling = text
        folded = CaseMapping.ascii.fold(text)
    }

    /// Whether a mail server can take it for nothing else: not for an option, a route (`%`, `!`) or an encoded word.
    ///
    /// Addresses that are not plain belong to accounts of earlier versions; new ones are refused, and none gets mail.
    public var isPlain: Bool {
        let local = spelling.prefix { $0 != "@" }
        guard let first = local.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "."),
            local.utf8.last != UInt8(ascii: "."), !local.contains(".."), !local.contains("=?")
        else { return false }
        return local.utf8.allSatisfy { !"%!|`".utf8.contains($0) }
    }

    public static func == (left: EmailAddress, right: EmailAddress) -> Bool { left.folded == right.folded }

    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    /// RFC 5322 section 3.2.3: these need quoting in a local part, and nobody's address does that.
    private static func isSpecial(_ byte: UInt8) -> Bool { "()<>[]:;\\,\"".utf8.contains(byte) }

    private static func isLabel(_ label: Substring) -> Bool {
        guard (1...63).contains(label.utf8.count), label.first != "-", label.last != "-" else { return false }
        return label.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
        }
    }
}

/// An account as the bot knows it; its password hash stays in the store and in `Credentials`.
public struct Account: Sendable, Equatable {
    public let id: AccountID
    public let name: AccountName
    public let email: EmailAddress?
    public let firstName: String?
    public let lastName: String?
    public let registeredAt: Timestamp
    /// Goes up with everything that ends all logins of the account: a login is good while its number is the account's.
    public let loginEpoch: Int
    /// The owner proved by a code that mail to the address reaches them.
    public let isEmailVerified: Bool
    public let preferences: Preferences

    public init(
        id: AccountID, name: AccountName, email: EmailAddress?, firstName: String?, lastName: String?,
        registeredAt: Timestamp, loginEpoch: Int = 0, isEmailVerified: Bool = false,
        preferences: Preferences = Preferences()
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.firstName = firstName
        self.lastName = lastName
        self.registeredAt = registeredAt
        self.loginEpoch = loginEpoch
        self.isEmailVerified = isEmailVerified
        self.preferences = preferences
    }
}
