import Domain
import Glibc
import Runtime
import Storage

/// `confab ignore …`: whom the bot does not listen to, also while it runs.
enum IgnoreCommand: Equatable {
    case list
    /// A nil time is for good.
    case add(String, for: Duration?)
    case remove(String)

    /// Understands the words after `confab ignore`.
    init(_ options: inout Options) throws(Invocation.UsageError) {
        let time = try options.value(of: "--for")
        let verb = try options.word("what to do about whom to ignore")
        if let time, verb != "add" { throw Invocation.UsageError(words: "--for \(time) is for ignore add.") }
        switch verb {
        case "list": self = .list
        case "add":
            let pattern = try Self.pattern(&options)
            let duration = time.flatMap(IgnoreEntry.time)
            if let time, duration == nil {
                throw Invocation.UsageError(words: "\(time) is no time. Say e.g. 30m, 12h or 7d.")
            }
            self = .add(pattern, for: duration)
        case "remove": self = .remove(try Self.pattern(&options))
        default: throw Invocation.UsageError(words: "nothing called \(verb) can be done about whom to ignore.")
        }
    }

    private static func pattern(_ options: inout Options) throws(Invocation.UsageError) -> String {
        let word = try options.word("an account, or a mask")
        guard IgnoreEntry.isPattern(word) else {
            throw Invocation.UsageError(words: "\(word) is neither an account nor a mask like nick!*@*.example.org.")
        }
        return word
    }

    /// Does it on the database of this configuration.
    func run(file: String?) async -> ExitStatus {
        await StoreVisit.run(file: file) { (store, _) throws(StoreFailure) in try await perform(on: store) }
    }

    private func perform(on store: Store) async throws(StoreFailure) -> ExitStatus {
        let now = Time.system.wall()
        switch self {
        case .list:
            for entry in try await store.ignores(at: now) {
                say("\(entry.pattern)  \(entry.expiresAt.map { "until \($0)" } ?? "for good")".cleaned)
            }
        case .add(let pattern, let time):
            let end = time.map { now + $0 }
            try await store.ignore(IgnoreEntry(pattern: pattern, expiresAt: end), by: StoreVisit.actor, at: now)
            try await store.audit("IGNORE", of: pattern, by: StoreVisit.actor, at: now)
            say("The bot does not listen to \(pattern) \(end.map { "until \($0)" } ?? "any more").")
        case .remove(let pattern):
            guard try await store.unignore(pattern) else {
                complain("\(pattern) is not ignored. `confab ignore list` shows who is.")
                return .noSuchAccount
            }
            try await store.audit("UNIGNORE", of: pattern, by: StoreVisit.actor, at: now)
            say("The bot listens to \(pattern) again.")
        }
        return .success
    }
}
