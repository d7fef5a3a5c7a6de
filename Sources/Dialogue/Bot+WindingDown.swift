import Runtime

/// How the bot comes to rest.
extension Bot {
    /// Takes no new questions, gives those at the API this long, and then ends them; returns when the end of each is
    /// stored.
    ///
    /// Waiting questions are not asked any more: they are kept as interrupted, and their askers are told at the next
    /// login. Answers that are still being said after the grace are left to the link, whose end marks them undelivered.
    public func wind(down grace: Duration) async {
        isWindingDown = true
        for turn in queue.clearWaiting() { settle(turn, mayGoOn: false) }
        guard !isAtRest else { return }
        let deadline = Task {
            try? await time.sleep(grace)
            if !Task.isCancelled { stop() }
        }
        await withCheckedContinuation { whenAtRest.append($0) }
        deadline.cancel()
    }

    /// A turn's end is stored, or the turn is over altogether.
    func settled(_ turn: TurnID) {
        unsettled.remove(turn)
        wakeIfAtRest()
    }

    private var isAtRest: Bool { unsettled.isEmpty && (isStopped || queue.isIdle) }

    private func stop() {
        isStopped = true
        for task in answering.values { task.cancel() }
        for pause in pauses.values { pause.cancel() }
        for task in resting.values { task.cancel() }
        wakeIfAtRest()
    }

    private func wakeIfAtRest() {
        guard isAtRest else { return }
        for continuation in whenAtRest { continuation.resume() }
        whenAtRest = []
    }
}
