/// Keeps a line of an answer from being a command to another bot of the channel.
///
/// Only the first line of an answer has the asker's nick before it, and models write `!op`, `.quit`, `/kick` and `-x` at the
/// beginning of lines, also when people have them do so. A blank is no shield: eggdrop, and every bot that splits a line
/// at its blanks, begins with the first word. A sign without width would be one, but it would be copied with a path or
/// command that then fails without anyone seeing why. So it is a bar that can be seen, before the line and never in it.
package enum CommandShield {
    package static let text = "│ "

    /// Signs that bots take for the beginning of a command, whatever follows.
    private static let always = Array("!./,~?@&;%>".utf8)
    /// Signs that begin a command where a letter follows: `-5`, `+ 1` and `$20` are none.
    private static let beforeLetters = Array("-+$^=*\\`".utf8)

    /// Whether a line that begins like this would be taken for a command: blanks and formatting codes before it do not matter.
    package static func isNeeded(for line: some Collection<UInt8>) -> Bool {
        let text = line.prefix(64).drop { $0 <= 0x20 }
        guard let first = text.first else { return false }
        if always.contains(first) { return true }
        guard beforeLetters.contains(first), let second = text.dropFirst().first else { return false }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(second | 0x20)
            || first == second && first == UInt8(ascii: "-")
    }

    /// The same for a name that a line begins with: a nick may begin with a `^`, a backslash or a backtick.
    package static func isNeeded(forAddress name: some Collection<UInt8>) -> Bool {
        isNeeded(for: name) && !(name.first.map { nickSigns.contains($0) } ?? true)
    }

    private static let nickSigns = Array("^\\`".utf8)
}
