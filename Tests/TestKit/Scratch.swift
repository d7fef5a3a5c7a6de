import FoundationEssentials

/// A directory of a test's own, gone when the value is; `CONFAB_TEST_KEEP=1` leaves it there to be looked at.
public final class Scratch: Sendable {
    public let path: String

    public init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "confab-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = url.path
    }

    deinit {
        guard ProcessInfo.processInfo.environment["CONFAB_TEST_KEEP"] == nil else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A path inside.
    public func file(_ name: String) -> String { path + "/" + name }

    /// The bytes of every file in a directory inside; of what is no file, none.
    public func bytes(in directory: String) throws -> [UInt8] {
        try FileManager.default.contentsOfDirectory(atPath: file(directory)).flatMap { name in
            Array(FileManager.default.contents(atPath: file(directory) + "/" + name) ?? Data())
        }
    }

    /// Writes a secret into a file that only its owner reads, and returns its path.
    @discardableResult
    public func secret(_ text: String, named name: String) throws -> String {
        let isWritten = FileManager.default.createFile(
            atPath: file(name), contents: Data((text + "\n").utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw SocketFailure(message: "cannot write \(file(name))") }
        return file(name)
    }
}
