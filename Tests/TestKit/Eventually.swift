import Runtime

/// Waits, with a deadline, until something that other threads bring about is so.
///
/// For peers that run on real sockets; where the bot's own clock decides, tests turn that clock instead.
public func eventually(
    within limit: Duration = .seconds(20), _ condition: @Sendable () async throws -> Bool
) async rethrows -> Bool {
    let deadline = Time.system.now() + limit
    while Time.system.now() < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return try await condition()
}
