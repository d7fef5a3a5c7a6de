import Glibc
import Runtime

/// `confab status`: asks the bot that runs with this configuration, and prints what it says.
enum Status {
    static let request = "status"

    /// A bot that is well answers in milliseconds.
    private static let patience = Duration.seconds(5)

    static func run(file: String?) -> ExitStatus {
        guard let (_, configuration) = Configuration.loadOrComplain(named: file, withSecrets: false) else {
            return .configuration
        }
        switch ask(at: ControlSocket.path(in: configuration.bot.stateDirectory)) {
        case .success(let text):
            say(text)
            return .success
        case .failure(let refusal):
            complain(refusal.words)
            return refusal.status
        }
    }

    /// Why there is no answer.
    private struct Refusal: Error {
        let words: String
        let status: ExitStatus
    }

    private static func ask(at path: String) -> Result<String, Refusal> {
        guard let address = UnixAddress(path), let socket = try? OpenSocket() else {
            return .failure(Refusal(words: "\(path): no socket can be there", status: .unavailable))
        }
        socket.setPatience(patience)
        let isConnected = unsafe address.call { pointer, length in
            unsafe Int(connect(socket.number, pointer, length))
        }
        guard isConnected == 0 else { return .failure(refusal(errno, path)) }
        guard socket.send(Array(request.utf8)),
            let text = socket.receive(atMost: ControlSocket.maxAnswerSize)
        else {
            return .failure(Refusal(words: "the bot is there and does not answer.", status: .unavailable))
        }
        return .success(text)
    }

    private static func refusal(_ code: Int32, _ path: String) -> Refusal {
        switch code {
        case ENOENT, ECONNREFUSED, ENOTDIR:
            let directory = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
            guard unsafe access(String(directory), F_OK) == 0 else {
                return Refusal(
                    words:
                        "no bot runs with this configuration: \(directory) is not there. Where it was deleted under one, that takes"
                        + " nothing any more: end it, put the directory back, and start it again.", status: .unavailable
                )
            }
            return Refusal(words: "no bot runs with this configuration (\(path)).", status: .unavailable)
        case EACCES, EPERM:
            return Refusal(
                words: "\(path): not yours to ask. Run it as the user that runs the bot.", status: .cannotCreate)
        default:
            let reason = unsafe String(cString: strerror(code))
            return Refusal(words: "\(path): \(reason)", status: .unavailable)
        }
    }
}
