import Domain
import Formatting
import Storage

/// An answer that is said while it comes in.
struct Streamed: Sendable {
    /// All that came, what the model thought before it answered included.
    var raw = ""
    var markdown = SettledMarkdown()
    /// Waits for the answer itself; nil once that has begun.
    private var reasoning: Reasoning.Filter? = Reasoning.Filter()
    /// The plain lines that were said.
    var saidText = ""
    /// Bytes that have to be settled before rendering them is worth it: pieces of a sentence come many times as often as
    /// sentences, and what shows nothing may come for a long time.
    var worthRendering = 1
    /// The members that those lines named.
    var named: Set<Nick> = []
    /// Lines on the wire that the answer may still take.
    var linesLeft: Int
    /// Says what is settled, as long as there is any.
    var speaker: Task<Void, Never>?
    /// The network, or the store, took no more of it.
    var isRefused = false

    init(linesLeft: Int) { self.linesLeft = linesLeft }

    /// The place in the answer up to which it was said.
    var said: Int { saidText.utf8.count }

    mutating func take(_ piece: String) {
        raw += piece
        guard reasoning != nil else { return markdown.append(piece) }
        guard let answer = reasoning?.answer(after: piece) else { return }
        reasoning = nil
        markdown.append(answer)
    }
}

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
        streams[turn]?.take(piece)
        guard let streamed = streams[turn], streamed.speaker == nil, !streamed.isRefused, streamed.linesLeft > 0 else {
            return
        }
        streams[turn]?.speaker = Task { await saySettled(spoken) }
    }

    /// Says what is settled, until nothing more is. What comes in while a piece is being said makes the next one.
    private func saySettled(_ spoken: Spoken) async {
        let turn = spoken.turn
        defer { streams[turn.id]?.speaker = nil }
        do {
            while let streamed = streams[turn.id], !streamed.isRefused, !stopped.contains(turn.id) {
                let settled = streamed.markdown.count
                guard settled >= streamed.worthRendering else { return }
                streams[turn.id]?.worthRendering = settled + settled / 8 + 1
                let prefix = streamed.markdown.prefix
                guard prefix.isVisible, !mayRepeat(prefix, turn) else { return }
                let rendition = Rendition(prefix, isCut: false, format: format(of: turn))
                guard try await sayPiece(of: rendition, streamed, spoken) else { return }
                streams[turn.id]?.worthRendering = settled + 1
            }
        } catch {
            streams[turn.id]?.isRefused = true
            logStoreFailure(error, during: "storing a piece of an answer", of: turn.account.name)
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
            if case .refused(let words) = reason, !stopped.contains(turn.id) {
                await perform(refused(spoken.exchange, at: key, words))
            } else if !stopped.contains(turn.id) {
                logUndelivered(spoken, "\(reason)")
            }
            streams[turn.id]?.isRefused = true
            let before = SayingProgress(rest: streamed.said)
            _ = try await store.keep(partial: partial, before, of: spoken.exchange)
            return false
        }
        streams[turn.id]?.saidText = String(decoding: rendition.plain.utf8.prefix(end), as: UTF8.self)
        streams[turn.id]?.linesLeft -= reach.wireLines
        streams[turn.id]?.named.formUnion(members(in: piece.lines, turn))
        return true
    }

    /// Waits for the piece that is being said, and gives what there is to know for saying the rest.
    func endOfStream(_ turn: Turn) async -> Streamed? {
        await streams[turn.id]?.speaker?.value
        return streams.removeValue(forKey: turn.id)
    }
}
