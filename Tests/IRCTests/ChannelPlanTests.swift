import Domain
import Testing

@testable import IRC

@Suite("In which channels the bot is to be")
struct ChannelPlanTests {
    private let lobby = ChannelName("#Lobby", .rfc1459)

    private func joining() -> ChannelPlan {
        var plan = ChannelPlan([ChannelSettings(name: "#lobby")])
        #expect(plan.due(at: .zero).map(\.name) == ["#lobby"])
        return plan
    }

    @Test("each is joined once")
    func once() {
        var plan = joining()
        #expect(plan.due(at: .zero).isEmpty)
        plan.entered(lobby, .rfc1459)
        #expect(plan.due(at: .seconds(9999)).isEmpty)
        #expect(plan.contains(lobby, .rfc1459))
        #expect(!plan.contains(ChannelName("#other", .rfc1459), .rfc1459))
    }

    @Test("a refusal that may pass is tried again ever later, five times", arguments: [471, 473, 475, 477, 480])
    func passing(numeric: Int) {
        var plan = joining()
        var now = Duration.zero
        for minutes in [5, 15, 60, 60, 60] {
            let wait = Duration.seconds(minutes * 60)
            #expect(plan.refused(lobby, by: numeric, at: now, .rfc1459) == .retry(after: wait))
            #expect(plan.next == now + wait)
            #expect(plan.due(at: now + wait - .seconds(1)).isEmpty)
            now += wait
            #expect(plan.due(at: now).map(\.name) == ["#lobby"])
        }
        #expect(plan.refused(lobby, by: numeric, at: now, .rfc1459) == .givenUp)
        #expect(plan.next == nil)
    }

    @Test("a ban or a mistake is not tried again on this connection", arguments: [403, 405, 470, 474, 476, 479])
    func final(numeric: Int) {
        var plan = joining()
        #expect(plan.refused(lobby, by: numeric, at: .zero, .rfc1459) == .givenUp)
        #expect(plan.due(at: .seconds(99_999)).isEmpty)
        plan.reset()
        #expect(plan.due(at: .seconds(99_999)).count == 1)
    }

    @Test("a refusal counts only while joining: the same numerics refuse what was said")
    func inside() {
        var plan = joining()
        plan.entered(lobby, .rfc1459)
        #expect(plan.refused(lobby, by: 477, at: .zero, .rfc1459) == nil)
    }

    @Test(
        "a kick is answered by one return, a minute later; a second within the hour is obeyed, also after a reconnect")
    func kicks() {
        var plan = joining()
        plan.entered(lobby, .rfc1459)
        #expect(plan.kicked(from: lobby, at: .zero, .rfc1459) == .retry(after: .seconds(60)))
        plan.reset()
        #expect(plan.due(at: .seconds(59)).isEmpty)
        #expect(plan.due(at: .seconds(60)).count == 1)
        plan.entered(lobby, .rfc1459)
        #expect(plan.kicked(from: lobby, at: .seconds(1000), .rfc1459) == .givenUp)
        plan.reset()
        #expect(plan.due(at: .seconds(99_999)).isEmpty)
    }

    @Test("kicks an hour apart are each answered")
    func rareKicks() {
        var plan = joining()
        #expect(plan.kicked(from: lobby, at: .zero, .rfc1459) == .retry(after: .seconds(60)))
        #expect(plan.kicked(from: lobby, at: .seconds(4000), .rfc1459) == .retry(after: .seconds(60)))
    }
}
