import Network
import Runtime

/// One thing to be done later on the network thread; setting it again forgets what was set before.
///
/// By the room's clock, so that tests turn it. What had come before it is due is read first: a process that stood still must
/// not take for late what waits in its sockets.
@NetworkThread
final class Alarm {
    private let time: Time
    private var task: Task<Void, Never>?

    nonisolated init(_ time: Time) { self.time = time }

    func set(after delay: Duration, _ body: @escaping @NetworkThread () -> Void) {
        task?.cancel()
        task = Task { [time] in
            let isDue = await withTaskExecutorPreference(NetworkThread.taskExecutor) {
                (try? await time.sleep(max(.zero, delay))) != nil
            }
            guard isDue else { return }
            await NetworkThread.catchUp()
            guard !Task.isCancelled else { return }
            body()
        }
    }

    func cancel() {
        task?.cancel()
        task = nil
    }
}
