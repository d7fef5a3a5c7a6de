import Glibc

/// The first visit of two people, played against a running bot: `firstvisit PORT CHANNEL [BOT]`.
///
/// Prints what each of them types and sees. Ends with 0 when all went as the README says, with 1 when something did not.
@main
struct FirstVisit {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 2, let port = arguments.first.flatMap({ Int($0) }) else {
            print("usage: firstvisit PORT CHANNEL [BOT]")
            exit(64)
        }
        let channel = arguments[2]
        let visit = Visit(port: port, channel: channel, bot: arguments.count > 2 ? arguments[3] : "confab")
        do {
            try await visit.play()
            print("\nAll went well.")
        } catch {
            print("\nThis did not go well: \(error)")
            fflush(nil)
            exit(1)
        }
    }
}
