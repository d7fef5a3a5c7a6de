import Domain
import Testing

@testable import Dialogue

@Suite struct ExpectedSecretsTests {
    private static let connection = ConnectionID(network: NetworkName("test"), epoch: 1)
    private static let channel = ChannelName("#a", .ascii)

    private static func lane(_ nick: String) -> Lane { Lane(connection: connection, nick: Nick(nick, .ascii)) }

    @Test func `the next line of whoever said login there is taken for a password, and only that one`() {
        var expected = ExpectedSecrets()
        expected.expect(from: Self.lane("alice"), in: Self.channel, at: .zero)
        let answer1 = expected.takes("tiger", from: Self.lane("bob"), in: Self.channel, at: .seconds(1))
        #expect(!answer1)
        let answer2 = expected.takes("tiger", from: Self.lane("alice"), in: ChannelName("#b", .ascii), at: .seconds(1))
        #expect(!answer2)
        let answer3 = expected.takes("tiger", from: Self.lane("alice"), in: Self.channel, at: .seconds(1))
        #expect(answer3)
        let answer4 = expected.takes("tiger", from: Self.lane("alice"), in: Self.channel, at: .seconds(1))
        #expect(!answer4)
    }

    @Test func `not so a sentence, nor what comes a minute later`() {
        var expected = ExpectedSecrets()
        expected.expect(from: Self.lane("alice"), in: Self.channel, at: .zero)
        let answer5 = expected.takes("oh well never mind", from: Self.lane("alice"), in: Self.channel, at: .seconds(1))
        #expect(!answer5)
        expected.expect(from: Self.lane("alice"), in: Self.channel, at: .zero)
        let answer6 = expected.takes("tiger", from: Self.lane("alice"), in: Self.channel, at: .seconds(60))
        #expect(!answer6)
    }

    @Test func `of more people than it remembers the latest are remembered`() {
        var expected = ExpectedSecrets()
        for number in 0...ExpectedSecrets.most {
            expected.expect(from: Self.lane("u\(number)"), in: Self.channel, at: .zero)
        }
        let answer7 = expected.takes("tiger", from: Self.lane("u0"), in: Self.channel, at: .zero)
        #expect(!answer7)
        let answer8 = expected.takes("tiger", from: Self.lane("u1"), in: Self.channel, at: .zero)
        #expect(answer8)
    }
}
