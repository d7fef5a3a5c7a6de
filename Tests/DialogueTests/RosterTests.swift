import Domain
import Testing

@testable import Dialogue

/// The rules of logins, without a bot around them.
@Suite struct RosterTests {
    /// One connection, with the bot in `#a` and `#b`.
    private struct Network {
        let connection = ConnectionID(network: NetworkName("net"), epoch: 1)
        var mapping = CaseMapping.rfc1459
        var roster = Roster()
        var now = Duration.zero

        init(_ mapping: CaseMapping = .rfc1459) {
            self.mapping = mapping
            happens(.online(nick: nick("bot"), mapping: mapping))
            for name in ["#a", "#b"] { happens(.entered(channel(name))) }
        }

        func nick(_ name: String) -> Nick { Nick(name, mapping) }
        func channel(_ name: String) -> ChannelName { ChannelName(name, mapping) }
        func person(_ name: String, _ host: String = "home", services: String? = nil) -> Person {
            Person(nick: nick(name), user: "u", host: host, servicesAccount: services)
        }

        @discardableResult
        mutating func happens(_ kind: ChatEvent.Kind) -> [EndedLogin] { roster.take(ChatEvent(connection, kind)) }

        mutating func hears(_ person: Person) -> Roster.Hearing { roster.heard(person, on: connection, now: now) }

        /// The account that a line of this person would be taken for.
        mutating func account(of person: Person) -> Int64? { hears(person).login?.account.id.value }

        @discardableResult
        mutating func logsIn(_ person: Person, to account: Int64 = 1) throws -> [EndedLogin]? {
            let visit = try #require(hears(person).visit)
            return roster.logIn(visit, to: .numbered(account), at: Timestamp(milliseconds: 0), now: now)
        }
    }

    @Test func `a login holds for the lines of its visit`() throws {
        var net = Network()
        net.happens(.joined(net.person("alice"), net.channel("#a")))
        #expect(net.account(of: net.person("alice")) == nil)
        try net.logsIn(net.person("alice"))
        #expect(net.account(of: net.person("ALICE")) == 1)
        #expect(net.account(of: net.person("bob")) == nil)
    }

    @Test func `someone who shares no channel has no visit to log in`() {
        var net = Network()
        #expect(net.hears(net.person("alice")).visit == nil)
    }

    @Test func `a login ends with QUIT, and the next one under the nick has none`() throws {
        var net = Network()
        net.happens(.joined(net.person("alice"), net.channel("#a")))
        try net.logsIn(net.person("alice"))
        #expect(net.happens(.quit(net.nick("alice"))).map(\.reason) == [.gone])
        net.happens(.joined(net.person("alice"), net.channel("#a")))
        #expect(net.account(of: net.person("alice")) == nil)
    }

    @Test func `a login ends when the last shared channel is left, not before`() throws {
        var net = Network()
        for name in ["#a", "#b"] { net.happens(.joined(net.person("alice"), net.channel(name))) }
        try net.logsIn(net.person("alice"))
        #expect(net.happens(.left(net.nick("alice"), net.channel("#a"))).isEmpty)
        #expect(net.account(of: net.person("alice")) == 1)
        #expect(net.happens(.left(net.nick("alice"), net.channel("#b"))).map(\.reason) == [.outOfSight])
        #expect(net.hears(net.person("alice")).visit == nil)
    }

    @Test func `a login ends when the bot loses the last shared channel or the connection`() throws {
        var net = Network()
        net.happens(.joined(net.person("alice"), net.channel("#a")))
        net.happens(.joined(net.person("bob"), net.channel("#b")))
        try net.logsIn(net.person("alice"))
        try net.logsIn(net.person("bob"), to: 2)
        let ended = net.happens(.expelled(net.channel("#a"), reason: "kicked"))
        #expect(ended.map(\.account.id.value) == [1])
        #expect(net.happens(.offline(reason: "")).map(\.account.id.value) == [2])
        #expect(net.account(of: net.person("bob")) == nil)
    }

