import Glibc
import Runtime
import Storage

/// What the command line does on the database of a bot, which may run meanwhile.
enum StoreVisit {
    /// Who does it, as the audit table keeps it.
    static var actor: String { "command line, user \(getuid())" }

    static func run(
        file: String?, _ work: (Store, Configuration) async throws(StoreFailure) -> ExitStatus
    ) async -> ExitStatus {
        guard let (_, configuration) = Configuration.loadOrComplain(named: file, withSecrets: false) else {
            return .configuration
        }
        do {
            let log = Log.standardError(level: .warning, format: configuration.log.format)
            let store = try Store.visit(directory: configuration.bot.stateDirectory, log: log)
            let status = try await work(store, configuration)
            await store.close()
            return status
        } catch {
            complain("\(error.detail)\n\(error.hint)")
            return error.exitStatus
        }
    }
}

extension StoreFailure {
    var exitStatus: ExitStatus {
        switch kind {
        case .permissions, .other: .cannotCreate
        default: .storeTrouble
        }
    }
}
