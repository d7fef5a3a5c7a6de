import Domain
import Storage

/// A part of an answer that is to be said in one go.
struct Passage: Sendable {
    /// What of the answer is left to be said.
    let rendition: Rendition
    let maxLines: Int
    /// Members whom what was said of it before named.
    let named: Set<Nick>
    /// How far it gets; nil where nobody is there to hear it.
    let reach: Reach?
    /// As it is stored before anything of it is said.
    let progress: SayingProgress
}

/// How far an utterance gets.
struct Reach: Sendable {
    /// Lines on the wire.
    let wireLines: Int
    /// Of those, the ones that are written at once.
    let atOnce: Int
    /// The place in the answer where the rest begins.
    let rest: Int?
}

/// How far answers are said, and that this is stored.
///
/// Invariant: before a line of an answer is written, the store knows that it is said up to there. So after a sudden end no
/// line is said twice, and what was not written is known: it is undelivered from there on. Lines that are written at once
/// cost no write of their own: that they will be is stored with the answer.
extension Bot {
    /// What is to be said of an answer, and how far that will get.
    func passage(
        _ completion: Completion, _ turn: Turn, _ exchange: ExchangeID, _ number: Int, after streamed: Streamed?
    ) async -> Passage {
        let rendition = render(completion, turn)
        let isStuck = noteRepetition(completion.text, turn, exchange) && streamed?.said ?? 0 == 0
        let whole = isStuck ? shorter(rendition, number, turn) : rendition
        let rest = whole.rest(from: streamed.map { whole.place(after: $0.saidText) } ?? 0)
        let maxLines = streamed?.linesLeft ?? maxLines(of: turn)
        let named = streamed?.named ?? []
        let spoken = Spoken(exchange: exchange, number: number, turn: turn)
        let goesOn = streamed.map { self.goesOn($0, spoken) } ?? false
        guard let utterance = utterance(of: rest, turn, maxLines, alsoNaming: named, isAddressed: !goesOn) else {
            let progress = SayingProgress(written: rest.start)
            return Passage(rendition: rest, maxLines: maxLines, named: named, reach: nil, progress: progress)
        }
        let reach = await reach(of: utterance, rest)
        return Passage(
            rendition: rest, maxLines: maxLines, named: named, reach: reach,
            progress: await progress(of: utterance, rest, reach))
    }

    /// How many lines on the wire are said of a rendition, and the place in the answer where the rest begins.
    func reach(of utterance: Utterance, _ rendition: Rendition) async -> Reach {
        let extent = await link.extent(of: utterance)
        let rest = extent.rest.map { rest in
            let byte = Mentions.bytes(rest.byte, of: utterance.lines[rest.line], in: rendition.lines[rest.line])
            return rendition.offset(line: rest.line, byte: byte)
        }
        return Reach(wireLines: extent.wireLines, atOnce: extent.atOnce, rest: rest)
    }

    /// What is stored before an utterance is said.
    func progress(of utterance: Utterance, _ rendition: Rendition, _ reach: Reach) async -> SayingProgress {
        SayingProgress(rest: reach.rest, written: await place(after: reach.atOnce, of: utterance, rendition, reach))
    }

    /// Up to where an answer is said with so many lines of an utterance; nil with all of them.
    private func place(
        after lines: Int, of utterance: Utterance, _ rendition: Rendition, _ reach: Reach
    ) async -> Int? {
        guard lines < reach.wireLines else { return nil }
        guard lines > 0 else { return rendition.start }
        var beginning = utterance
        beginning.maxLines = lines
        beginning.continuation = ""
        return await self.reach(of: beginning, rendition).rest
    }

    /// Has each line noted before it is written.
    func clearance(
        of utterance: Utterance, _ rendition: Rendition, _ reach: Reach, _ exchange: ExchangeID
    ) -> Clearance {
        Clearance(atOnce: reach.atOnce) { [self] lines in
            await note(await place(after: lines, of: utterance, rendition, reach), of: exchange)
        }
    }

    /// A line whose note cannot be stored is said all the same: better twice than never.
    func note(_ place: Int?, of exchange: ExchangeID) async {
        do {
            try await store.note(written: place, of: exchange)
        } catch {
            log.storeFailed(error, during: "noting how far an answer is said")
        }
    }
}
