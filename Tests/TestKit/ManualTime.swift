import Domain
public import Runtime
import Synchronization

/// A clock that only a test turns: nothing sleeps, everything waits for `advance`.
public final class ManualTime: Sendable {
    private struct Sleeper {
        let id: Int
        let until: Duration
        let wake: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Duration = .seconds(1000)
        var wall = Timestamp(milliseconds: 1_790_000_000_000)
        var nextID = 0
        var cancelled: Set<Int> = []
        var sleepers: [Sleeper] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// What is handed to the rooms under test.
    public var time: Time {
        Time(
            now: { self.state.withLock { $0.now } }, wall: { self.state.withLock { $0.wall } },
            sleep: { try await self.sleep($0) })
    }

    /// How many tasks wait for this clock; a test waits for the one it expects before it turns the clock.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Turns the clock and wakes, in order, whoever waited for a moment up to the new one.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            state.wall = state.wall + duration
            let due = state.sleepers.filter { $0.until <= state.now }.sorted { $0.until < $1.until }
            state.sleepers.removeAll { $0.until <= state.now }
            return due
        }
        for sleeper in due { sleeper.wake.resume() }
    }

    /// Sets the wall clock to another time, as an operator or a time server does; nothing waits for that one.
    public func stepWall(by duration: Duration) { state.withLock { $0.wall = $0.wall + duration } }

    /// Turns the clock, step by step, until this is so; false when it is not in time.
    public func turn(
        by step: Duration = .seconds(1), within limit: Duration = .seconds(20),
        until isSo: @Sendable () async -> Bool
    ) async -> Bool {
        await eventually(within: limit) {
            advance(by: step)
            return await isSo()
        }
    }

    private func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wake in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return true }
                    state.sleepers.append(Sleeper(id: id, until: state.now + duration, wake: wake))
                    return false
                }
                if isCancelled { wake.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.wake.resume(throwing: CancellationError())
        }
    }
}
