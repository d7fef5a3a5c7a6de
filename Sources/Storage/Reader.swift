import Runtime

/// The store's connection for reading, on a thread of its own.
actor Reader {
    private nonisolated let executor = ThreadExecutor(name: "reader")
    private var connection: Connection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(path: String) throws(StoreFailure) {
        connection = try Connection(path: path, for: .reading)
    }

    deinit { executor.stop() }

    func close() { connection = nil }

    /// Reads, while the caller stays where it is.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreFailure) -> T
    ) async throws(StoreFailure) -> T {
        let result: Result<T, StoreFailure> = await withCheckedContinuation { caller in
            executor.call { caller.resume(returning: self.assumeIsolated { $0.result(of: body) }) }
        }
        return try result.get()
    }

    private func result<T>(of body: (Connection) throws(StoreFailure) -> T) -> Result<T, StoreFailure> {
        do throws(StoreFailure) {
            guard let connection else { throw StoreFailure.closed }
            return .success(try body(connection))
        } catch {
            return .failure(error)
        }
    }
}

extension StoreFailure {
    /// What every call fails with from the end of `close` on.
    public static var closed: StoreFailure { StoreFailure(.other, "the store is closed", hint: "Start the bot again.") }
}
