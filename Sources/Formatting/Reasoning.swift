/// The thinking aloud of reasoning models, which some servers leave in the answer.
public enum Reasoning {
    /// The marks of one way to think: what begins a thought, and what ends it.
    struct Marks {
        let opening: [UInt8]
        let closings: [[UInt8]]

        init(_ opening: String, _ closings: String...) {
            self.opening = Array(opening.utf8)
            self.closings = closings.map { Array($0.utf8) }
        }

        static let all =
            ["think", "thinking", "thought", "thoughts", "reasoning", "seed:think"].map { Marks("<\($0)>", "</\($0)>") }
            + [
                Marks("[THINK]", "[/THINK]"), Marks("◁think▷", "◁/think▷"),
                Marks("<|begin_of_thought|>", "<|end_of_thought|>"), Marks("<|START_THINKING|>", "<|END_THINKING|>"),
                Marks("<unused94>thought", "<unused95>"),
            ]
            // Harmony has channels: what is not the final one is for nobody's eyes (github.com/openai/harmony).
            + ["", "<|start|>assistant"].flatMap { start in
                ["analysis", "commentary"].map {
                    Marks("\(start)<|channel|>\($0)", "<|end|>", "<|call|>", "<|return|>", "<|start|>assistant")
                }
            }
            // What opens the answer itself, or ends a thought that the template began and that is empty.
            + [
                "<|start|>assistant<|channel|>final<|message|>", "<|channel|>final<|message|>",
                "<|start|>assistant<|message|>",
                "<|im_start|>assistant\n", "<|start_header_id|>assistant<|end_header_id|>", "<start_of_turn>model\n",
                "<|START_RESPONSE|>", "<|begin_of_solution|>", "</think>\n",
            ].map { Marks($0) }
    }

    /// The text without the thoughts it begins with; nothing where it is one that never ends: then there was no answer.
    ///
    /// Only at the beginning is a thought one: answers speak about `<think>` and show it in code. In backticks a mark does
    /// not end a thought. Templates may say the opening mark for the model: then a `</think>` on a line of its own, with a blank
    /// one behind it, ends what is no answer, unless it stands in code.
    public static func removed(from text: String) -> String {
        var filter = Filter()
        let answer = filter.answer(after: text) ?? filter.rest
        guard answer.utf8.count == text.utf8.count, let end = endOfUnopened(answer) else { return answer }
        return String(answer[end...].drop { $0.isWhitespace })
    }

    /// Finds where the answer begins in a text that comes piece by piece.
    ///
    /// The same place as in `removed(from:)` of the whole, however it is cut; but of a thought without opening mark nobody can
    /// know before it ends. What the model thinks is looked at once and let go, however long it thinks.
    public struct Filter: Sendable {
        /// What may yet be a part of the answer, or of a mark. Within the reasoning its first byte is there only to tell
        /// whether a mark behind it is quoted.
        private(set) var kept: [UInt8] = []
        /// The spaces before the first word, which stay where nothing was taken off.
        private var indent: [UInt8] = []
        /// Ends the thought that has begun.
        private var closings: [[UInt8]] = []
        private var hasThought = false
        /// The first byte of `kept` was looked at as the beginning of a closing mark.
        private var isDropping = false

        public init() {}

        /// The answer as far as it is there, once something of it is; nothing is to be asked after that.
        public mutating func answer(after piece: String) -> String? {
            kept += Array(piece.utf8)
            while true {
                if !closings.isEmpty {
                    guard dropThought() else { return nil }
                }
                let blank = kept.prefix(while: Reasoning.isSpace)
                indent += blank
                kept.removeFirst(blank.count)
                guard let marks = Marks.all.first(where: { kept.starts(with: $0.opening) }) else { break }
                kept.removeFirst(marks.opening.count)
                indent = []
                hasThought = true
                closings = marks.closings
            }
            // `<thi` may become `<think>`.
            guard !kept.isEmpty, !Marks.all.contains(where: { $0.opening.starts(with: kept) }) else { return nil }
            return rest
        }

        /// What there is of an answer when nothing more comes.
        var rest: String { closings.isEmpty ? String(decoding: (hasThought ? [] : indent) + kept, as: UTF8.self) : "" }

        /// Drops the thought as far as it is there; false while it has not ended.
        private mutating func dropThought() -> Bool {
            if let end = Reasoning.firstClosing(in: kept, from: isDropping ? 1 : 0, closings) {
                kept.removeFirst(end)
                closings = []
                isDropping = false
                return true
            }
            let surplus = kept.count - (closings.map(\.count).max() ?? 0)
            if surplus > 0 {
                kept.removeFirst(surplus)
                isDropping = true
            }
            return false
        }
    }

    /// Where the first mark ends that ends a thought; one that begins a message of the same speaker is left.
    private static func firstClosing(in text: [UInt8], from start: Int, _ closings: [[UInt8]]) -> Int? {
        for index in text.indices.dropFirst(start) where text[index] == closings[0][0] {
            if index > 0 && text[index - 1] == UInt8(ascii: "`") { continue }
            guard let closing = closings.first(where: { text[index...].starts(with: $0) }) else { continue }
            return closing.starts(with: "<|start|>".utf8) ? index : index + closing.count
        }
        return nil
    }

    /// Behind the first `</think>` that has a line for itself before a blank one, unless code or what opens it came before.
    private static func endOfUnopened(_ text: String) -> String.Index? {
        guard text.utf8.contains(UInt8(ascii: "<")) else { return nil }
        var isCode = false
        var end: String.Index?
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let content = line.drop(while: isSpace)
            if let end, content.isEmpty { return end }
            if content.firstRange(of: Array("<think>".utf8)) != nil { return nil }
            if content.starts(with: "```".utf8) || content.starts(with: "~~~".utf8) { isCode.toggle() }
            let isMark = content.starts(with: "</think>".utf8) && content.dropFirst(8).allSatisfy(isSpace)
            end = isMark && !isCode ? line.endIndex : nil
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) }
}
