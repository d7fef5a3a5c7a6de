import CMemory
import Glibc

/// How the process ends when it cannot go on.
public enum LastWord {
    /// `EX_OSERR` of `sysexits.h`: the system denied what the program cannot do without.
    static let status: Int32 = 71

    /// Says why and ends the process at once: nothing that needs more of what is missing is tried.
    public static func say(_ reason: StaticString) -> Never {
        Log.flush(within: .milliseconds(200))
        writeBriefly(Array("confab: \(reason); the bot ends\n".utf8), to: STDERR_FILENO)
        _exit(status)
    }

    /// From now on a fault of the program, which the end of memory is as well, has a last word and an exit status instead
    /// of a signal's: Swift traps where an allocation fails, and nothing in the program can go on from there.
    public static func sayOnFaults() { confab_memory_say_on_faults() }

    /// Ends the process with a last word unless this is called again within the time; zero for no end.
    ///
    /// Where no thread can be started, libdispatch tries for ever, within whatever called it: then nothing in the program
    /// could tell that it hangs.
    public static func expectSign(within limit: Duration) {
        confab_memory_expect_sign(UInt32(clamping: limit.components.seconds))
    }

    /// Where nobody reads, the end must not wait for that.
    private static func writeBriefly(_ bytes: [UInt8], to descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if unsafe poll(&entry, 1, 200) > 0 { writeAll(bytes, to: descriptor) }
    }
}
