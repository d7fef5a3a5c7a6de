public import Domain

/// What came of sending a code to prove an address.
public enum VerificationMail: Sendable, Equatable {
    case sent(EmailAddress)
    case noEmail
    /// The address has a form to which nothing is sent.
    case cannotBeMailed
    /// The server took none, or one was sent a moment ago.
    case notSent
}
