import Domain
import Formatting

/// An answer that is said while it comes in.
///
/// Invariant: what was said is a prefix of what the whole answer will read like, and so of what will be stored; it only
/// grows, and stops growing where the network, or the store, took no more, or no line is left for it.
struct Streamed: Sendable {
    /// All that came, what the model thought before it answered included.
    private(set) var raw = ""
    private(set) var markdown = SettledMarkdown()
    /// Waits for the answer itself; nil once that has begun.
    private var reasoning: Reasoning.Filter? = Reasoning.Filter()
    /// The plain lines that were said.
    private(set) var saidText = ""
    /// Bytes that have to be settled before rendering them is worth it: pieces of a sentence come many times as often as
    /// sentences, and what shows nothing may come for a long time.
    private var worthRendering = 1
    /// The members that those lines named.
    private(set) var named: Set<Nick> = []
    /// Lines on the wire that the answer may still take.
    private(set) var linesLeft: Int
    /// The network, or the store, took no more of it.
    private(set) var isRefused = false
    /// Says what is settled, as long as there is any.
    var speaker: Task<Void, Never>?

    init(linesLeft: Int) { self.linesLeft = linesLeft }

    /// The place in the answer up to which it was said.
    var said: Int { saidText.utf8.count }

    /// Something may be said of it, and nobody is at it.
    var wantsSpeaker: Bool { speaker == nil && !isRefused && linesLeft > 0 }

    mutating func take(_ piece: String) {
        raw += piece
        guard reasoning != nil else { return markdown.append(piece) }
        guard let answer = reasoning?.answer(after: piece) else { return }
        reasoning = nil
        markdown.append(answer)
    }

    /// Whether enough is settled to be rendered; if so, not again before an eighth more is.
    mutating func takeRendering() -> Bool {
        let settled = markdown.count
        guard !isRefused, settled >= worthRendering else { return false }
        worthRendering = settled + settled / 8 + 1
        return true
    }

    /// A piece was said, after a rendering of this many bytes of Markdown: what it said is `plain`, up to this byte.
    mutating func noteSaid(_ plain: String, upTo end: Int, settled: Int, lines: Int, naming members: Set<Nick>) {
        saidText = String(decoding: plain.utf8.prefix(end), as: UTF8.self)
        linesLeft -= lines
        named.formUnion(members)
        worthRendering = settled + 1
    }

    mutating func refuse() { isRefused = true }
}
