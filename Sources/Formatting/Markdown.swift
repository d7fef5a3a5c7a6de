/// Markdown, as models write it, made fit for people who see plain text.
public enum Markdown {
    /// Text behind this many bytes is passed on as it is.
    ///
    /// The parser of Debian 12 (cmark-gfm 0.29.0.gfm.6) takes quadratic time on some texts that `MarkdownSource` leaves
    /// alone; below this size the worst known of them costs a fraction of a second. Completions are shorter than this.
    static let maxParsedSize = 64 * 1024

    /// The text as lines to be read on IRC: markup taken off, structure kept, no line blank.
    ///
    /// Headings are lines of their own; a nested list is indented by two spaces a level; code stands two spaces in from
    /// the text around it and keeps its own indentation; a narrow table keeps its columns, a wide one says each row as
    /// `head: value` pairs; a link is `text (url)`. A line end in the text stays one, since models break lines where they
    /// mean it. What only looks like markup stays: `2*3*4`, `x**2 + y**2`, `snake_case`, `__init__`, `<stdin>`, `[INFO]:`,
    /// `C:\.ssh`, `^\d+\.\d+$`, `\(a^2\)`, `handlers[i](event)`, `&lt;`: of a doubt nothing is lost but neatness.
    /// Text that would leave nothing (`---`) is passed on as it is. Linear in the size of the text; lines are not cut.
    public static func plainLines(_ markdown: String) -> [String] { lines(markdown, isFormatted: false).map(\.text) }

    /// The same lines with bold for headings and strong emphasis and with italics, by `FormattingCode`s;
    /// each line closes what it opens. Without the codes they are the plain lines, to the byte. Control characters of the
    /// text itself are taken out before, so that every code is the renderer's own.
    public static func formattedLines(_ markdown: String) -> [String] { lines(markdown, isFormatted: true).map(\.text) }

    /// The lines, and what of them is code.
    public static func lines(_ markdown: String, isFormatted: Bool) -> [MarkdownLine] {
        let (head, tail) = divide(markdown)
        let source = MarkdownSource(head)
        var renderer = LineRenderer(source: source, isFormatted: isFormatted)
        MarkdownTree(source).visit { renderer.visit($0, $1) }
        let lines = renderer.lines.isEmpty ? rawLines(head) : renderer.lines
        return lines + rawLines(tail)
    }

    /// Cuts at the last line end within `maxParsedSize`, or at a scalar where there is none.
    private static func divide(_ text: String) -> (head: Substring, tail: Substring) {
        guard text.utf8.count > maxParsedSize else { return (text[...], "") }
        let limit = text.utf8.index(text.startIndex, offsetBy: maxParsedSize)
        let newline = text.utf8[..<limit].lastIndex(of: UInt8(ascii: "\n"))
        var cut = newline ?? limit
        while text.utf8[cut] & 0xC0 == 0x80 { cut = text.utf8.index(before: cut) }
        return (text[..<cut], text[cut...])
    }

    private static func rawLines(_ text: Substring) -> [MarkdownLine] {
        Fuse.cleaned(Array(text.utf8))
            .split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
            .filter { !$0.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
            .map { MarkdownLine("", $0[...], isCode: false) }
    }
}
