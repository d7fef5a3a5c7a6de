import Glibc
import Runtime
import Synchronization

/// The least that any bot could do for a line, for a load test to compare with: one thread that reads it, works, and says it.
public final class BareRelay: Sendable {
    private let asker: Int32
    private let listener: Int32

    /// `work` is done for each line, before it goes back.
    public init(work: @escaping @Sendable () -> Void = {}) throws {
        let (listener, port) = try Socket.listen()
        self.listener = listener
        asker = try Socket.connect(port: port)
        guard let relay = Socket.accept(listener) else { throw SocketFailure(message: "no bare relay: errno \(errno)") }
        Thread.start(name: "bare") {
            while let line = Socket.read(relay), !line.isEmpty {
                work()
                Socket.write(line, to: relay)
            }
            Glibc.close(relay)
        }
    }

    /// What a question takes at least: it is written to the disk, the API asked, and the answer written to the disk.
    public convenience init(asking api: ScriptedAPI, _ body: [UInt8], storingIn scratch: Scratch) throws {
        let disk = try BareDisk(scratch)
        let connection = try api.bareConnection()
        try self.init {
            disk.store()
            _ = try? connection.roundTrip(body)
            disk.store()
        }
    }

    deinit {
        Glibc.close(asker)
        Glibc.close(listener)
    }

    public func roundTrip() throws -> Duration {
        let start = Time.system.now()
        Socket.write(Array("a line\r\n".utf8), to: asker)
        guard Socket.read(asker)?.isEmpty == false else { throw SocketFailure(message: "the bare relay is gone") }
        return Time.system.now() - start
    }
}

/// A file that is written as the bot's database is, without what a database is for.
private final class BareDisk: Sendable {
    /// What a commit of the bot's writes: some pages, each after a small head.
    private static let commit = [UInt8](repeating: 0, count: 4 * 4120)

    private let file: Int32
    private let count = Atomic(0)

    init(_ scratch: Scratch) throws {
        file = unsafe open(scratch.file("bare.log"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SocketFailure(message: "no file for a bare relay: errno \(errno)") }
        // As long as the bot's own log becomes: writing over a file costs the disk less than letting it grow.
        for _ in 0..<256 { store() }
    }

    deinit { Glibc.close(file) }

    func store() {
        let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
        unsafe pwrite(file, Self.commit, Self.commit.count, number % 256 * Self.commit.count)
        fdatasync(file)
    }
}
