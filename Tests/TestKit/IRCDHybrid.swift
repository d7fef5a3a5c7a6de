import FoundationEssentials

/// A real ircd-hybrid on loopback, for one test; it ends with the value.
///
/// It looks for its modules under `/usr/lib/ircd-hybrid` alone and refuses to run as root. So it gets a mount namespace
/// in which the unpacked package lies over `/usr/lib`, and a user namespace in which it is nobody in particular.
public final class IRCDHybrid: Sendable {
    /// Clear text.
    public let port: Int
    /// TLS, with the server certificate given.
    public let tlsPort: Int
    public let program: Program

    /// Starts it and waits until it listens. `port` 0 takes a free one. A patient one takes lines as fast as they come.
    public init(
        in scratch: Scratch, certificates: Certificates, port: Int = 0, isPatient: Bool = false
    ) async throws {
        self.port = port == 0 ? try freePort() : port
        tlsPort = try freePort()
        let file = scratch.file("hybrid.conf")
        let configuration = """
            serverinfo { name = "irc.test"; sid = "0HY"; description = "Test"; network_name = "TestNet";
                default_max_clients = 128; max_nick_length = 30; tls_certificate_file = "\(certificates.server)";
                rsa_private_key_file = "\(certificates.serverKey)"; };
            admin { name = "Test"; description = "Test"; email = "<test@example.org>"; };
            class { name = "users"; ping_time = 90 seconds; number_per_ip_local = 100; number_per_ip_global = 100;
                max_number = 100; sendq = 1 megabyte; recvq = 8000 bytes; };
            listen { host = "127.0.0.1"; port = \(self.port); flags = tls; port = \(tlsPort); };
            auth { user = "*@*"; class = "users"; flags = exceed_limit\(isPatient ? ", can_flood" : ""); };
            general { disable_auth = yes; throttle_count = 1000; anti_nick_flood = no; };
            log { use_logging = no; };

            """
        try configuration.write(toFile: file, atomically: false, encoding: .utf8)
        let package = Places.server("ircd-hybrid", "usr")
        let files = ["log", "pid", "kline", "dline", "xline", "resv"].map { name in
            "-\(name)file \(scratch.file("hybrid.\(name)"))"
        }
        let script = """
            mount -t overlay overlay -o lowerdir=\(package)/lib:/usr/lib /usr/lib &&
            exec unshare --user --map-user=1000 \(package)/sbin/ircd-hybrid -foreground -configfile \(file) \
            \(files.joined(separator: " "))
            """
        program = try Program(
            Places.tool("unshare"), ["--map-root-user", "--mount", "sh", "-c", script],
            logFile: scratch.file("hybrid.out"))
        try await Places.waitForListener(on: self.port, of: program)
    }
}
