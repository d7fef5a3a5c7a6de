import Glibc
import Runtime

/// The least that any bot could do for a question, for a load test to compare with: one thread that reads a line, writes it
/// to the disk, asks the API, writes the answer to the disk, and says it.
public final class BareRelay: Sendable {
    /// What a commit of the bot's writes: some pages, each after a small head.
    private static let commit = [UInt8](repeating: 0, count: 4 * 4120)

    private let asker: Int32
    private let listener: Int32

    public init(api: ScriptedAPI, scratch: Scratch, body: [UInt8]) throws {
        let (listener, port) = try Socket.listen()
        self.listener = listener
        asker = try Socket.connect(port: port)
        let relay = Socket.accept(listener) ?? -1
        let file = unsafe open(scratch.file("bare.log"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard relay >= 0, file >= 0 else { throw SocketFailure(message: "no bare relay: errno \(errno)") }
        // As long as the bot's own log becomes: writing over a file costs the disk less than letting it grow.
        for number in 0..<256 { Self.store(in: file, at: number) }
        let connection = try api.bareConnection()
        Thread.start(name: "bare") {
            defer { for descriptor in [relay, file] { Glibc.close(descriptor) } }
            var number = 0
            while let line = Socket.read(relay), !line.isEmpty {
                Self.store(in: file, at: number)
                _ = try? connection.roundTrip(body)
                Self.store(in: file, at: number + 1)
                Socket.write(line, to: relay)
                number += 2
            }
            connection.close()
        }
    }

    deinit {
        Glibc.close(asker)
        Glibc.close(listener)
    }

    public func roundTrip() throws -> Duration {
        let start = Time.system.now()
        Socket.write(Array("one question\r\n".utf8), to: asker)
        guard Socket.read(asker)?.isEmpty == false else { throw SocketFailure(message: "the bare relay is gone") }
        return Time.system.now() - start
    }

    private static func store(in file: Int32, at number: Int) {
        let offset = number % 256 * commit.count
        unsafe pwrite(file, commit, commit.count, offset)
        fdatasync(file)
    }
}
