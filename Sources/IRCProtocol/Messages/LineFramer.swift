/// Cuts the bytes of a connection into lines.
///
/// LF ends a line; CR and NUL are dropped wherever they stand, for sloppy servers let people send them; empty lines fall
/// away. A line may have 8191 bytes of tags and 512 beside them; real servers go beyond that, so only one above 16 KiB
/// is dropped, and what follows it is understood again.
package struct LineFramer {
    package static let longest = 16 * 1024

    /// The beginning of a line whose end has not come.
    private var rest: [UInt8] = []
    /// The line that is coming in is already too long.
    private var isSkipping = false

    package init() {}

    /// Takes bytes as they came and hands over each line that is whole now; false from `body` drops all that is left.
    package mutating func append(_ chunk: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        var start = 0
        // The byte before the line's end may be a CR; one elsewhere is cut out, and so is NUL.
        var strays = 0
        for block in stride(from: 0, to: chunk.count, by: Self.block) {
            let block = block..<min(block + Self.block, chunk.count)
            // Nearly all bytes are letters and signs: those are passed over many at a time.
            var least: UInt8 = 0xFF
            for byte in chunk[block] { least = min(least, byte) }
            guard least <= 0x0D else { continue }
            for end in block where chunk[end] <= 0x0D {
                let byte = chunk[end]
                guard byte == 0x0A else {
                    if byte == 0x0D || byte == 0 { strays += 1 }
                    continue
                }
                if end > start, chunk[end - 1] == 0x0D { strays -= 1 }
                if let line = finish(chunk[start..<end], isClean: strays == 0), !body(line) {
                    rest = []
                    return
                }
                start = end + 1
                strays = 0
            }
        }
        keep(chunk[start...])
    }

    private static let block = 32

    private mutating func finish(_ end: ArraySlice<UInt8>, isClean: Bool) -> ArraySlice<UInt8>? {
        if rest.isEmpty, !isSkipping, isClean, end.count <= Self.longest {
            let line = end.last == 0x0D ? end.dropLast() : end
            return line.isEmpty ? nil : line
        }
        keep(end, onlyIfBegun: true)
        defer {
            rest.removeAll(keepingCapacity: true)
            isSkipping = false
        }
        let line = rest.isEmpty && !isSkipping ? end : rest[...]
        guard !isSkipping, line.count <= Self.longest else { return nil }
        let clean = line.filter { $0 != 0x0D && $0 != 0 }
        return clean.isEmpty ? nil : clean[...]
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>, onlyIfBegun: Bool = false) {
        guard !isSkipping, !(onlyIfBegun && rest.isEmpty) else { return }
        if rest.count + bytes.count > Self.longest + 1 {
            rest.removeAll()
            isSkipping = true
        } else {
            rest += bytes
        }
    }
}
