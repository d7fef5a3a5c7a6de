import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// How people get the rest of long answers, and answers that could not be said.
@Suite struct MoreTests {
    private static func list(_ count: Int) -> String { (1...count).map { "\($0). line" }.joined(separator: "\n") }

    @Test func `the rest of a long answer comes privately, page by page, until there is none`() async throws {
        let scene = try await Scene { $0.maxDirectLines = 2 }
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.api.answer(by: ScriptedCompletions.saying(Self.list(8)))
        scene.says(alice, "count", in: "#confab")
        try await scene.sees("#confab <bot> 3. line")
        try await scene.sees("#confab <bot> … 5 more: /msg bot MORE")
        scene.says(alice, "MORE")
        try await scene.sees("-alice- [1] 4. line")
        try await scene.sees("-alice- [1] 5. line")
        try await scene.sees("-alice- [1] … 3 more: /msg bot MORE")
        scene.says(alice, "bot: more", in: "#confab")
        // One line more is said, not announced.
        for line in ["6. line", "7. line", "8. line"] { try await scene.sees("-alice- [1] \(line)") }
        scene.says(alice, "MORE")
        try await scene.sees("-alice- You have got all of your answers.")
        #expect(scene.questions == ["count"])
    }

    @Test func `it goes on hours later, after a restart, and under another nick`() async throws {
        let scratch = try Scratch()
        do {
            let scene = try await Scene(scratch: scratch) { $0.maxDirectLines = 2 }
            let alice = scene.arrives("alice")
            try await scene.registers(alice)
            scene.api.answer(by: ScriptedCompletions.saying(Self.list(8)))
            scene.says(alice, "count", in: "#confab")
            scene.says(alice, "MORE")
            try await scene.sees("#confab <bot> … 5 more")
            scene.says(alice, "MORE")
            try await scene.sees("-alice- [1] 5. line")
            await scene.ends()
        }
        let scene = try await Scene(scratch: scratch)
        let alicia = scene.arrives("alicia")
        try await scene.logsIn(alicia, "alice")
        scene.says(alicia, "MORE")
        for number in 6...8 { try await scene.sees("-alicia- [1] \(number). line") }
        #expect(try await scene.unread() == [])
    }

    @Test func `an answer that could not be said is offered at the next login and by MORE`() async throws {
        let scene = try await Scene()
        scene.api.answer(by: nil)
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.says(alice, "in private")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.happens(.quit(alice.nick))
        try await scene.settle()
        scene.api.asked[0].answer("For you alone.")
        #expect(try await eventually { try await scene.store.undeliveredCount(of: AccountID(1)) == 1 })
        let again = scene.arrives("alice")
        try await scene.logsIn(again)
        try await scene.sees("-alice- An answer of yours could not be said when it came: /msg bot MORE")
        scene.says(again, "MORE")
        try await scene.sees("-alice- [1] For you alone.")
        scene.says(again, "LOGOUT")
        try await scene.logsIn(again)
        #expect(try await scene.unread() == [])
        #expect(try await scene.store.history(of: AccountID(1), last: 1).map(\.state) == [.answered])
    }

    @Test func `a page that the network does not take is said again by the next MORE`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.api.answer(by: ScriptedCompletions.saying(Self.list(5)))
        scene.says(alice, "count", in: "#confab")
        try await scene.sees("#confab <bot> … 2 more")
        await scene.holdsAnswer(to: alice, "MORE")
        scene.link.fail(.overloaded)
        scene.says(alice, "MORE")
        try await scene.sees("-alice- [1] 4. line")
    }

    @Test func `a number shows that answer again, and of nobody else`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        let bob = scene.arrives("bob")
        try await scene.registers(alice)
        try await scene.registers(bob)
        for text in ["one", "two"] {
            scene.api.answer(by: ScriptedCompletions.saying("Answer to \(text)."))
            scene.says(alice, text, in: "#confab")
            try await scene.sees("#confab <bot> alice: Answer to \(text).")
        }
        scene.says(alice, "MORE 1")
        try await scene.sees("-alice- [1] Answer to one.")
        scene.says(bob, "MORE 1")
        try await scene.sees("-bob- There is no answer 1 of yours.")
        scene.says(bob, "MORE")
        try await scene.sees("-bob- You have got all of your answers.")
    }

    @Test func `whoever takes the nick in between gets no page`() async throws {
        let scene = try await Scene()
        let alice = scene.arrives("alice")
        try await scene.registers(alice)
        scene.api.answer(by: ScriptedCompletions.saying(Self.list(9)))
        scene.says(alice, "count", in: "#confab")
        try await scene.sees("#confab <bot> … 6 more")
        await scene.holdsAnswer(to: alice, "MORE")
        scene.happens(.quit(alice.nick))
        _ = scene.arrives("alice", at: "mallory@elsewhere")
        #expect(await eventually { scene.link.waitingCount == 0 })
        scene.link.flow()
        #expect(try await scene.unread() == [])
    }
}
