import FoundationEssentials

/// A real ZNC on loopback, a bouncer between one client or several and one network.
public final class ZNC: Sendable {
    /// Where its clients connect, in clear text.
    public let port: Int
    /// What they say with PASS.
    public let password = "confab/test:bouncer-password"
    public let program: Program

    /// Starts it and waits until it listens. It keeps the last lines of every channel and plays them back to each client that
    /// connects. A network that is lost is looked for every second.
    public init(in scratch: Scratch, networkPort: Int, channels: [String] = ["#confab"], nick: String = "confab")
        async throws
    {
        port = try freePort()
        let directory = scratch.file("znc-\(port)")
        try FileManager.default.createDirectory(atPath: directory + "/configs", withIntermediateDirectories: true)
        // It does not start where it finds no modules, though none is loaded.
        try FileManager.default.createSymbolicLink(
            atPath: directory + "/modules", withDestinationPath: Places.server("znc", "usr/lib/znc"))
        let tables = channels.map { "<Chan \($0)>\n</Chan>" }.joined(separator: "\n")
        let configuration = """
            Version = 1.8.2
            AnonIPLimit = 1000
            ConnectDelay = 1
            ServerThrottle = 1
            <Listener test>
                AllowIRC = true
                AllowWeb = false
                Host = 127.0.0.1
                IPv4 = true
                IPv6 = false
                Port = \(port)
                SSL = false
            </Listener>
            <User confab>
                AltNick = \(nick)_
                AutoClearChanBuffer = false
                AutoClearQueryBuffer = false
                ChanBufferSize = 100
                Ident = \(nick)
                JoinTries = 0
                MultiClients = true
                Nick = \(nick)
                QueryBufferSize = 100
                RealName = a bot behind a bouncer
                <Network test>
                    FloodBurst = 100
                    FloodRate = 100.00
                    IRCConnectEnabled = true
                    JoinDelay = 0
                    Server = 127.0.0.1 \(networkPort)
                    \(tables)
                </Network>
                <Pass password>
                    Hash = bouncer-password
                    Method = Plain
                </Pass>
            </User>
            """
        try configuration.write(toFile: directory + "/configs/znc.conf", atomically: false, encoding: .utf8)
        program = try Program(
            // As root it would wait for half a minute, for somebody to think better of it.
            Places.tool("unshare"),
            ["--user", "--map-user=1000", Places.server("znc", "usr/bin/znc"), "--foreground", "--datadir", directory],
            logFile: scratch.file("znc-\(port).log"))
        try await Places.waitForListener(on: port, of: program)
    }
}
