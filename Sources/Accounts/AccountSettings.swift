/// What the operator decided about accounts.
public struct AccountSettings: Sendable {
    public var limits = AccountLimits()
    /// Questions are taken only from accounts whose e-mail address was proven.
    public var isVerifiedEmailRequired = false

    public init() {}
}
