import Glibc
import Runtime

/// The program: reads the command line and does what it says.
@main
struct Confab {
    static func main() async {
        let status: ExitStatus
        do {
            status = await run(try Invocation(arguments: Array(CommandLine.arguments.dropFirst())))
        } catch {
            complain("confab: \(error.words)\n\n\(Help.usage)")
            status = .usage
        }
        exit(status.rawValue)
    }

    private static func run(_ invocation: Invocation) async -> ExitStatus {
        switch invocation {
        case .help:
            say(Help.text)
            return .success
        case .version:
            say("confab \(confabVersion)")
            return .success
        case .check(let file, let isConnecting):
            return await Check.run(file: file, isConnecting: isConnecting)
        case .run:
            return .success
        }
    }
}

/// To standard output, what was asked for.
func say(_ text: String) { writeAll(Array((text + "\n").utf8), to: STDOUT_FILENO) }

/// To standard error, what went wrong.
func complain(_ text: String) { writeAll(Array((text + "\n").utf8), to: STDERR_FILENO) }
