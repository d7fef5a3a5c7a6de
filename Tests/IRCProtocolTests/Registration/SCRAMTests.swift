import Domain
import Testing

@testable import IRCProtocol

/// Plays one side of an exchange by given words.
private struct Exchange {
    var scram: SCRAM

    init(_ hash: SHA2, account: String = "user", password: String = "pencil") throws {
        scram = try #require(
            SCRAM(hash, account: account, password: Secret(password), nonce: "rOprNGfwEbeRWgbNEkqO"))
    }

    /// What the bot answers, as text; the reason in brackets where it ends the login.
    mutating func hears(_ message: String) -> String { hears(bytes: Array(message.utf8)) }

    mutating func hears(bytes: [UInt8]) -> String {
        var step = scram.respond(to: bytes)
        if case .derive(let work) = step {
            let key = work.hash.stretch(
                Array(work.password.reveal().utf8), salt: work.salt, iterations: work.iterations)
            step = scram.derived(key, by: work) ?? .fail("not awaited")
        }
        switch step {
        case .respond(let payload): return String(decoding: payload, as: UTF8.self)
        case .fail(let reason): return "(\(reason))"
        case .derive: return "(again)"
        }
    }
}

private let offer = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
private let final = "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p="
private let signature = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="

@Suite("SCRAM")
struct SCRAMTests {
    @Test("the exchange of RFC 7677, section 3")
    func standard() throws {
        var exchange = try Exchange(.sha256)
        #expect(exchange.hears("") == "n,,n=user,r=rOprNGfwEbeRWgbNEkqO")
        #expect(exchange.hears(offer) == final + "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=")
        #expect(!exchange.scram.isProven)
        #expect(exchange.hears(signature) == "")
        #expect(exchange.scram.isProven)
    }

    @Test("the same by SHA-512, whose values Python's hashlib gave")
    func sha512() throws {
        var exchange = try Exchange(.sha512)
        _ = exchange.hears("")
        #expect(
            exchange.hears(offer) == final
                + "gMGXRcevScNtxZ6/8lQYpGtnsNAc3mGcmNomv+xnoOMw+3R2xNJdMNnzMlTN8PPC6wdp6dybEmDYXYTxwnYPJQ==")
        let right = "v=ZQnYEgWQMFmmsM8aQMF0nDDCy/AgCzkwk8CmMZYcMg0vSVlKDanekLtifDSeVGT4+5ZxXnJq199RVG2rR7N7Zw=="
        #expect(exchange.hears(right) == "")
        #expect(exchange.scram.isProven)
    }

    @Test("an account with = and a comma, and a password beyond ASCII")
    func escapes() throws {
        var exchange = try Exchange(.sha256, account: "a=b,c", password: "grüße 界")
        #expect(exchange.hears("") == "n,,n=a=3Db=2Cc,r=rOprNGfwEbeRWgbNEkqO")
        let answer = exchange.hears("r=rOprNGfwEbeRWgbNEkqOxyz,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=10000")
        #expect(answer == "c=biws,r=rOprNGfwEbeRWgbNEkqOxyz,p=JAUhZyPnyzHSGNggmFtaYr3Yl5SNxO2Qbzb6r1Tcbpk=")
        #expect(exchange.hears("v=EVbGSQ0j7j+4qlYQS6pyr0rKZTkrkq4J1dnmVatoWgw=,x=ignored") == "")
    }

    @Test(
        "an offer that no honest server makes is refused with its reason",
        arguments: [
            ("r=rOprNGfwEbeRWgbNEkqO,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "nonce"),
            ("r=other,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "nonce"),
            ("r=,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "nonce"),
            ("r=rOprNGfwEbeRWgbNEkqO x,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "nonce"),
            ("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4095", "asks for 4095 iterations"),
            ("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=1000001", "asks for 1000001 iterations"),
            ("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=-1", "asks for -1 iterations"),
            ("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=99999999999999999999", "malformed"),
            ("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==", "malformed"),
            ("r=rOprNGfwEbeRWgbNEkqOx,s=,i=4096", "malformed"),
            ("r=rOprNGfwEbeRWgbNEkqOx,s=!,i=4096", "malformed"),
            ("s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "malformed"),
            ("m=must,r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", "malformed"),
            ("", "malformed"), (",,,", "malformed"), ("e=unknown-user", "refuses it: unknown-user"),
            ("e=\u{1}rude words", "refuses it: other-error"),
        ])
    func dishonest(offer: String, words: String) throws {
        var exchange = try Exchange(.sha256)
        _ = exchange.hears("")
        let answer = exchange.hears(offer)
        #expect(answer.hasPrefix("(") && answer.contains(words), "\(answer)")
    }

    @Test(
        "nothing but the right signature proves the server",
        arguments: [
            "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95H4=", "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95A==", "v=",
            "v", "", "e=invalid-proof", "x=1,\(signature)", "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=",
        ])
    func forged(message: String) throws {
        var exchange = try Exchange(.sha256)
        _ = exchange.hears("")
        _ = exchange.hears(offer)
        #expect(exchange.hears(message).hasPrefix("("))
        #expect(!exchange.scram.isProven)
    }

    @Test("a server that speaks out of turn, or no UTF-8, is refused")
    func outOfTurn() throws {
        var early = try Exchange(.sha256)
        #expect(early.hears(offer).contains("out of turn"))
        var bytes = try Exchange(.sha256)
        _ = bytes.hears("")
        #expect(bytes.hears(bytes: [0x72, 0x3D, 0xFF]).contains("malformed"))
        var hasty = try Exchange(.sha256)
        _ = hasty.hears("")
        _ = hasty.scram.respond(to: Array(offer.utf8))
        #expect(hasty.scram.respond(to: Array(signature.utf8)) == .fail("the server speaks out of turn"))
    }

    @Test("each exchange has a nonce of its own, which no comma ends")
    func nonces() throws {
        let openings = try (0..<20).map { _ in
            var scram = try #require(SCRAM(.sha256, account: "user", password: Secret("pencil")))
            guard case .respond(let payload) = scram.respond(to: []) else { return "" }
            return String(decoding: payload, as: UTF8.self)
        }
        #expect(Set(openings).count == 20)
        #expect(
            openings.allSatisfy {
                $0.utf8.count == "n,,n=user,r=".utf8.count + 32 && $0.split(separator: ",").count == 3
            })
    }
}