    @Test func `a list of members takes the place of what was known`() throws {
        var net = Network()
        net.happens(.joined(net.person("alice"), net.channel("#a")))
        try net.logsIn(net.person("alice"))
        let ended = net.happens(.members(net.channel("#a"), [Member(net.nick("bot")), Member(net.nick("bob"))]))
        #expect(ended.map(\.reason) == [.gone])
        #expect(net.hears(net.person("bob")).visit != nil)
    }

    @Test func `a line from another address ends the login and is somebody else's`() throws {
        var net = Network()
        net.happens(.joined(net.person("alice"), net.channel("#a")))
        try net.logsIn(net.person("alice"))
        let hearing = net.hears(net.person("alice", "elsewhere"))
        #expect(hearing.login == nil)
        #expect(hearing.ended?.reason == .addressChanged)
        #expect(net.hears(net.person("alice", "elsewhere")).ended == nil)
        #expect(net.account(of: net.person("alice")) == nil)
    }

    @Test func `an announced change of host is followed, one that does not fit is not`() throws {
        var net = Network()
        net.happens(.joined(net.person("alice"), net.channel("#a")))
        try net.logsIn(net.person("alice"))
        #expect(net.happens(.moved(net.person("alice"), user: "u", host: "cloak")).isEmpty)
        #expect(net.account(of: net.person("alice", "cloak")) == 1)
        let ended = net.happens(.moved(net.person("alice", "elsewhere"), user: "u", host: "x"))
        #expect(ended.map(\.reason) == [.addressChanged])
        #expect(net.account(of: net.person("alice", "x")) == nil)
    }

    @Test func `a change of services account ends the login, whichever line tells it`() throws {
        for change in ["mallory", nil] as [String?] {
            var net = Network()
            let alice = net.person("alice", services: "alice")
            let changed = net.person("alice", services: change)
            net.happens(.joined(alice, net.channel("#a")))
            try net.logsIn(alice)
            #expect(net.happens(.servicesAccount(changed)).map(\.reason) == [.servicesAccountChanged])

            try net.logsIn(alice)
            #expect(net.hears(changed).ended?.reason == .servicesAccountChanged)
        }
    }

    @Test func `a logout from services ends the login also where lines carry no account`() throws {
        var net = Network()
        net.happens(.joined(net.person("alice", services: "alice"), net.channel("#a")))
        try net.logsIn(net.person("alice"))
        #expect(net.happens(.servicesAccount(net.person("alice"))).map(\.reason) == [.servicesAccountChanged])
    }

    @Test func `a join that tells the services account changes nothing where lines do not tell it`() throws {
        var net = Network()
        net.happens(.joined(net.person("alice", services: "alice"), net.channel("#a")))
        try net.logsIn(net.person("alice"))
        net.happens(.joined(net.person("alice", services: "alice"), net.channel("#b")))
        #expect(net.account(of: net.person("alice")) == 1)
    }

    @Test func `a login follows the nick if the whole old mask matches`() throws {
        var net = Network()
        net.happens(.joined(net.person("alice"), net.channel("#a")))
        try net.logsIn(net.person("alice"))
        #expect(net.happens(.renamed(net.person("alice"), to: net.nick("alice2"))).isEmpty)
        #expect(net.account(of: net.person("alice2")) == 1)
        #expect(net.account(of: net.person("alice")) == nil)
        #expect(net.happens(.renamed(net.person("alice2"), to: net.nick("ALICE2"))).isEmpty)
        #expect(net.account(of: net.person("Alice2")) == 1)
        let ended = net.happens(.renamed(net.person("alice2", "elsewhere"), to: net.nick("alice3")))
        #expect(ended.map(\.reason) == [.addressChanged])
        #expect(net.account(of: net.person("alice3", "elsewhere")) == nil)
    }

    @Test func `someone who takes a logged-in nick ends that login first`() throws {
        var net = Network()
        for name in ["alice", "bob"] { net.happens(.joined(net.person(name), net.channel("#a"))) }
        try net.logsIn(net.person("alice"))
        #expect(net.happens(.renamed(net.person("bob"), to: net.nick("alice"))).map(\.reason) == [.nickTaken])
        #expect(net.account(of: net.person("alice")) == nil)
    }

