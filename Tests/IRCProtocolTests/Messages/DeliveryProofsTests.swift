import Testing

@testable import IRCProtocol

@Suite("Proofs of delivery")
struct DeliveryProofsTests {
    private var proofs = DeliveryProofs()

    @Test("an utterance is delivered when its last line is written and all are proved, in whatever order")
    mutating func order() {
        let first = proofs.expect(1, isLast: false, now: .zero)
        #expect(proofs.prove(first) == nil)
        let second = proofs.expect(1, isLast: false, now: .zero)
        let other = proofs.expect(2, isLast: true, now: .zero)
        let third = proofs.expect(1, isLast: true, now: .zero)
        #expect(proofs.prove(third) == nil && proofs.prove("nobody's") == nil)
        #expect(proofs.prove(other) == 2)
        #expect(proofs.prove(second) == 1)
        #expect(proofs.prove(second) == nil && proofs.nextDeadline == nil)
    }

    @Test("the minute counts from the last line; what is not wholly written is not overdue")
    mutating func overdue() {
        _ = proofs.expect(1, isLast: false, now: .zero)
        #expect(proofs.nextDeadline == nil && proofs.overdue(now: .seconds(600)).isEmpty)
        _ = proofs.expect(1, isLast: true, now: .seconds(100))
        #expect(proofs.nextDeadline == .seconds(160))
        #expect(proofs.overdue(now: .seconds(159)).isEmpty && proofs.overdue(now: .seconds(160)) == [1])
        proofs.forget(1)
        #expect(proofs.nextDeadline == nil)
    }

    @Test("what comes for a forgotten utterance is nobody's")
    mutating func forgotten() {
        let label = proofs.expect(1, isLast: true, now: .zero)
        let half = proofs.expect(2, isLast: false, now: .zero)
        #expect(proofs.forgetAll() == [1])
        #expect(proofs.prove(label) == nil && proofs.utterance(of: half) == nil)
    }

    @Test("a batch inside a labelled answer is a part of it, and does not end it")
    func nested() throws {
        var answers = LabeledAnswers()
        let lines = [
            ("@label=7 :irc.test BATCH +r labeled-response", false),
            ("@batch=r :a!b@c BATCH +m draft/multiline #d", false),
            ("@batch=m :a!b@c PRIVMSG #d :e", false), ("@batch=r :irc.test BATCH -m", false),
            (":irc.test BATCH -r", true),
        ]
        for (line, isEnd) in lines {
            let answer = answers.label(of: try #require(IRCMessage(line)))
            #expect(answer?.label == "7" && answer?.isEnd == isEnd, "\(line)")
        }
        #expect(answers.label(of: try #require(IRCMessage("@batch=m :a!b@c PRIVMSG #d :e"))) == nil)
    }

    @Test("a server that opens batches and closes none fills no memory")
    func batches() throws {
        var answers = LabeledAnswers()
        for number in 0..<100 {
            _ = answers.label(of: try #require(IRCMessage("@label=\(number) BATCH +b\(number) labeled-response")))
        }
        #expect(answers.label(of: try #require(IRCMessage("@batch=b0 :a!b@c PRIVMSG d :e")))?.label == "0")
        #expect(answers.label(of: try #require(IRCMessage("@batch=b99 :a!b@c PRIVMSG d :e"))) == nil)
        #expect(answers.label(of: try #require(IRCMessage(":irc.test BATCH -b0")))?.isEnd == true)
        #expect(answers.label(of: try #require(IRCMessage("BATCH"))) == nil)
    }
}
