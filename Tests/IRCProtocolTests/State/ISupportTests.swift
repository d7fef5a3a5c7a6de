import Domain
import Testing

@testable import IRCProtocol

@Suite("ISUPPORT")
struct ISupportTests {
    private func support(_ tokens: String...) throws -> ISupport {
        var support = ISupport()
        for line in tokens {
            support.update(try #require(IRCMessage(":irc.test 005 bot \(line) :are supported by this server")))
        }
        return support
    }

    @Test("has the protocol's defaults until the server speaks")
    func defaults() throws {
        let support = ISupport()
        #expect(support.caseMapping == .rfc1459)
        #expect(support.channelTypes == "#&")
        #expect(support.memberMarks == "@+")
        #expect(support.statusMarks.isEmpty)
        #expect(support.nickLength == 30)
        #expect(support.lineLength == 512)
        #expect(support.operatorRanks == "o")
        #expect(support.monitorLimit == nil)
        #expect(support.botMode == nil)
    }

    @Test("understands every token the bot goes by, over several lines")
    func tokens() throws {
        let support = try support(
            "CASEMAPPING=ascii CHANTYPES=#! PREFIX=(qaohv)~&@%+ STATUSMSG=@+ NICKLEN=9",
            #"LINELEN=1024 MONITOR=30 WHOX BOT=B NETWORK=Ex\x20ample CHANMODES=b,k,l,imnpst"#)
        #expect(support.caseMapping == .ascii)
        #expect(support.channelTypes == "#!")
        #expect(support.memberMarks == "~&@%+")
        #expect(support.statusMarks == "@+")
        #expect(support.nickLength == 9)
        #expect(support.lineLength == 1024)
        #expect(support.monitorLimit == 30)
        #expect(support.isWHOXOffered)
        #expect(support.botMode == "B")
        #expect(support.networkName == "Ex ample")
        #expect(support.channelModes == ["b", "k", "l", "imnpst"])
    }

    @Test(
        "knows which client tags the server throws away",
        arguments: [("*", true), ("*,-typing", false), ("typing", true), ("reply,-typing", false), ("", false)])
    func deniedTags(list: String, isDenied: Bool) throws {
        #expect(try support("CLIENTTAGDENY=\(list)").deniesTag("typing") == isDenied)
    }

    @Test("forgets what the server withdraws, and takes what it changes")
    func changes() throws {
        let support = try support("CASEMAPPING=ascii BOT=B NICKLEN=9", "-BOT CASEMAPPING=rfc1459 -NICKLEN")
        #expect(support.caseMapping == .rfc1459)
        #expect(support.botMode == nil)
        #expect(support.nickLength == 30)
    }

    @Test("nonsense in a number or a prefix changes nothing")
    func nonsense() throws {
        let support = try support("NICKLEN=x LINELEN=-5 PREFIX=@+ MONITOR CHANMODES")
        #expect(support.nickLength == 30)
        #expect(support.lineLength == 512)
        #expect(support.memberMarks.isEmpty)
        #expect(support.monitorLimit == .max)
    }

    @Test("tells channels from nicks, and takes status marks off a target")
    func targets() throws {
        let support = try support("CHANTYPES=# STATUSMSG=@+")
        #expect(support.channel(of: "@#Lobby") == ChannelName("#lobby", .rfc1459))
        #expect(support.channel(of: "@+#lobby")?.spelling == "#lobby")
        #expect(support.channel(of: "&lobby") == nil)
        #expect(support.channel(of: "confab") == nil)
        #expect(support.channel(of: "@") == nil)
        #expect(support.channel(of: "") == nil)
        #expect(support.place(of: "@#lobby") == .ranks("@", ChannelName("#lobby", .rfc1459)))
        #expect(support.place(of: "#lobby") == .channel(ChannelName("#lobby", .rfc1459)))
    }
}