    @Test func `two people who swap nicks through a third keep their own logins`() throws {
        var net = Network()
        let alice = net.person("alice", "wonderland")
        let bob = net.person("bob", "builder")
        for person in [alice, bob] { net.happens(.joined(person, net.channel("#a"))) }
        try net.logsIn(alice, to: 1)
        try net.logsIn(bob, to: 2)
        net.happens(.renamed(alice, to: net.nick("tmp")))
        net.happens(.renamed(bob, to: net.nick("alice")))
        net.happens(.renamed(net.person("tmp", "wonderland"), to: net.nick("bob")))
        #expect(net.account(of: net.person("bob", "wonderland")) == 1)
        #expect(net.account(of: net.person("alice", "builder")) == 2)
    }

    @Test func `casemapping decides whether two nicks are one`() throws {
        for (mapping, isOne) in [(CaseMapping.rfc1459, true), (.ascii, false)] {
            var net = Network(mapping)
            net.happens(.joined(net.person("a[b"), net.channel("#a")))
            if !isOne { net.happens(.joined(net.person("a{b"), net.channel("#a"))) }
            try net.logsIn(net.person("a[b"))
            #expect(net.account(of: net.person("a{b")) == (isOne ? 1 : nil))
        }
    }

    @Test func `a change of casemapping keeps logins, and ends those whose nicks become one`() throws {
        var net = Network(.ascii)
        for name in ["a[b", "a{b", "carol"] { net.happens(.joined(net.person(name, name), net.channel("#a"))) }
        for (name, id) in [("a[b", 1), ("a{b", 2), ("carol", 3)] as [(String, Int64)] {
            try net.logsIn(net.person(name, name), to: id)
        }
        net.mapping = .rfc1459
        #expect(Set(net.happens(.casemapping(.rfc1459)).map(\.account.id.value)) == [1, 2])
        #expect(net.account(of: net.person("CAROL", "carol")) == 3)
        #expect(net.account(of: net.person("a[b", "a[b")) == nil)
    }

    @Test func `operators are known by NAMES and MODE, take their rank to another nick, and lose it when they leave`() {
        var net = Network()
        let isOperator = { (net: Network, name: String) in
            net.roster.presence(on: net.connection)?.isOperator(net.nick(name), of: net.channel("#a"))
        }
        net.happens(.members(net.channel("#a"), [Member(net.nick("alice"), ranks: ["o"]), Member(net.nick("bob"))]))
        #expect(isOperator(net, "ALICE") == true && isOperator(net, "bob") == false)
        net.happens(.ranked(net.nick("bob"), net.channel("#a"), rank: "o", isHeld: true))
        net.happens(.ranked(net.nick("alice"), net.channel("#a"), rank: "q", isHeld: true))
        net.happens(.ranked(net.nick("alice"), net.channel("#a"), rank: "o", isHeld: false))
        net.happens(.ranked(net.nick("stranger"), net.channel("#a"), rank: "o", isHeld: true))
        #expect(isOperator(net, "alice") == true, "an owner is one without o, too")
        #expect(isOperator(net, "bob") == true && isOperator(net, "stranger") == false)
        net.happens(.renamed(net.person("alice"), to: net.nick("alicia")))
        #expect(isOperator(net, "alicia") == true && isOperator(net, "alice") == false)
        net.happens(.left(net.nick("bob"), net.channel("#a")))
        net.happens(.joined(net.person("bob"), net.channel("#a")))
        #expect(isOperator(net, "bob") == false)
        #expect(net.roster.presence(on: net.connection)?.isOperator(net.nick("alicia"), of: net.channel("#b")) == false)
        net.mapping = .ascii
        net.happens(.casemapping(.ascii))
        #expect(isOperator(net, "alicia") == true)
        net.happens(.quit(net.nick("alicia")))
        #expect(isOperator(net, "alicia") == false)
    }

