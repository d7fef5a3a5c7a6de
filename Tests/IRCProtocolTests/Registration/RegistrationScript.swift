import Domain
import IRCTestKit

@testable import IRCProtocol

/// Plays a server's lines to the registration and writes down what it does.
struct RegistrationScript {
    var registration: Registration
    var actions: [Registration.Action] = []

    init(
        sasl: SASLSettings? = nil, password: Secret? = nil, isEncrypted: Bool = false, hasCertificate: Bool = false,
        isInsecureAllowed: Bool = false, alternates: [String] = []
    ) {
        let login = sasl.map {
            SASL(
                $0, isEncrypted: isEncrypted || hasCertificate, isInsecureAllowed: isInsecureAllowed,
                hasCertificate: hasCertificate)
        }
        registration = Registration(
            identity: .ofTests(alternates: alternates), serverPassword: password, sasl: login, canIdentify: false)
        actions = registration.begin()
    }

    var sent: [String] { actions.compactMap { if case .send(let line) = $0 { line } else { nil } } }
    var ending: Ending? { actions.compactMap { if case .end(let ending) = $0 { ending } else { nil } }.first }

    /// What the lines bring about.
    mutating func hears(_ lines: String...) -> [Registration.Action] {
        let before = actions.count
        for line in lines {
            if let message = IRCMessage(line) { actions += registration.receive(message) }
        }
        return Array(actions[before...])
    }
}
