import Runtime

/// A person's client, scripted: connects to a real ircd in clear text on loopback, answers PING and remembers all it sees.
public final class IRCClient: Sendable {
    public let nick: String
    private let connection: LineConnection

    /// Connects and registers; returns when the server has welcomed the nick. A bouncer wants a password.
    public init(nick: String, port: Int, user: String? = nil, password: String? = nil) async throws {
        self.nick = nick
        let descriptor = try Socket.connect(port: port)
        connection = LineConnection(descriptor: descriptor) { line, connection in
            if line.command == "PING" { connection.send("PONG :\(line.text)") }
        }
        if let password { connection.send("PASS \(password)") }
        connection.send("NICK \(nick)")
        connection.send("USER \(user ?? nick) 0 * :\(nick)")
        _ = try await connection.expect("the welcome of \(nick)") { $0.command == "001" }
        _ = try await connection.expect("the end of the message of the day") { ["376", "422"].contains($0.command) }
    }

    /// Everything this person's client received.
    public var lines: [Line] { connection.lines }
    public var isClosed: Bool { connection.isClosed }

    public func send(_ line: String) { connection.send(line) }

    public func join(_ channel: String) async throws {
        connection.send("JOIN \(channel)")
        _ = try await connection.expect("the names of \(channel)") { $0.command == "366" }
    }

    public func say(_ text: String, to target: String) { connection.send("PRIVMSG \(target) :\(text)") }

    /// The next line, after the last one expected, for which this holds.
    @discardableResult
    public func expect(
        _ what: String, within limit: Duration = .seconds(30), _ isMeant: @Sendable (Line) -> Bool
    ) async throws -> Line {
        try await connection.expect("\(nick) to see \(what)", within: limit, isMeant)
    }

    /// The next NOTICE of this nick that contains these words, in whatever case.
    @discardableResult
    public func expectNotice(
        from source: String, containing words: String, within limit: Duration = .seconds(30)
    ) async throws -> String {
        try await expect("a notice with '\(words)'", within: limit) {
            $0.command == "NOTICE" && $0.source == source && $0.text.lowercased().contains(words.lowercased())
        }.text
    }

    /// The next PRIVMSG of this nick to a target (a channel, or one's own nick) that contains these words.
    @discardableResult
    public func expectMessage(
        from source: String, to target: String, containing words: String, within limit: Duration = .seconds(30)
    ) async throws -> String {
        try await expect("a message with '\(words)' to \(target)", within: limit) {
            $0.command == "PRIVMSG" && $0.source == source && $0.target == target && $0.text.contains(words)
        }.text
    }

    /// What this nick said or noticed to a target so far, in order.
    public func heard(from source: String, to target: String? = nil) -> [String] {
        lines.filter { line in
            ["PRIVMSG", "NOTICE"].contains(line.command) && line.source == source
                && (target == nil || line.target == target)
        }.map(\.text)
    }

    public func quit() {
        connection.send("QUIT :bye")
        connection.close()
    }
}
