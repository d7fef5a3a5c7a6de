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
        var start = chunk.startIndex
        while let end = chunk[start...].firstIndex(of: 0x0A) {
            if let line = finish(chunk[start..<end]), !body(line) {
                rest = []
                return
            }
            start = end + 1
        }
        keep(chunk[start...])
    }

    private mutating func finish(_ end: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        keep(end, onlyIfBegun: true)
        defer {
            rest.removeAll(keepingCapacity: true)
            isSkipping = false
        }
        let line = rest.isEmpty && !isSkipping ? end : rest[...]
        guard !isSkipping, line.count <= Self.longest else { return nil }
        let clean = Self.clean(line)
        return clean.isEmpty ? nil : clean
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

    /// Most lines carry one CR, at their end, and no NUL: those are not copied.
    private static func clean(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let body = line.last == 0x0D ? line.dropLast() : line
        guard body.contains(where: { $0 == 0x0D || $0 == 0 }) else { return body }
        return body.filter { $0 != 0x0D && $0 != 0 }[...]
    }
}
