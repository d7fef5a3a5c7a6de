import Synchronization

/// A server's side of messages of several lines, strict: whatever a client does that the specification forbids is kept as a
/// violation, and answered as one. <https://ircv3.net/specs/extensions/multiline>,
/// <https://ircv3.net/specs/extensions/client-batch>
public final class MultilineServer: Sendable {
    public struct Message: Sendable, Equatable {
        public let command: String
        public let target: String
        /// Joined as the specification says.
        public let text: String
        public let label: String?

        public init(command: String, target: String, text: String, label: String? = nil) {
            self.command = command
            self.target = target
            self.text = text
            self.label = label
        }
    }

    fileprivate struct Open {
        let reference: String
        let target: String
        let label: String?
        var lines: [Line] = []
        var violation: String?
    }

    private struct State {
        var open: Open?
        var messages: [Message] = []
        var violations: [String] = []
    }

    private let maxBytes: Int
    private let maxLines: Int
    private let echoSource: String?
    private let state = Mutex(State())

    /// `echoSource` is whose echo comes back, `nick!user@host`; nil for a server that echoes nothing.
    public init(maxBytes: Int = 4096, maxLines: Int = 24, echoSource: String? = nil) {
        self.maxBytes = maxBytes
        self.maxLines = maxLines
        self.echoSource = echoSource
    }

    /// As it is offered in CAP LS.
    public var capability: String { "draft/multiline=max-bytes=\(maxBytes),max-lines=\(maxLines)" }

    public var violations: [String] { state.withLock { $0.violations } }
    public var messages: [Message] { state.withLock { $0.messages } }

    func take(_ line: Line, _ connection: LineConnection) {
        let answers = state.withLock { state -> [String] in
            if let open = state.open, line.tags["batch"] == open.reference {
                state.open?.add(line)
                return []
            }
            if line.command == "BATCH", line.target == state.open.map({ "-" + $0.reference }) {
                return close(&state)
            }
            if state.open != nil { return violate("in the midst of a batch: \(line)", &state) }
            if let reference = line.tags["batch"] { return violate("no batch \(reference) is open: \(line)", &state) }
            return line.command == "BATCH" ? open(line, &state) : echo(line)
        }
        for answer in answers { connection.send(answer) }
    }

    private func open(_ line: Line, _ state: inout State) -> [String] {
        guard line.target.hasPrefix("+"), line.target.count > 1, line.parameters.count == 3,
            line.parameters[1] == "draft/multiline", Set(line.tags.keys).isSubset(of: ["label"])
        else { return violate("no opening: \(line)", &state) }
        state.open = Open(
            reference: String(line.target.dropFirst()), target: line.parameters[2], label: line.tags["label"])
        return []
    }

    private func close(_ state: inout State) -> [String] {
        guard let open = state.open else { return [] }
        state.open = nil
        let text = open.text
        if let violation = open.violation { return violate(violation, &state) }
        if open.lines.allSatisfy(\.text.isEmpty) { return violate("nothing but blank lines", &state) }
        if text.utf8.count > maxBytes {
            return violate("\(text.utf8.count) bytes", &state, "MULTILINE_MAX_BYTES \(maxBytes)")
        }
        if open.lines.count > maxLines {
            return violate("\(open.lines.count) lines", &state, "MULTILINE_MAX_LINES \(maxLines)")
        }
        let message = Message(command: open.lines[0].command, target: open.target, text: text, label: open.label)
        state.messages.append(message)
        return echoSource.map { echo(open, from: $0) } ?? []
    }

    private func violate(_ what: String, _ state: inout State, _ code: String = "MULTILINE_INVALID") -> [String] {
        state.open = nil
        state.violations.append(what)
        return [":irc.test FAIL BATCH \(code) :\(what)"]
    }

    /// Of a line that is a message by itself.
    private func echo(_ line: Line) -> [String] {
        guard let echoSource, let label = line.tags["label"], ["PRIVMSG", "NOTICE"].contains(line.command) else {
            return []
        }
        return ["@label=\(label) :\(echoSource) \(line.untagged)"]
    }

    /// The label is on the opening line only.
    private func echo(_ open: Open, from source: String) -> [String] {
        let label = open.label.map { "@label=\($0) " } ?? ""
        return ["\(label):\(source) BATCH +echo\(open.reference) draft/multiline \(open.target)"]
            + open.lines.map { line in
                let concat = line.tags["draft/multiline-concat"] == nil ? "" : ";draft/multiline-concat"
                return "@batch=echo\(open.reference)\(concat) :\(source) \(line.command) \(open.target) :\(line.text)"
            } + [":irc.test BATCH -echo\(open.reference)"]
    }
}

extension MultilineServer.Open {
    fileprivate var text: String {
        lines.enumerated().reduce("") { text, line in
            text + (line.offset == 0 || line.element.tags["draft/multiline-concat"] != nil ? "" : "\n")
                + line.element.text
        }
    }

    fileprivate mutating func add(_ line: Line) {
        let isKnown = line.command == "PRIVMSG" || line.command == "NOTICE"
        if !isKnown || line.parameters.count != 2 { violation = "no message: \(line)" }
        if line.target != target { violation = "another target: \(line)" }
        if let first = lines.first, first.command != line.command { violation = "both commands: \(line)" }
        if !Set(line.tags.keys).isSubset(of: ["batch", "draft/multiline-concat"]) { violation = "other tags: \(line)" }
        if line.tags["draft/multiline-concat"] != nil, line.text.isEmpty || lines.isEmpty {
            violation = "joined to nothing, or nothing joined: \(line)"
        }
        if line.untagged.utf8.count > 510 { violation = "too long: \(line)" }
        lines.append(line)
    }
}
