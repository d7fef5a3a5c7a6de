import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// Lines of one breath are one question.
@Suite struct GatheringTests {
    private static let alice = Gathering.Source(
        visit: VisitID(connection: ConnectionID(network: NetworkName("n"), epoch: 1), number: 1), place: .direct)
    private static let turn = TurnID(number: 7)

    /// Of somebody who has just asked `first`.
    private static func gathering(
        _ first: String = "one", _ joint: Gathering.Joint = .lineEnd, at now: Duration = .zero
    ) -> Gathering {
        var gathering = Gathering(window: .seconds(1))
        gathering.begin(first, joint, from: alice, as: turn, at: now)
        return gathering
    }

    // MARK: The value

    @Test func `what follows within the window of the line before belongs to the question`() {
        var gathering = Self.gathering()
        #expect(gathering.hear("two", .lineEnd, from: Self.alice, at: .seconds(1)) == .joins(Self.turn))
        #expect(gathering.hear("three", .lineEnd, from: Self.alice, at: .seconds(2)) == .joins(Self.turn))
        #expect(gathering.question(of: Self.turn) == "one\ntwo\nthree")
        #expect(gathering.hear("four", .lineEnd, from: Self.alice, at: .milliseconds(3001)) == .new)
        #expect(gathering.question(of: Self.turn) == "one\ntwo\nthree")
    }

    @Test func `what was cut goes on without a line end, wherever the client cut it`() {
        var gathering = Self.gathering("a lo", .none)
        _ = gathering.hear("ng li", .none, from: Self.alice, at: .zero)
        _ = gathering.hear("ne", .lineEnd, from: Self.alice, at: .zero)
        _ = gathering.hear("and more", .lineEnd, from: Self.alice, at: .zero)
        #expect(gathering.question(of: Self.turn) == "a long line\nand more")
    }

    @Test func `somebody else, another place and a closed question are something new`() {
        var gathering = Self.gathering()
        let channel = Gathering.Source(visit: Self.alice.visit, place: .channel(ChannelName("#c", .ascii)))
        let bob = Gathering.Source(
            visit: VisitID(connection: Self.alice.visit.connection, number: 2), place: .direct)
        for other in [channel, bob] { #expect(gathering.hear("x", .lineEnd, from: other, at: .zero) == .new) }
        gathering.close(Self.turn)
        #expect(gathering.hear("two", .lineEnd, from: Self.alice, at: .zero) == .new)
        #expect(gathering.question(of: Self.turn) == nil)
    }

    @Test func `a new question takes the place of the one before it, which grows no more`() {
        var gathering = Self.gathering()
        gathering.begin("other", .lineEnd, from: Self.alice, as: TurnID(number: 8), at: .zero)
        #expect(gathering.hear("two", .lineEnd, from: Self.alice, at: .zero) == .joins(TurnID(number: 8)))
        #expect(gathering.question(of: Self.turn) == nil)
        gathering.close(Self.turn)
        #expect(gathering.question(of: TurnID(number: 8)) == "other\ntwo")
    }

    @Test func `a question is bounded in lines and bytes, and keeps what it has`() {
        var gathering = Self.gathering()
        for number in 2...Gathering.maxLines {
            #expect(
                gathering.hear("\(number)", .lineEnd, from: Self.alice, at: .zero) == .joins(Self.turn))
        }
        #expect(gathering.hear("more", .lineEnd, from: Self.alice, at: .zero) == .refused)
        #expect(gathering.question(of: Self.turn)?.hasSuffix("\n\(Gathering.maxLines)") == true)
        var bytes = Self.gathering()
        let line = String(repeating: "ä", count: Gathering.maxBytes / 2 - 2)
        #expect(bytes.hear(line + "x", .lineEnd, from: Self.alice, at: .zero) == .refused)
        #expect(bytes.hear(line, .lineEnd, from: Self.alice, at: .zero) == .joins(Self.turn))
        #expect(bytes.question(of: Self.turn)?.utf8.count == Gathering.maxBytes)
    }

    @Test func `what belongs to a question that was refused is refused with it, and forgotten`() {
        var gathering = Gathering(window: .seconds(1))
        gathering.begin("one", .lineEnd, from: Self.alice, as: nil, at: .zero)
        #expect(gathering.hear("two", .lineEnd, from: Self.alice, at: .seconds(1)) == .refused)
        #expect(gathering.hear("three", .lineEnd, from: Self.alice, at: .seconds(3)) == .new)
    }

