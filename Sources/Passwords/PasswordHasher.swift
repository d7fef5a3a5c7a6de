public import Domain
import Runtime

/// Hashes and checks passwords, a few at a time, off everyone else's thread.
///
/// A hash takes tens of milliseconds and 64 MiB by intent. So at most `threads` run at once, `waiting` more may queue, and
/// whoever comes then is told that the bot is busy: nobody can make it slow or large by typing passwords. Beyond that some
/// room is kept for callers who are known, and no caller may take all of it. A check against no account at all costs what
/// any other does.
///
/// Passwords are hashed as `OpaqueString` prepares them. Hashes of earlier versions were made of the bytes as they were
/// typed: those are tried too where they are others, and a match asks to be hashed anew.
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
    public static let maxPasswordLength = 512

    private let argon2id: Argon2id
    private let decoy: EncodedHash
    private var idle: [HashingThread]
    private let room: Int
    private var queue: [(caller: Caller, continuation: CheckedContinuation<HashingThread, Never>)] = []
    /// How many hashes were run, for the test that a guess at any name costs one.
    private(set) var runs = 0

    public init(threads: Int = 2, waiting: Int = 8, strength: Strength = .interactive) {
        argon2id = Argon2id(strength)
        decoy = argon2id.decoy()
        idle = (0..<threads).map { _ in HashingThread() }
        room = waiting
    }

    /// Who wants something hashed, as far as that decides who may wait.
    public struct Caller: Sendable {
        let source: String
        let isKnown: Bool

        /// `source` is where they come from; the known ones have logged in from there before.
        public init(_ source: String, isKnown: Bool = false) {
            self.source = source
            self.isKnown = isKnown
        }
    }

    /// What waits beyond `waiting`, for known callers only.
    private static let reserve = 4
    /// What waits of one caller.
    private static let share = 3

    /// Hashes a new password; the text carries salt and strength and fits `verify`.
    public func hash(_ password: Secret, for caller: Caller = Caller("")) async throws(PasswordFailure) -> String {
        guard password.reveal().utf8.count <= Self.maxPasswordLength else { throw .tooLong }
        guard let text = OpaqueString.prepared(password.reveal()) else { throw .unsuitable }
        guard text.utf8.count <= Self.maxPasswordLength else { throw .tooLong }
        let thread = try await acquire(caller)
        defer { release(thread) }
        runs += 1
        return try await thread.hash(text, argon2id)
    }

    /// Checks a password against the hash of an account or, with nil, against none, which takes as long and differs.
    ///
    /// Where the hash was made at another strength or of another form, `needsRehash` says so: then hash the password anew
    /// and store that.
    public func verify(
        _ password: Secret, against hash: String?, for caller: Caller = Caller("")
    ) async throws(PasswordFailure) -> Verification {
        let typed = password.reveal()
        guard typed.utf8.count <= Self.maxPasswordLength else { return .differs }
        // A stored text that is no hash is as good as none, and costs as much.
        let known = hash.flatMap(EncodedHash.init)
        let thread = try await acquire(caller)
        defer { release(thread) }
        let prepared = OpaqueString.prepared(typed)
        if let prepared {
            runs += 1
            if try await thread.matches(prepared, known ?? decoy) {
                return .matches(needsRehash: known?.strength != argon2id.strength)
            }
            // `==` would take both for the same.
            guard !prepared.utf8.elementsEqual(typed.utf8) else { return .differs }
        }
        runs += 1
        guard try await thread.matches(typed, known ?? decoy) else { return .differs }
        return .matches(needsRehash: prepared != nil)
    }

    /// How many callers wait for a thread.
    var waitingCount: Int { queue.count }

    private func acquire(_ caller: Caller) async throws(PasswordFailure) -> HashingThread {
        if let thread = idle.popLast() { return thread }
        guard queue.count < room + (caller.isKnown ? Self.reserve : 0) else { throw .busy }
        guard caller.source.isEmpty || queue.count(where: { $0.caller.source == caller.source }) < Self.share else {
            throw .busy
        }
        return await withCheckedContinuation { queue.append((caller, $0)) }
    }

    private func release(_ thread: HashingThread) {
        if queue.isEmpty { idle.append(thread) } else { queue.removeFirst().continuation.resume(returning: thread) }
    }
}

/// Why a password was neither hashed nor checked.
public enum PasswordFailure: Error, Sendable {
    /// As many as may wait are waiting; to be tried again in a moment.
    case busy
    /// The system had no memory for a hash.
    case outOfMemory
    /// Longer than `PasswordHasher.maxPasswordLength`; only a new password can be.
    case tooLong
    /// Empty, or with a character that no password may have; only a new password can be.
    case unsuitable
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
