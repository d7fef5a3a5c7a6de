import Domain
import Network

@testable import IRC

/// Plays a server's lines to the registration and writes down what it does.
struct RegistrationScript {
    var registration: Registration
    var actions: [Registration.Action] = []

    init(
        sasl: SASLSettings? = nil, password: Secret? = nil, tls: TLSOptions? = nil, isInsecureAllowed: Bool = false,
        alternates: [String] = []
    ) {
        let endpoint = PipeEndpoint(host: "irc.test", port: 6667, tls: tls, connectTimeout: .seconds(1))
        let settings = NetworkSettings(
            name: NetworkName("test"), endpoint: endpoint, isInsecureAllowed: isInsecureAllowed,
            serverPassword: password, sasl: sasl)
        registration = Registration(settings, identity: LinkUnderTest.identity(alternates: alternates))
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

extension SASLSettings {
    static let plain = SASLSettings(mechanisms: [.plain], account: "bot", password: Secret("sesame"), isRequired: true)

    /// One of these alone, or in this order.
    static func by(_ mechanisms: Mechanism..., isRequired: Bool = true) -> SASLSettings {
        SASLSettings(mechanisms: mechanisms, account: "bot", password: Secret("sesame"), isRequired: isRequired)
    }
}

extension NickServSettings {
    /// As Confab's configuration has it where nothing is written.
    static func identify(
        password: String = "canary-sesame", command: String = "PRIVMSG NickServ :IDENTIFY {account} {password}",
        isRequired: Bool = true
    ) -> NickServSettings {
        NickServSettings(
            nick: "NickServ", command: command, account: "bot", password: Secret(password),
            accepted: ["now identified", "password accepted"], refused: ["invalid password", "not a registered"],
            timeout: .seconds(15), isRequired: isRequired)
    }
}
