import Domain
import Runtime

/// Tells askers that their answers take long: where clients can show that somebody is typing, by that, and else in a line.
///
/// One task sleeps for all of them: a timer for each question would cost more than most of what is done for it.
extension Bot {
    /// Clients show it for six seconds, and do not want it more often than every three.
    private static let typingShown: Duration = .seconds(5)

    func expectAnswer(to turn: Turn) {
        if let wait = settings.thinkingAfter { expectAnswer(to: turn, within: wait) }
    }

    private func expectAnswer(to turn: Turn, within wait: Duration) {
        turns.remind(turn.id, at: time.now() + wait)
        if reminder == nil { reminder = Task { await remind() } }
    }

    private func remind() async {
        defer { reminder = nil }
        while let next = turns.nextReminder {
            guard (try? await time.sleep(max(.zero, next - time.now()))) != nil else { return }
            for due in turns.takeReminders(at: time.now()) { Task { await remind(due) } }
        }
    }

    private func remind(_ turn: Turn) async {
        // What has begun to be said needs no reminder.
        guard turns[stream: turn.id]?.said ?? 0 == 0, let target = target(of: turn) else { return }
        guard await link.showTyping(in: target, on: turn.speaker.connection) else {
            return await tell(Phrases.thinking, turn)
        }
        if turns.isAnswering(turn.id) { expectAnswer(to: turn, within: Self.typingShown) }
    }
}