    @Test func `nobody waits but for the rest of a line that was cut, and between requests that come too often`() {
        #expect(Self.gathering().pause(before: Self.turn, at: .zero) == .zero)
        var cut = Self.gathering("one", .none)
        #expect(cut.pause(before: Self.turn, at: .milliseconds(400)) == .milliseconds(600))
        #expect(cut.pause(before: Self.turn, at: .seconds(5)) == .zero)
        _ = cut.hear("two", .lineEnd, from: Self.alice, at: .milliseconds(500))
        #expect(cut.pause(before: Self.turn, at: .milliseconds(500)) == .zero)
        for _ in 0..<2 { cut.asks(Self.turn) }
        #expect(cut.pause(before: Self.turn, at: .milliseconds(500)) == .milliseconds(250))
    }

    // MARK: The bot

    private static func scene(_ change: (inout DialogueSettings) -> Void = { _ in }) async throws -> (Scene, Person) {
        let scene = try await Scene {
            $0.gather = .milliseconds(1200)
            change(&$0)
        }
        let alice = scene.arrives("alice", in: "#confab", "#quiet")
        try await scene.registers(alice)
        return (scene, alice)
    }

    @Test func `five pasted lines are one question with its line ends, one exchange and one of the budget`()
        async throws
    {
        let (scene, alice) = try await Self.scene { $0.accountBudget.questionsPerDay = 1 }
        let lines = ["What is wrong here?", "func f() {", "  return 1", "}", "I mean it"]
        let whole = lines.joined(separator: "\n")
        // However slow the machine is, the answer comes after the lines.
        scene.api.answer(by: nil)
        for line in lines { scene.says(alice, line, in: "#confab") }
        try await scene.settle()
        #expect(await scene.clock.turn(by: .milliseconds(300)) { scene.questions.last == whole })
        scene.api.asked.last?.answer("An answer.")
        try await scene.sees("#confab <bot> alice: An answer.")
        let account = try #require(try await scene.store.credentials(for: "alice")).account.id
        let stored = try await scene.store.history(of: account, last: 9)
        #expect(stored.map(\.question) == [whole])
        scene.clock.advance(by: .seconds(2))
        scene.says(alice, "another", in: "#confab")
        try await scene.sees("-alice- I take 1 question a day")
    }

    @Test func `a question is asked at once, and its request ended when more of it comes`() async throws {
        let (scene, alice) = try await Self.scene()
        scene.api.answer(by: nil)
        scene.says(alice, "one", in: "#confab")
        #expect(await eventually { scene.questions == ["one"] })
        scene.clock.advance(by: .seconds(1))
        scene.says(alice, "two", in: "#confab")
        #expect(await eventually { scene.questions == ["one", "one\ntwo"] })
        #expect(await eventually { scene.api.cancelledCount == 1 })
        // What comes later is another question, which waits its turn.
        scene.clock.advance(by: .seconds(2))
        scene.says(alice, "three", in: "#confab")
        try await scene.settle()
        #expect(scene.questions == ["one", "one\ntwo"])
        scene.api.asked.last?.answer("Both.")
        try await scene.sees("#confab <bot> alice: Both.")
        #expect(await eventually { scene.questions.last == "three" })
    }

    @Test func `what a request cost that was ended is counted with the one after it`() async throws {
        let (scene, alice) = try await Self.scene()
        scene.api.answer(by: nil)
        scene.says(alice, "one", in: "#quiet")
        scene.says(alice, "bot: one", in: "#quiet")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.api.asked[0].stream.yield(.text(String(repeating: "word ", count: 8)))
        try await scene.settle()
        scene.says(alice, "two", in: "#quiet")
        #expect(await eventually { scene.api.asked.count == 2 })
        let end = Completion(text: "Done.", isCut: false, promptTokens: 20, completionTokens: 3)
        scene.api.asked[1].stream.yield(.finished(end))
        scene.api.asked[1].stream.finish()
        try await scene.sees("#quiet <bot> alice: Done.")
        scene.says(alice, "USAGE")
        // 43 letters of the first request are 11 tokens.
        #expect(try await scene.sees("-alice- ").contains("34 tokens"))
        let usage = try await scene.store.usage(from: Timestamp(milliseconds: 0), to: .init(milliseconds: .max))
        #expect(usage.map(\.tokens) == [34])
    }

    @Test func `nothing joins an answer of which something was said`() async throws {
        let (scene, alice) = try await Self.scene {
            $0.channels = [Scene.network: [ChannelRules(name: "#confab", streaming: .sentences)]]
        }
        scene.api.answer(by: nil)
        scene.says(alice, "one", in: "#confab")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.api.asked[0].stream.yield(.text("It begins. And"))
        try await scene.sees("#confab <bot> alice: It begins.")
        scene.says(alice, "two", in: "#confab")
        scene.api.asked[0].stream.yield(.text(" ends."))
        scene.api.asked[0].finish("It begins. And ends.")
        try await scene.sees("#confab <bot> And ends.")
        #expect(await eventually { scene.questions == ["one", "two"] })
    }

