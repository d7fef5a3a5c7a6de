/// Which account at the network's services a field of a line names.
package enum ServicesAccount {
    /// Nil for nobody, which networks write as `*`, as `0` or as nothing: in account-tag, extended-join, ACCOUNT, WHOX and 900
    /// alike. Taken for a name, it would make one person of all who are not logged in. Nor are words a name: where a field is
    /// empty, another one stands in its place.
    package static func name(_ field: String?) -> String? {
        guard let field, !["", "*", "0"].contains(field), field.utf8.allSatisfy({ $0 > 0x20 }) else { return nil }
        return field
    }
}
