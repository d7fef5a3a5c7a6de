/// What a server might send if it were broken, or wanted to break a bot.
public enum MutatedLines {
    /// Lines of every kind that a server sends to a bot that is online, but none that ends the connection.
    private static let seeds = [
        ":alice!a@home PRIVMSG #lobby :good morning", ":alice!a@home PRIVMSG confab :\u{1}ACTION waves\u{1}",
        "@time=2026-01-01T00:00:00.000Z;account=al;bot :alice!a@home PRIVMSG #lobby :grüße 🙂",
        ":bob!b@away JOIN #lobby bobby :Bob", ":bob!b@away PART #lobby :bye", ":bob!b@away QUIT :gone",
        ":bob!b@away NICK :rob", ":op!o@o KICK #lobby bob :out", ":op!o@o MODE #lobby +o bob",
        ":op!o@o TOPIC #lobby :x",
        ":bob!b@away ACCOUNT *", ":bob!b@away CHGHOST u h", ":irc.test 353 confab = #lobby :@alice +bob",
        ":irc.test 366 confab #lobby :End", ":irc.test 404 confab #elsewhere :Cannot send", ":irc.test 396 confab h :x",
        ":irc.test 005 confab CHANTYPES=# PREFIX=(ov)@+ STATUSMSG=@+ NICKLEN=30 :are supported",
        ":irc.test BATCH +1 netsplit a b", "@batch=1 :bob!b@away QUIT :a b", ":irc.test BATCH -1",
        ":irc.test CAP confab NEW :batch sasl", ":irc.test CAP confab DEL :batch", "AUTHENTICATE +", "PING :token",
        ":alice!a@home BATCH +2 draft/multiline #lobby", "@batch=2 :alice!a@home PRIVMSG #lobby :one",
        "@batch=2;draft/multiline-concat :alice!a@home PRIVMSG #lobby :two", ":irc.test BATCH -2",
        ":irc.test FAIL BATCH MULTILINE_INVALID :no", ":irc.test CAP confab NEW :draft/multiline=max-bytes=4096",
        ":alice!a@home NOTICE confab :hi", ":alice!a@home INVITE confab #x", ":irc.test 903 confab :ok", ":alice AWAY",
    ]

    /// One of them, changed in a few places, with its end.
    private static func mutated(_ dice: inout SeededGenerator) -> [UInt8] {
        var line = Array((seeds.randomElement(using: &dice) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...4, using: &dice) {
            let place = Int.random(in: 0...line.count, using: &dice)
            switch Int.random(in: 0..<6, using: &dice) {
            case 0: line.insert(UInt8.random(in: 0...255, using: &dice), at: place)
            case 1:
                line.insert(
                    contentsOf: [0x20, 0x3A, 0x01, 0x40, 0x21, 0x0A].shuffled(using: &dice).prefix(2), at: place)
            case 2: line.removeSubrange(place..<min(line.count, place + Int.random(in: 0...8, using: &dice)))
            case 3: line.insert(contentsOf: line[..<place], at: place)
            case 4:
                line.insert(contentsOf: repeatElement(0x7A, count: Int.random(in: 0...1500, using: &dice)), at: place)
            default: if place < line.count { line[place] = UInt8.random(in: 0...255, using: &dice) }
            }
        }
        return line + [0x0D, 0x0A]
    }

    /// So many of them, the same for the same dice, and then lines that undo what they may have said of the server and the channel.
    public static func next(_ count: Int, _ dice: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes += mutated(&dice) }
        let amends = [
            "", ":irc.test 005 confab CHANTYPES=# STATUSMSG=@+ CASEMAPPING=rfc1459 :are",
            ":irc.test 353 confab = #lobby :confab alice bob", ":irc.test 366 confab #lobby :End of NAMES", "",
        ]
        return bytes + Array(amends.joined(separator: "\r\n").utf8)
    }
}
