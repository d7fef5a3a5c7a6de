import CMemory
import Glibc

/// What the process holds of the machine's memory, and how it gives back what it no longer needs.
public enum Memory {
    /// Gives back what work has left behind, and work to come needs little of.
    ///
    /// Two things stay resident for no use. The heap keeps what a burst has freed (`malloc_trim(3)`). And the code that
    /// only a start runs, reading relocations, conformances and certificates, stays mapped, two thirds of all a resting bot
    /// would hold: it is dropped, and the little that is still needed comes back from the page cache in microseconds.
    public static func giveBack() {
        confab_memory_trim_heap()
        confab_memory_drop_clean_pages()
    }

    /// Looks now and then whether something is worth giving back; ends when the task is cancelled.
    public static func keepSmall() async {
        var policy = MemoryPolicy()
        while (try? await Task.sleep(for: MemoryPolicy.interval)) != nil {
            guard policy.isWorthwhile(resident: resident) else { continue }
            giveBack()
            policy.gaveBack(leaving: resident)
        }
    }

    /// Bytes resident now (`/proc/self/statm` in proc(5)); 0 where the system does not say.
    public static var resident: Int {
        let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = unsafe read(file, &bytes, bytes.count)
        let fields = bytes.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}

/// Decides when memory is worth giving back. A plain value.
///
/// Giving back costs a few milliseconds, and the next one who speaks about one more. So it is done only when so much has
/// gathered that it matters, as after the start and after a burst, and never for the sake of a question now and then.
public struct MemoryPolicy: Sendable {
    /// How often to look.
    public static let interval: Duration = .seconds(15)
    /// Bytes beyond the least that was ever left.
    public static let excess = 8 << 20

    private var least: Int?

    public init() {}

    /// Whether so much is resident that some should go.
    public func isWorthwhile(resident: Int) -> Bool { least.map { resident > $0 + Self.excess } ?? true }

    /// So much was left after giving back.
    public mutating func gaveBack(leaving resident: Int) { least = min(least ?? resident, resident) }
}
