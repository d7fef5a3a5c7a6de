import Domain
import IRCProtocol
import Network
import Runtime

/// What goes through libircclient: lines to be understood, and the commands that it writes.
extension Relay {
    /// Hands a line to the library; its callbacks are heard when the batch is flushed.
    func feed(_ message: IRCMessage, note: LineNote = LineNote(), text: [UInt8]? = nil) {
        guard let library, !library.feed(message, note: note, text: text) else { return }
        flushLibrary()
        _ = self.library?.feed(message, note: note, text: text)
    }

    /// To be called before the relay itself tells of anything, and before it changes what callbacks are understood by: so
    /// everything keeps the order of the wire.
    func flushLibrary() {
        guard let library else { return }
        guard let dispatches = library.flush() else {
            log.error("libircclient is out of step", ["network": settings.name])
            return end(.lost("libircclient is out of step"))
        }
        for dispatch in dispatches where stage != .ended { take(dispatch) }
    }

    // MARK: Writing

    /// A command by the library's hand; it goes before what waits to be said.
    func send(_ command: LibrarySession.Command) {
        if let line = written(command) { outbox.command(line) }
    }

    /// What the queue has let go. The first line carries the label.
    func say(_ lines: [TaggedLine], _ label: String?) {
        var label = label.map { "label=\($0)" }
        for line in lines {
            guard let text = written(.whole(line.text)) else { return }
            let tags = label ?? line.tags
            label = nil
            write(bytes: Array(text.utf8), tags: tags.isEmpty ? "" : "@\(tags) ")
        }
    }

    private func written(_ command: LibrarySession.Command) -> String? {
        guard let library else { return nil }
        if let line = library.line(for: command) { return line }
        log.error("libircclient writes no more", ["network": settings.name])
        end(.lost("libircclient writes no more"))
        return nil
    }

    func write(_ line: String) { write(bytes: Array(line.utf8)) }

    /// The one way out: nothing that could be a second line passes. Tags have a length of their own beside the line's.
    func write(bytes: [UInt8], tags: String = "") {
        guard OutgoingGate.isSafeLine(bytes, lineLength: lineLength) else {
            return log.error("a line is not fit to be sent", ["network": settings.name, "bytes": bytes.count])
        }
        pipe?.write(tags.utf8 + bytes + [0x0D, 0x0A])
    }
}
