import Runtime

/// The store's connection for writing, on a thread of its own, and its hold on the directory.
actor Writer {
    private nonisolated let executor = ThreadExecutor(name: "store")
    private var writes: GroupCommit?
    private var directory: StateDirectory?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ directory: sending StateDirectory, _ connection: sending Connection, log: Log) {
        writes = GroupCommit(connection, log: log) { () throws(StoreFailure) in try directory.check() }
        self.directory = directory
        executor.setAfterBatch { [weak self] in
            self?.assumeIsolated { writer in writer.writes?.finish() }
        }
    }

    deinit { executor.stop() }

    /// Commits what is under way and closes the connection.
    func close() {
        writes?.close()
        writes = nil
    }

    /// Whether what is written is found again.
    func check() throws(StoreFailure) { try directory?.check() }

    func forgetDeleted() { writes?.forgetDeleted() }

    /// Lets another bot have the directory.
    func leave() { directory = nil }

    /// Does one write, all of it or nothing, and returns when it is on the disk and `meanwhile` is done. The caller stays
    /// where it is.
    nonisolated func write<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreFailure) -> T, meanwhile: () async -> Void
    ) async throws(StoreFailure) -> T {
        let end = Handover<Result<T, StoreFailure>>()
        executor.call {
            self.assumeIsolated { writer in writer.write(body) { end.give($0) } }
        }
        await meanwhile()
        return try await end.value.get()
    }

    /// Does the work now, and tells of it when it is on the disk.
    private func write<T>(
        _ body: (Connection) throws(StoreFailure) -> T, tell: @escaping (Result<T, StoreFailure>) -> Void
    ) {
        do throws(StoreFailure) {
            guard let writes else { throw StoreFailure.closed }
            let result = try writes.perform(body)
            writes.wait { end in tell(end.map { result }) }
        } catch {
            tell(.failure(error))
        }
    }
}
