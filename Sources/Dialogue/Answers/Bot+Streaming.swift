import Domain
import Runtime
import Formatting
import Storage

/// Answers that are said sentence by sentence while they come in.
///
/// Invariant, in the form it takes here: what is said next is stored, as a part of the answer and as the place up to which
/// it is said, before it is said. So after a sudden end all that was said is in the store, none of it is said again, and
/// what was not said is found by MORE.
extension Bot {
    func isStreamed(_ turn: Turn) -> Bool { rules(of: turn)?.streaming == .sentences }

    /// A piece has come.
    func take(_ piece: String, _ spoken: Spoken) {
        let turn = spoken.turn.id
        turns[stream: turn]?.take(piece)
        guard turns[stream: turn]?.wantsSpeaker == true else { return }
        let executor = Task.executorPreference
        turns[stream: turn]?.speaker = Task { await withTaskExecutorPreference(executor) { await saySettled(spoken) } }
    }

    /// Says what is settled, until nothing more is. What comes in while a piece is being said makes the next one.
    private func saySettled(_ spoken: Spoken) async {
        let turn = spoken.turn
        defer { turns[stream: turn.id]?.speaker = nil }
        do {
            while !turns.isStopped(turn.id), turns[stream: turn.id]?.takeRendering() == true,
                let streamed = turns[stream: turn.id]
            {
                let prefix = streamed.markdown.prefix
                guard prefix.isVisible, !mayRepeat(prefix, turn) else { return }
                let rendition = Rendition(prefix, isCut: false, format: format(of: turn))
                guard try await sayPiece(of: rendition, streamed, spoken) else { return }
            }
        } catch {
            turns[stream: turn.id]?.refuse()
            log.storeFailed(error, during: "storing a piece of an answer", of: turn.account.name)
        }
    }

    /// False where there is nothing to say, or nothing more may be said.
    private func sayPiece(
        of rendition: Rendition, _ streamed: Streamed, _ spoken: Spoken
    ) async throws(StoreFailure) -> Bool {
        let turn = spoken.turn
        let piece = rendition.rest(from: streamed.said)
        guard streamed.linesLeft > 0, piece.lines.contains(where: \.isVisible) else { return false }
        let isAddressed = !goesOn(streamed, spoken)
        guard
            var utterance = utterance(
                of: piece, turn, streamed.linesLeft, alsoNaming: streamed.named, isAddressed: isAddressed)
        else { return false }
        utterance.continuation = ""
        let reach = await reach(of: utterance, piece)
        var progress = await progress(of: utterance, piece, reach)
        // A question that has grown is asked again; from here on it grows no more.
        guard isWhole(turn) else { return false }
        gathering.close(turn.id)
        // Without the last line's end: the line may go on.
        let end = reach.rest ?? rendition.plain.utf8.count - 1
        let partial = ModelText.answer(in: streamed.raw)
        progress.rest = end
        guard try await store.keep(partial: partial, progress, of: spoken.exchange) else { return false }
        var begun = spoken
        begun.start = piece.start
        begin(begun, utterance)
        let clearance = clearance(of: utterance, piece, reach, spoken.exchange)
        let delivery = await speak(utterance, turn.id, by: clearance)
        if case .undelivered(let reason) = delivery {
            let key = SpokenKey(connection: utterance.connection, target: utterance.target)
            if case .refused(let words) = reason, !turns.isStopped(turn.id) {
                await perform(refused(spoken.exchange, at: key, words))
            } else if !turns.isStopped(turn.id) {
                logUndelivered(spoken, "\(reason)")
            }
            turns[stream: turn.id]?.refuse()
            let before = SayingProgress(rest: streamed.said)
            _ = try await store.keep(partial: partial, before, of: spoken.exchange)
            return false
        }
        turns[stream: turn.id]?.noteSaid(
            rendition.plain, upTo: end, settled: streamed.markdown.count, lines: reach.wireLines,
            naming: members(in: piece.lines, turn))
        return true
    }

    /// Waits for the piece that is being said, and gives what there is to know for saying the rest.
    func endOfStream(_ turn: Turn) async -> Streamed? {
        await turns[stream: turn.id]?.speaker?.value
        defer { turns[stream: turn.id] = nil }
        return turns[stream: turn.id]
    }
}
