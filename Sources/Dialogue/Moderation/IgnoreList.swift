import Domain
import Storage

/// Whom the bot does not listen to, as it is asked for every line.
struct IgnoreList: Sendable {
    private let accounts: [String: Timestamp?]
    private let masks: [(mask: [UInt8], expiresAt: Timestamp?)]

    init(_ entries: [IgnoreEntry] = []) {
        accounts = Dictionary(entries.filter { !$0.isMask }.map { ($0.pattern, $0.expiresAt) }) { $1 }
        masks = entries.filter(\.isMask).map { (Array(Self.whole($0.pattern).utf8), $0.expiresAt) }
    }

    var isEmpty: Bool { accounts.isEmpty && masks.isEmpty }

    func contains(_ person: Person, account: AccountName?, at time: Timestamp) -> Bool {
        if let account, let end = accounts[account.folded], isOn(end, time) { return true }
        guard !masks.isEmpty else { return false }
        let text = Array(CaseMapping.ascii.fold("\(person.nick)!\(person.address)").utf8)
        return masks.contains { isOn($0.expiresAt, time) && Self.matches(text[...], $0.mask[...]) }
    }

    private func isOn(_ end: Timestamp?, _ time: Timestamp) -> Bool { end.map { time < $0 } ?? true }

    /// `user@host` and `nick!` are masks with the rest left out.
    private static func whole(_ mask: String) -> String {
        if !mask.contains("!") { return "*!" + mask }
        return mask.contains("@") ? mask : mask + "*"
    }

    /// `*` is any text, `?` any one byte. Goes back to the latest `*` only: no mask takes more than text times mask.
    static func matches(_ text: ArraySlice<UInt8>, _ mask: ArraySlice<UInt8>) -> Bool {
        var at = text.startIndex
        var sign = mask.startIndex
        var retry: (at: Int, sign: Int)?
        while at < text.endIndex {
            if sign < mask.endIndex, mask[sign] == UInt8(ascii: "*") {
                retry = (at, sign)
                sign += 1
            } else if sign < mask.endIndex, mask[sign] == UInt8(ascii: "?") || mask[sign] == text[at] {
                at += 1
                sign += 1
            } else if let back = retry {
                retry = (back.at + 1, back.sign)
                at = back.at + 1
                sign = back.sign + 1
            } else {
                return false
            }
        }
        return mask[sign...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
