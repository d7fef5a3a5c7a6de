import Runtime
import TestKit

/// People on a scripted network who come, go, change nicks and talk to the bot, and a server that makes things up in between.
///
/// The town knows who is behind each nick. What belongs to one person's account carries a word of its own, so that each line
/// the bot sends to a nick tells by itself whether it reached the right one. A nick passes to somebody else only when the
/// bot has answered a PING since it became free: what it sends after that, it sends knowing.
struct FuzzedTown {
    struct Human {
        let account: String
        let address: String
        var nick: String?
        var isInside = false
        var isRegistered = false

        var password: String { "horse-of-\(account)-9" }
        /// In every question of theirs, and so in every answer and in their history.
        var canary: String { "canary\(account)x" }
    }

    /// The bot left somebody without a word.
    struct NoAnswer: Error {
        let to: String
        let line: String
        /// What the server and the bot sent last.
        let lately: [String]
    }

    static let channel = "#town"

    let network: LineConnection
    var dice: SeededGenerator
    private(set) var humans: [Human]
    /// Lines of the bot that are judged already, and those that the server has answered.
    private var judged = 0
    private var attended = 0
    /// Of the server's lines the last ones, each with how many of the bot's had come, to be looked at where something went
    /// wrong.
    private var sent: [(after: Int, line: String)] = []
    private var questions = 0
    /// What went to somebody it was not for.
    private(set) var misdirected: [String] = []
    /// How much that was somebody's own reached them: without it nothing would have been tried.
    private(set) var delivered = 0

    init(_ network: LineConnection, seed: UInt64) {
        self.network = network
        dice = SeededGenerator(seed: seed)
        // Two of them share an address, as behind a gateway.
        humans = ["ada", "bob", "cyd", "dov", "eve", "fay"].enumerated().map { index, name in
            Human(account: name, address: index < 2 ? "u@gateway" : "\(name)@\(name).test", nick: nil)
        }
    }

    /// One thing happens.
    mutating func step() async throws {
        attend()
        let index = Int.random(in: humans.indices, using: &dice)
        switch Int.random(in: 0..<1000, using: &dice) {
        case 0..<60: try await comeOrGo(index)
        case 60..<90: try await rename(index)
        case 90..<790: try await say(index)
        case 790..<990: send(bytes: nonsense())
        case 990..<996: try await move(index)
        default: try await startAnew()
        }
    }

    /// Waits until everything sent is dealt with, and judges what the bot said until then.
    mutating func settle(_ token: String = "fence") async throws {
        attend()
        send("PING :\(token)")
        _ = try await network.expect("PONG \(token)", within: .seconds(60)) { $0.command == "PONG" && $0.text == token }
        judge()
    }

    /// Answers what the bot asks of the server.
    private mutating func attend() {
        let lines = network.lines
        defer { attended = lines.count }
        for line in lines[attended...] {
            switch line.command {
            case "NAMES": tellNames()
            case "MONITOR" where line.target == "+":
                let nick = line.text
                if let index = humans.firstIndex(where: { $0.nick == nick }) {
                    send(":irc.test 730 confab \(mask(index))")
                } else {
                    send(":irc.test 731 confab :\(nick)")
                }
            default: break
            }
        }
    }

    private mutating func tellNames() {
        let names = humans.filter(\.isInside).compactMap(\.nick).joined(separator: " ")
        send(":irc.test 353 confab = \(Self.channel) :confab \(names)")
        send(":irc.test 366 confab \(Self.channel) :End of /NAMES list")
    }

    private mutating func send(_ line: String) { send(bytes: Array((line + "\r\n").utf8)) }

    private mutating func send(bytes: [UInt8]) {
        network.send(bytes: bytes)
        sent = sent.suffix(200) + [(network.count, String(decoding: bytes.dropLast(2), as: UTF8.self))]
    }

    // MARK: Who is where

    /// Free nicks, those of others who are away among them: that is what an impostor takes.
    private func freeNick() -> [String] {
        let taken = Set(humans.compactMap(\.nick))
        return (humans.map(\.account) + ["zed", "ada_", "bob1"]).filter { !taken.contains($0) }
    }

