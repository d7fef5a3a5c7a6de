/// How far people can go with accounts, as the operator decided.
public struct AccountLimits: Sendable {
    /// Accounts from one host of a network in an hour.
    public var registrationsPerAddress = 3
    /// Accounts in ten minutes, of everybody together.
    public var registrationsOverall = 30
    /// Wrong passwords from one host in ten minutes.
    public var guessesPerHost = 5
    /// Wrong passwords in a minute, of everybody together.
    public var guessesOverall = 30
    /// A login ends after so long without a line.
    public var sessionIdle: Duration = .seconds(12 * 3600)
    /// A login ends after so long in any case.
    public var sessionAge: Duration = .seconds(7 * 24 * 3600)
    /// Logins of one account at a time; the oldest makes room.
    public var sessionsPerAccount = 3

    public init() {}
}
