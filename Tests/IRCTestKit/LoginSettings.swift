import Domain
package import IRCProtocol

extension SASLSettings {
    package static let plain = SASLSettings(
        mechanisms: [.plain], account: "bot", password: Secret("sesame"), isRequired: true)

    /// One of these alone, or in this order.
    package static func by(_ mechanisms: Mechanism..., isRequired: Bool = true) -> SASLSettings {
        SASLSettings(mechanisms: mechanisms, account: "bot", password: Secret("sesame"), isRequired: isRequired)
    }
}

extension NickServSettings {
    /// As Confab's configuration has it where nothing is written.
    package static func identify(
        password: String = "canary-sesame", command: String = "PRIVMSG NickServ :IDENTIFY {account} {password}",
        isRequired: Bool = true
    ) -> NickServSettings {
        NickServSettings(
            nick: "NickServ", command: command, account: "bot", password: Secret(password),
            accepted: ["now identified", "password accepted"], refused: ["invalid password", "not a registered"],
            timeout: .seconds(15), isRequired: isRequired)
    }
}