    private mutating func comeOrGo(_ index: Int) async throws {
        guard let nick = humans[index].nick else {
            guard let nick = freeNick().randomElement(using: &dice) else { return }
            send("\(tags()):\(nick)!\(humans[index].address) JOIN \(Self.channel)")
            // Whoever parted may have had it until now, and the bot learns by this that somebody else has it.
            try await settle()
            humans[index].nick = nick
            humans[index].isInside = true
            return
        }
        let last =
            [
                "QUIT :bye", "QUIT :*.net *.split", "PART \(Self.channel)", "PART \(Self.channel) :off", "QUIT",
            ].randomElement(using: &dice) ?? "QUIT"
        // A QUIT is one in whatever batch, at whatever time.
        let batch = Int.random(in: 0..<4, using: &dice)
        let kind = ["netsplit", "chathistory", "znc.in/playback", "made-up"].randomElement(using: &dice) ?? ""
        if batch == 0 { send(":irc.test BATCH +q\(questions) \(kind) x") }
        let isOut = last.hasPrefix("QUIT")
        send("\(tags(batch == 0 && isOut ? "q\(questions)" : nil))\(mask(index)) \(last)")
        if batch == 0 { send(":irc.test BATCH -q\(questions)") }
        humans[index].isInside = false
        try await settle()
        humans[index].nick = nil
        // Whom the server watches for the bot, it tells of too.
        if isOut { send(":irc.test 731 confab :\(nick)") }
    }

    private mutating func rename(_ index: Int) async throws {
        guard humans[index].nick != nil, let next = freeNick().randomElement(using: &dice) else { return }
        send("\(tags())\(mask(index)) NICK :\(next)")
        try await settle()
        humans[index].nick = next
    }

    /// Another host, told or not told: then whoever it is has to log in again.
    private mutating func move(_ index: Int) async throws {
        guard humans[index].nick != nil else { return }
        send("\(mask(index)) CHGHOST u\(questions) host\(questions).test")
        let account = humans[index].account
        humans[index] = Human(
            account: account, address: "u\(questions)@host\(questions).test", nick: humans[index].nick,
            isInside: humans[index].isInside, isRegistered: humans[index].isRegistered)
        try await settle()
    }

    /// As behind a bouncer whose network was away: a second welcome, or the bot's own JOIN again.
    private mutating func startAnew() async throws {
        try await settle()
        send(":confab!confab@bot.test JOIN \(Self.channel)")
        tellNames()
        try await settle()
    }

    private func mask(_ index: Int) -> String { ":\(humans[index].nick ?? "nobody")!\(humans[index].address)" }

    // MARK: What they say

    private mutating func say(_ index: Int) async throws {
        guard humans[index].nick != nil else { return }
        questions += 1
        let human = humans[index]
        let number = strangeNumber()
        let question = "\(human.canary) question \(questions)"
        let privately = [
            question, question, "HISTORY", "HISTORY \(number)", "MORE", "MORE \(number)", "STOP", "NEW", "RETRY",
            "WHOAMI",
            "USAGE", "SESSIONS", "PROFILE", "EMAIL", "HELP", "SET LINES \(number)", "SESSIONS END \(number)",
            "DROP wrong-\(number)", "LOGIN \(human.account) wrong-\(number)", "LOGOUT", "ASK \(question)",
            "PERSONA \(human.canary)", "PERSONA OFF",
            "EMAIL \(human.account)\(questions)@example.org \(human.password)",
        ]
        // A login wherever one may be missing, so that there is something to be taken.
        let login = "LOGIN \(human.account) \(human.password)"
        let register = "REGISTER \(human.password) \(human.account)@example.org"
        let isOwnNick = human.nick == human.account
        var line = privately.randomElement(using: &dice) ?? ""
        if !human.isRegistered, isOwnNick {
            line = register
            humans[index].isRegistered = true
        } else if Int.random(in: 0..<4, using: &dice) == 0 {
            line = login
        }
        let isPublic = line == question && Bool.random(using: &dice)
        let target = isPublic ? Self.channel : "confab"
        let before = network.count
        send("\(tags())\(mask(index)) PRIVMSG \(target) :\(line)")
        guard line == login || line == register, Int.random(in: 0..<4, using: &dice) > 0 else { return }
        // Most people wait for the answer; the others are gone, or somebody else, by the time it is there.
        try await hear(human.nick ?? "", line, after: before)
    }

