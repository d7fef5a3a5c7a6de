import Glibc

/// What the process keeps in memory of the files it is made of.
enum ResidentMemory {
    /// Unmaps the pages of program text and symbol tables that starting has touched: those that are needed again come
    /// back, from the page cache, at the first use.
    ///
    /// Some forty libraries come with libcurl; binding and initialising them, and reading the configuration, map twice
    /// what serving needs, and the kernel would keep it mapped until memory runs short. None of it is ever written
    /// to, so nothing is lost (madvise(2), `MADV_DONTNEED` on a private file mapping).
    static func forgetStart() async {
        unmapReadOnly()
        // By then the networks are connected; handshakes and certificates are the other half of what is seldom needed.
        try? await Task.sleep(for: .seconds(10))
        unmapReadOnly()
    }

    private static func unmapReadOnly() {
        let source = SecretSource(directory: "/")
        guard let maps = try? source.contents(of: "/proc/self/maps", isPrivate: false, limit: 4 << 20) else { return }
        for line in maps.split(separator: UInt8(ascii: "\n")) {
            guard let range = readOnlyMapping(String(decoding: line, as: UTF8.self)) else { continue }
            unsafe madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
    }

    /// The addresses of a line of `/proc/self/maps` (proc(5)), if it is program text of a file, or the beginning of one with
    /// its symbol tables: `7f0c1d200000-7f0c1d355000 r-xp 00026000 fe:00 1312 /usr/lib/x86_64-linux-gnu/libc.so.6`.
    ///
    /// Other read-only mappings of libraries hold relocated pointers, which are not in the file.
    static func readOnlyMapping(_ line: String) -> Range<UInt>? {
        let fields = line.split(separator: " ")
        guard fields.count >= 6, fields[5].hasPrefix("/") else { return nil }
        guard fields[1] == "r-xp" || (fields[1] == "r--p" && fields[2].allSatisfy { $0 == "0" }) else { return nil }
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
}
