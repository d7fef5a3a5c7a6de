import Domain
import Testing

@testable import IRCProtocol

@Suite("Who is an operator of a channel")
struct ChannelModesTests {
    private func support(_ tokens: String) throws -> ISupport {
        var support = ISupport()
        support.update(try #require(IRCMessage(":irc.test 005 bot \(tokens) :are supported by this server")))
        return support
    }

    private func changes(_ modes: String, _ support: ISupport) -> [String] {
        support.rankChanges(modes.split(separator: " ").map(String.init)).map {
            "\($0.isHeld ? "+" : "-")\($0.rank) \($0.nick)"
        }
    }

    @Test("whoever has o or a rank above it; half operators and voiced people are none")
    func ranks() throws {
        let support = try support("PREFIX=(qaohv)~&@%+")
        #expect("~&@%+!".map { support.operatorRank(of: $0) } == ["q", "a", "o", nil, nil, nil])
        #expect(ISupport().operatorRank(of: "@") == "o")
        #expect(try self.support("PREFIX=").operatorRank(of: "@") == nil)
        #expect(try self.support("PREFIX=(v)+").operatorRanks.isEmpty)
    }

    @Test("a MODE line gives each letter its parameter by its kind, so that no rank is read off another's")
    func parameters() throws {
        let support = try support("PREFIX=(qaohv)~&@%+ CHANMODES=beI,k,lfH,imnpst")
        #expect(changes("+bov *!*@* alice bob", support) == ["+o alice"])
        #expect(changes("+l-lo 10 alice", support) == ["-o alice"])
        #expect(changes("-k+q key alice", support) == ["+q alice"])
        #expect(changes("+nt-ao+h alice bob carol", support) == ["-a alice", "-o bob"])
        #expect(changes("+ooo alice bob", support) == ["+o alice", "+o bob"])
        #expect(changes("+Xo alice", support) == ["+o alice"])
        #expect(changes("", support).isEmpty)
    }

    @Test("text is to be plain where a switch says so, by whatever line tells it")
    func plainText() throws {
        let support = try support("PREFIX=(ov)@+ CHANMODES=b,k,l,ScnT")
        #expect(support.plainTextChanges(["+bnc", "*!*@*"]) == ["c": true])
        #expect(support.plainTextChanges(["+c-cS"]) == ["c": false, "S": false])
        #expect(support.plainTextChanges(["+ov", "S", "c"]).isEmpty)
        #expect(try self.support("CHANMODES=b,c,S,nt").plainTextChanges(["+cS", "1", "2"]).isEmpty)
        #expect(ISupport().plainTextChanges(["+c"]).isEmpty)
    }

    @Test("without CHANMODES the protocol's own modes are known")
    func old() {
        #expect(changes("+kob key alice *!*@*", ISupport()) == ["+o alice"])
    }
}
