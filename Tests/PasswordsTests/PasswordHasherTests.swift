import Domain
import Glibc
import Testing

@testable import Passwords

extension PasswordHasher.Strength {
    /// The least that libsodium takes, for tests of everything but the strength itself.
    fileprivate static let least = PasswordHasher.Strength(memory: 8192, passes: 1)
}

struct PasswordHasherTests {
    @Test func `a password matches its own hash and no other does`() async throws {
        let hasher = PasswordHasher(strength: .least)
        let hash = try await hasher.hash(Secret("correct horse"))
        #expect(try await hasher.verify(Secret("correct horse"), against: hash) == .matches(needsRehash: false))
        for guess in ["correct hors", "correct horse ", "Correct horse", "", "correct\0horse"] {
            #expect(try await hasher.verify(Secret(guess), against: hash) == .differs)
        }
    }

    @Test func `the same password never has the same hash twice`() async throws {
        let hasher = PasswordHasher(strength: .least)
        let first = try await hasher.hash(Secret("secret"))
        #expect(try await hasher.hash(Secret("secret")) != first)
        #expect(!first.contains("secret"))
    }

    @Test(arguments: ["pässwörd", "🔑 family", "e\u{301}", "\u{E9}", String(repeating: "x", count: 512)])
    func `a password may be in any script`(password: String) async throws {
        let hasher = PasswordHasher(strength: .least)
        let hash = try await hasher.hash(Secret(password))
        #expect(try await hasher.verify(Secret(password), against: hash) == .matches(needsRehash: false))
        #expect(try await hasher.verify(Secret("\u{E9}\u{301}"), against: hash) == .differs)
    }

    @Test func `a password beyond the limit is not hashed, and matches nothing`() async throws {
        let hasher = PasswordHasher(strength: .least)
        let long = Secret(String(repeating: "x", count: 513))
        await #expect(throws: PasswordFailure.tooLong) { try await hasher.hash(long) }
        #expect(try await hasher.verify(long, against: nil) == .differs)
        #expect(await hasher.runs == 0)
    }

    @Test func `a hash of another strength still matches and asks to be renewed`() async throws {
        let old = try await PasswordHasher(strength: .least).hash(Secret("secret"))
        let hasher = PasswordHasher(strength: .init(memory: 16384, passes: 2))
        #expect(try await hasher.verify(Secret("secret"), against: old) == .matches(needsRehash: true))
        let new = try await hasher.hash(Secret("secret"))
        #expect(try await hasher.verify(Secret("secret"), against: new) == .matches(needsRehash: false))
    }

    @Test(arguments: [
        "", "not a hash", "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$", "$argon2i$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA",
    ])
    func `a stored hash that is none lets nobody in`(hash: String) async throws {
        let hasher = PasswordHasher(strength: .least)
        #expect(try await hasher.verify(Secret("secret"), against: hash) == .differs)
    }

    @Test func `at the real strength an unknown name costs one hash, like a known one`() async throws {
        let hasher = PasswordHasher()
        let hash = try await hasher.hash(Secret("secret"))
        #expect(hash.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
        let before = await hasher.runs
        #expect(try await hasher.verify(Secret("wrong"), against: hash) == .differs)
        let known = await hasher.runs - before
        #expect(try await hasher.verify(Secret("wrong"), against: nil) == .differs)
        let unknown = await hasher.runs - before - known
        #expect(known == 1)
        #expect(unknown == 1)
    }

    @Test func `what an unknown name is checked against has the strength of any other`() {
        let argon2id = Argon2id(.interactive)
        #expect(argon2id.decoy().strength == .interactive)
        #expect(argon2id.decoy().digest != argon2id.decoy().digest)
    }

    @Test func `two run at once, eight wait, and the next is told at once that the bot is busy`() async throws {
        // Strong enough that ten calls are all there before the first is done.
        let hasher = PasswordHasher(threads: 2, waiting: 8, strength: .init(memory: 16 << 20, passes: 4))
        let results = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    do throws(PasswordFailure) {
                        _ = try await hasher.hash(Secret("secret"))
                        return true
                    } catch {
                        return error != .busy
                    }
                }
            }
            return await group.reduce(into: [Bool: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(results[true, default: 0] >= 10)
        #expect(results[false, default: 0] >= 1)
        #expect(await hasher.runs == results[true])
        #expect(await hasher.waitingCount == 0)
        _ = try await hasher.hash(Secret("afterwards there is room again"))
    }

    @Test func `room is kept for callers who are known, and nobody takes all of it`() async throws {
        let hasher = PasswordHasher(threads: 1, waiting: 2, strength: .init(memory: 32 << 20, passes: 8))
        func isBusy(_ caller: PasswordHasher.Caller) async -> Bool {
            do throws(PasswordFailure) {
                _ = try await hasher.hash(Secret("secret"), for: caller)
                return false
            } catch {
                return error == .busy
            }
        }
        await withDiscardingTaskGroup { group in
            for number in 0..<3 { group.addTask { _ = await isBusy(.init("crowd \(number)")) } }
            while await hasher.waitingCount < 2 { await Task.yield() }
            #expect(await isBusy(.init("another")))
            for number in 1...3 {
                group.addTask { _ = await isBusy(.init("home", isKnown: true)) }
                while await hasher.waitingCount < 2 + number { await Task.yield() }
            }
            #expect(await isBusy(.init("home", isKnown: true)))
            group.addTask { #expect(await !isBusy(.init("another home", isKnown: true))) }
        }
    }

    @Test func `the memory of a hash is given back`() async {
        // In a process of its own: other tests hash too.
        await #expect(processExitsWith: .success) {
            let hasher = PasswordHasher()
            let before = try residentBytes()
            for _ in 0..<4 { _ = try await hasher.hash(Secret("secret")) }
            #expect(try residentBytes() - before < 8 << 20)
        }
    }

    @Test func `no memory for a hash is a failure, and no wrong password`() async {
        await #expect(processExitsWith: .success) {
            let hasher = PasswordHasher(threads: 1)
            let known = try await hasher.hash(Secret("secret"))
            var limit = rlimit()
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            limit.rlim_cur = UInt(try mappedBytes() + (32 << 20))
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            await #expect(throws: PasswordFailure.outOfMemory) { try await hasher.hash(Secret("secret")) }
            await #expect(throws: PasswordFailure.outOfMemory) {
                try await hasher.verify(Secret("secret"), against: known)
            }
        }
    }
}

/// The second number of `/proc/self/statm`.
private func residentBytes() throws -> Int { try statm(1) }

private func mappedBytes() throws -> Int { try statm(0) }

private func statm(_ index: Int) throws -> Int {
    var text = [UInt8](repeating: 0, count: 200)
    let file = unsafe open("/proc/self/statm", O_RDONLY)
    defer { close(file) }
    let count = unsafe text.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
    let fields = text.prefix(count).split(separator: UInt8(ascii: " "))
    return try #require(Int(String(decoding: fields[index], as: UTF8.self))) * 4096
}
