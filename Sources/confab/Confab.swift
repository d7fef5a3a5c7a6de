import Glibc
import Runtime

/// The program: reads the command line and does what it says.
@main
struct Confab {
    /// Not `async`: the wait that Swift puts under an asynchronous `main` (`dispatch_main`) lets every signal through to
    /// the main thread, which they would end.
    static func main() {
        let invocation: Invocation
        do {
            invocation = try Invocation(arguments: Array(CommandLine.arguments.dropFirst()))
        } catch {
            complain("confab: \(error.words)\n\n\(Help.usage)")
            exit(ExitStatus.usage.rawValue)
        }
        ProcessLimits.set()
        LastWord.sayOnFaults()
        LastWord.expectSign(within: .seconds(5))
        let stop = StopRequest()
        // `exit` would tear libraries down while their threads still run.
        Task.detached {
            LastWord.expectSign(within: .zero)
            leave(await perform(invocation, until: stop).rawValue)
        }
        while true { pause() }
    }

    private static func perform(_ invocation: Invocation, until stop: StopRequest) async -> ExitStatus {
        switch invocation {
        case .help:
            say(Help.text)
            return .success
        case .version:
            say("confab \(confabVersion)")
            return .success
        case .check(let file, let isConnecting):
            return await Check.run(file: file, isConnecting: isConnecting)
        case .status(let file):
            return Status.run(file: file)
        case .account(let command, let file):
            return await command.run(file: file)
        case .ignore(let command, let file):
            return await command.run(file: file)
        case .run(let file):
            return await Run.run(file: file, until: stop)
        }
    }
}

/// Ends the process, when the last lines of the log are written or nobody has read them for a while.
func leave(_ status: Int32) -> Never {
    Log.flush(within: .milliseconds(300))
    _exit(status)
}

/// To standard output, what was asked for.
func say(_ text: String) { writeAll(Array((text.cleanedLines + "\n").utf8), to: STDOUT_FILENO) }

/// To standard error, what went wrong.
func complain(_ text: String) { writeAll(Array((text.cleanedLines + "\n").utf8), to: STDERR_FILENO) }
