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
}
