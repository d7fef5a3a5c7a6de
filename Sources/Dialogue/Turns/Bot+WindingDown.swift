import Runtime

/// How the bot comes to rest.
extension Bot {
    /// Takes no new questions, gives those at the API this long, and then ends them; returns when the end of each is
    /// stored.
    ///
    /// Waiting questions are not asked any more: they are kept as interrupted, and their askers are told at the next
    /// login. Answers that are still being said after the grace are left to the link, whose end marks them undelivered.
    public func wind(down grace: Duration) async {
        let deadline = Task {
            try? await time.sleep(grace)
            if !Task.isCancelled { turns.end() }
        }
        await withCheckedContinuation { rest in turns.windDown { rest.resume() } }
        deadline.cancel()
    }
}
