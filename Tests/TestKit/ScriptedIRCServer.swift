import Runtime
import Synchronization

/// A server the test plays itself, line by line, to the one client that connects: for all that real ircds do not say.
public final class ScriptedIRCServer: Sendable {
    public let port: Int
    private let listener: OwnedDescriptor
    private let accepted = Mutex<[LineConnection]>([])
    private let answersPings: Bool
    private let multiline: MultilineServer?

    /// With `multiline` it takes messages of several lines from the client.
    public init(port: Int = 0, answersPings: Bool = true, multiline: MultilineServer? = nil) throws {
        let (number, port) = try Socket.listen(port: port)
        let listener = OwnedDescriptor(number)
        self.listener = listener
        self.port = port
        self.answersPings = answersPings
        self.multiline = multiline
        Thread.start(name: "ircd") { [weak self] in
            while let descriptor = Socket.accept(listener.number) { self?.take(descriptor) }
        }
    }

    deinit { close() }

    /// How many connections came so far.
    public var connectionCount: Int { accepted.withLock { $0.count } }

    /// No further connection is accepted.
    public func close() { listener.shutDown() }

    /// The connection of this number, from 0, as soon as it is there.
    public func connection(_ number: Int = 0, within limit: Duration = .seconds(20)) async throws -> LineConnection {
        let deadline = Time.system.now() + limit
        while Time.system.now() < deadline {
            if let connection = accepted.withLock({ $0.count > number ? $0[number] : nil }) { return connection }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw SocketFailure(message: "connection \(number) never came")
    }

    private func take(_ descriptor: Int32) {
        let connection = LineConnection(descriptor: descriptor) { [answersPings, multiline] line, connection in
            multiline?.take(line, connection)
            if answersPings, line.command == "PING" { connection.send(":irc.test PONG irc.test :\(line.text)") }
        }
        accepted.withLock { $0.append(connection) }
    }
}

extension LineConnection {
    /// Plays a plain server's welcome: capabilities as given, then 001, ISUPPORT and the end of the message of the day.
    ///
    /// Returns the nick that was asked for, another one than the one that is taken.
    @discardableResult
    public func welcome(
        capabilities: String = "", support: String = "CASEMAPPING=rfc1459 CHANTYPES=# NICKLEN=30 PREFIX=(ov)@+",
        taken: String? = nil
    ) async throws -> String {
        _ = try await expect("CAP LS") { $0.command == "CAP" && $0.parameters.first == "LS" }
        send(":irc.test CAP * LS :\(capabilities)")
        var nick = try await expect("NICK") { $0.command == "NICK" }.text
        _ = try await expect("USER") { $0.command == "USER" }
        var line = try await expect("CAP REQ or CAP END") { $0.command == "CAP" }
        while line.parameters.first == "REQ" {
            send(":irc.test CAP * ACK :\(line.text)")
            line = try await expect("CAP REQ or CAP END") { $0.command == "CAP" }
        }
        if nick == taken {
            send(":irc.test 433 * \(nick) :Nickname is already in use")
            nick = try await expect("another nick") { $0.command == "NICK" }.text
        }
        send(":irc.test 001 \(nick) :Welcome")
        send(":irc.test 005 \(nick) \(support) :are supported by this server")
        send(":irc.test 422 \(nick) :No message of the day")
        return nick
    }

    /// Sends a PING and waits for its PONG: by then everything sent before has been dealt with. Returns how long it took.
    @discardableResult
    public func ping(_ token: String = "fence") async throws -> Duration {
        let asked = Time.system.now()
        send("PING :\(token)")
        return try await expect("PONG") { $0.command == "PONG" && $0.text == token }.receivedAt - asked
    }

    /// Lets the bot into a channel it asked for, with these others in it.
    public func admit(_ nick: String, to channel: String, with others: [String] = []) async throws {
        _ = try await expect("JOIN \(channel)") { line in
            line.command == "JOIN" && line.target.split(separator: ",").contains(channel[...])
        }
        send(":\(nick)!confab@bot.test JOIN \(channel)")
        send(":irc.test 353 \(nick) = \(channel) :\(([nick] + others).joined(separator: " "))")
        send(":irc.test 366 \(nick) \(channel) :End of /NAMES list")
    }
}
