import FoundationEssentials
import Glibc
import Runtime
import Synchronization

/// A process of a test's own: started with its output in a file, ended with the value.
public final class Program: Sendable {
    public let identifier: Int32
    /// Where its output and errors go.
    public let logFile: String
    private let status = Mutex<Int32?>(nil)

    /// `environment` is added to the test's own.
    public init(
        _ path: String, _ arguments: [String], logFile: String, environment: [String: String] = [:]
    ) throws {
        self.logFile = logFile
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, logFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        // A child must not inherit blocked signals.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let inherited = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        var argv = unsafe Self.cStrings([path] + arguments)
        var envp = unsafe Self.cStrings(inherited.map { "\($0.key)=\($0.value)" })
        defer {
            unsafe (argv + envp).forEach { unsafe free($0) }
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        var identifier: pid_t = 0
        let code = unsafe posix_spawn(&identifier, path, &actions, &attributes, &argv, &envp)
        guard code == 0 else { throw SocketFailure(message: "cannot start \(path): errno \(code)") }
        self.identifier = identifier
    }

    deinit { kill() }

    /// Copies that end in nil, as `exec` wants them; the caller frees them.
    private static func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var copies = unsafe [UnsafeMutablePointer<CChar>?]()
        for string in strings { unsafe copies.append(strdup(string)) }
        unsafe copies.append(nil)
        return unsafe copies
    }

    public func signal(_ signal: Int32) { if !hasEnded { Glibc.kill(identifier, signal) } }

    /// Ends it at once and waits until it is gone.
    public func kill() {
        signal(SIGKILL)
        while !hasEnded { usleep(1000) }
    }

    /// Exit status, 128 + signal for one that was killed, nil while it runs.
    public var exitStatus: Int32? {
        status.withLock { status in
            if status == nil {
                var raw: Int32 = 0
                if unsafe waitpid(identifier, &raw, WNOHANG) == identifier {
                    status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
                }
            }
            return status
        }
    }

    public var hasEnded: Bool { exitStatus != nil }

    /// The exit status, or nil when it still runs after this long.
    public func waitForEnd(within limit: Duration = .seconds(20)) async -> Int32? {
        _ = await eventually(within: limit) { self.hasEnded }
        return exitStatus
    }

    /// Everything it printed so far.
    public var output: String { (try? String(contentsOfFile: logFile, encoding: .utf8)) ?? "" }

    /// From now on `VmHWM` is the peak since this moment (`/proc/<pid>/clear_refs` in proc(5)).
    public func forgetMemoryPeak() {
        let file = unsafe open("/proc/\(identifier)/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        writeAll(Array("5".utf8), to: file)
        Glibc.close(file)
    }

    /// Time on the processors so far, its own and the kernel's for it; nil when it has ended.
    public var processorTime: Duration? {
        guard let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        // proc(5): the name, which may hold anything, is field 2; user and system time are 14 and 15.
        let fields = text[end...].split(separator: " ")
        guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else { return nil }
        return .seconds(user + system) / sysconf(Int32(_SC_CLK_TCK))
    }

    /// How often each of its threads has gone to sleep so far, by the thread's name; those of one name are counted
    /// together.
    public var naps: [String: Int] {
        let tasks = "/proc/\(identifier)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        var naps: [String: Int] = [:]
        for thread in threads {
            // proc(5): `Name`, and among the last lines `voluntary_ctxt_switches`.
            guard let text = try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8) else { continue }
            let fields = text.split(separator: "\n").map { $0.split(separator: "\t") }
            let name = fields.first { $0.first == "Name:" }?.last.map(String.init) ?? ""
            let count = fields.first { $0.first == "voluntary_ctxt_switches:" }?.last.flatMap { Int($0) }
            naps[name, default: 0] += count ?? 0
        }
        return naps
    }

    /// `VmRSS` and its like from `/proc/<pid>/status`, in KiB.
    public func memory(_ field: String = "VmRSS") -> Int? {
        let path = "/proc/\(identifier)/status"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }
}

/// Where a test finds what was built and what was unpacked for it.
public enum Places {
    /// The directory of the test bundle, where the package's own executables are too.
    public static var products: String {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return String(bundle.prefix(upTo: bundle.lastIndex(of: "/") ?? bundle.startIndex))
    }

    /// The built bot; `CONFAB_TEST_BINARY` names another.
    public static var confab: String {
        ProcessInfo.processInfo.environment["CONFAB_TEST_BINARY"] ?? products + "/confab"
    }

    /// The folder into which `deploy/test` unpacked the packages of real servers, one folder each.
    public static var servers: String {
        if let path = ProcessInfo.processInfo.environment["CONFAB_TEST_SERVERS"] { return path }
        return FileManager.default.currentDirectoryPath + "/.run/servers"
    }
}