    private mutating func hear(_ nick: String, _ line: String, after count: Int) async throws {
        let end = Time.system.now() + .seconds(30)
        while !network.lines[count...].contains(where: { $0.command == "NOTICE" && $0.target == nick }) {
            attend()
            guard Time.system.now() < end else {
                throw NoAnswer(to: nick, line: line, lately: lately)
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Tags that mean nothing about who it is; times of whenever.
    private mutating func tags(_ batch: String? = nil) -> String {
        var tags: [String] = []
        if let batch { tags.append("batch=\(batch)") }
        if Int.random(in: 0..<3, using: &dice) == 0 { tags.append("time=\(strangeTime())") }
        if Int.random(in: 0..<5, using: &dice) == 0 { tags.append("msgid=\(strangeNumber())") }
        // A space would end the tags, and the line would be another one.
        return tags.isEmpty ? "" : "@\(tags.joined(separator: ";").replacing(" ", with: "")) "
    }

    private mutating func strangeTime() -> String {
        [
            "2026-12-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z", "9999-99-99T99:99:99.999Z", "0000-00-00T00:00:00Z",
            "2026-12-01T23:59:60.000Z", "\(strangeNumber())", "2038-01-19T03:14:08.000Z",
        ].randomElement(using: &dice) ?? ""
    }

    private mutating func strangeNumber() -> String {
        [
            "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
            "18446744073709551616", "99999999999999999999999", "1e400", "NaN", "", "٣", "0x10", "+5", " 7",
            "4294967296",
            "2147483648", "-0",
        ].randomElement(using: &dice) ?? ""
    }

    // MARK: What the server makes up

    /// Lines that change nothing about who anybody is.
    private mutating func nonsense() -> [UInt8] {
        let number = strangeNumber()
        let other = strangeNumber()
        let nick = humans.compactMap(\.nick).randomElement(using: &dice) ?? "nobody"
        let lines = [
            ":irc.test 005 confab MONITOR=\(number) NICKLEN=\(other) MODES=\(number) LINELEN=\(other) :are supported",
            ":irc.test 005 confab CHANNELLEN=\(number) MAXTARGETS=\(number) TARGMAX=PRIVMSG:\(other) :are supported",
            ":irc.test 005 confab NICKLEN=30 MONITOR=30 MODES=4 LINELEN=512 :are supported",
            ":irc.test BATCH +\(number) \(other)", ":irc.test BATCH -\(number)", ":irc.test BATCH +b\(other) netsplit",
            "@batch=\(number) :\(nick)!u@h PRIVMSG #town :played back",
            ":irc.test CAP confab NEW :draft/multiline=max-bytes=\(number),max-lines=\(other)",
            ":irc.test CAP confab NEW :sts=duration=\(number)",
            ":irc.test CAP confab DEL :draft/multiline",
            ":irc.test 329 confab #town \(number)", ":irc.test 333 confab #town x \(number)",
            ":irc.test 734 confab \(number) a :full",
            ":irc.test \(number) confab \(other)", "@time=\(strangeTime()) :irc.test NOTICE * :\(number)",
            ":stranger!s@s PRIVMSG confab :\u{1}PING \(number)\u{1}", ":stranger!s@s PRIVMSG confab :HELP \(number)",
            ":stranger!s@s PRIVMSG confab :LOGIN ada wrong-\(number)", "@label=\(number) :irc.test ACK",
            ":***!znc@znc.in PRIVMSG #town :Buffer Playback...", ":***!znc@znc.in PRIVMSG #town :Playback Complete.",
            ":irc.test 352 confab #town u h s stranger H\(number) :\(other) x", "PING :\(number)",
            "@batch=h1;time=1970-01-01T00:00:00.000Z :ada!old@old PRIVMSG confab :LOGIN ada x",
            ":irc.test BATCH +h1 chathistory #town", ":irc.test BATCH -h1",
        ]
        var bytes = Array((lines.randomElement(using: &dice) ?? "").utf8)
        if Int.random(in: 0..<3, using: &dice) == 0 {
            bytes.insert(UInt8.random(in: 0x80...0xFF, using: &dice), at: bytes.count)
        }
        return bytes + [0x0D, 0x0A]
    }

    // MARK: Judging

    /// What both sides sent last, as nearly in order as can be told.
    var lately: [String] {
        let lines = network.lines
        guard let first = sent.first?.after else { return [] }
        var lately: [String] = []
        var next = first
        for (after, line) in sent {
            lately += lines[next..<max(next, after)].map { "bot: \($0.raw)" }
            next = max(next, after)
            lately.append(line)
        }
        return lately + lines[next...].map { "bot: \($0.raw)" }
    }

    /// Holds each line that the bot sent to a nick to whom it is for.
    private mutating func judge() {
        let lines = network.lines
        defer { judged = lines.count }
        for line in lines[judged...] where line.command == "PRIVMSG" || line.command == "NOTICE" {
            guard line.target.first != "#", let reader = humans.first(where: { $0.nick == line.target }) else {
                continue
            }
            let others = humans.filter { $0.account != reader.account }
            let isTheirs = others.contains { other in
                line.text.contains(other.canary) || line.text.contains("\(other.account)@example")
                    || line.text.contains("logged in as \(other.account)")
                    || line.text.contains("account is \(other.account),")
            }
            if line.text.contains(reader.canary) { delivered += 1 }
            if isTheirs { misdirected.append("to \(reader.account) as \(line.target): \(line.text)") }
        }
    }
}
