import Runtime

/// Something the network thread does once, later.
///
/// Monotonic time, whole milliseconds, never early. The loop keeps the timer alive until it fires or is cancelled.
@NetworkThread
public final class LoopTimer {
    fileprivate let due: Duration
    fileprivate let body: @NetworkThread () -> Void
    /// Where it stands in the heap, or nil when it is not waiting.
    fileprivate var place: Int?

    private init(due: Duration, body: @escaping @NetworkThread () -> Void) {
        self.due = due
        self.body = body
    }

    public static func after(_ delay: Duration, _ body: @escaping @NetworkThread () -> Void) -> LoopTimer {
        let timer = LoopTimer(due: Time.system.now() + delay, body: body)
        NetworkLoop.shared.timers.insert(timer)
        return timer
    }

    /// It will not fire. Nothing happens when it already did.
    public func cancel() { NetworkLoop.shared.timers.remove(self) }
}

/// Waiting timers in a binary heap, the next one first; a thousand transfers set and cancel theirs all the time.
@NetworkThread
final class TimerHeap {
    private var heap: [LoopTimer] = []

    /// When the next one is due.
    var next: Duration? { heap.first?.due }

    func insert(_ timer: LoopTimer) {
        timer.place = heap.count
        heap.append(timer)
        rise(from: heap.count - 1)
    }

    func remove(_ timer: LoopTimer) {
        guard let place = timer.place else { return }
        timer.place = nil
        let last = heap.removeLast()
        guard place < heap.count else { return }
        put(last, at: place)
        rise(from: place)
        sink(from: place)
    }

    /// Fires what was due at `now`; what those set anew is due later than that.
    func fire(at now: Duration) {
        while let first = heap.first, first.due <= now {
            remove(first)
            first.body()
        }
    }

    private func put(_ timer: LoopTimer, at place: Int) {
        heap[place] = timer
        timer.place = place
    }

    private func rise(from start: Int) {
        var place = start
        while place > 0, heap[place].due < heap[(place - 1) / 2].due {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private func sink(from start: Int) {
        var place = start
        while 2 * place + 1 < heap.count {
            let (left, right) = (2 * place + 1, 2 * place + 2)
            let least = right < heap.count && heap[right].due < heap[left].due ? right : left
            guard heap[least].due < heap[place].due else { return }
            swap(place, least)
            place = least
        }
    }

    private func swap(_ left: Int, _ right: Int) {
        let moved = heap[left]
        put(heap[right], at: left)
        put(moved, at: right)
    }
}
