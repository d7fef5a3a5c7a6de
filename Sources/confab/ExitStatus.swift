/// How the program ends, in the numbers of BSD's `sysexits.h`, which systemd and scripts know.
enum ExitStatus: Int32 {
    case success = 0
    /// The command line was not understood.
    case usage = 64
    /// What was typed or piped in cannot be used.
    case badInput = 65
    case noSuchAccount = 67
    /// A network was given up for good (the bot ends by itself when every one was), or a check found something that does not
    /// answer, or no bot runs.
    case unavailable = 69
    /// The state directory cannot be made or opened.
    case cannotCreate = 73
    /// The store is there and cannot be used: in use, damaged, newer, read-only, full.
    case storeTrouble = 74
    /// The configuration is missing or wrong; every problem was listed.
    case configuration = 78
}
