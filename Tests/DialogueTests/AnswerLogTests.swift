import Domain
import TestKit
import Testing

@testable import Dialogue

@Suite struct AnswerLogTests {
    private static let connection = ConnectionID(network: NetworkName("test"), epoch: 1)

    private static func key(_ name: String, epoch: UInt64 = 1) -> SpokenKey {
        let connection = ConnectionID(network: NetworkName("test"), epoch: epoch)
        return SpokenKey(connection: connection, target: .channel(ChannelName(name, .ascii)))
    }

    private static func spoken(_ exchange: Int64) throws -> Spoken {
        let turn = try Turn.sample(TurnID(number: UInt64(exchange)), of: exchange)
        return Spoken(exchange: ExchangeID(exchange), number: Int(exchange), turn: turn)
    }

    private func log(saying exchanges: Int64..., isFormatted: Bool = false) throws -> AnswerLog {
        var log = AnswerLog()
        for exchange in exchanges { log.begin(try Self.spoken(exchange), at: Self.key("#a"), isFormatted: isFormatted) }
        return log
    }

    @Test func `a refusal concerns what is being said there, else the last one, if that was lately`() throws {
        let key = Self.key("#a")
        var log = try log(saying: 1, 2)
        #expect(log.refusable(at: key, now: .zero) == ExchangeID(1))
        log.end(ExchangeID(1), at: key, now: .zero)
        #expect(log.refusable(at: key, now: .zero) == ExchangeID(2))
        log.end(ExchangeID(2), at: key, now: .seconds(1))
        #expect(log.refusable(at: key, now: .seconds(61)) == ExchangeID(2))
        #expect(log.refusable(at: key, now: .seconds(62)) == nil)
        #expect(log.refusable(at: Self.key("#b"), now: .zero) == nil)
    }

    @Test func `each answer is refused once`() throws {
        var log = try log(saying: 1)
        #expect(log.refuse(ExchangeID(1), at: Self.key("#a"))?.consequence == .isUndelivered)
        #expect(log.refuse(ExchangeID(1), at: Self.key("#a")) == nil)
        #expect(log.refuse(ExchangeID(2), at: Self.key("#a")) == nil)
    }

    @Test func `a formatted answer that was refused is said plainly once, and what is refused there then is not`()
        throws
    {
        let key = Self.key("#a")
        var log = try log(saying: 1, isFormatted: true)
        #expect(!log.isPlain(key))
        #expect(log.refuse(ExchangeID(1), at: key)?.consequence == .isSaidPlainly)
        #expect(log.isPlain(key) && log.isRefusedFormatted(ExchangeID(1), at: key))
        let claims = [log.claim(ExchangeID(1), at: key), log.claim(ExchangeID(1), at: key)]
        #expect(claims == [true, false])
        log.begin(try Self.spoken(2), at: key, isFormatted: true)
        #expect(log.refuse(ExchangeID(2), at: key)?.consequence == .isUndelivered)
    }

    @Test func `what a connection refused is forgotten with it`() throws {
        var log = try log(saying: 1, isFormatted: true)
        _ = log.refuse(ExchangeID(1), at: Self.key("#a"))
        let next = Self.key("#a", epoch: 2)
        log.begin(try Self.spoken(2), at: next, isFormatted: true)
        #expect(log.refuse(ExchangeID(2), at: next)?.consequence == .isSaidPlainly)
        #expect(!log.isPlain(Self.key("#a")) && log.isPlain(next))
    }

    @Test func `two places that become one are known as both were`() throws {
        let (one, other) = (Self.key("#a"), Self.key("#b"))
        var log = try log(saying: 2)
        log.begin(try Self.spoken(1), at: other, isFormatted: true)
        _ = log.refuse(ExchangeID(1), at: other)
        log.rekey { _ in one }
        #expect(log.isPlain(one) && log.isRefused(ExchangeID(1), at: one))
        #expect(log.refusable(at: one, now: .zero) == ExchangeID(1))
        #expect(log.turns(sayingIn: ChannelName("#a", .ascii), on: Self.connection).count == 2)
    }

    @Test(arguments: 0..<30) func `whatever happens in whatever order, the rules hold`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var log = AnswerLog()
        let keys = ["#a", "#b", "#c"].map { Self.key($0) }
        var open: [SpokenKey: [ExchangeID]] = [:]
        var refused: Set<ExchangeID> = []
        var plain: Set<SpokenKey> = []
        var formatted: Set<ExchangeID> = []
        for number in 1...400 {
            let key = keys.randomElement(using: &random) ?? keys[0]
            let now = Duration.seconds(number)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let exchange = ExchangeID(Int64(number))
                let isFormatted = Bool.random(using: &random)
                log.begin(try Self.spoken(Int64(number)), at: key, isFormatted: isFormatted)
                open[key, default: []].append(exchange)
                if isFormatted { formatted.insert(exchange) }
                #expect(log.isAlone(exchange, at: key) == (open[key] == [exchange]))
            case 2:
                guard let exchange = open[key]?.randomElement(using: &random) else { break }
                log.end(exchange, at: key, now: now)
                open[key]?.removeAll { $0 == exchange }
            default:
                guard let exchange = log.refusable(at: key, now: now) else {
                    #expect(open[key, default: []].isEmpty)
                    break
                }
                if let first = open[key]?.first { #expect(exchange == first) }
                let consequence = log.refuse(exchange, at: key)?.consequence
                #expect((consequence == nil) == refused.contains(exchange))
                if consequence == .isSaidPlainly {
                    #expect(formatted.contains(exchange) && !plain.contains(key))
                    plain.insert(key)
                }
                refused.insert(exchange)
            }
            for key in keys {
                #expect(log.isPlain(key) == plain.contains(key))
                guard case .channel(let name) = key.target else { continue }
                let saying = log.turns(sayingIn: name, on: key.connection).map(\.number).sorted()
                #expect(saying == open[key, default: []].map { UInt64($0.value) }.sorted())
            }
        }
    }
}
