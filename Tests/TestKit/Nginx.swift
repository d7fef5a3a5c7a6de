import FoundationEssentials

/// A real nginx on loopback that speaks HTTP/2 over TLS, as paid APIs do, and passes everything on to an API behind it.
public final class Nginx: Sendable {
    public let port: Int
    private let accessLog: String
    private let program: Program

    public var baseURL: String { "https://localhost:\(port)/v1" }

    /// Starts it and waits until it listens. A connection is closed by it after so many requests. `port` 0 takes a free one.
    public init(
        in scratch: Scratch, certificates: Certificates, before apiPort: Int, port: Int = 0,
        requestsPerConnection: Int = 100_000
    ) async throws {
        self.port = port == 0 ? try freePort() : port
        accessLog = scratch.file("nginx-access-\(self.port).log")
        let directories = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { kind in
            "\(kind)_temp_path \(scratch.file("nginx-\(kind)"));"
        }
        let configuration = """
            daemon off;
            master_process off;
            pid \(scratch.file("nginx-\(self.port).pid"));
            error_log stderr;
            events { worker_connections 4096; }
            http {
                \(directories.joined(separator: "\n    "))
                log_format protocols "$server_protocol $connection";
                access_log \(accessLog) protocols;
                server {
                    listen 127.0.0.1:\(self.port) ssl http2 backlog=1024;
                    ssl_certificate \(certificates.server);
                    ssl_certificate_key \(certificates.serverKey);
                    keepalive_requests \(requestsPerConnection);
                    location / {
                        proxy_pass http://127.0.0.1:\(apiPort);
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_buffering off;
                    }
                }
            }
            """
        let file = scratch.file("nginx-\(self.port).conf")
        try configuration.write(toFile: file, atomically: false, encoding: .utf8)
        program = try Program(
            Places.server("nginx", "usr/sbin/nginx"), ["-p", scratch.file("."), "-c", file],
            logFile: scratch.file("nginx-\(self.port).log"))
        try await Places.waitForListener(on: self.port, of: program)
    }

    /// Ends it, connections and all.
    public func stop() async {
        program.signal(15)
        _ = await program.waitForEnd()
    }

    /// Of each request that is over: its protocol, and the number of its connection.
    public var requests: [(protocol: String, connection: String)] {
        let lines = (try? String(contentsOfFile: accessLog, encoding: .utf8)) ?? ""
        return lines.split(separator: "\n").map { line in
            let parts = line.split(separator: " ").map(String.init)
            return (parts.first ?? "", parts.last ?? "")
        }
    }
}
