internal import CMarkdown

/// A parsed text, owned: the tree of cmark-gfm, freed with this value.
///
/// Of the extensions, `table` and `tasklist` are used. `strikethrough` is not, because `~~no~~` without its marks says
/// the opposite; `autolink` is not, because a bare address reads the same without it, and in Debian 12 it takes quadratic
/// time. Either would also write to tables of the library that all threads share, at every parse.
@safe final class MarkdownTree {
    /// Registering writes to a global of the library, so it happens once, whatever threads come first.
    private static let extensions: Void = cmark_gfm_core_extensions_ensure_registered()

    private let root: OpaquePointer?

    init(_ source: MarkdownSource) {
        _ = Self.extensions
        let parser = unsafe cmark_parser_new(CMARK_OPT_DEFAULT)
        defer { unsafe cmark_parser_free(parser) }
        for name in ["table", "tasklist"] {
            unsafe cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name))
        }
        unsafe source.bytes.withUnsafeBytes { buffer in
            unsafe cmark_parser_feed(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        unsafe root = cmark_parser_finish(parser)
    }

    deinit { unsafe cmark_node_free(root) }

    enum Event { case enter, exit }

    /// Walks the tree in the order of the text, by the library's iterator: no recursion, however deep the tree.
    ///
    /// Leaves are entered and not left (cmark-gfm.h, "Iterator"). Nodes are valid within the call only.
    func visit(_ body: (MarkdownNode, Event) -> Void) {
        let iterator = unsafe cmark_iter_new(root)
        defer { unsafe cmark_iter_free(iterator) }
        while true {
            let event = unsafe cmark_iter_next(iterator)
            guard event != CMARK_EVENT_DONE, let node = unsafe cmark_iter_get_node(iterator) else { return }
            body(unsafe MarkdownNode(node), event == CMARK_EVENT_ENTER ? .enter : .exit)
        }
    }
}
