internal import CMarkdown

/// One node of a `MarkdownTree`; valid as long as the tree, and handed out only while the tree is visited.
@safe struct MarkdownNode {
    enum Kind {
        case document, quote, list, item, code, paragraph, heading, rule
        case table, tableHeader, tableRow, tableCell
        case text, softBreak, lineBreak, inlineCode, emphasis, strong, link, image
    }

    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    /// Nodes of extensions have types numbered at run time, so those go by name. Of HTML, `MarkdownSource` lets through
    /// nothing but `<br>`.
    var kind: Kind {
        switch unsafe cmark_node_get_type(pointer) {
        case CMARK_NODE_DOCUMENT: .document
        case CMARK_NODE_BLOCK_QUOTE: .quote
        case CMARK_NODE_LIST: .list
        case CMARK_NODE_ITEM: .item
        case CMARK_NODE_CODE_BLOCK: .code
        case CMARK_NODE_PARAGRAPH: .paragraph
        case CMARK_NODE_HEADING: .heading
        case CMARK_NODE_THEMATIC_BREAK: .rule
        case CMARK_NODE_SOFTBREAK: .softBreak
        case CMARK_NODE_LINEBREAK, CMARK_NODE_HTML_INLINE: .lineBreak
        case CMARK_NODE_CODE: .inlineCode
        case CMARK_NODE_EMPH: .emphasis
        case CMARK_NODE_STRONG: .strong
        case CMARK_NODE_LINK: .link
        case CMARK_NODE_IMAGE: .image
        default: Self.kind(named: unsafe String(cString: cmark_node_get_type_string(pointer)))
        }
    }

    private static func kind(named name: String) -> Kind {
        switch name {
        case "table": .table
        case "table_header": .tableHeader
        case "table_row": .tableRow
        case "table_cell": .tableCell
        default: .text
        }
    }

    /// What a text or code node holds, UTF-8 and without fuses.
    var literal: [UInt8] { Fuse.plain(unsafe Self.bytes(cmark_node_get_literal(pointer))) }

    /// Where a link or image leads.
    var url: [UInt8] { Fuse.plain(unsafe Self.bytes(cmark_node_get_url(pointer))) }

    /// Line and column in the source, both from 1.
    var start: (line: Int, column: Int) {
        (
            line: Int(unsafe cmark_node_get_start_line(pointer)),
            column: Int(unsafe cmark_node_get_start_column(pointer))
        )
    }

    /// The first byte of the text behind this node, where text follows at once.
    var following: UInt8? {
        guard let next = unsafe cmark_node_next(pointer) else { return nil }
        return unsafe MarkdownNode(next).literal.first
    }

    /// The single text inside this node, or nil where there is more than that.
    var onlyText: [UInt8]? {
        guard let first = unsafe cmark_node_first_child(pointer) else { return nil }
        guard unsafe cmark_node_next(first) == nil else { return nil }
        let child = unsafe MarkdownNode(first)
        return child.kind == .text ? child.literal : nil
    }

    /// What an ordered list counts from; nil for bullets.
    var firstNumber: Int? {
        guard unsafe cmark_node_get_list_type(pointer) == CMARK_ORDERED_LIST else { return nil }
        return Int(unsafe cmark_node_get_list_start(pointer))
    }

    /// `.` or `)`, behind the numbers of an ordered list.
    var numberEnd: String { unsafe cmark_node_get_list_delim(pointer) == CMARK_PAREN_DELIM ? ")" : "." }

    /// Whether a task of a task list is ticked off; nil for a plain item.
    var isTicked: Bool? {
        guard unsafe String(cString: cmark_node_get_type_string(pointer)) == "tasklist" else { return nil }
        return unsafe cmark_gfm_extensions_get_tasklist_item_checked(pointer)
    }

    /// How many columns of a table, from the left, are set to the right.
    var rightAligned: [Bool] {
        let count = Int(unsafe cmark_gfm_extensions_get_table_columns(pointer))
        guard let alignments = unsafe cmark_gfm_extensions_get_table_alignments(pointer) else { return [] }
        return (0..<count).map { unsafe alignments[$0] == UInt8(ascii: "r") }
    }

    private static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
        guard let text = unsafe text else { return [] }
        return unsafe Array(String(cString: text).utf8)
    }
}
