import Domain
import TestKit
import Testing

@testable import Dialogue

/// People who are not logged in are told little.
@Suite struct StrangersBudgetTests {
    private static let network = NetworkName("n")

    private static func person(_ nick: String, at host: String) -> Person {
        Person(nick: Nick(nick, .ascii), user: "u", host: host)
    }

    private static func allows(
        _ budget: inout StrangersBudget, _ lines: Int, _ person: Person, _ now: Duration
    ) -> Bool {
        budget.allows(lines, to: person, on: network, now: now)
    }

    @Test func `a person has some lines at once, and then one each few seconds`() {
        var budget = StrangersBudget()
        let eve = Self.person("eve", at: "h")
        let most = StrangersBudget.ofPerson.lines
        #expect(Self.allows(&budget, most, eve, .zero))
        #expect(!Self.allows(&budget, 1, eve, .zero))
        let next = StrangersBudget.ofPerson.interval
        #expect(Self.allows(&budget, 1, eve, next))
        #expect(!Self.allows(&budget, 1, eve, next))
        #expect(Self.allows(&budget, most, eve, next * (most + 1)))
    }

    @Test func `many nicks of one host share its lines, and other hosts have their own`() {
        var budget = StrangersBudget()
        let told = (1...20).count { Self.allows(&budget, 5, Self.person("e\($0)", at: "h"), .zero) }
        #expect(told * 5 <= StrangersBudget.ofHost.lines)
        #expect(Self.allows(&budget, 5, Self.person("bob", at: "other"), .zero))
    }

    @Test func `what is remembered is bounded, and forgotten in time`() {
        var budget = StrangersBudget(limit: 10)
        let told = (1...20).count {
            Self.allows(&budget, 1, Self.person("e\($0)", at: "h\($0)"), .zero)
        }
        #expect(told == 5)
        #expect(Self.allows(&budget, 1, Self.person("bob", at: "h"), .seconds(60)))
    }

    @Test func `a stranger who asks for help without end is answered for a while, and members always`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        let eve = scene.arrives("eve")
        for _ in 1...50 {
            scene.says(eve, "HELP")
            scene.says(eve, "/nonsense")
            scene.says(alice, "WHOAMI")
            try await scene.sees("-alice- You are logged in as alice")
        }
        try await scene.settle()
        #expect(scene.link.transcript.count { $0.hasPrefix("-eve-") } <= StrangersBudget.ofPerson.lines)
        // What becomes of a password is always told.
        scene.says(eve, "LOGIN alice wrong-horse")
        try await scene.sees("-eve- ")
    }

    @Test func `answers, notices, listings and what strangers are told differ in urgency`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        let eve = scene.arrives("eve")
        try await scene.registers(alice)
        scene.says(alice, "why?", in: "#confab")
        try await scene.sees("#confab <bot> alice: An answer.")
        scene.says(alice, "HISTORY")
        try await scene.sees("-alice- End of history.")
        scene.says(alice, "MORE 1")
        try await scene.sees("-alice- [1] An answer.")
        scene.says(alice, "WHOAMI")
        try await scene.sees("-alice- You are logged in as alice")
        scene.says(eve, "WHOAMI")
        try await scene.sees("-eve- You are not logged in.")
        let urgencies = scene.link.urgencies
        #expect(urgencies["#confab"] == [.answer])
        #expect(urgencies["alice"]?.last == .notice)
        #expect(urgencies["alice"]?.contains(.listing) == true)
        #expect(urgencies["alice"]?.contains(.answer) == false)
        #expect(urgencies["eve"] == [.stranger])
    }
}
