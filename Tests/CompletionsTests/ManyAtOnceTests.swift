import Completions
import Domain
import FoundationEssentials
import Glibc
import TestKit
import Testing

/// A thousand people ask at the same moment.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ManyAtOnceTests {
    @Test func `a thousand questions in flight cost no thread each`() async throws {
        Self.allowDescriptors(4096)
        let count = 1000
        let api = try ScriptedAPI(latency: .seconds(2)) { .text("answer to \($0.question)") }
        let settings = CompletionSettings(baseURL: api.baseURL)
        let client = CompletionClient(settings: settings, log: MemoryLog().log)
        let (right, threads) = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask {
                    let prompt = Prompt(system: "", history: [], question: "question \(number)")
                    return await client.ask(prompt).completion?.text == "answer to question \(number)"
                }
            }
            _ = await eventually { api.requests.count == count }
            let threads = Self.networkThreads()
            return (await group.reduce(0) { $0 + ($1 ? 1 : 0) }, threads)
        }
        #expect(right == count)
        // One more for a look-up that another test may make at this moment.
        #expect(threads <= 2)
    }

    @Test func `a name that cannot be found is looked up a few times, not by everyone`() async throws {
        let settings = CompletionSettings(baseURL: "http://no-such-host.invalid", connectTimeout: .seconds(60))
        let client = CompletionClient(settings: settings, log: MemoryLog().log)
        let outcomes = await withTaskGroup(of: (CompletionFailure.Kind?, threads: Int).self) { group in
            for _ in 0..<500 {
                group.addTask { (await client.ask().failure?.kind, Self.networkThreads()) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0.0 == .unreachable } == 500)
        #expect(outcomes.map(\.threads).max() ?? 0 <= 10)
    }

    /// Threads that curl would start for itself, for look-ups, bear the name of the one that started them.
    private static func networkThreads() -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let names = tasks.map { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        return names.count { $0 == "network\n" }
    }

    private static func allowDescriptors(_ count: UInt) {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, count))
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
