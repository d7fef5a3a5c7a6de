import Domain
import Runtime

/// A turn at the API, and when its asker is told that it takes long.
struct Awaited {
    let turn: Turn
    let dueAt: Duration
}

/// Tells askers that their answers take long.
///
/// One task sleeps for all of them: a timer for each question would cost more than most of what is done for it.
extension Bot {
    func expectAnswer(to turn: Turn) {
        guard let wait = settings.thinkingAfter else { return }
        awaited[turn.id] = Awaited(turn: turn, dueAt: time.now() + wait)
        if reminder == nil { reminder = Task { await remind() } }
    }

    func answerIsThere(to turn: Turn) { awaited[turn.id] = nil }

    private func remind() async {
        defer { reminder = nil }
        while let next = awaited.values.map(\.dueAt).min() {
            guard (try? await time.sleep(max(.zero, next - time.now()))) != nil else { return }
            let now = time.now()
            for due in awaited.values.filter({ $0.dueAt <= now }).map(\.turn) {
                awaited[due.id] = nil
                // What has begun to be said needs no reminder.
                if streams[due.id]?.said ?? 0 == 0 { Task { await tell(Phrases.thinking, due) } }
            }
        }
    }
}
