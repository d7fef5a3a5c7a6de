public import Domain
import Runtime

/// Hashes and checks passwords, a few at a time, off everyone else's thread.
///
/// A hash takes tens of milliseconds and 64 MiB by intent. So at most `threads` run at once, `waiting` more may queue, and
/// whoever comes then is told that the bot is busy: nobody can make it slow or large by typing passwords. A check against
/// no account at all costs what any other does, one hash.
///
/// Passwords are taken as the bytes that were typed. They are not brought to a Unicode normal form: what a person types
/// twice in the same client is the same twice, and every change here would change who can log in.
public actor PasswordHasher {
    /// What one hash costs.
    public struct Strength: Sendable, Equatable {
        /// Bytes, a multiple of 1024 and at least 8192.
        public var memory: Int
        /// Passes over the memory.
        public var passes: Int

        public init(memory: Int, passes: Int) {
            self.memory = memory
            self.passes = passes
        }

        /// 64 MiB, two passes: libsodium's choice for logins that people wait for.
        public static let interactive = Strength(memory: 64 << 20, passes: 2)
    }

    /// Bytes of UTF-8; more than a line of IRC carries.
    public static let longestPassword = 512

    private let argon2id: Argon2id
    private let decoy: EncodedHash
    private var idle: [HashingThread]
    private let room: Int
    private var queue: [CheckedContinuation<HashingThread, Never>] = []
    /// How many hashes were run, for the test that a guess at any name costs one.
    private(set) var runs = 0

    public init(threads: Int = 2, waiting: Int = 8, strength: Strength = .interactive) {
        argon2id = Argon2id(strength)
        decoy = argon2id.decoy()
        idle = (0..<threads).map { _ in HashingThread() }
        room = waiting
    }

    /// Hashes a new password; the text carries salt and strength and fits `verify`.
    public func hash(_ password: Secret) async throws(PasswordFailure) -> String {
        let text = password.reveal()
        guard text.utf8.count <= Self.longestPassword else { throw .tooLong }
        let thread = try await acquire()
        defer { release(thread) }
        return try await thread.hash(text, argon2id)
    }

    /// Checks a password against the hash of an account or, with nil, against none, which takes as long and differs.
    ///
    /// Where the hash was made at another strength, `needsRehash` says so: then hash the password anew and store that.
    public func verify(_ password: Secret, against hash: String?) async throws(PasswordFailure) -> Verification {
        let text = password.reveal()
        guard text.utf8.count <= Self.longestPassword else { return .differs }
        // A stored text that is no hash is as good as none, and costs as much.
        let known = hash.flatMap(EncodedHash.init)
        let thread = try await acquire()
        defer { release(thread) }
        guard try await thread.matches(text, known ?? decoy) else { return .differs }
        return .matches(needsRehash: known?.strength != argon2id.strength)
    }

    /// How many callers wait for a thread.
    var waitingCount: Int { queue.count }

    private func acquire() async throws(PasswordFailure) -> HashingThread {
        guard !idle.isEmpty || queue.count < room else { throw .busy }
        runs += 1
        if let thread = idle.popLast() { return thread }
        return await withCheckedContinuation { queue.append($0) }
    }

    private func release(_ thread: HashingThread) {
        if queue.isEmpty { idle.append(thread) } else { queue.removeFirst().resume(returning: thread) }
    }
}

/// Why a password was neither hashed nor checked.
public enum PasswordFailure: Error, Sendable {
    /// As many as may wait are waiting; to be tried again in a moment.
    case busy
    /// The system had no memory for a hash.
    case outOfMemory
    /// Longer than `PasswordHasher.longestPassword`; only a new password can be.
    case tooLong
}

/// What became of a check.
public enum Verification: Sendable, Equatable {
    case matches(needsRehash: Bool)
    case differs
}

/// A thread on which Argon2id may block.
actor HashingThread {
    private let executor = ThreadExecutor(name: "argon2")

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    deinit { executor.stop() }

    func hash(_ password: String, _ argon2id: Argon2id) throws(PasswordFailure) -> String {
        try argon2id.hash(password)
    }

    func matches(_ password: String, _ hash: EncodedHash) throws(PasswordFailure) -> Bool {
        try Argon2id.matches(password, hash)
    }
}