    @Test func `a line that its client cut is asked when its rest is there`() async throws {
        let (scene, alice) = try await Self.scene()
        let place = Place.channel(scene.channel("#quiet"))
        scene.happens(.message(Message(sender: alice, place: place, text: "bot: a lo", isFull: true)))
        try await scene.settle()
        #expect(scene.questions.isEmpty)
        scene.happens(.message(Message(sender: alice, place: place, text: "ng line", isFull: false)))
        try await scene.sees("#quiet <bot> alice: An answer.")
        #expect(scene.questions == ["a long line"])
    }

    @Test func `a line cut between words stays two words, and pasted code keeps what its lines begin with`()
        async throws
    {
        let (scene, alice) = try await Self.scene()
        let place = Place.channel(scene.channel("#confab"))
        scene.api.answer(by: nil)
        let cut = Message(sender: alice, place: place, text: "what does", isFull: true, endsInBlank: true)
        scene.happens(.message(cut))
        scene.happens(.message(Message(sender: alice, place: place, text: "this do?")))
        scene.happens(.message(Message(sender: alice, place: place, text: "def f():")))
        scene.happens(.message(Message(sender: alice, place: place, text: "return 1", indentation: 4)))
        let whole = "what does this do?\ndef f():\n    return 1"
        try await scene.settle()
        #expect(await scene.clock.turn(by: .milliseconds(300)) { scene.questions.last == whole })
        scene.api.asked.last?.answer("It returns 1.")
        try await scene.sees("#confab <bot> alice: It returns 1.")
    }

    @Test func `a line that was cut and has no rest is asked after the wait`() async throws {
        let (scene, alice) = try await Self.scene()
        scene.happens(.message(Message(sender: alice, place: .direct, text: "a lo", isFull: true)))
        try await scene.settle()
        #expect(scene.questions.isEmpty)
        #expect(await scene.clock.turn(by: .milliseconds(300)) { scene.questions == ["a lo"] })
    }

    @Test func `commands, the bot's name again and lines to others join nothing`() async throws {
        let (scene, alice) = try await Self.scene()
        _ = scene.arrives("carol")
        scene.api.answer(by: nil)
        scene.says(alice, "one", in: "#confab")
        scene.says(alice, "bot: usage", in: "#confab")
        scene.says(alice, "carol: look at that", in: "#confab")
        scene.says(alice, "!seen carol", in: "#confab")
        scene.says(alice, "bot: two", in: "#confab")
        scene.says(alice, "and three", in: "#confab")
        try await scene.sees("-alice- Since midnight UTC you asked 1 question,")
        #expect(await eventually { scene.api.asked.count == 1 })
        scene.api.asked.first?.answer("One.")
        try await scene.sees("#confab <bot> alice: One.")
        #expect(await eventually { scene.api.asked.count == 2 })
        #expect(scene.questions == ["one", "two\nand three"])
    }

    @Test func `a password in the line below is kept from the AI and the store`() async throws {
        let (scene, alice) = try await Self.scene()
        scene.api.answer(by: nil)
        scene.says(alice, "bot: please log me in", in: "#quiet")
        #expect(await eventually { scene.questions.count == 1 })
        scene.says(alice, "login", in: "#quiet")
        scene.says(alice, "correct-horse", in: "#quiet")
        try await scene.sees("-alice- That looked like a password")
        try await scene.settle()
        for asked in scene.api.asked { asked.answer("No.") }
        try await scene.sees("#quiet <bot> alice: No.")
        #expect(!scene.questions.contains { $0.contains("correct-horse") })
    }

    @Test func `lines beyond what a question takes are counted and told once`() async throws {
        let (scene, alice) = try await Self.scene()
        scene.api.answer(by: nil)
        for number in 1...(Gathering.maxLines + 3) { scene.says(alice, "\(number)", in: "#confab") }
        try await scene.settle()
        let last = "\n\(Gathering.maxLines)"
        #expect(await scene.clock.turn(by: .milliseconds(300)) { scene.questions.last?.hasSuffix(last) == true })
        scene.api.asked.last?.answer("Many.")
        try await scene.sees("#confab <bot> alice: Many.")
        try await scene.sees("-alice- 3 lines of yours not taken: too many came at once.")
        #expect(try await scene.unread() == [])
    }

    @Test func `STOP ends a question that waits for its rest, and nothing joins it any more`() async throws {
        let (scene, alice) = try await Self.scene()
        scene.happens(.message(Message(sender: alice, place: .direct, text: "a lo", isFull: true)))
        try await scene.settle()
        scene.says(alice, "STOP")
        try await scene.sees("-alice- Stopped.")
        scene.says(alice, "another question")
        try await scene.sees("alice <bot> ")
        #expect(scene.questions == ["another question"])
    }
}