    @Test func `what NAMES and WHO show of an address is compared like a line`() throws {
        for isList in [true, false] {
            var net = Network()
            net.happens(.members(net.channel("#a"), [Member(net.nick("alice"), person: net.person("alice"))]))
            try net.logsIn(net.person("alice"))
            let show = { (person: Person) -> ChatEvent.Kind in
                isList
                    ? .members(net.channel("#a"), [Member(person.nick, person: person)]) : .seen(person, isBot: false)
            }
            #expect(net.happens(show(net.person("alice"))).isEmpty)
            #expect(net.account(of: net.person("alice")) == 1)
            let ended = net.happens(show(net.person("alice", "elsewhere")))
            #expect(ended.map(\.account.id.value) == [1])
            #expect(net.account(of: net.person("alice", "elsewhere")) == nil)
        }
    }

    @Test func `another services account than at login ends it also where WHO tells, its absence there does not`()
        throws
    {
        var net = Network()
        let alice = net.person("alice", services: "alice")
        net.happens(.joined(alice, net.channel("#a")))
        try net.logsIn(alice)
        #expect(net.happens(.seen(net.person("alice"), isBot: false)).isEmpty)
        #expect(net.account(of: alice) == 1)
        #expect(net.happens(.seen(net.person("alice", services: "mallory"), isBot: false)).count == 1)
        #expect(net.account(of: alice) == nil)
    }

    @Test func `a renamed channel has the same members and the name it was configured by`() throws {
        var net = Network()
        net.happens(.joined(net.person("alice"), net.channel("#a")))
        try net.logsIn(net.person("alice"))
        net.happens(.channelRenamed(net.channel("#a"), to: net.channel("#c")))
        net.happens(.channelRenamed(net.channel("#c"), to: net.channel("#d")))
        #expect(net.account(of: net.person("alice")) == 1)
        let presence = try #require(net.roster.presence(on: net.connection))
        #expect(presence.isMember(net.nick("alice"), of: net.channel("#d")))
        #expect(presence.configuredName(of: net.channel("#d")) == net.channel("#a"))
        #expect(presence.configuredName(of: net.channel("#b")) == net.channel("#b"))
        #expect(net.happens(.left(net.nick("alice"), net.channel("#d"))).count == 1)
    }

    @Test func `a login ends after twelve silent hours and after a week`() throws {
        var net = Network()
        net.happens(.joined(net.person("alice"), net.channel("#a")))
        try net.logsIn(net.person("alice"))
        for _ in 0..<14 {
            net.now += .seconds(11 * 3600)
            #expect(net.account(of: net.person("alice")) == 1)
        }
        net.now += .seconds(12 * 3600)
        #expect(net.hears(net.person("alice")).ended?.reason == .idle)
        try net.logsIn(net.person("alice"))
        for _ in 0..<15 {
            net.now += .seconds(11 * 3600)
            _ = net.hears(net.person("alice"))
        }
        net.now += .seconds(4 * 3600)
        #expect(net.hears(net.person("alice")).ended?.reason == .expired)
    }

    @Test func `a fourth login of an account ends the oldest`() throws {
        var net = Network()
        for (index, name) in ["one", "two", "three", "four"].enumerated() {
            net.happens(.joined(net.person(name), net.channel("#a")))
            net.now += .seconds(1)
            let crowdedOut = try net.logsIn(net.person(name))
            #expect(crowdedOut?.map(\.nick.spelling) == (index < 3 ? [] : ["one"]))
        }
        #expect(net.account(of: net.person("one")) == nil)
        #expect(net.account(of: net.person("two")) == 1)
    }

    @Test func `a visit that is over cannot be logged in, whoever has the nick now`() throws {
        var net = Network()
        net.happens(.joined(net.person("alice"), net.channel("#a")))
        let visit = try #require(net.hears(net.person("alice")).visit)
        net.happens(.quit(net.nick("alice")))
        net.happens(.joined(net.person("alice"), net.channel("#a")))
        #expect(net.roster.logIn(visit, to: .numbered(1), at: Timestamp(milliseconds: 0), now: .zero) == nil)
        #expect(net.account(of: net.person("alice")) == nil)
    }
}

extension Account {
    fileprivate static func numbered(_ id: Int64) -> Account {
        guard let name = AccountName("account\(id)") else { preconditionFailure("not an account name") }
        return Account(
            id: AccountID(id), name: name, email: nil, firstName: nil, lastName: nil,
            registeredAt: Timestamp(milliseconds: 0))
    }
}
