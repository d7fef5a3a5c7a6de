package import Domain

/// What a server takes as one message of several lines: `draft/multiline=max-bytes=4096,max-lines=24`.
///
/// Such a message is a batch of lines, and nothing else may be sent between them, not even a PONG: the batch goes in one
/// piece. Every line keeps what opens it, for whoever's client knows no batches gets the lines one by one, and
/// none of them may be unmarked or look like a command to another bot; so no line is joined to the one before it.
/// https://ircv3.net/specs/extensions/multiline and https://ircv3.net/specs/extensions/client-batch
package struct MultilineLimits: Sendable, Equatable {
    package static let capability = "draft/multiline"

    /// However much a server takes: a longer answer goes in several pieces, so that others have their turns between.
    private static let most = (bytes: 4096, lines: 16)

    /// Of the texts, with a byte for each line end between them.
    private let maxBytes: Int
    private let maxLines: Int

    /// From the capability's value; nil where that lacks `max-bytes`, which it must have. Keys of later versions are ignored.
    package init?(_ value: String) {
        var limits: [Substring: Int] = [:]
        for token in value.split(separator: ",") {
            let parts = token.split(separator: "=", maxSplits: 1)
            if parts.count == 2, limits[parts[0]] == nil { limits[parts[0]] = Int(parts[1]) }
        }
        guard let maxBytes = limits["max-bytes"], maxBytes > 0 else { return nil }
        self.maxBytes = min(maxBytes, Self.most.bytes)
        maxLines = min(limits["max-lines"] ?? .max, Self.most.lines)
    }

    /// How many of these texts, from the first on, one message holds; 1 where there is none to be made of them.
    package func count(of texts: ArraySlice<String>) -> Int {
        var bytes = -1
        let fitting = texts.prefix(max(1, maxLines)).prefix { text in
            bytes += 1 + text.utf8.count
            return bytes <= maxBytes
        }
        return max(1, fitting.count)
    }

    /// The lines of one message.
    package static func batch(_ lines: [TaggedLine], to target: Target, reference: String) -> [TaggedLine] {
        [TaggedLine(text: "BATCH +\(reference) \(capability) \(target.spelling)")]
            + lines.map { TaggedLine(tags: "batch=\(reference)", text: $0.text) }
            + [TaggedLine(text: "BATCH -\(reference)")]
    }
}

/// A line to be sent, without its end, and the tags that are to stand before it.
package struct TaggedLine: Sendable, Equatable {
    package var tags = ""
    package let text: String
}
