import FoundationEssentials

/// A real ngircd on loopback, for one test; it ends with the value.
public final class NGIRCd: Sendable {
    /// Clear text.
    public let port: Int
    /// TLS, with the server certificate given.
    public let tlsPort: Int
    public let program: Program

    /// Starts it and waits until it listens. `port` 0 takes a free one. A server that another one links to must name it as
    /// its `peer`; the other one is given this one's name and port. A patient one takes lines as fast as they come.
    public init(
        in scratch: Scratch, certificates: Certificates? = nil, port: Int = 0, name: String = "irc.test",
        peer: String? = nil, linkedTo hub: (name: String, port: Int)? = nil,
        isPatient: Bool = false
    ) async throws {
        self.port = port == 0 ? try freePort() : port
        let tlsPort = try freePort()
        self.tlsPort = tlsPort
        let tls = certificates.map {
            "[SSL]\nCertFile = \($0.server)\nKeyFile = \($0.serverKey)\nPorts = \(tlsPort)\n"
        }
        var links = peer.map { "[Server]\nName = \($0)\nMyPassword = link\nPeerPassword = link\nPassive = yes\n" } ?? ""
        if let hub {
            links += "[Server]\nName = \(hub.name)\nHost = 127.0.0.1\nPort = \(hub.port)\n"
            links += "MyPassword = link\nPeerPassword = link\n"
        }
        let configuration = """
            [Global]
            Name = \(name)
            Info = Test
            Listen = 127.0.0.1
            Ports = \(self.port)
            AdminEMail = test@example.org
            MotdPhrase = test
            [Limits]
            MaxConnections = 0
            MaxConnectionsIP = 0
            MaxJoins = 100
            MaxNickLength = 30
            PingTimeout = 120
            PongTimeout = 20
            MaxPenaltyTime = \(isPatient ? 0 : -1)
            [Options]
            DNS = no
            Ident = no
            PAM = no
            \(tls ?? "")
            \(links)
            """
        let file = scratch.file("ngircd-\(self.port).conf")
        try configuration.write(toFile: file, atomically: false, encoding: .utf8)
        program = try Program(
            Places.server("ngircd", "usr/sbin/ngircd"), ["-n", "-f", file],
            logFile: scratch.file("ngircd-\(self.port).log"))
        try await Places.waitForListener(on: self.port, of: program)
    }
}

extension Places {
    /// A program of an unpacked Debian package.
    static func server(_ package: String, _ path: String) -> String { "\(servers)/\(package)/\(path)" }

    /// A program of the system.
    static func tool(_ name: String) -> String { "/usr/bin/\(name)" }

    /// Returns when somebody accepts connections there; fails when the program ends first or takes too long.
    static func waitForListener(on port: Int, of program: Program) async throws {
        let isUp = await eventually(within: .seconds(30)) {
            guard !program.hasEnded else { return true }
            guard let descriptor = try? Socket.connect(port: port) else { return false }
            Socket.shutDown(descriptor)
            Socket.reset(descriptor)
            return true
        }
        guard isUp, !program.hasEnded else {
            throw SocketFailure(message: "nothing listens on port \(port): \(program.output)")
        }
    }
}
