import TestKit
import Testing

@testable import Dialogue

/// Whatever number people type behind a command, the bot says what it makes of it and goes on.
@Suite struct TypedNumbersTests {
    private static let numbers = [
        "0", "-1", "-9223372036854775808", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
        "99999999999999999999999999", "-0", "+1", "1e3", "0x1", "٣", "1.5",
    ]

    @Test(arguments: [
        "HISTORY", "MORE", "SESSIONS END", "SET LINES", "DROP", "VERIFY", "HELP", "PERSONA", "ADMIN IGNORE x!*@*",
        "QUIET", "RETRY", "STOP", "USAGE", "NEW",
    ])
    func numbers(_ command: String) async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        for number in Self.numbers { scene.says(alice, "\(command) \(number)") }
        try await scene.settle()
        scene.says(alice, "WHOAMI")
        try await scene.sees("-alice- You are logged in as alice")
    }
}
