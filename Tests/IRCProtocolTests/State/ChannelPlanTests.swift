import Domain
import Testing

@testable import IRCProtocol

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

    @Test(
        "a refusal that may pass is tried again ever later, five times",
        arguments: [439, 471, 473, 475, 477, 480, 495, 500])
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

    @Test(
        "a ban or a mistake is not tried again on this connection",
        arguments: [403, 405, 448, 470, 474, 476, 479, 489, 519, 520, 926])
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
        #expect(plan.removed(from: lobby, at: .zero, .rfc1459) == .retry(after: .seconds(60)))
        plan.reset()
        #expect(plan.due(at: .seconds(59)).isEmpty)
        #expect(plan.due(at: .seconds(60)).count == 1)
        plan.entered(lobby, .rfc1459)
        #expect(plan.removed(from: lobby, at: .seconds(1000), .rfc1459) == .givenUp)
        plan.reset()
        #expect(plan.due(at: .seconds(99_999)).isEmpty)
    }

    @Test("kicks an hour apart are each answered")
    func rareKicks() {
        var plan = joining()
        #expect(plan.removed(from: lobby, at: .zero, .rfc1459) == .retry(after: .seconds(60)))
        #expect(plan.removed(from: lobby, at: .seconds(4000), .rfc1459) == .retry(after: .seconds(60)))
    }

    @Test("a nick or channel that the server holds back is waited for, five minutes at a time")
    func heldBack() {
        var plan = joining()
        for round in 0..<8 {
            let now = Duration.seconds(300 * round)
            #expect(plan.refused(lobby, by: 437, at: now, .rfc1459) == .retry(after: .seconds(300)))
            #expect(plan.due(at: now + .seconds(300)).count == 1)
        }
    }

    @Test("one channel that keeps the bot out concerns no other")
    func others() {
        var plan = ChannelPlan([ChannelSettings(name: "#lobby"), ChannelSettings(name: "#other")])
        let other = ChannelName("#other", .rfc1459)
        #expect(plan.due(at: .zero).count == 2)
        #expect(plan.refused(lobby, by: 474, at: .zero, .rfc1459) == .givenUp)
        #expect(plan.refused(other, by: 471, at: .zero, .rfc1459) == .retry(after: .seconds(300)))
        #expect(plan.due(at: .seconds(300)).map(\.name) == ["#other"])
    }

    @Test("an invitation opens a channel that was given up, once a minute, and no channel that is not meant")
    func invitations() {
        var plan = ChannelPlan([ChannelSettings(name: "#lobby"), ChannelSettings(name: "#other")])
        _ = plan.due(at: .zero)
        #expect(plan.refused(lobby, by: 474, at: .zero, .rfc1459) == .givenUp)
        #expect(plan.invited(to: ChannelName("#elsewhere", .rfc1459), at: .zero, .rfc1459) == false)
        #expect(plan.invited(to: ChannelName("#other", .rfc1459), at: .zero, .rfc1459) == false, "being joined already")
        #expect(plan.invited(to: lobby, at: .zero, .rfc1459) == true)
        #expect(plan.due(at: .zero).map(\.name) == ["#lobby"])
        #expect(plan.refused(lobby, by: 474, at: .zero, .rfc1459) == .givenUp)
        #expect(plan.invited(to: lobby, at: .seconds(59), .rfc1459) == false)
        #expect(plan.invited(to: lobby, at: .seconds(60), .rfc1459) == true)
        plan.entered(lobby, .rfc1459)
        #expect(plan.invited(to: lobby, at: .seconds(600), .rfc1459) == false)
    }

    @Test("an invitation within the hour of a kick is not taken, whoever sends it")
    func invitedAfterKick() {
        var plan = joining()
        for _ in 0..<2 { _ = plan.removed(from: lobby, at: .zero, .rfc1459) }
        #expect(plan.invited(to: lobby, at: .seconds(3599), .rfc1459) == false)
        #expect(plan.invited(to: lobby, at: .seconds(3600), .rfc1459) == true)
        #expect(plan.due(at: .seconds(3600)).count == 1)
    }

    @Test("a channel that was renamed is the same one until the connection ends")
    func renamed() {
        var plan = joining()
        plan.entered(lobby, .rfc1459)
        let parlour = ChannelName("#parlour", .rfc1459)
        #expect(plan.renamed(parlour, to: lobby, .rfc1459) == false)
        #expect(plan.renamed(lobby, to: parlour, .rfc1459) == true)
        #expect(plan.contains(parlour, .rfc1459) && !plan.contains(lobby, .rfc1459))
        #expect(plan.current(lobby, .rfc1459) == parlour)
        plan.reset()
        #expect(plan.due(at: .zero).map(\.name) == ["#lobby"])
        #expect(plan.contains(lobby, .rfc1459))
    }
}
